// out: a product of n 2 × y 9 × x 11 by o 40, summed over c 16 × i 3 × j 3, in bf16
// from model.lum:1
// reads image: bf16[2, 9, 11, 16]
// reads w: bf16[40, 3, 3, 16]
// reads bias: bf16[40]
// writes out: bf16[2, 9, 11, 40]
// tile 128 × 64, depth 64, 4 waves (2 × 2) on matrix cores
// filled: left by 16 bytes along the inner axes, right by 16 bytes along the inner axes
// made by fuse_elementwise
// 12.5 us expected, by memory
LUMC_KERNEL(256) conv_02a14ac4(
    const bf16* __restrict__ image,
    const bf16* __restrict__ w,
    const bf16* __restrict__ bias,
    bf16* __restrict__ out) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 64, 32, 64>;
  __shared__ __attribute__((aligned(16))) bf16 left_tile[128 * 64];
  __shared__ __attribute__((aligned(16))) bf16 right_tile[64 * 64];
  const int number = die_run<8, 2>(int(block()));
  const StripWalk<4, 2, 1> walk(number);
  const int first_row = walk.row * 128;
  const int first_column = walk.column * 64;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave / 2 * 64;
  const int wave_column = wave % 2 * 32;

  Chunk left_next[4];
  Chunk right_next[2];
  auto load_tiles = [&](int first_inner) {
    #pragma unroll
    for (int step = 0; step < 4; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int row = first_row + place;
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (row < 198 && inner < 144) {
        const int n = quotient(row, 99);
        const int y = remainder(quotient(row, 11), 9);
        const int x = remainder(row, 11);
        const int i = quotient(inner, 48);
        const int j = remainder(quotient(inner, 16), 3);
        const int c = remainder(inner, 16);
        const int index0 = y + i - 1;
        const bool less2 = (-1) < index0;
        const bool less4 = index0 < 9;
        const bool product5 = less2 && less4;
        const int index6 = x + j - 1;
        const bool less8 = (-1) < index6;
        const bool less10 = index6 < 11;
        const bool product11 = less8 && less10;
        const bool product12 = product5 && product11;
        Vector<bf16, 8> image_vector13 = {};
        if (product12) image_vector13 = load_vector<8, 8>(image + 1584 * n + 176 * y + 16 * x + c + 176 * i + 16 * j - 192);
        packed = image_vector13;
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
      if (column < 40 && inner < 144) {
        const int o = column;
        const int i_j_c = inner;
        const auto w_vector0 = load_vector<8, 8>(w + 144 * o + i_j_c);
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
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      store_vector<8>(right_tile + chunk_place<8>(place, part) * 8, right_next[step]);
    }
  };

  Tile total;
  total.clear();
  load_tiles(0);
  for (int first_inner = 0; first_inner < 144; first_inner += 64) {
    store_tiles();
    local_barrier();
    // The next tiles are on their way while these are multiplied.
    if (first_inner + 64 < 144) load_tiles(first_inner + 64);
    total.add_product(left_tile + wave_row * 64, right_tile + wave_column * 64);
    local_barrier();
  }

  #pragma unroll
  for (int lane_row = 0; lane_row < Tile::LANE_ROWS; ++lane_row) {
    const int row = first_row + wave_row + Tile::lane_row(lane_row);
    if (row >= 198) continue;
    const int n_y_x = row;
    #pragma unroll
    for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
      const int column = first_column + wave_column + Tile::lane_column() + first;
      if (column < 40) {
        const int o = column;
        const auto bias_vector1 = load_vector<8, 8>(bias + o);
        Vector<bf16, 8> out_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const float bias1 = value_of(bias_vector1[e]);
          const float sum2 = total.at(lane_row, first + e) + bias1;
          out_vector[e] = stored<bf16>(sum2);
        }
        store_vector<8>(out + 40 * n_y_x + o, out_vector);
      }
    }
  }
}
