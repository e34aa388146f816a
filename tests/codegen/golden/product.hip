// img1: a product of t 300 by o 264, summed over c 96 for each of b 1, in bf16
// from model.lum:1
// reads x: bf16[1, 300, 96]
// reads w: bf16[1, 264, 96]
// reads gate: bf16[264]
// reads residual: bf16[1, 300, 264]
// writes y: bf16[1, 300, 264]
// tile 128 × 128, depth 64, 4 waves (2 × 2) on matrix cores
// filled: left by 16 bytes along the inner axes, right by 16 bytes along the inner axes
// made by fuse_elementwise
// 12.5 us expected, by memory
LUMC_KERNEL(256) linear_6922b428(
    const bf16* __restrict__ x,
    const bf16* __restrict__ w,
    const bf16* __restrict__ gate,
    const bf16* __restrict__ residual,
    bf16* __restrict__ y) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 64, 64, 64>;
  __shared__ __attribute__((aligned(16))) bf16 left_tile[128 * 64];
  __shared__ __attribute__((aligned(16))) bf16 right_tile[128 * 64];
  const int number = die_run<8, 9>(int(block()));
  const StripWalk<4, 3, 3> walk(number);
  const int first_row = walk.row * 128;
  const int first_column = walk.column * 128;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave / 2 * 64;
  const int wave_column = wave % 2 * 64;

  Chunk left_next[4];
  Chunk right_next[4];
  auto load_tiles = [&](int first_inner) {
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int row = first_row + place;
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (row < 300 && inner < 96) {
        const int t = row;
        const int c = inner;
        const auto x_vector0 = load_vector<8, 8>(x + 96 * t + c);
        packed = x_vector0;
      }
      left_next[step] = packed;
    }
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int column = first_column + Tile::column_of(place);
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (column < 264 && inner < 96) {
        const int o = column;
        const int c = inner;
        const auto w_vector0 = load_vector<8, 8>(w + 96 * o + c);
        packed = w_vector0;
      }
      right_next[step] = packed;
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
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      store_vector<8>(right_tile + chunk_place<8>(place, part) * 8, right_next[step]);
    }
  };

  Tile total;
  total.clear();
  load_tiles(0);
  for (int first_inner = 0; first_inner < 96; first_inner += 64) {
    store_tiles();
    local_barrier();
    // The next tiles are on their way while these are multiplied.
    if (first_inner + 64 < 96) load_tiles(first_inner + 64);
    total.add_product(left_tile + wave_row * 64, right_tile + wave_column * 64);
    local_barrier();
  }

  #pragma unroll
  for (int lane_row = 0; lane_row < Tile::LANE_ROWS; ++lane_row) {
    const int row = first_row + wave_row + Tile::lane_row(lane_row);
    if (row >= 300) continue;
    const int t = row;
    #pragma unroll
    for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
      const int column = first_column + wave_column + Tile::lane_column() + first;
      if (column < 264) {
        const int o = column;
        const auto gate_vector1 = load_vector<8, 8>(gate + o);
        const auto residual_vector3 = load_vector<8, 8>(residual + 264 * t + o);
        Vector<bf16, 8> y_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const float gate1 = value_of(gate_vector1[e]);
          const float product2 = total.at(lane_row, first + e) * gate1;
          const float residual3 = value_of(residual_vector3[e]);
          const float sum4 = product2 + residual3;
          y_vector[e] = stored<bf16>(sum4);
        }
        store_vector<8>(y + 264 * t + o, y_vector);
      }
    }
  }
}
