// Kernels with one planted fault each, and their sound twins. What the emulator must catch.
typedef unsigned int uint;
#define KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(1, 256)))
#define DEVICE static __attribute__((device, always_inline)) inline
#define SHARED __attribute__((shared))
typedef float float4_t __attribute__((ext_vector_type(4)));

DEVICE uint thread() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint group() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();  // all
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// ---- bounds

KERNEL void copy_all(const float* x, float* y, int n) {
  const uint i = group() * 64 + thread();
  if (i < n) y[i] = x[i];
}
KERNEL void copy_wide(const float4_t* x, float4_t* y) { y[thread()] = x[thread()]; }  // wide
KERNEL void copy_bytes(const unsigned char* x, unsigned char* y, int n) {
  if (thread() < n) y[thread()] = x[thread()];
}
KERNEL void buffer_past_allocation(const float* x, float* y, int n) {
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc((void*)x, 0, n * 4, 0x00027000);
  y[thread()] = __builtin_bit_cast(float, __builtin_amdgcn_raw_buffer_load_b32(from, thread() * 4, 0, 0));
}
KERNEL void lds_past_end(float* y, int shift) {
  extern SHARED float tile[];
  tile[thread() + shift] = 1.5f;
  barrier();
  y[thread()] = tile[thread()];
}
KERNEL void scratch_past_end(float* y, int count) {
  volatile float slots[16];
  for (int i = 0; i < count; ++i) slots[(i * 3 + thread()) % count] = i;
  y[thread()] = slots[thread() % count];
}

// ---- values that nothing wrote

KERNEL void store_unwritten(const float* x, float* y, int flag) {
  float value;
  if (flag) value = x[thread()];
  asm volatile("" : "+v"(value));
  y[thread()] = value;  // perhaps
}
KERNEL void branch_on_unwritten(float* y, const int* x) {
  int condition = x[0];
  if (__builtin_amdgcn_readfirstlane(condition) > 3) y[thread()] = 1; else y[thread()] = 2;
}
KERNEL void copy_lds_half_written(const float* x, float* y, int written) {
  SHARED float tile[256];
  if (thread() < written) tile[thread()] = x[thread()];
  barrier();
  y[thread()] = tile[255 - thread()];
}
KERNEL void use_unwritten_guarded(const float* x, float* y, int valid) {
  // Reads a whole row, valid or not, and keeps what is valid: no fault.
  float value = x[thread()];
  y[thread()] = thread() < valid ? value : 0.f;
}
KERNEL void scratch_unwritten(float* y, int first, int last) {
  volatile float slots[32];
  for (int i = first; i < 32; ++i) slots[i] = i;
  y[thread()] = slots[last];
}

// ---- races

KERNEL void exchange(const float* x, float* y, int synchronised) {
  SHARED float tile[256];
  tile[thread()] = x[thread()];  // exchanged
  if (synchronised) barrier(); else __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  y[thread()] = tile[thread() ^ 64];  // theirs
}
KERNEL void overwrite_while_read(const float* x, float* y, int synchronised) {
  SHARED float tile[256];
  tile[thread()] = x[thread()];
  barrier();
  float other = tile[thread() ^ 128];
  if (synchronised) barrier();
  tile[thread()] = other + 1;
  barrier();
  y[thread()] = tile[thread()];
}
KERNEL void share_dwords(const unsigned short* x, unsigned short* y) {
  // Waves write neighbouring halves of the same dwords: sound.
  SHARED unsigned short tile[512];
  const uint wave = thread() / 64, lane = thread() % 64;
  tile[lane * 4 + wave] = x[thread()];
  barrier();
  y[thread()] = tile[thread()];
}
KERNEL void race_on_halves(const unsigned short* x, unsigned short* y) {
  SHARED unsigned short tile[512];
  const uint wave = thread() / 64, lane = thread() % 64;
  tile[lane * 4 + wave / 2] = x[thread()];
  barrier();
  y[thread()] = tile[thread() / 2];
}
KERNEL void count(const int* x, int* y, int synchronised) {
  SHARED int bins[64];
  if (thread() < 64) bins[thread()] = 0;
  if (synchronised) barrier();
  __hip_atomic_fetch_add(&bins[x[thread()] & 63], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  if (thread() < 64) y[thread()] = bins[thread()];
}
KERNEL void barrier_without_wait(const float* x, float* y, int waits) {
  SHARED float tile[256];
  tile[thread()] = x[thread()];
  if (waits) __builtin_amdgcn_s_waitcnt(0xc07f);  // lgkmcnt(0)
  asm volatile("s_barrier");
  y[thread()] = tile[thread() ^ 64];  // perhaps too early
}

// ---- barriers and loops

KERNEL void skip_barrier(float* y, int limit) {
  SHARED float tile[256];
  tile[thread()] = thread();
  if ((thread() & 63) < limit) __builtin_amdgcn_s_barrier();
  tile[thread()] += 1;
  y[thread()] = tile[thread()];
}
KERNEL void leave_early(float* y, int last) {
  // Waves beyond `last` return before any barrier, which is sound.
  SHARED float tile[256];
  if (thread() >= last) return;
  tile[thread()] = thread();
  barrier();
  y[thread()] = tile[thread()];
}
KERNEL void uneven_barriers(float* y) {
  const uint rounds = __builtin_amdgcn_readfirstlane(thread() / 64) + 1;
  for (uint i = 0; i < rounds; ++i) barrier();
  y[thread()] = rounds;
}
KERNEL void spin(const int* flag, int* y) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
  *y = 1;
}

// ---- results that have not arrived; the compiler does not see these loads

#define LOAD(value, pointer) asm volatile("global_load_dword %0, %1, off" : "=v"(value) : "v"(pointer) : "memory")
KERNEL void wait_for_all(const float* x, float* y) {
  float value;
  LOAD(value, x + thread());
  asm volatile("s_waitcnt vmcnt(0)" : "+v"(value));
  y[thread()] = value + 1;
}
KERNEL void wait_for_none(const float* x, float* y) {
  float value;
  LOAD(value, x + thread());
  asm volatile("" : "+v"(value));
  y[thread()] = value + 2;
}
KERNEL void wait_for_first(const float* x, float* y, int second) {
  float early, late;
  LOAD(early, x + thread());
  LOAD(late, x + thread() + 64);
  asm volatile("s_waitcnt vmcnt(1)" : "+v"(early), "+v"(late));
  y[thread()] = early + 3;
  asm volatile("s_waitcnt vmcnt(1)" : "+v"(late));  // the store counts: the load may still be out
  if (second) y[thread()] = late + 4;
}
KERNEL void wait_for_lds(float* y, int waits) {
  SHARED float tile[64];
  y[thread()] = waits;
  tile[thread()] = thread();
  float value;
  const uint mirrored = (uint)(unsigned long)&tile[63 - thread()];
  if (waits) asm volatile("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(mirrored) : "memory");
  else asm volatile("ds_read_b32 %0, %1" : "=v"(value) : "v"(mirrored) : "memory");
  y[thread()] = value + 5;
}
KERNEL void wait_for_scalar(const int* x, int* y) {
  int first, second;
  asm volatile("s_load_dword %0, %2, 0x0\n\ts_load_dword %1, %2, 0x4\n\ts_waitcnt lgkmcnt(1)"
               : "=&s"(first), "=&s"(second) : "s"(x) : "memory");
  y[thread()] = first + 6;  // scalar loads come back in any order
}
KERNEL void overwrite_outstanding(const float* x, float* y) {
  float value;
  asm volatile("global_load_dword %0, %1, off\n\tv_mov_b32 %0, 1.0" : "=&v"(value) : "v"(x + thread()) : "memory");
  y[thread()] = value;
}
#ifndef __gfx90a__
KERNEL void wait_for_transfer(const float* x, float* y, int waits) {
  SHARED float tile[64];
  __builtin_amdgcn_global_load_lds((__attribute__((address_space(1))) void*)(x + thread()),
                                   (__attribute__((address_space(3))) void*)tile, 4, 0, 0);
  float value;
  if (waits) __builtin_amdgcn_s_waitcnt(0x0f70);  // vmcnt(0)
  asm volatile("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(value)
               : "v"((uint)(unsigned long)&tile[63 - thread()]) : "memory");
  y[thread()] = value;
}
#endif
