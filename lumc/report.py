"""A stage's ``report.md`` and summary: what was made of it, the same each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumc.codegen.launch_plan import LaunchPlan, PlanBufferKind, PlanLaunch, Region
from lumc.codegen.sound_tiles import PutAside
from lumc.inspection import plain

_MOST_PLACES = 6
_KERNEL_HEADER = ("kernel", "kind", "launches", "µs a launch", "computes", "from", "made by")


def summary(
    plan: LaunchPlan, rules: Mapping[str, int], predicted_ms: float | None
) -> dict[str, Any]:
    """What ``compile --json`` says of a stage, without times."""
    kinds = Counter(plan.kernels[launch.kernel].kind for launch in plan.launches)
    regions = dict(plan.region_bytes)
    weights = [buffer.bytes for buffer in plan.buffers if buffer.kind is PlanBufferKind.WEIGHT]
    return {
        "target": plan.target,
        "launches": len(plan.launches),
        "prepare_launches": len(plan.prepare),
        "kernels": dict(sorted(kinds.items())),
        "distinct_kernels": len(plan.kernels),
        "rules": {name: count for name, count in sorted(rules.items()) if count},
        "arena_bytes": regions.get(Region.ARENA, 0),
        "weight_bytes": sum(weights),
        "constant_bytes": regions.get(Region.CONSTANTS, 0),
        "predicted_ms": predicted_ms,
    }


@dataclass(frozen=True, slots=True)
class KernelHistory:
    """The spec's lines that a kernel comes from, the rules that made it, its predicted cost."""

    places: tuple[str, ...]
    rules: tuple[str, ...]
    microseconds: float


def report(
    plan: LaunchPlan,
    content: Mapping[str, Any],
    rules: Sequence[Mapping[str, Any]],
    histories: Mapping[str, KernelHistory],
    put_aside: Sequence[PutAside] = (),
) -> str:
    """The stage for the reader, as Markdown.

    ``content`` is the stage's summary; ``rules`` are those that its explanation has; ``histories``
    are by kernel symbol; ``put_aside`` are tiles that the compiler made bad code of.
    """
    return "\n".join(
        (
            f"# {plan.stage} for {plan.target}",
            "",
            *_numbers(content),
            "",
            "## Parameters",
            "",
            *_rows(("parameter", "value"), plan.parameters),
            "",
            "## Inputs and outputs",
            "",
            *_rows(("", "name", "type", "shape"), _tensors(plan)),
            "",
            "## Kernels",
            "",
            "Times are the cost model's, not measured.",
            "",
            *_rows(_KERNEL_HEADER, _kernels(plan, histories)),
            "",
            *(_put_aside(put_aside) if put_aside else ()),
            "## Rules",
            "",
            *_rules(rules),
            "",
        )
    )


def _numbers(content: Mapping[str, Any]) -> Iterator[str]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in content["kernels"].items())
    yield f"* {content['launches']} launches a step: {kinds}"
    yield f"* {content['prepare_launches']} launches once, when the weights are loaded"
    yield f"* {content['distinct_kernels']} distinct kernels"
    sizes = ("weight_bytes", "arena_bytes", "constant_bytes")
    weights, arena, constants = (_bytes(content[name]) for name in sizes)
    yield f"* weights {weights}, arena {arena}, tables and prepared values {constants}"
    if content["predicted_ms"] is not None:
        yield f"* predicted by the cost model: {content['predicted_ms']:.3f} ms a step"


def _bytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _tensors(plan: LaunchPlan) -> Iterator[tuple[str, ...]]:
    for kind in (PlanBufferKind.INPUT, PlanBufferKind.OUTPUT):
        for buffer in plan.buffers:
            if buffer.kind is kind:
                yield kind, buffer.name, buffer.dtype, "×".join(map(str, buffer.shape)) or "1"


def _kernels(plan: LaunchPlan, histories: Mapping[str, KernelHistory]) -> Iterator[tuple[str, ...]]:
    launches: dict[int, list[PlanLaunch]] = {}
    for launch in (*plan.prepare, *plan.launches):
        launches.setdefault(launch.kernel, []).append(launch)
    for number, kernel in enumerate(plan.kernels):
        mine = launches.get(number, [])
        labels = _shortened([launch.label for launch in mine])
        history = histories[kernel.symbol]
        cost, count = plain(history.microseconds), str(len(mine))
        places, rules = _shortened(history.places), _shortened(history.rules)
        yield f"`{kernel.symbol}`", kernel.kind, count, cost, labels, places, rules


def _put_aside(notes: Sequence[PutAside]) -> Iterator[str]:
    yield "## Tiles put aside"
    yield ""
    yield "What the device compiler made of these has faults that cost time, so the next best tile"
    yield "took their place; where none was without, the first one stayed."
    yield ""
    rows = [
        (note.kernel, note.cut, ", ".join(note.faults), note.instead or "none") for note in notes
    ]
    yield from _rows(("kernel", "tile", "faults", "instead"), rows)
    yield ""


def _rules(rules: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Those that kernels are made by; the others, which found these their places, are counted."""
    made = [one for one in rules if one["kernels"]]
    rows = [(one["rule"], str(one["matches"]), str(one["kernels"])) for one in made]
    yield from _rows(("rule", "matches", "kernels"), rows)
    if len(made) < len(rules):
        yield ""
        helpers = f"{len(rules) - len(made)} more rules that helped these"
        yield f"`lumc inspect rules` lists {helpers}."


def _shortened(items: Sequence[str]) -> str:
    unique = list(dict.fromkeys(items))
    more = f" and {len(unique) - _MOST_PLACES} more" if len(unique) > _MOST_PLACES else ""
    return ", ".join(unique[:_MOST_PLACES]) + more


def _rows(
    header: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]
) -> Iterator[str]:
    listed = list(rows)
    if not listed:
        yield "none"
        return
    for row in (header, ["---"] * len(header), *listed):
        yield "| " + " | ".join(_cell(cell) for cell in row) + " |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
