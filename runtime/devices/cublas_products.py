"""Products by cuBLASLt, with an addend as bias or C."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.library_calls import (
    CANDIDATES,
    WORKSPACE_BYTES,
    Addresses,
    LibraryCall,
    Timer,
    Workspace,
    fastest,
    missing,
    place,
    refused,
)
from lumc.runtime.devices.library_choices import LibraryChoices

# cudaDataType_t and cublasComputeType_t.
_DATA_TYPES = {DType.F32: 0, DType.F16: 2, DType.BF16: 14}
_COMPUTE_F32 = 68


@dataclass(frozen=True, slots=True)
class CublasLt:
    """The library with a handle, for one stream."""

    library: Any
    handle: int
    stream: int
    shared: Workspace
    choices: LibraryChoices

    @staticmethod
    def open(stream: int, shared: Workspace, target: str) -> CublasLt:
        """The library.

        Raises:
            DeviceError: it can't be used.
        """
        try:
            from nvmath.bindings import cublasLt
        except ImportError as error:
            raise missing("nvmath-python", error) from None
        try:
            handle = cublasLt.create()
            version = cublasLt.get_version()
        except (RuntimeError, cublasLt.cuBLASLtError) as error:
            raise missing("cuBLASLt", error) from None
        return CublasLt(
            cublasLt, handle, stream, shared, LibraryChoices.open(target, f"cuBLASLt {version}")
        )

    def close(self) -> None:
        """Give the handle back."""
        self.library.destroy(self.handle)


@dataclass(slots=True)
class CublasProduct(LibraryCall):
    """output = left right^T (+ addend), as cuBLASLt sees it: column by column.

    Its A is the right side, with the output's columns as rows; its B is the left side. An addend
    that is the same for every row is its bias, another one its C.
    """

    call: PlanProduct
    lt: CublasLt
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
        """Describe the call to the library."""
        library, call = self.lt.library, self.call
        _, rows, columns, inner = call.sizes
        is_bias = call.addend is not None and rows > 1 and call.addend.strides[1] == 0
        self.bias = call.addend if is_bias else None
        self.added = None if is_bias else call.addend
        if self.added is not None:
            self.beta.value = 1.0
        try:
            self.descriptor = library.matmul_desc_create(_COMPUTE_F32, _DATA_TYPES[DType.F32])
            a = self._layout(call.right, columns, inner, "TRANSA")
            b = self._layout(call.left, rows, inner, "TRANSB")
            d = self._output_layout(call.output)
            c = d if self.added is None else self._output_layout(self.added)
            if self.bias is not None:
                self._set("EPILOGUE", int(library.Epilogue.BIAS))
            self.layouts = (a, b, c, d)
        except library.cuBLASLtError as error:
            raise refused("cuBLASLt", call.symbol, error) from None

    def enqueue(self, addresses: Addresses, workspace: Workspace | None = None) -> None:
        """See ``LibraryCall.enqueue``."""
        if self.results is None:
            self._find_algorithms(addresses)
        self._run(addresses, self.chosen or 0, workspace or self.lt.shared)

    @property
    def workspace_bytes(self) -> int:
        """See ``LibraryCall.workspace_bytes``."""
        if self.results is None:
            return WORKSPACE_BYTES
        return int(self.results["workspace_size"][self.chosen or 0])

    def choose(self, places: Sequence[Addresses], timer: Timer) -> None:
        """See ``LibraryCall.choose``."""
        if self.chosen is not None:
            return
        results = self._find_algorithms(places[0])
        names = [result["algo"].tobytes().hex() for result in results]
        self.chosen = self.lt.choices.known(self.call, names)
        if self.chosen is None:
            ways = [
                partial(self._run, number=n, workspace=self.lt.shared) for n in range(len(names))
            ]
            self.chosen, times = fastest(ways, places, timer)
            self.lt.choices.keep(self.call, names, times)

    def _layout(self, side: PlanStrided, points: int, inner: int, attribute: str) -> Any:
        """The layout of an operand; its transposition is noted in the descriptor.

        As cuBLASLt names them, an operand whose inner axis is contiguous is (inner, points).
        """
        batch = self.call.sizes[0]
        step, point, along = side.strides
        along_inner = along == 1 or inner == 1
        # A is (points, inner) to cuBLASLt and B is (inner, points).
        transposed = along_inner if attribute == "TRANSA" else not along_inner
        self._set(attribute, int(transposed))
        lengths = (inner, points) if along_inner else (points, inner)
        leading = max(point if along_inner else along, lengths[0])
        return self._created(side.dtype, lengths, leading, batch, step)

    def _output_layout(self, side: PlanStrided) -> Any:
        batch, rows, columns, _ = self.call.sizes
        step, row, _ = side.strides
        return self._created(side.dtype, (columns, rows), max(row, columns), batch, step)

    def _created(
        self, dtype: DType, lengths: tuple[int, int], leading: int, batch: int, step: int
    ) -> Any:
        library = self.lt.library
        layout = library.matrix_layout_create(_DATA_TYPES[dtype], *lengths, leading)
        if batch > 1:
            names, setter = library.MatrixLayoutAttribute, library.matrix_layout_set_attribute
            _set_attribute(setter, layout, names.BATCH_COUNT, batch)
            _set_attribute(setter, layout, names.STRIDED_BATCH_OFFSET, step, ctypes.c_int64)
        return layout

    def _set(self, name: str, value: int, kind: Any = ctypes.c_int32) -> None:
        library = self.lt.library
        attribute = getattr(library.MatmulDescAttribute, name)
        _set_attribute(library.matmul_desc_set_attribute, self.descriptor, attribute, value, kind)

    def _set_bias(self, addresses: Addresses) -> None:
        if self.bias is not None:
            self._set("BIAS_POINTER", place(self.bias, addresses), ctypes.c_uint64)

    def _places(self, addresses: Addresses) -> list[int]:
        call = self.call
        addend = call.output if self.added is None else self.added
        return [place(side, addresses) for side in (call.right, call.left, addend, call.output)]

    def _find_algorithms(self, addresses: Addresses) -> npt.NDArray[Any]:
        """The library's candidates for arguments that lie as these do."""
        library = self.lt.library
        self._set_bias(addresses)
        preference = library.matmul_preference_create()
        names, setter = library.MatmulPreferenceAttribute, library.matmul_preference_set_attribute
        _set_attribute(
            setter, preference, names.MAX_WORKSPACE_BYTES, WORKSPACE_BYTES, ctypes.c_uint64
        )
        for letter, address in zip("ABCD", self._places(addresses), strict=True):
            name = getattr(names, f"MIN_ALIGNMENT_{letter}_BYTES")
            _set_attribute(setter, preference, name, math.gcd(address, 256), ctypes.c_uint32)
        results = np.zeros(CANDIDATES, library.matmul_heuristic_result_dtype)
        found = np.zeros(1, np.int32)
        try:
            library.matmul_algo_get_heuristic(
                self.lt.handle,
                self.descriptor,
                *self.layouts,
                preference,
                CANDIDATES,
                results.ctypes.data,
                found.ctypes.data,
            )
        except library.cuBLASLtError as error:
            raise refused("cuBLASLt", self.call.symbol, error) from None
        finally:
            library.matmul_preference_destroy(preference)
        results = results[: int(found[0])]
        # Some of what is offered does not fit after all; its state says so.
        results = results[(results["state"] == 0) & (results["workspace_size"] <= WORKSPACE_BYTES)]
        if not results.size:
            raise refused("cuBLASLt", self.call.symbol, "it has no algorithm for it")
        self.results = np.ascontiguousarray(results)
        return self.results

    def _run(self, addresses: Addresses, number: int, workspace: Workspace) -> None:
        assert self.results is not None
        library = self.lt.library
        self._set_bias(addresses)
        a, b, c, d = self._places(addresses)
        layout_a, layout_b, layout_c, layout_d = self.layouts
        algorithm = self.results.ctypes.data + number * self.results.itemsize
        try:
            library.matmul(
                self.lt.handle,
                self.descriptor,
                ctypes.addressof(self.one),
                a,
                layout_a,
                b,
                layout_b,
                ctypes.addressof(self.beta),
                c,
                layout_c,
                d,
                layout_d,
                algorithm,
                workspace.address,
                workspace.bytes,
                self.lt.stream,
            )
        except library.cuBLASLtError as error:
            raise refused("cuBLASLt", self.call.symbol, error) from None


def _set_attribute(
    setter: Any, target: Any, attribute: Any, value: int, kind: Any = ctypes.c_int32
) -> None:
    stored = kind(value)
    setter(target, attribute, ctypes.addressof(stored), ctypes.sizeof(stored))
