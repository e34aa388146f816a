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

using WideSums = float __attribute__((ext_vector_type(16)));

constexpr int round_up(int number, int step) { return (number + step - 1) / step * step; }
constexpr int power_of_2_from(int number) {
  int power = 1;
  while (power < number) power *= 2;
  return power;
}

LUMC_DEVICE int minimum(int a, int b) { return a < b ? a : b; }
LUMC_DEVICE int within(int value, int low, int high) {
  return value < low ? low : minimum(value, high);
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
LUMC_DEVICE void multiply_add(WideSums (&sums)[N], const Vector<bf16, 8> (&left)[N],
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
LUMC_DEVICE void multiply_add(WideSums (&sums)[N], const Vector<f16, 8> (&left)[N],
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

/* Rows of a tensor that are read tile after tile: what is left of it behind the next tile. Rows
   after the last are read as zeros. */
struct RowStream {
  const char* next;
  unsigned left;

  LUMC_MEMBER RowStream(const void* first, unsigned bytes) {
    next = static_cast<const char*>(first);
    left = bytes;
  }
  LUMC_MEMBER void skip(unsigned bytes) {
    next += bytes;
    left = left > bytes ? left - bytes : 0u;
  }
};

/* A thread's part of a tile of keys: TILE_KEYS rows of WIDTH elements, in registers on their way to
   shared memory. STRIDE is from key to key. */
template <class T, int TILE_KEYS, int WIDTH, int STRIDE, int THREADS>
struct KeyPart {
  static constexpr int KEYS = TILE_KEYS;
  static constexpr int INNER = WIDTH;
  static constexpr int ROW = power_of_2_from(round_up(INNER, 16));
  static constexpr int TILE = KEYS * ROW;
  static constexpr int CHUNKS = ROW / 8;
  static constexpr int STEPS = KEYS * CHUNKS / THREADS;
  static constexpr unsigned TILE_BYTES = unsigned(KEYS) * STRIDE * sizeof(T);
  // Rows that the hardware serves together: see chunk_place.
#if defined(__gfx950__)
  static constexpr int TURN = CHUNKS < 16 ? CHUNKS : 16;
#else
  static constexpr int TURN = 8;
#endif
  static_assert(INNER % 8 == 0, "rows are whole chunks");
  static_assert(KEYS * CHUNKS % THREADS == 0, "every thread has as many chunks");

  unsigned from[STEPS];
  int to[STEPS];
  Vector<T, 8> held[STEPS];

  /* The key that row `place` of a tile holds. */
  static LUMC_MEMBER int key_of(int place) {
    const int own = place % 32;
    return place - own + own / 4 % 2 * 16 + own / 8 * 4 + own % 4;
  }
  static LUMC_MEMBER int place(int row, int chunk) {
    return row * ROW + chunk / TURN * TURN * 8 + (chunk % TURN ^ row % TURN) * 8;
  }

  LUMC_MEMBER KeyPart() {
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
      const int number = i * THREADS + thread();
      const int row = number / CHUNKS, chunk = number % CHUNKS;
      from[i] = chunk * 8 < INNER ? unsigned(key_of(row) * STRIDE + chunk * 8) * unsigned(sizeof(T))
                                  : OUTSIDE;
      to[i] = place(row, chunk);
    }
  }
  LUMC_MEMBER void load(RowStream& keys) {
    const Buffer tile = buffer(keys.next, keys.left);
    keys.skip(TILE_BYTES);
#pragma unroll
    for (int i = 0; i < STEPS; ++i) held[i] = buffer_load<Vector<T, 8>>(tile, from[i]);
  }
  LUMC_MEMBER void store(T* tile) const {
#pragma unroll
    for (int i = 0; i < STEPS; ++i) store_vector<8>(tile + to[i], held[i]);
  }
};

/* The same for values: 4 keys x 4 channels at a time, which are transposed as they are stored. A
   row of the tile is a channel's KEYS values. */
template <class T, int KEYS, int WIDTH, int STRIDE, int THREADS>
struct ValuePart {
  static constexpr int CHANNELS = WIDTH;
  static constexpr int ROWS = power_of_2_from(round_up(CHANNELS, 32));
  static constexpr int USED = round_up(CHANNELS, 32);
  static constexpr int TILE = ROWS * KEYS;
  static constexpr int CELLS = ROWS / 4;  // of 4 keys
  static constexpr int STEPS = KEYS / 4 * CELLS / THREADS;
  static constexpr int CHUNKS = KEYS / 8;
  static constexpr unsigned TILE_BYTES = unsigned(KEYS) * STRIDE * sizeof(T);
  static_assert(CHANNELS % 4 == 0, "rows are whole cells");
  static_assert(KEYS / 4 * CELLS % THREADS == 0, "every thread has as many cells");

  unsigned from[STEPS][4];
  int to[STEPS];
  words_of<8> held[STEPS][4];

  /* The row of a tile that a channel stands in: a lane's sums are neighbouring channels. */
  static LUMC_MEMBER int channel_place(int channel) {
    const int half = channel / (USED / 2), own = channel % (USED / 2);
    return channel < USED ? own / 16 * 32 + own / 4 % 4 * 8 + half * 4 + own % 4 : channel;
  }
  static LUMC_MEMBER int place(int row, int chunk) {
    return row * KEYS + (chunk ^ ((row ^ row / 8) & (CHUNKS - 1))) * 8;
  }

  LUMC_MEMBER ValuePart() {
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
      const int number = i * THREADS + thread();
      const int channel = number / 2 % CELLS * 4;
      const int key = (number % 2 + number / (2 * CELLS) * 2) * 4;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        from[i][j] = channel < CHANNELS
                         ? unsigned((key + j) * STRIDE + channel) * unsigned(sizeof(T))
                         : OUTSIDE;
      }
      to[i] = place(channel_place(channel), key / 8) + key % 8;
    }
  }
  LUMC_MEMBER void load(RowStream& values) {
    const Buffer tile = buffer(values.next, values.left);
    values.skip(TILE_BYTES);
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) held[i][j] = buffer_load<words_of<8>>(tile, from[i][j]);
    }
  }
  LUMC_MEMBER void store(T* tile) const {
#pragma unroll
    for (int i = 0; i < STEPS; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        // Element j of each of the four keys.
        const unsigned halves = j % 2 ? 0x07060302u : 0x05040100u;
        words_of<8> row;
        row[0] = __builtin_amdgcn_perm(held[i][1][j / 2], held[i][0][j / 2], halves);
        row[1] = __builtin_amdgcn_perm(held[i][3][j / 2], held[i][2][j / 2], halves);
        // A row further the chunk's place differs in the bits of j.
        *reinterpret_cast<words_of<8>*>(tile + ((to[i] ^ j * 8) + j * KEYS)) = row;
      }
    }
  }
};

/* A wave's queries, scores, weights and results. */
template <class T, class Keys, class Values>
struct PingPong {
  static constexpr int KEYS = Keys::KEYS, INNER = Keys::INNER, CHANNELS = Values::CHANNELS;
  static constexpr int SLICES = round_up(INNER, 16) / 16;
  static constexpr int KEY_BLOCKS = KEYS / 32;
  static constexpr int CHANNEL_BLOCKS = round_up(CHANNELS, 32) / 32;
  /* Neighbouring channels that a lane has. */
  static constexpr int LANE_CHANNELS = CHANNEL_BLOCKS * 16;

  Vector<T, 8> queries[SLICES];
  WideSums scores[KEY_BLOCKS];
  WideSums results[CHANNEL_BLOCKS];
  unsigned weights[KEY_BLOCKS][8];
  float greatest = -infinity();
  float total = 0.0f;

  LUMC_MEMBER PingPong() {
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
     weights are there. Steps of 16 inner points or keys each; what a step multiplies was read a
     step ahead. With MEETS the waves that weigh may begin when all but the last step is issued. */
  template <bool SCORES, bool RESULTS, bool MEETS>
  LUMC_MEMBER void multiply(const T* key_tile, const T* value_tile) {
    constexpr int FIRST_RESULT = SCORES ? SLICES : 0;
    constexpr int STEPS = FIRST_RESULT + (RESULTS ? KEY_BLOCKS * 2 : 0);
    Vector<T, 8> keys[2][KEY_BLOCKS], values[2][CHANNEL_BLOCKS];
    auto read = [&](int step) {
      if (step < FIRST_RESULT) {
        read_keys(keys[step % 2], key_tile, step);
      } else if (step < STEPS) {
        read_values(values[step % 2], value_tile, step - FIRST_RESULT);
      }
    };
    if constexpr (SCORES) {
#pragma unroll
      for (int t = 0; t < KEY_BLOCKS; ++t) scores[t] = WideSums(0.0f);
    }
    read(0);
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      if (MEETS && step == STEPS - 1) {
        schedule_fence();
        local_barrier();
        schedule_fence();
      }
      read(step + 1);
      schedule_fence();
      if (step < FIRST_RESULT) {
        multiply_add(scores, keys[step % 2], queries[step]);
      } else {
        multiply_add(results, values[step % 2], weights_of(step - FIRST_RESULT));
      }
      schedule_fence();
    }
  }

  /* Weights of the scores, of which each unit is `unit` powers of 2. Results so far are scaled only
     where the maximum has grown by more than 2^8: until then weights are greater than 1, but their
     sum is so too. EMPTY: all scores of a row so far may be -infinity. */
  template <bool EMPTY>
  LUMC_MEMBER void weigh(float unit) {
    constexpr float LAZY = 8.0f;
    float most = scores[0][0];
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
#pragma unroll
      for (int e = 0; e < 16; ++e) most = larger_number(most, scores[t][e]);
    }
    most = larger_number(most, partner(most, 32));
    const bool grows = (most - greatest) * unit > LAZY;
    if (__builtin_amdgcn_ballot_w64(grows)) {
      most = larger_number(most, greatest);
      const float shrink = power_of_2((greatest - base<EMPTY>(most)) * unit);
      greatest = most;
      total *= shrink;
#pragma unroll
      for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] *= shrink;
    }
    const float shift = -base<EMPTY>(greatest) * unit;
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
#pragma unroll
      for (int e = 0; e < 16; ++e) scores[t][e] = power_of_2(scores[t][e] * unit + shift);
    }
    float sums[4] = {};
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
#pragma unroll
      for (int e = 0; e < 16; e += 2) {
        sums[e / 2 % 4] += scores[t][e];
        sums[e / 2 % 4] += scores[t][e + 1];
        weights[t][e / 2] = pack_weights<T>(scores[t][e], scores[t][e + 1]);
      }
    }
    total += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  /* Divides the results by the sum of their weights. */
  LUMC_MEMBER void finish() {
    const float whole = reciprocal(total + partner(total, 32));
#pragma unroll
    for (int d = 0; d < CHANNEL_BLOCKS; ++d) results[d] *= whole;
  }

 private:
  template <bool EMPTY>
  static LUMC_MEMBER float base(float most) {
    return EMPTY && most == -infinity() ? 0.0f : most;
  }

  static LUMC_MEMBER void read_keys(Vector<T, 8> (&keys)[KEY_BLOCKS], const T* tile, int slice) {
    const int row = thread() % 32;
#pragma unroll
    for (int t = 0; t < KEY_BLOCKS; ++t) {
      keys[t] = chunk(tile + Keys::place(row, slice * 2 + wave_half()) + t * 32 * Keys::ROW);
    }
  }

  static LUMC_MEMBER void read_values(Vector<T, 8> (&values)[CHANNEL_BLOCKS], const T* tile, int step) {
    const int row = thread() % 32, number = step / 2 * 4 + wave_half() * 2 + step % 2;
#pragma unroll
    for (int d = 0; d < CHANNEL_BLOCKS; ++d) {
      values[d] = chunk(tile + Values::place(row + d * 32, number));
    }
  }

  LUMC_MEMBER Vector<T, 8> weights_of(int step) const {
    const unsigned(&own)[8] = weights[step / 2];
    const int first = step % 2 * 4;
    return bits_as<Vector<T, 8>>(
        words_of<16>{own[first], own[first + 1], own[first + 2], own[first + 3]});
  }

  static LUMC_MEMBER Vector<T, 8> chunk(const T* place) {
    return *reinterpret_cast<const Vector<T, 8>*>(place);
  }
};

}  // namespace lumc
