"""Where and how stages run, from the texts that the command and Python take."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from lumc.codegen.emit import MathMode
from lumc.compiler import CompileOptions
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl.reference import Math
from lumc.libraries import Libraries, may_call_libraries
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.open_device import open_device

_Choice = TypeVar("_Choice", bound=StrEnum)


class ChoiceError(LumcError):
    """What was chosen is none of the choices, or has no meaning there."""


def open_for(
    device: str, target: str | None, math: str, libraries: str
) -> tuple[Device, CompileOptions]:
    """The device of that name, and how stages are compiled for it. The caller closes it.

    Raises:
        LumcError: there is no such device, or it is no place for such a choice.
    """
    mode, choice = _one_of(MathMode, "math", math), _one_of(Libraries, "libraries", libraries)
    found = open_device(device, target)
    try:
        return found, CompileOptions(found.target, mode, may_call_libraries(choice, found.target))
    except BaseException:
        found.close()
        raise


def reference_math(target: str | None, math: str, libraries: str) -> Math:
    """How the reference does arithmetic.

    Raises:
        ChoiceError: something is chosen that is none of the choices, or a target.
    """
    mode = _one_of(MathMode, "math", math)
    _one_of(Libraries, "libraries", libraries)
    if target is not None:
        message = f"the reference compiles nothing, so the target {target} has no effect"
        raise ChoiceError(Diagnostic("C021", message, hint="name no target, or another device"))
    return "exact" if mode is MathMode.EXACT else "fast"


def _one_of(kind: type[_Choice], name: str, given: str) -> _Choice:
    known = [str(choice) for choice in kind]
    if given not in known:
        message = f"{name} is one of {', '.join(known)}, not {given!r}"
        hint = did_you_mean(str(given), known)
        raise ChoiceError(Diagnostic("C023", message, hint=hint))
    return kind(given)
