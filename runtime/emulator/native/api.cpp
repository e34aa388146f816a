// The functions that Python calls. Everything crosses as plain numbers and arrays.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "decode.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "opcodes.hpp"
#include "traffic.hpp"

namespace {

using namespace lumc::emulator;

constexpr Target kTargets[] = {
    {Architecture::gfx90a, "gfx90a", 64, 64 * 1024, 64, false},
    {Architecture::gfx942, "gfx942", 64, 64 * 1024, 128, false},
    {Architecture::gfx950, "gfx950", 64, 160 * 1024, 128, true},
    {Architecture::gfx1100, "gfx1100", 32, 64 * 1024, 128, true},
};

const Target* target_named(const char* name) {
  for (const Target& target : kTargets) {
    if (!std::strcmp(target.name, name)) return &target;
  }
  return nullptr;
}

char* copy_text(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

// The range that a matrix instruction adds to, or -1.
i32 accumulator_of(const Instruction& i) {
  if (i.kind != InstructionClass::mfma || !i.source[2].is_vector()) return -1;
  for (int k = i.read_count - 1; k >= 0; --k) {
    if (i.ranges[k].vector && i.ranges[k].first == i.source[2].index) return k;
  }
  return -1;
}

struct Decoded {
  Program program;
  std::string listing;  // texts, mnemonics and locations, separated by newlines
};

}  // namespace

#define LUMC_API __attribute__((visibility("default")))

extern "C" {

struct SymbolRecord {
  const char* name;
  u64 address, size;
};

// What Python learns about one instruction.
struct InstructionRecord {
  u64 address;
  u32 size, text_line, location, bytes;
  u32 kind, traffic;
  u32 matrix_rows, matrix_columns, matrix_depth, matrix_blocks;
  i32 wait_memory, wait_local;  // counters that a wait waits for, or -1
  i32 accumulator;              // which range a matrix instruction adds to, or -1
  u32 read_count, range_count;
  u16 range_first[kMaxRanges];
  u8 range_size[kMaxRanges];
  u8 range_is_vector[kMaxRanges];
};

// Decodes assembly text. Returns a program, or null with what is wrong in `*error`, a line each.
LUMC_API void* lumc_decode(const char* target, const char* text, u64 text_size, const u8* code,
                           u64 code_begin, u64 code_size, u64 base, const SymbolRecord* symbols,
                           u64 symbol_count, char** error) {
  *error = nullptr;
  const Target* known = target_named(target);
  if (!known) {
    *error = copy_text(std::string("the emulator does not know target ") + target);
    return nullptr;
  }
  try {
    auto decoded = std::make_unique<Decoded>();
    decoded->program.target = known;
    Code where{code, code_begin, code_size, base, {}};
    for (u64 k = 0; k < symbol_count; ++k)
      where.symbols.push_back({symbols[k].name, symbols[k].address, symbols[k].size});
    const auto problems = decode_program(decoded->program, {text, text_size}, where);
    if (problems.empty()) return decoded.release();
    std::string all;
    for (const std::string& problem : problems) all += problem + "\n";
    *error = copy_text(all);
  } catch (const std::exception& failure) {
    *error = copy_text(failure.what());
  }
  return nullptr;
}

LUMC_API void lumc_free_program(void* program) { delete static_cast<Decoded*>(program); }
LUMC_API void lumc_free_text(char* text) { std::free(text); }

LUMC_API u64 lumc_instruction_count(const void* program) {
  return static_cast<const Decoded*>(program)->program.instructions.size();
}

LUMC_API void lumc_describe(const void* handle, InstructionRecord* records) {
  const Program& program = static_cast<const Decoded*>(handle)->program;
  for (const Instruction& i : program.instructions) {
    InstructionRecord& r = records[i.index];
    std::memset(&r, 0, sizeof(r));
    r.address = i.address;
    r.size = i.size;
    r.text_line = i.text_line;
    r.location = i.location;
    r.bytes = i.bytes * (is_pair(i) ? 2 : 1);
    r.kind = static_cast<u32>(i.kind);
    r.traffic = static_cast<u32>(i.traffic);
    r.matrix_rows = i.matrix.rows;
    r.matrix_columns = i.matrix.columns;
    r.matrix_depth = i.matrix.depth;
    r.matrix_blocks = i.matrix.blocks;
    const bool waits = i.kind == InstructionClass::wait;
    r.wait_memory = waits ? i.offset : -1;
    r.wait_local = waits ? i.offset1 : -1;
    r.accumulator = accumulator_of(i);
    r.read_count = i.read_count;
    r.range_count = i.range_count;
    for (int k = 0; k < i.range_count; ++k) {
      r.range_first[k] = i.ranges[k].first;
      r.range_size[k] = i.ranges[k].count;
      r.range_is_vector[k] = i.ranges[k].vector;
    }
  }
}

// Texts of all instructions, then mnemonics, then locations (file TAB line TAB inlining), joined
// by newlines. To be freed with lumc_free_text.
LUMC_API char* lumc_listing(const void* handle) {
  const Program& program = static_cast<const Decoded*>(handle)->program;
  std::string listing;
  for (const std::string& text : program.texts) listing += text + "\n";
  for (const std::string& mnemonic : program.mnemonics) listing += mnemonic + "\n";
  for (const Location& location : program.locations) {
    listing +=
        location.file + "\t" + std::to_string(location.line) + "\t" + location.inlined + "\n";
  }
  return copy_text(listing);
}

// Mnemonics known for a target, joined by newlines.
LUMC_API char* lumc_mnemonics(const char* target) {
  const Target* known = target_named(target);
  std::string all;
  if (known) {
    for (const std::string& name : opcodes_of(*known).names()) {
      if (name.find('#') == std::string::npos) all += name + "\n";
    }
  }
  return copy_text(all);
}

struct LaunchRecord {
  const void* program;
  u64 entry;
  u32 grid[3], block[3];
  const u32* workgroups;
  u64 workgroup_count;
  const u32* user_scalars;
  u32 user_scalar_count, workgroup_id_mask, workgroup_info, vector_registers,
      accumulation_registers;
  u32 lds_bytes, scratch_bytes, mode, checks, stop_on_first, threads;
  u64 instruction_limit;
  const Allocation* allocations;
  u64 allocation_count;
  const u32* traced;
  u32 traced_count;
};

// Runs a launch. Returns its outcome, or null with what is wrong in `*error`.
LUMC_API void* lumc_launch(const LaunchRecord* r, char** error) {
  *error = nullptr;
  const Program& program = static_cast<const Decoded*>(r->program)->program;
  Launch launch{};
  launch.program = &program;
  launch.entry = program.at(r->entry);
  if (!launch.entry) {
    *error = copy_text("the kernel's entry is not in the assembly text");
    return nullptr;
  }
  std::memcpy(launch.grid, r->grid, sizeof(launch.grid));
  std::memcpy(launch.block, r->block, sizeof(launch.block));
  launch.workgroups = r->workgroups;
  launch.workgroup_count = r->workgroup_count;
  launch.user_scalars = r->user_scalars;
  launch.user_scalar_count = r->user_scalar_count;
  launch.workgroup_id_mask = r->workgroup_id_mask;
  launch.workgroup_info = r->workgroup_info;
  launch.vector_registers = r->vector_registers;
  launch.accumulation_registers = r->accumulation_registers;
  launch.lds_bytes = r->lds_bytes;
  launch.scratch_bytes = r->scratch_bytes;
  launch.mode = r->mode;
  launch.checks = r->checks;
  launch.stop_on_first = r->stop_on_first;
  launch.threads = r->threads ? r->threads : std::thread::hardware_concurrency();
  launch.instruction_limit = r->instruction_limit;
  launch.allocations = r->allocations;
  launch.allocation_count = r->allocation_count;
  launch.traced = r->traced;
  launch.traced_count = r->traced_count;
  try {
    return new Outcome(run_launch(launch));
  } catch (const std::exception& failure) {
    *error = copy_text(failure.what());
    return nullptr;
  }
}

struct OutcomeRecord {
  u64 workgroups, barriers, instructions;
  u64 report_count;
  const Report* reports;
  const InstructionCounts* counts;
};

LUMC_API void lumc_outcome(const void* handle, OutcomeRecord* r) {
  const Outcome& outcome = *static_cast<const Outcome*>(handle);
  r->workgroups = outcome.workgroups;
  r->barriers = outcome.barriers;
  r->instructions = outcome.instructions;
  r->report_count = outcome.reports.size();
  r->reports = outcome.reports.data();
  r->counts = outcome.counts.data();
}

struct TraceRecord {
  u64 event_count, address_count;
  const TraceEvent* events;
  const u64* addresses;
};

LUMC_API void lumc_trace(const void* handle, u64 index, TraceRecord* r) {
  const Outcome& outcome = *static_cast<const Outcome*>(handle);
  std::memset(r, 0, sizeof(*r));
  if (index >= outcome.traces.size()) return;
  const Trace& trace = outcome.traces[index];
  r->event_count = trace.events.size();
  r->address_count = trace.addresses.size();
  r->events = trace.events.data();
  r->addresses = trace.addresses.data();
}

// Lines of memory that a trace touches; see traffic.cpp.
LUMC_API void lumc_traffic(const void* program, const TraceEvent* events, u64 event_count,
                           const u64* addresses, const void* buffers, u64 buffer_count,
                           u64 cache_bytes, void* traffic) {
  count_traffic(static_cast<const Decoded*>(program)->program, events, event_count, addresses,
                buffers, buffer_count, cache_bytes, traffic);
}

LUMC_API void lumc_free_outcome(void* handle) { delete static_cast<Outcome*>(handle); }

}  // extern "C"
