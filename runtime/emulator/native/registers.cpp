#include "registers.hpp"

namespace lumc::emulator {

void Wave::expand_exec() {
  const u64 mask = exec();
  for (int l = 0; l < kLanes; ++l) exec_lanes[l] = 0u - static_cast<u32>(mask >> l & 1);
  exec_of_lanes = mask;
}

u32 origin_of_sources(const Wave& w, const Instruction& i) {
  for (int k = 0; k < 5; ++k) {
    if (!i.source[k].present()) continue;
    const u32 origin = origin_of(w, i.source[k], i.source[k].dwords);
    if (origin != ~0u) return origin;
  }
  return i.index;
}

void undefine_scalar(Wave& w, const Instruction& i, u32 index, u32 bits) {
  w.scalar_undefined[index] = bits;
  w.scalar_origin[index] = origin_of_sources(w, i);
}

void report_undefined(Wave& w, const Instruction& i, const Operand& o, int dwords, u64 lanes,
                      const char* use) {
  const u32 origin = origin_of(w, o, dwords);
  const Program& program = *w.worker->program;
  const Instruction* from =
      origin < program.instructions.size() ? &program.instructions[origin] : nullptr;
  const char* file = o.is_vector() ? (o.index >= kAccumulation ? "a" : "v") : "s";
  const int index = o.index >= kAccumulation ? o.index - kAccumulation : o.index;
  w.worker->report(w, i, kUninitialised, o.is_vector() ? first_bit(lanes) : -1, from,
                   "%s%d, which holds no value, is used as %s", file, index, use);
}

}  // namespace lumc::emulator
