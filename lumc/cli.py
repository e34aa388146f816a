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

from lumc import __version__
from lumc.console import PhaseProgress, existing, guarded, say, warn, writable
from lumc.diagnostics import Severity
from lumc.measuring_commands import bench, doctor, profile
from lumc.option_types import OneOf, Size
from lumc.shared_options import (
    PATH,
    Commands,
    config_option,
    json_option,
    libraries_option,
    math_option,
    refuse_given,
    set_option,
    target_option,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 1 (a mistake, with one message) or 2 (misuse)."""
    given = sys.argv[1:] if arguments is None else arguments
    command = partial(lumc, args=given, prog_name="lumc", standalone_mode=False)
    return guarded(command, as_json="--json" in given)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def lumc() -> None:
    """Compile models written as plain tensor math to fast GPU programs."""


@lumc.command()
@click.argument("specs", nargs=-1, required=True, type=PATH)
@config_option
@set_option
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
@click.argument("spec", type=PATH)
@click.option("--stage", "stages", multiple=True, metavar="NAME", help="Only this; repeatable.")
@config_option
@set_option
@target_option
@click.option("-o", "--output", type=PATH, metavar="DIR", help="A folder for each stage's folder.")
@math_option
@libraries_option
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
@click.option(
    "--verify",
    is_flag=True,
    help="Run every kernel, and a small configuration as a whole, and compare.",
)
@json_option
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


_COMPILED = "has no effect on what is compiled already"
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
    return f"{text}\n{name}: {_verdict_of_whole(found['whole'])}"


def _verdict_of_whole(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "not run as a whole: no configuration is small enough, or no random data fit it"
    return (
        f"run as a whole ({found['configuration']}), {found['launches']} launches, "
        f"{found['elements']:,} elements compared; outputs differ from the reference by a part of "
        f"{found['error']:.1g} at most"
    )


@lumc.command()
@click.argument("place", metavar="DIR|SPEC", type=PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@config_option
@set_option
@click.option("--target", metavar="CHIP", help="The chip to compile a spec for; else the device's.")
@math_option
@libraries_option
@click.option(
    "--weights", multiple=True, type=PATH, help="A safetensors file or a folder; repeatable."
)
@click.option("--inputs", type=PATH, help="A safetensors file with the stage's inputs.")
@click.option("-o", "--output", type=PATH, required=True, help="Where the outputs are written.")
@click.option(
    "--device", default="auto", show_default=True, help="hip:N, cuda:N, emulator or reference."
)
@json_option
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


@lumc.group(cls=Commands)
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
    decorated = click.argument("directory", metavar="DIR", type=PATH)(decorated)
    inspect.command(name, help=help_text)(decorated)


_inspection("source", "The HIP C++ that was generated.", takes_kernel=True)
_inspection("graph", "The launches of a step, in order.")
_inspection("memory", "Where each buffer lies, and when it is in use.")
_inspection("rules", "The rewrite rules that fired.")
_inspection(
    "isa", "Assembly of a kernel; without --kernel, what each one takes.", takes_kernel=True
)


@inspect.command()
@click.argument("place", metavar="DIR|SPEC", type=PATH)
@click.option("--stage", metavar="NAME", help="Which stage; needed where there are several.")
@config_option
@set_option
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
    from lumc.dsl import load_spec
    from lumc.running import only_stage
    from lumc.runtime.stage_folder import choose_stage
    from lumc.stage_files import read_spec_file

    if existing(place).is_dir():
        refuse_given(("config", "settings"), _COMPILED)
        spec, name = read_spec_file(choose_stage(place, stage).folder)
    else:
        spec = load_spec(place, config, dict(settings))
        name = only_stage(spec, stage)
    dot = inspection.egraph(spec, name, around, most)
    click.echo(inspection.as_svg(dot) if svg else dot, nl=False)


@lumc.command()
@click.argument("place", metavar="DIR|SPEC", type=PATH)
@click.option("--stage", metavar="NAME", help="Only this stage.")
@config_option
@set_option
@click.option("--target", metavar="CHIP", default="gfx942", help="The chip to lower a spec for.")
@click.option("--all-rules", is_flag=True, help="Also the rules that only helped others.")
@math_option
@json_option
def explain(place: Path, stage: str | None, as_json: bool, all_rules: bool, **chosen: Any) -> None:
    """What was found in each stage and where, what was not chosen and why, what was not found."""
    from lumc.compiler import explain_spec
    from lumc.dsl import load_spec
    from lumc.explaining import explanation_text, kept_explanations

    if existing(place).is_dir():
        refuse_given(("config", "settings", "target", "math"), _COMPILED)
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
@click.option("--model", type=PATH, required=True, metavar="DIR", help="The model's folder.")
@click.option("--prompt", required=True, help="What to do, or to show.")
@click.option(
    "--image", "images", multiple=True, type=PATH, help="A reference picture; repeatable."
)
@click.option("-o", "--output", type=PATH, metavar="FILE.png", help="Where the picture goes.")
@click.option("--negative-prompt", default="", help="What to keep away from (base models).")
@click.option(
    "--size",
    type=Size(),
    help="Of the picture, cut to multiples of 16; else of the first reference.",
)
@click.option("--steps", type=click.IntRange(min=1), help="Else as many as the model is made for.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Decides the noise, as PyTorch's generator on the CPU does.",
)
@click.option("--guidance", type=float, help="How far from the negative prompt (base models).")
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="So many pictures, one after the other, from noise that goes on.",
)
@click.option("--noise", type=PATH, metavar="FILE", help="Noise to begin with, in place of a seed.")
@click.option("--save-latents", type=PATH, metavar="FILE", help="Write the last latents too.")
@click.option(
    "--device", default="auto", show_default=True, help="hip:N, cuda:N, emulator or reference."
)
@click.option("--target", metavar="CHIP", help="The chip to compile for; else the device's.")
@click.option(
    "--dtype",
    type=OneOf(["bf16", "f16", "f32"]),
    default="bf16",
    show_default=True,
    help="How weights and activations are stored.",
)
@math_option
@libraries_option
@click.option("--low-memory", is_flag=True, help="Have only the weights there that run next.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be compiled, and the memory it takes."
)
@json_option
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


for _command in (profile, bench, doctor):
    lumc.add_command(_command)


@lumc.command()
def version() -> None:
    """Lumc's version."""
    click.echo(f"lumc {__version__}")
