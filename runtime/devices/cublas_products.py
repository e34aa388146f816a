"""Products by cuBLASLt, with an addend as bias or C, and activations."""

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
from lumc.lowering.kernel_program import Activation
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
from lumc.runtime.devices.product_layouts import (
    MatrixLayout,
    bias_of,
    left_layout,
    output_layout,
    right_layout,
)

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
        self.bias = bias_of(call)
        self.added = None if self.bias is not None else call.addend
        if self.added is not None:
            self.beta.value = 1.0
        try:
            self.descriptor = library.matmul_desc_create(_COMPUTE_F32, _DATA_TYPES[DType.F32])
            a, b = right_layout(call), left_layout(call)
            self._set("TRANSA", int(a.transposed))
            self._set("TRANSB", int(b.transposed))
            d = output_layout(call, call.output)
            c = d if self.added is None else output_layout(call, self.added)
            self._set("EPILOGUE", int(getattr(library.Epilogue, self._epilogue())))
            self.layouts = tuple(map(self._created, (a, b, c, d)))
        except library.cuBLASLtError as error:
            raise refused("cuBLASLt", call.symbol, error) from None

    def _epilogue(self) -> str:
        """What the library calls all that it does beside the product and its C."""
        names = [] if self.call.activation is Activation.NONE else [self.call.activation.name]
        names += [] if self.bias is None else ["BIAS"]
        return "_".join(names) or "DEFAULT"

    def enqueue(self, addresses: Addresses, workspace: Workspace | None = None) -> None:
        """See ``LibraryCall.enqueue``."""
        if self.results is None:
            self._find_algorithms([addresses])
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
        results = self._find_algorithms(places)
        names = [result["algo"].tobytes().hex() for result in results]
        self.chosen = self.lt.choices.known(self.call, names)
        if self.chosen is None:
            ways = [
                partial(self._run, number=n, workspace=self.lt.shared) for n in range(len(names))
            ]
            self.chosen, times = fastest(ways, places, timer)
            self.lt.choices.keep(self.call, names, times)

    def _created(self, layout: MatrixLayout) -> Any:
        library = self.lt.library
        made = library.matrix_layout_create(
            _DATA_TYPES[layout.dtype], layout.rows, layout.columns, layout.leading
        )
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

    def _places(self, addresses: Addresses) -> list[int]:
        call = self.call
        addend = call.output if self.added is None else self.added
        return [place(side, addresses) for side in (call.right, call.left, addend, call.output)]

    def _find_algorithms(self, places: Sequence[Addresses]) -> npt.NDArray[Any]:
        """The library's candidates for arguments that are aligned as all of these are."""
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
