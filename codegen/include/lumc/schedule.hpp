// What a kernel with a schedule of its own is written with on AMD chips: memory behind descriptors
// that the hardware bounds, barriers that leave loads on their way, and fences for the compiler.
#pragma once

#include "lumc/device.hpp"

namespace lumc {

/* ---------------------------------------------------------------------------- BOUNDED MEMORY */

/* A byte offset outside every buffer: a read of it is zeros, a write to it is dropped. So lanes at
   an edge need no branch, and loads are free to be issued together. */
inline constexpr unsigned OUTSIDE = 0x80000000u;

#if defined(__GFX9__)
inline constexpr int RAW_BUFFER = 0x00027000;
#else
inline constexpr int RAW_BUFFER = 0x31004000;
#endif

/* `bytes` of memory from `first` on, fewer than 2^31, the same in all lanes of a wave. */
struct Buffer {
  __amdgpu_buffer_rsrc_t descriptor;
};

LUMC_DEVICE Buffer buffer(const void* first, unsigned bytes) {
  return {__builtin_amdgcn_make_buffer_rsrc(const_cast<void*>(first), 0, static_cast<int>(bytes),
                                            RAW_BUFFER)};
}

/* BYTES (1, 2, 4, 8 or 16) as words or a smaller unsigned number. */
template <int BYTES>
struct WordsOf {
  using type = unsigned __attribute__((ext_vector_type(BYTES / 4)));
};
template <>
struct WordsOf<1> {
  using type = unsigned char;
};
template <>
struct WordsOf<2> {
  using type = unsigned short;
};
template <>
struct WordsOf<4> {
  using type = unsigned;
};
template <int BYTES>
using words_of = typename WordsOf<BYTES>::type;

/* A value of type V at byte offset `lane + wave`, where `wave` is the same in all lanes. Whether it
   is outside is decided by `lane`: add no `wave` that could carry it over the end. */
template <class V>
LUMC_DEVICE V buffer_load(Buffer from, unsigned lane, unsigned wave = 0) {
  constexpr int BYTES = sizeof(V);
  if constexpr (BYTES == 16) {
    return bits_as<V>(__builtin_amdgcn_raw_buffer_load_b128(from.descriptor, lane, wave, 0));
  } else if constexpr (BYTES == 8) {
    return bits_as<V>(__builtin_amdgcn_raw_buffer_load_b64(from.descriptor, lane, wave, 0));
  } else if constexpr (BYTES == 4) {
    return bits_as<V>(__builtin_amdgcn_raw_buffer_load_b32(from.descriptor, lane, wave, 0));
  } else if constexpr (BYTES == 2) {
    return bits_as<V>(__builtin_amdgcn_raw_buffer_load_b16(from.descriptor, lane, wave, 0));
  } else {
    static_assert(BYTES == 1, "loads are of 1, 2, 4, 8 or 16 bytes");
    return bits_as<V>(__builtin_amdgcn_raw_buffer_load_b8(from.descriptor, lane, wave, 0));
  }
}

template <class V>
LUMC_DEVICE void buffer_store(Buffer to, unsigned lane, V value, unsigned wave = 0) {
  constexpr int BYTES = sizeof(V);
  const auto words = bits_as<words_of<BYTES>>(value);
  if constexpr (BYTES == 16) {
    __builtin_amdgcn_raw_buffer_store_b128(words, to.descriptor, lane, wave, 0);
  } else if constexpr (BYTES == 8) {
    __builtin_amdgcn_raw_buffer_store_b64(words, to.descriptor, lane, wave, 0);
  } else if constexpr (BYTES == 4) {
    __builtin_amdgcn_raw_buffer_store_b32(words, to.descriptor, lane, wave, 0);
  } else if constexpr (BYTES == 2) {
    __builtin_amdgcn_raw_buffer_store_b16(words, to.descriptor, lane, wave, 0);
  } else {
    static_assert(BYTES == 1, "stores are of 1, 2, 4, 8 or 16 bytes");
    __builtin_amdgcn_raw_buffer_store_b8(words, to.descriptor, lane, wave, 0);
  }
}

/* ---------------------------------------------------- ELEMENTS BEHIND A DESCRIPTOR, BY NUMBER */

/* Where the elements of T from number `element` on lie, if `inside`. Made of a BoundedPointer, it
   stands where a pointer would in load, store, load_vector and store_vector. */
template <class T>
struct BoundedPlace {
  Buffer memory;
  unsigned element;
  bool inside;

  struct Element {
    BoundedPlace place;
    LUMC_MEMBER operator T() const { return buffer_load<T>(place.memory, place.offset()); }
    LUMC_MEMBER void operator=(T value) const { buffer_store(place.memory, place.offset(), value); }
  };

  LUMC_MEMBER Element operator[](int further) const { return {*this + further}; }
  LUMC_MEMBER BoundedPlace operator+(int further) const {
    return {memory, element + static_cast<unsigned>(further), inside};
  }
  /* The byte offset of the element `further` on, a few of them. */
  LUMC_MEMBER unsigned offset(int further = 0) const {
    const unsigned first = inside ? element * unsigned(sizeof(T)) : OUTSIDE;
    return first + static_cast<unsigned>(further) * unsigned(sizeof(T));
  }
};

template <class T>
struct BoundedPointer {
  Buffer memory;

  /* The first element, for lanes that are `inside`; others read zeros and write nothing. */
  LUMC_MEMBER BoundedPlace<T> where(bool inside) const { return {memory, 0u, inside}; }
};

/* `count` elements of a tensor from `first` on. */
template <class T>
LUMC_DEVICE BoundedPointer<T> bounded(const T* first, unsigned count) {
  return {buffer(first, count * unsigned(sizeof(T)))};
}

template <class T>
LUMC_DEVICE auto load(BoundedPlace<T> place) {
  return value_of(buffer_load<T>(place.memory, place.offset()));
}

template <class T, class V>
LUMC_DEVICE void store(BoundedPlace<T> place, V value) {
  buffer_store(place.memory, place.offset(), stored<T>(value));
}

template <int N, int ALIGNED, class T>
LUMC_DEVICE Vector<T, N> load_vector(BoundedPlace<T> place) {
  constexpr int PART = ALIGNED < N ? ALIGNED : N;
  Vector<T, N> whole_vector;
#pragma unroll
  for (int first = 0; first < N; first += PART) {
    const auto part = buffer_load<Vector<T, PART>>(place.memory, place.offset(first));
#pragma unroll
    for (int e = 0; e < PART; ++e) whole_vector[first + e] = part[e];
  }
  return whole_vector;
}

template <int ALIGNED, class T, int N>
LUMC_DEVICE void store_vector(BoundedPlace<T> place, const Vector<T, N>& vector) {
  constexpr int PART = ALIGNED < N ? ALIGNED : N;
#pragma unroll
  for (int first = 0; first < N; first += PART) {
    Vector<T, PART> part;
#pragma unroll
    for (int e = 0; e < PART; ++e) part[e] = vector[first + e];
    buffer_store(place.memory, place.offset(first), part);
  }
}

/* --------------------------------------------------------------------------- ORDER AND PRIORITY */

/* Waits for the other waves of the workgroup, and for no memory at all. */
LUMC_DEVICE void meet() {
  asm volatile("" ::: "memory");
  __builtin_amdgcn_s_barrier();
  asm volatile("" ::: "memory");
}

/* Waves of a higher priority (0 to 3) issue first. */
template <int PRIORITY>
LUMC_DEVICE void set_priority() {
  __builtin_amdgcn_s_setprio(PRIORITY);
}

/* Keeps what computes `value` before this place, in a vector register: nothing may sink below. */
template <class V>
LUMC_DEVICE void pin(V& value) {
  asm volatile("" : "+v"(value));
}

/* ------------------------------------------------------------------------------- ORDER OF TILES */

/* Workgroups go to the DIES of a chip in turn. The tile number that `number` takes, such that every
   die has a run of neighbouring tiles, which its own cache serves. */
template <int DIES, int TILES>
LUMC_DEVICE int die_run(int number) {
  constexpr int EACH = TILES / DIES, LONGER = TILES % DIES;
  const int die = remainder(number, DIES);
  return die * EACH + (die < LONGER ? die : LONGER) + quotient(number, DIES);
}

/* Tiles of DOWN x ACROSS in strips of STRIP tile rows, each walked column by column: tiles that are
   worked on at the same time share rows and columns. */
template <int STRIP, int DOWN, int ACROSS>
struct StripWalk {
  int row, column;

  LUMC_MEMBER explicit StripWalk(int number) {
    constexpr int WHOLE = DOWN / STRIP, REST = DOWN % STRIP;
    const int strip = quotient(number, STRIP * ACROSS);
    const int within = remainder(number, STRIP * ACROSS);
    if (REST == 0 || strip < WHOLE) {
      row = strip * STRIP + remainder(within, STRIP);
      column = quotient(within, STRIP);
    } else {
      constexpr int HEIGHT = REST == 0 ? 1 : REST;
      row = strip * STRIP + remainder(within, HEIGHT);
      column = quotient(within, HEIGHT);
    }
  }
};

/* ------------------------------------------------------------------------------------- ROUNDING */

/* Two reals rounded to bf16, ties upwards in size, the first in the lower half: three instructions
   for weights between 0 and 1 and NaN, where rounding to even gains nothing. */
LUMC_DEVICE unsigned pack_half_up(float first, float second) {
  const unsigned low = bits_as<unsigned>(first) + 0x8000u;
  const unsigned high = bits_as<unsigned>(second) + 0x8000u;
  return __builtin_amdgcn_perm(high, low, 0x07060302u);
}

}  // namespace lumc
