#include "timing.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace lumc::timing {

namespace {

constexpr u64 kIssueClocks = 4;

struct Registers {
  u64 ready[kRegisters] = {};        // for any use
  u64 accumulated[kRegisters] = {};  // as the accumulator of a matrix instruction
};

// Accesses that have not come back, in order: when each of them will have.
class Outstanding {
 public:
  // Accesses come back in the order in which they were issued.
  void add(u64 time) { times_.push_back(times_.empty() ? time : std::max(time, times_.back())); }
  // When no more than `count` are left.
  u64 time_of(i16 count) const {
    const std::size_t left = static_cast<std::size_t>(count);
    return times_.size() > left ? times_[times_.size() - left - 1] : 0;
  }
  void forget(u64 now) {
    while (!times_.empty() && times_.front() <= now) times_.pop_front();
  }

 private:
  std::deque<u64> times_;
};

struct Candidate {
  u64 time = 0;
  Stall reason = kDependency;

  void after(u64 when, Stall why) {
    if (when <= time) return;
    time = when;
    reason = why;
  }
};

struct Wave {
  const std::vector<u32>* stream = nullptr;  // numbers of events
  u32 position = 0, group = 0, simd = 0;
  u64 next = 0;    // when it may issue
  u64 issued = 0;  // when it last did
  u8 priority = 0;
  bool at_barrier = false;
  u64 arrived = 0;
  Outstanding memory, local;
  Registers registers;
  Candidate candidate;  // when it could issue, when that was last found

  bool ended() const { return position >= stream->size(); }
};

struct Simd {
  u64 vector = 0, matrix = 0, scalar = 0;  // when each port is free
};

class Replay {
 public:
  Replay(const TimedInstruction* program, const TimedEvent* events, u64 event_count, u32 waves,
         u32 copies, const Machine& machine, u64* stalled)
      : program_(program), events_(events), machine_(machine), stalled_(stalled),
        simds_(machine.simds), streams_(waves) {
    for (u64 k = 0; k < event_count; ++k) streams_[events[k].wave].push_back(static_cast<u32>(k));
    for (u32 w = 0; w < waves * copies; ++w) {
      auto wave = std::make_unique<Wave>();
      wave->stream = &streams_[w % waves];
      wave->group = w / waves;
      wave->simd = w % machine.simds;
      if (!wave->ended()) live_.push_back(wave.get());
      waves_.push_back(std::move(wave));
    }
    timing_.instructions = event_count * copies;
  }

  Timing run() {
    for (Wave* w : live_) w->candidate = find_candidate(*w);
    while (!live_.empty()) step();
    summarise();
    return timing_;
  }

 private:
  const TimedEvent& event_of(const Wave& w) const { return events_[(*w.stream)[w.position]]; }

  // The wave that can issue first; of several the one of higher priority, then the one that has
  // waited longer.
  Wave& first_ready() {
    Wave* best = nullptr;
    for (Wave* w : live_) {
      if (!w->at_barrier && (!best || is_before(*w, *best))) best = w;
    }
    return *best;
  }

  static bool is_before(const Wave& a, const Wave& b) {
    if (a.candidate.time != b.candidate.time) return a.candidate.time < b.candidate.time;
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.issued < b.issued;
  }

  void step() {
    Wave& w = first_ready();
    // Others have taken ports since its candidate was found.
    const Candidate now = find_candidate(w);
    if (now.time > w.candidate.time) {
      w.candidate = now;
      return;
    }
    const TimedEvent& event = event_of(w);
    if (now.time > w.next) {
      timing_.stalls[now.reason] += now.time - w.next;
      stalled_[event.instruction] += now.time - w.next;
    }
    issue(w, program_[event.instruction], event, now.time);
    w.position += 1;
    if (w.ended()) {
      w.at_barrier = false;
      live_.erase(std::find(live_.begin(), live_.end(), &w));
    } else if (!w.at_barrier) {
      w.candidate = find_candidate(w);
    }
    if (w.at_barrier || w.ended()) release_barrier(w.group);
  }

  Candidate find_candidate(const Wave& w) const {
    const TimedInstruction& i = program_[event_of(w).instruction];
    Candidate found;
    found.time = w.next;
    found.after(operands_ready(w, i), kDependency);
    const Simd& simd = simds_[w.simd];
    switch (i.unit) {
      case Unit::matrix:
        found.after(simd.vector, kVectorPort);
        found.after(simd.matrix, kMatrixUnit);
        break;
      case Unit::vector: found.after(simd.vector, kVectorPort); break;
      case Unit::scalar:
      case Unit::branch:
      case Unit::scalar_memory: found.after(simd.scalar, kScalarPort); break;
      case Unit::wait:
        if (i.wait_memory >= 0) found.after(w.memory.time_of(i.wait_memory), kMemoryWait);
        if (i.wait_local >= 0) found.after(w.local.time_of(i.wait_local), kLocalWait);
        break;
      default: break;
    }
    return found;
  }

  static u64 operands_ready(const Wave& w, const TimedInstruction& i) {
    u64 time = 0;
    for (int k = 0; k < i.range_count; ++k) {
      // A matrix instruction may begin to overwrite what an earlier one still makes.
      if (i.range_role[k] == Role::write && i.unit == Unit::matrix) continue;
      const bool chained = i.range_role[k] == Role::accumulator;
      const u64* ready = chained ? w.registers.accumulated : w.registers.ready;
      for (u32 r = i.range_first[k]; r < u32{i.range_first[k]} + i.range_size[k]; ++r)
        time = std::max(time, ready[r]);
    }
    return time;
  }

  void issue(Wave& w, const TimedInstruction& i, const TimedEvent& event, u64 now) {
    w.issued = now;
    w.next = now + i.issue;
    if (i.priority != kKeepPriority) w.priority = i.priority;
    Simd& simd = simds_[w.simd];
    const u64 busy = std::max<u64>(i.busy, u64{event.cost} * i.cost_clocks);
    switch (i.unit) {
      case Unit::matrix:
        simd.vector = now + kIssueClocks;
        simd.matrix = now + busy;
        matrix_.push_back({now, busy});
        break;
      case Unit::vector:
        simd.vector = now + busy;
        timing_.vector_busy += busy;
        break;
      case Unit::scalar:
      case Unit::branch: simd.scalar = now + busy; break;
      case Unit::scalar_memory:
        simd.scalar = now + busy;
        w.local.add(now + machine_.scalar_latency);
        break;
      case Unit::lds:
        lds_ = std::max(now, lds_) + busy;
        timing_.lds_busy += busy;
        w.local.add(lds_ + machine_.lds_latency);
        break;
      case Unit::memory:
        memory_ = std::max(now, memory_) + busy;
        timing_.memory_busy += busy;
        w.memory.add(memory_ + (i.is_store ? machine_.store_latency : machine_.memory_latency));
        break;
      case Unit::wait:
        w.memory.forget(now);
        w.local.forget(now);
        break;
      case Unit::barrier:
        w.at_barrier = true;
        w.arrived = now;
        break;
      case Unit::none: break;
    }
    if (i.unit == Unit::vector || i.unit == Unit::matrix) write_registers(w, i, now);
  }

  static void write_registers(Wave& w, const TimedInstruction& i, u64 now) {
    for (int k = 0; k < i.range_count; ++k) {
      if (i.range_role[k] != Role::write) continue;
      for (u32 r = i.range_first[k]; r < u32{i.range_first[k]} + i.range_size[k]; ++r) {
        w.registers.ready[r] = now + i.result;
        w.registers.accumulated[r] = now + i.chain;
      }
    }
  }

  // Lets a workgroup go on once all of its waves that have not ended are at the barrier.
  void release_barrier(u32 group) {
    u64 last = 0;
    for (const Wave* w : live_) {
      if (w->group != group) continue;
      if (!w->at_barrier) return;
      last = std::max(last, w->arrived);
    }
    const u64 time = last + machine_.barrier;
    for (Wave* w : live_) {
      if (w->group != group) continue;
      timing_.stalls[kBarrier] += time - w->arrived;
      stalled_[events_[(*w->stream)[w->position - 1]].instruction] += time - w->arrived;
      w->next = time;
      w->at_barrier = false;
      w->candidate = find_candidate(*w);
    }
  }

  void summarise() {
    for (const auto& w : waves_) timing_.clocks = std::max(timing_.clocks, w->issued);
    if (matrix_.empty()) return;
    std::sort(matrix_.begin(), matrix_.end());
    const std::size_t count = matrix_.size();
    timing_.first_matrix = matrix_.front().first;
    timing_.last_matrix = matrix_.back().first;
    timing_.steady_begin = matrix_[count / 4].first;
    timing_.steady_end = matrix_[3 * count / 4].first;
    for (const auto& [time, busy] : matrix_) {
      timing_.matrix_busy += busy;
      if (time >= timing_.steady_begin && time < timing_.steady_end) timing_.steady_busy += busy;
    }
  }

  const TimedInstruction* program_;
  const TimedEvent* events_;
  const Machine& machine_;
  u64* stalled_;
  std::vector<Simd> simds_;
  std::vector<std::vector<u32>> streams_;
  std::vector<std::unique_ptr<Wave>> waves_;
  std::vector<Wave*> live_;  // in order
  std::vector<std::pair<u64, u64>> matrix_;  // when issued, clocks
  u64 lds_ = 0, memory_ = 0;                 // when the unit's pipes are free
  Timing timing_ = {};
};

}  // namespace

Timing replay(const TimedInstruction* program, const TimedEvent* events, u64 event_count,
              u32 waves, u32 copies, const Machine& machine, u64* stalled) {
  return Replay(program, events, event_count, waves, copies, machine, stalled).run();
}

}  // namespace lumc::timing

extern "C" __attribute__((visibility("default"))) void lumc_replay(
    const lumc::timing::TimedInstruction* program, const lumc::timing::TimedEvent* events,
    lumc::emulator::u64 event_count, lumc::emulator::u32 waves, lumc::emulator::u32 copies,
    const lumc::timing::Machine* machine, lumc::timing::Timing* timing,
    lumc::emulator::u64* stalled) {
  *timing =
      lumc::timing::replay(program, events, event_count, waves, copies, *machine, stalled);
}
