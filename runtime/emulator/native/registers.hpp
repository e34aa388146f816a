// Reading operands and writing registers, together with their definedness.
#pragma once

#include "machine.hpp"

namespace lumc::emulator {

struct alignas(64) Row {
  u32 lanes[kLanes];
};

inline void broadcast(u32* to, u32 value) { LUMC_FOR_LANES(l) to[l] = value; }

inline void copy_row(u32* to, const u32* from) { std::memcpy(to, from, sizeof(Row)); }

// ---- scalar operands

inline u32 special_value(const Wave& w, const Operand& o) {
  switch (static_cast<Special>(o.index)) {
    case Special::scc: return w.scc;
    case Special::vccz: return w.mask(kVcc) == 0;
    case Special::execz: return w.exec() == 0;
  }
  return 0;
}

inline u32 scalar_value(const Wave& w, const Operand& o) {
  if (o.kind == OperandKind::scalar) return w.scalar[o.index];
  return o.kind == OperandKind::special ? special_value(w, o) : static_cast<u32>(o.value);
}

inline u64 scalar_value64(const Wave& w, const Operand& o) {
  if (o.kind == OperandKind::scalar) return w.pair(o.index);
  return o.kind == OperandKind::special ? special_value(w, o) : o.value;
}

// Bits of a scalar operand that hold no value.
inline u32 scalar_undefined(const Wave& w, const Operand& o) {
  if (o.kind == OperandKind::scalar) return w.scalar_undefined[o.index];
  const bool scc = o.kind == OperandKind::special && o.index == static_cast<u16>(Special::scc);
  return scc && w.scc_undefined;
}

inline u64 scalar_undefined64(const Wave& w, const Operand& o) {
  if (o.kind == OperandKind::scalar) return w.undefined_pair(o.index);
  return scalar_undefined(w, o);
}

// A scalar operand that is a lane mask.
inline u64 mask_value(const Wave& w, const Operand& o) {
  return o.kind == OperandKind::scalar ? w.mask(o.index) : scalar_value64(w, o);
}
inline u64 mask_undefined(const Wave& w, const Operand& o) {
  return o.kind == OperandKind::scalar ? w.undefined_mask(o.index) : scalar_undefined64(w, o);
}

// ---- vector operands

// The row of dword `part` of an operand; scalars are spread out into `scratch`.
inline const u32* row_of(Wave& w, const Operand& o, int part, Row& scratch) {
  if (o.kind == OperandKind::vector) return w.vector[o.index + part];
  if (o.kind == OperandKind::constant) return o.row[part];
  u32 value =
      o.kind == OperandKind::special ? (part ? 0 : special_value(w, o)) : w.scalar[o.index + part];
  broadcast(scratch.lanes, value);
  return scratch.lanes;
}

// Lanes of an operand that hold a value, over all of its registers.
inline u64 defined_lanes(const Wave& w, const Operand& o, int dwords) {
  if (o.kind == OperandKind::vector) {
    u64 defined = w.defined[o.index];
    for (int part = 1; part < dwords; ++part) defined &= w.defined[o.index + part];
    return defined;
  }
  if (o.kind == OperandKind::constant) return kAllLanes;
  u32 undefined = scalar_undefined(w, o);
  for (int part = 1; part < dwords && o.kind == OperandKind::scalar; ++part) {
    undefined |= w.scalar_undefined[o.index + part];
  }
  return undefined ? 0 : kAllLanes;
}

// The instruction to blame for an operand that holds no value.
inline u32 origin_of(const Wave& w, const Operand& o, int dwords) {
  for (int part = 0; part < dwords; ++part) {
    if (o.kind == OperandKind::vector && w.defined[o.index + part] != kAllLanes) {
      return w.origin[o.index + part];
    }
    if (o.kind == OperandKind::scalar && w.scalar_undefined[o.index + part]) {
      return w.scalar_origin[o.index + part];
    }
  }
  return ~0u;
}

u32 origin_of_sources(const Wave& w, const Instruction& i);

// Copies the active lanes of `from` into register row `to`.
inline void merge_row(Wave& w, u32* to, const u32* from, u64 exec) {
  if (exec == kAllLanes) {
    copy_row(to, from);
    return;
  }
  if (exec == w.exec()) {
    const u32* mask = w.lane_mask();
    LUMC_FOR_LANES(l) to[l] ^= (to[l] ^ from[l]) & mask[l];
    return;
  }
  for (int l = 0; l < kLanes; ++l) {
    if (bit(exec, l)) to[l] = from[l];
  }
}

inline void set_defined(Wave& w, const Instruction& i, u32 reg, u64 written, u64 defined) {
  w.defined[reg] = (w.defined[reg] & ~written) | (written & defined);
  if (written & ~defined) w.origin[reg] = origin_of_sources(w, i);
}

inline void write_scalar(Wave& w, u32 index, u32 value, u32 undefined) {
  w.scalar[index] = value;
  w.scalar_undefined[index] = undefined;
}

void undefine_scalar(Wave& w, const Instruction& i, u32 index, u32 bits);

// ---- the points where an undefined value counts as used

void report_undefined(Wave& w, const Instruction& i, const Operand& o, int dwords, u64 lanes,
                      const char* use);

// Reports if active lanes of a vector operand, or any bit of a scalar one, hold no value.
inline void require_defined(Wave& w, const Instruction& i, const Operand& o, int dwords, u64 exec,
                            const char* use) {
  const u64 missing = exec & ~defined_lanes(w, o, dwords);
  if (missing) report_undefined(w, i, o, dwords, missing, use);
}

}  // namespace lumc::emulator
