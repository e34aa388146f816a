"""Random small specs with data: every primitive, odd sizes, and all ways to read and to write.

``cases()`` gives well-typed specs, each one stage with inputs and weights. Values stay of moderate
size. Comparisons, cuts to whole numbers and storage in narrow types are only of values that every
implementation computes exactly (inputs, and what is picked from them), so that another order of
summation can't flip a branch and a small tolerance holds; ``narrow=True`` stores computed values in
bf16 and f16 too, for which a tolerance of 2e-2 holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Input, TensorProgram, Weight

Array = npt.NDArray[Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33)
REALS = (DType.F32, DType.BF16, DType.F16)
WHOLES = (DType.I32, DType.I64, DType.U8)
LARGEST_TENSOR = 3_000
LARGEST_BOUND = 60.0
STAGE = "main"


@dataclass(frozen=True)
class Case:
    """A spec with data for its stage, called ``STAGE``."""

    text: str
    inputs: dict[str, Array]
    weights: dict[str, Array]
    """Those that an output needs."""
    arrays: dict[str, Array]
    """All inputs and weights, needed or not."""

    def program(self) -> TensorProgram:
        """The tensor program."""
        return elaborate(load_text("random", self.text), STAGE)


@dataclass(frozen=True)
class Tensor:
    """Something that the text has defined. Real values lie within ± ``bound``."""

    name: str
    sizes: tuple[int, ...]
    kind: str
    """``real``, ``whole`` (0 ≤ value < bound), or ``condition``."""
    bound: float
    exact: bool
    """True if every implementation gets the very same values."""


@dataclass(frozen=True)
class Expression:
    """A number in the text. ``loose`` means that an operator stands outermost."""

    text: str
    bound: float
    exact: bool = False

    @property
    def tight(self) -> str:
        return f"({self.text})"


Indices = dict[str, int]
"""Index names that can be used, with their sizes."""

LETTERS = "abcdefgh"


@dataclass
class Author:
    """Writes one spec, statement by statement."""

    draw: Draw
    narrow: bool
    sizes: Sequence[int] = SIZES
    tensors: list[Tensor] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    weights: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    makers: dict[str, Callable[[np.random.Generator], Array]] = field(default_factory=dict)
    pool: list[int] = field(default_factory=list)
    count: int = 0
    line: int = 0
    """Part of every index name: sizes that are stated once hold for the whole stage."""

    # --- choices

    def whole(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def chance(self, percent: int) -> bool:
        return self.whole(1, 100) <= percent

    def pick(self, items: Sequence[Any]) -> Any:
        return items[self.whole(0, len(items) - 1)]

    def name(self, start: str = "t") -> str:
        self.count += 1
        return f"{start}{self.count}"

    def indices(self, sizes: Sequence[int]) -> Indices:
        """The indices of the statement at hand."""
        return {f"{LETTERS[k]}{self.line}": size for k, size in enumerate(sizes)}

    def left(self, sizes: Sequence[int]) -> str:
        """``[a1: 3, b1: 4]``: the indices of the statement at hand, on the left."""
        return f"[{', '.join(f'{name}: {size}' for name, size in self.indices(sizes).items())}]"

    def shape(self, most: int = 3) -> tuple[int, ...]:
        sizes: list[int] = []
        for _ in range(self.whole(1, most)):
            size = self.pick(self.pool)
            if math.prod(sizes) * size <= LARGEST_TENSOR:
                sizes.append(size)
        return tuple(sizes) or (1,)

    # --- leaves

    def leaf(self, dtype: DType, sizes: tuple[int, ...], bound: float, kind: str) -> Tensor:
        """An input, or now and then a weight."""
        is_weight = dtype in REALS and self.chance(40)
        name = self.name("w" if is_weight else "x")
        shape = f"[{', '.join(map(str, sizes))}]" if sizes else ""
        if is_weight:
            self.weights.append(f'weight {name}: {dtype}{shape} = "model.{name}"')
        else:
            self.signature.append(f"{name}: {dtype}{shape}")
        self.makers[f"model.{name}" if is_weight else name] = _maker(dtype, sizes, bound, kind)
        return self.add(Tensor(name, sizes, kind, bound, True))

    def add(self, tensor: Tensor) -> Tensor:
        self.tensors.append(tensor)
        return tensor

    def leaves(self) -> None:
        self.pool = [self.pick(self.sizes) for _ in range(self.whole(2, 4))]
        for _ in range(self.whole(2, 3)):
            self.leaf(self.pick(REALS), self.shape(), 2.0, "real")
        if self.chance(75):
            self.leaf(self.pick(WHOLES), self.shape(2), self.whole(1, 20), "whole")
        if self.chance(40):
            self.leaf(DType.BOOL, self.shape(2), 2, "condition")
        if self.chance(20):
            self.leaf(DType.F32, (), 2.0, "real")

    # --- reading

    def read(self, tensor: Tensor, indices: Indices) -> str:
        """``tensor`` read somewhere inside, or with a value for outside."""
        if not tensor.sizes:
            return tensor.name
        guards = tensor.kind != "condition" and self.chance(20)
        subscripts = [self.subscript(size, indices, guards) for size in tensor.sizes]
        outside = " else 0" if guards else ""
        return f"{tensor.name}[{', '.join(subscripts)}{outside}]"

    def subscript(self, size: int, indices: Indices, may_leave: bool) -> str:
        options = [str(self.whole(0, size - 1))]
        for name, extent in indices.items():
            options += self.views(size, name, extent, may_leave)
        return str(self.pick(options[1:] if len(options) > 1 and self.chance(90) else options))

    def views(self, size: int, name: str, extent: int, may_leave: bool) -> list[str]:
        """Index expressions of an index that stay inside an axis, or may leave it."""
        options = []
        if extent == size:
            options += [name, name, f"{size - 1} - {name}"]
        if extent < size:
            options += [f"0 + {name}", f"{name} + {size - extent}"]
        if 2 * (extent - 1) < size:
            options.append(f"2*{name}")
        if extent > size:
            options += [f"{name} % {size}", f"{name} // {-(-extent // size)}"]
        if may_leave:
            options += [f"{name} - 1", f"2*{name} - {self.whole(0, 3)}", f"{size} - {name}"]
        others = [w for w in self.tensors if w.kind == "whole" and w.bound <= size and w.sizes]
        fitting = [w for w in others if w.sizes == (extent,)]
        if fitting:
            options.append(f"{self.pick(fitting).name}[{name}]")
        return options

    # --- expressions

    def real(self, indices: Indices, depth: int) -> Expression:
        if depth == 0 or self.chance(25):
            return self.atom(indices)
        x = self.real(indices, depth - 1)
        match self.whole(0, 9):
            case 0 | 1:
                y = self.real(indices, depth - 1)
                operator = self.pick("+-")
                return Expression(f"{x.text} {operator} {y.tight}", x.bound + y.bound)
            case 2 | 3:
                y = self.real(indices, depth - 1)
                return Expression(f"{x.tight} * {y.tight}", x.bound * y.bound)
            case 4:
                y = self.real(indices, depth - 1)
                return Expression(f"{x.tight} / (1.5 + {y.tight}^2)", x.bound)
            case 5:
                y = self.real(indices, depth - 1)
                return Expression(f"max({x.text}, {y.text})", max(x.bound, y.bound))
            case 6 | 7:
                return self.function(x)
            case 8:
                return self.choice(indices, depth, x)
            case _:
                if not self.narrow and not x.exact:
                    return x
                return Expression(f"({x.text} as {self.pick(REALS)})", x.bound, x.exact)

    def function(self, x: Expression) -> Expression:
        match self.whole(0, 3):
            case 0:
                return Expression(f"sqrt({x.tight}^2 + 0.25)", x.bound + 1)
            case 1:
                return Expression(f"exp2(sin({x.text}))", 2.0)
            case 2:
                return Expression(f"log2({x.tight}^2 + 0.5)", math.log2(x.bound**2 + 0.5) + 1)
            case _:
                return Expression(f"sin({x.text})", 1.0)

    def choice(self, indices: Indices, depth: int, x: Expression) -> Expression:
        y = self.real(indices, depth - 1)
        condition = self.condition(indices)
        bound = max(x.bound, y.bound)
        text = f"if {condition} then {x.text} else {y.text}"
        return Expression(f"({text})", bound, x.exact and y.exact)

    def atom(self, indices: Indices) -> Expression:
        reals = [t for t in self.tensors if t.kind == "real" and t.bound <= LARGEST_BOUND]
        if self.chance(80):
            tensor = self.pick(reals)
            return Expression(self.read(tensor, indices), tensor.bound, tensor.exact)
        if self.chance(40):
            whole, bound = self.whole_number(indices, 1)
            return Expression(f"{whole} / 8", bound / 8)
        if indices and self.chance(50):
            name = self.pick(list(indices))
            return Expression(f"{name}/4", indices[name] / 4)
        value = self.pick([0.0, 1.0, -1.0, 0.5, 2, -3, 1.25])
        return Expression(f"({value})", abs(value), True)

    def whole_number(self, indices: Indices, depth: int) -> tuple[str, int]:
        """A whole number that is not negative, and a bound for it."""
        wholes = [t for t in self.tensors if t.kind == "whole" and t.bound <= 1_000]
        if depth > 0 and self.chance(60):
            (x, bound), (y, other) = (self.whole_number(indices, depth - 1) for _ in range(2))
            k = self.whole(1, 7)
            match self.whole(0, 5):
                case 0:
                    return f"({x} + {y})", bound + other
                case 1 if bound * other <= 10_000:
                    return f"{x} * {y}", bound * other
                case 2:
                    return f"{x} // {k}", bound
                case 3:
                    return f"({x}) % {k}", k
                case 4:
                    return f"max({x}, {y})", max(bound, other)
                case _:
                    return f"({x}) // (1 + ({y}) % {k})", bound
        if wholes and self.chance(85):
            tensor = self.pick(wholes)
            return self.read(tensor, indices), int(tensor.bound)
        if indices and self.chance(80):
            name = self.pick(list(indices))
            return f"{name}", indices[name]
        value = self.whole(0, 9)
        return str(value), value + 1

    def condition(self, indices: Indices, depth: int = 1) -> str:
        """A comparison of exactly known values."""
        if depth > 0 and self.chance(40):
            x, y = self.condition(indices, depth - 1), self.condition(indices, depth - 1)
            return str(self.pick([f"({x}) and ({y})", f"({x}) or ({y})", f"not ({x})"]))
        stored = [t for t in self.tensors if t.kind == "condition"]
        exact = [t for t in self.tensors if t.kind == "real" and t.exact]
        x, y = self.whole_number(indices, 1)[0], self.whole_number(indices, 0)[0]
        operator = self.pick(["<", "<=", ">", ">=", "==", "!="])
        match self.whole(0, 4):
            case 0:
                return f"({x} as bool)"
            case 1 if stored:
                return self.read(self.pick(stored), indices)
            case 2 | 3 if exact:
                number = self.pick(["0", "0.5", "-1"])
                return f"{self.read(self.pick(exact), indices)} {operator} {number}"
            case _:
                return f"{x} {operator} {y}"

    # --- statements

    def statement(self) -> None:
        kinds = (
            self.elementwise,
            self.elementwise,
            self.whole_tensor,
            self.whole_tensor,
            self.condition_tensor,
            self.product,
            self.window,
            self.reduction,
            self.reduction,
            self.softmax,
            self.joined,
            self.interleaved,
            self.merged,
            self.written,
            self.versions,
            self.norm,
        )
        self.line += 1
        self.pick(kinds)()

    def define(
        self, sizes: Sequence[int], value: Expression, stored: str = "", left: str | None = None
    ) -> Tensor:
        """A statement that defines a real tensor; large values are divided down."""
        name = self.name()
        text, bound = value.text, value.bound
        if bound > LARGEST_BOUND:
            factor = 2.0 ** -math.ceil(math.log2(bound / 4))
            text, bound = f"({text}) * {factor!r}", bound * factor
        exact = value.exact and text == value.text
        self.body.append(f"{name}{left or self.left(sizes)}{stored} = {text}")
        return self.add(Tensor(name, tuple(sizes), "real", bound, exact))

    def storage(self, value: Expression) -> str:
        if self.chance(30) and (self.narrow or value.exact):
            return f" as {self.pick(REALS)}"
        return ""

    def elementwise(self) -> None:
        sizes = self.shape()
        value = self.real(self.indices(sizes), self.whole(1, 3))
        self.define(sizes, value, self.storage(value))

    def whole_tensor(self) -> None:
        sizes = self.shape(2)
        text, bound = self.whole_number(self.indices(sizes), 2)
        if self.chance(30):
            exact = [t for t in self.tensors if t.kind == "real" and t.exact and t.bound <= 8]
            if exact:
                tensor = self.pick(exact)
                cut = f"(4*{self.read(tensor, self.indices(sizes))} as i32)"
                text, bound = f"max({cut}, 0)", int(4 * tensor.bound) + 1
        name = self.name()
        self.body.append(f"{name}{self.left(sizes)} = {text}")
        self.add(Tensor(name, sizes, "whole", bound, True))

    def condition_tensor(self) -> None:
        sizes = self.shape(2)
        name = self.name()
        self.body.append(f"{name}{self.left(sizes)} = {self.condition(self.indices(sizes))}")
        self.add(Tensor(name, sizes, "condition", 2, True))

    def product(self) -> None:
        """A sum of products over an axis of one operand, as matrix products are."""
        left = self.matrix()
        columns, inner = self.pick(self.pool), left.sizes[-1]
        shape = self.pick([(columns, inner), (inner, columns)])
        right = self.leaf(self.pick(REALS), shape, 2.0, "real")
        rows = list(self.indices(left.sizes[:-1]))
        read = "o, k" if shape[0] == columns and shape[1] == inner else "k, o"
        sizes = (*left.sizes[:-1], columns)
        value = f"sum[k] {left.name}[{', '.join([*rows, 'k'])}] * {right.name}[{read}]"
        places = ", ".join([*(f"{n}: {s}" for n, s in zip(rows, sizes, strict=False)), "o"])
        bound = left.bound * right.bound * inner
        expression = Expression(value, bound)
        self.define(sizes, expression, self.storage(expression), f"[{places}]")

    def matrix(self) -> Tensor:
        found = [t for t in self.tensors if t.kind == "real" and len(t.sizes) >= 2]
        fitting = [t for t in found if t.bound <= LARGEST_BOUND]
        shape = (self.pick(self.pool), self.pick(self.pool))
        return self.pick(fitting) if fitting else self.leaf(DType.F32, shape, 2.0, "real")

    def window(self) -> None:
        """A convolution along one or two axes, padded by its ``else``."""
        x = self.leaf(
            self.pick(REALS), (self.whole(1, 5), self.whole(1, 9), self.whole(1, 9)), 2, "real"
        )
        channels, height, width = x.sizes
        out, size, step = self.whole(1, 6), self.pick([1, 2, 3]), self.pick([1, 1, 2])
        w = self.leaf(self.pick(REALS), (out, channels, size, size), 1.0, "real")
        sizes = (out, -(-height // step), -(-width // step))
        o, r, s = self.indices(sizes)
        at = f"{step}*{r} + i - {size // 2}, {step}*{s} + j - {size // 2}"
        value = f"sum[c, i, j] {w.name}[{o}, c, i, j] * {x.name}[c, {at} else 0]"
        left = self.left(sizes)
        bound = x.bound * channels * size**2
        self.define(sizes, Expression(value, bound), "", left)

    def reduction(self) -> None:
        """A sum or maximum over one or two axes of an expression."""
        sizes = self.shape(2)
        reduced = self.shape(2)
        indices = self.indices(sizes)
        inner = {f"r{k}": size for k, size in enumerate(reduced)}
        value = self.real(indices | inner, 2)
        # An index that is reduced must occur.
        for name, size in inner.items():
            value = Expression(f"{value.text} + {name}/{size}", value.bound + 1)
        axes = ", ".join(f"{name}: {size}" for name, size in inner.items())
        operator = self.pick(["sum", "max"])
        bound = value.bound * (math.prod(reduced) if operator == "sum" else 1)
        self.define(sizes, Expression(f"{operator}[{axes}] {value.tight}", bound))

    def softmax(self) -> None:
        """Rows of weights that sum to one, under a causal mask."""
        x = self.matrix()
        outer = x.sizes[:-1]
        rows = self.indices(outer)
        score, peak, part, total = (self.name() for _ in range(4))
        left = self.left(outer)[1:-1]
        names = ", ".join(rows)
        seen = f"s <= {list(rows)[-1]}" if self.chance(60) else "s % 3 != 1"
        self.body += [
            f"{score}[{left}, s] = if {seen} then {x.name}[{names}, s] else -inf",
            f"{peak}[{names}] = max[s] {score}[{names}, s]",
            f"{part}[{names}, s] = exp2({score}[{names}, s] - {peak}[{names}])",
            f"{total}[{names}] = sum[s] {part}[{names}, s]",
        ]
        value = f"{part}[{names}, s] / {total}[{names}]"
        self.define(x.sizes, Expression(value, 1.0), "", f"[{left}, s]")

    def norm(self) -> None:
        """A definition for one row, called for every row."""
        x = self.matrix()
        rows = x.sizes[:-1]
        name = self.name()
        read = f"{x.name}[{', '.join(self.indices(rows))}]"
        self.body.append(f"{name}{self.left(rows)} = normed({read}, 0.5)")
        self.add(Tensor(name, x.sizes, "real", math.sqrt(x.sizes[-1]) + 1, False))

    def pieces(
        self,
        sizes: tuple[int, ...],
        lefts: Sequence[tuple[Callable[..., str], tuple[int, ...]]],
    ) -> None:
        """One line for each piece: the places for its indices, and the sizes of these."""
        name = self.name()
        bound, exact = 0.0, True
        for places, extents in lefts:
            self.line += 1
            value = self.real(self.indices(extents), 1)
            inner = self.name("p")
            self.body.append(f"{inner}{self.left(extents)} = {value.text}")
            names = list(self.indices(extents))
            self.body.append(f"{name}[{places(*names)}] = {inner}[{', '.join(names)}]")
            bound, exact = max(bound, value.bound), exact and value.exact
        self.add(Tensor(name, sizes, "real", bound, exact))

    def joined(self) -> None:
        first, second = self.shape(2), self.pick(self.pool)
        lefts = [
            (lambda *names: ", ".join(names), first),
            (
                lambda *names: ", ".join([f"{first[0]} + {names[0]}", *names[1:]]),
                (second, *first[1:]),
            ),
        ]
        self.pieces((first[0] + second, *first[1:]), lefts)

    def interleaved(self) -> None:
        sizes = self.shape(2)
        lefts = [
            (lambda *names: ", ".join([f"2*{names[0]}", *names[1:]]), sizes),
            (lambda *names: ", ".join([f"2*{names[0]} + 1", *names[1:]]), sizes),
        ]
        self.pieces((2 * sizes[0], *sizes[1:]), lefts)

    def merged(self) -> None:
        rows, columns = self.pick(self.pool), self.pick(self.pool)
        lefts = [(lambda row, column: f"{row}*{columns} + {column}", (rows, columns))]
        self.pieces((rows * columns,), lefts)

    def written(self) -> None:
        """A write at computed places: distinct ones, or ones that meet or lie outside."""
        sizes, places = self.shape(2), self.whole(1, 20)
        value = self.real(self.indices(sizes), 1)
        operator = self.pick(["", "sum", "max"])
        if operator == "":
            places = max(places, sizes[0])
        at = self.name("x")
        dtype = self.pick([DType.I32, DType.I64])
        self.signature.append(f"{at}: {dtype}[{sizes[0]}]")
        self.makers[at] = _places(dtype, sizes[0], places, distinct=operator == "")
        first, *rest = self.indices(sizes)
        reduced = f"{operator}[{first}] " if operator else ""
        name = self.name()
        other = self.pick(["0", "-1.5", "2"])
        right = f"{reduced}{value.tight if operator else value.text}"
        stated = [f"{name}: {size}" for name, size in zip(rest, sizes[1:], strict=True)]
        left = ", ".join([f"{at}[{first}]: {places}", *stated])
        self.body.append(f"{name}[{left}] = {right} else {other}")
        result = (places, *sizes[1:])
        bound = value.bound * (sizes[0] if operator == "sum" else 1) + 2
        self.add(Tensor(name, result, "real", bound, False))
        if bound > LARGEST_BOUND:
            self.line += 1
            read = f"{name}[{', '.join(self.indices(result))}]"
            self.define(result, Expression(read, bound))

    def versions(self) -> None:
        """A few rounds of one step."""
        x = self.matrix()
        at = ", ".join(self.indices(x.sizes))
        v = self.name("v")
        rounds = self.whole(1, 3)
        self.body += [
            f"{v}{{0}} = {x.name}",
            f"for n < {rounds}:",
            f"    {v}{{n+1}}[{at}] = sin({v}{{n}}[{at}]) + n",
        ]
        self.define(x.sizes, Expression(f"{v}{{{rounds}}}[{at}]", 1.0 + rounds), "", f"[{at}]")

    # --- the whole

    def text(self) -> str:
        made = self.tensors[-self.whole(1, min(3, len(self.tensors))) :]
        outputs: list[str] = []
        for position, tensor in enumerate(made):
            name = f"y{position}"
            self.body.append(f"{name} = {tensor.name}")
            shape = f"[{', '.join(map(str, tensor.sizes))}]" if tensor.sizes else ""
            outputs.append(f"{name}: {self.stored(tensor)}{shape}")
        lines = [*self.weights, *self.body]
        head = f"stage {STAGE}({', '.join(self.signature)}) -> {', '.join(outputs)}:"
        return DEFINITIONS + head + "\n" + "".join(f"    {line}\n" for line in lines)

    def stored(self, tensor: Tensor) -> DType:
        match tensor.kind:
            case "condition":
                return DType.BOOL
            case "whole":
                small = [DType.U8] if tensor.bound <= 256 else []
                return DType(self.pick([DType.I32, DType.I64, *small]))
            case _:
                return DType(self.pick(REALS)) if self.narrow or tensor.exact else DType.F32


DEFINITIONS = """\
def normed(x[i], eps) -> y:
    mean     = sum[j] x[j] / |i|
    variance = sum[j] (x[j] - mean)^2 / |i|
    y[i]     = (x[i] - mean) / sqrt(variance + eps)

"""


def _maker(
    dtype: DType, sizes: tuple[int, ...], bound: float, kind: str
) -> Callable[[np.random.Generator], Array]:
    def make(generator: np.random.Generator) -> Array:
        if kind == "real":
            return generator.uniform(-bound, bound, sizes).astype(np.float32).astype(dtype.numpy)
        return generator.integers(0, int(bound), sizes).astype(dtype.numpy)

    return make


def _places(
    dtype: DType, count: int, places: int, *, distinct: bool
) -> Callable[[np.random.Generator], Array]:
    def make(generator: np.random.Generator) -> Array:
        if distinct:
            return generator.permutation(places)[:count].astype(dtype.numpy)
        return generator.integers(-1, places + 1, count).astype(dtype.numpy)

    return make


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    narrow: bool = False,
    statements: int = 5,
    sizes: Sequence[int] = SIZES,
) -> Case:
    """A random spec of up to so many statements, most axes of the given sizes, with random data."""
    author = Author(draw, narrow, sizes)
    author.leaves()
    for _ in range(author.whole(1, statements)):
        author.statement()
    text = author.text()
    generator = np.random.default_rng(author.whole(0, 2**32 - 1))
    arrays = {name: make(generator) for name, make in author.makers.items()}
    program = elaborate(load_text("random", text), STAGE)
    return Case(
        text,
        {name: arrays[name] for name in _leaf_names(program, program.inputs)},
        {name: arrays[name] for name in _leaf_names(program, program.weights)},
        arrays,
    )


def _leaf_names(program: TensorProgram, numbers: Sequence[int]) -> list[str]:
    nodes = (program.nodes[number] for number in numbers)
    return [node.name for node in nodes if isinstance(node, Input | Weight)]
