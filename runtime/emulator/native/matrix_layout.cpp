#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <vector>

#include "matrix.hpp"

namespace lumc::emulator {

namespace {

int permuted_lane(int pattern, int l) {
  switch (pattern) {
    case 1: return l & 31;
    case 2: return (l & 31) | 32;
    case 3: return (l + 16) & 63;
    default: return pattern >= 4 ? (l & 15) | (pattern - 4) << 4 : l;
  }
}

// How B's lanes are rearranged. For doubles and scaled products BLGP means something else.
int lane_pattern(const Matrix& m, int which) {
  const bool other_meaning = m.a == Element::f64 || m.scaled;
  return which == 0 || other_meaning ? 0 : m.b_permutation;
}

// Lanes of an operand that hold values, rearranged as the operand is.
u64 operand_defined(const Wave& w, const Instruction& i, int which) {
  const u64 defined = defined_lanes(w, i.source[which], i.source[which].dwords);
  const int pattern = lane_pattern(i.matrix, which);
  if (!pattern || defined == kAllLanes) return defined;
  u64 moved = 0;
  for (int l = 0; l < kLanes; ++l) moved |= u64{bit(defined, permuted_lane(pattern, l))} << l;
  return moved;
}

// Rows of A or columns of B, a bit each, all of whose elements hold values.
u32 lines_defined(const Layout& layout, u64 lanes, int block) {
  u32 defined = layout.side == 32 ? ~0u : (1u << layout.side) - 1;
  for (int group = 0; group < layout.groups; ++group) {
    defined &= static_cast<u32>(lanes >> layout.first_lane(block, group));
  }
  return defined;
}

bool all_defined(const Wave& w, const Instruction& i) {
  for (const Operand& o : i.source) {
    if (o.present() && defined_lanes(w, o, o.dwords) != kAllLanes) return false;
  }
  return true;
}

int rows_together(const Matrix& m) { return m.a == Element::f64 ? 1 : 4; }

Place place_of(const Matrix& m, int block, int row) {
  const int together = rows_together(m), size = m.columns * m.rows;
  const int per_register = std::max(1, (kLanes * together + size - 1) / size);
  const int row_groups = kLanes / per_register / m.columns;
  const int items = m.rows / (together * row_groups);
  const int item =
      row % together + together * (row / (together * row_groups) + items * (block / per_register));
  const int lane = m.columns * (row / together % row_groups + row_groups * (block % per_register));
  return {static_cast<u8>(item), static_cast<u8>(lane)};
}

}  // namespace

int element_bits(Element e) {
  switch (e) {
    case Element::f64: return 64;
    case Element::f32: return 32;
    case Element::f16:
    case Element::bf16: return 16;
    case Element::fp6_e2m3:
    case Element::fp6_e3m2: return 6;
    case Element::fp4_e2m1: return 4;
    default: return 8;
  }
}

Layout layout_of(const Matrix& m, bool is_a) {
  const int side = is_a ? m.rows : m.columns;
  const int groups = kLanes / (side * m.blocks);
  const Element element = is_a ? m.a : m.b;
  return {side,   m.blocks, m.depth / groups,
          groups, element,  m.scaled && element_bits(element) == 8};
}

void fetch_matrix(Wave& w, const Instruction& i, int which, bool copy, MatrixOperand& to) {
  const Operand& o = i.source[which];
  const int pattern = lane_pattern(i.matrix, which);
  for (int r = 0; r < o.dwords; ++r) {
    const u32* row = w.vector[o.index + r];
    to.rows[r] = pattern || copy ? to.own[r].lanes : row;
    if (pattern) {
      for (int l = 0; l < kLanes; ++l) to.own[r].lanes[l] = row[permuted_lane(pattern, l)];
    } else if (copy) {
      copy_row(to.own[r].lanes, row);
    }
  }
}

const Place* places_of(const Matrix& m) {
  static std::mutex mutex;
  static std::map<std::array<int, 4>, std::vector<Place>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  auto [entry, fresh] = known.try_emplace({m.rows, m.columns, m.blocks, rows_together(m)});
  std::vector<Place>& places = entry->second;
  for (int block = 0; fresh && block < m.blocks; ++block) {
    for (int row = 0; row < m.rows; ++row) places.push_back(place_of(m, block, row));
  }
  return places.data();
}

int broadcast_block(const Matrix& m, int block) {
  if (!m.broadcast_size) return block;
  return (block >> m.broadcast_size << m.broadcast_size) + m.broadcast_block;
}

void define_product(Wave& w, const Instruction& i) {
  const Matrix& m = i.matrix;
  const u32 to = i.destination.index, dwords = i.destination.dwords;
  if (all_defined(w, i)) {
    for (u32 r = 0; r < dwords; ++r) w.defined[to + r] = kAllLanes;
    return;
  }
  const u32 origin = origin_of_sources(w, i), dwords_per_item = m.a == Element::f64 ? 2 : 1;
  const Operand& c = i.source[2];
  u64 known[32];
  for (u32 r = 0; r < dwords; ++r) known[r] = c.is_vector() ? w.defined[c.index + r] : kAllLanes;
  const Layout la = layout_of(m, true), lb = layout_of(m, false);
  u64 a = operand_defined(w, i, 0), b = operand_defined(w, i, 1);
  if (i.source[3].present()) a &= defined_lanes(w, i.source[3], 1);  // scales lie as elements do
  if (i.source[4].present()) b &= defined_lanes(w, i.source[4], 1);
  for (int block = 0; block < m.blocks; ++block) {
    const u32 rows = lines_defined(la, a, broadcast_block(m, block));
    const u32 columns = lines_defined(lb, b, block);
    for (int row = 0; row < m.rows; ++row) {
      const Place place = m.places[block * m.rows + row];
      const u64 run = (m.columns == 32 ? u64{0xffffffff} : (u64{1} << m.columns) - 1) << place.lane;
      const u64 good = rows >> row & 1 ? u64{columns} << place.lane : 0;
      for (u32 part = 0; part < dwords_per_item; ++part) {
        known[static_cast<u32>(place.item) * dwords_per_item + part] &= ~run | good;
      }
    }
  }
  for (u32 r = 0; r < dwords; ++r) {
    w.defined[to + r] = known[r];
    if (known[r] != kAllLanes) w.origin[to + r] = origin;
  }
}

}  // namespace lumc::emulator
