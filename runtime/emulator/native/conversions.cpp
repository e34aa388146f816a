// Conversions between number formats. Out of range saturates, NaN becomes 0.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

u32 float_to_u32(float x) {
  const float clamped = x > 0 ? (x < 4294967040.f ? x : 4294967040.f) : 0.f;
  return x >= 4294967296.f ? ~0u : static_cast<u32>(clamped);
}
i32 float_to_i32(float x) {
  if (x != x) return 0;
  if (x >= 2147483648.f) return 0x7fffffff;
  return x < -2147483648.f ? static_cast<i32>(0x80000000u) : static_cast<i32>(x);
}
u32 double_to_u32(double x) {
  if (!(x > 0)) return 0;
  return x >= 4294967295.0 ? ~0u : static_cast<u32>(x);
}
i32 double_to_i32(double x) {
  if (x != x) return 0;
  if (x >= 2147483647.0) return 0x7fffffff;
  return x <= -2147483648.0 ? static_cast<i32>(0x80000000u) : static_cast<i32>(x);
}
i32 float_to_i32_up(float x) { return float_to_i32(__builtin_floorf(x + 0.5f)); }
i32 float_to_i32_down(float x) { return float_to_i32(__builtin_floorf(x)); }

float from_i32(i32 x) { return static_cast<float>(x); }
float from_u32(u32 x) { return static_cast<float>(x); }
double double_from_i32(i32 x) { return static_cast<double>(x); }
double double_from_u32(u32 x) { return static_cast<double>(x); }
double from_float(float x) { return static_cast<double>(x); }
float from_double(double x) { return static_cast<float>(x); }
template <int Byte>
float from_byte(u32 x) {
  return static_cast<float>(x >> 8 * Byte & 0xff);
}

float from_half(Half x) { return to_float(x); }
Half half_from_float(float x) { return to_half(x); }
Half half_from_u16(u16 x) { return to_half(static_cast<float>(x)); }
Half half_from_i16(i16 x) { return to_half(static_cast<float>(x)); }
u16 half_to_u16(Half x) {
  const float f = to_float(x);
  return static_cast<u16>(f > 0 ? (f >= 65535.f ? 65535.f : f) : 0.f);
}
i16 half_to_i16(Half x) {
  const float f = to_float(x);
  if (f != f) return 0;
  return static_cast<i16>(f > 32767.f ? 32767.f : f < -32768.f ? -32768.f : f);
}

u32 half_toward_zero(float x) {
  Half h = to_half(x);
  const bool grew = std::fabs(to_float(h)) > std::fabs(x);
  return grew ? h.bits - 1u : h.bits;
}
u32 pack_halves_toward_zero(float a, float b) {
  return half_toward_zero(a) | half_toward_zero(b) << 16;
}
u32 pack_halves_nearest(float a, float b) { return to_half(a).bits | u32{to_half(b).bits} << 16; }
u32 pack_bfloats(float a, float b) { return float_to_bfloat(a) | float_to_bfloat(b) << 16; }
u32 pack_u16(u32 a, u32 b) { return (a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16; }
u32 pack_i16(i32 a, i32 b) {
  const auto clamp = [](i32 x) {
    return static_cast<u32>(x > 32767 ? 32767 : x < -32768 ? -32768 : x) & 0xffff;
  };
  return clamp(a) | clamp(b) << 16;
}
u32 normalised_i16(float x) {
  const float scaled = __builtin_rintf((x > -1 ? (x < 1 ? x : 1.f) : -1.f) * 32767.f);
  return x != x ? 0 : static_cast<u32>(static_cast<i32>(scaled)) & 0xffff;
}
u32 normalised_u16(float x) {
  const float scaled = __builtin_rintf((x > 0 ? (x < 1 ? x : 1.f) : 0.f) * 65535.f);
  return static_cast<u32>(scaled);
}
u32 pack_normalised_i16(float a, float b) { return normalised_i16(a) | normalised_i16(b) << 16; }
u32 pack_normalised_u16(float a, float b) { return normalised_u16(a) | normalised_u16(b) << 16; }
u32 pack_byte(float x, u32 position, u32 old) {
  const u32 shift = 8 * (position & 3);
  const float clamped = x > 0 ? (x < 255 ? x : 255.f) : 0.f;
  return (old & ~(0xffu << shift)) | static_cast<u32>(__builtin_rintf(clamped)) << shift;
}

// ---- fp8 and bf8

constexpr u32 kSaturateHalf = 1u << 23;  // MODE.FP16_OVFL

Fp8 format_of(const Instruction& i) { return static_cast<Fp8>(i.operation & 3); }

// v_cvt_pk_{fp8,bf8}_f32: two floats to one half of the destination.
void run_pack_fp8(Wave& w, const Instruction& i) {
  Fetched a, b;
  fetch_source(w, i, 0, Type::f32, a);
  fetch_source(w, i, 1, Type::f32, b);
  const bool saturate = w.mode & kSaturateHalf;
  const u32* old = w.vector[i.destination.index];
  Row result;
  for (int l = 0; l < kLanes; ++l) {
    const u32 low = float_to_fp8(bit_cast<float>(a.low.lanes[l]), format_of(i), saturate);
    const u32 high = float_to_fp8(bit_cast<float>(b.low.lanes[l]), format_of(i), saturate);
    const u32 pair = low | high << 8;
    result.lanes[l] = i.op_sel & 8 ? (old[l] & 0xffff) | pair << 16 : (old[l] & 0xffff0000u) | pair;
  }
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result.lanes, exec);
  set_defined(w, i, i.destination.index, exec, a.defined & b.defined);
}

// v_cvt_sr_{fp8,bf8}_f32: one float, stochastically, to one byte (op_sel[3:2]).
void run_stochastic_fp8(Wave& w, const Instruction& i) {
  Fetched a, b;
  fetch_source(w, i, 0, Type::f32, a);
  fetch_source(w, i, 1, Type::b32, b);
  const u32 shift = 8 * static_cast<u32>(i.immediate);
  const bool saturate = w.mode & kSaturateHalf;
  const u32* old = w.vector[i.destination.index];
  Row result;
  for (int l = 0; l < kLanes; ++l) {
    const u32 byte = float_to_fp8_stochastic(bit_cast<float>(a.low.lanes[l]), format_of(i),
                                             b.low.lanes[l] >> 12, saturate);
    result.lanes[l] = (old[l] & ~(0xffu << shift)) | byte << shift;
  }
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result.lanes, exec);
  set_defined(w, i, i.destination.index, exec, a.defined & b.defined);
}

// v_cvt_f32_{fp8,bf8}: one byte (SDWA or op_sel select it).
void run_unpack_fp8(Wave& w, const Instruction& i) {
  Fetched a;
  fetch_source(w, i, 0, Type::b32, a);
  const float* table = fp8_table(format_of(i));
  const u32 shift = 8 * static_cast<u32>(i.immediate);
  Row result, high;
  for (int l = 0; l < kLanes; ++l)
    result.lanes[l] = bit_cast<u32>(table[a.low.lanes[l] >> shift & 0xff]);
  write_result(w, i, Type::f32, result, high, a.defined);
}

// v_cvt_pk_f32_{fp8,bf8}: two bytes (SDWA or op_sel select the word).
void run_unpack_fp8_pair(Wave& w, const Instruction& i) {
  Fetched a;
  fetch_source(w, i, 0, Type::b32, a);
  const float* table = fp8_table(format_of(i));
  const u32 shift = 16 * static_cast<u32>(i.immediate);
  Row first, second;
  for (int l = 0; l < kLanes; ++l) {
    const u32 word = a.low.lanes[l] >> shift;
    first.lanes[l] = bit_cast<u32>(table[word & 0xff]);
    second.lanes[l] = bit_cast<u32>(table[word >> 8 & 0xff]);
  }
  const u64 exec = w.exec();
  for (u32 part = 0; part < 2; ++part) {
    merge_row(w, w.vector[i.destination.index + part], (part ? second : first).lanes, exec);
    set_defined(w, i, i.destination.index + part, exec, a.defined);
  }
}

void build_fp8(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const std::size_t sources = opcode.parameter[1];
  require(line.operands.size() == sources + 1, "wrong number of operands");
  const int dwords = opcode.parameter[2] ? 2 : 1;
  i.destination = d.vector(line.operands[0], dwords);
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.source_count = static_cast<u8>(sources);
  for (std::size_t k = 0; k < sources; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::f32);
    add_read(i, i.source[k], 1);
  }
  if (sources == 2) add_read(i, i.destination, dwords);
  add_write(i, i.destination, dwords);
  d.read_vector_modifiers(line, i);
  const auto* list = line.modifier("op_sel");
  const u32 bits = list ? bit_list(*list) : 0;
  if (opcode.handler == run_pack_fp8)
    i.op_sel = list && (bits >> (list_length(*list) - 1) & 1) ? 8 : 0;
  if (opcode.handler == run_stochastic_fp8) i.immediate = bits >> 2 & 3;
  if (opcode.handler == run_unpack_fp8_pair) i.immediate = bits & 1;
  if (opcode.handler == run_unpack_fp8) {
    i.immediate = (bits & 1) << 1 | (bits >> 1 & 1);
    if (const auto* byte = line.modifier("byte_sel"))
      i.immediate = static_cast<u64>(d.integer(*byte));
  }
  if (opcode.handler != run_pack_fp8) i.op_sel = 0;
}

Opcode fp8(Handler handler, Fp8 format, u32 sources, bool pair) {
  Opcode opcode;
  opcode.build = build_fp8;
  opcode.handler = handler;
  opcode.parameter[0] = static_cast<u32>(format);
  opcode.parameter[1] = sources;
  opcode.parameter[2] = pair;
  return opcode;
}

void add_fp8_opcodes(OpcodeTable& t, const Target& target) {
  for (const bool wide_exponent : {false, true}) {
    const std::string name = wide_exponent ? "bf8" : "fp8";
    const Fp8 format = target.fp8_is_ocp ? (wide_exponent ? Fp8::e5m2_ocp : Fp8::e4m3_ocp)
                                         : (wide_exponent ? Fp8::e5m2_fnuz : Fp8::e4m3_fnuz);
    t.add("v_cvt_pk_" + name + "_f32", fp8(run_pack_fp8, format, 2, false));
    t.add("v_cvt_sr_" + name + "_f32", fp8(run_stochastic_fp8, format, 2, false));
    t.add("v_cvt_f32_" + name, fp8(run_unpack_fp8, format, 1, false));
    t.add("v_cvt_pk_f32_" + name, fp8(run_unpack_fp8_pair, format, 1, true));
  }
}

}  // namespace

void add_conversion_opcodes(OpcodeTable& t, const Target& target) {
  t.add("v_cvt_f32_i32", lane_opcode<from_i32>());
  t.add("v_cvt_f32_u32", lane_opcode<from_u32>());
  t.add("v_cvt_u32_f32", lane_opcode<float_to_u32>());
  t.add("v_cvt_i32_f32", lane_opcode<float_to_i32>());
  t.add("v_cvt_rpi_i32_f32", lane_opcode<float_to_i32_up>());
  t.add("v_cvt_flr_i32_f32", lane_opcode<float_to_i32_down>());
  t.add("v_cvt_f32_f16", lane_opcode<from_half>());
  t.add("v_cvt_f16_f32", lane_opcode<half_from_float>());
  t.add("v_cvt_f16_u16", lane_opcode<half_from_u16>());
  t.add("v_cvt_f16_i16", lane_opcode<half_from_i16>());
  t.add("v_cvt_u16_f16", lane_opcode<half_to_u16>());
  t.add("v_cvt_i16_f16", lane_opcode<half_to_i16>());
  t.add("v_cvt_f32_ubyte0", lane_opcode<from_byte<0>>());
  t.add("v_cvt_f32_ubyte1", lane_opcode<from_byte<1>>());
  t.add("v_cvt_f32_ubyte2", lane_opcode<from_byte<2>>());
  t.add("v_cvt_f32_ubyte3", lane_opcode<from_byte<3>>());
  t.add("v_cvt_f64_f32", lane_opcode<from_float>());
  t.add("v_cvt_f32_f64", lane_opcode<from_double>());
  t.add("v_cvt_f64_i32", lane_opcode<double_from_i32>());
  t.add("v_cvt_f64_u32", lane_opcode<double_from_u32>());
  t.add("v_cvt_i32_f64", lane_opcode<double_to_i32>());
  t.add("v_cvt_u32_f64", lane_opcode<double_to_u32>());
  t.add("v_cvt_pkrtz_f16_f32", lane_opcode<pack_halves_toward_zero>());
  t.add("v_cvt_pk_f16_f32", lane_opcode<pack_halves_nearest>());
  t.add("v_cvt_pk_bf16_f32", lane_opcode<pack_bfloats>());
  t.add("v_cvt_pk_u16_u32", lane_opcode<pack_u16>());
  t.add("v_cvt_pk_i16_i32", lane_opcode<pack_i16>());
  t.add("v_cvt_pknorm_i16_f32", lane_opcode<pack_normalised_i16>());
  t.add("v_cvt_pknorm_u16_f32", lane_opcode<pack_normalised_u16>());
  t.add("v_cvt_pk_u8_f32", lane_opcode<pack_byte>());
  if (target.architecture != Architecture::gfx90a) add_fp8_opcodes(t, target);
}

}  // namespace lumc::emulator
