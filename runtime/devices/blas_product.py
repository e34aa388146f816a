"""A product by a vendor's BLAS library: what cuBLASLt and hipBLASLt have alike."""

from __future__ import annotations

import ctypes
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.runtime.devices.library_calls import (
    WORKSPACE_BYTES,
    Addresses,
    LibraryCall,
    Timer,
    Workspace,
    fastest,
    place,
    refused,
)
from lumc.runtime.devices.library_choices import LibraryChoices
from lumc.runtime.devices.product_layouts import (
    MatrixLayout,
    bias_of,
    left_layout,
    output_layout,
    right_layout,
)


class _Blas(Protocol):
    """A library with a handle, for one stream."""

    @property
    def shared(self) -> Workspace: ...
    @property
    def choices(self) -> LibraryChoices: ...


Blas = TypeVar("Blas", bound=_Blas)


@dataclass(slots=True)
class BlasProduct(LibraryCall, Generic[Blas]):
    """output = left right^T (+ addend), as a library sees it that counts column by column.

    Its A is the right side, with the output's columns as rows; its B is the left side. An addend
    that is the same for every row is its bias, another one its C.
    """

    name: ClassVar[str]
    """The library's."""

    call: PlanProduct
    lt: Blas
    descriptor: Any = None
    layouts: tuple[Any, ...] = ()
    bias: PlanStrided | None = None
    added: PlanStrided | None = None
    chosen: int | None = None
    results: npt.NDArray[Any] | None = None
    """The library's candidates, best first by its own guess."""
    one: ctypes.c_float = field(default_factory=lambda: ctypes.c_float(1.0))
    beta: ctypes.c_float = field(default_factory=lambda: ctypes.c_float(0.0))

    def __post_init__(self) -> None:
        """Describe the call to the library.

        Raises:
            DeviceError: the library does not take it.
        """
        self.bias = bias_of(self.call)
        self.added = None if self.bias is not None else self.call.addend
        self.beta.value = 0.0 if self.added is None else 1.0
        self._describe()

    @abstractmethod
    def _describe(self) -> None:
        """Make ``descriptor`` and ``layouts``."""

    @abstractmethod
    def _find_algorithms(self, places: Sequence[Addresses]) -> npt.NDArray[Any]:
        """The usable candidates, kept in ``results``, for arguments aligned as all of these."""

    @abstractmethod
    def _run(self, addresses: Addresses, number: int) -> None:
        """Put candidate ``number`` on the stream."""

    def enqueue(self, addresses: Addresses) -> None:
        """See ``LibraryCall.enqueue``."""
        if self.results is None:
            self._find_algorithms([addresses])
        self._run(addresses, self.chosen or 0)

    def choose(self, places: Sequence[Addresses], timer: Timer) -> None:
        """See ``LibraryCall.choose``."""
        if self.chosen is not None:
            return
        results = self._find_algorithms(places)
        names = [result["algo"].tobytes().hex() for result in results]
        self.chosen = self.lt.choices.known(self.call, names)
        if self.chosen is None:
            ways = [partial(self._run, number=n) for n in range(len(names))]
            self.chosen, times = fastest(ways, places, timer)
            self.lt.choices.keep(self.call, names, times)

    def _matrices(self) -> tuple[MatrixLayout, MatrixLayout, MatrixLayout, MatrixLayout]:
        """How A, B, C and D lie; without an addend C is D."""
        d = output_layout(self.call, self.call.output)
        c = d if self.added is None else output_layout(self.call, self.added)
        return right_layout(self.call), left_layout(self.call), c, d

    def _places(self, addresses: Addresses) -> list[int]:
        """Where A, B, C and D begin."""
        call = self.call
        addend = call.output if self.added is None else self.added
        return [place(side, addresses) for side in (call.right, call.left, addend, call.output)]

    def _keep_usable(self, results: npt.NDArray[Any]) -> npt.NDArray[Any]:
        # Some of what is offered does not fit after all; its state says so.
        results = results[(results["state"] == 0) & (results["workspace_size"] <= WORKSPACE_BYTES)]
        if not results.size:
            raise refused(self.name, self.call.symbol, "it has no algorithm for it")
        self.results = np.ascontiguousarray(results)
        return self.results
