// Matrix instructions (MFMA): how their operands lie in registers, as section 7.1.4.2 of the
// "CDNA3 Instruction Set Architecture" manual says.
//
// Columns of B and D always lie in neighbouring lanes, so a row of D is a run of lanes of one
// register, and products accumulate in place.
#pragma once

#include "registers.hpp"

namespace lumc::emulator {

constexpr int kMaxDepth = 128, kMaxSide = 32;

// Elements of an operand as numbers, [depth][side].
template <class T>
using Tile = T[kMaxDepth * kMaxSide];

int element_bits(Element e);

// Elements of one operand held by a lane, and the lanes that hold one block's elements.
struct Layout {
  int side;  // rows of A or columns of B
  int blocks, per_lane, groups;
  Element element;
  bool split;  // 8-bit elements of the f8f6f4 forms come in two runs of 16

  // Where element `q` of the lanes of `group` stands along k.
  int depth_of(int group, int q) const {
    return split ? (q / 16 * groups + group) * 16 + q % 16 : group * per_lane + q;
  }
  int first_lane(int block, int group) const { return side * (block + blocks * group); }
};
Layout layout_of(const Matrix& m, bool is_a);

// Rows of an operand's registers; `own` holds those that are not registers as they are.
struct MatrixOperand {
  const u32* rows[16];
  Row own[16];
};
// Fetches A (operand 0) or B (1), whose lanes BLGP may rearrange. With `copy`, no row is shared
// with the registers.
void fetch_matrix(Wave& w, const Instruction& i, int which, bool copy, MatrixOperand& to);

// One block of an operand, as numbers.
template <class T>
void fill_tile(const Wave& w, const MatrixOperand& from, const Layout& layout, int block,
               Tile<T>& tile);

// Multiplies a tile of the f8f6f4 forms by its scales, a power of two for every 32 elements along
// k.
void apply_scales(Wave& w, const Instruction& i, int which, const Layout& layout,
                  Tile<float>& tile);

// The places of all rows of all blocks of D, for `Matrix::places`.
const Place* places_of(const Matrix& m);

// The block of A that block `block` of D takes (CBSZ and ABID).
int broadcast_block(const Matrix& m, int block);

// Marks what of D holds a value: an element does if its row of A and column of B do, and C.
void define_product(Wave& w, const Instruction& i);

template <class T>
void run_matrix(Wave& w, const Instruction& i);

}  // namespace lumc::emulator
