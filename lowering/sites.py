"""What a program is made of, whatever it is called: attentions, products, convolutions, norms.

Kernels and the primitives that they replaced say which sums are products and which kernels are
attention. What is left are reductions of rows; those that scale a row by the inverse root of its
squares are a norm, together with the mean that is taken off first, and a maximum with the sum of
exponentials is a softmax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lumc.dsl.tensor_program import (
    Cast,
    Elementwise,
    ElementwiseOp,
    IndexValue,
    Operand,
    Reduce,
    ReduceOp,
    TensorProgram,
    operands,
)
from lumc.lowering.kernel_program import Attention, Gemm, Kernel, RowReduction


@dataclass(frozen=True, slots=True)
class Work:
    """A kernel and the nodes of the program that it computes."""

    kernel: Kernel
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """Something that was found: its kind, the nodes that it is known by, the kernels it became."""

    kind: str
    nodes: tuple[int, ...]
    kernels: tuple[str, ...]


def find_sites(program: TensorProgram, works: Sequence[Work]) -> tuple[Site, ...]:
    """The sites of ``program``, which became ``works``, by kind and then in order."""
    makers: dict[int, dict[str, None]] = {}
    for work in works:
        for number in work.nodes:
            makers.setdefault(number, {})[work.kernel.name] = None
    sites = [*_attentions(works), *_products(program, works)]
    taken = {number for site in sites for number in site.nodes}
    for kind, members in (*norms(program), *softmaxes(program)):
        # A softmax inside attention has no kernel of its own.
        rows = tuple(n for n in members if n in makers and n not in taken)
        if rows:
            names = dict.fromkeys(name for n in rows for name in makers[n])
            sites.append(Site(kind, rows, tuple(names)))
    order = ("attention", "convolution", "product", "norm", "softmax")
    return tuple(sorted(sites, key=lambda site: (order.index(site.kind), site.nodes)))


def _attentions(works: Sequence[Work]) -> Iterator[Site]:
    for work in works:
        if isinstance(work.kernel, Attention):
            yield Site("attention", (work.nodes[-1],), (work.kernel.name,))


def _products(program: TensorProgram, works: Sequence[Work]) -> Iterator[Site]:
    found: dict[int, dict[str, None]] = {}
    for work in works:
        for number in work.nodes:
            if not isinstance(program.nodes[number], Reduce):
                continue
            # A matrix and one vector may be cheaper as rows.
            if isinstance(work.kernel, Gemm) or (
                isinstance(work.kernel, RowReduction) and why_no_product(program, number) is None
            ):
                found.setdefault(number, {})[work.kernel.name] = None
    for number, names in found.items():
        kind = "convolution" if slides(program, number) else "product"
        yield Site(kind, (number,), tuple(names))


def why_no_product(program: TensorProgram, number: int) -> str | None:
    """Why a reduction is not the sum of products that a product of matrices is."""
    node = program.nodes[number]
    assert isinstance(node, Reduce)
    product = program.nodes[node.operand.node]
    if not isinstance(product, Elementwise) or product.op is not ElementwiseOp.MULTIPLY:
        return f"it is the {node.op} of a row, and of no products"
    if node.op is not ReduceOp.SUM:
        return f"a {node.op} of products is no matrix product"
    if not node.dtype.is_float:
        return "whole numbers are not multiplied by matrix cores"
    sizes = (*node.space, *node.reduced)
    factors = []
    for operand in product.operands:
        own = {n for entry in operand.map for n in entry.axes()}
        whole = {m for n in own for m in node.operand.map[n].axes()}
        factors.append({n for n in whole if sizes[n] > 1})
    summed = {n for n in range(len(node.space), len(sizes)) if sizes[n] > 1}
    if factors[0] == factors[1]:
        return "both factors depend on the same axes: there are no rows and columns"
    if not all(summed <= factor for factor in factors):
        return "a factor does not depend on the axes of the sum"
    return None


def slides(program: TensorProgram, number: int) -> bool:
    """Whether a sum of products reads at places that move with the result and with the sum."""
    node = program.nodes[number]
    assert isinstance(node, Reduce)
    rank, sizes = len(node.space), (*node.space, *node.reduced)
    own = tuple(frozenset({n} if size > 1 else ()) for n, size in enumerate(sizes))
    return any(
        any(n >= rank for n in entry) and any(n < rank for n in entry)
        for entry in _reads(program, node.operand, own)
    )


Axes = frozenset[int]


def _reads(program: TensorProgram, operand: Operand, own: tuple[Axes, ...]) -> Iterator[Axes]:
    """The axes that each entry of each read below elementwise operations depends on."""
    seen: set[tuple[int, tuple[Axes, ...]]] = set()
    stack = [(operand, own)]
    while stack:
        read, axes = stack.pop()
        entries = tuple(Axes().union(*(axes[n] for n in entry.axes())) for entry in read.map)
        if (read.node, entries) in seen:
            continue
        seen.add((read.node, entries))
        node = program.nodes[read.node]
        if isinstance(node, Elementwise | Cast):
            stack += [(below, entries) for below, _ in operands(node)]
        elif not isinstance(node, IndexValue):
            yield from entries


# ------------------------------------------------------------------------------------ rows


def norms(program: TensorProgram) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The reductions of each norm: of squares, whose root scales the row, and of what is taken off.

    A root is shared by all that it scales, so each is one norm.
    """
    walker = _Walker(program)
    for root, node in enumerate(program.nodes):
        if not isinstance(node, Elementwise) or node.op is not ElementwiseOp.SQUARE_ROOT:
            continue
        sums = [n for n in walker.below([root]) if walker.is_sum(n)]
        squares = [n for n in sums if walker.is_of_squares(n)]
        if squares and walker.leads_to(root, ElementwiseOp.RECIPROCAL):
            means = [n for n in walker.below(squares) if walker.is_sum(n)]
            rows = {walker.row(n) for n in squares}
            same = [n for n in (*sums, *means) if walker.row(n) in rows]
            yield "norm", tuple(sorted({*squares, *same}))


def softmaxes(program: TensorProgram) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The maximum and the sum of exponentials of each softmax."""
    walker = _Walker(program)
    for number, node in enumerate(program.nodes):
        if not isinstance(node, Reduce) or node.op is not ReduceOp.SUM:
            continue
        powers = [n for n in walker.below([number]) if walker.is_op(n, ElementwiseOp.EXP2)]
        largest = [n for n in walker.below(powers) if walker.is_maximum(n)]
        rows = [n for n in largest if walker.row(n) == walker.row(number)]
        if rows and walker.leads_to(number, ElementwiseOp.RECIPROCAL):
            yield "softmax", (*rows, number)


@dataclass(slots=True)
class _Walker:
    """Looks around in a program, through elementwise operations."""

    program: TensorProgram
    _readers: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, node in enumerate(self.program.nodes):
            for operand, _ in operands(node):
                self._readers.setdefault(operand.node, []).append(number)

    def below(self, starts: Iterable[int]) -> list[int]:
        """What ``starts`` are computed from by elementwise operations, up to reductions."""
        return self._closure(starts, self._operands)

    def leads_to(self, number: int, op: ElementwiseOp) -> bool:
        """Whether ``op`` is computed from a value by elementwise operations."""
        return any(self.is_op(n, op) for n in self._closure([number], self._elementwise_readers))

    def _closure(self, starts: Iterable[int], step: Callable[[int], Iterable[int]]) -> list[int]:
        found: dict[int, None] = {}
        stack = [n for start in starts for n in step(start)]
        while stack:
            number = stack.pop()
            if number in found:
                continue
            found[number] = None
            if isinstance(self.program.nodes[number], Elementwise | Cast):
                stack += step(number)
        return list(found)

    def _operands(self, number: int) -> Iterator[int]:
        return (operand.node for operand, _ in operands(self.program.nodes[number]))

    def _elementwise_readers(self, number: int) -> Iterator[int]:
        readers = self._readers.get(number, ())
        return (n for n in readers if isinstance(self.program.nodes[n], Elementwise | Cast))

    def is_op(self, number: int, op: ElementwiseOp) -> bool:
        """Whether a node is this elementwise operation."""
        node = self.program.nodes[number]
        return isinstance(node, Elementwise) and node.op is op

    def is_sum(self, number: int) -> bool:
        """Whether a node is a sum."""
        node = self.program.nodes[number]
        return isinstance(node, Reduce) and node.op is ReduceOp.SUM

    def is_maximum(self, number: int) -> bool:
        """Whether a node is a maximum over axes."""
        node = self.program.nodes[number]
        return isinstance(node, Reduce) and node.op is ReduceOp.MAXIMUM

    def is_of_squares(self, number: int) -> bool:
        """Whether a sum is of something multiplied by itself, and perhaps by more."""
        node = self.program.nodes[number]
        assert isinstance(node, Reduce)
        stack = [node.operand.node]
        while stack:
            match self.program.nodes[stack.pop()]:
                case Elementwise(ElementwiseOp.MULTIPLY, (left, right)):
                    if left == right:
                        return True
                    stack += [left.node, right.node]
                case Cast(operand):
                    stack.append(operand.node)
                case _:
                    pass
        return False

    def row(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sizes of what a reduction is for, and of what it is over."""
        node = self.program.nodes[number]
        assert isinstance(node, Reduce)
        return node.space, node.reduced
