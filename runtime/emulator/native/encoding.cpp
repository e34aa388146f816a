#include "encoding.hpp"

namespace lumc::emulator {

namespace {

constexpr u32 kLiteral = 255, kSdwa = 249, kDpp = 250;

Encoding plain(u32 size) { return {size, false}; }
Encoding with_literal(bool literal, u32 size = 4) { return {size + (literal ? 4 : 0), literal}; }

// Formats of the "CDNA3 Instruction Set Architecture" manual, chapter 13 (Microcode Formats).
Encoding gfx9_encoding(u32 word) {
  const u32 src0 = word & 511, ssrc0 = word & 255, ssrc1 = word >> 8 & 255;
  if (!(word >> 31)) {
    const u32 op = word >> 25 & 63;
    if (op == 23 || op == 24 || op == 36 || op == 37) return with_literal(true);  // fmamk, fmaak
    if (src0 == kSdwa || src0 == kDpp) return plain(8);
    return with_literal(src0 == kLiteral);
  }
  if (word >> 23 == 0x17f) return plain(4);                                              // SOPP
  if (word >> 23 == 0x17e) return with_literal(ssrc0 == kLiteral || ssrc1 == kLiteral);  // SOPC
  if (word >> 23 == 0x17d) return with_literal(ssrc0 == kLiteral);                       // SOP1
  if (word >> 28 == 0xb) return with_literal((word >> 23 & 31) == 20);  // SOPK: s_setreg_imm32
  if (word >> 30 == 2) return with_literal(ssrc0 == kLiteral || ssrc1 == kLiteral);  // SOP2
  if (word >> 26 == 0x35) return plain(4);                                           // VINTRP
  const bool scaled_matrix = word >> 23 == 0x1a7 && (word >> 16 & 127) == 0x2c;
  return plain(scaled_matrix ? 16 : 8);
}

// "RDNA3 Instruction Set Architecture" manual, chapter 15.
Encoding gfx11_encoding(u32 word, u32 second) {
  const u32 src0 = word & 511, ssrc0 = word & 255, ssrc1 = word >> 8 & 255;
  if (!(word >> 31)) {
    const u32 op = word >> 25 & 63;
    if (op == 44 || op == 45 || op == 55 || op == 56) return with_literal(true);  // fmamk, fmaak
    if (src0 == 233 || src0 == 234 || src0 == kDpp) return plain(8);
    return with_literal(src0 == kLiteral);
  }
  if (word >> 23 == 0x17f) return plain(4);
  if (word >> 23 == 0x17e) return with_literal(ssrc0 == kLiteral || ssrc1 == kLiteral);
  if (word >> 23 == 0x17d) return with_literal(ssrc0 == kLiteral);
  if (word >> 28 == 0xb) return with_literal((word >> 23 & 31) == 19);
  if (word >> 30 == 2) return with_literal(ssrc0 == kLiteral || ssrc1 == kLiteral);
  const u32 format = word >> 26;
  if (format == 0x32) {  // VOPD: two operations; either may own the literal
    const u32 op_y = word >> 17 & 31, op_x = word >> 22 & 15;
    const auto inline_literal = [](u32 op) { return op == 1 || op == 2; };
    return with_literal(src0 == kLiteral || (second & 511) == kLiteral || inline_literal(op_x) ||
                            inline_literal(op_y),
                        8);
  }
  if (format == 0x35 || format == 0x33) {  // VOP3, VOP3P
    const u32 a = second & 511, b = second >> 9 & 511, c = second >> 18 & 511;
    if (a == 233 || a == 234 || a == kDpp) return plain(12);
    return with_literal(a == kLiteral || b == kLiteral || c == kLiteral, 8);
  }
  return plain(8);
}

}  // namespace

Encoding encoding_at(const u8* code, u64 available, Architecture architecture) {
  if (available < 4) return {0, false};
  const u32 word = read_as<u32>(code);
  const u32 second = available >= 8 ? read_as<u32>(code + 4) : 0;
  const Encoding encoding =
      architecture == Architecture::gfx1100 ? gfx11_encoding(word, second) : gfx9_encoding(word);
  return encoding.size <= available ? encoding : Encoding{0, false};
}

}  // namespace lumc::emulator
