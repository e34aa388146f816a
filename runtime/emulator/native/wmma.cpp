// Matrix products of gfx11, 16 x 16 x 16 over the 32 lanes of a wave.
//
// Lane l holds row l mod 16 of A and column l mod 16 of B, sixteen elements in consecutive
// registers; both halves of the wave hold the same. Register r of C and D holds row
// 2 r + floor(l / 16), column l mod 16.
#include <string>

#include "lanes.hpp"

namespace lumc::emulator {

namespace {

constexpr int kSize = 16, kWaveLanes = 32;
enum Signs : u8 { kSignedA = 1, kSignedB = 2 };

float float_element(const u32 (*rows)[kLanes], Element element, int lane, int k) {
  const u32 half = rows[k / 2][lane] >> 16 * (k & 1) & 0xffff;
  return element == Element::bf16 ? bfloat_to_float(half) : to_float(Half{static_cast<u16>(half)});
}

i32 integer_element(const u32 (*rows)[kLanes], bool four_bits, bool is_signed, int lane, int k) {
  const int bits = four_bits ? 4 : 8, each = 32 / bits;
  const u32 raw = rows[k / each][lane] << (32 - bits - bits * (k % each));
  return is_signed ? static_cast<i32>(raw) >> (32 - bits) : static_cast<i32>(raw >> (32 - bits));
}

// Registers of the sources and the destination, and whether every lane of them holds a value.
struct Registers {
  const u32 (*a)[kLanes];
  const u32 (*b)[kLanes];
  u64 defined = kAllLanes;
};

u64 all_defined(const Wave& w, const Operand& o) {
  u64 defined = kAllLanes;
  for (int k = 0; o.is_vector() && k < o.dwords; ++k) defined &= w.defined[o.index + k];
  return defined;
}

Registers sources(const Wave& w, const Instruction& i) {
  Registers r{&w.vector[i.source[0].index], &w.vector[i.source[1].index]};
  const u64 wave = (u64{1} << kWaveLanes) - 1;
  for (int k = 0; k < 2; ++k) {
    if ((all_defined(w, i.source[k]) & wave) != wave) r.defined = 0;
  }
  r.defined &= all_defined(w, i.source[2]);
  return r;
}

u32 addend(const Wave& w, const Instruction& i, int r, int lane) {
  return i.source[2].is_vector() ? w.vector[i.source[2].index + r][lane]
                                 : static_cast<u32>(i.source[2].value);
}

void finish(Wave& w, const Instruction& i, u32 (*result)[kLanes], u64 defined) {
  const u64 wave = (u64{1} << kWaveLanes) - 1;
  for (int r = 0; r < 8; ++r) {
    const u32 to = i.destination.index + static_cast<u32>(r);
    for (int l = 0; l < kWaveLanes; ++l) w.vector[to][l] = result[r][l];
    set_defined(w, i, to, wave, defined);
  }
}

// Results of 16 bits fill one half of each register and leave the other.
void run_float(Wave& w, const Instruction& i) {
  const Registers s = sources(w, i);
  const bool half_result = is_half(i.result_type), upper = i.op_sel & 4;
  const Element result_element = i.matrix.a;
  float a[kSize][kSize], b[kSize][kSize];
  for (int lane = 0; lane < kSize; ++lane) {
    for (int k = 0; k < kSize; ++k) {
      a[lane][k] = float_element(s.a, i.matrix.a, lane, k);
      b[k][lane] = float_element(s.b, i.matrix.b, lane, k);
    }
  }
  u32 result[8][kLanes];
  for (int row = 0; row < kSize; ++row) {
    float sum[kSize];
    const int r = row / 2, first = row % 2 * kSize;
    for (int column = 0; column < kSize; ++column) {
      const u32 bits = addend(w, i, r, first + column);
      const u32 half = upper ? bits >> 16 : bits & 0xffff;
      if (!half_result)
        sum[column] = bit_cast<float>(bits);
      else if (result_element == Element::bf16)
        sum[column] = bfloat_to_float(half);
      else
        sum[column] = to_float(Half{static_cast<u16>(half)});
    }
    for (int k = 0; k < kSize; ++k) {
      for (int column = 0; column < kSize; ++column) sum[column] += a[row][k] * b[k][column];
    }
    for (int column = 0; column < kSize; ++column) {
      u32& to = result[r][first + column];
      if (!half_result) {
        to = bit_cast<u32>(sum[column]);
        continue;
      }
      const u32 half = result_element == Element::bf16 ? float_to_bfloat(sum[column]) & 0xffff
                                                       : u32{to_half(sum[column]).bits};
      const u32 old = w.vector[i.destination.index + static_cast<u32>(r)][first + column];
      to = upper ? (old & 0xffff) | half << 16 : (old & 0xffff0000u) | half;
    }
  }
  finish(w, i, result, s.defined);
}

void run_integer(Wave& w, const Instruction& i) {
  const Registers s = sources(w, i);
  const bool four_bits = i.operation;
  u32 result[8][kLanes];
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column) {
      const int r = row / 2, lane = row % 2 * kSize + column;
      i64 sum = static_cast<i32>(addend(w, i, r, lane));
      for (int k = 0; k < kSize; ++k) {
        sum += i64{integer_element(s.a, four_bits, i.neg_lo & kSignedA, row, k)} *
               integer_element(s.b, four_bits, i.neg_lo & kSignedB, column, k);
      }
      const i64 limit = i64{1} << 31;
      if (i.clamp) sum = sum < -limit ? -limit : sum >= limit ? limit - 1 : sum;
      result[r][lane] = static_cast<u32>(sum);
    }
  }
  finish(w, i, result, s.defined);
}

void build_wmma(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4, "wrong number of operands");
  const int dwords = static_cast<int>(opcode.parameter[0]);
  i.operation = static_cast<u8>(opcode.parameter[1]);
  i.result_type = opcode.result;
  i.matrix.rows = i.matrix.columns = kSize;
  i.matrix.depth = kSize;
  i.matrix.a = i.matrix.b = static_cast<Element>(opcode.parameter[2]);
  i.destination = d.vector(line.operands[0], 8);
  i.source_count = 3;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.vector(line.operands[k + 1], dwords);
    add_read(i, i.source[k], dwords);
  }
  i.source[2] = d.operand(line.operands[3], Type::f32);
  add_read(i, i.source[2], 8);
  add_write(i, i.destination, 8);
  i.op_sel_hi = 0;
  d.read_vector_modifiers(line, i);
}

void add(OpcodeTable& t, const char* name, Handler handler, Type result, u32 dwords,
         Element element, bool four_bits = false) {
  Opcode opcode;
  opcode.build = build_wmma;
  opcode.handler = handler;
  opcode.kind = InstructionClass::mfma;
  opcode.result = result;
  opcode.parameter[0] = dwords;
  opcode.parameter[1] = four_bits;
  opcode.parameter[2] = static_cast<u32>(element);
  t.add(name, opcode);
}

}  // namespace

void add_wmma_opcodes(OpcodeTable& t) {
  add(t, "v_wmma_f32_16x16x16_f16", run_float, Type::f32, 8, Element::f16);
  add(t, "v_wmma_f32_16x16x16_bf16", run_float, Type::f32, 8, Element::bf16);
  add(t, "v_wmma_f16_16x16x16_f16", run_float, Type::f16, 8, Element::f16);
  add(t, "v_wmma_bf16_16x16x16_bf16", run_float, Type::f16, 8, Element::bf16);
  add(t, "v_wmma_i32_16x16x16_iu8", run_integer, Type::b32, 4, Element::i8);
  add(t, "v_wmma_i32_16x16x16_iu4", run_integer, Type::b32, 2, Element::i8, true);
}

}  // namespace lumc::emulator
