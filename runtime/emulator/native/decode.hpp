// Turns assembly text and the code it belongs to into a program.
#pragma once

#include <string_view>

#include "program.hpp"

namespace lumc::emulator {

struct Code {
  const u8* bytes;
  u64 begin, size;              // address of the first byte in the loaded image
  u64 base;                     // where the image lies; disassemblers print addresses against 0
  std::vector<Symbol> symbols;  // functions
};

// Decodes into `program` (its target set). Returns what is wrong, a line for each instruction.
std::vector<std::string> decode_program(Program& program, std::string_view text, const Code& code);

u16 double_to_half_bits(double value);
void handle_end_of_text(Wave& w, const Instruction& i);

}  // namespace lumc::emulator
