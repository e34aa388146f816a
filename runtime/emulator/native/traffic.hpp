// How much of each buffer a traced workgroup touches.
#pragma once

#include "machine.hpp"

namespace lumc::emulator {

// `buffers` are (begin, end) addresses; `traffic` gets four counts of lines for each: requests,
// those that a cache of `cache_bytes` does not answer, lines read and lines written.
void count_traffic(const Program& program, const TraceEvent* events, u64 event_count,
                   const u64* addresses, const void* buffers, u64 buffer_count, u64 cache_bytes,
                   void* traffic);

}  // namespace lumc::emulator
