// Control flow, waiting, barriers, and instructions that only matter to hardware.
#include "decode.hpp"
#include "decoder.hpp"
#include "memory.hpp"
#include "registers.hpp"

namespace lumc::emulator {

void handle_end_of_text(Wave& w, const Instruction& i) {
  w.worker->fail(w, i, "control runs past the end of the code");
}

namespace {

// ---- branches

void run_branch(Wave& w, const Instruction& i) { w.next = i.target; }

void require_condition(Wave& w, const Instruction& i, bool undefined, u32 index, const char* what) {
  if (!undefined) return;
  const u32 origin = index < kScalarRegisters ? w.scalar_origin[index] : ~0u;
  const auto& instructions = w.worker->program->instructions;
  w.worker->report(w, i, kUninitialised, -1,
                   origin < instructions.size() ? &instructions[origin] : nullptr,
                   "a branch depends on %s, which holds no value", what);
}

template <bool Taken>
void run_branch_scc(Wave& w, const Instruction& i) {
  require_condition(w, i, w.scc_undefined, ~0u, "SCC");
  if (w.scc == Taken) w.next = i.target;
}
template <bool Taken>
void run_branch_vcc(Wave& w, const Instruction& i) {
  const u64 vcc = w.mask(kVcc), undefined = w.undefined_mask(kVcc);
  require_condition(w, i, undefined && !(vcc & ~undefined), kVcc, "VCC");
  if ((vcc != 0) == Taken) w.next = i.target;
}
template <bool Taken>
void run_branch_exec(Wave& w, const Instruction& i) {
  if ((w.exec() != 0) == Taken) w.next = i.target;
}

void jump(Wave& w, const Instruction& i, u64 address) {
  const Instruction* target = w.worker->program->at(address);
  if (!target)
    w.worker->fail(w, i, "jump to 0x%llx, where no instruction begins",
                   static_cast<unsigned long long>(address));
  w.next = target;
}

void run_get_pc(Wave& w, const Instruction& i) {
  w.set_pair(i.destination.index, i.address + i.size);
  w.set_undefined_pair(i.destination.index, 0);
}
void run_set_pc(Wave& w, const Instruction& i) {
  require_condition(w, i, scalar_undefined64(w, i.source[0]) != 0, i.source[0].index,
                    "a jump address");
  jump(w, i, scalar_value64(w, i.source[0]));
}
void run_swap_pc(Wave& w, const Instruction& i) {
  require_condition(w, i, scalar_undefined64(w, i.source[0]) != 0, i.source[0].index,
                    "a jump address");
  const u64 target = scalar_value64(w, i.source[0]);
  run_get_pc(w, i);
  jump(w, i, target);
}
void run_call(Wave& w, const Instruction& i) {
  run_get_pc(w, i);
  w.next = i.target;
}
void run_end(Wave& w, const Instruction&) { w.state = WaveState::ended; }

// ---- waiting

void run_wait(Wave& w, const Instruction& i) {
  if (i.offset >= 0) w.pending.wait_vector_memory(i.offset);
  // Where stores have no counter of their own.
  if (i.offset == 0 && !w.narrow) settle(w);
  if (i.offset1 >= 0) w.pending.wait_local(i.offset1);
}

void run_barrier(Wave& w, const Instruction& i) {
  w.state = WaveState::at_barrier;
  w.barriers += 1;
  if (const u64 exec = w.exec(); exec != w.barrier_lanes) {
    w.barrier_lanes &= exec;
    w.partial_barrier = &i;
  }
}

void run_sleep(Wave& w, const Instruction&) { w.state = WaveState::yielded; }
void run_nothing(Wave&, const Instruction&) {}
void run_trap(Wave& w, const Instruction& i) { w.worker->fail(w, i, "the kernel traps"); }

// ---- MODE and other hardware registers

enum HardwareRegister : u32 { kModeRegister = 1 };

void run_get_register(Wave& w, const Instruction& i) {
  const u32 offset = i.bytes >> 8 & 31, width = i.bytes >> 16;
  const u32 value = i.operation == kModeRegister ? w.mode : 0;
  const u32 mask = width == 32 ? ~0u : (1u << width) - 1;
  write_scalar(w, i.destination.index, value >> offset & mask, 0);
}

void run_set_register(Wave& w, const Instruction& i) {
  if (i.operation != kModeRegister) return;
  const u32 offset = i.bytes >> 8 & 31, width = i.bytes >> 16;
  const u32 mask = (width == 32 ? ~0u : (1u << width) - 1) << offset;
  w.set_mode((w.mode & ~mask) | (scalar_value(w, i.source[0]) << offset & mask));
}

void run_time(Wave& w, const Instruction& i) {
  w.set_pair(i.destination.index, w.executed);
  w.set_undefined_pair(i.destination.index, 0);
}

// ---- decoding

void build_nothing(Decoder&, const Line&, const Opcode&, Instruction&) {}

void build_branch(Decoder&, const Line& line, const Opcode&, Instruction&) {
  require(line.operands.size() == 1, "wrong number of operands");
}

void build_pc(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  std::size_t k = 0;
  if (opcode.parameter[0] & 1) i.destination = d.scalar(line.operands.at(k++), 2);
  if (opcode.parameter[0] & 2) {
    i.source[0] = d.scalar(line.operands.at(k++), 2);
    i.source_count = 1;
    add_read(i, i.source[0], 2);
  }
  if (opcode.parameter[0] & 1) add_write(i, i.destination, 2);
}

void build_call(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.scalar(line.operands[0], 2);
  add_write(i, i.destination, 2);
}

// vmcnt(n), lgkmcnt(n), expcnt(n), or the encoded number.
void build_wait(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  i.offset = i.offset1 = -1;
  const std::string_view rest = line.rest;
  if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
    const u32 bits = static_cast<u32>(d.integer(rest));
    if (d.target().architecture == Architecture::gfx1100) {
      i.offset = static_cast<i32>(bits >> 10 & 63);
      i.offset1 = static_cast<i32>(bits >> 4 & 63);
      return;
    }
    i.offset = static_cast<i32>((bits & 15) | (bits >> 14 & 3) << 4);
    i.offset1 = static_cast<i32>(bits >> 8 & 15);
    return;
  }
  const auto count = [&](const char* name) {
    const std::size_t at = rest.find(name);
    if (at == std::string_view::npos) return -1;
    const std::size_t open = rest.find('(', at), close = rest.find(')', at);
    require(open != std::string_view::npos && close != std::string_view::npos, "unknown wait");
    return static_cast<int>(d.integer(rest.substr(open + 1, close - open - 1)));
  };
  i.offset = count("vmcnt");
  i.offset1 = count("lgkmcnt");
  require(i.offset >= 0 || i.offset1 >= 0 || count("expcnt") >= 0, "unknown wait");
}

// hwreg(NAME, offset, width)
void read_hardware_register(const Decoder& d, std::string_view text, Instruction& i) {
  require(starts_with(text, "hwreg("), "expected hwreg(...)");
  text = text.substr(6, text.size() - 7);
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    parts.push_back(part);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  require(!parts.empty(), "expected hwreg(...)");
  const bool number = parts[0][0] >= '0' && parts[0][0] <= '9';
  if (parts[0] == "HW_REG_MODE" || (number && d.integer(parts[0]) == kModeRegister))
    i.operation = kModeRegister;
  const u32 offset = parts.size() > 1 ? static_cast<u32>(d.integer(parts[1])) : 0;
  const u32 width = parts.size() > 2 ? static_cast<u32>(d.integer(parts[2])) : 32;
  i.bytes = offset << 8 | width << 16;
}

void build_get_register(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.scalar(line.operands[0], 1);
  read_hardware_register(d, line.operands[1], i);
  add_write(i, i.destination, 1);
}

void build_set_register(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  read_hardware_register(d, line.operands[0], i);
  i.source[0] = d.operand(line.operands[1], Type::b32);
  add_read(i, i.source[0], 1);
}

void build_time(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  i.destination = d.scalar(line.operands.at(0), 2);
  add_write(i, i.destination, 2);
}

Opcode with(Builder build, Handler handler, InstructionClass kind, u32 parameter = 0) {
  Opcode opcode;
  opcode.build = build;
  opcode.handler = handler;
  opcode.kind = kind;
  opcode.parameter[0] = parameter;
  return opcode;
}

}  // namespace

void add_control_opcodes(OpcodeTable& t) {
  constexpr InstructionClass kBranch = InstructionClass::branch, kOther = InstructionClass::other;
  constexpr InstructionClass kSalu = InstructionClass::salu;
  t.add("s_branch", with(build_branch, run_branch, kBranch));
  t.add("s_cbranch_scc0", with(build_branch, run_branch_scc<false>, kBranch));
  t.add("s_cbranch_scc1", with(build_branch, run_branch_scc<true>, kBranch));
  t.add("s_cbranch_vccz", with(build_branch, run_branch_vcc<false>, kBranch));
  t.add("s_cbranch_vccnz", with(build_branch, run_branch_vcc<true>, kBranch));
  t.add("s_cbranch_execz", with(build_branch, run_branch_exec<false>, kBranch));
  t.add("s_cbranch_execnz", with(build_branch, run_branch_exec<true>, kBranch));
  t.add("s_call_b64", with(build_call, run_call, kBranch));
  t.add("s_getpc_b64", with(build_pc, run_get_pc, kSalu, 1));
  t.add("s_setpc_b64", with(build_pc, run_set_pc, kSalu, 2));
  t.add("s_swappc_b64", with(build_pc, run_swap_pc, kSalu, 3));
  t.add("s_endpgm", with(build_nothing, run_end, kOther));

  t.add("s_waitcnt", with(build_wait, run_wait, InstructionClass::wait));
  t.add("s_barrier", with(build_nothing, run_barrier, InstructionClass::barrier));
  t.add("s_sleep", with(build_nothing, run_sleep, kOther));
  t.add("s_trap", with(build_nothing, run_trap, kOther));
  for (const char* name : {"s_nop",          "s_icache_inv",
                           "s_dcache_inv",   "s_dcache_inv_vol",
                           "s_dcache_wb",    "s_dcache_wb_vol",
                           "s_setprio",      "s_sethalt",
                           "s_sendmsg",      "s_code_end",
                           "s_incperflevel", "s_decperflevel",
                           "s_ttracedata",   "v_nop",
                           "ds_nop",         "s_wakeup",
                           "s_setkill",      "s_endpgm_saved",
                           "s_inst_prefetch"}) {
    t.add(name, with(build_nothing, run_nothing, kOther));
  }
  t.add("s_getreg_b32", with(build_get_register, run_get_register, kSalu));
  t.add("s_setreg_b32", with(build_set_register, run_set_register, kSalu));
  t.add("s_setreg_imm32_b32", with(build_set_register, run_set_register, kSalu));
  for (const char* name : {"s_memtime", "s_memrealtime"}) {
    t.add(name, with(build_time, run_time, InstructionClass::scalar_memory));
  }
}

}  // namespace lumc::emulator
