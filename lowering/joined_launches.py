"""Launches joined where one makes, point by point, what another reads row by row.

A residual is added at the end of a block and normalised at the beginning of the next. Blocks are
lowered one by one, so the two meet only here: the row kernel computes what it would have read, and
stores it for those who read it later.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lumc.dsl.index_expression import IndexExpression, axis, constant, substitute
from lumc.lowering.kernel_program import (
    Apply,
    Argument,
    Body,
    Convert,
    IndexOf,
    Instruction,
    Kernel,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Provenance,
    RowReduction,
    Store,
)
from lumc.lowering.views import UNBOUNDED

Frame = tuple[IndexExpression, ...]
"""Where each axis of a body is, over the axes of another."""

Access = TypeVar("Access", Load, Store)


@dataclass(frozen=True, slots=True)
class Drafted:
    """A launch before its kernel has a number; ``steps`` are the launches that became it."""

    kernel: Kernel
    arguments: tuple[Argument, ...]
    provenance: Provenance
    steps: tuple[int, ...]

    def buffers(self, *accesses: ParameterAccess) -> frozenset[int]:
        """The buffers that the launch accesses in one of these ways."""
        pairs = zip(self.kernel.parameters, self.arguments, strict=True)
        return frozenset(a.buffer for p, a in pairs if p.access in accesses)


_WRITES = (ParameterAccess.WRITE, ParameterAccess.UPDATE)
_READS = (ParameterAccess.READ, ParameterAccess.UPDATE)


def join_launches(
    launches: Sequence[Drafted], cost: Callable[[Kernel], float]
) -> tuple[Drafted, ...]:
    """``launches`` with each pair joined that is cheaper as one, in the later one's place."""
    found: list[Drafted | None] = list(launches)
    for number, launch in enumerate(launches):
        reader = _only_next(found, number)
        if reader is None:
            continue
        place, later = reader
        joint = _joint(launch, later)
        if joint is None:
            continue
        if cost(joint.kernel) < cost(launch.kernel) + cost(later.kernel):
            found[number], found[place] = None, joint
    return tuple(launch for launch in found if launch is not None)


def _only_next(launches: Sequence[Drafted | None], number: int) -> tuple[int, Drafted] | None:
    """The first launch to touch what launch ``number`` writes, if it might do its work as well."""
    one = launches[number]
    if one is None or not isinstance(one.kernel, Pointwise):
        return None
    written, read = one.buffers(*_WRITES), one.buffers(*_READS)
    for place in range(number + 1, len(launches)):
        other = launches[place]
        if other is None:
            continue
        changed = other.buffers(*_WRITES)
        if written & (other.buffers(*_READS) | changed):
            apart = not changed & (read | written)
            return (place, other) if apart and isinstance(other.kernel, RowReduction) else None
        if read & changed:
            return None
    return None


def _joint(one: Drafted, other: Drafted) -> Drafted | None:
    """One launch for both; None where they do not fit."""
    assert isinstance(one.kernel, Pointwise)
    assert isinstance(other.kernel, RowReduction)
    handed = _handed_over(one, other)
    if not handed:
        return None
    merger = _Merger(one, other, handed)
    kernel = merger.kernel(one.kernel, other.kernel)
    if kernel is None:
        return None
    provenance = _together(one.provenance, other.provenance)
    return Drafted(kernel, tuple(merger.arguments), provenance, one.steps + other.steps)


def _together(one: Provenance, other: Provenance) -> Provenance:
    return Provenance(
        tuple(dict.fromkeys(one.spans + other.spans)),
        tuple(dict.fromkeys(one.labels + other.labels)),
        tuple(dict.fromkeys(one.rules + other.rules)),
    )


def _handed_over(one: Drafted, other: Drafted) -> dict[int, Store]:
    """For parameters of ``other``, the store of ``one`` that writes what it reads there.

    Empty unless everything of ``one`` that ``other`` touches is handed over so.
    """
    assert isinstance(one.kernel, Pointwise)
    written = one.buffers(*_WRITES)
    found: dict[int, Store] = {}
    for number, argument in enumerate(other.arguments):
        if argument.buffer not in written:
            continue
        stores = [s for s in one.kernel.stores if one.arguments[s.parameter] == argument]
        if len(stores) != 1:
            return {}
        made = one.kernel.parameters[stores[0].parameter]
        if not _is_same(made, other.kernel.parameters[number]):
            return {}
        if not _is_everywhere(one.kernel, stores[0]):
            return {}
        found[number] = stores[0]
    return found


def _is_same(made: Parameter, read: Parameter) -> bool:
    """Whether one is written as the other is read: as a tensor of reals that lies alike."""
    alike = made.shape == read.shape and made.strides == read.strides and made.dtype is read.dtype
    accesses = (made.access, read.access)
    return (
        alike and made.dtype.is_float and accesses == (ParameterAccess.WRITE, ParameterAccess.READ)
    )


def _is_everywhere(kernel: Pointwise, store: Store) -> bool:
    """Whether each point of the kernel is stored at its own place, and no place is left."""
    if store.computed or store.predicate is not None or store.combine is not None:
        return False
    return _is_everything(store.index, kernel.body, kernel.parameters[store.parameter].shape)


def _is_everything(index: Sequence[IndexExpression], body: Body, shape: Sequence[int]) -> bool:
    """Whether ``index`` takes every axis of ``body`` for one of ``shape``."""
    found: list[int] = []
    for entry, length in zip(index, shape, strict=True):
        place = entry.bare_axis
        if length == 1:
            continue
        if place is None or body.axes[place].size != length:
            return False
        found.append(place)
    return sorted(found) == [n for n, a in enumerate(body.axes) if a.size > 1]


@dataclass(slots=True)
class _Merger:
    """Makes one kernel's code part of another's phases."""

    one: Drafted
    other: Drafted
    handed: dict[int, Store]
    parameters: list[Parameter] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)

    def kernel(self, maker: Pointwise, reader: RowReduction) -> RowReduction | None:
        """The joint kernel; None where no phase passes over all that is to be stored."""
        phases: list[Phase] = []
        is_stored = False
        for phase in reader.phases:
            code = _PhaseCode(self, maker, phase.body)
            code.take_over()
            stores = [code.store(self.other, s, code.own, code.values) for s in phase.stores]
            place = None if is_stored else self._place_of_all(phase.body, reader)
            if place is not None:
                made = code.made_at(place)
                stores += [code.store(self.one, s, place, made) for s in maker.stores]
                is_stored = True
            reductions = tuple(
                dataclasses.replace(r, value=code.values[r.value]) for r in phase.reductions
            )
            body = Body(phase.body.axes, tuple(code.instructions))
            phases.append(Phase(body, reductions, tuple(stores)))
        if not is_stored:
            return None
        return RowReduction("kernel", tuple(self.parameters), reader.rows, tuple(phases))

    def _place_of_all(self, body: Body, reader: RowReduction) -> Frame | None:
        """Where the maker's points are in a body that reads each thing handed over once."""
        for load in body.instructions:
            if isinstance(load, Load) and load.parameter in self.handed:
                shape = reader.parameters[load.parameter].shape
                if not load.computed and _is_everything(load.index, body, shape):
                    return self.place(load)
        return None

    def place(self, load: Load) -> Frame:
        """For each axis of the maker, where it is when ``load`` reads what was made."""
        store = self.handed[load.parameter]
        where = {entry.bare_axis: read for entry, read in zip(store.index, load.index, strict=True)}
        assert isinstance(self.one.kernel, Pointwise)
        axes = self.one.kernel.body.axes
        return tuple(where.get(n, constant(0)) for n in range(len(axes)))

    def parameter(self, launch: Drafted, number: int) -> int:
        """The joint kernel's parameter for one of a launch's own."""
        wanted, argument = launch.kernel.parameters[number], launch.arguments[number]
        for known, (parameter, place) in enumerate(
            zip(self.parameters, self.arguments, strict=True)
        ):
            if place == argument and dataclasses.replace(parameter, name=wanted.name) == wanted:
                return known
        self.parameters.append(wanted)
        self.arguments.append(argument)
        return len(self.parameters) - 1


@dataclass(slots=True)
class _PhaseCode:
    """The code of a phase of the reader, with what it read computed in place."""

    merger: _Merger
    maker: Pointwise
    body: Body
    instructions: list[Instruction] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    """The new number of each value of the phase."""
    made: dict[Frame, dict[int, int]] = field(default_factory=dict)
    """For places of the maker's points, the new number of each of its values."""

    @property
    def own(self) -> Frame:
        """The phase's own axes."""
        return tuple(axis(n) for n in range(len(self.body.axes)))

    def take_over(self) -> None:
        """Write the phase's instructions."""
        for number, instruction in enumerate(self.body.instructions):
            if isinstance(instruction, Load) and instruction.parameter in self.merger.handed:
                self.values[number] = self._computed(instruction)
            else:
                moved = self._moved(self.merger.other, instruction, self.own, self.values)
                self.values[number] = self._add(moved)

    def made_at(self, place: Frame) -> dict[int, int]:
        """The values of the maker's code at ``place``."""
        if place not in self.made:
            values: dict[int, int] = {}
            for number, instruction in enumerate(self.maker.body.instructions):
                moved = self._moved(self.merger.one, instruction, place, values)
                values[number] = self._add(moved)
            self.made[place] = values
        return self.made[place]

    def store(self, launch: Drafted, store: Store, place: Frame, values: dict[int, int]) -> Store:
        """A store of ``launch``, whose values now have other numbers."""
        moved = self._moved_access(launch, store, place, values)
        return dataclasses.replace(moved, value=values[store.value])

    def _computed(self, load: Load) -> int:
        """What ``load`` read, as it was stored: rounded."""
        store = self.merger.handed[load.parameter]
        number = self.made_at(self.merger.place(load))[store.value]
        dtype = self.merger.one.kernel.parameters[store.parameter].dtype
        return self._add(Convert(number, dtype))

    def _add(self, instruction: Instruction) -> int:
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def _moved(
        self, launch: Drafted, instruction: Instruction, place: Frame, values: dict[int, int]
    ) -> Instruction:
        match instruction:
            case Load():
                return self._moved_access(launch, instruction, place, values)
            case IndexOf(expression):
                return IndexOf(substitute(expression, place, self._sizes(0)))
            case Apply(op, operands):
                return Apply(op, tuple(values[n] for n in operands))
            case Convert(operand, dtype):
                return Convert(values[operand], dtype)
            case _:
                return instruction

    def _moved_access(
        self, launch: Drafted, access: Access, place: Frame, values: dict[int, int]
    ) -> Access:
        count = len(access.computed)
        frame = place + tuple(axis(len(self.body.axes) + n) for n in range(count))
        sizes = self._sizes(count)
        return dataclasses.replace(
            access,
            parameter=self.merger.parameter(launch, access.parameter),
            index=tuple(substitute(entry, frame, sizes) for entry in access.index),
            computed=tuple(values[n] for n in access.computed),
            predicate=None if access.predicate is None else values[access.predicate],
        )

    def _sizes(self, computed: int) -> tuple[int, ...]:
        return tuple(a.size for a in self.body.axes) + (UNBOUNDED,) * computed
