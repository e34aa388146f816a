// o: attention of s 300 to t 700, scores over d 128, values of v 128 for each of h 2, in bf16
// from model.lum:1
// reads q: bf16[300, 2, 128]
// reads k: bf16[700, 2, 128]
// reads v: bf16[700, 2, 128]
// writes out: bf16[300, 2, 128]
// tile 256 queries × 64 keys, 8 waves of 32 queries on matrix cores, half of them a phase behind
// scores are transposed, so weights stay in registers; values are transposed on their way to
//   shared memory
// the last 3 of 4 tiles are shared by 7 workgroups, equal runs of their steps each, so that units
//   end together; reduced inside the launch
// numbers: 0.12751743 = log2(e)/sqrt(128)
// made by fuse_elementwise
LUMC_KERNEL(512) attention_3ed50e80(
    const bf16* __restrict__ q,
    const bf16* __restrict__ k,
    const bf16* __restrict__ v,
    bf16* __restrict__ out,
    float* workspace,
    unsigned* counters) {

  using Keys = KeyPart<bf16, 64, 128, 256, 512, 2>;
  using Values = ValuePart<bf16, 64, 128, 256, 512, 2>;
  using Wave = AttentionWave<bf16, Keys, Values>;
  __shared__ __attribute__((aligned(1024))) bf16 key_tiles[2 * Keys::TILE];
  __shared__ __attribute__((aligned(1024))) bf16 value_tiles[2 * Values::TILE];
  using Shared = SharedLines<3, 11, 7>;
  // This workgroup's steps, 64 keys each, counted through all tiles.
  int line, end, share = 0;
  if (int(block()) < 1) {
    line = int(block()) * 11;
    end = line + 11;
  } else {
    share = int(block()) - 1;
    line = 11 + Shared::first(share);
    end = 11 + Shared::first(share + 1);
  }

  do {
    // The next tiles go where waves have read the ones before.
    local_barrier();
    const int number = quotient(line, 11);
    const int begin = line - number * 11;
    const int stop = begin + (end - line < 11 - begin ? end - line : 11 - begin);
    const int batch = quotient(number, 2);
    const int tile_row = remainder(number, 2);
    const int h = batch;
    const int first_row = tile_row * 256;
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
        if (row < 300) {
          const int d = inner;
          const auto q_vector0 = load_vector<8, 8>(q + 128 * h + 256 * s + d);
          packed = q_vector0;
        }
        own.queries[slice] = packed;
      }
    }

    // Of tiles before and after these no query of the workgroup sees a key.
    int first_tile = begin, stop_tile = stop;
    stop_tile = minimum(stop_tile, (within(-(-within(first_row + 255, 0, 299) - 1), 1, 700) + 63) / 64);
    const int tiles = maximum(stop_tile - first_tile, 1);
    RowStream key_rows(k + 128LL * i64(h), 358144), value_rows(v + 128LL * i64(h), 358144);
    key_rows.skip(first_tile * Keys::TILE_BYTES);
    value_rows.skip(first_tile * Values::TILE_BYTES);
    Keys keys;
    Values values;

    // Scores of a tile of keys, and their weights.
    auto weigh = [&](int first_key, auto meanwhile) {
      bool plain = -wave_row + (first_key + 63) - 1 < 0 && first_key <= 636;
      if (!plain) {
        // Worked out here, so that nothing made of it takes registers elsewhere.
        const int row = recomputed(wave_row + Wave::lane_query());
        const int s = row;
        #pragma unroll
        for (int block = 0; block < Wave::KEY_BLOCKS; ++block) {
          #pragma unroll
          for (int first = 0; first < 16; first += 4) {
            const int key = first_key + Wave::lane_key(block) + first;
            Vector<float, 4> packed;
            #pragma unroll
            for (int e = 0; e < 4; ++e) packed[e] = -infinity();
            if (key < 700) {
              const int t = key;
              const int index3 = s;
              #pragma unroll
              for (int e = 0; e < 4; ++e) {
                const int index4 = (t + e);
                const bool less5 = index3 < index4;
                const float chosen7 = less5 ? (-infinity()) : own.scores[block][first + e];
                packed[e] = stored<float>(chosen7);
              }
            }
            #pragma unroll
            for (int e = 0; e < 4; ++e) own.scores[block][first + e] = packed[e];
          }
        }
      }
      own.weigh<true>(0.12751743f, meanwhile);
    };

    // Tile 0 of keys and values and tile 1 of keys; the next ones are on their way. Each of the two
    // places for tiles is used in turn.
    keys.load(key_rows);
    values.load(value_rows);
    keys.store(key_tiles);
    values.store(value_tiles);
    keys.load(key_rows);
    keys.store(key_tiles);
    keys.load(key_rows);
    values.load(value_rows);
    local_barrier();
    own.multiply<true, false, false>(key_tiles, value_tiles);
    own.next_keys();
    weigh(first_tile * 64, [] {});
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
    arrived(out);
    arrived(workspace);
    arrived(counters);

    for (int tile = 1; tile < tiles; ++tile) {
      // Scores of this tile and results of the one before, while the other waves weigh and store.
      schedule_fence();
      set_priority<1>();
      own.multiply<true, true, true>(key_tiles, value_tiles);
      set_priority<0>();
      schedule_fence();
      // Weights; meanwhile the next tiles go where no wave reads any more.
      weigh((first_tile + tile) * 64, [&] {
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

    line += stop - begin;
    if (stop - begin < 11) {
      // The last workgroup of the tile goes on with what all of them know.
      const int shared_tile = number - 1;
      constexpr int PART = Wave::PART_VALUES * 512;
      const TileParts<PART> parts(Shared(), workspace, shared_tile, share);
      own.leave<512>(parts.first + i64(parts.own) * PART);
      unsigned* const place = reinterpret_cast<unsigned*>(key_tiles);
      if (!is_last_part(counters + shared_tile, parts.count, place)) continue;
      own.join<512>(parts.first, parts.count, 0.12751743f);
    }
    own.finish();
    if (row < 300) {
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
        store_vector<8>(out + 128 * h + 256 * s + v_2, out_vector);
      }
    }
  } while (line < end);
}
