// What builders use to turn operands and modifiers into a record.
#pragma once

#include "opcodes.hpp"

namespace lumc::emulator {

class Decoder {
 public:
  explicit Decoder(Program& program) : program_(program) {}

  Program& program() { return program_; }
  const Target& target() const { return *program_.target; }

  // The literal at the end of the encoding, for operands that name a symbol.
  void set_literal(bool present, u32 value) {
    has_literal_ = present;
    literal_ = value;
  }

  // An operand, its constants in the format of `type`, `dwords` registers wide (0: as written).
  Operand operand(std::string_view text, Type type, int dwords = 0);
  Operand vector(std::string_view text, int dwords = 0);
  Operand scalar(std::string_view text, int dwords = 0);
  // An operand that may be `off`; then it is absent.
  Operand optional(std::string_view text, Type type, int dwords);
  i64 integer(std::string_view text) const;

  // Scalar registers that a lane mask fills.
  int mask_dwords() const { return target().lanes / 32; }

  // Modifiers common to the families.
  void read_offsets(const Line& line, Instruction& i) const;
  void read_vector_modifiers(const Line& line, Instruction& i);

  // The lanes of a constant, in every row that an operand of `type` needs.
  void spread(Operand& o);

 private:
  bool register_operand(std::string_view text, Operand& o) const;
  bool constant_operand(std::string_view text, Type type, Operand& o) const;

  Program& program_;
  bool has_literal_ = false;
  u32 literal_ = 0;
};

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}
inline bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// A decimal or hexadecimal number, perhaps negative; false if the text is none.
bool parse_integer(std::string_view text, i64& value);

// Bits of a list like [0,1,1], the first the lowest.
u32 bit_list(std::string_view text);
int list_length(std::string_view text);

void require(bool condition, const char* what);

// Records what an instruction reads and writes. Call reads before writes.
void add_read(Instruction& i, const Operand& o, int dwords);
void add_write(Instruction& i, const Operand& o, int dwords);

}  // namespace lumc::emulator
