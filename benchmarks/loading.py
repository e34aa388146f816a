"""How long a stage's weights take to an NVIDIA GPU, beside a plain copy of their file.

    python -m benchmarks.loading STAGE_FOLDER FILE.safetensors

FILE is written with random weights if it is not there. The plain copy is one call of the driver for
the mapped file, as it lies; both read it from the page cache. The second start finds the libraries'
algorithms in the tuning database.
"""

from __future__ import annotations

import argparse
import json
import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lumc.codegen.launch_plan import PlanBufferKind
from lumc.dsl.dtypes import DType
from lumc.inspection import table
from lumc.runtime.devices.cuda import CudaDevice, load_binding
from lumc.runtime.executor import Executor
from lumc.runtime.random_tensors import RandomTensors
from lumc.runtime.stage_folder import CompiledStage, open_stage, wanted_tensors
from lumc.runtime.tensors import TensorFiles

_NAMES = {DType.BF16: "BF16", DType.F16: "F16", DType.F32: "F32"}


def write_random(stage: CompiledStage, file: Path) -> None:
    """Write all weights of ``stage``, one at a time: together they may be larger than memory."""
    wanted = wanted_tensors(stage.plan, PlanBufferKind.WEIGHT)
    source, header, end = RandomTensors(wanted, 0.02), {}, 0
    for tensor in wanted:
        start, end = end, end + int(np.prod(tensor.shape)) * tensor.dtype.bytes
        entry = {"dtype": _NAMES[tensor.dtype], "shape": tensor.shape}
        header[tensor.name] = entry | {"data_offsets": (start, end)}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with file.open("wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for tensor in wanted:
            source.read(tensor.name).tofile(out)


def plain_copy(device: CudaDevice, file: Path) -> None:
    """Copy the whole file to the GPU in one call."""
    content = np.memmap(file, np.uint8, "r")
    address = device.allocate(content.size)
    load_binding().cuMemcpyHtoD(address, content.ctypes.data, content.size)
    device.free(address)


def start_stage(device: CudaDevice, stage: CompiledStage, file: Path, there: bool) -> float:
    """Seconds from open files to a step that can run; without the weights' way if ``there``."""
    source = TensorFiles([file])
    with Executor(stage, device) as executor:
        return seconds(lambda: executor.load_weights(source, there))


def seconds(work: Callable[[], object]) -> float:
    """What ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", type=Path)
    parser.add_argument("file", type=Path)
    chosen = parser.parse_args()
    stage = open_stage(chosen.stage)
    if not chosen.file.exists():
        write_random(stage, chosen.file)
    device = CudaDevice()
    plain = [seconds(lambda: plain_copy(device, chosen.file)) for _ in range(2)][-1]
    first, second = (start_stage(device, stage, chosen.file, False) for _ in range(2))
    rest = start_stage(device, stage, chosen.file, True)
    device.close()
    rows = [
        ("plain copy of the file", f"{plain:.2f}"),
        ("weights alone", f"{second - rest:.2f}"),
        ("… over a plain copy", f"{(second - rest) / plain:.2f}"),
        ("first start", f"{first:.2f}"),
        ("second start", f"{second:.2f}"),
    ]
    print(table([("", "s"), *rows]))


if __name__ == "__main__":
    main()
