// out: a product of n 2 × y 13 × x 17 by o 72, summed over c 96 × i 3 × j 3, in bf16
// from model.lum:1
// reads image: bf16[2, 13, 17, 96]
// reads w: bf16[72, 3, 3, 96]
// reads bias: bf16[72]
// writes out: bf16[2, 13, 17, 72]
// tile 256 × 256, depth 32, 8 waves (2 × 4) on matrix cores, in turns: four multiply while four
//   move data
// tiles are taken in runs for 8 dies, in strips of 4 rows
// made by fuse_elementwise
LUMC_KERNEL(512) conv_368bd8f9(
    const bf16* __restrict__ image,
    const bf16* __restrict__ w,
    const bf16* __restrict__ bias,
    bf16* __restrict__ out) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 128, 64, 32>;
  // Two of each: while one is multiplied, the other is filled.
  __shared__ __attribute__((aligned(16))) bf16 left_tile[2][256 * 32];
  __shared__ __attribute__((aligned(16))) bf16 right_tile[2][256 * 32];
  const int number = die_run<8, 2>(int(block()));
  const StripWalk<4, 2, 1> walk(number);
  const int first_row = walk.row * 256;
  const int first_column = walk.column * 256;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave / 4 * 128;
  const int wave_column = wave % 4 * 64;

  // Where this thread's chunks of both tiles come from: byte offsets, or outside.
  const Buffer left_memory = buffer(image - 1728, 88320u);
  unsigned left_from[2];
  unsigned left_taps[2];
  #pragma unroll
  for (int step = 0; step < 2; ++step) {
    const int chunk = step * 512 + thread();
    const int place = chunk / 4;
    const int part = chunk % 4;
    const int row = first_row + place;
    const int n = quotient(row, 221);
    const int y = remainder(quotient(row, 17), 13);
    const int x = remainder(row, 17);
    const int element = 21216 * n + 1632 * y + 96 * x + part * 8;
    left_from[step] = row < 442 ? 2u * unsigned(element) : OUTSIDE;
    left_taps[step] = 0u;
    #pragma unroll
    for (int tap = 0; tap < 9; ++tap) {
      const int inner = tap * 96;
      const int i = quotient(inner, 288);
      const int j = remainder(quotient(inner, 96), 3);
      const int c = remainder(inner, 96);
      const int index0 = y + i - 1;
      const bool less2 = (-1) < index0;
      const bool less4 = index0 < 13;
      const bool product5 = less2 && less4;
      const int index6 = x + j - 1;
      const bool less8 = (-1) < index6;
      const bool less10 = index6 < 17;
      const bool product11 = less8 && less10;
      const bool product12 = product5 && product11;
      if (!(product12)) left_taps[step] |= 1u << tap;
    }
  }
  const Buffer right_memory = buffer(w, 124416u);
  unsigned right_from[2];
  #pragma unroll
  for (int step = 0; step < 2; ++step) {
    const int chunk = step * 512 + thread();
    const int place = chunk / 4;
    const int part = chunk % 4;
    const int column = first_column + Tile::column_of(place);
    const int o = column;
    const int element = 864 * o + part * 8;
    right_from[step] = column < 72 ? 2u * unsigned(element) : OUTSIDE;
  }

  Chunk left_next[2][2];
  Chunk right_next[2][2];
  // Asks for 128 bytes of each row, a line of memory: what two steps multiply.
  auto fetch = [&](int first_inner, int begin = 0, int end = 2) {
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      #pragma unroll
      for (int half = begin; half < end; ++half) {
        const int inner = first_inner + half * 32;
        const int i = quotient(inner, 288);
        const int j = remainder(quotient(inner, 96), 3);
        const int c = remainder(inner, 96);
        unsigned lane = left_from[step];
        // A bit of the mask becomes all ones, which are outside.
        lane |= -(left_taps[step] >> (inner / 96) & 1u);
        if (inner + thread() % 4 * 8 >= 864) lane = OUTSIDE;
        const unsigned wave_offset = 2u * unsigned(c + 1632 * i + 96 * j);
        left_next[half][step] = buffer_load<Chunk>(left_memory, lane, wave_offset);
      }
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      #pragma unroll
      for (int half = begin; half < end; ++half) {
        const int inner = first_inner + half * 32;
        const int i_j_c = inner;
        unsigned lane = right_from[step];
        if (inner + thread() % 4 * 8 >= 864) lane = OUTSIDE;
        const unsigned wave_offset = 2u * unsigned(i_j_c);
        right_next[half][step] = buffer_load<Chunk>(right_memory, lane, wave_offset);
      }
    }
  };
  auto store_tiles = [&](int half) {
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 512 + thread();
      const int place = chunk / 4;
      const int part = chunk % 4;
      store_vector<8>(left_tile[half] + chunk_place<4>(place, part) * 8, left_next[half][step]);
    }
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 512 + thread();
      const int place = chunk / 4;
      const int part = chunk % 4;
      store_vector<8>(right_tile[half] + chunk_place<4>(place, part) * 8, right_next[half][step]);
    }
  };

  MatrixSlice<bf16, 128> left_slice;
  MatrixSlice<bf16, 64> right_slice;
  Tile total;
  auto read_tiles = [&](int half) {
    left_slice.read<Tile::CHUNKS>(left_tile[half] + wave_row * 32, 0);
    right_slice.read<Tile::CHUNKS>(right_tile[half] + wave_column * 32, 0);
  };
  // This wave's turn to multiply: the other group is at its data meanwhile.
  auto multiply = [&] {
    schedule_fence();
    local_barrier();
    schedule_fence();
    set_priority<1>();
    total.add_product(left_slice, right_slice);
    total.pin();
    set_priority<0>();
    schedule_fence();
    meet();
    schedule_fence();
  };

  // Waves 0 to 3 and 4 to 7 are two groups, with a wave of each on every SIMD. The second is one
  // barrier behind from here on: while one group multiplies, the other reads its slices, stores
  // what has come and asks for what comes next. So the matrix cores never wait for memory.
  const bool second_group = wave >= 4;
  // The first half is wanted soonest. The sums are cleared while it is on its way.
  fetch(0, 0, 1);
  schedule_fence();
  fetch(0, 1, 2);
  schedule_fence();
  total.clear();
  total.pin();
  schedule_fence();
  store_tiles(0);
  local_barrier();
  if (second_group) meet();
  for (int first_inner = 0; first_inner < 864; first_inner += 64) {
    read_tiles(0);
    store_tiles(1);
    // The last step asks for its own data again: that is there, and nobody multiplies it.
    fetch(first_inner + 64 < 864 ? first_inner + 64 : first_inner);
    multiply();
    read_tiles(1);
    store_tiles(0);
    multiply();
  }
  if (!second_group) meet();

  const auto bias_memory = bounded(bias, 72u);
  const auto out_memory = bounded(out, 31824u);
  Vector<bf16, 8> bias1_ahead[Tile::LANE_COLUMNS / 8];
  {
    const int row = first_row;
    #pragma unroll
    for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
      const int column = first_column + wave_column + Tile::lane_column() + first;
      const int o = column;
      const auto bias_here = bias_memory.where(row < 442 && column < 72);
      bias1_ahead[first / 8] = load_vector<8, 8>(bias_here + o);
    }
  }
  #pragma unroll
  for (int first_lane_row = 0; first_lane_row < Tile::LANE_ROWS; first_lane_row += 8) {
    #pragma unroll
    for (int ahead = 0; ahead < 8; ++ahead) {
      const int lane_row = first_lane_row + ahead;
      const int row = first_row + wave_row + Tile::lane_row(lane_row);
      const int n_y_x = row;
      #pragma unroll
      for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
        const int column = first_column + wave_column + Tile::lane_column() + first;
        const int o = column;
        const auto out_here = out_memory.where(row < 442 && column < 72);
        Vector<bf16, 8> out_here_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const float bias_here1_2 = value_of(bias1_ahead[first / 8][e]);
          const float sum2 = total.at(lane_row, first + e) + bias_here1_2;
          out_here_vector[e] = stored<bf16>(sum2);
        }
        store_vector<8>(out_here + 72 * n_y_x + o, out_here_vector);
      }
    }
  }
}
