"""A saturated e-graph as plain data: for each class, the alternatives to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.encode import Encoding
from lumc.lowering.engine import Cell
from lumc.lowering.views import ViewTable


@dataclass(frozen=True, slots=True)
class LoadOf:
    """Tensor ``tensor`` (a node number) read at ``view``."""

    tensor: int
    view: int


@dataclass(frozen=True, slots=True)
class LiteralOf:
    """A number."""

    dtype: DType
    value: float | int


@dataclass(frozen=True, slots=True)
class IndexAt:
    """The entry of ``view`` as a number."""

    view: int


@dataclass(frozen=True, slots=True)
class ApplyOf:
    """A primitive of classes."""

    op: ElementwiseOp
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConvertOf:
    """A class rounded to ``dtype``."""

    dtype: DType
    operand: int


@dataclass(frozen=True, slots=True)
class GatherOf:
    """``tensor`` read at ``view``, which is over the space and then the values of ``indices``."""

    tensor: int
    view: int
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReducedOf:
    """``body``, over ``space``, reduced over its last ``count`` axes and read at ``view``."""

    op: ReduceOp
    dtype: DType
    space: int
    count: int
    body: int
    view: int


@dataclass(frozen=True, slots=True)
class ProductOf:
    """The sum over the last ``count`` axes of ``space`` of the product of two classes."""

    space: int
    count: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class AttendOf:
    """Class ``value`` weighted by the softmax of a score over the last ``count`` axes of ``space``.

    ``score`` is a class over its own axes; ``view`` says where they are read, over ``space``.
    ``kept`` says that it keeps more precision, or more range, than the text.
    """

    space: int
    count: int
    score: int
    view: int
    value: int
    kept: bool = False


Alternative = (
    LoadOf | LiteralOf | IndexAt | ApplyOf | ConvertOf | GatherOf | ReducedOf | ProductOf | AttendOf
)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What a saturated e-graph offers.

    ``classes[c]`` are the alternatives of class ``c``, ``depends[c]`` the axes its value depends
    on, as bits. Tensors are node numbers; ``tensor_of`` gives equal ones the number of the first.
    """

    views: ViewTable
    classes: dict[int, tuple[Alternative, ...]]
    depends: dict[int, int]
    tensor_of: dict[int, int]
    loads: dict[tuple[int, int], int]

    def class_of(self, node: int, view: int) -> int:
        """The class of ``node`` read at ``view``, which must have been a term of the e-graph."""
        return self.loads[self.tensor_of[node], view]

    def reads_of(self, tensor: int) -> list[tuple[int, int]]:
        """The views at which ``tensor`` is read, with the classes of the reads."""
        return [(view, number) for (read, view), number in self.loads.items() if read == tensor]


def read_alternatives(encoding: Encoding) -> Alternatives:
    """Decode the e-graph of ``encoding``."""
    tables = encoding.engine.tables()
    first: dict[int, int] = {}
    for (number,), tensor in tables["Tensor"]:
        node = cast(int, number)
        first[_class(tensor)] = min(node, first.get(_class(tensor), node))
    decoder = _Decoder(first, {_class(result): row for row, result in tables["AndLoad"]})
    classes: dict[int, list[Alternative]] = {}
    loads: dict[tuple[int, int], int] = {}
    for name in _TERMS:
        for arguments, result in tables[name]:
            alternative = decoder.alternative(name, arguments)
            classes.setdefault(_class(result), []).append(alternative)
            if isinstance(alternative, LoadOf):
                loads[alternative.tensor, alternative.view] = _class(result)
    return Alternatives(
        encoding.views,
        {number: tuple(alternatives) for number, alternatives in classes.items()},
        {_class(row[0]): cast(int, mask) for row, mask in tables["depends"]},
        {cast(int, row[0]): first[_class(tensor)] for row, tensor in tables["Tensor"]},
        loads,
    )


# The constructors of expressions. Where nothing else decides, the earlier is preferred.
_TERMS = (
    "Literal",
    "Whole",
    "Index",
    "Attend",
    "AttendKept",
    "Product",
    "Apply1",
    "Apply2",
    "Apply3",
    "Convert",
    "LoadAt",
    "Reduced",
    "Load",
)


def _class(cell: Cell) -> int:
    assert isinstance(cell, tuple)
    return cell[1]


@dataclass(frozen=True, slots=True)
class _Decoder:
    first: dict[int, int]
    lists: dict[int, tuple[Cell, ...]]

    def alternative(self, name: str, cells: tuple[Cell, ...]) -> Alternative:
        match name, cells:
            case "Literal", (str(dtype), float(value), _):
                return LiteralOf(DType(dtype), value)
            case "Whole", (str(dtype), int(value), _):
                return LiteralOf(DType(dtype), value)
            case "Index", (int(view),):
                return IndexAt(view)
            case "Product", (int(space), int(count), left, right):
                return ProductOf(space, count, _class(left), _class(right))
            case "Attend" | "AttendKept", (int(space), int(count), score, int(view), value):
                kept = name == "AttendKept"
                return AttendOf(space, count, _class(score), view, _class(value), kept)
            case "Apply1" | "Apply2" | "Apply3", (str(op), *operands):
                return ApplyOf(ElementwiseOp(op), tuple(_class(cell) for cell in operands))
            case "Convert", (str(dtype), operand):
                return ConvertOf(DType(dtype), _class(operand))
            case "LoadAt", (tensor, int(view), indices):
                return GatherOf(self.first[_class(tensor)], view, self._list(_class(indices)))
            case "Reduced", (str(op), str(dtype), int(space), int(count), body, int(view)):
                return ReducedOf(ReduceOp(op), DType(dtype), space, count, _class(body), view)
            case "Load", (tensor, int(view)):
                return LoadOf(self.first[_class(tensor)], view)
            case _:
                raise AssertionError(f"an expression with no meaning: {name} {cells}")

    def _list(self, number: int) -> tuple[int, ...]:
        found: list[int] = []
        while number in self.lists:
            element, rest = self.lists[number]
            found.append(_class(element))
            number = _class(rest)
        return tuple(found)
