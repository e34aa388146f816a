// Comparisons: lanes to masks in scalar registers.
#include <string>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "lanes.hpp"

namespace lumc::emulator {

namespace {

// A byte (0 or 1) per lane to a bit per lane.
u64 pack_mask(const u8* lanes) {
#if defined(__AVX2__)
  u64 mask = 0;
  for (int part = 0; part < 2; ++part) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + 32 * part));
    const __m256i high = _mm256_slli_epi16(bytes, 7);
    mask |= u64{static_cast<u32>(_mm256_movemask_epi8(high))} << 32 * part;
  }
  return mask;
#else
  u64 mask = 0;
  for (int part = 0; part < 8; ++part) {
    const u64 bytes = read_as<u64>(lanes + 8 * part);
    mask |= (bytes * 0x0102040810204080ull >> 56) << 8 * part;
  }
  return mask;
#endif
}

template <class T, bool (*F)(T, T)>
u64 compare_lanes(const Sources& sources) {
  const Sources s = sources;
  u8 result[kLanes];
  LUMC_FOR_LANES(l) result[l] = F(LaneType<T>::load(s, 0, l), LaneType<T>::load(s, 1, l));
  return pack_mask(result);
}

template <class T>
auto value(T x) {
  return x;
}
float value(Half x) { return to_float(x); }

template <class T>
bool less(T a, T b) {
  return value(a) < value(b);
}
template <class T>
bool equal(T a, T b) {
  return value(a) == value(b);
}
template <class T>
bool less_equal(T a, T b) {
  return value(a) <= value(b);
}
template <class T>
bool greater(T a, T b) {
  return value(a) > value(b);
}
template <class T>
bool greater_equal(T a, T b) {
  return value(a) >= value(b);
}
template <class T>
bool less_greater(T a, T b) {
  return (value(a) < value(b)) | (value(a) > value(b));
}
template <class T>
bool unordered(T a, T b) {
  return (value(a) != value(a)) | (value(b) != value(b));
}
template <class T>
bool never(T, T) {
  return false;
}

void write_mask(Wave& w, const Instruction& i, u64 mask, u64 undefined) {
  const u64 exec = w.exec();
  const u32 to = i.scalar_destination.index;
  w.set_mask(to, mask & exec);
  w.set_undefined_mask(to, undefined & exec);
  if (undefined & exec) w.scalar_origin[to] = w.scalar_origin[to + 1] = origin_of_sources(w, i);
  if (!i.immediate) return;
  if (undefined & exec) {
    report_undefined(w, i, i.source[0], i.source[0].dwords, undefined & exec,
                     "a condition of control flow");
  }
  w.set_exec(mask & exec);
}

void run_compare(Wave& w, const Instruction& i) {
  Sources s;
  Fetched fetched[2];
  Row scratch[2][2];
  u64 defined = kAllLanes;
  const bool plain = i.operation & 2;
  for (int k = 0; k < 2; ++k) {
    const Operand& o = i.source[k];
    const bool wide = is_wide(i.source_type[k]);
    if (plain) {
      s.low[k] = row_of(w, o, 0, scratch[k][0]);
      if (wide) s.high[k] = row_of(w, o, 1, scratch[k][1]);
      defined &= defined_lanes(w, o, wide ? 2 : 1);
      continue;
    }
    fetch_source(w, i, k, i.source_type[k], fetched[k]);
    s.low[k] = fetched[k].low.lanes;
    s.high[k] = fetched[k].high.lanes;
    defined &= fetched[k].defined;
  }
  const u64 mask = i.compare(s);
  write_mask(w, i, i.operation & 1 ? ~mask : mask, ~defined);
}

// ---- v_cmp_class: which of ten classes a float belongs to

template <class Bits, int MantissaBits, int ExponentBits>
u32 class_of(Bits bits) {
  const Bits mantissa_mask = (Bits{1} << MantissaBits) - 1;
  const Bits mantissa = bits & mantissa_mask;
  const u32 largest = (1u << ExponentBits) - 1;
  const u32 exponent = static_cast<u32>(bits >> MantissaBits) & largest;
  const bool negative = bits >> (MantissaBits + ExponentBits) & 1;
  if (exponent == largest && mantissa) return bits >> (MantissaBits - 1) & 1 ? 1u : 0u;
  if (exponent == largest) return negative ? 2 : 9;
  if (exponent) return negative ? 3 : 8;
  if (mantissa) return negative ? 4 : 7;
  return negative ? 5 : 6;
}

void run_class(Wave& w, const Instruction& i) {
  Fetched value, classes;
  fetch_source(w, i, 0, i.source_type[0], value);
  fetch_source(w, i, 1, Type::b32, classes);
  u64 mask = 0;
  for (int l = 0; l < kLanes; ++l) {
    const u32 low = value.low.lanes[l];
    u32 kind = 0;
    switch (i.source_type[0]) {
      case Type::f64: kind = class_of<u64, 52, 11>(join(low, value.high.lanes[l])); break;
      case Type::f16: kind = class_of<u32, 10, 5>(low & 0xffff); break;
      default: kind = class_of<u32, 23, 8>(low); break;
    }
    mask |= u64{classes.low.lanes[l] >> kind & 1} << l;
  }
  write_mask(w, i, mask, ~(value.defined & classes.defined));
}

void build_compare(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  // gfx10 and later leave out the destination of v_cmpx.
  const std::size_t first = line.operands.size() == 3 ? 1 : 0;
  require(line.operands.size() >= 2 && line.operands.size() <= 3, "wrong number of operands");
  i.scalar_destination = d.scalar(first ? line.operands[0] : "exec");
  i.source_count = 2;
  bool plain = true;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source_type[k] = opcode.source[k];
    i.source[k] = d.operand(line.operands[first + k], opcode.source[k]);
    add_read(i, i.source[k], is_wide(opcode.source[k]) ? 2 : 1);
    plain &= i.source[k].plain();
  }
  add_write(i, i.scalar_destination, d.mask_dwords());
  d.read_vector_modifiers(line, i);
  plain &= !i.dpp.enabled && !i.sdwa && !i.op_sel;
  i.operation = static_cast<u8>((opcode.parameter[0] ? 1 : 0) | (plain ? 2 : 0));
  i.immediate = opcode.parameter[1];  // writes EXEC as well
}

template <class T, bool (*F)(T, T)>
void add_compare(OpcodeTable& t, const std::string& condition, const std::string& type,
                 bool invert) {
  Opcode opcode;
  opcode.build = build_compare;
  opcode.handler = run_compare;
  opcode.function = reinterpret_cast<const void*>(&compare_lanes<T, F>);
  opcode.source[0] = opcode.source[1] = LaneType<T>::type;
  opcode.parameter[0] = invert;
  t.add("v_cmp_" + condition + "_" + type, opcode);
  opcode.parameter[1] = 1;
  t.add("v_cmpx_" + condition + "_" + type, opcode);
}

template <class T>
void add_ordered(OpcodeTable& t, const std::string& type) {
  add_compare<T, less<T>>(t, "lt", type, false);
  add_compare<T, equal<T>>(t, "eq", type, false);
  add_compare<T, less_equal<T>>(t, "le", type, false);
  add_compare<T, greater<T>>(t, "gt", type, false);
  add_compare<T, greater_equal<T>>(t, "ge", type, false);
  add_compare<T, never<T>>(t, "f", type, false);
}

template <class T>
void add_integers(OpcodeTable& t, const std::string& type) {
  add_ordered<T>(t, type);
  add_compare<T, equal<T>>(t, "ne", type, true);
  add_compare<T, never<T>>(t, "t", type, true);
}

template <class T>
void add_floats(OpcodeTable& t, const std::string& type) {
  add_ordered<T>(t, type);
  add_compare<T, less_greater<T>>(t, "lg", type, false);
  add_compare<T, unordered<T>>(t, "u", type, false);
  add_compare<T, unordered<T>>(t, "o", type, true);
  add_compare<T, greater_equal<T>>(t, "nge", type, true);
  add_compare<T, less_greater<T>>(t, "nlg", type, true);
  add_compare<T, greater<T>>(t, "ngt", type, true);
  add_compare<T, less_equal<T>>(t, "nle", type, true);
  add_compare<T, equal<T>>(t, "neq", type, true);
  add_compare<T, less<T>>(t, "nlt", type, true);
  add_compare<T, never<T>>(t, "tru", type, true);
  Opcode opcode;
  opcode.build = build_compare;
  opcode.handler = run_class;
  opcode.source[0] = LaneType<T>::type;
  opcode.source[1] = Type::b32;
  t.add("v_cmp_class_" + type, opcode);
  opcode.parameter[1] = 1;
  t.add("v_cmpx_class_" + type, opcode);
}

}  // namespace

void add_compare_opcodes(OpcodeTable& t) {
  add_floats<float>(t, "f32");
  add_floats<double>(t, "f64");
  add_floats<Half>(t, "f16");
  add_integers<i32>(t, "i32");
  add_integers<u32>(t, "u32");
  add_integers<i64>(t, "i64");
  add_integers<u64>(t, "u64");
  add_integers<i16>(t, "i16");
  add_integers<u16>(t, "u16");
}

}  // namespace lumc::emulator
