"""The one file that talks to egglog: rules and facts go in as text, rows come out as tuples."""

from __future__ import annotations

import importlib
import importlib.resources
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast

Cell = int | float | str | tuple[str, int]
"""A decoded value: a number, a text, or an e-class as its sort and number."""

Row = tuple[tuple[Cell, ...], Cell]
"""The arguments and the result of one entry of a function."""

# egglog rebuilds the e-graph after every command, so facts go in as the actions of one rule; but it
# copies the source text into every span of it, so long rules cost quadratic memory.
_FACTS_PER_RULE = 80


@cache
def _bindings() -> Any:
    """Egglog's low-level interface; imported when it is first needed, as it is large."""
    with warnings.catch_warnings():
        # The high-level half of the package, which is not used here, warns when it is imported.
        warnings.simplefilter("ignore")
        return importlib.import_module("egglog.bindings")


class Engine:
    """An e-graph with the rules of the given files."""

    def __init__(self, rule_files: Iterable[str]) -> None:
        """Declare what ``rule_files`` (in ``lowering/rules``) declare, in order."""
        self._graph = _bindings().EGraph()
        self.matches: Counter[str] = Counter()
        self._batches = 0
        for name in rule_files:
            for command in rule_commands(name):
                self._run(command)

    def insert(self, facts: Iterable[str]) -> None:
        """Add facts and terms."""
        waiting = list(facts)
        for start in range(0, len(waiting), _FACTS_PER_RULE):
            self._batches += 1
            name = f"batch-{self._batches}"
            actions = "\n".join(waiting[start : start + _FACTS_PER_RULE])
            rule = f'(rule () ({actions}) :ruleset {name} :name "{name}")'
            self._run(f"(ruleset {name}) {rule} (run {name} 1)")

    def saturate(self, *rulesets: str) -> None:
        """Run the rulesets in turn until none adds anything; counts matches by rule."""
        steps = " ".join(f"(run {name})" for name in rulesets)
        for output in self._run(f"(run-schedule (saturate (seq {steps})))"):
            if isinstance(output, _bindings().RunScheduleOutput):
                self.matches.update(output.report.num_matches_per_rule)

    def size(self) -> int:
        """The number of entries of all functions."""
        (output,) = self._run("(print-size)")
        return sum(count for _, count in output.sizes)

    def rows(self, *names: str) -> dict[str, list[Row]]:
        """The rows of some functions, in a fixed order."""
        return self._decoded(names)

    def tables(self) -> dict[str, list[Row]]:
        """Every function's rows, in a fixed order."""
        return self._decoded(None)

    def _decoded(self, names: tuple[str, ...] | None) -> dict[str, list[Row]]:
        graph = self._graph
        decode = {
            "i64": graph.value_to_i64,
            "f64": graph.value_to_f64,
            "String": graph.value_to_string,
        }
        classes: dict[tuple[str, Any], int] = {}

        def cell(sort: str, value: Any) -> Cell:
            if sort in decode:
                return cast(Cell, decode[sort](value))
            return sort, classes.setdefault((sort, value), len(classes))

        functions = graph.freeze().functions
        tables: dict[str, list[Row]] = {}
        for name in functions if names is None else names:
            function = functions[name]
            sorts, result = function.input_sorts, function.output_sort
            if function.is_let_binding:
                continue
            tables[name] = [
                (
                    tuple(map(cell, sorts, row.inputs)),
                    0 if result.startswith("@") else cell(result, row.output),
                )
                for row in function.rows
                if not row.subsumed
            ]
        return tables

    def _run(self, text: str) -> list[Any]:
        return list(self._graph.run_program(*self._graph.parse_program(text)))


@cache
def rule_commands(name: str) -> tuple[str, ...]:
    """The top-level commands of the rule file ``name``, without comments."""
    text = importlib.resources.files("lumc.lowering").joinpath("rules", name).read_text("utf-8")
    code = "\n".join(line.split(";", 1)[0] for line in text.splitlines())
    return tuple(_commands(code))


def rule_names(file: str) -> tuple[str, ...]:
    """The names of the rules in a file."""
    rules = (command for command in rule_commands(file) if command.startswith("(rule "))
    return tuple(rule.split(':name "')[1].split('"')[0] for rule in rules)


def _commands(code: str) -> Iterator[str]:
    depth, start = 0, 0
    for position, character in enumerate(code):
        if character == "(":
            if depth == 0:
                start = position
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                yield code[start : position + 1]
    if depth:
        raise ValueError("a rule file with unbalanced parentheses")
