// LDS: the memory that the waves of a workgroup share.
#include "lds.hpp"

#include "counters.hpp"

namespace lumc::emulator {

namespace {

template <u32 Dwords>
void load_dwords(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 to) {
  const u8* lds = w.worker->lds.data();
  const u8* map = w.worker->lds_shadow.written_map();
  Row rows[Dwords];
  u8 known[Dwords][kLanes], whole = 15;
  u32 misaligned = 0;
  for (int l = 0; l < kLanes; ++l) {
    const u8* from = lds + at[l];
    misaligned |= at[l];
    for (u32 part = 0; part < Dwords; ++part) {
      rows[part].lanes[l] = read_as<u32>(from + 4 * part);
      known[part][l] = map[at[l] / 4 + part];
      whole &= known[part][l];
    }
  }
  for (u32 part = 0; part < Dwords; ++part) {
    merge_row(w, w.vector[to + part], rows[part].lanes, exec);
    u64 defined = kAllLanes;
    if (whole != 15 || (misaligned & 3)) {
      for (int l = 0; l < kLanes; ++l) {
        const u32 address = at[l] + 4 * part;
        const bool written =
            address & 3 ? w.worker->lds_shadow.is_written(address, 4) : known[part][l] == 15;
        if (!written) defined &= ~(u64{1} << l);
      }
    }
    define_loaded(w, i, to + part, exec, defined);
  }
}

template <u32 Dwords>
void store_dwords(Wave& w, const u32* at, u64 exec, const Operand& data) {
  u8* lds = w.worker->lds.data();
  u8* map = w.worker->lds_shadow.written_map();
  u64 defined = kAllLanes;
  u32 misaligned = 0;
  for (u32 part = 0; part < Dwords; ++part) defined &= w.defined[data.index + part];
  for (int l = 0; l < kLanes; ++l) misaligned |= at[l];
  const u32(*rows)[kLanes] = &w.vector[data.index];
  const bool simple = !(exec & ~defined) && !(misaligned & 3);
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    for (u32 part = 0; part < Dwords; ++part) {
      std::memcpy(lds + at[l] + 4 * part, &rows[part][l], 4);
      if (simple)
        map[at[l] / 4 + part] = 15;
      else
        w.worker->lds_shadow.set_written(at[l] + 4 * part, 4, bit(w.defined[data.index + part], l));
    }
  }
}

// The two-address forms scale their offsets by the element, or by 64 elements.
u32 pair_offset(const Instruction& i, int which) {
  const u32 unit = i.bytes * (i.operation ? 64 : 1);
  return static_cast<u32>(which ? i.offset1 : i.offset) * unit;
}

}  // namespace

void define_loaded(Wave& w, const Instruction& i, u32 reg, u64 exec, u64 defined) {
  w.defined[reg] = (w.defined[reg] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[reg] = i.index;
}

void compute_lds_addresses(Wave& w, const Instruction& i, u64 exec, u32 offset, u32* at) {
  require_addresses(w, i, i.source[0], 1, exec);
  Row scratch;
  const u32* lanes = row_of(w, i.source[0], 0, scratch);
  LUMC_FOR_LANES(l) at[l] = lanes[l] + offset;
}

u64 begin_lds_access(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write) {
  note_skipped_barrier(w, i, exec);
  if (w.pending.transfers()) check_transfers(w, i, at, exec, bytes);
  count_lds(w, i, at, exec, bytes, write);
  const u64 inside = check_lds(w, i, at, exec, bytes, write);
  order_lds(w, i, at, inside, bytes, write, false);
  return inside;
}

void run_lds_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_lds_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  load_lds(w, i, at, begin_lds_access(w, i, at, exec, i.bytes, false), i.bytes,
           i.destination.index);
  issue(w, i, exec, keep_lds_addresses(w, at));
}

void run_lds_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_lds_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  store_lds(w, i, at, begin_lds_access(w, i, at, exec, i.bytes, true), i.bytes, i.source[1]);
  issue(w, i, exec, keep_lds_addresses(w, at));
}

void run_lds_load_pair(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Row base;
  copy_row(base.lanes, w.vector[i.source[0].index]);
  require_addresses(w, i, i.source[0], 1, exec);
  for (int which = 0; which < 2; ++which) {
    u32 at[kLanes];
    const u32 offset = pair_offset(i, which);
    LUMC_FOR_LANES(l) at[l] = base.lanes[l] + offset;
    const u32 to = i.destination.index + static_cast<u32>(which) * i.bytes / 4;
    load_lds(w, i, at, begin_lds_access(w, i, at, exec, i.bytes, false), i.bytes, to);
    if (which == 0)
      keep_lds_addresses(w, at);
    else
      issue(w, i, exec, keep_lds_addresses(w, at));
  }
}

void run_lds_store_pair(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  for (int which = 0; which < 2; ++which) {
    u32 at[kLanes];
    const u32 offset = pair_offset(i, which);
    const u32* base = w.vector[i.source[0].index];
    LUMC_FOR_LANES(l) at[l] = base[l] + offset;
    store_lds(w, i, at, begin_lds_access(w, i, at, exec, i.bytes, true), i.bytes,
              i.source[1 + which]);
    if (which == 0)
      keep_lds_addresses(w, at);
    else
      issue(w, i, exec, keep_lds_addresses(w, at));
  }
}

void run_lds_atomic(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_lds_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  note_skipped_barrier(w, i, exec);
  count_lds(w, i, at, exec, i.bytes, true);
  const u64 inside = check_lds(w, i, at, exec, i.bytes, true);
  order_lds(w, i, at, inside, i.bytes, true, false);
  const Atomic operation = static_cast<Atomic>(i.operation);
  const bool wide = i.bytes == 8, compares = operation == Atomic::compare_exchange;
  const int dwords = wide ? 2 : 1;
  require_defined(w, i, i.source[1], dwords, exec, "data of an atomic");
  if (compares) require_defined(w, i, i.source[2], dwords, exec, "data of an atomic");
  Row low, high;
  u64 defined = 0;
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    u8* place = &w.worker->lds[at[l]];
    u64 old = 0;
    std::memcpy(&old, place, i.bytes);
    const bool written = w.worker->lds_shadow.is_written(at[l], i.bytes);
    defined |= u64{written} << l;
    if (!written && operation != Atomic::exchange) {
      w.worker->report(w, i, kUninitialised, l, nullptr,
                       "an atomic on byte %u of LDS, which nothing wrote", at[l]);
      w.worker->lds_shadow.set_written(at[l], i.bytes, true);
    }
    // ds_cmpst has the comparison first, the new value second.
    const u64 first = wide_lane(w, i.source[1].index, l, wide);
    const u64 second = compares ? wide_lane(w, i.source[2].index, l, wide) : 0;
    const u64 fresh = compares ? apply_atomic(operation, i.bytes, old, second, first)
                               : apply_atomic(operation, i.bytes, old, first, 0);
    std::memcpy(place, &fresh, i.bytes);
    if (operation == Atomic::exchange) w.worker->lds_shadow.set_written(at[l], i.bytes, true);
    low.lanes[l] = static_cast<u32>(old);
    high.lanes[l] = static_cast<u32>(old >> 32);
  }
  if (i.returns) {
    for (u32 part = 0; part < static_cast<u32>(dwords); ++part) {
      merge_row(w, w.vector[i.destination.index + part], (part ? high : low).lanes, inside);
      define_loaded(w, i, i.destination.index + part, inside, defined);
    }
  }
  issue(w, i, exec, keep_lds_addresses(w, at));
}

u64 check_lds(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write) {
  if (!exec) return 0;
  const u32 size = w.worker->launch->lds_bytes;
  if (exec != kAllLanes) {
    const u32 stand_in = at[first_bit(exec)];
    LUMC_FOR_LANES(l) at[l] = exec >> l & 1 ? at[l] : stand_in;
  }
  u32 largest = 0;
  for (int l = 0; l < kLanes; ++l) largest = at[l] > largest ? at[l] : largest;
  if (u64{largest} + bytes <= size) return exec;
  u64 valid = exec;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    if (u64{at[l]} + bytes <= size) continue;
    valid &= ~(u64{1} << l);
    w.worker->report(w, i, kBounds, l, nullptr,
                     "%s %u bytes at byte %u of LDS, of which the workgroup has %u",
                     write ? "writes" : "reads", bytes, at[l], size);
  }
  if (!valid) return 0;
  for (int l = 0; l < kLanes; ++l) {
    if (!bit(valid, l)) at[l] = at[first_bit(valid)];
  }
  return valid;
}

void load_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, u32 to) {
  if (!exec) return;
  const u8* lds = w.worker->lds.data();
  const LdsShadow& shadow = w.worker->lds_shadow;
  if (bytes < 4) {
    u32* row = w.vector[to];
    u64 defined = 0;
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      const u32 raw = bytes == 1 ? lds[at[l]] : read_as<u16>(lds + at[l]);
      row[l] = place_narrow(row[l], widen(raw, bytes, i.sign_extend), i.half_mode);
      defined |= u64{shadow.is_written(at[l], bytes)} << l;
    }
    define_loaded(w, i, to, exec, defined);
    return;
  }
  switch (bytes / 4) {
    case 1: load_dwords<1>(w, i, at, exec, to); break;
    case 2: load_dwords<2>(w, i, at, exec, to); break;
    case 3: load_dwords<3>(w, i, at, exec, to); break;
    default: load_dwords<4>(w, i, at, exec, to); break;
  }
}

void store_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes,
               const Operand& data) {
  switch (bytes) {
    case 4: return store_dwords<1>(w, at, exec, data);
    case 8: return store_dwords<2>(w, at, exec, data);
    case 12: return store_dwords<3>(w, at, exec, data);
    case 16: return store_dwords<4>(w, at, exec, data);
    default: break;
  }
  const u32 shift = i.half_mode == kHighHalf ? 16 : 0;
  const u32* row = w.vector[data.index];
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const u32 value = row[l] >> shift;
    std::memcpy(&w.worker->lds[at[l]], &value, bytes);
    w.worker->lds_shadow.set_written(at[l], bytes, bit(w.defined[data.index], l));
  }
}

bool is_pair(const Instruction& i) {
  return i.handler == run_lds_load_pair || i.handler == run_lds_store_pair;
}

}  // namespace lumc::emulator
