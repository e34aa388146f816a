"""Copies that are not made: what would be copied is made where the copy would lie.

A state that a stage hands out beside others, and goes on with itself, lies in the output from the
beginning; whoever reads it reads it there.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from lumc.dsl.index_expression import IndexExpression, add, constant
from lumc.lowering.kernel_program import (
    Argument,
    Buffer,
    BufferKind,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from lumc.lowering.kernel_ranges import are_disjoint
from lumc.lowering.merged_rows import Drafted, is_everything, is_everywhere

ALIGNED = 16
"""Bytes at whose multiples rows must begin, so that they are read and written as before."""


def place_copies(launches: Sequence[Drafted], buffers: Sequence[Buffer]) -> tuple[Drafted, ...]:
    """``launches`` without those that only copy what can as well be made where they put it."""
    found = list(launches)
    for steps in [launch.steps for launch in launches]:
        # As it is now: what it copies may have been moved for a copy before it.
        copy = next(launch for launch in found if launch.steps == steps)
        moves = _moves(copy, buffers)
        if not moves:
            continue
        placed: list[Drafted] | None = found
        for move in moves:
            placed = None if placed is None else _placed(placed, copy, move)
        if placed is not None:
            found = [launch for launch in placed if launch.steps != copy.steps]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Move:
    """A whole dense buffer, and where its axes are to lie instead.

    ``axes`` are (size, step now, step then), the longest step first; ``target`` is the parameter
    that is copied to.
    """

    buffer: int
    axes: tuple[tuple[int, int, int], ...]
    target: Parameter
    argument: Argument

    def moved(self, parameter: Parameter, offset: int) -> tuple[Parameter, Argument] | None:
        """What touches the buffer as ``parameter`` at ``offset``, where it is to be touched."""
        start = self.argument.offset
        rest = []
        for size, now, then in self.axes:
            place, offset = divmod(offset, now)
            start += place * then
            rest.append(size - 1 - place)
        strides = []
        for size, stride in zip(parameter.shape, parameter.strides, strict=True):
            if size == 1:
                strides.append(stride)
                continue
            number = next((n for n, axis in enumerate(self.axes) if 0 < axis[1] <= stride), None)
            if number is None or stride % self.axes[number][1]:
                return None
            times = stride // self.axes[number][1]
            rest[number] -= times * (size - 1)
            strides.append(times * self.axes[number][2])
        if min(rest, default=0) < 0:
            return None
        moved = dataclasses.replace(parameter, strides=tuple(strides))
        return moved, Argument(self.argument.buffer, start)


def _moves(copy: Drafted, buffers: Sequence[Buffer]) -> tuple[_Move, ...]:
    """What would have to move so that ``copy`` need not be; empty if that is not all it does."""
    kernel = copy.kernel
    if not isinstance(kernel, Pointwise):
        return ()
    moves = [_move(copy, kernel, store, buffers) for store in kernel.stores]
    found = tuple(move for move in moves if move is not None)
    apart = len({move.buffer for move in found}) == len(moves)
    return found if len(found) == len(moves) and apart else ()


def _move(
    copy: Drafted, kernel: Pointwise, store: Store, buffers: Sequence[Buffer]
) -> _Move | None:
    load = kernel.body.instructions[store.value]
    if not isinstance(load, Load):
        return None
    part = _part(copy, kernel, store)
    if part is None or not is_everywhere(kernel, load):
        return None
    index, target, place = part
    source, argument = kernel.parameters[load.parameter], copy.arguments[load.parameter]
    buffer = buffers[argument.buffer]
    if buffer.kind is not BufferKind.INTERMEDIATE or source.dtype is not target.dtype:
        return None
    if math.prod(buffer.shape) != math.prod(source.shape):
        return None
    steps = {
        entry.bare_axis: step
        for entry, step, size in zip(index, target.strides, target.shape, strict=True)
        if size > 1
    }
    axes = sorted(
        (
            (size, now, steps[entry.bare_axis])
            for entry, now, size in zip(load.index, source.strides, source.shape, strict=True)
            if size > 1
        ),
        key=lambda axis: -axis[1],
    )
    if not _lies_as_well(axes, place.offset, target):
        return None
    return _Move(argument.buffer, tuple(axes), target, place)


def _part(
    copy: Drafted, kernel: Pointwise, store: Store
) -> tuple[tuple[IndexExpression, ...], Parameter, Argument] | None:
    """The box that a store writes, once and nothing beside: its index there, and where it is."""
    if store.computed or store.predicate is not None or store.combine is not None:
        return None
    whole, argument = kernel.parameters[store.parameter], copy.arguments[store.parameter]
    index = tuple(add(entry, constant(-entry.constant)) for entry in store.index)
    numbers = [entry.bare_axis for entry in index]
    shape = tuple(1 if n is None else kernel.body.axes[n].size for n in numbers)
    if not is_everything(index, kernel.body, shape):
        return None
    start = sum(e.constant * step for e, step in zip(store.index, whole.strides, strict=True))
    part = dataclasses.replace(whole, shape=shape)
    return index, part, Argument(argument.buffer, argument.offset + start)


def _lies_as_well(axes: Sequence[tuple[int, int, int]], offset: int, target: Parameter) -> bool:
    """Whether rows stay dense and begin where whole pieces may be read and written."""
    width = target.dtype.bytes
    outer = [then for _, now, then in axes if now != 1]
    dense = all(then == 1 for _, now, then in axes if now == 1)
    return dense and all(step * width % ALIGNED == 0 for step in (offset, *outer))


def _placed(launches: Sequence[Drafted], copy: Drafted, move: _Move) -> list[Drafted] | None:
    """All launches with the buffer of ``move`` where it is copied to; None where that can't be."""
    found: list[Drafted] = []
    copied = False
    for launch in launches:
        if launch.steps == copy.steps:
            found.append(launch)
            copied = True
            continue
        if not _leaves_free(launch, move, copied):
            return None
        placed = _rebound(launch, move)
        if placed is None:
            return None
        found.append(placed)
    return found


def _leaves_free(launch: Drafted, move: _Move, copied: bool) -> bool:
    """Whether others touch the place only to read what was copied, which stays as it was."""
    for parameter, argument in zip(launch.kernel.parameters, launch.arguments, strict=True):
        reads = parameter.access is ParameterAccess.READ
        if argument.buffer == move.buffer and copied and not reads:
            return False
        if argument.buffer != move.argument.buffer or (copied and reads):
            continue
        if not are_disjoint(parameter, argument.offset, move.target, move.argument.offset):
            return False
    return True


def _rebound(launch: Drafted, move: _Move) -> Drafted | None:
    if all(argument.buffer != move.buffer for argument in launch.arguments):
        return launch
    pairs: list[tuple[Parameter, Argument]] = []
    for parameter, argument in zip(launch.kernel.parameters, launch.arguments, strict=True):
        pair = (parameter, argument)
        if argument.buffer == move.buffer:
            moved = move.moved(parameter, argument.offset)
            if moved is None:
                return None
            pair = moved
        pairs.append(pair)
    kernel = dataclasses.replace(launch.kernel, parameters=tuple(p for p, _ in pairs))
    return dataclasses.replace(launch, kernel=kernel, arguments=tuple(a for _, a in pairs))
