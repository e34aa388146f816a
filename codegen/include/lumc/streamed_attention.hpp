// Attention whose weights never leave the registers, and whose keys and values come tile by tile.
//
// A wave has 32 queries. Scores are computed transposed, S^T = K Q^T, in products of 32 x 32: a
// lane then has one query, and of every 32 keys the neighbouring 16 of its half of the wave. Its
// weights P^T are in just the registers that O^T = V^T P^T wants them in. For that keys and
// channels stand in shared memory in the order of `key_of` and `channel_place`.
#pragma once

#include "lumc/matrix.hpp"
#include "lumc/shares.hpp"
#include "lumc/streamed_tiles.hpp"

namespace lumc {

using TwoSums = float __attribute__((ext_vector_type(2)));
using WideSums = float __attribute__((ext_vector_type(16)));

LUMC_DEVICE constexpr int minimum(int a, int b) { return a < b ? a : b; }
LUMC_DEVICE int within(int value, int low, int high) {
  return value < low ? low : minimum(value, high);
}

/* Has the argument in its registers from here on. A load of it that is on its way when a loop
   begins would make the loop wait for all of its own, as arguments come back in any order. */
template <class T>
LUMC_DEVICE void arrived(const T* argument) {
  asm volatile("" ::"s"(argument));
}

/* True when `condition` holds in all lanes of the wave. */
LUMC_DEVICE bool in_all_lanes(bool condition) {
  return __builtin_amdgcn_ballot_w64(!condition) == 0;
}

/* N elements on their way from memory: whole words, as taking them apart would wait for them. */
template <class T, int N>
struct Held {
  static constexpr int BYTES = sizeof(T) * N;
  words_of<BYTES < 4 ? 4 : BYTES> words;

  LUMC_MEMBER void operator=(const Vector<T, N>& vector) {
    words = bits_as<words_of<BYTES>>(vector);
  }
  LUMC_MEMBER T operator[](int e) const {
    return bits_as<Vector<T, N>>(static_cast<words_of<BYTES>>(words))[e];
  }
};

/* True when all flags are, which have to be there. */
template <int BLOCKS, int PARTS, int N>
LUMC_DEVICE bool all_set(Held<flag, N> (&flags)[BLOCKS][PARTS]) {
  // Nothing is done with them before this place.
  pin(flags[0][0].words);
  auto all = flags[0][0].words;
#pragma unroll
  for (int block = 0; block < BLOCKS; ++block) {
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
      pin(flags[block][part].words);
      all &= flags[block][part].words;
    }
  }
  const Held<flag, N> both{all};
  bool set = true;
#pragma unroll
  for (int e = 0; e < N; ++e) set = set && both[e].byte;
  return set;
}

#if defined(__gfx950__)
/* c + a b^T for 32 rows of each and 16 of depth. Lane l holds 8 of row l % 32, and of the result
   the rows 8 i + 4 (l / 32) to + 3 of column l % 32, for i from 0 to 3. */
LUMC_DEVICE WideSums wide_product(const Vector<bf16, 8>& a, const Vector<bf16, 8>& b, WideSums c) {
  using Eight = __bf16 __attribute__((ext_vector_type(8)));
  return __builtin_amdgcn_mfma_f32_32x32x16_bf16(bits_as<Eight>(a), bits_as<Eight>(b), c, 0, 0, 0);
}
LUMC_DEVICE WideSums wide_product(const Vector<f16, 8>& a, const Vector<f16, 8>& b, WideSums c) {
  using Eight = _Float16 __attribute__((ext_vector_type(8)));
  return __builtin_amdgcn_mfma_f32_32x32x16_f16(bits_as<Eight>(a), bits_as<Eight>(b), c, 0, 0, 0);
}
#else
/* The same for one HALF of a lane's 8: 4 of each row. */
template <int HALF>
LUMC_DEVICE WideSums wide_product(const Vector<bf16, 8>& a, const Vector<bf16, 8>& b, WideSums c) {
  using Four = short __attribute__((ext_vector_type(4)));
  struct Halves {
    Four half[2];
  };
  return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(bits_as<Halves>(a).half[HALF],
                                                  bits_as<Halves>(b).half[HALF], c, 0, 0, 0);
}
template <int HALF>
LUMC_DEVICE WideSums wide_product(const Vector<f16, 8>& a, const Vector<f16, 8>& b, WideSums c) {
  using Four = _Float16 __attribute__((ext_vector_type(4)));
  struct Halves {
    Four half[2];
  };
  return __builtin_amdgcn_mfma_f32_32x32x8f16(bits_as<Halves>(a).half[HALF],
                                              bits_as<Halves>(b).half[HALF], c, 0, 0, 0);
}
#endif

/* sums[n] + left[n] right^T for all n, for 32 rows of each and 16 of depth. The second half of the
   depth comes after all sums' first, as a sum can't be added to at once. */
template <class T, int N>
LUMC_DEVICE void multiply_add(WideSums* sums, const Vector<T, 8> (&left)[N],
                              const Vector<T, 8>& right) {
#if defined(__gfx950__)
#pragma unroll
  for (int n = 0; n < N; ++n) sums[n] = wide_product(left[n], right, sums[n]);
#else
#pragma unroll
  for (int n = 0; n < N; ++n) sums[n] = wide_product<0>(left[n], right, sums[n]);
#pragma unroll
  for (int n = 0; n < N; ++n) sums[n] = wide_product<1>(left[n], right, sums[n]);
#endif
}

/* Two weights rounded to T, the first in the lower half. */
template <class T>
LUMC_DEVICE unsigned pack_weights(float first, float second) {
  if constexpr (same_type<T, f16>) {
    using Two = _Float16 __attribute__((ext_vector_type(2)));
    return bits_as<unsigned>(__builtin_convertvector(TwoSums{first, second}, Two));
  } else {
#if defined(LUMC_HARDWARE_BF16)
    using Two = __bf16 __attribute__((ext_vector_type(2)));
    return bits_as<unsigned>(__builtin_convertvector(TwoSums{first, second}, Two));
#else
    return pack_half_up(first, second);
#endif
  }
}

/* A wave's queries, scores, weights and results. */
template <class T, class Keys, class Values>
struct AttentionWave {
  static constexpr int KEYS = Keys::KEYS, INNER = Keys::INNER, CHANNELS = Values::CHANNELS;
  static constexpr int SLICES = round_up(INNER, 16) / 16;
  static constexpr int KEY_BLOCKS = KEYS / 32;
  static constexpr int CHANNEL_BLOCKS = round_up(CHANNELS, 32) / 32;
  /* Blocks of channels that are read together: of many not all, for want of registers. */
  static constexpr int GROUP = CHANNEL_BLOCKS <= 6 ? CHANNEL_BLOCKS : 4;
  static constexpr int GROUPS = CHANNEL_BLOCKS / GROUP;
  static_assert(CHANNEL_BLOCKS % GROUP == 0, "blocks are whole groups");
  static constexpr int AHEAD = KEY_BLOCKS == 1 && GROUP <= 4 ? 2 : 1;
  /* Neighbouring channels that a lane has. */
  static constexpr int LANE_CHANNELS = CHANNEL_BLOCKS * 16;

  Vector<T, 8> queries[SLICES];
  WideSums scores[KEY_BLOCKS];
  WideSums results[CHANNEL_BLOCKS];
  unsigned weights[KEY_BLOCKS][8];
  // Where this lane's chunks begin, in bytes: of the first slices of keys, of the steps of values.
  static constexpr int KEY_TURN = minimum(Keys::TURN / 2, SLICES);
  int key_places[KEY_TURN];
  int value_places[Values::NUMBERS];
  float greatest = -infinity();
  float total = 0.0f;

  LUMC_MEMBER AttentionWave() {
    const int row = thread() % 32;
#pragma unroll
    for (int s = 0; s < KEY_TURN; ++s) key_places[s] = Keys::place(row, s * 2 + wave_half());
#pragma unroll
    for (int s = 0; s < Values::NUMBERS; ++s) value_places[s] = Values::numbered_place(row, s);
#pragma unroll
    for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] = WideSums(0.0f);
  }

  static LUMC_MEMBER int lane_query() { return thread() % 32; }
  /* The first of the 8 neighbouring inner points that a lane has of slice s. */
  static LUMC_MEMBER int lane_inner(int s) { return s * 16 + wave_half() * 8; }
  /* The first of the 16 neighbouring keys that a lane has of a block. */
  static LUMC_MEMBER int lane_key(int block) { return block * 32 + wave_half() * 16; }
  static LUMC_MEMBER int lane_channel() { return wave_half() * LANE_CHANNELS; }

  LUMC_MEMBER float at(int, int channel) const { return results[channel / 16][channel % 16]; }

  /* The products of a phase: SCORES of the tile of keys, then results of the tile of values, whose
     weights are there. Steps of 16 inner points or keys each; what a step multiplies was read AHEAD
     of it. Of a single block of keys two sums are made in turn, as none can be added to at once.
     With MEETS the waves that weigh may begin when all but the last step is issued. */
  template <bool SCORES, bool RESULTS, bool MEETS>
  LUMC_MEMBER void multiply(const T* key_tile, const T* value_tile) {
    constexpr int FIRST_RESULT = SCORES ? SLICES : 0;
    constexpr int STEPS = FIRST_RESULT + (RESULTS ? KEY_BLOCKS * 2 * GROUPS : 0);
    Vector<T, 8> keys[AHEAD + 1][KEY_BLOCKS], values[AHEAD + 1][GROUP];
    auto read = [&](int step) {
      if (step < FIRST_RESULT) {
        read_keys(keys[step % (AHEAD + 1)], key_tile, step);
      } else if (step < STEPS) {
        read_values(values[step % (AHEAD + 1)], value_tile, step - FIRST_RESULT);
      }
    };
    WideSums sums[KEY_BLOCKS == 1 ? 2 : KEY_BLOCKS];
    if constexpr (SCORES) {
#pragma unroll
      for (WideSums& sum : sums) sum = WideSums(0.0f);
    }
#pragma unroll
    for (int step = 0; step < AHEAD; ++step) read(step);
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      if (MEETS && step == STEPS - 1) {
        schedule_fence();
        local_barrier();
        schedule_fence();
      }
      read(step + AHEAD);
      schedule_fence();
      if (step < FIRST_RESULT) {
        WideSums* const own = sums + (KEY_BLOCKS == 1 ? step % 2 : 0);
        multiply_add(own, keys[step % (AHEAD + 1)], queries[step]);
        if (step == FIRST_RESULT - 1) take_scores(sums);
      } else {
        const int number = step - FIRST_RESULT;
        multiply_add(results + number % GROUPS * GROUP, values[step % (AHEAD + 1)],
                     weights_of(number / GROUPS));
      }
      schedule_fence();
    }
  }

  /* Weights of the scores, of which each unit is `unit` powers of 2; `meanwhile` is done while the
     two lanes that share a query exchange their maxima. Results so far are scaled only where the
     maximum has grown by more than 2^8: until then weights are greater than 1, but their sum is so
     too. EMPTY: all scores of a row so far may be -infinity. */
  template <bool EMPTY, class Meanwhile>
  LUMC_MEMBER void weigh(float unit, Meanwhile meanwhile) {
    constexpr float LAZY = 8.0f;
    float most = scores[0][0];
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
#pragma unroll
      for (int e = 0; e < 16; ++e) most = larger_number(most, scores[t][e]);
    }
    const float other = partner(most, 32);
    schedule_fence();
    meanwhile();
    schedule_fence();
    most = larger_number(most, other);
    const bool grows = (most - greatest) * unit > LAZY;
    if (__builtin_amdgcn_ballot_w64(grows)) {
      most = larger_number(most, greatest);
      const float shrink = power_of_2((greatest - base<EMPTY>(most)) * unit);
      greatest = most;
      total *= shrink;
#pragma unroll
      for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] *= shrink;
    }
    // A power of 2 keeps the vector unit busy as long as four other instructions do. With three of
    // them after each (the sums of the pair before, its rounding) the other wave's products, every
    // eighth slot, begin in time.
    const float shift = -base<EMPTY>(greatest) * unit;
    TwoSums sums = {0.0f, 0.0f};
#pragma unroll
    for (int pair = 0; pair <= KEY_BLOCKS * 8; ++pair) {
      const int now = pair % (KEY_BLOCKS * 8), before = pair > 0 ? pair - 1 : 0;
      WideSums& own = scores[now / 8];
      const float first = scores[before / 8][before % 8 * 2];
      const float second = scores[before / 8][before % 8 * 2 + 1];
      if (pair < KEY_BLOCKS * 8) own[now % 8 * 2] = power_of_2(own[now % 8 * 2] * unit + shift);
      if (pair > 0) {
        sums += TwoSums{first, second};
        pin(sums);
      }
      schedule_fence();
      if (pair < KEY_BLOCKS * 8) {
        own[now % 8 * 2 + 1] = power_of_2(own[now % 8 * 2 + 1] * unit + shift);
      }
      if (pair > 0) weights[before / 8][before % 8] = pack_weights<T>(first, second);
      schedule_fence();
    }
    total += sums[0] + sums[1];
  }

  /* From now on the other tile of keys, or of values, is read. */
  LUMC_MEMBER void next_keys() {
#pragma unroll
    for (int& place : key_places) place ^= Keys::TURNS;
  }
  LUMC_MEMBER void next_values() {
#pragma unroll
    for (int& place : value_places) place ^= Values::TURNS;
  }

  /* What a lane leaves of a part of the keys: its results, the greatest score, its weights' sum. */
  static constexpr int PART_VALUES = CHANNEL_BLOCKS * 16 + 2;

  template <int THREADS>
  LUMC_MEMBER void leave(float* slot) const {
    using Results = PartValues<THREADS, CHANNEL_BLOCKS * 16>;
    Results::leave(slot, [&](int n) { return results[n / 16][n % 16]; });
    slot[Results::SIZE + thread()] = greatest;
    slot[Results::SIZE + THREADS + thread()] = total;
  }

  /* What is there after all keys, of what `parts` parts have left. Those in which all scores of a row
     are -infinity count for nothing. */
  template <int THREADS>
  LUMC_MEMBER void join(const float* slots, int parts, float unit) {
    using Results = PartValues<THREADS, CHANNEL_BLOCKS * 16>;
    constexpr int SLOT = PART_VALUES * THREADS;
    greatest = -infinity();
#pragma unroll 1
    for (int part = 0; part < parts; ++part) {
      greatest = larger_number(greatest, slots[part * SLOT + Results::SIZE + thread()]);
    }
    const float shift = -base<true>(greatest) * unit;
    total = 0.0f;
#pragma unroll
    for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] = WideSums(0.0f);
#pragma unroll 1
    for (int part = 0; part < parts; ++part) {
      const float* const slot = slots + part * SLOT;
      const float factor = power_of_2(slot[Results::SIZE + thread()] * unit + shift);
      total += slot[Results::SIZE + THREADS + thread()] * factor;
      Results::read(slot, [&](int n, float sum) { results[n / 16][n % 16] += sum * factor; });
    }
  }

  /* Divides the results by the sum of their weights. */
  LUMC_MEMBER void finish() {
    const float whole = reciprocal(total + partner(total, 32));
#pragma unroll
    for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] *= whole;
  }

 private:
  template <int N>
  LUMC_MEMBER void take_scores(const WideSums (&sums)[N]) {
    if constexpr (N > KEY_BLOCKS) {
      scores[0] = sums[0] + sums[1];
    } else {
#pragma unroll
      for (int t = 0; t < KEY_BLOCKS; ++t) scores[t] = sums[t];
    }
  }

  template <bool EMPTY>
  static LUMC_MEMBER float base(float most) {
    return EMPTY && most == -infinity() ? 0.0f : most;
  }

  LUMC_MEMBER void read_keys(Vector<T, 8> (&keys)[KEY_BLOCKS], const T* tile, int slice) const {
    const int turns = slice / KEY_TURN * Keys::TURN * 8;
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
      keys[t] = *at_byte<Vector<T, 8>>(tile + t * 32 * Keys::ROW + turns,
                                             key_places[slice % KEY_TURN]);
    }
  }

  LUMC_MEMBER void read_values(Vector<T, 8> (&values)[GROUP], const T* tile, int number) const {
#pragma unroll
    for (int n = 0; n < GROUP; ++n) {
      const int d = number % GROUPS * GROUP + n;
      values[n] = *at_byte<Vector<T, 8>>(tile + d * 32 * KEYS,
                                         value_places[Values::place_number(number / GROUPS, d)]);
    }
  }

  LUMC_MEMBER Vector<T, 8> weights_of(int step) const {
    const unsigned(&own)[8] = weights[step / 2];
    const int first = step % 2 * 4;
    return bits_as<Vector<T, 8>>(
        words_of<16>{own[first], own[first + 1], own[first + 2], own[first + 3]});
  }
};

}  // namespace lumc
