// Places the instructions of a text in memory, decodes them, and finds the targets of branches.
#include "decoder.hpp"

#include <unordered_map>

#include "assembly.hpp"
#include "decode.hpp"
#include "encoding.hpp"

namespace lumc::emulator {

namespace {

class ProgramReader {
 public:
  ProgramReader(Program& program, const Code& code)
      : program_(program), code_(code), decoder_(program) {
    for (const Symbol& symbol : code.symbols) symbols_[symbol.name] = &symbol;
  }

  // Decodes `items`; what could not be decoded is returned, a line each.
  std::vector<std::string> read(const std::vector<Item>& items) {
    place(items);
    if (!errors_.empty()) return errors_;
    program_.instructions.resize(placed_.size() + 1);
    const OpcodeTable& opcodes = opcodes_of(*program_.target);
    for (std::size_t k = 0; k < placed_.size(); ++k) decode(opcodes, k);
    for (std::size_t k = 0; k < placed_.size(); ++k) resolve(k);
    add_end();
    return errors_;
  }

 private:
  struct Placed {
    const Item* item;
    u64 address;
    Encoding encoding;
  };

  // Gives every instruction its address, from symbols, printed addresses and encoded lengths.
  void place(const std::vector<Item>& items) {
    u64 address = code_.begin,
        end = code_.begin;  // where the next one begins; where the last ended
    const Symbol* function = nullptr;
    for (const Item& item : items) {
      if (item.kind == ItemKind::alignment) {
        address = (address + item.value - 1) / item.value * item.value;
        continue;
      }
      if (item.kind == ItemKind::label) {
        const auto known = symbols_.find(std::string(item.text));
        if (known != symbols_.end()) {
          check_end(function, end);
          function = known->second;
          address = end = function->address;
        }
        labels_[std::string(item.text)] = placed_.size();
        continue;
      }
      if (item.value != ~u64{0}) {
        address = code_.base + item.value;
        function = nullptr;  // its end needs no check: every address is given, padding included
      }
      if (address < code_.begin || address >= code_.begin + code_.size) return mismatch(item);
      const Encoding encoding =
          encoding_at(code_.bytes + (address - code_.begin), code_.begin + code_.size - address,
                      program_.target->architecture);
      if (encoding.size == 0) return mismatch(item);
      placed_.push_back({&item, address, encoding});
      address += encoding.size;
      end = address;
    }
    check_end(function, end);
    index_words();
  }

  void index_words() {
    program_.code_begin = code_.begin;
    program_.index_of_word.assign(static_cast<std::size_t>(code_.size / 4 + 1), -1);
    for (std::size_t k = 0; k < placed_.size(); ++k) {
      program_.index_of_word[(placed_[k].address - code_.begin) / 4] = static_cast<i32>(k);
    }
  }

  void check_end(const Symbol* function, u64 address) {
    if (!function || function->size == 0 || !errors_.empty()) return;
    if (address == function->address + function->size) return;
    errors_.push_back("the assembly text does not belong to the code object: function " +
                      function->name + " has other instructions in it");
  }

  void mismatch(const Item& item) {
    errors_.push_back("the assembly text does not belong to the code object: line " +
                      std::to_string(item.line) + " (" + std::string(item.text) +
                      ") lies outside its code");
  }

  void decode(const OpcodeTable& opcodes, std::size_t k) {
    const Placed& placed = placed_[k];
    Instruction& i = program_.instructions[k];
    Line line = split_line(placed.item->text);
    i.index = static_cast<u32>(k);
    i.address = placed.address;
    i.size = placed.encoding.size;
    i.text_line = placed.item->line;
    i.location = placed.item->location;
    program_.texts.emplace_back(normalised(placed.item->text));
    std::string mnemonic(line.mnemonic);
    program_.mnemonics.push_back(mnemonic);
    if (line.rest.find("::") != std::string_view::npos) mnemonic = "v_dual";
    const u64 last = placed.address + placed.encoding.size - 4 - code_.begin;
    decoder_.set_literal(placed.encoding.has_literal, read_as<u32>(code_.bytes + last));
    try {
      const Opcode* opcode = opcodes.find(mnemonic);
      if (!opcode) throw DecodeError("unknown instruction");
      i.handler = opcode->handler;
      i.function = opcode->function;
      i.kind = opcode->kind;
      opcode->build(decoder_, line, *opcode, i);
      if (program_.target->architecture == Architecture::gfx1100) mark_halves(i);
    } catch (const DecodeError& error) {
      errors_.push_back(program_.texts.back() + " (" + error.what() + ", line " +
                        std::to_string(i.text_line) + ")");
    }
  }

  // Which half of a register a gfx11 instruction uses: 16-bit values come and go by halves there.
  static void mark_halves(Instruction& i) {
    for (int k = 0; k < i.range_count; ++k) {
      RegisterRange& range = i.ranges[k];
      if (!range.vector || range.count != 1) continue;
      u8 halves = 0;
      const auto add = [&](const Operand& o, u8 narrow) {
        if (o.is_vector() && o.index == range.first) halves |= o.half ? o.half : narrow;
      };
      const bool memory = i.traffic != Traffic::none;
      const u8 narrow = memory && i.half_mode ? i.half_mode : 3;
      if (k >= i.read_count) add(i.destination, narrow);
      const bool store = memory && !i.destination.present() && i.bytes < 4;
      for (const Operand& o : i.source) {
        if (k < i.read_count)
          add(o, store && &o != i.source ? (i.half_mode == kHighHalf ? 2 : 1) : 3);
      }
      if (halves) range.halves = halves;
    }
  }

  // Branches name a label, or count dwords from the next instruction.
  void resolve(std::size_t k) {
    Instruction& i = program_.instructions[k];
    if (i.kind != InstructionClass::branch || !errors_.empty()) return;
    const Line line = split_line(placed_[k].item->text);
    if (line.operands.empty() || i.source_count) return;  // s_endpgm, s_setpc_b64
    const std::string target(line.operands.back());
    const auto label = labels_.find(target);
    if (label != labels_.end()) {
      i.target = &program_.instructions[label->second];
      return;
    }
    i64 words = 0;
    if (parse_integer(target, words)) {
      const i64 distance = static_cast<i16>(words) * i64{4};
      i.target = program_.at(i.address + 4 + static_cast<u64>(distance));
    }
    if (!i.target) errors_.push_back(program_.texts[k] + " (its target is not an instruction)");
  }

  void add_end() {
    Instruction& end = program_.instructions.back();
    end.index = static_cast<u32>(placed_.size());
    end.handler = handle_end_of_text;
    end.address =
        placed_.empty() ? code_.begin : placed_.back().address + placed_.back().encoding.size;
    program_.texts.emplace_back("(end of the code)");
    program_.mnemonics.emplace_back("");
  }

  static std::string normalised(std::string_view text) {
    std::string result;
    for (const char c : text) {
      const bool space = c == ' ' || c == '\t';
      if (!space)
        result += c;
      else if (result.empty() || result.back() != ' ')
        result += ' ';
    }
    return result;
  }

  Program& program_;
  const Code& code_;
  Decoder decoder_;
  std::unordered_map<std::string, const Symbol*> symbols_;
  std::unordered_map<std::string, std::size_t> labels_;
  std::vector<Placed> placed_;
  std::vector<std::string> errors_;
};

}  // namespace

const u32* ConstantRows::row(u32 value) {
  std::unique_ptr<Row>& row = rows_[value];
  if (!row) {
    row = std::make_unique<Row>();
    for (u32& lane : row->lanes) lane = value;
  }
  return row->lanes;
}

std::vector<std::string> decode_program(Program& program, std::string_view text, const Code& code) {
  const std::vector<Item> items = read_assembly(text, program.locations);
  return ProgramReader(program, code).read(items);
}

}  // namespace lumc::emulator
