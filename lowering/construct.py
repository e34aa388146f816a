"""Chosen expressions as kernels.

A request says what to store and where; the alternatives that were chosen for the classes involved
say what kind of kernel it is: attention, a product with its epilogue, a row reduction with its
passes, or a pointwise kernel. What fits none of them is not expressible, and the choice is not
taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lumc.lowering.alternatives import Alternative, AttendOf, ProductOf, ReducedOf
from lumc.lowering.attention_kernels import attention
from lumc.lowering.draft import Draft, Pick, Request, Setting, children
from lumc.lowering.kernel_program import Kernel, Pointwise
from lumc.lowering.product_kernels import gemm
from lumc.lowering.row_kernels import row_reduction
from lumc.lowering.scalar_code import NotExpressibleError, ParameterList
from lumc.lowering.tighten import BoundKernel


@dataclass(slots=True)
class _Found:
    """What the roots of a request are made of, beside elementwise operations."""

    attentions: dict[int, AttendOf] = field(default_factory=dict)
    products: dict[int, ProductOf] = field(default_factory=dict)
    reductions: bool = False


def construct(setting: Setting, request: Request, picker: Pick) -> BoundKernel:
    """The kernel that does what ``request`` says, of the alternatives that ``picker`` picks.

    Raises:
        NotExpressibleError: no kind of kernel can.
    """
    draft = Draft(setting, request, picker, ParameterList(setting.layout.storage))
    return draft.finish(_kernel(draft, _found(request, picker.pick)))


def _kernel(draft: Draft, found: _Found) -> Kernel:
    if bool(found.attentions) + bool(found.products) + found.reductions > 1:
        raise NotExpressibleError("two kinds of reductions in one kernel")
    if found.attentions:
        return attention(draft, found.attentions)
    if found.products:
        return gemm(draft, found.products)
    if found.reductions:
        return row_reduction(draft)
    code = draft.code(draft.request.axes)
    stored = draft.stores(code, draft.place(range(len(draft.request.axes))))
    return Pointwise("kernel", (), code.body(), stored)


def _found(request: Request, pick: Callable[[int], Alternative]) -> _Found:
    found = _Found()
    seen: set[int] = set()
    stack = [n for root in request.roots for n in (*reversed(root.computed), root.value)]
    while stack:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        alternative = pick(number)
        match alternative:
            case AttendOf():
                found.attentions[number] = alternative
            case ProductOf():
                found.products[number] = alternative
            case ReducedOf():
                found.reductions = True
            case _:
                stack += children(alternative)
    return found
