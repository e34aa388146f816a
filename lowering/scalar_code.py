"""Expressions of the e-graph, with the alternatives chosen, as the scalar code of kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    axis,
    constant,
    substitute,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    ApplyOf,
    AttendOf,
    ConvertOf,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
    ProductOf,
    ReducedOf,
)
from lumc.lowering.guards import known_where, value_axis
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
)
from lumc.lowering.kernel_ranges import index_range

Frame = tuple[IndexExpression, ...]
"""What the axes of an expression's space are, over the axes of the body."""

LARGEST_BODY = 400
"""Instructions of a body beyond which a kernel is not worth compiling."""


class NotExpressibleError(Exception):
    """The chosen expressions are no kernel: the choice is not taken. Never seen by users."""


@dataclass(frozen=True, slots=True)
class Storage:
    """How a tensor lies in memory."""

    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a dense tensor."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


@dataclass(slots=True)
class ParameterList:
    """The tensors that a kernel touches, numbered in the order of first use.

    ``classes`` are the classes that its code computes.
    """

    storage: Callable[[int], Storage]
    tensors: list[int] = field(default_factory=list)
    classes: set[int] = field(default_factory=set)

    def number(self, tensor: int) -> int:
        """The parameter that stands for ``tensor``."""
        if tensor not in self.tensors:
            self.tensors.append(tensor)
        return self.tensors.index(tensor)


@dataclass(frozen=True, slots=True)
class RowKey:
    """A reduction and the row that it is for: equal ones are computed once."""

    op: ReduceOp
    dtype: DType
    space: int
    count: int
    body: int
    row: Frame


@dataclass(slots=True)
class ScalarCode:
    """Builds one body over ``axes`` from classes, each value once.

    ``rows`` and ``accumulated`` say which accumulator stands for a reduction, or a product or
    attention;
    one that they do not hold cannot be expressed. ``keep_rounding`` keeps every rounding to a
    narrower real; without it values that stay in registers keep their precision.
    """

    source: Alternatives
    pick: Callable[[int], Alternative]
    axes: tuple[KernelAxis, ...]
    parameters: ParameterList
    keep_rounding: bool
    rows: dict[RowKey, int] = field(default_factory=dict)
    accumulated: dict[int, int] = field(default_factory=dict)
    instructions: list[Instruction] = field(default_factory=list)
    _values: dict[tuple[int, int, int | None], int] = field(default_factory=dict)
    _emitted: dict[Instruction, int] = field(default_factory=dict)
    _guards: dict[tuple[int, int], bool] = field(default_factory=dict)
    _frames: dict[int, Frame] = field(default_factory=dict)
    """Frames by identity, kept so that it stays theirs: hashing them takes most of the time."""

    def body(self) -> Body:
        """The code so far."""
        return Body(self.axes, tuple(self.instructions))

    def value(self, number: int, frame: Frame, predicate: int | None = None) -> int:
        """The value of class ``number``, whose reads are only done where ``predicate`` holds."""
        if predicate is not None and not self._needs_guard(number, frame):
            predicate = None
        self._frames[id(frame)] = frame
        key = (number, id(frame), predicate)
        if key not in self._values:
            self._values[key] = self._value(number, frame, predicate)
        return self._values[key]

    def emit(self, instruction: Instruction) -> int:
        """The value of ``instruction``, added when it is not there yet."""
        if instruction not in self._emitted:
            if len(self.instructions) >= LARGEST_BODY:
                raise NotExpressibleError("the body is too long")
            self._emitted[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return self._emitted[instruction]

    def operand(self, number: int, frame: Frame) -> Body:
        """The code of one class, as a body that stands for its last value."""
        value = self.value(number, frame)
        assert value == len(self.instructions) - 1, "an operand is the last value of its body"
        return self.body()

    def _value(self, number: int, frame: Frame, predicate: int | None) -> int:
        alternative = self.pick(number)
        if not isinstance(alternative, LoadOf):
            self.parameters.classes.add(number)
        match alternative:
            case LiteralOf(dtype, value):
                return self.emit(literal(dtype, value))
            case IndexAt(view):
                return self.emit(IndexOf(self.index(view, frame)[0]))
            case ApplyOf(ElementwiseOp.SELECT, (condition, then, otherwise)):
                return self._select(condition, then, otherwise, frame, predicate)
            case ApplyOf(op, operands):
                values = tuple(self.value(n, frame, predicate) for n in operands)
                return self.emit(Apply(op, values))
            case ConvertOf(dtype, operand):
                value = self.value(operand, frame, predicate)
                if dtype in (DType.BF16, DType.F16) and not self.keep_rounding:
                    return value
                return self.emit(Convert(value, dtype))
            case LoadOf(tensor, view):
                return self._load(tensor, self.index(view, frame), (), predicate)
            case GatherOf(tensor, view, indices):
                computed = tuple(self.value(n, frame, predicate) for n in indices)
                index = self.index(view, frame, len(computed))
                return self._load(tensor, index, computed, predicate)
            case ReducedOf():
                row = row_key(self.source, alternative, frame, self.sizes)
                if row not in self.rows:
                    raise NotExpressibleError("a reduction inside another kind of kernel")
                return self.emit(Accumulator(self.rows[row]))
            case ProductOf() | AttendOf():
                if number not in self.accumulated:
                    raise NotExpressibleError("a product inside another kind of kernel")
                return self.emit(Accumulator(self.accumulated[number]))
            case _:
                assert_never(alternative)

    def _select(
        self, condition: int, then: int, otherwise: int, frame: Frame, predicate: int | None
    ) -> int:
        test = self.value(condition, frame, predicate)
        taken = left = None
        if self._needs_guard(then, frame):
            taken = self.both(predicate, test)
        if self._needs_guard(otherwise, frame):
            left = self.both(predicate, self.negation(test))
        values = test, self.value(then, frame, taken), self.value(otherwise, frame, left)
        return self.emit(Apply(ElementwiseOp.SELECT, values))

    def _load(
        self,
        tensor: int,
        index: tuple[IndexExpression, ...],
        computed: tuple[int, ...],
        predicate: int | None,
    ) -> int:
        """A read that stays inside its tensor, whatever the surroundings promise.

        What is read outside is discarded by someone: by a select further out, or by nobody where
        an author's promise is broken.
        """
        shape = self.parameters.storage(tensor).shape
        guard = self.inside(index, computed, shape, predicate)
        return self.emit(Load(self.parameters.number(tensor), index, computed, guard))

    def inside(
        self,
        index: Sequence[IndexExpression],
        computed: Sequence[int],
        shape: Sequence[int],
        predicate: int | None = None,
    ) -> int | None:
        """``predicate`` and that ``index`` lies inside ``shape``, as far as it does not say so."""
        rank = len(self.axes)
        for entry, size in zip(index, shape, strict=True):
            if all(n < rank for n in entry.axes()) and _inside(entry, self.sizes, size):
                continue
            low, high = self._bounds(entry, computed, predicate)
            if low < 0:
                value = self._index_value(entry, computed)
                zero = self.emit(Literal(0, DType.I32))
                below = self.emit(Apply(ElementwiseOp.LESS_THAN, (value, zero)))
                predicate = self.both(predicate, self.negation(below))
            if high >= size:
                value = self._index_value(entry, computed)
                end = self.emit(Literal(size, DType.I32))
                below = self.emit(Apply(ElementwiseOp.LESS_THAN, (value, end)))
                predicate = self.both(predicate, below)
        return predicate

    def _bounds(
        self, entry: IndexExpression, computed: Sequence[int], predicate: int | None
    ) -> tuple[float, float]:
        known = known_where(self.instructions, predicate, self.sizes)
        names = [axis(n) for n in range(len(self.axes))] + [value_axis(n) for n in computed]
        return known.bounds(_renamed(entry, names))

    def _index_value(self, entry: IndexExpression, computed: Sequence[int]) -> int:
        """An index over the body's axes and then computed values, as a value of the body."""
        rank = len(self.axes)
        if all(n < rank for n in entry.axes()):
            return self.emit(IndexOf(entry))
        total = self.emit(Literal(entry.constant, DType.I32)) if entry.constant else None
        for atom, coefficient in entry.terms:
            match atom:
                case Axis(number) if number >= rank:
                    value = computed[number - rank]
                case Axis():
                    value = self.emit(IndexOf(IndexExpression(0, ((atom, 1),))))
                case FloorDivide(inner, divisor):
                    value = self._whole(ElementwiseOp.FLOOR_DIVIDE, inner, divisor, computed)
                case Modulo(inner, divisor):
                    value = self._whole(ElementwiseOp.MODULO, inner, divisor, computed)
                case _:
                    assert_never(atom)
            if coefficient != 1:
                factor = self.emit(Literal(coefficient, DType.I32))
                value = self.emit(Apply(ElementwiseOp.MULTIPLY, (value, factor)))
            total = value if total is None else self.emit(Apply(ElementwiseOp.ADD, (total, value)))
        assert total is not None
        return total

    def _whole(
        self, op: ElementwiseOp, inner: IndexExpression, divisor: int, computed: Sequence[int]
    ) -> int:
        operands = self._index_value(inner, computed), self.emit(Literal(divisor, DType.I32))
        return self.emit(Apply(op, operands))

    def both(self, left: int | None, right: int) -> int:
        """Whether both conditions hold."""
        if left is None or left == right:
            return right
        return self.emit(Apply(ElementwiseOp.MULTIPLY, (left, right)))

    def negation(self, value: int) -> int:
        """Whether a condition does not hold."""
        false = self.emit(Literal(False, DType.BOOL))
        true = self.emit(Literal(True, DType.BOOL))
        return self.emit(Apply(ElementwiseOp.SELECT, (value, false, true)))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the body's axes."""
        return tuple(a.size for a in self.axes)

    def index(self, view: int, frame: Frame, computed: int = 0) -> tuple[IndexExpression, ...]:
        """The entries of ``view`` over the body's axes and then ``computed`` more."""
        rank = len(self.axes)
        sizes = self.sizes + (1 << 31,) * computed
        replacements = frame + tuple(axis(rank + n) for n in range(computed))
        return tuple(
            substitute(entry, replacements, sizes) for entry in self.source.views.views[view].map
        )

    def _in_bounds(self, tensor: int, view: int, frame: Frame) -> bool:
        shape = self.parameters.storage(tensor).shape
        return all(
            _inside(entry, self.sizes, size)
            for entry, size in zip(self.index(view, frame), shape, strict=True)
        )

    def _needs_guard(self, number: int, frame: Frame) -> bool:
        """Whether a read under class ``number`` must not be done everywhere."""
        self._frames[id(frame)] = frame
        key = (number, id(frame))
        if key not in self._guards:
            self._guards[key] = self._reads_outside(number, frame)
        return self._guards[key]

    def _reads_outside(self, number: int, frame: Frame) -> bool:
        match self.pick(number):
            case LiteralOf() | IndexAt() | ReducedOf() | ProductOf() | AttendOf():
                return False
            case LoadOf(tensor, view):
                return not self._in_bounds(tensor, view, frame)
            case GatherOf():
                return True
            case ConvertOf(_, operand):
                return self._needs_guard(operand, frame)
            case ApplyOf(_, operands):
                return any(self._needs_guard(n, frame) for n in operands)
            case other:
                assert_never(other)


def row_key(
    source: Alternatives, alternative: ReducedOf, frame: Frame, sizes: Sequence[int]
) -> RowKey:
    """The reduction together with the row that it is read at."""
    entries = source.views.views[alternative.view].map
    row = tuple(substitute(entry, frame, sizes) for entry in entries)
    return RowKey(
        alternative.op,
        alternative.dtype,
        alternative.space,
        alternative.count,
        alternative.body,
        row,
    )


def literal(dtype: DType, value: float | int) -> Literal:
    """A number as an instruction, of its compute type."""
    if dtype is DType.BOOL:
        return Literal(value != 0, DType.BOOL)
    if dtype.is_float:
        return Literal(float(value), DType.F32)
    return Literal(int(value), dtype.compute)


def _renamed(entry: IndexExpression, names: Sequence[IndexExpression]) -> IndexExpression:
    """``entry`` with its axes renamed, nothing else changed."""
    result = constant(entry.constant)
    for atom, factor in entry.terms:
        match atom:
            case Axis(number):
                moved = names[number]
            case FloorDivide(inner, divisor):
                moved = IndexExpression(0, ((FloorDivide(_renamed(inner, names), divisor), 1),))
            case Modulo(inner, divisor):
                moved = IndexExpression(0, ((Modulo(_renamed(inner, names), divisor), 1),))
            case _:
                assert_never(atom)
        result = add(result, moved, factor)
    return result


@lru_cache(maxsize=1 << 14)
def _inside(entry: IndexExpression, sizes: tuple[int, ...], size: int) -> bool:
    found = index_range(entry, sizes, (), size)
    return found is not None and found[0] >= 0 and found[1] < size
