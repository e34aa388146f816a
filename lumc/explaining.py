"""``lumc explain``: why a stage's kernels are what they are, as data and as text.

The data is kept in the stage's folder. It is bounded, whatever the size of the stage.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lumc.diagnostics import Diagnostic, LumcError, Span
from lumc.inspection import plain, table
from lumc.lowering import Lowered
from lumc.lowering.draft import is_rule
from lumc.lowering.encode import rules_that_round
from lumc.lowering.explanation import Explanation, Found, LaunchStory, Leftover, Rejected
from lumc.lowering.kernel_printer import sharing_text
from lumc.runtime.stage_folder import choose_stage, find_stages

EXPLANATION_FILE = "explanation.json"

MOST_NAMES = 8
"""Names or lines that are listed of a kernel or rule before the rest is counted."""
MOST_REJECTED = 100
MOST_LEFTOVERS = 100


class NotExplainedError(LumcError):
    """A folder holds no explanation that can be read."""


# --------------------------------------------------------------------------------------------- data


def explanation_content(
    stage: str, lowered: Lowered, symbols: Sequence[str] | None = None
) -> dict[str, Any]:
    """What ``explanation.json`` holds: of each kernel, rule, other choice and leftover.

    ``symbols`` are the names of ``lowered.program.kernels`` in the generated source. What is left
    out is counted under ``more``.
    """
    explanation = lowered.explanation
    assert explanation is not None, "lowered without an explanation"
    names = [kernel.name for kernel in lowered.program.kernels]
    # What is made of a kernel afterwards stands where it stood, or behind all.
    symbol_of = dict(zip(lowered.names, symbols or names, strict=False))
    rejected, equal = _nearest(explanation.rejected)
    leftovers = [_leftover_content(one, symbol_of) for one in explanation.leftovers]
    return {
        "stage": stage,
        "predicted_ms": lowered.predicted_ms,
        "made_for_these": len(names) - len(lowered.names),
        "rules": list(_rules(lowered.rules, explanation)),
        "found": [_found_content(one, symbol_of) for one in explanation.found],
        "kernels": [_kernel_content(one, symbol_of) for one in explanation.launches],
        "shared": [
            {"kernel": name, "how": how}
            for name, kernel in zip(symbols or names, lowered.program.kernels, strict=True)
            if (how := sharing_text(kernel)) is not None
        ],
        "not_chosen": rejected[:MOST_REJECTED],
        "as_dear": equal,
        "more_not_chosen": max(0, len(rejected) - MOST_REJECTED),
        "not_found": leftovers[:MOST_LEFTOVERS],
        "more_not_found": max(0, len(leftovers) - MOST_LEFTOVERS),
    }


def _found_content(found: Found, symbol_of: Mapping[str, str]) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "definition": found.definition,
        "times": found.times,
        "kernels": _first(symbol_of[name] for name in found.kernels),
        "places": _first(_places(found.spans)),
    }


def _kernel_content(story: LaunchStory, symbol_of: Mapping[str, str]) -> dict[str, Any]:
    return {
        "kernel": symbol_of[story.kernel],
        "launches": story.launches,
        "microseconds": round(story.microseconds, 4),
        "values": _first(story.labels),
        "places": _first(_places(story.spans)),
        "operations": dict(story.operations),
        "rules": list(story.rules),
    }


def _leftover_content(left: Leftover, symbol_of: Mapping[str, str]) -> dict[str, Any]:
    return {
        "kind": left.kind,
        "kernel": symbol_of[left.kernel],
        "place": _place(left.span),
        "reason": left.reason,
    }


def _rules(matches: Mapping[str, int], explanation: Explanation) -> Iterator[dict[str, Any]]:
    """Each rule that fired; lines are those of the kernels that it had a part in.

    ``rounds`` says that it makes what rounds in another way, which ``--math exact`` leaves out.
    """
    more_precise = rules_that_round()
    for rule, count in sorted(matches.items()):
        stories = [s for s in explanation.launches if any(is_rule(part, rule) for part in s.rules)]
        if count:
            yield {
                "rule": rule,
                "matches": count,
                "rounds": rule in more_precise,
                "kernels": len(stories),
                "places": _first(place for story in stories for place in _places(story.spans)),
            }


def _nearest(rejected: Iterable[Rejected]) -> tuple[list[dict[str, Any]], int]:
    """Other choices, equal ones as one: by what they cost more, and then those that can't be.

    And how many more there are that cost as much: between them nothing had to be decided.
    """
    counts: Counter[tuple[str, str, float | None, str]] = Counter()
    for one in rejected:
        cost = None if one.microseconds is None else round(one.microseconds, 4)
        joined = cost is not None and cost < 0
        reason = "what is chosen can be joined with others" if joined else one.reason
        counts[one.what, _place(one.span), cost, reason] += one.times
    listed = [
        {"what": what, "place": place, "dearer_by": cost, "reason": reason, "times": times}
        for (what, place, cost, reason), times in counts.items()
        if cost != 0
    ]
    listed.sort(key=lambda one: (one["dearer_by"] is None, one["dearer_by"] or 0.0))
    return listed, len(counts) - len(listed)


def _first(items: Iterable[str]) -> list[str]:
    unique = list(dict.fromkeys(item for item in items if item))
    more = len(unique) - MOST_NAMES
    return unique[:MOST_NAMES] + ([f"and {more} more"] if more > 0 else [])


def _places(spans: Iterable[Span]) -> list[str]:
    return [_place(span) for span in spans]


def _place(span: Span | None) -> str:
    return "" if span is None else span.short


def kept_explanations(folder: Path, stage: str | None) -> list[dict[str, Any]]:
    """What was kept of one compiled stage in ``folder``, or of all.

    Raises:
        LumcError: there are none, or one can't be read.
    """
    names = [stage] if stage else list(find_stages(folder))
    return [read_explanation(choose_stage(folder, name).folder) for name in names]


def read_explanation(folder: Path) -> dict[str, Any]:
    """The explanation that was kept in a stage's folder.

    Raises:
        NotExplainedError: there is none, or it is damaged.
    """
    place = folder / EXPLANATION_FILE
    try:
        content = json.loads(place.read_bytes())
        # Whatever is missing shows here.
        explanation_text(content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{place} can't be read: {error}"
        hint = "compile the stage again with lumc compile"
        raise NotExplainedError(Diagnostic("E001", message, hint=hint)) from None
    assert isinstance(content, dict)
    return content


# --------------------------------------------------------------------------------------------- text


def _beside(content: Mapping[str, Any]) -> str:
    """What the tables leave out: kernels that lay out or make what those that were found read."""
    more = content["made_for_these"]
    return f"{more} more that make what these read, " if more else ""


def explanation_text(content: Mapping[str, Any], every_rule: bool = False) -> str:
    """An explanation for the reader, as tables.

    Without ``every_rule`` those that only helped others, and have no kernels, are counted.
    """
    rules = [one for one in content["rules"] if every_rule or one["kernels"]]
    helpers = len(content["rules"]) - len(rules)
    return "\n\n".join(
        (
            f"{content['stage']}: {len(content['kernels'])} distinct kernels, "
            f"{_beside(content)}{content['predicted_ms']:.4g} ms a step by the cost model",
            _section("What was found", _FOUND, map(_found_row, content["found"])),
            _section("What each kernel replaced", _KERNELS, map(_kernel_row, content["kernels"])),
            _section(
                "Tiles that workgroups share, to fill the chip",
                _SHARED,
                ((o["kernel"], o["how"]) for o in content["shared"]),
            ),
            _section(
                "Rules that fired",
                _RULES,
                map(_rule_row, rules),
                (helpers, "more that helped them: --all-rules lists them"),
            ),
            _section(
                "Found and not chosen",
                _NOT_CHOSEN,
                map(_not_chosen_row, content["not_chosen"]),
                (content["more_not_chosen"], "more"),
                (content["as_dear"], "more that cost as much as what was chosen"),
            ),
            _section(
                "Not found: reductions, gathers and copies that no rule took",
                _NOT_FOUND,
                ((o["kind"], o["kernel"], o["place"], o["reason"]) for o in content["not_found"]),
                (content["more_not_found"], "more"),
            ),
        )
    )


_KERNELS = ("kernel", "launches", "µs each", "values", "lines", "operations", "rules")
_SHARED = ("kernel", "tiles")
_FOUND = ("kind", "in", "times", "kernels", "lines")
_RULES = ("rule", "matches", "kernels", "lines", "rounding")
_NOT_CHOSEN = ("instead", "line", "times", "µs dearer", "reason")
_NOT_FOUND = ("kind", "kernel", "line", "reason")


def _kernel_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    operations = ", ".join(f"{count} {name}" for name, count in one["operations"].items())
    lists = (
        ", ".join(one["values"]),
        ", ".join(one["places"]),
        operations,
        ", ".join(one["rules"]),
    )
    return (one["kernel"], str(one["launches"]), plain(one["microseconds"]), *lists)


def _found_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    lists = ", ".join(one["kernels"]), ", ".join(one["places"])
    return one["kind"], one["definition"], str(one["times"]), *lists


def _rule_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    rounding = "differs: not with --math exact" if one["rounds"] else "as written"
    places = ", ".join(one["places"])
    return one["rule"], str(one["matches"]), str(one["kernels"]), places, rounding


def _not_chosen_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    cost = "" if one["dearer_by"] is None else plain(one["dearer_by"])
    return one["what"], one["place"], str(one["times"]), cost, one["reason"]


def _section(
    title: str,
    header: tuple[str, ...],
    rows: Iterable[tuple[str, ...]],
    *left_out: tuple[int, str],
) -> str:
    """A table; below it how many rows of each kind are not listed."""
    listed = list(rows)
    counted = [f"and {count} {what}" for count, what in left_out if count]
    if not listed:
        return "\n".join([f"{title}: none", *counted])
    return "\n".join([f"{title}\n", table([header, *listed]), *counted])
