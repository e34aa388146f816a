// The NVIDIA side of device.hpp, for nvcc.
#pragma once

#define LUMC_KERNEL(threads) extern "C" __global__ __launch_bounds__(threads) void
#define LUMC_DEVICE static __device__ __forceinline__
#define LUMC_MEMBER __device__ __forceinline__
#define LUMC_HARDWARE_BF16

namespace lumc {

constexpr int WAVE = 32;

template <int BYTES>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = unsigned char;
};
template <>
struct UnsignedOf<2> {
  using type = unsigned short;
};
template <>
struct UnsignedOf<4> {
  using type = unsigned;
};
template <int BYTES>
using unsigned_of = typename UnsignedOf<BYTES>::type;

template <class To, class From>
LUMC_DEVICE To bits_as(From value) {
  return __builtin_bit_cast(To, value);
}

LUMC_DEVICE int thread() { return static_cast<int>(threadIdx.x); }
LUMC_DEVICE unsigned block() { return blockIdx.x; }
LUMC_DEVICE int uniform(int value) { return value; }
LUMC_DEVICE void barrier() { __syncthreads(); }
LUMC_DEVICE void local_barrier() { __syncthreads(); }

/* The compiler moves no access to memory over this. */
LUMC_DEVICE void schedule_fence() { asm volatile("" ::: "memory"); }

LUMC_DEVICE float half_to_float(unsigned short bits) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
  return result;
}
LUMC_DEVICE unsigned short float_to_half(float x) {
  unsigned short result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}

LUMC_DEVICE unsigned short float_to_bf16_bits(float x) {
  unsigned short result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}

#if defined(LUMC_EXACT)
LUMC_DEVICE float reciprocal(float x) { return __frcp_rn(x); }
LUMC_DEVICE float power_of_2(float x) { return exp2f(x); }
#else
// As AMD's own instructions do, these take what is nearer to 0 than 2^-126 for 0. Scaling it first
// takes seven more instructions in a sigmoid, which then takes longer than its bytes of memory.
LUMC_DEVICE float reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
LUMC_DEVICE float power_of_2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#endif
LUMC_DEVICE float square_root(float x) { return __fsqrt_rn(x); }
LUMC_DEVICE float logarithm_of_2(float x) { return log2f(x); }
LUMC_DEVICE double nearest_whole(double x) { return rint(x); }
LUMC_DEVICE double floor_whole(double x) { return floor(x); }

template <class T>
LUMC_DEVICE T partner(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}
LUMC_DEVICE bool partner(bool value, int distance) {
  return __shfl_xor_sync(0xffffffffu, static_cast<int>(value), distance) != 0;
}

LUMC_DEVICE unsigned compare_and_swap(unsigned* place, unsigned expected, unsigned desired) {
  return atomicCAS(place, expected, desired);
}
LUMC_DEVICE long long compare_and_swap(long long* place, long long expected, long long desired) {
  return static_cast<long long>(atomicCAS(reinterpret_cast<unsigned long long*>(place),
                                          static_cast<unsigned long long>(expected),
                                          static_cast<unsigned long long>(desired)));
}

/* ------------------------------------------------------------------ MEETING OTHER WORKGROUPS */

/* A barrier and a fence of one thread behind it are enough for what all threads have written. */
LUMC_DEVICE void settle() {}

/* How many workgroups have come to `counter` before; number `last` (from 0 on) leaves it at 0.
   One thread calls this, after all have settled and met at a barrier: who comes later sees all that
   they had written. After this and another barrier they see what earlier ones had written. */
LUMC_DEVICE unsigned arrive(unsigned* counter, unsigned last) {
  __threadfence();
  const unsigned before = atomicInc(counter, last);
  __threadfence();
  return before;
}

}  // namespace lumc
