"""What all calls of vendors' libraries share: how they are planned, chosen and enqueued."""

from __future__ import annotations

import math
import statistics
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from lumc.codegen.launch_plan import PlanStrided
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.device import DeviceError, DeviceLaunch

WORKSPACE_BYTES = 128 << 20
"""Memory that a call may use while it runs."""
CANDIDATES = 32
"""Ways to do a call that are tried, in the order of the library's own guess."""
_LAUNCHES = 4
_ROUNDS = 3
_FINALISTS = 6
_HOPELESS = 4.0
"""A way that takes so many times as long as another is not worth more than a look."""
_TURN_MILLISECONDS = 30.0
_MOST_REPLAYS = 64
NEVER = 1e9
"""Milliseconds that stand for ever."""
_INSTALL = "pip install 'lumc[nvidia]', or compile with --libraries none"

Addresses = Sequence[int]


class Timer(Protocol):
    """What measures on the stream that calls are put on."""

    def capture(self, enqueue: Callable[[], None]) -> Any:
        """A recording of what ``enqueue`` puts on the stream."""

    def elapsed_milliseconds(self, recording: Any) -> float:
        """Run a recording and measure it."""

    def forget(self, recording: Any) -> None:
        """Give a recording back."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Memory of the device that calls use one after the other."""

    address: int
    bytes: int = WORKSPACE_BYTES


class LibraryCall(ABC):
    """A planned call; ``addresses`` are those of its arguments."""

    __slots__ = ()

    @abstractmethod
    def enqueue(self, addresses: Addresses) -> None:
        """Put the call on the stream."""

    @abstractmethod
    def choose(self, places: Sequence[Addresses], timer: Timer) -> None:
        """Decide once how it is done, by trying what there is on each of ``places`` in turn.

        What the call writes there changes.
        """


def fastest(
    ways: Sequence[Callable[[Addresses], None]], places: Sequence[Addresses], timer: Timer
) -> tuple[int, list[float]]:
    """The number of the fastest of ``ways``, and milliseconds of each.

    Each is recorded a few times in a row, on other memory each time: what one run read is still in
    the cache for the next. They are replayed in turns; of the best, each turn lasts so long that
    the clocks settle at what it lets the GPU run at, and the last replay counts. One that fails
    takes for ever, and one that is slow beyond hope is tried once.

    Raises:
        DeviceError: all fail.
    """
    if len(ways) == 1:
        return 0, [0.0]
    turns = [places[n % len(places)] for n in range(_LAUNCHES)]
    found = [NEVER] * len(ways)
    recorded: dict[int, Any] = {}
    try:
        for number, way in enumerate(ways):
            try:
                # Its code is loaded by the first run, which a capture does not allow.
                way(turns[0])
                found[number] = _once(way, turns[0], timer)
                if found[number] <= _HOPELESS * min(found):
                    recorded[number] = timer.capture(partial(_all, way, turns))
            except DeviceError:
                if number + 1 == len(ways) and min(found) == NEVER:
                    raise
        for number in recorded:
            found[number] = min(timer.elapsed_milliseconds(recorded[number]) for _ in range(2))
            found[number] /= _LAUNCHES
        best = sorted(recorded, key=lambda number: found[number])[:_FINALISTS]
        rounds = [[_settled(recorded[n], found[n], timer) for n in best] for _ in range(_ROUNDS)]
    finally:
        for recording in recorded.values():
            timer.forget(recording)
    for number, times in zip(best, zip(*rounds, strict=True), strict=True):
        found[number] = statistics.median(times)
    return min(best, key=lambda number: found[number]), found


def _once(way: Callable[[Addresses], None], addresses: Addresses, timer: Timer) -> float:
    recording = timer.capture(partial(way, addresses))
    try:
        return timer.elapsed_milliseconds(recording)
    finally:
        timer.forget(recording)


def _settled(recording: Any, expected: float, timer: Timer) -> float:
    """Milliseconds a launch of the last of some replays."""
    replays = min(_MOST_REPLAYS, math.ceil(_TURN_MILLISECONDS / max(expected * _LAUNCHES, 1e-3)))
    for _ in range(replays - 1):
        timer.elapsed_milliseconds(recording)
    return timer.elapsed_milliseconds(recording) / _LAUNCHES


def _all(way: Callable[[Addresses], None], turns: Sequence[Addresses]) -> None:
    for addresses in turns:
        way(addresses)


def place(side: PlanStrided, addresses: Addresses) -> int:
    """Where an operand begins."""
    return addresses[side.argument] + side.offset * side.dtype.bytes


def calls_of(
    launches: Sequence[DeviceLaunch],
) -> Iterator[tuple[LibraryCall, list[tuple[int, ...]]]]:
    """Every library call, with the arguments of all of its launches."""
    found: dict[int, tuple[LibraryCall, list[tuple[int, ...]]]] = {}
    for launch in launches:
        if isinstance(launch.kernel, LibraryCall):
            _, places = found.setdefault(id(launch.kernel), (launch.kernel, []))
            places.append(addresses_of(launch))
    yield from found.values()


def addresses_of(launch: DeviceLaunch) -> tuple[int, ...]:
    """Where the arguments of a launch begin."""
    return tuple(argument.address for argument in launch.arguments)


def missing(name: str, error: Exception, hint: str = _INSTALL) -> DeviceError:
    """The library ``name`` can't be used at all."""
    return DeviceError(Diagnostic("D040", f"{name} can't be used: {error}", hint=hint))


def refused(name: str, symbol: str, error: Exception | str) -> DeviceError:
    """The library ``name`` does not take the call ``symbol``."""
    message = f"{name} does not take {symbol}: {error}"
    return DeviceError(Diagnostic("D041", message, hint="compile with --libraries none"))


def not_closed(name: str, error: Exception) -> DeviceError:
    """The library called ``name`` fails to give back what it has."""
    return DeviceError(Diagnostic("D042", f"{name} does not close: {error}"))
