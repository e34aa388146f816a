// Attention in which half of the waves multiply while the others weigh scores and move data.
//
// A wave has 32 queries. Scores are computed transposed, S^T = K Q^T, in products of 32 x 32: a lane
// then has one query, and of every 32 keys the neighbouring 16 of its half of the wave. Its weights
// P^T are in just the registers that O^T = V^T P^T wants them in, so they never leave it. For that
// keys and channels stand in shared memory in the order of `key_of` and `channel_place`, and values
// are transposed on their way there.
//
// Where chunks of 16 bytes stand in a row turns with the row, so that the lanes that the hardware
// serves together fall in unlike banks, of reads and of writes.
#pragma once

#include "lumc/matrix.hpp"
#include "lumc/schedule.hpp"

namespace lumc {

using TwoSums = float __attribute__((ext_vector_type(2)));
using WideSums = float __attribute__((ext_vector_type(16)));

constexpr int round_up(int number, int step) { return (number + step - 1) / step * step; }
constexpr int power_of_2_from(int number) {
  int power = 1;
  while (power < number) power *= 2;
  return power;
}

LUMC_DEVICE constexpr int minimum(int a, int b) { return a < b ? a : b; }
LUMC_DEVICE int within(int value, int low, int high) {
  return value < low ? low : minimum(value, high);
}

/* Has the argument in its registers from here on. A load of it that is on its way when a loop begins
   would make the loop wait for all of its own, as those of arguments come back in any order. */
template <class T>
LUMC_DEVICE void arrived(const T* argument) {
  asm volatile("" ::"s"(argument));
}

/* `value`, of which the compiler keeps nothing that it could know before this place. */
LUMC_DEVICE int recomputed(int value) {
  asm volatile("" : "+v"(value));
  return value;
}

/* True when `condition` holds in all lanes of the wave. */
LUMC_DEVICE bool in_all_lanes(bool condition) { return __builtin_amdgcn_ballot_w64(!condition) == 0; }

/* True when all flags of all vectors are. */
template <int BLOCKS, int PARTS, int N>
LUMC_DEVICE bool all_set(const Vector<flag, N> (&flags)[BLOCKS][PARTS]) {
  bool all = true;
#pragma unroll
  for (int block = 0; block < BLOCKS; ++block) {
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
#pragma unroll
      for (int e = 0; e < N; ++e) all = all && flags[block][part][e].byte;
    }
  }
  return all;
}

/* The half of the wave that a lane is in. */
LUMC_DEVICE int wave_half() { return thread() % 64 / 32; }

/* sums[n] + left[n] right^T for 32 rows of each and 16 of depth. Lane l holds 8 of row l % 32, and
   of the result the rows 8 i + 4 (l / 32) to + 3 of column l % 32, for i from 0 to 3. */
template <int N>
LUMC_DEVICE void multiply_add(WideSums* sums, const Vector<bf16, 8> (&left)[N],
                              const Vector<bf16, 8>& right) {
#if defined(__gfx950__)
  using Eight = __bf16 __attribute__((ext_vector_type(8)));
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x16_bf16(bits_as<Eight>(left[n]),
                                                      bits_as<Eight>(right), sums[n], 0, 0, 0);
  }
#else
  using Eight = short __attribute__((ext_vector_type(8)));
  const Eight b = bits_as<Eight>(right);
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(bits_as<Eight>(left[n]).lo, b.lo, sums[n], 0, 0, 0);
  }
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(bits_as<Eight>(left[n]).hi, b.hi, sums[n], 0, 0, 0);
  }
#endif
}
template <int N>
LUMC_DEVICE void multiply_add(WideSums* sums, const Vector<f16, 8> (&left)[N],
                              const Vector<f16, 8>& right) {
  using Eight = _Float16 __attribute__((ext_vector_type(8)));
  const Eight b = bits_as<Eight>(right);
#if defined(__gfx950__)
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x16_f16(bits_as<Eight>(left[n]), b, sums[n], 0, 0, 0);
  }
#else
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x8f16(bits_as<Eight>(left[n]).lo, b.lo, sums[n], 0, 0, 0);
  }
#pragma unroll
  for (int n = 0; n < N; ++n) {
    sums[n] = __builtin_amdgcn_mfma_f32_32x32x8f16(bits_as<Eight>(left[n]).hi, b.hi, sums[n], 0, 0, 0);
  }
#endif
}

/* Two weights rounded to T, the first in the lower half. */
template <class T>
LUMC_DEVICE unsigned pack_weights(float first, float second) {
  if constexpr (same_type<T, bf16>) {
#if defined(LUMC_HARDWARE_BF16)
    return bits_as<unsigned>(Vector<bf16, 2>{{stored<bf16>(first), stored<bf16>(second)}});
#else
    return pack_half_up(first, second);
#endif
  } else {
    return bits_as<unsigned>(Vector<T, 2>{{stored<T>(first), stored<T>(second)}});
  }
}

/* The V that begins `offset` bytes behind `tile`. */
template <class V, class T>
LUMC_DEVICE V* at_byte(T* tile, int offset) {
  return reinterpret_cast<V*>(reinterpret_cast<char*>(tile) + offset);
}
template <class V, class T>
LUMC_DEVICE const V* at_byte(const T* tile, int offset) {
  return reinterpret_cast<const V*>(reinterpret_cast<const char*>(tile) + offset);
}

/* Rows of a tensor that are read tile after tile: what is left of it behind the next tile. Rows
   after the last are read as zeros. */
struct RowStream {
  const char* next;
  int left;

  LUMC_MEMBER RowStream(const void* first, int bytes) {
    next = static_cast<const char*>(first);
    left = bytes;
  }
  LUMC_MEMBER void skip(int bytes) {
    next += bytes;
    left = maximum(left - bytes, 0);
    // Known to be above 0 this would become a subtraction that saturates, which only lanes have.
    asm("" : "+s"(left));
  }
  LUMC_MEMBER Buffer rows() const { return buffer(next, static_cast<unsigned>(left)); }
};

/* A thread's part of a tile of keys: TILE_KEYS rows of WIDTH elements, in registers on their way to
   shared memory. STRIDE is from key to key. Tiles are stored in PLACES places in turn. With one
   place tiles are so large that their parts' addresses are worked out again each time. */
template <class T, int TILE_KEYS, int WIDTH, int STRIDE, int THREADS, int PLACES>
struct KeyPart {
  static constexpr int KEYS = TILE_KEYS;
  static constexpr int INNER = WIDTH;
  static constexpr int ROW = power_of_2_from(round_up(INNER, 16));
  static constexpr int TILE = KEYS * ROW;
  static constexpr int TURNS = PLACES == 2 ? TILE * int(sizeof(T)) : 0;
  static constexpr int CHUNKS = ROW / 8;
  static constexpr int STEPS = KEYS * CHUNKS / THREADS;
  static constexpr int TILE_BYTES = KEYS * STRIDE * int(sizeof(T));
  // Rows that the hardware serves together: see chunk_place.
#if defined(__gfx950__)
  static constexpr int TURN = CHUNKS < 16 ? CHUNKS : 16;
#else
  static constexpr int TURN = 8;
#endif
  static_assert(INNER % 8 == 0, "rows are whole chunks");
  static_assert(KEYS * CHUNKS % THREADS == 0, "every thread has as many chunks");

  static constexpr int KEPT = PLACES == 2 ? STEPS : 1;
  unsigned from[KEPT];
  int to[KEPT];
  Vector<T, 8> held[STEPS];

  /* The key that row `place` of a tile holds. */
  static LUMC_MEMBER unsigned key_of(unsigned place) {
    const unsigned own = place % 32;
    return place - own + own / 4 % 2 * 16 + own / 8 * 4 + own % 4;
  }
  static LUMC_MEMBER int place(unsigned row, unsigned chunk) {
    return (row * ROW + chunk / TURN * TURN * 8 + (chunk % TURN ^ row % TURN) * 8) * int(sizeof(T));
  }
  static LUMC_MEMBER unsigned source(unsigned thread_number, unsigned i) {
    const unsigned number = i * THREADS + thread_number;
    const unsigned row = number / CHUNKS, chunk = number % CHUNKS;
    return chunk * 8 < INNER ? (key_of(row) * STRIDE + chunk * 8) * unsigned(sizeof(T)) : OUTSIDE;
  }
  static LUMC_MEMBER int target(unsigned thread_number, unsigned i) {
    const unsigned number = i * THREADS + thread_number;
    return place(number / CHUNKS, number % CHUNKS);
  }

  LUMC_MEMBER KeyPart() {
#pragma unroll
    for (int i = 0; i < KEPT; ++i) {
      from[i] = source(thread(), i);
      to[i] = target(thread(), i);
    }
  }
  LUMC_MEMBER void load(RowStream& keys) {
    const Buffer tile = keys.rows();
    const unsigned own = PLACES == 2 ? 0u : unsigned(recomputed(thread())) % THREADS;
    keys.skip(TILE_BYTES);
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
      held[i] = buffer_load<Vector<T, 8>>(tile, PLACES == 2 ? from[i % KEPT] : source(own, i));
    }
  }
  LUMC_MEMBER void store(T* tiles) {
    const unsigned own = PLACES == 2 ? 0u : unsigned(recomputed(thread())) % THREADS;
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
      *at_byte<Vector<T, 8>>(tiles, PLACES == 2 ? to[i % KEPT] : target(own, i)) = held[i];
    }
#pragma unroll
    for (int i = 0; i < KEPT; ++i) to[i] ^= TURNS;
  }
};

/* The same for values: 4 keys x 4 channels at a time, which are transposed as they are stored. A
   row of the tile is a channel's KEYS values. */
template <class T, int KEYS, int WIDTH, int STRIDE, int THREADS, int PLACES>
struct ValuePart {
  static constexpr int CHANNELS = WIDTH;
  static constexpr int ROWS = power_of_2_from(round_up(CHANNELS, 32));
  static constexpr int USED = round_up(CHANNELS, 32);
  static constexpr int TILE = ROWS * KEYS;
  static constexpr int TURNS = PLACES == 2 ? TILE * int(sizeof(T)) : 0;
  static constexpr int CELLS = ROWS / 4;  // of 4 keys
  static constexpr int STEPS = KEYS / 4 * CELLS / THREADS;
  static constexpr int CHUNKS = KEYS / 8;
  static constexpr int TILE_BYTES = KEYS * STRIDE * int(sizeof(T));
  static_assert(sizeof(T) == 2, "cells are transposed by halves of words");
  static_assert(KEYS == 32 || KEYS == 64 || KEYS == 128, "places are known for these");
  static_assert(CHANNELS % 4 == 0, "rows are whole cells");
  static_assert(KEYS / 4 * CELLS % THREADS == 0, "every thread has as many cells");

  static constexpr int KEPT = PLACES == 2 ? STEPS : 1;
  unsigned from[KEPT][4];
  int to[KEPT];
  words_of<8> held[STEPS][4];

  /* The row of a tile that a channel stands in: a lane's sums are neighbouring channels. */
  static LUMC_MEMBER unsigned channel_place(unsigned channel) {
    const unsigned half = channel / (USED / 2), own = channel % (USED / 2);
    return channel < USED ? own / 16 * 32 + own / 4 % 4 * 8 + half * 4 + own % 4 : channel;
  }
  /* Where a chunk of 8 keys begins, in bytes. 128 bytes, all banks, are a row of 64 keys or two of
     32. Lanes that read together are in neighbouring rows, lanes that write together in every
     eighth, so that both the low and the high bits of the row's number turn the chunks. */
  static LUMC_MEMBER int place(unsigned row, unsigned chunk) {
    if constexpr (KEYS == 32) {
      const unsigned pair = row / 2, k = pair / 4;
      const unsigned turn = pair % 4 ^ (k / 4 % 2 * 4 + k % 2 * 2 + k / 2 % 2);
      return pair * 128 + ((row % 2 * 4 + chunk) ^ turn) * 16;
    } else {
      return row * KEYS * 2 + (chunk ^ ((row ^ row / 8) & (CHUNKS - 1))) * 16;
    }
  }
  /* The place j rows (0 to 3) behind a multiple of four. */
  static LUMC_MEMBER int row_behind(int first, int j) {
    if constexpr (KEYS == 32) return (first ^ (j / 2 * 16 + j % 2 * 64)) + j / 2 * 128;
    return (first ^ j * 16) + j * KEYS * 2;
  }
  /* Of which step, of those of one block of 32 rows, the place is that of `step` in block d, but for
     the block's own distance. */
  static constexpr int NUMBERS = 4 * (KEYS == 128 ? 2 : 1);
  static LUMC_MEMBER constexpr int place_number(int step, int d) {
    return KEYS == 32 ? step + d % 2 * 2 : (step ^ d * 2) % NUMBERS;
  }
  static LUMC_MEMBER int numbered_place(int row, int number) {
    if constexpr (KEYS == 32) {
      return place(row, wave_half() * 2 + number % 2) ^ number / 2 * 64;
    } else {
      return place(row, number / 2 * 4 + wave_half() * 2 + number % 2);
    }
  }

  static LUMC_MEMBER unsigned source(unsigned thread_number, unsigned i, unsigned j) {
    const unsigned number = i * THREADS + thread_number;
    const unsigned channel = number / 2 % CELLS * 4;
    const unsigned key = (number % 2 + number / (2 * CELLS) * 2) * 4;
    return channel < CHANNELS ? ((key + j) * STRIDE + channel) * unsigned(sizeof(T)) : OUTSIDE;
  }
  static LUMC_MEMBER int target(unsigned thread_number, unsigned i) {
    const unsigned number = i * THREADS + thread_number;
    const unsigned channel = number / 2 % CELLS * 4;
    const unsigned key = (number % 2 + number / (2 * CELLS) * 2) * 4;
    return place(channel_place(channel), key / 8) + key % 8 * int(sizeof(T));
  }

  LUMC_MEMBER ValuePart() {
#pragma unroll
    for (int i = 0; i < KEPT; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) from[i][j] = source(thread(), i, j);
      to[i] = target(thread(), i);
    }
  }
  LUMC_MEMBER void load(RowStream& values) {
    const Buffer tile = values.rows();
    const unsigned own = PLACES == 2 ? 0u : unsigned(recomputed(thread())) % THREADS;
    values.skip(TILE_BYTES);
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const unsigned place = PLACES == 2 ? from[i % KEPT][j] : source(own, i, j);
        held[i][j] = buffer_load<words_of<8>>(tile, place);
      }
    }
  }
  LUMC_MEMBER void store(T* tiles) {
    const unsigned own = PLACES == 2 ? 0u : unsigned(recomputed(thread())) % THREADS;
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
      const int first = PLACES == 2 ? to[i % KEPT] : target(own, i);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        // Element j of each of the four keys.
        const unsigned halves = j % 2 ? 0x07060302u : 0x05040100u;
        words_of<8> row;
        row[0] = __builtin_amdgcn_perm(held[i][1][j / 2], held[i][0][j / 2], halves);
        row[1] = __builtin_amdgcn_perm(held[i][3][j / 2], held[i][2][j / 2], halves);
        *at_byte<words_of<8>>(tiles, row_behind(first, j)) = row;
      }
    }
#pragma unroll
    for (int i = 0; i < KEPT; ++i) to[i] ^= TURNS;
  }
};

/* A wave's queries, scores, weights and results. */
template <class T, class Keys, class Values>
struct PingPong {
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
  // Where this lane's chunks begin, in bytes: of the first slices of keys, and of the steps of values.
  static constexpr int KEY_TURN = minimum(Keys::TURN / 2, SLICES);
  int key_places[KEY_TURN];
  int value_places[Values::NUMBERS];
  float greatest = -infinity();
  float total = 0.0f;

  LUMC_MEMBER PingPong() {
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
        multiply_add(sums + (KEY_BLOCKS == 1 ? step % 2 : 0), keys[step % (AHEAD + 1)], queries[step]);
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

  /* The natural logarithm of the sum of exp(score), of which each unit is `unit` powers of 2. */
  LUMC_MEMBER float log_sum(float unit) const {
    constexpr float LN_2 = 0.693147180559945309417f;
    return (greatest * unit + logarithm_of_2(total + partner(total, 32))) * LN_2;
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
