// The side of matrix.hpp for chips without matrix cores (or without code for them): multiply-adds.
#pragma once

namespace lumc {

/* ROWS x COLUMNS sums of a wave. A lane has ROWS / 4 neighbouring rows, and of each COLUMNS / 8
   neighbouring columns. */
template <class T, int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile {
  static constexpr int CHUNKS = DEPTH / CHUNK<T>;
  static constexpr int LANE_ROWS = ROWS / 4;
  static constexpr int LANE_COLUMNS = COLUMNS / 8;
  static_assert(WAVE == 32, "a wave is 4 x 8 lanes");
  static_assert(ROWS % 4 == 0 && COLUMNS % 8 == 0, "a wave's tile is shared by 4 x 8 lanes");

  float sums[LANE_ROWS][LANE_COLUMNS];

  LUMC_MEMBER void clear() {
#pragma unroll
    for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
      for (int j = 0; j < LANE_COLUMNS; ++j) sums[i][j] = 0.0f;
    }
  }

  static LUMC_MEMBER int place_of(int n) { return n; }
  static LUMC_MEMBER int column_of(int place) { return place; }
  static LUMC_MEMBER int lane_row(int i) { return thread() % 32 / 8 * LANE_ROWS + i; }
  static LUMC_MEMBER int lane_column() { return thread() % 8 * LANE_COLUMNS; }

  LUMC_MEMBER float at(int i, int column) const { return sums[i][column]; }
  LUMC_MEMBER void set(int i, int column, float value) { sums[i][column] = value; }

  LUMC_MEMBER void scale_row(int i, float factor) {
#pragma unroll
    for (int j = 0; j < LANE_COLUMNS; ++j) sums[i][j] *= factor;
  }

  /* `value` of the eight lanes that share a row, reduced. */
  template <class Op>
  static LUMC_MEMBER float reduce_row(float value, Op op) {
    return reduce_lanes<8>(value, op);
  }

  /* Adds the product of the wave's rows of the two tiles, each given by its first row. */
  LUMC_MEMBER void add_product(const T* left, const T* right) {
#pragma unroll 1
    for (int number = 0; number < CHUNKS; ++number) {
      if constexpr (LANE_ROWS <= LANE_COLUMNS) {
        Chunk a[LANE_ROWS];
#pragma unroll
        for (int i = 0; i < LANE_ROWS; ++i) a[i] = chunk(left, lane_row(i), number);
#pragma unroll
        for (int j = 0; j < LANE_COLUMNS; ++j) {
          // One at a time: all of them at once would take more registers than there are.
          asm volatile("" ::: "memory");
          const Chunk b = chunk(right, lane_column() + j, number);
#pragma unroll
          for (int i = 0; i < LANE_ROWS; ++i) add_chunk(sums[i][j], a[i], b);
        }
      } else {
        Chunk b[LANE_COLUMNS];
#pragma unroll
        for (int j = 0; j < LANE_COLUMNS; ++j) b[j] = chunk(right, lane_column() + j, number);
#pragma unroll
        for (int i = 0; i < LANE_ROWS; ++i) {
          asm volatile("" ::: "memory");
          const Chunk a = chunk(left, lane_row(i), number);
#pragma unroll
          for (int j = 0; j < LANE_COLUMNS; ++j) add_chunk(sums[i][j], a, b[j]);
        }
      }
    }
  }

 private:
  using Chunk = Vector<T, CHUNK<T>>;

  static LUMC_MEMBER Chunk chunk(const T* tile, int row, int number) {
    const T* place = tile + chunk_place<CHUNKS>(row, number) * CHUNK<T>;
    return *reinterpret_cast<const Chunk*>(place);
  }

  static LUMC_MEMBER void add_chunk(float& sum, const Chunk& a, const Chunk& b) {
#pragma unroll
    for (int e = 0; e < CHUNK<T>; ++e) sum += value_of(a[e]) * value_of(b[e]);
  }
};

}  // namespace lumc
