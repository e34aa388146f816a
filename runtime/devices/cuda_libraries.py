"""NVIDIA's libraries for a stream: products by cuBLASLt, attention and convolutions by cuDNN.

A call is planned once and enqueued as often as wanted, also while the stream is captured. Which of
a library's algorithms does it is decided by measuring them on the call's own arguments.
"""

from __future__ import annotations

from typing import assert_never

from lumc.codegen.launch_plan import PlanAttention, PlanCall, PlanConvolution, PlanProduct
from lumc.runtime.devices.cublas_products import CublasLt, CublasProduct
from lumc.runtime.devices.cudnn_graphs import Cudnn, CudnnAttention, CudnnConvolution
from lumc.runtime.devices.library_calls import LibraryCall, Workspace


class CudaLibraries:
    """The libraries' handles for one stream, opened when they are first wanted."""

    def __init__(self, stream: int, workspace: int, target: str) -> None:
        """Calls go to ``stream`` and share ``WORKSPACE_BYTES`` from ``workspace`` on."""
        self._stream = stream
        self._shared = Workspace(workspace)
        self._target = target
        self._products: CublasLt | None = None
        self._graphs: Cudnn | None = None

    def plan(self, call: PlanCall) -> LibraryCall:
        """Prepare ``call``.

        Raises:
            DeviceError: the library is missing, or does not take the call.
        """
        match call:
            case PlanProduct():
                return CublasProduct(call, self._cublas())
            case PlanAttention():
                return CudnnAttention(self._cudnn(), call=call)
            case PlanConvolution():
                return CudnnConvolution(self._cudnn(), call=call)
            case _:
                assert_never(call)

    def close(self) -> None:
        """Give the handles back."""
        for library in (self._products, self._graphs):
            if library is not None:
                library.close()

    def _cublas(self) -> CublasLt:
        if self._products is None:
            self._products = CublasLt.open(self._stream, self._shared, self._target)
        return self._products

    def _cudnn(self) -> Cudnn:
        if self._graphs is None:
            self._graphs = Cudnn.open(self._stream, self._shared, self._target)
        return self._graphs
