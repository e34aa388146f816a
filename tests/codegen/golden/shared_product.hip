// img1: a product of t 70 by o 72, summed over c 512 for each of b 1, in bf16
// from model.lum:1
// reads x: bf16[1, 70, 512]
// reads w: bf16[1, 72, 512]
// reads gate: bf16[72]
// reads residual: bf16[1, 70, 72]
// writes y: bf16[1, 70, 72]
// tile 64 × 64, depth 64, 4 waves (2 × 2) on matrix cores
// filled: left by 16 bytes along the inner axes, right by 16 bytes along the inner axes
// all tiles are shared by 8 workgroups, equal parts of one each, so that units end together;
//   reduced inside the launch
// made by fuse_elementwise
LUMC_KERNEL(256) linear_c2e36b44(
    const bf16* __restrict__ x,
    const bf16* __restrict__ w,
    const bf16* __restrict__ gate,
    const bf16* __restrict__ residual,
    bf16* __restrict__ y,
    float* workspace,
    unsigned* counters) {

  using Chunk = Vector<bf16, 8>;
  using Tile = MatrixTile<bf16, 32, 32, 64>;
  __shared__ __attribute__((aligned(16))) bf16 left_tile[64 * 64];
  __shared__ __attribute__((aligned(16))) bf16 right_tile[64 * 64];
  constexpr int PART = LANE_SUMS<Tile> * 256;
  using Shared = SharedLines<4, 8, 8>;
  // This workgroup's steps, 64 inner points each, counted through all tiles.
  const int share = int(block());
  int line = Shared::first(share);
  const int end = Shared::first(share + 1);

  const int number = quotient(line, 8);
  const StripWalk<4, 2, 2> walk(number);
  const int first = (line - number * 8) * 64;
  const int rest = number * 8 + 8 - line;
  const int lines = rest < end - line ? rest : end - line;
  const int last = first + lines * 64;
  const int first_row = walk.row * 64;
  const int first_column = walk.column * 64;
  const int wave = uniform(thread() / 64);
  const int wave_row = wave / 2 * 32;
  const int wave_column = wave % 2 * 32;

  Chunk left_next[2];
  Chunk right_next[2];
  auto load_tiles = [&](int first_inner) {
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
      const int chunk = step * 256 + thread();
      const int place = chunk / 8;
      const int part = chunk % 8;
      const int row = first_row + place;
      Chunk packed = {};
      const int inner = first_inner + part * 8;
      if (row < 70) {
        const int t = row;
        const int c = inner;
        const auto x_vector0 = load_vector<8, 8>(x + 512 * t + c);
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
      if (column < 72) {
        const int o = column;
        const int c = inner;
        const auto w_vector0 = load_vector<8, 8>(w + 512 * o + c);
        packed = w_vector0;
      }
      right_next[step] = packed;
    }
  };
  auto store_tiles = [&] {
    #pragma unroll
    for (int step = 0; step < 2; ++step) {
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
  load_tiles(first);
  for (int first_inner = first; first_inner < last; first_inner += 64) {
    store_tiles();
    local_barrier();
    // The next tiles are on their way while these are multiplied.
    if (first_inner + 64 < last) load_tiles(first_inner + 64);
    total.add_product(left_tile + wave_row * 64, right_tile + wave_column * 64);
    local_barrier();
  }

  if (lines < 8) {
    // The last workgroup of the tile goes on with the sums of all of them.
    const int tile = number;
    const TileParts<PART> parts(Shared(), workspace, tile, share);
    float* const own = parts.first + i64(parts.own) * (PART);
    leave_sums<256>(own, total);
    const bool is_last = is_last_part(counters + tile, parts.count, reinterpret_cast<unsigned*>(left_tile));
    if (!is_last) return;
    add_parts<256, PART, 4>(parts.first, parts.count, parts.own, total);
  }

  #pragma unroll
  for (int lane_row = 0; lane_row < Tile::LANE_ROWS; ++lane_row) {
    const int row = first_row + wave_row + Tile::lane_row(lane_row);
    if (row >= 70) continue;
    const int t = row;
    #pragma unroll
    for (int first = 0; first < Tile::LANE_COLUMNS; first += 8) {
      const int column = first_column + wave_column + Tile::lane_column() + first;
      if (column < 72) {
        const int o = column;
        const auto gate_vector1 = load_vector<8, 8>(gate + o);
        const auto residual_vector3 = load_vector<8, 8>(residual + 72 * t + o);
        Vector<bf16, 8> y_vector;
        #pragma unroll
        for (int e = 0; e < 8; ++e) {
          const float gate1 = value_of(gate_vector1[e]);
          const float product2 = total.at(lane_row, first + e) * gate1;
          const float residual3 = value_of(residual_vector3[e]);
          const float sum4 = product2 + residual3;
          y_vector[e] = stored<bf16>(sum4);
        }
        store_vector<8>(y + 72 * t + o, y_vector);
      }
    }
  }
}
