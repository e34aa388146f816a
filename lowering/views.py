"""Iteration spaces and operand views as numbers, and what rules may know about them.

The e-graph holds only numbers for spaces and views; their sizes and index expressions live here.
Rules see them through facts: which axes a view depends on, whether it is the identity, what two
views in a row are. So one rule covers every layout, order of axes and batch.

A space is a tuple of axis sizes whose last ``bound`` axes are bound by a reduction around the
reader, and whose very last ``computed`` axes stand for indices computed at run time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from lumc.dsl.index_expression import IndexExpression, axis, constant, substitute

UNBOUNDED = 1 << 31
"""The size given to a computed axis: no arithmetic may conclude anything from its range."""


@dataclass(frozen=True, slots=True)
class Space:
    """Axis sizes; the last axes are bound by reductions, or computed at run time."""

    sizes: tuple[int, ...]
    bound: int = 0
    computed: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """Where a tensor of sizes ``base`` is read, over the axes of a space."""

    base: tuple[int, ...]
    map: tuple[IndexExpression, ...]
    space: int


@dataclass(slots=True)
class ViewTable:
    """Spaces and views by number; equal ones have one number."""

    spaces: list[Space] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    _space_numbers: dict[Space, int] = field(default_factory=dict)
    _view_numbers: dict[View, int] = field(default_factory=dict)
    _compositions: dict[tuple[int, int], int] = field(default_factory=dict)

    def space(self, sizes: tuple[int, ...], bound: int = 0, computed: int = 0) -> int:
        """The number of a space."""
        space = Space(sizes, bound, computed)
        if space not in self._space_numbers:
            self._space_numbers[space] = len(self.spaces)
            self.spaces.append(space)
        return self._space_numbers[space]

    def view(self, base: tuple[int, ...], map_: tuple[IndexExpression, ...], space: int) -> int:
        """The number of a view; axes of size 1 stand at 0, so they do not occur in it."""
        view = View(base, _without_unit_axes(map_, self.spaces[space].sizes), space)
        if view not in self._view_numbers:
            self._view_numbers[view] = len(self.views)
            self.views.append(view)
        return self._view_numbers[view]

    def identity(self, sizes: tuple[int, ...]) -> int:
        """The view of a tensor over its own axes."""
        return self.view(sizes, tuple(axis(n) for n in range(len(sizes))), self.space(sizes))

    def compose(self, inner: int, outer: int) -> int:
        """The view that reads through ``outer`` what ``inner`` reads.

        ``inner`` is over the axes of what ``outer`` reads, and perhaps further bound or computed
        axes, which stay last.
        """
        key = (inner, outer)
        if key not in self._compositions:
            self._compositions[key] = self._composed(self.views[inner], self.views[outer])
        return self._compositions[key]

    def _composed(self, inner: View, outer: View) -> int:
        between = self.spaces[inner.space]
        reader = self.spaces[outer.space]
        rank = len(outer.base)
        tail = between.sizes[rank:]
        assert between.sizes[:rank] == outer.base, "views that do not meet"
        sizes = reader.sizes + tail
        space = self.space(sizes, reader.bound + between.bound, between.computed)
        moved = tuple(axis(len(reader.sizes) + n) for n in range(len(tail)))
        replacements = outer.map + moved
        return self.view(
            inner.base, tuple(substitute(e, replacements, sizes) for e in inner.map), space
        )

    # -- what rules may know

    def mask(self, number: int) -> int:
        """A bit per axis of the reader that the view depends on (computed axes are no axes)."""
        view = self.views[number]
        space = self.spaces[view.space]
        rank = len(space.sizes) - space.computed
        return mask_of({n for e in view.map for n in e.axes() if n < rank})

    def is_identity(self, number: int) -> bool:
        """Whether the view is of a whole tensor, over exactly its own axes."""
        view = self.views[number]
        space = self.spaces[view.space]
        return space == Space(view.base) and view.map == _without_unit_axes(
            tuple(axis(n) for n in range(len(view.base))), view.base
        )

    def is_root(self, number: int) -> bool:
        """Whether no axis of the reader is bound by a reduction."""
        return self.spaces[self.views[number].space].bound == 0

    def is_row(self, number: int) -> bool:
        """Whether the view's entries are distinct axes of the reader (0 where the size is 1)."""
        view = self.views[number]
        seen: set[int] = set()
        for expression, size in zip(view.map, view.base, strict=True):
            if size == 1 and expression == constant(0):
                continue
            bare = expression.bare_axis
            if bare is None or bare in seen:
                return False
            seen.add(bare)
        return True

    def tail_axes(self, number: int, count: int) -> int:
        """The axes of what is read that are just the reader's last ``count``, as bits.

        0 unless each of those axes is one such entry, of the same size, and occurs nowhere else.
        """
        view = self.views[number]
        sizes = self.spaces[view.space].sizes
        tail = range(len(sizes) - count, len(sizes))
        found: dict[int, int] = {}
        for axis_read, entry in enumerate(view.map):
            bare = entry.bare_axis
            if bare is not None and bare in tail and sizes[bare] == view.base[axis_read]:
                found[axis_read] = bare
            elif any(n in tail for n in entry.axes()):
                return 0
        whole = sorted(found.values()) == [n for n in tail if sizes[n] > 1]
        return mask_of(set(found)) if whole else 0

    def row_axes(self, one: int, other: int, count: int) -> int:
        """The axes at which ``other``, over ``count`` more axes than ``one``, is ``one``, as bits.

        0 unless putting the last axes of ``other`` at distinct axes of the same sizes makes it
        ``one``.
        """
        first, second = self.views[one], self.views[other]
        sizes = self.spaces[first.space].sizes
        longer = self.spaces[second.space].sizes
        if first.base != second.base or longer[:-count] != sizes:
            return 0
        tail = longer[-count:]
        for axes in permutations(range(len(sizes)), count):
            if any(sizes[n] != size for n, size in zip(axes, tail, strict=True)):
                continue
            replacements = [axis(n) for n in (*range(len(sizes)), *axes)]
            if tuple(substitute(e, replacements, sizes) for e in second.map) == first.map:
                return mask_of({n for n in axes if sizes[n] > 1})
        return 0

    def reduced_mask(self, number: int, count: int) -> int:
        """A bit per axis longer than 1 among the last ``count`` axes of space ``number``."""
        sizes = self.spaces[number].sizes
        return mask_of({n for n in range(len(sizes) - count, len(sizes)) if sizes[n] > 1})


def mask_of(axes: set[int] | frozenset[int]) -> int:
    """The axes as bits."""
    return sum(1 << n for n in axes)


def axes_of(mask: int) -> tuple[int, ...]:
    """The axes whose bits are set, in order."""
    return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)


def _without_unit_axes(
    map_: tuple[IndexExpression, ...], sizes: tuple[int, ...]
) -> tuple[IndexExpression, ...]:
    used = {n for expression in map_ for n in expression.axes()}
    if not any(sizes[n] == 1 for n in used):
        return map_
    replacements = {n: constant(0) if sizes[n] == 1 else axis(n) for n in used}
    return tuple(substitute(expression, replacements, sizes) for expression in map_)
