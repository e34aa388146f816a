// A model of time: the instruction streams of one workgroup, or of equal ones that share a compute
// unit, replayed on four in-order SIMDs. Nothing is executed here: instructions are what they
// occupy, for how many clocks, and which registers they wait for.
#pragma once

#include "bits.hpp"

namespace lumc::timing {

using emulator::i16;
using emulator::i32;
using emulator::u16;
using emulator::u32;
using emulator::u64;
using emulator::u8;

// What an instruction occupies.
enum class Unit : u8 { vector, matrix, scalar, branch, scalar_memory, memory, lds, wait, barrier,
                       none };

enum class Role : u8 { read, write, accumulator };

constexpr int kRanges = 8;
constexpr int kRegisters = 512;  // vector registers, then accumulation registers
constexpr u8 kKeepPriority = 255;

struct TimedInstruction {
  Unit unit;
  u8 priority;      // of the wave from here on, or kKeepPriority
  u8 range_count;
  u8 is_store;      // memory: nothing comes back
  u16 issue;        // clocks until the wave may issue again
  u16 busy;         // clocks that the unit is taken at least
  u16 cost_clocks;  // clocks of the unit for each unit of an event's cost
  u16 result;       // clocks until a register that it writes may be read
  u16 chain;        // matrix: the same, as the accumulator of another matrix instruction
  i16 wait_memory, wait_local;  // counters to wait for, or -1
  u16 range_first[kRanges];
  u8 range_size[kRanges];
  Role range_role[kRanges];
};

struct TimedEvent {
  u32 instruction, wave, cost;
};

struct Machine {
  u32 simds;
  u32 lds_latency;     // clocks from the end of an access to its data
  u32 memory_latency;  // the same for loads from memory
  u32 store_latency;
  u32 scalar_latency;
  u32 barrier;         // clocks from the last arrival to the first instruction behind
};

enum Stall : u32 { kDependency, kVectorPort, kMatrixUnit, kScalarPort, kMemoryWait, kLocalWait,
                   kBarrier, kStalls };

struct Timing {
  u64 clocks;
  u64 first_matrix, last_matrix;  // when these are issued
  u64 steady_begin, steady_end, steady_busy;  // the middle half of the matrix instructions
  u64 matrix_busy, vector_busy, lds_busy, memory_busy;  // clocks, added up over SIMDs
  u64 instructions;
  u64 stalls[kStalls];  // clocks, added up over waves
};

// `stalled` gets the clocks that waves stood before each instruction.
Timing replay(const TimedInstruction* program, const TimedEvent* events, u64 event_count,
              u32 waves, u32 copies, const Machine& machine, u64* stalled);

}  // namespace lumc::timing
