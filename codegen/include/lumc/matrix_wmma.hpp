// The WMMA side of matrix.hpp: gfx11 and gfx12, for bf16 and f16. Products of f32 stay what they
// are in matrix_plain.hpp, as there are no matrix instructions for them.
#pragma once

namespace lumc {

using WaveSums = float __attribute__((ext_vector_type(8)));

/* What a lane holds of 16 rows that are 32 bytes deep. On gfx11 both halves of a wave hold the same
   rows, each two chunks; on gfx12 each half holds one of the two. */
#if defined(__GFX12__)
inline constexpr int ROW_CHUNKS = 1;
#else
inline constexpr int ROW_CHUNKS = 2;
#endif

template <class T>
struct WaveRows {
  Vector<T, CHUNK<T>> chunks[ROW_CHUNKS];
};

/* c + a b^T for 16 rows of each. Lane l has of the result column l % 16, and eight of its rows. */
LUMC_DEVICE WaveSums multiply_add(const WaveRows<bf16>& a, const WaveRows<bf16>& b, WaveSums c) {
  using Row = short __attribute__((ext_vector_type(8 * ROW_CHUNKS)));
#if defined(__GFX12__)
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(bits_as<Row>(a), bits_as<Row>(b), c);
#else
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(bits_as<Row>(a), bits_as<Row>(b), c);
#endif
}
LUMC_DEVICE WaveSums multiply_add(const WaveRows<f16>& a, const WaveRows<f16>& b, WaveSums c) {
  using Row = _Float16 __attribute__((ext_vector_type(8 * ROW_CHUNKS)));
#if defined(__GFX12__)
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(bits_as<Row>(a), bits_as<Row>(b), c);
#else
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(bits_as<Row>(a), bits_as<Row>(b), c);
#endif
}

/* ROWS x COLUMNS sums of a wave. A lane has ROWS / 16 rows, and of each COLUMNS / 2 neighbouring
   columns: for that, columns stand in the right operand's tile in the order of `place_of`. */
template <class T, int ROWS, int COLUMNS, int DEPTH>
struct WaveTile {
  static constexpr int CHUNKS = DEPTH / CHUNK<T>;
  static constexpr int LANE_ROWS = ROWS / 16;
  static constexpr int LANE_COLUMNS = COLUMNS / 2;
  static_assert(ROWS % 16 == 0 && COLUMNS % 16 == 0, "a wave's tile is made of 16 x 16 products");
  static_assert(CHUNKS % 2 == 0, "a product is 32 bytes deep");

  WaveSums sums[LANE_ROWS][COLUMNS / 16];

  LUMC_MEMBER void clear() {
#pragma unroll
    for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) sums[i][j] = WaveSums(0.0f);
    }
  }

  /* The row of the right operand's tile that holds column n of the workgroup's, and back. Of the 16
     rows of a product a half of the wave has every second one (gfx11), or one half (gfx12). */
#if defined(__GFX12__)
  static constexpr int ROW_STEP = 1, HALF_STEP = 8;
#else
  static constexpr int ROW_STEP = 2, HALF_STEP = 1;
#endif
  static LUMC_MEMBER int place_of(int n) {
    const int own = n % COLUMNS, half = own / LANE_COLUMNS, place = own % LANE_COLUMNS;
    return n - own + place / 8 * 16 + place % 8 * ROW_STEP + half * HALF_STEP;
  }
  static LUMC_MEMBER int column_of(int place) {
    const int own = place % COLUMNS, row = own % 16;
    return place - own + row / HALF_STEP % 2 * LANE_COLUMNS + own / 16 * 8 + row / ROW_STEP % 8;
  }

  /* The i-th row and the first column of this lane, in the wave's tile. */
  static LUMC_MEMBER int lane_row(int i) { return i * 16 + thread() % 16; }
  static LUMC_MEMBER int lane_column() { return thread() % 32 / 16 * LANE_COLUMNS; }

  LUMC_MEMBER float at(int i, int column) const { return sums[i][column / 8][column % 8]; }
  LUMC_MEMBER void set(int i, int column, float value) { sums[i][column / 8][column % 8] = value; }

  /* Keeps the products that were added so far before this place. Under a condition that only some
     lanes meet, what they multiply would be read by these lanes alone. */
  LUMC_MEMBER void pin() {
#pragma unroll
    for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) asm volatile("" : "+v"(sums[i][j]));
    }
  }

  LUMC_MEMBER void scale_row(int i, float factor) {
#pragma unroll
    for (int j = 0; j < COLUMNS / 16; ++j) sums[i][j] *= factor;
  }

  /* `value` of the two lanes that share a row, reduced. */
  template <class Op>
  static LUMC_MEMBER float reduce_row(float value, Op op) {
    return op(value, partner(value, 16));
  }

  /* Adds the product of the wave's rows of the two tiles, each given by its first row. */
  LUMC_MEMBER void add_product(const T* left, const T* right) {
#pragma unroll
    for (int slice = 0; slice < CHUNKS; slice += 2) {
      WaveRows<T> a[LANE_ROWS], b[COLUMNS / 16];
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) b[j] = rows(right, j * 16, slice);
#pragma unroll
      for (int i = 0; i < LANE_ROWS; ++i) a[i] = rows(left, i * 16, slice);
#pragma unroll
      for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
        for (int j = 0; j < COLUMNS / 16; ++j) sums[i][j] = multiply_add(b[j], a[i], sums[i][j]);
      }
    }
    pin();
  }

 private:
  static LUMC_MEMBER WaveRows<T> rows(const T* tile, int first, int slice) {
    const int row = first + thread() % 16;
    const int own = ROW_CHUNKS == 2 ? slice : slice + thread() % 32 / 16;
    WaveRows<T> found;
#pragma unroll
    for (int n = 0; n < ROW_CHUNKS; ++n) {
      const T* place = tile + chunk_place<CHUNKS>(row, own + n) * CHUNK<T>;
      found.chunks[n] = *reinterpret_cast<const Vector<T, CHUNK<T>>*>(place);
    }
    return found;
  }
};

template <int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile<bf16, ROWS, COLUMNS, DEPTH> : WaveTile<bf16, ROWS, COLUMNS, DEPTH> {};
template <int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile<f16, ROWS, COLUMNS, DEPTH> : WaveTile<f16, ROWS, COLUMNS, DEPTH> {};

}  // namespace lumc
