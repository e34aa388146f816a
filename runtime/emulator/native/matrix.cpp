// Matrix products.
//
// Products are exact, and added in order of k with one rounding each (fused multiply-add). Chips
// may add in another order; results then differ in the last bits. EXEC is ignored.
#include "matrix.hpp"

#include <type_traits>

#include "formats.hpp"

namespace lumc::emulator {

namespace {

inline float accumulate(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double accumulate(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline i32 accumulate(i32 a, i32 b, i32 c) {
  return static_cast<i32>(static_cast<u32>(a) * static_cast<u32>(b) + static_cast<u32>(c));
}

template <class T, int Columns>
void multiply_rows(const T* a, int rows, const T* b, int depth, T* const* d) {
  for (int i = 0; i < rows; ++i) {
    T sum[Columns];
    for (int j = 0; j < Columns; ++j) sum[j] = d[i][j];
    for (int k = 0; k < depth; ++k) {
      const T factor = a[k * rows + i];
      const T* row = b + k * Columns;
      for (int j = 0; j < Columns; ++j) sum[j] = accumulate(factor, row[j], sum[j]);
    }
    for (int j = 0; j < Columns; ++j) d[i][j] = sum[j];
  }
}

template <class T>
void multiply(const Matrix& m, const T* a, const T* b, T* const* d) {
  switch (m.columns) {
    case 32: multiply_rows<T, 32>(a, m.rows, b, m.depth, d); break;
    case 16: multiply_rows<T, 16>(a, m.rows, b, m.depth, d); break;
    default: multiply_rows<T, 4>(a, m.rows, b, m.depth, d); break;
  }
}

// Copies C to D. They may be overlapping registers (compilers do that for four-register results):
// as with memmove, the end of C that D covers is copied first.
void copy_addend(Wave& w, const Instruction& i) {
  const Operand& c = i.source[2];
  const u32 to = i.destination.index, dwords = i.destination.dwords;
  const bool from_last = c.is_vector() && to > c.index, wide = i.matrix.a == Element::f64;
  Row scratch;
  for (u32 step = 0; step < dwords; ++step) {
    const u32 r = from_last ? dwords - 1 - step : step;
    const u32* row = c.kind == OperandKind::constant ? c.row[wide ? r % 2 : 0]
                                                     : row_of(w, c, static_cast<int>(r), scratch);
    if (row != w.vector[to + r]) copy_row(w.vector[to + r], row);
  }
}

// Doubles lie in two registers; they are multiplied in an array of their own.
using Doubles = double[8][kLanes];

void join_doubles(const Wave& w, const Instruction& i, bool negate, Doubles& to) {
  const u32(*rows)[kLanes] = &w.vector[i.destination.index];
  for (u32 item = 0; item < i.destination.dwords / 2u; ++item) {
    for (int l = 0; l < kLanes; ++l) {
      const double value = bit_cast<double>(join(rows[2 * item][l], rows[2 * item + 1][l]));
      to[item][l] = negate ? -value : value;
    }
  }
}

void split_doubles(const Doubles& from, Wave& w, const Instruction& i) {
  u32(*rows)[kLanes] = &w.vector[i.destination.index];
  for (u32 item = 0; item < i.destination.dwords / 2u; ++item) {
    for (int l = 0; l < kLanes; ++l) {
      const u64 bits = bit_cast<u64>(from[item][l]);
      rows[2 * item][l] = static_cast<u32>(bits);
      rows[2 * item + 1][l] = static_cast<u32>(bits >> 32);
    }
  }
}

// gfx90a flushes subnormal results of half and bfloat16 products (and their sources, see
// fill_tile), as AMD's notes on its training precision say.
void flush_product(Wave& w, const Instruction& i) {
  const bool narrow = i.matrix.a == Element::f16 || i.matrix.a == Element::bf16;
  if (!narrow || w.worker->program->target->architecture != Architecture::gfx90a) return;
  for (u32 r = 0; r < i.destination.dwords; ++r) {
    u32* row = w.vector[i.destination.index + r];
    LUMC_FOR_LANES(l) row[l] = bit_cast<u32>(flush(bit_cast<float>(row[l])));
  }
}

// For doubles BLGP says which of A, B and C are negated.
bool negates_product(const Matrix& m) { return (m.b_permutation ^ m.b_permutation >> 1) & 1; }
bool negates_addend(const Matrix& m) { return m.b_permutation >> 2 & 1; }

}  // namespace

template <class T>
void run_matrix(Wave& w, const Instruction& i) {
  const Matrix& m = i.matrix;
  const Layout la = layout_of(m, true), lb = layout_of(m, false);
  MatrixOperand a, b;
  alignas(64) Tile<T> ta, tb;
  const auto fill = [&](int block) {
    fill_tile<T>(w, a, la, broadcast_block(m, block), ta);
    fill_tile<T>(w, b, lb, block, tb);
  };
  // D may be the registers of A or B: their elements are taken out before it is written, at once
  // where there is one block.
  fetch_matrix(w, i, 0, m.blocks > 1, a);
  fetch_matrix(w, i, 1, m.blocks > 1, b);
  fill(0);
  if constexpr (std::is_same_v<T, float>) {
    apply_scales(w, i, 0, la, ta);
    apply_scales(w, i, 1, lb, tb);
  }
  define_product(w, i);
  copy_addend(w, i);
  alignas(64) Doubles doubles;
  if constexpr (std::is_same_v<T, double>) join_doubles(w, i, negates_addend(m), doubles);
  for (int block = 0; block < m.blocks; ++block) {
    if (block > 0) fill(block);
    if constexpr (std::is_same_v<T, double>) {
      if (negates_product(m)) {
        for (int k = 0; k < m.depth * m.columns; ++k) tb[k] = -tb[k];
      }
    }
    T* rows[kMaxSide];
    for (int row = 0; row < m.rows; ++row) {
      const Place place = m.places[block * m.rows + row];
      if constexpr (std::is_same_v<T, double>)
        rows[row] = doubles[place.item] + place.lane;
      else
        rows[row] = reinterpret_cast<T*>(w.vector[i.destination.index + place.item] + place.lane);
    }
    multiply<T>(m, ta, tb, rows);
  }
  if constexpr (std::is_same_v<T, double>) split_doubles(doubles, w, i);
  if constexpr (std::is_same_v<T, float>) flush_product(w, i);
}

template void run_matrix<float>(Wave&, const Instruction&);
template void run_matrix<double>(Wave&, const Instruction&);
template void run_matrix<i32>(Wave&, const Instruction&);

}  // namespace lumc::emulator
