"""Random expressions of the language: what can be read at some indices, and what is made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType

Array = npt.NDArray[Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33)
REALS = (DType.F32, DType.BF16, DType.F16)
WHOLES = (DType.I32, DType.I64, DType.U8)
LARGEST_TENSOR = 3_000
LARGEST_BOUND = 60.0


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
class ExpressionAuthor:
    """Declares inputs and weights, and writes expressions of what there is at some indices."""

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
        # The simplest draw says no: what shrinks has little that is optional.
        return self.whole(0, 99) >= 100 - percent

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
        is_weight = self.chance(40)
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
        match self.whole(0, 5):
            case 0:
                return Expression(f"sqrt({x.tight}^2 + 0.25)", x.bound + 1)
            case 3:
                return Expression(f"({x.tight}^2 + 0.5)^-0.75", 2.0)
            case 4:
                return Expression(f"({x.text})^3", x.bound**3)
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
        if self.chance(30):
            return Expression(f"(({self.condition(indices)}) as f32)", 1.0, True)
        value = self.pick([0.0, 1.0, -1.0, 0.5, 2, -3, 1.25])
        return Expression(f"({value})", abs(value), True)

    def whole_number(self, indices: Indices, depth: int) -> tuple[str, int]:
        """A whole number that is not negative, and a bound for it."""
        wholes = [t for t in self.tensors if t.kind == "whole" and t.bound <= 1_000]
        if depth > 0 and self.chance(60):
            (x, bound), (y, other) = (self.whole_number(indices, depth - 1) for _ in range(2))
            k = self.whole(1, 7)
            match self.whole(0, 6):
                case 0:
                    return f"({x} + {y})", bound + other
                case 5:
                    return f"({x} < {y} as i32)", 2
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


def _maker(
    dtype: DType, sizes: tuple[int, ...], bound: float, kind: str
) -> Callable[[np.random.Generator], Array]:
    def make(generator: np.random.Generator) -> Array:
        if kind == "real":
            return generator.uniform(-bound, bound, sizes).astype(np.float32).astype(dtype.numpy)
        return generator.integers(0, int(bound), sizes).astype(dtype.numpy)

    return make
