// How the host rounds and treats subnormals while a wave's MODE differs from the usual.
#pragma once

#include "bits.hpp"

namespace lumc::emulator {

// `rounding`: 0 nearest even, 1 up, 2 down, 3 toward zero. `subnormals`: bit 0 keeps those of
// sources, bit 1 those of results.
void set_host_mode(u32 rounding, u32 subnormals);

}  // namespace lumc::emulator
