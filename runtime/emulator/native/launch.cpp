#include "launch.hpp"

#include <algorithm>
#include <new>
#include <thread>

#include "counters.hpp"
#include "host_mode.hpp"
#include "memory.hpp"
#include "registers.hpp"

namespace lumc::emulator {

namespace {

// What a register holds before anything is written to it.
constexpr u32 kPoison = 0xffffffffu;
// How far a wave may go on after a report that does not end the launch at once.
constexpr u64 kInstructionsAfterReport = 100'000;

struct WaveDeleter {
  void operator()(Wave* waves) const {
    ::operator delete[](static_cast<void*>(waves), std::align_val_t{alignof(Wave)});
  }
};
using Waves = std::unique_ptr<Wave[], WaveDeleter>;

Waves allocate_waves(u32 count) {
  void* memory = ::operator new[](sizeof(Wave) * count, std::align_val_t{alignof(Wave)});
  std::memset(memory, 0, sizeof(Wave) * count);
  Wave* waves = static_cast<Wave*>(memory);
  for (u32 k = 0; k < count; ++k) new (&waves[k]) Wave;
  return Waves(waves);
}

// Instructions whose rounding follows the bits of MODE for double and half precision.
bool rounds_as_wide(const Instruction& i) {
  const auto wide = [](Type t) { return t == Type::f64 || t == Type::f16; };
  return wide(i.result_type) || wide(i.source_type[0]);
}

class Runner {
 public:
  Runner(const Launch& launch, GlobalOrder* order, std::atomic<u64>& next,
         std::atomic<u64>& stop_at)
      : launch_(launch), next_(next), stop_at_(stop_at) {
    const u32 threads = launch.block[0] * launch.block[1] * launch.block[2];
    lanes_per_wave_ = static_cast<u32>(launch.program->target->lanes);
    worker_.launch = &launch;
    worker_.program = launch.program;
    worker_.wave_count = (threads + lanes_per_wave_ - 1) / lanes_per_wave_;
    worker_.stop_on_first = launch.stop_on_first;
    worker_.checks = launch.checks;
    worker_.order = order;
    worker_.lds.resize(launch.lds_bytes + 16);
    const std::size_t count = launch.program->instructions.size();
    worker_.outcome.counts.resize(count);
    worker_.last_allocation.resize(count);
    worker_.patterns.resize(count);
    waves_ = allocate_waves(worker_.wave_count);
    worker_.waves = waves_.get();
    const std::size_t scratch_dwords = (launch.scratch_bytes + 3) / 4;
    scratch_.resize(scratch_dwords * kLanes * worker_.wave_count + 1);
    scratch_defined_.resize(scratch_dwords * worker_.wave_count + 1);
    for (u32 k = 0; k < worker_.wave_count; ++k) {
      worker_.waves[k].worker = &worker_;
      worker_.waves[k].id = k;
      worker_.waves[k].scratch =
          reinterpret_cast<u8*>(scratch_.data() + scratch_dwords * kLanes * k);
      worker_.waves[k].scratch_defined = scratch_defined_.data() + scratch_dwords * k;
    }
  }

  void run() {
    for (;;) {
      const u64 k = next_.fetch_add(1, std::memory_order_relaxed);
      if (k >= launch_.workgroup_count || k > stop_at_.load(std::memory_order_relaxed)) break;
      choose(k);
      try {
        run_workgroup();
      } catch (const Stop&) {
        u64 lowest = stop_at_.load();
        while (k < lowest && !stop_at_.compare_exchange_weak(lowest, k)) {
        }
        stopped_at_ = k;
        break;
      }
    }
    set_host_mode(0, 3);
  }

  Outcome& outcome() { return worker_.outcome; }
  u64 stopped_at() const { return stopped_at_; }

 private:
  void choose(u64 k) {
    workgroup_at(launch_, k, worker_.workgroup);
    worker_.workgroup_index = k;
    worker_.trace = nullptr;
    for (u32 t = 0; t < launch_.traced_count; ++t) {
      if (std::memcmp(launch_.traced + 3 * t, worker_.workgroup, sizeof(worker_.workgroup)))
        continue;
      worker_.outcome.traces.resize(launch_.traced_count);
      worker_.trace = &worker_.outcome.traces[t];
    }
  }

  void run_workgroup() {
    begin_workgroup();
    worker_.outcome.workgroups += 1;
    u32 alive = worker_.wave_count;
    while (alive) {
      bool progress = false;
      alive = 0;
      u32 waiting = 0;
      for (u32 k = 0; k < worker_.wave_count; ++k) {
        Wave& w = worker_.waves[k];
        if (w.state == WaveState::yielded) w.state = WaveState::running;
        if (w.state == WaveState::running) {
          run_wave(w);
          progress = true;
        }
        alive += w.state != WaveState::ended;
        waiting += w.state == WaveState::at_barrier;
      }
      if (!progress || (alive && waiting == alive)) release_barrier(alive);
    }
    if (worker_.stop_after_workgroup) throw Stop{};
  }

  void begin_workgroup() {
    std::fill(worker_.lds.begin(), worker_.lds.end(), u8{0xff});
    worker_.lds_shadow.begin_workgroup(launch_.lds_bytes);
    worker_.own_order.begin();
    std::fill(scratch_.begin(), scratch_.end(), kPoison);
    std::fill(scratch_defined_.begin(), scratch_defined_.end(), 0);
    for (u32 k = 0; k < worker_.wave_count; ++k) begin_wave(worker_.waves[k]);
  }

  // Registers as the dispatcher sets them: user scalars, workgroup ids, packed work-item ids.
  void begin_wave(Wave& w) {
    for (u32 r = 0; r < std::min<u32>(launch_.vector_registers, 256); ++r)
      broadcast(w.vector[r], kPoison);
    for (u32 r = 0; r < std::min<u32>(launch_.accumulation_registers, 256); ++r) {
      broadcast(w.vector[kAccumulation + r], kPoison);
    }
    std::memset(w.defined, 0, sizeof(u64) * kVectorRegisters);
    for (int r = kVectorRegisters; r < kVectorRegisters + 64; ++r) w.defined[r] = kAllLanes;
    std::memset(w.origin, 0xff, sizeof(w.origin));
    std::memset(w.scalar, 0xff, sizeof(w.scalar));
    std::memset(w.scalar_undefined, 0xff, sizeof(w.scalar_undefined));
    std::memset(w.scalar_origin, 0xff, sizeof(w.scalar_origin));
    u32 next = 0;
    for (u32 k = 0; k < launch_.user_scalar_count; ++k)
      write_scalar(w, next++, launch_.user_scalars[k], 0);
    for (u32 axis = 0; axis < 3; ++axis) {
      if (launch_.workgroup_id_mask >> axis & 1)
        write_scalar(w, next++, worker_.workgroup[axis], 0);
    }
    if (launch_.workgroup_info & 1) write_scalar(w, next++, 0, 0);  // workgroup info
    if (launch_.workgroup_info & 2) write_scalar(w, next++, 0, 0);  // scratch wave offset
    write_scalar(w, kFlatScratch, 0, 0);
    write_scalar(w, kFlatScratch + 1, 0, 0);
    w.narrow = lanes_per_wave_ == 32;
    w.scc = w.scc_undefined = false;
    w.set_undefined_pair(kVcc, 0);  // read as a whole before all of it is written
    w.set_pair(kVcc, 0);
    begin_lanes(w);
    w.pending.clear();
    w.next = launch_.entry;
    w.remaining = launch_.instruction_limit;
    w.executed = 0;
    w.set_mode(launch_.mode);
    w.barriers = 0;
    w.barrier_lanes = kAllLanes;
    w.partial_barrier = nullptr;
    w.state = WaveState::running;
    w.next_lds_slot = 0;
    w.unsettled = w.releasing = false;
  }

  void begin_lanes(Wave& w) {
    const u32 threads = launch_.block[0] * launch_.block[1] * launch_.block[2];
    const u32 first = w.id * lanes_per_wave_;
    const u32 active = std::min(lanes_per_wave_, threads - first);
    const u64 exec = active == 64 ? kAllLanes : (u64{1} << active) - 1;
    w.set_exec(exec);
    w.set_undefined_pair(kExec, 0);
    w.expand_exec();
    w.defined[0] = exec;
    for (u32 l = 0; l < active; ++l) {
      const u32 t = first + l;
      const u32 x = t % launch_.block[0], y = t / launch_.block[0] % launch_.block[1];
      w.vector[0][l] = x | y << 10 | t / launch_.block[0] / launch_.block[1] << 20;
    }
  }

  void run_wave(Wave& w) {
    if ((w.mode & kFloatModeMask) == kDefaultFloatMode && !worker_.trace)
      run_plain(w);
    else
      run_special(w);
  }

  // The inner loop. MODE changes and traces are rare, and have a loop of their own.
  void run_plain(Wave& w) {
    InstructionCounts* counts = worker_.outcome.counts.data();
    if (worker_.stop_after_workgroup) w.remaining = std::min(w.remaining, kInstructionsAfterReport);
    const u64 begin = w.remaining;
    u64 remaining = begin;
    while (w.state == WaveState::running) {
      const Instruction& i = *w.next++;
      if (remaining-- == 0) over_limit(w, i);
      counts[i.index].executions += 1;
      if (w.pending.any() && w.pending.touches(i)) check_waits(w, i);
      i.handler(w, i);
      if (__builtin_expect((w.mode & kFloatModeMask) != kDefaultFloatMode, 0)) break;
    }
    w.remaining = remaining;
    w.executed += begin - remaining;
    worker_.outcome.instructions += begin - remaining;
  }

  void run_special(Wave& w) {
    while (w.state == WaveState::running) {
      const Instruction& i = *w.next++;
      if (w.remaining-- == 0) over_limit(w, i);
      worker_.outcome.counts[i.index].executions += 1;
      worker_.outcome.instructions += 1;
      w.executed += 1;
      if (worker_.trace) worker_.trace->events.push_back({i.index, w.id, w.exec(), ~u64{0}, 0});
      if (w.pending.any() && w.pending.touches(i)) check_waits(w, i);
      const u32 shift = rounds_as_wide(i) ? 2 : 0;
      set_host_mode(w.mode >> shift, w.mode >> (4 + shift));
      i.handler(w, i);
    }
    set_host_mode(0, 3);
  }

  [[noreturn]] void over_limit(Wave& w, const Instruction& i) {
    worker_.report(w, i, kLimit, -1, nullptr,
                   "is reached by a wave that has run %llu instructions and does not end",
                   static_cast<unsigned long long>(launch_.instruction_limit));
    throw Stop{};
  }

  // An instruction touches a register that an outstanding access will still write.
  void check_waits(Wave& w, const Instruction& i) {
    if (!worker_.checking(kWait)) return;
    for (int k = 0; k < i.range_count; ++k) {
      const RegisterRange& range = i.ranges[k];
      const Outstanding* writer = w.pending.writer_of(range);
      if (!writer) continue;
      const bool written = k >= i.read_count;
      // Results of the same ordered kind arrive in order, so the later one wins.
      if (written && writer->ordered && i.traffic == writer->instruction->traffic) continue;
      const char* file = !range.vector ? "s" : range.first >= kAccumulation ? "a" : "v";
      const int first =
          range.first >= kAccumulation && range.vector ? range.first - kAccumulation : range.first;
      worker_.report(w, i, kWait, -1, writer->instruction,
                     "%s %s%d%s, which is still being loaded: s_waitcnt is missing",
                     written ? "overwrites" : "uses", file, first,
                     range.count > 1 ? " or its followers" : "");
    }
  }

  void release_barrier(u32 alive) {
    worker_.lds_shadow.next_interval();
    worker_.outcome.barriers += alive ? 1 : 0;
    for (u32 k = 0; k < worker_.wave_count; ++k) {
      Wave& w = worker_.waves[k];
      if (w.state != WaveState::at_barrier) {
        check_ended(w);
        continue;
      }
      carry_over_lds(w);
      w.state = WaveState::running;
    }
  }

  // A wave that took part in barriers has ended, and others wait at a further one.
  void check_ended(const Wave& ended) {
    if (!ended.barriers) return;
    for (u32 k = 0; k < worker_.wave_count; ++k) {
      const Wave& w = worker_.waves[k];
      if (w.state != WaveState::at_barrier || w.barriers <= ended.barriers) continue;
      const Instruction& barrier = *(w.next - 1);
      worker_.report(w, barrier, kBarrier, -1, nullptr,
                     "waits at its barrier number %u, but wave %u ended after %u", w.barriers,
                     ended.id, ended.barriers);
      return;
    }
  }

  const Launch& launch_;
  std::atomic<u64>& next_;
  std::atomic<u64>& stop_at_;
  Worker worker_;
  Waves waves_;
  std::vector<u32> scratch_;
  std::vector<u64> scratch_defined_;
  u32 lanes_per_wave_ = 64;
  u64 stopped_at_ = ~u64{0};
};

void merge(Outcome& into, Outcome& from, bool reports) {
  into.workgroups += from.workgroups;
  into.barriers += from.barriers;
  into.instructions += from.instructions;
  if (into.counts.empty()) into.counts.resize(from.counts.size());
  for (std::size_t k = 0; k < from.counts.size(); ++k) {
    into.counts[k].executions += from.counts[k].executions;
    into.counts[k].lanes += from.counts[k].lanes;
    into.counts[k].lines += from.counts[k].lines;
    into.counts[k].lds_cycles += from.counts[k].lds_cycles;
    into.counts[k].lds_ideal_cycles += from.counts[k].lds_ideal_cycles;
  }
  if (reports) into.reports.insert(into.reports.end(), from.reports.begin(), from.reports.end());
  if (into.traces.size() < from.traces.size()) into.traces.resize(from.traces.size());
  for (std::size_t k = 0; k < from.traces.size(); ++k) {
    if (!from.traces[k].events.empty()) into.traces[k] = std::move(from.traces[k]);
  }
}

}  // namespace

Outcome run_launch(const Launch& launch) {
  std::atomic<u64> next{0}, stop_at{~u64{0}};
  const u64 threads = std::max<u64>(1, std::min<u64>(launch.threads, launch.workgroup_count));
  std::unique_ptr<GlobalOrder> order;
  if (launch.checks & kRace && GlobalOrder::is_worth_following(launch))
    order = std::make_unique<GlobalOrder>(launch);
  std::vector<std::unique_ptr<Runner>> runners;
  for (u64 k = 0; k < threads; ++k)
    runners.push_back(std::make_unique<Runner>(launch, order.get(), next, stop_at));
  std::vector<std::thread> others;
  for (u64 k = 1; k < threads; ++k) others.emplace_back([&runners, k] { runners[k]->run(); });
  runners[0]->run();
  for (std::thread& thread : others) thread.join();
  Outcome outcome;
  const u64 lowest = stop_at.load();
  for (const auto& runner : runners) {
    // Of several faults the one in the first workgroup is told, whatever thread came first.
    const bool tell = lowest == ~u64{0} || runner->stopped_at() == lowest || !launch.stop_on_first;
    merge(outcome, runner->outcome(), tell);
  }
  return outcome;
}

}  // namespace lumc::emulator
