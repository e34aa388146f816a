"""Chosen expressions as kernels.

A request says what to store and where; the alternatives that were chosen for the classes involved
say what kind of kernel it is: with products a GEMM and its epilogue, with reductions a row
reduction with its passes, else a pointwise kernel. What fits none of them is not expressible, and
the choice is not taken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    axis,
    constant,
    substitute,
)
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    ApplyOf,
    ConvertOf,
    GatherOf,
    LoadOf,
    ProductOf,
    ReducedOf,
)
from lumc.lowering.exact_values import operand_dtype
from lumc.lowering.kernel_program import (
    Body,
    Gemm,
    Kernel,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_types import bodies, stores
from lumc.lowering.scalar_code import (
    Frame,
    NotExpressibleError,
    ParameterList,
    RowKey,
    ScalarCode,
    Storage,
    row_key,
)
from lumc.lowering.tighten import BoundKernel, tighten
from lumc.lowering.views import axes_of

RULES: dict[type[Alternative], str] = {
    ProductOf: "product",
    ReducedOf: "reduce-in-row",
    GatherOf: "inline-gather",
    ApplyOf: "inline-map",
    ConvertOf: "inline-cast",
}
"""The rule that each kind of alternative comes from."""

LARGEST_PRODUCTS = 2
"""Products with a shared left side that one GEMM computes."""


@dataclass(frozen=True, slots=True)
class Root:
    """Class ``value`` stored to ``target``.

    ``destination`` is over the request's axes and then the values of ``computed``. ``checked``
    says that places outside the target are not to be written.
    """

    value: int
    target: int
    destination: tuple[IndexExpression, ...]
    computed: tuple[int, ...] = ()
    combine: ReduceOp | None = None
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What one kernel is to store, at each point of ``axes``."""

    axes: tuple[KernelAxis, ...]
    roots: tuple[Root, ...]


@dataclass(frozen=True, slots=True)
class Constructor:
    """Makes kernels from chosen alternatives.

    ``storage`` says how each tensor lies in memory; ``exact`` keeps every rounding of the text.
    """

    source: Alternatives
    storage: Callable[[int], Storage]
    exact: bool

    def kernel(self, request: Request, pick: Callable[[int], Alternative]) -> BoundKernel:
        """The kernel that does what ``request`` says.

        Raises:
            NotExpressibleError: no kind of kernel can.
        """
        products, reductions = self._found(request, pick)
        draft = _Draft(self, request, pick, ParameterList(self.storage))
        if products and reductions:
            raise NotExpressibleError("a product and a row reduction in one kernel")
        if products:
            return draft.finish(draft.gemm(products))
        if reductions:
            return draft.finish(draft.row_reduction())
        return draft.finish(draft.pointwise())

    def _found(
        self, request: Request, pick: Callable[[int], Alternative]
    ) -> tuple[dict[int, ProductOf], bool]:
        """The products that the roots are made of, and whether there are other reductions."""
        products: dict[int, ProductOf] = {}
        reductions = False
        seen: set[int] = set()
        stack = [n for root in request.roots for n in (*reversed(root.computed), root.value)]
        while stack:
            number = stack.pop()
            if number in seen:
                continue
            seen.add(number)
            alternative = pick(number)
            if isinstance(alternative, ProductOf):
                products[number] = alternative
            reductions |= isinstance(alternative, ReducedOf)
            stack += children(alternative)
        return products, reductions


def children(alternative: Alternative) -> tuple[int, ...]:
    """The classes that an alternative is computed from at the same point of the same space."""
    match alternative:
        case ApplyOf(_, operands):
            return operands
        case ConvertOf(_, operand):
            return (operand,)
        case GatherOf(_, _, indices):
            return indices
        case _:
            return ()


@dataclass(slots=True)
class _Row:
    """A reduction that a row needs, and after how many others it can be computed."""

    key: RowKey
    own: tuple[int, ...]
    level: int


@dataclass(slots=True)
class _Draft:
    """One kernel while it is made."""

    maker: Constructor
    request: Request
    pick: Callable[[int], Alternative]
    parameters: ParameterList

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(a.size for a in self.request.axes)

    def code(self, axes: tuple[KernelAxis, ...], keep_rounding: bool = False) -> ScalarCode:
        keep = keep_rounding or self.maker.exact
        return ScalarCode(self.maker.source, self.pick, axes, self.parameters, keep)

    # -- pointwise

    def pointwise(self) -> Kernel:
        code = self.code(self.request.axes)
        stored = self.stores(code, self.place(range(len(self.request.axes))))
        return Pointwise("kernel", (), code.body(), stored)

    def place(self, order: Iterable[int]) -> Frame:
        """A frame that puts the request's axes in ``order``; others stand at 0."""
        where = {number: position for position, number in enumerate(order)}
        return tuple(
            axis(where[n]) if n in where else constant(0) for n in range(len(self.request.axes))
        )

    def stores(self, code: ScalarCode, frame: Frame) -> tuple[Store, ...]:
        """The stores of all roots, as values of ``code``."""
        return tuple(self._store(code, root, frame) for root in self.request.roots)

    def _store(self, code: ScalarCode, root: Root, frame: Frame) -> Store:
        value = code.value(root.value, frame)
        computed = tuple(code.value(n, frame) for n in root.computed)
        sizes = code.sizes + (1 << 31,) * len(computed)
        moved = frame + tuple(axis(len(code.sizes) + n) for n in range(len(computed)))
        index = tuple(substitute(entry, moved, sizes) for entry in root.destination)
        predicate = None
        if root.checked:
            shape = self.maker.storage(root.target).shape
            predicate = code.inside(index, computed, shape)
        number = self.parameters.number(root.target)
        return Store(number, index, value, computed, predicate, root.combine)

    # -- row reductions

    def row_reduction(self) -> Kernel:
        found: dict[RowKey, _Row] = {}
        whole = self.place(range(len(self.request.axes)))
        for root in self.request.roots:
            for number in (root.value, *root.computed):
                self._collect(number, whole, found, {})
        rows = sorted({n for key in found for entry in key.row for n in entry.axes()})
        axes = tuple(self.request.axes[n] for n in rows)
        renamed = {number: axis(position) for position, number in enumerate(rows)}
        order: dict[RowKey, int] = {}
        phases: list[Phase] = []
        for group in _grouped(found.values()):
            phases.append(self._reducing_phase(axes, renamed, group, order))
        own = [n for n in range(len(self.request.axes)) if n not in rows]
        code = self.code(axes + tuple(self.request.axes[n] for n in own))
        code.rows = order
        stored = self.stores(code, self.place([*rows, *own]))
        phases.append(Phase(code.body(), (), stored))
        return RowReduction("kernel", (), axes, tuple(phases))

    def _collect(
        self,
        number: int,
        frame: Frame,
        found: dict[RowKey, _Row],
        seen: dict[tuple[int, Frame], int],
    ) -> int:
        """Find the reductions below a class; returns how many levels of them there are."""
        if (number, frame) in seen:
            return seen[number, frame]
        alternative = self.pick(number)
        if isinstance(alternative, ReducedOf):
            level = self._collect_row(alternative, frame, found, seen)
        elif isinstance(alternative, ProductOf):
            raise NotExpressibleError("a product inside a row reduction")
        else:
            below = [self._collect(n, frame, found, seen) for n in children(alternative)]
            level = max(below, default=0)
        seen[number, frame] = level
        return level

    def _collect_row(
        self,
        alternative: ReducedOf,
        frame: Frame,
        found: dict[RowKey, _Row],
        seen: dict[tuple[int, Frame], int],
    ) -> int:
        space = self.maker.source.views.spaces[alternative.space].sizes
        own = space[len(space) - alternative.count :]
        sizes = self.sizes + own
        key = row_key(self.maker.source, alternative, frame, sizes)
        rank = len(self.sizes)
        for entry in key.row:
            bare = entry.bare_axis
            if entry != constant(0) and (bare is None or bare >= rank):
                raise NotExpressibleError("a reduction that is not one of the row's")
        inner = key.row + tuple(axis(rank + n) for n in range(len(own)))
        level = 1 + self._collect(alternative.body, inner, found, seen)
        found.setdefault(key, _Row(key, own, level))
        return level

    def _reducing_phase(
        self,
        rows: tuple[KernelAxis, ...],
        renamed: dict[int, IndexExpression],
        group: Sequence[_Row],
        order: dict[RowKey, int],
    ) -> Phase:
        own = tuple(KernelAxis(f"j{n}", size) for n, size in enumerate(group[0].own))
        code = self.code(rows + own)
        code.rows = dict(order)
        reductions: list[Reduction] = []
        for row in group:
            place = tuple(substitute(entry, renamed, code.sizes) for entry in row.key.row)
            frame = place + tuple(axis(len(rows) + n) for n in range(len(own)))
            reductions.append(Reduction(row.key.op, code.value(row.key.body, frame)))
            order[dataclasses.replace(row.key, row=place)] = len(order)
        return Phase(code.body(), tuple(reductions))

    # -- products

    def gemm(self, products: dict[int, ProductOf]) -> Kernel:
        left, rights = self._sides(products)
        space = self.maker.source.views.spaces[next(iter(products.values())).space].sizes
        rank = len(self.request.axes)
        depends = self.maker.source.depends
        own = (1 << rank) - 1
        mine, theirs = depends[left] & own, depends[rights[0]] & own
        if any(depends[right] & own != theirs for right in rights):
            raise NotExpressibleError("products over different columns")
        batch, rows, columns = (axes_of(m) for m in (mine & theirs, mine & ~theirs, theirs & ~mine))
        covered = {*batch, *rows, *columns}
        if any(n not in covered and size > 1 for n, size in enumerate(self.sizes)):
            raise NotExpressibleError("an axis that no factor depends on")
        inner = tuple(KernelAxis(f"k{n}", size) for n, size in enumerate(space[rank:]))
        left_body = self._operand(left, batch + rows, inner)
        right_bodies = tuple(self._operand(right, batch + columns, inner) for right in rights)
        code = self.code(self._axes(batch + rows + columns))
        code.products = {
            number: rights.index(_other(product, left)) for number, product in products.items()
        }
        stored = self.stores(code, self.place(batch + rows + columns))
        return Gemm(
            "kernel",
            (),
            self._axes(batch),
            self._axes(rows),
            self._axes(columns),
            inner,
            left_body,
            right_bodies,
            DType.F32,
            code.body(),
            stored,
        )

    def _sides(self, products: dict[int, ProductOf]) -> tuple[int, list[int]]:
        """The factor that all products share, which gives the rows, and the other factors."""
        if len({(p.space, p.count) for p in products.values()}) > 1:
            raise NotExpressibleError("products over different axes")
        shared = set.intersection(*({p.left, p.right} for p in products.values()))
        if not shared:
            raise NotExpressibleError("products that share no factor")
        first = next(iter(products.values()))
        candidates = [n for n in (first.left, first.right) if n in shared]
        left = next((n for n in candidates if not self._runs_innermost(n)), candidates[0])
        rights = list(dict.fromkeys(_other(product, left) for product in products.values()))
        if len(rights) > LARGEST_PRODUCTS:
            raise NotExpressibleError("more products than a kernel computes")
        return left, rights

    def _runs_innermost(self, number: int) -> bool:
        """Whether a factor depends on the axis along which the first root is stored densely."""
        root = self.request.roots[0]
        strides = self.maker.storage(root.target).strides
        steps = {
            n: sum(e.coefficient(n) * s for e, s in zip(root.destination, strides, strict=True))
            for n, size in enumerate(self.sizes)
            if size > 1
        }
        dense = [n for n, step in steps.items() if step == min(x for x in steps.values() if x > 0)]
        return bool(dense) and bool(self.maker.source.depends[number] >> dense[-1] & 1)

    def _operand(self, number: int, axes: tuple[int, ...], inner: tuple[KernelAxis, ...]) -> Body:
        code = self.code(self._axes(axes) + inner, keep_rounding=True)
        frame = self.place(axes) + tuple(axis(len(axes) + n) for n in range(len(inner)))
        return code.operand(number, frame)

    def _axes(self, numbers: Iterable[int]) -> tuple[KernelAxis, ...]:
        return tuple(self.request.axes[n] for n in numbers)

    # -- the end of all kinds

    def finish(self, kernel: Kernel) -> BoundKernel:
        """The kernel with its parameters, no larger than what it touches."""
        touched = self.parameters.tensors
        parameters = tuple(self._parameter(kernel, number) for number in range(len(touched)))
        kernel = dataclasses.replace(kernel, parameters=parameters)
        if isinstance(kernel, Gemm):
            dtype = operand_dtype((kernel.left, *kernel.right), parameters)
            kernel = dataclasses.replace(kernel, operand_dtype=dtype)
        bindings = tuple((tensor, 0) for tensor in touched)
        return tighten(BoundKernel(kernel, bindings, self._nodes(), self._rules()))

    def _nodes(self) -> tuple[int, ...]:
        classes = self.maker.source.classes
        found = {
            a.tensor
            for number in self.parameters.classes
            for a in classes[number]
            if isinstance(a, LoadOf)
        }
        return tuple(sorted(found))

    def _rules(self) -> tuple[str, ...]:
        kinds = {type(self.pick(number)) for number in self.parameters.classes}
        return tuple(rule for kind, rule in RULES.items() if kind in kinds)

    def _parameter(self, kernel: Kernel, number: int) -> Parameter:
        storage = self.maker.storage(self.parameters.tensors[number])
        return Parameter(
            f"p{number}", storage.dtype, storage.shape, storage.strides, access(kernel, number)
        )


def access(kernel: Kernel, number: int) -> ParameterAccess:
    """What ``kernel`` does to parameter ``number``."""
    loaded = any(
        isinstance(i, Load) and i.parameter == number
        for _, body in bodies(kernel)
        for i in body.instructions
    )
    stored = [store for store in stores(kernel) if store.parameter == number]
    if not stored:
        return ParameterAccess.READ
    if loaded or any(store.combine is not None for store in stored):
        return ParameterAccess.UPDATE
    return ParameterAccess.WRITE


def _other(product: ProductOf, side: int) -> int:
    return product.right if product.left == side else product.left


def _grouped(rows: Iterable[_Row]) -> list[list[_Row]]:
    """The reductions by pass: those of one level and one set of axes share a pass."""
    groups: dict[tuple[int, tuple[int, ...]], list[_Row]] = {}
    for row in rows:
        groups.setdefault((row.level, row.own), []).append(row)
    return [groups[key] for key in sorted(groups, key=lambda key: key[0])]
