"""Attention: scores, softmax and weighted values in one kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant, substitute
from lumc.lowering.alternatives import Alternative, AttendOf, ProductOf
from lumc.lowering.draft import Draft, children
from lumc.lowering.kernel_program import Attention, Body, KernelAxis
from lumc.lowering.scalar_code import Frame, NotExpressibleError
from lumc.lowering.views import axes_of, mask_of


def attention(draft: Draft, found: dict[int, AttendOf]) -> Attention:
    """The request of ``draft`` as what follows one attention.

    Raises:
        NotExpressibleError: the score is not made of one product of queries and keys, or roles of
            axes are mixed.
    """
    if len(found) > 1:
        raise NotExpressibleError("two attentions in one kernel")
    ((number, alternative),) = found.items()
    return _AttentionDraft(draft, number, alternative).kernel()


@dataclass(slots=True)
class _AttentionDraft:
    """The axes of everything are numbered as in ``alternative.space``: the request's, then keys."""

    draft: Draft
    number: int
    alternative: AttendOf
    leads: dict[int, bool] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the request's axes and of the keys."""
        return self.draft.source.views.spaces[self.alternative.space].sizes

    def kernel(self) -> Attention:
        product = self._product()
        score = self._spread(self.draft.source.depends[self.alternative.score])
        value = self.draft.source.depends[self.alternative.value]
        rank = len(self.draft.sizes)
        keys = mask_of(set(range(rank, len(self.sizes))))
        batch, queries, channels = (
            axes_of(m & ~keys) for m in (score & value, score & ~value, value & ~score)
        )
        covered = {*batch, *queries, *channels}
        if any(n not in covered and size > 1 for n, size in enumerate(self.draft.sizes)):
            raise NotExpressibleError("an axis that attention does not depend on")
        key_numbers = axes_of(keys)
        query, key = self._sides(product, mask_of(set(queries)), keys)
        inner_sizes = self._inner(product)
        inner = tuple(KernelAxis(f"k{n}", size) for n, size in enumerate(inner_sizes))
        epilogue = self.draft.code(self.draft.axes(batch + queries + channels))
        epilogue.accumulated = {self.number: 0}
        stored = self.draft.stores(epilogue, self.draft.place(batch + queries + channels))
        return Attention(
            "kernel",
            (),
            self.axes(batch),
            self.axes(queries),
            self.axes(key_numbers),
            inner,
            self.axes(channels),
            self._side(query, batch + queries, inner),
            self._side(key, batch + key_numbers, inner),
            self._score(product, batch + queries + key_numbers),
            self.draft.operand(
                self.alternative.value,
                self.axes(batch + key_numbers + channels),
                self._place(batch + key_numbers + channels),
            ),
            DType.F32,
            epilogue.body(),
            stored,
        )

    def axes(self, numbers: Iterable[int]) -> tuple[KernelAxis, ...]:
        """Some of the request's axes and the keys'."""
        rank = len(self.draft.sizes)
        return tuple(
            self.draft.request.axes[n] if n < rank else KernelAxis(f"s{n - rank}", self.sizes[n])
            for n in numbers
        )

    def _place(self, order: Iterable[int]) -> Frame:
        where = {number: position for position, number in enumerate(order)}
        return tuple(axis(where[n]) if n in where else constant(0) for n in range(len(self.sizes)))

    def _score_frame(self, order: tuple[int, ...]) -> Frame:
        """The score's own axes, over the axes ``order``."""
        place = self._place(order)
        sizes = tuple(self.sizes[n] for n in order)
        view = self.draft.source.views.views[self.alternative.view]
        return tuple(substitute(entry, place, sizes) for entry in view.map)

    def _spread(self, mask: int) -> int:
        """Axes of the score's own, as axes of everything."""
        entries = self.draft.source.views.views[self.alternative.view].map
        return mask_of({n for own in axes_of(mask) for n in entries[own].axes()})

    # -- the product of queries and keys

    def _product(self) -> int:
        """The class of the one product that the score is made of."""
        found: set[int] = set()
        stack = [self.alternative.score]
        seen: set[int] = set()
        while stack:
            number = stack.pop()
            if number in seen:
                continue
            seen.add(number)
            alternative = self._deep(number)
            if isinstance(alternative, ProductOf):
                found.add(number)
            stack += children(alternative)
        if len(found) != 1:
            raise NotExpressibleError("a score that is not made of one product")
        return found.pop()

    def _deep(self, number: int) -> Alternative:
        """The alternative for a class of the score: what leads to a product is not read."""
        for alternative in self._leading(number):
            return alternative
        return self.draft.picker.pick(number)

    def _leading(self, number: int) -> Iterator[Alternative]:
        for alternative in self.draft.picker.computed(number):
            if isinstance(alternative, ProductOf) or any(
                self._leads(n) for n in children(alternative)
            ):
                yield alternative

    def _leads(self, number: int) -> bool:
        if number not in self.leads:
            self.leads[number] = False
            self.leads[number] = any(True for _ in self._leading(number))
        return self.leads[number]

    def _as_product(self, number: int) -> ProductOf:
        alternative = self._deep(number)
        assert isinstance(alternative, ProductOf)
        return alternative

    def _inner(self, number: int) -> tuple[int, ...]:
        product = self._as_product(number)
        sizes = self.draft.source.views.spaces[product.space].sizes
        return sizes[len(sizes) - product.count :]

    def _sides(self, number: int, queries: int, keys: int) -> tuple[int, int]:
        """The factors on the side of the queries and of the keys."""
        product = self._as_product(number)
        own = self.draft.source.views.spaces[product.space].sizes
        kept = mask_of(set(range(len(own) - product.count)))
        masks = {
            n: self._spread(self.draft.source.depends[n] & kept)
            for n in (product.left, product.right)
        }
        for query, key in ((product.left, product.right), (product.right, product.left)):
            if not masks[query] & keys and not masks[key] & queries:
                return query, key
        raise NotExpressibleError("factors that depend on queries and keys alike")

    def _side(self, number: int, order: tuple[int, ...], inner: tuple[KernelAxis, ...]) -> Body:
        frame = self._score_frame(order) + tuple(axis(len(order) + n) for n in range(len(inner)))
        return self.draft.operand(number, self.axes(order) + inner, frame)

    def _score(self, product: int, order: tuple[int, ...]) -> Body:
        code = self.draft.code(self.axes(order), pick=self._deep)
        code.accumulated = {product: 0}
        return code.operand(self.alternative.score, self._score_frame(order))
