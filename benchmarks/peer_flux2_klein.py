"""FLUX.2 Klein's transformer: Diffusers under torch.compile and lumc, one machine, one run.

Both have the same random weights and inputs. Results are held against Diffusers in f32: lumc's
error beside that of the peer in bf16. Times are medians of steps that alternate in short rounds.

    python -m benchmarks.peer_flux2_klein STAGE_FOLDER --size 512x512 [--mode compile] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import torch

from benchmarks.sources import compile_sources
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import choose_stage
from lumc.runtime.tensors import TensorArrays

_KLEIN_9B = {
    "patch_size": 1,
    "in_channels": 128,
    "num_layers": 8,
    "num_single_layers": 24,
    "attention_head_dim": 128,
    "num_attention_heads": 32,
    "joint_attention_dim": 12288,
    "timestep_guidance_channels": 256,
    "mlp_ratio": 3.0,
    "axes_dims_rope": (32, 32, 32, 32),
    "rope_theta": 2000,
    "eps": 1e-6,
    "guidance_embeds": False,
}
_TEXT_TOKENS = 512
_ROUNDS = 6
_STEPS = 5
Array = npt.NDArray[Any]
Tensors = dict[str, torch.Tensor]


def positions(width: int, height: int, kind: int) -> torch.Tensor:
    """The position of each token of a picture: kind, row, column, 0."""
    rows, columns = height // 16, width // 16
    row = torch.arange(rows).repeat_interleave(columns)
    column = torch.arange(columns).repeat(rows)
    zero = torch.zeros_like(row)
    return torch.stack([zero + kind, row, column, zero], -1)


def make_inputs(width: int, height: int) -> Tensors:
    """Random inputs of Diffusers' transformer, with one reference of the picture's size."""
    tokens = (width // 16) * (height // 16)
    text = torch.zeros(1, _TEXT_TOKENS, 4, dtype=torch.long)
    text[..., 3] = torch.arange(_TEXT_TOKENS)
    places = torch.cat([positions(width, height, 0), positions(width, height, 10)])[None]
    bf16 = {"device": "cuda", "dtype": torch.bfloat16}
    return {
        "hidden_states": torch.randn(1, 2 * tokens, 128, **bf16),
        "encoder_hidden_states": torch.randn(1, _TEXT_TOKENS, 12288, **bf16),
        "timestep": torch.tensor([0.7], **bf16),
        "img_ids": places.cuda(),
        "txt_ids": text.cuda(),
    }


def as_array(tensor: torch.Tensor) -> Array:
    """``tensor`` in host memory; bf16 stays bf16."""
    host = tensor.detach().cpu().contiguous()
    if host.dtype is torch.bfloat16:
        return host.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return host.numpy()


def lumc_inputs(inputs: Tensors) -> dict[str, Array]:
    """The same inputs under the names of the spec's stage."""
    tokens = as_array(inputs["hidden_states"])[0]
    return {
        "noise": tokens[: len(tokens) // 2],
        "reference": tokens[len(tokens) // 2 :],
        "text": as_array(inputs["encoder_hidden_states"])[0],
        "sigma": np.float32(as_array(inputs["timestep"])[0]),
    }


def relative_error(found: Array, wanted: Array) -> float:
    """The L2 norm of the difference over that of what is wanted."""
    exact = wanted.astype(np.float64)
    return float(np.linalg.norm(found.astype(np.float64) - exact) / np.linalg.norm(exact))


def milliseconds(step: Callable[[], Any]) -> float:
    """Device milliseconds of one step."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    step()
    stop.record()
    stop.synchronize()
    return float(start.elapsed_time(stop))


def compiled(model: torch.nn.Module, mode: str, inputs: Tensors) -> Callable[[], Any]:
    """A step of the peer: eager, or as torch.compile makes it; compiled when this returns."""
    arguments: dict[str, Any] = {**inputs, "guidance": None, "return_dict": False}
    step = model if mode == "eager" else torch.compile(model, mode="max-autotune", dynamic=False)
    for _ in range(3):
        step(**arguments)
    torch.cuda.synchronize()
    return lambda: step(**arguments)


@torch.inference_mode()
def compare(folder: Path, width: int, height: int, mode: str) -> Mapping[str, Any]:
    """Errors and times of both, and the ratio of the times."""
    from diffusers import Flux2Transformer2DModel

    torch.manual_seed(5)
    torch.set_default_dtype(torch.bfloat16)
    found: dict[str, Any] = {"size": f"{width}x{height}", "mode": mode}
    with torch.device("cuda"):
        model = Flux2Transformer2DModel(**_KLEIN_9B).eval()
    inputs = make_inputs(width, height)
    half = inputs["hidden_states"].shape[1] // 2
    arguments: dict[str, Any] = {**inputs, "guidance": None, "return_dict": False}
    in_bf16 = as_array(model(**arguments)[0][0, :half]).astype(np.float32)
    model.float()
    exact = {
        n: x.float() if x.is_floating_point() else x for n, x in arguments.items() if n in inputs
    }
    torch.set_default_dtype(torch.float32)
    in_f32 = as_array(model(**exact, guidance=None, return_dict=False)[0][0, :half])
    torch.set_default_dtype(torch.bfloat16)
    model.bfloat16()
    torch.cuda.empty_cache()
    found["peer_error"] = relative_error(in_bf16, in_f32)

    device = CudaDevice()
    compile_sources(folder, device.target)
    weights = {name: as_array(tensor) for name, tensor in model.state_dict().items()}
    with Executor(choose_stage(folder, None), device) as executor:
        start = time.perf_counter()
        executor.load_weights(TensorArrays(weights))
        found["lumc_load_seconds"] = round(time.perf_counter() - start, 2)
        (out,) = executor.run(lumc_inputs(inputs)).values()
        found["lumc_error"] = relative_error(out, in_f32)
        found["lumc_alone_ms"] = round(executor.step_milliseconds(), 3)
        print(json.dumps(found), flush=True)
        start = time.perf_counter()
        step = compiled(model, mode, inputs)
        found["peer_compile_seconds"] = round(time.perf_counter() - start, 1)
        found |= alternate(executor, step)
    device.close()
    return found


def alternate(executor: Executor, peer: Callable[[], Any]) -> dict[str, Any]:
    """Medians of rounds of a few steps of one, then of the other."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(_ROUNDS):
        theirs += [milliseconds(peer) for _ in range(_STEPS)][1:]
        ours += [executor.step_milliseconds() for _ in range(_STEPS)][1:]
    lumc_ms, peer_ms = statistics.median(ours), statistics.median(theirs)
    return {
        "lumc_ms": round(lumc_ms, 3),
        "lumc_range": [round(min(ours), 3), round(max(ours), 3)],
        "peer_ms": round(peer_ms, 3),
        "peer_range": [round(min(theirs), 3), round(max(theirs), 3)],
        "ratio": round(lumc_ms / peer_ms, 4),
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the compiled transformer, or its sources")
    parser.add_argument("--size", default="512x512")
    parser.add_argument("--mode", choices=["eager", "compile"], default="compile")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    width, height = map(int, chosen.size.split("x"))
    found = compare(chosen.folder, width, height, chosen.mode)
    print(json.dumps(found, indent=1))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
