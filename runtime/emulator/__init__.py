"""AMD machine code, run and questioned on the CPU.

`Emulator` loads a code object and launches its kernels on NumPy arrays or on `DeviceMemory`.
"""

from lumc.runtime.emulator.arguments import KernelArgument, LaunchError
from lumc.runtime.emulator.build import EmulatorBuildError
from lumc.runtime.emulator.code_object import CodeObjectError, Kernel
from lumc.runtime.emulator.counters import Counters
from lumc.runtime.emulator.disassembly import DisassemblyError
from lumc.runtime.emulator.emulator import Emulator, LaunchResult
from lumc.runtime.emulator.memory import DeviceBuffer, DeviceMemory, UninitialisedReadError
from lumc.runtime.emulator.occupancy import Occupancy
from lumc.runtime.emulator.program import DecodeError, known_mnemonics
from lumc.runtime.emulator.reports import Checks, EmulationFault, Place, Report
from lumc.runtime.emulator.trace import Operands, Trace

__all__ = [
    "Checks",
    "CodeObjectError",
    "Counters",
    "DecodeError",
    "DeviceBuffer",
    "DeviceMemory",
    "DisassemblyError",
    "EmulationFault",
    "Emulator",
    "EmulatorBuildError",
    "Kernel",
    "KernelArgument",
    "LaunchError",
    "LaunchResult",
    "Occupancy",
    "Operands",
    "Place",
    "Report",
    "Trace",
    "UninitialisedReadError",
    "known_mnemonics",
]
