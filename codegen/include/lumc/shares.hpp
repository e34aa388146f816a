// Tiles of a product whose steps several workgroups share, each of which has sums of its own steps.
#pragma once

#include "lumc/parts.hpp"
#if !defined(__CUDACC__)
#include "lumc/schedule.hpp"
#endif

namespace lumc {

/* LINES steps of each of TILES tiles, all in order, dealt out to SHARES workgroups in runs that are
   as equal as may be. */
template <int TILES, int LINES, int SHARES>
struct SharedLines {
  static constexpr int EACH = TILES * LINES / SHARES, LONGER = TILES * LINES % SHARES;

  /* The first step of a share. */
  static LUMC_MEMBER int first(int share) {
    return share * EACH + (share < LONGER ? share : LONGER);
  }
  /* The share that has a step. */
  static LUMC_MEMBER int share_of(int line) {
    constexpr int OF_LONGER = LONGER * (EACH + 1);
    if (line < OF_LONGER) return quotient(line, EACH + 1);
    return LONGER + quotient(line - OF_LONGER, EACH);
  }
};

/* Where the shares of one tile leave their sums: SIZE numbers each, in places that follow each other
   in the order of the shares, `count` of them, of which `own` is this workgroup's. */
template <int SIZE>
struct TileParts {
  float* first;
  int count, own;

  /* A new share or a new tile begins a new part, so that both numbers together count parts. */
  template <int TILES, int LINES, int SHARES>
  LUMC_MEMBER TileParts(SharedLines<TILES, LINES, SHARES>, float* workspace, int tile, int share) {
    using Lines = SharedLines<TILES, LINES, SHARES>;
    const int begin = Lines::share_of(tile * LINES);
    first = workspace + static_cast<i64>(begin + tile) * SIZE;
    count = Lines::share_of(tile * LINES + LINES - 1) + 1 - begin;
    own = share - begin;
  }
};

/* The sums of a wave's `Tile` that a lane has. */
template <class Tile>
inline constexpr int LANE_SUMS = Tile::LANE_ROWS * Tile::LANE_COLUMNS;

/* A part in memory: chunks of four sums of each of THREADS lanes, neighbouring lanes' side by side. */
template <int THREADS, int SIZE>
struct PartMemory {
#if defined(__CUDACC__)
  float* first;

  LUMC_MEMBER explicit PartMemory(float* part) : first(part + thread() * 4) {}
  LUMC_MEMBER void leave(int chunk, const Vector<float, 4>& sums) const {
    store_vector<4>(first + chunk * 4 * THREADS, sums);
  }
  LUMC_MEMBER Vector<float, 4> read(int chunk) const {
    return load_vector<4, 4>(first + chunk * 4 * THREADS);
  }
#else
  // Behind a descriptor a lane has one offset for all chunks, instead of an address for each.
  Buffer memory;

  LUMC_MEMBER explicit PartMemory(float* part) : memory(buffer(part, SIZE * 4u)) {}
  LUMC_MEMBER void leave(int chunk, const Vector<float, 4>& sums) const {
    buffer_store(memory, unsigned(thread()) * 16u, sums, unsigned(chunk) * 16u * THREADS);
  }
  LUMC_MEMBER Vector<float, 4> read(int chunk) const {
    return buffer_load<Vector<float, 4>>(memory, unsigned(thread()) * 16u,
                                         unsigned(chunk) * 16u * THREADS);
  }
#endif
};

/* Leaves the sums of `tile` in `part`. */
template <int THREADS, class Tile>
LUMC_DEVICE void leave_sums(float* part, const Tile& tile) {
  constexpr int COLUMNS = Tile::LANE_COLUMNS, CHUNKS = LANE_SUMS<Tile> / 4;
  static_assert(LANE_SUMS<Tile> % 4 == 0, "sums are whole chunks");
  const PartMemory<THREADS, LANE_SUMS<Tile> * THREADS> to(part);
#pragma unroll
  for (int chunk = 0; chunk < CHUNKS; ++chunk) {
    Vector<float, 4> sums;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      sums[e] = tile.at((chunk * 4 + e) / COLUMNS, (chunk * 4 + e) % COLUMNS);
    }
    to.leave(chunk, sums);
  }
}

/* `tile`, which has the sums of part `own`, gets those of all `count` parts that begin SIZE numbers
   apart from `first` on. They are added up in their order, whichever was there, TOGETHER chunks of
   four at a time, which are asked for together: one by one each would take as long as memory is
   away. */
template <int THREADS, int SIZE, int TOGETHER, class Tile>
LUMC_DEVICE void add_parts(float* first, int count, int own, Tile& tile) {
  constexpr int COLUMNS = Tile::LANE_COLUMNS, CHUNKS = LANE_SUMS<Tile> / 4;
#pragma unroll
  for (int begin = 0; begin < CHUNKS; begin += TOGETHER) {
    const int chunks = begin + TOGETHER < CHUNKS ? TOGETHER : CHUNKS - begin;
    Vector<float, 4> before[TOGETHER], sums[TOGETHER];
    const auto get = [&](int part, Vector<float, 4>* to) {
      const PartMemory<THREADS, LANE_SUMS<Tile> * THREADS> from(first + static_cast<i64>(part) * SIZE);
#pragma unroll
      for (int n = 0; n < TOGETHER; ++n) {
        if (n < chunks) to[n] = from.read(begin + n);
      }
      schedule_fence();
    };
    const auto each = [&](auto take) {
#pragma unroll
      for (int n = 0; n < TOGETHER * 4; ++n) {
        if (n < chunks * 4) take(n, (begin * 4 + n) / COLUMNS, (begin * 4 + n) % COLUMNS);
      }
      schedule_fence();
    };
    if (own > 0) {
      get(0, before);
      for (int part = 1; part < own; ++part) {
        get(part, sums);
        each([&](int n, int, int) { before[n / 4][n % 4] += sums[n / 4][n % 4]; });
      }
      each([&](int n, int row, int column) {
        tile.set(row, column, before[n / 4][n % 4] + tile.at(row, column));
      });
    }
    for (int part = own + 1; part < count; ++part) {
      get(part, sums);
      each([&](int n, int row, int column) {
        tile.set(row, column, tile.at(row, column) + sums[n / 4][n % 4]);
      });
    }
  }
}

}  // namespace lumc
