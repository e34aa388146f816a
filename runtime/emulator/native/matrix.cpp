// Matrix instructions (MFMA). Registers are laid out as section 7.1.4.2 of the "CDNA3 Instruction
// Set Architecture" manual says; columns of B and D always lie in neighbouring lanes, so a row of
// D is a run of lanes of one register and products accumulate in place.
//
// Products are exact, and added in order of k with one rounding each (fused multiply-add). Chips
// may add in another order; results then differ in the last bits. Matrix instructions ignore EXEC.
#include <algorithm>
#include <type_traits>

#include "decoder.hpp"
#include "formats.hpp"
#include "registers.hpp"

namespace lumc::emulator {

namespace {

constexpr int kMaxDepth = 128, kMaxSide = 32;

int element_bits(Element e) {
  switch (e) {
    case Element::f64: return 64;
    case Element::f32: return 32;
    case Element::f16:
    case Element::bf16: return 16;
    case Element::fp6_e2m3:
    case Element::fp6_e3m2: return 6;
    case Element::fp4_e2m1: return 4;
    default: return 8;
  }
}

// ---- element formats

float fp6_or_fp4(u32 bits, Element e) {
  // sign, exponent and mantissa of the OCP microscaling formats; none has infinities or NaN.
  const int mantissa_bits = e == Element::fp6_e2m3 ? 3 : e == Element::fp6_e3m2 ? 2 : 1;
  const int exponent_bits = e == Element::fp6_e3m2 ? 3 : 2, bias = e == Element::fp6_e3m2 ? 3 : 1;
  const u32 mantissa = bits & ((1u << mantissa_bits) - 1);
  const u32 exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
  const bool negative = bits >> (mantissa_bits + exponent_bits) & 1;
  const float significand = static_cast<float>(exponent ? mantissa + (1u << mantissa_bits) : mantissa);
  const float value = std::ldexp(significand, (exponent ? static_cast<int>(exponent) : 1) - bias - mantissa_bits);
  return negative ? -value : value;
}

// ---- operands

// Rows of an operand's registers; B's lanes may be rearranged by BLGP, scalars are spread out.
struct MatrixOperand {
  const u32* rows[16];
  Row own[16];
};

int permuted_lane(int pattern, int l) {
  switch (pattern) {
    case 1: return l & 31;
    case 2: return (l & 31) | 32;
    case 3: return (l + 16) & 63;
    default: return pattern >= 4 ? (l & 15) | (pattern - 4) << 4 : l;
  }
}

void fetch(Wave& w, const Operand& o, int dwords, int pattern, MatrixOperand& to) {
  for (int r = 0; r < dwords; ++r) {
    to.rows[r] = row_of(w, o, o.kind == OperandKind::constant ? 0 : r, to.own[r]);
    if (!pattern) continue;
    const u32* from = to.rows[r];
    Row moved;
    for (int l = 0; l < kLanes; ++l) moved.lanes[l] = from[permuted_lane(pattern, l)];
    to.own[r] = moved;
    to.rows[r] = to.own[r].lanes;
  }
}

// Elements of one operand held by a lane, and the lanes that hold one block's elements.
struct Layout {
  int side;    // rows of A or columns of B
  int blocks, per_lane, groups;
  Element element;
  bool split;  // 8-bit elements of the f8f6f4 forms come in two runs of 16

  int depth_of(int group, int q) const {
    return split ? (q / 16 * groups + group) * 16 + q % 16 : group * per_lane + q;
  }
};

Layout layout_of(const Matrix& m, bool is_a) {
  const int side = is_a ? m.rows : m.columns;
  const int groups = kLanes / (side * m.blocks);
  const Element element = is_a ? m.a : m.b;
  return {side, m.blocks, m.depth / groups, groups, element, m.scaled && element_bits(element) == 8};
}

template <class T>
using Tile = T[kMaxDepth * kMaxSide];

// One run of `side` lanes: element q of each, as numbers.
void convert_run(const MatrixOperand& from, const Layout& layout, int lane, int q, bool flush_small, float* to) {
  const int side = layout.side;
  switch (layout.element) {
    case Element::f32: {
      std::memcpy(to, from.rows[q] + lane, static_cast<std::size_t>(side) * 4);
      return;
    }
    case Element::bf16: {
      const u32* row = from.rows[q / 2] + lane;
      const int shift = q % 2 ? 0 : 16;
      for (int l = 0; l < side; ++l) to[l] = bit_cast<float>(row[l] << shift & 0xffff0000u);
      break;
    }
    case Element::f16: {
      const u32* row = from.rows[q / 2] + lane;
      const int shift = q % 2 ? 16 : 0;
      for (int l = 0; l < side; ++l) {
        const Half half{static_cast<u16>(row[l] >> shift)};
        to[l] = to_float(flush_small && !(half.bits & 0x7c00) ? Half{static_cast<u16>(half.bits & 0x8000)} : half);
      }
      return;
    }
    case Element::fp6_e2m3:
    case Element::fp6_e3m2:
    case Element::fp4_e2m1: {
      const int bits = element_bits(layout.element), first = q * bits;
      for (int l = 0; l < side; ++l) {
        u32 value = from.rows[first / 32][lane + l] >> first % 32;
        if (first % 32 + bits > 32) value |= from.rows[first / 32 + 1][lane + l] << (32 - first % 32);
        to[l] = fp6_or_fp4(value & ((1u << bits) - 1), layout.element);
      }
      return;
    }
    default: break;
  }
  if (flush_small && layout.element == Element::bf16) {
    for (int l = 0; l < side; ++l) to[l] = flush(to[l]);
  }
}

void convert_fp8_run(const MatrixOperand& from, int side, int lane, int q, const float* table, float* to) {
  const u32* row = from.rows[q / 4] + lane;
  for (int l = 0; l < side; ++l) to[l] = table[row[l] >> 8 * (q % 4) & 0xff];
}

const float* fp8_values(const Wave& w, Element e) {
  const bool ocp = w.worker->program->target->fp8_is_ocp;
  if (e == Element::fp8_e4m3) return fp8_table(ocp ? Fp8::e4m3_ocp : Fp8::e4m3_fnuz);
  if (e == Element::fp8_e5m2) return fp8_table(ocp ? Fp8::e5m2_ocp : Fp8::e5m2_fnuz);
  return nullptr;
}

template <class T>
void fill_tile(Wave& w, const MatrixOperand& from, const Layout& layout, int block, Tile<T>& tile) {
  const bool flush_small = w.worker->program->target->architecture == Architecture::gfx90a;
  const float* table = fp8_values(w, layout.element);
  for (int group = 0; group < layout.groups; ++group) {
    const int lane = layout.side * (block + layout.blocks * group);
    for (int q = 0; q < layout.per_lane; ++q) {
      T* to = tile + layout.depth_of(group, q) * layout.side;
      if constexpr (std::is_same_v<T, float>) {
        if (table) convert_fp8_run(from, layout.side, lane, q, table, to);
        else convert_run(from, layout, lane, q, flush_small, to);
      } else if constexpr (std::is_same_v<T, i32>) {
        const u32* row = from.rows[q / 4] + lane;
        for (int l = 0; l < layout.side; ++l) to[l] = static_cast<i8>(row[l] >> 8 * (q % 4));
      } else {
        for (int l = 0; l < layout.side; ++l) {
          to[l] = bit_cast<double>(join(from.rows[2 * q][lane + l], from.rows[2 * q + 1][lane + l]));
        }
      }
    }
  }
}

// ---- products

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

// Where row i of block `block` of D lies: element of the register list, and first lane.
struct Place {
  int item, lane;
};
Place place_of(const Matrix& m, int block, int i, int rows_together) {
  const int per_register = std::max(1, (kLanes * rows_together + m.columns * m.rows - 1) / (m.columns * m.rows));
  const int row_groups = kLanes / per_register / m.columns;
  const int items = m.rows / (rows_together * row_groups);
  return {i % rows_together + rows_together * (i / (rows_together * row_groups) + items * (block / per_register)),
          m.columns * (i / rows_together % row_groups + row_groups * (block % per_register))};
}

int broadcast_block(const Matrix& m, int block) {
  if (!m.broadcast_size) return block;
  return (block >> m.broadcast_size << m.broadcast_size) + m.broadcast_block;
}

// ---- definedness: a row of A and a column of B decide about an element of D

u64 operand_defined(const Wave& w, const Operand& o, int dwords, int pattern) {
  u64 defined = defined_lanes(w, o, dwords);
  if (!pattern || defined == kAllLanes) return defined;
  u64 moved = 0;
  for (int l = 0; l < kLanes; ++l) moved |= u64{bit(defined, permuted_lane(pattern, l))} << l;
  return moved;
}

u32 lines_defined(const Layout& layout, u64 lanes, int block) {
  u32 defined = layout.side == 32 ? ~0u : (1u << layout.side) - 1;
  for (int group = 0; group < layout.groups; ++group) {
    defined &= static_cast<u32>(lanes >> layout.side * (block + layout.blocks * group));
  }
  return defined;
}

void define_result(Wave& w, const Instruction& i, u64 a, u64 b, int rows_together, u32 dwords_per_item) {
  const Matrix& m = i.matrix;
  const u32 dwords = static_cast<u32>(i.destination.dwords);
  const Operand& c = i.source[2];
  u64 known[32];
  for (u32 r = 0; r < dwords; ++r) known[r] = c.is_vector() ? w.defined[c.index + r] : kAllLanes;
  bool complete = a == kAllLanes && b == kAllLanes;
  for (u32 r = 0; r < dwords; ++r) complete &= known[r] == kAllLanes;
  if (complete) {
    for (u32 r = 0; r < dwords; ++r) w.defined[i.destination.index + r] = kAllLanes;
    return;
  }
  const u32 origin = origin_of_sources(w, i);
  const Layout la = layout_of(m, true), lb = layout_of(m, false);
  for (int block = 0; block < m.blocks; ++block) {
    const u32 rows = lines_defined(la, a, broadcast_block(m, block)), columns = lines_defined(lb, b, block);
    for (int row = 0; row < m.rows; ++row) {
      const Place place = place_of(m, block, row, rows_together);
      const u64 run = (m.columns == 32 ? u64{0xffffffff} : (u64{1} << m.columns) - 1) << place.lane;
      const u64 good = rows >> row & 1 ? u64{columns} << place.lane : 0;
      for (u32 part = 0; part < dwords_per_item; ++part) {
        known[static_cast<u32>(place.item) * dwords_per_item + part] &= ~run | good;
      }
    }
  }
  for (u32 r = 0; r < dwords; ++r) {
    w.defined[i.destination.index + r] = known[r];
    if (known[r] != kAllLanes) w.origin[i.destination.index + r] = origin;
  }
}

// ---- block scales of the f8f6f4 forms: a power of two for every 32 elements along k

float scale_value(u32 byte) {
  return byte == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.f, static_cast<int>(byte) - 127);
}

void apply_scales(Wave& w, const Instruction& i, int which, const Layout& layout, Tile<float>& tile) {
  const Operand& o = i.source[3 + which];
  if (!o.present()) return;
  Row scratch;
  const u32* row = row_of(w, o, 0, scratch);
  const int byte = (i.op_sel >> which & 1) | (i.op_sel_hi >> which & 1) << 1;
  for (int block = 0; block < i.matrix.depth / 32; ++block) {
    for (int side = 0; side < layout.side; ++side) {
      const float scale = scale_value(row[block * layout.side + side] >> 8 * byte & 0xff);
      for (int k = 32 * block; k < 32 * block + 32; ++k) tile[k * layout.side + side] *= scale;
    }
  }
}

// ---- the instruction

template <class T>
void run_matrix(Wave& w, const Instruction& i) {
  const Matrix& m = i.matrix;
  constexpr bool is_double = std::is_same_v<T, double>;
  const int rows_together = is_double ? 1 : 4;
  const int pattern = is_double || m.scaled ? 0 : m.b_permutation;
  const Layout la = layout_of(m, true), lb = layout_of(m, false);
  MatrixOperand a, b;
  fetch(w, i.source[0], i.source[0].dwords, 0, a);
  fetch(w, i.source[1], i.source[1].dwords, pattern, b);
  const u64 a_defined = operand_defined(w, i.source[0], i.source[0].dwords, 0);
  const u64 b_defined = operand_defined(w, i.source[1], i.source[1].dwords, pattern);
  const u32 to = i.destination.index, dwords = i.destination.dwords;
  alignas(64) Tile<T> ta, tb;
  alignas(64) T wide[is_double ? 8 : 1][kLanes];
  // The tiles of a single block are read before D is written, which may be the same registers.
  if (m.blocks == 1) {
    fill_tile<T>(w, a, la, 0, ta);
    fill_tile<T>(w, b, lb, 0, tb);
  }
  MatrixOperand held;
  if (m.blocks > 1) {  // D may overlap A or B only where the manual forbids it; keep copies all the same
    for (int r = 0; r < i.source[0].dwords; ++r) { copy_row(held.own[r].lanes, a.rows[r]); a.rows[r] = held.own[r].lanes; }
    for (int r = 0; r < i.source[1].dwords; ++r) { copy_row(b.own[r].lanes, b.rows[r]); b.rows[r] = b.own[r].lanes; }
  }
  define_result(w, i, a_defined, b_defined, rows_together, is_double ? 2 : 1);
  Row scratch;
  // C and D may be overlapping registers (compilers do that for four-register results): as with
  // memmove, the end of C that D covers is copied first.
  const bool from_last = i.source[2].is_vector() && to > i.source[2].index;
  for (u32 step = 0; step < dwords; ++step) {
    const u32 r = from_last ? dwords - 1 - step : step;
    const Operand& c = i.source[2];
    const bool constant = c.kind == OperandKind::constant;
    const u32* row = constant ? c.row[is_double ? r % 2 : 0] : row_of(w, c, static_cast<int>(r), scratch);
    if (row != w.vector[to + r]) copy_row(w.vector[to + r], row);
  }
  if constexpr (is_double) {
    for (u32 item = 0; item < dwords / 2; ++item) {
      for (int l = 0; l < kLanes; ++l) {
        wide[item][l] = bit_cast<double>(join(w.vector[to + 2 * item][l], w.vector[to + 2 * item + 1][l]));
        if (m.b_permutation & 4) wide[item][l] = -wide[item][l];
      }
    }
  }
  for (int block = 0; block < m.blocks; ++block) {
    if (m.blocks > 1) {
      fill_tile<T>(w, a, la, broadcast_block(m, block), ta);
      fill_tile<T>(w, b, lb, block, tb);
    }
    if constexpr (std::is_same_v<T, float>) {
      apply_scales(w, i, 0, la, ta);
      apply_scales(w, i, 1, lb, tb);
    }
    if constexpr (is_double) {  // BLGP negates A, B and C
      if ((m.b_permutation ^ m.b_permutation >> 1) & 1) {
        for (int k = 0; k < m.depth * m.columns; ++k) tb[k] = -tb[k];
      }
    }
    T* rows[kMaxSide];
    for (int row = 0; row < m.rows; ++row) {
      const Place place = place_of(m, block, row, rows_together);
      if constexpr (is_double) rows[row] = wide[place.item] + place.lane;
      else rows[row] = reinterpret_cast<T*>(w.vector[to + static_cast<u32>(place.item)] + place.lane);
    }
    multiply<T>(m, ta, tb, rows);
  }
  if constexpr (is_double) {
    for (u32 item = 0; item < dwords / 2; ++item) {
      for (int l = 0; l < kLanes; ++l) {
        const u64 bits = bit_cast<u64>(wide[item][l]);
        w.vector[to + 2 * item][l] = static_cast<u32>(bits);
        w.vector[to + 2 * item + 1][l] = static_cast<u32>(bits >> 32);
      }
    }
  }
  if constexpr (std::is_same_v<T, float>) {
    const bool narrow = m.a == Element::f16 || m.a == Element::bf16;
    if (narrow && w.worker->program->target->architecture == Architecture::gfx90a) {
      for (u32 r = 0; r < dwords; ++r) {
        LUMC_FOR_LANES(l) w.vector[to + r][l] = bit_cast<u32>(flush(bit_cast<float>(w.vector[to + r][l])));
      }
    }
  }
}

// ---- decoding

Element f8f6f4_element(u32 code) {
  static constexpr Element kElements[] = {Element::fp8_e4m3, Element::fp8_e5m2, Element::fp6_e2m3,
                                          Element::fp6_e3m2, Element::fp4_e2m1};
  require(code < 5, "unknown matrix format");
  return kElements[code];
}

int operand_dwords(const Matrix& m, bool is_a) {
  const Layout layout = layout_of(m, is_a);
  return std::max(1, layout.per_lane * element_bits(layout.element) / 32);
}

void build_matrix(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  Matrix& m = i.matrix;
  m.rows = static_cast<u8>(opcode.parameter[0] & 255);
  m.columns = static_cast<u8>(opcode.parameter[0] >> 8 & 255);
  m.blocks = static_cast<u8>(opcode.parameter[0] >> 16);
  m.depth = static_cast<u16>(opcode.parameter[1]);
  m.a = static_cast<Element>(opcode.parameter[2] & 255);
  m.b = static_cast<Element>(opcode.parameter[2] >> 8 & 255);
  m.scaled = opcode.parameter[3] != 0;
  const bool has_scales = opcode.parameter[3] == 2;
  const auto number = [&](const char* key) {
    const auto* value = line.modifier(key);
    return value ? static_cast<u8>(d.integer(*value)) : u8{0};
  };
  if (m.scaled) {
    m.a = f8f6f4_element(number("cbsz"));
    m.b = f8f6f4_element(number("blgp"));
  } else {
    m.broadcast_size = number("cbsz");
    m.broadcast_block = number("abid");
    m.b_permutation = number("blgp");
    if (const auto* negations = line.modifier("neg")) m.b_permutation = static_cast<u8>(bit_list(*negations));
  }
  require(line.operands.size() == (has_scales ? 6u : 4u), "wrong number of operands");
  const bool is_double = m.a == Element::f64;
  const int dwords = m.rows * m.columns * m.blocks / kLanes * (is_double ? 2 : 1);
  i.destination = d.vector(line.operands[0], dwords);
  i.source_count = 3;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.vector(line.operands[k + 1], operand_dwords(m, k == 0));
    add_read(i, i.source[k], i.source[k].dwords);
  }
  const Type type = is_double ? Type::f64 : m.a == Element::i8 ? Type::b32 : Type::f32;
  i.source[2] = d.operand(line.operands[3], type, 0);
  if (i.source[2].is_vector()) require(i.source[2].dwords == dwords, "operand of the wrong width");
  add_read(i, i.source[2], dwords);
  if (has_scales) {
    for (std::size_t k = 3; k < 5; ++k) {
      i.source[k] = d.operand(line.operands[k + 1], Type::b32);
      add_read(i, i.source[k], 1);
    }
    i.op_sel_hi = 0;
    if (const auto* list = line.modifier("op_sel")) i.op_sel = static_cast<u8>(bit_list(*list));
    if (const auto* list = line.modifier("op_sel_hi")) i.op_sel_hi = static_cast<u8>(bit_list(*list));
  }
  add_write(i, i.destination, dwords);
}

struct Shape {
  int rows, columns, depth, blocks;
};

void add(OpcodeTable& t, const std::string& name, Shape s, Element a, Element b, u32 scaled = 0) {
  Opcode opcode;
  opcode.build = build_matrix;
  opcode.handler = a == Element::f64 ? run_matrix<double> : a == Element::i8 ? run_matrix<i32> : run_matrix<float>;
  opcode.kind = InstructionClass::mfma;
  opcode.parameter[0] = static_cast<u32>(s.rows | s.columns << 8 | s.blocks << 16);
  opcode.parameter[1] = static_cast<u32>(s.depth);
  opcode.parameter[2] = static_cast<u32>(a) | static_cast<u32>(b) << 8;
  opcode.parameter[3] = scaled;
  t.add(name, opcode);
}

std::string dimensions(const Shape& s) {
  return std::to_string(s.rows) + "x" + std::to_string(s.columns) + "x" + std::to_string(s.depth);
}

// Names of gfx90a: f32_32x32x8f16, with the block count left out.
void add_old_names(OpcodeTable& t, const char* result, const char* type, const char* suffix, Element e,
                   std::initializer_list<Shape> shapes) {
  for (const Shape& s : shapes) {
    add(t, std::string("v_mfma_") + result + "_" + dimensions(s) + type + suffix, s, e, e);
  }
}

// Names of gfx940 and later: f32_32x32x4_2b_f16.
void add_new_names(OpcodeTable& t, const char* result, const char* type, Element e, std::initializer_list<Shape> shapes) {
  for (const Shape& s : shapes) {
    const std::string blocks = s.blocks > 1 ? "_" + std::to_string(s.blocks) + "b" : "";
    add(t, std::string("v_mfma_") + result + "_" + dimensions(s) + blocks + "_" + type, s, e, e);
  }
}

void add_gfx90a(OpcodeTable& t) {
  add_old_names(t, "f32", "f32", "", Element::f32, {{32, 32, 1, 2}, {16, 16, 1, 4}, {4, 4, 1, 16}, {32, 32, 2, 1}, {16, 16, 4, 1}});
  add_old_names(t, "f32", "f16", "", Element::f16, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f32", "bf16", "_1k", Element::bf16, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f32", "bf16", "", Element::bf16, {{32, 32, 2, 2}, {16, 16, 2, 4}, {4, 4, 2, 16}, {32, 32, 4, 1}, {16, 16, 8, 1}});
  add_old_names(t, "i32", "i8", "", Element::i8, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f64", "f64", "", Element::f64, {{16, 16, 4, 1}, {4, 4, 4, 4}});
}

void add_gfx940(OpcodeTable& t) {
  add_new_names(t, "f32", "f32", Element::f32, {{32, 32, 1, 2}, {16, 16, 1, 4}, {4, 4, 1, 16}, {32, 32, 2, 1}, {16, 16, 4, 1}});
  add_new_names(t, "f32", "f16", Element::f16, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_new_names(t, "f32", "bf16", Element::bf16, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_new_names(t, "i32", "i8", Element::i8, {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 16, 1}, {16, 16, 32, 1}});
  add_new_names(t, "f64", "f64", Element::f64, {{16, 16, 4, 1}, {4, 4, 4, 4}});
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const std::string types = std::string(a ? "bf8" : "fp8") + (b ? "_bf8" : "_fp8");
      const Element ea = a ? Element::fp8_e5m2 : Element::fp8_e4m3, eb = b ? Element::fp8_e5m2 : Element::fp8_e4m3;
      add(t, "v_mfma_f32_16x16x32_" + types, {16, 16, 32, 1}, ea, eb);
      add(t, "v_mfma_f32_32x32x16_" + types, {32, 32, 16, 1}, ea, eb);
    }
  }
}

void add_gfx950(OpcodeTable& t) {
  add_new_names(t, "f32", "f16", Element::f16, {{16, 16, 32, 1}, {32, 32, 16, 1}});
  add_new_names(t, "f32", "bf16", Element::bf16, {{16, 16, 32, 1}, {32, 32, 16, 1}});
  add_new_names(t, "i32", "i8", Element::i8, {{16, 16, 64, 1}, {32, 32, 32, 1}});
  for (const Shape& s : {Shape{16, 16, 128, 1}, Shape{32, 32, 64, 1}}) {
    add(t, "v_mfma_f32_" + dimensions(s) + "_f8f6f4", s, Element::fp8_e4m3, Element::fp8_e4m3, 1);
    add(t, "v_mfma_scale_f32_" + dimensions(s) + "_f8f6f4", s, Element::fp8_e4m3, Element::fp8_e4m3, 2);
  }
}

}  // namespace

void add_matrix_opcodes(OpcodeTable& t, const Target& target) {
  switch (target.architecture) {
    case Architecture::gfx90a: add_gfx90a(t); break;
    case Architecture::gfx942: add_gfx940(t); break;
    case Architecture::gfx950: add_gfx940(t); add_gfx950(t); break;
    case Architecture::gfx1100: break;
  }
}

}  // namespace lumc::emulator
