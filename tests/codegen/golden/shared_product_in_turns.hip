// img1: a product of t 300 by o 264, summed over c 1168 for each of b 1, in bf16
// from model.lum:1
// reads x: bf16[1, 300, 1168]
// reads w: bf16[1, 264, 1168]
// reads gate: bf16[264]
// reads residual: bf16[1, 300, 264]
// writes y: bf16[1, 300, 264]
// tile 256 × 256, depth 32, 8 waves (2 × 4) on matrix cores, in turns: four multiply while four
//   move data
// tiles are taken in runs for 8 dies, in strips of 4 rows
// the last 3 of 4 tiles are shared by 5 workgroups, equal runs of their steps each, so that units
//   end together; reduced inside the launch
// made by fuse_elementwise
LUMC_KERNEL(512) linear_dcb39e04(
    const bf16* __restrict__ x,
    const bf16* __restrict__ w,
    const bf16* __restrict__ gate,
    const bf16* __restrict__ residual,
    bf16* __restrict__ y,
    float* workspace,
    unsigned* counters) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 128, 64, 32>;
  // Two of each: while one is multiplied, the other is filled.
  __shared__ __attribute__((aligned(16))) bf16 left_tile[2][256 * 32];
  __shared__ __attribute__((aligned(16))) bf16 right_tile[2][256 * 32];
  constexpr int PART = LANE_SUMS<Tile> * 512;
  using Shared = SharedLines<3, 19, 5>;
  // This workgroup's steps, 64 inner points each, counted through all tiles.
  int line, end, share = 0;
  if (int(block()) < 1) {
    line = int(block()) * 19;
    end = line + 19;
  } else {
    share = int(block()) - 1;
    line = 19 + Shared::first(share);
    end = 19 + Shared::first(share + 1);
  }

  do {
    const int number = quotient(line, 19);
    const StripWalk<4, 2, 2> walk(number);
    const int first = (line - number * 19) * 64;
    const int rest = number * 19 + 19 - line;
    const int lines = rest < end - line ? rest : end - line;
    const int last = first + lines * 64;
    const int first_row = walk.row * 256;
    const int first_column = walk.column * 256;
    const int wave = uniform(thread() / 64);
    const int wave_row = wave / 4 * 128;
    const int wave_column = wave % 4 * 64;

    // Where this thread's chunks of both tiles come from: byte offsets, or outside.
    const Buffer left_memory = buffer(x, 700800u);
    unsigned left_from[2];
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 512 + thread();
      const int place = chunk / 4;
      const int part = chunk % 4;
      const int row = first_row + place;
      const int t = row;
      const int element = 1168 * t + part * 8;
      left_from[step] = row < 300 ? 2u * unsigned(element) : OUTSIDE;
    }
    const Buffer right_memory = buffer(w, 616704u);
    unsigned right_from[2];
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 512 + thread();
      const int place = chunk / 4;
      const int part = chunk % 4;
      const int column = first_column + Tile::column_of(place);
      const int o = column;
      const int element = 1168 * o + part * 8;
      right_from[step] = column < 264 ? 2u * unsigned(element) : OUTSIDE;
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
          const int c = inner;
          unsigned lane = left_from[step];
          if (inner + thread() % 4 * 8 >= 1168) lane = OUTSIDE;
          const unsigned wave_offset = 2u * unsigned(c);
          left_next[half][step] = buffer_load<Chunk>(left_memory, lane, wave_offset);
        }
      }
      #pragma unroll
      for (int step = 0; step < 2; ++step) {
        #pragma unroll
        for (int half = begin; half < end; ++half) {
          const int inner = first_inner + half * 32;
          const int c = inner;
          unsigned lane = right_from[step];
          if (inner + thread() % 4 * 8 >= 1168) lane = OUTSIDE;
          const unsigned wave_offset = 2u * unsigned(c);
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
    fetch(first, 0, 1);
    schedule_fence();
    fetch(first, 1, 2);
    schedule_fence();
    total.clear();
    total.pin();
    schedule_fence();
    store_tiles(0);
    local_barrier();
    if (second_group) meet();
    for (int first_inner = first; first_inner < last; first_inner += 64) {
      read_tiles(0);
      store_tiles(1);
      // The last step asks for its own data again: that is there, and nobody multiplies it.
      fetch(first_inner + 64 < last ? first_inner + 64 : first_inner);
      multiply();
      read_tiles(1);
      store_tiles(0);
      multiply();
    }
    if (!second_group) meet();

    line += lines;
    if (lines < 19) {
      // The last workgroup of the tile goes on with the sums of all of them.
      const int tile = number - 1;
      const TileParts<PART> parts(Shared(), workspace, tile, share);
      float* const own = parts.first + i64(parts.own) * (PART);
      leave_sums<512>(own, total);
      const bool is_last = is_last_part(counters + tile, parts.count, reinterpret_cast<unsigned*>(left_tile));
      // The next tile's operands are stored where the waves have read that.
      local_barrier();
      if (!is_last) continue;
      add_parts<512, PART, 8>(parts.first, parts.count, parts.own, total);
    }

    const auto gate_memory = bounded(gate, 264u);
    const auto residual_memory = bounded(residual, 79200u);
    const auto y_memory = bounded(y, 79200u);
    Vector<bf16, 8> gate1_ahead[Tile::LANE_COLUMNS / 8];
    {
      const int row = first_row;
      #pragma unroll
      for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
        const int column = first_column + wave_column + Tile::lane_column() + first;
        const int o = column;
        const auto gate_here = gate_memory.where(row < 300 && column < 264);
        gate1_ahead[first / 8] = load_vector<8, 8>(gate_here + o);
      }
    }
    #pragma unroll
    for (int first_lane_row = 0; first_lane_row < Tile::LANE_ROWS; first_lane_row += 8) {
      // All reads are under way before the first is used.
      Vector<bf16, 8> residual3_ahead[8][Tile::LANE_COLUMNS / 8];
      #pragma unroll
      for (int ahead = 0; ahead < 8; ++ahead) {
        const int lane_row = first_lane_row + ahead;
        const int row = first_row + wave_row + Tile::lane_row(lane_row);
        const int t = row;
        #pragma unroll
        for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
          const int column = first_column + wave_column + Tile::lane_column() + first;
          const int o = column;
          const auto residual_here = residual_memory.where(row < 300 && column < 264);
          residual3_ahead[ahead][first / 8] = load_vector<8, 8>(residual_here + 264 * t + o);
        }
      }
      schedule_fence();
      #pragma unroll
      for (int ahead = 0; ahead < 8; ++ahead) {
        const int lane_row = first_lane_row + ahead;
        const int row = first_row + wave_row + Tile::lane_row(lane_row);
        const int t = row;
        #pragma unroll
        for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
          const int column = first_column + wave_column + Tile::lane_column() + first;
          const int o = column;
          const auto y_here = y_memory.where(row < 300 && column < 264);
          Vector<bf16, 8> y_here_vector;
          #pragma unroll
          for (int e = 0; e < 8; ++e) {
            const float gate_here1_2 = value_of(gate1_ahead[first / 8][e]);
            const float product2 = total.at(lane_row, first + e) * gate_here1_2;
            const float residual_here3_2 = value_of(residual3_ahead[ahead][first / 8][e]);
            const float sum4 = product2 + residual_here3_2;
            y_here_vector[e] = stored<bf16>(sum4);
          }
          store_vector<8>(y_here + 264 * t + o, y_here_vector);
        }
      }
    }
  } while (line < end);
}
