// The AMD side of device.hpp: clang's own builtins, so that neither ROCm nor its headers are needed.
#pragma once

#ifndef __global__
#define __global__ __attribute__((global))
#endif
#ifndef __device__
#define __device__ __attribute__((device))
#endif
#ifndef __shared__
#define __shared__ __attribute__((shared))
#endif

// The exact size of the workgroup: without it the compiler plans registers for 1024 threads.
#define LUMC_KERNEL(threads) \
  extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(threads, threads))) void
#define LUMC_DEVICE static __device__ inline __attribute__((always_inline, unused))
#define LUMC_MEMBER __device__ inline __attribute__((always_inline))

#if defined(__gfx950__)
#define LUMC_HARDWARE_BF16
#endif
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define LUMC_MATRIX_CORES
#endif

namespace lumc {

#if defined(__GFX9__)
constexpr int WAVE = 64;
#else
constexpr int WAVE = 32;
#endif

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

LUMC_DEVICE int thread() { return static_cast<int>(__builtin_amdgcn_workitem_id_x()); }
LUMC_DEVICE unsigned block() { return __builtin_amdgcn_workgroup_id_x(); }

/* A value that is the same in all lanes of a wave, told to the compiler. */
LUMC_DEVICE int uniform(int value) { return __builtin_amdgcn_readfirstlane(value); }

/* Waits for all threads of the workgroup and for what they have written. */
LUMC_DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* The same, but only for what was written to the memory that the workgroup shares: reads of global
   memory that are under way stay so. */
LUMC_DEVICE void local_barrier() {
#if defined(__GFX9__)
  asm volatile("" ::: "memory");
  __builtin_amdgcn_s_waitcnt(0xc07f);  // lgkmcnt(0)
  __builtin_amdgcn_s_barrier();
  asm volatile("" ::: "memory");
#else
  barrier();
#endif
}

/* The compiler moves nothing over this; left to itself it mixes what waves should do in turn. */
LUMC_DEVICE void schedule_fence() { __builtin_amdgcn_sched_barrier(0); }

LUMC_DEVICE float half_to_float(unsigned short bits) {
  return static_cast<float>(bits_as<_Float16>(bits));
}
LUMC_DEVICE unsigned short float_to_half(float x) {
  return bits_as<unsigned short>(static_cast<_Float16>(x));
}
#if defined(LUMC_HARDWARE_BF16)
LUMC_DEVICE unsigned short float_to_bf16_bits(float x) {
  return bits_as<unsigned short>(static_cast<__bf16>(x));
}
#endif

#if defined(LUMC_EXACT)
LUMC_DEVICE float reciprocal(float x) { return 1.0f / x; }
LUMC_DEVICE float power_of_2(float x) { return __builtin_elementwise_exp2(x); }
#else
LUMC_DEVICE float reciprocal(float x) { return __builtin_amdgcn_rcpf(x); }
LUMC_DEVICE float power_of_2(float x) { return __builtin_amdgcn_exp2f(x); }
#endif
LUMC_DEVICE float square_root(float x) { return __builtin_elementwise_sqrt(x); }
LUMC_DEVICE float logarithm_of_2(float x) { return __builtin_elementwise_log2(x); }
LUMC_DEVICE double nearest_whole(double x) { return __builtin_elementwise_roundeven(x); }
LUMC_DEVICE double floor_whole(double x) { return __builtin_elementwise_floor(x); }

/* ------------------------------------------------------------------------------ CROSS LANE */

template <int CONTROL>
LUMC_DEVICE int move_dpp(int value) {
  return __builtin_amdgcn_update_dpp(0, value, CONTROL, 0xf, 0xf, true);
}

/* The value of a lane that differs from this one in bit `distance` of its number, and whose lower
   bits may be any: for a reduction that has already met those, it is that of lane ^ distance. */
LUMC_DEVICE int partner_bits(int value, int distance) {
  switch (distance) {
    case 1: return move_dpp<0xb1>(value);   // quad_perm [1, 0, 3, 2]
    case 2: return move_dpp<0x4e>(value);   // quad_perm [2, 3, 0, 1]
    case 4: return move_dpp<0x141>(value);  // row_half_mirror
    case 8: return move_dpp<0x140>(value);  // row_mirror
    case 16: return __builtin_amdgcn_ds_swizzle(value, 0x401f);
    default: {
      const int lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
      return __builtin_amdgcn_ds_bpermute((lane ^ distance) << 2, value);
    }
  }
}
LUMC_DEVICE int partner(int value, int distance) { return partner_bits(value, distance); }
LUMC_DEVICE bool partner(bool value, int distance) { return partner_bits(value, distance) != 0; }
LUMC_DEVICE float partner(float value, int distance) {
  return bits_as<float>(partner_bits(bits_as<int>(value), distance));
}
LUMC_DEVICE long long partner(long long value, int distance) {
  const unsigned low = partner_bits(static_cast<int>(value), distance);
  const unsigned high = partner_bits(static_cast<int>(value >> 32), distance);
  return static_cast<long long>(static_cast<unsigned long long>(high) << 32 | low);
}

/* --------------------------------------------------------------------------------- ATOMICS */

template <class T>
LUMC_DEVICE T compare_and_swap(T* place, T expected, T desired) {
  __hip_atomic_compare_exchange_strong(place, &expected, desired, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

/* ------------------------------------------------------------------ MEETING OTHER WORKGROUPS */

/* Waits until all that this wave has written is in the cache that compute units share. Other waves
   of the workgroup see it before, so that a barrier does not wait for that. */
LUMC_DEVICE void settle() {
#if defined(__GFX9__)
  asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#endif
}

/* How many workgroups have come to `counter` before; number `last` (from 0 on) leaves it at 0.
   One thread calls this, after all have settled and met at a barrier: who comes later sees all that
   they had written. After this and another barrier they see what earlier ones had written. */
LUMC_DEVICE unsigned arrive(unsigned* counter, unsigned last) {
  // A chip of several dies has as many caches between its units and its memory. The release writes
  // back what only this die's cache has, the acquire drops what it has of memory.
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  // For the writing back, too: compilers leave out the fence's own wait where they know of no store
  // that is under way.
  settle();
  const unsigned before = __builtin_amdgcn_atomic_inc32(counter, last, __ATOMIC_RELAXED, "agent");
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  return before;
}

}  // namespace lumc
