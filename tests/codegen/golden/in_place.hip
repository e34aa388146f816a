// for each row of t 3 × h 4, passes over d 128, d 128
// updates qkv: bf16[3, 4, 128], strides [1536, 128, 1]
// reads angle: f32[3, 128]
// 16 rows a workgroup, 16 threads a row
// 12.5 us expected, by memory
LUMC_KERNEL(256) qk_rope_4e534b4f(
    bf16* __restrict__ qkv,
    const float* __restrict__ angle) {

  const int row = int(block()) * 16 + thread() / 16;
  const int lane = thread() % 16;
  const bool is_row = row < 12;
  const int t = quotient(row, 4);
  const int h = remainder(row, 4);
  Vector<bf16, 8> qkv_row[1];

  // over d 128
  float total = 0.0f;
  {
    constexpr int step = 0;
    const int column = lane * 8;
    if (is_row) {
      const int d = column;
      qkv_row[step] = load_vector<8, 8>(qkv + 1536 * t + 128 * h + d);
      #pragma unroll
      for (int e = 0; e < 8; ++e) {
        const float qkv0 = value_of(qkv_row[step][e]);
        const float product1 = qkv0 * qkv0;
        total += product1;
      }
    }
  }
  total = reduce_lanes<16>(total, Sum());

  // over d 128
  barrier();
  Vector<bf16, 8> qkv_later[1];
  {
    constexpr int step = 0;
    const int column = lane * 8;
    if (is_row) {
      const int d = column;
      const auto qkv_vector1 = load_vector<8, 8>(qkv + 1536 * t + 128 * h + remainder(d + 64, 128));
      const auto angle_vector2 = load_vector<8, 4>(angle + 128 * t + d);
      const float root6 = square_root(total);
      const float inverse7 = reciprocal(root6);
      #pragma unroll
      for (int e = 0; e < 8; ++e) {
        const float qkv0 = value_of(qkv_row[step][e]);
        const float qkv1 = value_of(qkv_vector1[e]);
        const float angle2 = value_of(angle_vector2[e]);
        const float product3 = qkv1 * angle2;
        const float sum4 = qkv0 + product3;
        const float product8 = sum4 * inverse7;
        qkv_later[step][e] = stored<bf16>(product8);
      }
    }
  }
  // Other threads may still read what is written here.
  barrier();
  {
    constexpr int step = 0;
    const int column = lane * 8;
    if (is_row) {
      const int d = column;
      store_vector<8>(qkv + 1536 * t + 128 * h + d, qkv_later[step]);
    }
  }
}
