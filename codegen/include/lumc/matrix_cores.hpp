// The MFMA side of matrix.hpp: gfx90a, gfx942, gfx950.
#pragma once

namespace lumc {

using Sums = float __attribute__((ext_vector_type(4)));
using Shorts = short __attribute__((ext_vector_type(4)));
using Halves = _Float16 __attribute__((ext_vector_type(4)));

/* Instructions that multiply a chunk of T. */
#if defined(__gfx950__)
template <class T>
inline constexpr int CHUNK_PRODUCTS = same_type<T, float> ? 4 : 1;
#else
template <class T>
inline constexpr int CHUNK_PRODUCTS = same_type<T, float> ? 4 : 2;
#endif

/* c + a b^T for 16 rows of each and 64 bytes of depth, of these the part that instruction PART
   multiplies. Lane l holds chunk l / 16 of row l % 16, and of the result the rows 4 (l / 16) to + 3
   of column l % 16. What element of the depth stands where is the same for both operands and does
   not matter. */
template <int PART>
LUMC_DEVICE Sums multiply_add(const Vector<bf16, 8>& a, const Vector<bf16, 8>& b, Sums c) {
#if defined(__gfx950__)
  using Eight = __bf16 __attribute__((ext_vector_type(8)));
  return __builtin_amdgcn_mfma_f32_16x16x32_bf16(bits_as<Eight>(a), bits_as<Eight>(b), c, 0, 0, 0);
#else
  using Eight = short __attribute__((ext_vector_type(8)));
  const Eight x = bits_as<Eight>(a), y = bits_as<Eight>(b);
  return PART == 0 ? __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x.lo, y.lo, c, 0, 0, 0)
                   : __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x.hi, y.hi, c, 0, 0, 0);
#endif
}
template <int PART>
LUMC_DEVICE Sums multiply_add(const Vector<f16, 8>& a, const Vector<f16, 8>& b, Sums c) {
  using Eight = _Float16 __attribute__((ext_vector_type(8)));
  const Eight x = bits_as<Eight>(a), y = bits_as<Eight>(b);
#if defined(__gfx950__)
  return __builtin_amdgcn_mfma_f32_16x16x32_f16(x, y, c, 0, 0, 0);
#else
  return PART == 0 ? __builtin_amdgcn_mfma_f32_16x16x16f16(x.lo, y.lo, c, 0, 0, 0)
                   : __builtin_amdgcn_mfma_f32_16x16x16f16(x.hi, y.hi, c, 0, 0, 0);
#endif
}
template <int PART>
LUMC_DEVICE Sums multiply_add(const Vector<float, 4>& a, const Vector<float, 4>& b, Sums c) {
  return __builtin_amdgcn_mfma_f32_16x16x4f32(a[PART], b[PART], c, 0, 0, 0);
}

/* 64 bytes of the depth of ROWS rows of an operand, read from a tile into registers. */
template <class T, int ROWS>
struct MatrixSlice {
  Vector<T, CHUNK<T>> chunks[ROWS / 16];

  /* Slice `number` of the rows from `tile` on, which are CHUNKS chunks long. */
  template <int CHUNKS>
  LUMC_MEMBER void read(const T* tile, int number) {
    const int row = thread() % 16, group = thread() % 64 / 16;
#pragma unroll
    for (int i = 0; i < ROWS / 16; ++i) {
      const T* place = tile + chunk_place<CHUNKS>(i * 16 + row, number * 4 + group) * CHUNK<T>;
      chunks[i] = *reinterpret_cast<const Vector<T, CHUNK<T>>*>(place);
    }
  }
};

/* ROWS x COLUMNS sums of a wave. A lane has ROWS / 16 rows, and of each COLUMNS / 4 neighbouring
   columns: for that, columns stand in the right operand's tile in the order of `place_of`. */
template <class T, int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile {
  static constexpr int CHUNKS = DEPTH / CHUNK<T>;
  static constexpr int LANE_ROWS = ROWS / 16;
  static constexpr int LANE_COLUMNS = COLUMNS / 4;
  static_assert(ROWS % 16 == 0 && COLUMNS % 16 == 0, "a wave's tile is made of 16 x 16 products");
  static_assert(CHUNKS % 4 == 0, "a product is 64 bytes deep");

  Sums sums[LANE_ROWS][COLUMNS / 16];

  LUMC_MEMBER void clear() {
#pragma unroll
    for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) sums[i][j] = Sums{0.0f, 0.0f, 0.0f, 0.0f};
    }
  }

  /* The row of the right operand's tile that holds column n of the workgroup's, and back. */
  static LUMC_MEMBER int place_of(int n) {
    const int own = n % COLUMNS;
    return n - own + own % LANE_COLUMNS / 4 * 16 + own / LANE_COLUMNS * 4 + own % 4;
  }
  static LUMC_MEMBER int column_of(int place) {
    const int own = place % COLUMNS;
    return place - own + own / 4 % 4 * LANE_COLUMNS + own / 16 * 4 + own % 4;
  }

  /* The i-th row and the first column of this lane, in the wave's tile. */
  static LUMC_MEMBER int lane_row(int i) { return i * 16 + thread() % 16; }
  static LUMC_MEMBER int lane_column() { return thread() % 64 / 16 * LANE_COLUMNS; }

  LUMC_MEMBER float at(int i, int column) const { return sums[i][column / 4][column % 4]; }
  LUMC_MEMBER void set(int i, int column, float value) { sums[i][column / 4][column % 4] = value; }

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

  /* `value` of the four lanes that share a row, reduced. */
  template <class Op>
  static LUMC_MEMBER float reduce_row(float value, Op op) {
    value = op(value, partner(value, 16));
    return op(value, partner(value, 32));
  }

  /* Adds the product of what was read of both operands. Products that add to the same sums come far
     from each other: none waits for another. */
  LUMC_MEMBER void add_product(const MatrixSlice<T, ROWS>& left,
                               const MatrixSlice<T, COLUMNS>& right) {
    add_parts<0>(left, right);
  }

  /* Adds the product of the wave's rows of the two tiles, each given by its first row. */
  LUMC_MEMBER void add_product(const T* left, const T* right) {
#pragma unroll
    for (int slice = 0; slice < CHUNKS / 4; ++slice) {
      MatrixSlice<T, ROWS> a;
      MatrixSlice<T, COLUMNS> b;
      b.template read<CHUNKS>(right, slice);
      a.template read<CHUNKS>(left, slice);
      add_product(a, b);
    }
    pin();
  }

 private:
  template <int PART>
  LUMC_MEMBER void add_parts(const MatrixSlice<T, ROWS>& left,
                             const MatrixSlice<T, COLUMNS>& right) {
#pragma unroll
    for (int i = 0; i < LANE_ROWS; ++i) {
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) {
        sums[i][j] = multiply_add<PART>(right.chunks[j], left.chunks[i], sums[i][j]);
      }
    }
    if constexpr (PART + 1 < CHUNK_PRODUCTS<T>) add_parts<PART + 1>(left, right);
  }
};

}  // namespace lumc
