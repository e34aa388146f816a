"""What instructions read and write, for many waves at once, in NumPy.

Together with the other `reference_*` modules this is a second, independent statement of what
AMD's instruction set manuals say, against which the emulator is tested. It favours the plain
statement over speed. Arrays have the shape [waves, lanes].
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from tests.runtime.emulator.instruction_text import Instruction, Operand

Array = npt.NDArray[Any]
Register = tuple[str, int]

SPECIAL_INDEX = {
    "flat_scratch": 102,
    "vcc": 106,
    "vcc_lo": 106,
    "vcc_hi": 107,
    "m0": 124,
    "null": 125,  # what is written there is gone
    "exec": 126,
    "exec_lo": 126,
    "exec_hi": 127,
}
DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(dtype)
    for name, dtype in {
        "b16": np.uint16,
        "u16": np.uint16,
        "i16": np.int16,
        "f16": np.float16,
        "bf16": ml_dtypes.bfloat16,
        "b32": np.uint32,
        "u32": np.uint32,
        "i32": np.int32,
        "f32": np.float32,
        "b64": np.uint64,
        "u64": np.uint64,
        "i64": np.int64,
        "f64": np.float64,
    }.items()
}
PACKED = {"2f16": "f16", "2bf16": "bf16"}  # two in one register, read and written as bits
UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}
INLINE_FLOATS = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494")


def width_of(type_name: str) -> int:
    """Bytes of a value; packed pairs of 16 bits are handled as 32 bits."""
    if type_name in PACKED:
        return 4
    return DTYPES[type_name].itemsize


def is_float(type_name: str) -> bool:
    return type_name in ("f16", "bf16", "f32", "f64")


def bits_of(values: Array) -> Array:
    return values.view(UNSIGNED[values.dtype.itemsize])


@dataclass(frozen=True, slots=True)
class FloatResult:
    """A result whose NaNs may differ in payload and that may be `ulps` from the reference.

    `tolerance` [waves, lanes] allows an absolute error instead; `flush` allows 0 for denormals,
    `flushed_inputs` is a second permitted value, of inputs whose denormals became 0.
    """

    register: Register
    type_name: str
    ulps: float = 0
    high_half: bool = False
    flush: bool = False
    tolerance: Array | None = None
    flushed_inputs: Array | None = None


@dataclass(slots=True)
class State:
    """Registers of `waves` waves; pointers are relative to each wave's block of memory."""

    target: str
    waves: int
    registers: dict[Register, Array] = field(default_factory=dict)
    scc: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    memory: Array = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    lds: Array = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    scratch: Array = field(default_factory=lambda: np.zeros((0, 0, 0), np.uint8))
    pointers: set[Register] = field(default_factory=set)
    floats: list[FloatResult] = field(default_factory=list)
    undefined: dict[Register, Array] = field(default_factory=dict)
    ieee_mode: bool = True
    lanes: int = 64

    def scalar(self, index: int) -> Array:
        return self.registers["s", index]

    def scalar64(self, index: int) -> Array:
        low, high = self.scalar(index), self.scalar(index + 1)
        return low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)

    def write_scalar(self, index: int, value: Array) -> None:
        self.registers["s", index] = value.astype(np.uint32)

    def write_scalar64(self, index: int, value: Array) -> None:
        value = value.astype(np.uint64)
        self.write_scalar(index, value & np.uint64(0xFFFFFFFF))
        self.write_scalar(index + 1, value >> np.uint64(32))

    def mask_at(self, index: int) -> Array:
        """A lane mask held in scalar registers, as booleans [waves, lanes]."""
        lane = np.arange(self.lanes, dtype=np.uint64)
        value = self.scalar64(index) if self.lanes == 64 else self.scalar(index)
        return (value.astype(np.uint64)[:, None] >> lane & np.uint64(1)).astype(np.bool_)

    def write_mask(self, index: int, mask: Array) -> None:
        lane = np.arange(self.lanes, dtype=np.uint64)
        value = (mask.astype(np.uint64) << lane).sum(axis=1, dtype=np.uint64)
        if self.lanes == 64:
            self.write_scalar64(index, value)
        else:
            self.write_scalar(index, value)

    def note_packed(self, register: Register, type_name: str, ulps: float = 0) -> None:
        for high in (False, True):
            self.floats.append(FloatResult(register, type_name, ulps, high))

    @property
    def active(self) -> Array:
        return self.mask_at(SPECIAL_INDEX["exec"])

    def vector(self, kind: str, index: int) -> Array:
        return self.registers[kind, index]

    def write_vector(self, kind: str, index: int, bits: Array, mask: Array | None = None) -> None:
        mask = self.active if mask is None else mask
        old = self.registers[kind, index]
        self.registers[kind, index] = np.where(mask, bits, old).astype(np.uint32)


def scalar_index(operand: Operand) -> int:
    return operand.index if operand.kind == "s" else SPECIAL_INDEX[operand.text]


def constant_bits(text: str, type_name: str) -> int:
    """The bits an operand of this type sees for a constant: inline ones or a 32-bit literal."""
    width = width_of(type_name)
    if "." in text:
        wide = {"f16": "f16", "b16": "f16", "u16": "f16", "i16": "f16"}.get(
            type_name, "f64" if width == 8 else "f32"
        )
        value = 0.15915494309189532 if text.startswith("0.15915494") else float(text)
        return int(bits_of(np.array([value]).astype(DTYPES[wide]))[0])
    value_int = int(text, 0)
    if type_name == "f64" and not -16 <= value_int <= 64:
        return (value_int & 0xFFFFFFFF) << 32
    return value_int & (1 << 8 * width) - 1


def read_words(state: State, operand: Operand, count: int) -> list[Array]:
    """`count` consecutive 32-bit registers as [waves, lanes]."""
    shape = (state.waves, state.lanes)
    if operand.kind in ("v", "a"):
        return [state.vector(operand.kind, operand.index + k) for k in range(count)]
    first = scalar_index(operand)
    return [np.broadcast_to(state.scalar(first + k)[:, None], shape) for k in range(count)]


def read_bits(state: State, operand: Operand, type_name: str) -> Array:
    """Unsigned bits of an operand, 32 or 64 wide (16-bit types: the whole register)."""
    shape = (state.waves, state.lanes)
    wide = width_of(type_name) == 8
    if operand.kind == "constant":
        bits = constant_bits(operand.text, type_name)
        return np.full(shape, bits, np.uint64 if wide else np.uint32)
    if not wide:
        return read_words(state, operand, 1)[0]
    low, high = read_words(state, operand, 2)
    return low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)


def dpp_source_lanes(instruction: Instruction, lanes: int) -> Array | None:
    """For each lane the lane that it reads, -1 where that is out of range; None without DPP."""
    lane = np.arange(lanes)
    row, position = lane // 16 * 16, lane % 16
    if eight := instruction.modifier("dpp8"):
        numbers = np.array([int(x) for x in eight.strip("[]").split(",")])
        chosen: Array = lane // 8 * 8 + numbers[lane % 8]
        return chosen
    if quad := instruction.bits("quad_perm"):
        result: Array = lane // 4 * 4 + np.array(quad)[lane % 4]
        return result
    if instruction.has("row_shl"):
        source = position + instruction.number("row_shl")
        return np.where(source < 16, row + source, -1)
    if instruction.has("row_shr"):
        source = position - instruction.number("row_shr")
        return np.where(source >= 0, row + source, -1)
    if instruction.has("row_ror"):
        return row + (position - instruction.number("row_ror")) % 16
    if instruction.has("row_mirror"):
        return row + 15 - position
    if instruction.has("row_half_mirror"):
        return lane // 8 * 8 + 7 - lane % 8
    if instruction.has("row_newbcast"):
        return row + instruction.number("row_newbcast")
    if instruction.has("row_share"):
        return row + instruction.number("row_share")
    if instruction.has("row_xmask"):
        return row + (position ^ instruction.number("row_xmask"))
    if instruction.has("row_bcast"):
        return dpp_broadcast(instruction.number("row_bcast"), lane)
    if instruction.has("wave_shr"):
        return lane - 1
    if instruction.has("wave_shl"):
        return np.where(lane < lanes - 1, lane + 1, -1)
    if instruction.has("wave_ror"):
        return (lane - 1) % lanes
    if instruction.has("wave_rol"):
        return (lane + 1) % lanes
    return None


def dpp_broadcast(number: int, lane: Array) -> Array:
    """Lane 15 of each row to the next row, or lane 31 to the upper half."""
    if number == 15:
        return np.where(lane >= 16, lane // 16 * 16 - 1, -1)
    return np.where(lane >= 32, 31, -1)


def readable_lanes(state: State, instruction: Instruction) -> Array:
    """Lanes whose values DPP may fetch: the active ones, or with `fi` all."""
    if instruction.number("fi"):
        return np.ones((state.waves, state.lanes), np.bool_)
    return state.active


def dpp_write_mask(state: State, instruction: Instruction) -> Array:
    """Lanes that a DPP instruction writes: enabled rows and banks, valid sources."""
    sources = dpp_source_lanes(instruction, state.lanes)
    if sources is None:
        return state.active
    lane = np.arange(state.lanes)
    rows = instruction.number("row_mask", 0xF) >> lane // 16 & 1
    banks = instruction.number("bank_mask", 0xF) >> lane // 4 % 4 & 1
    valid = (sources >= 0) & readable_lanes(state, instruction)[:, np.maximum(sources, 0)]
    written = state.active & (rows & banks).astype(np.bool_)
    always = instruction.has("bound_ctrl") or instruction.has("dpp8")
    return written if always else written & valid


def apply_dpp(state: State, instruction: Instruction, bits: Array) -> Array:
    sources = dpp_source_lanes(instruction, state.lanes)
    if sources is None:
        return bits
    valid = (sources >= 0) & readable_lanes(state, instruction)[:, np.maximum(sources, 0)]
    return np.where(valid, bits[:, np.maximum(sources, 0)], 0).astype(bits.dtype)


def select_sdwa(bits: Array, selection: str, sign_extend: bool) -> Array:
    kind, _, number = selection.partition("_")
    if kind not in ("BYTE", "WORD"):
        return bits
    size = 8 if kind == "BYTE" else 16
    part = bits >> np.uint32(size * int(number)) & np.uint32((1 << size) - 1)
    if sign_extend:
        part = part.astype(np.uint8 if size == 8 else np.uint16)
        part = part.view(np.int8 if size == 8 else np.int16).astype(np.int32).view(np.uint32)
    return part


def read_source(state: State, instruction: Instruction, position: int, type_name: str) -> Array:
    """A typed source operand with DPP, SDWA, op_sel and sign modifiers applied.

    `position` counts all operands; the first source is number 0 for DPP, SDWA and op_sel.
    """
    operand = instruction.operands[position]
    source = source_number(instruction, position)
    bits = read_bits(state, operand, type_name)
    if source == 0:
        bits = apply_dpp(state, instruction, bits)
    if instruction.mnemonic.endswith("_sdwa"):
        selection = instruction.modifier(f"src{source}_sel", "DWORD")
        bits = select_sdwa(bits, selection, operand.sign_extend)
    if width_of(type_name) == 2:
        if operand.half == "h":
            bits = bits >> np.uint32(16)
        op_sel = instruction.bits("op_sel")  # says the same again where halves are named
        if not operand.half and op_sel and source < len(op_sel) and op_sel[source]:
            bits = bits >> np.uint32(16)
        bits = bits.astype(np.uint16)
    sign_type = (
        type_name if is_float(type_name) else {2: "f16", 4: "f32", 8: "f64"}[bits.dtype.itemsize]
    )
    return sign_modified(bits, operand, sign_type).view(DTYPES[type_name])


def sign_modified(bits: Array, operand: Operand, type_name: str) -> Array:
    sign = bits.dtype.type(1 << 8 * width_of(type_name) - 1)
    if operand.absolute:
        bits = bits & ~sign
    return bits ^ sign if operand.negate else bits


def source_number(instruction: Instruction, position: int) -> int:
    """Number of a source operand: destinations (and a carry or condition output) come first."""
    return position - destination_count(instruction)


def destination_count(instruction: Instruction) -> int:
    base = instruction.base
    two = ("_co_u32", "_co_ci_u32", "v_mad_u64_u32", "v_mad_i64_i32", "v_div_scale")
    return 2 if any(part in base for part in two) else 1


def write_result(
    state: State,
    instruction: Instruction,
    type_name: str,
    values: Array,
    *,
    keep_high: bool = False,
    ulps: float = 0,
    flush: bool = False,
    tolerance: float | Array = 0,
    flushed_inputs: Array | None = None,
) -> None:
    """Writes a typed vector result with output modifiers, destination selects and EXEC."""
    destination = instruction.operands[0]
    values = output_modified(state, instruction, type_name, values)
    mask = dpp_write_mask(state, instruction)
    bits = bits_of(np.ascontiguousarray(values))
    register = (destination.kind, destination.index)
    if type_name in PACKED:
        state.note_packed(register, PACKED[type_name], ulps)
    if is_float(type_name):
        high = writes_high_half(instruction, type_name)
        slack = np.broadcast_to(np.asarray(tolerance), values.shape)
        state.floats.append(
            FloatResult(register, type_name, ulps, high, flush, slack, flushed_inputs)
        )
    if bits.dtype.itemsize == 8:
        low, high_word = bits.astype(np.uint32), (bits >> np.uint64(32)).astype(np.uint32)
        state.write_vector(destination.kind, destination.index, low, mask)
        state.write_vector(destination.kind, destination.index + 1, high_word, mask)
        return
    old = state.vector(destination.kind, destination.index)
    if instruction.mnemonic.endswith("_sdwa"):
        bits = merge_sdwa(instruction, bits.astype(np.uint32), old)
    elif bits.dtype.itemsize == 2:
        keep_high = keep_high or state.target == "gfx1100"
        bits = merge_half(instruction, type_name, bits.astype(np.uint32), old, keep_high)
    state.write_vector(destination.kind, destination.index, bits, mask)


def writes_high_half(instruction: Instruction, type_name: str) -> bool:
    if instruction.mnemonic.endswith("_sdwa"):
        return width_of(type_name) == 2 and instruction.modifier("dst_sel") == "WORD_1"
    if instruction.operands[0].half:
        return instruction.operands[0].half == "h"
    op_sel = instruction.bits("op_sel")
    sources = len(instruction.operands) - 1
    if width_of(type_name) != 2 or op_sel is None:
        return False
    return len(op_sel) > sources and bool(op_sel[-1])


def merge_half(
    instruction: Instruction, type_name: str, bits: Array, old: Array, keep_high: bool
) -> Array:
    if writes_high_half(instruction, type_name):
        return old & np.uint32(0xFFFF) | bits << np.uint32(16)
    return old & np.uint32(0xFFFF0000) | bits if keep_high else bits


def merge_sdwa(instruction: Instruction, bits: Array, old: Array) -> Array:
    selection = instruction.modifier("dst_sel", "DWORD")
    if selection == "DWORD":
        return bits
    kind, _, number = selection.partition("_")
    size = 8 if kind == "BYTE" else 16
    shift = np.uint32(size * int(number))
    mask = np.uint32(((1 << size) - 1) << int(shift))
    placed = bits << shift & mask
    match instruction.modifier("dst_unused", "UNUSED_PAD"):
        case "UNUSED_PRESERVE":
            return old & ~mask | placed
        case "UNUSED_SEXT":
            top = np.int32(32 - size - int(shift))
            extended = (placed << np.uint32(top)).view(np.int32) >> top
            return extended.view(np.uint32)
        case _:
            return placed


def output_modified(state: State, instruction: Instruction, type_name: str, values: Array) -> Array:
    """Output scaling (ignored in IEEE mode) and clamping to [0, 1], where NaN becomes 0."""
    if not is_float(type_name):
        return values
    if not state.ieee_mode:
        factor = {"mul:2": 2.0, "mul:4": 4.0, "div:2": 0.5}
        for name, value in instruction.modifiers:
            if scale := factor.get(f"{name}:{value}"):
                values = values * values.dtype.type(scale)
    if not instruction.has("clamp"):
        return values
    limited = np.minimum(np.maximum(np.where(np.isnan(values), 0, values), 0), 1)
    return (limited + 0.0).astype(values.dtype)


Semantic = Callable[[State, Instruction], None]


@dataclass(frozen=True, slots=True)
class Meaning:
    """How one mnemonic works.

    `types` gives the type of each operand, '' where it is only written, 'mask' for lane masks.
    `prepare` may replace random register values by sensible ones (addresses, lane numbers).
    """

    run: Semantic
    types: tuple[str, ...]
    prepare: Callable[[State, Instruction, np.random.Generator], None] | None = None


def fill_scalar(state: State, operand: Operand, values: Iterable[Array]) -> None:
    for k, value in enumerate(values):
        state.write_scalar(scalar_index(operand) + k, value)
