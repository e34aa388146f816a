// 2 products of t 150 by o 200, summed over c 160, in bf16
// reads x: bf16[150, 160]
// reads gate: bf16[200, 160]
// reads up: bf16[200, 160]
// writes y: bf16[150, 200]
// tile 128 × 64, depth 64, 4 waves (2 × 2) on matrix cores
// filled: left by 16 bytes along the inner axes, right0 by 16 bytes along the inner axes, right1
//   by 16 bytes along the inner axes
// numbers: 1.442695 = log2(e)
// 12.5 us expected, by memory
LUMC_KERNEL(256) swiglu_8d56f2a7(
    const bf16* __restrict__ x,
    const bf16* __restrict__ gate,
    const bf16* __restrict__ up,
    bf16* __restrict__ y) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 64, 32, 64>;
  __shared__ __attribute__((aligned(16))) bf16 left_tile[128 * 64];
  __shared__ __attribute__((aligned(16))) bf16 right0_tile[64 * 64];
  __shared__ __attribute__((aligned(16))) bf16 right1_tile[64 * 64];
  const int number = die_run<8, 8>(int(block()));
  const StripWalk<4, 2, 4> walk(number);
  const int first_row = walk.row * 128;
  const int first_column = walk.column * 64;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave / 2 * 64;
  const int wave_column = wave % 2 * 32;

  Chunk left_next[4];
  Chunk right0_next[2];
  Chunk right1_next[2];
  auto load_tiles = [&](int first_inner) {
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int row = first_row + place;
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (row < 150 && inner < 160) {
        const int t = row;
        const int c = inner;
        const auto x_vector0 = load_vector<8, 8>(x + 160 * t + c);
        packed = x_vector0;
      }
      left_next[step] = packed;
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int column = first_column + Tile::column_of(place);
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (column < 200 && inner < 160) {
        const int o = column;
        const int c = inner;
        const auto gate_vector0 = load_vector<8, 8>(gate + 160 * o + c);
        packed = gate_vector0;
      }
      right0_next[step] = packed;
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int column = first_column + Tile::column_of(place);
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (column < 200 && inner < 160) {
        const int o = column;
        const int c = inner;
        const auto up_vector0 = load_vector<8, 8>(up + 160 * o + c);
        packed = up_vector0;
      }
      right1_next[step] = packed;
    }
  };
  auto store_tiles = [&] {
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      store_vector<8>(left_tile + chunk_place<8>(place, part) * 8, left_next[step]);
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      store_vector<8>(right0_tile + chunk_place<8>(place, part) * 8, right0_next[step]);
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      store_vector<8>(right1_tile + chunk_place<8>(place, part) * 8, right1_next[step]);
    }
  };

  Tile total0;
  total0.clear();
  Tile total1;
  total1.clear();
  load_tiles(0);
  for (int first_inner = 0; first_inner < 160; first_inner += 64) {
    store_tiles();
    local_barrier();
    // The next tiles are on their way while these are multiplied.
    if (first_inner + 64 < 160) load_tiles(first_inner + 64);
    total0.add_product(left_tile + wave_row * 64, right0_tile + wave_column * 64);
    total1.add_product(left_tile + wave_row * 64, right1_tile + wave_column * 64);
    local_barrier();
  }

  #pragma unroll
  for (int lane_row = 0; lane_row < Tile::LANE_ROWS; ++lane_row) {
    const int row = first_row + wave_row + Tile::lane_row(lane_row);
    if (row >= 150) continue;
    const int t = row;
    #pragma unroll
    for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
      const int column = first_column + wave_column + Tile::lane_column() + first;
      if (column < 200) {
        const int o = column;
        Vector<bf16, 8> y_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const float product2 = total0.at(lane_row, first + e) * (-1.442695f);
          const float power3 = power_of_2(product2);
          const float sum5 = power3 + 1.0f;
          const float inverse6 = reciprocal(sum5);
          const float product7 = total0.at(lane_row, first + e) * inverse6;
          const float product9 = product7 * total1.at(lane_row, first + e);
          y_vector[e] = stored<bf16>(product9);
        }
        store_vector<8>(y + 200 * t + o, y_vector);
      }
    }
  }
}
