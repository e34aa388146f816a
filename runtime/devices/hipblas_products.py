"""Products by hipBLASLt through hip-python, with an addend as bias or C and a gate as alpha.

Sums are kept in f32. The library's ways to do a product are measured on the device, and the times
are kept with the library's version and revision: a way has no meaning to another build. A handle
belongs to one stream, and is made before anything is captured.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanProduct
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.runtime.devices.blas_product import BlasProduct
from lumc.runtime.devices.library_calls import (
    CANDIDATES,
    WORKSPACE_BYTES,
    Addresses,
    Timer,
    Workspace,
    missing,
    not_closed,
    place,
    refused,
)
from lumc.runtime.devices.library_choices import LibraryChoices
from lumc.runtime.devices.product_layouts import (
    MatrixLayout,
)

_NAME = "hipBLASLt"
_INSTALL = "pip install 'lumc[amd]' and ROCm's hipblaslt, or compile with --libraries none"
_DATA_TYPES = {DType.F32: "HIP_R_32F", DType.F16: "HIP_R_16F", DType.BF16: "HIP_R_16BF"}
_REVISION_BYTES = 64

# hipblasLtMatmulHeuristicResult_t; an algorithm is 16 bytes and the workspace it may use.
_RESULT = np.dtype(
    [
        ("algo", "V24"),
        ("workspace_size", "u8"),
        ("state", "i4"),
        ("waves", "f4"),
        ("reserved", "i4", 4),
    ]
)


class _HipblasError(Exception):
    """What the library says to a call."""


@dataclass(frozen=True, slots=True)
class HipblasLt:
    """The library with a handle, for one stream."""

    library: Any
    """The module ``hipblaslt`` of hip-python; ``types`` are its modules ``hip`` and ``hipblas``."""
    types: tuple[Any, Any]
    handle: Any
    stream: Any
    shared: Workspace
    choices: LibraryChoices
    made: list[tuple[str, Any]] = field(default_factory=list)
    """What was made for calls, with the name of what gives it back."""

    @staticmethod
    def open(stream: Any, shared: Workspace, target: str) -> HipblasLt:
        """The library.

        Raises:
            DeviceError: it can't be used.
        """
        try:
            from hip import hip, hipblas, hipblaslt
        except ImportError as error:
            raise missing(_NAME, error, _INSTALL) from None
        try:
            handle = _checked(hipblaslt, "hipblasLtCreate")
            version = _checked(hipblaslt, "hipblasLtGetVersion", handle)
            revision = ctypes.create_string_buffer(_REVISION_BYTES)
            _checked(hipblaslt, "hipblasLtGetGitRevision", handle, ctypes.addressof(revision))
        except (RuntimeError, _HipblasError) as error:  # RuntimeError: there is no library to load
            raise missing(_NAME, error, _INSTALL) from None
        name = f"{_NAME} {version} {revision.value.decode(errors='replace')}"
        choices = LibraryChoices.open(target, name)
        return HipblasLt(hipblaslt, (hip, hipblas), handle, stream, shared, choices)

    def plan(self, call: PlanProduct) -> HipblasProduct:
        """Prepare ``call``.

        Raises:
            DeviceError: the library does not take it.
        """
        return HipblasProduct(call, self)

    def call(self, name: str, *arguments: Any) -> Any:
        """What the library's ``name`` returns beside its status: None or one value.

        Raises:
            _HipblasError: it reports a failure.
        """
        return _checked(self.library, name, *arguments)

    def data_type(self, dtype: DType) -> Any:
        """HIP's name for a type of elements."""
        return getattr(self.types[0].hipDataType, _DATA_TYPES[dtype])

    def close(self) -> None:
        """Give back the handle, and what was made for calls.

        Raises:
            DeviceError: the library fails.
        """
        try:
            for name, made in (*self.made, ("hipblasLtDestroy", self.handle)):
                self.call(name, made)
        except _HipblasError as error:
            raise not_closed(_NAME, error) from None


def _checked(library: Any, name: str, *arguments: Any) -> Any:
    status, *values = getattr(library, name)(*arguments)
    if int(status):
        raise _HipblasError(f"{name}: {getattr(status, 'name', status)}")
    return values[0] if values else None


@dataclass(slots=True)
class HipblasProduct(BlasProduct[HipblasLt]):
    """A product by hipBLASLt."""

    name: ClassVar[str] = _NAME

    def _describe(self) -> None:
        call, lt = self.call, self.lt
        if call.activation is not Activation.NONE:
            raise refused(_NAME, call.symbol, f"{call.activation} is not asked of it")
        a, b, c, d = self._matrices()
        try:
            compute = lt.types[1].hipblasComputeType_t.HIPBLAS_COMPUTE_32F
            scale = lt.data_type(DType.F32)
            self.descriptor = lt.call("hipblasLtMatmulDescCreate", compute, scale)
            lt.made.append(("hipblasLtMatmulDescDestroy", self.descriptor))
            for name, layout in (("TRANSA", a), ("TRANSB", b)):
                operations = lt.types[1].hipblasOperation_t
                chosen = operations.HIPBLAS_OP_T if layout.transposed else operations.HIPBLAS_OP_N
                self._set(name, int(chosen))
            if self.bias is not None:
                epilogue = lt.library.hipblasLtEpilogue_t.HIPBLASLT_EPILOGUE_BIAS
                self._set("EPILOGUE", int(epilogue))
                self._set("BIAS_DATA_TYPE", int(lt.data_type(self.bias.dtype)))
            if call.gate is not None:
                # Its A is the right side: one alpha for each of its rows.
                modes = lt.library.hipblasLtPointerMode_t
                mode = modes.HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST
                self._set("POINTER_MODE", int(mode))
            self.layouts = tuple(map(self._created, (a, b, c, d)))
        except _HipblasError as error:
            raise refused(_NAME, call.symbol, error) from None

    def choose(self, places: Sequence[Addresses], timer: Timer) -> None:
        """See ``LibraryCall.choose``; the call also runs once, before any capture."""
        if self.chosen is not None:
            return
        BlasProduct.choose(self, places, timer)
        # What a first run loads or allocates must not be part of a capture.
        self._run(places[0], self.chosen or 0)

    def _created(self, layout: MatrixLayout) -> Any:
        lt = self.lt
        made = lt.call(
            "hipblasLtMatrixLayoutCreate",
            lt.data_type(layout.dtype),
            layout.rows,
            layout.columns,
            layout.leading,
        )
        lt.made.append(("hipblasLtMatrixLayoutDestroy", made))
        if layout.batch > 1:
            names = lt.library.hipblasLtMatrixLayoutAttribute_t
            for name, value in (
                (names.HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, ctypes.c_int32(layout.batch)),
                (names.HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, ctypes.c_int64(layout.step)),
            ):
                self._attribute("hipblasLtMatrixLayoutSetAttribute", made, name, value)
        return made

    def _set(self, name: str, value: int, kind: Any = ctypes.c_int32) -> None:
        names = self.lt.library.hipblasLtMatmulDescAttributes_t
        attribute = getattr(names, f"HIPBLASLT_MATMUL_DESC_{name}")
        setter = "hipblasLtMatmulDescSetAttribute"
        self._attribute(setter, self.descriptor, attribute, kind(value))

    def _attribute(self, setter: str, target: Any, attribute: Any, value: Any) -> None:
        self.lt.call(setter, target, attribute, ctypes.addressof(value), ctypes.sizeof(value))

    def _set_bias(self, addresses: Addresses) -> None:
        if self.bias is not None:
            self._set("BIAS_POINTER", place(self.bias, addresses), ctypes.c_uint64)

    def _find_algorithms(self, places: Sequence[Addresses]) -> npt.NDArray[Any]:
        # The library does not ask how pointers are aligned.
        lt = self.lt
        results = np.zeros(CANDIDATES, _RESULT)
        try:
            self._set_bias(places[0])
            preference = lt.call("hipblasLtMatmulPreferenceCreate")
            names = lt.library.hipblasLtMatmulPreferenceAttributes_t
            # Without a workspace the library leaves out what cuts along the inner axis.
            self._attribute(
                "hipblasLtMatmulPreferenceSetAttribute",
                preference,
                names.HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                ctypes.c_uint64(WORKSPACE_BYTES),
            )
            found = lt.call(
                "hipblasLtMatmulAlgoGetHeuristic",
                lt.handle,
                self.descriptor,
                *self.layouts,
                preference,
                CANDIDATES,
                results.ctypes.data,
            )
            lt.call("hipblasLtMatmulPreferenceDestroy", preference)
        except _HipblasError as error:
            raise refused(_NAME, self.call.symbol, error) from None
        return self._keep_usable(results[: int(found)])

    def _run(self, addresses: Addresses, number: int) -> None:
        assert self.results is not None
        lt = self.lt
        a, b, c, d = self._places(addresses)
        layout_a, layout_b, layout_c, layout_d = self.layouts
        gate = self.call.gate
        alpha = ctypes.addressof(self.one) if gate is None else place(gate, addresses)
        try:
            self._set_bias(addresses)
            lt.call(
                "hipblasLtMatmul",
                lt.handle,
                self.descriptor,
                alpha,
                a,
                layout_a,
                b,
                layout_b,
                ctypes.addressof(self.beta),
                c,
                layout_c,
                d,
                layout_d,
                self.results.ctypes.data + number * self.results.itemsize,
                self.lt.shared.address,
                self.lt.shared.bytes,
                lt.stream,
            )
        except _HipblasError as error:
            raise refused(_NAME, self.call.symbol, error) from None
