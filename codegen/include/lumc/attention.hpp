// Softmax over keys that come tile by tile: the running maximum and sum of each row of a wave.
#pragma once

#include "lumc/matrix.hpp"
#include "lumc/shares.hpp"

namespace lumc {

/* The state of a lane's rows. p = exp(score - greatest); `total` is this lane's part of the sum of
   p. While all scores of a row were -infinity, p is 0 and so is its sum, which makes NaN of it. */
template <class Scores>
struct RunningSoftmax {
  float greatest[Scores::LANE_ROWS];
  float total[Scores::LANE_ROWS];

  static constexpr float LOG2_E = 1.44269504088896340736f;

  LUMC_MEMBER void clear() {
#pragma unroll
    for (int i = 0; i < Scores::LANE_ROWS; ++i) {
      greatest[i] = -infinity();
      total[i] = 0.0f;
    }
  }

  /* Turns the scores of row i into p. Returns what everything that was weighted before has to be
     multiplied by, as the maximum may have grown. */
  LUMC_MEMBER float add_row(Scores& scores, int i) {
    float most = greatest[i];
#pragma unroll
    for (int c = 0; c < Scores::LANE_COLUMNS; ++c) most = larger_number(most, scores.at(i, c));
    most = Scores::reduce_row(most, LargerNumber());
    const float before = greatest[i];
    greatest[i] = most;
    const float base = most == -infinity() ? 0.0f : most;
    const float shrink = shrink_from(before, i);
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < Scores::LANE_COLUMNS; ++c) {
      const float p = power_of_2((scores.at(i, c) - base) * LOG2_E);
      scores.set(i, c, p);
      sum += p;
    }
    total[i] = total[i] * shrink + sum;
    return shrink;
  }

  /* What everything of row i has to be multiplied by that was weighted when `before` was greatest. */
  LUMC_MEMBER float shrink_from(float before, int i) const {
    const float base = greatest[i] == -infinity() ? 0.0f : greatest[i];
    return power_of_2((before - base) * LOG2_E);
  }

  /* What the weighted sums of row i have to be multiplied by in the end. */
  LUMC_MEMBER float weight(int i) const { return reciprocal(Scores::reduce_row(total[i], Sum())); }
};

/* What a workgroup knows after the keys so far: what it leaves of a part of them. */
template <class Scores, class Results, int SLICES>
struct AttentionSums {
  static constexpr int ROWS = Results::LANE_ROWS, COLUMNS = Results::LANE_COLUMNS;
  static constexpr int SUMS = SLICES * ROWS * COLUMNS;
  static constexpr int PART_VALUES = SUMS + 2 * ROWS;

  RunningSoftmax<Scores>& softmax;
  Results (&results)[SLICES];

  template <int THREADS>
  LUMC_MEMBER void leave(float* slot) const {
    using Part = PartValues<THREADS, SUMS>;
    Part::leave(slot, [&](int n) {
      return results[n / (ROWS * COLUMNS)].at(n / COLUMNS % ROWS, n % COLUMNS);
    });
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
      slot[Part::SIZE + i * THREADS + thread()] = softmax.greatest[i];
      slot[Part::SIZE + (ROWS + i) * THREADS + thread()] = softmax.total[i];
    }
  }

  /* What is known after all keys, of what `parts` parts have left. Those in which all scores of a row
     are -infinity count for nothing. */
  template <int THREADS>
  LUMC_MEMBER void join(const float* slots, int parts) {
    using Part = PartValues<THREADS, SUMS>;
    constexpr int SLOT = PART_VALUES * THREADS;
    const float* const all_greatest = slots + Part::SIZE + thread();
    softmax.clear();
#pragma unroll
    for (int slice = 0; slice < SLICES; ++slice) results[slice].clear();
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
#pragma unroll 1
      for (int part = 0; part < parts; ++part) {
        const float greatest = all_greatest[part * SLOT + i * THREADS];
        softmax.greatest[i] = larger_number(softmax.greatest[i], greatest);
      }
    }
#pragma unroll 1
    for (int part = 0; part < parts; ++part) {
      float factors[ROWS];
#pragma unroll
      for (int i = 0; i < ROWS; ++i) {
        factors[i] = softmax.shrink_from(all_greatest[part * SLOT + i * THREADS], i);
        softmax.total[i] += all_greatest[part * SLOT + (ROWS + i) * THREADS] * factors[i];
      }
      Part::read(slots + part * SLOT, [&](int n, float sum) {
        Results& own = results[n / (ROWS * COLUMNS)];
        const int i = n / COLUMNS % ROWS, c = n % COLUMNS;
        own.set(i, c, own.at(i, c) + sum * factors[i]);
      });
    }
  }
};

/* Writes a lane's part of `scores`, rounded to T, into the tile that is the left operand of the
   next product; `tile` is the wave's first row there. */
template <class T, class Scores, int KEYS>
LUMC_DEVICE void store_weights(T* tile, const Scores& scores) {
  constexpr int CHUNKS = KEYS / CHUNK<T>;
  static_assert(Scores::LANE_COLUMNS % CHUNK<T> == 0, "a lane has whole chunks");
#pragma unroll
  for (int i = 0; i < Scores::LANE_ROWS; ++i) {
#pragma unroll
    for (int c = 0; c < Scores::LANE_COLUMNS; c += CHUNK<T>) {
      Vector<T, CHUNK<T>> chunk;
#pragma unroll
      for (int e = 0; e < CHUNK<T>; ++e) chunk[e] = stored<T>(scores.at(i, c + e));
      const int number = (Scores::lane_column() + c) / CHUNK<T>;
      store_vector<CHUNK<T>>(tile + chunk_place<CHUNKS>(Scores::lane_row(i), number) * CHUNK<T>, chunk);
    }
  }
}

}  // namespace lumc
