#include "lanes.hpp"

#include <array>

namespace lumc::emulator {

namespace {

// ---- operands and result without modifiers

template <int Count, bool Wide, bool Scalars>
void run_plain(Wave& w, const Instruction& i) {
  Row scratch[2 * Count];
  Sources s;
  u64 defined = kAllLanes;
  for (int k = 0; k < Count; ++k) {
    const Operand& o = i.source[k];
    if (Scalars && o.kind != OperandKind::vector && o.kind != OperandKind::constant) {
      const bool wide = Wide && is_wide(i.source_type[k]);
      s.low[k] = row_of(w, o, 0, scratch[2 * k]);
      if (wide) s.high[k] = row_of(w, o, 1, scratch[2 * k + 1]);
      defined &= defined_lanes(w, o, wide ? 2 : 1);
      continue;
    }
    const u32* row = w.vector[o.index];
    s.low[k] = o.row[0] ? o.row[0] : row;
    defined &= w.defined[o.definedness];
    if (Wide && is_wide(i.source_type[k])) {
      s.high[k] = o.row[1] ? o.row[1] : row + kLanes;
      defined &= w.defined[o.definedness + 1];
    }
  }
  const u64 exec = w.exec();
  const u32 to = i.destination.index;
  const bool wide_result = Wide && is_wide(i.result_type);
  if (exec == kAllLanes) {
    i.lanes(w.vector[to], w.vector[to + (wide_result ? 1 : 0)], s);
  } else {
    Row low, high;
    i.lanes(low.lanes, high.lanes, s);
    merge_row(w, w.vector[to], low.lanes, exec);
    if (wide_result) merge_row(w, w.vector[to + 1], high.lanes, exec);
  }
  set_defined(w, i, to, exec, defined);
  if (wide_result) set_defined(w, i, to + 1, exec, defined);
}

// ---- modifiers of sources

using LaneMap = std::array<i8, kLanes>;

// The lane that a DPP control reads for lane `l`, or -1 where there is none.
int dpp_source(int control, int l) {
  const int row = l & ~15, x = l & 15, n = control & 15;
  if (control < 0x100) return (l & ~3) | (control >> 2 * (l & 3) & 3);
  if (control < 0x110) return x + n < 16 ? l + n : -1;
  if (control < 0x120) return x >= n ? l - n : -1;
  if (control < 0x130) return row | ((x - n) & 15);
  switch (control) {
    case 0x130: return l < 63 ? l + 1 : -1;
    case 0x134: return (l + 1) & 63;
    case 0x138: return l - 1;
    case 0x13c: return (l - 1) & 63;
    case 0x140: return row | (15 - x);
    case 0x141: return (l & ~7) | (7 - (l & 7));
    case 0x142: return row - 1;
    case 0x143: return l >= 32 ? 31 : -1;
    default: break;
  }
  if (control >= 0x150 && control < 0x160) return row | n;
  if (control >= 0x160 && control < 0x170) return row | (x ^ n);
  return -1;  // dpp8 is not in the table
}

const LaneMap& dpp_map(const Dpp& dpp, LaneMap& own) {
  if (dpp.control == kDpp8) {
    for (int l = 0; l < kLanes; ++l)
      own[static_cast<std::size_t>(l)] = static_cast<i8>((l & ~7) | (dpp.eight >> 3 * (l & 7) & 7));
    return own;
  }
  static const auto maps = [] {
    std::array<LaneMap, 0x170> all{};
    for (int c = 0; c < 0x170; ++c) {
      for (int l = 0; l < kLanes; ++l) all[c][l] = static_cast<i8>(dpp_source(c, l));
    }
    return all;
  }();
  return maps[dpp.control];
}

void apply_dpp(const Wave& w, const Instruction& i, Fetched& source) {
  LaneMap own;
  const LaneMap& map = dpp_map(i.dpp, own);
  const u64 exec = i.dpp.fetches_inactive ? kAllLanes : w.exec();
  Row moved;
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = map[l];
    const bool valid = from >= 0 && bit(exec, from);
    moved.lanes[l] = valid ? source.low.lanes[from] : 0;
    defined |= u64{!valid || bit(source.defined, from)} << l;
  }
  source.low = moved;
  source.defined = defined;
}

void select_part(Row& row, int select, bool sign_extend) {
  LUMC_FOR_LANES(l) {
    const u32 x = row.lanes[l];
    const u32 part = select < 4 ? x >> 8 * select & 0xff : select == 5 ? x >> 16 : x & 0xffff;
    const u32 extended = select < 4 ? static_cast<u32>(static_cast<i32>(static_cast<i8>(part)))
                                    : static_cast<u32>(static_cast<i32>(static_cast<i16>(part)));
    row.lanes[l] = sign_extend ? extended : part;
  }
}

void apply_sign(Row& row, bool absolute, bool negate, u32 sign) {
  const u32 clear = absolute ? ~sign : ~0u, flip = negate ? sign : 0;
  LUMC_FOR_LANES(l) row.lanes[l] = (row.lanes[l] & clear) ^ flip;
}

// ---- modifiers of results

template <class F>
void over_floats(Type type, Row& low, Row& high, F f) {
  for (int l = 0; l < kLanes; ++l) {
    if (type == Type::f32) {
      low.lanes[l] = bit_cast<u32>(static_cast<float>(f(bit_cast<float>(low.lanes[l]))));
    } else if (type == Type::f16) {
      const float value = to_float(Half{static_cast<u16>(low.lanes[l])});
      low.lanes[l] = to_half(static_cast<float>(f(value))).bits;
    } else {
      const u64 bits = bit_cast<u64>(f(bit_cast<double>(join(low.lanes[l], high.lanes[l]))));
      low.lanes[l] = static_cast<u32>(bits);
      high.lanes[l] = static_cast<u32>(bits >> 32);
    }
  }
}

// The hardware leaves out scaling where it would have to round: in IEEE mode, or with subnormals.
bool scales_output(u32 mode, Type type) {
  const u32 keeps_subnormals = type == Type::f32 ? 0x20 : 0x80;
  return !(mode & (kIeeeMode | keeps_subnormals));
}

void apply_output(u32 mode, const Instruction& i, Type type, Row& low, Row& high) {
  if (type != Type::f32 && type != Type::f64 && type != Type::f16) return;
  if (i.output_scale && scales_output(mode, type)) {
    const double scale = i.output_scale == 1 ? 2.0 : i.output_scale == 2 ? 4.0 : 0.5;
    over_floats(type, low, high, [scale](auto x) { return x * static_cast<decltype(x)>(scale); });
  }
  if (i.clamp) {  // NaN becomes 0, as DX10_CLAMP says
    over_floats(type, low, high, [](auto x) {
      using T = decltype(x);
      return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
    });
  }
}

void place_part(Row& result, const u32* old, int select, int unused) {
  const u32 shift = select < 4 ? 8u * static_cast<u32>(select) : select == 5 ? 16 : 0;
  const u32 width = select < 4 ? 8 : 16;
  const u32 mask = ((1u << width) - 1) << shift;
  for (int l = 0; l < kLanes; ++l) {
    u32 value = result.lanes[l] << shift & mask;
    if (unused == 2) value |= old[l] & ~mask;
    if (unused == 1) {
      const u32 up = 32 - shift - width;
      value = static_cast<u32>(static_cast<i32>(value << up) >> up);
    }
    result.lanes[l] = value;
  }
}

void place_half(Row& result, const u32* old, bool high) {
  LUMC_FOR_LANES(l) {
    const u32 value = result.lanes[l];
    result.lanes[l] =
        high ? (old[l] & 0xffff) | value << 16 : (old[l] & 0xffff0000u) | (value & 0xffff);
  }
}

// ---- operands or results with modifiers

void run_general(Wave& w, const Instruction& i) {
  Fetched fetched[3];
  Sources s;
  u64 defined = kAllLanes;
  for (int k = 0; k < i.source_count; ++k) {
    fetch_source(w, i, k, i.source_type[k], fetched[k]);
    s.low[k] = fetched[k].low.lanes;
    s.high[k] = fetched[k].high.lanes;
    defined &= fetched[k].defined;
  }
  Row low, high;
  i.lanes(low.lanes, high.lanes, s);
  write_result(w, i, i.result_type, low, high, defined);
}

void run_by_ieee_mode(Wave& w, const Instruction& i) {
  if (w.mode & kIeeeMode) return i.inner(w, i);
  Instruction other = i;
  other.function = i.without_ieee;
  i.inner(w, other);
}

template <bool Wide, bool Scalars>
Handler plain_handler(int count) {
  switch (count) {
    case 1: return run_plain<1, Wide, Scalars>;
    case 2: return run_plain<2, Wide, Scalars>;
    default: return run_plain<3, Wide, Scalars>;
  }
}

}  // namespace

void fetch_source(Wave& w, const Instruction& i, int k, Type type, Fetched& to) {
  const Operand& o = i.source[k];
  const bool wide = is_wide(type);
  Row scratch;
  copy_row(to.low.lanes, row_of(w, o, 0, scratch));
  if (wide) copy_row(to.high.lanes, row_of(w, o, 1, scratch));
  to.defined = defined_lanes(w, o, wide ? 2 : 1);
  if (is_half(type) && (i.op_sel >> k & 1)) LUMC_FOR_LANES(l) to.low.lanes[l] >>= 16;
  if (k == 0 && i.dpp.enabled) {
    if (wide) {  // moves both halves alike
      Fetched upper;
      upper.low = to.high;
      upper.defined = to.defined;
      apply_dpp(w, i, upper);
      to.high = upper.low;
    }
    apply_dpp(w, i, to);
  }
  if (i.sdwa && k < 2 && o.select < 6) select_part(to.low, o.select, o.sign_extend);
  if (!o.absolute && !o.negate) return;
  const u32 sign = is_half(type) ? 0x8000u : 0x80000000u;
  apply_sign(wide ? to.high : to.low, o.absolute, o.negate, sign);
}

u64 written_lanes(const Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  if (!i.dpp.enabled) return exec;
  LaneMap own;
  const LaneMap& map = dpp_map(i.dpp, own);
  const u64 readable = i.dpp.fetches_inactive ? kAllLanes : exec;
  u64 written = 0;
  for (int l = 0; l < kLanes; ++l) {
    const bool masked = !(i.dpp.row_mask >> (l >> 4) & 1) || !(i.dpp.bank_mask >> (l >> 2 & 3) & 1);
    const bool valid = map[l] >= 0 && bit(readable, map[l]);
    if (!masked && (valid || i.dpp.bound_control)) written |= u64{1} << l;
  }
  return written & exec;
}

void write_result(Wave& w, const Instruction& i, Type type, Row& low, Row& high, u64 defined) {
  apply_output(w.mode, i, type, low, high);
  const u32 to = i.destination.index;
  const u64 exec = written_lanes(w, i);
  if (is_wide(type)) {
    merge_row(w, w.vector[to + 1], high.lanes, exec);
    set_defined(w, i, to + 1, exec, defined);
  } else if (i.sdwa && i.destination_select < 6) {
    place_part(low, w.vector[to], i.destination_select, i.destination_unused);
  } else if (is_half(type) && (i.keeps_high_half || (i.op_sel & 8))) {
    place_half(low, w.vector[to], i.op_sel & 8);
  }
  merge_row(w, w.vector[to], low.lanes, exec);
  set_defined(w, i, to, exec, defined);
}

void choose_lane_handler(Instruction& i) {
  bool plain =
      !i.dpp.enabled && !i.sdwa && !i.clamp && !i.output_scale && !i.op_sel && !i.keeps_high_half;
  bool wide = is_wide(i.result_type), scalars = false;
  for (int k = 0; k < i.source_count; ++k) {
    const Operand& o = i.source[k];
    plain &= o.plain();
    wide |= is_wide(i.source_type[k]);
    scalars |= o.kind != OperandKind::vector && o.kind != OperandKind::constant;
  }
  if (!plain)
    i.handler = run_general;
  else if (wide)
    i.handler = scalars ? plain_handler<true, true>(i.source_count)
                        : plain_handler<true, false>(i.source_count);
  else
    i.handler = scalars ? plain_handler<false, true>(i.source_count)
                        : plain_handler<false, false>(i.source_count);
}

void build_lanes(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  int count = 0;
  while (count < 3 && opcode.source[count] != Type::none) ++count;
  const bool accumulates = opcode.parameter[0] & kAccumulates;
  const std::size_t written = static_cast<std::size_t>(count) + (accumulates ? 0 : 1);
  require(line.operands.size() == written, "wrong number of operands");
  i.source_count = static_cast<u8>(count);
  i.result_type = opcode.result;
  const int result_dwords = is_wide(opcode.result) ? 2 : 1;
  i.destination = d.vector(line.operands[0], result_dwords);
  for (int k = 0; k < count; ++k) {
    i.source_type[k] = opcode.source[k];
    const int dwords = is_wide(opcode.source[k]) ? 2 : 1;
    const bool is_destination = accumulates && k == count - 1;
    i.source[k] =
        is_destination ? i.destination : d.operand(line.operands[k + 1], opcode.source[k]);
    if (i.source[k].kind == OperandKind::scalar || i.source[k].is_vector()) {
      require(i.source[k].dwords >= dwords, "operand too narrow");
    }
    add_read(i, i.source[k], dwords);
  }
  add_write(i, i.destination, result_dwords);
  d.read_vector_modifiers(line, i);
  if (const auto* list = line.modifier("op_sel")) {
    // The last element of a full list selects the half of the destination.
    const u32 bits = bit_list(*list);
    const bool has_destination = list_length(*list) == count + 1;
    i.op_sel = static_cast<u8>((bits & ((1u << count) - 1)) |
                               (has_destination ? (bits >> count & 1) << 3 : 0));
  }
  const bool new_halves =
      d.target().architecture == Architecture::gfx1100 && is_half(opcode.result);
  i.keeps_high_half = new_halves || (opcode.parameter[0] & kKeepsHigh);
  if (i.clamp && (opcode.result == Type::b32 || opcode.result == Type::b16)) {
    const Opcode* saturating = opcodes_of(d.target()).find(std::string(line.mnemonic) + "#clamp");
    require(saturating != nullptr, "clamp is not known for this instruction");
    i.function = saturating->function;
    i.clamp = 0;
  }
  choose_lane_handler(i);
  if (!opcode.without_ieee) return;
  i.without_ieee = opcode.without_ieee;
  i.inner = i.handler;
  i.handler = run_by_ieee_mode;
}

}  // namespace lumc::emulator
