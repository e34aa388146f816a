// Decoded instructions: what the interpreter runs, one record per line of assembly.
#pragma once

#include "bits.hpp"

namespace lumc::emulator {

struct Wave;
struct Instruction;

using Handler = void (*)(Wave&, const Instruction&);

// How a lane reads and writes a register. Half types use the low or high 16 bits.
enum class Type : u8 { none, b32, f32, b64, f64, b16, f16 };

inline bool is_wide(Type type) { return type == Type::b64 || type == Type::f64; }
inline bool is_half(Type type) { return type == Type::b16 || type == Type::f16; }

// Rows of the up to three sources; `high` is the second register of 64-bit values.
struct Sources {
  const u32* low[3];
  const u32* high[3];
};

using LaneFunction = void (*)(u32* low, u32* high, const Sources&);
using CompareFunction = u64 (*)(const Sources&);

enum class OperandKind : u8 { none, constant, scalar, vector, special };
// Values that are computed when they are read.
enum class Special : u16 { scc, vccz, execz };

struct Operand {
  OperandKind kind = OperandKind::none;
  u8 dwords = 1;
  bool negate = false, absolute = false, sign_extend = false;
  u8 select = 6;          // SDWA: 0-3 a byte, 4-5 a word, 6 all
  u8 half = 0;            // gfx11 names halves of registers: 1 low (v0.l), 2 high (v0.h)
  u16 index = 0;          // scalar 0..127; vector 0..255, accumulation registers 256..511
  u16 definedness = 512;  // where its definedness is kept: 512 is a register always defined
  u64 value = 0;
  const u32* row[2] = {nullptr, nullptr};  // a constant, in every lane

  bool is_vector() const { return kind == OperandKind::vector; }
  bool present() const { return kind != OperandKind::none; }
  bool plain() const { return !negate && !absolute && !sign_extend && select == 6; }
};

enum class InstructionClass : u8 {
  valu,
  transcendental,
  mfma,
  salu,
  branch,
  wait,
  barrier,
  scalar_memory,
  global_load,
  global_store,
  global_atomic,
  scratch_load,
  scratch_store,
  lds_load,
  lds_store,
  lds_atomic,
  lds_permute,
  other,
};

// Which wait counter an access raises, and in which order its results come back.
enum class Traffic : u8 { none, vector_memory, flat, lds, scalar_memory };

struct RegisterRange {
  u16 first;
  u8 count;
  bool vector;
  u8 halves = 3;  // of single registers: 1 the low one, 2 the high one
};

constexpr int kMaxRanges = 8;

struct Dpp {
  bool enabled = false, bound_control = false;
  bool fetches_inactive = false;
  u32 eight = 0;  // lane selectors of dpp8, three bits each
  u8 row_mask = 15, bank_mask = 15;
  u16 control = 0;
};

// Matrix shape and element formats of an MFMA.
enum class Element : u8 {
  f32,
  f16,
  bf16,
  i8,
  fp8_e4m3,
  fp8_e5m2,
  f64,
  fp6_e2m3,
  fp6_e3m2,
  fp4_e2m1,
  xf32
};

// Where a row of a block of D lies: which of a lane's elements, and the first lane.
struct Place {
  u8 item, lane;
};

struct Matrix {
  u8 rows = 0, columns = 0;
  u8 blocks = 1;
  u16 depth = 0;
  Element a = Element::f32, b = Element::f32;
  bool scaled = false;
  u8 broadcast_size = 0, broadcast_block = 0, b_permutation = 0;
  const Place* places = nullptr;  // of all rows of the first block, then of the next
};

struct Instruction {
  Handler handler = nullptr;
  union {
    LaneFunction lanes;
    CompareFunction compare;
    const void* function = nullptr;
  };
  // Where MODE.IEEE matters: the handler proper, and the function while the bit is clear.
  Handler inner = nullptr;
  const void* without_ieee = nullptr;
  Operand source[5];
  Operand destination;         // vector or scalar
  Operand scalar_destination;  // carry and comparison masks
  const Instruction* target = nullptr;
  u32 index = 0;  // in the program
  u8 source_count = 0;
  Type result_type = Type::none;
  Type source_type[3] = {Type::none, Type::none, Type::none};

  // Memory accesses: bytes per lane (per element of the two-address forms), and the immediate.
  u32 bytes = 0;
  i32 offset = 0, offset1 = 0;
  u8 half_mode = 0;  // see Narrow
  bool sign_extend = false, returns = false, to_lds = false;
  bool offset_enabled = false, index_enabled = false;
  u8 operation = 0;  // atomics, and a family's own choice

  // Modifiers.
  Dpp dpp;
  u8 clamp = 0, output_scale = 0;  // output_scale: 1 x2, 2 x4, 3 /2
  u8 op_sel = 0, op_sel_hi = 7, neg_lo = 0, neg_hi = 0;
  u8 destination_select = 6, destination_unused = 0;
  bool sdwa = false;
  bool keeps_high_half = false;  // 16-bit results that leave the other half alone
  u64 immediate = 0;

  Matrix matrix;
  const Instruction* part[2] = {nullptr, nullptr};  // of dual instructions

  // Static facts that checks, counters and traces use.
  InstructionClass kind = InstructionClass::other;
  Traffic traffic = Traffic::none;
  u8 read_count = 0, range_count = 0;  // ranges[0..read_count) are read, the rest written
  RegisterRange ranges[kMaxRanges] = {};

  u64 address = 0;    // of the instruction in the loaded image
  u32 size = 4;       // bytes of its encoding
  u32 text_line = 0;  // of the assembly, from 1
  u32 location = 0;   // in Program::locations
};

// The half of a register that narrow loads and stores use.
enum Narrow : u8 { kWhole = 0, kLowHalf = 1, kHighHalf = 2 };

enum class Architecture : u8 { gfx90a, gfx942, gfx950, gfx1100 };

struct Target {
  Architecture architecture;
  const char* name;
  int lanes;
  u32 lds_bytes;
  u32 cache_line;
  bool fp8_is_ocp;
};

}  // namespace lumc::emulator
