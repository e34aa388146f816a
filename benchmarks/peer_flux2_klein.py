"""FLUX.2 Klein's stages: Diffusers under torch.compile and lumc, one machine, one run.

Both have the same random weights and inputs. Results are held against the peer in f32: lumc's
error beside that of the peer in bf16. Times are medians of steps that alternate in short rounds.

    python -m benchmarks.peer_flux2_klein FOLDER STAGE:SIZE ... [--mode compile] [--json FILE]

FOLDER is what ``benchmarks.h200 prepare`` made; a stage is one of its full-size ones, such as
``transformer:512x512``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from benchmarks.peer_stages import PeerStage, Step, peer_stage, relative_error
from benchmarks.sources import compile_sources
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import choose_stage
from lumc.runtime.tensors import TensorArrays

_ROUNDS = 6
_STEPS = 5


def milliseconds(step: Callable[[], Any]) -> float:
    """Device milliseconds of one step."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    step()
    stop.record()
    stop.synchronize()
    return float(start.elapsed_time(stop))


def compiled(peer: PeerStage, mode: str) -> Step:
    """A step of the peer: eager, or as torch.compile makes it; compiled when this returns."""

    def plain() -> torch.Tensor:
        return peer.step(peer.inputs)

    if mode == "eager":
        step: Step = plain
    elif peer.autotuned:
        step = torch.compile(plain, mode="max-autotune", dynamic=False)
    else:
        # Autotuning of convolutions takes many minutes, and the library's win it.
        step = _graphed(torch.compile(plain, dynamic=False))
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    return step


def _graphed(step: Step) -> Step:
    """``step`` captured in a CUDA graph."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = step()

    def replayed() -> torch.Tensor:
        graph.replay()
        return made

    return replayed


def compare(device: CudaDevice, folder: Path, stage: str, size: str, mode: str) -> dict[str, Any]:
    """Errors and times of both, and the ratio of the times."""
    width, height = map(int, size.split("x"))
    found: dict[str, Any] = {"stage": stage, "size": size, "mode": mode}
    peer = peer_stage(stage, width, height)
    in_bf16, in_f32 = peer.run(), peer.run_in_f32()
    found["peer_error"] = relative_error(in_bf16, in_f32)
    opened = choose_stage(folder / "full" / f"{stage}-{size}", None)
    with Executor(opened, device) as executor:
        start = time.perf_counter()
        executor.load_weights(TensorArrays(peer.weights()))
        found["lumc_load_seconds"] = round(time.perf_counter() - start, 2)
        (out,) = executor.run(peer.lumc_inputs).values()
        found["lumc_error"] = relative_error(out, in_f32)
        found["lumc_alone_ms"] = round(executor.step_milliseconds(), 3)
        print(json.dumps(found), flush=True)
        start = time.perf_counter()
        step = compiled(peer, mode)
        found["peer_compile_seconds"] = round(time.perf_counter() - start, 1)
        found |= alternate(executor, step)
    torch.compiler.reset()
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


def table(rows: list[Mapping[str, Any]]) -> str:
    """A line for each stage and size."""
    head = f"{'stage':24}{'lumc ms':>10}{'peer ms':>10}{'ratio':>8}{'lumc err':>10}{'peer err':>10}"
    lines = [
        f"{row['stage'] + ' ' + row['size']:24}{row['lumc_ms']:10.3f}{row['peer_ms']:10.3f}"
        f"{row['ratio']:8.3f}{row['lumc_error']:10.4f}{row['peer_error']:10.4f}"
        for row in rows
    ]
    return "\n".join([head, *lines])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what h200 prepare made")
    parser.add_argument("stages", nargs="+", help="as in transformer:512x512")
    parser.add_argument("--mode", choices=["eager", "compile"], default="compile")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    device = CudaDevice()
    compile_sources(chosen.folder, device.target)
    rows: list[Mapping[str, Any]] = []
    for text in chosen.stages:
        stage, size = text.split(":")
        with torch.inference_mode():
            rows.append(compare(device, chosen.folder, stage, size, chosen.mode))
        print(json.dumps(rows[-1]), flush=True)
        torch.cuda.empty_cache()
        if chosen.json:
            chosen.json.parent.mkdir(parents=True, exist_ok=True)
            chosen.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    device.close()
    print(table(rows))


if __name__ == "__main__":
    main()
