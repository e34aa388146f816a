// Vector instructions whose lanes work on their own: one plain function per instruction, made
// into a loop over the lanes here.
#pragma once

#include "decoder.hpp"
#include "formats.hpp"
#include "registers.hpp"

namespace lumc::emulator {

// How values of a C++ type lie in register rows.
template <class T>
struct LaneType;

template <class T, Type Kind>
struct NarrowLane {
  static constexpr Type type = Kind;
  static T load(const Sources& s, int k, int l) { return bit_cast<T>(s.low[k][l]); }
  static void store(u32* low, u32*, int l, T value) { low[l] = bit_cast<u32>(value); }
};
template <class T, Type Kind>
struct WideLane {
  static constexpr Type type = Kind;
  static T load(const Sources& s, int k, int l) {
    return bit_cast<T>(join(s.low[k][l], s.high[k][l]));
  }
  static void store(u32* low, u32* high, int l, T value) {
    const u64 bits = bit_cast<u64>(value);
    low[l] = static_cast<u32>(bits);
    high[l] = static_cast<u32>(bits >> 32);
  }
};
template <class T, Type Kind>
struct HalfLane {
  static constexpr Type type = Kind;
  static T load(const Sources& s, int k, int l) {
    return bit_cast<T>(static_cast<u16>(s.low[k][l]));
  }
  static void store(u32* low, u32*, int l, T value) { low[l] = bit_cast<u16>(value); }
};
template <>
struct LaneType<u32> : NarrowLane<u32, Type::b32> {};
template <>
struct LaneType<i32> : NarrowLane<i32, Type::b32> {};
template <>
struct LaneType<float> : NarrowLane<float, Type::f32> {};
template <>
struct LaneType<u64> : WideLane<u64, Type::b64> {};
template <>
struct LaneType<i64> : WideLane<i64, Type::b64> {};
template <>
struct LaneType<double> : WideLane<double, Type::f64> {};
template <>
struct LaneType<u16> : HalfLane<u16, Type::b16> {};
template <>
struct LaneType<i16> : HalfLane<i16, Type::b16> {};
template <>
struct LaneType<Half> : HalfLane<Half, Type::f16> {};

template <auto F>
struct LaneLoop;

template <class R, class... A, R (*F)(A...)>
struct LaneLoop<F> {
  static constexpr int count = sizeof...(A);
  static constexpr Type result = LaneType<R>::type;
  static constexpr Type source[3] = {LaneType<A>::type...};

  static void run(u32* low, u32* high, const Sources& sources) {
    apply(low, high, sources, std::make_index_sequence<sizeof...(A)>{});
  }

 private:
  template <std::size_t... K>
  static void apply(u32* low, u32* high, const Sources& sources, std::index_sequence<K...>) {
    const Sources s = sources;  // a copy, so that stores to rows cannot change the pointers
    LUMC_FOR_LANES(l) LaneType<R>::store(low, high, l, F(LaneType<A>::load(s, K, l)...));
  }
};

// parameter[0] of lane opcodes.
enum LaneFlags : u32 {
  kAccumulates = 1,  // the destination is the last source too (v_fmac, v_dot2c)
  kKeepsHigh = 2,    // a 16-bit result leaves the upper half of the register alone
};

constexpr u16 kDpp8 = 0x200;

void build_lanes(Decoder&, const Line&, const Opcode&, Instruction&);
// Chooses between the plain and the general handler for operands and modifiers as they are.
void choose_lane_handler(Instruction& i);

template <auto F>
Opcode lane_opcode(u32 flags = 0, InstructionClass kind = InstructionClass::valu) {
  using Loop = LaneLoop<F>;
  Opcode opcode;
  opcode.build = build_lanes;
  opcode.function = reinterpret_cast<const void*>(&Loop::run);
  opcode.result = Loop::result;
  for (int k = 0; k < 3; ++k) opcode.source[k] = k < Loop::count ? Loop::source[k] : Type::none;
  opcode.kind = kind;
  opcode.parameter[0] = flags;
  return opcode;
}

// An instruction that treats signalling NaNs as MODE.IEEE says: `Ieee` with it, `Plain` without.
template <auto Ieee, auto Plain>
Opcode ieee_opcode(u32 flags = 0) {
  Opcode opcode = lane_opcode<Ieee>(flags);
  opcode.without_ieee = reinterpret_cast<const void*>(&LaneLoop<Plain>::run);
  return opcode;
}

// Fetches source `k` with its modifiers applied: rows in `low` and `high`, and its definedness.
struct Fetched {
  Row low, high;
  u64 defined;
};
void fetch_source(Wave& w, const Instruction& i, int k, Type type, Fetched& to);

// Lanes that a DPP instruction writes, out of EXEC.
u64 written_lanes(const Wave& w, const Instruction& i);

// Writes a result with output modifiers, destination selection and DPP masks.
void write_result(Wave& w, const Instruction& i, Type type, Row& low, Row& high, u64 defined);

}  // namespace lumc::emulator
