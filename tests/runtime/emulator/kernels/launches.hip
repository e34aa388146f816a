// Kernels that show what a launch sets up: ids, sizes, arguments, LDS, stack, MODE.
typedef unsigned int uint;
typedef unsigned short ushort;
typedef float float4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));
typedef short short4_t __attribute__((ext_vector_type(4)));
#define KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(1, 1024)))
#define DEVICE static __attribute__((device, always_inline)) inline
#define SHARED __attribute__((shared))

DEVICE uint thread() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint group() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL void identify(int* y, int items, int groups_x, int groups_y) {
  const uint tx = __builtin_amdgcn_workitem_id_x(), ty = __builtin_amdgcn_workitem_id_y();
  const uint tz = __builtin_amdgcn_workitem_id_z();
  const uint gx = __builtin_amdgcn_workgroup_id_x(), gy = __builtin_amdgcn_workgroup_id_y();
  const uint gz = __builtin_amdgcn_workgroup_id_z();
  const uint sx = __builtin_amdgcn_workgroup_size_x(), sy = __builtin_amdgcn_workgroup_size_y();
  const uint linear = (tz * sy + ty) * sx + tx;
  const uint place = ((gz * groups_y + gy) * groups_x + gx) * items + linear;
  int* to = y + place * 8;
  to[0] = tx; to[1] = ty; to[2] = tz;
  to[3] = gx; to[4] = gy; to[5] = gz;
  to[6] = sx * 10000 + sy * 100 + __builtin_amdgcn_workgroup_size_z();
  to[7] = __builtin_amdgcn_grid_size_x() * 10000 + __builtin_amdgcn_grid_size_y() * 100 + __builtin_amdgcn_grid_size_z();
}

struct Box { float scale; short offset; char flags[2]; double wide; };
KERNEL void take_arguments(double* y, bool yes, char small, short medium, int plain, long big, float single,
                           double twice, Box box, const float* none) {
  if (thread() != 0) return;
  y[0] = yes; y[1] = small; y[2] = medium; y[3] = plain; y[4] = big; y[5] = single; y[6] = twice;
  y[7] = box.scale; y[8] = box.offset; y[9] = box.flags[1]; y[10] = box.wide; y[11] = none == nullptr;
}

KERNEL void reverse_in_lds(const float* x, float* y) {
  extern SHARED float tile[];
  const uint n = __builtin_amdgcn_workgroup_size_x();
  tile[thread()] = x[group() * n + thread()];
  barrier();
  y[group() * n + thread()] = tile[n - 1 - thread()];
}

KERNEL void scale(const float* x, float* y, float factor, int n) {
  const int i = group() * 256 + thread();
  if (i < n) y[i] = x[i] * factor;
}

__attribute__((device, noinline)) int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL void call_recursively(const int* m, const int* n, int* y) { y[thread()] = ackermann(m[thread()], n[thread()]); }

__attribute__((device)) const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__attribute__((device)) int counter = 100;
KERNEL void use_globals(const int* x, int* y) {
  y[thread()] = table[x[thread()] & 7] + __hip_atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) * 0;
}

// MODE: rounding of single precision in bits 1:0, of the others in 3:2, subnormals in 5:4 and 7:6.
template <int Mode> DEVICE void in_mode(const float* a, const float* b, float* y, const double* c, double* z) {
  float p = a[thread()], q = b[thread()], r;
  double s = c[thread()], t;
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), %4\n\t"
               "v_add_f32 %0, %2, %3\n\t"
               "v_mul_f64 %1, %5, %5\n\t"
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0"
               : "=&v"(r), "=&v"(t) : "v"(p), "v"(q), "n"(Mode), "v"(s));
  y[thread()] = r;
  z[thread()] = t;
}
#define MODE_KERNEL(name, mode) \
  KERNEL void name(const float* a, const float* b, float* y, const double* c, double* z) { in_mode<mode>(a, b, y, c, z); }
MODE_KERNEL(mode_nearest, 0xf0)
MODE_KERNEL(mode_up_down, 0xf0 | 1 | 2 << 2)
MODE_KERNEL(mode_down_zero, 0xf0 | 2 | 3 << 2)
MODE_KERNEL(mode_zero_up, 0xf0 | 3 | 1 << 2)
MODE_KERNEL(mode_flush, 0xc0)

// Access patterns whose cost is known.
KERNEL void read_strided(const float* x, float* y, int stride) { y[thread()] = x[thread() * stride]; }
KERNEL void lds_strided(float* y, int stride) {
  SHARED float tile[64 * 33];
  for (int i = thread(); i < 64 * 33; i += 64) tile[i] = i;
  barrier();
  y[thread()] = tile[thread() * stride];
}
KERNEL void lds_wide(float4_t* y, int stride) {
  SHARED float4_t tile[64 * 9];
  for (int i = thread(); i < 64 * 9; i += 64) tile[i] = float4_t{1, 2, 3, 4} * i;
  barrier();
  y[thread()] = tile[thread() * stride];
}

// A product of two waves' tiles: staged through LDS, multiplied by the matrix unit.
KERNEL void multiply(const ushort* a, const ushort* b, float* c, int k) {
  SHARED ushort left[32 * 8 * 2], right[32 * 8 * 2];
  const uint wave = thread() / 64, lane = thread() % 64, row = lane % 32, half = lane / 32;
  float16_t sum = {};
  for (int begin = 0; begin < k; begin += 16) {
    for (uint i = thread(); i < 32 * 16; i += 128) {
      left[i] = a[i / 16 * k + begin + i % 16];
      right[i] = b[i / 16 * k + begin + i % 16];
    }
    barrier();
    for (int step = 0; step < 16; step += 8) {
      const short4_t p = *(short4_t*)&left[row * 16 + step + 4 * half];
      const short4_t q = *(short4_t*)&right[row * 16 + step + 4 * half];
      sum = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(p, q, sum, 0, 0, 0);
    }
    barrier();
  }
  for (int i = 0; i < 16; ++i) c[wave * 1024 + (8 * (i / 4) + 4 * half + i % 4) * 32 + row] = sum[i];
}

// Dot products of packed integers, which wrap or saturate.
KERNEL void dot_products(const int* a, const int* b, const int* c, int* y) {
  const int p = a[thread()], q = b[thread()], r = c[thread()];
  int* to = y + thread() * 4;
  to[0] = __builtin_amdgcn_sdot4(p, q, r, false);
  to[1] = __builtin_amdgcn_sdot4(p, q, r, true);
  to[2] = __builtin_amdgcn_udot4(p, q, r, false);
  to[3] = __builtin_amdgcn_udot4(p, q, r, true);
}

// Every thread adds to one of 64 sums, 4 lines apart.
KERNEL void add_apart(const int* x, int* sums) {
  __hip_atomic_fetch_add(&sums[(x[thread()] & 63) * 128], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
