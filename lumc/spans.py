"""Times of the parts of a request, and ranges that NVIDIA's and AMD's profilers show."""

from __future__ import annotations

import ctypes
import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol


class Ranges(Protocol):
    """Named ranges in a profile."""

    def push(self, name: str) -> None:
        """Begin a range."""

    def pop(self) -> None:
        """End the last that began."""


@dataclass(slots=True)
class SpanTimes:
    """A ``Span`` that measures: the device has ended all work when a part begins and ends."""

    ranges: Ranges | None = None
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Of every run of each part, in their order."""

    @contextmanager
    def __call__(self, name: str, synchronise: Callable[[], None]) -> Iterator[None]:
        """Around one part."""
        synchronise()
        if self.ranges is not None:
            self.ranges.push(name)
        start = time.perf_counter()
        try:
            yield
            synchronise()
        finally:
            self.seconds.setdefault(name, []).append(time.perf_counter() - start)
            if self.ranges is not None:
                self.ranges.pop()


class NvtxRanges:
    """Ranges for NVIDIA's profilers, by the Python package nvtx."""

    def __init__(self) -> None:
        """Load the package.

        Raises:
            ImportError: it is not installed.
        """
        self._nvtx: Any = importlib.import_module("nvtx")

    def push(self, name: str) -> None:
        """See ``Ranges.push``."""
        self._nvtx.push_range(name)

    def pop(self) -> None:
        """See ``Ranges.pop``."""
        self._nvtx.pop_range()


class LibraryRanges:
    """Ranges by functions of a C library, such as roctxRangePushA of AMD's ROCTx."""

    def __init__(self, library: str, push: str, pop: str) -> None:
        """Load ``library``.

        Raises:
            OSError: it is not there.
        """
        loaded = ctypes.CDLL(library)
        self._push, self._pop = getattr(loaded, push), getattr(loaded, pop)
        self._push.argtypes = [ctypes.c_char_p]

    def push(self, name: str) -> None:
        """See ``Ranges.push``."""
        self._push(name.encode())

    def pop(self) -> None:
        """See ``Ranges.pop``."""
        self._pop()


_LIBRARIES = (
    ("librocprofiler-sdk-roctx.so.1", "roctxRangePushA", "roctxRangePop"),
    ("libroctx64.so.4", "roctxRangePushA", "roctxRangePop"),
    ("libnvToolsExt.so.1", "nvtxRangePushA", "nvtxRangePop"),
)


def find_ranges() -> Ranges | None:
    """What shows ranges in a profile on this machine, if anything does."""
    try:
        return NvtxRanges()
    except ImportError:
        pass
    for library, push, pop in _LIBRARIES:
        try:
            return LibraryRanges(library, push, pop)
        except (OSError, AttributeError):
            continue
    return None
