// Operands and modifiers, from text to records.
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "decode.hpp"
#include "decoder.hpp"
#include "lanes.hpp"
#include "machine.hpp"

namespace lumc::emulator {

bool parse_integer(std::string_view text, i64& value) {
  bool negative = false;
  if (starts_with(text, "-")) {
    negative = true;
    text.remove_prefix(1);
  }
  int base = 10;
  if (starts_with(text, "0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  u64 magnitude = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size())
    return false;
  value = static_cast<i64>(negative ? 0 - magnitude : magnitude);
  return true;
}

namespace {

struct NamedRegister {
  std::string_view name;
  u16 index;
  u8 dwords;
};

constexpr NamedRegister kNamedRegisters[] = {
    {"vcc", kVcc, 2},
    {"vcc_lo", kVcc, 1},
    {"vcc_hi", kVcc + 1, 1},
    {"exec", kExec, 2},
    {"exec_lo", kExec, 1},
    {"exec_hi", kExec + 1, 1},
    {"m0", kM0, 1},
    {"flat_scratch", kFlatScratch, 2},
    {"flat_scratch_lo", kFlatScratch, 1},
    {"flat_scratch_hi", kFlatScratch + 1, 1},
    {"xnack_mask", 104, 2},
};

constexpr u16 kTrapTemporaries = 108;

// The 64-bit value of an aperture register is its base; a 32-bit read gives the upper half.
bool aperture(std::string_view name, bool wide, u64& value) {
  if (name == "src_shared_base")
    value = wide ? u64{kSharedAperture} << 32 : kSharedAperture;
  else if (name == "src_private_base")
    value = wide ? u64{kPrivateAperture} << 32 : kPrivateAperture;
  else if (name == "src_shared_limit" || name == "src_private_limit")
    value = 0xffffffffu;
  else
    return false;
  return true;
}

bool float_constant(std::string_view text, Type type, u64& value) {
  if (text.find('.') == std::string_view::npos) return false;
  char buffer[32];
  if (text.size() >= sizeof(buffer)) return false;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = 0;
  char* end = nullptr;
  double number = std::strtod(buffer, &end);
  if (*end) return false;
  if (starts_with(text, "0.159")) number = 0.15915494309189532;  // 1/(2 pi), printed short
  if (is_wide(type))
    value = bit_cast<u64>(number);
  else if (is_half(type))
    value = double_to_half_bits(number);
  else
    value = bit_cast<u32>(static_cast<float>(number));
  return true;
}

}  // namespace

u32 bit_list(std::string_view text) {
  u32 bits = 0;
  int position = 0;
  for (const char c : text) {
    if (c == '1') bits |= 1u << position;
    position += c == ',';
  }
  return bits;
}

int list_length(std::string_view text) {
  int length = 1;
  for (const char c : text) length += c == ',';
  return length;
}

void require(bool condition, const char* what) {
  if (!condition) throw DecodeError(what);
}

namespace {
void add_range(Instruction& i, const Operand& o, int dwords) {
  const bool vector = o.kind == OperandKind::vector;
  if (!vector && o.kind != OperandKind::scalar) return;
  require(i.range_count < kMaxRanges, "too many operands");
  i.ranges[i.range_count++] = {o.index, static_cast<u8>(dwords), vector};
}
}  // namespace

void add_read(Instruction& i, const Operand& o, int dwords) {
  add_range(i, o, dwords);
  i.read_count = i.range_count;
}

void add_write(Instruction& i, const Operand& o, int dwords) { add_range(i, o, dwords); }

i64 Decoder::integer(std::string_view text) const {
  i64 value = 0;
  if (!parse_integer(text, value)) throw DecodeError("not a number: " + std::string(text));
  return value;
}

bool Decoder::register_operand(std::string_view text, Operand& o) const {
  for (const NamedRegister& known : kNamedRegisters) {
    if (text != known.name) continue;
    o.kind = OperandKind::scalar;
    o.index = known.index;
    o.dwords = known.dwords;
    return true;
  }
  u8 half = 0;
  if (ends_with(text, ".l") || ends_with(text, ".h")) {
    half = text.back() == 'l' ? 1 : 2;
    text.remove_suffix(2);
  }
  std::size_t letters = 1;
  u32 base = 0;
  if (starts_with(text, "ttmp")) {
    letters = 4;
    base = kTrapTemporaries;
  } else if (text.empty() || (text[0] != 's' && text[0] != 'v' && text[0] != 'a')) {
    return false;
  }
  std::string_view number = text.substr(letters);
  i64 first = 0, last = 0;
  if (starts_with(number, "[")) {
    if (!ends_with(number, "]")) return false;
    number = number.substr(1, number.size() - 2);
    const std::size_t colon = number.find(':');
    if (!parse_integer(number.substr(0, colon), first)) return false;
    last = first;
    if (colon != std::string_view::npos && !parse_integer(number.substr(colon + 1), last))
      return false;
  } else {
    if (!parse_integer(number, first) || first < 0) return false;
    last = first;
  }
  const bool vector = letters == 1 && text[0] != 's';
  if (letters == 1 && text[0] == 'a') base = kAccumulation;
  const i64 end = vector ? 256 : kScalarRegisters - static_cast<i64>(base);
  if (first < 0 || last < first || last >= end) return false;
  o.kind = vector ? OperandKind::vector : OperandKind::scalar;
  o.index = static_cast<u16>(base + static_cast<u32>(first));
  o.dwords = static_cast<u8>(last - first + 1);
  if (vector) o.definedness = o.index;
  o.half = half;
  return true;
}

bool Decoder::constant_operand(std::string_view text, Type type, Operand& o) const {
  o.kind = OperandKind::constant;
  o.dwords = is_wide(type) ? 2 : 1;
  i64 integer_value = 0;
  if (parse_integer(text, integer_value)) {
    o.value = static_cast<u64>(integer_value);
    // A 32-bit literal of a double is its upper half; small integers are bits of the value.
    const bool literal = starts_with(text, "0x") && o.value > 64 && o.value <= 0xffffffffu;
    if (type == Type::f64 && literal) o.value <<= 32;
    if (!is_wide(type)) o.value &= 0xffffffffu;
    return true;
  }
  if (float_constant(text, type, o.value)) return true;
  if (aperture(text, is_wide(type), o.value)) return true;
  if (text == "null") {
    o.value = 0;
    return true;
  }
  return false;
}

void Decoder::spread(Operand& o) {
  o.row[0] = program_.constants.row(static_cast<u32>(o.value));
  o.row[1] = program_.constants.row(static_cast<u32>(o.value >> 32));
}

Operand Decoder::operand(std::string_view text, Type type, int dwords) {
  Operand o;
  const std::string_view whole = text;
  if (starts_with(text, "sext(")) {
    o.sign_extend = true;
    text = text.substr(5, text.size() - 6);
  }
  const bool number =
      text.size() > 1 && text[0] == '-' && (text[1] == '.' || (text[1] >= '0' && text[1] <= '9'));
  if (starts_with(text, "-") && !number) {
    o.negate = true;
    text.remove_prefix(1);
  } else if (starts_with(text, "neg(")) {
    o.negate = true;
    text = text.substr(4, text.size() - 5);
  }
  if (starts_with(text, "|")) {
    o.absolute = true;
    text = text.substr(1, text.size() - 2);
  } else if (starts_with(text, "abs(")) {
    o.absolute = true;
    text = text.substr(4, text.size() - 5);
  }
  if (text == "src_scc" || text == "scc" || text == "src_vccz" || text == "src_execz") {
    o.kind = OperandKind::special;
    o.index = static_cast<u16>(text == "src_vccz"    ? Special::vccz
                               : text == "src_execz" ? Special::execz
                                                     : Special::scc);
    return o;
  }
  if (register_operand(text, o)) {
    if (dwords && o.dwords != dwords) {
      throw DecodeError("operand " + std::string(whole) + " should be " + std::to_string(dwords) +
                        " registers wide");
    }
    return o;
  }
  if (!constant_operand(text, type, o)) {
    // A symbol: the linker put its value behind the instruction.
    if (!has_literal_) throw DecodeError("unknown operand " + std::string(whole));
    o.value = literal_;
  }
  spread(o);
  return o;
}

Operand Decoder::vector(std::string_view text, int dwords) {
  const Operand o = operand(text, Type::b32, dwords);
  if (!o.is_vector()) throw DecodeError("expected a vector register, not " + std::string(text));
  return o;
}

Operand Decoder::scalar(std::string_view text, int dwords) {
  if (text == "null") {  // what is written here is gone
    Operand sink;
    sink.kind = OperandKind::scalar;
    sink.index = kNull;
    return sink;
  }
  const Operand o = operand(text, Type::b32, dwords);
  if (o.kind != OperandKind::scalar) {
    throw DecodeError("expected a scalar register, not " + std::string(text));
  }
  return o;
}

Operand Decoder::optional(std::string_view text, Type type, int dwords) {
  if (text == "off" || text == "null") return Operand{};
  return operand(text, type, dwords);
}

void Decoder::read_offsets(const Line& line, Instruction& i) const {
  if (const auto* offset = line.modifier("offset")) i.offset = static_cast<i32>(integer(*offset));
  if (const auto* offset = line.modifier("offset0")) i.offset = static_cast<i32>(integer(*offset));
  if (const auto* offset = line.modifier("offset1")) i.offset1 = static_cast<i32>(integer(*offset));
}

namespace {

struct DppForm {
  std::string_view name;
  u16 control;
  bool counted;  // the value is added
};

constexpr DppForm kDppForms[] = {
    {"row_shl", 0x100, true},      {"row_shr", 0x110, true},     {"row_ror", 0x120, true},
    {"wave_shl", 0x130, false},    {"wave_rol", 0x134, false},   {"wave_shr", 0x138, false},
    {"wave_ror", 0x13c, false},    {"row_mirror", 0x140, false}, {"row_half_mirror", 0x141, false},
    {"row_newbcast", 0x150, true}, {"row_share", 0x150, true},   {"row_xmask", 0x160, true},
};

u8 sdwa_select(std::string_view name) {
  static constexpr std::string_view kNames[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                "WORD_0", "WORD_1", "DWORD"};
  for (u8 k = 0; k < 7; ++k) {
    if (name == kNames[k]) return k;
  }
  throw DecodeError("unknown selection " + std::string(name));
}

u8 unused_rule(std::string_view name) {
  if (name == "UNUSED_PAD") return 0;
  if (name == "UNUSED_SEXT") return 1;
  if (name == "UNUSED_PRESERVE") return 2;
  throw DecodeError("unknown rule " + std::string(name));
}

void read_dpp(const Decoder& decoder, std::string_view key, std::string_view value, Dpp& dpp) {
  if (key == "quad_perm") {
    dpp.enabled = true;
    dpp.control = 0;
    int shift = 0;
    for (const char c : value) {
      if (c < '0' || c > '3') continue;
      dpp.control = static_cast<u16>(dpp.control | (c - '0') << shift);
      shift += 2;
    }
  } else if (key == "row_bcast") {
    dpp.enabled = true;
    dpp.control = decoder.integer(value) == 15 ? 0x142 : 0x143;
  } else if (key == "row_mask") {
    dpp.row_mask = static_cast<u8>(decoder.integer(value));
  } else if (key == "bank_mask") {
    dpp.bank_mask = static_cast<u8>(decoder.integer(value));
  } else if (key == "bound_ctrl") {
    dpp.bound_control = true;
  } else if (key == "fi") {
    dpp.fetches_inactive = decoder.integer(value) != 0;
  } else if (key == "dpp8") {
    dpp.enabled = dpp.bound_control = true;
    dpp.control = kDpp8;
    int shift = 0;
    for (const char c : value) {
      if (c < '0' || c > '7') continue;
      dpp.eight |= static_cast<u32>(c - '0') << shift;
      shift += 3;
    }
  }
  for (const DppForm& form : kDppForms) {
    if (key != form.name) continue;
    dpp.enabled = true;
    dpp.control = static_cast<u16>(form.control + (form.counted ? decoder.integer(value) : 0));
  }
}

}  // namespace

void Decoder::read_vector_modifiers(const Line& line, Instruction& i) {
  for (const auto& [key, value] : line.modifiers) {
    if (key == "clamp")
      i.clamp = 1;
    else if (key == "mul")
      i.output_scale = integer(value) == 2 ? 1 : 2;
    else if (key == "div")
      i.output_scale = 3;
    else if (key == "op_sel")
      i.op_sel = static_cast<u8>(bit_list(value));
    else if (key == "op_sel_hi")
      i.op_sel_hi = static_cast<u8>(bit_list(value));
    else if (key == "neg_lo")
      i.neg_lo = static_cast<u8>(bit_list(value));
    else if (key == "neg_hi")
      i.neg_hi = static_cast<u8>(bit_list(value));
    else if (key == "dst_sel")
      i.destination_select = sdwa_select(value);
    else if (key == "dst_unused")
      i.destination_unused = unused_rule(value);
    else if (key == "src0_sel")
      i.source[0].select = sdwa_select(value);
    else if (key == "src1_sel")
      i.source[1].select = sdwa_select(value);
    else
      read_dpp(*this, key, value, i.dpp);
  }
  i.sdwa = line.suffix == "sdwa";
  for (int k = 0; k < 3; ++k) {
    if (i.source[k].half == 2) i.op_sel = static_cast<u8>(i.op_sel | 1 << k);
  }
  if (i.destination.half) i.keeps_high_half = true;
  if (i.destination.half == 2) i.op_sel |= 8;
}

}  // namespace lumc::emulator
