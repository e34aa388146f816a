"""Random kernels: valid, small, with odd sizes, and with everything the descriptors can say.

Values stay of moderate size, comparisons and cuts to whole numbers are only of exactly known values
(loads, indices, literals), so that a device's rounding can't flip a branch and a small tolerance
holds. ``random_arrays`` makes data for any of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    floor_divide,
    modulo,
    scale,
    value_range,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_reference import poisoned

Draw = Callable[[st.SearchStrategy[Any]], Any]

FLOATS = (DType.F32, DType.BF16, DType.F16)
STORED = (*FLOATS, DType.I32, DType.U8, DType.BOOL)

# Names a spec may carry: keywords and odd signs must not reach the source as they are.
_NAMES = ("x", "weight", "int", "größe", "a b", "*/", "__global__", "q'", "p0", "class")

# Loaded whole numbers are below this, so any axis this long can be indexed by them.
WHOLE_LIMIT = 4
_REAL_LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class _Value:
    """What is known of a value: its type, a bound of its size, and whether it has no rounding."""

    number: int
    dtype: DType
    bound: float
    exact: bool


@dataclass(slots=True)
class _KernelBuilder:
    """Collects the parameters of a kernel."""

    draw: Draw
    parameters: list[Parameter] = field(default_factory=list)
    names: itertools.count[int] = field(default_factory=itertools.count)

    def axes(self, low: int, high: int, largest: int, points: int = 4096) -> tuple[KernelAxis, ...]:
        """Between ``low`` and ``high`` new axes of at most ``points`` points together."""
        found: list[KernelAxis] = []
        for _ in range(self.draw(st.integers(low, high))):
            limit = max(1, min(largest, points))
            size = self.draw(st.integers(1, limit))
            points //= size
            found.append(KernelAxis(f"{'ijklmn'[len(found)]}{next(self.names)}", size))
        return tuple(found)

    def parameter(self, shape: Sequence[int], dtype: DType, access: ParameterAccess) -> int:
        """A new parameter of ``shape``, laid out in any order, with gaps."""
        order = self.draw(st.permutations(range(len(shape))))
        strides = [0] * len(shape)
        step = self.draw(st.sampled_from((1, 1, 1, 2, 3)))
        for position in order:
            strides[position] = step
            step = step * shape[position] + self.draw(st.sampled_from((0, 0, 1, 5)))
        if access is ParameterAccess.READ and shape and self.draw(st.integers(0, 9)) == 0:
            strides[order[-1]] = 0
        stem = self.draw(st.sampled_from(_NAMES))
        name = (
            f"{stem}{len(self.parameters)}"
            if any(p.name == stem for p in self.parameters)
            else stem
        )
        self.parameters.append(Parameter(name, dtype, tuple(shape), tuple(strides), access))
        return len(self.parameters) - 1


@dataclass(slots=True)
class _BodyBuilder:
    """Writes the instructions of one body."""

    kernel: _KernelBuilder
    axes: tuple[KernelAxis, ...]
    instructions: list[Instruction] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)

    @property
    def draw(self) -> Draw:
        return self.kernel.draw

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(a.size for a in self.axes)

    def body(self) -> Body:
        return Body(self.axes, tuple(self.instructions))

    def emit(
        self, instruction: Instruction, dtype: DType, bound: float, exact: bool = True
    ) -> _Value:
        self.instructions.append(instruction)
        self.values.append(_Value(len(self.values), dtype, bound, exact))
        return self.values[-1]

    # ------------------------------------------------------------------------------- small pieces

    def whole(self, value: int) -> _Value:
        return self.emit(Literal(value, DType.I32), DType.I32, abs(value))

    def real(self, value: float) -> _Value:
        return self.emit(Literal(value, DType.F32), DType.F32, abs(value))

    def index(self, expression: IndexExpression) -> _Value:
        low, high = value_range(expression, self.sizes)
        return self.emit(IndexOf(expression), DType.I32, max(abs(low), abs(high)))

    def less(self, left: _Value, right: _Value) -> _Value:
        return self.emit(Apply(ElementwiseOp.LESS_THAN, (left.number, right.number)), DType.BOOL, 1)

    def both(self, left: _Value | None, right: _Value) -> _Value:
        if left is None:
            return right
        operands = (left.number, right.number)
        return self.emit(Apply(ElementwiseOp.MULTIPLY, operands), DType.BOOL, 1)

    def convert(self, value: _Value, dtype: DType) -> _Value:
        return self.emit(
            Convert(value.number, dtype), dtype.compute, value.bound * 1.01, value.exact
        )

    # -------------------------------------------------------------------------------------- places

    def dimensions(self, used: Sequence[int]) -> list[IndexExpression]:
        """Indices that visit each point of the ``used`` axes once: split, merged, in any order."""
        left = list(self.draw(st.permutations(used)))
        found: list[IndexExpression] = []
        while left:
            number = left.pop()
            kind = self.draw(
                st.sampled_from(("plain", "plain", "plain", "split", "merge", "offset"))
            )
            if kind == "merge" and left:
                other = left.pop()
                found.append(add(scale(axis(other), self.sizes[number]), axis(number)))
            elif kind == "split" and self.sizes[number] > 1:
                divisor = self.draw(st.integers(2, max(2, self.sizes[number] - 1)))
                found.append(floor_divide(axis(number), divisor, self.sizes))
                found.append(modulo(axis(number), divisor, self.sizes))
            elif kind == "offset":
                factor, offset = self.draw(st.integers(1, 3)), self.draw(st.integers(0, 3))
                found.append(add(constant(offset), axis(number), factor))
            else:
                found.append(axis(number))
        order: list[IndexExpression] = self.draw(st.permutations(found))
        return order

    def shape_for(self, index: Sequence[IndexExpression]) -> tuple[int, ...]:
        slack = [self.draw(st.sampled_from((0, 0, 0, 2))) for _ in index]
        return tuple(
            value_range(e, self.sizes)[1] + 1 + more for e, more in zip(index, slack, strict=True)
        )

    def guard(self, expression: IndexExpression, size: int) -> _Value:
        """Whether the index is in bounds."""
        value = self.index(expression)
        low = self.less(self.whole(-1), value)
        return self.both(low, self.less(value, self.whole(size)))

    # --------------------------------------------------------------------------------------- loads

    def load(self, dtype: DType) -> _Value:
        """A load of any kind from a new parameter of ``dtype``."""
        used = [n for n in range(len(self.axes)) if self.draw(st.integers(0, 4))]
        kind = self.draw(st.sampled_from(("plain", "plain", "plain", "window", "computed")))
        if kind == "computed":
            return self.computed_load(dtype, used)
        index = self.dimensions(used)
        if used and self.draw(st.integers(0, 7)) == 0:
            index.append(axis(self.draw(st.sampled_from(used))))  # a diagonal
        if kind == "window" and len(self.axes) > 1:
            return self.window_load(dtype, index)
        parameter = self.kernel.parameter(self.shape_for(index), dtype, ParameterAccess.READ)
        return self._emit_load(Load(parameter, tuple(index)), dtype)

    def _emit_load(self, load: Load, dtype: DType) -> _Value:
        bound = {DType.BOOL: 1.0}.get(dtype, _REAL_LIMIT if dtype.is_float else WHOLE_LIMIT)
        return self.emit(load, dtype.compute, bound)

    def window_load(self, dtype: DType, index: list[IndexExpression]) -> _Value:
        """A read with padding, as a convolution's: predicated on being in bounds."""
        a, b = self.draw(st.permutations(range(len(self.axes))))[:2]
        stride, pad = self.draw(st.integers(1, 2)), self.draw(st.integers(0, 2))
        window = add(add(constant(-pad), axis(a), stride), axis(b))
        size = max(1, value_range(window, self.sizes)[1] - self.draw(st.integers(0, 2)))
        shape = (*self.shape_for(index), size)
        predicate = self.guard(window, size)
        parameter = self.kernel.parameter(shape, dtype, ParameterAccess.READ)
        load = Load(parameter, (*index, window), predicate=predicate.number)
        return self._emit_load(load, dtype)

    def computed_load(self, dtype: DType, used: Sequence[int]) -> _Value:
        """A gather: at an index that was itself loaded, or a remainder of one."""
        source = self.kernel.parameter(
            self.shape_for(places := self.dimensions(used)), DType.I32, ParameterAccess.READ
        )
        at = self.emit(Load(source, tuple(places)), DType.I32, WHOLE_LIMIT)
        size = WHOLE_LIMIT
        if self.draw(st.booleans()):
            size = self.draw(st.integers(1, 3))
            divisor = self.whole(size)
            at = self.emit(
                Apply(ElementwiseOp.MODULO, (at.number, divisor.number)), DType.I32, size
            )
        index = self.dimensions([n for n in used if self.draw(st.booleans())])
        gathered = add(
            constant(self.draw(st.integers(0, 2))),
            axis(len(self.axes)),
            self.draw(st.integers(1, 2)),
        )
        length = value_range(gathered, (*self.sizes, size))[1] + 1
        shape = (*self.shape_for(index), length)
        parameter = self.kernel.parameter(shape, dtype, ParameterAccess.READ)
        return self._emit_load(Load(parameter, (*index, gathered), (at.number,)), dtype)

    # --------------------------------------------------------------------------------- arithmetic

    def pick(self, dtype: DType, exact: bool = False) -> _Value:
        """An earlier value of this type, more often a late one, or a new literal."""
        fitting = [v for v in self.values if v.dtype is dtype and (v.exact or not exact)]
        if fitting and self.draw(st.integers(0, 7)):
            late = fitting[-2:] if self.draw(st.booleans()) else fitting
            chosen: _Value = self.draw(st.sampled_from(late))
            return chosen
        match dtype:
            case DType.F32:
                return self.real(self.draw(st.sampled_from((0.0, 1.0, -0.5, 0.1, 3.25, 1e-6))))
            case DType.I32:
                return self.whole(self.draw(st.integers(-3, 7)))
            case _:
                return self.less(self.pick(DType.I32), self.whole(self.draw(st.integers(0, 3))))

    def real_step(self) -> _Value:
        """One more real operation, kept to moderate sizes."""
        x = self.pick(DType.F32)
        match self.draw(
            st.sampled_from(("add", "mul", "max", "select", "round", "unary", "whole"))
        ):
            case "add":
                y = self.pick(DType.F32)
                return self._apply(ElementwiseOp.ADD, x, y, bound=x.bound + y.bound)
            case "mul" if x.bound < 30:
                y = self.pick(DType.F32)
                return self._apply(ElementwiseOp.MULTIPLY, x, y, bound=x.bound * y.bound)
            case "select":
                y = self.pick(DType.F32)
                condition = self.condition()
                number = (condition.number, x.number, y.number)
                exact = x.exact and y.exact
                return self.emit(
                    Apply(ElementwiseOp.SELECT, number), DType.F32, max(x.bound, y.bound), exact
                )
            case "round" if x.exact or x.bound < 100:
                return self.convert(x, self.draw(st.sampled_from(FLOATS)))
            case "unary":
                return self.unary(x)
            case "whole":
                return self.convert(self.pick(DType.I32), DType.F32)
            case _:
                y = self.pick(DType.F32)
                found = self._apply(ElementwiseOp.MAXIMUM, x, y, bound=max(x.bound, y.bound))
                self.values[-1] = replace(found, exact=x.exact and y.exact)
                return self.values[-1]

    def _apply(self, op: ElementwiseOp, *operands: _Value, bound: float) -> _Value:
        numbers = tuple(v.number for v in operands)
        return self.emit(Apply(op, numbers), DType.F32, bound, False)

    def condition(self) -> _Value:
        dtype = self.draw(st.sampled_from((DType.F32, DType.I32, DType.BOOL)))
        if dtype is DType.BOOL:
            return self.pick(DType.BOOL)
        return self.less(self.pick(dtype, exact=True), self.pick(dtype, exact=True))

    def unary(self, x: _Value) -> _Value:
        """A real function of an argument inside its domain and where it is well conditioned."""
        if x.bound > 4:
            x = self._apply(ElementwiseOp.SINE, x, bound=1) if x.bound < 100 else self.real(0.75)
        op = self.draw(
            st.sampled_from(
                (
                    ElementwiseOp.EXP2,
                    ElementwiseOp.SINE,
                    ElementwiseOp.LOG2,
                    ElementwiseOp.SQUARE_ROOT,
                    ElementwiseOp.RECIPROCAL,
                )
            )
        )
        if op in (ElementwiseOp.EXP2, ElementwiseOp.SINE):
            return self._apply(op, x, bound=16 if op is ElementwiseOp.EXP2 else 1)
        square = self._apply(ElementwiseOp.MULTIPLY, x, x, bound=16)
        positive = self._apply(ElementwiseOp.ADD, square, self.real(1.0), bound=17)
        return self._apply(op, positive, bound=5)

    def whole_step(self) -> _Value:
        """One more operation on whole numbers."""
        if self.axes and self.draw(st.booleans()):
            used = self.draw(
                st.lists(st.sampled_from(range(len(self.axes))), min_size=1, max_size=2)
            )
            expression = constant(self.draw(st.integers(-3, 3)))
            for number in used:
                expression = add(expression, axis(number), self.draw(st.integers(-2, 3)))
            return self.index(expression)
        x = self.pick(DType.I32)
        op = self.draw(
            st.sampled_from(
                (
                    ElementwiseOp.ADD,
                    ElementwiseOp.MULTIPLY,
                    ElementwiseOp.MAXIMUM,
                    ElementwiseOp.FLOOR_DIVIDE,
                    ElementwiseOp.MODULO,
                )
            )
        )
        divides = op in (ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO)
        y = self.whole(self.draw(st.integers(1, 7))) if divides else self.pick(DType.I32)
        if op is ElementwiseOp.MULTIPLY and x.bound * y.bound > 1000:
            op = ElementwiseOp.MAXIMUM
        bound = x.bound * y.bound if op is ElementwiseOp.MULTIPLY else x.bound + y.bound
        return self.emit(Apply(op, (x.number, y.number)), DType.I32, bound)

    def mix(self, loads: int, steps: int) -> None:
        """Some loads and some operations."""
        for _ in range(self.draw(st.integers(0, loads))):
            self.load(self.draw(st.sampled_from(STORED)))
        for _ in range(self.draw(st.integers(0, steps))):
            if self.draw(st.integers(0, 3)):
                self.real_step()
            else:
                self.whole_step()

    # -------------------------------------------------------------------------------------- stores

    def store(self, axes_must: Sequence[int], combine: bool = True) -> Store:
        """A store of some value to a new parameter; every point of the axes has its own place."""
        dtype = self.draw(st.sampled_from((*FLOATS, *FLOATS, DType.I32, DType.BOOL)))
        fitting = [v for v in self.values if v.dtype is dtype.compute]
        value = fitting[-1] if fitting else self.pick(dtype.compute)
        if combine and self.draw(st.integers(0, 5)) == 0:
            return self.combining_store(value)
        index = self.dimensions(axes_must)
        computed: tuple[int, ...] = ()
        if index and self.draw(st.integers(0, 4)) == 0:
            at, expression, size = self.permuted(index[-1])
            computed, index = (at.number,), [*index[:-1], expression]
            shape = (*self.shape_for(index[:-1]), size)
        else:
            shape = self.shape_for(index)
        parameter = self.kernel.parameter(shape, dtype, ParameterAccess.WRITE)
        predicate = self.condition().number if self.draw(st.integers(0, 3)) == 0 else None
        return Store(parameter, tuple(index), value.number, computed, predicate)

    def permuted(self, expression: IndexExpression) -> tuple[_Value, IndexExpression, int]:
        """A scatter that is one to one: the index times a unit, modulo its range."""
        size = value_range(expression, self.sizes)[1] + 1
        units = [n for n in range(1, size + 1) if math.gcd(n, size) == 1]
        factor = self.whole(self.draw(st.sampled_from(units)))
        product = self.emit(
            Apply(ElementwiseOp.MULTIPLY, (self.index(expression).number, factor.number)),
            DType.I32,
            size * size,
        )
        divisor = self.whole(size)
        numbers = (product.number, divisor.number)
        at = self.emit(Apply(ElementwiseOp.MODULO, numbers), DType.I32, size)
        return at, axis(len(self.axes)), size

    def combining_store(self, value: _Value) -> Store:
        """Writes that meet: a maximum, or a sum of whole numbers."""
        whole = value.dtype is not DType.F32
        op = self.draw(st.sampled_from(tuple(ReduceOp))) if whole else ReduceOp.MAXIMUM
        used = [n for n in range(len(self.axes)) if self.draw(st.booleans())]
        index = self.dimensions(used)
        dtype = DType.I32 if whole else DType.F32
        parameter = self.kernel.parameter(self.shape_for(index), dtype, ParameterAccess.UPDATE)
        predicate = self.condition().number if self.draw(st.booleans()) else None
        return Store(parameter, tuple(index), value.number, (), predicate, op)

    def update(self) -> Store:
        """Reads an element and writes it back changed."""
        index = tuple(self.dimensions(range(len(self.axes))))
        dtype = self.draw(st.sampled_from(FLOATS))
        parameter = self.kernel.parameter(self.shape_for(index), dtype, ParameterAccess.UPDATE)
        old = self._emit_load(Load(parameter, index), dtype)
        other = self.pick(DType.F32)
        new = self._apply(ElementwiseOp.ADD, old, other, bound=old.bound + other.bound)
        return Store(parameter, index, new.number)

    def some_stores(self, most: int, combine: bool = True) -> tuple[Store, ...]:
        everything = range(len(self.axes))
        found = [
            self.update() if self.draw(st.integers(0, 6)) == 0 else self.store(everything, combine)
            for _ in range(self.draw(st.integers(1, most)))
        ]
        return tuple(found)

    def gather_up(self, accumulators: Sequence[_Value]) -> None:
        """Adds the accumulators to the last real value, mostly, so that stores show them."""
        if self.draw(st.integers(0, 5)) == 0:
            return
        total = self.pick(DType.F32)
        for seen in accumulators:
            total = self._apply(ElementwiseOp.ADD, total, seen, bound=total.bound + seen.bound)

    def operand(self, dtype: DType) -> None:
        """Ends the body in an f32 that is exact in ``dtype``."""
        if self.draw(st.integers(0, 3)):
            self.load(dtype)
            return
        self.load(self.draw(st.sampled_from(FLOATS)))
        self.real_step()
        last = self.pick(DType.F32)
        if dtype is DType.F32:
            # The last instruction stands for the body.
            self._apply(ElementwiseOp.ADD, last, self.real(0.25), bound=last.bound + 0.25)
        else:
            self.convert(last, dtype)


def _kernel_name(draw: Draw, kind: str) -> str:
    return f"{kind}_{draw(st.integers(0, 99))}"


@st.composite
def pointwise_kernels(draw: Draw, largest: int = 9) -> Pointwise:
    """Pointwise kernels of up to four axes, each of up to ``largest``, and up to three stores."""
    kernel = _KernelBuilder(draw)
    builder = _BodyBuilder(kernel, kernel.axes(0, 4, largest))
    builder.mix(3, 6)
    found = builder.some_stores(3)
    return Pointwise(
        _kernel_name(draw, "pointwise"), tuple(kernel.parameters), builder.body(), found
    )


@st.composite
def row_reductions(draw: Draw, largest: int = 9, longest: int = 70) -> RowReduction:
    """Row reductions of up to three phases; rows of up to ``longest``, several axes a row."""
    kernel = _KernelBuilder(draw)
    rows = kernel.axes(0, 2, largest, 64)
    own = kernel.axes(1, 2, longest, 200)
    phases: list[Phase] = []
    accumulators: list[_Value] = []
    count = draw(st.integers(1, 3))
    for number in range(count):
        last = number == count - 1
        mine = draw(st.sampled_from(((), own, kernel.axes(1, 1, longest)))) if last else own
        builder = _BodyBuilder(kernel, rows + mine)
        earlier = [
            builder.emit(Accumulator(k), seen.dtype, seen.bound, seen.exact)
            for k, seen in enumerate(accumulators)
        ]
        builder.mix(2, 4)
        builder.gather_up(earlier)
        reductions = () if last else _reductions(draw, builder, accumulators, mine)
        found = builder.some_stores(2, combine=False) if last or draw(st.booleans()) else ()
        phases.append(Phase(builder.body(), reductions, found))
    return RowReduction(_kernel_name(draw, "rows"), tuple(kernel.parameters), rows, tuple(phases))


def _reductions(
    draw: Draw,
    builder: _BodyBuilder,
    accumulators: list[_Value],
    own: tuple[KernelAxis, ...],
) -> tuple[Reduction, ...]:
    found = []
    for _ in range(draw(st.integers(1, 2))):
        op = draw(st.sampled_from(tuple(ReduceOp)))
        value = builder.pick(draw(st.sampled_from((DType.F32, DType.F32, DType.I32))))
        points = math.prod(a.size for a in own) if op is ReduceOp.SUM else 1
        exact = value.exact and (op is ReduceOp.MAXIMUM or value.dtype is not DType.F32)
        found.append(Reduction(op, value.number))
        accumulators.append(replace(value, bound=value.bound * points, exact=exact))
    return tuple(found)


@st.composite
def gemms(draw: Draw, largest: int = 40, deepest: int = 70) -> Gemm:
    """Products with up to two axes of each kind and up to three right sides."""
    kernel = _KernelBuilder(draw)
    dtype = draw(st.sampled_from(FLOATS))
    batch = kernel.axes(0, 2, 3, 6)
    rows = kernel.axes(0, 2, largest, largest)
    columns = kernel.axes(0, 2, largest, largest)
    inner = kernel.axes(1, 3, deepest, deepest)
    left = _BodyBuilder(kernel, batch + rows + inner)
    left.operand(dtype)
    rights = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        right = _BodyBuilder(kernel, batch + columns + inner)
        right.operand(dtype)
        rights.append(right.body())
    epilogue = _BodyBuilder(kernel, batch + rows + columns)
    points = math.prod(a.size for a in inner)
    bound = 9.0 * math.sqrt(points) * 3
    products = [
        epilogue.emit(Accumulator(number), DType.F32, bound, False) for number in range(len(rights))
    ]
    epilogue.mix(2, 4)
    epilogue.gather_up(products)
    found = epilogue.some_stores(2, combine=False)
    return Gemm(
        _kernel_name(draw, "gemm"),
        tuple(kernel.parameters),
        batch,
        rows,
        columns,
        inner,
        left.body(),
        tuple(rights),
        dtype,
        epilogue.body(),
        found,
    )


@st.composite
def attentions(draw: Draw, longest: int = 40, deepest: int = 24) -> Attention:
    """Attention with scale, and a causal or padding mask or an additive bias or none."""
    kernel = _KernelBuilder(draw)
    dtype = draw(st.sampled_from(FLOATS))
    batch = kernel.axes(0, 2, 3, 6)
    queries = kernel.axes(1, 2, longest, longest)
    keys = kernel.axes(1, 2, longest, longest)
    inner = kernel.axes(1, 1, deepest)
    channels = kernel.axes(1, 1, deepest)
    sides = []
    for axes in (batch + queries + inner, batch + keys + inner, batch + keys + channels):
        side = _BodyBuilder(kernel, axes)
        side.operand(dtype)
        sides.append(side.body())
    score = _BodyBuilder(kernel, batch + queries + keys)
    _score(draw, score, len(batch), len(batch + queries))
    epilogue = _BodyBuilder(kernel, batch + queries + channels)
    result = epilogue.emit(Accumulator(0), DType.F32, _REAL_LIMIT, False)
    epilogue.mix(1, 3)
    epilogue.gather_up([result])
    found = epilogue.some_stores(2, combine=False)
    return Attention(
        _kernel_name(draw, "attention"),
        tuple(kernel.parameters),
        batch,
        queries,
        keys,
        inner,
        channels,
        sides[0],
        sides[1],
        score.body(),
        sides[2],
        dtype,
        epilogue.body(),
        found,
    )


def _score(draw: Draw, score: _BodyBuilder, query: int, key: int) -> None:
    raw = score.emit(Accumulator(0), DType.F32, 100, False)
    last = score._apply(ElementwiseOp.MULTIPLY, raw, score.real(0.125), bound=12)
    kind = draw(st.sampled_from(("none", "bias", "causal", "padding")))
    if kind == "bias":
        bias = score.load(draw(st.sampled_from(FLOATS)))
        score._apply(ElementwiseOp.ADD, last, bias, bound=15)
    if kind in ("causal", "padding"):
        # Key 0 is always seen, so no row is empty.
        at = score.index(axis(key))
        limit = (
            score.index(axis(query)) if kind == "causal" else score.whole(draw(st.integers(0, 9)))
        )
        hidden = score.less(limit, at)
        masked = score.real(-math.inf)
        numbers = (hidden.number, masked.number, last.number)
        score.emit(Apply(ElementwiseOp.SELECT, numbers), DType.F32, 12, False)


def kernels() -> st.SearchStrategy[Kernel]:
    """Kernels of every kind."""
    return st.one_of(pointwise_kernels(), row_reductions(), gemms(), attentions())


def random_arrays(kernel: Kernel, seed: int, tail: int = 0) -> list[npt.NDArray[Any]]:
    """Data for ``kernel``: a flat array per parameter, ``tail`` elements longer than it extends.

    What a parameter can't reach, and what is only written, is poisoned (NaN). Reals are between -3
    and 3 and whole numbers between 0 and 3.
    """
    generator = np.random.default_rng(seed)
    return [_random_array(parameter, generator, tail) for parameter in kernel.parameters]


def _random_array(
    parameter: Parameter, generator: np.random.Generator, tail: int
) -> npt.NDArray[Any]:
    array = poisoned(extent(parameter) + tail, parameter.dtype)
    if parameter.access is ParameterAccess.WRITE:
        return array
    shape = parameter.shape
    if parameter.dtype.is_float:
        values = generator.standard_normal(shape).clip(-_REAL_LIMIT, _REAL_LIMIT)
    else:
        values = generator.integers(0, 2 if parameter.dtype is DType.BOOL else WHOLE_LIMIT, shape)
    steps = [stride * array.itemsize for stride in parameter.strides]
    np.lib.stride_tricks.as_strided(array, shape, steps)[...] = values.astype(array.dtype)
    return array
