// Scalar arithmetic. Every instruction is a plain function of SCC and its sources.
#include <type_traits>

#include "decoder.hpp"
#include "registers.hpp"

namespace lumc::emulator {

namespace {

// How undefined bits of sources reach the result.
enum Spread : u32 { kAll, kBitwise, kAnd, kAndNot, kOr, kOrNot, kSelect };

enum ScalarFlags : u32 {
  kWritesScc = 1,
  kReadsScc = 2,
  kReadsDestination = 4,
  kSccIsNonzero = 8,
};

u32 spread_of(const Instruction& i) { return static_cast<u32>(i.immediate >> 8); }

template <class T>
T read_source(const Wave& w, const Operand& o) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(scalar_value64(w, o));
  else
    return static_cast<T>(scalar_value(w, o));
}
template <class T>
u64 read_undefined(const Wave& w, const Operand& o) {
  return sizeof(T) == 8 ? scalar_undefined64(w, o) : scalar_undefined(w, o);
}

__attribute__((noinline)) u64 spread_undefined(const Wave& w, u32 spread, u64 a, u64 b, u64 ua,
                                               u64 ub) {
  switch (spread) {
    case kBitwise: return ua | ub;
    case kAnd: return (ua & (b | ub)) | (ub & (a | ua));
    case kAndNot: return (ua & (~b | ub)) | (ub & (a | ua));
    case kOr: return (ua & (~b | ub)) | (ub & (~a | ua));
    case kOrNot: return (ua & (b | ub)) | (ub & (~a | ua));
    case kSelect: return w.scc_undefined ? kAllLanes : w.scc ? ua : ub;
    default: return kAllLanes;
  }
}

// SCC says whether a result is zero: known as soon as one defined bit is set.
bool nonzero_is_known(u64 value, u64 undefined) { return !undefined || (value & ~undefined); }

__attribute__((noinline)) void set_undefined_result(Wave& w, const Instruction& i, u32 to,
                                                    bool wide, u64 undefined) {
  w.scalar_undefined[to] = static_cast<u32>(undefined);
  if (wide) w.scalar_undefined[to + 1] = static_cast<u32>(undefined >> 32);
  if (!undefined) return;
  w.scalar_origin[to] = origin_of_sources(w, i);
  if (wide) w.scalar_origin[to + 1] = w.scalar_origin[to];
  if (to < kExec) return;
  report_undefined(w, i, i.source[0], i.source[0].dwords, 1, "a condition of control flow");
  w.scalar_undefined[kExec] = w.scalar_undefined[kExec + 1] = 0;
}

template <auto F>
struct Scalar;

template <class R, class... A, R (*F)(bool&, A...)>
struct Scalar<F> {
  static void run(Wave& w, const Instruction& i) {
    apply(w, i, std::make_index_sequence<sizeof...(A)>{});
  }

  static constexpr int count = sizeof...(A);
  static constexpr int result_dwords =
      std::is_void_v<R>
          ? 0
          : static_cast<int>(sizeof(std::conditional_t<std::is_void_v<R>, u32, R>)) / 4;
  static constexpr int source_dwords[3] = {static_cast<int>(sizeof(A)) / 4 ...};

 private:
  template <std::size_t... K>
  static void apply(Wave& w, const Instruction& i, std::index_sequence<K...>) {
    const u32 flags = static_cast<u32>(i.immediate);
    u64 any = (flags & kReadsScc) && w.scc_undefined;
    ((any |= read_undefined<A>(w, i.source[K])), ...);
    u64 undefined = 0;
    if (any) {
      const u64 values[] = {static_cast<u64>(read_source<A>(w, i.source[K]))..., 0, 0};
      const u64 bits[] = {read_undefined<A>(w, i.source[K])..., 0, 0};
      undefined = spread_undefined(w, spread_of(i), values[0], values[1], bits[0], bits[1]);
    }
    bool scc = w.scc;
    if constexpr (std::is_void_v<R>) {
      F(scc, read_source<A>(w, i.source[K])...);
      finish_scc(w, flags, scc, undefined != 0, 0, undefined);
    } else {
      const R result = F(scc, read_source<A>(w, i.source[K])...);
      if constexpr (sizeof(R) == 4) undefined &= 0xffffffffu;
      const u32 to = i.destination.index;
      if constexpr (sizeof(R) == 8)
        w.set_pair(to, static_cast<u64>(result));
      else
        w.scalar[to] = static_cast<u32>(result);
      if (undefined || w.scalar_undefined[to] || (sizeof(R) == 8 && w.scalar_undefined[to + 1])) {
        set_undefined_result(w, i, to, sizeof(R) == 8, undefined);
      }
      finish_scc(w, flags, scc, undefined != 0, static_cast<u64>(result), undefined);
    }
  }

  static void finish_scc(Wave& w, u32 flags, bool scc, bool any_undefined, u64 value,
                         u64 undefined) {
    if (!(flags & kWritesScc)) return;
    w.scc = scc;
    w.scc_undefined =
        any_undefined && !((flags & kSccIsNonzero) && nonzero_is_known(value, undefined));
  }
};

// ---- moves and bits

template <class T>
T move(bool&, T a) {
  return a;
}
template <class T>
T complement(bool& scc, T a) {
  const T r = ~a;
  scc = r != 0;
  return r;
}
u32 reverse(bool&, u32 a) { return reverse_bits(a); }
u64 reverse64(bool&, u64 a) { return reverse_bits64(a); }
template <class T>
T conditional_move(bool& scc, T a, T old) {
  return scc ? a : old;
}
template <class T>
u32 count_ones(bool& scc, T a) {
  const u32 r = static_cast<u32>(count_bits(a));
  scc = r != 0;
  return r;
}
template <class T>
u32 count_zeros(bool& scc, T a) {
  const u32 r = static_cast<u32>(sizeof(T)) * 8 - static_cast<u32>(count_bits(a));
  scc = r != 0;
  return r;
}
template <class T>
u32 first_one(bool&, T a) {
  return a ? static_cast<u32>(__builtin_ctzll(a)) : ~0u;
}
template <class T>
u32 first_zero(bool& scc, T a) {
  return first_one<T>(scc, static_cast<T>(~a));
}
u32 leading(bool&, u32 a) { return a ? static_cast<u32>(__builtin_clz(a)) : ~0u; }
u32 leading64(bool&, u64 a) { return a ? static_cast<u32>(__builtin_clzll(a)) : ~0u; }
u32 leading_sign(bool& scc, u32 a) {
  return leading(scc, a ^ static_cast<u32>(static_cast<i32>(a) >> 31));
}
u32 leading_sign64(bool& scc, u64 a) {
  return leading64(scc, a ^ static_cast<u64>(static_cast<i64>(a) >> 63));
}
u32 extend8(bool&, u32 a) { return static_cast<u32>(static_cast<i32>(static_cast<i8>(a))); }
u32 extend16(bool&, u32 a) { return static_cast<u32>(static_cast<i32>(static_cast<i16>(a))); }
u32 absolute(bool& scc, u32 a) {
  const u32 r = static_cast<i32>(a) < 0 ? 0 - a : a;
  scc = r != 0;
  return r;
}
u32 clear_bit(bool&, u32 a, u32 old) { return old & ~(1u << (a & 31)); }
u32 set_bit(bool&, u32 a, u32 old) { return old | 1u << (a & 31); }
u64 clear_bit64(bool&, u32 a, u64 old) { return old & ~(u64{1} << (a & 63)); }
u64 set_bit64(bool&, u32 a, u64 old) { return old | u64{1} << (a & 63); }
u64 spread_pairs(bool&, u32 a) {
  u64 result = 0;
  for (int k = 0; k < 32; ++k) result |= u64{bit(a, k)} * 3 << 2 * k;
  return result;
}
u64 quad_mask64(bool& scc, u64 a) {
  u64 result = 0;
  for (int k = 0; k < 16; ++k) result |= u64{(a >> 4 * k & 15) != 0} << k;
  scc = result != 0;
  return result;
}
u64 whole_quads64(bool& scc, u64 a) {
  u64 result = 0;
  for (int k = 0; k < 16; ++k) result |= (a >> 4 * k & 15) ? u64{15} << 4 * k : 0;
  scc = result != 0;
  return result;
}

// ---- sums and products

u32 add_carry(bool& scc, u32 a, u32 b) {
  const u32 r = a + b;
  scc = r < a;
  return r;
}
u32 subtract_borrow(bool& scc, u32 a, u32 b) {
  scc = b > a;
  return a - b;
}
u32 add_with_carry(bool& scc, u32 a, u32 b) {
  const u64 r = u64{a} + b + scc;
  scc = r >> 32;
  return static_cast<u32>(r);
}
u32 subtract_with_borrow(bool& scc, u32 a, u32 b) {
  const u64 second = u64{b} + scc;
  scc = second > a;
  return static_cast<u32>(a - second);
}
i32 add_signed(bool& scc, i32 a, i32 b) {
  i32 r;
  scc = __builtin_add_overflow(a, b, &r);
  return r;
}
i32 subtract_signed(bool& scc, i32 a, i32 b) {
  i32 r;
  scc = __builtin_sub_overflow(a, b, &r);
  return r;
}
u32 multiply(bool&, u32 a, u32 b) { return a * b; }
u32 multiply_high(bool&, u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
u32 multiply_high_signed(bool&, i32 a, i32 b) { return static_cast<u32>(i64{a} * b >> 32); }
u32 difference(bool& scc, u32 a, u32 b) {
  const u32 d = a - b, r = static_cast<i32>(d) < 0 ? 0 - d : d;
  scc = r != 0;
  return r;
}
template <int Shift>
u32 shift_add(bool& scc, u32 a, u32 b) {
  const u64 r = (u64{a} << Shift) + b;
  scc = r >> 32;
  return static_cast<u32>(r);
}
template <class T>
T minimum(bool& scc, T a, T b) {
  scc = a < b;
  return scc ? a : b;
}
template <class T>
T maximum(bool& scc, T a, T b) {
  scc = a > b;
  return scc ? a : b;
}
template <class T>
T select(bool& scc, T a, T b) {
  return scc ? a : b;
}

// ---- logic

template <class T>
T set_nonzero(bool& scc, T r) {
  scc = r != 0;
  return r;
}
template <class T>
T conjunction(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, a & b);
}
template <class T>
T disjunction(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, a | b);
}
template <class T>
T exclusive(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, a ^ b);
}
template <class T>
T and_not(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, a & ~b);
}
template <class T>
T or_not(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, a | ~b);
}
template <class T>
T not_and(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, ~(a & b));
}
template <class T>
T not_or(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, ~(a | b));
}
template <class T>
T not_exclusive(bool& scc, T a, T b) {
  return set_nonzero<T>(scc, ~(a ^ b));
}
template <class T>
T shift_left(bool& scc, T a, u32 b) {
  return set_nonzero<T>(scc, a << (b & (sizeof(T) * 8 - 1)));
}
template <class T>
T shift_right(bool& scc, T a, u32 b) {
  return set_nonzero<T>(scc, a >> (b & (sizeof(T) * 8 - 1)));
}
u32 field_mask(bool&, u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }
u64 field_mask64(bool&, u32 a, u32 b) { return ((u64{1} << (a & 63)) - 1) << (b & 63); }
template <class T>
T field(bool& scc, T a, u32 b) {
  constexpr u32 bits = sizeof(T) * 8;
  const u32 offset = b & (bits - 1), width = b >> 16 & 127;
  if (width == 0) return set_nonzero<T>(scc, 0);
  T shifted = static_cast<T>(a >> offset);
  if (width < bits) {
    using U = std::make_unsigned_t<T>;
    const U cut = static_cast<U>(shifted) << (bits - width);
    shifted = static_cast<T>(cut) >> (bits - width);
  }
  return set_nonzero<T>(scc, shifted);
}
u32 pack_low_low(bool&, u32 a, u32 b) { return (a & 0xffff) | b << 16; }
u32 pack_low_high(bool&, u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000u); }
u32 pack_high_high(bool&, u32 a, u32 b) { return a >> 16 | (b & 0xffff0000u); }

// ---- comparisons

template <class T>
void equal(bool& scc, T a, T b) {
  scc = a == b;
}
template <class T>
void different(bool& scc, T a, T b) {
  scc = a != b;
}
template <class T>
void greater(bool& scc, T a, T b) {
  scc = a > b;
}
template <class T>
void greater_equal(bool& scc, T a, T b) {
  scc = a >= b;
}
template <class T>
void less(bool& scc, T a, T b) {
  scc = a < b;
}
template <class T>
void less_equal(bool& scc, T a, T b) {
  scc = a <= b;
}
void bit_clear(bool& scc, u32 a, u32 b) { scc = !(a >> (b & 31) & 1); }
void bit_set(bool& scc, u32 a, u32 b) { scc = a >> (b & 31) & 1; }
void bit_clear64(bool& scc, u64 a, u32 b) { scc = !(a >> (b & 63) & 1); }
void bit_set64(bool& scc, u64 a, u32 b) { scc = a >> (b & 63) & 1; }

// ---- EXEC: save it, and combine it with the source

template <u64 (*Combine)(u64 source, u64 exec), u32 Spread, bool Save>
void run_save_exec(Wave& w, const Instruction& i) {
  const u64 source = mask_value(w, i.source[0]), old = w.exec();
  const u64 undefined_source = mask_undefined(w, i.source[0]);
  const u64 combined = Combine(source, old) & (w.narrow ? 0xffffffffu : kAllLanes);
  if (undefined_source && spread_undefined(w, Spread, source, old, undefined_source, 0)) {
    report_undefined(w, i, i.source[0], 2, 1, "a condition of control flow");
  }
  w.set_exec(combined);
  w.set_mask(i.destination.index, Save ? old : combined);
  w.set_undefined_mask(i.destination.index, 0);
  w.scc = combined != 0;
  w.scc_undefined = false;
}
u64 exec_and(u64 a, u64 b) { return a & b; }
u64 exec_or(u64 a, u64 b) { return a | b; }
u64 exec_xor(u64 a, u64 b) { return a ^ b; }
u64 exec_and_not(u64 a, u64 b) { return a & ~b; }
u64 exec_not_and(u64 a, u64 b) { return ~a & b; }
u64 exec_or_not(u64 a, u64 b) { return a | ~b; }
u64 exec_not_or(u64 a, u64 b) { return ~a | b; }
u64 exec_nand(u64 a, u64 b) { return ~(a & b); }
u64 exec_nor(u64 a, u64 b) { return ~(a | b); }
u64 exec_xnor(u64 a, u64 b) { return ~(a ^ b); }

// ---- decoding

void build_scalar(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const u32 flags = opcode.parameter[0];
  const int result_dwords = static_cast<int>(opcode.parameter[2] & 15);
  std::size_t count = opcode.parameter[2] >> 4 & 15;
  const bool reads_destination = flags & kReadsDestination;
  std::size_t position = 0;
  if (result_dwords) {
    require(!line.operands.empty(), "wrong number of operands");
    i.destination = d.scalar(line.operands[position++]);
    require(i.destination.dwords == result_dwords, "destination of the wrong width");
  }
  if (reads_destination) --count;
  require(line.operands.size() == position + count, "wrong number of operands");
  for (std::size_t k = 0; k < count; ++k) {
    const int dwords = static_cast<int>(opcode.parameter[2] >> (8 + 4 * k) & 15);
    i.source[k] = d.operand(line.operands[position++], dwords == 2 ? Type::b64 : Type::b32);
    require(!i.source[k].is_vector(), "a scalar instruction with a vector operand");
    if (i.source[k].kind == OperandKind::scalar)
      require(i.source[k].dwords >= dwords, "operand too narrow");
    add_read(i, i.source[k], dwords);
  }
  if (reads_destination) {
    i.source[count] = i.destination;
    add_read(i, i.destination, result_dwords);
  }
  if (result_dwords) add_write(i, i.destination, result_dwords);
  i.source_count = static_cast<u8>(count);
  i.immediate = flags | u64{opcode.parameter[1]} << 8;
}

// SOPK: a 16-bit constant, signed unless the comparison is unsigned.
void build_scalar_short(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  const u32 flags = opcode.parameter[0];
  const i64 value = d.integer(line.operands[1]);
  const bool is_unsigned = opcode.flag;
  Operand constant;
  constant.kind = OperandKind::constant;
  constant.value = is_unsigned ? static_cast<u64>(value) & 0xffff
                               : static_cast<u32>(static_cast<i32>(static_cast<i16>(value)));
  const Operand reg = d.scalar(line.operands[0], 1);
  const bool writes = opcode.parameter[2] & 15;
  const bool one_source = (opcode.parameter[2] >> 4 & 15) == 1;
  // s_movk: constant; s_cmovk: constant, old; s_addk and s_mulk: old, constant; s_cmpk: register,
  // constant.
  const bool constant_first = one_source || (flags & kReadsScc);
  i.source[0] = constant_first ? constant : reg;
  if (!one_source) i.source[1] = constant_first ? reg : constant;
  i.source_count = one_source ? 1 : 2;
  if (!one_source) add_read(i, reg, 1);
  if (writes) {
    i.destination = reg;
    add_write(i, reg, 1);
  }
  i.immediate = flags | u64{opcode.parameter[1]} << 8;
}

void build_save_exec(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.scalar(line.operands[0], d.mask_dwords());
  i.source[0] = d.operand(line.operands[1], Type::b64);
  add_read(i, i.source[0], d.mask_dwords());
  add_write(i, i.destination, d.mask_dwords());
}

template <auto F>
Opcode scalar(u32 flags = 0, u32 spread = kAll) {
  using Function = Scalar<F>;
  Opcode opcode;
  opcode.build = build_scalar;
  opcode.handler = Function::run;
  opcode.kind = InstructionClass::salu;
  opcode.parameter[0] = flags;
  opcode.parameter[1] = spread;
  opcode.parameter[2] = static_cast<u32>(
      Function::result_dwords | Function::count << 4 | Function::source_dwords[0] << 8 |
      Function::source_dwords[1] << 12 | Function::source_dwords[2] << 16);
  return opcode;
}

template <auto F>
Opcode scalar_short(u32 flags, bool is_unsigned = false) {
  Opcode opcode = scalar<F>(flags);
  opcode.build = build_scalar_short;
  opcode.flag = is_unsigned;
  return opcode;
}

template <u64 (*Combine)(u64, u64), u32 Spread, bool Save = true>
Opcode save_exec() {
  Opcode opcode;
  opcode.build = build_save_exec;
  opcode.handler = run_save_exec<Combine, Spread, Save>;
  opcode.kind = InstructionClass::salu;
  return opcode;
}

constexpr u32 kLogic = kWritesScc | kSccIsNonzero;

template <class T>
void add_logic(OpcodeTable& t, const std::string& bits) {
  t.add("s_mov_" + bits, scalar<move<T>>(0, kBitwise));
  t.add("s_cmov_" + bits, scalar<conditional_move<T>>(kReadsScc | kReadsDestination, kSelect));
  t.add("s_not_" + bits, scalar<complement<T>>(kLogic, kBitwise));
  t.add("s_and_" + bits, scalar<conjunction<T>>(kLogic, kAnd));
  t.add("s_or_" + bits, scalar<disjunction<T>>(kLogic, kOr));
  t.add("s_xor_" + bits, scalar<exclusive<T>>(kLogic, kBitwise));
  t.add("s_andn2_" + bits, scalar<and_not<T>>(kLogic, kAndNot));
  t.add("s_orn2_" + bits, scalar<or_not<T>>(kLogic, kOrNot));
  t.add("s_nand_" + bits, scalar<not_and<T>>(kLogic, kAnd));
  t.add("s_nor_" + bits, scalar<not_or<T>>(kLogic, kOr));
  t.add("s_xnor_" + bits, scalar<not_exclusive<T>>(kLogic, kBitwise));
  t.add("s_lshl_" + bits, scalar<shift_left<T>>(kLogic));
  t.add("s_lshr_" + bits, scalar<shift_right<T>>(kLogic));
  t.add("s_cselect_" + bits, scalar<select<T>>(kReadsScc, kSelect));
  t.add("s_bcnt0_i32_" + bits, scalar<count_zeros<T>>(kWritesScc));
  t.add("s_bcnt1_i32_" + bits, scalar<count_ones<T>>(kWritesScc));
  t.add("s_ff0_i32_" + bits, scalar<first_zero<T>>());
  t.add("s_ff1_i32_" + bits, scalar<first_one<T>>());
}

template <class T>
void add_comparisons(OpcodeTable& t, const std::string& type, bool is_unsigned) {
  t.add("s_cmp_eq_" + type, scalar<equal<T>>(kWritesScc));
  t.add("s_cmp_lg_" + type, scalar<different<T>>(kWritesScc));
  t.add("s_cmp_gt_" + type, scalar<greater<T>>(kWritesScc));
  t.add("s_cmp_ge_" + type, scalar<greater_equal<T>>(kWritesScc));
  t.add("s_cmp_lt_" + type, scalar<less<T>>(kWritesScc));
  t.add("s_cmp_le_" + type, scalar<less_equal<T>>(kWritesScc));
  t.add("s_cmpk_eq_" + type, scalar_short<equal<T>>(kWritesScc, is_unsigned));
  t.add("s_cmpk_lg_" + type, scalar_short<different<T>>(kWritesScc, is_unsigned));
  t.add("s_cmpk_gt_" + type, scalar_short<greater<T>>(kWritesScc, is_unsigned));
  t.add("s_cmpk_ge_" + type, scalar_short<greater_equal<T>>(kWritesScc, is_unsigned));
  t.add("s_cmpk_lt_" + type, scalar_short<less<T>>(kWritesScc, is_unsigned));
  t.add("s_cmpk_le_" + type, scalar_short<less_equal<T>>(kWritesScc, is_unsigned));
}

}  // namespace

void add_scalar_opcodes(OpcodeTable& t) {
  add_logic<u32>(t, "b32");
  add_logic<u64>(t, "b64");
  t.add("s_brev_b32", scalar<reverse>());
  t.add("s_brev_b64", scalar<reverse64>());
  t.add("s_flbit_i32_b32", scalar<leading>());
  t.add("s_flbit_i32_b64", scalar<leading64>());
  t.add("s_flbit_i32", scalar<leading_sign>());
  t.add("s_flbit_i32_i64", scalar<leading_sign64>());
  t.add("s_sext_i32_i8", scalar<extend8>());
  t.add("s_sext_i32_i16", scalar<extend16>());
  t.add("s_abs_i32", scalar<absolute>(kWritesScc));
  t.add("s_bitset0_b32", scalar<clear_bit>(kReadsDestination));
  t.add("s_bitset1_b32", scalar<set_bit>(kReadsDestination));
  t.add("s_bitset0_b64", scalar<clear_bit64>(kReadsDestination));
  t.add("s_bitset1_b64", scalar<set_bit64>(kReadsDestination));
  t.add("s_bitreplicate_b64_b32", scalar<spread_pairs>());
  t.add("s_quadmask_b64", scalar<quad_mask64>(kWritesScc));
  t.add("s_wqm_b64", scalar<whole_quads64>(kWritesScc));

  t.add("s_add_u32", scalar<add_carry>(kWritesScc));
  t.add("s_sub_u32", scalar<subtract_borrow>(kWritesScc));
  t.add("s_addc_u32", scalar<add_with_carry>(kWritesScc | kReadsScc));
  t.add("s_subb_u32", scalar<subtract_with_borrow>(kWritesScc | kReadsScc));
  t.add("s_add_i32", scalar<add_signed>(kWritesScc));
  t.add("s_sub_i32", scalar<subtract_signed>(kWritesScc));
  t.add("s_mul_i32", scalar<multiply>());
  t.add("s_mul_hi_u32", scalar<multiply_high>());
  t.add("s_mul_hi_i32", scalar<multiply_high_signed>());
  t.add("s_absdiff_i32", scalar<difference>(kWritesScc));
  t.add("s_lshl1_add_u32", scalar<shift_add<1>>(kWritesScc));
  t.add("s_lshl2_add_u32", scalar<shift_add<2>>(kWritesScc));
  t.add("s_lshl3_add_u32", scalar<shift_add<3>>(kWritesScc));
  t.add("s_lshl4_add_u32", scalar<shift_add<4>>(kWritesScc));
  t.add("s_min_i32", scalar<minimum<i32>>(kWritesScc));
  t.add("s_max_i32", scalar<maximum<i32>>(kWritesScc));
  t.add("s_min_u32", scalar<minimum<u32>>(kWritesScc));
  t.add("s_max_u32", scalar<maximum<u32>>(kWritesScc));
  t.add("s_ashr_i32", scalar<shift_right<i32>>(kLogic));
  t.add("s_ashr_i64", scalar<shift_right<i64>>(kLogic));
  t.add("s_bfm_b32", scalar<field_mask>());
  t.add("s_bfm_b64", scalar<field_mask64>());
  t.add("s_bfe_u32", scalar<field<u32>>(kWritesScc));
  t.add("s_bfe_i32", scalar<field<i32>>(kWritesScc));
  t.add("s_bfe_u64", scalar<field<u64>>(kWritesScc));
  t.add("s_bfe_i64", scalar<field<i64>>(kWritesScc));
  t.add("s_pack_ll_b32_b16", scalar<pack_low_low>());
  t.add("s_pack_lh_b32_b16", scalar<pack_low_high>());
  t.add("s_pack_hh_b32_b16", scalar<pack_high_high>());

  add_comparisons<i32>(t, "i32", false);
  add_comparisons<u32>(t, "u32", true);
  t.add("s_cmp_eq_u64", scalar<equal<u64>>(kWritesScc));
  t.add("s_cmp_lg_u64", scalar<different<u64>>(kWritesScc));
  t.add("s_bitcmp0_b32", scalar<bit_clear>(kWritesScc));
  t.add("s_bitcmp1_b32", scalar<bit_set>(kWritesScc));
  t.add("s_bitcmp0_b64", scalar<bit_clear64>(kWritesScc));
  t.add("s_bitcmp1_b64", scalar<bit_set64>(kWritesScc));

  t.add("s_movk_i32", scalar_short<move<u32>>(0));
  t.add("s_cmovk_i32", scalar_short<conditional_move<u32>>(kReadsScc));
  t.add("s_addk_i32", scalar_short<add_signed>(kWritesScc));
  t.add("s_mulk_i32", scalar_short<multiply>(0));

  t.add("s_and_saveexec_b64", save_exec<exec_and, kAnd>());
  t.add("s_or_saveexec_b64", save_exec<exec_or, kOr>());
  t.add("s_xor_saveexec_b64", save_exec<exec_xor, kBitwise>());
  t.add("s_andn2_saveexec_b64", save_exec<exec_and_not, kAndNot>());
  t.add("s_orn2_saveexec_b64", save_exec<exec_or_not, kOrNot>());
  t.add("s_nand_saveexec_b64", save_exec<exec_nand, kAnd>());
  t.add("s_nor_saveexec_b64", save_exec<exec_nor, kOr>());
  t.add("s_xnor_saveexec_b64", save_exec<exec_xnor, kBitwise>());
  t.add("s_andn1_saveexec_b64", save_exec<exec_not_and, kAnd>());
  t.add("s_orn1_saveexec_b64", save_exec<exec_not_or, kOr>());
  t.add("s_andn1_wrexec_b64", save_exec<exec_not_and, kAnd, false>());
  t.add("s_andn2_wrexec_b64", save_exec<exec_and_not, kAndNot, false>());
}

}  // namespace lumc::emulator
