"""Vector instructions that reach beyond one lane and one result: masks, carries, packed, fp8."""

import operator
from collections.abc import Callable
from dataclasses import replace

import ml_dtypes
import numpy as np

from tests.runtime.emulator import reference_arithmetic as arithmetic
from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_state import (
    DTYPES,
    SPECIAL_INDEX,
    Array,
    FloatResult,
    Meaning,
    State,
    bits_of,
    constant_bits,
    dpp_write_mask,
    read_bits,
    read_source,
    read_words,
    scalar_index,
    sign_modified,
    write_result,
    writes_high_half,
)
from tests.runtime.emulator.reference_vector import LANE_OPERATIONS, halves

RELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "f": lambda a, b: np.zeros(a.shape, np.bool_),
    "lt": operator.lt,
    "eq": operator.eq,
    "le": operator.le,
    "gt": operator.gt,
    "lg": lambda a, b: (a < b) | (a > b),
    "ge": operator.ge,
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
    "nge": lambda a, b: ~(a >= b),
    "nlg": lambda a, b: ~((a < b) | (a > b)),
    "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b),
    "neq": lambda a, b: ~(a == b),
    "ne": operator.ne,
    "nlt": lambda a, b: ~(a < b),
    "tru": lambda a, b: np.ones(a.shape, np.bool_),
    "t": lambda a, b: np.ones(a.shape, np.bool_),
}
COMPARED_TYPES = ("f16", "f32", "f64", "i16", "i32", "i64", "u16", "u32", "u64")
EXEC = SPECIAL_INDEX["exec"]
VCC = SPECIAL_INDEX["vcc"]


def compare(type_name: str, relation: Callable[[Array, Array], Array], sets_exec: bool) -> Meaning:
    """V_CMP and V_CMPX: a bit for each lane, 0 for lanes that are off."""

    def run(state: State, instruction: Instruction) -> None:
        newer = len(instruction.operands) == 2  # v_cmpx of gfx11 writes EXEC alone
        plain = with_destination(instruction) if newer else instruction
        a, b = (read_source(state, plain, 1 + k, type_name) for k in (0, 1))
        mask = relation(a, b) & state.active
        if not newer:
            state.write_mask(scalar_index(instruction.operands[0]), mask)
        if sets_exec:
            state.write_mask(EXEC, mask)

    return Meaning(run, ("", type_name, type_name))


def with_destination(instruction: Instruction) -> Instruction:
    """The older form of a comparison that names no destination."""
    return replace(instruction, operands=(Operand("special", "exec"), *instruction.operands))


def compare_class(type_name: str, sets_exec: bool) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        newer = len(instruction.operands) == 2
        plain = with_destination(instruction) if newer else instruction
        value = read_source(state, plain, 1, type_name)
        wanted = read_source(state, plain, 2, "u32")
        mask = arithmetic.classify(value, wanted) & state.active
        if not newer:
            state.write_mask(scalar_index(instruction.operands[0]), mask)
        if sets_exec:
            state.write_mask(EXEC, mask)

    return Meaning(run, ("", type_name, "u32"))


def comparisons() -> dict[str, Meaning]:
    table: dict[str, Meaning] = {}
    for prefix, sets_exec in (("v_cmp", False), ("v_cmpx", True)):
        for type_name in COMPARED_TYPES:
            for name, relation in RELATIONS.items():
                meaning = compare(type_name, relation, sets_exec)
                table[f"{prefix}_{name}_{type_name}"] = meaning
        for type_name in ("f16", "f32", "f64"):
            table[f"{prefix}_class_{type_name}"] = compare_class(type_name, sets_exec)
    return table


def read_mask(state: State, operand: Operand) -> Array:
    if operand.kind == "constant":
        bits = np.uint64(constant_bits(operand.text, "u64"))
        lane = np.arange(state.lanes, dtype=np.uint64)
        one = (bits >> lane & np.uint64(1)).astype(np.bool_)
        return np.broadcast_to(one, (state.waves, state.lanes))
    return state.mask_at(scalar_index(operand))


def select(state: State, instruction: Instruction) -> None:
    """V_CNDMASK: the second source where the lane's condition bit is set."""
    a, b = (read_source(state, instruction, 1 + k, "b32") for k in (0, 1))
    implied = Operand("special", "vcc")  # dual instructions do not name it
    operands = (*instruction.operands, implied)
    chosen = read_mask(state, operands[3])
    write_result(state, instruction, "b32", np.where(chosen, b, a))


def select_half(state: State, instruction: Instruction) -> None:
    """V_CNDMASK_B16."""
    a, b = (read_source(state, instruction, 1 + k, "b16") for k in (0, 1))
    chosen = read_mask(state, instruction.operands[3])
    write_result(state, instruction, "b16", np.where(chosen, b, a))


def permute_rows(other_row: int) -> Meaning:
    """V_PERMLANE16 and V_PERMLANEX16: 16 lane numbers in two scalar sources."""

    def run(state: State, instruction: Instruction) -> None:
        destination, source, low, high = instruction.operands
        words = [read_bits(state, x, "u32")[:, :1].astype(np.uint64) for x in (low, high)]
        table = words[0] | words[1] << np.uint64(32)
        lane = np.arange(state.lanes)
        number = (table >> (lane % 16 * 4).astype(np.uint64) & np.uint64(15)).astype(np.int64)
        sources = (lane // 16 * 16 ^ other_row) + number
        fetch_inactive, bound = (instruction.bits("op_sel") or (0, 0))[:2]
        wave = np.arange(state.waves)[:, None]
        valid = state.active[wave, sources] | bool(fetch_inactive)
        values = np.where(valid, state.vector("v", source.index)[wave, sources], 0)
        written = state.active & (valid | bool(bound))
        state.write_vector("v", destination.index, values, written)

    return Meaning(run, ("b32", "b32", "u32", "u32"))


def carry(kind: str, with_carry: bool) -> Meaning:
    """Addition (add) or subtraction (sub, subrev) of u32 with the carry of each lane."""

    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_source(state, instruction, 2 + k, "u32").astype(np.int64) for k in (0, 1))
        if kind == "subrev":
            a, b = b, a
        extra = np.zeros(a.shape, np.int64)
        if with_carry:
            extra = read_mask(state, instruction.operands[4]).astype(np.int64)
        total = a + b + extra if kind == "add" else a - b - extra
        overflow = (total < 0) | (total > 0xFFFFFFFF)
        written = dpp_write_mask(state, instruction)
        write_result(state, instruction, "u32", total.astype(np.uint32))
        state.write_mask(scalar_index(instruction.operands[1]), overflow & written)

    types = ("", "", "u32", "u32", *(("mask",) if with_carry else ()))
    return Meaning(run, types)


def wide_multiply_add(signed: bool) -> Meaning:
    """V_MAD_U64_U32 and V_MAD_I64_I32; the manuals define the carry for the unsigned one only."""
    factor, sum_type = ("i32", "i64") if signed else ("u32", "u64")

    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_source(state, instruction, 2 + k, factor) for k in (0, 1))
        addend = read_source(state, instruction, 4, sum_type)
        dtype = DTYPES[sum_type]
        product = a.astype(dtype) * b.astype(dtype)
        total = product.view(np.uint64) + addend.view(np.uint64)
        overflow = total < product.view(np.uint64)
        write_result(state, instruction, "u64", total)
        carry_index = scalar_index(instruction.operands[1])
        state.write_mask(carry_index, overflow & state.active)
        if signed:
            everything = np.full(state.waves, 0xFFFFFFFF, np.uint32)
            for k in (0, 1):
                state.undefined["s", carry_index + k] = everything

    return Meaning(run, ("", "", factor, factor, sum_type))


def division_scale(type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        s0, s1, s2 = (read_source(state, instruction, 2 + k, type_name) for k in range(3))
        with np.errstate(all="ignore"):
            result, flag = arithmetic.divide_scale(s0, s1, s2)
        write_result(state, instruction, type_name, result)
        state.write_mask(scalar_index(instruction.operands[1]), flag & state.active)

    return Meaning(run, ("", "", type_name, type_name, type_name), prepare_division)


def prepare_division(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
    """The scaled operand is always the numerator or the denominator: take over its bits."""
    scaled_operand, denominator = instruction.operands[2], instruction.operands[3]
    if scaled_operand.kind != "v" or scaled_operand.registers == denominator.registers:
        return
    numerator = instruction.operands[4]
    if scaled_operand.registers == numerator.registers:
        return
    pick = rng.random((state.waves, state.lanes)) < 0.5
    for k in range(scaled_operand.count):
        one, two = (read_words(state, x, x.count)[k] for x in (denominator, numerator))
        register = ("v", scaled_operand.index + k)
        state.registers[register] = np.where(pick, one, two).astype(np.uint32)


def division_fmas(type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        s0, s1, s2 = (read_source(state, instruction, 1 + k, type_name) for k in range(3))
        with np.errstate(all="ignore"):
            result = arithmetic.divide_fmas(s0, s1, s2, state.mask_at(VCC))
        write_result(state, instruction, type_name, result)

    return Meaning(run, ("", type_name, type_name, type_name))


def read_lane(state: State, instruction: Instruction) -> None:
    """V_READLANE: one lane of a vector register to a scalar one, whatever EXEC says."""
    destination, source, selector = instruction.operands
    lane = read_bits(state, selector, "u32")[:, 0] % state.lanes
    values = state.vector(source.kind, source.index)
    state.write_scalar(scalar_index(destination), values[np.arange(state.waves), lane])


def read_first_lane(state: State, instruction: Instruction) -> None:
    destination, source = instruction.operands
    lane = np.argmax(state.active, axis=1)
    values = read_bits(state, source, "u32")
    state.write_scalar(scalar_index(destination), values[np.arange(state.waves), lane])


def write_lane(state: State, instruction: Instruction) -> None:
    destination, source, selector = instruction.operands
    lane = read_bits(state, selector, "u32")[:, 0] % state.lanes
    chosen = np.arange(state.lanes)[None, :] == lane[:, None]
    bits = read_bits(state, source, "u32")
    state.write_vector("v", destination.index, bits, chosen)


def swap(state: State, instruction: Instruction) -> None:
    a, b = instruction.operands
    first, second = (state.vector("v", x.index) for x in (a, b))
    state.write_vector("v", a.index, second)
    state.write_vector("v", b.index, first)


def lane_block_swap(size: int) -> Meaning:
    """V_PERMLANE{16,32}_SWAP: odd blocks of the first register with even ones of the second."""

    def run(state: State, instruction: Instruction) -> None:
        a, b = instruction.operands
        first, second = (state.vector("v", x.index) for x in (a, b))
        lane = np.arange(state.lanes)
        odd = lane // size % 2 == 1
        everywhere = np.ones((state.waves, state.lanes), np.bool_)
        new_first = np.where(odd, second[:, lane - size], first)
        new_second = np.where(odd, second, first[:, (lane + size) % state.lanes])
        state.write_vector("v", a.index, new_first, everywhere)
        state.write_vector("v", b.index, new_second, everywhere)

    return Meaning(run, ("b32", "b32"))


def packed_sources(
    state: State, instruction: Instruction, type_name: str, count: int
) -> tuple[list[Array], list[Array]]:
    """Low and high elements of each source of a packed instruction, selected and negated."""
    wide = type_name == "f32"
    low: list[Array] = []
    high: list[Array] = []
    for k in range(count):
        operand = instruction.operands[1 + k]
        words = packed_words(state, operand, type_name, wide)
        for results, select_name, default, negate_name in (
            (low, "op_sel", 0, "neg_lo"),
            (high, "op_sel_hi", 1, "neg_hi"),
        ):
            chosen = instruction.bits(select_name)
            bits = words[chosen[k] if chosen else default]
            negated = instruction.bits(negate_name)
            if negated and negated[k]:
                bits = bits ^ bits.dtype.type(1 << 8 * bits.dtype.itemsize - 1)
            results.append(bits.view(DTYPES[type_name]))
    return low, high


def packed_words(state: State, operand: Operand, type_name: str, wide: bool) -> tuple[Array, Array]:
    if wide:
        if operand.kind == "constant":
            low = read_bits(state, operand, "f32")
            return low, np.zeros_like(low)
        first, second = read_words(state, operand, 2)
        return np.ascontiguousarray(first), np.ascontiguousarray(second)
    if operand.kind == "constant" and "." in operand.text:
        bits = np.full((state.waves, state.lanes), constant_bits(operand.text, "f16"), np.uint32)
    else:
        bits = read_bits(state, operand, "b32")
    return bits.astype(np.uint16), (bits >> np.uint32(16)).astype(np.uint16)


def packed(type_name: str, function: Callable[..., Array], count: int) -> Meaning:
    """The same operation on two elements: 16-bit halves of a register or two registers."""
    wide = type_name == "f32"
    source = "b64" if wide else f"2{type_name}" if type_name == "f16" else "b32"

    def run(state: State, instruction: Instruction) -> None:
        low, high = packed_sources(state, instruction, type_name, count)
        with np.errstate(all="ignore"):
            results = [function(*low), function(*high)]
        if instruction.has("clamp"):
            results = [np.minimum(np.maximum(np.nan_to_num(x), 0), 1) + 0.0 for x in results]
        first, second = (bits_of(np.ascontiguousarray(x.astype(low[0].dtype))) for x in results)
        if wide:
            both = first.astype(np.uint64) | second.astype(np.uint64) << np.uint64(32)
            write_pair(state, instruction, both)
        else:
            result_type = "2f16" if type_name == "f16" else "b32"
            plain = Instruction(instruction.base, instruction.operands, ())
            write_result(state, plain, result_type, halves(first, second))

    return Meaning(run, ("", *[source] * count))


def write_pair(state: State, instruction: Instruction, both: Array, type_name: str = "f32") -> None:
    destination = instruction.operands[0]
    for k in range(2):
        word = (both >> np.uint64(32 * k)).astype(np.uint32)
        state.write_vector(destination.kind, destination.index + k, word)
        register = (destination.kind, destination.index + k)
        state.floats.append(FloatResult(register, type_name))


PACKED_FUNCTIONS: dict[str, Callable[..., Array]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "mul_lo": operator.mul,
    "fma": arithmetic.fma,
    "mad": lambda a, b, c: a * b + c,
    "min": lambda a, b: arithmetic.minimum(a, b) if a.dtype.kind == "f" else np.minimum(a, b),
    "max": lambda a, b: arithmetic.maximum(a, b) if a.dtype.kind == "f" else np.maximum(a, b),
    "lshlrev": lambda a, b: b << (a & a.dtype.type(15)),
    "lshrrev": lambda a, b: b >> (a & a.dtype.type(15)),
    "ashrrev": lambda a, b: b >> (a & a.dtype.type(15)),
}


def packed_table() -> dict[str, Meaning]:
    table = {
        f"v_pk_{name}_{type_name}": packed(type_name, PACKED_FUNCTIONS[name], count)
        for type_name in ("f16", "f32")
        for name, count in (("add", 2), ("mul", 2), ("fma", 3), ("min", 2), ("max", 2))
    }
    for name, type_name, count in (
        ("add_u16", "u16", 2),
        ("add_i16", "i16", 2),
        ("sub_u16", "u16", 2),
        ("sub_i16", "i16", 2),
        ("mul_lo_u16", "u16", 2),
        ("min_u16", "u16", 2),
        ("max_u16", "u16", 2),
        ("min_i16", "i16", 2),
        ("max_i16", "i16", 2),
        ("lshlrev_b16", "u16", 2),
        ("lshrrev_b16", "u16", 2),
        ("ashrrev_i16", "i16", 2),
        ("mad_u16", "u16", 3),
        ("mad_i16", "i16", 3),
    ):
        table[f"v_pk_{name}"] = packed(type_name, PACKED_FUNCTIONS[name.rpartition("_")[0]], count)
    return table


def packed_move(state: State, instruction: Instruction) -> None:
    """V_PK_MOV_B32: op_sel picks a register of each source pair."""
    chosen = instruction.bits("op_sel") or (0, 0)
    words = []
    for k in range(2):
        operand = instruction.operands[1 + k]
        words.append(packed_words(state, operand, "f32", True)[chosen[k]])
    destination = instruction.operands[0]
    for k, word in enumerate(words):
        state.write_vector("v", destination.index + k, word)


def mix_source(state: State, instruction: Instruction, k: int) -> Array:
    """A source of V_FMA_MIX: f32, or the half that op_sel names where op_sel_hi is set."""
    operand = instruction.operands[1 + k]
    as_half = instruction.bits("op_sel_hi") or (0, 0, 0)
    high = instruction.bits("op_sel") or (0, 0, 0)
    bits = read_bits(state, operand, "f16" if as_half[k] else "f32")
    if as_half[k]:
        bits = (bits >> np.uint32(16 * high[k])).astype(np.uint16)
        bits = sign_modified(bits, operand, "f16")
        return bits.view(np.float16).astype(np.float32)
    return sign_modified(bits, operand, "f32").view(np.float32)


def fused_mix(result: str, high_half: bool) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        with np.errstate(all="ignore"):
            a, b, c = (mix_source(state, instruction, k) for k in range(3))
            value = arithmetic.fma(a, b, c)
            value = value.astype(DTYPES[result])
        words = (("clamp", ""),) if instruction.has("clamp") else ()
        if high_half:
            words = (*words, ("op_sel", "[0,0,0,1]"))
        plain = Instruction(instruction.base, instruction.operands, words)
        write_result(state, plain, result, value, keep_high=True)

    return Meaning(run, ("", "f32", "f32", "f32"))


def encode_float8(values: Array, name: str, target: str) -> Array:
    """Round to nearest even; beyond the largest finite value OCP and FNUZ give NaN or infinity."""
    dtype = arithmetic.float8_dtype(name, target)
    return values.astype(dtype).view(np.uint8)


def ignore_nan_payload(state: State, instruction: Instruction, name: str, pair: Array) -> None:
    """OCP's bf8 has several NaNs; the manuals do not say which of the two quiet ones is given."""
    if name != "bf8" or state.target != "gfx950":
        return
    octets = np.ascontiguousarray(pair)[..., None].view(np.uint8)
    payload = np.where((octets & 0x7F) > 0x7C, 1, 0).astype(np.uint8).view(np.uint16)[..., 0]
    shift = np.uint32(16 if writes_high_half(instruction, "b16") else 0)
    destination = instruction.operands[0]
    state.undefined["v", destination.index] = payload.astype(np.uint32) << shift


def pack_float8(name: str) -> Meaning:
    """V_CVT_PK_{FP8,BF8}_F32: two bytes into the low half, or with op_sel the high one."""

    def run(state: State, instruction: Instruction) -> None:
        plain = Instruction(instruction.base, instruction.operands, ())
        with np.errstate(all="ignore"):
            low, high = (
                encode_float8(read_source(state, plain, 1 + k, "f32"), name, state.target)
                for k in (0, 1)
            )
        pair = low.astype(np.uint16) | high.astype(np.uint16) << np.uint16(8)
        write_result(state, instruction, "b16", pair, keep_high=True)
        ignore_nan_payload(state, instruction, name, pair)

    return Meaning(run, ("", "f32", "f32"))


def unpack_float8(name: str, pair: bool) -> Meaning:
    """V_CVT_F32_{FP8,BF8} and the V_CVT_PK_F32 forms, exact."""

    def run(state: State, instruction: Instruction) -> None:
        dtype = arithmetic.float8_dtype(name, state.target)
        bits = float8_bits(state, instruction, pair)
        value = bits.astype(np.uint8).view(dtype).astype(np.float32)
        if not pair:
            plain = Instruction(instruction.base, instruction.operands, ())
            write_result(state, plain, "f32", value)
            return
        second = (bits >> np.uint32(8)).astype(np.uint8).view(dtype).astype(np.float32)
        both = bits_of(value).astype(np.uint64) | bits_of(second).astype(np.uint64) << np.uint64(32)
        write_pair(state, instruction, both)

    return Meaning(run, ("", "b32"))


def float8_bits(state: State, instruction: Instruction, pair: bool) -> Array:
    """SDWA selects a byte (or word); VOP3 does so with op_sel."""
    plain = Instruction(
        instruction.mnemonic,
        instruction.operands,
        tuple((name, value) for name, value in instruction.modifiers if name.startswith("src")),
    )
    bits = read_source(state, plain, 1, "b32")
    chosen = instruction.bits("op_sel")
    if chosen is None:
        return bits
    shift = 16 * chosen[0] if pair else 8 * (2 * chosen[1] + chosen[0])
    return bits >> np.uint32(shift)


def pack_bfloat16(state: State, instruction: Instruction) -> None:
    """V_CVT_PK_BF16_F32: nearest even."""
    with np.errstate(all="ignore"):
        low, high = (
            bits_of(read_source(state, instruction, 1 + k, "f32").astype(ml_dtypes.bfloat16))
            for k in (0, 1)
        )
    write_result(state, instruction, "2bf16", halves(low, high))


def pack_half(state: State, instruction: Instruction) -> None:
    """V_CVT_PK_F16_F32 of gfx950: nearest even."""
    with np.errstate(all="ignore"):
        low, high = (
            bits_of(read_source(state, instruction, 1 + k, "f32").astype(np.float16))
            for k in (0, 1)
        )
    write_result(state, instruction, "2f16", halves(low, high))


SPECIAL_OPERATIONS: dict[str, Meaning] = {
    **comparisons(),
    **packed_table(),
    "v_cndmask_b32": Meaning(select, ("", "f32", "f32", "mask")),
    **{
        f"v_{name}_co_u32": carry(kind, with_carry)
        for name, kind, with_carry in (
            ("add", "add", False),
            ("sub", "sub", False),
            ("subrev", "subrev", False),
            ("addc", "add", True),
            ("subb", "sub", True),
            ("subbrev", "subrev", True),
        )
    },
    "v_mad_u64_u32": wide_multiply_add(False),
    "v_mad_i64_i32": wide_multiply_add(True),
    "v_div_scale_f32": division_scale("f32"),
    "v_div_scale_f64": division_scale("f64"),
    "v_div_fmas_f32": division_fmas("f32"),
    "v_div_fmas_f64": division_fmas("f64"),
    "v_readlane_b32": Meaning(read_lane, ("", "b32", "u32")),
    "v_readfirstlane_b32": Meaning(read_first_lane, ("", "b32")),
    "v_writelane_b32": Meaning(write_lane, ("b32", "b32", "u32")),
    "v_swap_b32": Meaning(swap, ("b32", "b32")),
    "v_permlane16_swap_b32": lane_block_swap(16),
    "v_permlane32_swap_b32": lane_block_swap(32),
    "v_cndmask_b16": Meaning(select_half, ("", "b16", "b16", "mask")),
    "v_permlane16_b32": permute_rows(0),
    "v_permlanex16_b32": permute_rows(16),
    "v_pk_mov_b32": Meaning(packed_move, ("", "b64", "b64")),
    "v_fma_mix_f32": fused_mix("f32", False),
    "v_fma_mixlo_f16": fused_mix("f16", False),
    "v_fma_mixhi_f16": fused_mix("f16", True),
    **{f"v_cvt_pk_{name}_f32": pack_float8(name) for name in ("fp8", "bf8")},
    **{f"v_cvt_f32_{name}": unpack_float8(name, False) for name in ("fp8", "bf8")},
    **{f"v_cvt_pk_f32_{name}": unpack_float8(name, True) for name in ("fp8", "bf8")},
    "v_cvt_pk_f16_f32": Meaning(pack_half, ("", "f32", "f32")),
    "v_cvt_pk_bf16_f32": Meaning(pack_bfloat16, ("", "f32", "f32")),
}

VECTOR_OPERATIONS = {**LANE_OPERATIONS, **SPECIAL_OPERATIONS}
