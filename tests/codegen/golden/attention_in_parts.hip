// o: attention of s 140 to t 100, scores over d 512, values of v 512 for each of h 1, in bf16
// from model.lum:1
// reads q: bf16[140, 1, 512]
// reads k: bf16[100, 1, 512]
// reads v: bf16[100, 1, 512]
// writes out: bf16[140, 1, 512]
// tile 128 queries × 32 keys, 4 waves of 32 queries on matrix cores
// scores are transposed, so weights stay in registers; values are transposed on their way to
//   shared memory
// numbers: 0.063758716 = log2(e)/sqrt(512)
// made by fuse_elementwise
LUMC_KERNEL(256) attention_5601236c(
    const bf16* __restrict__ q,
    const bf16* __restrict__ k,
    const bf16* __restrict__ v,
    bf16* __restrict__ out) {

  using Keys = KeyPart<bf16, 32, 512, 512, 256, 1>;
  using Values = ValuePart<bf16, 32, 256, 512, 256, 1>;
  using Wave = AttentionWave<bf16, Keys, Values>;
  __shared__ __attribute__((aligned(1024))) bf16 key_tiles[1 * Keys::TILE];
  __shared__ __attribute__((aligned(1024))) bf16 value_tiles[1 * Values::TILE];
  const int number = die_run<8, 4>(int(block()));
  const int tile_row = quotient(number, 2);
  const int channel_part = remainder(number, 2);
  const int first_row = tile_row * 128;
  const int wave = uniform(thread() / 64);
  const int wave_row = first_row + wave * 32;
  const int row = wave_row + Wave::lane_query();

  Wave own;
  {
    const int s = row;
    #pragma unroll
    for (int slice = 0; slice < Wave::SLICES; ++slice) {
      Vector<bf16, 8> packed = {};
      const int inner = Wave::lane_inner(slice);
      if (row < 140) {
        const int d = inner;
        const auto q_vector0 = load_vector<8, 8>(q + 512 * s + d);
        packed = q_vector0;
      }
      own.queries[slice] = packed;
    }
  }

  constexpr int first_tile = 0, tiles = 4;
  RowStream key_rows(k, 102400), value_rows(v, 102400);
  // The workgroup's part of the channels: it ends with a row's last one, but for the last row.
  value_rows.next += channel_part * 256 * sizeof(bf16);
  value_rows.left -= channel_part * 256 * int(sizeof(bf16));
  Keys keys;
  Values values;

  // Scores of a tile of keys, and their weights.
  auto weigh = [&](int first_key, auto meanwhile) {
    bool plain = first_key <= 68;
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
          if (key < 100) {
            const int t = key;
            #pragma unroll
            for (int e = 0; e < 4; ++e) {
              packed[e] = stored<float>(own.scores[block][first + e]);
            }
          }
          #pragma unroll
          for (int e = 0; e < 4; ++e) own.scores[block][first + e] = packed[e];
        }
      }
    }
    own.weigh<false>(0.063758716f, meanwhile);
  };

  // There is room for one tile of keys and one of values: each is on its way, in registers, while
  // products of the other are made.
  keys.load(key_rows);
  keys.store(key_tiles);
  values.load(value_rows);
  local_barrier();
  arrived(q);
  arrived(k);
  arrived(v);
  arrived(out);

  for (int tile = 0; tile < tiles; ++tile) {
    own.multiply<true, false, false>(key_tiles, value_tiles);
    weigh((first_tile + tile) * 32, [&] {
      values.store(value_tiles);
      keys.load(key_rows);
    });
    local_barrier();
    own.multiply<false, true, false>(key_tiles, value_tiles);
    keys.store(key_tiles);
    values.load(value_rows);
    local_barrier();
  }

  own.finish();
  if (row >= 140) return;
  const int s = row;
  constexpr int lane_row = 0;
  #pragma unroll
  for (int first = 0; first < Wave::LANE_CHANNELS; first += 8) {
    const int column = channel_part * 256 + Wave::lane_channel() + first;
    const int v_2 = column;
    Vector<bf16, 8> out_vector;
    #pragma unroll
    for (int e = 0; e < 8; ++e) {
      out_vector[e] = stored<bf16>(own.at(lane_row, first + e));
    }
    store_vector<8>(out + 512 * s + v_2, out_vector);
  }
}
