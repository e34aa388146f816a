"""What every launch of a stage wrote on the device, to be held against its meaning elsewhere.

python -m benchmarks.trace STAGE_FOLDER GOLDEN_NAME FILE.npz     where the GPU is
python -m benchmarks.trace --compare STAGE:DTYPE:LIBRARIES FILE.npz     where all of lumc is
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.golden_stages import GOLDEN_STAGES, ROOT

Array = npt.NDArray[Any]


def trace(folder: Path, name: str, place: Path) -> None:
    """Run the golden stage ``name`` launch by launch and keep what each has written."""
    from lumc.runtime.devices.cuda import CudaDevice
    from lumc.runtime.executor import Executor
    from lumc.runtime.stage_folder import choose_stage
    from lumc.runtime.tensors import TensorArrays

    device = CudaDevice()
    weights, inputs, _ = GOLDEN_STAGES[name].tensors()
    kept: dict[str, Any] = {}
    with Executor(choose_stage(folder, None), device) as executor:
        executor.load_weights(TensorArrays(weights))
        executor.write_inputs(inputs)
        for number, launch in enumerate(executor.plan.launches):
            device.replay(device.record(executor.device_launches((launch,))))
            for argument in launch.arguments:
                if argument.writes:
                    buffer = executor.plan.buffers[argument.buffer]
                    data = device.read(executor._address(buffer), buffer.bytes)
                    kept[f"{number}.{argument.buffer}"] = data
    np.savez_compressed(place, **kept)


def compare(chosen: str, place: Path) -> None:
    """Print every launch whose results are not what its kernel means on the device's own inputs."""
    from lumc.dsl import elaborate, load_spec
    from lumc.lowering import lower
    from lumc.lowering.kernel_program import BufferKind
    from lumc.lowering.kernel_reference import poisoned, run_launch

    name, dtype, libraries = chosen.split(":")
    case = GOLDEN_STAGES[name]
    settings = dict(case.settings) | {"dtype": dtype}
    spec = load_spec(ROOT / "specs" / "flux2_klein.lum", case.config, settings)
    program = lower(elaborate(spec, case.stage), "sm_90", libraries=libraries == "vendor").program
    weights, inputs, _ = case.tensors()
    memory: list[Array] = []
    for buffer in program.buffers:
        given = {BufferKind.INPUT: inputs, BufferKind.WEIGHT: weights}.get(buffer.kind, {})
        if buffer.name in given:
            memory.append(np.asarray(given[buffer.name]).astype(buffer.dtype.numpy).reshape(-1))
        else:
            memory.append(poisoned(int(np.prod(buffer.shape)), buffer.dtype))
    for table in program.tables:
        memory[table.buffer] = np.ascontiguousarray(table.values).reshape(-1)
    for launch in program.prepare:
        run_launch(program, launch, memory)
    found = np.load(place)
    for number, launch in enumerate(program.launches):
        run_launch(program, launch, memory)
        for key in (k for k in found.files if k.split(".")[0] == str(number)):
            written = int(key.split(".")[1])
            wanted = memory[written].astype(np.float64)
            got = found[key].view(memory[written].dtype)
            known = ~np.isnan(wanted)
            size = max(float(np.linalg.norm(wanted[known])), 1e-30)
            error = float(np.linalg.norm((got - wanted)[known])) / size
            if not error < (1e-4 if dtype == "f32" else 1e-2):
                kernel = program.kernels[launch.kernel]
                print(number, type(kernel).__name__, kernel.name, program.buffers[written], error)
            memory[written][known] = got[known]


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(sys.argv[2], Path(sys.argv[3]))
    else:
        trace(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
