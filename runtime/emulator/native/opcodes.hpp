// The table of instructions: each family adds its own, under the mnemonic without its encoding
// suffix (_e32, _e64, _dpp, _sdwa).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program.hpp"

namespace lumc::emulator {

// One instruction as written: operands and modifiers still text.
struct Line {
  std::string_view mnemonic;  // without suffix
  std::string_view suffix;    // e32, e64, dpp, sdwa, e64_dpp or empty
  std::string_view rest;      // everything behind the mnemonic
  std::vector<std::string_view> operands;
  std::vector<std::pair<std::string_view, std::string_view>> modifiers;  // key, value or empty

  const std::string_view* modifier(std::string_view key) const {
    for (const auto& [name, value] : modifiers) {
      if (name == key) return &value;
    }
    return nullptr;
  }
  bool flag(std::string_view key) const { return modifier(key) != nullptr; }
};

// Why a line could not be decoded.
struct DecodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Decoder;
struct Opcode;
using Builder = void (*)(Decoder&, const Line&, const Opcode&, Instruction&);

struct Opcode {
  Builder build = nullptr;
  Handler handler = nullptr;
  const void* function = nullptr;      // a LaneFunction or a CompareFunction
  const void* without_ieee = nullptr;  // what replaces it while MODE.IEEE is clear
  Type result = Type::none;
  Type source[3] = {Type::none, Type::none, Type::none};
  InstructionClass kind = InstructionClass::valu;
  u32 parameter[4] = {0, 0, 0, 0};
  bool flag = false;
};

class OpcodeTable {
 public:
  void add(std::string name, const Opcode& opcode) { opcodes_[std::move(name)] = opcode; }
  void alias(std::string name, const std::string& existing) {
    opcodes_[std::move(name)] = opcodes_.at(existing);
  }
  const Opcode* find(std::string_view name) const {
    const auto found = opcodes_.find(std::string(name));
    return found == opcodes_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const;

 private:
  std::unordered_map<std::string, Opcode> opcodes_;
};

// All instructions of a target.
const OpcodeTable& opcodes_of(const Target& target);

void add_float_opcodes(OpcodeTable&);
void add_double_opcodes(OpcodeTable&);
void add_half_opcodes(OpcodeTable&);
void add_integer_opcodes(OpcodeTable&);
void add_conversion_opcodes(OpcodeTable&, const Target&);
void add_packed_opcodes(OpcodeTable&);
void add_dot_opcodes(OpcodeTable&);
void add_compare_opcodes(OpcodeTable&);
void add_carry_opcodes(OpcodeTable&);
void add_cross_lane_opcodes(OpcodeTable&);
void add_scalar_opcodes(OpcodeTable&);
void add_control_opcodes(OpcodeTable&);
void add_scalar_memory_opcodes(OpcodeTable&);
void add_global_opcodes(OpcodeTable&);
void add_buffer_opcodes(OpcodeTable&);
void add_scratch_opcodes(OpcodeTable&);
void add_lds_opcodes(OpcodeTable&, const Target&);
void add_matrix_opcodes(OpcodeTable&, const Target&);
// New instructions of gfx11, and the names that it gives to older ones.
void add_gfx11_opcodes(OpcodeTable&);
void add_wmma_opcodes(OpcodeTable&);
void add_dual_opcode(OpcodeTable&);

}  // namespace lumc::emulator
