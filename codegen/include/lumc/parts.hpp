// Tiles that several workgroups share along what they sum over, and that the last of them finishes.
//
// Each workgroup of a tile leaves the sums of its part in the workspace and arrives at the tile's
// counter. All but the last to arrive are done. The last one reads all parts back, its own among
// them, in the order of their numbers, and goes on as if it had made all sums itself. Nobody waits
// for another, so workgroups may run in any order, and as the order of the sums is fixed, the
// result is the same whoever comes last. Counters are 0 again when the launch ends.
#pragma once

#include "lumc/device.hpp"

namespace lumc {

/* True for the last of a tile's `parts` workgroups to call this, all threads of it. What the threads
   of the others had written before is there then. `place` is in shared memory that nothing else
   uses from here to the next barrier. */
LUMC_DEVICE bool is_last_part(unsigned* counter, int parts, unsigned* place) {
  settle();
  barrier();
  if (thread() == 0) *place = arrive(counter, static_cast<unsigned>(parts - 1));
  barrier();
  return uniform(static_cast<int>(*place)) == parts - 1;
}

/* COUNT numbers of each of THREADS threads, as they lie in memory: four of a thread together, those
   of neighbouring threads side by side, so that every access of a wave is one piece. */
template <int THREADS, int COUNT>
struct PartValues {
  static constexpr int SIZE = THREADS * COUNT;

  /* Writes `number(n)` for n from 0 to COUNT - 1. */
  template <class Number>
  static LUMC_MEMBER void leave(float* slot, Number number) {
#pragma unroll
    for (int n = 0; n + 4 <= COUNT; n += 4) {
      const Vector<float, 4> four = {number(n), number(n + 1), number(n + 2), number(n + 3)};
      store_vector<4>(slot + n * THREADS + thread() * 4, four);
    }
#pragma unroll
    for (int n = COUNT / 4 * 4; n < COUNT; ++n) slot[n * THREADS + thread()] = number(n);
  }

  /* Calls `use(n, number)` for the same numbers. As many are asked for at once as hide the way to
     memory and leave registers for what is made of them. */
  template <class Use>
  static LUMC_MEMBER void read(const float* slot, Use use) {
    constexpr int AT_ONCE = 64;
#pragma unroll
    for (int first = 0; first < COUNT; first += AT_ONCE) {
      float numbers[AT_ONCE];
#pragma unroll
      for (int n = first; n < first + AT_ONCE && n < COUNT; n += 4) {
        if (n + 4 <= COUNT) {
          const auto four = load_vector<4, 4>(slot + n * THREADS + thread() * 4);
#pragma unroll
          for (int e = 0; e < 4; ++e) numbers[n - first + e] = four[e];
        } else {
#pragma unroll
          for (int e = n; e < COUNT; ++e) numbers[e - first] = slot[e * THREADS + thread()];
        }
      }
#pragma unroll
      for (int n = first; n < first + AT_ONCE && n < COUNT; ++n) use(n, numbers[n - first]);
    }
  }
};

}  // namespace lumc
