// What every generated kernel is written with: storage types, loads, stores, scalar functions and
// reductions over neighbouring threads. Nothing of HIP or CUDA is needed beside the compiler.
//
// Numbers: reals are computed in f32 and rounded to nearest even where they are stored. Products
// and sums may contract to fused multiply-adds (the compilers' default) unless the unit turns that
// off. Reciprocal, exp2 and log2 are the hardware's (1 ulp); what goes into or comes out of a
// reciprocal or an exp2 and is smaller than the least normal number may count as 0. NaN and
// infinities go through everything.
#pragma once

#if defined(__CUDACC__)
#include "lumc/cuda.hpp"
#else
#include "lumc/amd.hpp"
#endif

namespace lumc {

/* ---------------------------------------------------------------------------- STORAGE TYPES */

struct bf16 {
  unsigned short bits;
};

struct f16 {
  unsigned short bits;
};

using u8 = unsigned char;
using i64 = long long;

// A bool in memory: a byte that is 0 or 1.
struct flag {
  unsigned char byte;
};

template <class A, class B>
inline constexpr bool same_type = false;
template <class A>
inline constexpr bool same_type<A, A> = true;

LUMC_DEVICE float infinity() { return bits_as<float>(0x7f800000u); }
LUMC_DEVICE float not_a_number() { return bits_as<float>(0x7fc00000u); }

/* The value of a stored element in the type that it is computed in. */
LUMC_DEVICE float value_of(float x) { return x; }
LUMC_DEVICE float value_of(bf16 x) { return bits_as<float>(static_cast<unsigned>(x.bits) << 16); }
LUMC_DEVICE float value_of(f16 x) { return half_to_float(x.bits); }
LUMC_DEVICE int value_of(int x) { return x; }
LUMC_DEVICE int value_of(u8 x) { return x; }
LUMC_DEVICE i64 value_of(i64 x) { return x; }
LUMC_DEVICE bool value_of(flag x) { return x.byte != 0; }

LUMC_DEVICE bf16 round_to_bf16(float x) {
#if defined(LUMC_HARDWARE_BF16)
  return {float_to_bf16_bits(x)};
#else
  const unsigned bits = bits_as<unsigned>(x);
  const unsigned rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  // Rounding could carry a NaN over to a number.
  return {static_cast<unsigned short>((x == x ? rounded : 0x7fc00000u) >> 16)};
#endif
}

/* A real cut towards zero; out of range it is the nearest whole number, and NaN is 0. */
LUMC_DEVICE int whole(float x) {
  if (!(x > -2147483648.0f)) return x == x ? -2147483647 - 1 : 0;
  return x < 2147483648.0f ? static_cast<int>(x) : 2147483647;
}
LUMC_DEVICE i64 long_whole(float x) {
  if (!(x > -9223372036854775808.0f)) return x == x ? -9223372036854775807LL - 1 : 0;
  return x < 9223372036854775808.0f ? static_cast<i64>(x) : 9223372036854775807LL;
}

/* A computed value rounded to storage type T. */
template <class T, class V>
LUMC_DEVICE T stored(V value) {
  if constexpr (same_type<T, bf16>) {
    return round_to_bf16(static_cast<float>(value));
  } else if constexpr (same_type<T, f16>) {
    return {float_to_half(static_cast<float>(value))};
  } else if constexpr (same_type<T, flag>) {
    return {static_cast<unsigned char>(value != V(0))};
  } else if constexpr (same_type<T, float>) {
    return static_cast<float>(value);
  } else if constexpr (same_type<T, i64> && same_type<V, float>) {
    return long_whole(value);
  } else if constexpr (same_type<V, float>) {
    return static_cast<T>(whole(value));
  } else {
    return static_cast<T>(value);
  }
}

/* A value rounded to storage type T and taken as a value again. */
template <class T, class V>
LUMC_DEVICE auto rounded_to(V value) {
  return value_of(stored<T>(value));
}

/* ----------------------------------------------------------------------- VECTORS AND MEMORY */

/* N elements of memory that are read and written together. */
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Vector {
  T elements[N];
  LUMC_MEMBER T& operator[](int e) { return elements[e]; }
  LUMC_MEMBER T operator[](int e) const {
#if defined(__CUDACC__)
    if constexpr (sizeof(T) == 2 && N % 2 == 0) {
      // By words: nvcc moves a half out of its word before it shifts it.
      unsigned word;
      memcpy(&word, elements + e / 2 * 2, 4);
      return bits_as<T>(static_cast<unsigned short>(e % 2 ? word >> 16 : word));
    }
#endif
    return elements[e];
  }
};

/* `x`, which is only read. */
template <class T>
LUMC_DEVICE const T& read_only(const T& x) {
  return x;
}

template <class T>
LUMC_DEVICE auto load(const T* place) {
  return value_of(*place);
}

template <class T, class V>
LUMC_DEVICE void store(T* place, V value) {
  *place = stored<T>(value);
}

/* N elements from `place` on, which is aligned to ALIGNED of them. */
template <int N, int ALIGNED, class T>
LUMC_DEVICE Vector<T, N> load_vector(const T* place) {
  if constexpr (ALIGNED >= N) {
    return *reinterpret_cast<const Vector<T, N>*>(place);
  } else {
    Vector<T, N> whole_vector;
#pragma unroll
    for (int first = 0; first < N; first += ALIGNED) {
      const auto part = *reinterpret_cast<const Vector<T, ALIGNED>*>(place + first);
#pragma unroll
      for (int e = 0; e < ALIGNED; ++e) whole_vector[first + e] = part[e];
    }
    return whole_vector;
  }
}

template <int ALIGNED, class T, int N>
LUMC_DEVICE void store_vector(T* place, const Vector<T, N>& vector) {
  if constexpr (ALIGNED >= N) {
    *reinterpret_cast<Vector<T, N>*>(place) = vector;
  } else {
#pragma unroll
    for (int first = 0; first < N; first += ALIGNED) {
      Vector<T, ALIGNED> part;
#pragma unroll
      for (int e = 0; e < ALIGNED; ++e) part[e] = vector[first + e];
      *reinterpret_cast<Vector<T, ALIGNED>*>(place + first) = part;
    }
  }
}

/* ------------------------------------------------------------------------- SCALAR FUNCTIONS */

/* The larger of two; NaN when either is NaN. */
LUMC_DEVICE float maximum(float a, float b) { return a > b || a != a ? a : b; }
LUMC_DEVICE int maximum(int a, int b) { return a > b ? a : b; }
LUMC_DEVICE i64 maximum(i64 a, i64 b) { return a > b ? a : b; }
LUMC_DEVICE bool maximum(bool a, bool b) { return a || b; }

/* The larger of two, or the one that is no NaN: where a NaN shows in the result by another way. */
LUMC_DEVICE float larger_number(float a, float b) { return __builtin_fmaxf(a, b); }

/* Quotient and remainder of whole numbers, the quotient rounded towards minus infinity. */
template <class T>
LUMC_DEVICE T floor_quotient(T a, T b) {
  const T quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
template <class T>
LUMC_DEVICE T floor_remainder(T a, T b) {
  const T remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/* The same where neither can be negative, which costs less. */
LUMC_DEVICE int quotient(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) / static_cast<unsigned>(b));
}
LUMC_DEVICE int remainder(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) % static_cast<unsigned>(b));
}
LUMC_DEVICE i64 quotient(i64 a, i64 b) {
  return static_cast<i64>(static_cast<unsigned long long>(a) / static_cast<unsigned long long>(b));
}
LUMC_DEVICE i64 remainder(i64 a, i64 b) {
  return static_cast<i64>(static_cast<unsigned long long>(a) % static_cast<unsigned long long>(b));
}

/* The sine, right to 2 ulp of f32 for |x| < 2^40: the multiples of pi/2 are taken off in f64. */
LUMC_DEVICE float sine(float x) {
  const double wide = x;
  const double quarters = nearest_whole(wide * 0.63661977236758134308);
  double rest = __builtin_fma(-quarters, 1.57079632679489655800, wide);
  rest = __builtin_fma(-quarters, 6.12323399573676603587e-17, rest);
  const double turn = quarters - 4.0 * floor_whole(quarters * 0.25);
  const float r = static_cast<float>(rest);
  const float z = r * r;
  const float sin_r =
      r + r * z * ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f);
  const float cos_r =
      1.0f - 0.5f * z +
      z * z * ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f);
  const float size = turn == 1.0 || turn == 3.0 ? cos_r : sin_r;
  const float result = turn >= 2.0 ? -size : size;
  return r == r ? result : not_a_number();
}

/* --------------------------------------------------------------- REDUCTIONS OVER NEIGHBOURS */

struct Sum {
  template <class T>
  LUMC_MEMBER T operator()(T a, T b) const {
    return a + b;
  }
};

struct Maximum {
  template <class T>
  LUMC_MEMBER T operator()(T a, T b) const {
    return maximum(a, b);
  }
};

struct LargerNumber {
  LUMC_MEMBER float operator()(float a, float b) const { return larger_number(a, b); }
};

/* `value` reduced over each LANES neighbouring lanes of a wave; every one of them gets it. */
template <int LANES, class Op, class T>
LUMC_DEVICE T reduce_lanes(T value, Op op) {
  static_assert((LANES & (LANES - 1)) == 0 && LANES <= WAVE, "lanes divide a wave");
#pragma unroll
  for (int distance = 1; distance < LANES; distance *= 2) {
    value = op(value, partner(value, distance));
  }
  return value;
}

/* `value` reduced over a workgroup of WAVES waves; `scratch` holds one value a wave. */
template <int WAVES, class Op, class T>
LUMC_DEVICE T reduce_workgroup(T value, Op op, T* scratch) {
  value = reduce_lanes<WAVE>(value, op);
  if (thread() % WAVE == 0) scratch[thread() / WAVE] = value;
  barrier();
  T total = scratch[0];
#pragma unroll
  for (int wave = 1; wave < WAVES; ++wave) total = op(total, scratch[wave]);
  // The next reduction writes the same scratch.
  barrier();
  return total;
}

/* `value` reduced over the threads whose numbers differ by multiples of ROWS, SLICES of them;
   `scratch` holds one value a thread. */
template <int ROWS, int SLICES, class Op, class T>
LUMC_DEVICE T reduce_slices(T value, Op op, T* scratch) {
  scratch[thread()] = value;
  barrier();
  T total = scratch[thread() % ROWS];
#pragma unroll
  for (int slice = 1; slice < SLICES; ++slice) {
    total = op(total, scratch[slice * ROWS + thread() % ROWS]);
  }
  // The next reduction writes the same scratch.
  barrier();
  return total;
}

/* Rows of a tile that lie among each other: RUN elements of a row, then those of the next. `lanes`
   are a thread's results for WIDTH neighbouring elements. As many threads as cover the ROWS of the
   tile follow each other; SLOTS such sets have results for the same elements. `rows` gets the
   result of each row, for all threads; `scratch` holds a value a thread for each row it has. */
template <int ROWS, int RUN, int WIDTH, int SLOTS, int THREADS, class Op, class T>
LUMC_DEVICE void reduce_tile(const T* lanes, Op op, T* scratch, T* rows) {
  constexpr int HELD = WIDTH > RUN ? WIDTH / RUN : 1;
  constexpr int SHARING = RUN > WIDTH ? RUN / WIDTH : 1;
  constexpr int LENGTH = ROWS * SHARING;  // values of a set of threads
  if (thread() * HELD < SLOTS * LENGTH) {
#pragma unroll
    for (int row = 0; row < HELD; ++row) {
      constexpr int OWN = WIDTH / HELD;
      T value = lanes[row * OWN];
#pragma unroll
      for (int e = 1; e < OWN; ++e) value = op(value, lanes[row * OWN + e]);
      scratch[thread() * HELD + row] = value;
    }
  }
#pragma unroll
  for (int slots = SLOTS; slots > 1; slots = (slots + 1) / 2) {
    const int half = (slots + 1) / 2;
    barrier();
#pragma unroll
    for (int first = 0; first < (slots - half) * LENGTH; first += THREADS) {
      const int n = first + thread();
      if (n < (slots - half) * LENGTH) scratch[n] = op(scratch[n], scratch[half * LENGTH + n]);
    }
  }
  barrier();
#pragma unroll
  for (int first = 0; first < ROWS; first += THREADS) {
    const int row = first + thread();
    if (row < ROWS) {
      T value = scratch[row * SHARING];
#pragma unroll
      for (int e = 1; e < SHARING; ++e) value = op(value, scratch[row * SHARING + e]);
      rows[row] = value;
    }
  }
  barrier();
}

/* ------------------------------------------------------------------- WRITES THAT MAY MEET */

/* *place becomes op(*place, value), whichever threads do so at once. Only for operations whose
   result does not depend on the order. A word around a small element is rewritten as a whole. */
template <class T, class V, class Op>
LUMC_DEVICE void combine(T* place, V value, Op op) {
  if constexpr (sizeof(T) == 8) {
    i64 seen = *place;
    for (;;) {
      const i64 found = compare_and_swap(place, seen, static_cast<i64>(op(seen, i64(value))));
      if (found == seen) return;
      seen = found;
    }
  } else {
    const unsigned long long address = reinterpret_cast<unsigned long long>(place);
    unsigned* word = reinterpret_cast<unsigned*>(address & ~3ull);
    const int shift = static_cast<int>(address & 3u) * 8;
    constexpr unsigned MASK = 0xffffffffu >> (32 - 8 * sizeof(T));
    using Bits = unsigned_of<sizeof(T)>;
    unsigned seen = *word;
    for (;;) {
      const T old = bits_as<T>(static_cast<Bits>(seen >> shift & MASK));
      const T next = stored<T>(op(value_of(old), value));
      const unsigned bits = static_cast<unsigned>(bits_as<Bits>(next)) << shift;
      const unsigned found = compare_and_swap(word, seen, (seen & ~(MASK << shift)) | bits);
      if (found == seen) return;
      seen = found;
    }
  }
}

}  // namespace lumc
