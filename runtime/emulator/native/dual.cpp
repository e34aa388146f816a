// Dual instructions of gfx11: two vector operations that both read before either writes.
#include "assembly.hpp"
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

void run_dual(Wave& w, const Instruction& i) {
  const Instruction &first = *i.part[0], &second = *i.part[1];
  const u32 to = first.destination.index;
  Row before, after;
  const u64 defined_before = w.defined[to];
  copy_row(before.lanes, w.vector[to]);
  first.handler(w, first);
  copy_row(after.lanes, w.vector[to]);
  const u64 defined_after = w.defined[to];
  copy_row(w.vector[to], before.lanes);
  w.defined[to] = defined_before;
  second.handler(w, second);
  copy_row(w.vector[to], after.lanes);
  w.defined[to] = defined_after;
}

void build_part(Decoder& d, std::string_view text, Instruction& whole, int number) {
  require(starts_with(text, "v_dual_"), "expected v_dual_");
  const std::string plain = "v_" + std::string(text.substr(7));
  const Line line = split_line(plain);
  const Opcode* opcode = opcodes_of(d.target()).find(line.mnemonic);
  require(opcode != nullptr, "unknown instruction");
  d.program().parts.push_back(std::make_unique<Instruction>());
  Instruction& part = *d.program().parts.back();
  part.index = whole.index;
  part.address = whole.address;
  part.size = whole.size;
  part.text_line = whole.text_line;
  part.location = whole.location;
  part.handler = opcode->handler;
  part.function = opcode->function;
  part.kind = opcode->kind;
  opcode->build(d, line, *opcode, part);
  whole.part[number] = &part;
}

void add_ranges(Instruction& whole, bool written) {
  for (const Instruction* part : whole.part) {
    const int begin = written ? part->read_count : 0,
              end = written ? part->range_count : part->read_count;
    for (int k = begin; k < end; ++k) {
      require(whole.range_count < kMaxRanges, "too many operands");
      whole.ranges[whole.range_count++] = part->ranges[k];
    }
  }
  if (!written) whole.read_count = whole.range_count;
}

void build_dual(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  const std::size_t middle = line.rest.find("::");
  const std::string first =
      std::string(line.mnemonic) + " " + std::string(line.rest.substr(0, middle));
  std::string_view second = line.rest.substr(middle + 2);
  while (!second.empty() && second.front() == ' ') second.remove_prefix(1);
  build_part(d, first, i, 0);
  build_part(d, second, i, 1);
  i.destination = i.part[0]->destination;
  add_ranges(i, false);
  add_ranges(i, true);
}

}  // namespace

void add_dual_opcode(OpcodeTable& t) {
  Opcode opcode;
  opcode.build = build_dual;
  opcode.handler = run_dual;
  t.add("v_dual", opcode);
}

}  // namespace lumc::emulator
