"""Scalar ALU instructions on the registers of many waves; SCC is a boolean for each wave."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_state import (
    DTYPES,
    SPECIAL_INDEX,
    Array,
    Meaning,
    State,
    bits_of,
    constant_bits,
    scalar_index,
    width_of,
)

EXEC = SPECIAL_INDEX["exec"]
Function = Callable[..., Array]
SccFunction = Callable[[Array], Array]


def read_scalar(state: State, operand: Operand, type_name: str) -> Array:
    dtype = DTYPES[type_name]
    if operand.kind == "constant":
        bits = constant_bits(operand.text, type_name)
        unsigned = {2: np.uint16, 4: np.uint32, 8: np.uint64}[dtype.itemsize]
        return np.full(state.waves, bits, unsigned).view(dtype)
    if width_of(type_name) == 8:
        return state.scalar64(scalar_index(operand)).view(dtype)
    return state.scalar(scalar_index(operand)).view(dtype)


def write(state: State, operand: Operand, value: Array) -> None:
    bits = bits_of(value)
    if bits.dtype.itemsize == 8:
        state.write_scalar64(scalar_index(operand), bits)
    else:
        state.write_scalar(scalar_index(operand), bits)


def operation(signature: str, function: Function, scc: SccFunction | None = None) -> Meaning:
    """`scc` computes SCC from the result; None leaves it alone."""
    result_type, _, rest = signature.partition(" = ")
    sources = tuple(rest.split())

    def run(state: State, instruction: Instruction) -> None:
        operands = instruction.operands[1:]
        values = [read_scalar(state, x, t) for x, t in zip(operands, sources, strict=True)]
        with np.errstate(all="ignore"):
            result = function(*values).astype(DTYPES[result_type])
        write(state, instruction.operands[0], result)
        if scc is not None:
            state.scc = scc(result)

    return Meaning(run, ("", *sources))


def is_nonzero(value: Array) -> Array:
    result: Array = bits_of(value) != 0
    return result


def wrapping(signature: str, exact: Function, signed: bool) -> Meaning:
    """`exact` gives the true result as Python-sized integers; SCC tells that it did not fit."""
    sources = tuple(signature.partition(" = ")[2].split())

    def run(state: State, instruction: Instruction) -> None:
        operands = instruction.operands[1:]
        values = [
            read_scalar(state, x, t).astype(np.int64)
            for x, t in zip(operands, sources, strict=True)
        ]
        total = exact(*values, carry=state.scc.astype(np.int64))
        info = np.iinfo(np.int32 if signed else np.uint32)
        write(state, instruction.operands[0], total.astype(np.uint32))
        state.scc = (total < info.min) | (total > info.max)

    return Meaning(run, ("", *sources), None)


def choose(better: Callable[[Array, Array], Array], type_name: str) -> Meaning:
    """Minimum or maximum; SCC tells that the first source was chosen."""

    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_scalar(state, x, type_name) for x in instruction.operands[1:])
        state.scc = better(a, b)
        write(state, instruction.operands[0], np.where(state.scc, a, b).astype(a.dtype))

    return Meaning(run, ("", type_name, type_name))


def comparison(relation: Callable[[Array, Array], Array], type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_scalar(state, x, type_name) for x in instruction.operands)
        state.scc = relation(a, b)

    return Meaning(run, (type_name, type_name))


def short_comparison(relation: Callable[[Array, Array], Array], signed: bool) -> Meaning:
    """S_CMPK: against a 16-bit constant, sign- or zero-extended."""
    type_name = "i32" if signed else "u32"

    def run(state: State, instruction: Instruction) -> None:
        a = read_scalar(state, instruction.operands[0], type_name)
        state.scc = relation(a, a.dtype.type(short_constant(instruction.operands[1], signed)))

    return Meaning(run, (type_name, ""))


def short_constant(operand: Operand, signed: bool) -> int:
    value = int(operand.text, 0) & 0xFFFF
    return value - 0x10000 if signed and value & 0x8000 else value


def bit_compare(expected: int, type_name: str) -> Meaning:
    width = 8 * width_of(type_name)

    def run(state: State, instruction: Instruction) -> None:
        value = read_scalar(state, instruction.operands[0], type_name)
        number = read_scalar(state, instruction.operands[1], "u32").astype(value.dtype)
        bit = value >> (number & value.dtype.type(width - 1)) & value.dtype.type(1)
        state.scc = bit == expected

    return Meaning(run, (type_name, "u32"))


def select(type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_scalar(state, x, type_name) for x in instruction.operands[1:])
        write(state, instruction.operands[0], np.where(state.scc, a, b))

    return Meaning(run, ("", type_name, type_name))


def conditional_move(type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        destination, source = instruction.operands
        old = read_scalar(state, destination, type_name)
        new = read_scalar(state, source, type_name)
        write(state, destination, np.where(state.scc, new, old))

    return Meaning(run, (type_name, type_name))


def short_operation(name: str) -> Meaning:
    """S_MOVK, S_ADDK, S_MULK, S_CMOVK: the destination and a signed 16-bit constant."""

    def run(state: State, instruction: Instruction) -> None:
        destination, constant = instruction.operands
        number = np.int64(short_constant(constant, True))
        old = read_scalar(state, destination, "i32").astype(np.int64)
        results = {
            "mov": np.full_like(old, number),
            "add": old + number,
            "mul": old * number,
            "cmov": np.where(state.scc, number, old),
        }
        write(state, destination, results[name].astype(np.int32))
        if name == "add":
            state.scc = results[name] != results[name].astype(np.int32)

    return Meaning(run, ("i32", ""))


def save_exec(combine: Callable[[Array, Array], Array], lanes: int) -> Meaning:
    """S_<op>_SAVEEXEC: the old EXEC goes to the destination, op(source, EXEC) to EXEC."""
    type_name = "u64" if lanes == 64 else "u32"

    def run(state: State, instruction: Instruction) -> None:
        source = read_scalar(state, instruction.operands[1], type_name)
        old = state.scalar64(EXEC) if lanes == 64 else state.scalar(EXEC)
        new = combine(source, old)
        write(state, instruction.operands[0], old)
        put = state.write_scalar64 if lanes == 64 else state.write_scalar
        put(EXEC, new)
        state.scc = new != 0

    return Meaning(run, ("", type_name))


def write_exec(combine: Callable[[Array, Array], Array]) -> Meaning:
    """S_ANDN2_WREXEC: both the destination and EXEC become op(source, EXEC)."""

    def run(state: State, instruction: Instruction) -> None:
        source = read_scalar(state, instruction.operands[1], "u64")
        new = combine(source, state.scalar64(EXEC))
        write(state, instruction.operands[0], new)
        state.write_scalar64(EXEC, new)
        state.scc = new != 0

    return Meaning(run, ("", "u64"))


def bit_write(value: int) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        destination, source = instruction.operands
        bit = np.uint32(1) << (read_scalar(state, source, "u32") & np.uint32(31))
        old = read_scalar(state, destination, "u32")
        write(state, destination, old | bit if value else old & ~bit)

    return Meaning(run, ("u32", "u32"))


def field(a: Array, b: Array) -> Array:
    """S_BFE: offset in the low bits of b, width in bits [22:16]; signed types extend."""
    bits = 8 * a.dtype.itemsize
    offset = (b & np.uint32(bits - 1)).astype(a.dtype)
    width = np.minimum(b >> np.uint32(16) & np.uint32(0x7F), bits).astype(np.int64)
    shifted = a >> offset
    spare = (bits - width).astype(a.dtype)
    safe = np.where(width == 0, 0, spare).astype(a.dtype)
    return np.where(width == 0, 0, (shifted << safe) >> safe).astype(a.dtype)


def field_mask(width: Array, offset: Array, bits: int) -> Array:
    dtype: Any = np.uint32 if bits == 32 else np.uint64
    width, offset = ((x & np.uint32(bits - 1)).astype(dtype) for x in (width, offset))
    result: Array = ((dtype(1) << width) - dtype(1)) << offset
    return result


def first_bit(x: Array, from_top: bool) -> Array:
    """Position of the first set bit from the bottom or the top, -1 where there is none."""
    bits = 8 * x.dtype.itemsize
    result = np.full(x.shape, -1, np.int64)
    for position in range(bits):
        bit = position if from_top else bits - 1 - position
        set_here = (x >> x.dtype.type(bit) & x.dtype.type(1)).astype(np.bool_)
        result = np.where(set_here, bits - 1 - bit if from_top else bit, result)
    return result


def sign_run(x: Array) -> Array:
    """S_FLBIT_I32: leading bits equal to the sign bit, -1 when all are."""
    spread = x >> x.dtype.type(8 * x.dtype.itemsize - 1)
    return first_bit(bits_of(x ^ spread), True)


def reverse(x: Array) -> Array:
    bits = 8 * x.dtype.itemsize
    result = np.zeros_like(x)
    for k in range(bits):
        one = x >> x.dtype.type(k) & x.dtype.type(1)
        result |= one << x.dtype.type(bits - 1 - k)
    return result


def amount(b: Array, a: Array) -> Array:
    result: Array = (b & b.dtype.type(8 * a.dtype.itemsize - 1)).astype(a.dtype)
    return result


def low16(x: Array) -> Array:
    return x & np.uint32(0xFFFF)


def shifted_add(shift: int) -> Meaning:
    return wrapping("u32 = u32 u32", lambda a, b, carry: (a << shift) + b, False)


LOGIC: dict[str, Callable[[Array, Array], Array]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}
SAVED: dict[str, Callable[[Array, Array], Array]] = {
    **LOGIC,
    "andn1": lambda a, b: ~a & b,
    "orn1": lambda a, b: ~a | b,
}
RELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": operator.eq,
    "lg": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}


def by_width() -> dict[str, Meaning]:
    table: dict[str, Meaning] = {}
    for bits in (32, 64):
        t = f"b{bits}"
        u, i = f"u{bits}", f"i{bits}"
        for name, function in LOGIC.items():
            table[f"s_{name}_b{bits}"] = operation(f"{t} = {t} {t}", function, is_nonzero)
        table |= {
            f"s_mov_b{bits}": operation(f"{t} = {t}", lambda a: a),
            f"s_cmov_b{bits}": conditional_move(t),
            f"s_not_b{bits}": operation(f"{t} = {t}", lambda a: ~a, is_nonzero),
            f"s_brev_b{bits}": operation(f"{t} = {t}", reverse),
            f"s_cselect_b{bits}": select(t),
            f"s_lshl_b{bits}": operation(
                f"{u} = {u} u32", lambda a, b: a << amount(b, a), is_nonzero
            ),
            f"s_lshr_b{bits}": operation(
                f"{u} = {u} u32", lambda a, b: a >> amount(b, a), is_nonzero
            ),
            f"s_ashr_i{bits}": operation(
                f"{i} = {i} u32", lambda a, b: a >> amount(b, a), is_nonzero
            ),
            f"s_bfe_u{bits}": operation(f"{u} = {u} u32", field, is_nonzero),
            f"s_bfe_i{bits}": operation(f"{i} = {i} u32", field, is_nonzero),
            f"s_bcnt1_i32_b{bits}": operation(f"u32 = {u}", np.bitwise_count, is_nonzero),
            f"s_bcnt0_i32_b{bits}": operation(
                f"u32 = {u}", lambda a: np.bitwise_count(~a), is_nonzero
            ),
            f"s_ff1_i32_b{bits}": operation(f"i32 = {u}", lambda a: first_bit(a, False)),
            f"s_flbit_i32_b{bits}": operation(f"i32 = {u}", lambda a: first_bit(a, True)),
            f"s_bitcmp0_b{bits}": bit_compare(0, u),
            f"s_bitcmp1_b{bits}": bit_compare(1, u),
        }
    table["s_bfm_b32"] = operation("u32 = u32 u32", lambda a, b: field_mask(a, b, 32))
    table["s_bfm_b64"] = operation("u64 = u32 u32", lambda a, b: field_mask(a, b, 64))
    return table


def compares() -> dict[str, Meaning]:
    table: dict[str, Meaning] = {}
    for name, relation in RELATIONS.items():
        for type_name in ("i32", "u32"):
            table[f"s_cmp_{name}_{type_name}"] = comparison(relation, type_name)
            table[f"s_cmpk_{name}_{type_name}"] = short_comparison(relation, type_name == "i32")
    table["s_cmp_eq_u64"] = comparison(operator.eq, "u64")
    table["s_cmp_lg_u64"] = comparison(operator.ne, "u64")
    return table


SCALAR_OPERATIONS: dict[str, Meaning] = {
    **by_width(),
    **compares(),
    "s_add_u32": wrapping("u32 = u32 u32", lambda a, b, carry: a + b, False),
    "s_addc_u32": wrapping("u32 = u32 u32", lambda a, b, carry: a + b + carry, False),
    "s_sub_u32": wrapping("u32 = u32 u32", lambda a, b, carry: a - b, False),
    "s_subb_u32": wrapping("u32 = u32 u32", lambda a, b, carry: a - b - carry, False),
    "s_add_i32": wrapping("i32 = i32 i32", lambda a, b, carry: a + b, True),
    "s_sub_i32": wrapping("i32 = i32 i32", lambda a, b, carry: a - b, True),
    **{f"s_lshl{k}_add_u32": shifted_add(k) for k in (1, 2, 3, 4)},
    "s_mul_i32": operation("i32 = i32 i32", lambda a, b: a * b),
    "s_mul_hi_u32": operation(
        "u32 = u32 u32", lambda a, b: a.astype(np.uint64) * b >> np.uint64(32)
    ),
    "s_mul_hi_i32": operation("i32 = i32 i32", lambda a, b: a.astype(np.int64) * b >> np.int64(32)),
    "s_abs_i32": operation("i32 = i32", np.abs, is_nonzero),
    "s_absdiff_i32": operation("i32 = i32 i32", lambda a, b: np.abs(a - b), is_nonzero),
    "s_min_i32": choose(operator.lt, "i32"),
    "s_min_u32": choose(operator.lt, "u32"),
    "s_max_i32": choose(operator.gt, "i32"),
    "s_max_u32": choose(operator.gt, "u32"),
    "s_sext_i32_i8": operation("i32 = u32", lambda a: a.astype(np.uint8).view(np.int8)),
    "s_sext_i32_i16": operation("i32 = u32", lambda a: a.astype(np.uint16).view(np.int16)),
    "s_flbit_i32": operation("i32 = i32", sign_run),
    "s_flbit_i32_i64": operation("i32 = i64", sign_run),
    "s_bitset0_b32": bit_write(0),
    "s_bitset1_b32": bit_write(1),
    "s_pack_ll_b32_b16": operation("u32 = u32 u32", lambda a, b: low16(a) | b << np.uint32(16)),
    "s_pack_lh_b32_b16": operation(
        "u32 = u32 u32", lambda a, b: low16(a) | b & np.uint32(0xFFFF0000)
    ),
    "s_pack_hh_b32_b16": operation(
        "u32 = u32 u32", lambda a, b: a >> np.uint32(16) | b & np.uint32(0xFFFF0000)
    ),
    "s_movk_i32": short_operation("mov"),
    "s_addk_i32": short_operation("add"),
    "s_mulk_i32": short_operation("mul"),
    "s_cmovk_i32": short_operation("cmov"),
    **{f"s_{name}_saveexec_b64": save_exec(f, 64) for name, f in SAVED.items()},
    **{f"s_{name}_saveexec_b32": save_exec(f, 32) for name, f in SAVED.items()},
    "s_andn2_wrexec_b64": write_exec(SAVED["andn2"]),
    "s_andn1_wrexec_b64": write_exec(SAVED["andn1"]),
}
