// Elements of matrix operands, as numbers.
#include <type_traits>

#include "formats.hpp"
#include "matrix.hpp"

namespace lumc::emulator {

namespace {

float fp6_or_fp4(u32 bits, Element e) {
  // sign, exponent and mantissa of the OCP microscaling formats; none has infinities or NaN.
  const int mantissa_bits = e == Element::fp6_e2m3 ? 3 : e == Element::fp6_e3m2 ? 2 : 1;
  const int exponent_bits = e == Element::fp6_e3m2 ? 3 : 2, bias = e == Element::fp6_e3m2 ? 3 : 1;
  const u32 mantissa = bits & ((1u << mantissa_bits) - 1);
  const u32 exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
  const bool negative = bits >> (mantissa_bits + exponent_bits) & 1;
  const float significand =
      static_cast<float>(exponent ? mantissa + (1u << mantissa_bits) : mantissa);
  const float value =
      std::ldexp(significand, (exponent ? static_cast<int>(exponent) : 1) - bias - mantissa_bits);
  return negative ? -value : value;
}

// One run of `side` lanes: element q of each, as numbers.
void convert_run(const MatrixOperand& from, const Layout& layout, int lane, int q, bool flush_small,
                 float* to) {
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
        to[l] = to_float(flush_small && !(half.bits & 0x7c00)
                             ? Half{static_cast<u16>(half.bits & 0x8000)}
                             : half);
      }
      return;
    }
    case Element::fp6_e2m3:
    case Element::fp6_e3m2:
    case Element::fp4_e2m1: {
      const int bits = element_bits(layout.element), first = q * bits;
      for (int l = 0; l < side; ++l) {
        u32 value = from.rows[first / 32][lane + l] >> first % 32;
        if (first % 32 + bits > 32)
          value |= from.rows[first / 32 + 1][lane + l] << (32 - first % 32);
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

void convert_fp8_run(const MatrixOperand& from, int side, int lane, int q, const float* table,
                     float* to) {
  const u32* row = from.rows[q / 4] + lane;
  for (int l = 0; l < side; ++l) to[l] = table[row[l] >> 8 * (q % 4) & 0xff];
}

const float* fp8_values(const Wave& w, Element e) {
  const bool ocp = w.worker->program->target->fp8_is_ocp;
  if (e == Element::fp8_e4m3) return fp8_table(ocp ? Fp8::e4m3_ocp : Fp8::e4m3_fnuz);
  if (e == Element::fp8_e5m2) return fp8_table(ocp ? Fp8::e5m2_ocp : Fp8::e5m2_fnuz);
  return nullptr;
}

float scale_value(u32 byte) {
  return byte == 255 ? std::numeric_limits<float>::quiet_NaN()
                     : std::ldexp(1.f, static_cast<int>(byte) - 127);
}

}  // namespace

template <class T>
void fill_tile(const Wave& w, const MatrixOperand& from, const Layout& layout, int block,
               Tile<T>& tile) {
  const bool flush_small = w.worker->program->target->architecture == Architecture::gfx90a;
  const float* table = fp8_values(w, layout.element);
  for (int group = 0; group < layout.groups; ++group) {
    const int lane = layout.first_lane(block, group);
    for (int q = 0; q < layout.per_lane; ++q) {
      T* to = tile + layout.depth_of(group, q) * layout.side;
      if constexpr (std::is_same_v<T, float>) {
        if (table)
          convert_fp8_run(from, layout.side, lane, q, table, to);
        else
          convert_run(from, layout, lane, q, flush_small, to);
      } else if constexpr (std::is_same_v<T, i32>) {
        const u32* row = from.rows[q / 4] + lane;
        for (int l = 0; l < layout.side; ++l) to[l] = static_cast<i8>(row[l] >> 8 * (q % 4));
      } else {
        for (int l = 0; l < layout.side; ++l) {
          to[l] =
              bit_cast<double>(join(from.rows[2 * q][lane + l], from.rows[2 * q + 1][lane + l]));
        }
      }
    }
  }
}

template void fill_tile<float>(const Wave&, const MatrixOperand&, const Layout&, int, Tile<float>&);
template void fill_tile<double>(const Wave&, const MatrixOperand&, const Layout&, int,
                                Tile<double>&);
template void fill_tile<i32>(const Wave&, const MatrixOperand&, const Layout&, int, Tile<i32>&);

void apply_scales(Wave& w, const Instruction& i, int which, const Layout& layout,
                  Tile<float>& tile) {
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

}  // namespace lumc::emulator
