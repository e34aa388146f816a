// Atomic operations, on values and on memory that other threads may touch.
#include "formats.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

template <class T>
u64 exchange_loop(u8* at, Atomic operation, u64 data, u64 compare) {
  T* place = reinterpret_cast<T*>(at);
  T old = __atomic_load_n(place, __ATOMIC_RELAXED);
  for (;;) {
    const T fresh = static_cast<T>(apply_atomic(operation, sizeof(T), old, data, compare));
    if (__atomic_compare_exchange_n(place, &old, fresh, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      return old;
  }
}

template <class T, class Bits>
u64 float_atomic(Atomic operation, u64 old, u64 data) {
  const T a = bit_cast<T>(static_cast<Bits>(old)), b = bit_cast<T>(static_cast<Bits>(data));
  T result = a + b;
  if (operation == Atomic::minimum_float) result = a != a ? b : b < a ? b : a;
  if (operation == Atomic::maximum_float) result = a != a ? b : b > a ? b : a;
  return bit_cast<Bits>(result);
}

u64 half_pair(u64 old, u64 data, bool bfloat) {
  u64 result = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const u32 a = static_cast<u32>(old >> shift & 0xffff),
              b = static_cast<u32>(data >> shift & 0xffff);
    const u32 sum =
        bfloat ? float_to_bfloat(bfloat_to_float(a) + bfloat_to_float(b))
               : to_half(to_float(Half{static_cast<u16>(a)}) + to_float(Half{static_cast<u16>(b)}))
                     .bits;
    result |= u64{sum} << shift;
  }
  return result;
}

}  // namespace

u64 apply_atomic(Atomic operation, u32 bytes, u64 old, u64 data, u64 compare) {
  const bool wide = bytes == 8;
  const i64 a = wide ? static_cast<i64>(old) : static_cast<i32>(old);
  const i64 b = wide ? static_cast<i64>(data) : static_cast<i32>(data);
  switch (operation) {
    case Atomic::add: return old + data;
    case Atomic::subtract: return old - data;
    case Atomic::reverse_subtract: return data - old;
    case Atomic::minimum_signed: return a < b ? old : data;
    case Atomic::maximum_signed: return a > b ? old : data;
    case Atomic::minimum_unsigned: return old < data ? old : data;
    case Atomic::maximum_unsigned: return old > data ? old : data;
    case Atomic::conjunction: return old & data;
    case Atomic::disjunction: return old | data;
    case Atomic::exclusive_or: return old ^ data;
    case Atomic::exchange: return data;
    case Atomic::compare_exchange: return old == compare ? data : old;
    case Atomic::increment: return old >= data ? 0 : old + 1;
    case Atomic::decrement: return old == 0 || old > data ? data : old - 1;
    case Atomic::add_half2: return half_pair(old, data, false);
    case Atomic::add_bfloat2: return half_pair(old, data, true);
    default: break;
  }
  return wide ? float_atomic<double, u64>(operation, old, data)
              : float_atomic<float, u32>(operation, old, data);
}

u64 apply_atomic_at(u8* at, Atomic operation, u32 bytes, u64 data, u64 compare) {
  return bytes == 8 ? exchange_loop<u64>(at, operation, data, compare)
                    : exchange_loop<u32>(at, operation, data, compare);
}

const std::vector<AtomicName>& global_atomics() {
  static const std::vector<AtomicName> names = {
      {"swap", Atomic::exchange, 4},
      {"cmpswap", Atomic::compare_exchange, 4},
      {"add", Atomic::add, 4},
      {"sub", Atomic::subtract, 4},
      {"smin", Atomic::minimum_signed, 4},
      {"umin", Atomic::minimum_unsigned, 4},
      {"smax", Atomic::maximum_signed, 4},
      {"umax", Atomic::maximum_unsigned, 4},
      {"and", Atomic::conjunction, 4},
      {"or", Atomic::disjunction, 4},
      {"xor", Atomic::exclusive_or, 4},
      {"inc", Atomic::increment, 4},
      {"dec", Atomic::decrement, 4},
      {"swap_x2", Atomic::exchange, 8},
      {"cmpswap_x2", Atomic::compare_exchange, 8},
      {"add_x2", Atomic::add, 8},
      {"sub_x2", Atomic::subtract, 8},
      {"smin_x2", Atomic::minimum_signed, 8},
      {"umin_x2", Atomic::minimum_unsigned, 8},
      {"smax_x2", Atomic::maximum_signed, 8},
      {"umax_x2", Atomic::maximum_unsigned, 8},
      {"and_x2", Atomic::conjunction, 8},
      {"or_x2", Atomic::disjunction, 8},
      {"xor_x2", Atomic::exclusive_or, 8},
      {"inc_x2", Atomic::increment, 8},
      {"dec_x2", Atomic::decrement, 8},
      {"add_f32", Atomic::add_float, 4},
      {"add_f64", Atomic::add_float, 8},
      {"min_f64", Atomic::minimum_float, 8},
      {"max_f64", Atomic::maximum_float, 8},
      {"pk_add_f16", Atomic::add_half2, 4},
      {"pk_add_bf16", Atomic::add_bfloat2, 4},
  };
  return names;
}

void global_atomic(Wave& w, const Instruction& i, Addresses& a, u64 inside, u64 exec) {
  const u64 valid = check_global(w, i, a, inside, i.bytes, true);
  const Atomic operation = static_cast<Atomic>(i.operation);
  const bool wide = i.bytes == 8, compares = operation == Atomic::compare_exchange;
  const u32 data = i.source[2].index, dwords = wide ? 2 : 1;
  require_defined(w, i, i.source[2], static_cast<int>(compares ? 2 * dwords : dwords), exec,
                  "data of an atomic");
  Row low, high;
  broadcast(low.lanes, 0);
  broadcast(high.lanes, 0);
  for (u64 rest = valid; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    if (a.at[l] % i.bytes) {
      w.worker->report(w, i, kBounds, l, nullptr,
                       "an atomic at an address that is not a multiple of %u", i.bytes);
      continue;
    }
    const Allocation* allocation = allocation_of(w, i, a.at[l], i.bytes);
    if (allocation->written && !global_written(*allocation, a.at[l], i.bytes)) {
      w.worker->report(w, i, kUninitialised, l, nullptr,
                       "an atomic on memory that nothing wrote, byte %llu of {buffer %u}",
                       static_cast<unsigned long long>(a.at[l] - allocation->begin),
                       allocation->id);
      mark_global(*allocation, a.at[l], i.bytes);
    }
    order_atomic(w, a.at[l]);
    const u64 compare = compares ? wide_lane(w, data + dwords, l, wide) : 0;
    const u64 old = apply_atomic_at(reinterpret_cast<u8*>(a.at[l]), operation, i.bytes,
                                    wide_lane(w, data, l, wide), compare);
    if (i.returns) see_atomic(w, a.at[l]);
    low.lanes[l] = static_cast<u32>(old);
    high.lanes[l] = static_cast<u32>(old >> 32);
  }
  if (!i.returns) return;
  for (u32 part = 0; part < dwords; ++part) {
    merge_row(w, w.vector[i.destination.index + part], (part ? high : low).lanes, exec);
    set_defined(w, i, i.destination.index + part, exec, kAllLanes);
  }
}

}  // namespace lumc::emulator
