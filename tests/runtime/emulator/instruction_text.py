"""Reads one line of AMDGPU assembly, independently of the emulator's own decoder."""

import re
from dataclasses import dataclass, replace

ENCODING_SUFFIXES = ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa")
FLAG_WORDS = (
    "clamp sc0 sc1 nt glc slc dlc offen idxen lds gds tfe "
    "row_mirror row_half_mirror wave_shl wave_rol wave_shr wave_ror"
)
FLAGS = frozenset(FLAG_WORDS.split(" "))
SPECIAL_WIDTH = {
    "vcc": 2,
    "vcc_lo": 1,
    "vcc_hi": 1,
    "exec": 2,
    "exec_lo": 1,
    "exec_hi": 1,
    "m0": 1,
    "flat_scratch": 2,
}
REGISTER = re.compile(r"^([sva])(?:(\d+)|\[(\d+)(?::(\d+))?\])$")


@dataclass(frozen=True, slots=True)
class Operand:
    """`kind`: v, s or a (registers), special, constant or other (off, null, symbols)."""

    kind: str
    text: str
    index: int = 0
    count: int = 1
    negate: bool = False
    absolute: bool = False
    sign_extend: bool = False
    half: str = ""  # gfx11 names halves of registers: "l" or "h"

    @property
    def is_register(self) -> bool:
        return self.kind in ("v", "s", "a")

    @property
    def registers(self) -> tuple[tuple[str, int], ...]:
        """The 32-bit registers it names, as (kind, index)."""
        if not self.is_register:
            return ()
        return tuple((self.kind, self.index + k) for k in range(self.count))

    def assembly(self) -> str:
        text = self.text
        if self.is_register:
            last = self.index + self.count - 1
            text = (
                f"{self.kind}{self.index}"
                if self.count == 1
                else f"{self.kind}[{self.index}:{last}]"
            )
            text += f".{self.half}" if self.half else ""
        if self.sign_extend:
            text = f"sext({text})"
        if self.absolute:
            text = f"|{text}|"
        return f"-{text}" if self.negate else text


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `modifiers` maps each modifier to its value ('' for a flag)."""

    mnemonic: str
    operands: tuple[Operand, ...]
    modifiers: tuple[tuple[str, str], ...]
    second: "Instruction | None" = None  # of a dual instruction

    @property
    def parts(self) -> "tuple[Instruction, ...]":
        return (self,) if self.second is None else (self, self.second)

    @property
    def base(self) -> str:
        """The mnemonic without the suffix that names its encoding."""
        for suffix in ENCODING_SUFFIXES:
            if self.mnemonic.endswith(suffix):
                return self.mnemonic.removesuffix(suffix)
        return self.mnemonic

    def modifier(self, name: str, default: str = "") -> str:
        return dict(self.modifiers).get(name, default)

    def has(self, name: str) -> bool:
        return name in dict(self.modifiers)

    def number(self, name: str, default: int = 0) -> int:
        return int(self.modifier(name, str(default)), 0)

    def bits(self, name: str) -> tuple[int, ...] | None:
        """`[1,0,1]` as a tuple, None where the modifier is absent."""
        value = self.modifier(name)
        return tuple(int(bit) for bit in value.strip("[]").split(",")) if value else None

    def assembly(self) -> str:
        words = [f"{name}:{value}" if value else name for name, value in self.modifiers]
        operands = ", ".join(operand.assembly() for operand in self.operands)
        text = " ".join([self.mnemonic, *([operands] if operands else []), *words])
        return text if self.second is None else f"{text} :: {self.second.assembly()}"

    def rename(self, names: dict[tuple[str, int], int]) -> "Instruction":
        """The same instruction on other registers; `names` gives each register's new index."""
        operands = tuple(
            replace(operand, index=names[operand.kind, operand.index])
            if operand.is_register
            else operand
            for operand in self.operands
        )
        second = self.second.rename(names) if self.second is not None else None
        return replace(self, operands=operands, second=second)


def split_outside_brackets(text: str, separator: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "[(") - (character in ")]")
        if character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def parse_operand(text: str) -> Operand:
    negate = absolute = sign_extend = False
    original = text
    if text.startswith("-") and not re.match(r"^-[\d.]", text):
        negate, text = True, text[1:]
    if text.startswith("neg("):
        negate, text = True, text[4:-1]
    if text.startswith("|") and text.endswith("|"):
        absolute, text = True, text[1:-1]
    if text.startswith("abs("):
        absolute, text = True, text[4:-1]
    if text.startswith("sext("):
        sign_extend, text = True, text[5:-1]
    half = ""
    if re.match(r"^v\d+\.[lh]$", text):
        text, half = text[:-2], text[-1]
    if match := REGISTER.match(text):
        first = int(match[2] if match[2] is not None else match[3])
        last = int(match[4]) if match[4] is not None else first
        count = last - first + 1
        return Operand(match[1], original, first, count, negate, absolute, sign_extend, half)
    if text in SPECIAL_WIDTH:
        return Operand("special", text, 0, SPECIAL_WIDTH[text], negate, absolute, sign_extend)
    if "@rel32" in text:  # what the linker fills in
        return Operand("constant", "0x1234", 0, 1)
    if re.match(r"^-?(\d|0x)", text):
        return Operand("constant", text, 0, 1, negate, absolute, sign_extend)
    return Operand("other", text, 0, 1, negate, absolute, sign_extend)


def is_modifier(word: str) -> bool:
    return word in FLAGS or (re.match(r"^[a-z_0-9]+:", word) is not None)


def parse_instruction(line: str) -> Instruction:
    """Reads `mnemonic operand, operand modifier modifier:value`, or two joined by `::`."""
    if " :: " in line:
        first, second = line.split(" :: ")
        return replace(parse_instruction(first), second=parse_instruction(second))
    mnemonic, _, rest = line.strip().partition(" ")
    if mnemonic == "s_waitcnt":
        return Instruction(mnemonic, (), tuple((word, "") for word in rest.split()))
    parts = split_outside_brackets(rest, ",")
    words = split_outside_brackets(parts.pop(), " ") if parts else []
    if words and not is_modifier(words[0]):
        parts.append(words.pop(0))
    modifiers = tuple((name, value) for name, _, value in (word.partition(":") for word in words))
    return Instruction(mnemonic, tuple(parse_operand(part) for part in parts), modifiers)


def is_instruction(line: str) -> bool:
    return re.match(r"^\s+(v|s|ds|global|flat|scratch|buffer)_\w+", line) is not None


def instructions_of(assembly: str) -> list[str]:
    """The instruction lines of a compiler's assembly text, comments and layout removed."""
    lines = []
    for line in assembly.splitlines():
        line = line.split(";")[0].rstrip()
        if is_instruction(line):
            lines.append(re.sub(r"\s+", " ", line.strip()))
    return lines


ABSTRACT_MODIFIERS = {
    "offset": "N",
    "offset0": "N",
    "offset1": "N",
    "row_shl": "N",
    "row_shr": "N",
    "row_ror": "N",
    "row_newbcast": "N",
    "quad_perm": "N",
    "row_mask": "N",
    "bank_mask": "N",
    "bitop3": "N",
}


def operand_form(operand: Operand) -> str:
    name = operand.kind
    if operand.is_register:
        name += str(operand.count) if operand.count > 1 else ""
        name += f".{operand.half}" if operand.half else ""
    elif operand.kind == "constant":
        name = "float" if "." in operand.text else "hex" if "0x" in operand.text else "int"
    else:
        name = operand.text if operand.text in SPECIAL_WIDTH | {"off": 0, "null": 0} else "label"
    if operand.sign_extend:
        name = f"sext({name})"
    if operand.absolute:
        name = f"|{name}|"
    return f"-{name}" if operand.negate else name


def form_of(line: str) -> str:
    """The form of an instruction: everything that selects how it works.

    That is mnemonic, encoding, the kind and width of each operand, source modifiers and
    modifiers; register numbers, constants, offsets and lane patterns are left out.
    """
    if " :: " in line:
        return " :: ".join(map(form_of, line.split(" :: ")))
    instruction = parse_instruction(line)
    if instruction.mnemonic == "s_waitcnt":
        return "s_waitcnt"
    operands = ", ".join(operand_form(operand) for operand in instruction.operands)
    words = []
    for name, value in instruction.modifiers:
        if name == "offset" and "swizzle" in value:
            value = value.partition(",")[0] + ")"
        else:
            value = ABSTRACT_MODIFIERS.get(name, value)
        words.append(f"{name}:{value}" if value else name)
    return " ".join([instruction.mnemonic, *([operands] if operands else []), *words])
