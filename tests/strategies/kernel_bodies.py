"""Random code of kernels, instruction by instruction: reads, arithmetic and stores of all kinds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Store,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]

FLOATS = (DType.F32, DType.BF16, DType.F16)
STORED = (*FLOATS, DType.I32, DType.U8, DType.BOOL)

# Names a spec may carry: keywords and odd signs must not reach the source as they are.
_NAMES = ("x", "weight", "int", "größe", "a b", "*/", "__global__", "q'", "p0", "class")

# Loaded whole numbers are below this, so any axis this long can be indexed by them.
WHOLE_LIMIT = 4
REAL_LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of a value: its type, a bound of its size, and whether it has no rounding."""

    number: int
    dtype: DType
    bound: float
    exact: bool


@dataclass(slots=True)
class KernelBuilder:
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
class BodyBuilder:
    """Writes the instructions of one body."""

    kernel: KernelBuilder
    axes: tuple[KernelAxis, ...]
    instructions: list[Instruction] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

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
    ) -> Value:
        self.instructions.append(instruction)
        self.values.append(Value(len(self.values), dtype, bound, exact))
        return self.values[-1]

    # ------------------------------------------------------------------------------- small pieces

    def whole(self, value: int) -> Value:
        return self.emit(Literal(value, DType.I32), DType.I32, abs(value))

    def real(self, value: float) -> Value:
        return self.emit(Literal(value, DType.F32), DType.F32, abs(value))

    def index(self, expression: IndexExpression) -> Value:
        low, high = value_range(expression, self.sizes)
        return self.emit(IndexOf(expression), DType.I32, max(abs(low), abs(high)))

    def less(self, left: Value, right: Value) -> Value:
        return self.emit(Apply(ElementwiseOp.LESS_THAN, (left.number, right.number)), DType.BOOL, 1)

    def both(self, left: Value | None, right: Value) -> Value:
        if left is None:
            return right
        operands = (left.number, right.number)
        return self.emit(Apply(ElementwiseOp.MULTIPLY, operands), DType.BOOL, 1)

    def convert(self, value: Value, dtype: DType) -> Value:
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

    def guard(self, expression: IndexExpression, size: int) -> Value:
        """Whether the index is in bounds."""
        value = self.index(expression)
        low = self.less(self.whole(-1), value)
        return self.both(low, self.less(value, self.whole(size)))

    # --------------------------------------------------------------------------------------- loads

    def load(self, dtype: DType) -> Value:
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

    def _emit_load(self, load: Load, dtype: DType) -> Value:
        bound = {DType.BOOL: 1.0}.get(dtype, REAL_LIMIT if dtype.is_float else WHOLE_LIMIT)
        return self.emit(load, dtype.compute, bound)

    def window_load(self, dtype: DType, index: list[IndexExpression]) -> Value:
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

    def computed_load(self, dtype: DType, used: Sequence[int]) -> Value:
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

    def pick(self, dtype: DType, exact: bool = False) -> Value:
        """An earlier value of this type, more often a late one, or a new literal."""
        fitting = [v for v in self.values if v.dtype is dtype and (v.exact or not exact)]
        if fitting and self.draw(st.integers(0, 7)):
            late = fitting[-2:] if self.draw(st.booleans()) else fitting
            chosen: Value = self.draw(st.sampled_from(late))
            return chosen
        match dtype:
            case DType.F32:
                return self.real(self.draw(st.sampled_from((0.0, 1.0, -0.5, 0.1, 3.25, 1e-6))))
            case DType.I32:
                return self.whole(self.draw(st.integers(-3, 7)))
            case _:
                return self.less(self.pick(DType.I32), self.whole(self.draw(st.integers(0, 3))))

    def real_step(self) -> Value:
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

    def _apply(self, op: ElementwiseOp, *operands: Value, bound: float) -> Value:
        numbers = tuple(v.number for v in operands)
        return self.emit(Apply(op, numbers), DType.F32, bound, False)

    def condition(self) -> Value:
        dtype = self.draw(st.sampled_from((DType.F32, DType.I32, DType.BOOL)))
        if dtype is DType.BOOL:
            return self.pick(DType.BOOL)
        return self.less(self.pick(dtype, exact=True), self.pick(dtype, exact=True))

    def unary(self, x: Value) -> Value:
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

    def whole_step(self) -> Value:
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

    def permuted(self, expression: IndexExpression) -> tuple[Value, IndexExpression, int]:
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

    def combining_store(self, value: Value) -> Store:
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

    def gather_up(self, accumulators: Sequence[Value]) -> None:
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
