// The table of matrix instructions, and how they are decoded.
#include <algorithm>

#include "decoder.hpp"
#include "matrix.hpp"

namespace lumc::emulator {

namespace {

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
    if (const auto* negations = line.modifier("neg"))
      m.b_permutation = static_cast<u8>(bit_list(*negations));
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
    if (const auto* list = line.modifier("op_sel_hi"))
      i.op_sel_hi = static_cast<u8>(bit_list(*list));
  }
  add_write(i, i.destination, dwords);
  m.places = places_of(m);
}

struct Shape {
  int rows, columns, depth, blocks;
};

void add(OpcodeTable& t, const std::string& name, Shape s, Element a, Element b, u32 scaled = 0) {
  Opcode opcode;
  opcode.build = build_matrix;
  opcode.handler = a == Element::f64  ? run_matrix<double>
                   : a == Element::i8 ? run_matrix<i32>
                                      : run_matrix<float>;
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
void add_old_names(OpcodeTable& t, const char* result, const char* type, const char* suffix,
                   Element e, std::initializer_list<Shape> shapes) {
  for (const Shape& s : shapes) {
    add(t, std::string("v_mfma_") + result + "_" + dimensions(s) + type + suffix, s, e, e);
  }
}

// Names of gfx940 and later: f32_32x32x4_2b_f16.
void add_new_names(OpcodeTable& t, const char* result, const char* type, Element e,
                   std::initializer_list<Shape> shapes) {
  for (const Shape& s : shapes) {
    const std::string blocks = s.blocks > 1 ? "_" + std::to_string(s.blocks) + "b" : "";
    add(t, std::string("v_mfma_") + result + "_" + dimensions(s) + blocks + "_" + type, s, e, e);
  }
}

void add_gfx90a(OpcodeTable& t) {
  add_old_names(t, "f32", "f32", "", Element::f32,
                {{32, 32, 1, 2}, {16, 16, 1, 4}, {4, 4, 1, 16}, {32, 32, 2, 1}, {16, 16, 4, 1}});
  add_old_names(t, "f32", "f16", "", Element::f16,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f32", "bf16", "_1k", Element::bf16,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f32", "bf16", "", Element::bf16,
                {{32, 32, 2, 2}, {16, 16, 2, 4}, {4, 4, 2, 16}, {32, 32, 4, 1}, {16, 16, 8, 1}});
  add_old_names(t, "i32", "i8", "", Element::i8,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_old_names(t, "f64", "f64", "", Element::f64, {{16, 16, 4, 1}, {4, 4, 4, 4}});
}

void add_gfx940(OpcodeTable& t) {
  add_new_names(t, "f32", "f32", Element::f32,
                {{32, 32, 1, 2}, {16, 16, 1, 4}, {4, 4, 1, 16}, {32, 32, 2, 1}, {16, 16, 4, 1}});
  add_new_names(t, "f32", "f16", Element::f16,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_new_names(t, "f32", "bf16", Element::bf16,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 8, 1}, {16, 16, 16, 1}});
  add_new_names(t, "i32", "i8", Element::i8,
                {{32, 32, 4, 2}, {16, 16, 4, 4}, {4, 4, 4, 16}, {32, 32, 16, 1}, {16, 16, 32, 1}});
  add_new_names(t, "f64", "f64", Element::f64, {{16, 16, 4, 1}, {4, 4, 4, 4}});
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const std::string types = std::string(a ? "bf8" : "fp8") + (b ? "_bf8" : "_fp8");
      const Element ea = a ? Element::fp8_e5m2 : Element::fp8_e4m3,
                    eb = b ? Element::fp8_e5m2 : Element::fp8_e4m3;
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
    add(t, "v_mfma_scale_f32_" + dimensions(s) + "_f8f6f4", s, Element::fp8_e4m3, Element::fp8_e4m3,
        2);
  }
}

}  // namespace

void add_matrix_opcodes(OpcodeTable& t, const Target& target) {
  switch (target.architecture) {
    case Architecture::gfx90a: add_gfx90a(t); break;
    case Architecture::gfx942: add_gfx940(t); break;
    case Architecture::gfx950:
      add_gfx940(t);
      add_gfx950(t);
      break;
    case Architecture::gfx1100: break;
  }
}

}  // namespace lumc::emulator
