// Reads assembly text: what a compiler writes (with labels and .loc lines), or what
// llvm-objdump -d prints (with addresses behind the instructions).
#pragma once

#include <string_view>
#include <vector>

#include "opcodes.hpp"

namespace lumc::emulator {

enum class ItemKind : u8 { instruction, label, alignment };

struct Item {
  ItemKind kind;
  std::string_view text;  // the instruction without its comment, or the label's name
  u64 value;              // printed address (~0: none), or the alignment in bytes
  u32 line;
  u32 location;
};

// The code of `text`, in order; `locations` receives the places that .loc lines name.
std::vector<Item> read_assembly(std::string_view text, std::vector<Location>& locations);

// Takes an instruction apart into mnemonic, operands and modifiers.
Line split_line(std::string_view text);

std::string_view trim(std::string_view text);

}  // namespace lumc::emulator
