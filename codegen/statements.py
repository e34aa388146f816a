"""The statements of generated scalar code: finished values for ``templates/statements.jinja``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Literal as OneOf
from typing import assert_never

import numpy as np

from lumc.dsl.dtypes import DType

C_TYPES = {DType.F32: "float", DType.I32: "int", DType.I64: "i64", DType.BOOL: "bool"}
"""How computed values are written in C++."""

STORAGE_TYPES = {
    DType.F32: "float",
    DType.BF16: "bf16",
    DType.F16: "f16",
    DType.I32: "int",
    DType.I64: "i64",
    DType.U8: "u8",
    DType.BOOL: "flag",
}
"""How elements in memory are written in C++."""


@dataclass(frozen=True, slots=True)
class Define:
    """``const type name = op(operands)``; ``op`` is a case of the template's ``expression``."""

    type: str
    name: str
    op: str
    operands: tuple[str, ...]
    kind: OneOf["define"] = field(default="define", init=False)


@dataclass(frozen=True, slots=True)
class LoadElement:
    """An element read and converted to its compute type; 0 where ``predicate`` is false."""

    type: str
    name: str
    pointer: str
    offset: str
    predicate: str | None
    kind: OneOf["load"] = field(default="load", init=False)


@dataclass(frozen=True, slots=True)
class LoadStored:
    """An element read as it is stored; zero where ``predicate`` is false."""

    element: str
    name: str
    pointer: str
    offset: str
    predicate: str | None
    kind: OneOf["load_stored"] = field(default="load_stored", init=False)


@dataclass(frozen=True, slots=True)
class LoadVector:
    """``width`` elements read together; zeros where ``predicate`` is false."""

    element: str
    width: int
    aligned: int
    name: str
    pointer: str
    offset: str
    predicate: str | None
    declares: bool
    """False where ``name`` is a variable that is there already."""
    kind: OneOf["load_vector"] = field(default="load_vector", init=False)


@dataclass(frozen=True, slots=True)
class ElementOf:
    """An element of a vector, converted to its compute type."""

    type: str
    name: str
    vector: str
    lane: str
    kind: OneOf["element"] = field(default="element", init=False)


@dataclass(frozen=True, slots=True)
class DeclareVector:
    """A vector that the lanes will fill."""

    element: str
    width: int
    name: str
    kind: OneOf["declare_vector"] = field(default="declare_vector", init=False)


@dataclass(frozen=True, slots=True)
class SetElement:
    """An element of a vector set to a value, rounded to ``element`` unless it is ``stored`` so."""

    element: str
    vector: str
    lane: str
    value: str
    stored: bool
    kind: OneOf["set_element"] = field(default="set_element", init=False)


@dataclass(frozen=True, slots=True)
class CopyVector:
    """``target = source``, vectors of one type."""

    target: str
    source: str
    kind: OneOf["copy_vector"] = field(default="copy_vector", init=False)


@dataclass(frozen=True, slots=True)
class StoreElement:
    """A value rounded and written, where ``predicate`` holds.

    ``stored``: it is rounded already, of the element's type.
    """

    pointer: str
    offset: str
    value: str
    stored: bool
    predicate: str | None
    combine: str | None
    """The C++ operation for writes that may meet."""
    kind: OneOf["store"] = field(default="store", init=False)


@dataclass(frozen=True, slots=True)
class StoreVector:
    """A vector written, where ``predicate`` holds."""

    aligned: int
    pointer: str
    offset: str
    vector: str
    predicate: str | None
    kind: OneOf["store_vector"] = field(default="store_vector", init=False)


@dataclass(frozen=True, slots=True)
class Accumulate:
    """``total`` reduced with ``value`` by ``op`` (``sum`` or ``max``)."""

    total: str
    op: str
    value: str
    kind: OneOf["accumulate"] = field(default="accumulate", init=False)


Statement = (
    Define
    | LoadElement
    | LoadStored
    | LoadVector
    | ElementOf
    | DeclareVector
    | SetElement
    | CopyVector
    | StoreElement
    | StoreVector
    | Accumulate
)


def defines(statement: Statement) -> str | None:
    """The name that ``statement`` defines and does nothing else, or None."""
    match statement:
        case Define(name=name) | LoadElement(name=name) | LoadStored(name=name):
            return name
        case DeclareVector(name=name) | ElementOf(name=name):
            return name
        case LoadVector(name=name, declares=declares):
            return name if declares else None
        case SetElement() | CopyVector() | StoreElement() | StoreVector() | Accumulate():
            return None
        case _:
            assert_never(statement)


def words(statement: Statement) -> set[str]:
    """Every identifier in ``statement``, but for the one that it defines."""
    texts: list[str] = []
    for field_ in fields(statement):
        value = getattr(statement, field_.name)
        texts += value if isinstance(value, tuple) else [str(value)]
    found = set(re.findall(r"[A-Za-z_]\w*", " ".join(texts)))
    return found - {defines(statement)}


def literal_text(value: float | int | bool, dtype: DType) -> str:
    """A number in C++."""
    if dtype is DType.BOOL:
        return "true" if value else "false"
    if not dtype.is_float:
        number = int(value)
        if number == -(2**31) and dtype is not DType.I64:
            return "(-2147483647 - 1)"
        if number == -(2**63):
            return "(-9223372036854775807LL - 1)"
        return _signed(f"{number}LL" if dtype is DType.I64 else str(number))
    real = np.float32(value)
    if np.isnan(real):
        return "not_a_number()"
    if np.isinf(real):
        return "infinity()" if real > 0 else "(-infinity())"
    return _signed(f"{real!s}f")


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
