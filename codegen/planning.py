"""What the planners of all kinds of kernels share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lumc.codegen.body_scope import Pointer
from lumc.codegen.geometry import Geometry
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import LARGEST_INT, AxisText, index_text
from lumc.codegen.launch_plan import Meeting
from lumc.codegen.statements import STORAGE_TYPES
from lumc.dsl.index_expression import axis, floor_divide, modulo
from lumc.lowering.kernel_program import KernelAxis, Parameter, ParameterAccess


@dataclass(frozen=True, slots=True)
class Plan:
    """A kernel as finished values for its template.

    ``notes`` are lines for the header comment on how the work is divided; ``headers`` are the
    device headers that the code includes.
    """

    template: str
    values: Mapping[str, object]
    threads: int
    local_bytes: int
    geometry: Geometry
    kind: str
    notes: tuple[str, ...]
    headers: tuple[str, ...] = ("lumc/device.hpp",)
    meeting: Meeting | None = None
    """Memory in which workgroups meet, behind the parameters."""


@dataclass(frozen=True, slots=True)
class ArgumentText:
    """A parameter in the function's head."""

    type: str
    name: str
    reads_only: bool
    alone: bool = True
    """Other workgroups write nothing there that this one reads."""


@dataclass(frozen=True, slots=True)
class AxisDefinition:
    """An axis variable and the expression that it is defined by."""

    name: str
    text: str


def pointers(
    parameters: Sequence[Parameter], alignments: Sequence[int], names: Names
) -> tuple[Pointer, ...]:
    """The parameters under their names in the code; ``alignments`` are in bytes."""
    return tuple(
        Pointer(names.fresh(parameter.name, "tensor"), parameter, alignment)
        for parameter, alignment in zip(parameters, alignments, strict=True)
    )


def argument_texts(pointers: Sequence[Pointer]) -> tuple[ArgumentText, ...]:
    """The function's parameters."""
    return tuple(
        ArgumentText(
            STORAGE_TYPES[p.parameter.dtype],
            p.name,
            p.parameter.access is ParameterAccess.READ,
        )
        for p in pointers
    )


def decode_axes(
    axes: Sequence[KernelAxis], number: str, names: Names
) -> tuple[tuple[AxisText, ...], tuple[AxisDefinition, ...]]:
    """The axes, walked as one with the last fastest, from the linear ``number``.

    Returns how each axis is written, and the definitions to put before; ``number`` is an int, or
    a 64-bit number when the axes have more than 2**31 points. Axes of size 1 are 0.
    """
    texts: list[AxisText] = []
    definitions: list[AxisDefinition] = []
    total = inner = math.prod(a.size for a in axes)
    for a in axes:
        inner //= a.size
        if a.size == 1:
            texts.append(AxisText("0", 0, 0))
            continue
        value = modulo(floor_divide(axis(0), inner, (total,)), a.size, (total,))
        text = index_text(value, [AxisText(number, 0, total - 1)])
        name = names.fresh(a.name, "axis")
        texts.append(AxisText(name, 0, a.size - 1))
        definitions.append(AxisDefinition(name, text))
    return tuple(texts), tuple(definitions)


def block_axes(
    geometry: Geometry, titles: Sequence[str], names: Names, number: str = "int(block())"
) -> tuple[tuple[AxisText, ...], tuple[AxisDefinition, ...]]:
    """The tile of each group of ``geometry`` that a workgroup has, from the ``number`` of it.

    Returns how each is written and the definitions of the variables, called ``titles``.
    """
    tiles = zip(titles, geometry.groups, strict=True)
    axes = [KernelAxis(title, group.tiles) for title, group in tiles]
    return decode_axes(axes, number, names)


def number_type(points: int) -> str:
    """The C++ type of a linear number up to ``points``."""
    return "int" if points <= LARGEST_INT else "i64"
