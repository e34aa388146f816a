"""Compilers that turn HIP C++ into code objects: found, probed and run."""

from lumc.codegen.toolchains.discovery import (
    TOOLCHAIN_VARIABLE,
    BrokenToolchain,
    choose_toolchain,
    find_toolchains,
    supported_targets,
)
from lumc.codegen.toolchains.toolchain import (
    UNIT_NAME,
    CompilationError,
    CompiledObject,
    CompileUnit,
    Toolchain,
    ToolchainError,
)

__all__ = [
    "TOOLCHAIN_VARIABLE",
    "UNIT_NAME",
    "BrokenToolchain",
    "CompilationError",
    "CompileUnit",
    "CompiledObject",
    "Toolchain",
    "ToolchainError",
    "choose_toolchain",
    "find_toolchains",
    "supported_targets",
]
