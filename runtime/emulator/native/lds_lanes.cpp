// Moves between lanes through the LDS crossbar, and loads that transpose.
#include "counters.hpp"
#include "lds.hpp"

namespace lumc::emulator {

namespace {

void finish_move(Wave& w, const Instruction& i, const Row& result, u64 defined) {
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result.lanes, exec);
  w.defined[i.destination.index] = (w.defined[i.destination.index] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[i.destination.index] = origin_of_sources(w, i);
  w.worker->outcome.counts[i.index].lanes += static_cast<u64>(count_bits(exec));
  issue(w, i, exec);
}

int swizzled_lane(u32 pattern, int l) {
  if (pattern & 0x8000) return (l & ~3) | static_cast<int>(pattern >> 2 * (l & 3) & 3);
  const int keep = pattern & 31, set = pattern >> 5 & 31, flip = pattern >> 10 & 31;
  return (l & 32) | (((l & keep) | set) ^ flip);
}

}  // namespace

// ds_bpermute: every lane reads the lane that its address names; inactive lanes give 0.
void run_backward_permute(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  const u32* address = w.vector[i.source[0].index];
  const u32* data = w.vector[i.source[1].index];
  const u64 data_defined = w.defined[i.source[1].index];
  const u32 last = w.narrow ? 31 : 63;
  Row result;
  if (exec == kAllLanes && data_defined == kAllLanes) {
    const u32 offset = static_cast<u32>(i.offset);
    for (int l = 0; l < kLanes; ++l) result.lanes[l] = data[(address[l] + offset) >> 2 & last];
    return finish_move(w, i, result, kAllLanes);
  }
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = static_cast<int>((address[l] + static_cast<u32>(i.offset)) >> 2 & last);
    const bool active = bit(exec, from);
    result.lanes[l] = active ? data[from] : 0;
    defined |= u64{!active || bit(data_defined, from)} << l;
  }
  finish_move(w, i, result, defined);
}

// ds_permute: every lane writes to the lane that its address names; the last one wins.
void run_forward_permute(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  const u64 data_defined = w.defined[i.source[1].index];
  const u32 last = w.narrow ? 31 : 63;
  Row result;
  broadcast(result.lanes, 0);
  u64 defined = kAllLanes;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const int to =
        static_cast<int>((w.vector[i.source[0].index][l] + static_cast<u32>(i.offset)) >> 2 & last);
    result.lanes[to] = w.vector[i.source[1].index][l];
    defined = (defined & ~(u64{1} << to)) | u64{bit(data_defined, l)} << to;
  }
  finish_move(w, i, result, defined);
}

void run_swizzle(Wave& w, const Instruction& i) {
  const u64 exec = w.exec(), data_defined = w.defined[i.source[0].index];
  Row result;
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = swizzled_lane(static_cast<u32>(i.immediate), l);
    const bool active = bit(exec, from);
    result.lanes[l] = active ? w.vector[i.source[0].index][from] : 0;
    defined |= u64{!active || bit(data_defined, from)} << l;
  }
  finish_move(w, i, result, defined);
}

// ds_read_b64_tr_* (gfx950): sixteen lanes read a block of rows and get it transposed. Within a
// group of 16 lanes, the elements of all lanes form 16 * n elements in lane order; lane x gets
// those that are x, x + 16, x + 32, ... of them.
void run_transposed_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_lds_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  const u64 inside = begin_lds_access(w, i, at, exec, i.bytes, false);
  if (exec != kAllLanes) w.worker->fail(w, i, "a transposed load with inactive lanes");
  const u32 bits = i.operation, elements = i.bytes * 8 / bits;
  const u32 dwords = i.bytes / 4;
  u8 data[kLanes][16];
  u64 written = 0;
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    std::memcpy(data[l], &w.worker->lds[at[l]], i.bytes);
    written |= u64{w.worker->lds_shadow.is_written(at[l], i.bytes)} << l;
  }
  const auto element = [&](int lane, u32 e) {
    u32 value = 0;
    for (u32 b = 0; b < bits; ++b)
      value |= u32{bit(data[lane][(e * bits + b) / 8], static_cast<int>((e * bits + b) % 8))} << b;
    return value;
  };
  Row rows[4];
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int group = l & ~15;
    u32 words[4] = {};
    bool known = true;
    for (u32 e = 0; e < elements; ++e) {
      const u32 flat = e * 16 + static_cast<u32>(l & 15);
      const int from = group + static_cast<int>(flat / elements);
      known &= bit(written, from);
      const u32 value = element(from, flat % elements), position = e * bits;
      words[position / 32] |= value << position % 32;
      if (position % 32 + bits > 32) words[position / 32 + 1] |= value >> (32 - position % 32);
    }
    for (u32 part = 0; part < dwords; ++part) rows[part].lanes[l] = words[part];
    defined |= u64{known} << l;
  }
  for (u32 part = 0; part < dwords; ++part) {
    merge_row(w, w.vector[i.destination.index + part], rows[part].lanes, exec);
    define_loaded(w, i, i.destination.index + part, exec, defined);
  }
  issue(w, i, exec, keep_lds_addresses(w, at));
}

}  // namespace lumc::emulator
