"""What a row reduction keeps in registers between phases, and what has to wait for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import Pack, Pointer
from lumc.codegen.flat import FlatBody, FlatLoad, FlatStore, live_values
from lumc.codegen.identifiers import Names
from lumc.codegen.row_layout import Layout
from lumc.codegen.row_walk import PhaseWalk, RowWalk
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.vectorise import step
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression

MOST_BYTES = 384
MOST_STEPS = 16
_MOST_DELAYED_BYTES = 1024


@dataclass(frozen=True, slots=True)
class RowArray:
    """A thread's part of a row in registers: ``steps`` vectors of ``width``."""

    element: str
    width: int
    steps: int
    name: str
    bytes: int


def row_array(dtype: DType, width: int, steps: int, name: str) -> RowArray:
    """Registers for ``steps`` vectors of ``width`` elements."""
    return RowArray(STORAGE_TYPES[dtype], width, steps, name, steps * width * dtype.bytes)


@dataclass(frozen=True, slots=True)
class KeptLoads:
    """For each phase, the loads (by value number) it keeps and those that were kept before it."""

    arrays: tuple[RowArray, ...]
    keep: tuple[Mapping[int, str], ...]
    kept: tuple[Mapping[int, str], ...]


def keep_loads(
    walk: RowWalk[Layout], pointers: Sequence[Pointer], names: Names, most: int = MOST_BYTES
) -> KeptLoads:
    """Choose the loads that several phases share and that fit in ``most`` bytes of registers."""
    keep: list[dict[int, str]] = [{} for _ in walk.phases]
    kept: list[dict[int, str]] = [{} for _ in walk.phases]
    arrays: list[RowArray] = []
    left = most
    # What differs from row to row comes from far; what all rows read is near after the first.
    shared = sorted(_shared_loads(walk), key=lambda found: not _differs_by_row(walk, found[1][0]))
    for parameter, places in shared:
        (first, number), *later = places
        phase = walk.phases[first]
        dtype = pointers[parameter].parameter.dtype
        steps = phase.steps(walk.layout)
        size = steps * phase.width * dtype.bytes
        if steps > MOST_STEPS or size > left:
            continue
        left -= size
        name = names.fresh(f"{pointers[parameter].name}_row")
        arrays.append(row_array(dtype, phase.width, steps, name))
        keep[first][number] = f"{name}[step]"
        for phase_number, number in later:
            kept[phase_number][number] = f"{name}[step]"
    return KeptLoads(tuple(arrays), tuple(keep), tuple(kept))


def _shared_loads(walk: RowWalk[Layout]) -> list[tuple[int, list[tuple[int, int]]]]:
    """Parameters, and the (phase, value) places that load the same of them, in order."""
    found: dict[tuple[int, int, IndexExpression], list[tuple[int, int]]] = {}
    for number, phase in enumerate(walk.phases):
        live = live_values(phase.body, [r.value for r in phase.reductions])
        for value, load in enumerate(phase.body.instructions):
            if value in live and isinstance(load, FlatLoad) and can_be_kept(load, phase):
                key = (phase.family, load.parameter, load.offset)
                found.setdefault(key, []).append((number, value))
    shared: list[tuple[int, list[tuple[int, int]]]] = []
    for (_, parameter, _), places in found.items():
        # From where the parameter is written on, it has to be read anew.
        last = min(
            (n for n in range(len(walk.phases)) if _stores(walk.phases[n], parameter)),
            default=len(walk.phases),
        )
        unchanged = [place for place in places if place[0] <= last]
        if len({phase for phase, _ in unchanged}) > 1:
            shared.append((parameter, unchanged))
    return shared


def _differs_by_row(walk: RowWalk[Layout], place: tuple[int, int]) -> bool:
    phase, number = place
    load = walk.phases[phase].body.instructions[number]
    assert isinstance(load, FlatLoad)
    return any(n < len(walk.rows) for n in load.offset.axes())


def can_be_kept(load: FlatLoad, phase: PhaseWalk) -> bool:
    """True when a load is read at every step, as a vector where the phase has lanes."""
    if load.computed or load.predicate is not None or not phase.own:
        return False
    return phase.lanes is None or step(load.offset, phase.lanes) == 1


def _stores(phase: PhaseWalk, parameter: int) -> bool:
    return any(store.parameter == parameter for store in phase.body.stores)


def _loads(phase: PhaseWalk, parameter: int) -> bool:
    return any(load.parameter == parameter for load in phase.body.loads())


def needs_barrier(walk: RowWalk[Layout], number: int) -> bool:
    """True when phase ``number`` may not begin before all threads have ended those before it.

    That is so when one reads what the other writes.
    """
    phase = walk.phases[number]
    return any(
        (_stores(earlier, p) and (_loads(phase, p) or _stores(phase, p)))
        or (_loads(earlier, p) and _stores(phase, p))
        for earlier in walk.phases[:number]
        for p in _touched(phase)
    )


def _touched(phase: PhaseWalk) -> frozenset[int]:
    return frozenset(access.parameter for access in phase.body.accesses())


def must_wait_with_stores(phase: PhaseWalk) -> bool:
    """True when a phase writes places that other threads may still have to read in it."""
    return any(
        load.parameter == store.parameter
        and (load.offset != store.offset or load.computed or store.computed)
        for store in phase.body.stores
        for load in phase.body.loads()
    )


@dataclass(frozen=True, slots=True)
class SplitPhase:
    """A phase in two: ``compute`` puts into registers what ``store`` then writes.

    ``packed`` are the loads of ``store`` (by value number) that stand for what was packed.
    """

    compute: FlatBody
    packs: tuple[Pack, ...]
    store: FlatBody
    packed: Mapping[int, str]
    arrays: tuple[RowArray, ...]


def split_phase(
    phase: PhaseWalk, layout: Layout, pointers: Sequence[Pointer], names: Names
) -> SplitPhase:
    """Split ``phase`` such that all its reads are done before its first write.

    Raises:
        ValueError: the row is too long for that, or the places written depend on what is.
    """
    body = phase.body
    steps = phase.steps(layout)
    arrays: list[RowArray] = []
    packs: list[Pack] = []
    second = list(body.instructions)
    stores: list[FlatStore] = []
    kept: dict[int, str] = {}
    for store in body.stores:
        pointer = pointers[store.parameter]
        dtype = pointer.parameter.dtype
        name = names.fresh(f"{pointer.name}_later")
        arrays.append(row_array(dtype, phase.width, steps, name))
        packs.append(Pack(store.value, dtype, f"{name}[step]"))
        kept[len(second)] = f"{name}[step]"
        stores.append(replace(store, value=len(second)))
        second.append(FlatLoad(store.parameter, store.offset))
    later = replace(
        body,
        instructions=tuple(second),
        stores=tuple(stores),
        ranges=(*body.ranges, *(None for _ in stores)),
    )
    _check_split(later, kept, sum(a.bytes for a in arrays), pointers)
    return SplitPhase(replace(body, stores=()), tuple(packs), later, kept, tuple(arrays))


def _check_split(
    later: FlatBody, kept: Mapping[int, str], size: int, pointers: Sequence[Pointer]
) -> None:
    live = live_values(later, ())
    written = {store.parameter for store in later.stores}
    for number, load in enumerate(later.instructions):
        if not isinstance(load, FlatLoad) or number not in live or number in kept:
            continue
        if load.parameter in written:
            name = pointers[load.parameter].name
            raise ValueError(f"where {name} is written depends on {name}")
    if size > _MOST_DELAYED_BYTES:
        raise ValueError(f"{size} bytes a thread are too many to change rows in place")
