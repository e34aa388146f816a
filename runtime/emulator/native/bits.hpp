// Plain integer names, bit casts and the sizes that everything else is written in.
#pragma once

#include <cstdint>
#include <cstring>

namespace lumc::emulator {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// A register row has room for a wave of 64; a wave of 32 leaves the upper half unused.
constexpr int kLanes = 64;
constexpr u64 kAllLanes = ~u64{0};

// Lanes of a row do not depend on each other, even where two names mean the same row.
#if defined(__clang__)
#define LUMC_FOR_LANES(lane) \
  _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < kLanes; ++lane)
#else
#define LUMC_FOR_LANES(lane) _Pragma("GCC ivdep") for (int lane = 0; lane < kLanes; ++lane)
#endif

template <class To, class From>
inline To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

template <class T>
inline T read_as(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

inline u64 join(u32 low, u32 high) { return u64{high} << 32 | low; }

inline bool bit(u64 mask, int index) { return mask >> index & 1; }

inline int first_bit(u64 mask) { return __builtin_ctzll(mask); }

inline int count_bits(u64 mask) { return __builtin_popcountll(mask); }

inline u32 reverse_bits(u32 x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}

inline u64 reverse_bits64(u64 x) {
  return join(reverse_bits(static_cast<u32>(x >> 32)), reverse_bits(static_cast<u32>(x)));
}

}  // namespace lumc::emulator
