// Runs a launch: its workgroups on all threads.
#pragma once

#include "machine.hpp"

namespace lumc::emulator {

Outcome run_launch(const Launch& launch);

}  // namespace lumc::emulator
