"""Attention and convolutions by cuDNN's graphs, on strided views."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lumc.codegen.launch_plan import PlanAttention, PlanCall, PlanConvolution, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.library_calls import (
    NEVER,
    WORKSPACE_BYTES,
    Addresses,
    LibraryCall,
    Timer,
    Workspace,
    fastest,
    missing,
    not_closed,
    place,
    refused,
)
from lumc.runtime.devices.library_choices import LibraryChoices

_PLANS = 8
"""Plans that are built and tried; each is code that the library compiles."""


@dataclass(frozen=True, slots=True)
class Cudnn:
    """The library with a handle, for one stream."""

    library: Any
    handle: Any
    shared: Workspace
    choices: LibraryChoices

    @staticmethod
    def open(stream: int, shared: Workspace, target: str) -> Cudnn:
        """The library.

        Raises:
            DeviceError: it can't be used.
        """
        try:
            import cudnn
        except ImportError as error:
            raise missing("nvidia-cudnn-frontend", error) from None
        try:
            handle = cudnn.create_handle()
            cudnn.set_stream(handle, stream)
            version = f"cuDNN {cudnn.backend_version()} {cudnn.__version__}"
        except RuntimeError as error:
            raise missing("cuDNN", error) from None
        return Cudnn(cudnn, handle, shared, LibraryChoices.open(target, version))

    def close(self) -> None:
        """Give the handle back.

        Raises:
            DeviceError: the library fails.
        """
        try:
            self.library.destroy_handle(self.handle)
        except RuntimeError as error:
            raise not_closed("cuDNN", error) from None

    @property
    def declines(self) -> tuple[type[Exception], ...]:
        """What it raises where it does not take a graph, or can't build a plan of one."""
        return (self.library.cudnnGraphNotSupportedError, RuntimeError)

    def data_type(self, dtype: DType) -> Any:
        """``dtype`` as the library names it."""
        types = self.library.data_type
        return {DType.BF16: types.BFLOAT16, DType.F16: types.HALF, DType.F32: types.FLOAT}[dtype]


@dataclass(slots=True)
class _GraphCall(LibraryCall):
    """A graph of the library's, with those of its plans that can be built."""

    dnn: Cudnn
    graph: Any = None
    operands: tuple[tuple[Any, PlanStrided], ...] = ()
    """The graph's tensors that are in memory, and where they are."""
    plans: dict[int, int] = field(default_factory=dict)
    """The plans that are built, with the workspace that they need."""
    chosen: int = 0
    decided: bool = False

    @property
    @abstractmethod
    def plan_call(self) -> PlanCall:
        """What is called."""

    @abstractmethod
    def describe(self) -> None:
        """Fill the graph."""

    def __post_init__(self) -> None:
        """Describe the call to the library and build what plans it has."""
        types = self.dnn.library.data_type
        symbol = self.plan_call.symbol
        try:
            self.graph = self.dnn.library.pygraph(
                io_data_type=types.BFLOAT16,
                intermediate_data_type=types.FLOAT,
                compute_data_type=types.FLOAT,
                handle=self.dnn.handle,
            )
            self.describe()
            self.graph.validate()
            self.graph.build_operation_graph()
            self.graph.create_execution_plans([self.dnn.library.heur_mode.A])
            self.graph.check_support()
        except self.dnn.declines as error:
            raise refused("cuDNN", symbol, error) from None
        known = self.dnn.choices.known(self.plan_call, self._names())
        if known is None or self._build([known]) is not None:
            reason = self._build(range(len(self._names())))
            if not self.plans:
                raise refused("cuDNN", symbol, reason or "it has no plan for it")
        self.chosen, self.decided = next(iter(self.plans)), len(self.plans) == 1

    def _names(self) -> list[str]:
        """What the library calls its plans, best first by its own guess; equal ones told apart."""
        count = min(_PLANS, self.graph.get_execution_plan_count())
        return [f"{self.graph.get_plan_name_at_index(n)} {n}" for n in range(count)]

    def _build(self, numbers: Iterable[int]) -> str | None:
        """Build what can be built of these plans; why the last one that can't, can't."""
        reason = None
        for number in numbers:
            try:
                self.graph.build_plan_at_index(number)
                needs = int(self.graph.get_workspace_size_plan_at_index(number))
            except self.dnn.declines as error:
                reason = f"no plan of it can be built: {error}"
                continue
            if needs <= WORKSPACE_BYTES:
                self.plans[number] = needs
            else:
                reason = f"its plans want {needs:,} bytes of workspace"
        return reason

    def tensor(self, name: str, side: PlanStrided, sizes: list[int], strides: list[int]) -> Any:
        """An input of the graph, in memory as ``side`` says."""
        made = self.graph.tensor(
            name=name, dim=sizes, stride=strides, data_type=self.dnn.data_type(side.dtype)
        )
        self.operands += ((made, side),)
        return made

    def output(self, result: Any, side: PlanStrided, sizes: list[int], strides: list[int]) -> None:
        """Let ``result`` be written to memory as ``side`` says."""
        result.set_output(True)
        result.set_dim(sizes)
        result.set_stride(strides)
        result.set_data_type(self.dnn.data_type(side.dtype))
        self.operands += ((result, side),)

    def enqueue(self, addresses: Addresses) -> None:
        """See ``LibraryCall.enqueue``."""
        self._run(addresses, self.chosen)

    def choose(self, places: Sequence[Addresses], timer: Timer) -> None:
        """See ``LibraryCall.choose``."""
        if self.decided:
            return
        numbers = list(self.plans)
        ways = [partial(self._run, number=n) for n in numbers]
        best, times = fastest(ways, places, timer)
        self.chosen, self.decided = numbers[best], True
        taken = dict(zip(numbers, times, strict=True))
        names = self._names()
        # Those that can't be built take for ever.
        self.dnn.choices.keep(
            self.plan_call, names, [taken.get(n, NEVER) for n in range(len(names))]
        )

    def _run(self, addresses: Addresses, number: int) -> None:
        pack = {tensor: place(side, addresses) for tensor, side in self.operands}
        try:
            self.graph.execute_plan_at_index(
                pack, self.dnn.shared.address, number, handle=self.dnn.handle
            )
        except self.dnn.declines as error:
            raise refused("cuDNN", self.plan_call.symbol, error) from None


@dataclass(slots=True)
class CudnnAttention(_GraphCall):
    """softmax(scale query key^T + bias) value, by cuDNN's fused kernels."""

    call: PlanAttention = field(kw_only=True)

    @property
    def plan_call(self) -> PlanCall:
        """See ``_GraphCall.plan_call``."""
        return self.call

    def describe(self) -> None:
        """See ``_GraphCall.describe``."""
        call = self.call
        heads, queries, keys, inner, channels = call.sizes
        shared = heads // call.groups
        query = self._headed("q", call.query, heads, queries, inner)
        key = self._headed("k", call.key, shared, keys, inner)
        value = self._headed("v", call.value, shared, keys, channels)
        options: dict[str, Any] = {}
        if call.bias is not None:
            # A bias that is the same for all heads is that of one head.
            bias_heads = heads if call.bias.strides[0] else 1
            options["bias"] = self._headed("bias", call.bias, bias_heads, queries, keys)
        output, _ = self.graph.sdpa(
            name=call.symbol,
            q=query,
            k=key,
            v=value,
            generate_stats=False,
            attn_scale=call.scale,
            use_causal_mask=call.causal,
            **options,
        )
        sizes = [1, heads, queries, channels]
        self.output(output, call.output, sizes, _four(call.output, heads, queries))

    def _headed(self, name: str, side: PlanStrided, heads: int, rows: int, width: int) -> Any:
        return self.tensor(name, side, [1, heads, rows, width], _four(side, heads, rows))


@dataclass(slots=True)
class CudnnConvolution(_GraphCall):
    """A convolution with a bias and an addend, as one of cuDNN's fused kernels."""

    call: PlanConvolution = field(kw_only=True)

    @property
    def plan_call(self) -> PlanCall:
        """See ``_GraphCall.plan_call``."""
        return self.call

    def describe(self) -> None:
        """See ``_GraphCall.describe``."""
        call, graph = self.call, self.graph
        pictures, channels, height, width, outputs, rows, columns, tall, wide = call.sizes
        image = [pictures, channels, height, width]
        result = [pictures, outputs, rows, columns]
        made = graph.conv_fprop(
            image=self._picture("x", call.image, image),
            weight=self._picture("w", call.weight, [outputs, channels, tall, wide]),
            pre_padding=list(call.before),
            post_padding=list(call.after),
            stride=list(call.steps),
            dilation=list(call.dilation),
            name=call.symbol,
        )
        if call.bias is not None:
            sizes, strides = [1, outputs, 1, 1], [outputs, 1, outputs, outputs]
            made = graph.bias(
                input=made, bias=self.tensor("bias", call.bias, sizes, strides), name="with_bias"
            )
        if call.addend is not None:
            addend = self._picture("addend", call.addend, result)
            made = graph.add(a=made, b=addend, name="with_addend")
        self.output(made, call.output, result, _strides(call.output, result))

    def _picture(self, name: str, side: PlanStrided, sizes: list[int]) -> Any:
        return self.tensor(name, side, sizes, _strides(side, sizes))


def _four(side: PlanStrided, heads: int, rows: int) -> list[int]:
    """The strides with a batch of one in front."""
    head, row, element = side.strides
    return [max(1, heads * head, rows * row), max(1, head), max(1, row), element]


def _strides(side: PlanStrided, sizes: list[int]) -> list[int]:
    """The strides of pictures with dense channels; axes of one point are given what fits."""
    picture, channel, row, column = side.strides
    column = column if sizes[3] > 1 or column else sizes[1]
    row = row if sizes[2] > 1 or row else column * sizes[3]
    picture = picture if sizes[0] > 1 or picture else row * sizes[2]
    return [picture, channel, row, column]
