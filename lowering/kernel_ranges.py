"""What can be proved about the places that kernels read and write.

All answers are one-sided: True and a range are proofs, False and None mean "not shown".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    Atom,
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    axis,
    evaluate,
    scale,
    value_range,
)
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    Literal,
    Parameter,
)

Interval = tuple[int, int]

# Points that are tried one by one where arithmetic on ranges shows nothing.
_EXHAUSTIVE = 1 << 20

_I32 = (-(2**31), 2**31 - 1)


def extent(parameter: Parameter) -> int:
    """Elements from a parameter's first to its last, both included."""
    pairs = zip(parameter.shape, parameter.strides, strict=True)
    return 1 + sum((size - 1) * stride for size, stride in pairs)


# ------------------------------------------------------------------------------ ranges of values


def whole_number_ranges(body: Body) -> tuple[Interval | None, ...]:
    """For each value of ``body`` its least and greatest value where it is a known whole number."""
    sizes = tuple(a.size for a in body.axes)
    found: list[Interval | None] = []
    for instruction in body.instructions:
        found.append(_instruction_range(instruction, found, sizes))
    return tuple(found)


def _instruction_range(
    instruction: Instruction, known: Sequence[Interval | None], sizes: Sequence[int]
) -> Interval | None:
    match instruction:
        case Literal(value, DType.I32):
            return int(value), int(value)
        case IndexOf(expression):
            return value_range(expression, sizes)
        case Apply(op, operands):
            return _apply_range(op, [known[n] for n in operands])
        case Convert(operand, DType.I32 | DType.I64):
            return known[operand]
        case _:
            return None


def _apply_range(op: ElementwiseOp, operands: Sequence[Interval | None]) -> Interval | None:
    if op is ElementwiseOp.SELECT:
        operands = operands[1:]
    left = operands[0]
    right = operands[-1]
    if left is None or right is None:
        return _modulo_range(right) if op is ElementwiseOp.MODULO else None
    match op:
        case ElementwiseOp.ADD:
            found = left[0] + right[0], left[1] + right[1]
        case ElementwiseOp.MULTIPLY:
            corners = [a * b for a in left for b in right]
            found = min(corners), max(corners)
        case ElementwiseOp.MAXIMUM:
            found = max(left[0], right[0]), max(left[1], right[1])
        case ElementwiseOp.SELECT:
            found = min(left[0], right[0]), max(left[1], right[1])
        case ElementwiseOp.MODULO:
            return _modulo_range(right)
        case ElementwiseOp.FLOOR_DIVIDE:
            if right[0] <= 0:
                return None
            corners = [a // b for a in left for b in right]
            found = min(corners), max(corners)
        case _:
            return None
    return found if _I32[0] <= found[0] and found[1] <= _I32[1] else None


def _modulo_range(divisor: Interval | None) -> Interval | None:
    return None if divisor is None or divisor[0] <= 0 else (0, divisor[1] - 1)


def index_range(
    expression: IndexExpression,
    sizes: Sequence[int],
    computed: Sequence[Interval | None],
    wanted: int,
) -> Interval | None:
    """Bounds of ``expression`` over axes and then computed values.

    None where a computed value that it depends on has no known range. The bounds are exact where
    the expression is affine, or where they are not inside 0 to ``wanted`` - 1 at first and the
    axes are small enough to be tried.
    """
    used = expression.axes()
    rank = len(sizes)
    if any(n >= rank and computed[n - rank] is None for n in used):
        return None
    ranges = [(0, size - 1) for size in sizes] + [c or (0, 0) for c in computed]
    # Axes run from 0: a computed value is its least value plus such an axis.
    shifted = _substitute_starts(expression, ranges)
    lengths = [high - low + 1 for low, high in ranges]
    low, high = value_range(shifted, lengths)
    if shifted.is_affine or (low >= 0 and high < wanted):
        return low, high
    if math.prod(lengths[n] for n in used) > _EXHAUSTIVE:
        return low, high
    values = evaluate(shifted, _grids(lengths, used))
    return int(values.min()), int(values.max())


def _substitute_starts(expression: IndexExpression, ranges: Sequence[Interval]) -> IndexExpression:
    result = IndexExpression(expression.constant)
    for atom, factor in expression.terms:
        result = add(result, _substitute_atom(atom, ranges), factor)
    return result


def _substitute_atom(atom: Atom, ranges: Sequence[Interval]) -> IndexExpression:
    match atom:
        case Axis(number):
            return add(axis(number), IndexExpression(ranges[number][0]))
        case FloorDivide(value, divisor):
            return IndexExpression(
                0, ((FloorDivide(_substitute_starts(value, ranges), divisor), 1),)
            )
        case Modulo(value, divisor):
            return IndexExpression(0, ((Modulo(_substitute_starts(value, ranges), divisor), 1),))
        case _:
            assert_never(atom)


def _grids(lengths: Sequence[int], used: frozenset[int]) -> list[npt.NDArray[np.int64]]:
    """An array per axis that broadcasts over the used axes; unused axes stand at 0."""
    order = sorted(used)
    grids = []
    for n, length in enumerate(lengths):
        shape = [length if n == other else 1 for other in order]
        grids.append(np.arange(length if n in used else 1, dtype=np.int64).reshape(shape))
    return grids


# ------------------------------------------------------------------------- distinct and disjoint


def flat_index(parameter: Parameter, index: Sequence[IndexExpression]) -> IndexExpression:
    """The element number that ``index`` stands for."""
    total = IndexExpression(0)
    for expression, stride in zip(index, parameter.strides, strict=True):
        total = add(total, scale(expression, stride))
    return total


def is_injective(expression: IndexExpression, sizes: Sequence[int]) -> bool | None:
    """Whether distinct points of the axes give distinct values; None where that is not shown."""
    digits = _digits(expression, sizes)
    if digits is not None and _is_positional(digits):
        return True
    if any(size > 1 and n not in expression.axes() for n, size in enumerate(sizes)):
        return False
    if math.prod(sizes) > _EXHAUSTIVE:
        return None
    used = frozenset(range(len(sizes)))
    values = np.broadcast_to(evaluate(expression, _grids(sizes, used)), sizes).reshape(-1)
    return bool(np.unique(values).size == values.size)


def _digits(expression: IndexExpression, sizes: Sequence[int]) -> list[tuple[int, int]] | None:
    """The (stride, length) of independent digits whose sum is the expression, or None.

    An axis is a digit; so are its quotient and its remainder by one divisor, together.
    """
    found: list[tuple[int, int]] = []
    for number, size in enumerate(sizes):
        if size == 1:
            continue
        own = {atom: c for atom, c in expression.terms if number in _atom_axes(atom)}
        digits = _axis_digits(own, number, size)
        if digits is None:
            return None
        found += digits
    return found


def _atom_axes(atom: Atom) -> frozenset[int]:
    return frozenset({atom.number}) if isinstance(atom, Axis) else atom.value.axes()


def _axis_digits(own: Mapping[Atom, int], number: int, size: int) -> list[tuple[int, int]] | None:
    if set(own) == {Axis(number)}:
        return [(abs(own[Axis(number)]), size)]
    divisors = {atom.divisor for atom in own if not isinstance(atom, Axis)}
    if len(divisors) != 1:
        return None
    (divisor,) = divisors
    quotient = FloorDivide(axis(number), divisor)
    remainder = Modulo(axis(number), divisor)
    if not set(own) <= {Axis(number), quotient, remainder}:
        return None
    # The axis itself is divisor · quotient + remainder.
    plain = own.get(Axis(number), 0)
    strides = own.get(quotient, 0) + plain * divisor, own.get(remainder, 0) + plain
    return [(abs(strides[0]), -(-size // divisor)), (abs(strides[1]), divisor)]


def _is_positional(digits: Sequence[tuple[int, int]]) -> bool:
    """True when each digit's stride is more than all smaller digits together can reach."""
    reach = 0
    for stride, length in sorted(digits):
        if length == 1:
            continue
        if stride <= reach:
            return False
        reach += stride * (length - 1)
    return True


def is_dense_set(parameter: Parameter) -> bool:
    """True when distinct indices of the parameter are distinct elements."""
    return _is_positional(list(zip(parameter.strides, parameter.shape, strict=True)))


Index = Sequence[IndexExpression]


def are_apart(left: Index, sizes: Sequence[int], right: Index, others: Sequence[int]) -> bool:
    """True when two indices, each at any point of its axes, are never the same, as far as shown.

    Shown by one of their entries, whose ranges, or remainders by a coefficient, have nothing in
    common; or by trying all points. What depends on more than the axes may be anything.
    """
    known = [
        (a, b)
        for a, b in zip(left, right, strict=True)
        if all(n < len(sizes) for n in a.axes()) and all(n < len(others) for n in b.axes())
    ]
    if any(_differ(a, sizes, b, others) for a, b in known):
        return True
    if len(known) < len(left) or math.prod(sizes) + math.prod(others) > _EXHAUSTIVE:
        return False
    return not _places(left, sizes) & _places(right, others)


def _differ(
    left: IndexExpression, sizes: Sequence[int], right: IndexExpression, others: Sequence[int]
) -> bool:
    (low, high), (start, stop) = value_range(left, sizes), value_range(right, others)
    if high < start or stop < low:
        return True
    periods = {abs(factor) for _, factor in (*left.terms, *right.terms)} - {1}
    for period in periods:
        low, high = value_range(_part(left, period), sizes)
        start, stop = value_range(_part(right, period), others)
        # Round a circle of this length: from the start of one, past its end, through the other.
        shift = (start - low) % period
        if high - low < shift and shift + stop - start < period:
            return True
    return False


def _part(expression: IndexExpression, period: int) -> IndexExpression:
    """The expression without terms that are multiples of ``period``."""
    terms = tuple(term for term in expression.terms if term[1] % period)
    return IndexExpression(expression.constant, terms)


def _places(index: Index, sizes: Sequence[int]) -> set[tuple[int, ...]]:
    grids = _grids(sizes, frozenset(range(len(sizes))))
    entries = [np.broadcast_to(evaluate(e, grids), sizes).reshape(-1).tolist() for e in index]
    return set(zip(*entries, strict=True))


def are_disjoint(left: Parameter, left_offset: int, right: Parameter, right_offset: int) -> bool:
    """True when two parameters at these offsets of one buffer share no element, as far as shown.

    Shown by their hulls, or, as for two column slices of one matrix, by their places in a row.
    """
    left_last = left_offset + extent(left) - 1
    right_last = right_offset + extent(right) - 1
    if left_last < right_offset or right_last < left_offset:
        return True
    common = sorted(set(_periods(left)) & set(_periods(right)), reverse=True)
    return any(
        _disjoint_in_period(left, left_offset, right, right_offset, period) for period in common
    )


def _periods(parameter: Parameter) -> Iterator[int]:
    pairs = zip(parameter.shape, parameter.strides, strict=True)
    return (stride for size, stride in pairs if size > 1 and stride > 0)


def _disjoint_in_period(
    left: Parameter, left_offset: int, right: Parameter, right_offset: int, period: int
) -> bool:
    spans = []
    for parameter, offset in ((left, left_offset), (right, right_offset)):
        pairs = zip(parameter.shape, parameter.strides, strict=True)
        reach = sum((size - 1) * stride for size, stride in pairs if stride % period)
        first = offset % period
        if first + reach >= period:
            return False
        spans.append((first, first + reach))
    (a, b), (c, d) = spans
    return b < c or d < a
