// Work for benchmarks/emulator.py: one kernel for each figure.
typedef unsigned int uint;
typedef unsigned short ushort;
typedef float float2_t __attribute__((ext_vector_type(2)));
typedef float float4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));
typedef short short4_t __attribute__((ext_vector_type(4)));
typedef ushort ushort8_t __attribute__((ext_vector_type(8)));
#define KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
#define DEVICE static __attribute__((device, always_inline)) inline
#define SHARED __attribute__((shared))

DEVICE uint thread() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint group() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE float exchange(float value, uint distance) {
  const uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute((lane ^ distance) * 4, __builtin_bit_cast(int, value)));
}
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Softmax of rows, a wave each: loads, exponentials, exchanges between lanes.
KERNEL void softmax(const float* x, float* y, int columns) {
  const long begin = (long)(group() * 4 + thread() / 64) * columns;
  const int lane = thread() % 64;
  float highest = -3.4e38f, sum = 0;
  for (int i = lane; i < columns; i += 64) highest = __builtin_fmaxf(highest, x[begin + i]);
  for (uint d = 32; d; d /= 2) highest = __builtin_fmaxf(highest, exchange(highest, d));
  for (int i = lane; i < columns; i += 64) sum += __builtin_amdgcn_exp2f(x[begin + i] - highest);
  for (uint d = 32; d; d /= 2) sum += exchange(sum, d);
  for (int i = lane; i < columns; i += 64) y[begin + i] = __builtin_amdgcn_exp2f(x[begin + i] - highest) / sum;
}

// Sixteen bytes a lane and a few operations on them.
KERNEL void scale_add(const float4_t* x, const float4_t* y, float4_t* z, float factor, int count) {
  for (int i = group() * 256 + thread(); i < count; i += 256 * 16) z[i] = x[i] * factor + y[i];
}

// A matrix loop as kernels have it: operands from LDS, 64 products for 16 reads.
KERNEL void multiply(const ushort* a, float* c, int steps) {
  SHARED ushort8_t tile[256 * 4];
  for (uint i = thread(); i < 256 * 4; i += 256) tile[i] = *(const ushort8_t*)(a + i * 8);
  barrier();
  const uint lane = thread() % 64;
  float16_t sum[4][4] = {};
  for (int step = 0; step < steps; ++step) {
    ushort8_t left[4], right[4];
    _Pragma("unroll") for (int k = 0; k < 4; ++k) {
      left[k] = tile[(lane + 64 * k + step) & 1023];
      right[k] = tile[(lane + 64 * k + 512 + step) & 1023];
    }
    _Pragma("unroll") for (int i = 0; i < 4; ++i) _Pragma("unroll") for (int j = 0; j < 4; ++j) {
      const short4_t p = __builtin_bit_cast(short4_t, __builtin_shufflevector(left[i], left[i], 0, 1, 2, 3));
      const short4_t q = __builtin_bit_cast(short4_t, __builtin_shufflevector(right[j], right[j], 0, 1, 2, 3));
      sum[i][j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(p, q, sum[i][j], 0, 0, 0);
      const short4_t r = __builtin_bit_cast(short4_t, __builtin_shufflevector(left[i], left[i], 4, 5, 6, 7));
      const short4_t s = __builtin_bit_cast(short4_t, __builtin_shufflevector(right[j], right[j], 4, 5, 6, 7));
      sum[i][j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(r, s, sum[i][j], 0, 0, 0);
    }
  }
  float total = 0;
  _Pragma("unroll") for (int i = 0; i < 16; ++i) _Pragma("unroll") for (int k = 0; k < 16; ++k) total += sum[i / 4][i % 4][k];
  c[group() * 256 + thread()] = total;
}

// Many instructions, to time decoding: the same sum again and again, nowhere folded.
KERNEL void long_code(const float* x, float* y) {
  float value = x[thread()];
  _Pragma("unroll") for (int i = 0; i < 2048; ++i) {
    value = value * 1.5f + i;
    asm volatile("v_exp_f32 %0, %0" : "+v"(value));
  }
  y[thread()] = value;
}
