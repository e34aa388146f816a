// Tiles of keys and values on their way from memory to shared memory, through registers.
//
// Keys and channels stand there in the order in which `streamed_attention.hpp` wants its products,
// and values are transposed on their way. Where chunks of 16 bytes stand in a row turns with the
// row, so that the lanes that the hardware serves together fall in unlike banks, of reads and of
// writes.
#pragma once

#include "lumc/schedule.hpp"

namespace lumc {

constexpr int round_up(int number, int step) { return (number + step - 1) / step * step; }
constexpr int power_of_2_from(int number) {
  int power = 1;
  while (power < number) power *= 2;
  return power;
}

/* The half of the wave that a lane is in. */
LUMC_DEVICE int wave_half() { return thread() % 64 / 32; }

/* `value`, of which the compiler keeps nothing that it could know before this place. */
LUMC_DEVICE int recomputed(int value) {
  asm volatile("" : "+v"(value));
  return value;
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
  static constexpr int TURN = CHUNKS < 8 ? CHUNKS : 8;
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
  /* The number of the place of a lane's chunk of `step` in block d of 32 rows, but for the distance
     of the block: places of one block are those of others. */
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

}  // namespace lumc
