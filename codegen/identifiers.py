"""Names and comments of generated code: whatever a spec calls things, they stay what they are."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_LONGEST = 40
_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false final float for friend goto half if import inline int linux long main module
mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected
public register reinterpret_cast requires restrict return short signed sizeof static
static_assert static_cast struct switch template this thread_local throw true try typedef
typeid typename union unix unsigned using virtual void volatile wchar_t while xor xor_eq
assert NULL min max abs
"""

HEADERS = (
    "lumc/device.hpp",
    "lumc/amd.hpp",
    "lumc/cuda.hpp",
    "lumc/matrix.hpp",
    "lumc/matrix_cores.hpp",
    "lumc/matrix_mma.hpp",
    "lumc/matrix_plain.hpp",
    "lumc/matrix_wmma.hpp",
    "lumc/parts.hpp",
    "lumc/attention.hpp",
    "lumc/schedule.hpp",
    "lumc/parts.hpp",
    "lumc/shares.hpp",
    "lumc/streamed_tiles.hpp",
    "lumc/streamed_attention.hpp",
)


@cache
def header_texts() -> dict[str, str]:
    """The device headers by the name that generated code includes them by."""
    folder = files("lumc.codegen").joinpath("include")
    return {name: folder.joinpath(name).read_text(encoding="utf-8") for name in HEADERS}


@cache
def reserved_names() -> frozenset[str]:
    """Names that generated code may not use for what comes from a spec."""
    text = "\n".join(header_texts().values())
    # Functions, types and constants of the headers; a local name would hide them.
    called = re.findall(r"\b([A-Za-z_]\w*)[(<]", text)
    defined = re.findall(
        r"\b(?:struct|using|class|constexpr (?:int|unsigned)|define|namespace)\s+([A-Za-z_]\w*)",
        text,
    )
    return frozenset(_KEYWORDS.split()) | frozenset(called) | frozenset(defined)


def identifier(text: str, fallback: str = "value") -> str:
    """A C identifier that is as near to ``text`` as it gets; never a reserved one."""
    cleaned = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:_LONGEST].strip("_")
    if not cleaned:
        cleaned = fallback
    if cleaned[0].isdigit():
        cleaned = f"{fallback}_{cleaned}"
    return f"{cleaned}_" if cleaned in reserved_names() else cleaned


def comment_text(text: str) -> str:
    """``text`` such that it ends no comment, joins no lines and stays on its own line."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return re.sub(r"\s+", " ", re.sub(r"[\\?]|\*/|/\*", " ", printable)).strip()


class Names:
    """The names in use in one scope of generated code."""

    def __init__(self, taken: frozenset[str] | set[str] = frozenset()) -> None:
        """Start with ``taken`` in use."""
        self._taken = set(taken)

    def fresh(self, wanted: str, fallback: str = "value") -> str:
        """A new name made from ``wanted``: that itself, or with a number after it."""
        base = identifier(wanted, fallback)
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._taken.add(name)
        return name

    def inner(self) -> Names:
        """A scope inside this one."""
        return Names(self._taken)
