// Reports, and how the host rounds.
#include <cfenv>
#include <cstring>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "host_mode.hpp"
#include "machine.hpp"

namespace lumc::emulator {

namespace {
constexpr std::size_t kMaxReports = 200;
}

const Allocation* Worker::find_allocation(u64 address, u64 bytes) const {
  u64 low = 0, high = launch->allocation_count;
  while (low < high) {
    const u64 middle = (low + high) / 2;
    if (launch->allocations[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return nullptr;
  const Allocation& allocation = launch->allocations[low - 1];
  return address < allocation.end && bytes <= allocation.end - address ? &allocation : nullptr;
}

void Worker::add_report(const Wave& w, const Instruction& i, u32 check, int lane,
                        const Instruction* other, const char* format, std::va_list arguments) {
  for (Report& known : outcome.reports) {  // one report an instruction and check; the first stands
    if (known.instruction == i.index && known.check == check) {
      known.count += 1;
      return;
    }
  }
  if (outcome.reports.size() >= kMaxReports) return;
  Report report;
  std::memset(&report, 0, sizeof(report));
  report.check = check;
  report.instruction = i.index;
  std::memcpy(report.workgroup, workgroup, sizeof(workgroup));
  report.wave = w.id;
  report.lane = lane;
  report.other_instruction = other ? static_cast<i32>(other->index) : -1;
  report.count = 1;
  std::vsnprintf(report.text, sizeof(report.text), format, arguments);
  outcome.reports.push_back(report);
}

void Worker::report(const Wave& w, const Instruction& i, u32 check, int lane,
                    const Instruction* other, const char* format, ...) {
  if (!checking(check)) return;
  std::va_list arguments;
  va_start(arguments, format);
  add_report(w, i, check, lane, other, format, arguments);
  va_end(arguments);
  if (!stop_on_first) return;
  if (check != kUninitialised) throw Stop{};
  stop_after_workgroup = true;
}

void Worker::fail(const Wave& w, const Instruction& i, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  add_report(w, i, kProgram, -1, nullptr, format, arguments);
  va_end(arguments);
  throw Stop{};
}

void Wave::set_mode(u32 value) { mode = value; }

void set_host_mode(u32 rounding, u32 subnormals) {
  static constexpr int kRounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  std::fesetround(kRounding[rounding & 3]);
#if defined(__SSE2__)
  constexpr unsigned kFlushResults = 0x8000, kFlushSources = 0x0040;
  unsigned control = _mm_getcsr() & ~(kFlushResults | kFlushSources);
  if (!(subnormals & 1)) control |= kFlushSources;
  if (!(subnormals & 2)) control |= kFlushResults;
  _mm_setcsr(control);
#else
  (void)subnormals;
#endif
}

}  // namespace lumc::emulator
