// The handlers of LDS instructions, for the table that names them.
//
// Operands: source[0] the address, source[1] and source[2] data.
#pragma once

#include "memory.hpp"

namespace lumc::emulator {

void run_lds_load(Wave& w, const Instruction& i);
void run_lds_store(Wave& w, const Instruction& i);
void run_lds_load_pair(Wave& w, const Instruction& i);
void run_lds_store_pair(Wave& w, const Instruction& i);
void run_lds_atomic(Wave& w, const Instruction& i);
void run_transposed_load(Wave& w, const Instruction& i);
void run_backward_permute(Wave& w, const Instruction& i);
void run_forward_permute(Wave& w, const Instruction& i);
void run_swizzle(Wave& w, const Instruction& i);

// ---- what they share

void compute_lds_addresses(Wave& w, const Instruction& i, u64 exec, u32 offset, u32* at);
// Counts and checks an access; returns the lanes that may go on.
u64 begin_lds_access(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write);
// Records what a load left in a register: what is not defined came from here.
void define_loaded(Wave& w, const Instruction& i, u32 reg, u64 exec, u64 defined);
// Reports bytes that an outstanding transfer of this wave will still write.
void check_transfers(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes);

}  // namespace lumc::emulator
