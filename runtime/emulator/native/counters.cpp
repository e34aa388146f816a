#include "counters.hpp"

#include <algorithm>

namespace lumc::emulator {

namespace {

AccessPattern& pattern_of(Wave& w, const Instruction& i) {
  std::unique_ptr<AccessPattern>& pattern = w.worker->patterns[i.index];
  if (!pattern) pattern = std::make_unique<AccessPattern>();
  return *pattern;
}

// Forgets the costs of another pattern than the lanes' addresses make now.
void remember(AccessPattern& pattern, const u32* relative, u64 exec, u32 bytes) {
  u32 different = 0;
  LUMC_FOR_LANES(l) different |= pattern.relative[l] ^ relative[l];
  if (!different && pattern.exec == exec && pattern.bytes == bytes) return;
  std::memcpy(pattern.relative, relative, sizeof(pattern.relative));
  pattern.exec = exec;
  pattern.bytes = bytes;
  for (AccessPattern::Cost& cost : pattern.costs) cost = {};
}

// Distinct cache lines that the active lanes touch.
u32 count_lines(const u64* addresses, u64 exec, u32 bytes, u32 line) {
  u64 lines[4 * kLanes];
  int count = 0;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const u64 at = addresses[first_bit(rest)];
    for (u64 n = at / line; n <= (at + bytes - 1) / line; ++n) {
      if (count == 0 || lines[count - 1] != n) lines[count++] = n;
    }
  }
  std::sort(lines, lines + count);
  return static_cast<u32>(std::unique(lines, lines + count) - lines);
}

// How an LDS instruction is served: in which pass a lane is, and over how many banks a pass goes.
struct Passes {
  int (*of_lane)(int lane);
  int banks;
};

int by_eights(int lane) { return lane / 8; }
int by_sixteens(int lane) { return lane / 16; }
int by_halves(int lane) { return lane / 32; }

// Reads of 128 bits go eight lanes at a time, in an interleaved order.
int by_mixed_quads(int lane) {
  static constexpr int kQuad[8] = {0, 1, 2, 3, 1, 0, 3, 2};
  return lane / 32 * 4 + kQuad[lane % 32 / 4];
}

// On gfx950 sixteen at a time: 0-3, 12-15, 20-27 of each half, then the others.
int by_mixed_octets(int lane) {
  static constexpr int kQuad[8] = {0, 1, 1, 0, 1, 0, 0, 1};
  return lane / 32 * 2 + kQuad[lane % 32 / 4];
}

// CDNA2 and 3: AMD's "LDS bank conflict" rules. CDNA4 reads 64 and 128 bits over 64 banks, as
// HipKittens measured; its other accesses are taken to be as before.
Passes passes_of(Architecture architecture, u32 bytes, bool write) {
  const bool wide = architecture == Architecture::gfx950 && !write;
  if (bytes == 16 && wide) return {by_mixed_octets, 64};
  if (bytes == 8 && wide) return {by_halves, 64};
  if (bytes >= 12) return {write ? by_eights : by_mixed_quads, 32};
  return {bytes == 8 ? by_sixteens : by_halves, 32};
}

constexpr int kMaxBanks = 64;

// Cycles of one pass: the most distinct dwords that fall on one bank.
u32 pass_cycles(const u32* addresses, u64 lanes, u32 bytes, int banks) {
  u32 dwords[kLanes * 4];
  int count = 0;
  for (u64 rest = lanes; rest; rest &= rest - 1) {
    const u32 at = addresses[first_bit(rest)] / 4;
    for (u32 k = 0; k < (bytes + 3) / 4; ++k) dwords[count++] = at + k;
  }
  std::sort(dwords, dwords + count);
  const int distinct = static_cast<int>(std::unique(dwords, dwords + count) - dwords);
  u32 load[kMaxBanks] = {}, most = 0;
  for (int k = 0; k < distinct; ++k)
    most = std::max(most, ++load[dwords[k] % static_cast<u32>(banks)]);
  return most;
}

AccessPattern::Cost lds_cost(Architecture architecture, const u32* addresses, u64 exec, u32 bytes,
                             bool write) {
  const Passes rule = passes_of(architecture, bytes, write);
  u64 passes[8] = {};
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    passes[rule.of_lane(l)] |= u64{1} << l;
  }
  AccessPattern::Cost cost;
  for (const u64 lanes : passes) {
    cost.cost = static_cast<u16>(cost.cost + pass_cycles(addresses, lanes, bytes, rule.banks));
    cost.ideal = static_cast<u16>(cost.ideal + (lanes != 0));
  }
  return cost;
}

void trace_cost(Wave& w, u32 cost) {
  if (!w.worker->trace || w.worker->trace->events.empty()) return;
  w.worker->trace->events.back().cost += cost;
}

}  // namespace

void trace_addresses(Wave& w, const u64* addresses) {
  Trace& trace = *w.worker->trace;
  if (trace.events.empty()) return;
  TraceEvent& event = trace.events.back();
  if (event.addresses == ~u64{0}) event.addresses = trace.addresses.size();
  trace.addresses.insert(trace.addresses.end(), addresses, addresses + kLanes);
}

void count_global(Wave& w, const Instruction& i, const u64* addresses, u64 exec, u32 bytes) {
  if (w.worker->trace) trace_addresses(w, addresses);
  if (!exec) return;
  InstructionCounts& counts = w.worker->outcome.counts[i.index];
  counts.lanes += static_cast<u64>(count_bits(exec));
  const u32 line = w.worker->program->target->cache_line;
  const u64 base = addresses[first_bit(exec)];
  u32 relative[kLanes];
  LUMC_FOR_LANES(l) relative[l] = exec >> l & 1 ? static_cast<u32>(addresses[l] - base) : 0;
  AccessPattern& pattern = pattern_of(w, i);
  remember(pattern, relative, exec, bytes);
  AccessPattern::Cost& known = pattern.costs[base % line];
  if (!known.cost) known.cost = static_cast<u16>(count_lines(addresses, exec, bytes, line));
  counts.lines += known.cost;
  trace_cost(w, known.cost);
}

void count_lds(Wave& w, const Instruction& i, const u32* addresses, u64 exec, u32 bytes,
               bool write) {
  if (w.worker->trace) {
    u64 wide[kLanes];
    for (int l = 0; l < kLanes; ++l) wide[l] = addresses[l];
    trace_addresses(w, wide);
  }
  if (!exec) return;
  InstructionCounts& counts = w.worker->outcome.counts[i.index];
  counts.lanes += static_cast<u64>(count_bits(exec));
  const u32 base = addresses[first_bit(exec)];
  u32 relative[kLanes];
  LUMC_FOR_LANES(l) relative[l] = exec >> l & 1 ? addresses[l] - base : 0;
  AccessPattern& pattern = pattern_of(w, i);
  remember(pattern, relative, exec, bytes);
  // Adding a multiple of a dword turns the banks around and changes no conflict.
  AccessPattern::Cost& known = pattern.costs[base % 4];
  const Architecture architecture = w.worker->program->target->architecture;
  if (!known.cost) known = lds_cost(architecture, addresses, exec, bytes, write);
  counts.lds_cycles += known.cost;
  counts.lds_ideal_cycles += known.ideal;
  trace_cost(w, known.cost);
}

}  // namespace lumc::emulator
