"""Products: GEMM kernels with what is done to their results."""

from __future__ import annotations

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.lowering.alternatives import ProductOf
from lumc.lowering.draft import Draft
from lumc.lowering.kernel_program import Body, Gemm, KernelAxis
from lumc.lowering.scalar_code import NotExpressibleError
from lumc.lowering.views import axes_of

LARGEST_PRODUCTS = 4
"""Products with a shared left side that one GEMM computes."""


def gemm(draft: Draft, products: dict[int, ProductOf]) -> Gemm:
    """The request of ``draft`` as the epilogue of ``products``, by class.

    Raises:
        NotExpressibleError: the products do not fit one kernel.
    """
    return _ProductDraft(draft).kernel(products)


class _ProductDraft:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def kernel(self, products: dict[int, ProductOf]) -> Gemm:
        left, rights = self._sides(products)
        space = self.draft.source.views.spaces[next(iter(products.values())).space].sizes
        rank = len(self.draft.request.axes)
        depends = self.draft.source.depends
        own = (1 << rank) - 1
        mine, theirs = depends[left] & own, depends[rights[0]] & own
        if any(depends[right] & own != theirs for right in rights):
            raise NotExpressibleError("products over different columns")
        batch, rows, columns = (axes_of(m) for m in (mine & theirs, mine & ~theirs, theirs & ~mine))
        covered = {*batch, *rows, *columns}
        if any(n not in covered and size > 1 for n, size in enumerate(self.draft.sizes)):
            raise NotExpressibleError("an axis that no factor depends on")
        inner = tuple(KernelAxis(f"k{n}", size) for n, size in enumerate(space[rank:]))
        left_body = self._operand(left, batch + rows, inner)
        right_bodies = tuple(self._operand(right, batch + columns, inner) for right in rights)
        code = self.draft.code(self.draft.axes(batch + rows + columns))
        code.accumulated = {
            number: rights.index(_other(product, left)) for number, product in products.items()
        }
        stored = self.draft.stores(code, self.draft.place(batch + rows + columns))
        return Gemm(
            "kernel",
            (),
            self.draft.axes(batch),
            self.draft.axes(rows),
            self.draft.axes(columns),
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
        root = self.draft.request.roots[0]
        strides = self.draft.setting.layout.storage(root.target).strides
        steps = {
            n: sum(e.coefficient(n) * s for e, s in zip(root.destination, strides, strict=True))
            for n, size in enumerate(self.draft.sizes)
            if size > 1
        }
        # What is stored at places that are computed may run along no axis.
        least = min((step for step in steps.values() if step > 0), default=None)
        dense = [n for n, step in steps.items() if step == least]
        return bool(dense) and bool(self.draft.source.depends[number] >> dense[-1] & 1)

    def _operand(self, number: int, axes: tuple[int, ...], inner: tuple[KernelAxis, ...]) -> Body:
        frame = self.draft.place(axes) + tuple(axis(len(axes) + n) for n in range(len(inner)))
        return self.draft.operand(number, self.draft.axes(axes) + inner, frame)


def _other(product: ProductOf, side: int) -> int:
    return product.right if product.left == side else product.left
