// Products of tiles that lie in the memory a workgroup shares: on matrix cores where the chip has
// them, with multiply-adds elsewhere. Both have the same interface, so kernels are the same text.
//
// A tile of an operand is rows of DEPTH neighbouring elements, cut into chunks of 16 bytes. Chunk c
// of row r lies at `chunk_place<CHUNKS>(r, c)`: rows that are read together fall in unlike banks.
#pragma once

#include "lumc/device.hpp"

namespace lumc {

/* Elements of T in a chunk. */
template <class T>
inline constexpr int CHUNK = 16 / int(sizeof(T));

template <int CHUNKS>
LUMC_DEVICE int chunk_place(int row, int chunk) {
  static_assert((CHUNKS & (CHUNKS - 1)) == 0, "chunks of a row are a power of two");
  const int turn = CHUNKS >= 8 ? row : row / (8 / CHUNKS);
  return row * CHUNKS + (chunk ^ (turn & (CHUNKS - 1)));
}

}  // namespace lumc

#if defined(LUMC_MATRIX_CORES)
#include "lumc/matrix_cores.hpp"
#else
#include "lumc/matrix_plain.hpp"
#endif
#if defined(__CUDACC__)
#include "lumc/matrix_mma.hpp"
#elif defined(__GFX11__) || defined(__GFX12__)
#include "lumc/matrix_wmma.hpp"
#endif
