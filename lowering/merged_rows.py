"""A pointwise kernel's work done by a row kernel, in a pass over the same points.

What the row kernel would have read of it is computed in place of the read, rounded as it was in
memory; the pointwise kernel's own stores are made in the first pass that sees all of its points.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence, Set
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
from lumc.lowering.kernel_ranges import are_disjoint
from lumc.lowering.kernel_types import bodies
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


READS = frozenset({ParameterAccess.READ, ParameterAccess.UPDATE})
WRITES = frozenset({ParameterAccess.WRITE, ParameterAccess.UPDATE})


def meet(
    one: Drafted, other: Drafted, ones: Set[ParameterAccess], others: Set[ParameterAccess]
) -> bool:
    """Whether ``one`` may touch in one way an element that ``other`` touches in another way."""
    return any(
        p.access in ones
        and q.access in others
        and a.buffer == b.buffer
        and not are_disjoint(p, a.offset, q, b.offset)
        for p, a in zip(one.kernel.parameters, one.arguments, strict=True)
        for q, b in zip(other.kernel.parameters, other.arguments, strict=True)
    )


def merged(one: Drafted, other: Drafted) -> Drafted | None:
    """The row launch ``other`` that does the work of the pointwise launch ``one`` as well.

    None where they do not fit. That nothing else comes between them is the caller's to know.
    """
    maker, reader = one.kernel, other.kernel
    assert isinstance(maker, Pointwise)
    assert isinstance(reader, RowReduction)
    if meet(one, one, READS, WRITES):
        # It would be computed a second time from what it has changed.
        return None
    shared = _shared(one, other)
    if shared is None:
        return None
    merger = _Merger(one, other, *shared)
    kernel = merger.kernel(maker, reader)
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


def _shared(one: Drafted, other: Drafted) -> tuple[dict[int, Store], dict[int, Frame]] | None:
    """What both touch: for parameters of ``other``, the store of ``one`` that writes what is read.

    And for these, and those that both read, where ``one`` has its points in them, each once. None
    if something that ``one`` writes is touched in another way.
    """
    assert isinstance(one.kernel, Pointwise)
    handed: dict[int, Store] = {}
    places: dict[int, Frame] = {}
    loads = [x for x in one.kernel.body.instructions if isinstance(x, Load)]
    for number, (parameter, argument) in enumerate(
        zip(other.kernel.parameters, other.arguments, strict=True)
    ):
        stores = [s for s in one.kernel.stores if one.arguments[s.parameter] == argument]
        accesses: tuple[Load | Store, ...] = (*stores, *loads)
        for access in accesses:
            own = one.kernel.parameters[access.parameter]
            if one.arguments[access.parameter] != argument or not _is_alike(own, parameter):
                continue
            if is_everywhere(one.kernel, access):
                places.setdefault(number, access.index)
        if _is_written(one, parameter, argument):
            if len(stores) != 1 or number not in places or not parameter.dtype.is_float:
                return None
            if not _is_read_plainly(other.kernel, number):
                return None
            pair = (one.kernel.parameters[stores[0].parameter].access, parameter.access)
            if pair != (ParameterAccess.WRITE, ParameterAccess.READ):
                return None
            handed[number] = stores[0]
    return (handed, places) if places else None


def _is_read_plainly(kernel: Kernel, parameter: int) -> bool:
    """Whether all reads are unconditional, at known places: no guard would be left of a load."""
    return not any(
        isinstance(x, Load) and x.parameter == parameter and (x.computed or x.predicate is not None)
        for _, body in bodies(kernel)
        for x in body.instructions
    )


def _is_written(one: Drafted, parameter: Parameter, argument: Argument) -> bool:
    """Whether ``one`` may write an element of what another launch has as ``parameter``."""
    return any(
        own.access in WRITES
        and place.buffer == argument.buffer
        and not are_disjoint(own, place.offset, parameter, argument.offset)
        for own, place in zip(one.kernel.parameters, one.arguments, strict=True)
    )


def _is_alike(one: Parameter, other: Parameter) -> bool:
    same = one.shape == other.shape and one.strides == other.strides
    return same and one.dtype is other.dtype


def is_everywhere(kernel: Pointwise, access: Load | Store) -> bool:
    """Whether each point of the kernel has its own place there, and no place is left."""
    if access.computed or access.predicate is not None:
        return False
    if isinstance(access, Store) and access.combine is not None:
        return False
    return is_everything(access.index, kernel.body, kernel.parameters[access.parameter].shape)


def is_everything(index: Sequence[IndexExpression], body: Body, shape: Sequence[int]) -> bool:
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
    places: dict[int, Frame]
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
            if isinstance(load, Load) and load.parameter in self.places:
                shape = reader.parameters[load.parameter].shape
                if not load.computed and is_everything(load.index, body, shape):
                    return self.place(load)
        return None

    def place(self, load: Load) -> Frame:
        """For each axis of the maker, where it is when its point is what ``load`` reads."""
        own = self.places[load.parameter]
        where = {entry.bare_axis: read for entry, read in zip(own, load.index, strict=True)}
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
    known: dict[Instruction, int] = field(default_factory=dict)
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
        """The value of ``instruction``; what both kernels compute is computed once."""
        if instruction not in self.known:
            self.known[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return self.known[instruction]

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
