#include "lds_shadow.hpp"

#include <algorithm>

namespace lumc::emulator {

namespace {
constexpr u64 kLastInterval = (u64{1} << 24) - 2;

// Which bytes of dword `dword` lie in [address, address + bytes).
u32 bytes_within(u32 dword, u32 address, u32 bytes) {
  u32 mask = 0;
  for (u32 b = 0; b < 4; ++b) {
    const u32 at = dword * 4 + b;
    if (at >= address && at < address + bytes) mask |= 1u << b;
  }
  return mask;
}
}  // namespace

void LdsShadow::begin_workgroup(u32 bytes) {
  const std::size_t dwords = (bytes + 3) / 4;
  if (writer_.size() < dwords) {
    writer_.resize(dwords, 0);
    reader_.resize(dwords, 0);
    written_.resize(dwords);
  }
  std::fill(written_.begin(), written_.begin() + static_cast<std::ptrdiff_t>(dwords), u8{0});
  next_interval();
}

void LdsShadow::next_interval() {
  if (!bytes_.empty()) bytes_.clear();
  if (++interval_ < kLastInterval) return;
  std::fill(writer_.begin(), writer_.end(), 0);
  std::fill(reader_.begin(), reader_.end(), 0);
  interval_ = 1;
}

void LdsShadow::set_bytes_written(u32 address, u32 bytes, bool written) {
  for (u32 d = address / 4; d <= (address + bytes - 1) / 4; ++d) {
    const u32 mask = bytes_within(d, address, bytes);
    written_[d] = static_cast<u8>(written ? written_[d] | mask : written_[d] & ~mask);
  }
}

bool LdsShadow::is_written(u32 address, u32 bytes) const {
  for (u32 d = address / 4; d <= (address + bytes - 1) / 4; ++d) {
    const u32 mask = bytes_within(d, address, bytes);
    if ((written_[d] & mask) != mask) return false;
  }
  return true;
}

template <bool Write, u32 Dwords>
u64 LdsShadow::access_dwords(const u32* at, u64 exec, Entry mine) {
  Entry* writer = writer_.data();
  Entry* reader = reader_.data();
  const u64 key = mine >> 34, interval = interval_;
  u64 hard = 0;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    Entry* w = writer + at[l] / 4;
    Entry* r = reader + at[l] / 4;
    u64 others_write = 0, bad_read = 0, others_read[Dwords];
    for (u32 d = 0; d < Dwords; ++d) {
      const bool write_by_other = (interval_of(w[d]) == interval) & (w[d] >> 34 != key);
      const bool read_by_other = (interval_of(r[d]) == interval) & (r[d] >> 34 != key);
      others_write |= u64{write_by_other};
      others_read[d] = u64{read_by_other};
      // Readers of a whole dword can be added up; anything finer is left to the table of bytes.
      bad_read |= u64{read_by_other} & u64{Write || mask_of(r[d]) != 15};
    }
    if ((others_write | bad_read | (at[l] & 3)) != 0) {
      hard |= u64{1} << l;
      continue;
    }
    for (u32 d = 0; d < Dwords; ++d) {
      if (Write)
        w[d] = mine;
      else
        r[d] = mine | others_read[d] * (u64{kSeveralWaves} << 34);
    }
  }
  return hard;
}

// Accesses of less than a dword, where the dword is this wave's alone.
template <bool Write>
u64 LdsShadow::access_parts(const u32* at, u64 exec, u32 bytes, Entry mine) {
  const u64 key = mine >> 34;
  u64 hard = 0;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const u32 dword = at[l] / 4, first = at[l] & 3;
    Entry& w = writer_[dword];
    Entry& r = reader_[dword];
    const bool others = ((interval_of(w) == interval_) & (w >> 34 != key)) |
                        ((interval_of(r) == interval_) & (r >> 34 != key));
    if (others || first + bytes > 4) {
      hard |= u64{1} << l;
      continue;
    }
    Entry& entry = Write ? w : r;
    const u64 mask = u64{((1u << bytes) - 1) << first} << 30;
    const u64 before = entry >> 34 == key ? entry & u64{15} << 30 : 0;
    entry = (mine & ~(u64{15} << 30)) | mask | before;
  }
  return hard;
}

u64 LdsShadow::access_lanes(bool write, const u32* at, u64 exec, u32 bytes, const LdsAccess& by) {
  if (by.atomic) return exec;
  const Entry mine = entry(by, 15);
  switch (bytes) {
    case 4:
      return write ? access_dwords<true, 1>(at, exec, mine)
                   : access_dwords<false, 1>(at, exec, mine);
    case 8:
      return write ? access_dwords<true, 2>(at, exec, mine)
                   : access_dwords<false, 2>(at, exec, mine);
    case 12:
      return write ? access_dwords<true, 3>(at, exec, mine)
                   : access_dwords<false, 3>(at, exec, mine);
    case 16:
      return write ? access_dwords<true, 4>(at, exec, mine)
                   : access_dwords<false, 4>(at, exec, mine);
    default:
      return write ? access_parts<true>(at, exec, bytes, mine)
                   : access_parts<false>(at, exec, bytes, mine);
  }
}

bool LdsShadow::access(bool write, u32 address, u32 bytes, const LdsAccess& by,
                       LdsConflict& conflict) {
  bool ordered = true;
  for (u32 d = address / 4; d <= (address + bytes - 1) / 4; ++d) {
    const u32 mask = bytes_within(d, address, bytes);
    LdsConflict found;
    if (access_dword(write, d, mask, entry(by, mask), found)) continue;
    if (ordered) conflict = found;  // the first is told
    ordered = false;
  }
  return ordered;
}

bool LdsShadow::access_dword(bool write, u32 dword, u32 mask, Entry mine, LdsConflict& conflict) {
  const Entry w = writer_[dword], r = reader_[dword];
  const bool written = interval_of(w) == interval_, read = interval_of(r) == interval_;
  if (written && wave_of(w) == kShared) return access_bytes(write, dword, mask, mine, conflict);
  const u32 me = wave_of(mine);
  const bool others_wrote = written && wave_of(w) != me, others_read = read && wave_of(r) != me;
  // Whole dwords and single waves need no table of bytes; anything finer does.
  const bool whole = mask == 15 && (!written || mask_of(w) == 15) && (!read || mask_of(r) == 15);
  if ((others_wrote || others_read) && !whole) {
    share_out(dword);
    return access_bytes(write, dword, mask, mine, conflict);
  }
  const bool both_atomic = others_wrote && atomic_of(w) && atomic_of(mine);
  const bool conflicting = (others_wrote && !both_atomic) || (write && others_read);
  if (conflicting) {
    const bool by_write = others_wrote && !both_atomic;
    const Entry other = by_write ? w : r;
    conflict = {dword * 4, wave_of(other), instruction_of(other), by_write, unwaited_of(other)};
  }
  const bool wrote = written && !others_wrote;  // this wave, in this interval
  if (write && wrote && atomic_of(mine) && !atomic_of(w)) {
    // A plain write still counts when an atomic of the same wave follows.
    writer_[dword] = w | u64{mask} << 30;
  } else if (write) {
    writer_[dword] = mine | u64{wrote ? mask_of(w) : 0u} << 30;
    if (both_atomic) writer_[dword] |= u64{kSeveralWaves} << 34;
  } else if (others_read) {
    reader_[dword] = mine | u64{kSeveralWaves} << 34;
  } else {
    reader_[dword] = mine | u64{read ? mask_of(r) : 0u} << 30;
  }
  return !conflicting;
}

void LdsShadow::share_out(u32 dword) {
  const Entry w = writer_[dword], r = reader_[dword];
  for (u32 b = 0; b < 4; ++b) {
    Byte byte;
    if (interval_of(w) == interval_ && (mask_of(w) >> b & 1)) {
      byte.writer = wave_of(w);
      byte.write_instruction = instruction_of(w);
      byte.write_unwaited = unwaited_of(w);
      byte.atomic = atomic_of(w);
    }
    if (interval_of(r) == interval_ && (mask_of(r) >> b & 1)) {
      byte.readers = u64{1} << wave_of(r);
      byte.read_instruction = instruction_of(r);
      byte.read_unwaited = unwaited_of(r);
    }
    bytes_[dword * 4 + b] = byte;
  }
  LdsAccess shared;
  shared.wave = kShared;
  shared.instruction = 0;
  writer_[dword] = entry(shared, 15);
}

bool LdsShadow::access_bytes(bool write, u32 dword, u32 mask, Entry mine, LdsConflict& conflict) {
  const u32 me = wave_of(mine);
  bool ordered = true;
  for (u32 b = 0; b < 4; ++b) {
    if (!(mask >> b & 1)) continue;
    Byte& byte = bytes_[dword * 4 + b];
    const u64 other_readers = byte.readers & ~(u64{1} << me);
    const bool others_wrote = byte.writer != kNoWave && byte.writer != me;
    const bool both_atomic = others_wrote && byte.atomic && atomic_of(mine);
    LdsConflict found{};
    if (others_wrote && !both_atomic) {
      found = {dword * 4 + b, byte.writer, byte.write_instruction, true, byte.write_unwaited};
    } else if (write && other_readers) {
      const u32 reader = count_bits(other_readers) > 1 ? kSeveralWaves
                                                       : static_cast<u32>(first_bit(other_readers));
      found = {dword * 4 + b, reader, byte.read_instruction, false, byte.read_unwaited};
    }
    if ((others_wrote && !both_atomic) || (write && other_readers)) {
      if (ordered) conflict = found;
      ordered = false;
    }
    const bool plain_before = byte.writer == me && !byte.atomic;
    if (write && plain_before && atomic_of(mine)) continue;  // the plain write still counts
    if (write) {
      byte.writer = both_atomic ? kSeveralWaves : me;
      byte.write_instruction = instruction_of(mine);
      byte.write_unwaited = unwaited_of(mine);
      byte.atomic = atomic_of(mine);
    } else {
      byte.readers |= u64{1} << me;
      byte.read_instruction = instruction_of(mine);
      byte.read_unwaited = unwaited_of(mine);
    }
  }
  return ordered;
}

}  // namespace lumc::emulator
