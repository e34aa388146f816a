"""The commands that measure, count and try: ``profile``, ``bench`` and ``doctor``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lumc.console import PhaseProgress, existing, warn, writable
from lumc.diagnostics import LumcError
from lumc.option_types import OneOf, Setting, SizeAndPrompt
from lumc.shared_options import PATH, json_option, libraries_option, refuse_given


@click.command()
@click.argument("directory", metavar="DIR", type=PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@click.option("--weights", multiple=True, type=PATH, help="As for run; without any, random values.")
@click.option("--inputs", type=PATH, help="As for run; without it, random values.")
@click.option(
    "--device",
    default="emulator",
    show_default=True,
    help="The emulator counts; hip:N and cuda:N take times.",
)
@json_option
def profile(directory: Path, device: str, as_json: bool, **chosen: Any) -> None:
    """Run a step and show what each kernel does, or where its time goes.

    On the emulator every instruction is counted, and the times come from the counts: a simple
    model, for a small configuration. For a step of full size, lumc bench --predict times a few
    workgroups of each kernel by a model of the chip.
    """
    if device == "emulator":
        _counted(existing(directory), as_json, **chosen)
        return
    if chosen["weights"] or chosen["inputs"] is not None:
        raise click.UsageError("times are taken with random weights and inputs")
    from lumc import benching

    measured = benching.bench(existing(directory), chosen["stage"], device)
    if as_json:
        stages = {name: benching.profile_json(one) for name, one in measured.items()}
        click.echo(json.dumps({"stages": stages}))
    else:
        click.echo("\n\n\n".join(map(benching.profile_text, measured.values())))


def _counted(directory: Path, as_json: bool, **chosen: Any) -> None:
    from lumc import profiling

    with PhaseProgress() as progress:
        found = profiling.profile(directory, **chosen, progress=progress)
    if as_json:
        click.echo(json.dumps({"kernels": profiling.profile_json(found)}))
    else:
        click.echo(profiling.profile_text(found))


@click.command()
@click.argument("directory", metavar="DIR", type=PATH, required=False)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@click.option("--device", default="auto", show_default=True, help="As for run; for DIR a GPU.")
@click.option("--predict", is_flag=True, help="By a model of the chip, without it.")
@click.option("--pipeline", metavar="MODEL", help="Whole requests to the model in this folder.")
@click.option(
    "--random-weights", is_flag=True, help="MODEL may be a configuration too, as klein_9b."
)
@click.option(
    "--request", "requests", multiple=True, type=SizeAndPrompt(), help="Repeatable; else three."
)
@click.option("--steps", type=click.IntRange(min=1), default=4, show_default=True)
@click.option("--warm-ups", type=click.IntRange(min=0), default=5, show_default=True)
@click.option("--runs", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--price", "prices", multiple=True, type=Setting(), help="Dollars an hour; repeatable."
)
@click.option("--svg", type=PATH, metavar="FILE", help="Draw where the time of requests goes.")
@click.option("--target", metavar="CHIP", help="The chip to compile a model for.")
@click.option("--dtype", type=OneOf(["bf16", "f16", "f32"]), default="bf16", show_default=True)
@libraries_option
@json_option
def bench(
    directory: Path | None,
    stage: str | None,
    device: str,
    predict: bool,
    pipeline: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """How long a step takes, kernel by kernel, beside the least that the chip needs for it.

    With --pipeline: how long whole requests take, part by part, and what they cost.
    """
    if pipeline is not None:
        refuse_given(("directory", "stage", "predict"), "has no meaning with --pipeline")
        _bench_pipeline(pipeline, device, as_json, **chosen)
        return
    if directory is None:
        raise click.UsageError("lumc bench needs the DIR of a compiled stage, or --pipeline MODEL")
    refuse_given(tuple(chosen), "has no meaning without --pipeline")
    from lumc import benching

    if predict:
        refuse_given(("device",), "has no meaning with --predict")
        _predicted(existing(directory), stage, as_json)
        return
    found = benching.bench(existing(directory), stage, device)
    if as_json:
        click.echo(json.dumps({"stages": {name: one.as_json() for name, one in found.items()}}))
    else:
        click.echo("\n\n\n".join(map(benching.bench_text, found.values())))


def _predicted(directory: Path, stage: str | None, as_json: bool) -> None:
    """By the timing model, also into the stage's report; by the cost model where that has none."""
    from lumc import benching, predicting
    from lumc.codegen.cache import open_cache
    from lumc.runtime.model_kernel import NotModelledError
    from lumc.runtime.stage_folder import choose_stage

    opened = choose_stage(directory, stage)
    try:
        with PhaseProgress() as progress:
            found = predicting.predict(opened, open_cache(), progress)
    except NotModelledError:
        expected = benching.expected_json(opened) if as_json else benching.expected_text(opened)
        click.echo(json.dumps(expected) if as_json else expected)
        return
    if as_json:
        click.echo(json.dumps(predicting.prediction_json(found)))
    else:
        click.echo(predicting.prediction_text(found))
    try:
        predicting.write_into_report(opened, found)
    except LumcError as error:
        warn(str(error), error.diagnostics[0].code)


def _bench_pipeline(
    model: str,
    device: str,
    as_json: bool,
    random_weights: bool,
    prices: tuple[tuple[str, str], ...],
    svg: Path | None,
    dtype: str,
    target: str | None,
    libraries: str,
    **measured: Any,
) -> None:
    from lumc import bench_pipeline
    from lumc.backends import BackendOptions

    dollars = {name: _price(name, text) for name, text in prices}
    requests = measured.pop("requests") or bench_pipeline.DEFAULT_REQUESTS
    options = bench_pipeline.BenchOptions(tuple(requests), **measured)
    place = BackendOptions(device, target, libraries=libraries)
    if svg is not None:
        writable(svg)
    with PhaseProgress() as progress:
        found = bench_pipeline.bench(model, random_weights, place, dtype, options, progress)
    if svg is not None:
        bench_pipeline.write_svg(svg, found)
    if as_json:
        click.echo(json.dumps(bench_pipeline.times_json(found, dollars)))
    else:
        click.echo(bench_pipeline.times_text(found, dollars))


def _price(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"the price of {name} is no number: {text}") from None


@click.command()
@click.option("--selftest", is_flag=True, help="Run every family of kernels and compare it.")
@click.option("--device", default="auto", show_default=True, help="Where the self-test runs.")
@click.option("--target", metavar="CHIP", help="What the emulator is in the self-test.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only this; repeatable.")
@json_option
def doctor(
    selftest: bool, device: str, target: str | None, families: tuple[str, ...], as_json: bool
) -> int:
    """Toolchains, libraries and devices found, and what each missing one would bring."""
    from lumc.doctor import examine
    from lumc.inspection import table

    if selftest:
        return _selftest(device, target, families, as_json)
    refuse_given(("device", "target", "families"), "has no meaning without --selftest")
    with PhaseProgress() as progress:
        findings = examine(lambda what: progress.phase(what)())
    if as_json:
        rows = [
            {"topic": f.topic, "name": f.name, "works": f.works, "detail": f.detail}
            for f in findings
        ]
        click.echo(json.dumps({"findings": rows}))
    else:
        marks = {True: "ok", False: "—"}
        header = [("", "what", "name", "details")]
        click.echo(table(header + [(marks[f.works], f.topic, f.name, f.detail) for f in findings]))
    return 0


def _selftest(device: str, target: str | None, families: tuple[str, ...], as_json: bool) -> int:
    """A table of verdicts; 1 where one is bad."""
    from lumc.inspection import table
    from lumc.selftest import selftest

    with PhaseProgress() as progress:

        def step(what: str) -> None:
            progress.phase(what)()

        found = list(selftest(device, target, families, step))
    bad = [verdict for verdict in found if not verdict.passed]
    if as_json:
        click.echo(json.dumps({"verdicts": [asdict(one) for one in found], "passed": not bad}))
        return 1 if bad else 0
    rows = [
        (
            "ok" if one.passed else "BAD",
            one.family,
            one.sizes,
            str(one.kernels),
            f"{one.elements:,}",
            f"{one.closeness:.2f}",
            one.problem or one.detail,
        )
        for one in found
    ]
    header = ("", "family", "sizes", "kernels", "compared", "of allowed", "details")
    click.echo(table([header, *rows]))
    click.echo(f"\n{len(found) - len(bad)} of {len(found)} are right")
    return 1 if bad else 0
