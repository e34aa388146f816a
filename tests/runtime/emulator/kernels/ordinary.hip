// Ordinary HIP, as anyone would write it: what the emulator must run besides generated code.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

// One block per row: softmax through dynamic LDS and shuffles.
extern "C" __global__ void softmax_rows(const float* x, float* y, int columns) {
  extern __shared__ float partial[];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float highest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) highest = fmaxf(highest, row[i]);
  for (int step = warpSize / 2; step > 0; step /= 2) {
    highest = fmaxf(highest, __shfl_xor(highest, step));
  }
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = highest;
  __syncthreads();
  for (int w = 0; w < blockDim.x / warpSize; ++w) highest = fmaxf(highest, partial[w]);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - highest);
  for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down(sum, step);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < blockDim.x / warpSize; ++w) sum += partial[w];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    y[static_cast<size_t>(blockIdx.x) * columns + i] = expf(row[i] - highest) / sum;
  }
}

// Atomics of every kind on LDS and global memory.
extern "C" __global__ void count_and_extremes(const int* x, int n, int* histogram, int* highest,
                                              unsigned* lowest, float* sum, double* wide_sum,
                                              unsigned long long* big, int* bits) {
  __shared__ int local[32];
  if (threadIdx.x < 32) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&local[x[i] & 31], 1);
    atomicMax(highest, x[i]);
    atomicMin(lowest, static_cast<unsigned>(x[i]));
    atomicAdd(sum, static_cast<float>(x[i] & 7));
    atomicAdd(wide_sum, static_cast<double>(x[i]));
    atomicAdd(big, static_cast<unsigned long long>(x[i]) << 20);
    atomicOr(bits, 1 << (x[i] & 15));
    atomicXor(bits + 1, x[i]);
    int* cell = bits + 2;
    int seen = *cell, expected;
    do {
      expected = seen;
      seen = atomicCAS(cell, expected, expected * 3 + 1 > 0x40000000 ? expected : expected + 2);
    } while (seen != expected);
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&histogram[threadIdx.x], local[threadIdx.x]);
}

// A call stack: recursion, arrays on the stack, calls through a table of functions.
__device__ __attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __attribute__((noinline)) void sort(int* first, int* last) {
  if (last - first < 2) return;
  int pivot = first[(last - first) / 2];
  int *i = first, *j = last - 1;
  while (i <= j) {
    while (*i < pivot) ++i;
    while (*j > pivot) --j;
    if (i <= j) {
      int t = *i;
      *i++ = *j;
      *j-- = t;
    }
  }
  sort(first, j + 1);
  sort(i, last);
}

__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int square(int x) { return x * x; }
__device__ __attribute__((noinline)) int negated(int x) { return -x; }

extern "C" __global__ void call_stack(const int* x, int* sorted, int* recursive, int* indirect) {
  int t = threadIdx.x;
  int values[16];
  for (int i = 0; i < 16; ++i) values[i] = x[t * 16 + i];
  sort(values, values + 16);
  for (int i = 0; i < 16; ++i) sorted[t * 16 + i] = values[i];
  recursive[t] = ackermann(t % 3, t % 4);
  int (*const table[])(int) = {twice, square, negated};
  indirect[t] = table[t % 3](x[t]);
}

// 64-bit integers and the bit functions.
extern "C" __global__ void wide_integers(const long long* x, const long long* y, long long* out) {
  int t = threadIdx.x;
  long long a = x[t], b = y[t];
  unsigned long long u = a, v = b;
  long long* o = out + t * 16;
  o[0] = a + b;
  o[1] = a - b;
  o[2] = a * b;
  o[3] = a / (b | 1);
  o[4] = a % (b | 1);
  o[5] = u / (v | 1);
  o[6] = u % (v | 1);
  o[7] = u >> (v & 63);
  o[8] = a >> (v & 63);
  o[9] = u << (v & 63);
  o[10] = __popcll(u) + 100 * __clzll(a) + 10000 * __ffsll(b);
  o[11] = __brevll(u);
  o[12] = __umul64hi(u, v);
  o[13] = (a < b) + 2 * (u < v) + 4 * (a == b);
  o[14] = static_cast<int>(a) / (static_cast<int>(b) | 1);
  o[15] = __umulhi(static_cast<unsigned>(u), static_cast<unsigned>(v)) % (static_cast<unsigned>(v) | 1);
}

// Double precision with the device library's functions.
extern "C" __global__ void doubles(const double* x, const double* y, double* out) {
  int t = threadIdx.x;
  double a = x[t], b = y[t];
  double* o = out + t * 12;
  o[0] = a / b;
  o[1] = sqrt(fabs(a));
  o[2] = fma(a, b, a);
  o[3] = exp(a * 0.25);
  o[4] = log(fabs(a) + 0.5);
  o[5] = sin(a);
  o[6] = tanh(b);
  o[7] = floor(a) + ceil(b) + rint(a * b);
  o[8] = static_cast<double>(static_cast<long long>(a * 1000));
  o[9] = static_cast<double>(static_cast<float>(a) / static_cast<float>(b));
  o[10] = pow(fabs(a), b);
  o[11] = fmin(a, b) - fmax(a, b);
}

// Single precision functions of the device library.
extern "C" __global__ void floats(const float* x, const float* y, float* out) {
  int t = threadIdx.x;
  float a = x[t], b = y[t];
  float* o = out + t * 12;
  o[0] = a / b;
  o[1] = sqrtf(fabsf(a));
  o[2] = rsqrtf(fabsf(b));
  o[3] = expf(a);
  o[4] = logf(fabsf(a));
  o[5] = sinf(a) + cosf(b);
  o[6] = tanhf(a);
  o[7] = powf(fabsf(a), b);
  o[8] = erff(a);
  o[9] = fmodf(a, b);
  o[10] = truncf(a) + roundf(b);
  o[11] = ldexpf(a, 3) + copysignf(b, a);
}

// Votes, shuffles and divergence.
extern "C" __global__ void lanes(const int* x, unsigned long long* votes, int* out) {
  int t = threadIdx.x, v = x[t];
  unsigned long long above = __ballot(v > 0);
  if (t % warpSize == 0) votes[t / warpSize] = above;
  int steps = 0;
  for (int n = abs(v) + 1; n > 1; n = n % 2 ? 3 * n + 1 : n / 2) ++steps;
  out[t * 4] = steps;
  out[t * 4 + 1] = __shfl(v, (t * 7) % warpSize);
  out[t * 4 + 2] = __shfl_up(v, 3) + __any(v > 1000) + 2 * __all(v > -1000);
  out[t * 4 + 3] = __popcll(above & ((1ull << (t % warpSize)) - 1));
}

// Pointers that may lead to LDS, to global memory or to the stack.
extern "C" __global__ void generic_pointers(const int* x, int* out) {
  __shared__ int shared[64];
  int stack[8];
  int t = threadIdx.x;
  shared[t] = x[t] * 2;
  for (int i = 0; i < 8; ++i) stack[i] = x[t] + i;
  __syncthreads();
  const int* source = t % 3 == 0 ? &shared[63 - t] : t % 3 == 1 ? &x[t / 2] : &stack[t % 8];
  out[t] = *source;
  __syncthreads();
  int* target = t % 2 ? &shared[t] : &out[64 + t];
  *target = t + 1000;
  __syncthreads();
  if (t % 2) out[64 + t] = shared[t] + 1;
}

// Half precision in pairs.
extern "C" __global__ void half_pairs(const __half2* x, const __half2* y, __half2* out) {
  int t = threadIdx.x;
  out[t * 4] = __hfma2(x[t], y[t], x[t]);
  out[t * 4 + 1] = __hadd2(x[t], __hmul2(y[t], y[t]));
  out[t * 4 + 2] = __floats2half2_rn(__low2float(x[t]) * 3.0f, __high2float(y[t]));
  out[t * 4 + 3] = h2sqrt(__habs2(x[t]));
}

// A three-dimensional grid, with blocks that are only partly inside the array.
extern "C" __global__ void volume(const float* x, float* y, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  int at = (k * ny + j) * nx + i;
  int right = i + 1 < nx ? at + 1 : at;
  y[at] = x[at] + x[right] + static_cast<float>(gridDim.x * 100 + gridDim.y * 10 + gridDim.z);
}

// Division and square root, correctly rounded whatever the operands are.
extern "C" __global__ void quotients(const float* a, const float* b, const double* c,
                                     const double* d, float* f, double* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  f[2 * i] = a[i] / b[i];
  f[2 * i + 1] = sqrtf(a[i]);
  g[2 * i] = c[i] / d[i];
  g[2 * i + 1] = sqrt(c[i]);
}
