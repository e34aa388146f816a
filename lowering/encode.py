"""A tensor program as terms of an e-graph, and the facts that rules ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never, cast

from lumc.dsl.index_expression import substitute
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.lowering.engine import Engine, Row, rule_names
from lumc.lowering.partitions import Partition, find_partitions, solve
from lumc.lowering.views import UNBOUNDED, ViewTable

RULE_FILES = (
    "terms.egg",
    "inline.egg",
    "reductions.egg",
    "dependence.egg",
    "products.egg",
    "algebra.egg",
    "attention.egg",
)

PRECISION_RULE_FILES = ("precision.egg",)
"""Rules for programs that may keep more precision than their text asks for."""


def rules_that_round() -> frozenset[str]:
    """The names of the rules whose results round in another way than the text says."""
    return frozenset(name for file in PRECISION_RULE_FILES for name in rule_names(file))


@dataclass(slots=True)
class Encoding:
    """An e-graph of a program, with the tables that its numbers point into."""

    program: TensorProgram
    engine: Engine
    views: ViewTable = field(default_factory=ViewTable)
    partitions: dict[int, Partition] = field(default_factory=dict)
    matches: Counter[str] = field(default_factory=Counter)
    """Uses of what Python knows, by name, like the engine's of rules."""
    reads: dict[tuple[int, int], None] = field(default_factory=dict)
    """(node, view) of every load that a kernel may start from, in order."""
    _told_views: int = 0
    _told_spaces: int = 0
    _answered: set[tuple[str | int, ...]] = field(default_factory=set)

    def read(self, operand: Operand, space: int) -> tuple[int, int]:
        """The (node, view) of an operand that is read over ``space``."""
        base = self.program.nodes[operand.node].space
        return operand.node, self.views.view(base, operand.map, space)

    def start(self, node: int, view: int) -> None:
        """Make the load of ``node`` at ``view`` a term of the e-graph."""
        self.reads[node, view] = None

    def tell(self) -> None:
        """Give the engine the facts about views and spaces that it does not have yet."""
        facts: list[str] = []
        # Facts about a space may need a new view, which is over a space.
        while self._told_spaces < len(self.views.spaces):
            facts += self._space_facts(self._told_spaces)
            self._told_spaces += 1
        while self._told_views < len(self.views.views):
            facts += self._view_facts(self._told_views)
            self._told_views += 1
        self.engine.insert(facts)

    def answer(self) -> bool:
        """Tell what rules ask about pairs of views; False when they asked for nothing new."""
        facts: list[str] = []
        asked = self.engine.rows("wanted", "wanted-row", "wanted-piece")
        for inner, outer in self._new_questions("wanted", asked):
            composed = self.views.compose(inner, outer)
            facts.append(f"(set (composed {inner} {outer}) {composed})")
        for one, other, count in self._new_questions("wanted-row", asked):
            row = self.views.row_axes(one, other, count)
            if row:
                facts.append(f"(row-of {one} {other} {count} {row})")
        for node, view in self._new_questions("wanted-piece", asked):
            operand = self._in_one_piece(node, view)
            if operand is not None:
                self.matches["read-piece"] += 1
                facts.append(f"(union (Load (Tensor {node}) {view}) {operand})")
        self.tell()
        self.engine.insert(facts)
        return bool(facts)

    def _in_one_piece(self, number: int, view_number: int) -> str | None:
        """What a placed tensor is where a view reads it, if that lies in one of its pieces."""
        view = self.views.views[view_number]
        place, sizes = self.program.nodes[number], self.views.spaces[view.space].sizes
        assert isinstance(place, Place)
        for piece in place.pieces:
            point = solve(piece.destination, piece.space, view.map, sizes)
            if point is not None:
                base = self.program.nodes[piece.operand.node].space
                moved = tuple(substitute(entry, point, sizes) for entry in piece.operand.map)
                inner = self.views.view(base, moved, view.space)
                return f"(Load (Tensor {piece.operand.node}) {inner})"
        return None

    def _new_questions(
        self, relation: str, asked: Mapping[str, Sequence[Row]]
    ) -> list[tuple[int, ...]]:
        rows = [tuple(cast(int, cell) for cell in row) for row, _ in asked[relation]]
        new = [row for row in rows if (relation, *row) not in self._answered]
        self._answered.update((relation, *row) for row in new)
        return new

    def _view_facts(self, number: int) -> Iterator[str]:
        yield f"(set (view-mask {number}) {self.views.mask(number)})"
        yield f"(set (view-space {number}) {self.views.views[number].space})"
        space = self.views.spaces[self.views.views[number].space]
        if space.bound:
            tail = self.views.tail_axes(number, space.bound)
            yield f"(set (tail-axes {number} {space.bound}) {tail})"
        if self.views.is_identity(number):
            yield f"(identity-view {number})"
            yield f"(set (identity-of {self.views.views[number].space}) {number})"
        if self.views.is_root(number):
            yield f"(root-view {number})"
        if self.views.is_row(number):
            yield f"(row-view {number})"

    def _space_facts(self, number: int) -> Iterator[str]:
        space = self.views.spaces[number]
        for count in range(1, space.bound + 1):
            reduced = self.views.reduced_mask(number, count)
            yield f"(set (reduced-mask {number} {count}) {reduced})"
        if space.bound:
            own = self.views.identity(space.sizes[: len(space.sizes) - space.bound])
            yield f"(set (own-view {number} {space.bound}) {own})"


def encode(
    program: TensorProgram, equal: Sequence[tuple[int, int]] = (), exact: bool = False
) -> Encoding:
    """The e-graph of ``program``, not yet saturated.

    ``equal`` nodes are the same value. ``exact`` leaves out what keeps more precision than the text
    asks for.

    Every node is a term ``(Tensor n)``, equal to the term of its definition. The load of each
    value over its own axes, and of every piece and output over the axes it is written for, is there
    for rules to work on.
    """
    encoding = Encoding(
        program,
        Engine(RULE_FILES if exact else RULE_FILES + PRECISION_RULE_FILES),
        partitions=find_partitions(program),
    )
    terms: list[str] = []
    for number, node in enumerate(program.nodes):
        term = _definition(encoding, number, node)
        terms.append(f"(Tensor {number})" if term is None else f"(union (Tensor {number}) {term})")
        space = encoding.views.space(node.space)
        terms.append(f"(set (tensor-space (Tensor {number})) {space})")
        for source, view in _starts(encoding, number, node):
            encoding.start(source, view)
        for box in encoding.partitions.get(number, ()):
            over = encoding.views.space(box.space)
            encoding.start(*encoding.read(Operand(number, box.place), over))
    for output in program.outputs:
        encoding.start(*encoding.read(output.operand, encoding.views.space(output.shape)))
    terms += [f"(union (Tensor {one}) (Tensor {other}))" for one, other in equal]
    terms += [f"(Load (Tensor {node}) {view})" for node, view in encoding.reads]
    encoding.engine.insert(terms)
    encoding.tell()
    return encoding


def _definition(encoding: Encoding, number: int, node: Node) -> str | None:
    """The term that defines a node; None for a tensor that is in memory whatever is chosen."""
    views = encoding.views
    match node:
        case Input() | Weight() | Scatter():
            return None
        case Place():
            return f"(Placed {number})"
        case Constant(value, dtype):
            if dtype.is_float:
                return f'(ConstantOf "{dtype}" {_number(float(value))})'
            return f'(WholeOf "{dtype}" {int(value)})'
        case IndexValue(expression, space):
            return f"(IndexOf {views.view((0,), (expression,), views.space(space))})"
        case Elementwise(op, operands, space):
            s = views.space(space)
            read = " ".join(_read(encoding, operand, s) for operand in operands)
            return f'(Map{len(operands)} "{op}" {s} {read})'
        case Cast(operand, space, dtype):
            s = views.space(space)
            return f'(CastTo "{dtype}" {s} {_read(encoding, operand, s)})'
        case Reduce(op, operand, space, reduced, dtype):
            s = views.space(space + reduced, len(reduced))
            read = _read(encoding, operand, s)
            return f'(Reduce "{op}" "{dtype.compute}" {s} {len(reduced)} {read})'
        case Gather(base, indices, space):
            s = views.space(space)
            over = views.space(space + (UNBOUNDED,) * len(indices), 0, len(indices))
            read = _read(encoding, base, over)
            return f"(GatherAt {s} {read} {_list(encoding, indices, s)})"
        case _:
            assert_never(node)


def _read(encoding: Encoding, operand: Operand, space: int) -> str:
    node, view = encoding.read(operand, space)
    return f"(Tensor {node}) {view}"


def _list(encoding: Encoding, operands: Sequence[Operand], space: int) -> str:
    if not operands:
        return "(NoTensors)"
    return (
        f"(AndTensor {_read(encoding, operands[0], space)} {_list(encoding, operands[1:], space)})"
    )


def _starts(encoding: Encoding, number: int, node: Node) -> Iterator[tuple[int, int]]:
    views = encoding.views
    match node:
        case Input() | Weight() | Constant() | IndexValue():
            return
        case Place():
            for piece in node.pieces:
                yield encoding.read(piece.operand, views.space(piece.space))
        case Scatter():
            source = views.space(node.source_space)
            yield encoding.read(node.initial, views.space(node.space))
            yield encoding.read(node.value, source)
            yield from (encoding.read(operand, source) for operand in node.indices)
        case Elementwise() | Cast() | Reduce() | Gather():
            yield number, views.identity(node.space)
        case _:
            assert_never(node)


def _number(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return repr(value)
