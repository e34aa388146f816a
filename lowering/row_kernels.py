"""Row reductions: what a row needs is reduced in earlier passes over it, then it is stored."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lumc.dsl.index_expression import IndexExpression, axis, constant, substitute
from lumc.lowering.alternatives import AttendOf, ProductOf, ReducedOf
from lumc.lowering.draft import Draft, children
from lumc.lowering.kernel_program import KernelAxis, Phase, Reduction, RowReduction
from lumc.lowering.scalar_code import Frame, NotExpressibleError, RowKey, row_key


@dataclass(slots=True)
class _Row:
    """A reduction that a row needs, and after how many others it can be computed."""

    key: RowKey
    own: tuple[int, ...]
    level: int


def row_reduction(draft: Draft) -> RowReduction:
    """The request of ``draft`` as a row reduction.

    Raises:
        NotExpressibleError: the reductions are not all of one row.
    """
    return _RowDraft(draft).kernel()


@dataclass(slots=True)
class _RowDraft:
    draft: Draft
    found: dict[RowKey, _Row] = field(default_factory=dict)
    levels: dict[tuple[int, Frame], int] = field(default_factory=dict)

    def kernel(self) -> RowReduction:
        whole = self.draft.place(range(len(self.draft.request.axes)))
        for root in self.draft.request.roots:
            for number in (root.value, *root.computed):
                self._collect(number, whole)
        rows = sorted({n for key in self.found for entry in key.row for n in entry.axes()})
        axes = tuple(self.draft.request.axes[n] for n in rows)
        renamed = {number: axis(position) for position, number in enumerate(rows)}
        order: dict[RowKey, int] = {}
        phases: list[Phase] = []
        for group in _grouped(self.found.values()):
            phases.append(self._reducing_phase(axes, renamed, group, order))
        own = [n for n in range(len(self.draft.request.axes)) if n not in rows]
        code = self.draft.code(axes + tuple(self.draft.request.axes[n] for n in own))
        code.rows = order
        stored = self.draft.stores(code, self.draft.place([*rows, *own]))
        phases.append(Phase(code.body(), (), stored))
        return RowReduction("kernel", (), axes, tuple(phases))

    def _collect(self, number: int, frame: Frame) -> int:
        """Find the reductions below a class; returns how many levels of them there are."""
        if (number, frame) in self.levels:
            return self.levels[number, frame]
        alternative = self.draft.picker.pick(number)
        if isinstance(alternative, ReducedOf):
            level = self._collect_row(alternative, frame)
        elif isinstance(alternative, ProductOf | AttendOf):
            raise NotExpressibleError("a product inside a row reduction")
        else:
            below = [self._collect(n, frame) for n in children(alternative)]
            level = max(below, default=0)
        self.levels[number, frame] = level
        return level

    def _collect_row(self, alternative: ReducedOf, frame: Frame) -> int:
        space = self.draft.source.views.spaces[alternative.space].sizes
        own = space[len(space) - alternative.count :]
        sizes = self.draft.sizes + own
        key = row_key(self.draft.source, alternative, frame, sizes)
        rank = len(self.draft.sizes)
        for entry in key.row:
            bare = entry.bare_axis
            if entry != constant(0) and (bare is None or bare >= rank):
                raise NotExpressibleError("a reduction that is not one of the row's")
        inner = key.row + tuple(axis(rank + n) for n in range(len(own)))
        level = 1 + self._collect(alternative.body, inner)
        self.found.setdefault(key, _Row(key, own, level))
        return level

    def _reducing_phase(
        self,
        rows: tuple[KernelAxis, ...],
        renamed: dict[int, IndexExpression],
        group: Sequence[_Row],
        order: dict[RowKey, int],
    ) -> Phase:
        own = tuple(KernelAxis(f"j{n}", size) for n, size in enumerate(group[0].own))
        code = self.draft.code(rows + own)
        code.rows = dict(order)
        reductions: list[Reduction] = []
        for row in group:
            place = tuple(substitute(entry, renamed, code.sizes) for entry in row.key.row)
            frame = place + tuple(axis(len(rows) + n) for n in range(len(own)))
            reductions.append(Reduction(row.key.op, code.value(row.key.body, frame)))
            order[dataclasses.replace(row.key, row=place)] = len(order)
        return Phase(code.body(), tuple(reductions))


def _grouped(rows: Iterable[_Row]) -> list[list[_Row]]:
    """The reductions by pass: those of one level and one set of axes share a pass."""
    groups: dict[tuple[int, tuple[int, ...]], list[_Row]] = {}
    for row in rows:
        groups.setdefault((row.level, row.own), []).append(row)
    return [groups[key] for key in sorted(groups, key=lambda key: key[0])]
