"""Memory instructions by their names."""

import re

from tests.runtime.emulator.instruction_text import Instruction
from tests.runtime.emulator.reference_access import (
    ACCESSES,
)
from tests.runtime.emulator.reference_atomics import (
    atomic_parts,
)
from tests.runtime.emulator.reference_global import (
    buffer_atomic,
    buffer_load,
    buffer_load_lds,
    buffer_store,
    global_atomic,
    global_load,
    global_load_lds,
    global_store,
)
from tests.runtime.emulator.reference_lds import (
    backward_permute,
    forward_permute,
    lane_numbers,
    lds_atomic,
    lds_atomic_parts,
    lds_load,
    lds_pair,
    lds_store,
    swizzle,
    transposing_load,
)
from tests.runtime.emulator.reference_scratch import (
    scalar_buffer_load,
    scalar_load,
    scratch_load,
    scratch_store,
)
from tests.runtime.emulator.reference_state import (
    Meaning,
)

LANE_EXCHANGES = {
    "ds_bpermute_b32": Meaning(backward_permute, ("", "u32", "b32"), lane_numbers),
    "ds_permute_b32": Meaning(forward_permute, ("", "u32", "b32"), lane_numbers),
    "ds_swizzle_b32": Meaning(swizzle, ("", "b32")),
    "ds_read_b64_tr_b16": transposing_load(16),
    "ds_read_b64_tr_b8": transposing_load(8),
}


def memory_meaning(instruction: Instruction) -> Meaning | None:
    """The meaning of a memory instruction, None for one that is not."""
    base = instruction.base
    if instruction.has("lds"):
        kind, _, name = base.partition("_load_")
        access = ACCESSES[name]
        return buffer_load_lds(access) if kind == "buffer" else global_load_lds(access)
    if base in LANE_EXCHANGES:
        return LANE_EXCHANGES[base]
    space = base.partition("_")[0]
    if space in ("global", "flat"):
        return global_meaning(space, base.removeprefix(f"{space}_"))
    if space == "ds":
        return lds_meaning(base.removeprefix("ds_"))
    if space == "buffer":
        return buffer_meaning(base.removeprefix("buffer_"))
    if space == "scratch":
        kind, _, name = base.removeprefix("scratch_").partition("_")
        if name in ACCESSES:
            return (scratch_load if kind == "load" else scratch_store)(ACCESSES[name])
    return scalar_meaning(base)


def global_meaning(space: str, rest: str) -> Meaning | None:
    kind, _, name = rest.partition("_")
    if name.startswith("lds_") and name.removeprefix("lds_") in ACCESSES:
        return global_load_lds(ACCESSES[name.removeprefix("lds_")])
    if kind == "load" and name in ACCESSES:
        return global_load(space, ACCESSES[name])
    if kind == "store" and name in ACCESSES:
        return global_store(space, ACCESSES[name])
    if kind == "atomic" and (parts := atomic_parts(name)):
        return global_atomic(space, *parts)
    return None


def lds_meaning(rest: str) -> Meaning | None:
    pair = re.fullmatch(r"(read|write|load|store)(?:_)?2(?:addr)?(st64|_stride64)?_b(32|64)", rest)
    if pair:
        strided, load = pair[2] is not None, pair[1] in ("read", "load")
        return lds_pair(load, int(pair[3]) // 8, strided)
    kind, _, name = rest.partition("_")
    if kind in ("read", "load") and name in ACCESSES:
        return lds_load(ACCESSES[name])
    if kind in ("write", "store") and name in ACCESSES:
        return lds_store(ACCESSES[name])
    returns = "_rtn" in rest or rest.startswith(("wrxchg", "storexchg"))
    if parts := lds_atomic_parts(rest.replace("_rtn", "")):
        return lds_atomic(*parts, returns)
    return None


def buffer_meaning(rest: str) -> Meaning | None:
    kind, _, name = rest.partition("_")
    if kind == "load" and name in ACCESSES:
        return buffer_load(ACCESSES[name])
    if kind == "store" and name in ACCESSES:
        return buffer_store(ACCESSES[name])
    if kind == "atomic" and (parts := atomic_parts(name)):
        return buffer_atomic(*parts)
    return None


def scalar_meaning(base: str) -> Meaning | None:
    match = re.fullmatch(r"s_(buffer_)?load_(?:dword(?:x(\d+))?|b(\d+))", base)
    if match is None:
        return None
    words = int(match[3]) // 32 if match[3] else int(match[2] or 1)
    return scalar_buffer_load(words) if match[1] else scalar_load(words)
