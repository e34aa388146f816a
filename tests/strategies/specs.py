"""Random small specs with data: every primitive, odd sizes, and all ways to read and to write.

``cases()`` gives well-typed specs, each one stage with inputs and weights. Values stay of moderate
size. Comparisons, cuts to whole numbers and storage in narrow types are only of values that every
implementation computes exactly (inputs, and what is picked from them), so that another order of
summation can't flip a branch and a small tolerance holds; ``narrow=True`` stores computed values in
bf16 and f16 too, for which a tolerance of 2e-2 holds.
"""

from __future__ import annotations

import functools
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
    WHOLES,
    Array,
    Expression,
    Indices,
    Tensor,
)
from tests.strategies.spec_rows import RowAuthor

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
        return elaborated(self.text)


@functools.lru_cache(maxsize=64)
def elaborated(text: str) -> TensorProgram:
    """The tensor program of a spec's only stage."""
    return elaborate(load_text("random", text), STAGE)


class Author(RowAuthor):
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
            self.counted,
            self.softmax,
            self.attention,
            self.attention,
            self.attention,
            self.gathered,
            self.gathered,
            self.joined,
            self.interleaved,
            self.merged,
            self.written,
            self.written,
            self.versions,
            self.norm,
        )
        self.line += 1
        self.pick(kinds)()

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

    def gathered(self) -> None:
        """A tensor read at places that an input gives, or that are computed from it."""
        base = self.pick([t for t in self.tensors if t.sizes and t.kind != "condition"])
        computed = min(len(base.sizes), self.pick([1, 1, 2]))
        sizes = (self.pick(self.pool), *base.sizes[computed:])
        first, *rest = self.indices(sizes)
        places = []
        for size in base.sizes[:computed]:
            ids = self.leaf(self.pick(WHOLES), sizes[:1], size, "whole")
            places.append(f"{ids.name}[{first}]")
        outside = ""
        match self.whole(0, 3):
            case 0:
                places[0], outside = f"{places[0]} - 1", " else 0"
            case 1:
                places[0] = f"({places[0]} + {first}) % {base.sizes[0]}"
        name = self.name()
        self.body.append(
            f"{name}{self.left(sizes)} = {base.name}[{', '.join([*places, *rest])}{outside}]"
        )
        self.add(Tensor(name, sizes, base.kind, base.bound, base.exact))

    def written(self) -> None:
        """A write at computed places: distinct ones, or ones that meet or lie outside."""
        sizes, places = self.shape(2), (self.whole(1, 20), *self.pick([(), (), (3,)]))
        kind = self.pick(["real", "real", "whole"])
        value, bound = self.value(kind, self.indices(sizes))
        operator = self.pick(["", "sum", "max"])
        if operator == "":
            places = (max(places[0], sizes[0]), *places[1:])
        first, *rest = self.indices(sizes)
        reduced = f"{operator}[{first}] " if operator else ""
        name = self.name()
        other = self.pick(["0", "1", "2"] if kind == "whole" else ["0", "-1.5", "2"])
        # Places that differ along the first axis are distinct.
        computed = [
            f"{self.places(sizes[0], size, distinct=not (operator or axis))}[{first}]: {size}"
            for axis, size in enumerate(places)
        ]
        stated = [f"{name}: {size}" for name, size in zip(rest, sizes[1:], strict=True)]
        self.body.append(
            f"{name}[{', '.join([*computed, *stated])}] = {reduced}({value}) else {other}"
        )
        result = (*places, *sizes[1:])
        bound = bound * (sizes[0] if operator == "sum" else 1) + 2
        self.add(Tensor(name, result, kind, bound, kind == "whole"))
        if kind == "real" and bound > LARGEST_BOUND:
            self.line += 1
            read = f"{name}[{', '.join(self.indices(result))}]"
            self.define(result, Expression(read, bound))

    def value(self, kind: str, indices: Indices) -> tuple[str, float]:
        """A short expression of a kind, and its bound."""
        if kind == "whole":
            return self.whole_number(indices, 1)
        value = self.real(indices, 1)
        return value.text, value.bound

    def places(self, count: int, size: int, *, distinct: bool) -> str:
        """An input of places along an axis: distinct ones, or ones that meet or lie outside."""
        name = self.name("x")
        dtype = self.pick([DType.I32, DType.I64])
        self.signature.append(f"{name}: {dtype}[{count}]")
        self.makers[name] = _places(dtype, count, size, distinct=distinct)
        return name

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
    program = elaborated(text)
    return Case(
        text,
        {name: arrays[name] for name in _leaf_names(program, program.inputs)},
        {name: arrays[name] for name in _leaf_names(program, program.weights)},
        arrays,
    )


def _leaf_names(program: TensorProgram, numbers: Sequence[int]) -> list[str]:
    nodes = (program.nodes[number] for number in numbers)
    return [node.name for node in nodes if isinstance(node, Input | Weight)]
