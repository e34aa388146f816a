"""cuDNN's front end as far as it is called, on host memory, in f32."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


class NotSupportedError(Exception):
    """What the library raises where it does not take a graph."""


@dataclass(eq=False)
class Tensor:
    graph: Graph
    dim: list[int]
    stride: list[int]
    made_by: Any = None
    written: bool = False
    data_type: Any = None

    def set_output(self, written: bool) -> None:
        self.written = written

    def set_dim(self, dim: list[int]) -> None:
        self.dim = dim

    def set_stride(self, stride: list[int]) -> None:
        self.stride = stride

    def set_data_type(self, data_type: Any) -> None:
        self.data_type = data_type

    def view(self, place: int) -> Array:
        """The elements that lie at ``place``; writable."""
        last = sum((n - 1) * s for n, s in zip(self.dim, self.stride, strict=True))
        memory = np.ctypeslib.as_array((ctypes.c_float * (last + 1)).from_address(place))
        return np.lib.stride_tricks.as_strided(memory, self.dim, [4 * s for s in self.stride])


@dataclass(eq=False)
class Graph:
    library: FakeCudnn
    options: dict[str, Any]
    tensors: list[Tensor] = field(default_factory=list)
    built: set[int] = field(default_factory=set)
    steps: list[str] = field(default_factory=list)

    def tensor(self, *, name: str, dim: list[int], stride: list[int], data_type: Any) -> Tensor:
        assert len(dim) == len(stride) == 4
        return Tensor(self, dim, stride, data_type=data_type)

    def sdpa(self, **options: Any) -> tuple[Tensor, None]:
        return Tensor(self, [], [], ("sdpa", options)), None

    def conv_fprop(self, **options: Any) -> Tensor:
        return Tensor(self, [], [], ("conv", options))

    def bias(self, *, input: Tensor, bias: Tensor, name: str) -> Tensor:
        assert bias.dim[0] == bias.dim[2] == bias.dim[3] == 1
        return Tensor(self, [], [], ("add", {"a": input, "b": bias}))

    def add(self, *, a: Tensor, b: Tensor, name: str) -> Tensor:
        return Tensor(self, [], [], ("add", {"a": a, "b": b}))

    def validate(self) -> None:
        if self.library.refuses:
            raise NotSupportedError("no engine for it")

    def build_operation_graph(self) -> None:
        pass

    def create_execution_plans(self, modes: list[Any]) -> None:
        assert modes == ["A"]

    def check_support(self) -> None:
        pass

    def get_execution_plan_count(self) -> int:
        return self.library.plans

    def build_plan_at_index(self, index: int) -> None:
        if index in self.library.unbuildable:
            raise NotSupportedError(f"plan {index} can't be built")
        self.built.add(index)

    def get_workspace_size_plan_at_index(self, index: int) -> int:
        return self.library.workspaces.get(index, 0)

    def get_plan_name_at_index(self, index: int) -> str:
        return f"engine_{index}"

    def execute_plan_at_index(
        self, pack: dict[Tensor, int], workspace: int, index: int, handle: Any
    ) -> None:
        assert index in self.built
        assert handle == "handle"
        self.library.used.append((index, workspace))
        (output,) = [tensor for tensor in pack if tensor.written]
        output.view(pack[output])[...] = self._value(output, pack)

    def _value(self, tensor: Tensor, pack: dict[Tensor, int]) -> Array:
        if tensor.made_by is None:
            return tensor.view(pack[tensor])
        kind, options = tensor.made_by
        match kind:
            case "add":
                made: Array = self._value(options["a"], pack) + self._value(options["b"], pack)
                return made
            case "conv":
                return _convolved(
                    self._value(options["image"], pack),
                    self._value(options["weight"], pack),
                    options,
                )
            case _:
                values = {
                    name: self._value(options[name], pack)
                    for name in ("q", "k", "v", "bias")
                    if name in options
                }
                return _attended(values, options)


def _convolved(image: Array, weight: Array, options: dict[str, Any]) -> Array:
    (top, left), (bottom, right) = options["pre_padding"], options["post_padding"]
    padded = np.pad(image, ((0, 0), (0, 0), (top, bottom), (left, right)))
    (down, across), (spread, wide) = options["stride"], options["dilation"]
    tall, broad = weight.shape[2:]
    rows = (padded.shape[2] - spread * (tall - 1) - 1) // down + 1
    columns = (padded.shape[3] - wide * (broad - 1) - 1) // across + 1
    made = np.zeros((image.shape[0], weight.shape[0], rows, columns), np.float32)
    for i in range(tall):
        for j in range(broad):
            y, x = i * spread, j * wide
            window = padded[
                :,
                :,
                y : y + (rows - 1) * down + 1 : down,
                x : x + (columns - 1) * across + 1 : across,
            ]
            made += np.einsum("ncrs,oc->nors", window, weight[:, :, i, j])
    return made


def _attended(values: dict[str, Array], options: dict[str, Any]) -> Array:
    query, key, value = values["q"], values["k"], values["v"]
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat(groups, axis=1), value.repeat(groups, axis=1)
    scores = options["attn_scale"] * np.einsum("bhqd,bhkd->bhqk", query, key)
    if "bias" in values:
        scores = scores + values["bias"]
    if options["use_causal_mask"]:
        after = np.arange(scores.shape[3])[None, :] > np.arange(scores.shape[2])[:, None]
        scores = np.where(after, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = weights / weights.sum(axis=-1, keepdims=True)
    made: Array = np.einsum("bhqk,bhkd->bhqd", shares, value)
    return made


class FakeCudnn:
    """The module ``cudnn``."""

    data_type = SimpleNamespace(BFLOAT16="bf16", HALF="f16", FLOAT="f32")
    heur_mode = SimpleNamespace(A="A")
    cudnnGraphNotSupportedError = NotSupportedError  # noqa: N815
    __version__ = "1.32.0"

    def __init__(self) -> None:
        self.refuses = False
        self.plans = 3
        self.unbuildable: set[int] = set()
        self.workspaces: dict[int, int] = {}
        self.used: list[tuple[int, int]] = []
        self.graphs: list[Graph] = []

    def backend_version(self) -> int:
        return 91900

    def create_handle(self) -> str:
        return "handle"

    def destroy_handle(self, handle: str) -> None:
        assert handle == "handle"

    def set_stream(self, handle: str, stream: int) -> None:
        assert (handle, stream) == ("handle", 7)

    def pygraph(self, **options: Any) -> Graph:
        assert options["compute_data_type"] == options["intermediate_data_type"] == "f32"
        self.graphs.append(Graph(self, options))
        return self.graphs[-1]
