// A decoded program and everything about it that does not change while it runs.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "instruction.hpp"

namespace lumc::emulator {

// Constants are kept in every lane, so that lane loops read them as they read registers.
class ConstantRows {
 public:
  const u32* row(u32 value);

 private:
  struct alignas(64) Row {
    u32 lanes[kLanes];
  };
  std::unordered_map<u32, std::unique_ptr<Row>> rows_;
};

// A place in the generated source, and how it came to be inlined, as the compiler wrote it.
struct Location {
  std::string file, inlined;
  u32 line = 0, column = 0;
};

struct Symbol {
  std::string name;
  u64 address, size;
};

struct Program {
  const Target* target = nullptr;
  std::vector<std::unique_ptr<Instruction>> parts;  // of dual instructions
  std::vector<Instruction> instructions;  // the last one reports that control ran past the end
  std::vector<std::string> texts;
  std::vector<std::string> mnemonics;
  std::vector<Location> locations;
  ConstantRows constants;
  u64 code_begin = 0;
  std::vector<i32> index_of_word;  // (address - code_begin) / 4 -> instruction, or -1

  const Instruction* at(u64 address) const {
    const u64 word = (address - code_begin) / 4;
    if (address < code_begin || address % 4 || word >= index_of_word.size()) return nullptr;
    const i32 index = index_of_word[word];
    return index < 0 ? nullptr : &instructions[static_cast<std::size_t>(index)];
  }
};

}  // namespace lumc::emulator
