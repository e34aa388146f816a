"""What one elaboration carries along: the program so far, errors, calls, and what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from lumc.diagnostics import Diagnostic, Span
from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import AxisTable, IndexAxis
from lumc.dsl.bounds import Bounds
from lumc.dsl.builder import ProgramBuilder
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.errors import Reported, SpecError, spec_error
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.modules import Module
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import ListValue, StaticValue, Value, show

_TRACE_LENGTH = 4


@dataclass(slots=True)
class Budget:
    """The steps that the elaborations of a spec have taken together."""

    steps: int = 0


class StaticNames(Protocol):
    """The parameters and ``let`` values of files."""

    budget: Budget

    def value(self, module: Module, name: str) -> StaticValue:
        """The value of ``name`` in ``module``."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A definition that is being elaborated, and where it was called."""

    name: str
    span: Span
    verb: str = "called"


@dataclass(frozen=True, slots=True)
class WeightUse:
    """A tensor of the checkpoint as it was declared."""

    dtype: DType
    sizes: tuple[int, ...]
    span: Span


Evaluate = Callable[["Context", syntax.Expression, Scope], Value]


class Context:
    """The state of one elaboration."""

    def __init__(self, statics: StaticNames, evaluate: Evaluate) -> None:
        """Start an empty program. ``evaluate`` is the evaluator of expressions."""
        self.statics = statics
        self.budget = statics.budget
        self.axes = AxisTable()
        self.builder = ProgramBuilder(self.axes)
        self.bounds = Bounds(self.axes.sizes)
        self.errors: list[Diagnostic] = []
        self.calls: list[CallSite] = []
        self.weights: dict[str, WeightUse] = {}
        self.active: set[int] = set()
        """The definitions that are being elaborated, by identity."""
        self._evaluate = evaluate
        self._depth = 0

    # --- evaluation

    def step(self, span: Span) -> None:
        """Count a statement, round or expression.

        Raises:
            TooManyErrorsError: There were too many; that has been reported.
        """
        self.budget.steps += 1
        if self.budget.steps <= limits.STEPS:
            return
        message = f"elaborating this spec takes more than {limits.STEPS} steps"
        hint = "loops within loops, and definitions that call others twice, multiply the work"
        self.errors.extend(self.error(Code.LIMIT, message, span, hint).diagnostics)
        raise TooManyErrorsError

    def evaluate(self, expression: syntax.Expression, scope: Scope) -> Value:
        """The value of an expression; new nodes get its place as their origin."""
        if isinstance(expression, syntax.Name | syntax.Number):
            return self._evaluate(self, expression, scope)
        self.step(expression.span)
        if self._depth >= limits.EVALUATION_DEPTH:
            message = f"definitions and expressions are nested more than {self._depth} deep here"
            raise self.error(Code.LIMIT, message, expression.span, "name parts of the expression")
        span, self.builder.span = self.builder.span, expression.span
        self._depth += 1
        try:
            return self._evaluate(self, expression, scope)
        finally:
            self._depth -= 1
            self.builder.span = span

    def quietly(self, expression: syntax.Expression, scope: Scope) -> Value | None:
        """The value of an expression, or None if it has none (which is reported elsewhere)."""
        try:
            return self.evaluate(expression, scope)
        except (SpecError, Reported):
            return None

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Nodes made meanwhile, but not within an expression, come from this place."""
        before, self.builder.span = self.builder.span, span
        try:
            yield
        finally:
            self.builder.span = before

    @contextmanager
    def inside(self, step: str) -> Iterator[None]:
        """Nodes made meanwhile come from this call or round."""
        path = self.builder.path
        self.builder.path = (*path, step)
        try:
            yield
        finally:
            self.builder.path = path

    @contextmanager
    def binding(self, axes: list[IndexAxis], scope: Scope) -> Iterator[None]:
        """The indices can be used as values meanwhile."""
        added = [axis.name for axis in axes if axis.name not in scope.bound]
        scope.bound.update(added)
        try:
            yield
        finally:
            scope.bound.difference_update(added)

    def values_in(self, expression: syntax.Expression, scope: Scope) -> tuple[str, ...]:
        """``name = value`` for each name in ``expression`` that is known at compile time."""
        shown: dict[str, str] = {}
        for part in syntax.walk(expression):
            if isinstance(part, syntax.Name) and part.name.text not in shown:
                value = self.quietly(part, scope)
                if isinstance(value, bool | int | float | str | ListValue):
                    shown[part.name.text] = show(value)
        return tuple(f"{name} = {value}" for name, value in shown.items())

    def stored_type(self, value: Value | None) -> DType | None:
        """How a number is stored or computed; None for what is not one number."""
        match value:
            case Operand():
                return self.builder.dtype(value)
            case bool():
                return DType.BOOL
            case float():
                return DType.F32
            case int() | IndexExpression():
                return DType.I32
            case _:
                return None

    # --- errors

    def trace_from(self, name: str, span: Span) -> None:
        """Say in every error that what is elaborated belongs to ``name``, reached from ``span``."""
        self.calls.append(CallSite(name, span, "used"))

    def error(
        self,
        code: Code,
        message: str,
        span: Span,
        hint: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> SpecError:
        """An error with the calls that led to it."""
        trace = tuple(f"{call.name}, {call.verb} at {call.span}" for call in reversed(self.calls))[
            :_TRACE_LENGTH
        ]
        return spec_error(code, message, span, hint, notes, trace)

    def report(self, error: SpecError) -> None:
        """Keep an error and go on.

        Raises:
            TooManyErrorsError: There are so many that going on helps nobody.
        """
        self.errors.extend(error.diagnostics)
        if len(self.errors) >= limits.ERRORS:
            raise TooManyErrorsError

    # --- sizes

    def settle_size(self, axis: IndexAxis, size: int, reason: str, span: Span) -> None:
        """Give an axis its size, or compare it with the one it has."""
        if axis.size is None:
            self.axes.set_size(axis, size, reason)
        elif axis.size != size:
            raise self.error(
                Code.SIZE,
                f"index {axis.name} has size {axis.size} and size {size}",
                span,
                "an index has one size; use another name, or correct the shape",
                (f"{axis.name} is {axis.size} {axis.reason}", f"{axis.name} is {size} {reason}"),
            )

    def require_sizes(self, axes: list[IndexAxis], span: Span) -> None:
        """Every axis must have a size by now."""
        for axis in axes:
            if axis.size is None:
                message = f"the size of index {axis.name} is not known here"
                hint = f"say it where the index is bound: {axis.name}: <size>"
                raise UnknownSizeError(
                    axis, self.error(Code.UNKNOWN_SIZE, message, span, hint).diagnostics
                )


class TooManyErrorsError(Exception):
    """Ends the elaboration of a stage; what was found is reported."""


class UnknownSizeError(SpecError):
    """A size was needed that nothing has given; ``axis`` is whose."""

    def __init__(self, axis: IndexAxis, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Name the axis, for whoever bound it to explain."""
        super().__init__(*diagnostics)
        self.axis = axis
