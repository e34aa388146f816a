"""Products by cuBLASLt, with an addend as bias or C, and activations."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.runtime.devices.blas_product import BlasProduct
from lumc.runtime.devices.library_calls import (
    CANDIDATES,
    WORKSPACE_BYTES,
    Addresses,
    Workspace,
    missing,
    not_closed,
    place,
    refused,
)
from lumc.runtime.devices.library_choices import LibraryChoices
from lumc.runtime.devices.product_layouts import MatrixLayout

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
    made: list[Callable[[], object]] = field(default_factory=list)
    """Each gives back something that was made for a call."""

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
        """Give back the handle, and what was made for calls.

        Raises:
            DeviceError: the library fails.
        """
        try:
            for give_back in self.made:
                give_back()
            self.library.destroy(self.handle)
        except self.library.cuBLASLtError as error:
            raise not_closed("cuBLASLt", error) from None


@dataclass(slots=True)
class CublasProduct(BlasProduct[CublasLt]):
    """A product by cuBLASLt."""

    name: ClassVar[str] = "cuBLASLt"

    def _describe(self) -> None:
        library = self.lt.library
        if self.call.gate is not None:
            raise refused(self.name, self.call.symbol, "it has no number for each column")
        try:
            self.descriptor = library.matmul_desc_create(_COMPUTE_F32, _DATA_TYPES[DType.F32])
            self.lt.made.append(partial(library.matmul_desc_destroy, self.descriptor))
            a, b, c, d = self._matrices()
            self._set("TRANSA", int(a.transposed))
            self._set("TRANSB", int(b.transposed))
            self._set("EPILOGUE", int(getattr(library.Epilogue, self._epilogue())))
            self.layouts = tuple(map(self._created, (a, b, c, d)))
        except library.cuBLASLtError as error:
            raise refused(self.name, self.call.symbol, error) from None

    def _epilogue(self) -> str:
        """What the library calls all that it does beside the product and its C."""
        names = [] if self.call.activation is Activation.NONE else [self.call.activation.name]
        names += [] if self.bias is None else ["BIAS"]
        return "_".join(names) or "DEFAULT"

    def _created(self, layout: MatrixLayout) -> Any:
        library = self.lt.library
        made = library.matrix_layout_create(
            _DATA_TYPES[layout.dtype], layout.rows, layout.columns, layout.leading
        )
        self.lt.made.append(partial(library.matrix_layout_destroy, made))
        if layout.batch > 1:
            names, setter = library.MatrixLayoutAttribute, library.matrix_layout_set_attribute
            _set_attribute(setter, made, names.BATCH_COUNT, layout.batch)
            _set_attribute(setter, made, names.STRIDED_BATCH_OFFSET, layout.step, ctypes.c_int64)
        return made

    def _set(self, name: str, value: int, kind: Any = ctypes.c_int32) -> None:
        library = self.lt.library
        attribute = getattr(library.MatmulDescAttribute, name)
        _set_attribute(library.matmul_desc_set_attribute, self.descriptor, attribute, value, kind)

    def _set_bias(self, addresses: Addresses) -> None:
        if self.bias is not None:
            self._set("BIAS_POINTER", place(self.bias, addresses), ctypes.c_uint64)

    def _find_algorithms(self, places: Sequence[Addresses]) -> npt.NDArray[Any]:
        library = self.lt.library
        self._set_bias(places[0])
        preference = library.matmul_preference_create()
        names, setter = library.MatmulPreferenceAttribute, library.matmul_preference_set_attribute
        _set_attribute(
            setter, preference, names.MAX_WORKSPACE_BYTES, WORKSPACE_BYTES, ctypes.c_uint64
        )
        operands = zip(*map(self._places, places), strict=True)
        for letter, starts in zip("ABCD", operands, strict=True):
            name = getattr(names, f"MIN_ALIGNMENT_{letter}_BYTES")
            _set_attribute(setter, preference, name, math.gcd(256, *starts), ctypes.c_uint32)
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
            raise refused(self.name, self.call.symbol, error) from None
        finally:
            library.matmul_preference_destroy(preference)
        return self._keep_usable(results[: int(found[0])])

    def _run(self, addresses: Addresses, number: int) -> None:
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
                self.lt.shared.address,
                self.lt.shared.bytes,
                self.lt.stream,
            )
        except library.cuBLASLtError as error:
            raise refused(self.name, self.call.symbol, error) from None


def _set_attribute(
    setter: Any, target: Any, attribute: Any, value: int, kind: Any = ctypes.c_int32
) -> None:
    stored = kind(value)
    setter(target, attribute, ctypes.addressof(stored), ctypes.sizeof(stored))
