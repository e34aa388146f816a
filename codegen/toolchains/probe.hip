// The smallest kernel that HIP's clang and nvcc both take without any header: what a toolchain
// is asked to compile to find out whether it knows a target.
#ifndef __NVCC__
#define __global__ __attribute__((global))
#endif

extern "C" __global__ void probe(float *output) {
    output[0] = 1.0f;
}
