// o: attention of s 65 to t 100, scores over d 128, values of v 128 for each of h 4, in bf16
// from model.lum:1
// reads q: bf16[65, 4, 128]
// reads k: bf16[100, 2, 128]
// reads v: bf16[100, 2, 128]
// writes out: bf16[65, 4, 128]
// tile 64 queries × 64 keys, 4 waves on matrix cores
// filled: query by 16 bytes along the inner axes, key by 16 bytes along the inner axes, value by
//   16 bytes along its rows
// numbers: 0.088388346 = 1/sqrt(128)
// made by fuse_elementwise
// 12.5 us expected, by memory
LUMC_KERNEL(256) attention_6b70e637(
    const bf16* __restrict__ q,
    const bf16* __restrict__ k,
    const bf16* __restrict__ v,
    bf16* __restrict__ out) {

  using Chunk = Vector<bf16, 8>;
  using Scores = MatrixTile<bf16, 16, 64, 128>;
  using Results = MatrixTile<bf16, 16, 128, 64>;
  __shared__ __attribute__((aligned(16))) bf16 query_tile[64 * 128];
  // Keys, and values when the keys are done with.
  __shared__ __attribute__((aligned(16))) bf16 streamed_tile[8192];
  bf16* const key_tile = streamed_tile;
  bf16* const value_tile = streamed_tile;
  __shared__ __attribute__((aligned(16))) bf16 weight_tile[64 * 64];
  const int batch = quotient(int(block()), 2);
  const int tile_row = remainder(int(block()), 2);
  const int h = batch;
  const int first_row = tile_row * 64;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave * 16;

  Scores scores;
  RunningSoftmax<Scores> softmax;
  Results results[1];
  softmax.clear();
  #pragma unroll
  for (int slice = 0; slice < 1; ++slice) results[slice].clear();
  {
    constexpr int first_inner = 0;
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 16;
      const int part = chunk % 16;
      const int row = first_row + place;
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (row < 65) {
        const int s = row;
        const int d = inner;
        const auto q_vector0 = load_vector<8, 8>(q + 128 * h + 512 * s + d);
        packed = q_vector0;
      }
      store_vector<8>(query_tile + chunk_place<16>(place, part) * 8, packed);
    }
  }

  for (int first_key = 0; first_key < 100; first_key += 64) {
    // Raw scores: products of queries and keys.
    scores.clear();
    for (int first_inner = 0; first_inner < 128; first_inner += 128) {
      local_barrier();
      #pragma unroll
      for (int step = 0; step < 4; ++step) {
        const int chunk = step * 256 + thread();
        const int place = chunk / 16;
        const int part = chunk % 16;
        const int key = first_key + Scores::column_of(place);
        Chunk packed = {};
        const int inner = first_inner + part * 8;
        if (key < 100) {
          const int t = key;
          const int d = inner;
          const auto k_vector0 = load_vector<8, 8>(k + 256 * t + d + 128 * quotient(h, 2));
          packed = k_vector0;
        }
        store_vector<8>(key_tile + chunk_place<16>(place, part) * 8, packed);
      }
      local_barrier();
      scores.add_product(query_tile + wave_row * 128, key_tile);
    }

    // Scores, then weights; keys past the last weigh nothing.
    #pragma unroll
    for (int lane_row = 0; lane_row < Scores::LANE_ROWS; ++lane_row) {
      const int row = first_row + wave_row + Scores::lane_row(lane_row);
      const int s = row;
      #pragma unroll
      for (int first = 0; first < Scores::LANE_COLUMNS; first += 1) {
        const int key = first_key + Scores::lane_column() + first;
        Vector<float, 1> packed;
        #pragma unroll
        for (int e = 0; e < 1; ++e) packed[e] = -infinity();
        if (row < 65 && key < 100) {
          const int t = key;
          const float product2 = scores.at(lane_row, first) * 0.088388346f;
          const int index3 = s;
          const int index4 = t;
          const bool less5 = index3 < index4;
          const float chosen7 = less5 ? (-infinity()) : product2;
          packed[0] = stored<float>(chosen7);
        }
        #pragma unroll
        for (int e = 0; e < 1; ++e) scores.set(lane_row, first + e, packed[e]);
      }
      const float shrink = softmax.add_row(scores, lane_row);
      #pragma unroll
      for (int slice = 0; slice < 1; ++slice) results[slice].scale_row(lane_row, shrink);
    }
    store_weights<bf16, Scores, 64>(weight_tile + wave_row * 64, scores);

    // Weighted values.
    #pragma unroll
    for (int slice = 0; slice < 1; ++slice) {
      const int first_channel = slice * 128;
      local_barrier();
      #pragma unroll
      for (int step = 0; step < 4; ++step) {
        const int chunk = step * 256 + thread();
        const int place = chunk % 16 * 8;
        const int part = chunk / 16;
        const int channel = first_channel + place;
        Chunk packed = {};
        const int key = first_key + part;
        if (key < 100) {
          const int v_2 = channel;
          const int t = key;
          const auto v_vector0 = load_vector<8, 8>(v + 256 * t + v_2 + 128 * quotient(h, 2));
          packed = v_vector0;
        }
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const int at = chunk_place<8>(Results::place_of(place + e), part / 8);
          value_tile[at * 8 + part % 8] = packed[e];
        }
      }
      local_barrier();
      results[slice].add_product(weight_tile + wave_row * 64, value_tile);
    }
  }

  #pragma unroll
  for (int lane_row = 0; lane_row < Results::LANE_ROWS; ++lane_row) {
    const float weight = softmax.weight(lane_row);
    const int row = first_row + wave_row + Results::lane_row(lane_row);
    #pragma unroll
    for (int slice = 0; slice < 1; ++slice) results[slice].scale_row(lane_row, weight);
    if (row >= 65) continue;
    const int s = row;
    #pragma unroll
    for (int slice = 0; slice < 1; ++slice) {
      #pragma unroll
      for (int first = 0; first < Results::LANE_COLUMNS; first += 8) {
        const int column = slice * 128 + Results::lane_column() + first;
        const int v_2 = column;
        Vector<bf16, 8> out_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          out_vector[e] = stored<bf16>(results[slice].at(lane_row, first + e));
        }
        store_vector<8>(out + 128 * h + 512 * s + v_2, out_vector);
      }
    }
  }
}
