// o: attention of s 70 to t 264, scores over d 64, values of v 64 for each of h 2, in bf16
// from model.lum:1
// reads q: bf16[70, 2, 64]
// reads k: bf16[264, 2, 64]
// reads v: bf16[264, 2, 64]
// reads kept: bool[70, 264]
// writes out: bf16[70, 2, 64]
// tile 256 queries × 128 keys, 8 waves of 32 queries on matrix cores, half of them a phase behind
// scores are transposed, so weights stay in registers; values are transposed on their way to
//   shared memory
// masks are fetched a tile ahead
// numbers: 0.18033688 = log2(e)/sqrt(64)
// made by fuse_elementwise
LUMC_KERNEL(512) attention_5b8a09ae(
    const bf16* __restrict__ q,
    const bf16* __restrict__ k,
    const bf16* __restrict__ v,
    const flag* __restrict__ kept,
    bf16* __restrict__ out) {

  using Keys = KeyPart<bf16, 128, 64, 128, 512, 2>;
  using Values = ValuePart<bf16, 128, 64, 128, 512, 2>;
  using Wave = AttentionWave<bf16, Keys, Values>;
  __shared__ __attribute__((aligned(1024))) bf16 key_tiles[2 * Keys::TILE];
  __shared__ __attribute__((aligned(1024))) bf16 value_tiles[2 * Values::TILE];
  const int number = die_run<8, 2>(int(block()));
  const int batch = number;
  const int h = batch;
  const int first_row = 0 * 256;
  const int wave = uniform(thread() / 64);
  const int wave_row = first_row + wave * 32;
  const int row = wave_row + Wave::lane_query();
  // Of two waves on a SIMD one multiplies while the other, a phase behind, weighs and moves data.
  const bool behind = wave >= 4;

  Wave own;
  {
    const int s = row;
    #pragma unroll
    for (int slice = 0; slice < Wave::SLICES; ++slice) {
      Vector<bf16, 8> packed = {};
      const int inner = Wave::lane_inner(slice);
      if (row < 70) {
        const int d = inner;
        const auto q_vector0 = load_vector<8, 8>(q + 64 * h + 128 * s + d);
        packed = q_vector0;
      }
      own.queries[slice] = packed;
    }
  }

  constexpr int first_tile = 0, tiles = 3;
  RowStream key_rows(k + 64LL * i64(h), 67456), value_rows(v + 64LL * i64(h), 67456);
  Keys keys;
  Values values;

  // What scores need of memory beside products, a tile ahead.
  const auto kept_memory = bounded(kept, 18480u);
  Held<flag, 8> kept_next[Wave::KEY_BLOCKS][2];
  auto load_masks = [&](int first_key) {
    const int row = recomputed(wave_row + Wave::lane_query());
    const int s = row;
    #pragma unroll
    for (int block = 0; block < Wave::KEY_BLOCKS; ++block) {
      #pragma unroll
      for (int first = 0; first < 16; first += 8) {
        const int key = first_key + Wave::lane_key(block) + first;
        const bool inside = row < 70 && key < 264;
        const int t = key;
        kept_next[block][first / 8] = load_vector<8, 8>(kept_memory.where(inside) + 264 * s + t);
      }
    }
  };

  // Scores of a tile of keys, and their weights.
  auto weigh = [&](int first_key, auto meanwhile) {
    bool plain = first_key <= 136;
    plain = plain && in_all_lanes(all_set(kept_next));
    if (!plain) {
      // Worked out here, so that nothing made of it takes registers elsewhere.
      const int row = recomputed(wave_row + Wave::lane_query());
      const int s = row;
      #pragma unroll
      for (int block = 0; block < Wave::KEY_BLOCKS; ++block) {
        #pragma unroll
        for (int first = 0; first < 16; first += 8) {
          const int key = first_key + Wave::lane_key(block) + first;
          Vector<float, 8> packed;
          #pragma unroll
          for (int e = 0; e < 8; ++e) packed[e] = -infinity();
          if (row < 70 && key < 264) {
            const int t = key;
            #pragma unroll
            for (int e = 0; e < 8; ++e) {
              const bool kept3 = value_of(kept_next[block][first / 8][e]);
              const float chosen5 = kept3 ? own.scores[block][first + e] : (-infinity());
              packed[e] = stored<float>(chosen5);
            }
          }
          #pragma unroll
          for (int e = 0; e < 8; ++e) own.scores[block][first + e] = packed[e];
        }
      }
    }
    own.weigh<true>(0.18033688f, meanwhile);
    load_masks(first_key + 128);
  };

  // Tile 0 of keys and values and tile 1 of keys; the next ones are on their way. Each of the two
  // places for tiles is used in turn.
  keys.load(key_rows);
  values.load(value_rows);
  load_masks(first_tile * 128);
  keys.store(key_tiles);
  values.store(value_tiles);
  keys.load(key_rows);
  keys.store(key_tiles);
  keys.load(key_rows);
  values.load(value_rows);
  local_barrier();
  own.multiply<true, false, false>(key_tiles, value_tiles);
  own.next_keys();
  weigh(first_tile * 128, [] {});
  meet();
  if (behind) {
    keys.store(key_tiles);
    values.store(value_tiles);
    keys.load(key_rows);
    values.load(value_rows);
    local_barrier();
  }
  arrived(q);
  arrived(k);
  arrived(v);
  arrived(kept);
  arrived(out);

  for (int tile = 1; tile < tiles; ++tile) {
    // Scores of this tile and results of the one before, while the other waves weigh and store.
    schedule_fence();
    set_priority<1>();
    own.multiply<true, true, true>(key_tiles, value_tiles);
    set_priority<0>();
    schedule_fence();
    // Weights; meanwhile the next tiles go where no wave reads any more.
    weigh((first_tile + tile) * 128, [&] {
      keys.store(key_tiles);
      values.store(value_tiles);
      keys.load(key_rows);
      values.load(value_rows);
      own.next_keys();
      own.next_values();
    });
    schedule_fence();
    local_barrier();
  }
  own.multiply<false, true, false>(key_tiles, value_tiles);
  if (!behind) meet();

  own.finish();
  if (row >= 70) return;
  const int s = row;
  constexpr int lane_row = 0;
  #pragma unroll
  for (int first = 0; first < Wave::LANE_CHANNELS; first += 8) {
    const int column = Wave::lane_channel() + first;
    const int v_2 = column;
    Vector<bf16, 8> out_vector;
    #pragma unroll
    for (int e = 0; e < 8; ++e) {
      out_vector[e] = stored<bf16>(own.at(lane_row, first + e));
    }
    store_vector<8>(out + 64 * h + 128 * s + v_2, out_vector);
  }
}
