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
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from tests.strategies.spec_expressions import (
    LARGEST_BOUND,
    REALS,
    SIZES,
    Array,
    Expression,
    ExpressionAuthor,
    Tensor,
)

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


class Author(ExpressionAuthor):
    """Writes a stage, statement by statement."""

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
