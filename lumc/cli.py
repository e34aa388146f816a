"""The command ``lumc``: arguments in, results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lumc import __version__
from lumc.console import PhaseProgress, existing, guarded, say, warn, writable
from lumc.diagnostics import Severity, did_you_mean
from lumc.option_types import OneOf, Setting, Size, SizeAndPrompt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 1 (a mistake, with one message) or 2 (misuse)."""
    given = sys.argv[1:] if arguments is None else arguments
    command = partial(lumc, args=given, prog_name="lumc", standalone_mode=False)
    return guarded(command, as_json="--json" in given)


class _Commands(click.Group):
    """Commands in the order they are written, with near names for what isn't one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.commands)
            ctx.fail(f"no command {args[0]!r}" + (f"; {hint}" if hint else ""))
        return super().resolve_command(ctx, args)


_PATH = click.Path(path_type=Path)
_config = click.option("--config", metavar="NAME", help="One of the spec's configurations.")
_set = click.option(
    "--set", "settings", multiple=True, type=Setting(), help="A parameter of the spec; repeatable."
)
_target = click.option(
    "--target", metavar="CHIP", default="gfx942", show_default=True, help="The chip to compile for."
)
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
_math = click.option(
    "--math",
    type=OneOf(["fast", "exact"]),
    default="fast",
    show_default=True,
    help="exact: round where the text rounds, and only there.",
)
_libraries = click.option(
    "--libraries",
    type=OneOf(["auto", "none", "vendor"]),
    default="auto",
    show_default=True,
    help="auto: NVIDIA's where the GPU is at hand; AMD's only by vendor.",
)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def lumc() -> None:
    """Compile models written as plain tensor math to fast GPU programs."""


@lumc.command()
@click.argument("specs", nargs=-1, required=True, type=_PATH)
@_config
@_set
def check(specs: tuple[Path, ...], config: str | None, settings: tuple[Any, ...]) -> int:
    """Check specs and show every mistake; compile nothing."""
    from lumc.dsl import check as check_spec
    from lumc.dsl import load_spec

    failed = False
    for spec in specs:
        opened = load_spec(existing(spec), config, dict(settings))
        found = check_spec(opened)
        for diagnostic in found:
            say(diagnostic.render() + "\n")
        if any(diagnostic.severity is Severity.ERROR for diagnostic in found):
            failed = True
        else:
            click.echo(f"{spec}: {', '.join(opened.stages) or 'definitions only'}")
    return 1 if failed else 0


@lumc.command()
@click.argument("spec", type=_PATH)
@click.option("--stage", "stages", multiple=True, metavar="NAME", help="Only this; repeatable.")
@_config
@_set
@_target
@click.option("-o", "--output", type=_PATH, metavar="DIR", help="A folder for each stage's folder.")
@_math
@_libraries
@click.option(
    "--search",
    type=OneOf(["none", "model", "device"]),
    default="none",
    show_default=True,
    help="Look further for faster kernels, by the chip's model or by measuring.",
)
@click.option(
    "--search-seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="For so long a stage; else a fixed number of moves.",
)
@click.option("--verify", is_flag=True, help="Run every kernel and compare it with its meaning.")
@_json
def compile(
    spec: Path,
    stages: tuple[str, ...],
    config: str | None,
    settings: tuple[Any, ...],
    target: str,
    output: Path | None,
    math: str,
    libraries: str,
    search: str,
    search_seconds: float | None,
    verify: bool,
    as_json: bool,
) -> int:
    """Compile the stages of a spec: HIP C++, code objects and a launch plan for each."""
    from lumc.codegen.emit import MathMode
    from lumc.codegen.target import target_named
    from lumc.compiler import CompileOptions, compile_stages
    from lumc.dsl import load_spec
    from lumc.inspection import table
    from lumc.libraries import Libraries, may_call_libraries
    from lumc.lowering.search import never
    from lumc.searching import SearchMode, SearchOptions, one_interrupt
    from lumc.verifying import verify_stage

    opened = load_spec(existing(spec), config, dict(settings))
    vendor = may_call_libraries(Libraries(libraries), target_named(target).name)
    if search_seconds is not None and search == "none":
        raise click.UsageError("--search-seconds needs --search model or --search device")
    with PhaseProgress() as progress, ExitStack() as stack:
        mode = SearchMode(search)
        interrupted = never if mode is SearchMode.NONE else stack.enter_context(one_interrupt())
        searching = SearchOptions(mode, search_seconds, interrupted=interrupted)
        options = CompileOptions(target, MathMode(math), vendor, search=searching)
        results = compile_stages(opened, stages, options, output, progress)
        summaries = {result.name: result.summary() for result in results}
        for result in results if verify else ():
            verified = verify_stage(opened, result, options, progress)
            summaries[result.name]["verified"] = asdict(verified)
    if as_json:
        click.echo(json.dumps({"stages": summaries}))
    else:
        click.echo(table([_HEADER, *(_row(name, made) for name, made in summaries.items())]))
        for name, made in summaries.items():
            if verify:
                click.echo(_verdict(name, made["verified"]))
    return 0


_HEADER = ("stage", "launches", "distinct", "kernels", "weights", "arena", "seconds")


def _row(name: str, made: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        name,
        str(made["launches"]),
        str(made["distinct_kernels"]),
        ", ".join(f"{count} {kind}" for kind, count in made["kernels"].items()),
        f"{made['weight_bytes'] / 1e6:,.1f} MB",
        f"{made['arena_bytes'] / 1e6:,.1f} MB",
        f"{sum(made['seconds'].values()):.1f}",
    )


def _verdict(name: str, found: Mapping[str, Any]) -> str:
    text = (
        f"{name}: {found['kernels']} kernels verified at full size, {found['elements']:,} elements "
        f"compared; the greatest error is {found['closeness']:.2f} of what rounding allows"
    )
    if found["worst"]:
        text += f", in {found['worst']}"
    if found["library_calls"]:
        text += f"; calls of the vendor's libraries that were not run: {found['library_calls']}"
    return text


@lumc.command()
@click.argument("place", metavar="DIR|SPEC", type=_PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@_config
@_set
@click.option("--target", metavar="CHIP", help="The chip to compile a spec for; else the device's.")
@_math
@_libraries
@click.option(
    "--weights", multiple=True, type=_PATH, help="A safetensors file or a folder; repeatable."
)
@click.option("--inputs", type=_PATH, help="A safetensors file with the stage's inputs.")
@click.option("-o", "--output", type=_PATH, required=True, help="Where the outputs are written.")
@click.option(
    "--device", default="auto", show_default=True, help="hip:N, cuda:N, emulator or reference."
)
@_json
def run(place: Path, output: Path, as_json: bool, **chosen: Any) -> int:
    """Run one stage: a compiled one, or a spec's."""
    from lumc.running import RunRequest, run_stage

    with PhaseProgress() as progress:
        request = RunRequest(
            place=existing(place),
            stage=chosen["stage"],
            config=chosen["config"],
            settings=dict(chosen["settings"]),
            target=chosen["target"],
            math=chosen["math"],
            libraries=chosen["libraries"],
            weights=chosen["weights"],
            inputs=chosen["inputs"],
            output=writable(output),
            device=chosen["device"],
        )
        report = run_stage(request, progress)
    for warning in report.warnings:
        warn(warning)
    if as_json:
        click.echo(json.dumps(report.as_json()))
    else:
        for name, text in report.outputs.items():
            click.echo(f"{name}: {text}")
    return 0


@lumc.group(cls=_Commands)
def inspect() -> None:
    """Show what was made of a compiled stage."""


def _inspection(name: str, help_text: str, takes_kernel: bool = False) -> None:
    def show(directory: Path, stage: str | None, kernel: str | None = None) -> None:
        from lumc import inspection
        from lumc.runtime.stage_folder import choose_stage

        opened = choose_stage(existing(directory), stage)
        match name:
            case "source":
                click.echo(inspection.source(opened, kernel))
            case "graph":
                click.echo(inspection.graph(opened.plan))
            case "memory":
                click.echo(inspection.memory(opened.plan))
            case "rules":
                click.echo(inspection.rules(opened))
            case "isa":
                click.echo(inspection.isa(opened, kernel))

    decorated = click.option("--stage", metavar="NAME", help="Which stage.")(show)
    if takes_kernel:
        option = click.option("--kernel", metavar="NAME", help="One kernel; a beginning will do.")
        decorated = option(decorated)
    decorated = click.argument("directory", metavar="DIR", type=_PATH)(decorated)
    inspect.command(name, help=help_text)(decorated)


_inspection("source", "The HIP C++ that was generated.", takes_kernel=True)
_inspection("graph", "The launches of a step, in order.")
_inspection("memory", "Where each buffer lies, and when it is in use.")
_inspection("rules", "The rewrite rules that fired.")
_inspection(
    "isa", "Assembly of a kernel; without --kernel, what each one takes.", takes_kernel=True
)


@inspect.command()
@click.argument("place", metavar="DIR|SPEC", type=_PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@_config
@_set
@click.option("--around", metavar="NAME", help="A value of the spec; else the outputs.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="Classes that are drawn, nearest first.",
)
@click.option("--svg", is_flag=True, help="Draw it, with Graphviz; else its text.")
def egraph(
    place: Path,
    stage: str | None,
    config: str | None,
    settings: tuple[Any, ...],
    around: str | None,
    most: int,
    svg: bool,
) -> None:
    """What the rules found for a value and around it, as a drawing."""
    from lumc import inspection
    from lumc.compiler import read_spec_file
    from lumc.dsl import load_spec
    from lumc.running import only_stage
    from lumc.runtime.stage_folder import choose_stage

    if existing(place).is_dir():
        spec, name = read_spec_file(choose_stage(place, stage).folder)
    else:
        spec = load_spec(place, config, dict(settings))
        name = only_stage(spec, stage)
    dot = inspection.egraph(spec, name, around, most)
    click.echo(inspection.as_svg(dot) if svg else dot, nl=False)


@lumc.command()
@click.argument("place", metavar="DIR|SPEC", type=_PATH)
@click.option("--stage", metavar="NAME", help="Only this stage.")
@_config
@_set
@click.option("--target", metavar="CHIP", default="gfx942", help="The chip to lower a spec for.")
@click.option("--all-rules", is_flag=True, help="Also the rules that only helped others.")
@_math
@_json
def explain(place: Path, stage: str | None, as_json: bool, all_rules: bool, **chosen: Any) -> None:
    """What was found in each stage and where, what was not chosen and why, what was not found."""
    from lumc.compiler import explain_spec
    from lumc.dsl import load_spec
    from lumc.explaining import explanation_text, kept_explanations

    if existing(place).is_dir():
        found = kept_explanations(place, stage)
    else:
        spec = load_spec(place, chosen["config"], dict(chosen["settings"]))
        with PhaseProgress() as progress:
            found = explain_spec(spec, stage, chosen["target"], chosen["math"] == "exact", progress)
    if as_json:
        click.echo(json.dumps({"stages": {content["stage"]: content for content in found}}))
    else:
        click.echo("\n\n\n".join(explanation_text(content, all_rules) for content in found))


@lumc.command()
@click.option("--model", type=_PATH, required=True, metavar="DIR", help="The model's folder.")
@click.option("--prompt", required=True, help="What to do, or to show.")
@click.option(
    "--image", "images", multiple=True, type=_PATH, help="A reference picture; repeatable."
)
@click.option("-o", "--output", type=_PATH, metavar="FILE.png", help="Where the picture goes.")
@click.option("--negative-prompt", default="", help="What to keep away from (base models).")
@click.option("--size", type=Size(), help="Of the picture; else of the first reference.")
@click.option("--steps", type=click.IntRange(min=1), help="Else as many as the model is made for.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--guidance", type=float, help="How far from the negative prompt (base models).")
@click.option("--batch", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--noise", type=_PATH, metavar="FILE", help="Noise to begin with, in place of a seed."
)
@click.option("--save-latents", type=_PATH, metavar="FILE", help="Write the last latents too.")
@click.option(
    "--device", default="auto", show_default=True, help="hip:N, cuda:N, emulator or reference."
)
@click.option("--target", metavar="CHIP", help="The chip to compile for; else the device's.")
@click.option("--dtype", type=OneOf(["bf16", "f16", "f32"]), default="bf16", show_default=True)
@_math
@_libraries
@click.option("--low-memory", is_flag=True, help="Have only the weights there that run next.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be compiled, and the memory it takes."
)
@_json
def generate(dry_run: bool, as_json: bool, **chosen: Any) -> int:
    """Make a picture from a prompt and reference pictures, with a published model."""
    from lumc import generating

    request = generating.GenerateRequest(**chosen)
    if request.output is None and not dry_run:
        raise click.UsageError("-o FILE.png says where the picture goes")
    for place in (request.output, request.save_latents):
        if place is not None:
            writable(place)
    with PhaseProgress() as progress:
        if dry_run:
            found = generating.dry_run(request, progress)
        else:
            report = generating.generate(request, progress)
    if dry_run:
        text = generating.outline_text(found)
        click.echo(json.dumps(generating.outline_json(found)) if as_json else text)
    elif as_json:
        click.echo(json.dumps(report.as_json()))
    else:
        for path in report.pictures:
            click.echo(path)
    return 0


@lumc.command()
@click.argument("directory", metavar="DIR", type=_PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@click.option(
    "--weights", multiple=True, type=_PATH, help="As for run; without any, random values."
)
@click.option("--inputs", type=_PATH, help="As for run; without it, random values.")
@click.option(
    "--device",
    default="emulator",
    show_default=True,
    help="The emulator counts; hip:N and cuda:N take times.",
)
@_json
def profile(directory: Path, device: str, as_json: bool, **chosen: Any) -> None:
    """Run a step and show what each kernel does, or where its time goes."""
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

    found = profiling.profile(directory, **chosen)
    if as_json:
        click.echo(json.dumps({"kernels": profiling.profile_json(found)}))
    else:
        click.echo(profiling.profile_text(found))


@lumc.command()
@click.argument("directory", metavar="DIR", type=_PATH, required=False)
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
@click.option("--svg", type=_PATH, metavar="FILE", help="Draw where the time of requests goes.")
@click.option("--target", metavar="CHIP", help="The chip to compile a model for.")
@click.option("--dtype", type=OneOf(["bf16", "f16", "f32"]), default="bf16", show_default=True)
@_libraries
@_json
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
        _refuse_given(("directory", "stage", "predict"), "has no meaning with --pipeline")
        _bench_pipeline(pipeline, device, as_json, **chosen)
        return
    if directory is None:
        raise click.UsageError("lumc bench needs the DIR of a compiled stage, or --pipeline MODEL")
    _refuse_given(tuple(chosen), "has no meaning without --pipeline")
    from lumc import benching

    if predict:
        _predicted(existing(directory), stage, as_json)
        return
    found = benching.bench(existing(directory), stage, device)
    if as_json:
        click.echo(json.dumps({"stages": {name: one.as_json() for name, one in found.items()}}))
    else:
        click.echo("\n\n\n".join(map(benching.bench_text, found.values())))


def _refuse_given(names: Sequence[str], reason: str) -> None:
    """A usage error if one of the options ``names`` stands on the command line."""
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            shown = "DIR" if isinstance(option, click.Argument) else option.opts[0]
            raise click.UsageError(f"{shown} {reason}")


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
    predicting.write_into_report(opened, found)
    if as_json:
        click.echo(json.dumps(predicting.prediction_json(found)))
    else:
        click.echo(predicting.prediction_text(found))


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


@lumc.command()
@click.option("--selftest", is_flag=True, help="Run every family of kernels and compare it.")
@click.option("--device", default="auto", show_default=True, help="Where the self-test runs.")
@click.option("--target", metavar="CHIP", help="What the emulator is in the self-test.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only this; repeatable.")
@_json
def doctor(
    selftest: bool, device: str, target: str | None, families: tuple[str, ...], as_json: bool
) -> int:
    """Toolchains, libraries and devices found, and what each missing one would bring."""
    from lumc.doctor import examine
    from lumc.inspection import table

    if selftest:
        return _selftest(device, target, families, as_json)
    findings = examine()
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


@lumc.command()
def version() -> None:
    """Lumc's version."""
    click.echo(f"lumc {__version__}")
