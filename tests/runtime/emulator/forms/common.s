; Instruction forms under test, one instruction a line. What gfx90a, gfx942 and gfx950 all have.

; Moves and bits
  v_mov_b32_e32 v0, v1
  v_mov_b32_e64 v0, v1
  v_mov_b32_e32 v0, s0
  v_mov_b32_e32 v0, -7
  v_mov_b32_e32 v0, 23
  v_mov_b32_e32 v0, 0x41234567
  v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
  v_mov_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_accvgpr_read_b32 v0, a1
  v_accvgpr_write_b32 a0, v1
  v_accvgpr_write_b32 a0, 0
  v_accvgpr_write_b32 a0, s0
  v_accvgpr_mov_b32 a0, a1
  v_not_b32_e32 v0, v1
  v_not_b32_e64 v0, v1
  v_not_b32_e32 v0, s0
  v_not_b32_e32 v0, -7
  v_not_b32_e32 v0, 23
  v_not_b32_e32 v0, 0x41234567
  v_not_b32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_not_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:WORD_1
  v_not_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_bfrev_b32_e32 v0, v1
  v_bfrev_b32_e64 v0, v1
  v_bfrev_b32_e32 v0, s0
  v_bfrev_b32_e32 v0, -7
  v_bfrev_b32_e32 v0, 23
  v_bfrev_b32_e32 v0, 0x41234567
  v_bfrev_b32_dpp v0, v1 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_bfrev_b32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_bfrev_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_and_b32_e32 v0, v1, v2
  v_and_b32_e64 v0, v1, v2
  v_and_b32_e32 v0, s0, v1
  v_and_b32_e32 v0, -7, v1
  v_and_b32_e32 v0, 23, v1
  v_and_b32_e32 v0, 0x41234567, v1
  v_and_b32_e64 v0, v1, s0
  v_and_b32_e64 v0, v1, 64
  v_and_b32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_and_b32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_and_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_or_b32_e32 v0, v1, v2
  v_or_b32_e64 v0, v1, v2
  v_or_b32_e32 v0, s0, v1
  v_or_b32_e32 v0, -7, v1
  v_or_b32_e32 v0, 23, v1
  v_or_b32_e32 v0, 0x41234567, v1
  v_or_b32_e64 v0, v1, s0
  v_or_b32_e64 v0, v1, 64
  v_or_b32_dpp v0, v1, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_or_b32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_or_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_xor_b32_e32 v0, v1, v2
  v_xor_b32_e64 v0, v1, v2
  v_xor_b32_e32 v0, s0, v1
  v_xor_b32_e32 v0, -7, v1
  v_xor_b32_e32 v0, 23, v1
  v_xor_b32_e32 v0, 0x41234567, v1
  v_xor_b32_e64 v0, v1, s0
  v_xor_b32_e64 v0, v1, 64
  v_xor_b32_dpp v0, v1, v2 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_xor_b32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_xor_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_xnor_b32_e32 v0, v1, v2
  v_xnor_b32_e64 v0, v1, v2
  v_xnor_b32_e32 v0, s0, v1
  v_xnor_b32_e32 v0, -7, v1
  v_xnor_b32_e32 v0, 23, v1
  v_xnor_b32_e32 v0, 0x41234567, v1
  v_xnor_b32_e64 v0, v1, s0
  v_xnor_b32_e64 v0, v1, 64
  v_xnor_b32_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_xnor_b32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
  v_xnor_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_bfi_b32 v0, v1, v2, v3
  v_bfi_b32 v0, s0, v1, v2
  v_bfi_b32 v0, -7, v1, v2
  v_bfi_b32 v0, 23, v1, v2
  v_bfi_b32 v0, v1, s0, v2
  v_bfi_b32 v0, v1, 64, v2
  v_bfi_b32 v0, v1, v2, s0
  v_bfi_b32 v0, v1, v2, -16
  v_bfi_b32 v0, s0, 3, v1
  v_and_or_b32 v0, v1, v2, v3
  v_and_or_b32 v0, s0, v1, v2
  v_and_or_b32 v0, -7, v1, v2
  v_and_or_b32 v0, 23, v1, v2
  v_and_or_b32 v0, v1, s0, v2
  v_and_or_b32 v0, v1, 64, v2
  v_and_or_b32 v0, v1, v2, s0
  v_and_or_b32 v0, v1, v2, -16
  v_and_or_b32 v0, s0, 3, v1
  v_or3_b32 v0, v1, v2, v3
  v_or3_b32 v0, s0, v1, v2
  v_or3_b32 v0, -7, v1, v2
  v_or3_b32 v0, 23, v1, v2
  v_or3_b32 v0, v1, s0, v2
  v_or3_b32 v0, v1, 64, v2
  v_or3_b32 v0, v1, v2, s0
  v_or3_b32 v0, v1, v2, -16
  v_or3_b32 v0, s0, 3, v1
  v_perm_b32 v0, v1, v2, v3
  v_perm_b32 v0, s0, v1, v2
  v_perm_b32 v0, -7, v1, v2
  v_perm_b32 v0, 23, v1, v2
  v_perm_b32 v0, v1, s0, v2
  v_perm_b32 v0, v1, 64, v2
  v_perm_b32 v0, v1, v2, s0
  v_perm_b32 v0, v1, v2, -16
  v_perm_b32 v0, s0, 3, v1
  v_alignbit_b32 v0, v1, v2, v3
  v_alignbit_b32 v0, s0, v1, v2
  v_alignbit_b32 v0, -7, v1, v2
  v_alignbit_b32 v0, 23, v1, v2
  v_alignbit_b32 v0, v1, s0, v2
  v_alignbit_b32 v0, v1, 64, v2
  v_alignbit_b32 v0, v1, v2, s0
  v_alignbit_b32 v0, v1, v2, -16
  v_alignbit_b32 v0, s0, 3, v1
  v_alignbyte_b32 v0, v1, v2, v3
  v_alignbyte_b32 v0, s0, v1, v2
  v_alignbyte_b32 v0, -7, v1, v2
  v_alignbyte_b32 v0, 23, v1, v2
  v_alignbyte_b32 v0, v1, s0, v2
  v_alignbyte_b32 v0, v1, 64, v2
  v_alignbyte_b32 v0, v1, v2, s0
  v_alignbyte_b32 v0, v1, v2, -16
  v_alignbyte_b32 v0, s0, 3, v1
  v_pack_b32_f16 v0, v1, v2
  v_pack_b32_f16 v0, s0, v1
  v_pack_b32_f16 v0, 0.5, v1
  v_pack_b32_f16 v0, 23, v1
  v_pack_b32_f16 v0, v1, s0
  v_pack_b32_f16 v0, v1, -4.0
  v_pack_b32_f16 v0, -v1, |v2|
  v_pack_b32_f16 v0, -|v1|, v2

; Integers
  v_add_u32_e32 v0, v1, v2
  v_add_u32_e64 v0, v1, v2
  v_add_u32_e32 v0, s0, v1
  v_add_u32_e32 v0, -7, v1
  v_add_u32_e32 v0, 23, v1
  v_add_u32_e32 v0, 0x41234567, v1
  v_add_u32_e64 v0, v1, s0
  v_add_u32_e64 v0, v1, 64
  v_add_u32_e64 v0, v1, v2 clamp
  v_add_u32_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_add_u32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_sub_u32_e32 v0, v1, v2
  v_sub_u32_e64 v0, v1, v2
  v_sub_u32_e32 v0, s0, v1
  v_sub_u32_e32 v0, -7, v1
  v_sub_u32_e32 v0, 23, v1
  v_sub_u32_e32 v0, 0x41234567, v1
  v_sub_u32_e64 v0, v1, s0
  v_sub_u32_e64 v0, v1, 64
  v_sub_u32_e64 v0, v1, v2 clamp
  v_sub_u32_dpp v0, v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_sub_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_sub_u32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_subrev_u32_e32 v0, v1, v2
  v_subrev_u32_e64 v0, v1, v2
  v_subrev_u32_e32 v0, s0, v1
  v_subrev_u32_e32 v0, -7, v1
  v_subrev_u32_e32 v0, 23, v1
  v_subrev_u32_e32 v0, 0x41234567, v1
  v_subrev_u32_e64 v0, v1, s0
  v_subrev_u32_e64 v0, v1, 64
  v_subrev_u32_e64 v0, v1, v2 clamp
  v_subrev_u32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_subrev_u32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_subrev_u32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_add_i32 v0, v1, v2
  v_add_i32 v0, s0, v1
  v_add_i32 v0, -7, v1
  v_add_i32 v0, 23, v1
  v_add_i32 v0, v1, s0
  v_add_i32 v0, v1, 64
  v_add_i32 v0, v1, v2 clamp
  v_sub_i32 v0, v1, v2
  v_sub_i32 v0, s0, v1
  v_sub_i32 v0, -7, v1
  v_sub_i32 v0, 23, v1
  v_sub_i32 v0, v1, s0
  v_sub_i32 v0, v1, 64
  v_sub_i32 v0, v1, v2 clamp
  v_mul_lo_u32 v0, v1, v2
  v_mul_lo_u32 v0, s0, v1
  v_mul_lo_u32 v0, -7, v1
  v_mul_lo_u32 v0, 23, v1
  v_mul_lo_u32 v0, v1, s0
  v_mul_lo_u32 v0, v1, 64
  v_mul_hi_u32 v0, v1, v2
  v_mul_hi_u32 v0, s0, v1
  v_mul_hi_u32 v0, -7, v1
  v_mul_hi_u32 v0, 23, v1
  v_mul_hi_u32 v0, v1, s0
  v_mul_hi_u32 v0, v1, 64
  v_mul_hi_i32 v0, v1, v2
  v_mul_hi_i32 v0, s0, v1
  v_mul_hi_i32 v0, -7, v1
  v_mul_hi_i32 v0, 23, v1
  v_mul_hi_i32 v0, v1, s0
  v_mul_hi_i32 v0, v1, 64
  v_mul_u32_u24_e32 v0, v1, v2
  v_mul_u32_u24_e64 v0, v1, v2
  v_mul_u32_u24_e32 v0, s0, v1
  v_mul_u32_u24_e32 v0, -7, v1
  v_mul_u32_u24_e32 v0, 23, v1
  v_mul_u32_u24_e32 v0, 0x41234567, v1
  v_mul_u32_u24_e64 v0, v1, s0
  v_mul_u32_u24_e64 v0, v1, 64
  v_mul_u32_u24_dpp v0, v1, v2 row_shr:8 row_mask:0xf bank_mask:0xc
  v_mul_u32_u24_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_mul_u32_u24_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_mul_hi_u32_u24_e32 v0, v1, v2
  v_mul_hi_u32_u24_e64 v0, v1, v2
  v_mul_hi_u32_u24_e32 v0, s0, v1
  v_mul_hi_u32_u24_e32 v0, -7, v1
  v_mul_hi_u32_u24_e32 v0, 23, v1
  v_mul_hi_u32_u24_e32 v0, 0x41234567, v1
  v_mul_hi_u32_u24_e64 v0, v1, s0
  v_mul_hi_u32_u24_e64 v0, v1, 64
  v_mul_hi_u32_u24_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mul_hi_u32_u24_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_mul_hi_u32_u24_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_mul_i32_i24_e32 v0, v1, v2
  v_mul_i32_i24_e64 v0, v1, v2
  v_mul_i32_i24_e32 v0, s0, v1
  v_mul_i32_i24_e32 v0, -7, v1
  v_mul_i32_i24_e32 v0, 23, v1
  v_mul_i32_i24_e32 v0, 0x41234567, v1
  v_mul_i32_i24_e64 v0, v1, s0
  v_mul_i32_i24_e64 v0, v1, 64
  v_mul_i32_i24_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_i32_i24_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_mul_i32_i24_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_mul_hi_i32_i24_e32 v0, v1, v2
  v_mul_hi_i32_i24_e64 v0, v1, v2
  v_mul_hi_i32_i24_e32 v0, s0, v1
  v_mul_hi_i32_i24_e32 v0, -7, v1
  v_mul_hi_i32_i24_e32 v0, 23, v1
  v_mul_hi_i32_i24_e32 v0, 0x41234567, v1
  v_mul_hi_i32_i24_e64 v0, v1, s0
  v_mul_hi_i32_i24_e64 v0, v1, 64
  v_mul_hi_i32_i24_dpp v0, v1, v2 row_shr:3 row_mask:0xa bank_mask:0xf
  v_mul_hi_i32_i24_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
  v_mul_hi_i32_i24_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_mad_u32_u24 v0, v1, v2, v3
  v_mad_u32_u24 v0, s0, v1, v2
  v_mad_u32_u24 v0, -7, v1, v2
  v_mad_u32_u24 v0, 23, v1, v2
  v_mad_u32_u24 v0, v1, s0, v2
  v_mad_u32_u24 v0, v1, 64, v2
  v_mad_u32_u24 v0, v1, v2, s0
  v_mad_u32_u24 v0, v1, v2, -16
  v_mad_u32_u24 v0, s0, 3, v1
  v_mad_i32_i24 v0, v1, v2, v3
  v_mad_i32_i24 v0, s0, v1, v2
  v_mad_i32_i24 v0, -7, v1, v2
  v_mad_i32_i24 v0, 23, v1, v2
  v_mad_i32_i24 v0, v1, s0, v2
  v_mad_i32_i24 v0, v1, 64, v2
  v_mad_i32_i24 v0, v1, v2, s0
  v_mad_i32_i24 v0, v1, v2, -16
  v_mad_i32_i24 v0, s0, 3, v1
  v_min_u32_e32 v0, v1, v2
  v_min_u32_e64 v0, v1, v2
  v_min_u32_e32 v0, s0, v1
  v_min_u32_e32 v0, -7, v1
  v_min_u32_e32 v0, 23, v1
  v_min_u32_e32 v0, 0x41234567, v1
  v_min_u32_e64 v0, v1, s0
  v_min_u32_e64 v0, v1, 64
  v_min_u32_dpp v0, v1, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_min_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_min_u32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_max_u32_e32 v0, v1, v2
  v_max_u32_e64 v0, v1, v2
  v_max_u32_e32 v0, s0, v1
  v_max_u32_e32 v0, -7, v1
  v_max_u32_e32 v0, 23, v1
  v_max_u32_e32 v0, 0x41234567, v1
  v_max_u32_e64 v0, v1, s0
  v_max_u32_e64 v0, v1, 64
  v_max_u32_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_max_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_max_u32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_min_i32_e32 v0, v1, v2
  v_min_i32_e64 v0, v1, v2
  v_min_i32_e32 v0, s0, v1
  v_min_i32_e32 v0, -7, v1
  v_min_i32_e32 v0, 23, v1
  v_min_i32_e32 v0, 0x41234567, v1
  v_min_i32_e64 v0, v1, s0
  v_min_i32_e64 v0, v1, 64
  v_min_i32_dpp v0, v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_min_i32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_min_i32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_max_i32_e32 v0, v1, v2
  v_max_i32_e64 v0, v1, v2
  v_max_i32_e32 v0, s0, v1
  v_max_i32_e32 v0, -7, v1
  v_max_i32_e32 v0, 23, v1
  v_max_i32_e32 v0, 0x41234567, v1
  v_max_i32_e64 v0, v1, s0
  v_max_i32_e64 v0, v1, 64
  v_max_i32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_max_i32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_max_i32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_min3_u32 v0, v1, v2, v3
  v_min3_u32 v0, s0, v1, v2
  v_min3_u32 v0, -7, v1, v2
  v_min3_u32 v0, 23, v1, v2
  v_min3_u32 v0, v1, s0, v2
  v_min3_u32 v0, v1, 64, v2
  v_min3_u32 v0, v1, v2, s0
  v_min3_u32 v0, v1, v2, -16
  v_min3_u32 v0, s0, 3, v1
  v_max3_u32 v0, v1, v2, v3
  v_max3_u32 v0, s0, v1, v2
  v_max3_u32 v0, -7, v1, v2
  v_max3_u32 v0, 23, v1, v2
  v_max3_u32 v0, v1, s0, v2
  v_max3_u32 v0, v1, 64, v2
  v_max3_u32 v0, v1, v2, s0
  v_max3_u32 v0, v1, v2, -16
  v_max3_u32 v0, s0, 3, v1
  v_min3_i32 v0, v1, v2, v3
  v_min3_i32 v0, s0, v1, v2
  v_min3_i32 v0, -7, v1, v2
  v_min3_i32 v0, 23, v1, v2
  v_min3_i32 v0, v1, s0, v2
  v_min3_i32 v0, v1, 64, v2
  v_min3_i32 v0, v1, v2, s0
  v_min3_i32 v0, v1, v2, -16
  v_min3_i32 v0, s0, 3, v1
  v_max3_i32 v0, v1, v2, v3
  v_max3_i32 v0, s0, v1, v2
  v_max3_i32 v0, -7, v1, v2
  v_max3_i32 v0, 23, v1, v2
  v_max3_i32 v0, v1, s0, v2
  v_max3_i32 v0, v1, 64, v2
  v_max3_i32 v0, v1, v2, s0
  v_max3_i32 v0, v1, v2, -16
  v_max3_i32 v0, s0, 3, v1
  v_med3_u32 v0, v1, v2, v3
  v_med3_u32 v0, s0, v1, v2
  v_med3_u32 v0, -7, v1, v2
  v_med3_u32 v0, 23, v1, v2
  v_med3_u32 v0, v1, s0, v2
  v_med3_u32 v0, v1, 64, v2
  v_med3_u32 v0, v1, v2, s0
  v_med3_u32 v0, v1, v2, -16
  v_med3_u32 v0, s0, 3, v1
  v_med3_i32 v0, v1, v2, v3
  v_med3_i32 v0, s0, v1, v2
  v_med3_i32 v0, -7, v1, v2
  v_med3_i32 v0, 23, v1, v2
  v_med3_i32 v0, v1, s0, v2
  v_med3_i32 v0, v1, 64, v2
  v_med3_i32 v0, v1, v2, s0
  v_med3_i32 v0, v1, v2, -16
  v_med3_i32 v0, s0, 3, v1
  v_add3_u32 v0, v1, v2, v3
  v_add3_u32 v0, s0, v1, v2
  v_add3_u32 v0, -7, v1, v2
  v_add3_u32 v0, 23, v1, v2
  v_add3_u32 v0, v1, s0, v2
  v_add3_u32 v0, v1, 64, v2
  v_add3_u32 v0, v1, v2, s0
  v_add3_u32 v0, v1, v2, -16
  v_add3_u32 v0, s0, 3, v1
  v_xad_u32 v0, v1, v2, v3
  v_xad_u32 v0, s0, v1, v2
  v_xad_u32 v0, -7, v1, v2
  v_xad_u32 v0, 23, v1, v2
  v_xad_u32 v0, v1, s0, v2
  v_xad_u32 v0, v1, 64, v2
  v_xad_u32 v0, v1, v2, s0
  v_xad_u32 v0, v1, v2, -16
  v_xad_u32 v0, s0, 3, v1
  v_lshl_add_u32 v0, v1, v2, v3
  v_lshl_add_u32 v0, s0, v1, v2
  v_lshl_add_u32 v0, -7, v1, v2
  v_lshl_add_u32 v0, 23, v1, v2
  v_lshl_add_u32 v0, v1, s0, v2
  v_lshl_add_u32 v0, v1, 64, v2
  v_lshl_add_u32 v0, v1, v2, s0
  v_lshl_add_u32 v0, v1, v2, -16
  v_lshl_add_u32 v0, s0, 3, v1
  v_add_lshl_u32 v0, v1, v2, v3
  v_add_lshl_u32 v0, s0, v1, v2
  v_add_lshl_u32 v0, -7, v1, v2
  v_add_lshl_u32 v0, 23, v1, v2
  v_add_lshl_u32 v0, v1, s0, v2
  v_add_lshl_u32 v0, v1, 64, v2
  v_add_lshl_u32 v0, v1, v2, s0
  v_add_lshl_u32 v0, v1, v2, -16
  v_add_lshl_u32 v0, s0, 3, v1
  v_lshl_or_b32 v0, v1, v2, v3
  v_lshl_or_b32 v0, s0, v1, v2
  v_lshl_or_b32 v0, -7, v1, v2
  v_lshl_or_b32 v0, 23, v1, v2
  v_lshl_or_b32 v0, v1, s0, v2
  v_lshl_or_b32 v0, v1, 64, v2
  v_lshl_or_b32 v0, v1, v2, s0
  v_lshl_or_b32 v0, v1, v2, -16
  v_lshl_or_b32 v0, s0, 3, v1
  v_lshlrev_b32_e32 v0, v1, v2
  v_lshlrev_b32_e64 v0, v1, v2
  v_lshlrev_b32_e32 v0, s0, v1
  v_lshlrev_b32_e32 v0, -7, v1
  v_lshlrev_b32_e32 v0, 23, v1
  v_lshlrev_b32_e32 v0, 0x41234567, v1
  v_lshlrev_b32_e64 v0, v1, s0
  v_lshlrev_b32_e64 v0, v1, 64
  v_lshlrev_b32_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_lshlrev_b32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_lshlrev_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_lshrrev_b32_e32 v0, v1, v2
  v_lshrrev_b32_e64 v0, v1, v2
  v_lshrrev_b32_e32 v0, s0, v1
  v_lshrrev_b32_e32 v0, -7, v1
  v_lshrrev_b32_e32 v0, 23, v1
  v_lshrrev_b32_e32 v0, 0x41234567, v1
  v_lshrrev_b32_e64 v0, v1, s0
  v_lshrrev_b32_e64 v0, v1, 64
  v_lshrrev_b32_dpp v0, v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_lshrrev_b32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_lshrrev_b32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_ashrrev_i32_e32 v0, v1, v2
  v_ashrrev_i32_e64 v0, v1, v2
  v_ashrrev_i32_e32 v0, s0, v1
  v_ashrrev_i32_e32 v0, -7, v1
  v_ashrrev_i32_e32 v0, 23, v1
  v_ashrrev_i32_e32 v0, 0x41234567, v1
  v_ashrrev_i32_e64 v0, v1, s0
  v_ashrrev_i32_e64 v0, v1, 64
  v_ashrrev_i32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_ashrrev_i32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
  v_ashrrev_i32_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_lshlrev_b64 v[0:1], v2, v[4:5]
  v_lshlrev_b64 v[0:1], s0, v[2:3]
  v_lshlrev_b64 v[0:1], -7, v[2:3]
  v_lshlrev_b64 v[0:1], 23, v[2:3]
  v_lshlrev_b64 v[0:1], v2, s[0:1]
  v_lshlrev_b64 v[0:1], v2, 64
  v_lshrrev_b64 v[0:1], v2, v[4:5]
  v_lshrrev_b64 v[0:1], s0, v[2:3]
  v_lshrrev_b64 v[0:1], -7, v[2:3]
  v_lshrrev_b64 v[0:1], 23, v[2:3]
  v_lshrrev_b64 v[0:1], v2, s[0:1]
  v_lshrrev_b64 v[0:1], v2, 64
  v_ashrrev_i64 v[0:1], v2, v[4:5]
  v_ashrrev_i64 v[0:1], s0, v[2:3]
  v_ashrrev_i64 v[0:1], -7, v[2:3]
  v_ashrrev_i64 v[0:1], 23, v[2:3]
  v_ashrrev_i64 v[0:1], v2, s[0:1]
  v_ashrrev_i64 v[0:1], v2, 64
  v_bfe_u32 v0, v1, v2, v3
  v_bfe_u32 v0, s0, v1, v2
  v_bfe_u32 v0, -7, v1, v2
  v_bfe_u32 v0, 23, v1, v2
  v_bfe_u32 v0, v1, s0, v2
  v_bfe_u32 v0, v1, 64, v2
  v_bfe_u32 v0, v1, v2, s0
  v_bfe_u32 v0, v1, v2, -16
  v_bfe_u32 v0, s0, 3, v1
  v_bfe_i32 v0, v1, v2, v3
  v_bfe_i32 v0, s0, v1, v2
  v_bfe_i32 v0, -7, v1, v2
  v_bfe_i32 v0, 23, v1, v2
  v_bfe_i32 v0, v1, s0, v2
  v_bfe_i32 v0, v1, 64, v2
  v_bfe_i32 v0, v1, v2, s0
  v_bfe_i32 v0, v1, v2, -16
  v_bfe_i32 v0, s0, 3, v1
  v_bfm_b32 v0, v1, v2
  v_bfm_b32 v0, s0, v1
  v_bfm_b32 v0, -7, v1
  v_bfm_b32 v0, 23, v1
  v_bfm_b32 v0, v1, s0
  v_bfm_b32 v0, v1, 64
  v_bcnt_u32_b32 v0, v1, v2
  v_bcnt_u32_b32 v0, s0, v1
  v_bcnt_u32_b32 v0, -7, v1
  v_bcnt_u32_b32 v0, 23, v1
  v_bcnt_u32_b32 v0, v1, s0
  v_bcnt_u32_b32 v0, v1, 64
  v_mbcnt_lo_u32_b32 v0, v1, v2
  v_mbcnt_lo_u32_b32 v0, s0, v1
  v_mbcnt_lo_u32_b32 v0, -7, v1
  v_mbcnt_lo_u32_b32 v0, 23, v1
  v_mbcnt_lo_u32_b32 v0, v1, s0
  v_mbcnt_lo_u32_b32 v0, v1, 64
  v_mbcnt_hi_u32_b32 v0, v1, v2
  v_mbcnt_hi_u32_b32 v0, s0, v1
  v_mbcnt_hi_u32_b32 v0, -7, v1
  v_mbcnt_hi_u32_b32 v0, 23, v1
  v_mbcnt_hi_u32_b32 v0, v1, s0
  v_mbcnt_hi_u32_b32 v0, v1, 64
  v_ffbh_u32_e32 v0, v1
  v_ffbh_u32_e64 v0, v1
  v_ffbh_u32_e32 v0, s0
  v_ffbh_u32_e32 v0, -7
  v_ffbh_u32_e32 v0, 23
  v_ffbh_u32_e32 v0, 0x41234567
  v_ffbh_u32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_ffbh_u32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_ffbh_u32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_ffbh_i32_e32 v0, v1
  v_ffbh_i32_e64 v0, v1
  v_ffbh_i32_e32 v0, s0
  v_ffbh_i32_e32 v0, -7
  v_ffbh_i32_e32 v0, 23
  v_ffbh_i32_e32 v0, 0x41234567
  v_ffbh_i32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_ffbh_i32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
  v_ffbh_i32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_ffbl_b32_e32 v0, v1
  v_ffbl_b32_e64 v0, v1
  v_ffbl_b32_e32 v0, s0
  v_ffbl_b32_e32 v0, -7
  v_ffbl_b32_e32 v0, 23
  v_ffbl_b32_e32 v0, 0x41234567
  v_ffbl_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ffbl_b32_sdwa v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_ffbl_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_sad_u32 v0, v1, v2, v3
  v_sad_u32 v0, s0, v1, v2
  v_sad_u32 v0, -7, v1, v2
  v_sad_u32 v0, 23, v1, v2
  v_sad_u32 v0, v1, s0, v2
  v_sad_u32 v0, v1, 64, v2
  v_sad_u32 v0, v1, v2, s0
  v_sad_u32 v0, v1, v2, -16
  v_sad_u32 v0, s0, 3, v1
  v_dot4_i32_i8 v0, v1, v2, v3
  v_dot4_i32_i8 v0, s0, v1, v2
  v_dot4_i32_i8 v0, -7, v1, v2
  v_dot4_i32_i8 v0, 23, v1, v2
  v_dot4_i32_i8 v0, v1, s0, v2
  v_dot4_i32_i8 v0, v1, 64, v2
  v_dot4_i32_i8 v0, v1, v2, s0
  v_dot4_i32_i8 v0, v1, v2, -16
  v_dot4_i32_i8 v0, s0, 3, v1
  v_dot4_u32_u8 v0, v1, v2, v3
  v_dot4_u32_u8 v0, s0, v1, v2
  v_dot4_u32_u8 v0, -7, v1, v2
  v_dot4_u32_u8 v0, 23, v1, v2
  v_dot4_u32_u8 v0, v1, s0, v2
  v_dot4_u32_u8 v0, v1, 64, v2
  v_dot4_u32_u8 v0, v1, v2, s0
  v_dot4_u32_u8 v0, v1, v2, -16
  v_dot4_u32_u8 v0, s0, 3, v1
  v_dot4c_i32_i8_e32 v0, v1, v2
  v_dot4c_i32_i8_e64 v0, v1, v2
  v_dot4c_i32_i8_e32 v0, s0, v1
  v_dot4c_i32_i8_e32 v0, -7, v1
  v_dot4c_i32_i8_e32 v0, 23, v1
  v_dot4c_i32_i8_e32 v0, 0x41234567, v1
  v_dot4c_i32_i8_e64 v0, v1, s0
  v_dot4c_i32_i8_e64 v0, v1, 64
  v_dot4c_i32_i8_dpp v0, v1, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_cvt_pk_u16_u32 v0, v1, v2
  v_cvt_pk_u16_u32 v0, s0, v1
  v_cvt_pk_u16_u32 v0, -7, v1
  v_cvt_pk_u16_u32 v0, 23, v1
  v_cvt_pk_u16_u32 v0, v1, s0
  v_cvt_pk_u16_u32 v0, v1, 64
  v_cvt_pk_i16_i32 v0, v1, v2
  v_cvt_pk_i16_i32 v0, s0, v1
  v_cvt_pk_i16_i32 v0, -7, v1
  v_cvt_pk_i16_i32 v0, 23, v1
  v_cvt_pk_i16_i32 v0, v1, s0
  v_cvt_pk_i16_i32 v0, v1, 64

; 16-bit integers
  v_add_u16_e32 v0, v1, v2
  v_add_u16_e64 v0, v1, v2
  v_add_u16_e32 v0, s0, v1
  v_add_u16_e32 v0, -7, v1
  v_add_u16_e32 v0, 23, v1
  v_add_u16_e64 v0, v1, s0
  v_add_u16_e64 v0, v1, 64
  v_add_u16_dpp v0, v1, v2 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_add_u16_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_sub_u16_e32 v0, v1, v2
  v_sub_u16_e64 v0, v1, v2
  v_sub_u16_e32 v0, s0, v1
  v_sub_u16_e32 v0, -7, v1
  v_sub_u16_e32 v0, 23, v1
  v_sub_u16_e64 v0, v1, s0
  v_sub_u16_e64 v0, v1, 64
  v_sub_u16_dpp v0, v1, v2 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_sub_u16_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_sub_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_subrev_u16_e32 v0, v1, v2
  v_subrev_u16_e64 v0, v1, v2
  v_subrev_u16_e32 v0, s0, v1
  v_subrev_u16_e32 v0, -7, v1
  v_subrev_u16_e32 v0, 23, v1
  v_subrev_u16_e64 v0, v1, s0
  v_subrev_u16_e64 v0, v1, 64
  v_subrev_u16_dpp v0, v1, v2 row_shr:8 row_mask:0xf bank_mask:0xc
  v_subrev_u16_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
  v_subrev_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_mul_lo_u16_e32 v0, v1, v2
  v_mul_lo_u16_e64 v0, v1, v2
  v_mul_lo_u16_e32 v0, s0, v1
  v_mul_lo_u16_e32 v0, -7, v1
  v_mul_lo_u16_e32 v0, 23, v1
  v_mul_lo_u16_e64 v0, v1, s0
  v_mul_lo_u16_e64 v0, v1, 64
  v_mul_lo_u16_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mul_lo_u16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:BYTE_2
  v_mul_lo_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_lshlrev_b16_e32 v0, v1, v2
  v_lshlrev_b16_e64 v0, v1, v2
  v_lshlrev_b16_e32 v0, s0, v1
  v_lshlrev_b16_e32 v0, -7, v1
  v_lshlrev_b16_e32 v0, 23, v1
  v_lshlrev_b16_e64 v0, v1, s0
  v_lshlrev_b16_e64 v0, v1, 64
  v_lshlrev_b16_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_lshlrev_b16_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:WORD_1 src1_sel:WORD_1
  v_lshlrev_b16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_lshrrev_b16_e32 v0, v1, v2
  v_lshrrev_b16_e64 v0, v1, v2
  v_lshrrev_b16_e32 v0, s0, v1
  v_lshrrev_b16_e32 v0, -7, v1
  v_lshrrev_b16_e32 v0, 23, v1
  v_lshrrev_b16_e64 v0, v1, s0
  v_lshrrev_b16_e64 v0, v1, 64
  v_lshrrev_b16_dpp v0, v1, v2 row_shr:3 row_mask:0xa bank_mask:0xf
  v_lshrrev_b16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_lshrrev_b16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_ashrrev_i16_e32 v0, v1, v2
  v_ashrrev_i16_e64 v0, v1, v2
  v_ashrrev_i16_e32 v0, s0, v1
  v_ashrrev_i16_e32 v0, -7, v1
  v_ashrrev_i16_e32 v0, 23, v1
  v_ashrrev_i16_e64 v0, v1, s0
  v_ashrrev_i16_e64 v0, v1, 64
  v_ashrrev_i16_dpp v0, v1, v2 row_ror:5 row_mask:0xf bank_mask:0x5
  v_ashrrev_i16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_ashrrev_i16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_min_u16_e32 v0, v1, v2
  v_min_u16_e64 v0, v1, v2
  v_min_u16_e32 v0, s0, v1
  v_min_u16_e32 v0, -7, v1
  v_min_u16_e32 v0, 23, v1
  v_min_u16_e64 v0, v1, s0
  v_min_u16_e64 v0, v1, 64
  v_min_u16_dpp v0, v1, v2 row_mirror row_mask:0xf bank_mask:0xf
  v_min_u16_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_min_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_max_u16_e32 v0, v1, v2
  v_max_u16_e64 v0, v1, v2
  v_max_u16_e32 v0, s0, v1
  v_max_u16_e32 v0, -7, v1
  v_max_u16_e32 v0, 23, v1
  v_max_u16_e64 v0, v1, s0
  v_max_u16_e64 v0, v1, 64
  v_max_u16_dpp v0, v1, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_u16_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_3
  v_max_u16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_min_i16_e32 v0, v1, v2
  v_min_i16_e64 v0, v1, v2
  v_min_i16_e32 v0, s0, v1
  v_min_i16_e32 v0, -7, v1
  v_min_i16_e32 v0, 23, v1
  v_min_i16_e64 v0, v1, s0
  v_min_i16_e64 v0, v1, 64
  v_min_i16_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_min_i16_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
  v_min_i16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_max_i16_e32 v0, v1, v2
  v_max_i16_e64 v0, v1, v2
  v_max_i16_e32 v0, s0, v1
  v_max_i16_e32 v0, -7, v1
  v_max_i16_e32 v0, 23, v1
  v_max_i16_e64 v0, v1, s0
  v_max_i16_e64 v0, v1, 64
  v_max_i16_dpp v0, v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_max_i16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:BYTE_2
  v_max_i16_sdwa v0, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_mad_u16 v0, v1, v2, v3
  v_mad_u16 v0, s0, v1, v2
  v_mad_u16 v0, -7, v1, v2
  v_mad_u16 v0, 23, v1, v2
  v_mad_u16 v0, v1, s0, v2
  v_mad_u16 v0, v1, 64, v2
  v_mad_u16 v0, v1, v2, s0
  v_mad_u16 v0, v1, v2, -16
  v_mad_u16 v0, s0, 3, v1
  v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_mad_legacy_u16 v0, v1, v2, v3
  v_mad_legacy_u16 v0, s0, v1, v2
  v_mad_legacy_u16 v0, -7, v1, v2
  v_mad_legacy_u16 v0, 23, v1, v2
  v_mad_legacy_u16 v0, v1, s0, v2
  v_mad_legacy_u16 v0, v1, 64, v2
  v_mad_legacy_u16 v0, v1, v2, s0
  v_mad_legacy_u16 v0, v1, v2, -16
  v_mad_legacy_u16 v0, s0, 3, v1
  v_med3_i16 v0, v1, v2, v3
  v_med3_i16 v0, s0, v1, v2
  v_med3_i16 v0, -7, v1, v2
  v_med3_i16 v0, 23, v1, v2
  v_med3_i16 v0, v1, s0, v2
  v_med3_i16 v0, v1, 64, v2
  v_med3_i16 v0, v1, v2, s0
  v_med3_i16 v0, v1, v2, -16
  v_med3_i16 v0, s0, 3, v1
  v_med3_i16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_med3_i16 v0, v1, v2, v3 op_sel:[0,0,0,1]

; Floating point
  v_add_f32_e32 v0, v1, v2
  v_add_f32_e64 v0, v1, v2
  v_add_f32_e32 v0, s0, v1
  v_add_f32_e32 v0, 0.5, v1
  v_add_f32_e32 v0, 23, v1
  v_add_f32_e32 v0, 0x41234567, v1
  v_add_f32_e64 v0, v1, s0
  v_add_f32_e64 v0, v1, -4.0
  v_add_f32_e64 v0, -v1, |v2|
  v_add_f32_e64 v0, -|v1|, v2
  v_add_f32_e64 v0, v1, v2 clamp
  v_add_f32_e64 v0, s0, -v1 clamp
  v_add_f32_e64 v0, v1, v2 mul:2
  v_add_f32_e64 v0, v1, v2 clamp div:2
  v_add_f32_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_mul_f32_e32 v0, v1, v2
  v_mul_f32_e64 v0, v1, v2
  v_mul_f32_e32 v0, s0, v1
  v_mul_f32_e32 v0, 0.5, v1
  v_mul_f32_e32 v0, 23, v1
  v_mul_f32_e32 v0, 0x41234567, v1
  v_mul_f32_e64 v0, v1, s0
  v_mul_f32_e64 v0, v1, -4.0
  v_mul_f32_e64 v0, -v1, |v2|
  v_mul_f32_e64 v0, -|v1|, v2
  v_mul_f32_e64 v0, v1, v2 clamp
  v_mul_f32_e64 v0, s0, -v1 clamp
  v_mul_f32_e64 v0, v1, v2 mul:2
  v_mul_f32_e64 v0, v1, v2 clamp div:2
  v_mul_f32_dpp v0, v1, v2 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_mul_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_3
  v_mul_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_min_f32_e32 v0, v1, v2
  v_min_f32_e64 v0, v1, v2
  v_min_f32_e32 v0, s0, v1
  v_min_f32_e32 v0, 0.5, v1
  v_min_f32_e32 v0, 23, v1
  v_min_f32_e32 v0, 0x41234567, v1
  v_min_f32_e64 v0, v1, s0
  v_min_f32_e64 v0, v1, -4.0
  v_min_f32_e64 v0, -v1, |v2|
  v_min_f32_e64 v0, -|v1|, v2
  v_min_f32_e64 v0, v1, v2 clamp
  v_min_f32_e64 v0, s0, -v1 clamp
  v_min_f32_dpp v0, v1, v2 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_min_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
  v_min_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_max_f32_e32 v0, v1, v2
  v_max_f32_e64 v0, v1, v2
  v_max_f32_e32 v0, s0, v1
  v_max_f32_e32 v0, 0.5, v1
  v_max_f32_e32 v0, 23, v1
  v_max_f32_e32 v0, 0x41234567, v1
  v_max_f32_e64 v0, v1, s0
  v_max_f32_e64 v0, v1, -4.0
  v_max_f32_e64 v0, -v1, |v2|
  v_max_f32_e64 v0, -|v1|, v2
  v_max_f32_e64 v0, v1, v2 clamp
  v_max_f32_e64 v0, s0, -v1 clamp
  v_max_f32_dpp v0, v1, v2 row_shr:8 row_mask:0xf bank_mask:0xc
  v_max_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:BYTE_2
  v_max_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_fma_f32 v0, v1, v2, v3
  v_fma_f32 v0, s0, v1, v2
  v_fma_f32 v0, 0.5, v1, v2
  v_fma_f32 v0, 23, v1, v2
  v_fma_f32 v0, v1, s0, v2
  v_fma_f32 v0, v1, -4.0, v2
  v_fma_f32 v0, v1, v2, s0
  v_fma_f32 v0, v1, v2, 1.0
  v_fma_f32 v0, s0, 3, v1
  v_fma_f32 v0, -v1, v2, |v3|
  v_fma_f32 v0, -|v1|, v2, v3
  v_fma_f32 v0, v1, v2, v3 clamp
  v_fma_f32 v0, s0, v1, -v2 clamp
  v_fma_f32 v0, v1, v2, v3 mul:2
  v_fma_f32 v0, v1, v2, v3 clamp div:2
  v_fmac_f32_e32 v0, v1, v2
  v_fmac_f32_e64 v0, v1, v2
  v_fmac_f32_e32 v0, s0, v1
  v_fmac_f32_e32 v0, 0.5, v1
  v_fmac_f32_e32 v0, 23, v1
  v_fmac_f32_e32 v0, 0x41234567, v1
  v_fmac_f32_e64 v0, v1, s0
  v_fmac_f32_e64 v0, v1, -4.0
  v_fmac_f32_e64 v0, -v1, |v2|
  v_fmac_f32_e64 v0, -|v1|, v2
  v_fmac_f32_e64 v0, v1, v2 clamp
  v_fmac_f32_e64 v0, s0, -v1 clamp
  v_fmac_f32_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ldexp_f32 v0, v1, v2
  v_ldexp_f32 v0, s0, v1
  v_ldexp_f32 v0, 0.5, v1
  v_ldexp_f32 v0, 23, v1
  v_ldexp_f32 v0, v1, s0
  v_ldexp_f32 v0, v1, 5
  v_floor_f32_e32 v0, v1
  v_floor_f32_e64 v0, v1
  v_floor_f32_e32 v0, s0
  v_floor_f32_e32 v0, 0.5
  v_floor_f32_e32 v0, 23
  v_floor_f32_e32 v0, 0x41234567
  v_floor_f32_e64 v0, |v1|
  v_floor_f32_e64 v0, -|v1|
  v_floor_f32_e64 v0, v1 clamp
  v_floor_f32_e64 v0, -s0 clamp
  v_floor_f32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_floor_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_floor_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_ceil_f32_e32 v0, v1
  v_ceil_f32_e64 v0, v1
  v_ceil_f32_e32 v0, s0
  v_ceil_f32_e32 v0, 0.5
  v_ceil_f32_e32 v0, 23
  v_ceil_f32_e32 v0, 0x41234567
  v_ceil_f32_e64 v0, |v1|
  v_ceil_f32_e64 v0, -|v1|
  v_ceil_f32_e64 v0, v1 clamp
  v_ceil_f32_e64 v0, -s0 clamp
  v_ceil_f32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_ceil_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_ceil_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_trunc_f32_e32 v0, v1
  v_trunc_f32_e64 v0, v1
  v_trunc_f32_e32 v0, s0
  v_trunc_f32_e32 v0, 0.5
  v_trunc_f32_e32 v0, 23
  v_trunc_f32_e32 v0, 0x41234567
  v_trunc_f32_e64 v0, |v1|
  v_trunc_f32_e64 v0, -|v1|
  v_trunc_f32_e64 v0, v1 clamp
  v_trunc_f32_e64 v0, -s0 clamp
  v_trunc_f32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_trunc_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_trunc_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_rndne_f32_e32 v0, v1
  v_rndne_f32_e64 v0, v1
  v_rndne_f32_e32 v0, s0
  v_rndne_f32_e32 v0, 0.5
  v_rndne_f32_e32 v0, 23
  v_rndne_f32_e32 v0, 0x41234567
  v_rndne_f32_e64 v0, |v1|
  v_rndne_f32_e64 v0, -|v1|
  v_rndne_f32_e64 v0, v1 clamp
  v_rndne_f32_e64 v0, -s0 clamp
  v_rndne_f32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_rndne_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_rndne_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_fract_f32_e32 v0, v1
  v_fract_f32_e64 v0, v1
  v_fract_f32_e32 v0, s0
  v_fract_f32_e32 v0, 0.5
  v_fract_f32_e32 v0, 23
  v_fract_f32_e32 v0, 0x41234567
  v_fract_f32_e64 v0, |v1|
  v_fract_f32_e64 v0, -|v1|
  v_fract_f32_e64 v0, v1 clamp
  v_fract_f32_e64 v0, -s0 clamp
  v_fract_f32_dpp v0, v1 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_fract_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_fract_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_frexp_mant_f32_e32 v0, v1
  v_frexp_mant_f32_e64 v0, v1
  v_frexp_mant_f32_e32 v0, s0
  v_frexp_mant_f32_e32 v0, 0.5
  v_frexp_mant_f32_e32 v0, 23
  v_frexp_mant_f32_e32 v0, 0x41234567
  v_frexp_mant_f32_e64 v0, |v1|
  v_frexp_mant_f32_e64 v0, -|v1|
  v_frexp_mant_f32_e64 v0, v1 clamp
  v_frexp_mant_f32_e64 v0, -s0 clamp
  v_frexp_mant_f32_dpp v0, v1 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_frexp_mant_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_frexp_mant_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_div_fixup_f32 v0, v1, v2, v3
  v_div_fixup_f32 v0, s0, v1, v2
  v_div_fixup_f32 v0, 0.5, v1, v2
  v_div_fixup_f32 v0, 23, v1, v2
  v_div_fixup_f32 v0, v1, s0, v2
  v_div_fixup_f32 v0, v1, -4.0, v2
  v_div_fixup_f32 v0, v1, v2, s0
  v_div_fixup_f32 v0, v1, v2, 1.0
  v_div_fixup_f32 v0, s0, 3, v1
  v_div_fixup_f32 v0, -v1, v2, |v3|
  v_div_fixup_f32 v0, -|v1|, v2, v3
  v_div_fixup_f32 v0, v1, v2, v3 clamp
  v_div_fixup_f32 v0, s0, v1, -v2 clamp
  v_add_f16_e32 v0, v1, v2
  v_add_f16_e64 v0, v1, v2
  v_add_f16_e32 v0, s0, v1
  v_add_f16_e32 v0, 0.5, v1
  v_add_f16_e32 v0, 23, v1
  v_add_f16_e64 v0, v1, s0
  v_add_f16_e64 v0, v1, -4.0
  v_add_f16_e64 v0, -v1, |v2|
  v_add_f16_e64 v0, -|v1|, v2
  v_add_f16_e64 v0, v1, v2 clamp
  v_add_f16_e64 v0, s0, -v1 clamp
  v_add_f16_dpp v0, v1, v2 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1
  v_mul_f16_e32 v0, v1, v2
  v_mul_f16_e64 v0, v1, v2
  v_mul_f16_e32 v0, s0, v1
  v_mul_f16_e32 v0, 0.5, v1
  v_mul_f16_e32 v0, 23, v1
  v_mul_f16_e64 v0, v1, s0
  v_mul_f16_e64 v0, v1, -4.0
  v_mul_f16_e64 v0, -v1, |v2|
  v_mul_f16_e64 v0, -|v1|, v2
  v_mul_f16_e64 v0, v1, v2 clamp
  v_mul_f16_e64 v0, s0, -v1 clamp
  v_mul_f16_e64 v0, v1, v2 mul:2
  v_mul_f16_e64 v0, v1, v2 clamp div:2
  v_mul_f16_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_3
  v_mul_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0
  v_min_f16_e32 v0, v1, v2
  v_min_f16_e64 v0, v1, v2
  v_min_f16_e32 v0, s0, v1
  v_min_f16_e32 v0, 0.5, v1
  v_min_f16_e32 v0, 23, v1
  v_min_f16_e64 v0, v1, s0
  v_min_f16_e64 v0, v1, -4.0
  v_min_f16_e64 v0, -v1, |v2|
  v_min_f16_e64 v0, -|v1|, v2
  v_min_f16_e64 v0, v1, v2 clamp
  v_min_f16_e64 v0, s0, -v1 clamp
  v_min_f16_dpp v0, v1, v2 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_min_f16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
  v_min_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_max_f16_e32 v0, v1, v2
  v_max_f16_e64 v0, v1, v2
  v_max_f16_e32 v0, s0, v1
  v_max_f16_e32 v0, 0.5, v1
  v_max_f16_e32 v0, 23, v1
  v_max_f16_e64 v0, v1, s0
  v_max_f16_e64 v0, v1, -4.0
  v_max_f16_e64 v0, -v1, |v2|
  v_max_f16_e64 v0, -|v1|, v2
  v_max_f16_e64 v0, v1, v2 clamp
  v_max_f16_e64 v0, s0, -v1 clamp
  v_max_f16_dpp v0, v1, v2 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_max_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:BYTE_2
  v_max_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_fma_f16 v0, v1, v2, v3
  v_fma_f16 v0, s0, v1, v2
  v_fma_f16 v0, 0.5, v1, v2
  v_fma_f16 v0, 23, v1, v2
  v_fma_f16 v0, v1, s0, v2
  v_fma_f16 v0, v1, -4.0, v2
  v_fma_f16 v0, v1, v2, s0
  v_fma_f16 v0, v1, v2, 1.0
  v_fma_f16 v0, s0, 3, v1
  v_fma_f16 v0, -v1, v2, |v3|
  v_fma_f16 v0, -|v1|, v2, v3
  v_fma_f16 v0, v1, v2, v3 clamp
  v_fma_f16 v0, s0, v1, -v2 clamp
  v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_ldexp_f16_e32 v0, v1, v2
  v_ldexp_f16_e64 v0, v1, v2
  v_ldexp_f16_e32 v0, s0, v1
  v_ldexp_f16_e32 v0, 0.5, v1
  v_ldexp_f16_e32 v0, 23, v1
  v_ldexp_f16_e64 v0, v1, s0
  v_ldexp_f16_e64 v0, v1, 5
  v_ldexp_f16_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ldexp_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0
  v_floor_f16_e32 v0, v1
  v_floor_f16_e64 v0, v1
  v_floor_f16_e32 v0, s0
  v_floor_f16_e32 v0, 0.5
  v_floor_f16_e32 v0, 23
  v_floor_f16_e64 v0, |v1|
  v_floor_f16_e64 v0, -|v1|
  v_floor_f16_e64 v0, v1 clamp
  v_floor_f16_e64 v0, -s0 clamp
  v_floor_f16_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_floor_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_floor_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_ceil_f16_e32 v0, v1
  v_ceil_f16_e64 v0, v1
  v_ceil_f16_e32 v0, s0
  v_ceil_f16_e32 v0, 0.5
  v_ceil_f16_e32 v0, 23
  v_ceil_f16_e64 v0, |v1|
  v_ceil_f16_e64 v0, -|v1|
  v_ceil_f16_e64 v0, v1 clamp
  v_ceil_f16_e64 v0, -s0 clamp
  v_ceil_f16_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_ceil_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_ceil_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_trunc_f16_e32 v0, v1
  v_trunc_f16_e64 v0, v1
  v_trunc_f16_e32 v0, s0
  v_trunc_f16_e32 v0, 0.5
  v_trunc_f16_e32 v0, 23
  v_trunc_f16_e64 v0, |v1|
  v_trunc_f16_e64 v0, -|v1|
  v_trunc_f16_e64 v0, v1 clamp
  v_trunc_f16_e64 v0, -s0 clamp
  v_trunc_f16_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_trunc_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1
  v_trunc_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_rndne_f16_e32 v0, v1
  v_rndne_f16_e64 v0, v1
  v_rndne_f16_e32 v0, s0
  v_rndne_f16_e32 v0, 0.5
  v_rndne_f16_e32 v0, 23
  v_rndne_f16_e64 v0, |v1|
  v_rndne_f16_e64 v0, -|v1|
  v_rndne_f16_e64 v0, v1 clamp
  v_rndne_f16_e64 v0, -s0 clamp
  v_rndne_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rndne_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_rndne_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_fract_f16_e32 v0, v1
  v_fract_f16_e64 v0, v1
  v_fract_f16_e32 v0, s0
  v_fract_f16_e32 v0, 0.5
  v_fract_f16_e32 v0, 23
  v_fract_f16_e64 v0, |v1|
  v_fract_f16_e64 v0, -|v1|
  v_fract_f16_e64 v0, v1 clamp
  v_fract_f16_e64 v0, -s0 clamp
  v_fract_f16_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_fract_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_fract_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_frexp_mant_f16_e32 v0, v1
  v_frexp_mant_f16_e64 v0, v1
  v_frexp_mant_f16_e32 v0, s0
  v_frexp_mant_f16_e32 v0, 0.5
  v_frexp_mant_f16_e32 v0, 23
  v_frexp_mant_f16_e64 v0, |v1|
  v_frexp_mant_f16_e64 v0, -|v1|
  v_frexp_mant_f16_e64 v0, v1 clamp
  v_frexp_mant_f16_e64 v0, -s0 clamp
  v_frexp_mant_f16_dpp v0, v1 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_frexp_mant_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0
  v_frexp_mant_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_div_fixup_f16 v0, v1, v2, v3
  v_div_fixup_f16 v0, s0, v1, v2
  v_div_fixup_f16 v0, 0.5, v1, v2
  v_div_fixup_f16 v0, 23, v1, v2
  v_div_fixup_f16 v0, v1, s0, v2
  v_div_fixup_f16 v0, v1, -4.0, v2
  v_div_fixup_f16 v0, v1, v2, s0
  v_div_fixup_f16 v0, v1, v2, 1.0
  v_div_fixup_f16 v0, s0, 3, v1
  v_div_fixup_f16 v0, -v1, v2, |v3|
  v_div_fixup_f16 v0, -|v1|, v2, v3
  v_div_fixup_f16 v0, v1, v2, v3 clamp
  v_div_fixup_f16 v0, s0, v1, -v2 clamp
  v_div_fixup_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_div_fixup_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_add_f64 v[0:1], v[2:3], v[4:5]
  v_add_f64 v[0:1], s[0:1], v[2:3]
  v_add_f64 v[0:1], 0.5, v[2:3]
  v_add_f64 v[0:1], 23, v[2:3]
  v_add_f64 v[0:1], v[2:3], s[0:1]
  v_add_f64 v[0:1], v[2:3], -4.0
  v_add_f64 v[0:1], -v[2:3], |v[4:5]|
  v_add_f64 v[0:1], -|v[2:3]|, v[4:5]
  v_add_f64 v[0:1], v[2:3], v[4:5] clamp
  v_add_f64 v[0:1], s[0:1], -v[2:3] clamp
  v_mul_f64 v[0:1], v[2:3], v[4:5]
  v_mul_f64 v[0:1], s[0:1], v[2:3]
  v_mul_f64 v[0:1], 0.5, v[2:3]
  v_mul_f64 v[0:1], 23, v[2:3]
  v_mul_f64 v[0:1], v[2:3], s[0:1]
  v_mul_f64 v[0:1], v[2:3], -4.0
  v_mul_f64 v[0:1], -v[2:3], |v[4:5]|
  v_mul_f64 v[0:1], -|v[2:3]|, v[4:5]
  v_mul_f64 v[0:1], v[2:3], v[4:5] clamp
  v_mul_f64 v[0:1], s[0:1], -v[2:3] clamp
  v_min_f64 v[0:1], v[2:3], v[4:5]
  v_min_f64 v[0:1], s[0:1], v[2:3]
  v_min_f64 v[0:1], 0.5, v[2:3]
  v_min_f64 v[0:1], 23, v[2:3]
  v_min_f64 v[0:1], v[2:3], s[0:1]
  v_min_f64 v[0:1], v[2:3], -4.0
  v_min_f64 v[0:1], -v[2:3], |v[4:5]|
  v_min_f64 v[0:1], -|v[2:3]|, v[4:5]
  v_min_f64 v[0:1], v[2:3], v[4:5] clamp
  v_min_f64 v[0:1], s[0:1], -v[2:3] clamp
  v_max_f64 v[0:1], v[2:3], v[4:5]
  v_max_f64 v[0:1], s[0:1], v[2:3]
  v_max_f64 v[0:1], 0.5, v[2:3]
  v_max_f64 v[0:1], 23, v[2:3]
  v_max_f64 v[0:1], v[2:3], s[0:1]
  v_max_f64 v[0:1], v[2:3], -4.0
  v_max_f64 v[0:1], -v[2:3], |v[4:5]|
  v_max_f64 v[0:1], -|v[2:3]|, v[4:5]
  v_max_f64 v[0:1], v[2:3], v[4:5] clamp
  v_max_f64 v[0:1], s[0:1], -v[2:3] clamp
  v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]
  v_fma_f64 v[0:1], s[0:1], v[2:3], v[4:5]
  v_fma_f64 v[0:1], 0.5, v[2:3], v[4:5]
  v_fma_f64 v[0:1], 23, v[2:3], v[4:5]
  v_fma_f64 v[0:1], v[2:3], s[0:1], v[4:5]
  v_fma_f64 v[0:1], v[2:3], -4.0, v[4:5]
  v_fma_f64 v[0:1], v[2:3], v[4:5], s[0:1]
  v_fma_f64 v[0:1], v[2:3], v[4:5], 1.0
  v_fma_f64 v[0:1], s[0:1], 3, v[2:3]
  v_fma_f64 v[0:1], -v[2:3], v[4:5], |v[6:7]|
  v_fma_f64 v[0:1], -|v[2:3]|, v[4:5], v[6:7]
  v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7] clamp
  v_fma_f64 v[0:1], s[0:1], v[2:3], -v[4:5] clamp
  v_fmac_f64_e32 v[0:1], v[2:3], v[4:5]
  v_fmac_f64_e64 v[0:1], v[2:3], v[4:5]
  v_fmac_f64_e32 v[0:1], s[0:1], v[2:3]
  v_fmac_f64_e32 v[0:1], 0.5, v[2:3]
  v_fmac_f64_e32 v[0:1], 23, v[2:3]
  v_fmac_f64_e32 v[0:1], 0x41234567, v[2:3]
  v_fmac_f64_e64 v[0:1], v[2:3], s[0:1]
  v_fmac_f64_e64 v[0:1], v[2:3], -4.0
  v_fmac_f64_e64 v[0:1], -v[2:3], |v[4:5]|
  v_fmac_f64_e64 v[0:1], -|v[2:3]|, v[4:5]
  v_fmac_f64_e64 v[0:1], v[2:3], v[4:5] clamp
  v_fmac_f64_e64 v[0:1], s[0:1], -v[2:3] clamp
  v_ldexp_f64 v[0:1], v[2:3], v4
  v_ldexp_f64 v[0:1], s[0:1], v2
  v_ldexp_f64 v[0:1], 0.5, v2
  v_ldexp_f64 v[0:1], 23, v2
  v_ldexp_f64 v[0:1], v[2:3], s0
  v_ldexp_f64 v[0:1], v[2:3], 5
  v_floor_f64_e32 v[0:1], v[2:3]
  v_floor_f64_e64 v[0:1], v[2:3]
  v_floor_f64_e32 v[0:1], s[0:1]
  v_floor_f64_e32 v[0:1], 0.5
  v_floor_f64_e32 v[0:1], 23
  v_floor_f64_e32 v[0:1], 0x41234567
  v_floor_f64_e64 v[0:1], |v[2:3]|
  v_floor_f64_e64 v[0:1], -|v[2:3]|
  v_floor_f64_e64 v[0:1], v[2:3] clamp
  v_floor_f64_e64 v[0:1], -s[0:1] clamp
  v_ceil_f64_e32 v[0:1], v[2:3]
  v_ceil_f64_e64 v[0:1], v[2:3]
  v_ceil_f64_e32 v[0:1], s[0:1]
  v_ceil_f64_e32 v[0:1], 0.5
  v_ceil_f64_e32 v[0:1], 23
  v_ceil_f64_e32 v[0:1], 0x41234567
  v_ceil_f64_e64 v[0:1], |v[2:3]|
  v_ceil_f64_e64 v[0:1], -|v[2:3]|
  v_ceil_f64_e64 v[0:1], v[2:3] clamp
  v_ceil_f64_e64 v[0:1], -s[0:1] clamp
  v_trunc_f64_e32 v[0:1], v[2:3]
  v_trunc_f64_e64 v[0:1], v[2:3]
  v_trunc_f64_e32 v[0:1], s[0:1]
  v_trunc_f64_e32 v[0:1], 0.5
  v_trunc_f64_e32 v[0:1], 23
  v_trunc_f64_e32 v[0:1], 0x41234567
  v_trunc_f64_e64 v[0:1], |v[2:3]|
  v_trunc_f64_e64 v[0:1], -|v[2:3]|
  v_trunc_f64_e64 v[0:1], v[2:3] clamp
  v_trunc_f64_e64 v[0:1], -s[0:1] clamp
  v_rndne_f64_e32 v[0:1], v[2:3]
  v_rndne_f64_e64 v[0:1], v[2:3]
  v_rndne_f64_e32 v[0:1], s[0:1]
  v_rndne_f64_e32 v[0:1], 0.5
  v_rndne_f64_e32 v[0:1], 23
  v_rndne_f64_e32 v[0:1], 0x41234567
  v_rndne_f64_e64 v[0:1], |v[2:3]|
  v_rndne_f64_e64 v[0:1], -|v[2:3]|
  v_rndne_f64_e64 v[0:1], v[2:3] clamp
  v_rndne_f64_e64 v[0:1], -s[0:1] clamp
  v_fract_f64_e32 v[0:1], v[2:3]
  v_fract_f64_e64 v[0:1], v[2:3]
  v_fract_f64_e32 v[0:1], s[0:1]
  v_fract_f64_e32 v[0:1], 0.5
  v_fract_f64_e32 v[0:1], 23
  v_fract_f64_e32 v[0:1], 0x41234567
  v_fract_f64_e64 v[0:1], |v[2:3]|
  v_fract_f64_e64 v[0:1], -|v[2:3]|
  v_fract_f64_e64 v[0:1], v[2:3] clamp
  v_fract_f64_e64 v[0:1], -s[0:1] clamp
  v_frexp_mant_f64_e32 v[0:1], v[2:3]
  v_frexp_mant_f64_e64 v[0:1], v[2:3]
  v_frexp_mant_f64_e32 v[0:1], s[0:1]
  v_frexp_mant_f64_e32 v[0:1], 0.5
  v_frexp_mant_f64_e32 v[0:1], 23
  v_frexp_mant_f64_e32 v[0:1], 0x41234567
  v_frexp_mant_f64_e64 v[0:1], |v[2:3]|
  v_frexp_mant_f64_e64 v[0:1], -|v[2:3]|
  v_frexp_mant_f64_e64 v[0:1], v[2:3] clamp
  v_frexp_mant_f64_e64 v[0:1], -s[0:1] clamp
  v_div_fixup_f64 v[0:1], v[2:3], v[4:5], v[6:7]
  v_div_fixup_f64 v[0:1], s[0:1], v[2:3], v[4:5]
  v_div_fixup_f64 v[0:1], 0.5, v[2:3], v[4:5]
  v_div_fixup_f64 v[0:1], 23, v[2:3], v[4:5]
  v_div_fixup_f64 v[0:1], v[2:3], s[0:1], v[4:5]
  v_div_fixup_f64 v[0:1], v[2:3], -4.0, v[4:5]
  v_div_fixup_f64 v[0:1], v[2:3], v[4:5], s[0:1]
  v_div_fixup_f64 v[0:1], v[2:3], v[4:5], 1.0
  v_div_fixup_f64 v[0:1], s[0:1], 3, v[2:3]
  v_div_fixup_f64 v[0:1], -v[2:3], v[4:5], |v[6:7]|
  v_div_fixup_f64 v[0:1], -|v[2:3]|, v[4:5], v[6:7]
  v_div_fixup_f64 v[0:1], v[2:3], v[4:5], v[6:7] clamp
  v_div_fixup_f64 v[0:1], s[0:1], v[2:3], -v[4:5] clamp
  v_sub_f32_e32 v0, v1, v2
  v_sub_f32_e64 v0, v1, v2
  v_sub_f32_e32 v0, s0, v1
  v_sub_f32_e32 v0, 0.5, v1
  v_sub_f32_e32 v0, 23, v1
  v_sub_f32_e32 v0, 0x41234567, v1
  v_sub_f32_e64 v0, v1, s0
  v_sub_f32_e64 v0, v1, -4.0
  v_sub_f32_e64 v0, -v1, |v2|
  v_sub_f32_e64 v0, -|v1|, v2
  v_sub_f32_e64 v0, v1, v2 clamp
  v_sub_f32_e64 v0, s0, -v1 clamp
  v_sub_f32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_sub_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_sub_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_subrev_f32_e32 v0, v1, v2
  v_subrev_f32_e64 v0, v1, v2
  v_subrev_f32_e32 v0, s0, v1
  v_subrev_f32_e32 v0, 0.5, v1
  v_subrev_f32_e32 v0, 23, v1
  v_subrev_f32_e32 v0, 0x41234567, v1
  v_subrev_f32_e64 v0, v1, s0
  v_subrev_f32_e64 v0, v1, -4.0
  v_subrev_f32_e64 v0, -v1, |v2|
  v_subrev_f32_e64 v0, -|v1|, v2
  v_subrev_f32_e64 v0, v1, v2 clamp
  v_subrev_f32_e64 v0, s0, -v1 clamp
  v_subrev_f32_dpp v0, v1, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_subrev_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_3
  v_subrev_f32_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_min3_f32 v0, v1, v2, v3
  v_min3_f32 v0, s0, v1, v2
  v_min3_f32 v0, 0.5, v1, v2
  v_min3_f32 v0, 23, v1, v2
  v_min3_f32 v0, v1, s0, v2
  v_min3_f32 v0, v1, -4.0, v2
  v_min3_f32 v0, v1, v2, s0
  v_min3_f32 v0, v1, v2, 1.0
  v_min3_f32 v0, s0, 3, v1
  v_min3_f32 v0, -v1, v2, |v3|
  v_min3_f32 v0, -|v1|, v2, v3
  v_min3_f32 v0, v1, v2, v3 clamp
  v_min3_f32 v0, s0, v1, -v2 clamp
  v_max3_f32 v0, v1, v2, v3
  v_max3_f32 v0, s0, v1, v2
  v_max3_f32 v0, 0.5, v1, v2
  v_max3_f32 v0, 23, v1, v2
  v_max3_f32 v0, v1, s0, v2
  v_max3_f32 v0, v1, -4.0, v2
  v_max3_f32 v0, v1, v2, s0
  v_max3_f32 v0, v1, v2, 1.0
  v_max3_f32 v0, s0, 3, v1
  v_max3_f32 v0, -v1, v2, |v3|
  v_max3_f32 v0, -|v1|, v2, v3
  v_max3_f32 v0, v1, v2, v3 clamp
  v_max3_f32 v0, s0, v1, -v2 clamp
  v_med3_f32 v0, v1, v2, v3
  v_med3_f32 v0, s0, v1, v2
  v_med3_f32 v0, 0.5, v1, v2
  v_med3_f32 v0, 23, v1, v2
  v_med3_f32 v0, v1, s0, v2
  v_med3_f32 v0, v1, -4.0, v2
  v_med3_f32 v0, v1, v2, s0
  v_med3_f32 v0, v1, v2, 1.0
  v_med3_f32 v0, s0, 3, v1
  v_med3_f32 v0, -v1, v2, |v3|
  v_med3_f32 v0, -|v1|, v2, v3
  v_med3_f32 v0, v1, v2, v3 clamp
  v_med3_f32 v0, s0, v1, -v2 clamp
  v_exp_f32_e32 v0, v1
  v_exp_f32_e64 v0, v1
  v_exp_f32_e32 v0, s0
  v_exp_f32_e32 v0, 0.5
  v_exp_f32_e32 v0, 23
  v_exp_f32_e32 v0, 0x41234567
  v_exp_f32_e64 v0, |v1|
  v_exp_f32_e64 v0, -|v1|
  v_exp_f32_e64 v0, v1 clamp
  v_exp_f32_e64 v0, -s0 clamp
  v_exp_f32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_exp_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_exp_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_log_f32_e32 v0, v1
  v_log_f32_e64 v0, v1
  v_log_f32_e32 v0, s0
  v_log_f32_e32 v0, 0.5
  v_log_f32_e32 v0, 23
  v_log_f32_e32 v0, 0x41234567
  v_log_f32_e64 v0, |v1|
  v_log_f32_e64 v0, -|v1|
  v_log_f32_e64 v0, v1 clamp
  v_log_f32_e64 v0, -s0 clamp
  v_log_f32_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_log_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_log_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_rcp_f32_e32 v0, v1
  v_rcp_f32_e64 v0, v1
  v_rcp_f32_e32 v0, s0
  v_rcp_f32_e32 v0, 0.5
  v_rcp_f32_e32 v0, 23
  v_rcp_f32_e32 v0, 0x41234567
  v_rcp_f32_e64 v0, |v1|
  v_rcp_f32_e64 v0, -|v1|
  v_rcp_f32_e64 v0, v1 clamp
  v_rcp_f32_e64 v0, -s0 clamp
  v_rcp_f32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_rcp_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_rcp_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_rsq_f32_e32 v0, v1
  v_rsq_f32_e64 v0, v1
  v_rsq_f32_e32 v0, s0
  v_rsq_f32_e32 v0, 0.5
  v_rsq_f32_e32 v0, 23
  v_rsq_f32_e32 v0, 0x41234567
  v_rsq_f32_e64 v0, |v1|
  v_rsq_f32_e64 v0, -|v1|
  v_rsq_f32_e64 v0, v1 clamp
  v_rsq_f32_e64 v0, -s0 clamp
  v_rsq_f32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rsq_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_rsq_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_sqrt_f32_e32 v0, v1
  v_sqrt_f32_e64 v0, v1
  v_sqrt_f32_e32 v0, s0
  v_sqrt_f32_e32 v0, 0.5
  v_sqrt_f32_e32 v0, 23
  v_sqrt_f32_e32 v0, 0x41234567
  v_sqrt_f32_e64 v0, |v1|
  v_sqrt_f32_e64 v0, -|v1|
  v_sqrt_f32_e64 v0, v1 clamp
  v_sqrt_f32_e64 v0, -s0 clamp
  v_sqrt_f32_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_sqrt_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_sqrt_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_sin_f32_e32 v0, v1
  v_sin_f32_e64 v0, v1
  v_sin_f32_e32 v0, s0
  v_sin_f32_e32 v0, 0.5
  v_sin_f32_e32 v0, 23
  v_sin_f32_e32 v0, 0x41234567
  v_sin_f32_e64 v0, |v1|
  v_sin_f32_e64 v0, -|v1|
  v_sin_f32_e64 v0, v1 clamp
  v_sin_f32_e64 v0, -s0 clamp
  v_sin_f32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_sin_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_sin_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cos_f32_e32 v0, v1
  v_cos_f32_e64 v0, v1
  v_cos_f32_e32 v0, s0
  v_cos_f32_e32 v0, 0.5
  v_cos_f32_e32 v0, 23
  v_cos_f32_e32 v0, 0x41234567
  v_cos_f32_e64 v0, |v1|
  v_cos_f32_e64 v0, -|v1|
  v_cos_f32_e64 v0, v1 clamp
  v_cos_f32_e64 v0, -s0 clamp
  v_cos_f32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_cos_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_cos_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_sub_f16_e32 v0, v1, v2
  v_sub_f16_e64 v0, v1, v2
  v_sub_f16_e32 v0, s0, v1
  v_sub_f16_e32 v0, 0.5, v1
  v_sub_f16_e32 v0, 23, v1
  v_sub_f16_e64 v0, v1, s0
  v_sub_f16_e64 v0, v1, -4.0
  v_sub_f16_e64 v0, -v1, |v2|
  v_sub_f16_e64 v0, -|v1|, v2
  v_sub_f16_e64 v0, v1, v2 clamp
  v_sub_f16_e64 v0, s0, -v1 clamp
  v_sub_f16_dpp v0, v1, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_sub_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
  v_sub_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
  v_subrev_f16_e32 v0, v1, v2
  v_subrev_f16_e64 v0, v1, v2
  v_subrev_f16_e32 v0, s0, v1
  v_subrev_f16_e32 v0, 0.5, v1
  v_subrev_f16_e32 v0, 23, v1
  v_subrev_f16_e64 v0, v1, s0
  v_subrev_f16_e64 v0, v1, -4.0
  v_subrev_f16_e64 v0, -v1, |v2|
  v_subrev_f16_e64 v0, -|v1|, v2
  v_subrev_f16_e64 v0, v1, v2 clamp
  v_subrev_f16_e64 v0, s0, -v1 clamp
  v_subrev_f16_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_subrev_f16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:WORD_0
  v_subrev_f16_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0
  v_min3_f16 v0, v1, v2, v3
  v_min3_f16 v0, s0, v1, v2
  v_min3_f16 v0, 0.5, v1, v2
  v_min3_f16 v0, 23, v1, v2
  v_min3_f16 v0, v1, s0, v2
  v_min3_f16 v0, v1, -4.0, v2
  v_min3_f16 v0, v1, v2, s0
  v_min3_f16 v0, v1, v2, 1.0
  v_min3_f16 v0, s0, 3, v1
  v_min3_f16 v0, -v1, v2, |v3|
  v_min3_f16 v0, -|v1|, v2, v3
  v_min3_f16 v0, v1, v2, v3 clamp
  v_min3_f16 v0, s0, v1, -v2 clamp
  v_min3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_min3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_max3_f16 v0, v1, v2, v3
  v_max3_f16 v0, s0, v1, v2
  v_max3_f16 v0, 0.5, v1, v2
  v_max3_f16 v0, 23, v1, v2
  v_max3_f16 v0, v1, s0, v2
  v_max3_f16 v0, v1, -4.0, v2
  v_max3_f16 v0, v1, v2, s0
  v_max3_f16 v0, v1, v2, 1.0
  v_max3_f16 v0, s0, 3, v1
  v_max3_f16 v0, -v1, v2, |v3|
  v_max3_f16 v0, -|v1|, v2, v3
  v_max3_f16 v0, v1, v2, v3 clamp
  v_max3_f16 v0, s0, v1, -v2 clamp
  v_max3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_max3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_med3_f16 v0, v1, v2, v3
  v_med3_f16 v0, s0, v1, v2
  v_med3_f16 v0, 0.5, v1, v2
  v_med3_f16 v0, 23, v1, v2
  v_med3_f16 v0, v1, s0, v2
  v_med3_f16 v0, v1, -4.0, v2
  v_med3_f16 v0, v1, v2, s0
  v_med3_f16 v0, v1, v2, 1.0
  v_med3_f16 v0, s0, 3, v1
  v_med3_f16 v0, -v1, v2, |v3|
  v_med3_f16 v0, -|v1|, v2, v3
  v_med3_f16 v0, v1, v2, v3 clamp
  v_med3_f16 v0, s0, v1, -v2 clamp
  v_med3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_med3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_exp_f16_e32 v0, v1
  v_exp_f16_e64 v0, v1
  v_exp_f16_e32 v0, s0
  v_exp_f16_e32 v0, 0.5
  v_exp_f16_e32 v0, 23
  v_exp_f16_e64 v0, |v1|
  v_exp_f16_e64 v0, -|v1|
  v_exp_f16_e64 v0, v1 clamp
  v_exp_f16_e64 v0, -s0 clamp
  v_exp_f16_dpp v0, v1 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_exp_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3
  v_exp_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_log_f16_e32 v0, v1
  v_log_f16_e64 v0, v1
  v_log_f16_e32 v0, s0
  v_log_f16_e32 v0, 0.5
  v_log_f16_e32 v0, 23
  v_log_f16_e64 v0, |v1|
  v_log_f16_e64 v0, -|v1|
  v_log_f16_e64 v0, v1 clamp
  v_log_f16_e64 v0, -s0 clamp
  v_log_f16_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_log_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_log_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_rcp_f16_e32 v0, v1
  v_rcp_f16_e64 v0, v1
  v_rcp_f16_e32 v0, s0
  v_rcp_f16_e32 v0, 0.5
  v_rcp_f16_e32 v0, 23
  v_rcp_f16_e64 v0, |v1|
  v_rcp_f16_e64 v0, -|v1|
  v_rcp_f16_e64 v0, v1 clamp
  v_rcp_f16_e64 v0, -s0 clamp
  v_rcp_f16_dpp v0, v1 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_rcp_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_rcp_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_rsq_f16_e32 v0, v1
  v_rsq_f16_e64 v0, v1
  v_rsq_f16_e32 v0, s0
  v_rsq_f16_e32 v0, 0.5
  v_rsq_f16_e32 v0, 23
  v_rsq_f16_e64 v0, |v1|
  v_rsq_f16_e64 v0, -|v1|
  v_rsq_f16_e64 v0, v1 clamp
  v_rsq_f16_e64 v0, -s0 clamp
  v_rsq_f16_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_rsq_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
  v_rsq_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_sqrt_f16_e32 v0, v1
  v_sqrt_f16_e64 v0, v1
  v_sqrt_f16_e32 v0, s0
  v_sqrt_f16_e32 v0, 0.5
  v_sqrt_f16_e32 v0, 23
  v_sqrt_f16_e64 v0, |v1|
  v_sqrt_f16_e64 v0, -|v1|
  v_sqrt_f16_e64 v0, v1 clamp
  v_sqrt_f16_e64 v0, -s0 clamp
  v_sqrt_f16_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_sqrt_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_sqrt_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_sin_f16_e32 v0, v1
  v_sin_f16_e64 v0, v1
  v_sin_f16_e32 v0, s0
  v_sin_f16_e32 v0, 0.5
  v_sin_f16_e32 v0, 23
  v_sin_f16_e64 v0, |v1|
  v_sin_f16_e64 v0, -|v1|
  v_sin_f16_e64 v0, v1 clamp
  v_sin_f16_e64 v0, -s0 clamp
  v_sin_f16_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_sin_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_sin_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cos_f16_e32 v0, v1
  v_cos_f16_e64 v0, v1
  v_cos_f16_e32 v0, s0
  v_cos_f16_e32 v0, 0.5
  v_cos_f16_e32 v0, 23
  v_cos_f16_e64 v0, |v1|
  v_cos_f16_e64 v0, -|v1|
  v_cos_f16_e64 v0, v1 clamp
  v_cos_f16_e64 v0, -s0 clamp
  v_cos_f16_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cos_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1
  v_cos_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_mul_legacy_f32 v0, v1, v2
  v_mul_legacy_f32 v0, s0, v1
  v_mul_legacy_f32 v0, 0.5, v1
  v_mul_legacy_f32 v0, 23, v1
  v_mul_legacy_f32 v0, v1, s0
  v_mul_legacy_f32 v0, v1, -4.0
  v_mul_legacy_f32 v0, -v1, |v2|
  v_mul_legacy_f32 v0, -|v1|, v2
  v_mul_legacy_f32 v0, v1, v2 clamp
  v_mul_legacy_f32 v0, s0, -v1 clamp
  v_rcp_iflag_f32_e32 v0, v1
  v_rcp_iflag_f32_e64 v0, v1
  v_rcp_iflag_f32_e32 v0, s0
  v_rcp_iflag_f32_e32 v0, 0.5
  v_rcp_iflag_f32_e32 v0, 23
  v_rcp_iflag_f32_e32 v0, 0x41234567
  v_rcp_iflag_f32_e64 v0, |v1|
  v_rcp_iflag_f32_e64 v0, -|v1|
  v_rcp_iflag_f32_e64 v0, v1 clamp
  v_rcp_iflag_f32_e64 v0, -s0 clamp
  v_rcp_iflag_f32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_rcp_iflag_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_rcp_iflag_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_rcp_f64_e32 v[0:1], v[2:3]
  v_rcp_f64_e64 v[0:1], v[2:3]
  v_rcp_f64_e32 v[0:1], s[0:1]
  v_rcp_f64_e32 v[0:1], 0.5
  v_rcp_f64_e32 v[0:1], 23
  v_rcp_f64_e32 v[0:1], 0x41234567
  v_rcp_f64_e64 v[0:1], |v[2:3]|
  v_rcp_f64_e64 v[0:1], -|v[2:3]|
  v_rcp_f64_e64 v[0:1], v[2:3] clamp
  v_rcp_f64_e64 v[0:1], -s[0:1] clamp
  v_rsq_f64_e32 v[0:1], v[2:3]
  v_rsq_f64_e64 v[0:1], v[2:3]
  v_rsq_f64_e32 v[0:1], s[0:1]
  v_rsq_f64_e32 v[0:1], 0.5
  v_rsq_f64_e32 v[0:1], 23
  v_rsq_f64_e32 v[0:1], 0x41234567
  v_rsq_f64_e64 v[0:1], |v[2:3]|
  v_rsq_f64_e64 v[0:1], -|v[2:3]|
  v_rsq_f64_e64 v[0:1], v[2:3] clamp
  v_rsq_f64_e64 v[0:1], -s[0:1] clamp
  v_sqrt_f64_e32 v[0:1], v[2:3]
  v_sqrt_f64_e64 v[0:1], v[2:3]
  v_sqrt_f64_e32 v[0:1], s[0:1]
  v_sqrt_f64_e32 v[0:1], 0.5
  v_sqrt_f64_e32 v[0:1], 23
  v_sqrt_f64_e32 v[0:1], 0x41234567
  v_sqrt_f64_e64 v[0:1], |v[2:3]|
  v_sqrt_f64_e64 v[0:1], -|v[2:3]|
  v_sqrt_f64_e64 v[0:1], v[2:3] clamp
  v_sqrt_f64_e64 v[0:1], -s[0:1] clamp
  v_trig_preop_f64 v[0:1], v[2:3], v4
  v_trig_preop_f64 v[0:1], s[0:1], v2
  v_trig_preop_f64 v[0:1], 0.5, v2
  v_trig_preop_f64 v[0:1], 23, v2
  v_trig_preop_f64 v[0:1], v[2:3], s0
  v_trig_preop_f64 v[0:1], v[2:3], 5
  v_frexp_exp_i32_f32_e32 v0, v1
  v_frexp_exp_i32_f32_e64 v0, v1
  v_frexp_exp_i32_f32_e32 v0, s0
  v_frexp_exp_i32_f32_e32 v0, 0.5
  v_frexp_exp_i32_f32_e32 v0, 23
  v_frexp_exp_i32_f32_e32 v0, 0x41234567
  v_frexp_exp_i32_f32_e64 v0, |v1|
  v_frexp_exp_i32_f32_e64 v0, -|v1|
  v_frexp_exp_i32_f32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_frexp_exp_i32_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_frexp_exp_i32_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_frexp_exp_i32_f64_e32 v0, v[2:3]
  v_frexp_exp_i32_f64_e64 v0, v[2:3]
  v_frexp_exp_i32_f64_e32 v0, s[0:1]
  v_frexp_exp_i32_f64_e32 v0, 0.5
  v_frexp_exp_i32_f64_e32 v0, 23
  v_frexp_exp_i32_f64_e32 v0, 0x41234567
  v_frexp_exp_i32_f64_e64 v0, |v[2:3]|
  v_frexp_exp_i32_f64_e64 v0, -|v[2:3]|
  v_frexp_exp_i16_f16_e32 v0, v1
  v_frexp_exp_i16_f16_e64 v0, v1
  v_frexp_exp_i16_f16_e32 v0, s0
  v_frexp_exp_i16_f16_e32 v0, 0.5
  v_frexp_exp_i16_f16_e32 v0, 23
  v_frexp_exp_i16_f16_e64 v0, |v1|
  v_frexp_exp_i16_f16_e64 v0, -|v1|
  v_frexp_exp_i16_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_frexp_exp_i16_f16_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_frexp_exp_i16_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_dot2_f32_f16 v0, v1, v2, v3
  v_dot2_f32_f16 v0, s0, v1, v2
  v_dot2_f32_f16 v0, 0.5, v1, v2
  v_dot2_f32_f16 v0, 23, v1, v2
  v_dot2_f32_f16 v0, v1, s0, v2
  v_dot2_f32_f16 v0, v1, 5, v2
  v_dot2_f32_f16 v0, v1, v2, s0
  v_dot2_f32_f16 v0, v1, v2, 1.0
  v_dot2_f32_f16 v0, s0, 3, v1
  v_dot2c_f32_f16_e32 v0, v1, v2
  v_dot2c_f32_f16_e64 v0, v1, v2
  v_dot2c_f32_f16_e32 v0, s0, v1
  v_dot2c_f32_f16_e32 v0, -7, v1
  v_dot2c_f32_f16_e32 v0, 23, v1
  v_dot2c_f32_f16_e32 v0, 0x41234567, v1
  v_dot2c_f32_f16_e64 v0, v1, s0
  v_dot2c_f32_f16_e64 v0, v1, 64
  v_dot2c_f32_f16_dpp v0, v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf

; Conversions
  v_cvt_f32_i32_e32 v0, v1
  v_cvt_f32_i32_e64 v0, v1
  v_cvt_f32_i32_e32 v0, s0
  v_cvt_f32_i32_e32 v0, -7
  v_cvt_f32_i32_e32 v0, 23
  v_cvt_f32_i32_e32 v0, 0x41234567
  v_cvt_f32_i32_dpp v0, v1 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_i32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cvt_f32_i32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_f32_u32_e32 v0, v1
  v_cvt_f32_u32_e64 v0, v1
  v_cvt_f32_u32_e32 v0, s0
  v_cvt_f32_u32_e32 v0, -7
  v_cvt_f32_u32_e32 v0, 23
  v_cvt_f32_u32_e32 v0, 0x41234567
  v_cvt_f32_u32_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_u32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_f32_u32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_i32_f32_e32 v0, v1
  v_cvt_i32_f32_e64 v0, v1
  v_cvt_i32_f32_e32 v0, s0
  v_cvt_i32_f32_e32 v0, 0.5
  v_cvt_i32_f32_e32 v0, 23
  v_cvt_i32_f32_e32 v0, 0x41234567
  v_cvt_i32_f32_e64 v0, |v1|
  v_cvt_i32_f32_e64 v0, -|v1|
  v_cvt_i32_f32_dpp v0, v1 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_cvt_i32_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_cvt_i32_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_cvt_u32_f32_e32 v0, v1
  v_cvt_u32_f32_e64 v0, v1
  v_cvt_u32_f32_e32 v0, s0
  v_cvt_u32_f32_e32 v0, 0.5
  v_cvt_u32_f32_e32 v0, 23
  v_cvt_u32_f32_e32 v0, 0x41234567
  v_cvt_u32_f32_e64 v0, |v1|
  v_cvt_u32_f32_e64 v0, -|v1|
  v_cvt_u32_f32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_cvt_u32_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_cvt_u32_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_cvt_rpi_i32_f32_e32 v0, v1
  v_cvt_rpi_i32_f32_e64 v0, v1
  v_cvt_rpi_i32_f32_e32 v0, s0
  v_cvt_rpi_i32_f32_e32 v0, 0.5
  v_cvt_rpi_i32_f32_e32 v0, 23
  v_cvt_rpi_i32_f32_e32 v0, 0x41234567
  v_cvt_rpi_i32_f32_e64 v0, |v1|
  v_cvt_rpi_i32_f32_e64 v0, -|v1|
  v_cvt_rpi_i32_f32_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_cvt_rpi_i32_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_rpi_i32_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_cvt_flr_i32_f32_e32 v0, v1
  v_cvt_flr_i32_f32_e64 v0, v1
  v_cvt_flr_i32_f32_e32 v0, s0
  v_cvt_flr_i32_f32_e32 v0, 0.5
  v_cvt_flr_i32_f32_e32 v0, 23
  v_cvt_flr_i32_f32_e32 v0, 0x41234567
  v_cvt_flr_i32_f32_e64 v0, |v1|
  v_cvt_flr_i32_f32_e64 v0, -|v1|
  v_cvt_flr_i32_f32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_cvt_flr_i32_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_cvt_flr_i32_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cvt_f32_f16_e32 v0, v1
  v_cvt_f32_f16_e64 v0, v1
  v_cvt_f32_f16_e32 v0, s0
  v_cvt_f32_f16_e32 v0, 0.5
  v_cvt_f32_f16_e32 v0, 23
  v_cvt_f32_f16_e64 v0, |v1|
  v_cvt_f32_f16_e64 v0, -|v1|
  v_cvt_f32_f16_e64 v0, v1 clamp
  v_cvt_f32_f16_e64 v0, -s0 clamp
  v_cvt_f32_f16_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_cvt_f32_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_f16_f32_e32 v0, v1
  v_cvt_f16_f32_e64 v0, v1
  v_cvt_f16_f32_e32 v0, s0
  v_cvt_f16_f32_e32 v0, 0.5
  v_cvt_f16_f32_e32 v0, 23
  v_cvt_f16_f32_e32 v0, 0x41234567
  v_cvt_f16_f32_e64 v0, |v1|
  v_cvt_f16_f32_e64 v0, -|v1|
  v_cvt_f16_f32_e64 v0, v1 clamp
  v_cvt_f16_f32_e64 v0, -s0 clamp
  v_cvt_f16_f32_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_cvt_f16_f32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cvt_f16_f32_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_f16_u16_e32 v0, v1
  v_cvt_f16_u16_e64 v0, v1
  v_cvt_f16_u16_e32 v0, s0
  v_cvt_f16_u16_e32 v0, -7
  v_cvt_f16_u16_e32 v0, 23
  v_cvt_f16_u16_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_cvt_f16_u16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_f16_u16_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_cvt_f16_i16_e32 v0, v1
  v_cvt_f16_i16_e64 v0, v1
  v_cvt_f16_i16_e32 v0, s0
  v_cvt_f16_i16_e32 v0, -7
  v_cvt_f16_i16_e32 v0, 23
  v_cvt_f16_i16_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_cvt_f16_i16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_cvt_f16_i16_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_cvt_u16_f16_e32 v0, v1
  v_cvt_u16_f16_e64 v0, v1
  v_cvt_u16_f16_e32 v0, s0
  v_cvt_u16_f16_e32 v0, 0.5
  v_cvt_u16_f16_e32 v0, 23
  v_cvt_u16_f16_e64 v0, |v1|
  v_cvt_u16_f16_e64 v0, -|v1|
  v_cvt_u16_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_u16_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD
  v_cvt_u16_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_cvt_i16_f16_e32 v0, v1
  v_cvt_i16_f16_e64 v0, v1
  v_cvt_i16_f16_e32 v0, s0
  v_cvt_i16_f16_e32 v0, 0.5
  v_cvt_i16_f16_e32 v0, 23
  v_cvt_i16_f16_e64 v0, |v1|
  v_cvt_i16_f16_e64 v0, -|v1|
  v_cvt_i16_f16_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_cvt_i16_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_i16_f16_sdwa v0, |v1| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cvt_f64_f32_e32 v[0:1], v2
  v_cvt_f64_f32_e64 v[0:1], v2
  v_cvt_f64_f32_e32 v[0:1], s0
  v_cvt_f64_f32_e32 v[0:1], 0.5
  v_cvt_f64_f32_e32 v[0:1], 23
  v_cvt_f64_f32_e32 v[0:1], 0x41234567
  v_cvt_f64_f32_e64 v[0:1], |v2|
  v_cvt_f64_f32_e64 v[0:1], -|v2|
  v_cvt_f64_f32_e64 v[0:1], v2 clamp
  v_cvt_f64_f32_e64 v[0:1], -s0 clamp
  v_cvt_f32_f64_e32 v0, v[2:3]
  v_cvt_f32_f64_e64 v0, v[2:3]
  v_cvt_f32_f64_e32 v0, s[0:1]
  v_cvt_f32_f64_e32 v0, 0.5
  v_cvt_f32_f64_e32 v0, 23
  v_cvt_f32_f64_e32 v0, 0x41234567
  v_cvt_f32_f64_e64 v0, |v[2:3]|
  v_cvt_f32_f64_e64 v0, -|v[2:3]|
  v_cvt_f32_f64_e64 v0, v[2:3] clamp
  v_cvt_f32_f64_e64 v0, -s[0:1] clamp
  v_cvt_f64_i32_e32 v[0:1], v2
  v_cvt_f64_i32_e64 v[0:1], v2
  v_cvt_f64_i32_e32 v[0:1], s0
  v_cvt_f64_i32_e32 v[0:1], -7
  v_cvt_f64_i32_e32 v[0:1], 23
  v_cvt_f64_i32_e32 v[0:1], 0x41234567
  v_cvt_f64_u32_e32 v[0:1], v2
  v_cvt_f64_u32_e64 v[0:1], v2
  v_cvt_f64_u32_e32 v[0:1], s0
  v_cvt_f64_u32_e32 v[0:1], -7
  v_cvt_f64_u32_e32 v[0:1], 23
  v_cvt_f64_u32_e32 v[0:1], 0x41234567
  v_cvt_i32_f64_e32 v0, v[2:3]
  v_cvt_i32_f64_e64 v0, v[2:3]
  v_cvt_i32_f64_e32 v0, s[0:1]
  v_cvt_i32_f64_e32 v0, 0.5
  v_cvt_i32_f64_e32 v0, 23
  v_cvt_i32_f64_e32 v0, 0x41234567
  v_cvt_i32_f64_e64 v0, |v[2:3]|
  v_cvt_i32_f64_e64 v0, -|v[2:3]|
  v_cvt_u32_f64_e32 v0, v[2:3]
  v_cvt_u32_f64_e64 v0, v[2:3]
  v_cvt_u32_f64_e32 v0, s[0:1]
  v_cvt_u32_f64_e32 v0, 0.5
  v_cvt_u32_f64_e32 v0, 23
  v_cvt_u32_f64_e32 v0, 0x41234567
  v_cvt_u32_f64_e64 v0, |v[2:3]|
  v_cvt_u32_f64_e64 v0, -|v[2:3]|
  v_cvt_f32_ubyte0_e32 v0, v1
  v_cvt_f32_ubyte0_e64 v0, v1
  v_cvt_f32_ubyte0_e32 v0, s0
  v_cvt_f32_ubyte0_e32 v0, -7
  v_cvt_f32_ubyte0_e32 v0, 23
  v_cvt_f32_ubyte0_e32 v0, 0x41234567
  v_cvt_f32_ubyte0_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_cvt_f32_ubyte0_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_f32_ubyte0_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_cvt_f32_ubyte1_e32 v0, v1
  v_cvt_f32_ubyte1_e64 v0, v1
  v_cvt_f32_ubyte1_e32 v0, s0
  v_cvt_f32_ubyte1_e32 v0, -7
  v_cvt_f32_ubyte1_e32 v0, 23
  v_cvt_f32_ubyte1_e32 v0, 0x41234567
  v_cvt_f32_ubyte1_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_cvt_f32_ubyte1_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_cvt_f32_ubyte1_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2
  v_cvt_f32_ubyte2_e32 v0, v1
  v_cvt_f32_ubyte2_e64 v0, v1
  v_cvt_f32_ubyte2_e32 v0, s0
  v_cvt_f32_ubyte2_e32 v0, -7
  v_cvt_f32_ubyte2_e32 v0, 23
  v_cvt_f32_ubyte2_e32 v0, 0x41234567
  v_cvt_f32_ubyte2_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_cvt_f32_ubyte2_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
  v_cvt_f32_ubyte2_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
  v_cvt_f32_ubyte3_e32 v0, v1
  v_cvt_f32_ubyte3_e64 v0, v1
  v_cvt_f32_ubyte3_e32 v0, s0
  v_cvt_f32_ubyte3_e32 v0, -7
  v_cvt_f32_ubyte3_e32 v0, 23
  v_cvt_f32_ubyte3_e32 v0, 0x41234567
  v_cvt_f32_ubyte3_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_ubyte3_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_cvt_f32_ubyte3_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
  v_cvt_pkrtz_f16_f32 v0, v1, v2
  v_cvt_pkrtz_f16_f32 v0, s0, v1
  v_cvt_pkrtz_f16_f32 v0, 0.5, v1
  v_cvt_pkrtz_f16_f32 v0, 23, v1
  v_cvt_pkrtz_f16_f32 v0, v1, s0
  v_cvt_pkrtz_f16_f32 v0, v1, -4.0
  v_cvt_pkrtz_f16_f32 v0, -v1, |v2|
  v_cvt_pkrtz_f16_f32 v0, -|v1|, v2

; Every DPP control
  v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_bcast:31 row_mask:0xc bank_mask:0xf
  v_mov_b32_dpp v0, v1 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 wave_ror:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 wave_rol:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:4 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:8 row_mask:0xf bank_mask:0xf
  v_cndmask_b32_dpp v0, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_shl:15 row_mask:0x3 bank_mask:0x7 bound_ctrl:1
  v_add_f32_dpp v0, -v1, |v2| row_ror:1 row_mask:0xf bank_mask:0xf
  v_add_co_u32_dpp v0, vcc, v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1

; Every SDWA selection
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_2
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:BYTE_3
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:DWORD
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:BYTE_2
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_SEXT src0_sel:BYTE_3 src1_sel:BYTE_3
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:BYTE_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_SEXT src0_sel:WORD_1 src1_sel:WORD_0
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:BYTE_2
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_0
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_SEXT src0_sel:BYTE_0 src1_sel:WORD_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:BYTE_3
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
  v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_2 src1_sel:DWORD
  v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0
  v_mul_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0
  v_and_b32_sdwa v0, s0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
  v_cmp_eq_u16_sdwa s[0:1], v1, v2 src0_sel:BYTE_1 src1_sel:WORD_0
  v_cmp_gt_f16_sdwa vcc, v1, v2 src0_sel:WORD_1 src1_sel:WORD_1
  v_cmp_lt_i32_sdwa vcc, sext(v1), v2 src0_sel:BYTE_3 src1_sel:DWORD
  v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0

; Comparisons
  v_cmp_f_f16_e32 vcc, v0, v1
  v_cmp_f_f16_e64 s[2:3], v0, v1
  v_cmp_f_f16_e64 s[2:3], v1, -1
  v_cmp_f_f16_e64 s[2:3], -v0, |v1|
  v_cmp_f_f16_e32 vcc, 0.5, v1
  v_cmp_lt_f16_e32 vcc, v0, v1
  v_cmp_lt_f16_e64 s[2:3], v0, v1
  v_cmp_lt_f16_e32 vcc, s4, v1
  v_cmp_lt_f16_e64 s[2:3], -v0, |v1|
  v_cmp_lt_f16_e32 vcc, 0.5, v1
  v_cmp_eq_f16_e32 vcc, v0, v1
  v_cmp_eq_f16_e64 s[2:3], v0, v1
  v_cmp_eq_f16_e64 vcc, v1, s4
  v_cmp_eq_f16_e64 s[2:3], -v0, |v1|
  v_cmp_eq_f16_e32 vcc, 0.5, v1
  v_cmp_le_f16_e32 vcc, v0, v1
  v_cmp_le_f16_e64 s[2:3], v0, v1
  v_cmp_le_f16_e32 vcc, 3, v1
  v_cmp_le_f16_e64 s[2:3], -v0, |v1|
  v_cmp_le_f16_e32 vcc, 0.5, v1
  v_cmp_gt_f16_e32 vcc, v0, v1
  v_cmp_gt_f16_e64 s[2:3], v0, v1
  v_cmp_gt_f16_e64 s[2:3], v1, -1
  v_cmp_gt_f16_e64 s[2:3], -v0, |v1|
  v_cmp_gt_f16_e32 vcc, 0.5, v1
  v_cmp_lg_f16_e32 vcc, v0, v1
  v_cmp_lg_f16_e64 s[2:3], v0, v1
  v_cmp_lg_f16_e32 vcc, s4, v1
  v_cmp_lg_f16_e64 s[2:3], -v0, |v1|
  v_cmp_lg_f16_e32 vcc, 0.5, v1
  v_cmp_ge_f16_e32 vcc, v0, v1
  v_cmp_ge_f16_e64 s[2:3], v0, v1
  v_cmp_ge_f16_e64 vcc, v1, s4
  v_cmp_ge_f16_e64 s[2:3], -v0, |v1|
  v_cmp_ge_f16_e32 vcc, 0.5, v1
  v_cmp_o_f16_e32 vcc, v0, v1
  v_cmp_o_f16_e64 s[2:3], v0, v1
  v_cmp_o_f16_e32 vcc, 3, v1
  v_cmp_o_f16_e64 s[2:3], -v0, |v1|
  v_cmp_o_f16_e32 vcc, 0.5, v1
  v_cmp_u_f16_e32 vcc, v0, v1
  v_cmp_u_f16_e64 s[2:3], v0, v1
  v_cmp_u_f16_e64 s[2:3], v1, -1
  v_cmp_u_f16_e64 s[2:3], -v0, |v1|
  v_cmp_u_f16_e32 vcc, 0.5, v1
  v_cmp_nge_f16_e32 vcc, v0, v1
  v_cmp_nge_f16_e64 s[2:3], v0, v1
  v_cmp_nge_f16_e32 vcc, s4, v1
  v_cmp_nge_f16_e64 s[2:3], -v0, |v1|
  v_cmp_nge_f16_e32 vcc, 0.5, v1
  v_cmp_nlg_f16_e32 vcc, v0, v1
  v_cmp_nlg_f16_e64 s[2:3], v0, v1
  v_cmp_nlg_f16_e64 vcc, v1, s4
  v_cmp_nlg_f16_e64 s[2:3], -v0, |v1|
  v_cmp_nlg_f16_e32 vcc, 0.5, v1
  v_cmp_ngt_f16_e32 vcc, v0, v1
  v_cmp_ngt_f16_e64 s[2:3], v0, v1
  v_cmp_ngt_f16_e32 vcc, 3, v1
  v_cmp_ngt_f16_e64 s[2:3], -v0, |v1|
  v_cmp_ngt_f16_e32 vcc, 0.5, v1
  v_cmp_nle_f16_e32 vcc, v0, v1
  v_cmp_nle_f16_e64 s[2:3], v0, v1
  v_cmp_nle_f16_e64 s[2:3], v1, -1
  v_cmp_nle_f16_e64 s[2:3], -v0, |v1|
  v_cmp_nle_f16_e32 vcc, 0.5, v1
  v_cmp_neq_f16_e32 vcc, v0, v1
  v_cmp_neq_f16_e64 s[2:3], v0, v1
  v_cmp_neq_f16_e32 vcc, s4, v1
  v_cmp_neq_f16_e64 s[2:3], -v0, |v1|
  v_cmp_neq_f16_e32 vcc, 0.5, v1
  v_cmp_nlt_f16_e32 vcc, v0, v1
  v_cmp_nlt_f16_e64 s[2:3], v0, v1
  v_cmp_nlt_f16_e32 vcc, 3, v1
  v_cmp_nlt_f16_e64 s[2:3], -v0, |v1|
  v_cmp_nlt_f16_e32 vcc, 0.5, v1
  v_cmp_tru_f16_e32 vcc, v0, v1
  v_cmp_tru_f16_e64 s[2:3], v0, v1
  v_cmp_tru_f16_e64 s[2:3], v1, -1
  v_cmp_tru_f16_e64 s[2:3], -v0, |v1|
  v_cmp_tru_f16_e32 vcc, 0.5, v1
  v_cmp_f_f32_e32 vcc, v0, v1
  v_cmp_f_f32_e64 s[2:3], v0, v1
  v_cmp_f_f32_e64 vcc, v1, s4
  v_cmp_f_f32_e64 s[2:3], -v0, |v1|
  v_cmp_f_f32_e32 vcc, 0.5, v1
  v_cmp_lt_f32_e32 vcc, v0, v1
  v_cmp_lt_f32_e64 s[2:3], v0, v1
  v_cmp_lt_f32_e32 vcc, 3, v1
  v_cmp_lt_f32_e64 s[2:3], -v0, |v1|
  v_cmp_lt_f32_e32 vcc, 0.5, v1
  v_cmp_eq_f32_e32 vcc, v0, v1
  v_cmp_eq_f32_e64 s[2:3], v0, v1
  v_cmp_eq_f32_e64 s[2:3], v1, -1
  v_cmp_eq_f32_e64 s[2:3], -v0, |v1|
  v_cmp_eq_f32_e32 vcc, 0.5, v1
  v_cmp_le_f32_e32 vcc, v0, v1
  v_cmp_le_f32_e64 s[2:3], v0, v1
  v_cmp_le_f32_e32 vcc, s4, v1
  v_cmp_le_f32_e64 s[2:3], -v0, |v1|
  v_cmp_le_f32_e32 vcc, 0.5, v1
  v_cmp_gt_f32_e32 vcc, v0, v1
  v_cmp_gt_f32_e64 s[2:3], v0, v1
  v_cmp_gt_f32_e64 vcc, v1, s4
  v_cmp_gt_f32_e64 s[2:3], -v0, |v1|
  v_cmp_gt_f32_e32 vcc, 0.5, v1
  v_cmp_lg_f32_e32 vcc, v0, v1
  v_cmp_lg_f32_e64 s[2:3], v0, v1
  v_cmp_lg_f32_e32 vcc, 3, v1
  v_cmp_lg_f32_e64 s[2:3], -v0, |v1|
  v_cmp_lg_f32_e32 vcc, 0.5, v1
  v_cmp_ge_f32_e32 vcc, v0, v1
  v_cmp_ge_f32_e64 s[2:3], v0, v1
  v_cmp_ge_f32_e64 s[2:3], v1, -1
  v_cmp_ge_f32_e64 s[2:3], -v0, |v1|
  v_cmp_ge_f32_e32 vcc, 0.5, v1
  v_cmp_o_f32_e32 vcc, v0, v1
  v_cmp_o_f32_e64 s[2:3], v0, v1
  v_cmp_o_f32_e32 vcc, s4, v1
  v_cmp_o_f32_e64 s[2:3], -v0, |v1|
  v_cmp_o_f32_e32 vcc, 0.5, v1
  v_cmp_u_f32_e32 vcc, v0, v1
  v_cmp_u_f32_e64 s[2:3], v0, v1
  v_cmp_u_f32_e64 vcc, v1, s4
  v_cmp_u_f32_e64 s[2:3], -v0, |v1|
  v_cmp_u_f32_e32 vcc, 0.5, v1
  v_cmp_nge_f32_e32 vcc, v0, v1
  v_cmp_nge_f32_e64 s[2:3], v0, v1
  v_cmp_nge_f32_e32 vcc, 3, v1
  v_cmp_nge_f32_e64 s[2:3], -v0, |v1|
  v_cmp_nge_f32_e32 vcc, 0.5, v1
  v_cmp_nlg_f32_e32 vcc, v0, v1
  v_cmp_nlg_f32_e64 s[2:3], v0, v1
  v_cmp_nlg_f32_e64 s[2:3], v1, -1
  v_cmp_nlg_f32_e64 s[2:3], -v0, |v1|
  v_cmp_nlg_f32_e32 vcc, 0.5, v1
  v_cmp_ngt_f32_e32 vcc, v0, v1
  v_cmp_ngt_f32_e64 s[2:3], v0, v1
  v_cmp_ngt_f32_e32 vcc, s4, v1
  v_cmp_ngt_f32_e64 s[2:3], -v0, |v1|
  v_cmp_ngt_f32_e32 vcc, 0.5, v1
  v_cmp_nle_f32_e32 vcc, v0, v1
  v_cmp_nle_f32_e64 s[2:3], v0, v1
  v_cmp_nle_f32_e64 vcc, v1, s4
  v_cmp_nle_f32_e64 s[2:3], -v0, |v1|
  v_cmp_nle_f32_e32 vcc, 0.5, v1
  v_cmp_neq_f32_e32 vcc, v0, v1
  v_cmp_neq_f32_e64 s[2:3], v0, v1
  v_cmp_neq_f32_e32 vcc, 3, v1
  v_cmp_neq_f32_e64 s[2:3], -v0, |v1|
  v_cmp_neq_f32_e32 vcc, 0.5, v1
  v_cmp_nlt_f32_e32 vcc, v0, v1
  v_cmp_nlt_f32_e64 s[2:3], v0, v1
  v_cmp_nlt_f32_e32 vcc, s4, v1
  v_cmp_nlt_f32_e64 s[2:3], -v0, |v1|
  v_cmp_nlt_f32_e32 vcc, 0.5, v1
  v_cmp_tru_f32_e32 vcc, v0, v1
  v_cmp_tru_f32_e64 s[2:3], v0, v1
  v_cmp_tru_f32_e64 vcc, v1, s4
  v_cmp_tru_f32_e64 s[2:3], -v0, |v1|
  v_cmp_tru_f32_e32 vcc, 0.5, v1
  v_cmp_f_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_f_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_f_f64_e64 s[2:3], v[2:3], -1
  v_cmp_f_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_f_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_lt_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_lt_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_lt_f64_e32 vcc, s[4:5], v[2:3]
  v_cmp_lt_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_lt_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_eq_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_eq_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_eq_f64_e64 vcc, v[2:3], s[4:5]
  v_cmp_eq_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_eq_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_le_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_le_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_le_f64_e32 vcc, 3, v[2:3]
  v_cmp_le_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_le_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_gt_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_gt_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_gt_f64_e64 s[2:3], v[2:3], -1
  v_cmp_gt_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_gt_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_lg_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_lg_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_lg_f64_e32 vcc, s[4:5], v[2:3]
  v_cmp_lg_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_lg_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_ge_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ge_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ge_f64_e64 vcc, v[2:3], s[4:5]
  v_cmp_ge_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_ge_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_o_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_o_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_o_f64_e32 vcc, 3, v[2:3]
  v_cmp_o_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_o_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_u_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_u_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_u_f64_e64 s[2:3], v[2:3], -1
  v_cmp_u_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_u_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_nge_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_nge_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_nge_f64_e32 vcc, s[4:5], v[2:3]
  v_cmp_nge_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_nge_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_nlg_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_nlg_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_nlg_f64_e64 vcc, v[2:3], s[4:5]
  v_cmp_nlg_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_nlg_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_ngt_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ngt_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ngt_f64_e32 vcc, 3, v[2:3]
  v_cmp_ngt_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_ngt_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_nle_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_nle_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_nle_f64_e64 s[2:3], v[2:3], -1
  v_cmp_nle_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_nle_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_neq_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_neq_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_neq_f64_e32 vcc, s[4:5], v[2:3]
  v_cmp_neq_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_neq_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_nlt_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_nlt_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_nlt_f64_e32 vcc, 3, v[2:3]
  v_cmp_nlt_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_nlt_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_tru_f64_e32 vcc, v[0:1], v[2:3]
  v_cmp_tru_f64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_tru_f64_e64 s[2:3], v[2:3], -1
  v_cmp_tru_f64_e64 s[2:3], -v[0:1], |v[2:3]|
  v_cmp_tru_f64_e32 vcc, 0.5, v[2:3]
  v_cmp_f_i16_e32 vcc, v0, v1
  v_cmp_f_i16_e64 s[2:3], v0, v1
  v_cmp_f_i16_e64 vcc, v1, s4
  v_cmp_lt_i16_e32 vcc, v0, v1
  v_cmp_lt_i16_e64 s[2:3], v0, v1
  v_cmp_lt_i16_e32 vcc, 3, v1
  v_cmp_eq_i16_e32 vcc, v0, v1
  v_cmp_eq_i16_e64 s[2:3], v0, v1
  v_cmp_eq_i16_e64 s[2:3], v1, -1
  v_cmp_le_i16_e32 vcc, v0, v1
  v_cmp_le_i16_e64 s[2:3], v0, v1
  v_cmp_le_i16_e32 vcc, s4, v1
  v_cmp_gt_i16_e32 vcc, v0, v1
  v_cmp_gt_i16_e64 s[2:3], v0, v1
  v_cmp_gt_i16_e64 vcc, v1, s4
  v_cmp_ge_i16_e32 vcc, v0, v1
  v_cmp_ge_i16_e64 s[2:3], v0, v1
  v_cmp_ge_i16_e64 s[2:3], v1, -1
  v_cmp_ne_i16_e32 vcc, v0, v1
  v_cmp_ne_i16_e64 s[2:3], v0, v1
  v_cmp_ne_i16_e64 s[2:3], v1, -1
  v_cmp_t_i16_e32 vcc, v0, v1
  v_cmp_t_i16_e64 s[2:3], v0, v1
  v_cmp_t_i16_e32 vcc, 3, v1
  v_cmp_f_i32_e32 vcc, v0, v1
  v_cmp_f_i32_e64 s[2:3], v0, v1
  v_cmp_f_i32_e64 s[2:3], v1, -1
  v_cmp_lt_i32_e32 vcc, v0, v1
  v_cmp_lt_i32_e64 s[2:3], v0, v1
  v_cmp_lt_i32_e32 vcc, s4, v1
  v_cmp_eq_i32_e32 vcc, v0, v1
  v_cmp_eq_i32_e64 s[2:3], v0, v1
  v_cmp_eq_i32_e64 vcc, v1, s4
  v_cmp_le_i32_e32 vcc, v0, v1
  v_cmp_le_i32_e64 s[2:3], v0, v1
  v_cmp_le_i32_e32 vcc, 3, v1
  v_cmp_gt_i32_e32 vcc, v0, v1
  v_cmp_gt_i32_e64 s[2:3], v0, v1
  v_cmp_gt_i32_e64 s[2:3], v1, -1
  v_cmp_ge_i32_e32 vcc, v0, v1
  v_cmp_ge_i32_e64 s[2:3], v0, v1
  v_cmp_ge_i32_e64 vcc, v1, s4
  v_cmp_ne_i32_e32 vcc, v0, v1
  v_cmp_ne_i32_e64 s[2:3], v0, v1
  v_cmp_ne_i32_e64 vcc, v1, s4
  v_cmp_t_i32_e32 vcc, v0, v1
  v_cmp_t_i32_e64 s[2:3], v0, v1
  v_cmp_t_i32_e32 vcc, s4, v1
  v_cmp_f_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_f_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_f_i64_e64 vcc, v[2:3], s[4:5]
  v_cmp_lt_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_lt_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_lt_i64_e32 vcc, 3, v[2:3]
  v_cmp_eq_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_eq_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_eq_i64_e64 s[2:3], v[2:3], -1
  v_cmp_le_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_le_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_le_i64_e32 vcc, s[4:5], v[2:3]
  v_cmp_gt_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_gt_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_gt_i64_e64 vcc, v[2:3], s[4:5]
  v_cmp_ge_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ge_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ge_i64_e64 s[2:3], v[2:3], -1
  v_cmp_ne_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ne_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ne_i64_e64 s[2:3], v[2:3], -1
  v_cmp_t_i64_e32 vcc, v[0:1], v[2:3]
  v_cmp_t_i64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_t_i64_e32 vcc, 3, v[2:3]
  v_cmp_f_u16_e32 vcc, v0, v1
  v_cmp_f_u16_e64 s[2:3], v0, v1
  v_cmp_f_u16_e64 s[2:3], v1, -1
  v_cmp_lt_u16_e32 vcc, v0, v1
  v_cmp_lt_u16_e64 s[2:3], v0, v1
  v_cmp_lt_u16_e32 vcc, s4, v1
  v_cmp_eq_u16_e32 vcc, v0, v1
  v_cmp_eq_u16_e64 s[2:3], v0, v1
  v_cmp_eq_u16_e64 vcc, v1, s4
  v_cmp_le_u16_e32 vcc, v0, v1
  v_cmp_le_u16_e64 s[2:3], v0, v1
  v_cmp_le_u16_e32 vcc, 3, v1
  v_cmp_gt_u16_e32 vcc, v0, v1
  v_cmp_gt_u16_e64 s[2:3], v0, v1
  v_cmp_gt_u16_e64 s[2:3], v1, -1
  v_cmp_ge_u16_e32 vcc, v0, v1
  v_cmp_ge_u16_e64 s[2:3], v0, v1
  v_cmp_ge_u16_e64 vcc, v1, s4
  v_cmp_ne_u16_e32 vcc, v0, v1
  v_cmp_ne_u16_e64 s[2:3], v0, v1
  v_cmp_ne_u16_e64 vcc, v1, s4
  v_cmp_t_u16_e32 vcc, v0, v1
  v_cmp_t_u16_e64 s[2:3], v0, v1
  v_cmp_t_u16_e32 vcc, s4, v1
  v_cmp_f_u32_e32 vcc, v0, v1
  v_cmp_f_u32_e64 s[2:3], v0, v1
  v_cmp_f_u32_e64 vcc, v1, s4
  v_cmp_lt_u32_e32 vcc, v0, v1
  v_cmp_lt_u32_e64 s[2:3], v0, v1
  v_cmp_lt_u32_e32 vcc, 3, v1
  v_cmp_eq_u32_e32 vcc, v0, v1
  v_cmp_eq_u32_e64 s[2:3], v0, v1
  v_cmp_eq_u32_e64 s[2:3], v1, -1
  v_cmp_le_u32_e32 vcc, v0, v1
  v_cmp_le_u32_e64 s[2:3], v0, v1
  v_cmp_le_u32_e32 vcc, s4, v1
  v_cmp_gt_u32_e32 vcc, v0, v1
  v_cmp_gt_u32_e64 s[2:3], v0, v1
  v_cmp_gt_u32_e64 vcc, v1, s4
  v_cmp_ge_u32_e32 vcc, v0, v1
  v_cmp_ge_u32_e64 s[2:3], v0, v1
  v_cmp_ge_u32_e64 s[2:3], v1, -1
  v_cmp_ne_u32_e32 vcc, v0, v1
  v_cmp_ne_u32_e64 s[2:3], v0, v1
  v_cmp_ne_u32_e64 s[2:3], v1, -1
  v_cmp_t_u32_e32 vcc, v0, v1
  v_cmp_t_u32_e64 s[2:3], v0, v1
  v_cmp_t_u32_e32 vcc, 3, v1
  v_cmp_f_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_f_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_f_u64_e64 s[2:3], v[2:3], -1
  v_cmp_lt_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_lt_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_lt_u64_e32 vcc, s[4:5], v[2:3]
  v_cmp_eq_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_eq_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_eq_u64_e64 vcc, v[2:3], s[4:5]
  v_cmp_le_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_le_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_le_u64_e32 vcc, 3, v[2:3]
  v_cmp_gt_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_gt_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_gt_u64_e64 s[2:3], v[2:3], -1
  v_cmp_ge_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ge_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ge_u64_e64 vcc, v[2:3], s[4:5]
  v_cmp_ne_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_ne_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_ne_u64_e64 vcc, v[2:3], s[4:5]
  v_cmp_t_u64_e32 vcc, v[0:1], v[2:3]
  v_cmp_t_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmp_t_u64_e32 vcc, s[4:5], v[2:3]
  v_cmp_class_f16_e64 s[0:1], v0, v8
  v_cmp_class_f16_e32 vcc, v0, v8
  v_cmp_class_f16_e64 s[0:1], -v0, v8
  v_cmp_class_f16_e64 vcc, |v0|, 60
  v_cmp_class_f16_e32 vcc, s2, v8
  v_cmp_class_f32_e64 s[0:1], v0, v8
  v_cmp_class_f32_e32 vcc, v0, v8
  v_cmp_class_f32_e64 s[0:1], -v0, v8
  v_cmp_class_f32_e64 vcc, |v0|, 60
  v_cmp_class_f32_e32 vcc, s2, v8
  v_cmp_class_f64_e64 s[0:1], v[0:1], v8
  v_cmp_class_f64_e32 vcc, v[0:1], v8
  v_cmp_class_f64_e64 s[0:1], -v[0:1], v8
  v_cmp_class_f64_e64 vcc, |v[0:1]|, 60
  v_cmp_class_f64_e32 vcc, s[2:3], v8
  v_cmpx_f_f32_e32 vcc, v0, v1
  v_cmpx_f_f32_e64 s[2:3], v0, v1
  v_cmpx_lt_f32_e32 vcc, v0, v1
  v_cmpx_lt_f32_e64 s[2:3], v0, v1
  v_cmpx_eq_f32_e32 vcc, v0, v1
  v_cmpx_eq_f32_e64 s[2:3], v0, v1
  v_cmpx_le_f32_e32 vcc, v0, v1
  v_cmpx_le_f32_e64 s[2:3], v0, v1
  v_cmpx_gt_f32_e32 vcc, v0, v1
  v_cmpx_gt_f32_e64 s[2:3], v0, v1
  v_cmpx_lg_f32_e32 vcc, v0, v1
  v_cmpx_lg_f32_e64 s[2:3], v0, v1
  v_cmpx_ge_f32_e32 vcc, v0, v1
  v_cmpx_ge_f32_e64 s[2:3], v0, v1
  v_cmpx_o_f32_e32 vcc, v0, v1
  v_cmpx_o_f32_e64 s[2:3], v0, v1
  v_cmpx_u_f32_e32 vcc, v0, v1
  v_cmpx_u_f32_e64 s[2:3], v0, v1
  v_cmpx_nge_f32_e32 vcc, v0, v1
  v_cmpx_nge_f32_e64 s[2:3], v0, v1
  v_cmpx_nlg_f32_e32 vcc, v0, v1
  v_cmpx_nlg_f32_e64 s[2:3], v0, v1
  v_cmpx_ngt_f32_e32 vcc, v0, v1
  v_cmpx_ngt_f32_e64 s[2:3], v0, v1
  v_cmpx_nle_f32_e32 vcc, v0, v1
  v_cmpx_nle_f32_e64 s[2:3], v0, v1
  v_cmpx_neq_f32_e32 vcc, v0, v1
  v_cmpx_neq_f32_e64 s[2:3], v0, v1
  v_cmpx_nlt_f32_e32 vcc, v0, v1
  v_cmpx_nlt_f32_e64 s[2:3], v0, v1
  v_cmpx_tru_f32_e32 vcc, v0, v1
  v_cmpx_tru_f32_e64 s[2:3], v0, v1
  v_cmpx_f_i16_e32 vcc, v0, v1
  v_cmpx_f_i16_e64 s[2:3], v0, v1
  v_cmpx_lt_i16_e32 vcc, v0, v1
  v_cmpx_lt_i16_e64 s[2:3], v0, v1
  v_cmpx_eq_i16_e32 vcc, v0, v1
  v_cmpx_eq_i16_e64 s[2:3], v0, v1
  v_cmpx_le_i16_e32 vcc, v0, v1
  v_cmpx_le_i16_e64 s[2:3], v0, v1
  v_cmpx_gt_i16_e32 vcc, v0, v1
  v_cmpx_gt_i16_e64 s[2:3], v0, v1
  v_cmpx_ge_i16_e32 vcc, v0, v1
  v_cmpx_ge_i16_e64 s[2:3], v0, v1
  v_cmpx_ne_i16_e32 vcc, v0, v1
  v_cmpx_ne_i16_e64 s[2:3], v0, v1
  v_cmpx_t_i16_e32 vcc, v0, v1
  v_cmpx_t_i16_e64 s[2:3], v0, v1
  v_cmpx_f_i32_e32 vcc, v0, v1
  v_cmpx_f_i32_e64 s[2:3], v0, v1
  v_cmpx_lt_i32_e32 vcc, v0, v1
  v_cmpx_lt_i32_e64 s[2:3], v0, v1
  v_cmpx_eq_i32_e32 vcc, v0, v1
  v_cmpx_eq_i32_e64 s[2:3], v0, v1
  v_cmpx_le_i32_e32 vcc, v0, v1
  v_cmpx_le_i32_e64 s[2:3], v0, v1
  v_cmpx_gt_i32_e32 vcc, v0, v1
  v_cmpx_gt_i32_e64 s[2:3], v0, v1
  v_cmpx_ge_i32_e32 vcc, v0, v1
  v_cmpx_ge_i32_e64 s[2:3], v0, v1
  v_cmpx_ne_i32_e32 vcc, v0, v1
  v_cmpx_ne_i32_e64 s[2:3], v0, v1
  v_cmpx_t_i32_e32 vcc, v0, v1
  v_cmpx_t_i32_e64 s[2:3], v0, v1
  v_cmpx_f_u32_e32 vcc, v0, v1
  v_cmpx_f_u32_e64 s[2:3], v0, v1
  v_cmpx_lt_u32_e32 vcc, v0, v1
  v_cmpx_lt_u32_e64 s[2:3], v0, v1
  v_cmpx_eq_u32_e32 vcc, v0, v1
  v_cmpx_eq_u32_e64 s[2:3], v0, v1
  v_cmpx_le_u32_e32 vcc, v0, v1
  v_cmpx_le_u32_e64 s[2:3], v0, v1
  v_cmpx_gt_u32_e32 vcc, v0, v1
  v_cmpx_gt_u32_e64 s[2:3], v0, v1
  v_cmpx_ge_u32_e32 vcc, v0, v1
  v_cmpx_ge_u32_e64 s[2:3], v0, v1
  v_cmpx_ne_u32_e32 vcc, v0, v1
  v_cmpx_ne_u32_e64 s[2:3], v0, v1
  v_cmpx_t_u32_e32 vcc, v0, v1
  v_cmpx_t_u32_e64 s[2:3], v0, v1
  v_cmpx_f_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_f_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_lt_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_lt_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_eq_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_eq_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_le_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_le_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_gt_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_gt_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_ge_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_ge_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_ne_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_ne_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_t_u64_e32 vcc, v[0:1], v[2:3]
  v_cmpx_t_u64_e64 s[2:3], v[0:1], v[2:3]
  v_cmpx_class_f32_e64 s[0:1], v0, v8
  v_cmpx_class_f32_e32 vcc, v0, v8
  v_cmpx_class_f32_e64 s[0:1], -v0, v8
  v_cmpx_class_f32_e64 vcc, |v0|, 60
  v_cmpx_class_f32_e32 vcc, s2, v8

; Packed
  v_pk_add_f16 v0, v1, v2
  v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_add_f16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_add_f16 v0, v1, s0
  v_pk_add_f16 v0, 2.0, v1 op_sel_hi:[0,1]
  v_pk_add_f16 v0, v1, v2 neg_lo:[1,0] neg_hi:[0,1]
  v_pk_add_f16 v0, v1, v2 clamp
  v_pk_mul_f16 v0, v1, v2
  v_pk_mul_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_mul_f16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_mul_f16 v0, v1, s0
  v_pk_mul_f16 v0, 2.0, v1 op_sel_hi:[0,1]
  v_pk_mul_f16 v0, v1, v2 neg_lo:[1,0] neg_hi:[0,1]
  v_pk_mul_f16 v0, v1, v2 clamp
  v_pk_fma_f16 v0, v1, v2, v3
  v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[0,1,0]
  v_pk_fma_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_pk_fma_f16 v0, v1, s0, v2
  v_pk_fma_f16 v0, 2.0, v1, v2 op_sel_hi:[0,1,1]
  v_pk_fma_f16 v0, v1, v2, v3 neg_lo:[1,0,1] neg_hi:[0,1,1]
  v_pk_fma_f16 v0, v1, v2, v3 clamp
  v_pk_min_f16 v0, v1, v2
  v_pk_min_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_min_f16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_min_f16 v0, v1, s0
  v_pk_min_f16 v0, 2.0, v1 op_sel_hi:[0,1]
  v_pk_min_f16 v0, v1, v2 neg_lo:[1,0] neg_hi:[0,1]
  v_pk_min_f16 v0, v1, v2 clamp
  v_pk_max_f16 v0, v1, v2
  v_pk_max_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_max_f16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_max_f16 v0, v1, s0
  v_pk_max_f16 v0, 2.0, v1 op_sel_hi:[0,1]
  v_pk_max_f16 v0, v1, v2 neg_lo:[1,0] neg_hi:[0,1]
  v_pk_max_f16 v0, v1, v2 clamp
  v_pk_add_f32 v[0:1], v[2:3], v[4:5]
  v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]
  v_pk_add_f32 v[0:1], v[2:3], s[0:1]
  v_pk_add_f32 v[0:1], 2.0, v[2:3] op_sel_hi:[0,1]
  v_pk_add_f32 v[0:1], v[2:3], v[4:5] neg_lo:[1,0] neg_hi:[0,1]
  v_pk_mul_f32 v[0:1], v[2:3], v[4:5]
  v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]
  v_pk_mul_f32 v[0:1], v[2:3], s[0:1]
  v_pk_mul_f32 v[0:1], 2.0, v[2:3] op_sel_hi:[0,1]
  v_pk_mul_f32 v[0:1], v[2:3], v[4:5] neg_lo:[1,0] neg_hi:[0,1]
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel:[1,0,1] op_sel_hi:[0,1,0]
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel_hi:[1,0,1]
  v_pk_fma_f32 v[0:1], v[2:3], s[0:1], v[4:5]
  v_pk_fma_f32 v[0:1], 2.0, v[2:3], v[4:5] op_sel_hi:[0,1,1]
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[1,0,1] neg_hi:[0,1,1]
  v_pk_add_u16 v0, v1, v2
  v_pk_add_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_add_u16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_add_u16 v0, v1, s0
  v_pk_add_u16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_add_i16 v0, v1, v2
  v_pk_add_i16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_add_i16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_add_i16 v0, v1, s0
  v_pk_add_i16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_sub_u16 v0, v1, v2
  v_pk_sub_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_sub_u16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_sub_u16 v0, v1, s0
  v_pk_sub_u16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_sub_i16 v0, v1, v2
  v_pk_sub_i16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_sub_i16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_sub_i16 v0, v1, s0
  v_pk_sub_i16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_mul_lo_u16 v0, v1, v2
  v_pk_mul_lo_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_mul_lo_u16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_mul_lo_u16 v0, v1, s0
  v_pk_mul_lo_u16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_min_u16 v0, v1, v2
  v_pk_min_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_min_u16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_min_u16 v0, v1, s0
  v_pk_min_u16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_max_u16 v0, v1, v2
  v_pk_max_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_max_u16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_max_u16 v0, v1, s0
  v_pk_max_u16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_min_i16 v0, v1, v2
  v_pk_min_i16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_min_i16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_min_i16 v0, v1, s0
  v_pk_min_i16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_max_i16 v0, v1, v2
  v_pk_max_i16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_max_i16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_max_i16 v0, v1, s0
  v_pk_max_i16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_lshlrev_b16 v0, v1, v2
  v_pk_lshlrev_b16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_lshlrev_b16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_lshlrev_b16 v0, v1, s0
  v_pk_lshlrev_b16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_lshrrev_b16 v0, v1, v2
  v_pk_lshrrev_b16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_lshrrev_b16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_lshrrev_b16 v0, v1, s0
  v_pk_lshrrev_b16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_ashrrev_i16 v0, v1, v2
  v_pk_ashrrev_i16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]
  v_pk_ashrrev_i16 v0, v1, v2 op_sel_hi:[1,0]
  v_pk_ashrrev_i16 v0, v1, s0
  v_pk_ashrrev_i16 v0, 3, v1 op_sel_hi:[0,1]
  v_pk_mad_u16 v0, v1, v2, v3
  v_pk_mad_u16 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[0,1,0]
  v_pk_mad_u16 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_pk_mad_u16 v0, v1, s0, v2
  v_pk_mad_u16 v0, 3, v1, v2 op_sel_hi:[0,1,1]
  v_pk_mad_i16 v0, v1, v2, v3
  v_pk_mad_i16 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[0,1,0]
  v_pk_mad_i16 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_pk_mad_i16 v0, v1, s0, v2
  v_pk_mad_i16 v0, 3, v1, v2 op_sel_hi:[0,1,1]
  v_pk_mov_b32 v[0:1], v[2:3], v[4:5]
  v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[0,1]
  v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]
  v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,1]
  v_pk_mov_b32 v[0:1], s[0:1], v[4:5] op_sel:[1,0]
  v_pk_mov_b32 v[0:1], v[2:3], v[2:3] op_sel:[1,0]

; Mixed precision
  v_fma_mix_f32 v0, v1, v2, v3
  v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[1,1,1]
  v_fma_mix_f32 v0, -v1, v2, |v3| op_sel:[0,1,0] op_sel_hi:[1,1,0]
  v_fma_mix_f32 v0, s0, v2, v3 op_sel_hi:[1,0,0]
  v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,1,0] clamp
  v_fma_mixlo_f16 v0, v1, v2, v3
  v_fma_mixlo_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_fma_mixlo_f16 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[1,1,1]
  v_fma_mixlo_f16 v0, -v1, v2, |v3| op_sel:[0,1,0] op_sel_hi:[1,1,0]
  v_fma_mixlo_f16 v0, s0, v2, v3 op_sel_hi:[1,0,0]
  v_fma_mixlo_f16 v0, v1, v2, v3 op_sel_hi:[1,1,0] clamp
  v_fma_mixhi_f16 v0, v1, v2, v3
  v_fma_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1]
  v_fma_mixhi_f16 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[1,1,1]
  v_fma_mixhi_f16 v0, -v1, v2, |v3| op_sel:[0,1,0] op_sel_hi:[1,1,0]
  v_fma_mixhi_f16 v0, s0, v2, v3 op_sel_hi:[1,0,0]
  v_fma_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,1,0] clamp

; Carries and wide products
  v_add_co_u32_e32 v0, vcc, v1, v2
  v_add_co_u32_e64 v0, s[0:1], v1, v2
  v_add_co_u32_e32 v0, vcc, s2, v2
  v_add_co_u32_e32 v0, vcc, -1, v2
  v_add_co_u32_e64 v0, s[0:1], v1, s2
  v_add_co_u32_e32 v0, vcc, 0x89abcdef, v2
  v_sub_co_u32_e32 v0, vcc, v1, v2
  v_sub_co_u32_e64 v0, s[0:1], v1, v2
  v_sub_co_u32_e32 v0, vcc, s2, v2
  v_sub_co_u32_e32 v0, vcc, -1, v2
  v_sub_co_u32_e64 v0, s[0:1], v1, s2
  v_sub_co_u32_e32 v0, vcc, 0x89abcdef, v2
  v_subrev_co_u32_e32 v0, vcc, v1, v2
  v_subrev_co_u32_e64 v0, s[0:1], v1, v2
  v_subrev_co_u32_e32 v0, vcc, s2, v2
  v_subrev_co_u32_e32 v0, vcc, -1, v2
  v_subrev_co_u32_e64 v0, s[0:1], v1, s2
  v_subrev_co_u32_e32 v0, vcc, 0x89abcdef, v2
  v_addc_co_u32_e32 v0, vcc, v1, v2, vcc
  v_addc_co_u32_e64 v0, s[0:1], v1, v2, s[2:3]
  v_addc_co_u32_e64 v0, vcc, v1, v2, s[2:3]
  v_addc_co_u32_e64 v0, s[0:1], v1, 0, vcc
  v_addc_co_u32_e32 v0, vcc, 0, v2, vcc
  v_addc_co_u32_e64 v0, s[2:3], 0, v1, s[2:3]
  v_subb_co_u32_e32 v0, vcc, v1, v2, vcc
  v_subb_co_u32_e64 v0, s[0:1], v1, v2, s[2:3]
  v_subb_co_u32_e64 v0, vcc, v1, v2, s[2:3]
  v_subb_co_u32_e64 v0, s[0:1], v1, 0, vcc
  v_subb_co_u32_e32 v0, vcc, 0, v2, vcc
  v_subb_co_u32_e64 v0, s[2:3], 0, v1, s[2:3]
  v_subbrev_co_u32_e32 v0, vcc, v1, v2, vcc
  v_subbrev_co_u32_e64 v0, s[0:1], v1, v2, s[2:3]
  v_subbrev_co_u32_e64 v0, vcc, v1, v2, s[2:3]
  v_subbrev_co_u32_e64 v0, s[0:1], v1, 0, vcc
  v_subbrev_co_u32_e32 v0, vcc, 0, v2, vcc
  v_subbrev_co_u32_e64 v0, s[2:3], 0, v1, s[2:3]
  v_mad_u64_u32 v[0:1], s[0:1], v2, v3, v[4:5]
  v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
  v_mad_u64_u32 v[0:1], s[0:1], v2, s3, v[4:5]
  v_mad_u64_u32 v[0:1], s[0:1], s3, v2, v[4:5]
  v_mad_u64_u32 v[0:1], s[0:1], v2, v3, 0
  v_mad_u64_u32 v[0:1], s[0:1], v2, -5, v[0:1]
  v_mad_i64_i32 v[0:1], s[0:1], v2, v3, v[4:5]
  v_mad_i64_i32 v[0:1], vcc, v2, v3, v[4:5]
  v_mad_i64_i32 v[0:1], s[0:1], v2, s3, v[4:5]
  v_mad_i64_i32 v[0:1], s[0:1], s3, v2, v[4:5]
  v_mad_i64_i32 v[0:1], s[0:1], v2, v3, 0
  v_mad_i64_i32 v[0:1], s[0:1], v2, -5, v[0:1]

; Division
  v_div_scale_f32 v0, vcc, v1, v1, v2
  v_div_scale_f32 v0, vcc, v2, v1, v2
  v_div_scale_f32 v0, s[0:1], v1, v1, v2
  v_div_scale_f32 v0, s[0:1], v2, v1, v2
  v_div_scale_f32 v0, vcc, 1.0, v1, 1.0
  v_div_scale_f32 v0, s[0:1], v1, v1, 1.0
  v_div_scale_f32 v0, s[0:1], s2, s2, v2
  v_div_scale_f32 v0, vcc, v3, v1, v2
  v_div_scale_f64 v[0:1], vcc, v[2:3], v[4:5], v[2:3]
  v_div_scale_f64 v[0:1], s[0:1], v[4:5], v[4:5], v[2:3]
  v_div_scale_f64 v[0:1], s[0:1], v[4:5], v[4:5], 1.0
  v_div_fmas_f32 v0, v1, v2, v3
  v_div_fmas_f32 v0, -v1, v2, v3
  v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]

; Selection and lanes
  v_cndmask_b32_e32 v0, v1, v2, vcc
  v_cndmask_b32_e64 v0, v1, v2, s[0:1]
  v_cndmask_b32_e32 v0, 0, v2, vcc
  v_cndmask_b32_e64 v0, 0, 1, s[0:1]
  v_cndmask_b32_e64 v0, 0, 1.0, vcc
  v_cndmask_b32_e64 v0, -v1, |v2|, s[0:1]
  v_cndmask_b32_e64 v0, v1, -1, vcc
  v_cndmask_b32_e64 v0, v1, -v2, s[0:1]
  v_readlane_b32 s0, v1, 5
  v_readlane_b32 s0, v1, 63
  v_readlane_b32 s0, v1, s2
  v_readlane_b32 s0, v1, m0
  v_readfirstlane_b32 s0, v1
  v_readfirstlane_b32 vcc_lo, v1
  v_writelane_b32 v0, s1, 7
  v_writelane_b32 v0, -3, 62
  v_swap_b32 v0, v1

; Scalar
  s_and_b32 s0, s1, s2
  s_and_b32 s0, vcc_lo, s2
  s_and_b32 s0, s1, -9
  s_and_b32 s0, 0x80001234, s2
  s_and_b32 s0, s1, 45
  s_or_b32 s0, s1, s2
  s_or_b32 s0, vcc_lo, s2
  s_or_b32 s0, s1, -9
  s_or_b32 s0, 0x80001234, s2
  s_or_b32 s0, s1, 45
  s_xor_b32 s0, s1, s2
  s_xor_b32 s0, vcc_lo, s2
  s_xor_b32 s0, s1, -9
  s_xor_b32 s0, 0x80001234, s2
  s_xor_b32 s0, s1, 45
  s_andn2_b32 s0, s1, s2
  s_andn2_b32 s0, vcc_lo, s2
  s_andn2_b32 s0, s1, -9
  s_andn2_b32 s0, 0x80001234, s2
  s_andn2_b32 s0, s1, 45
  s_orn2_b32 s0, s1, s2
  s_orn2_b32 s0, vcc_lo, s2
  s_orn2_b32 s0, s1, -9
  s_orn2_b32 s0, 0x80001234, s2
  s_orn2_b32 s0, s1, 45
  s_nand_b32 s0, s1, s2
  s_nand_b32 s0, vcc_lo, s2
  s_nand_b32 s0, s1, -9
  s_nand_b32 s0, 0x80001234, s2
  s_nand_b32 s0, s1, 45
  s_nor_b32 s0, s1, s2
  s_nor_b32 s0, vcc_lo, s2
  s_nor_b32 s0, s1, -9
  s_nor_b32 s0, 0x80001234, s2
  s_nor_b32 s0, s1, 45
  s_xnor_b32 s0, s1, s2
  s_xnor_b32 s0, vcc_lo, s2
  s_xnor_b32 s0, s1, -9
  s_xnor_b32 s0, 0x80001234, s2
  s_xnor_b32 s0, s1, 45
  s_mov_b32 s0, s1
  s_mov_b32 s0, vcc_lo
  s_mov_b32 s0, -9
  s_mov_b32 s0, 0x80001234
  s_cmov_b32 s0, s1
  s_cmov_b32 s0, vcc_lo
  s_cmov_b32 s0, -9
  s_cmov_b32 s0, 0x80001234
  s_not_b32 s0, s1
  s_not_b32 s0, vcc_lo
  s_not_b32 s0, -9
  s_not_b32 s0, 0x80001234
  s_brev_b32 s0, s1
  s_brev_b32 s0, vcc_lo
  s_brev_b32 s0, -9
  s_brev_b32 s0, 0x80001234
  s_cselect_b32 s0, s1, s2
  s_cselect_b32 s0, vcc_lo, s2
  s_cselect_b32 s0, s1, -9
  s_cselect_b32 s0, 0x80001234, s2
  s_cselect_b32 s0, s1, 45
  s_lshl_b32 s0, s1, s2
  s_lshl_b32 s0, vcc_lo, s2
  s_lshl_b32 s0, s1, -9
  s_lshl_b32 s0, 0x80001234, s2
  s_lshl_b32 s0, s1, 45
  s_lshr_b32 s0, s1, s2
  s_lshr_b32 s0, vcc_lo, s2
  s_lshr_b32 s0, s1, -9
  s_lshr_b32 s0, 0x80001234, s2
  s_lshr_b32 s0, s1, 45
  s_ashr_i32 s0, s1, s2
  s_ashr_i32 s0, vcc_lo, s2
  s_ashr_i32 s0, s1, -9
  s_ashr_i32 s0, 0x80001234, s2
  s_ashr_i32 s0, s1, 45
  s_bfe_u32 s0, s1, s2
  s_bfe_u32 s0, vcc_lo, s2
  s_bfe_u32 s0, s1, -9
  s_bfe_u32 s0, 0x80001234, s2
  s_bfe_u32 s0, s1, 0x120007
  s_bfe_i32 s0, s1, s2
  s_bfe_i32 s0, vcc_lo, s2
  s_bfe_i32 s0, s1, -9
  s_bfe_i32 s0, 0x80001234, s2
  s_bfe_i32 s0, s1, 0x120007
  s_bcnt1_i32_b32 s0, s1
  s_bcnt1_i32_b32 s0, vcc_lo
  s_bcnt1_i32_b32 s0, -9
  s_bcnt1_i32_b32 s0, 0x80001234
  s_bcnt0_i32_b32 s0, s1
  s_bcnt0_i32_b32 s0, vcc_lo
  s_bcnt0_i32_b32 s0, -9
  s_bcnt0_i32_b32 s0, 0x80001234
  s_ff1_i32_b32 s0, s1
  s_ff1_i32_b32 s0, vcc_lo
  s_ff1_i32_b32 s0, -9
  s_ff1_i32_b32 s0, 0x80001234
  s_flbit_i32_b32 s0, s1
  s_flbit_i32_b32 s0, vcc_lo
  s_flbit_i32_b32 s0, -9
  s_flbit_i32_b32 s0, 0x80001234
  s_bitcmp0_b32 s0, s1
  s_bitcmp0_b32 s0, 12
  s_bitcmp0_b32 -3, s1
  s_bitcmp0_b32 s0, 0x80000001
  s_bitcmp1_b32 s0, s1
  s_bitcmp1_b32 s0, 12
  s_bitcmp1_b32 -3, s1
  s_bitcmp1_b32 s0, 0x80000001
  s_and_b64 s[0:1], s[2:3], s[4:5]
  s_and_b64 s[0:1], vcc, s[4:5]
  s_and_b64 s[0:1], s[2:3], -9
  s_and_b64 s[0:1], exec, s[4:5]
  s_and_b64 s[0:1], s[2:3], 17
  s_or_b64 s[0:1], s[2:3], s[4:5]
  s_or_b64 s[0:1], vcc, s[4:5]
  s_or_b64 s[0:1], s[2:3], -9
  s_or_b64 s[0:1], exec, s[4:5]
  s_or_b64 s[0:1], s[2:3], 17
  s_xor_b64 s[0:1], s[2:3], s[4:5]
  s_xor_b64 s[0:1], vcc, s[4:5]
  s_xor_b64 s[0:1], s[2:3], -9
  s_xor_b64 s[0:1], exec, s[4:5]
  s_xor_b64 s[0:1], s[2:3], 17
  s_andn2_b64 s[0:1], s[2:3], s[4:5]
  s_andn2_b64 s[0:1], vcc, s[4:5]
  s_andn2_b64 s[0:1], s[2:3], -9
  s_andn2_b64 s[0:1], exec, s[4:5]
  s_andn2_b64 s[0:1], s[2:3], 17
  s_orn2_b64 s[0:1], s[2:3], s[4:5]
  s_orn2_b64 s[0:1], vcc, s[4:5]
  s_orn2_b64 s[0:1], s[2:3], -9
  s_orn2_b64 s[0:1], exec, s[4:5]
  s_orn2_b64 s[0:1], s[2:3], 17
  s_nand_b64 s[0:1], s[2:3], s[4:5]
  s_nand_b64 s[0:1], vcc, s[4:5]
  s_nand_b64 s[0:1], s[2:3], -9
  s_nand_b64 s[0:1], exec, s[4:5]
  s_nand_b64 s[0:1], s[2:3], 17
  s_nor_b64 s[0:1], s[2:3], s[4:5]
  s_nor_b64 s[0:1], vcc, s[4:5]
  s_nor_b64 s[0:1], s[2:3], -9
  s_nor_b64 s[0:1], exec, s[4:5]
  s_nor_b64 s[0:1], s[2:3], 17
  s_xnor_b64 s[0:1], s[2:3], s[4:5]
  s_xnor_b64 s[0:1], vcc, s[4:5]
  s_xnor_b64 s[0:1], s[2:3], -9
  s_xnor_b64 s[0:1], exec, s[4:5]
  s_xnor_b64 s[0:1], s[2:3], 17
  s_mov_b64 s[0:1], s[2:3]
  s_mov_b64 s[0:1], vcc
  s_mov_b64 s[0:1], -9
  s_mov_b64 s[0:1], exec
  s_cmov_b64 s[0:1], s[2:3]
  s_cmov_b64 s[0:1], vcc
  s_cmov_b64 s[0:1], -9
  s_cmov_b64 s[0:1], exec
  s_not_b64 s[0:1], s[2:3]
  s_not_b64 s[0:1], vcc
  s_not_b64 s[0:1], -9
  s_not_b64 s[0:1], exec
  s_brev_b64 s[0:1], s[2:3]
  s_brev_b64 s[0:1], vcc
  s_brev_b64 s[0:1], -9
  s_brev_b64 s[0:1], exec
  s_cselect_b64 s[0:1], s[2:3], s[4:5]
  s_cselect_b64 s[0:1], vcc, s[4:5]
  s_cselect_b64 s[0:1], s[2:3], -9
  s_cselect_b64 s[0:1], exec, s[4:5]
  s_cselect_b64 s[0:1], s[2:3], 17
  s_lshl_b64 s[0:1], s[2:3], s4
  s_lshl_b64 s[0:1], vcc, s4
  s_lshl_b64 s[0:1], s[2:3], -9
  s_lshl_b64 s[0:1], exec, s4
  s_lshl_b64 s[0:1], s[2:3], 45
  s_lshr_b64 s[0:1], s[2:3], s4
  s_lshr_b64 s[0:1], vcc, s4
  s_lshr_b64 s[0:1], s[2:3], -9
  s_lshr_b64 s[0:1], exec, s4
  s_lshr_b64 s[0:1], s[2:3], 45
  s_ashr_i64 s[0:1], s[2:3], s4
  s_ashr_i64 s[0:1], vcc, s4
  s_ashr_i64 s[0:1], s[2:3], -9
  s_ashr_i64 s[0:1], exec, s4
  s_ashr_i64 s[0:1], s[2:3], 45
  s_bfe_u64 s[0:1], s[2:3], s4
  s_bfe_u64 s[0:1], vcc, s4
  s_bfe_u64 s[0:1], s[2:3], -9
  s_bfe_u64 s[0:1], exec, s4
  s_bfe_u64 s[0:1], s[2:3], 0x120007
  s_bfe_i64 s[0:1], s[2:3], s4
  s_bfe_i64 s[0:1], vcc, s4
  s_bfe_i64 s[0:1], s[2:3], -9
  s_bfe_i64 s[0:1], exec, s4
  s_bfe_i64 s[0:1], s[2:3], 0x120007
  s_bcnt1_i32_b64 s0, s[2:3]
  s_bcnt1_i32_b64 s0, vcc
  s_bcnt1_i32_b64 s0, -9
  s_bcnt1_i32_b64 s0, exec
  s_bcnt0_i32_b64 s0, s[2:3]
  s_bcnt0_i32_b64 s0, vcc
  s_bcnt0_i32_b64 s0, -9
  s_bcnt0_i32_b64 s0, exec
  s_ff1_i32_b64 s0, s[2:3]
  s_ff1_i32_b64 s0, vcc
  s_ff1_i32_b64 s0, -9
  s_ff1_i32_b64 s0, exec
  s_flbit_i32_b64 s0, s[2:3]
  s_flbit_i32_b64 s0, vcc
  s_flbit_i32_b64 s0, -9
  s_flbit_i32_b64 s0, exec
  s_bitcmp0_b64 s[0:1], s2
  s_bitcmp0_b64 s[0:1], 12
  s_bitcmp0_b64 -3, s2
  s_bitcmp1_b64 s[0:1], s2
  s_bitcmp1_b64 s[0:1], 12
  s_bitcmp1_b64 -3, s2
  s_bfm_b32 s0, s1, s2
  s_bfm_b32 s0, vcc_lo, s2
  s_bfm_b32 s0, s1, -9
  s_bfm_b32 s0, 0x80001234, s2
  s_bfm_b32 s0, s1, 45
  s_bfm_b64 s[0:1], s2, s3
  s_bfm_b64 s[0:1], vcc_lo, s3
  s_bfm_b64 s[0:1], s2, -9
  s_bfm_b64 s[0:1], 0x80001234, s3
  s_bfm_b64 s[0:1], s2, 45
  s_cmp_eq_i32 s0, s1
  s_cmp_eq_i32 s0, 12
  s_cmp_eq_i32 -3, s1
  s_cmp_eq_i32 s0, 0x80000001
  s_cmpk_eq_i32 s0, 0x1234
  s_cmpk_eq_i32 s0, 0xfffb
  s_cmp_eq_u32 s0, s1
  s_cmp_eq_u32 s0, 12
  s_cmp_eq_u32 -3, s1
  s_cmp_eq_u32 s0, 0x80000001
  s_cmpk_eq_u32 s0, 0x8003
  s_cmpk_eq_u32 s0, 0x40
  s_cmpk_eq_u32 s0, 0xffff
  s_cmp_lg_i32 s0, s1
  s_cmp_lg_i32 s0, 12
  s_cmp_lg_i32 -3, s1
  s_cmp_lg_i32 s0, 0x80000001
  s_cmpk_lg_i32 s0, 0x1234
  s_cmpk_lg_i32 s0, 0xfffb
  s_cmp_lg_u32 s0, s1
  s_cmp_lg_u32 s0, 12
  s_cmp_lg_u32 -3, s1
  s_cmp_lg_u32 s0, 0x80000001
  s_cmpk_lg_u32 s0, 0x8003
  s_cmpk_lg_u32 s0, 0x40
  s_cmpk_lg_u32 s0, 0xffff
  s_cmp_gt_i32 s0, s1
  s_cmp_gt_i32 s0, 12
  s_cmp_gt_i32 -3, s1
  s_cmp_gt_i32 s0, 0x80000001
  s_cmpk_gt_i32 s0, 0x1234
  s_cmpk_gt_i32 s0, 0xfffb
  s_cmp_gt_u32 s0, s1
  s_cmp_gt_u32 s0, 12
  s_cmp_gt_u32 -3, s1
  s_cmp_gt_u32 s0, 0x80000001
  s_cmpk_gt_u32 s0, 0x8003
  s_cmpk_gt_u32 s0, 0x40
  s_cmpk_gt_u32 s0, 0xffff
  s_cmp_ge_i32 s0, s1
  s_cmp_ge_i32 s0, 12
  s_cmp_ge_i32 -3, s1
  s_cmp_ge_i32 s0, 0x80000001
  s_cmpk_ge_i32 s0, 0x1234
  s_cmpk_ge_i32 s0, 0xfffb
  s_cmp_ge_u32 s0, s1
  s_cmp_ge_u32 s0, 12
  s_cmp_ge_u32 -3, s1
  s_cmp_ge_u32 s0, 0x80000001
  s_cmpk_ge_u32 s0, 0x8003
  s_cmpk_ge_u32 s0, 0x40
  s_cmpk_ge_u32 s0, 0xffff
  s_cmp_lt_i32 s0, s1
  s_cmp_lt_i32 s0, 12
  s_cmp_lt_i32 -3, s1
  s_cmp_lt_i32 s0, 0x80000001
  s_cmpk_lt_i32 s0, 0x1234
  s_cmpk_lt_i32 s0, 0xfffb
  s_cmp_lt_u32 s0, s1
  s_cmp_lt_u32 s0, 12
  s_cmp_lt_u32 -3, s1
  s_cmp_lt_u32 s0, 0x80000001
  s_cmpk_lt_u32 s0, 0x8003
  s_cmpk_lt_u32 s0, 0x40
  s_cmpk_lt_u32 s0, 0xffff
  s_cmp_le_i32 s0, s1
  s_cmp_le_i32 s0, 12
  s_cmp_le_i32 -3, s1
  s_cmp_le_i32 s0, 0x80000001
  s_cmpk_le_i32 s0, 0x1234
  s_cmpk_le_i32 s0, 0xfffb
  s_cmp_le_u32 s0, s1
  s_cmp_le_u32 s0, 12
  s_cmp_le_u32 -3, s1
  s_cmp_le_u32 s0, 0x80000001
  s_cmpk_le_u32 s0, 0x8003
  s_cmpk_le_u32 s0, 0x40
  s_cmpk_le_u32 s0, 0xffff
  s_cmp_eq_u64 s[0:1], s[2:3]
  s_cmp_eq_u64 s[0:1], 12
  s_cmp_eq_u64 -3, s[2:3]
  s_cmp_lg_u64 s[0:1], s[2:3]
  s_cmp_lg_u64 s[0:1], 12
  s_cmp_lg_u64 -3, s[2:3]
  s_add_u32 s0, s1, s2
  s_add_u32 s0, vcc_lo, s2
  s_add_u32 s0, s1, -9
  s_add_u32 s0, 0x80001234, s2
  s_add_u32 s0, s1, 45
  s_addc_u32 s0, s1, s2
  s_addc_u32 s0, vcc_lo, s2
  s_addc_u32 s0, s1, -9
  s_addc_u32 s0, 0x80001234, s2
  s_addc_u32 s0, s1, 45
  s_sub_u32 s0, s1, s2
  s_sub_u32 s0, vcc_lo, s2
  s_sub_u32 s0, s1, -9
  s_sub_u32 s0, 0x80001234, s2
  s_sub_u32 s0, s1, 45
  s_subb_u32 s0, s1, s2
  s_subb_u32 s0, vcc_lo, s2
  s_subb_u32 s0, s1, -9
  s_subb_u32 s0, 0x80001234, s2
  s_subb_u32 s0, s1, 45
  s_add_i32 s0, s1, s2
  s_add_i32 s0, vcc_lo, s2
  s_add_i32 s0, s1, -9
  s_add_i32 s0, 0x80001234, s2
  s_add_i32 s0, s1, 45
  s_sub_i32 s0, s1, s2
  s_sub_i32 s0, vcc_lo, s2
  s_sub_i32 s0, s1, -9
  s_sub_i32 s0, 0x80001234, s2
  s_sub_i32 s0, s1, 45
  s_lshl1_add_u32 s0, s1, s2
  s_lshl1_add_u32 s0, vcc_lo, s2
  s_lshl1_add_u32 s0, s1, -9
  s_lshl1_add_u32 s0, 0x80001234, s2
  s_lshl1_add_u32 s0, s1, 45
  s_lshl2_add_u32 s0, s1, s2
  s_lshl2_add_u32 s0, vcc_lo, s2
  s_lshl2_add_u32 s0, s1, -9
  s_lshl2_add_u32 s0, 0x80001234, s2
  s_lshl2_add_u32 s0, s1, 45
  s_lshl3_add_u32 s0, s1, s2
  s_lshl3_add_u32 s0, vcc_lo, s2
  s_lshl3_add_u32 s0, s1, -9
  s_lshl3_add_u32 s0, 0x80001234, s2
  s_lshl3_add_u32 s0, s1, 45
  s_lshl4_add_u32 s0, s1, s2
  s_lshl4_add_u32 s0, vcc_lo, s2
  s_lshl4_add_u32 s0, s1, -9
  s_lshl4_add_u32 s0, 0x80001234, s2
  s_lshl4_add_u32 s0, s1, 45
  s_mul_i32 s0, s1, s2
  s_mul_i32 s0, vcc_lo, s2
  s_mul_i32 s0, s1, -9
  s_mul_i32 s0, 0x80001234, s2
  s_mul_i32 s0, s1, 45
  s_mul_hi_u32 s0, s1, s2
  s_mul_hi_u32 s0, vcc_lo, s2
  s_mul_hi_u32 s0, s1, -9
  s_mul_hi_u32 s0, 0x80001234, s2
  s_mul_hi_u32 s0, s1, 45
  s_mul_hi_i32 s0, s1, s2
  s_mul_hi_i32 s0, vcc_lo, s2
  s_mul_hi_i32 s0, s1, -9
  s_mul_hi_i32 s0, 0x80001234, s2
  s_mul_hi_i32 s0, s1, 45
  s_abs_i32 s0, s1
  s_abs_i32 s0, vcc_lo
  s_abs_i32 s0, -9
  s_abs_i32 s0, 0x80001234
  s_absdiff_i32 s0, s1, s2
  s_absdiff_i32 s0, vcc_lo, s2
  s_absdiff_i32 s0, s1, -9
  s_absdiff_i32 s0, 0x80001234, s2
  s_absdiff_i32 s0, s1, 45
  s_min_i32 s0, s1, s2
  s_min_i32 s0, vcc_lo, s2
  s_min_i32 s0, s1, -9
  s_min_i32 s0, 0x80001234, s2
  s_min_i32 s0, s1, 45
  s_min_u32 s0, s1, s2
  s_min_u32 s0, vcc_lo, s2
  s_min_u32 s0, s1, -9
  s_min_u32 s0, 0x80001234, s2
  s_min_u32 s0, s1, 45
  s_max_i32 s0, s1, s2
  s_max_i32 s0, vcc_lo, s2
  s_max_i32 s0, s1, -9
  s_max_i32 s0, 0x80001234, s2
  s_max_i32 s0, s1, 45
  s_max_u32 s0, s1, s2
  s_max_u32 s0, vcc_lo, s2
  s_max_u32 s0, s1, -9
  s_max_u32 s0, 0x80001234, s2
  s_max_u32 s0, s1, 45
  s_sext_i32_i8 s0, s1
  s_sext_i32_i8 s0, vcc_lo
  s_sext_i32_i8 s0, -9
  s_sext_i32_i8 s0, 0x80001234
  s_sext_i32_i16 s0, s1
  s_sext_i32_i16 s0, vcc_lo
  s_sext_i32_i16 s0, -9
  s_sext_i32_i16 s0, 0x80001234
  s_flbit_i32 s0, s1
  s_flbit_i32 s0, vcc_lo
  s_flbit_i32 s0, -9
  s_flbit_i32 s0, 0x80001234
  s_flbit_i32_i64 s0, s[2:3]
  s_flbit_i32_i64 s0, vcc
  s_flbit_i32_i64 s0, -9
  s_flbit_i32_i64 s0, exec
  s_bitset0_b32 s0, s1
  s_bitset0_b32 s0, vcc_lo
  s_bitset0_b32 s0, -9
  s_bitset0_b32 s0, 0x80001234
  s_bitset1_b32 s0, s1
  s_bitset1_b32 s0, vcc_lo
  s_bitset1_b32 s0, -9
  s_bitset1_b32 s0, 0x80001234
  s_pack_ll_b32_b16 s0, s1, s2
  s_pack_ll_b32_b16 s0, vcc_lo, s2
  s_pack_ll_b32_b16 s0, s1, -9
  s_pack_ll_b32_b16 s0, 0x80001234, s2
  s_pack_ll_b32_b16 s0, s1, 45
  s_pack_lh_b32_b16 s0, s1, s2
  s_pack_lh_b32_b16 s0, vcc_lo, s2
  s_pack_lh_b32_b16 s0, s1, -9
  s_pack_lh_b32_b16 s0, 0x80001234, s2
  s_pack_lh_b32_b16 s0, s1, 45
  s_pack_hh_b32_b16 s0, s1, s2
  s_pack_hh_b32_b16 s0, vcc_lo, s2
  s_pack_hh_b32_b16 s0, s1, -9
  s_pack_hh_b32_b16 s0, 0x80001234, s2
  s_pack_hh_b32_b16 s0, s1, 45
  s_movk_i32 s0, 0x7fff
  s_movk_i32 s0, 0x8001
  s_movk_i32 s0, 0xfff0
  s_addk_i32 s0, 0x7fff
  s_addk_i32 s0, 0x8001
  s_addk_i32 s0, 0xfff0
  s_mulk_i32 s0, 0x7fff
  s_mulk_i32 s0, 0x8001
  s_mulk_i32 s0, 0xfff0
  s_cmovk_i32 s0, 0x7fff
  s_cmovk_i32 s0, 0x8001
  s_cmovk_i32 s0, 0xfff0
  s_and_saveexec_b64 s[0:1], s[2:3]
  s_and_saveexec_b64 s[0:1], vcc
  s_and_saveexec_b64 s[0:1], -9
  s_and_saveexec_b64 s[0:1], exec
  s_or_saveexec_b64 s[0:1], s[2:3]
  s_or_saveexec_b64 s[0:1], vcc
  s_or_saveexec_b64 s[0:1], -9
  s_or_saveexec_b64 s[0:1], exec
  s_xor_saveexec_b64 s[0:1], s[2:3]
  s_xor_saveexec_b64 s[0:1], vcc
  s_xor_saveexec_b64 s[0:1], -9
  s_xor_saveexec_b64 s[0:1], exec
  s_andn2_saveexec_b64 s[0:1], s[2:3]
  s_andn2_saveexec_b64 s[0:1], vcc
  s_andn2_saveexec_b64 s[0:1], -9
  s_andn2_saveexec_b64 s[0:1], exec
  s_orn2_saveexec_b64 s[0:1], s[2:3]
  s_orn2_saveexec_b64 s[0:1], vcc
  s_orn2_saveexec_b64 s[0:1], -9
  s_orn2_saveexec_b64 s[0:1], exec
  s_nand_saveexec_b64 s[0:1], s[2:3]
  s_nand_saveexec_b64 s[0:1], vcc
  s_nand_saveexec_b64 s[0:1], -9
  s_nand_saveexec_b64 s[0:1], exec
  s_nor_saveexec_b64 s[0:1], s[2:3]
  s_nor_saveexec_b64 s[0:1], vcc
  s_nor_saveexec_b64 s[0:1], -9
  s_nor_saveexec_b64 s[0:1], exec
  s_xnor_saveexec_b64 s[0:1], s[2:3]
  s_xnor_saveexec_b64 s[0:1], vcc
  s_xnor_saveexec_b64 s[0:1], -9
  s_xnor_saveexec_b64 s[0:1], exec
  s_andn1_saveexec_b64 s[0:1], s[2:3]
  s_andn1_saveexec_b64 s[0:1], vcc
  s_andn1_saveexec_b64 s[0:1], -9
  s_andn1_saveexec_b64 s[0:1], exec
  s_orn1_saveexec_b64 s[0:1], s[2:3]
  s_orn1_saveexec_b64 s[0:1], vcc
  s_orn1_saveexec_b64 s[0:1], -9
  s_orn1_saveexec_b64 s[0:1], exec
  s_andn2_wrexec_b64 s[0:1], s[2:3]
  s_andn2_wrexec_b64 s[0:1], vcc
  s_andn2_wrexec_b64 s[0:1], -9
  s_andn2_wrexec_b64 s[0:1], exec
  s_andn1_wrexec_b64 s[0:1], s[2:3]
  s_andn1_wrexec_b64 s[0:1], vcc
  s_andn1_wrexec_b64 s[0:1], -9
  s_andn1_wrexec_b64 s[0:1], exec
  s_mov_b64 exec, s[0:1]
  s_mov_b64 vcc, s[0:1]
  s_mov_b32 m0, s0
  s_mov_b32 s0, m0
  s_mov_b32 vcc_hi, s0
  s_or_b64 exec, exec, s[0:1]
  s_and_b64 vcc, exec, vcc
  s_andn2_b64 exec, exec, s[0:1]
  s_xor_b64 exec, exec, s[0:1]
  s_cselect_b64 s[0:1], -1, 0
  s_cselect_b32 s0, 1.0, 0
  s_mov_b32 s0, 1.0
  s_mov_b64 s[0:1], -1
  s_mov_b64 s[0:1], 2.0
  s_mov_b64 s[0:1], 0x12345678
  s_and_b64 s[0:1], s[2:3], exec
  s_and_saveexec_b64 vcc, vcc
  s_lshl_b64 s[0:1], 1, s2
  s_bfe_u32 s0, s1, 0x200000
  s_bfe_i32 s0, s1, 0x100000
  s_bfe_i64 s[0:1], s[2:3], 0x200000
  s_bfe_u64 s[0:1], s[2:3], 0x400000

; Global and flat
  global_load_ubyte v0, v[6:7], off
  global_load_ubyte v0, v6, s[0:1]
  global_load_ubyte v0, v[6:7], off offset:-2048
  global_load_ubyte v0, v6, s[0:1] offset:2044
  global_load_ubyte v0, v[6:7], off offset:4095
  global_load_sbyte v0, v[6:7], off
  global_load_sbyte v0, v6, s[0:1]
  global_load_sbyte v0, v[6:7], off offset:-2048
  global_load_sbyte v0, v6, s[0:1] offset:2044
  global_load_sbyte v0, v[6:7], off offset:4095
  global_load_ushort v0, v[6:7], off
  global_load_ushort v0, v6, s[0:1]
  global_load_ushort v0, v[6:7], off offset:-2048
  global_load_ushort v0, v6, s[0:1] offset:2044
  global_load_ushort v0, v[6:7], off offset:4095
  global_load_sshort v0, v[6:7], off
  global_load_sshort v0, v6, s[0:1]
  global_load_sshort v0, v[6:7], off offset:-2048
  global_load_sshort v0, v6, s[0:1] offset:2044
  global_load_sshort v0, v[6:7], off offset:4095
  global_load_dword v0, v[6:7], off
  global_load_dword v0, v6, s[0:1]
  global_load_dword v0, v[6:7], off offset:-2048
  global_load_dword v0, v6, s[0:1] offset:2044
  global_load_dword v0, v[6:7], off offset:4095
  global_load_dwordx2 v[0:1], v[6:7], off
  global_load_dwordx2 v[0:1], v6, s[0:1]
  global_load_dwordx2 v[0:1], v[6:7], off offset:-2048
  global_load_dwordx2 v[0:1], v6, s[0:1] offset:2044
  global_load_dwordx2 v[0:1], v[6:7], off offset:4095
  global_load_dwordx3 v[0:2], v[6:7], off
  global_load_dwordx3 v[0:2], v6, s[0:1]
  global_load_dwordx3 v[0:2], v[6:7], off offset:-2048
  global_load_dwordx3 v[0:2], v6, s[0:1] offset:2044
  global_load_dwordx3 v[0:2], v[6:7], off offset:4095
  global_load_dwordx4 v[0:3], v[6:7], off
  global_load_dwordx4 v[0:3], v6, s[0:1]
  global_load_dwordx4 v[0:3], v[6:7], off offset:-2048
  global_load_dwordx4 v[0:3], v6, s[0:1] offset:2044
  global_load_dwordx4 v[0:3], v[6:7], off offset:4095
  global_load_short_d16 v0, v[6:7], off
  global_load_short_d16 v0, v6, s[0:1]
  global_load_short_d16 v0, v[6:7], off offset:-2048
  global_load_short_d16 v0, v6, s[0:1] offset:2044
  global_load_short_d16 v0, v[6:7], off offset:4095
  global_load_short_d16_hi v0, v[6:7], off
  global_load_short_d16_hi v0, v6, s[0:1]
  global_load_short_d16_hi v0, v[6:7], off offset:-2048
  global_load_short_d16_hi v0, v6, s[0:1] offset:2044
  global_load_short_d16_hi v0, v[6:7], off offset:4095
  global_load_ubyte_d16 v0, v[6:7], off
  global_load_ubyte_d16 v0, v6, s[0:1]
  global_load_ubyte_d16 v0, v[6:7], off offset:-2048
  global_load_ubyte_d16 v0, v6, s[0:1] offset:2044
  global_load_ubyte_d16 v0, v[6:7], off offset:4095
  global_load_ubyte_d16_hi v0, v[6:7], off
  global_load_ubyte_d16_hi v0, v6, s[0:1]
  global_load_ubyte_d16_hi v0, v[6:7], off offset:-2048
  global_load_ubyte_d16_hi v0, v6, s[0:1] offset:2044
  global_load_ubyte_d16_hi v0, v[6:7], off offset:4095
  global_load_sbyte_d16 v0, v[6:7], off
  global_load_sbyte_d16 v0, v6, s[0:1]
  global_load_sbyte_d16 v0, v[6:7], off offset:-2048
  global_load_sbyte_d16 v0, v6, s[0:1] offset:2044
  global_load_sbyte_d16 v0, v[6:7], off offset:4095
  global_load_sbyte_d16_hi v0, v[6:7], off
  global_load_sbyte_d16_hi v0, v6, s[0:1]
  global_load_sbyte_d16_hi v0, v[6:7], off offset:-2048
  global_load_sbyte_d16_hi v0, v6, s[0:1] offset:2044
  global_load_sbyte_d16_hi v0, v[6:7], off offset:4095
  global_store_byte v[6:7], v0, off
  global_store_byte v6, v0, s[0:1]
  global_store_byte v[6:7], v0, off offset:-2048
  global_store_byte v6, v0, s[0:1] offset:1022
  global_store_short v[6:7], v0, off
  global_store_short v6, v0, s[0:1]
  global_store_short v[6:7], v0, off offset:-2048
  global_store_short v6, v0, s[0:1] offset:1022
  global_store_dword v[6:7], v0, off
  global_store_dword v6, v0, s[0:1]
  global_store_dword v[6:7], v0, off offset:-2048
  global_store_dword v6, v0, s[0:1] offset:1022
  global_store_dwordx2 v[6:7], v[0:1], off
  global_store_dwordx2 v6, v[0:1], s[0:1]
  global_store_dwordx2 v[6:7], v[0:1], off offset:-2048
  global_store_dwordx2 v6, v[0:1], s[0:1] offset:1022
  global_store_dwordx3 v[6:7], v[0:2], off
  global_store_dwordx3 v6, v[0:2], s[0:1]
  global_store_dwordx3 v[6:7], v[0:2], off offset:-2048
  global_store_dwordx3 v6, v[0:2], s[0:1] offset:1022
  global_store_dwordx4 v[6:7], v[0:3], off
  global_store_dwordx4 v6, v[0:3], s[0:1]
  global_store_dwordx4 v[6:7], v[0:3], off offset:-2048
  global_store_dwordx4 v6, v[0:3], s[0:1] offset:1022
  global_store_short_d16_hi v[6:7], v0, off
  global_store_short_d16_hi v6, v0, s[0:1]
  global_store_short_d16_hi v[6:7], v0, off offset:-2048
  global_store_short_d16_hi v6, v0, s[0:1] offset:1022
  global_store_byte_d16_hi v[6:7], v0, off
  global_store_byte_d16_hi v6, v0, s[0:1]
  global_store_byte_d16_hi v[6:7], v0, off offset:-2048
  global_store_byte_d16_hi v6, v0, s[0:1] offset:1022
  flat_load_ubyte v0, v[6:7]
  flat_load_ubyte v0, v[6:7] offset:4095
  flat_load_sbyte v0, v[6:7]
  flat_load_sbyte v0, v[6:7] offset:4095
  flat_load_ushort v0, v[6:7]
  flat_load_ushort v0, v[6:7] offset:4095
  flat_load_sshort v0, v[6:7]
  flat_load_sshort v0, v[6:7] offset:4095
  flat_load_dword v0, v[6:7]
  flat_load_dword v0, v[6:7] offset:4095
  flat_load_dwordx2 v[0:1], v[6:7]
  flat_load_dwordx2 v[0:1], v[6:7] offset:4095
  flat_load_dwordx3 v[0:2], v[6:7]
  flat_load_dwordx3 v[0:2], v[6:7] offset:4095
  flat_load_dwordx4 v[0:3], v[6:7]
  flat_load_dwordx4 v[0:3], v[6:7] offset:4095
  flat_load_short_d16 v0, v[6:7]
  flat_load_short_d16 v0, v[6:7] offset:4095
  flat_load_short_d16_hi v0, v[6:7]
  flat_load_short_d16_hi v0, v[6:7] offset:4095
  flat_load_ubyte_d16 v0, v[6:7]
  flat_load_ubyte_d16 v0, v[6:7] offset:4095
  flat_load_ubyte_d16_hi v0, v[6:7]
  flat_load_ubyte_d16_hi v0, v[6:7] offset:4095
  flat_load_sbyte_d16 v0, v[6:7]
  flat_load_sbyte_d16 v0, v[6:7] offset:4095
  flat_load_sbyte_d16_hi v0, v[6:7]
  flat_load_sbyte_d16_hi v0, v[6:7] offset:4095
  flat_store_byte v[6:7], v0
  flat_store_byte v[6:7], v0 offset:12
  flat_store_short v[6:7], v0
  flat_store_short v[6:7], v0 offset:12
  flat_store_dword v[6:7], v0
  flat_store_dword v[6:7], v0 offset:12
  flat_store_dwordx2 v[6:7], v[0:1]
  flat_store_dwordx2 v[6:7], v[0:1] offset:12
  flat_store_dwordx3 v[6:7], v[0:2]
  flat_store_dwordx3 v[6:7], v[0:2] offset:12
  flat_store_dwordx4 v[6:7], v[0:3]
  flat_store_dwordx4 v[6:7], v[0:3] offset:12
  flat_store_short_d16_hi v[6:7], v0
  flat_store_short_d16_hi v[6:7], v0 offset:12
  flat_store_byte_d16_hi v[6:7], v0
  flat_store_byte_d16_hi v[6:7], v0 offset:12
  global_load_dword a0, v[6:7], off
  global_load_dwordx4 a[0:3], v6, s[0:1]
  global_store_dword v[6:7], a0, off
  global_store_dwordx4 v6, a[0:3], s[0:1] offset:16
  global_load_dwordx2 v[6:7], v[6:7], off

; Global atomics
  global_atomic_add v[6:7], v0, off
  global_atomic_add v6, v0, s[0:1] offset:8
  flat_atomic_add v[6:7], v0
  global_atomic_add_x2 v[6:7], v[0:1], off
  global_atomic_add_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_add_x2 v[6:7], v[0:1]
  global_atomic_sub v[6:7], v0, off
  global_atomic_sub v6, v0, s[0:1] offset:8
  flat_atomic_sub v[6:7], v0
  global_atomic_sub_x2 v[6:7], v[0:1], off
  global_atomic_sub_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_sub_x2 v[6:7], v[0:1]
  global_atomic_smin v[6:7], v0, off
  global_atomic_smin v6, v0, s[0:1] offset:8
  flat_atomic_smin v[6:7], v0
  global_atomic_smin_x2 v[6:7], v[0:1], off
  global_atomic_smin_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_smin_x2 v[6:7], v[0:1]
  global_atomic_smax v[6:7], v0, off
  global_atomic_smax v6, v0, s[0:1] offset:8
  flat_atomic_smax v[6:7], v0
  global_atomic_smax_x2 v[6:7], v[0:1], off
  global_atomic_smax_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_smax_x2 v[6:7], v[0:1]
  global_atomic_umin v[6:7], v0, off
  global_atomic_umin v6, v0, s[0:1] offset:8
  flat_atomic_umin v[6:7], v0
  global_atomic_umin_x2 v[6:7], v[0:1], off
  global_atomic_umin_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_umin_x2 v[6:7], v[0:1]
  global_atomic_umax v[6:7], v0, off
  global_atomic_umax v6, v0, s[0:1] offset:8
  flat_atomic_umax v[6:7], v0
  global_atomic_umax_x2 v[6:7], v[0:1], off
  global_atomic_umax_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_umax_x2 v[6:7], v[0:1]
  global_atomic_and v[6:7], v0, off
  global_atomic_and v6, v0, s[0:1] offset:8
  flat_atomic_and v[6:7], v0
  global_atomic_and_x2 v[6:7], v[0:1], off
  global_atomic_and_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_and_x2 v[6:7], v[0:1]
  global_atomic_or v[6:7], v0, off
  global_atomic_or v6, v0, s[0:1] offset:8
  flat_atomic_or v[6:7], v0
  global_atomic_or_x2 v[6:7], v[0:1], off
  global_atomic_or_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_or_x2 v[6:7], v[0:1]
  global_atomic_xor v[6:7], v0, off
  global_atomic_xor v6, v0, s[0:1] offset:8
  flat_atomic_xor v[6:7], v0
  global_atomic_xor_x2 v[6:7], v[0:1], off
  global_atomic_xor_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_xor_x2 v[6:7], v[0:1]
  global_atomic_swap v[6:7], v0, off
  global_atomic_swap v6, v0, s[0:1] offset:8
  flat_atomic_swap v[6:7], v0
  global_atomic_swap_x2 v[6:7], v[0:1], off
  global_atomic_swap_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_swap_x2 v[6:7], v[0:1]
  global_atomic_inc v[6:7], v0, off
  global_atomic_inc v6, v0, s[0:1] offset:8
  flat_atomic_inc v[6:7], v0
  global_atomic_inc_x2 v[6:7], v[0:1], off
  global_atomic_inc_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_inc_x2 v[6:7], v[0:1]
  global_atomic_dec v[6:7], v0, off
  global_atomic_dec v6, v0, s[0:1] offset:8
  flat_atomic_dec v[6:7], v0
  global_atomic_dec_x2 v[6:7], v[0:1], off
  global_atomic_dec_x2 v6, v[0:1], s[0:1] offset:8
  flat_atomic_dec_x2 v[6:7], v[0:1]
  global_atomic_cmpswap v[6:7], v[0:1], off
  global_atomic_cmpswap v6, v[0:1], s[0:1] offset:8
  flat_atomic_cmpswap v[6:7], v[0:1]
  global_atomic_cmpswap_x2 v[6:7], v[0:3], off
  global_atomic_cmpswap_x2 v6, v[0:3], s[0:1] offset:8
  flat_atomic_cmpswap_x2 v[6:7], v[0:3]
  global_atomic_add_f32 v[6:7], v0, off
  global_atomic_add_f32 v6, v0, s[0:1]
  global_atomic_add_f64 v[6:7], v[0:1], off
  global_atomic_add_f64 v6, v[0:1], s[0:1]
  flat_atomic_add_f64 v[6:7], v[0:1]
  global_atomic_min_f64 v[6:7], v[0:1], off
  global_atomic_min_f64 v6, v[0:1], s[0:1]
  flat_atomic_min_f64 v[6:7], v[0:1]
  global_atomic_max_f64 v[6:7], v[0:1], off
  global_atomic_max_f64 v6, v[0:1], s[0:1]
  flat_atomic_max_f64 v[6:7], v[0:1]
  global_atomic_pk_add_f16 v[6:7], v0, off
  global_atomic_pk_add_f16 v6, v0, s[0:1]

; Buffers
  buffer_load_ubyte v0, v6, s[0:3], 0 offen
  buffer_load_ubyte v0, v6, s[0:3], s4 offen offset:16
  buffer_load_ubyte v0, off, s[0:3], 0 offset:20
  buffer_load_ubyte v0, off, s[0:3], s4
  buffer_load_sbyte v0, v6, s[0:3], 0 offen
  buffer_load_sbyte v0, v6, s[0:3], s4 offen offset:16
  buffer_load_sbyte v0, off, s[0:3], 0 offset:20
  buffer_load_sbyte v0, off, s[0:3], s4
  buffer_load_ushort v0, v6, s[0:3], 0 offen
  buffer_load_ushort v0, v6, s[0:3], s4 offen offset:16
  buffer_load_ushort v0, off, s[0:3], 0 offset:20
  buffer_load_ushort v0, off, s[0:3], s4
  buffer_load_sshort v0, v6, s[0:3], 0 offen
  buffer_load_sshort v0, v6, s[0:3], s4 offen offset:16
  buffer_load_sshort v0, off, s[0:3], 0 offset:20
  buffer_load_sshort v0, off, s[0:3], s4
  buffer_load_dword v0, v6, s[0:3], 0 offen
  buffer_load_dword v0, v6, s[0:3], s4 offen offset:16
  buffer_load_dword v0, off, s[0:3], 0 offset:20
  buffer_load_dword v0, off, s[0:3], s4
  buffer_load_dwordx2 v[0:1], v6, s[0:3], 0 offen
  buffer_load_dwordx2 v[0:1], v6, s[0:3], s4 offen offset:16
  buffer_load_dwordx2 v[0:1], off, s[0:3], 0 offset:20
  buffer_load_dwordx2 v[0:1], off, s[0:3], s4
  buffer_load_dwordx3 v[0:2], v6, s[0:3], 0 offen
  buffer_load_dwordx3 v[0:2], v6, s[0:3], s4 offen offset:16
  buffer_load_dwordx3 v[0:2], off, s[0:3], 0 offset:20
  buffer_load_dwordx3 v[0:2], off, s[0:3], s4
  buffer_load_dwordx4 v[0:3], v6, s[0:3], 0 offen
  buffer_load_dwordx4 v[0:3], v6, s[0:3], s4 offen offset:16
  buffer_load_dwordx4 v[0:3], off, s[0:3], 0 offset:20
  buffer_load_dwordx4 v[0:3], off, s[0:3], s4
  buffer_load_short_d16 v0, v6, s[0:3], 0 offen
  buffer_load_short_d16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_short_d16 v0, off, s[0:3], 0 offset:20
  buffer_load_short_d16 v0, off, s[0:3], s4
  buffer_load_short_d16_hi v0, v6, s[0:3], 0 offen
  buffer_load_short_d16_hi v0, v6, s[0:3], s4 offen offset:16
  buffer_load_short_d16_hi v0, off, s[0:3], 0 offset:20
  buffer_load_short_d16_hi v0, off, s[0:3], s4
  buffer_load_ubyte_d16 v0, v6, s[0:3], 0 offen
  buffer_load_ubyte_d16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_ubyte_d16 v0, off, s[0:3], 0 offset:20
  buffer_load_ubyte_d16 v0, off, s[0:3], s4
  buffer_load_ubyte_d16_hi v0, v6, s[0:3], 0 offen
  buffer_load_ubyte_d16_hi v0, v6, s[0:3], s4 offen offset:16
  buffer_load_ubyte_d16_hi v0, off, s[0:3], 0 offset:20
  buffer_load_ubyte_d16_hi v0, off, s[0:3], s4
  buffer_load_sbyte_d16 v0, v6, s[0:3], 0 offen
  buffer_load_sbyte_d16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_sbyte_d16 v0, off, s[0:3], 0 offset:20
  buffer_load_sbyte_d16 v0, off, s[0:3], s4
  buffer_load_sbyte_d16_hi v0, v6, s[0:3], 0 offen
  buffer_load_sbyte_d16_hi v0, v6, s[0:3], s4 offen offset:16
  buffer_load_sbyte_d16_hi v0, off, s[0:3], 0 offset:20
  buffer_load_sbyte_d16_hi v0, off, s[0:3], s4
  buffer_store_byte v0, v6, s[0:3], 0 offen
  buffer_store_byte v0, v6, s[0:3], s4 offen offset:16
  buffer_store_short v0, v6, s[0:3], 0 offen
  buffer_store_short v0, v6, s[0:3], s4 offen offset:16
  buffer_store_dword v0, v6, s[0:3], 0 offen
  buffer_store_dword v0, v6, s[0:3], s4 offen offset:16
  buffer_store_dwordx2 v[0:1], v6, s[0:3], 0 offen
  buffer_store_dwordx2 v[0:1], v6, s[0:3], s4 offen offset:16
  buffer_store_dwordx3 v[0:2], v6, s[0:3], 0 offen
  buffer_store_dwordx3 v[0:2], v6, s[0:3], s4 offen offset:16
  buffer_store_dwordx4 v[0:3], v6, s[0:3], 0 offen
  buffer_store_dwordx4 v[0:3], v6, s[0:3], s4 offen offset:16
  buffer_store_short_d16_hi v0, v6, s[0:3], 0 offen
  buffer_store_short_d16_hi v0, v6, s[0:3], s4 offen offset:16
  buffer_store_byte_d16_hi v0, v6, s[0:3], 0 offen
  buffer_store_byte_d16_hi v0, v6, s[0:3], s4 offen offset:16
  buffer_atomic_add v0, v6, s[0:3], 0 offen
  buffer_atomic_smax v0, v6, s[0:3], 0 offen
  buffer_atomic_umin v0, v6, s[0:3], 0 offen
  buffer_atomic_or v0, v6, s[0:3], 0 offen
  buffer_atomic_swap v0, v6, s[0:3], 0 offen
  buffer_atomic_cmpswap v[0:1], v6, s[0:3], 0 offen
  buffer_atomic_add_x2 v[0:1], v6, s[0:3], 0 offen
  buffer_atomic_cmpswap_x2 v[0:3], v6, s[0:3], 0 offen
  buffer_atomic_add_f32 v0, v6, s[0:3], 0 offen
  buffer_atomic_pk_add_f16 v0, v6, s[0:3], 0 offen
  buffer_atomic_add_f64 v[0:1], v6, s[0:3], 0 offen

; LDS
  ds_read_b32 v0, v6
  ds_read_b32 v0, v6 offset:48
  ds_read_b64 v[0:1], v6
  ds_read_b64 v[0:1], v6 offset:48
  ds_read_b96 v[0:2], v6
  ds_read_b96 v[0:2], v6 offset:48
  ds_read_b128 v[0:3], v6
  ds_read_b128 v[0:3], v6 offset:48
  ds_read_u8 v0, v6
  ds_read_u8 v0, v6 offset:48
  ds_read_i8 v0, v6
  ds_read_i8 v0, v6 offset:48
  ds_read_u16 v0, v6
  ds_read_u16 v0, v6 offset:48
  ds_read_i16 v0, v6
  ds_read_i16 v0, v6 offset:48
  ds_read_u8_d16 v0, v6
  ds_read_u8_d16 v0, v6 offset:48
  ds_read_u8_d16_hi v0, v6
  ds_read_u8_d16_hi v0, v6 offset:48
  ds_read_i8_d16 v0, v6
  ds_read_i8_d16 v0, v6 offset:48
  ds_read_i8_d16_hi v0, v6
  ds_read_i8_d16_hi v0, v6 offset:48
  ds_read_u16_d16 v0, v6
  ds_read_u16_d16 v0, v6 offset:48
  ds_read_u16_d16_hi v0, v6
  ds_read_u16_d16_hi v0, v6 offset:48
  ds_write_b32 v6, v0
  ds_write_b32 v6, v0 offset:48
  ds_write_b64 v6, v[0:1]
  ds_write_b64 v6, v[0:1] offset:48
  ds_write_b96 v6, v[0:2]
  ds_write_b96 v6, v[0:2] offset:48
  ds_write_b128 v6, v[0:3]
  ds_write_b128 v6, v[0:3] offset:48
  ds_write_b8 v6, v0
  ds_write_b8 v6, v0 offset:48
  ds_write_b16 v6, v0
  ds_write_b16 v6, v0 offset:48
  ds_write_b8_d16_hi v6, v0
  ds_write_b8_d16_hi v6, v0 offset:48
  ds_write_b16_d16_hi v6, v0
  ds_write_b16_d16_hi v6, v0 offset:48
  ds_read2_b32 v[0:1], v6 offset1:1
  ds_read2_b32 v[0:1], v6 offset0:3 offset1:17
  ds_read2_b64 v[0:3], v6 offset1:1
  ds_read2_b64 v[0:3], v6 offset0:2 offset1:9
  ds_read2st64_b32 v[0:1], v6 offset1:4
  ds_read2st64_b32 v[0:1], v6 offset0:2 offset1:5
  ds_read2st64_b64 v[0:3], v6 offset1:2
  ds_write2_b32 v6, v0, v1 offset1:1
  ds_write2_b32 v6, v0, v1 offset0:3 offset1:17
  ds_write2_b64 v6, v[0:1], v[2:3] offset1:1
  ds_write2st64_b32 v6, v0, v1 offset1:2
  ds_write2st64_b64 v6, v[0:1], v[2:3] offset1:2
  ds_write_b32 v6, a0
  ds_read_b128 a[0:3], v6 offset:16
  ds_write_b64 v6, a[0:1]
  ds_write2_b32 v6, v0, v0 offset1:4
  ds_add_u32 v6, v0
  ds_add_u32 v6, v0 offset:16
  ds_add_rtn_u32 v10, v6, v0
  ds_sub_u32 v6, v0
  ds_sub_u32 v6, v0 offset:16
  ds_sub_rtn_u32 v10, v6, v0
  ds_min_i32 v6, v0
  ds_min_i32 v6, v0 offset:16
  ds_min_rtn_i32 v10, v6, v0
  ds_max_i32 v6, v0
  ds_max_i32 v6, v0 offset:16
  ds_max_rtn_i32 v10, v6, v0
  ds_min_u32 v6, v0
  ds_min_u32 v6, v0 offset:16
  ds_min_rtn_u32 v10, v6, v0
  ds_max_u32 v6, v0
  ds_max_u32 v6, v0 offset:16
  ds_max_rtn_u32 v10, v6, v0
  ds_and_b32 v6, v0
  ds_and_b32 v6, v0 offset:16
  ds_and_rtn_b32 v10, v6, v0
  ds_or_b32 v6, v0
  ds_or_b32 v6, v0 offset:16
  ds_or_rtn_b32 v10, v6, v0
  ds_xor_b32 v6, v0
  ds_xor_b32 v6, v0 offset:16
  ds_xor_rtn_b32 v10, v6, v0
  ds_inc_u32 v6, v0
  ds_inc_u32 v6, v0 offset:16
  ds_inc_rtn_u32 v10, v6, v0
  ds_dec_u32 v6, v0
  ds_dec_u32 v6, v0 offset:16
  ds_dec_rtn_u32 v10, v6, v0
  ds_add_u64 v6, v[0:1]
  ds_add_u64 v6, v[0:1] offset:16
  ds_add_rtn_u64 v[10:11], v6, v[0:1]
  ds_min_i64 v6, v[0:1]
  ds_min_i64 v6, v[0:1] offset:16
  ds_min_rtn_i64 v[10:11], v6, v[0:1]
  ds_max_u64 v6, v[0:1]
  ds_max_u64 v6, v[0:1] offset:16
  ds_max_rtn_u64 v[10:11], v6, v[0:1]
  ds_and_b64 v6, v[0:1]
  ds_and_b64 v6, v[0:1] offset:16
  ds_and_rtn_b64 v[10:11], v6, v[0:1]
  ds_or_b64 v6, v[0:1]
  ds_or_b64 v6, v[0:1] offset:16
  ds_or_rtn_b64 v[10:11], v6, v[0:1]
  ds_xor_b64 v6, v[0:1]
  ds_xor_b64 v6, v[0:1] offset:16
  ds_xor_rtn_b64 v[10:11], v6, v[0:1]
  ds_add_f32 v6, v0
  ds_add_f32 v6, v0 offset:16
  ds_add_rtn_f32 v10, v6, v0
  ds_min_f32 v6, v0
  ds_min_f32 v6, v0 offset:16
  ds_min_rtn_f32 v10, v6, v0
  ds_max_f32 v6, v0
  ds_max_f32 v6, v0 offset:16
  ds_max_rtn_f32 v10, v6, v0
  ds_add_f64 v6, v[0:1]
  ds_add_f64 v6, v[0:1] offset:16
  ds_add_rtn_f64 v[10:11], v6, v[0:1]
  ds_min_f64 v6, v[0:1]
  ds_min_f64 v6, v[0:1] offset:16
  ds_min_rtn_f64 v[10:11], v6, v[0:1]
  ds_max_f64 v6, v[0:1]
  ds_max_f64 v6, v[0:1] offset:16
  ds_max_rtn_f64 v[10:11], v6, v[0:1]
  ds_wrxchg_rtn_b32 v10, v6, v0
  ds_wrxchg_rtn_b64 v[10:11], v6, v[0:1]
  ds_cmpst_b32 v6, v0, v1
  ds_cmpst_rtn_b32 v10, v6, v0, v1
  ds_cmpst_rtn_b32 v10, v6, v0, v1 offset:8
  ds_cmpst_rtn_b64 v[10:11], v6, v[0:1], v[2:3]
  ds_cmpst_b64 v6, v[0:1], v[2:3]
  ds_bpermute_b32 v0, v1, v2
  ds_bpermute_b32 v0, v1, v2 offset:4
  ds_permute_b32 v0, v1, v2
  ds_permute_b32 v0, v1, v2 offset:8
  ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,1)
  ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)
  ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,1,0,3,2)
  ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE,8)
  ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,4,1)
  ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,32,17)
  ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,"01pip")
  ds_swizzle_b32 v0, v1 offset:33823
  ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,3,2,1,0)

; Loads into LDS
  buffer_load_dword v0, s[0:3], 0 offen lds
  buffer_load_dword v0, s[0:3], s4 offen offset:16 lds

; Scalar loads
  s_load_dword s8, s[0:1], 0x0
  s_load_dword s8, s[0:1], 0x54
  s_load_dword s8, s[0:1], s2
  s_load_dword s8, s[0:1], s2 offset:0x10
  s_load_dword s8, s[0:1], -0x20
  s_buffer_load_dword s8, s[0:3], 0x10
  s_buffer_load_dword s8, s[0:3], s4
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x54
  s_load_dwordx2 s[8:9], s[0:1], s2
  s_load_dwordx2 s[8:9], s[0:1], s2 offset:0x10
  s_load_dwordx2 s[8:9], s[0:1], -0x20
  s_buffer_load_dwordx2 s[8:9], s[0:3], 0x10
  s_buffer_load_dwordx2 s[8:9], s[0:3], s4
  s_load_dwordx4 s[8:11], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x54
  s_load_dwordx4 s[8:11], s[0:1], s2
  s_load_dwordx4 s[8:11], s[0:1], s2 offset:0x10
  s_load_dwordx4 s[8:11], s[0:1], -0x20
  s_buffer_load_dwordx4 s[8:11], s[0:3], 0x10
  s_buffer_load_dwordx4 s[8:11], s[0:3], s4
  s_load_dwordx8 s[8:15], s[0:1], 0x0
  s_load_dwordx8 s[8:15], s[0:1], 0x54
  s_load_dwordx8 s[8:15], s[0:1], s2
  s_load_dwordx8 s[8:15], s[0:1], s2 offset:0x10
  s_load_dwordx8 s[8:15], s[0:1], -0x20
  s_buffer_load_dwordx8 s[8:15], s[0:3], 0x10
  s_buffer_load_dwordx8 s[8:15], s[0:3], s4
  s_load_dwordx16 s[8:23], s[0:1], 0x0
  s_load_dwordx16 s[8:23], s[0:1], 0x54
  s_load_dwordx16 s[8:23], s[0:1], s2
  s_load_dwordx16 s[8:23], s[0:1], s2 offset:0x10
  s_load_dwordx16 s[8:23], s[0:1], -0x20
  s_buffer_load_dwordx16 s[8:23], s[0:3], 0x10
  s_buffer_load_dwordx16 s[8:23], s[0:3], s4
