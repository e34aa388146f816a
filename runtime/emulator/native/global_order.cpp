#include "global_order.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "machine.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

// Caches between a unit and memory that others do not see have to be written back.
bool writes_back(const Wave& w) {
  const Architecture architecture = w.worker->program->target->architecture;
  return architecture == Architecture::gfx942 || architecture == Architecture::gfx950;
}

// Whether some wave of the workgroup has written what may be on its way yet.
bool unsettled(const Worker& worker) {
  return std::any_of(worker.waves, worker.waves + worker.wave_count,
                     [](const Wave& w) { return w.unsettled; });
}

void report_unordered(Wave& w, const Instruction& i, int lane, const Allocation& allocation,
                      u64 address, u32 bytes, bool write, u32 cell) {
  const Launch& launch = *w.worker->launch;
  const u64 k = GlobalOrder::workgroup_of(cell);
  u32 other[3];
  workgroup_at(launch, k, other);
  const auto first = static_cast<unsigned long long>(address - allocation.begin);
  w.worker->report(w, i, kRace, lane, nullptr,
                   "%s bytes %llu to %llu of {buffer %u}, which workgroup (%u, %u, %u) wrote: no "
                   "release, atomic and acquire are between",
                   write ? "writes" : "reads", first, first + bytes - 1, allocation.id, other[0],
                   other[1], other[2]);
}

}  // namespace

bool GlobalOrder::is_worth_following(const Launch& launch) {
  if (launch.workgroup_count > kMostWorkgroups) return false;
  u64 writable = 0;
  for (u64 k = 0; k < launch.allocation_count; ++k) {
    const Allocation& allocation = launch.allocations[k];
    writable += allocation.writable ? allocation.end - allocation.begin : 0;
  }
  const auto& instructions = launch.program->instructions;
  return writable <= kLittle ||
         std::any_of(instructions.begin(), instructions.end(), [](const Instruction& i) {
           return i.kind == InstructionClass::global_atomic;
         });
}

GlobalOrder::GlobalOrder(const Launch& launch)
    : launch_(launch), shadows_(launch.allocation_count) {
  for (u64 k = 0; k < launch.allocation_count; ++k) {
    const Allocation& allocation = launch.allocations[k];
    if (!allocation.writable) continue;
    Shadow& shadow = shadows_[k];
    shadow.begin = allocation.begin & ~u64{3};
    shadow.bytes = (allocation.end - shadow.begin + 7) & ~u64{3};
    // Pages that nothing is written to take no memory.
    void* cells = mmap(nullptr, shadow.bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (cells == MAP_FAILED) throw std::bad_alloc();
    shadow.cells = static_cast<u32*>(cells);
  }
}

GlobalOrder::~GlobalOrder() {
  for (const Shadow& shadow : shadows_) {
    if (shadow.cells) munmap(shadow.cells, shadow.bytes);
  }
}

u32* GlobalOrder::cell(const Allocation& allocation, u64 address) const {
  const Shadow& shadow = shadows_[static_cast<std::size_t>(&allocation - launch_.allocations)];
  return shadow.cells + (address - shadow.begin) / 4;
}

void GlobalOrder::publish(u64 workgroup, u64 address, u32 released) {
  const std::lock_guard<std::mutex> lock(mutex_);
  published_[workgroup].push_back({address, moment(), released});
}

bool GlobalOrder::ordered(u32 cell, const WorkgroupOrder& own) {
  const u32 epoch = cell >> kEpochBit;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = published_.find(workgroup_of(cell));
  if (found == published_.end()) return false;
  for (const Publication& publication : found->second) {
    if (epoch >= publication.released) continue;
    for (const SeenAtomic& seen : own.acquired) {
      if (seen.address == publication.address && seen.moment > publication.moment) return true;
    }
  }
  return false;
}

void order_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec,
                  const Operand* stored) {
  const bool write = stored != nullptr;
  Worker& worker = *w.worker;
  if (!worker.order) return;
  const Allocation* one = worker.last_allocation[i.index];
  if (one && !one->writable) return;
  if (write) w.unsettled = true;
  if (write && i.bytes < 4) return;
  WorkgroupOrder& own = worker.own_order;
  const u32 mine = GlobalOrder::cell_of(worker.workgroup_index, own.epoch);
  const u32 dwords = i.bytes < 4 ? 1 : i.bytes / 4;
  if (one && exec == kAllLanes && i.bytes >= 4 && contiguous(a, i.bytes)) {
    u32* cells = worker.order->cell(*one, a.at[0]);
    if (GlobalOrder::all_own(cells, mine, dwords * kLanes)) {
      if (write) std::fill_n(cells, dwords * kLanes, mine);
      return;
    }
  }
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const Allocation* allocation = one ? one : worker.find_allocation(a.at[l], i.bytes);
    if (!allocation->writable) continue;
    u32* cells = worker.order->cell(*allocation, a.at[l]);
    for (u32 d = 0; d < dwords; ++d) {
      const u32 found = cells[d];
      if (found && !GlobalOrder::same_workgroup(found, mine) && found != own.last_ordered) {
        const u8* place = reinterpret_cast<const u8*>(a.at[l] + 4 * d);
        if (worker.order->ordered(found, own))
          own.last_ordered = found;
        else if (!write || read_as<u32>(place) != w.vector[stored->index + d][l])
          report_unordered(w, i, l, *allocation, a.at[l], i.bytes, write, found);
      }
      if (write) cells[d] = mine;
    }
  }
}

void begin_release(Wave& w) {
  Worker& worker = *w.worker;
  if (!worker.order || unsettled(worker)) return;
  w.releasing = true;
  w.release_epoch = ++worker.own_order.epoch;
}

void settle(Wave& w) {
  w.unsettled = false;
  if (!w.releasing) return;
  w.releasing = false;
  u32& released = w.worker->own_order.released;
  released = std::max(released, w.release_epoch);
}

void order_atomic(Wave& w, u64 address) {
  Worker& worker = *w.worker;
  if (!worker.order) return;
  WorkgroupOrder& own = worker.own_order;
  if (!writes_back(w) && !unsettled(worker)) own.released = ++own.epoch;
  worker.order->publish(worker.workgroup_index, address, own.released);
}

void see_atomic(Wave& w, u64 address) {
  Worker& worker = *w.worker;
  if (worker.order) worker.own_order.seen.push_back({address, worker.order->moment()});
}

void acquire(Wave& w) {
  acquire_outer(w);
  acquire_inner(w);
}

void acquire_outer(Wave& w) {
  if (w.worker->order) w.worker->own_order.outer = w.worker->own_order.seen;
}

void acquire_inner(Wave& w) {
  if (w.worker->order) w.worker->own_order.acquired = w.worker->own_order.outer;
}

}  // namespace lumc::emulator
