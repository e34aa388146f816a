// Lengths of machine instructions. The text says what an instruction does; the bytes say where
// the next one begins and what literal the linker filled in.
#pragma once

#include "instruction.hpp"

namespace lumc::emulator {

struct Encoding {
  u32 size;          // bytes
  bool has_literal;  // the last dword is a 32-bit literal
};

Encoding encoding_at(const u8* code, u64 available, Architecture architecture);

}  // namespace lumc::emulator
