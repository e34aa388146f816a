"""NVIDIA's libraries for a stream: products by cuBLASLt, attention by cuDNN, without PyTorch.

A call is planned once and enqueued as often as wanted, also while the stream is captured. Which of
cuBLASLt's algorithms does a product is decided by measuring them on the call's own arguments.
"""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, assert_never

import numpy as np

from lumc.codegen.launch_plan import PlanAttention, PlanCall, PlanProduct, PlanStrided
from lumc.diagnostics import Diagnostic
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.device import DeviceError

WORKSPACE_BYTES = 64 << 20
_ALGORITHMS = 8
_INSTALL = "pip install 'lumc[nvidia]', or compile with --libraries none"
# cudaDataType_t and cublasComputeType_t.
_DATA_TYPES = {DType.F32: 0, DType.F16: 2, DType.BF16: 14}
_COMPUTE_F32 = 68

Enqueue = Callable[[], None]
Measure = Callable[[Sequence[Enqueue]], Sequence[float]]
"""Milliseconds that each of several ways to do a call takes."""


class LibraryCall(ABC):
    """A planned call; ``addresses`` are those of its arguments."""

    __slots__ = ()

    @abstractmethod
    def enqueue(self, addresses: Sequence[int]) -> None:
        """Put the call on the stream."""

    def choose(self, addresses: Sequence[int], measure: Measure) -> None:  # noqa: B027
        """Decide once how it is done, if there is a choice; what it writes may change."""


class CudaLibraries:
    """The libraries' handles for one stream, with memory that all calls share in turn."""

    def __init__(self, stream: int, workspace: int) -> None:
        """Calls go to ``stream`` and may use ``WORKSPACE_BYTES`` from ``workspace`` on."""
        self._stream = stream
        self._workspace = workspace
        self._matrix: Any = None
        self._attention: Any = None

    def plan(self, call: PlanCall) -> LibraryCall:
        """Prepare ``call``.

        Raises:
            DeviceError: the library is missing, or does not take the call.
        """
        match call:
            case PlanProduct():
                return _Product(call, self._matrix_handle(), self._stream, self._workspace)
            case PlanAttention():
                return _Attention(call, self._attention_handle(), self._workspace)
            case _:
                assert_never(call)

    def close(self) -> None:
        """Give the handles back."""
        if self._matrix is not None:
            library, handle = self._matrix
            library.destroy(handle)
        if self._attention is not None:
            library, handle = self._attention
            library.destroy_handle(handle)

    def _matrix_handle(self) -> Any:
        if self._matrix is None:
            try:
                from nvmath.bindings import cublasLt
            except ImportError as error:
                raise _missing("nvmath-python", error) from None
            try:
                self._matrix = (cublasLt, cublasLt.create())
            except Exception as error:
                raise _missing("cuBLASLt", error) from None
        return self._matrix

    def _attention_handle(self) -> Any:
        if self._attention is None:
            try:
                import cudnn
            except ImportError as error:
                raise _missing("nvidia-cudnn-frontend", error) from None
            try:
                handle = cudnn.create_handle()
                cudnn.set_stream(handle, self._stream)
            except Exception as error:
                raise _missing("cuDNN", error) from None
            self._attention = (cudnn, handle)
        return self._attention


def _missing(name: str, error: Exception) -> DeviceError:
    return DeviceError(Diagnostic("D040", f"{name} can't be used: {error}", hint=_INSTALL))


def _refused(name: str, symbol: str, error: Exception | str) -> DeviceError:
    message = f"{name} does not take {symbol}: {error}"
    return DeviceError(Diagnostic("D041", message, hint="compile with --libraries none"))


# ---------------------------------------------------------------------------------------- products


@dataclass(slots=True)
class _Product(LibraryCall):
    """output = left right^T (+ addend), as cuBLASLt sees it: column by column.

    Its A is the right side, with the output's columns as rows; its B is the left side. An addend
    that is the same for every row is its bias, another one its C.
    """

    call: PlanProduct
    matrix: Any
    stream: int
    workspace: int
    descriptor: Any = None
    layouts: tuple[Any, ...] = ()
    bias: PlanStrided | None = None
    added: PlanStrided | None = None
    chosen: int | None = None
    results: Any = None
    one: ctypes.c_float = field(default_factory=lambda: ctypes.c_float(1.0))
    beta: ctypes.c_float = field(default_factory=lambda: ctypes.c_float(0.0))

    def __post_init__(self) -> None:
        library, _ = self.matrix
        call = self.call
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
        except Exception as error:
            raise _refused("cuBLASLt", call.symbol, error) from None

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
        library, _ = self.matrix
        layout = library.matrix_layout_create(_DATA_TYPES[dtype], *lengths, leading)
        if batch > 1:
            attributes = library.MatrixLayoutAttribute
            _set_attribute(
                library.matrix_layout_set_attribute, layout, attributes.BATCH_COUNT, batch
            )
            _set_attribute(
                library.matrix_layout_set_attribute,
                layout,
                attributes.STRIDED_BATCH_OFFSET,
                step,
                ctypes.c_int64,
            )
        return layout

    def _set(self, name: str, value: int, kind: Any = ctypes.c_int32) -> None:
        library, _ = self.matrix
        attribute = getattr(library.MatmulDescAttribute, name)
        _set_attribute(library.matmul_desc_set_attribute, self.descriptor, attribute, value, kind)

    def _set_bias(self, addresses: Sequence[int]) -> None:
        if self.bias is not None:
            self._set("BIAS_POINTER", _place(self.bias, addresses), ctypes.c_uint64)

    def enqueue(self, addresses: Sequence[int]) -> None:
        """See ``LibraryCall.enqueue``."""
        if self.results is None:
            self._find_algorithms(addresses)
        self._run(addresses, self.chosen or 0)

    def choose(self, addresses: Sequence[int], measure: Measure) -> None:
        """See ``LibraryCall.choose``."""
        if self.chosen is not None:
            return
        count = self._find_algorithms(addresses)
        times = measure([partial(self._run, addresses, number) for number in range(count)])
        self.chosen = int(np.argmin(times))

    def _places(self, addresses: Sequence[int]) -> list[int]:
        call = self.call
        addend = call.output if self.added is None else self.added
        return [_place(side, addresses) for side in (call.right, call.left, addend, call.output)]

    def _find_algorithms(self, addresses: Sequence[int]) -> int:
        library, handle = self.matrix
        self._set_bias(addresses)
        preference = library.matmul_preference_create()
        names = library.MatmulPreferenceAttribute
        setter = library.matmul_preference_set_attribute
        size = WORKSPACE_BYTES
        _set_attribute(setter, preference, names.MAX_WORKSPACE_BYTES, size, ctypes.c_uint64)
        for letter, place in zip("ABCD", self._places(addresses), strict=True):
            name = getattr(names, f"MIN_ALIGNMENT_{letter}_BYTES")
            _set_attribute(setter, preference, name, math.gcd(place, 256), ctypes.c_uint32)
        self.results = library.MatmulHeuristicResult(_ALGORITHMS)
        found = np.zeros(1, np.int32)
        try:
            library.matmul_algo_get_heuristic(
                handle,
                self.descriptor,
                *self.layouts,
                preference,
                _ALGORITHMS,
                self.results.ptr,
                found.ctypes.data,
            )
        except Exception as error:
            raise _refused("cuBLASLt", self.call.symbol, error) from None
        if not found[0]:
            raise _refused("cuBLASLt", self.call.symbol, "it has no algorithm for it")
        return int(found[0])

    def _run(self, addresses: Sequence[int], number: int) -> None:
        library, handle = self.matrix
        self._set_bias(addresses)
        a, b, c, d = self._places(addresses)
        layout_a, layout_b, layout_c, layout_d = self.layouts
        algorithm = self.results.ptr + number * library.matmul_heuristic_result_dtype.itemsize
        library.matmul(
            handle,
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
            self.workspace,
            WORKSPACE_BYTES,
            self.stream,
        )


def _set_attribute(
    setter: Any, target: Any, attribute: Any, value: int, kind: Any = ctypes.c_int32
) -> None:
    stored = kind(value)
    setter(target, attribute, ctypes.addressof(stored), ctypes.sizeof(stored))


def _place(side: PlanStrided, addresses: Sequence[int]) -> int:
    return addresses[side.argument] + side.offset * side.dtype.bytes


# --------------------------------------------------------------------------------------- attention


@dataclass(slots=True)
class _Attention(LibraryCall):
    """softmax(scale query key^T) value, by cuDNN's fused graph on strided views."""

    call: PlanAttention
    attention: Any
    workspace: int
    graph: Any = None
    plans: tuple[int, ...] = ()
    chosen: int | None = None
    tensors: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        cudnn, handle = self.attention
        call = self.call
        types = {DType.BF16: cudnn.data_type.BFLOAT16, DType.F16: cudnn.data_type.HALF}
        heads, queries, keys, inner, channels = call.sizes
        try:
            graph = cudnn.pygraph(
                io_data_type=types[call.query.dtype],
                intermediate_data_type=cudnn.data_type.FLOAT,
                compute_data_type=cudnn.data_type.FLOAT,
                handle=handle,
            )
            query, key, value = (
                graph.tensor(
                    name=name,
                    dim=[1, heads, length, width],
                    stride=_four(side, heads),
                    data_type=types[side.dtype],
                )
                for name, side, length, width in (
                    ("q", call.query, queries, inner),
                    ("k", call.key, keys, inner),
                    ("v", call.value, keys, channels),
                )
            )
            output, _ = graph.sdpa(
                name=call.symbol,
                q=query,
                k=key,
                v=value,
                generate_stats=False,
                attn_scale=call.scale,
                use_causal_mask=False,
            )
            output.set_output(True)
            output.set_dim([1, heads, queries, channels])
            output.set_stride(_four(call.output, heads))
            output.set_data_type(types[call.output.dtype])
            graph.validate()
            graph.build_operation_graph()
            graph.create_execution_plans([cudnn.heur_mode.A])
            graph.check_support()
            self.plans = _built_plans(graph)
        except Exception as error:
            raise _refused("cuDNN", call.symbol, error) from None
        if not self.plans:
            raise _refused("cuDNN", call.symbol, "no plan of it can be built")
        self.graph, self.tensors = graph, (query, key, value, output)

    def enqueue(self, addresses: Sequence[int]) -> None:
        """See ``LibraryCall.enqueue``."""
        self._run(addresses, self.plans[0] if self.chosen is None else self.chosen)

    def choose(self, addresses: Sequence[int], measure: Measure) -> None:
        """See ``LibraryCall.choose``."""
        if self.chosen is None:
            times = measure([partial(self._run, addresses, plan) for plan in self.plans])
            self.chosen = self.plans[int(np.argmin(times))]

    def _run(self, addresses: Sequence[int], plan: int) -> None:
        _, handle = self.attention
        call = self.call
        sides = (call.query, call.key, call.value, call.output)
        pack = {
            tensor: _place(side, addresses)
            for tensor, side in zip(self.tensors, sides, strict=True)
        }
        self.graph.execute_plan_at_index(pack, self.workspace, plan, handle=handle)


def _built_plans(graph: Any) -> tuple[int, ...]:
    """The plans that can be built and run in the workspace, best first by the library's guess."""
    found = []
    for plan in range(min(_ALGORITHMS, graph.get_execution_plan_count())):
        try:
            graph.build_plan_at_index(plan)
            needed = graph.get_workspace_size_plan_at_index(plan)
        except Exception:  # what can't be built is not offered; the first reason is as good as any
            continue
        if needed <= WORKSPACE_BYTES:
            found.append(plan)
    return tuple(found)


def _four(side: PlanStrided, heads: int) -> list[int]:
    """The strides with a batch of one in front."""
    head, row, element = side.strides
    return [max(1, heads * head), head, row, element]
