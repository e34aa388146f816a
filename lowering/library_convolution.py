"""Which products over a window a vendor's library can do as convolutions, and how it sees them.

The conditions are those of cuDNN with matrix cores: channels lie densely and count in steps of 8;
the window steps or is spread evenly; outside of the picture are zeros; nothing is done with the
sums but to add a bias and something of the result's shape. A picture that is no tensor yet (it is
enlarged where it is read, say) and weights that lie otherwise are made first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    axis,
    evaluate,
    substitute,
)
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    KernelAxis,
    LibraryConvolution,
    Literal,
    Load,
    MadeOperand,
    Strided,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.library_views import (
    OPERAND_TYPES,
    is_aligned,
    plain_load,
    stored_dtype,
    strided,
)
from lumc.lowering.made_operands import made_operand

_STEP = 8
# Points of a picture at which it is tried whether it is inside: more are not worth the time.
_LARGEST_PICTURE = 1 << 26


@dataclass(frozen=True, slots=True)
class _Window:
    """One direction: an axis of the rows, and the inner axis that moves along it, if any.

    Place u = step · row + dilation · tap is read.
    """

    row: int | None
    tap: int | None
    step: int
    dilation: int
    rows: int
    taps: int

    @property
    def reach(self) -> int:
        """Places that are read, with the zeros around the picture."""
        return self.step * (self.rows - 1) + self.dilation * (self.taps - 1) + 1


@dataclass(frozen=True, slots=True)
class _Shape:
    """A product as a convolution: axes of ``left`` by what they are."""

    pictures: tuple[int, ...]
    windows: tuple[_Window, _Window]
    channels: tuple[int, ...]


def library_convolution(kernel: Gemm) -> LibraryConvolution | None:
    """``kernel`` as a library's convolution, or None where it is more, or less, than that."""
    if kernel.operand_dtype not in OPERAND_TYPES or len(kernel.right) != 1:
        return None
    if size(kernel.batch) != 1 or len(kernel.stores) != 1 or kernel.stores[0].combine is not None:
        return None
    shape = _shape(kernel)
    if shape is None or stored_dtype(kernel) is not kernel.operand_dtype:
        return None
    axes = kernel.left.axes
    channels, outputs = size([axes[n] for n in shape.channels]), size(kernel.columns)
    if channels % _STEP or outputs % _STEP:
        return None
    results = _results(kernel, shape)
    inside = _inside(kernel, shape)
    if results is None or inside is None:
        return None
    image = _image(kernel, shape, inside)
    number = len(kernel.parameters) + (image[1] is not None)
    weight = _weight(kernel, shape, number)
    made = tuple(one for one in (image[1], weight[1]) if one is not None)
    tall, wide = shape.windows
    output, bias, addend = results
    return LibraryConvolution(
        sizes=(
            size([axes[n] for n in shape.pictures]),
            channels,
            inside[0][1] - inside[0][0],
            inside[1][1] - inside[1][0],
            outputs,
            tall.rows,
            wide.rows,
            tall.taps,
            wide.taps,
        ),
        image=image[0],
        weight=weight[0],
        output=output,
        bias=bias,
        addend=addend,
        steps=(tall.step, wide.step),
        dilation=(tall.dilation, wide.dilation),
        before=(inside[0][0], inside[1][0]),
        after=(tall.reach - inside[0][1], wide.reach - inside[1][1]),
        made=made,
    )


# ------------------------------------------------------------------------------------------ windows


def _shape(kernel: Gemm) -> _Shape | None:
    """Which axes slide over the picture; None where it is no window of one or two directions."""
    axes = kernel.left.axes
    first = len(kernel.batch)
    rows = range(first, first + len(kernel.rows))
    inner = range(first + len(kernel.rows), len(axes))
    expressions = list(_expressions(kernel.left))
    met = {r: [k for k in inner if any(_meet(e, r, k) for e in expressions)] for r in rows}
    sliding = [r for r in rows if met[r]]
    taps = [k for r in sliding for k in met[r]]
    if not sliding or len(taps) != len(sliding) or len(set(taps)) != len(taps):
        return None
    if len(sliding) > 2 or all(axes[k].size == 1 for k in taps):
        return None
    windows = [_window(axes, r, met[r][0], expressions) for r in sliding]
    still = [r for r in rows if r not in sliding and axes[r].size > 1]
    if len(windows) == 1:
        # A picture of one row, or of rows that do not see each other.
        windows.insert(0, _Window(None, None, 1, 1, 1, 1))
    tall, wide = windows[0], windows[1]
    if tall is None or wide is None:
        return None
    channels = tuple(k for k in inner if k not in taps)
    return _Shape(tuple(still), (tall, wide), channels)


def _expressions(body: Body) -> Iterator[IndexExpression]:
    """All index expressions of ``body``, and what stands in their quotients and remainders."""
    for instruction in body.instructions:
        match instruction:
            case IndexOf(expression):
                yield from _levels(expression)
            case Load(index=index):
                for entry in index:
                    yield from _levels(entry)
            case _:
                pass


def _levels(expression: IndexExpression) -> Iterator[IndexExpression]:
    yield expression
    for atom, _ in expression.terms:
        if isinstance(atom, FloorDivide | Modulo):
            yield from _levels(atom.value)


def _meet(expression: IndexExpression, row: int, tap: int) -> bool:
    return bool(expression.coefficient(row) and expression.coefficient(tap))


def _window(
    axes: Sequence[KernelAxis], row: int, tap: int, expressions: Sequence[IndexExpression]
) -> _Window | None:
    """The step and the spread of a window, if all expressions say the same."""
    pairs = [(e.coefficient(row), e.coefficient(tap)) for e in expressions]
    meeting = next(pair for pair in pairs if all(pair))
    common = math.gcd(*meeting)
    step, dilation = (part // common for part in meeting)
    if step < 0:
        step, dilation = -step, -dilation
    if dilation <= 0 or any(a * dilation != b * step for a, b in pairs):
        return None
    # Only then is an axis of places put for one of both by replacing it.
    if step != 1 and dilation != 1:
        return None
    return _Window(row, tap, step, dilation, axes[row].size, axes[tap].size)


def _places(
    kernel: Gemm, shape: _Shape, starts: tuple[int, int], numbers: dict[int, int]
) -> list[IndexExpression]:
    """The axes of ``left`` as expressions over new ones: places of the window, and ``numbers``.

    The new axes 0 and 1 are the places, from ``starts`` on.
    """
    places = [IndexExpression(0)] * len(kernel.left.axes)
    for number, new in numbers.items():
        places[number] = axis(new)
    for new, (window, start) in enumerate(zip(shape.windows, starts, strict=True)):
        if window.row is not None and window.tap is not None:
            kept = window.row if window.step == 1 else window.tap
            places[kept] = add(axis(new), IndexExpression(start))
    return places


# ------------------------------------------------------------------------------------- the picture


def _inside(kernel: Gemm, shape: _Shape) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """From where to where the picture goes, down and across; beyond it zeros are read."""
    condition = _condition(kernel.left)
    reach = tuple(window.reach for window in shape.windows)
    if condition is None:
        return (0, reach[0]), (0, reach[1])
    if math.prod(reach) > _LARGEST_PICTURE:
        return None
    others = {n: 2 + m for m, n in enumerate((*shape.pictures, *shape.channels))}
    places = _places(kernel, shape, (0, 0), others)
    sizes = [*reach, *(kernel.left.axes[n].size for n in others)]
    found = _truth(kernel.left.instructions, condition, places, sizes)
    if found is None:
        return None
    down, across = np.any(found, axis=1), np.any(found, axis=0)
    if not np.array_equal(found, np.logical_and.outer(down, across)):
        return None
    ranges = (_run(down), _run(across))
    return None if ranges[0] is None or ranges[1] is None else (ranges[0], ranges[1])


def _condition(body: Body) -> int | None:
    """The value that says whether the picture is read, if one does."""
    code, number = body.instructions, _read_value(body)
    match code[number]:
        case Load(predicate=predicate):
            return predicate
        case Apply(ElementwiseOp.SELECT, (choice, _, other)) if _is_zero(code[other]):
            return choice
        case _:
            return None


def _read_value(body: Body) -> int:
    """The value of ``body`` before it is rounded."""
    number = len(body.instructions) - 1
    while isinstance(found := body.instructions[number], Convert):
        number = found.operand
    return number


def _is_zero(instruction: Instruction) -> bool:
    return isinstance(instruction, Literal) and float(instruction.value) == 0


def _truth(
    code: Sequence[Instruction],
    value: int,
    places: Sequence[IndexExpression],
    sizes: Sequence[int],
) -> npt.NDArray[np.bool_] | None:
    """Where ``value`` holds, for all places down and across; None where more has a say in it."""
    grids = [
        np.arange(sizes[0], dtype=np.int64)[:, None],
        np.arange(sizes[1], dtype=np.int64)[None, :],
    ]

    def known(number: int) -> npt.NDArray[np.int64] | None:
        match code[number]:
            case Literal(literal):
                return np.asarray(int(literal), np.int64)
            case IndexOf(expression):
                moved = substitute(expression, places, sizes)
                return evaluate(moved, grids) if moved.axes() <= {0, 1} else None
            case Apply(op, operands) if op in _WHOLE_NUMBER_OPS:
                parts = [known(n) for n in operands]
                if any(part is None for part in parts):
                    return None
                return np.asarray(_WHOLE_NUMBER_OPS[op](*parts), np.int64)
            case _:
                return None

    found = known(value)
    return None if found is None else np.broadcast_to(found != 0, (sizes[0], sizes[1]))


_WHOLE_NUMBER_OPS: dict[ElementwiseOp, Callable[..., Any]] = {
    ElementwiseOp.ADD: np.add,
    ElementwiseOp.MULTIPLY: np.multiply,
    ElementwiseOp.MAXIMUM: np.maximum,
    ElementwiseOp.LESS_THAN: np.less,
    ElementwiseOp.SELECT: np.where,
}


def _run(line: Any) -> tuple[int, int] | None:
    """Where the only run of what is true begins and ends."""
    (true,) = np.nonzero(line)
    if not true.size or true[-1] - true[0] + 1 != true.size:
        return None
    return int(true[0]), int(true[-1]) + 1


def _image(
    kernel: Gemm, shape: _Shape, inside: tuple[tuple[int, int], tuple[int, int]]
) -> tuple[Strided, MadeOperand | None]:
    """The picture, over pictures, channels, rows and columns: as it lies, or made."""
    lengths = [stop - start for start, stop in inside]
    axes = kernel.left.axes
    kept = (*shape.pictures, *shape.channels)
    # Axes 0 and 1 are rows and columns of the picture, then pictures and channels.
    new_axes = [
        KernelAxis("y", lengths[0]),
        KernelAxis("x", lengths[1]),
        *(axes[n] for n in kept),
    ]
    starts = (inside[0][0], inside[1][0])
    places = _places(kernel, shape, starts, {n: 2 + m for m, n in enumerate(kept)})
    pictures = tuple(range(2, 2 + len(shape.pictures)))
    channels = tuple(range(2 + len(shape.pictures), len(new_axes)))
    view = _loaded(kernel, places, new_axes, (pictures, channels, (0,), (1,)))
    if view is not None:
        return view, None
    order = (*pictures, 0, 1, *channels)
    moved = [substitute(place, _positions(order), [1] * len(order)) for place in places]
    made_axes = [new_axes[n] for n in order]
    value = len(kernel.left.instructions) - 1
    made = made_operand(kernel, "picture", kernel.left.instructions, value, made_axes, moved)
    depth = size([new_axes[n] for n in channels])
    strides = (lengths[0] * lengths[1] * depth, 1, lengths[1] * depth, depth)
    return Strided(len(kernel.parameters), 0, strides), made


def _positions(order: Sequence[int]) -> list[IndexExpression]:
    """For each axis where it stands in ``order``."""
    return [axis(order.index(n)) for n in range(len(order))]


def _loaded(
    kernel: Gemm,
    places: Sequence[IndexExpression],
    axes: Sequence[KernelAxis],
    groups: Sequence[Sequence[int]],
) -> Strided | None:
    """The tensor that is read inside of the picture, by strides, if it is read as it lies."""
    code = kernel.left.instructions
    found = code[_read_value(kernel.left)]
    if isinstance(found, Apply):
        if found.op is not ElementwiseOp.SELECT or not _is_zero(code[found.operands[2]]):
            return None
        choice, number = found.operands[:2]
        found = code[number]
        if isinstance(found, Load) and found.predicate not in (None, choice):
            return None
    if not isinstance(found, Load) or found.computed:
        return None
    dtype = kernel.parameters[found.parameter].dtype
    if dtype is not kernel.operand_dtype:
        return None
    sizes = [one.size for one in axes]
    index = tuple(substitute(entry, places, sizes) for entry in found.index)
    view = strided(kernel.parameters, Load(found.parameter, index), axes, groups)
    lengths = [math.prod(sizes[n] for n in group) for group in groups]
    if view is None or view.strides[1] != 1 or not is_aligned(dtype, view, lengths):
        return None
    return view


# ------------------------------------------------------------------------ weights and what follows


def _weight(kernel: Gemm, shape: _Shape, number: int) -> tuple[Strided, MadeOperand | None]:
    """Weights over outputs, channels and taps: as they lie, or made as parameter ``number``."""
    (body,) = kernel.right
    batch, columns = len(kernel.batch), len(kernel.columns)
    # Inner axes follow the columns here, and the rows in the left side.
    shift = columns - len(kernel.rows)
    outputs = tuple(range(batch, batch + columns))
    channels = tuple(n + shift for n in shape.channels)
    taps = [() if w.tap is None else (w.tap + shift,) for w in shape.windows]
    load = plain_load(kernel, body)
    if load is not None:
        view = strided(kernel.parameters, load, body.axes, (outputs, channels, *taps))
        lengths = [size([body.axes[n] for n in group]) for group in (outputs, channels, *taps)]
        fits = view is not None and view.strides[1] == 1
        if view is not None and fits and is_aligned(kernel.operand_dtype, view, lengths):
            return view, None
    order = (*outputs, *taps[0], *taps[1], *channels)
    places = [
        axis(order.index(n)) if n in order else IndexExpression(0) for n in range(len(body.axes))
    ]
    axes = [body.axes[n] for n in order]
    value = len(body.instructions) - 1
    made = made_operand(kernel, "weight", body.instructions, value, axes, places)
    depth = size([body.axes[n] for n in channels])
    wide = depth * shape.windows[1].taps
    return Strided(number, 0, (shape.windows[0].taps * wide, 1, wide, depth)), made


def _results(kernel: Gemm, shape: _Shape) -> tuple[Strided, Strided | None, Strided | None] | None:
    """Output, bias and addend; None where more is done with the sums."""
    loads = _added(kernel)
    axes = kernel.epilogue.axes
    outputs = tuple(range(len(axes) - len(kernel.columns), len(axes)))
    directions = [() if w.row is None else (w.row,) for w in shape.windows]
    groups = (shape.pictures, outputs, *directions)
    lengths = [size([axes[n] for n in group]) for group in groups]
    output = strided(kernel.parameters, kernel.stores[0], axes, groups)
    if loads is None or output is None or len(loads) > 2:
        return None
    bias: Strided | None = None
    addend: Strided | None = None
    for load in loads:
        view = strided(kernel.parameters, load, axes, groups)
        if view is None or kernel.parameters[load.parameter].dtype is not kernel.operand_dtype:
            return None
        is_bias = view.strides[1] == 1 and not any((view.strides[0], *view.strides[2:]))
        if is_bias and bias is None:
            bias = Strided(view.parameter, view.offset, view.strides[1:2])
        elif addend is None:
            addend = view
        else:
            return None
    for side in (output, addend):
        if side is None:
            continue
        if side.strides[1] != 1 or not is_aligned(kernel.operand_dtype, side, lengths):
            return None
    return output, bias, addend


def _added(kernel: Gemm) -> list[Load] | None:
    """What is added to the sum before it is stored, if nothing else is done with it."""
    code = kernel.epilogue.instructions
    number = kernel.stores[0].value
    while isinstance(found := code[number], Convert):
        if found.dtype not in (stored_dtype(kernel), DType.F32):
            return None
        number = found.operand
    loads: list[Load] = []
    waiting, sums = [number], 0
    while waiting:
        match code[waiting.pop()]:
            case Accumulator(0):
                sums += 1
            case Load() as load:
                loads.append(load)
            case Apply(ElementwiseOp.ADD, operands):
                waiting += operands
            case _:
                return None
    return loads if sums == 1 else None
