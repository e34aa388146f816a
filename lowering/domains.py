"""Where expressions are defined and where they are needed: which alternatives may stand for which.

A guarded read leaves its tensor at some points, where a select discards it. What the tensor is made
of may be defined there all the same: ``y[r] = x[0]`` read at ``r - 1`` is ``x[0]``, also for
``r = 0``. So a class of equal expressions holds some that say nothing at points where others do.
What may be chosen for it is what is defined wherever the class is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    FloorDivide,
    IndexExpression,
    add,
    constant,
    scale,
    substitute,
)
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.alternatives import (
    Alternative,
    ApplyOf,
    AttendOf,
    ConvertOf,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
    ProductOf,
    ReducedOf,
)
from lumc.lowering.kernel_ranges import index_range
from lumc.lowering.views import ViewTable

Classes = Mapping[int, tuple[Alternative, ...]]

Domain = dict[IndexExpression, int]
"""The points at which each expression, which has no constant, has at least a value."""

EVERYWHERE: Domain = {}


def defined_where_needed(
    views: ViewTable, classes: Classes, roots: Iterable[int]
) -> dict[int, tuple[Alternative, ...]]:
    """The alternatives of each class that are defined wherever it is needed.

    ``roots`` are needed at every point of their spaces.
    """
    finder = _Finder(views, classes)
    if not finder.leaves_tensors():
        return dict(classes)
    finder.define()
    finder.need(roots)
    return {number: finder.kept(number) for number in classes}


@dataclass(slots=True)
class _Finder:
    views: ViewTable
    classes: Classes
    defined: dict[int, Domain] = field(default_factory=dict)
    """The widest domain of an alternative of each class that was found so far."""
    needed: dict[int, Domain] = field(default_factory=dict)
    """Where each class is needed; a class that is not in it is needed nowhere that is known."""
    _partial: set[int] = field(default_factory=set)
    """The classes of which an alternative was not defined everywhere when it was looked at."""
    _views: dict[int, Domain] = field(default_factory=dict)

    def kept(self, number: int) -> tuple[Alternative, ...]:
        """The alternatives of a class that are defined where it is needed.

        What a condition guards cannot always be proved: the ways to compute a value all stay if
        none is known to be defined.
        """
        needed = self.needed.get(number)
        alternatives = self.classes[number]
        if needed is None or len(alternatives) == 1 or number not in self._partial:
            return alternatives
        found = [(a, self._domain(a)) for a in alternatives]
        kept = [a for a, domain in found if domain is not None and _covers(domain, needed)]
        if all(isinstance(a, LoadOf) for a in kept):
            kept = [a for a in alternatives if a in kept or not isinstance(a, LoadOf)]
        return tuple(kept) or alternatives

    def leaves_tensors(self) -> bool:
        """Whether anything is read outside its tensor at some point."""
        return any(
            isinstance(a, LoadOf) and self._inside(a.view)
            for alternatives in self.classes.values()
            for a in alternatives
        )

    # -- where expressions are defined, from their operands up

    def define(self) -> None:
        """Find where classes are defined."""
        readers: dict[int, list[int]] = {}
        for number, alternatives in self.classes.items():
            for alternative in alternatives:
                for operand in _operands(alternative):
                    readers.setdefault(operand, []).append(number)
        waiting = dict.fromkeys(self.classes)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            if self._widen(number):
                waiting.update(dict.fromkeys(readers.get(number, ())))

    def _widen(self, number: int) -> bool:
        """Widen the domain of a class by what is known now; whether it changed."""
        changed = False
        for alternative in self.classes[number]:
            domain = self._domain(alternative)
            if domain is None:
                continue
            if domain:
                self._partial.add(number)
            known = self.defined.get(number)
            if known is None or (_covers(domain, known) and not _covers(known, domain)):
                self.defined[number] = domain
                changed = True
        return changed

    def _domain(self, alternative: Alternative) -> Domain | None:
        """Where an alternative is defined; None while what it is made of has no domain yet."""
        match alternative:
            case LiteralOf() | IndexAt():
                return EVERYWHERE
            case LoadOf(_, view):
                return self._inside(view)
            case ReducedOf(_, _, space, count, body, view):
                return self._read(self._outer((body,), space, count), view)
            case GatherOf(_, view, indices):
                return self._all(indices, self._inside(view))
            case ConvertOf(_, operand):
                return self.defined.get(operand)
            case ApplyOf(ElementwiseOp.SELECT, (test, taken, other)):
                return self._select(test, taken, other)
            case ApplyOf(_, operands):
                return self._all(operands, EVERYWHERE)
            case ProductOf(space, count, left, right):
                return self._outer((left, right), space, count)
            case AttendOf(space, count, _, view, value):
                domain = self._outer((value,), space, count)
                return None if domain is None else _both(self._inside(view), domain)
            case _:
                assert_never(alternative)

    def _all(self, numbers: tuple[int, ...], domain: Domain) -> Domain | None:
        for number in numbers:
            known = self.defined.get(number)
            if known is None:
                return None
            domain = _both(domain, known)
        return domain

    def _outer(self, numbers: tuple[int, ...], space: int, count: int) -> Domain | None:
        """What the operands of a sum say of axes that are not summed over: sums are of all."""
        domain = self._all(numbers, EVERYWHERE)
        if domain is None:
            return None
        rank = len(self.views.spaces[space].sizes) - count
        return {e: least for e, least in domain.items() if all(n < rank for n in e.axes())}

    def _read(self, domain: Domain | None, number: int) -> Domain | None:
        """Where a view reads inside its tensor, and inside ``domain``, which is over its axes."""
        if domain is None:
            return None
        view, found = self.views.views[number], self._inside(number)
        sizes = self.views.spaces[view.space].sizes
        for entry, least in domain.items():
            found = _both(found, _at_least(substitute(entry, view.map, sizes), least))
        return found

    def _inside(self, number: int) -> Domain:
        """Where a view reads inside its tensor; what is computed at run time is taken to be."""
        if number not in self._views:
            self._views[number] = self._inside_anew(number)
        return self._views[number]

    def _inside_anew(self, number: int) -> Domain:
        view = self.views.views[number]
        space = self.views.spaces[view.space]
        sizes = space.sizes[: len(space.sizes) - space.computed]
        domain = EVERYWHERE
        for entry, size in zip(view.map, view.base, strict=True):
            if any(n >= len(sizes) for n in entry.axes()):
                continue
            found = index_range(entry, sizes, (), size)
            assert found is not None, "an index over axes has a range"
            if found[0] < 0:
                domain = _both(domain, _at_least(entry, 0))
            if found[1] >= size:
                domain = _both(domain, _at_least(scale(entry, -1), 1 - size))
        return domain

    def _select(self, test: int, taken: int, other: int) -> Domain | None:
        domain = self.defined.get(test)
        if domain is None:
            return None
        for number, holds in ((taken, True), (other, False)):
            known = self.defined.get(number)
            if known is None:
                return None
            said = self._said(test, holds)
            if said is not None:
                left = {e: v for e, v in known.items() if said.get(e, v - 1) < v}
                domain = _both(domain, left)
        return domain

    # -- where they are needed, from the roots down

    def need(self, roots: Iterable[int]) -> None:
        """Find where classes are needed.

        What a kernel may store as it is read somewhere is needed at all points of that.
        """
        stored = (
            number
            for number, alternatives in self.classes.items()
            if any(isinstance(a, LoadOf) and not self._inside(a.view) for a in alternatives)
        )
        waiting: dict[int, None] = {}
        for number in (*roots, *stored):
            self.needed[number] = EVERYWHERE
            waiting[number] = None
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            for alternative in self.classes[number]:
                for operand, domain in self._demands(alternative, self.needed[number]):
                    if self._add_need(operand, domain):
                        waiting[operand] = None

    def _add_need(self, number: int, domain: Domain) -> bool:
        known = self.needed.get(number)
        if known is not None and _covers(known, domain):
            return False
        if known is not None:
            domain = {e: min(v, domain[e]) for e, v in known.items() if e in domain}
        self.needed[number] = domain
        return True

    def _demands(self, alternative: Alternative, domain: Domain) -> Iterator[tuple[int, Domain]]:
        """Where the operands of an alternative are needed that is needed in ``domain``."""
        match alternative:
            case ApplyOf(ElementwiseOp.SELECT, (test, taken, other)):
                yield test, domain
                for number, holds in ((taken, True), (other, False)):
                    said = self._said(test, holds)
                    if said is not None:
                        yield number, _both(domain, said)
            case ReducedOf(_, _, _, _, body, view) if not self._is_own(view):
                yield body, EVERYWHERE
            case AttendOf(_, _, score, _, value):
                yield score, EVERYWHERE
                yield value, domain
            case _:
                for operand in _operands(alternative):
                    yield operand, domain

    def _is_own(self, number: int) -> bool:
        """Whether what is read over some axes is over just those."""
        return self.views.is_identity(number)

    # -- what conditions say

    def _said(self, number: int, holds: bool) -> Domain | None:
        """What it says of indices that a condition holds, or not; None where that is not known.

        A condition that is no comparison of indices is taken to guard all that it should.
        """
        for alternative in self.classes[number]:
            said = self._said_by(alternative, holds)
            if said is not None:
                return said
        return None

    def _said_by(self, alternative: Alternative, holds: bool) -> Domain | None:
        match alternative:
            case ApplyOf(ElementwiseOp.LESS_THAN, (left, right)):
                small, great = self._index(left), self._index(right)
                if small is None or great is None:
                    return None
                if holds:
                    return _at_least(add(great, small, -1), 1)
                return _at_least(add(small, great, -1), 0)
            case ApplyOf(ElementwiseOp.MULTIPLY, (left, right)) if holds:
                one, two = self._said(left, holds=True), self._said(right, holds=True)
                return None if one is None or two is None else _both(one, two)
            case ApplyOf(ElementwiseOp.SELECT, (test, taken, other)):
                if self._is(taken, value=False) and self._is(other, value=True):
                    return self._said(test, not holds)
                return None
            case _:
                return None

    def _index(self, number: int) -> IndexExpression | None:
        for alternative in self.classes[number]:
            match alternative:
                case IndexAt(view):
                    return self.views.views[view].map[0]
                case LiteralOf(DType.I32 | DType.I64, int(value)):
                    return constant(value)
        return None

    def _is(self, number: int, value: bool) -> bool:
        return any(
            isinstance(a, LiteralOf) and a.dtype is DType.BOOL and bool(a.value) is value
            for a in self.classes[number]
        )


def _operands(alternative: Alternative) -> Iterator[int]:
    """The classes whose domains say where an alternative is defined."""
    match alternative:
        case ApplyOf(_, operands):
            yield from operands
        case ConvertOf(_, operand):
            yield operand
        case GatherOf(_, _, indices):
            yield from indices
        case ProductOf(_, _, left, right):
            yield from (left, right)
        case ReducedOf(body=body):
            yield body
        case AttendOf(value=value):
            yield value
        case LoadOf() | LiteralOf() | IndexAt():
            return
        case _:
            assert_never(alternative)


def _at_least(entry: IndexExpression, least: int) -> Domain:
    """Where ``entry`` has at least this value, in the terms of the axes as far as may be."""
    wanted = least - entry.constant
    match entry.terms:
        case ():
            return EVERYWHERE
        case ((FloorDivide(inner, divisor), 1),):
            return _at_least(inner, wanted * divisor)
        case ((FloorDivide(inner, divisor), -1),):
            # floor(i / d) <= n where i <= n * d + d - 1
            return _at_least(scale(inner, -1), wanted * divisor - divisor + 1)
        case terms:
            step = math.gcd(*(factor for _, factor in terms))
            terms = tuple((atom, factor // step) for atom, factor in terms)
            return {IndexExpression(0, terms): -(-wanted // step)}


def _both(one: Domain, other: Domain) -> Domain:
    if not other:
        return one
    return one | {e: max(least, one.get(e, least)) for e, least in other.items()}


def _covers(wide: Domain, narrow: Domain) -> bool:
    """Whether every point of ``narrow`` is known to be one of ``wide``."""
    return all(e in narrow and narrow[e] >= least for e, least in wide.items())
