#include "opcodes.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace lumc::emulator {

std::vector<std::string> OpcodeTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, opcode] : opcodes_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

const OpcodeTable& opcodes_of(const Target& target) {
  static std::mutex mutex;
  static std::map<Architecture, OpcodeTable> tables;
  const std::lock_guard<std::mutex> lock(mutex);
  auto [place, fresh] = tables.try_emplace(target.architecture);
  OpcodeTable& table = place->second;
  if (!fresh) return table;
  add_float_opcodes(table);
  add_double_opcodes(table);
  add_half_opcodes(table);
  add_integer_opcodes(table);
  add_conversion_opcodes(table, target);
  add_packed_opcodes(table);
  add_dot_opcodes(table);
  add_compare_opcodes(table);
  add_carry_opcodes(table);
  add_cross_lane_opcodes(table);
  add_scalar_opcodes(table);
  add_control_opcodes(table);
  add_scalar_memory_opcodes(table);
  add_global_opcodes(table);
  add_buffer_opcodes(table);
  add_scratch_opcodes(table);
  add_lds_opcodes(table, target);
  add_matrix_opcodes(table, target);
  if (target.architecture == Architecture::gfx1100) add_gfx11_opcodes(table);
  return table;
}

}  // namespace lumc::emulator
