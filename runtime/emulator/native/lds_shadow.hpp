// What is known about each byte of a workgroup's LDS: whether anything wrote it, and which waves
// touched it since the last barrier.
//
// The race rule: two accesses of different waves to the same byte, at least one a write, are
// ordered only by a barrier that both waves pass in between. Time is counted in barrier
// intervals; the shadow of a dword says who wrote and who read it in which interval. Entries are
// kept per dword, which is exact as long as a dword is touched by one wave or as a whole; dwords
// whose bytes are shared out between waves move to an exact table of bytes.
#pragma once

#include <unordered_map>
#include <vector>

#include "bits.hpp"

namespace lumc::emulator {

struct LdsConflict {
  u32 address;
  u32 other_wave;         // kSeveralWaves if more than one
  u32 other_instruction;  // index in the program
  bool other_writes;
  bool other_unwaited;  // the other access was still outstanding when its wave passed the barrier
};

constexpr u32 kSeveralWaves = 63;

struct LdsAccess {
  u32 wave;
  u32 instruction;  // index in the program
  bool unwaited = false, atomic = false;
};

class LdsShadow {
 public:
  // Room for `bytes` of LDS; nothing is written yet and nothing is remembered.
  void begin_workgroup(u32 bytes);

  void next_interval();

  // The accesses of the lanes of `exec`, `bytes` each. Lanes whose dwords no other wave touched in
  // a way that could race are done; the others are returned, to be given to `access`.
  u64 access_lanes(bool write, const u32* at, u64 exec, u32 bytes, const LdsAccess& by);

  // One lane's access. Returns false and fills `conflict` if it races with another wave. Atomics do
  // not race with each other.
  bool access(bool write, u32 address, u32 bytes, const LdsAccess& by, LdsConflict& conflict);

  void set_written(u32 address, u32 bytes, bool written) {
    const u32 first = address & 3;
    if (first + bytes > 4) return set_bytes_written(address, bytes, written);
    const u8 mask = static_cast<u8>(((1u << bytes) - 1) << first);
    u8& known = written_[address / 4];
    known = static_cast<u8>(written ? known | mask : known & ~mask);
  }
  bool is_written(u32 address, u32 bytes) const;
  // Four bits a dword of LDS, one for each byte that something wrote.
  const u8* written_map() const { return written_.data(); }
  u8* written_map() { return written_.data(); }

 private:
  // interval:24 | wave:6 | bytes:4 | unwaited:1 | atomic:1 | instruction:28
  using Entry = u64;
  struct Byte {
    u64 readers = 0;
    u32 writer = kNoWave;
    u32 write_instruction = 0, read_instruction = 0;
    bool write_unwaited = false, read_unwaited = false, atomic = false;
  };
  static constexpr u32 kNoWave = ~0u;
  static constexpr u32 kShared = 62;  // see `bytes_`

  static u64 interval_of(Entry e) { return e >> 40; }
  static u32 wave_of(Entry e) { return e >> 34 & 63; }
  static u32 mask_of(Entry e) { return e >> 30 & 15; }
  static bool unwaited_of(Entry e) { return e >> 29 & 1; }
  static bool atomic_of(Entry e) { return e >> 28 & 1; }
  static u32 instruction_of(Entry e) { return e & 0x0fffffff; }

  Entry entry(const LdsAccess& by, u32 mask) const {
    return interval_ << 40 | u64{by.wave} << 34 | u64{mask} << 30 | u64{by.unwaited} << 29 |
           u64{by.atomic} << 28 | by.instruction;
  }

  template <bool Write, u32 Dwords>
  u64 access_dwords(const u32* at, u64 exec, Entry mine);
  template <bool Write>
  u64 access_parts(const u32* at, u64 exec, u32 bytes, Entry mine);
  void set_bytes_written(u32 address, u32 bytes, bool written);
  bool access_dword(bool write, u32 dword, u32 mask, Entry mine, LdsConflict& conflict);
  bool access_bytes(bool write, u32 dword, u32 mask, Entry mine, LdsConflict& conflict);
  void share_out(u32 dword);

  u64 interval_ = 1;
  std::vector<Entry> writer_, reader_;
  std::vector<u8> written_;  // a bit per byte, four to an element
  std::unordered_map<u32, Byte> bytes_;
};

}  // namespace lumc::emulator
