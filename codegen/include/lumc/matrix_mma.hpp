// NVIDIA's matrix cores, for the element types that they multiply exactly: mma.sync of sm_80 and
// later. Products of f32 stay multiply-adds (matrix_plain.hpp): tf32 would drop bits of them.
#pragma once

namespace lumc {

/* c += a b for 16 rows and 8 columns, 16 deep. A register holds two neighbouring elements of the
   depth. Lane l has of c the rows l / 4 and l / 4 + 8, and the columns 2 (l % 4) and + 1. */
LUMC_DEVICE void multiply_add(bf16, const unsigned (&a)[4], const unsigned* b, float (&c)[4]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
LUMC_DEVICE void multiply_add(f16, const unsigned (&a)[4], const unsigned* b, float (&c)[4]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Four matrices of 8 rows of 16 bytes: lane l gives the address of row l % 8 of matrix l / 8, and
   gets of each matrix the word l % 4 of row l / 4. */
LUMC_DEVICE void load_matrices(unsigned* words, const void* row) {
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(place)
               : "memory");
}

/* ROWS x COLUMNS sums of a wave. A lane has ROWS / 8 rows, and of each COLUMNS / 4 neighbouring
   columns: for that, columns stand in the right operand's tile in the order of `place_of`. */
template <class T, int ROWS, int COLUMNS, int DEPTH>
struct CoreTile {
  static constexpr int CHUNKS = DEPTH / CHUNK<T>;
  static constexpr int LANE_ROWS = ROWS / 8;
  static constexpr int LANE_COLUMNS = COLUMNS / 4;
  static_assert(ROWS % 16 == 0 && COLUMNS % 16 == 0, "a wave's tile is made of 16 x 16 products");
  static_assert(CHUNKS % 2 == 0, "a product is 32 bytes deep");

  float sums[ROWS / 16][COLUMNS / 8][4];

  LUMC_MEMBER void clear() {
#pragma unroll
    for (int i = 0; i < ROWS / 16; ++i) {
#pragma unroll
      for (int j = 0; j < COLUMNS / 8; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) sums[i][j][e] = 0.0f;
      }
    }
  }

  /* The row of the right operand's tile that holds column n of the workgroup's, and back. */
  static LUMC_MEMBER int place_of(int n) {
    const int own = n % COLUMNS;
    return n - own + own % LANE_COLUMNS / 2 * 8 + own / LANE_COLUMNS * 2 + own % 2;
  }
  static LUMC_MEMBER int column_of(int place) {
    const int own = place % COLUMNS;
    return place - own + own / 2 % 4 * LANE_COLUMNS + own / 8 * 2 + own % 2;
  }

  /* The i-th row and the first column of this lane, in the wave's tile. */
  static LUMC_MEMBER int lane_row(int i) { return i * 8 + thread() % 32 / 4; }
  static LUMC_MEMBER int lane_column() { return thread() % 4 * LANE_COLUMNS; }

  LUMC_MEMBER float at(int i, int column) const {
    return sums[i / 2][column / 2][i % 2 * 2 + column % 2];
  }
  LUMC_MEMBER void set(int i, int column, float value) {
    sums[i / 2][column / 2][i % 2 * 2 + column % 2] = value;
  }

  LUMC_MEMBER void scale_row(int i, float factor) {
#pragma unroll
    for (int column = 0; column < LANE_COLUMNS; ++column) set(i, column, at(i, column) * factor);
  }

  /* `value` of the four lanes that share a row, reduced. */
  template <class Op>
  static LUMC_MEMBER float reduce_row(float value, Op op) {
    return reduce_lanes<4>(value, op);
  }

  /* Adds the product of the wave's rows of the two tiles, each given by its first row. */
  LUMC_MEMBER void add_product(const T* left, const T* right) {
    const int row = thread() % 8, low = thread() / 8 % 2, high = thread() / 16 % 2;
#pragma unroll
    for (int slice = 0; slice < CHUNKS; slice += 2) {
      unsigned a[ROWS / 16][4], b[COLUMNS / 16][4];
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) {
        load_matrices(a[i], chunk(left, i * 16 + low * 8 + row, slice + high));
      }
#pragma unroll
      for (int j = 0; j < COLUMNS / 16; ++j) {
        load_matrices(b[j], chunk(right, j * 16 + high * 8 + row, slice + low));
      }
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) {
#pragma unroll
        for (int j = 0; j < COLUMNS / 8; ++j) {
          multiply_add(T(), a[i], b[j / 2] + j % 2 * 2, sums[i][j]);
        }
      }
    }
  }

 private:
  static LUMC_MEMBER const T* chunk(const T* tile, int row, int number) {
    return tile + chunk_place<CHUNKS>(row, number) * CHUNK<T>;
  }
};

template <int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile<bf16, ROWS, COLUMNS, DEPTH> : CoreTile<bf16, ROWS, COLUMNS, DEPTH> {};
template <int ROWS, int COLUMNS, int DEPTH>
struct MatrixTile<f16, ROWS, COLUMNS, DEPTH> : CoreTile<f16, ROWS, COLUMNS, DEPTH> {};

}  // namespace lumc
