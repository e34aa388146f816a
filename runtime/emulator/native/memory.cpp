#include "memory.hpp"

#include "counters.hpp"

namespace lumc::emulator {

namespace {

// ---- written maps: four bits per dword

u32 bytes_of_dword(u64 dword, u64 begin, u32 bytes) {
  u32 mask = 0;
  for (u64 b = 0; b < 4; ++b) {
    const u64 at = dword * 4 + b;
    if (at >= begin && at < begin + bytes) mask |= 1u << b;
  }
  return mask;
}

// The address of inactive lanes is that of an active one, so that loops need no branches.
void fill_inactive(Addresses& a, u64 exec) {
  if (exec == kAllLanes) return;
  const u64 stand_in = a.at[first_bit(exec)];
  LUMC_FOR_LANES(l) a.at[l] = exec >> l & 1 ? a.at[l] : stand_in;
}

void extent(const Addresses& a, u64& low, u64& high) {
  u64 smallest = a.at[0], largest = a.at[0];
  for (int l = 1; l < kLanes; ++l) {
    smallest = a.at[l] < smallest ? a.at[l] : smallest;
    largest = a.at[l] > largest ? a.at[l] : largest;
  }
  low = smallest;
  high = largest;
}

bool covers(const Allocation& allocation, u64 low, u64 high, u32 bytes) {
  const u64 size = allocation.end - allocation.begin;
  return low >= allocation.begin && size >= bytes && high - allocation.begin <= size - bytes;
}

const Allocation* nearest_allocation(const Launch& launch, u64 address) {
  const Allocation* nearest = nullptr;
  u64 distance = u64{1} << 40;  // farther away than this is no near miss
  for (u64 k = 0; k < launch.allocation_count; ++k) {
    const Allocation& allocation = launch.allocations[k];
    const bool below = address < allocation.begin, inside = !below && address < allocation.end;
    const u64 away = below ? allocation.begin - address : inside ? 0 : address - allocation.end;
    if (away >= distance) continue;
    distance = away;
    nearest = &allocation;
  }
  return nearest;
}

void report_bounds(Wave& w, const Instruction& i, int lane, u64 address, u32 bytes, bool write) {
  const char* verb = write ? "writes" : "reads";
  const Allocation* a = nearest_allocation(*w.worker->launch, address);
  if (!a) {
    w.worker->report(w, i, kBounds, lane, nullptr,
                     "%s %u bytes at address 0x%llx, which belongs to no buffer", verb, bytes,
                     static_cast<unsigned long long>(address));
    return;
  }
  const auto size = static_cast<unsigned long long>(a->end - a->begin);
  const auto first = static_cast<unsigned long long>(address - a->begin);
  if (address < a->begin) {
    w.worker->report(w, i, kBounds, lane, nullptr, "%s %u bytes that begin %llu before {buffer %u}",
                     verb, bytes, static_cast<unsigned long long>(a->begin - address), a->id);
  } else if (write && address + bytes <= a->end) {
    w.worker->report(w, i, kBounds, lane, nullptr,
                     "%s bytes %llu to %llu of {buffer %u}, which may only be read", verb, first,
                     first + bytes - 1, a->id);
  } else {
    w.worker->report(w, i, kBounds, lane, nullptr,
                     "%s bytes %llu to %llu of {buffer %u}, which has %llu", verb, first,
                     first + bytes - 1, a->id, size);
  }
}

u64 check_lanes(Wave& w, const Instruction& i, Addresses& a, u64 exec, u32 bytes, bool write) {
  u64 valid = 0;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const Allocation* allocation = w.worker->find_allocation(a.at[l], bytes);
    if (allocation && (!write || allocation->writable))
      valid |= u64{1} << l;
    else
      report_bounds(w, i, l, a.at[l], bytes, write);
  }
  if (valid) fill_inactive(a, valid);
  return valid;
}

// Lanes whose dword `part` was written, out of `exec`.
u64 written_lanes(Wave& w, const Instruction& i, const Addresses& a, u64 exec, u32 part,
                  u32 bytes) {
  const Allocation* one = w.worker->last_allocation[i.index];
  if (one && !one->written) return kAllLanes;
  u64 written = 0;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const u64 address = a.at[l] + 4 * part;
    const Allocation* allocation = one ? one : w.worker->find_allocation(address, bytes);
    if (!allocation->written || global_written(*allocation, address, bytes)) written |= u64{1} << l;
  }
  return written;
}

bool all_written(const Allocation* one, u64 address, u32 bytes) {
  if (!one) return false;
  if (!one->written) return true;
  if ((address - one->origin) & 3) return false;
  const u8* map = one->written + (address - one->origin) / 4;
  u8 missing = 0;
  for (u32 d = 0; d < bytes / 4; ++d) missing |= static_cast<u8>(map[d] ^ 15);
  return missing == 0;
}

void blame_load(Wave& w, const Instruction& i, u32 reg, u64 exec, u64 defined) {
  w.defined[reg] = (w.defined[reg] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[reg] = i.index;
}

template <u32 Dwords>
void load_dwords(Wave& w, const Addresses& a, u64 exec, u32 to, bool in_order) {
  Row rows[Dwords];
  if (in_order) {
    const u8* base = reinterpret_cast<const u8*>(a.at[0]);
    LUMC_FOR_LANES(l) {
      for (u32 part = 0; part < Dwords; ++part) {
        rows[part].lanes[l] = read_as<u32>(base + (static_cast<u32>(l) * Dwords + part) * 4);
      }
    }
  } else {
    for (int l = 0; l < kLanes; ++l) {
      const u8* from = reinterpret_cast<const u8*>(a.at[l]);
      for (u32 part = 0; part < Dwords; ++part) rows[part].lanes[l] = read_as<u32>(from + 4 * part);
    }
  }
  for (u32 part = 0; part < Dwords; ++part)
    merge_row(w, w.vector[to + part], rows[part].lanes, exec);
}

template <u32 Dwords>
void store_dwords(Wave& w, const Addresses& a, u64 exec, u32 from, bool in_order) {
  if (in_order) {
    u8* base = reinterpret_cast<u8*>(a.at[0]);
    for (int l = 0; l < kLanes; ++l) {
      for (u32 part = 0; part < Dwords; ++part) {
        std::memcpy(base + (static_cast<u32>(l) * Dwords + part) * 4, &w.vector[from + part][l], 4);
      }
    }
    return;
  }
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    u8* to = reinterpret_cast<u8*>(a.at[l]);
    for (u32 part = 0; part < Dwords; ++part)
      std::memcpy(to + 4 * part, &w.vector[from + part][l], 4);
  }
}

u32 read_narrow(const u8* from, u32 bytes) { return bytes == 1 ? *from : read_as<u16>(from); }

}  // namespace

bool contiguous(const Addresses& a, u32 bytes) {
  const u64 base = a.at[0];
  u64 different = 0;
  LUMC_FOR_LANES(l) different |= a.at[l] ^ (base + static_cast<u64>(l) * bytes);
  return different == 0;
}

bool global_written(const Allocation& allocation, u64 address, u32 bytes) {
  const u64 begin = address - allocation.origin;
  for (u64 d = begin / 4; d <= (begin + bytes - 1) / 4; ++d) {
    const u32 mask = bytes_of_dword(d, begin, bytes);
    if ((allocation.written[d] & mask) != mask) return false;
  }
  return true;
}

void mark_global(const Allocation& allocation, u64 address, u32 bytes) {
  const u64 begin = address - allocation.origin;
  if (((begin | bytes) & 3) == 0) {
    std::memset(allocation.written + begin / 4, 15, bytes / 4);
    return;
  }
  for (u64 d = begin / 4; d <= (begin + bytes - 1) / 4; ++d) {
    // Another thread may mark the other bytes of the dword.
    const u8 mask = static_cast<u8>(bytes_of_dword(d, begin, bytes));
    __atomic_fetch_or(&allocation.written[d], mask, __ATOMIC_RELAXED);
  }
}

const Allocation* allocation_of(Wave& w, const Instruction& i, u64 address, u32 bytes) {
  const Allocation* one = w.worker->last_allocation[i.index];
  return one ? one : w.worker->find_allocation(address, bytes);
}

u64 check_global(Wave& w, const Instruction& i, Addresses& a, u64 exec, u32 bytes, bool write) {
  if (!exec) return 0;
  fill_inactive(a, exec);
  u64 low, high;
  extent(a, low, high);
  const Allocation*& hint = w.worker->last_allocation[i.index];
  if (!hint || !covers(*hint, low, high, bytes)) {
    hint = w.worker->find_allocation(low, bytes);
    if (hint && !covers(*hint, low, high, bytes)) hint = nullptr;
  }
  if (hint && (!write || hint->writable)) return exec;
  hint = nullptr;
  return check_lanes(w, i, a, exec, bytes, write);
}

void load_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec, u32 to) {
  if (!exec) return;
  order_global(w, i, a, exec, nullptr);
  if (i.bytes < 4) {
    Row row;
    const u32* old = w.vector[to];
    for (int l = 0; l < kLanes; ++l) {
      const u32 raw = read_narrow(reinterpret_cast<const u8*>(a.at[l]), i.bytes);
      row.lanes[l] = place_narrow(old[l], widen(raw, i.bytes, i.sign_extend), i.half_mode);
    }
    const u64 defined = written_lanes(w, i, a, exec, 0, i.bytes);
    merge_row(w, w.vector[to], row.lanes, exec);
    blame_load(w, i, to, exec, defined);
    return;
  }
  const u32 dwords = i.bytes / 4;
  const bool in_order = exec == kAllLanes && contiguous(a, i.bytes);
  const bool whole =
      in_order && all_written(w.worker->last_allocation[i.index], a.at[0], i.bytes * kLanes);
  switch (dwords) {
    case 1: load_dwords<1>(w, a, exec, to, in_order); break;
    case 2: load_dwords<2>(w, a, exec, to, in_order); break;
    case 3: load_dwords<3>(w, a, exec, to, in_order); break;
    default: load_dwords<4>(w, a, exec, to, in_order); break;
  }
  for (u32 part = 0; part < dwords; ++part) {
    blame_load(w, i, to + part, exec, whole ? kAllLanes : written_lanes(w, i, a, exec, part, 4));
  }
}

void store_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec,
                  const Operand& data) {
  if (!exec) return;
  require_defined(w, i, data, i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1, exec,
                  "data stored to memory");
  order_global(w, i, a, exec, &data);
  if (i.bytes < 4) {
    const u32 shift = i.half_mode == kHighHalf ? 16 : 0;
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      const u32 value = w.vector[data.index][l] >> shift;
      std::memcpy(reinterpret_cast<u8*>(a.at[l]), &value, i.bytes);
    }
  } else {
    const bool in_order = exec == kAllLanes && contiguous(a, i.bytes);
    switch (i.bytes / 4) {
      case 1: store_dwords<1>(w, a, exec, data.index, in_order); break;
      case 2: store_dwords<2>(w, a, exec, data.index, in_order); break;
      case 3: store_dwords<3>(w, a, exec, data.index, in_order); break;
      default: store_dwords<4>(w, a, exec, data.index, in_order); break;
    }
    const Allocation* one = w.worker->last_allocation[i.index];
    if (one && in_order) {
      if (one->written) mark_global(*one, a.at[0], i.bytes * kLanes);
      return;
    }
  }
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const Allocation* allocation = allocation_of(w, i, a.at[l], i.bytes);
    if (!allocation->written) {
      if (w.worker->last_allocation[i.index]) return;
      continue;
    }
    mark_global(*allocation, a.at[l], i.bytes);
  }
}

void require_addresses(Wave& w, const Instruction& i, const Operand& o, int dwords, u64 exec) {
  if (o.present()) require_defined(w, i, o, dwords, exec, "an address");
}

void note_skipped_barrier(Wave& w, const Instruction& i, u64 exec) {
  const u64 skipped = exec & ~w.barrier_lanes;
  if (!skipped || !w.partial_barrier) return;
  w.worker->report(w, i, kBarrier, first_bit(skipped), w.partial_barrier,
                   "goes on with a lane that did not take part in a barrier");
}

void issue(Wave& w, const Instruction& i, u64 exec, i32 lds_slot, u32 lds_begin) {
  // gfx11 counts stores apart (vscnt); nothing here depends on when they are done.
  if (w.narrow && !i.destination.present() && !i.to_lds && i.traffic == Traffic::vector_memory)
    return;
  const bool ordered = i.traffic == Traffic::vector_memory || i.traffic == Traffic::lds;
  w.pending.issue({&i, exec, ordered, lds_slot, lds_begin});
}

const std::vector<Width>& load_widths() {
  static const std::vector<Width> widths = {
      {"dword", 4, false, kWhole},       {"dwordx2", 8, false, kWhole},
      {"dwordx3", 12, false, kWhole},    {"dwordx4", 16, false, kWhole},
      {"ubyte", 1, false, kWhole},       {"sbyte", 1, true, kWhole},
      {"ushort", 2, false, kWhole},      {"sshort", 2, true, kWhole},
      {"short_d16", 2, false, kLowHalf}, {"short_d16_hi", 2, false, kHighHalf},
      {"ubyte_d16", 1, false, kLowHalf}, {"ubyte_d16_hi", 1, false, kHighHalf},
      {"sbyte_d16", 1, true, kLowHalf},  {"sbyte_d16_hi", 1, true, kHighHalf},
  };
  return widths;
}

const std::vector<Width>& store_widths() {
  static const std::vector<Width> widths = {
      {"dword", 4, false, kWhole},    {"dwordx2", 8, false, kWhole},
      {"dwordx3", 12, false, kWhole}, {"dwordx4", 16, false, kWhole},
      {"byte", 1, false, kWhole},     {"byte_d16_hi", 1, false, kHighHalf},
      {"short", 2, false, kWhole},    {"short_d16_hi", 2, false, kHighHalf},
  };
  return widths;
}

const std::vector<Width>& lds_load_widths() {
  static const std::vector<Width> widths = {
      {"b32", 4, false, kWhole},       {"b64", 8, false, kWhole},
      {"b96", 12, false, kWhole},      {"b128", 16, false, kWhole},
      {"u8", 1, false, kWhole},        {"i8", 1, true, kWhole},
      {"u16", 2, false, kWhole},       {"i16", 2, true, kWhole},
      {"u8_d16", 1, false, kLowHalf},  {"u8_d16_hi", 1, false, kHighHalf},
      {"i8_d16", 1, true, kLowHalf},   {"i8_d16_hi", 1, true, kHighHalf},
      {"u16_d16", 2, false, kLowHalf}, {"u16_d16_hi", 2, false, kHighHalf},
  };
  return widths;
}

const std::vector<Width>& lds_store_widths() {
  static const std::vector<Width> widths = {
      {"b32", 4, false, kWhole},  {"b64", 8, false, kWhole},
      {"b96", 12, false, kWhole}, {"b128", 16, false, kWhole},
      {"b8", 1, false, kWhole},   {"b8_d16_hi", 1, false, kHighHalf},
      {"b16", 2, false, kWhole},  {"b16_d16_hi", 2, false, kHighHalf},
  };
  return widths;
}

void set_memory(Instruction& i, const Opcode& opcode) {
  i.bytes = opcode.parameter[0];
  i.sign_extend = opcode.parameter[1] & 1;
  i.half_mode = static_cast<u8>(opcode.parameter[1] >> 1);
}

}  // namespace lumc::emulator
