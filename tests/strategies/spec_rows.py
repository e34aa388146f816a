"""Random statements along axes: products, convolutions, reductions, softmax, attention."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from lumc.dsl.dtypes import DType
from tests.strategies.spec_expressions import (
    LARGEST_BOUND,
    REALS,
    Array,
    Expression,
    ExpressionAuthor,
    Tensor,
)


class RowAuthor(ExpressionAuthor):
    """Writes statements that reduce, and defines tensors."""

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
        """A sum or maximum over one to three axes of an expression."""
        sizes = self.shape(2)
        reduced = self.shape(3)
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

    def counted(self) -> None:
        """A sum or maximum of whole numbers."""
        sizes, size = self.shape(2), self.pick(self.pool)
        text, bound = self.whole_number(self.indices(sizes) | {"r0": size}, 1)
        # An index that is reduced must occur.
        operator, name = self.pick(["sum", "max"]), self.name()
        self.body.append(f"{name}{self.left(sizes)} = {operator}[r0: {size}] ({text} + r0)")
        most = (bound + size) * (size if operator == "sum" else 1)
        self.add(Tensor(name, sizes, "whole", most, True))

    def softmax(self) -> None:
        """Rows of weights that sum to one, under a mask."""
        x = self.matrix()
        outer = x.sizes[:-1]
        names = ", ".join(self.indices(outer))
        row, columns = list(self.indices(outer))[-1], x.sizes[-1]
        score = self.masked(f"{x.name}[{names}, s]", row, columns)
        self.define(x.sizes, self.normalised(score, outer), "", f"[{self.left(outer)[1:-1]}, s]")

    def attention(self) -> None:
        """Values weighed by how queries fit keys, a few heads of queries to each of keys."""
        heads, group = self.whole(1, 3), self.whole(1, 2)
        queries, width = self.pick(self.pool), self.pick(self.pool)
        # Keys of whole chunks can be streamed.
        keys, depth = self.pick([*self.pool, 40, 64]), self.pick([*self.pool, 16, 64, 128])
        # Fast code rounds the weights where all three are narrow.
        dtype = self.pick(REALS) if self.narrow else DType.F32
        q = self.leaf(dtype, (heads * group, queries, depth), 2.0, "real")
        k = self.leaf(dtype, (heads, keys, depth), 2.0, "real")
        v = self.leaf(dtype, (heads, keys, width), 2.0, "real")
        outer = q.sizes[:-1]
        h, t = self.indices(outer)
        product = f"0.25 * sum[k] {q.name}[{h}, {t}, k] * {k.name}[{h} // {group}, s, k]"
        weight = self.normalised(self.masked(product, t, keys), outer)
        value = f"sum[s] {weight.tight} * {v.name}[{h} // {group}, s, o]"
        left = f"[{self.left(outer)[1:-1]}, o]"
        expression = Expression(value, v.bound)
        self.define((*outer, width), expression, self.storage(expression), left)

    def masked(self, score: str, row: str, columns: int) -> str:
        """``score`` where ``row`` sees column ``s``: the first at least."""
        seen = self.name("m")
        match self.whole(0, 4):
            case 0:
                return f"if s % 3 != 1 then {score} else -inf"
            case 1:
                self.signature.append(f"{seen}: f32[{columns}]")
                self.makers[seen] = _additive_mask(columns)
                return f"{score} + {seen}[s]"
            case 2 | 3:
                return f"if s <= {row} then {score} else -inf"
            case _:
                self.signature.append(f"{seen}: bool[{columns}]")
                self.makers[seen] = lambda random: random.random(columns) < 0.5
                causal = f"s <= {row} and " if self.chance(50) else ""
                return f"if {causal}({seen}[s] or s == 0) then {score} else -inf"

    def normalised(self, score: str, outer: tuple[int, ...]) -> Expression:
        """Weights that sum to one over ``s``, the greater the greater their ``score``."""
        names, left = ", ".join(self.indices(outer)), self.left(outer)[1:-1]
        scores, peak, part, total = (self.name() for _ in range(4))
        # Of e mostly, as attention is, but any base will do.
        base = "1.4426950408889634 * " if self.chance(80) else ""
        self.body += [
            f"{scores}[{left}, s] = {score}",
            f"{peak}[{names}] = max[s] {scores}[{names}, s]",
            f"{part}[{names}, s] = exp2({base}({scores}[{names}, s] - {peak}[{names}]))",
            f"{total}[{names}] = sum[s] {part}[{names}, s]",
        ]
        return Expression(f"{part}[{names}, s] / {total}[{names}]", 1.0)

    def norm(self) -> None:
        """A definition for one row, called for every row."""
        x = self.matrix()
        rows = x.sizes[:-1]
        name = self.name()
        read = f"{x.name}[{', '.join(self.indices(rows))}]"
        self.body.append(f"{name}{self.left(rows)} = normed({read}, 0.5)")
        self.add(Tensor(name, x.sizes, "real", math.sqrt(x.sizes[-1]) + 1, False))


def _additive_mask(columns: int) -> Callable[[np.random.Generator], Array]:
    """Nothing, or what leaves no weight; the first column is seen."""

    def make(generator: np.random.Generator) -> Array:
        mask = generator.choice(np.array([0, 0, -1e4, -np.inf], np.float32), columns)
        mask[0] = 0
        return mask

    return make
