// What a traced workgroup asks of memory: the lines of each buffer that it touches, how often, and
// how many of these requests a small cache of the most recently used lines does not answer.
#include "traffic.hpp"

#include <list>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lumc::emulator {

namespace {

struct Buffer {
  u64 begin, end;
};

// All in lines.
struct BufferTraffic {
  u64 requests, misses, read, written;
};

class Cache {
 public:
  explicit Cache(u64 lines) : capacity_(lines) {}
  // Whether the line is there; it is afterwards.
  bool touch(u64 line) {
    const auto found = places_.find(line);
    if (found != places_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return true;
    }
    recent_.push_front(line);
    places_[line] = recent_.begin();
    if (places_.size() > capacity_) {
      places_.erase(recent_.back());
      recent_.pop_back();
    }
    return false;
  }

 private:
  u64 capacity_;
  std::list<u64> recent_;
  std::unordered_map<u64, std::list<u64>::iterator> places_;
};

class Counting {
 public:
  Counting(const Buffer* buffers, u64 count, u32 line, u64 cache_bytes, BufferTraffic* traffic)
      : buffers_(buffers), count_(count), line_(line), cache_(cache_bytes / line),
        traffic_(traffic), read_(count), written_(count) {}

  void access(const Instruction& i, const u64* addresses, u64 exec) {
    const u64 last_byte = i.bytes ? i.bytes - 1 : 0;
    u64 previous = ~u64{0};
    touched_.clear();
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const u64 at = addresses[first_bit(rest)];
      const i64 buffer = buffer_of(at);
      if (buffer < 0) continue;
      for (u64 line = at / line_; line <= (at + last_byte) / line_; ++line) {
        if (line == previous || !touched_.insert(line).second) continue;
        previous = line;
        add(static_cast<std::size_t>(buffer), line, i.kind);
      }
    }
  }

  void finish() {
    for (u64 k = 0; k < count_; ++k) {
      traffic_[k].read = read_[k].size();
      traffic_[k].written = written_[k].size();
    }
  }

 private:
  void add(std::size_t buffer, u64 line, InstructionClass kind) {
    BufferTraffic& traffic = traffic_[buffer];
    traffic.requests += 1;
    if (kind == InstructionClass::global_load) {
      traffic.misses += cache_.touch(line) ? 0 : 1;
      read_[buffer].insert(line);
      return;
    }
    // What is written goes through, and atomics are done behind the unit's own cache.
    traffic.misses += 1;
    written_[buffer].insert(line);
    if (kind == InstructionClass::global_atomic) read_[buffer].insert(line);
  }

  i64 buffer_of(u64 address) const {
    for (u64 k = 0; k < count_; ++k) {
      if (address >= buffers_[k].begin && address < buffers_[k].end) return static_cast<i64>(k);
    }
    return -1;
  }

  const Buffer* buffers_;
  u64 count_;
  u32 line_;
  Cache cache_;
  BufferTraffic* traffic_;
  std::vector<std::unordered_set<u64>> read_, written_;
  std::unordered_set<u64> touched_;
};

bool is_global(const Instruction& i) {
  return i.kind == InstructionClass::global_load || i.kind == InstructionClass::global_store ||
         i.kind == InstructionClass::global_atomic;
}

}  // namespace

void count_traffic(const Program& program, const TraceEvent* events, u64 event_count,
                   const u64* addresses, const void* buffers, u64 buffer_count, u64 cache_bytes,
                   void* traffic) {
  Counting counting(static_cast<const Buffer*>(buffers), buffer_count, program.target->cache_line,
                    cache_bytes, static_cast<BufferTraffic*>(traffic));
  for (u64 k = 0; k < event_count; ++k) {
    const Instruction& i = program.instructions[events[k].instruction];
    if (!is_global(i) || events[k].addresses == ~u64{0}) continue;
    counting.access(i, addresses + events[k].addresses, events[k].exec);
  }
  counting.finish();
}

}  // namespace lumc::emulator
