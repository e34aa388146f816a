// Whether LDS accesses are ordered: against those of other waves, and against transfers under way.
#include "lds.hpp"

namespace lumc::emulator {

// Bytes that an outstanding transfer of this wave will still write.
void check_transfers(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes) {
  const WaitQueue& queue = w.pending.vector_memory;
  for (int k = 0; k < queue.size(); ++k) {
    const Instruction& transfer = *queue[k].instruction;
    if (!transfer.to_lds) continue;
    const u32 begin = queue[k].lds_begin, end = begin + kLanes * lds_stride(transfer.bytes);
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      if (at[l] + bytes <= begin || at[l] >= end) continue;
      w.worker->report(
          w, i, kWait, l, &transfer,
          "touches byte %u of LDS, where a transfer is under way: s_waitcnt is missing", at[l]);
      break;
    }
  }
}

namespace {

// Waves that hold the same values may all store them, as compilers let them do: whoever comes
// last, the same is there.
bool stores_what_is_there(const Wave& w, const Instruction& i, int lane, u32 at, u32 bytes) {
  if (i.kind != InstructionClass::lds_store || is_pair(i)) return false;
  const u32 shift = i.half_mode == kHighHalf ? 16 : 0;
  for (u32 part = 0; part < bytes; part += 4) {
    const u32 value = w.vector[i.source[1].index + part / 4][lane] >> shift;
    if (std::memcmp(&w.worker->lds[at + part], &value, bytes < 4 ? bytes : 4)) return false;
  }
  return true;
}

}  // namespace

void order_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, bool write,
               bool unwaited) {
  Worker& worker = *w.worker;
  if (!worker.checking(kRace) || !exec) return;
  const LdsAccess by = {w.id, i.index, unwaited, i.kind == InstructionClass::lds_atomic};
  LdsShadow& shadow = worker.lds_shadow;
  for (u64 rest = shadow.access_lanes(write, at, exec, bytes, by); rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    LdsConflict conflict;
    if (shadow.access(write, at[l], bytes, by, conflict)) continue;
    const bool harmless =
        write && conflict.other_writes && stores_what_is_there(w, i, l, at[l], bytes);
    if (!harmless) report_race(w, i, l, write, conflict);
  }
}

void report_race(Wave& w, const Instruction& i, int lane, bool write, const LdsConflict& conflict) {
  const Instruction& other = w.worker->program->instructions[conflict.other_instruction];
  char who[24];
  if (conflict.other_wave == kSeveralWaves)
    std::snprintf(who, sizeof(who), "several waves");
  else
    std::snprintf(who, sizeof(who), "wave %u", conflict.other_wave);
  const u32 check = conflict.other_unwaited ? kWait : kRace;
  w.worker->report(w, i, check, lane, &other, "%s byte %u of LDS, which %s %s %s",
                   write ? "writes" : "reads", conflict.address, who,
                   conflict.other_writes ? "wrote" : "read",
                   conflict.other_unwaited ? "without waiting for it (s_waitcnt) before the barrier"
                                           : "with no barrier in between");
}

i32 keep_lds_addresses(Wave& w, const u32* at) {
  const u32 slot = w.next_lds_slot++ % WaitQueue::kCapacity;
  copy_row(w.lds_slots[slot], at);
  return static_cast<i32>(slot);
}

void carry_over_lds(Wave& w) {
  if (!w.worker->checking(kRace) || !w.worker->checking(kWait)) return;
  const WaitQueue* queues[] = {&w.pending.local, &w.pending.vector_memory};
  for (const WaitQueue* queue : queues) {
    for (int k = 0; k < queue->size(); ++k) {
      const Outstanding& entry = (*queue)[k];
      const Instruction& i = *entry.instruction;
      const bool write = i.kind == InstructionClass::lds_store ||
                         i.kind == InstructionClass::lds_atomic ||
                         i.kind == InstructionClass::global_store || i.to_lds;
      const u32 bytes = i.to_lds && i.bytes < 4 ? 4 : i.bytes;
      u32 at[kLanes];
      if (entry.lds_slot >= 0) {
        copy_row(at, w.lds_slots[entry.lds_slot]);
      } else if (i.to_lds) {
        for (int l = 0; l < kLanes; ++l)
          at[l] = entry.lds_begin + static_cast<u32>(l) * lds_stride(i.bytes);
      } else {
        continue;
      }
      order_lds(w, i, at, entry.exec, bytes, write, true);
      if (entry.lds_slot < 0 || !is_pair(i)) continue;
      copy_row(at, w.lds_slots[(entry.lds_slot + WaitQueue::kCapacity - 1) % WaitQueue::kCapacity]);
      order_lds(w, i, at, entry.exec, bytes, write, true);
    }
  }
}

}  // namespace lumc::emulator
