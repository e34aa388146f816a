; Instruction forms under test, one instruction a line. What gfx1100 has, in waves of 32.

; Moves and bits
  v_mov_b32_e32 v0, v1
  v_mov_b32_e64 v0, v1
  v_mov_b32_e32 v0, s0
  v_mov_b32_e32 v0, -7
  v_mov_b32_e32 v0, 23
  v_mov_b32_e32 v0, 0x41234567
  v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_not_b32_e32 v0, v1
  v_not_b32_e64 v0, v1
  v_not_b32_e32 v0, s0
  v_not_b32_e32 v0, -7
  v_not_b32_e32 v0, 23
  v_not_b32_e32 v0, 0x41234567
  v_not_b32_dpp v0, v1 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_bfrev_b32_e32 v0, v1
  v_bfrev_b32_e64 v0, v1
  v_bfrev_b32_e32 v0, s0
  v_bfrev_b32_e32 v0, -7
  v_bfrev_b32_e32 v0, 23
  v_bfrev_b32_e32 v0, 0x41234567
  v_bfrev_b32_dpp v0, v1 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_and_b32_e32 v0, v1, v2
  v_and_b32_e64 v0, v1, v2
  v_and_b32_e32 v0, s0, v1
  v_and_b32_e32 v0, -7, v1
  v_and_b32_e32 v0, 23, v1
  v_and_b32_e32 v0, 0x41234567, v1
  v_and_b32_e64 v0, v1, s0
  v_and_b32_e64 v0, v1, 64
  v_and_b32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_or_b32_e32 v0, v1, v2
  v_or_b32_e64 v0, v1, v2
  v_or_b32_e32 v0, s0, v1
  v_or_b32_e32 v0, -7, v1
  v_or_b32_e32 v0, 23, v1
  v_or_b32_e32 v0, 0x41234567, v1
  v_or_b32_e64 v0, v1, s0
  v_or_b32_e64 v0, v1, 64
  v_or_b32_dpp v0, v1, v2 row_share:3 row_mask:0xf bank_mask:0xf
  v_xor_b32_e32 v0, v1, v2
  v_xor_b32_e64 v0, v1, v2
  v_xor_b32_e32 v0, s0, v1
  v_xor_b32_e32 v0, -7, v1
  v_xor_b32_e32 v0, 23, v1
  v_xor_b32_e32 v0, 0x41234567, v1
  v_xor_b32_e64 v0, v1, s0
  v_xor_b32_e64 v0, v1, 64
  v_xor_b32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_xnor_b32_e32 v0, v1, v2
  v_xnor_b32_e64 v0, v1, v2
  v_xnor_b32_e32 v0, s0, v1
  v_xnor_b32_e32 v0, -7, v1
  v_xnor_b32_e32 v0, 23, v1
  v_xnor_b32_e32 v0, 0x41234567, v1
  v_xnor_b32_e64 v0, v1, s0
  v_xnor_b32_e64 v0, v1, 64
  v_xnor_b32_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
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
  v_pack_b32_f16 v0, v1.l, v2.l
  v_pack_b32_f16 v0, v1.l, v2.h op_sel:[0,1,0]
  v_pack_b32_f16 v0, v1.h, v2.h op_sel:[1,1,0]
  v_pack_b32_f16 v0, s0, v1.l
  v_pack_b32_f16 v0, s0, v1.h op_sel:[0,1,0]
  v_pack_b32_f16 v0, 0.5, v1.l
  v_pack_b32_f16 v0, 0.5, v1.h op_sel:[0,1,0]
  v_pack_b32_f16 v0, 23, v1.l
  v_pack_b32_f16 v0, 23, v1.h op_sel:[0,1,0]
  v_pack_b32_f16 v0, v1.l, s0
  v_pack_b32_f16 v0, v1.h, s0 op_sel:[1,0,0]
  v_pack_b32_f16 v0, v1.l, -4.0
  v_pack_b32_f16 v0, v1.h, -4.0 op_sel:[1,0,0]
  v_pack_b32_f16 v0, -v1.l, |v2.l|
  v_pack_b32_f16 v0, -v1.l, |v2.h| op_sel:[0,1,0]
  v_pack_b32_f16 v0, -v1.h, |v2.h| op_sel:[1,1,0]
  v_pack_b32_f16 v0, -|v1.l|, v2.l
  v_pack_b32_f16 v0, -|v1.l|, v2.h op_sel:[0,1,0]
  v_pack_b32_f16 v0, -|v1.h|, v2.h op_sel:[1,1,0]

; Integers
  v_add_nc_u32_e32 v0, v1, v2
  v_add_nc_u32_e64 v0, v1, v2
  v_add_nc_u32_e32 v0, s0, v1
  v_add_nc_u32_e32 v0, -7, v1
  v_add_nc_u32_e32 v0, 23, v1
  v_add_nc_u32_e32 v0, 0x41234567, v1
  v_add_nc_u32_e64 v0, v1, s0
  v_add_nc_u32_e64 v0, v1, 64
  v_add_nc_u32_e64 v0, v1, v2 clamp
  v_add_nc_u32_dpp v0, v1, v2 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_sub_nc_u32_e32 v0, v1, v2
  v_sub_nc_u32_e64 v0, v1, v2
  v_sub_nc_u32_e32 v0, s0, v1
  v_sub_nc_u32_e32 v0, -7, v1
  v_sub_nc_u32_e32 v0, 23, v1
  v_sub_nc_u32_e32 v0, 0x41234567, v1
  v_sub_nc_u32_e64 v0, v1, s0
  v_sub_nc_u32_e64 v0, v1, 64
  v_sub_nc_u32_e64 v0, v1, v2 clamp
  v_sub_nc_u32_dpp v0, v1, v2 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_subrev_nc_u32_e32 v0, v1, v2
  v_subrev_nc_u32_e64 v0, v1, v2
  v_subrev_nc_u32_e32 v0, s0, v1
  v_subrev_nc_u32_e32 v0, -7, v1
  v_subrev_nc_u32_e32 v0, 23, v1
  v_subrev_nc_u32_e32 v0, 0x41234567, v1
  v_subrev_nc_u32_e64 v0, v1, s0
  v_subrev_nc_u32_e64 v0, v1, 64
  v_subrev_nc_u32_e64 v0, v1, v2 clamp
  v_subrev_nc_u32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_add_nc_i32 v0, v1, v2
  v_add_nc_i32 v0, s0, v1
  v_add_nc_i32 v0, -7, v1
  v_add_nc_i32 v0, 23, v1
  v_add_nc_i32 v0, v1, s0
  v_add_nc_i32 v0, v1, 64
  v_add_nc_i32 v0, v1, v2 clamp
  v_sub_nc_i32 v0, v1, v2
  v_sub_nc_i32 v0, s0, v1
  v_sub_nc_i32 v0, -7, v1
  v_sub_nc_i32 v0, 23, v1
  v_sub_nc_i32 v0, v1, s0
  v_sub_nc_i32 v0, v1, 64
  v_sub_nc_i32 v0, v1, v2 clamp
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
  v_mul_hi_u32_u24_e32 v0, v1, v2
  v_mul_hi_u32_u24_e64 v0, v1, v2
  v_mul_hi_u32_u24_e32 v0, s0, v1
  v_mul_hi_u32_u24_e32 v0, -7, v1
  v_mul_hi_u32_u24_e32 v0, 23, v1
  v_mul_hi_u32_u24_e32 v0, 0x41234567, v1
  v_mul_hi_u32_u24_e64 v0, v1, s0
  v_mul_hi_u32_u24_e64 v0, v1, 64
  v_mul_hi_u32_u24_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mul_i32_i24_e32 v0, v1, v2
  v_mul_i32_i24_e64 v0, v1, v2
  v_mul_i32_i24_e32 v0, s0, v1
  v_mul_i32_i24_e32 v0, -7, v1
  v_mul_i32_i24_e32 v0, 23, v1
  v_mul_i32_i24_e32 v0, 0x41234567, v1
  v_mul_i32_i24_e64 v0, v1, s0
  v_mul_i32_i24_e64 v0, v1, 64
  v_mul_i32_i24_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_hi_i32_i24_e32 v0, v1, v2
  v_mul_hi_i32_i24_e64 v0, v1, v2
  v_mul_hi_i32_i24_e32 v0, s0, v1
  v_mul_hi_i32_i24_e32 v0, -7, v1
  v_mul_hi_i32_i24_e32 v0, 23, v1
  v_mul_hi_i32_i24_e32 v0, 0x41234567, v1
  v_mul_hi_i32_i24_e64 v0, v1, s0
  v_mul_hi_i32_i24_e64 v0, v1, 64
  v_mul_hi_i32_i24_dpp v0, v1, v2 row_shr:3 row_mask:0xa bank_mask:0xf
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
  v_max_u32_e32 v0, v1, v2
  v_max_u32_e64 v0, v1, v2
  v_max_u32_e32 v0, s0, v1
  v_max_u32_e32 v0, -7, v1
  v_max_u32_e32 v0, 23, v1
  v_max_u32_e32 v0, 0x41234567, v1
  v_max_u32_e64 v0, v1, s0
  v_max_u32_e64 v0, v1, 64
  v_max_u32_dpp v0, v1, v2 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_min_i32_e32 v0, v1, v2
  v_min_i32_e64 v0, v1, v2
  v_min_i32_e32 v0, s0, v1
  v_min_i32_e32 v0, -7, v1
  v_min_i32_e32 v0, 23, v1
  v_min_i32_e32 v0, 0x41234567, v1
  v_min_i32_e64 v0, v1, s0
  v_min_i32_e64 v0, v1, 64
  v_min_i32_dpp v0, v1, v2 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_max_i32_e32 v0, v1, v2
  v_max_i32_e64 v0, v1, v2
  v_max_i32_e32 v0, s0, v1
  v_max_i32_e32 v0, -7, v1
  v_max_i32_e32 v0, 23, v1
  v_max_i32_e32 v0, 0x41234567, v1
  v_max_i32_e64 v0, v1, s0
  v_max_i32_e64 v0, v1, 64
  v_max_i32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_lshlrev_b32_dpp v0, v1, v2 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_lshrrev_b32_e32 v0, v1, v2
  v_lshrrev_b32_e64 v0, v1, v2
  v_lshrrev_b32_e32 v0, s0, v1
  v_lshrrev_b32_e32 v0, -7, v1
  v_lshrrev_b32_e32 v0, 23, v1
  v_lshrrev_b32_e32 v0, 0x41234567, v1
  v_lshrrev_b32_e64 v0, v1, s0
  v_lshrrev_b32_e64 v0, v1, 64
  v_lshrrev_b32_dpp v0, v1, v2 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_ashrrev_i32_e32 v0, v1, v2
  v_ashrrev_i32_e64 v0, v1, v2
  v_ashrrev_i32_e32 v0, s0, v1
  v_ashrrev_i32_e32 v0, -7, v1
  v_ashrrev_i32_e32 v0, 23, v1
  v_ashrrev_i32_e32 v0, 0x41234567, v1
  v_ashrrev_i32_e64 v0, v1, s0
  v_ashrrev_i32_e64 v0, v1, 64
  v_ashrrev_i32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_clz_i32_u32_e32 v0, v1
  v_clz_i32_u32_e64 v0, v1
  v_clz_i32_u32_e32 v0, s0
  v_clz_i32_u32_e32 v0, -7
  v_clz_i32_u32_e32 v0, 23
  v_clz_i32_u32_e32 v0, 0x41234567
  v_clz_i32_u32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_cls_i32_e32 v0, v1
  v_cls_i32_e64 v0, v1
  v_cls_i32_e32 v0, s0
  v_cls_i32_e32 v0, -7
  v_cls_i32_e32 v0, 23
  v_cls_i32_e32 v0, 0x41234567
  v_cls_i32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_ctz_i32_b32_e32 v0, v1
  v_ctz_i32_b32_e64 v0, v1
  v_ctz_i32_b32_e32 v0, s0
  v_ctz_i32_b32_e32 v0, -7
  v_ctz_i32_b32_e32 v0, 23
  v_ctz_i32_b32_e32 v0, 0x41234567
  v_ctz_i32_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_sad_u32 v0, v1, v2, v3
  v_sad_u32 v0, s0, v1, v2
  v_sad_u32 v0, -7, v1, v2
  v_sad_u32 v0, 23, v1, v2
  v_sad_u32 v0, v1, s0, v2
  v_sad_u32 v0, v1, 64, v2
  v_sad_u32 v0, v1, v2, s0
  v_sad_u32 v0, v1, v2, -16
  v_sad_u32 v0, s0, 3, v1
  v_dot4_u32_u8 v0, v1, v2, v3
  v_dot4_u32_u8 v0, s0, v1, v2
  v_dot4_u32_u8 v0, -7, v1, v2
  v_dot4_u32_u8 v0, 23, v1, v2
  v_dot4_u32_u8 v0, v1, s0, v2
  v_dot4_u32_u8 v0, v1, 64, v2
  v_dot4_u32_u8 v0, v1, v2, s0
  v_dot4_u32_u8 v0, v1, v2, -16
  v_dot4_u32_u8 v0, s0, 3, v1
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
  v_add_nc_u16 v0, v1, v2
  v_add_nc_u16 v0.l, v1.l, v2.l
  v_add_nc_u16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_add_nc_u16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_add_nc_u16 v0, s0, v1
  v_add_nc_u16 v0, -7, v1
  v_add_nc_u16 v0, 23, v1
  v_add_nc_u16 v0.l, v1.l, s0
  v_add_nc_u16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_add_nc_u16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_add_nc_u16 v0, v1, s0
  v_add_nc_u16 v0.l, v1.l, 64
  v_add_nc_u16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_add_nc_u16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_add_nc_u16 v0, v1, 64
  v_add_nc_u16_e64_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_sub_nc_u16 v0, v1, v2
  v_sub_nc_u16 v0.l, v1.l, v2.l
  v_sub_nc_u16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_sub_nc_u16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_sub_nc_u16 v0, s0, v1
  v_sub_nc_u16 v0, -7, v1
  v_sub_nc_u16 v0, 23, v1
  v_sub_nc_u16 v0.l, v1.l, s0
  v_sub_nc_u16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_sub_nc_u16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_sub_nc_u16 v0, v1, s0
  v_sub_nc_u16 v0.l, v1.l, 64
  v_sub_nc_u16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_sub_nc_u16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_sub_nc_u16 v0, v1, 64
  v_sub_nc_u16_e64_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_mul_lo_u16 v0, v1, v2
  v_mul_lo_u16 v0.l, v1.l, v2.l
  v_mul_lo_u16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_mul_lo_u16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_mul_lo_u16 v0, s0, v1
  v_mul_lo_u16 v0, -7, v1
  v_mul_lo_u16 v0, 23, v1
  v_mul_lo_u16 v0.l, v1.l, s0
  v_mul_lo_u16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_mul_lo_u16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_mul_lo_u16 v0, v1, s0
  v_mul_lo_u16 v0.l, v1.l, 64
  v_mul_lo_u16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_mul_lo_u16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_mul_lo_u16 v0, v1, 64
  v_mul_lo_u16_e64_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_lshlrev_b16 v0, v1, v2
  v_lshlrev_b16 v0.l, v1.l, v2.l
  v_lshlrev_b16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_lshlrev_b16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_lshlrev_b16 v0, s0, v1
  v_lshlrev_b16 v0, -7, v1
  v_lshlrev_b16 v0, 23, v1
  v_lshlrev_b16 v0.l, v1.l, s0
  v_lshlrev_b16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_lshlrev_b16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_lshlrev_b16 v0, v1, s0
  v_lshlrev_b16 v0.l, v1.l, 64
  v_lshlrev_b16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_lshlrev_b16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_lshlrev_b16 v0, v1, 64
  v_lshlrev_b16_e64_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_lshrrev_b16 v0, v1, v2
  v_lshrrev_b16 v0.l, v1.l, v2.l
  v_lshrrev_b16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_lshrrev_b16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_lshrrev_b16 v0, s0, v1
  v_lshrrev_b16 v0, -7, v1
  v_lshrrev_b16 v0, 23, v1
  v_lshrrev_b16 v0.l, v1.l, s0
  v_lshrrev_b16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_lshrrev_b16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_lshrrev_b16 v0, v1, s0
  v_lshrrev_b16 v0.l, v1.l, 64
  v_lshrrev_b16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_lshrrev_b16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_lshrrev_b16 v0, v1, 64
  v_lshrrev_b16_e64_dpp v0, v1, v2 row_shr:3 row_mask:0xa bank_mask:0xf
  v_ashrrev_i16 v0, v1, v2
  v_ashrrev_i16 v0.l, v1.l, v2.l
  v_ashrrev_i16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_ashrrev_i16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_ashrrev_i16 v0, s0, v1
  v_ashrrev_i16 v0, -7, v1
  v_ashrrev_i16 v0, 23, v1
  v_ashrrev_i16 v0.l, v1.l, s0
  v_ashrrev_i16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_ashrrev_i16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_ashrrev_i16 v0, v1, s0
  v_ashrrev_i16 v0.l, v1.l, 64
  v_ashrrev_i16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_ashrrev_i16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_ashrrev_i16 v0, v1, 64
  v_ashrrev_i16_e64_dpp v0, v1, v2 row_ror:5 row_mask:0xf bank_mask:0x5
  v_min_u16 v0, v1, v2
  v_min_u16 v0.l, v1.l, v2.l
  v_min_u16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_min_u16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_min_u16 v0, s0, v1
  v_min_u16 v0, -7, v1
  v_min_u16 v0, 23, v1
  v_min_u16 v0.l, v1.l, s0
  v_min_u16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_min_u16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_min_u16 v0, v1, s0
  v_min_u16 v0.l, v1.l, 64
  v_min_u16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_min_u16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_min_u16 v0, v1, 64
  v_min_u16_e64_dpp v0, v1, v2 row_mirror row_mask:0xf bank_mask:0xf
  v_max_u16 v0, v1, v2
  v_max_u16 v0.l, v1.l, v2.l
  v_max_u16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_max_u16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_max_u16 v0, s0, v1
  v_max_u16 v0, -7, v1
  v_max_u16 v0, 23, v1
  v_max_u16 v0.l, v1.l, s0
  v_max_u16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_max_u16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_max_u16 v0, v1, s0
  v_max_u16 v0.l, v1.l, 64
  v_max_u16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_max_u16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_max_u16 v0, v1, 64
  v_max_u16_e64_dpp v0, v1, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_min_i16 v0, v1, v2
  v_min_i16 v0.l, v1.l, v2.l
  v_min_i16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_min_i16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_min_i16 v0, s0, v1
  v_min_i16 v0, -7, v1
  v_min_i16 v0, 23, v1
  v_min_i16 v0.l, v1.l, s0
  v_min_i16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_min_i16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_min_i16 v0, v1, s0
  v_min_i16 v0.l, v1.l, 64
  v_min_i16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_min_i16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_min_i16 v0, v1, 64
  v_min_i16_e64_dpp v0, v1, v2 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_max_i16 v0, v1, v2
  v_max_i16 v0.l, v1.l, v2.l
  v_max_i16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_max_i16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_max_i16 v0, s0, v1
  v_max_i16 v0, -7, v1
  v_max_i16 v0, 23, v1
  v_max_i16 v0.l, v1.l, s0
  v_max_i16 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_max_i16 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_max_i16 v0, v1, s0
  v_max_i16 v0.l, v1.l, 64
  v_max_i16 v0.h, v1.l, 64 op_sel:[0,0,1]
  v_max_i16 v0.l, v1.h, 64 op_sel:[1,0,0]
  v_max_i16 v0, v1, 64
  v_max_i16_e64_dpp v0, v1, v2 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_mad_u16 v0.l, v1.l, v2.l, v3.l
  v_mad_u16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_mad_u16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, v2, v3
  v_mad_u16 v0.l, s0, v1.l, v2.l
  v_mad_u16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_mad_u16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_mad_u16 v0, s0, v1, v2
  v_mad_u16 v0.l, -7, v1.l, v2.l
  v_mad_u16 v0.h, -7, v1.l, v2.h op_sel:[0,0,1,1]
  v_mad_u16 v0.l, -7, v1.h, v2.l op_sel:[0,1,0,0]
  v_mad_u16 v0, -7, v1, v2
  v_mad_u16 v0.l, 23, v1.l, v2.l
  v_mad_u16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_mad_u16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_mad_u16 v0, 23, v1, v2
  v_mad_u16 v0.l, v1.l, s0, v2.l
  v_mad_u16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_mad_u16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, s0, v2
  v_mad_u16 v0.l, v1.l, 64, v2.l
  v_mad_u16 v0.h, v1.l, 64, v2.h op_sel:[0,0,1,1]
  v_mad_u16 v0.l, v1.h, 64, v2.l op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, 64, v2
  v_mad_u16 v0.l, v1.l, v2.l, s0
  v_mad_u16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_mad_u16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, v2, s0
  v_mad_u16 v0.l, v1.l, v2.l, -16
  v_mad_u16 v0.h, v1.l, v2.h, -16 op_sel:[0,1,0,1]
  v_mad_u16 v0.l, v1.h, v2.l, -16 op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, v2, -16
  v_mad_u16 v0.l, s0, 3, v1.l
  v_mad_u16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_mad_u16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_mad_u16 v0, s0, 3, v1
  v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_med3_i16 v0.l, v1.l, v2.l, v3.l
  v_med3_i16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_med3_i16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, v2, v3
  v_med3_i16 v0.l, s0, v1.l, v2.l
  v_med3_i16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_i16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_i16 v0, s0, v1, v2
  v_med3_i16 v0.l, -7, v1.l, v2.l
  v_med3_i16 v0.h, -7, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_i16 v0.l, -7, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_i16 v0, -7, v1, v2
  v_med3_i16 v0.l, 23, v1.l, v2.l
  v_med3_i16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_i16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_i16 v0, 23, v1, v2
  v_med3_i16 v0.l, v1.l, s0, v2.l
  v_med3_i16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_med3_i16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, s0, v2
  v_med3_i16 v0.l, v1.l, 64, v2.l
  v_med3_i16 v0.h, v1.l, 64, v2.h op_sel:[0,0,1,1]
  v_med3_i16 v0.l, v1.h, 64, v2.l op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, 64, v2
  v_med3_i16 v0.l, v1.l, v2.l, s0
  v_med3_i16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_med3_i16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, v2, s0
  v_med3_i16 v0.l, v1.l, v2.l, -16
  v_med3_i16 v0.h, v1.l, v2.h, -16 op_sel:[0,1,0,1]
  v_med3_i16 v0.l, v1.h, v2.l, -16 op_sel:[1,0,0,0]
  v_med3_i16 v0, v1, v2, -16
  v_med3_i16 v0.l, s0, 3, v1.l
  v_med3_i16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_med3_i16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
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
  v_mul_f32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_min_f32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_rndne_f32_dpp v0, v1 row_xmask:5 row_mask:0xa bank_mask:0xf
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
  v_fract_f32_dpp v0, v1 row_xmask:5 row_mask:0xc bank_mask:0xf
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
  v_frexp_mant_f32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_add_f16_e32 v0.l, v1.l, v2.l
  v_add_f16_e32 v0.h, v1.l, v2.h
  v_add_f16_e32 v0.l, v1.h, v2.l
  v_add_f16_e32 v0, v1, v2
  v_add_f16_e64 v0.l, v1.l, v2.l
  v_add_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_add_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_add_f16_e64 v0, v1, v2
  v_add_f16_e32 v0.l, s0, v1.l
  v_add_f16_e32 v0.h, s0, v1.l
  v_add_f16_e32 v0.l, s0, v1.h
  v_add_f16_e32 v0, s0, v1
  v_add_f16_e32 v0.l, 0.5, v1.l
  v_add_f16_e32 v0.h, 0.5, v1.l
  v_add_f16_e32 v0.l, 0.5, v1.h
  v_add_f16_e32 v0, 0.5, v1
  v_add_f16_e32 v0.l, 23, v1.l
  v_add_f16_e32 v0.h, 23, v1.l
  v_add_f16_e32 v0.l, 23, v1.h
  v_add_f16_e32 v0, 23, v1
  v_add_f16_e64 v0.l, v1.l, s0
  v_add_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_add_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_add_f16_e64 v0, v1, s0
  v_add_f16_e64 v0.l, v1.l, -4.0
  v_add_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_add_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_add_f16_e64 v0, v1, -4.0
  v_add_f16_e64 v0.l, -v1.l, |v2.l|
  v_add_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_add_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_add_f16_e64 v0, -v1, |v2|
  v_add_f16_e64 v0.l, -|v1.l|, v2.l
  v_add_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_add_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_add_f16_e64 v0, -|v1|, v2
  v_add_f16_e64 v0.l, v1.l, v2.l clamp
  v_add_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_add_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_add_f16_e64 v0, v1, v2 clamp
  v_add_f16_e64 v0.l, s0, -v1.l clamp
  v_add_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_add_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_add_f16_e64 v0, s0, -v1 clamp
  v_add_f16_dpp v0.l, v1.l, v2.l row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f16_dpp v0.h, v1.l, v2.h row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f16_dpp v0.l, v1.h, v2.l row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f16_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_f16_e32 v0.l, v1.l, v2.l
  v_mul_f16_e32 v0.h, v1.l, v2.h
  v_mul_f16_e32 v0.l, v1.h, v2.l
  v_mul_f16_e32 v0, v1, v2
  v_mul_f16_e64 v0.l, v1.l, v2.l
  v_mul_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_mul_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_mul_f16_e64 v0, v1, v2
  v_mul_f16_e32 v0.l, s0, v1.l
  v_mul_f16_e32 v0.h, s0, v1.l
  v_mul_f16_e32 v0.l, s0, v1.h
  v_mul_f16_e32 v0, s0, v1
  v_mul_f16_e32 v0.l, 0.5, v1.l
  v_mul_f16_e32 v0.h, 0.5, v1.l
  v_mul_f16_e32 v0.l, 0.5, v1.h
  v_mul_f16_e32 v0, 0.5, v1
  v_mul_f16_e32 v0.l, 23, v1.l
  v_mul_f16_e32 v0.h, 23, v1.l
  v_mul_f16_e32 v0.l, 23, v1.h
  v_mul_f16_e32 v0, 23, v1
  v_mul_f16_e64 v0.l, v1.l, s0
  v_mul_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_mul_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_mul_f16_e64 v0, v1, s0
  v_mul_f16_e64 v0.l, v1.l, -4.0
  v_mul_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_mul_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_mul_f16_e64 v0, v1, -4.0
  v_mul_f16_e64 v0.l, -v1.l, |v2.l|
  v_mul_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_mul_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_mul_f16_e64 v0, -v1, |v2|
  v_mul_f16_e64 v0.l, -|v1.l|, v2.l
  v_mul_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_mul_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_mul_f16_e64 v0, -|v1|, v2
  v_mul_f16_e64 v0.l, v1.l, v2.l clamp
  v_mul_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_mul_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_mul_f16_e64 v0, v1, v2 clamp
  v_mul_f16_e64 v0.l, s0, -v1.l clamp
  v_mul_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_mul_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_mul_f16_e64 v0, s0, -v1 clamp
  v_mul_f16_e64 v0.l, v1.l, v2.l mul:2
  v_mul_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] mul:2
  v_mul_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] mul:2
  v_mul_f16_e64 v0, v1, v2 mul:2
  v_mul_f16_e64 v0.l, v1.l, v2.l clamp div:2
  v_mul_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp div:2
  v_mul_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp div:2
  v_mul_f16_e64 v0, v1, v2 clamp div:2
  v_mul_f16_dpp v0.l, v1.l, v2.l quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_f16_dpp v0.h, v1.l, v2.h quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_f16_dpp v0.l, v1.h, v2.l quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_f16_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_min_f16_e32 v0.l, v1.l, v2.l
  v_min_f16_e32 v0.h, v1.l, v2.h
  v_min_f16_e32 v0.l, v1.h, v2.l
  v_min_f16_e32 v0, v1, v2
  v_min_f16_e64 v0.l, v1.l, v2.l
  v_min_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_min_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_min_f16_e64 v0, v1, v2
  v_min_f16_e32 v0.l, s0, v1.l
  v_min_f16_e32 v0.h, s0, v1.l
  v_min_f16_e32 v0.l, s0, v1.h
  v_min_f16_e32 v0, s0, v1
  v_min_f16_e32 v0.l, 0.5, v1.l
  v_min_f16_e32 v0.h, 0.5, v1.l
  v_min_f16_e32 v0.l, 0.5, v1.h
  v_min_f16_e32 v0, 0.5, v1
  v_min_f16_e32 v0.l, 23, v1.l
  v_min_f16_e32 v0.h, 23, v1.l
  v_min_f16_e32 v0.l, 23, v1.h
  v_min_f16_e32 v0, 23, v1
  v_min_f16_e64 v0.l, v1.l, s0
  v_min_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_min_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_min_f16_e64 v0, v1, s0
  v_min_f16_e64 v0.l, v1.l, -4.0
  v_min_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_min_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_min_f16_e64 v0, v1, -4.0
  v_min_f16_e64 v0.l, -v1.l, |v2.l|
  v_min_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_min_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_min_f16_e64 v0, -v1, |v2|
  v_min_f16_e64 v0.l, -|v1.l|, v2.l
  v_min_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_min_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_min_f16_e64 v0, -|v1|, v2
  v_min_f16_e64 v0.l, v1.l, v2.l clamp
  v_min_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_min_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_min_f16_e64 v0, v1, v2 clamp
  v_min_f16_e64 v0.l, s0, -v1.l clamp
  v_min_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_min_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_min_f16_e64 v0, s0, -v1 clamp
  v_min_f16_dpp v0.l, v1.l, v2.l row_share:7 row_mask:0xf bank_mask:0xf
  v_min_f16_dpp v0.h, v1.l, v2.h row_share:7 row_mask:0xf bank_mask:0xf
  v_min_f16_dpp v0.l, v1.h, v2.l row_share:7 row_mask:0xf bank_mask:0xf
  v_min_f16_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_max_f16_e32 v0.l, v1.l, v2.l
  v_max_f16_e32 v0.h, v1.l, v2.h
  v_max_f16_e32 v0.l, v1.h, v2.l
  v_max_f16_e32 v0, v1, v2
  v_max_f16_e64 v0.l, v1.l, v2.l
  v_max_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_max_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_max_f16_e64 v0, v1, v2
  v_max_f16_e32 v0.l, s0, v1.l
  v_max_f16_e32 v0.h, s0, v1.l
  v_max_f16_e32 v0.l, s0, v1.h
  v_max_f16_e32 v0, s0, v1
  v_max_f16_e32 v0.l, 0.5, v1.l
  v_max_f16_e32 v0.h, 0.5, v1.l
  v_max_f16_e32 v0.l, 0.5, v1.h
  v_max_f16_e32 v0, 0.5, v1
  v_max_f16_e32 v0.l, 23, v1.l
  v_max_f16_e32 v0.h, 23, v1.l
  v_max_f16_e32 v0.l, 23, v1.h
  v_max_f16_e32 v0, 23, v1
  v_max_f16_e64 v0.l, v1.l, s0
  v_max_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_max_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_max_f16_e64 v0, v1, s0
  v_max_f16_e64 v0.l, v1.l, -4.0
  v_max_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_max_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_max_f16_e64 v0, v1, -4.0
  v_max_f16_e64 v0.l, -v1.l, |v2.l|
  v_max_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_max_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_max_f16_e64 v0, -v1, |v2|
  v_max_f16_e64 v0.l, -|v1.l|, v2.l
  v_max_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_max_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_max_f16_e64 v0, -|v1|, v2
  v_max_f16_e64 v0.l, v1.l, v2.l clamp
  v_max_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_max_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_max_f16_e64 v0, v1, v2 clamp
  v_max_f16_e64 v0.l, s0, -v1.l clamp
  v_max_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_max_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_max_f16_e64 v0, s0, -v1 clamp
  v_max_f16_dpp v0.l, v1.l, v2.l row_share:7 row_mask:0xf bank_mask:0xf
  v_max_f16_dpp v0.h, v1.l, v2.h row_share:7 row_mask:0xf bank_mask:0xf
  v_max_f16_dpp v0.l, v1.h, v2.l row_share:7 row_mask:0xf bank_mask:0xf
  v_max_f16_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
  v_fma_f16 v0.l, v1.l, v2.l, v3.l
  v_fma_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_fma_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, v2, v3
  v_fma_f16 v0.l, s0, v1.l, v2.l
  v_fma_f16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_fma_f16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_fma_f16 v0, s0, v1, v2
  v_fma_f16 v0.l, 0.5, v1.l, v2.l
  v_fma_f16 v0.h, 0.5, v1.l, v2.h op_sel:[0,0,1,1]
  v_fma_f16 v0.l, 0.5, v1.h, v2.l op_sel:[0,1,0,0]
  v_fma_f16 v0, 0.5, v1, v2
  v_fma_f16 v0.l, 23, v1.l, v2.l
  v_fma_f16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_fma_f16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_fma_f16 v0, 23, v1, v2
  v_fma_f16 v0.l, v1.l, s0, v2.l
  v_fma_f16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_fma_f16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, s0, v2
  v_fma_f16 v0.l, v1.l, -4.0, v2.l
  v_fma_f16 v0.h, v1.l, -4.0, v2.h op_sel:[0,0,1,1]
  v_fma_f16 v0.l, v1.h, -4.0, v2.l op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, -4.0, v2
  v_fma_f16 v0.l, v1.l, v2.l, s0
  v_fma_f16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_fma_f16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, v2, s0
  v_fma_f16 v0.l, v1.l, v2.l, 1.0
  v_fma_f16 v0.h, v1.l, v2.h, 1.0 op_sel:[0,1,0,1]
  v_fma_f16 v0.l, v1.h, v2.l, 1.0 op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, v2, 1.0
  v_fma_f16 v0.l, s0, 3, v1.l
  v_fma_f16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_fma_f16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_fma_f16 v0, s0, 3, v1
  v_fma_f16 v0.l, -v1.l, v2.l, |v3.l|
  v_fma_f16 v0.h, -v1.l, v2.h, |v3.l| op_sel:[0,1,0,1]
  v_fma_f16 v0.l, -v1.h, v2.l, |v3.l| op_sel:[1,0,0,0]
  v_fma_f16 v0, -v1, v2, |v3|
  v_fma_f16 v0.l, -|v1.l|, v2.l, v3.l
  v_fma_f16 v0.h, -|v1.l|, v2.h, v3.l op_sel:[0,1,0,1]
  v_fma_f16 v0.l, -|v1.h|, v2.l, v3.l op_sel:[1,0,0,0]
  v_fma_f16 v0, -|v1|, v2, v3
  v_fma_f16 v0.l, v1.l, v2.l, v3.l clamp
  v_fma_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1] clamp
  v_fma_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0] clamp
  v_fma_f16 v0, v1, v2, v3 clamp
  v_fma_f16 v0.l, s0, v1.l, -v2.l clamp
  v_fma_f16 v0.h, s0, v1.l, -v2.h op_sel:[0,0,1,1] clamp
  v_fma_f16 v0.l, s0, v1.h, -v2.l op_sel:[0,1,0,0] clamp
  v_fma_f16 v0, s0, v1, -v2 clamp
  v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_fma_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_ldexp_f16_e32 v0.l, v1.l, v2.l
  v_ldexp_f16_e32 v0.h, v1.l, v2.h
  v_ldexp_f16_e32 v0.l, v1.h, v2.l
  v_ldexp_f16_e32 v0, v1, v2
  v_ldexp_f16_e64 v0.l, v1.l, v2.l
  v_ldexp_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_ldexp_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_ldexp_f16_e64 v0, v1, v2
  v_ldexp_f16_e32 v0.l, s0, v1.l
  v_ldexp_f16_e32 v0.h, s0, v1.l
  v_ldexp_f16_e32 v0.l, s0, v1.h
  v_ldexp_f16_e32 v0, s0, v1
  v_ldexp_f16_e32 v0.l, 0.5, v1.l
  v_ldexp_f16_e32 v0.h, 0.5, v1.l
  v_ldexp_f16_e32 v0.l, 0.5, v1.h
  v_ldexp_f16_e32 v0, 0.5, v1
  v_ldexp_f16_e32 v0.l, 23, v1.l
  v_ldexp_f16_e32 v0.h, 23, v1.l
  v_ldexp_f16_e32 v0.l, 23, v1.h
  v_ldexp_f16_e32 v0, 23, v1
  v_ldexp_f16_e64 v0.l, v1.l, s0
  v_ldexp_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_ldexp_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_ldexp_f16_e64 v0, v1, s0
  v_ldexp_f16_e64 v0.l, v1.l, 5
  v_ldexp_f16_e64 v0.h, v1.l, 5 op_sel:[0,0,1]
  v_ldexp_f16_e64 v0.l, v1.h, 5 op_sel:[1,0,0]
  v_ldexp_f16_e64 v0, v1, 5
  v_ldexp_f16_dpp v0.l, v1.l, v2.l row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ldexp_f16_dpp v0.h, v1.l, v2.h row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ldexp_f16_dpp v0.l, v1.h, v2.l row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_ldexp_f16_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_floor_f16_e32 v0.l, v1.l
  v_floor_f16_e32 v0.h, v1.l
  v_floor_f16_e32 v0.l, v1.h
  v_floor_f16_e32 v0, v1
  v_floor_f16_e64 v0.l, v1.l
  v_floor_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_floor_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_floor_f16_e64 v0, v1
  v_floor_f16_e32 v0.l, s0
  v_floor_f16_e32 v0.h, s0
  v_floor_f16_e32 v0, s0
  v_floor_f16_e32 v0.l, 0.5
  v_floor_f16_e32 v0.h, 0.5
  v_floor_f16_e32 v0, 0.5
  v_floor_f16_e32 v0.l, 23
  v_floor_f16_e32 v0.h, 23
  v_floor_f16_e32 v0, 23
  v_floor_f16_e64 v0.l, |v1.l|
  v_floor_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_floor_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_floor_f16_e64 v0, |v1|
  v_floor_f16_e64 v0.l, -|v1.l|
  v_floor_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_floor_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_floor_f16_e64 v0, -|v1|
  v_floor_f16_e64 v0.l, v1.l clamp
  v_floor_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_floor_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_floor_f16_e64 v0, v1 clamp
  v_floor_f16_e64 v0.l, -s0 clamp
  v_floor_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_floor_f16_e64 v0, -s0 clamp
  v_floor_f16_dpp v0.l, v1.l row_shr:3 row_mask:0xa bank_mask:0xf
  v_floor_f16_dpp v0.h, v1.l row_shr:3 row_mask:0xa bank_mask:0xf
  v_floor_f16_dpp v0.l, v1.h row_shr:3 row_mask:0xa bank_mask:0xf
  v_floor_f16_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_ceil_f16_e32 v0.l, v1.l
  v_ceil_f16_e32 v0.h, v1.l
  v_ceil_f16_e32 v0.l, v1.h
  v_ceil_f16_e32 v0, v1
  v_ceil_f16_e64 v0.l, v1.l
  v_ceil_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_ceil_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_ceil_f16_e64 v0, v1
  v_ceil_f16_e32 v0.l, s0
  v_ceil_f16_e32 v0.h, s0
  v_ceil_f16_e32 v0, s0
  v_ceil_f16_e32 v0.l, 0.5
  v_ceil_f16_e32 v0.h, 0.5
  v_ceil_f16_e32 v0, 0.5
  v_ceil_f16_e32 v0.l, 23
  v_ceil_f16_e32 v0.h, 23
  v_ceil_f16_e32 v0, 23
  v_ceil_f16_e64 v0.l, |v1.l|
  v_ceil_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_ceil_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_ceil_f16_e64 v0, |v1|
  v_ceil_f16_e64 v0.l, -|v1.l|
  v_ceil_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_ceil_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_ceil_f16_e64 v0, -|v1|
  v_ceil_f16_e64 v0.l, v1.l clamp
  v_ceil_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_ceil_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_ceil_f16_e64 v0, v1 clamp
  v_ceil_f16_e64 v0.l, -s0 clamp
  v_ceil_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_ceil_f16_e64 v0, -s0 clamp
  v_ceil_f16_dpp v0.l, v1.l row_ror:5 row_mask:0xf bank_mask:0x5
  v_ceil_f16_dpp v0.h, v1.l row_ror:5 row_mask:0xf bank_mask:0x5
  v_ceil_f16_dpp v0.l, v1.h row_ror:5 row_mask:0xf bank_mask:0x5
  v_ceil_f16_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_trunc_f16_e32 v0.l, v1.l
  v_trunc_f16_e32 v0.h, v1.l
  v_trunc_f16_e32 v0.l, v1.h
  v_trunc_f16_e32 v0, v1
  v_trunc_f16_e64 v0.l, v1.l
  v_trunc_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_trunc_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_trunc_f16_e64 v0, v1
  v_trunc_f16_e32 v0.l, s0
  v_trunc_f16_e32 v0.h, s0
  v_trunc_f16_e32 v0, s0
  v_trunc_f16_e32 v0.l, 0.5
  v_trunc_f16_e32 v0.h, 0.5
  v_trunc_f16_e32 v0, 0.5
  v_trunc_f16_e32 v0.l, 23
  v_trunc_f16_e32 v0.h, 23
  v_trunc_f16_e32 v0, 23
  v_trunc_f16_e64 v0.l, |v1.l|
  v_trunc_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_trunc_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_trunc_f16_e64 v0, |v1|
  v_trunc_f16_e64 v0.l, -|v1.l|
  v_trunc_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_trunc_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_trunc_f16_e64 v0, -|v1|
  v_trunc_f16_e64 v0.l, v1.l clamp
  v_trunc_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_trunc_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_trunc_f16_e64 v0, v1 clamp
  v_trunc_f16_e64 v0.l, -s0 clamp
  v_trunc_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_trunc_f16_e64 v0, -s0 clamp
  v_trunc_f16_dpp v0.l, v1.l row_mirror row_mask:0xf bank_mask:0xf
  v_trunc_f16_dpp v0.h, v1.l row_mirror row_mask:0xf bank_mask:0xf
  v_trunc_f16_dpp v0.l, v1.h row_mirror row_mask:0xf bank_mask:0xf
  v_trunc_f16_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_rndne_f16_e32 v0.l, v1.l
  v_rndne_f16_e32 v0.h, v1.l
  v_rndne_f16_e32 v0.l, v1.h
  v_rndne_f16_e32 v0, v1
  v_rndne_f16_e64 v0.l, v1.l
  v_rndne_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_rndne_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_rndne_f16_e64 v0, v1
  v_rndne_f16_e32 v0.l, s0
  v_rndne_f16_e32 v0.h, s0
  v_rndne_f16_e32 v0, s0
  v_rndne_f16_e32 v0.l, 0.5
  v_rndne_f16_e32 v0.h, 0.5
  v_rndne_f16_e32 v0, 0.5
  v_rndne_f16_e32 v0.l, 23
  v_rndne_f16_e32 v0.h, 23
  v_rndne_f16_e32 v0, 23
  v_rndne_f16_e64 v0.l, |v1.l|
  v_rndne_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_rndne_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_rndne_f16_e64 v0, |v1|
  v_rndne_f16_e64 v0.l, -|v1.l|
  v_rndne_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_rndne_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_rndne_f16_e64 v0, -|v1|
  v_rndne_f16_e64 v0.l, v1.l clamp
  v_rndne_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_rndne_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_rndne_f16_e64 v0, v1 clamp
  v_rndne_f16_e64 v0.l, -s0 clamp
  v_rndne_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_rndne_f16_e64 v0, -s0 clamp
  v_rndne_f16_dpp v0.l, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rndne_f16_dpp v0.h, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rndne_f16_dpp v0.l, v1.h row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rndne_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_fract_f16_e32 v0.l, v1.l
  v_fract_f16_e32 v0.h, v1.l
  v_fract_f16_e32 v0.l, v1.h
  v_fract_f16_e32 v0, v1
  v_fract_f16_e64 v0.l, v1.l
  v_fract_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_fract_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_fract_f16_e64 v0, v1
  v_fract_f16_e32 v0.l, s0
  v_fract_f16_e32 v0.h, s0
  v_fract_f16_e32 v0, s0
  v_fract_f16_e32 v0.l, 0.5
  v_fract_f16_e32 v0.h, 0.5
  v_fract_f16_e32 v0, 0.5
  v_fract_f16_e32 v0.l, 23
  v_fract_f16_e32 v0.h, 23
  v_fract_f16_e32 v0, 23
  v_fract_f16_e64 v0.l, |v1.l|
  v_fract_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_fract_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_fract_f16_e64 v0, |v1|
  v_fract_f16_e64 v0.l, -|v1.l|
  v_fract_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_fract_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_fract_f16_e64 v0, -|v1|
  v_fract_f16_e64 v0.l, v1.l clamp
  v_fract_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_fract_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_fract_f16_e64 v0, v1 clamp
  v_fract_f16_e64 v0.l, -s0 clamp
  v_fract_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_fract_f16_e64 v0, -s0 clamp
  v_fract_f16_dpp v0.l, v1.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_fract_f16_dpp v0.h, v1.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_fract_f16_dpp v0.l, v1.h row_xmask:5 row_mask:0xa bank_mask:0xf
  v_fract_f16_dpp v0, v1 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_frexp_mant_f16_e32 v0.l, v1.l
  v_frexp_mant_f16_e32 v0.h, v1.l
  v_frexp_mant_f16_e32 v0.l, v1.h
  v_frexp_mant_f16_e32 v0, v1
  v_frexp_mant_f16_e64 v0.l, v1.l
  v_frexp_mant_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_frexp_mant_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_frexp_mant_f16_e64 v0, v1
  v_frexp_mant_f16_e32 v0.l, s0
  v_frexp_mant_f16_e32 v0.h, s0
  v_frexp_mant_f16_e32 v0, s0
  v_frexp_mant_f16_e32 v0.l, 0.5
  v_frexp_mant_f16_e32 v0.h, 0.5
  v_frexp_mant_f16_e32 v0, 0.5
  v_frexp_mant_f16_e32 v0.l, 23
  v_frexp_mant_f16_e32 v0.h, 23
  v_frexp_mant_f16_e32 v0, 23
  v_frexp_mant_f16_e64 v0.l, |v1.l|
  v_frexp_mant_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_frexp_mant_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_frexp_mant_f16_e64 v0, |v1|
  v_frexp_mant_f16_e64 v0.l, -|v1.l|
  v_frexp_mant_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_frexp_mant_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_frexp_mant_f16_e64 v0, -|v1|
  v_frexp_mant_f16_e64 v0.l, v1.l clamp
  v_frexp_mant_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_frexp_mant_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_frexp_mant_f16_e64 v0, v1 clamp
  v_frexp_mant_f16_e64 v0.l, -s0 clamp
  v_frexp_mant_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_frexp_mant_f16_e64 v0, -s0 clamp
  v_frexp_mant_f16_dpp v0.l, v1.l row_xmask:5 row_mask:0xc bank_mask:0xf
  v_frexp_mant_f16_dpp v0.h, v1.l row_xmask:5 row_mask:0xc bank_mask:0xf
  v_frexp_mant_f16_dpp v0.l, v1.h row_xmask:5 row_mask:0xc bank_mask:0xf
  v_frexp_mant_f16_dpp v0, v1 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_div_fixup_f16 v0.l, v1.l, v2.l, v3.l
  v_div_fixup_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_div_fixup_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, v2, v3
  v_div_fixup_f16 v0.l, s0, v1.l, v2.l
  v_div_fixup_f16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_div_fixup_f16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_div_fixup_f16 v0, s0, v1, v2
  v_div_fixup_f16 v0.l, 0.5, v1.l, v2.l
  v_div_fixup_f16 v0.h, 0.5, v1.l, v2.h op_sel:[0,0,1,1]
  v_div_fixup_f16 v0.l, 0.5, v1.h, v2.l op_sel:[0,1,0,0]
  v_div_fixup_f16 v0, 0.5, v1, v2
  v_div_fixup_f16 v0.l, 23, v1.l, v2.l
  v_div_fixup_f16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_div_fixup_f16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_div_fixup_f16 v0, 23, v1, v2
  v_div_fixup_f16 v0.l, v1.l, s0, v2.l
  v_div_fixup_f16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_div_fixup_f16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, s0, v2
  v_div_fixup_f16 v0.l, v1.l, -4.0, v2.l
  v_div_fixup_f16 v0.h, v1.l, -4.0, v2.h op_sel:[0,0,1,1]
  v_div_fixup_f16 v0.l, v1.h, -4.0, v2.l op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, -4.0, v2
  v_div_fixup_f16 v0.l, v1.l, v2.l, s0
  v_div_fixup_f16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_div_fixup_f16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, v2, s0
  v_div_fixup_f16 v0.l, v1.l, v2.l, 1.0
  v_div_fixup_f16 v0.h, v1.l, v2.h, 1.0 op_sel:[0,1,0,1]
  v_div_fixup_f16 v0.l, v1.h, v2.l, 1.0 op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, v1, v2, 1.0
  v_div_fixup_f16 v0.l, s0, 3, v1.l
  v_div_fixup_f16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_div_fixup_f16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_div_fixup_f16 v0, s0, 3, v1
  v_div_fixup_f16 v0.l, -v1.l, v2.l, |v3.l|
  v_div_fixup_f16 v0.h, -v1.l, v2.h, |v3.l| op_sel:[0,1,0,1]
  v_div_fixup_f16 v0.l, -v1.h, v2.l, |v3.l| op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, -v1, v2, |v3|
  v_div_fixup_f16 v0.l, -|v1.l|, v2.l, v3.l
  v_div_fixup_f16 v0.h, -|v1.l|, v2.h, v3.l op_sel:[0,1,0,1]
  v_div_fixup_f16 v0.l, -|v1.h|, v2.l, v3.l op_sel:[1,0,0,0]
  v_div_fixup_f16 v0, -|v1|, v2, v3
  v_div_fixup_f16 v0.l, v1.l, v2.l, v3.l clamp
  v_div_fixup_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1] clamp
  v_div_fixup_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0] clamp
  v_div_fixup_f16 v0, v1, v2, v3 clamp
  v_div_fixup_f16 v0.l, s0, v1.l, -v2.l clamp
  v_div_fixup_f16 v0.h, s0, v1.l, -v2.h op_sel:[0,0,1,1] clamp
  v_div_fixup_f16 v0.l, s0, v1.h, -v2.l op_sel:[0,1,0,0] clamp
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
  v_sub_f32_dpp v0, v1, v2 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_subrev_f32_dpp v0, v1, v2 row_share:3 row_mask:0xf bank_mask:0xf
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
  v_exp_f32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_sub_f16_e32 v0.l, v1.l, v2.l
  v_sub_f16_e32 v0.h, v1.l, v2.h
  v_sub_f16_e32 v0.l, v1.h, v2.l
  v_sub_f16_e32 v0, v1, v2
  v_sub_f16_e64 v0.l, v1.l, v2.l
  v_sub_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_sub_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_sub_f16_e64 v0, v1, v2
  v_sub_f16_e32 v0.l, s0, v1.l
  v_sub_f16_e32 v0.h, s0, v1.l
  v_sub_f16_e32 v0.l, s0, v1.h
  v_sub_f16_e32 v0, s0, v1
  v_sub_f16_e32 v0.l, 0.5, v1.l
  v_sub_f16_e32 v0.h, 0.5, v1.l
  v_sub_f16_e32 v0.l, 0.5, v1.h
  v_sub_f16_e32 v0, 0.5, v1
  v_sub_f16_e32 v0.l, 23, v1.l
  v_sub_f16_e32 v0.h, 23, v1.l
  v_sub_f16_e32 v0.l, 23, v1.h
  v_sub_f16_e32 v0, 23, v1
  v_sub_f16_e64 v0.l, v1.l, s0
  v_sub_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_sub_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_sub_f16_e64 v0, v1, s0
  v_sub_f16_e64 v0.l, v1.l, -4.0
  v_sub_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_sub_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_sub_f16_e64 v0, v1, -4.0
  v_sub_f16_e64 v0.l, -v1.l, |v2.l|
  v_sub_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_sub_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_sub_f16_e64 v0, -v1, |v2|
  v_sub_f16_e64 v0.l, -|v1.l|, v2.l
  v_sub_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_sub_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_sub_f16_e64 v0, -|v1|, v2
  v_sub_f16_e64 v0.l, v1.l, v2.l clamp
  v_sub_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_sub_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_sub_f16_e64 v0, v1, v2 clamp
  v_sub_f16_e64 v0.l, s0, -v1.l clamp
  v_sub_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_sub_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_sub_f16_e64 v0, s0, -v1 clamp
  v_sub_f16_dpp v0.l, v1.l, v2.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_sub_f16_dpp v0.h, v1.l, v2.h row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_sub_f16_dpp v0.l, v1.h, v2.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_sub_f16_dpp v0, v1, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_subrev_f16_e32 v0.l, v1.l, v2.l
  v_subrev_f16_e32 v0.h, v1.l, v2.h
  v_subrev_f16_e32 v0.l, v1.h, v2.l
  v_subrev_f16_e32 v0, v1, v2
  v_subrev_f16_e64 v0.l, v1.l, v2.l
  v_subrev_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_subrev_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_subrev_f16_e64 v0, v1, v2
  v_subrev_f16_e32 v0.l, s0, v1.l
  v_subrev_f16_e32 v0.h, s0, v1.l
  v_subrev_f16_e32 v0.l, s0, v1.h
  v_subrev_f16_e32 v0, s0, v1
  v_subrev_f16_e32 v0.l, 0.5, v1.l
  v_subrev_f16_e32 v0.h, 0.5, v1.l
  v_subrev_f16_e32 v0.l, 0.5, v1.h
  v_subrev_f16_e32 v0, 0.5, v1
  v_subrev_f16_e32 v0.l, 23, v1.l
  v_subrev_f16_e32 v0.h, 23, v1.l
  v_subrev_f16_e32 v0.l, 23, v1.h
  v_subrev_f16_e32 v0, 23, v1
  v_subrev_f16_e64 v0.l, v1.l, s0
  v_subrev_f16_e64 v0.h, v1.l, s0 op_sel:[0,0,1]
  v_subrev_f16_e64 v0.l, v1.h, s0 op_sel:[1,0,0]
  v_subrev_f16_e64 v0, v1, s0
  v_subrev_f16_e64 v0.l, v1.l, -4.0
  v_subrev_f16_e64 v0.h, v1.l, -4.0 op_sel:[0,0,1]
  v_subrev_f16_e64 v0.l, v1.h, -4.0 op_sel:[1,0,0]
  v_subrev_f16_e64 v0, v1, -4.0
  v_subrev_f16_e64 v0.l, -v1.l, |v2.l|
  v_subrev_f16_e64 v0.h, -v1.l, |v2.h| op_sel:[0,1,1]
  v_subrev_f16_e64 v0.l, -v1.h, |v2.l| op_sel:[1,0,0]
  v_subrev_f16_e64 v0, -v1, |v2|
  v_subrev_f16_e64 v0.l, -|v1.l|, v2.l
  v_subrev_f16_e64 v0.h, -|v1.l|, v2.h op_sel:[0,1,1]
  v_subrev_f16_e64 v0.l, -|v1.h|, v2.l op_sel:[1,0,0]
  v_subrev_f16_e64 v0, -|v1|, v2
  v_subrev_f16_e64 v0.l, v1.l, v2.l clamp
  v_subrev_f16_e64 v0.h, v1.l, v2.h op_sel:[0,1,1] clamp
  v_subrev_f16_e64 v0.l, v1.h, v2.l op_sel:[1,0,0] clamp
  v_subrev_f16_e64 v0, v1, v2 clamp
  v_subrev_f16_e64 v0.l, s0, -v1.l clamp
  v_subrev_f16_e64 v0.h, s0, -v1.l op_sel:[0,0,1] clamp
  v_subrev_f16_e64 v0.l, s0, -v1.h op_sel:[0,1,0] clamp
  v_subrev_f16_e64 v0, s0, -v1 clamp
  v_subrev_f16_dpp v0.l, v1.l, v2.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_subrev_f16_dpp v0.h, v1.l, v2.h row_xmask:5 row_mask:0xa bank_mask:0xf
  v_subrev_f16_dpp v0.l, v1.h, v2.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_subrev_f16_dpp v0, v1, v2 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_min3_f16 v0.l, v1.l, v2.l, v3.l
  v_min3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_min3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, v2, v3
  v_min3_f16 v0.l, s0, v1.l, v2.l
  v_min3_f16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_min3_f16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_min3_f16 v0, s0, v1, v2
  v_min3_f16 v0.l, 0.5, v1.l, v2.l
  v_min3_f16 v0.h, 0.5, v1.l, v2.h op_sel:[0,0,1,1]
  v_min3_f16 v0.l, 0.5, v1.h, v2.l op_sel:[0,1,0,0]
  v_min3_f16 v0, 0.5, v1, v2
  v_min3_f16 v0.l, 23, v1.l, v2.l
  v_min3_f16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_min3_f16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_min3_f16 v0, 23, v1, v2
  v_min3_f16 v0.l, v1.l, s0, v2.l
  v_min3_f16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_min3_f16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, s0, v2
  v_min3_f16 v0.l, v1.l, -4.0, v2.l
  v_min3_f16 v0.h, v1.l, -4.0, v2.h op_sel:[0,0,1,1]
  v_min3_f16 v0.l, v1.h, -4.0, v2.l op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, -4.0, v2
  v_min3_f16 v0.l, v1.l, v2.l, s0
  v_min3_f16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_min3_f16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, v2, s0
  v_min3_f16 v0.l, v1.l, v2.l, 1.0
  v_min3_f16 v0.h, v1.l, v2.h, 1.0 op_sel:[0,1,0,1]
  v_min3_f16 v0.l, v1.h, v2.l, 1.0 op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, v2, 1.0
  v_min3_f16 v0.l, s0, 3, v1.l
  v_min3_f16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_min3_f16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_min3_f16 v0, s0, 3, v1
  v_min3_f16 v0.l, -v1.l, v2.l, |v3.l|
  v_min3_f16 v0.h, -v1.l, v2.h, |v3.l| op_sel:[0,1,0,1]
  v_min3_f16 v0.l, -v1.h, v2.l, |v3.l| op_sel:[1,0,0,0]
  v_min3_f16 v0, -v1, v2, |v3|
  v_min3_f16 v0.l, -|v1.l|, v2.l, v3.l
  v_min3_f16 v0.h, -|v1.l|, v2.h, v3.l op_sel:[0,1,0,1]
  v_min3_f16 v0.l, -|v1.h|, v2.l, v3.l op_sel:[1,0,0,0]
  v_min3_f16 v0, -|v1|, v2, v3
  v_min3_f16 v0.l, v1.l, v2.l, v3.l clamp
  v_min3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1] clamp
  v_min3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0] clamp
  v_min3_f16 v0, v1, v2, v3 clamp
  v_min3_f16 v0.l, s0, v1.l, -v2.l clamp
  v_min3_f16 v0.h, s0, v1.l, -v2.h op_sel:[0,0,1,1] clamp
  v_min3_f16 v0.l, s0, v1.h, -v2.l op_sel:[0,1,0,0] clamp
  v_min3_f16 v0, s0, v1, -v2 clamp
  v_min3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_min3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_min3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_max3_f16 v0.l, v1.l, v2.l, v3.l
  v_max3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_max3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, v2, v3
  v_max3_f16 v0.l, s0, v1.l, v2.l
  v_max3_f16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_max3_f16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_max3_f16 v0, s0, v1, v2
  v_max3_f16 v0.l, 0.5, v1.l, v2.l
  v_max3_f16 v0.h, 0.5, v1.l, v2.h op_sel:[0,0,1,1]
  v_max3_f16 v0.l, 0.5, v1.h, v2.l op_sel:[0,1,0,0]
  v_max3_f16 v0, 0.5, v1, v2
  v_max3_f16 v0.l, 23, v1.l, v2.l
  v_max3_f16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_max3_f16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_max3_f16 v0, 23, v1, v2
  v_max3_f16 v0.l, v1.l, s0, v2.l
  v_max3_f16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_max3_f16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, s0, v2
  v_max3_f16 v0.l, v1.l, -4.0, v2.l
  v_max3_f16 v0.h, v1.l, -4.0, v2.h op_sel:[0,0,1,1]
  v_max3_f16 v0.l, v1.h, -4.0, v2.l op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, -4.0, v2
  v_max3_f16 v0.l, v1.l, v2.l, s0
  v_max3_f16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_max3_f16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, v2, s0
  v_max3_f16 v0.l, v1.l, v2.l, 1.0
  v_max3_f16 v0.h, v1.l, v2.h, 1.0 op_sel:[0,1,0,1]
  v_max3_f16 v0.l, v1.h, v2.l, 1.0 op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, v2, 1.0
  v_max3_f16 v0.l, s0, 3, v1.l
  v_max3_f16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_max3_f16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_max3_f16 v0, s0, 3, v1
  v_max3_f16 v0.l, -v1.l, v2.l, |v3.l|
  v_max3_f16 v0.h, -v1.l, v2.h, |v3.l| op_sel:[0,1,0,1]
  v_max3_f16 v0.l, -v1.h, v2.l, |v3.l| op_sel:[1,0,0,0]
  v_max3_f16 v0, -v1, v2, |v3|
  v_max3_f16 v0.l, -|v1.l|, v2.l, v3.l
  v_max3_f16 v0.h, -|v1.l|, v2.h, v3.l op_sel:[0,1,0,1]
  v_max3_f16 v0.l, -|v1.h|, v2.l, v3.l op_sel:[1,0,0,0]
  v_max3_f16 v0, -|v1|, v2, v3
  v_max3_f16 v0.l, v1.l, v2.l, v3.l clamp
  v_max3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1] clamp
  v_max3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0] clamp
  v_max3_f16 v0, v1, v2, v3 clamp
  v_max3_f16 v0.l, s0, v1.l, -v2.l clamp
  v_max3_f16 v0.h, s0, v1.l, -v2.h op_sel:[0,0,1,1] clamp
  v_max3_f16 v0.l, s0, v1.h, -v2.l op_sel:[0,1,0,0] clamp
  v_max3_f16 v0, s0, v1, -v2 clamp
  v_max3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_max3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_max3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_med3_f16 v0.l, v1.l, v2.l, v3.l
  v_med3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1]
  v_med3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, v2, v3
  v_med3_f16 v0.l, s0, v1.l, v2.l
  v_med3_f16 v0.h, s0, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_f16 v0.l, s0, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_f16 v0, s0, v1, v2
  v_med3_f16 v0.l, 0.5, v1.l, v2.l
  v_med3_f16 v0.h, 0.5, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_f16 v0.l, 0.5, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_f16 v0, 0.5, v1, v2
  v_med3_f16 v0.l, 23, v1.l, v2.l
  v_med3_f16 v0.h, 23, v1.l, v2.h op_sel:[0,0,1,1]
  v_med3_f16 v0.l, 23, v1.h, v2.l op_sel:[0,1,0,0]
  v_med3_f16 v0, 23, v1, v2
  v_med3_f16 v0.l, v1.l, s0, v2.l
  v_med3_f16 v0.h, v1.l, s0, v2.h op_sel:[0,0,1,1]
  v_med3_f16 v0.l, v1.h, s0, v2.l op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, s0, v2
  v_med3_f16 v0.l, v1.l, -4.0, v2.l
  v_med3_f16 v0.h, v1.l, -4.0, v2.h op_sel:[0,0,1,1]
  v_med3_f16 v0.l, v1.h, -4.0, v2.l op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, -4.0, v2
  v_med3_f16 v0.l, v1.l, v2.l, s0
  v_med3_f16 v0.h, v1.l, v2.h, s0 op_sel:[0,1,0,1]
  v_med3_f16 v0.l, v1.h, v2.l, s0 op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, v2, s0
  v_med3_f16 v0.l, v1.l, v2.l, 1.0
  v_med3_f16 v0.h, v1.l, v2.h, 1.0 op_sel:[0,1,0,1]
  v_med3_f16 v0.l, v1.h, v2.l, 1.0 op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, v2, 1.0
  v_med3_f16 v0.l, s0, 3, v1.l
  v_med3_f16 v0.h, s0, 3, v1.l op_sel:[0,0,0,1]
  v_med3_f16 v0.l, s0, 3, v1.h op_sel:[0,0,1,0]
  v_med3_f16 v0, s0, 3, v1
  v_med3_f16 v0.l, -v1.l, v2.l, |v3.l|
  v_med3_f16 v0.h, -v1.l, v2.h, |v3.l| op_sel:[0,1,0,1]
  v_med3_f16 v0.l, -v1.h, v2.l, |v3.l| op_sel:[1,0,0,0]
  v_med3_f16 v0, -v1, v2, |v3|
  v_med3_f16 v0.l, -|v1.l|, v2.l, v3.l
  v_med3_f16 v0.h, -|v1.l|, v2.h, v3.l op_sel:[0,1,0,1]
  v_med3_f16 v0.l, -|v1.h|, v2.l, v3.l op_sel:[1,0,0,0]
  v_med3_f16 v0, -|v1|, v2, v3
  v_med3_f16 v0.l, v1.l, v2.l, v3.l clamp
  v_med3_f16 v0.h, v1.l, v2.h, v3.l op_sel:[0,1,0,1] clamp
  v_med3_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0] clamp
  v_med3_f16 v0, v1, v2, v3 clamp
  v_med3_f16 v0.l, s0, v1.l, -v2.l clamp
  v_med3_f16 v0.h, s0, v1.l, -v2.h op_sel:[0,0,1,1] clamp
  v_med3_f16 v0.l, s0, v1.h, -v2.l op_sel:[0,1,0,0] clamp
  v_med3_f16 v0, s0, v1, -v2 clamp
  v_med3_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
  v_med3_f16 v0, v1, v2, v3 op_sel:[0,1,1,1]
  v_med3_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_exp_f16_e32 v0.l, v1.l
  v_exp_f16_e32 v0.h, v1.l
  v_exp_f16_e32 v0.l, v1.h
  v_exp_f16_e32 v0, v1
  v_exp_f16_e64 v0.l, v1.l
  v_exp_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_exp_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_exp_f16_e64 v0, v1
  v_exp_f16_e32 v0.l, s0
  v_exp_f16_e32 v0.h, s0
  v_exp_f16_e32 v0, s0
  v_exp_f16_e32 v0.l, 0.5
  v_exp_f16_e32 v0.h, 0.5
  v_exp_f16_e32 v0, 0.5
  v_exp_f16_e32 v0.l, 23
  v_exp_f16_e32 v0.h, 23
  v_exp_f16_e32 v0, 23
  v_exp_f16_e64 v0.l, |v1.l|
  v_exp_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_exp_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_exp_f16_e64 v0, |v1|
  v_exp_f16_e64 v0.l, -|v1.l|
  v_exp_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_exp_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_exp_f16_e64 v0, -|v1|
  v_exp_f16_e64 v0.l, v1.l clamp
  v_exp_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_exp_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_exp_f16_e64 v0, v1 clamp
  v_exp_f16_e64 v0.l, -s0 clamp
  v_exp_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_exp_f16_e64 v0, -s0 clamp
  v_exp_f16_dpp v0.l, v1.l row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_exp_f16_dpp v0.h, v1.l row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_exp_f16_dpp v0.l, v1.h row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_exp_f16_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_log_f16_e32 v0.l, v1.l
  v_log_f16_e32 v0.h, v1.l
  v_log_f16_e32 v0.l, v1.h
  v_log_f16_e32 v0, v1
  v_log_f16_e64 v0.l, v1.l
  v_log_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_log_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_log_f16_e64 v0, v1
  v_log_f16_e32 v0.l, s0
  v_log_f16_e32 v0.h, s0
  v_log_f16_e32 v0, s0
  v_log_f16_e32 v0.l, 0.5
  v_log_f16_e32 v0.h, 0.5
  v_log_f16_e32 v0, 0.5
  v_log_f16_e32 v0.l, 23
  v_log_f16_e32 v0.h, 23
  v_log_f16_e32 v0, 23
  v_log_f16_e64 v0.l, |v1.l|
  v_log_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_log_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_log_f16_e64 v0, |v1|
  v_log_f16_e64 v0.l, -|v1.l|
  v_log_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_log_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_log_f16_e64 v0, -|v1|
  v_log_f16_e64 v0.l, v1.l clamp
  v_log_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_log_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_log_f16_e64 v0, v1 clamp
  v_log_f16_e64 v0.l, -s0 clamp
  v_log_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_log_f16_e64 v0, -s0 clamp
  v_log_f16_dpp v0.l, v1.l quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_log_f16_dpp v0.h, v1.l quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_log_f16_dpp v0.l, v1.h quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_log_f16_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rcp_f16_e32 v0.l, v1.l
  v_rcp_f16_e32 v0.h, v1.l
  v_rcp_f16_e32 v0.l, v1.h
  v_rcp_f16_e32 v0, v1
  v_rcp_f16_e64 v0.l, v1.l
  v_rcp_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_rcp_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_rcp_f16_e64 v0, v1
  v_rcp_f16_e32 v0.l, s0
  v_rcp_f16_e32 v0.h, s0
  v_rcp_f16_e32 v0, s0
  v_rcp_f16_e32 v0.l, 0.5
  v_rcp_f16_e32 v0.h, 0.5
  v_rcp_f16_e32 v0, 0.5
  v_rcp_f16_e32 v0.l, 23
  v_rcp_f16_e32 v0.h, 23
  v_rcp_f16_e32 v0, 23
  v_rcp_f16_e64 v0.l, |v1.l|
  v_rcp_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_rcp_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_rcp_f16_e64 v0, |v1|
  v_rcp_f16_e64 v0.l, -|v1.l|
  v_rcp_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_rcp_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_rcp_f16_e64 v0, -|v1|
  v_rcp_f16_e64 v0.l, v1.l clamp
  v_rcp_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_rcp_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_rcp_f16_e64 v0, v1 clamp
  v_rcp_f16_e64 v0.l, -s0 clamp
  v_rcp_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_rcp_f16_e64 v0, -s0 clamp
  v_rcp_f16_dpp v0.l, v1.l row_share:7 row_mask:0xf bank_mask:0xf
  v_rcp_f16_dpp v0.h, v1.l row_share:7 row_mask:0xf bank_mask:0xf
  v_rcp_f16_dpp v0.l, v1.h row_share:7 row_mask:0xf bank_mask:0xf
  v_rcp_f16_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_rsq_f16_e32 v0.l, v1.l
  v_rsq_f16_e32 v0.h, v1.l
  v_rsq_f16_e32 v0.l, v1.h
  v_rsq_f16_e32 v0, v1
  v_rsq_f16_e64 v0.l, v1.l
  v_rsq_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_rsq_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_rsq_f16_e64 v0, v1
  v_rsq_f16_e32 v0.l, s0
  v_rsq_f16_e32 v0.h, s0
  v_rsq_f16_e32 v0, s0
  v_rsq_f16_e32 v0.l, 0.5
  v_rsq_f16_e32 v0.h, 0.5
  v_rsq_f16_e32 v0, 0.5
  v_rsq_f16_e32 v0.l, 23
  v_rsq_f16_e32 v0.h, 23
  v_rsq_f16_e32 v0, 23
  v_rsq_f16_e64 v0.l, |v1.l|
  v_rsq_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_rsq_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_rsq_f16_e64 v0, |v1|
  v_rsq_f16_e64 v0.l, -|v1.l|
  v_rsq_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_rsq_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_rsq_f16_e64 v0, -|v1|
  v_rsq_f16_e64 v0.l, v1.l clamp
  v_rsq_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_rsq_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_rsq_f16_e64 v0, v1 clamp
  v_rsq_f16_e64 v0.l, -s0 clamp
  v_rsq_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_rsq_f16_e64 v0, -s0 clamp
  v_rsq_f16_dpp v0.l, v1.l row_share:7 row_mask:0xf bank_mask:0xf
  v_rsq_f16_dpp v0.h, v1.l row_share:7 row_mask:0xf bank_mask:0xf
  v_rsq_f16_dpp v0.l, v1.h row_share:7 row_mask:0xf bank_mask:0xf
  v_rsq_f16_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_sqrt_f16_e32 v0.l, v1.l
  v_sqrt_f16_e32 v0.h, v1.l
  v_sqrt_f16_e32 v0.l, v1.h
  v_sqrt_f16_e32 v0, v1
  v_sqrt_f16_e64 v0.l, v1.l
  v_sqrt_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_sqrt_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_sqrt_f16_e64 v0, v1
  v_sqrt_f16_e32 v0.l, s0
  v_sqrt_f16_e32 v0.h, s0
  v_sqrt_f16_e32 v0, s0
  v_sqrt_f16_e32 v0.l, 0.5
  v_sqrt_f16_e32 v0.h, 0.5
  v_sqrt_f16_e32 v0, 0.5
  v_sqrt_f16_e32 v0.l, 23
  v_sqrt_f16_e32 v0.h, 23
  v_sqrt_f16_e32 v0, 23
  v_sqrt_f16_e64 v0.l, |v1.l|
  v_sqrt_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_sqrt_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_sqrt_f16_e64 v0, |v1|
  v_sqrt_f16_e64 v0.l, -|v1.l|
  v_sqrt_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_sqrt_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_sqrt_f16_e64 v0, -|v1|
  v_sqrt_f16_e64 v0.l, v1.l clamp
  v_sqrt_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_sqrt_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_sqrt_f16_e64 v0, v1 clamp
  v_sqrt_f16_e64 v0.l, -s0 clamp
  v_sqrt_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_sqrt_f16_e64 v0, -s0 clamp
  v_sqrt_f16_dpp v0.l, v1.l row_shr:8 row_mask:0xf bank_mask:0xc
  v_sqrt_f16_dpp v0.h, v1.l row_shr:8 row_mask:0xf bank_mask:0xc
  v_sqrt_f16_dpp v0.l, v1.h row_shr:8 row_mask:0xf bank_mask:0xc
  v_sqrt_f16_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_sin_f16_e32 v0.l, v1.l
  v_sin_f16_e32 v0.h, v1.l
  v_sin_f16_e32 v0.l, v1.h
  v_sin_f16_e32 v0, v1
  v_sin_f16_e64 v0.l, v1.l
  v_sin_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_sin_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_sin_f16_e64 v0, v1
  v_sin_f16_e32 v0.l, s0
  v_sin_f16_e32 v0.h, s0
  v_sin_f16_e32 v0, s0
  v_sin_f16_e32 v0.l, 0.5
  v_sin_f16_e32 v0.h, 0.5
  v_sin_f16_e32 v0, 0.5
  v_sin_f16_e32 v0.l, 23
  v_sin_f16_e32 v0.h, 23
  v_sin_f16_e32 v0, 23
  v_sin_f16_e64 v0.l, |v1.l|
  v_sin_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_sin_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_sin_f16_e64 v0, |v1|
  v_sin_f16_e64 v0.l, -|v1.l|
  v_sin_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_sin_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_sin_f16_e64 v0, -|v1|
  v_sin_f16_e64 v0.l, v1.l clamp
  v_sin_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_sin_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_sin_f16_e64 v0, v1 clamp
  v_sin_f16_e64 v0.l, -s0 clamp
  v_sin_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_sin_f16_e64 v0, -s0 clamp
  v_sin_f16_dpp v0.l, v1.l quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_sin_f16_dpp v0.h, v1.l quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_sin_f16_dpp v0.l, v1.h quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_sin_f16_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_cos_f16_e32 v0.l, v1.l
  v_cos_f16_e32 v0.h, v1.l
  v_cos_f16_e32 v0.l, v1.h
  v_cos_f16_e32 v0, v1
  v_cos_f16_e64 v0.l, v1.l
  v_cos_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_cos_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_cos_f16_e64 v0, v1
  v_cos_f16_e32 v0.l, s0
  v_cos_f16_e32 v0.h, s0
  v_cos_f16_e32 v0, s0
  v_cos_f16_e32 v0.l, 0.5
  v_cos_f16_e32 v0.h, 0.5
  v_cos_f16_e32 v0, 0.5
  v_cos_f16_e32 v0.l, 23
  v_cos_f16_e32 v0.h, 23
  v_cos_f16_e32 v0, 23
  v_cos_f16_e64 v0.l, |v1.l|
  v_cos_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_cos_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_cos_f16_e64 v0, |v1|
  v_cos_f16_e64 v0.l, -|v1.l|
  v_cos_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_cos_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_cos_f16_e64 v0, -|v1|
  v_cos_f16_e64 v0.l, v1.l clamp
  v_cos_f16_e64 v0.h, v1.l op_sel:[0,1] clamp
  v_cos_f16_e64 v0.l, v1.h op_sel:[1,0] clamp
  v_cos_f16_e64 v0, v1 clamp
  v_cos_f16_e64 v0.l, -s0 clamp
  v_cos_f16_e64 v0.h, -s0 op_sel:[0,1] clamp
  v_cos_f16_e64 v0, -s0 clamp
  v_cos_f16_dpp v0.l, v1.l row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cos_f16_dpp v0.h, v1.l row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cos_f16_dpp v0.l, v1.h row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cos_f16_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mul_dx9_zero_f32_e32 v0, v1, v2
  v_mul_dx9_zero_f32_e32 v0, s0, v1
  v_mul_dx9_zero_f32_e32 v0, 0.5, v1
  v_mul_dx9_zero_f32_e32 v0, 23, v1
  v_mul_dx9_zero_f32_e64 v0, v1, s0
  v_mul_dx9_zero_f32_e64 v0, v1, -4.0
  v_mul_dx9_zero_f32_e64 v0, -v1, |v2|
  v_mul_dx9_zero_f32_e64 v0, -|v1|, v2
  v_mul_dx9_zero_f32_e64 v0, v1, v2 clamp
  v_mul_dx9_zero_f32_e64 v0, s0, -v1 clamp
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
  v_rcp_iflag_f32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
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
  v_frexp_exp_i32_f64_e32 v0, v[2:3]
  v_frexp_exp_i32_f64_e64 v0, v[2:3]
  v_frexp_exp_i32_f64_e32 v0, s[0:1]
  v_frexp_exp_i32_f64_e32 v0, 0.5
  v_frexp_exp_i32_f64_e32 v0, 23
  v_frexp_exp_i32_f64_e32 v0, 0x41234567
  v_frexp_exp_i32_f64_e64 v0, |v[2:3]|
  v_frexp_exp_i32_f64_e64 v0, -|v[2:3]|
  v_frexp_exp_i16_f16_e32 v0.l, v1.l
  v_frexp_exp_i16_f16_e32 v0.h, v1.l
  v_frexp_exp_i16_f16_e32 v0.l, v1.h
  v_frexp_exp_i16_f16_e32 v0, v1
  v_frexp_exp_i16_f16_e64 v0.l, v1.l
  v_frexp_exp_i16_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_frexp_exp_i16_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_frexp_exp_i16_f16_e64 v0, v1
  v_frexp_exp_i16_f16_e32 v0.l, s0
  v_frexp_exp_i16_f16_e32 v0.h, s0
  v_frexp_exp_i16_f16_e32 v0, s0
  v_frexp_exp_i16_f16_e32 v0.l, 0.5
  v_frexp_exp_i16_f16_e32 v0.h, 0.5
  v_frexp_exp_i16_f16_e32 v0, 0.5
  v_frexp_exp_i16_f16_e32 v0.l, 23
  v_frexp_exp_i16_f16_e32 v0.h, 23
  v_frexp_exp_i16_f16_e32 v0, 23
  v_frexp_exp_i16_f16_e64 v0.l, |v1.l|
  v_frexp_exp_i16_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_frexp_exp_i16_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_frexp_exp_i16_f16_e64 v0, |v1|
  v_frexp_exp_i16_f16_e64 v0.l, -|v1.l|
  v_frexp_exp_i16_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_frexp_exp_i16_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_frexp_exp_i16_f16_e64 v0, -|v1|
  v_frexp_exp_i16_f16_dpp v0.l, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_frexp_exp_i16_f16_dpp v0.h, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_frexp_exp_i16_f16_dpp v0.l, v1.h row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_frexp_exp_i16_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_dot2_f32_f16 v0, v1, v2, v3
  v_dot2_f32_f16 v0, s0, v1, v2
  v_dot2_f32_f16 v0, 0.5, v1, v2
  v_dot2_f32_f16 v0, 23, v1, v2
  v_dot2_f32_f16 v0, v1, s0, v2
  v_dot2_f32_f16 v0, v1, 5, v2
  v_dot2_f32_f16 v0, v1, v2, s0
  v_dot2_f32_f16 v0, v1, v2, 1.0
  v_dot2_f32_f16 v0, s0, 3, v1
  v_dot2acc_f32_f16 v0, v1, v2
  v_dot2acc_f32_f16 v0, s0, v1
  v_dot2acc_f32_f16 v0, -7, v1
  v_dot2acc_f32_f16 v0, 23, v1
  v_dot2acc_f32_f16 v0, 0x41234567, v1
  v_dot2acc_f32_f16_dpp v0, v1, v2 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_fmamk_f32 v0, v1, 0x41200000, v2
  v_fmaak_f32 v0, v1, v2, 0x40490fdb

; Conversions
  v_cvt_f32_i32_e32 v0, v1
  v_cvt_f32_i32_e64 v0, v1
  v_cvt_f32_i32_e32 v0, s0
  v_cvt_f32_i32_e32 v0, -7
  v_cvt_f32_i32_e32 v0, 23
  v_cvt_f32_i32_e32 v0, 0x41234567
  v_cvt_f32_i32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_u32_e32 v0, v1
  v_cvt_f32_u32_e64 v0, v1
  v_cvt_f32_u32_e32 v0, s0
  v_cvt_f32_u32_e32 v0, -7
  v_cvt_f32_u32_e32 v0, 23
  v_cvt_f32_u32_e32 v0, 0x41234567
  v_cvt_f32_u32_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_i32_f32_e32 v0, v1
  v_cvt_i32_f32_e64 v0, v1
  v_cvt_i32_f32_e32 v0, s0
  v_cvt_i32_f32_e32 v0, 0.5
  v_cvt_i32_f32_e32 v0, 23
  v_cvt_i32_f32_e32 v0, 0x41234567
  v_cvt_i32_f32_e64 v0, |v1|
  v_cvt_i32_f32_e64 v0, -|v1|
  v_cvt_i32_f32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_cvt_u32_f32_e32 v0, v1
  v_cvt_u32_f32_e64 v0, v1
  v_cvt_u32_f32_e32 v0, s0
  v_cvt_u32_f32_e32 v0, 0.5
  v_cvt_u32_f32_e32 v0, 23
  v_cvt_u32_f32_e32 v0, 0x41234567
  v_cvt_u32_f32_e64 v0, |v1|
  v_cvt_u32_f32_e64 v0, -|v1|
  v_cvt_u32_f32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_cvt_nearest_i32_f32_e32 v0, v1
  v_cvt_nearest_i32_f32_e64 v0, v1
  v_cvt_nearest_i32_f32_e32 v0, s0
  v_cvt_nearest_i32_f32_e32 v0, 0.5
  v_cvt_nearest_i32_f32_e32 v0, 23
  v_cvt_nearest_i32_f32_e32 v0, 0x41234567
  v_cvt_nearest_i32_f32_e64 v0, |v1|
  v_cvt_nearest_i32_f32_e64 v0, -|v1|
  v_cvt_nearest_i32_f32_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_cvt_floor_i32_f32_e32 v0, v1
  v_cvt_floor_i32_f32_e64 v0, v1
  v_cvt_floor_i32_f32_e32 v0, s0
  v_cvt_floor_i32_f32_e32 v0, 0.5
  v_cvt_floor_i32_f32_e32 v0, 23
  v_cvt_floor_i32_f32_e32 v0, 0x41234567
  v_cvt_floor_i32_f32_e64 v0, |v1|
  v_cvt_floor_i32_f32_e64 v0, -|v1|
  v_cvt_floor_i32_f32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_cvt_f32_f16_e32 v0, v1.l
  v_cvt_f32_f16_e32 v0, v1.h
  v_cvt_f32_f16_e64 v0, v1.l
  v_cvt_f32_f16_e64 v0, v1.h op_sel:[1,0]
  v_cvt_f32_f16_e32 v0, s0
  v_cvt_f32_f16_e32 v0, 0.5
  v_cvt_f32_f16_e32 v0, 23
  v_cvt_f32_f16_e64 v0, |v1|
  v_cvt_f32_f16_e64 v0, -|v1|
  v_cvt_f32_f16_e64 v0, v1.l clamp
  v_cvt_f32_f16_e64 v0, v1.h op_sel:[1,0] clamp
  v_cvt_f32_f16_e64 v0, -s0 clamp
  v_cvt_f32_f16_dpp v0, v1.l row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_f32_f16_dpp v0, v1.h row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
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
  v_cvt_f16_u16_e32 v0.l, v1.l
  v_cvt_f16_u16_e32 v0.h, v1.l
  v_cvt_f16_u16_e32 v0.l, v1.h
  v_cvt_f16_u16_e32 v0, v1
  v_cvt_f16_u16_e64 v0.l, v1.l
  v_cvt_f16_u16_e64 v0.h, v1.l op_sel:[0,1]
  v_cvt_f16_u16_e64 v0.l, v1.h op_sel:[1,0]
  v_cvt_f16_u16_e64 v0, v1
  v_cvt_f16_u16_e32 v0.l, s0
  v_cvt_f16_u16_e32 v0.h, s0
  v_cvt_f16_u16_e32 v0, s0
  v_cvt_f16_u16_e32 v0.l, -7
  v_cvt_f16_u16_e32 v0.h, -7
  v_cvt_f16_u16_e32 v0, -7
  v_cvt_f16_u16_e32 v0.l, 23
  v_cvt_f16_u16_e32 v0.h, 23
  v_cvt_f16_u16_e32 v0, 23
  v_cvt_f16_u16_dpp v0.l, v1.l row_ror:5 row_mask:0xf bank_mask:0x5
  v_cvt_f16_u16_dpp v0.h, v1.l row_ror:5 row_mask:0xf bank_mask:0x5
  v_cvt_f16_u16_dpp v0.l, v1.h row_ror:5 row_mask:0xf bank_mask:0x5
  v_cvt_f16_u16_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_cvt_f16_i16_e32 v0.l, v1.l
  v_cvt_f16_i16_e32 v0.h, v1.l
  v_cvt_f16_i16_e32 v0.l, v1.h
  v_cvt_f16_i16_e32 v0, v1
  v_cvt_f16_i16_e64 v0.l, v1.l
  v_cvt_f16_i16_e64 v0.h, v1.l op_sel:[0,1]
  v_cvt_f16_i16_e64 v0.l, v1.h op_sel:[1,0]
  v_cvt_f16_i16_e64 v0, v1
  v_cvt_f16_i16_e32 v0.l, s0
  v_cvt_f16_i16_e32 v0.h, s0
  v_cvt_f16_i16_e32 v0, s0
  v_cvt_f16_i16_e32 v0.l, -7
  v_cvt_f16_i16_e32 v0.h, -7
  v_cvt_f16_i16_e32 v0, -7
  v_cvt_f16_i16_e32 v0.l, 23
  v_cvt_f16_i16_e32 v0.h, 23
  v_cvt_f16_i16_e32 v0, 23
  v_cvt_f16_i16_dpp v0.l, v1.l row_mirror row_mask:0xf bank_mask:0xf
  v_cvt_f16_i16_dpp v0.h, v1.l row_mirror row_mask:0xf bank_mask:0xf
  v_cvt_f16_i16_dpp v0.l, v1.h row_mirror row_mask:0xf bank_mask:0xf
  v_cvt_f16_i16_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_cvt_u16_f16_e32 v0.l, v1.l
  v_cvt_u16_f16_e32 v0.h, v1.l
  v_cvt_u16_f16_e32 v0.l, v1.h
  v_cvt_u16_f16_e32 v0, v1
  v_cvt_u16_f16_e64 v0.l, v1.l
  v_cvt_u16_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_cvt_u16_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_cvt_u16_f16_e64 v0, v1
  v_cvt_u16_f16_e32 v0.l, s0
  v_cvt_u16_f16_e32 v0.h, s0
  v_cvt_u16_f16_e32 v0, s0
  v_cvt_u16_f16_e32 v0.l, 0.5
  v_cvt_u16_f16_e32 v0.h, 0.5
  v_cvt_u16_f16_e32 v0, 0.5
  v_cvt_u16_f16_e32 v0.l, 23
  v_cvt_u16_f16_e32 v0.h, 23
  v_cvt_u16_f16_e32 v0, 23
  v_cvt_u16_f16_e64 v0.l, |v1.l|
  v_cvt_u16_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_cvt_u16_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_cvt_u16_f16_e64 v0, |v1|
  v_cvt_u16_f16_e64 v0.l, -|v1.l|
  v_cvt_u16_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_cvt_u16_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_cvt_u16_f16_e64 v0, -|v1|
  v_cvt_u16_f16_dpp v0.l, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_u16_f16_dpp v0.h, v1.l row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_u16_f16_dpp v0.l, v1.h row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_u16_f16_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_i16_f16_e32 v0.l, v1.l
  v_cvt_i16_f16_e32 v0.h, v1.l
  v_cvt_i16_f16_e32 v0.l, v1.h
  v_cvt_i16_f16_e32 v0, v1
  v_cvt_i16_f16_e64 v0.l, v1.l
  v_cvt_i16_f16_e64 v0.h, v1.l op_sel:[0,1]
  v_cvt_i16_f16_e64 v0.l, v1.h op_sel:[1,0]
  v_cvt_i16_f16_e64 v0, v1
  v_cvt_i16_f16_e32 v0.l, s0
  v_cvt_i16_f16_e32 v0.h, s0
  v_cvt_i16_f16_e32 v0, s0
  v_cvt_i16_f16_e32 v0.l, 0.5
  v_cvt_i16_f16_e32 v0.h, 0.5
  v_cvt_i16_f16_e32 v0, 0.5
  v_cvt_i16_f16_e32 v0.l, 23
  v_cvt_i16_f16_e32 v0.h, 23
  v_cvt_i16_f16_e32 v0, 23
  v_cvt_i16_f16_e64 v0.l, |v1.l|
  v_cvt_i16_f16_e64 v0.h, |v1.l| op_sel:[0,1]
  v_cvt_i16_f16_e64 v0.l, |v1.h| op_sel:[1,0]
  v_cvt_i16_f16_e64 v0, |v1|
  v_cvt_i16_f16_e64 v0.l, -|v1.l|
  v_cvt_i16_f16_e64 v0.h, -|v1.l| op_sel:[0,1]
  v_cvt_i16_f16_e64 v0.l, -|v1.h| op_sel:[1,0]
  v_cvt_i16_f16_e64 v0, -|v1|
  v_cvt_i16_f16_dpp v0.l, v1.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_cvt_i16_f16_dpp v0.h, v1.l row_xmask:5 row_mask:0xa bank_mask:0xf
  v_cvt_i16_f16_dpp v0.l, v1.h row_xmask:5 row_mask:0xa bank_mask:0xf
  v_cvt_i16_f16_dpp v0, v1 row_xmask:5 row_mask:0xa bank_mask:0xf
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
  v_cvt_f32_ubyte0_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_cvt_f32_ubyte1_e32 v0, v1
  v_cvt_f32_ubyte1_e64 v0, v1
  v_cvt_f32_ubyte1_e32 v0, s0
  v_cvt_f32_ubyte1_e32 v0, -7
  v_cvt_f32_ubyte1_e32 v0, 23
  v_cvt_f32_ubyte1_e32 v0, 0x41234567
  v_cvt_f32_ubyte1_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_cvt_f32_ubyte2_e32 v0, v1
  v_cvt_f32_ubyte2_e64 v0, v1
  v_cvt_f32_ubyte2_e32 v0, s0
  v_cvt_f32_ubyte2_e32 v0, -7
  v_cvt_f32_ubyte2_e32 v0, 23
  v_cvt_f32_ubyte2_e32 v0, 0x41234567
  v_cvt_f32_ubyte2_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_cvt_f32_ubyte3_e32 v0, v1
  v_cvt_f32_ubyte3_e64 v0, v1
  v_cvt_f32_ubyte3_e32 v0, s0
  v_cvt_f32_ubyte3_e32 v0, -7
  v_cvt_f32_ubyte3_e32 v0, 23
  v_cvt_f32_ubyte3_e32 v0, 0x41234567
  v_cvt_f32_ubyte3_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cvt_pk_rtz_f16_f32_e32 v0, v1, v2
  v_cvt_pk_rtz_f16_f32_e32 v0, s0, v1
  v_cvt_pk_rtz_f16_f32_e32 v0, 0.5, v1
  v_cvt_pk_rtz_f16_f32_e32 v0, 23, v1
  v_cvt_pk_rtz_f16_f32_e64 v0, v1, s0
  v_cvt_pk_rtz_f16_f32_e64 v0, v1, -4.0
  v_cvt_pk_rtz_f16_f32_e64 v0, -v1, |v2|
  v_cvt_pk_rtz_f16_f32_e64 v0, -|v1|, v2

; Every DPP control
  v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_ror:5 row_mask:0xf bank_mask:0x5
  v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 row_xmask:5 row_mask:0xa bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_xmask:5 row_mask:0xc bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_share:3 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_share:7 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 row_shr:8 row_mask:0xf bank_mask:0xc
  v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:4 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_shr:8 row_mask:0xf bank_mask:0xf
  v_cndmask_b32_dpp v0, v1, v2, vcc_lo row_shr:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_shl:15 row_mask:0x3 bank_mask:0x7 bound_ctrl:1
  v_add_f32_dpp v0, -v1, |v2| row_ror:1 row_mask:0xf bank_mask:0xf
  v_add_co_u32_e64_dpp v0, vcc_lo, v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]
  v_mov_b32_dpp v0, v1 dpp8:[1,1,3,0,5,4,7,2] fi:1
  v_add_f32_dpp v0, v1, v2 dpp8:[0,2,4,6,1,3,5,7]
  v_mov_b32_dpp v0, v1 row_xmask:3 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_share:5 row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
  v_add_nc_u32_dpp v0, v1, v2 row_shr:4 row_mask:0xf bank_mask:0xf fi:1
  v_max_f32_e64_dpp v0, v1, v2 row_ror:3 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v0, v1 row_mirror row_mask:0x1 bank_mask:0x3

; Comparisons
  v_cmp_f_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_f_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_f_f16_e64 s2, v0.l, v1.l
  v_cmp_f_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_f_f16_e64 s2, v1.l, -1
  v_cmp_f_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_f_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_f_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_lt_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_lt_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_lt_f16_e64 s2, v0.l, v1.l
  v_cmp_lt_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_lt_f16_e32 vcc_lo, s4, v1.l
  v_cmp_lt_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_lt_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_lt_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_eq_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_eq_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_eq_f16_e64 s2, v0.l, v1.l
  v_cmp_eq_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_eq_f16_e64 vcc_lo, v1.l, s4
  v_cmp_eq_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_eq_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_eq_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_le_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_le_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_le_f16_e64 s2, v0.l, v1.l
  v_cmp_le_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_le_f16_e32 vcc_lo, 3, v1.l
  v_cmp_le_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_le_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_le_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_gt_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_gt_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_gt_f16_e64 s2, v0.l, v1.l
  v_cmp_gt_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_gt_f16_e64 s2, v1.l, -1
  v_cmp_gt_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_gt_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_gt_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_lg_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_lg_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_lg_f16_e64 s2, v0.l, v1.l
  v_cmp_lg_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_lg_f16_e32 vcc_lo, s4, v1.l
  v_cmp_lg_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_lg_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_lg_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_ge_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ge_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ge_f16_e64 s2, v0.l, v1.l
  v_cmp_ge_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ge_f16_e64 vcc_lo, v1.l, s4
  v_cmp_ge_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_ge_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_ge_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_o_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_o_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_o_f16_e64 s2, v0.l, v1.l
  v_cmp_o_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_o_f16_e32 vcc_lo, 3, v1.l
  v_cmp_o_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_o_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_o_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_u_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_u_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_u_f16_e64 s2, v0.l, v1.l
  v_cmp_u_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_u_f16_e64 s2, v1.l, -1
  v_cmp_u_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_u_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_u_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_nge_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_nge_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_nge_f16_e64 s2, v0.l, v1.l
  v_cmp_nge_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_nge_f16_e32 vcc_lo, s4, v1.l
  v_cmp_nge_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_nge_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_nge_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_nlg_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_nlg_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_nlg_f16_e64 s2, v0.l, v1.l
  v_cmp_nlg_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_nlg_f16_e64 vcc_lo, v1.l, s4
  v_cmp_nlg_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_nlg_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_nlg_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_ngt_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ngt_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ngt_f16_e64 s2, v0.l, v1.l
  v_cmp_ngt_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ngt_f16_e32 vcc_lo, 3, v1.l
  v_cmp_ngt_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_ngt_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_ngt_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_nle_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_nle_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_nle_f16_e64 s2, v0.l, v1.l
  v_cmp_nle_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_nle_f16_e64 s2, v1.l, -1
  v_cmp_nle_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_nle_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_nle_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_neq_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_neq_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_neq_f16_e64 s2, v0.l, v1.l
  v_cmp_neq_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_neq_f16_e32 vcc_lo, s4, v1.l
  v_cmp_neq_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_neq_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_neq_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_nlt_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_nlt_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_nlt_f16_e64 s2, v0.l, v1.l
  v_cmp_nlt_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_nlt_f16_e32 vcc_lo, 3, v1.l
  v_cmp_nlt_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_nlt_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_nlt_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_t_f16_e32 vcc_lo, v0.l, v1.l
  v_cmp_t_f16_e32 vcc_lo, v0.h, v1.l
  v_cmp_t_f16_e64 s2, v0.l, v1.l
  v_cmp_t_f16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_t_f16_e64 s2, v1.l, -1
  v_cmp_t_f16_e64 s2, -v0.l, |v1.l|
  v_cmp_t_f16_e64 s2, -v0.h, |v1.l| op_sel:[1,0,0]
  v_cmp_t_f16_e32 vcc_lo, 0.5, v1.l
  v_cmp_f_f32_e32 vcc_lo, v0, v1
  v_cmp_f_f32_e64 s2, v0, v1
  v_cmp_f_f32_e64 vcc_lo, v1, s4
  v_cmp_f_f32_e64 s2, -v0, |v1|
  v_cmp_f_f32_e32 vcc_lo, 0.5, v1
  v_cmp_lt_f32_e32 vcc_lo, v0, v1
  v_cmp_lt_f32_e64 s2, v0, v1
  v_cmp_lt_f32_e32 vcc_lo, 3, v1
  v_cmp_lt_f32_e64 s2, -v0, |v1|
  v_cmp_lt_f32_e32 vcc_lo, 0.5, v1
  v_cmp_eq_f32_e32 vcc_lo, v0, v1
  v_cmp_eq_f32_e64 s2, v0, v1
  v_cmp_eq_f32_e64 s2, v1, -1
  v_cmp_eq_f32_e64 s2, -v0, |v1|
  v_cmp_eq_f32_e32 vcc_lo, 0.5, v1
  v_cmp_le_f32_e32 vcc_lo, v0, v1
  v_cmp_le_f32_e64 s2, v0, v1
  v_cmp_le_f32_e32 vcc_lo, s4, v1
  v_cmp_le_f32_e64 s2, -v0, |v1|
  v_cmp_le_f32_e32 vcc_lo, 0.5, v1
  v_cmp_gt_f32_e32 vcc_lo, v0, v1
  v_cmp_gt_f32_e64 s2, v0, v1
  v_cmp_gt_f32_e64 vcc_lo, v1, s4
  v_cmp_gt_f32_e64 s2, -v0, |v1|
  v_cmp_gt_f32_e32 vcc_lo, 0.5, v1
  v_cmp_lg_f32_e32 vcc_lo, v0, v1
  v_cmp_lg_f32_e64 s2, v0, v1
  v_cmp_lg_f32_e32 vcc_lo, 3, v1
  v_cmp_lg_f32_e64 s2, -v0, |v1|
  v_cmp_lg_f32_e32 vcc_lo, 0.5, v1
  v_cmp_ge_f32_e32 vcc_lo, v0, v1
  v_cmp_ge_f32_e64 s2, v0, v1
  v_cmp_ge_f32_e64 s2, v1, -1
  v_cmp_ge_f32_e64 s2, -v0, |v1|
  v_cmp_ge_f32_e32 vcc_lo, 0.5, v1
  v_cmp_o_f32_e32 vcc_lo, v0, v1
  v_cmp_o_f32_e64 s2, v0, v1
  v_cmp_o_f32_e32 vcc_lo, s4, v1
  v_cmp_o_f32_e64 s2, -v0, |v1|
  v_cmp_o_f32_e32 vcc_lo, 0.5, v1
  v_cmp_u_f32_e32 vcc_lo, v0, v1
  v_cmp_u_f32_e64 s2, v0, v1
  v_cmp_u_f32_e64 vcc_lo, v1, s4
  v_cmp_u_f32_e64 s2, -v0, |v1|
  v_cmp_u_f32_e32 vcc_lo, 0.5, v1
  v_cmp_nge_f32_e32 vcc_lo, v0, v1
  v_cmp_nge_f32_e64 s2, v0, v1
  v_cmp_nge_f32_e32 vcc_lo, 3, v1
  v_cmp_nge_f32_e64 s2, -v0, |v1|
  v_cmp_nge_f32_e32 vcc_lo, 0.5, v1
  v_cmp_nlg_f32_e32 vcc_lo, v0, v1
  v_cmp_nlg_f32_e64 s2, v0, v1
  v_cmp_nlg_f32_e64 s2, v1, -1
  v_cmp_nlg_f32_e64 s2, -v0, |v1|
  v_cmp_nlg_f32_e32 vcc_lo, 0.5, v1
  v_cmp_ngt_f32_e32 vcc_lo, v0, v1
  v_cmp_ngt_f32_e64 s2, v0, v1
  v_cmp_ngt_f32_e32 vcc_lo, s4, v1
  v_cmp_ngt_f32_e64 s2, -v0, |v1|
  v_cmp_ngt_f32_e32 vcc_lo, 0.5, v1
  v_cmp_nle_f32_e32 vcc_lo, v0, v1
  v_cmp_nle_f32_e64 s2, v0, v1
  v_cmp_nle_f32_e64 vcc_lo, v1, s4
  v_cmp_nle_f32_e64 s2, -v0, |v1|
  v_cmp_nle_f32_e32 vcc_lo, 0.5, v1
  v_cmp_neq_f32_e32 vcc_lo, v0, v1
  v_cmp_neq_f32_e64 s2, v0, v1
  v_cmp_neq_f32_e32 vcc_lo, 3, v1
  v_cmp_neq_f32_e64 s2, -v0, |v1|
  v_cmp_neq_f32_e32 vcc_lo, 0.5, v1
  v_cmp_nlt_f32_e32 vcc_lo, v0, v1
  v_cmp_nlt_f32_e64 s2, v0, v1
  v_cmp_nlt_f32_e32 vcc_lo, s4, v1
  v_cmp_nlt_f32_e64 s2, -v0, |v1|
  v_cmp_nlt_f32_e32 vcc_lo, 0.5, v1
  v_cmp_t_f32_e32 vcc_lo, v0, v1
  v_cmp_t_f32_e64 s2, v0, v1
  v_cmp_t_f32_e64 vcc_lo, v1, s4
  v_cmp_t_f32_e64 s2, -v0, |v1|
  v_cmp_t_f32_e32 vcc_lo, 0.5, v1
  v_cmp_f_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_f_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_f_f64_e64 s2, v[2:3], -1
  v_cmp_f_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_f_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_lt_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_lt_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_lt_f64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_lt_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_lt_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_eq_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_eq_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_eq_f64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_eq_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_eq_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_le_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_le_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_le_f64_e32 vcc_lo, 3, v[2:3]
  v_cmp_le_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_le_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_gt_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_gt_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_gt_f64_e64 s2, v[2:3], -1
  v_cmp_gt_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_gt_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_lg_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_lg_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_lg_f64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_lg_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_lg_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_ge_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ge_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_ge_f64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_ge_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_ge_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_o_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_o_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_o_f64_e32 vcc_lo, 3, v[2:3]
  v_cmp_o_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_o_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_u_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_u_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_u_f64_e64 s2, v[2:3], -1
  v_cmp_u_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_u_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_nge_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_nge_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_nge_f64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_nge_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_nge_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_nlg_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_nlg_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_nlg_f64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_nlg_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_nlg_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_ngt_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ngt_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_ngt_f64_e32 vcc_lo, 3, v[2:3]
  v_cmp_ngt_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_ngt_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_nle_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_nle_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_nle_f64_e64 s2, v[2:3], -1
  v_cmp_nle_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_nle_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_neq_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_neq_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_neq_f64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_neq_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_neq_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_nlt_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_nlt_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_nlt_f64_e32 vcc_lo, 3, v[2:3]
  v_cmp_nlt_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_nlt_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_t_f64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_t_f64_e64 s2, v[0:1], v[2:3]
  v_cmp_t_f64_e64 s2, v[2:3], -1
  v_cmp_t_f64_e64 s2, -v[0:1], |v[2:3]|
  v_cmp_t_f64_e32 vcc_lo, 0.5, v[2:3]
  v_cmp_lt_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_lt_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_lt_i16_e64 s2, v0.l, v1.l
  v_cmp_lt_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_lt_i16_e32 vcc_lo, 3, v1.l
  v_cmp_eq_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_eq_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_eq_i16_e64 s2, v0.l, v1.l
  v_cmp_eq_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_eq_i16_e64 s2, v1.l, -1
  v_cmp_le_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_le_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_le_i16_e64 s2, v0.l, v1.l
  v_cmp_le_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_le_i16_e32 vcc_lo, s4, v1.l
  v_cmp_gt_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_gt_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_gt_i16_e64 s2, v0.l, v1.l
  v_cmp_gt_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_gt_i16_e64 vcc_lo, v1.l, s4
  v_cmp_ge_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ge_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ge_i16_e64 s2, v0.l, v1.l
  v_cmp_ge_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ge_i16_e64 s2, v1.l, -1
  v_cmp_ne_i16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ne_i16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ne_i16_e64 s2, v0.l, v1.l
  v_cmp_ne_i16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ne_i16_e64 s2, v1.l, -1
  v_cmp_f_i32_e32 vcc_lo, v0, v1
  v_cmp_f_i32_e64 s2, v0, v1
  v_cmp_f_i32_e64 s2, v1, -1
  v_cmp_lt_i32_e32 vcc_lo, v0, v1
  v_cmp_lt_i32_e64 s2, v0, v1
  v_cmp_lt_i32_e32 vcc_lo, s4, v1
  v_cmp_eq_i32_e32 vcc_lo, v0, v1
  v_cmp_eq_i32_e64 s2, v0, v1
  v_cmp_eq_i32_e64 vcc_lo, v1, s4
  v_cmp_le_i32_e32 vcc_lo, v0, v1
  v_cmp_le_i32_e64 s2, v0, v1
  v_cmp_le_i32_e32 vcc_lo, 3, v1
  v_cmp_gt_i32_e32 vcc_lo, v0, v1
  v_cmp_gt_i32_e64 s2, v0, v1
  v_cmp_gt_i32_e64 s2, v1, -1
  v_cmp_ge_i32_e32 vcc_lo, v0, v1
  v_cmp_ge_i32_e64 s2, v0, v1
  v_cmp_ge_i32_e64 vcc_lo, v1, s4
  v_cmp_ne_i32_e32 vcc_lo, v0, v1
  v_cmp_ne_i32_e64 s2, v0, v1
  v_cmp_ne_i32_e64 vcc_lo, v1, s4
  v_cmp_t_i32_e32 vcc_lo, v0, v1
  v_cmp_t_i32_e64 s2, v0, v1
  v_cmp_t_i32_e32 vcc_lo, s4, v1
  v_cmp_f_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_f_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_f_i64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_lt_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_lt_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_lt_i64_e32 vcc_lo, 3, v[2:3]
  v_cmp_eq_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_eq_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_eq_i64_e64 s2, v[2:3], -1
  v_cmp_le_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_le_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_le_i64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_gt_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_gt_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_gt_i64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_ge_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ge_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_ge_i64_e64 s2, v[2:3], -1
  v_cmp_ne_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ne_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_ne_i64_e64 s2, v[2:3], -1
  v_cmp_t_i64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_t_i64_e64 s2, v[0:1], v[2:3]
  v_cmp_t_i64_e32 vcc_lo, 3, v[2:3]
  v_cmp_lt_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_lt_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_lt_u16_e64 s2, v0.l, v1.l
  v_cmp_lt_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_lt_u16_e32 vcc_lo, s4, v1.l
  v_cmp_eq_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_eq_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_eq_u16_e64 s2, v0.l, v1.l
  v_cmp_eq_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_eq_u16_e64 vcc_lo, v1.l, s4
  v_cmp_le_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_le_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_le_u16_e64 s2, v0.l, v1.l
  v_cmp_le_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_le_u16_e32 vcc_lo, 3, v1.l
  v_cmp_gt_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_gt_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_gt_u16_e64 s2, v0.l, v1.l
  v_cmp_gt_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_gt_u16_e64 s2, v1.l, -1
  v_cmp_ge_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ge_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ge_u16_e64 s2, v0.l, v1.l
  v_cmp_ge_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ge_u16_e64 vcc_lo, v1.l, s4
  v_cmp_ne_u16_e32 vcc_lo, v0.l, v1.l
  v_cmp_ne_u16_e32 vcc_lo, v0.h, v1.l
  v_cmp_ne_u16_e64 s2, v0.l, v1.l
  v_cmp_ne_u16_e64 s2, v0.h, v1.l op_sel:[1,0,0]
  v_cmp_ne_u16_e64 vcc_lo, v1.l, s4
  v_cmp_f_u32_e32 vcc_lo, v0, v1
  v_cmp_f_u32_e64 s2, v0, v1
  v_cmp_f_u32_e64 vcc_lo, v1, s4
  v_cmp_lt_u32_e32 vcc_lo, v0, v1
  v_cmp_lt_u32_e64 s2, v0, v1
  v_cmp_lt_u32_e32 vcc_lo, 3, v1
  v_cmp_eq_u32_e32 vcc_lo, v0, v1
  v_cmp_eq_u32_e64 s2, v0, v1
  v_cmp_eq_u32_e64 s2, v1, -1
  v_cmp_le_u32_e32 vcc_lo, v0, v1
  v_cmp_le_u32_e64 s2, v0, v1
  v_cmp_le_u32_e32 vcc_lo, s4, v1
  v_cmp_gt_u32_e32 vcc_lo, v0, v1
  v_cmp_gt_u32_e64 s2, v0, v1
  v_cmp_gt_u32_e64 vcc_lo, v1, s4
  v_cmp_ge_u32_e32 vcc_lo, v0, v1
  v_cmp_ge_u32_e64 s2, v0, v1
  v_cmp_ge_u32_e64 s2, v1, -1
  v_cmp_ne_u32_e32 vcc_lo, v0, v1
  v_cmp_ne_u32_e64 s2, v0, v1
  v_cmp_ne_u32_e64 s2, v1, -1
  v_cmp_t_u32_e32 vcc_lo, v0, v1
  v_cmp_t_u32_e64 s2, v0, v1
  v_cmp_t_u32_e32 vcc_lo, 3, v1
  v_cmp_f_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_f_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_f_u64_e64 s2, v[2:3], -1
  v_cmp_lt_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_lt_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_lt_u64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_eq_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_eq_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_eq_u64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_le_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_le_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_le_u64_e32 vcc_lo, 3, v[2:3]
  v_cmp_gt_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_gt_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_gt_u64_e64 s2, v[2:3], -1
  v_cmp_ge_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ge_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_ge_u64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_ne_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_ne_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_ne_u64_e64 vcc_lo, v[2:3], s[4:5]
  v_cmp_t_u64_e32 vcc_lo, v[0:1], v[2:3]
  v_cmp_t_u64_e64 s2, v[0:1], v[2:3]
  v_cmp_t_u64_e32 vcc_lo, s[4:5], v[2:3]
  v_cmp_class_f16_e64 s0, v0.l, v8.l
  v_cmp_class_f16_e64 s0, v0.h, v8.h op_sel:[1,1,0]
  v_cmp_class_f16_e32 vcc_lo, v0.l, v8.l
  v_cmp_class_f16_e32 vcc_lo, v0.h, v8.h
  v_cmp_class_f16_e64 s0, -v0.l, v8.l
  v_cmp_class_f16_e64 s0, -v0.h, v8.h op_sel:[1,1,0]
  v_cmp_class_f16_e64 vcc_lo, |v0.l|, 60
  v_cmp_class_f16_e64 vcc_lo, |v0.h|, 60 op_sel:[1,0,0]
  v_cmp_class_f16_e32 vcc_lo, s2, v8.l
  v_cmp_class_f16_e32 vcc_lo, s2, v8.h
  v_cmp_class_f32_e64 s0, v0, v8
  v_cmp_class_f32_e32 vcc_lo, v0, v8
  v_cmp_class_f32_e64 s0, -v0, v8
  v_cmp_class_f32_e64 vcc_lo, |v0|, 60
  v_cmp_class_f32_e32 vcc_lo, s2, v8
  v_cmp_class_f64_e64 s0, v[0:1], v8
  v_cmp_class_f64_e32 vcc_lo, v[0:1], v8
  v_cmp_class_f64_e64 s0, -v[0:1], v8
  v_cmp_class_f64_e64 vcc_lo, |v[0:1]|, 60
  v_cmp_class_f64_e32 vcc_lo, s[2:3], v8
  v_cmpx_f_f32_e32 v0, v1
  v_cmpx_f_f32_e64 v0, v1
  v_cmpx_lt_f32_e32 v0, v1
  v_cmpx_lt_f32_e64 v0, v1
  v_cmpx_eq_f32_e32 v0, v1
  v_cmpx_eq_f32_e64 v0, v1
  v_cmpx_le_f32_e32 v0, v1
  v_cmpx_le_f32_e64 v0, v1
  v_cmpx_gt_f32_e32 v0, v1
  v_cmpx_gt_f32_e64 v0, v1
  v_cmpx_lg_f32_e32 v0, v1
  v_cmpx_lg_f32_e64 v0, v1
  v_cmpx_ge_f32_e32 v0, v1
  v_cmpx_ge_f32_e64 v0, v1
  v_cmpx_o_f32_e32 v0, v1
  v_cmpx_o_f32_e64 v0, v1
  v_cmpx_u_f32_e32 v0, v1
  v_cmpx_u_f32_e64 v0, v1
  v_cmpx_nge_f32_e32 v0, v1
  v_cmpx_nge_f32_e64 v0, v1
  v_cmpx_nlg_f32_e32 v0, v1
  v_cmpx_nlg_f32_e64 v0, v1
  v_cmpx_ngt_f32_e32 v0, v1
  v_cmpx_ngt_f32_e64 v0, v1
  v_cmpx_nle_f32_e32 v0, v1
  v_cmpx_nle_f32_e64 v0, v1
  v_cmpx_neq_f32_e32 v0, v1
  v_cmpx_neq_f32_e64 v0, v1
  v_cmpx_nlt_f32_e32 v0, v1
  v_cmpx_nlt_f32_e64 v0, v1
  v_cmpx_t_f32_e32 v0, v1
  v_cmpx_t_f32_e64 v0, v1
  v_cmpx_lt_i16_e32 v0.l, v1.l
  v_cmpx_lt_i16_e32 v0.h, v1.l
  v_cmpx_lt_i16_e64 v0.l, v1.l
  v_cmpx_lt_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_eq_i16_e32 v0.l, v1.l
  v_cmpx_eq_i16_e32 v0.h, v1.l
  v_cmpx_eq_i16_e64 v0.l, v1.l
  v_cmpx_eq_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_le_i16_e32 v0.l, v1.l
  v_cmpx_le_i16_e32 v0.h, v1.l
  v_cmpx_le_i16_e64 v0.l, v1.l
  v_cmpx_le_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_gt_i16_e32 v0.l, v1.l
  v_cmpx_gt_i16_e32 v0.h, v1.l
  v_cmpx_gt_i16_e64 v0.l, v1.l
  v_cmpx_gt_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_ge_i16_e32 v0.l, v1.l
  v_cmpx_ge_i16_e32 v0.h, v1.l
  v_cmpx_ge_i16_e64 v0.l, v1.l
  v_cmpx_ge_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_ne_i16_e32 v0.l, v1.l
  v_cmpx_ne_i16_e32 v0.h, v1.l
  v_cmpx_ne_i16_e64 v0.l, v1.l
  v_cmpx_ne_i16_e64 v0.h, v1.l op_sel:[1,0]
  v_cmpx_f_i32_e32 v0, v1
  v_cmpx_f_i32_e64 v0, v1
  v_cmpx_lt_i32_e32 v0, v1
  v_cmpx_lt_i32_e64 v0, v1
  v_cmpx_eq_i32_e32 v0, v1
  v_cmpx_eq_i32_e64 v0, v1
  v_cmpx_le_i32_e32 v0, v1
  v_cmpx_le_i32_e64 v0, v1
  v_cmpx_gt_i32_e32 v0, v1
  v_cmpx_gt_i32_e64 v0, v1
  v_cmpx_ge_i32_e32 v0, v1
  v_cmpx_ge_i32_e64 v0, v1
  v_cmpx_ne_i32_e32 v0, v1
  v_cmpx_ne_i32_e64 v0, v1
  v_cmpx_t_i32_e32 v0, v1
  v_cmpx_t_i32_e64 v0, v1
  v_cmpx_f_u32_e32 v0, v1
  v_cmpx_f_u32_e64 v0, v1
  v_cmpx_lt_u32_e32 v0, v1
  v_cmpx_lt_u32_e64 v0, v1
  v_cmpx_eq_u32_e32 v0, v1
  v_cmpx_eq_u32_e64 v0, v1
  v_cmpx_le_u32_e32 v0, v1
  v_cmpx_le_u32_e64 v0, v1
  v_cmpx_gt_u32_e32 v0, v1
  v_cmpx_gt_u32_e64 v0, v1
  v_cmpx_ge_u32_e32 v0, v1
  v_cmpx_ge_u32_e64 v0, v1
  v_cmpx_ne_u32_e32 v0, v1
  v_cmpx_ne_u32_e64 v0, v1
  v_cmpx_t_u32_e32 v0, v1
  v_cmpx_t_u32_e64 v0, v1
  v_cmpx_f_u64_e32 v[0:1], v[2:3]
  v_cmpx_f_u64_e64 v[0:1], v[2:3]
  v_cmpx_lt_u64_e32 v[0:1], v[2:3]
  v_cmpx_lt_u64_e64 v[0:1], v[2:3]
  v_cmpx_eq_u64_e32 v[0:1], v[2:3]
  v_cmpx_eq_u64_e64 v[0:1], v[2:3]
  v_cmpx_le_u64_e32 v[0:1], v[2:3]
  v_cmpx_le_u64_e64 v[0:1], v[2:3]
  v_cmpx_gt_u64_e32 v[0:1], v[2:3]
  v_cmpx_gt_u64_e64 v[0:1], v[2:3]
  v_cmpx_ge_u64_e32 v[0:1], v[2:3]
  v_cmpx_ge_u64_e64 v[0:1], v[2:3]
  v_cmpx_ne_u64_e32 v[0:1], v[2:3]
  v_cmpx_ne_u64_e64 v[0:1], v[2:3]
  v_cmpx_t_u64_e32 v[0:1], v[2:3]
  v_cmpx_t_u64_e64 v[0:1], v[2:3]
  v_cmpx_class_f32_e64 v0, v8
  v_cmpx_class_f32_e32 v0, v8
  v_cmpx_class_f32_e64 -v0, v8
  v_cmpx_class_f32_e64 |v0|, 60
  v_cmpx_class_f32_e32 s2, v8

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
  v_add_co_u32 v0, vcc_lo, v1, v2
  v_add_co_u32 v0, s0, v1, v2
  v_add_co_u32 v0, vcc_lo, s2, v2
  v_add_co_u32 v0, vcc_lo, -1, v2
  v_add_co_u32 v0, s0, v1, s2
  v_add_co_u32 v0, vcc_lo, 0x89abcdef, v2
  v_sub_co_u32 v0, vcc_lo, v1, v2
  v_sub_co_u32 v0, s0, v1, v2
  v_sub_co_u32 v0, vcc_lo, s2, v2
  v_sub_co_u32 v0, vcc_lo, -1, v2
  v_sub_co_u32 v0, s0, v1, s2
  v_sub_co_u32 v0, vcc_lo, 0x89abcdef, v2
  v_subrev_co_u32 v0, vcc_lo, v1, v2
  v_subrev_co_u32 v0, s0, v1, v2
  v_subrev_co_u32 v0, vcc_lo, s2, v2
  v_subrev_co_u32 v0, vcc_lo, -1, v2
  v_subrev_co_u32 v0, s0, v1, s2
  v_subrev_co_u32 v0, vcc_lo, 0x89abcdef, v2
  v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo
  v_add_co_ci_u32_e64 v0, s0, v1, v2, s2
  v_add_co_ci_u32_e64 v0, vcc_lo, v1, v2, s2
  v_add_co_ci_u32_e64 v0, s0, v1, 0, vcc_lo
  v_add_co_ci_u32_e32 v0, vcc_lo, 0, v2, vcc_lo
  v_add_co_ci_u32_e64 v0, s2, 0, v1, s2
  v_sub_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo
  v_sub_co_ci_u32_e64 v0, s0, v1, v2, s2
  v_sub_co_ci_u32_e64 v0, vcc_lo, v1, v2, s2
  v_sub_co_ci_u32_e64 v0, s0, v1, 0, vcc_lo
  v_sub_co_ci_u32_e32 v0, vcc_lo, 0, v2, vcc_lo
  v_sub_co_ci_u32_e64 v0, s2, 0, v1, s2
  v_subrev_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo
  v_subrev_co_ci_u32_e64 v0, s0, v1, v2, s2
  v_subrev_co_ci_u32_e64 v0, vcc_lo, v1, v2, s2
  v_subrev_co_ci_u32_e64 v0, s0, v1, 0, vcc_lo
  v_subrev_co_ci_u32_e32 v0, vcc_lo, 0, v2, vcc_lo
  v_subrev_co_ci_u32_e64 v0, s2, 0, v1, s2
  v_mad_u64_u32 v[0:1], s0, v2, v3, v[4:5]
  v_mad_u64_u32 v[0:1], vcc_lo, v2, v3, v[4:5]
  v_mad_u64_u32 v[0:1], s0, v2, s3, v[4:5]
  v_mad_u64_u32 v[0:1], s0, s3, v2, v[4:5]
  v_mad_u64_u32 v[0:1], s0, v2, v3, 0
  v_mad_u64_u32 v[0:1], s0, v2, -5, v[0:1]
  v_mad_i64_i32 v[0:1], s0, v2, v3, v[4:5]
  v_mad_i64_i32 v[0:1], vcc_lo, v2, v3, v[4:5]
  v_mad_i64_i32 v[0:1], s0, v2, s3, v[4:5]
  v_mad_i64_i32 v[0:1], s0, s3, v2, v[4:5]
  v_mad_i64_i32 v[0:1], s0, v2, v3, 0
  v_mad_i64_i32 v[0:1], s0, v2, -5, v[0:1]

; Division
  v_div_scale_f32 v0, vcc_lo, v1, v1, v2
  v_div_scale_f32 v0, vcc_lo, v2, v1, v2
  v_div_scale_f32 v0, s0, v1, v1, v2
  v_div_scale_f32 v0, s0, v2, v1, v2
  v_div_scale_f32 v0, vcc_lo, 1.0, v1, 1.0
  v_div_scale_f32 v0, s0, v1, v1, 1.0
  v_div_scale_f32 v0, s0, s2, s2, v2
  v_div_scale_f32 v0, vcc_lo, v3, v1, v2
  v_div_scale_f64 v[0:1], vcc_lo, v[2:3], v[4:5], v[2:3]
  v_div_scale_f64 v[0:1], s0, v[4:5], v[4:5], v[2:3]
  v_div_scale_f64 v[0:1], s0, v[4:5], v[4:5], 1.0
  v_div_fmas_f32 v0, v1, v2, v3
  v_div_fmas_f32 v0, -v1, v2, v3
  v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]

; Selection and lanes
  v_cndmask_b32_e32 v0, v1, v2, vcc_lo
  v_cndmask_b32_e64 v0, v1, v2, s0
  v_cndmask_b32_e32 v0, 0, v2, vcc_lo
  v_cndmask_b32_e64 v0, 0, 1, s0
  v_cndmask_b32_e64 v0, 0, 1.0, vcc_lo
  v_cndmask_b32_e64 v0, -v1, |v2|, s0
  v_cndmask_b32_e64 v0, v1, -1, vcc_lo
  v_cndmask_b32_e64 v0, v1, -v2, s0
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
  s_and_not1_b32 s0, s1, s2
  s_and_not1_b32 s0, vcc_lo, s2
  s_and_not1_b32 s0, s1, -9
  s_and_not1_b32 s0, 0x80001234, s2
  s_and_not1_b32 s0, s1, 45
  s_or_not1_b32 s0, s1, s2
  s_or_not1_b32 s0, vcc_lo, s2
  s_or_not1_b32 s0, s1, -9
  s_or_not1_b32 s0, 0x80001234, s2
  s_or_not1_b32 s0, s1, 45
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
  s_ctz_i32_b32 s0, s1
  s_ctz_i32_b32 s0, vcc_lo
  s_ctz_i32_b32 s0, -9
  s_ctz_i32_b32 s0, 0x80001234
  s_clz_i32_u32 s0, s1
  s_clz_i32_u32 s0, vcc_lo
  s_clz_i32_u32 s0, -9
  s_clz_i32_u32 s0, 0x80001234
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
  s_and_b64 s[0:1], s[2:3], 17
  s_or_b64 s[0:1], s[2:3], s[4:5]
  s_or_b64 s[0:1], vcc, s[4:5]
  s_or_b64 s[0:1], s[2:3], -9
  s_or_b64 s[0:1], s[2:3], 17
  s_xor_b64 s[0:1], s[2:3], s[4:5]
  s_xor_b64 s[0:1], vcc, s[4:5]
  s_xor_b64 s[0:1], s[2:3], -9
  s_xor_b64 s[0:1], s[2:3], 17
  s_and_not1_b64 s[0:1], s[2:3], s[4:5]
  s_and_not1_b64 s[0:1], vcc, s[4:5]
  s_and_not1_b64 s[0:1], s[2:3], -9
  s_and_not1_b64 s[0:1], s[2:3], 17
  s_or_not1_b64 s[0:1], s[2:3], s[4:5]
  s_or_not1_b64 s[0:1], vcc, s[4:5]
  s_or_not1_b64 s[0:1], s[2:3], -9
  s_or_not1_b64 s[0:1], s[2:3], 17
  s_nand_b64 s[0:1], s[2:3], s[4:5]
  s_nand_b64 s[0:1], vcc, s[4:5]
  s_nand_b64 s[0:1], s[2:3], -9
  s_nand_b64 s[0:1], s[2:3], 17
  s_nor_b64 s[0:1], s[2:3], s[4:5]
  s_nor_b64 s[0:1], vcc, s[4:5]
  s_nor_b64 s[0:1], s[2:3], -9
  s_nor_b64 s[0:1], s[2:3], 17
  s_xnor_b64 s[0:1], s[2:3], s[4:5]
  s_xnor_b64 s[0:1], vcc, s[4:5]
  s_xnor_b64 s[0:1], s[2:3], -9
  s_xnor_b64 s[0:1], s[2:3], 17
  s_mov_b64 s[0:1], s[2:3]
  s_mov_b64 s[0:1], vcc
  s_mov_b64 s[0:1], -9
  s_cmov_b64 s[0:1], s[2:3]
  s_cmov_b64 s[0:1], vcc
  s_cmov_b64 s[0:1], -9
  s_not_b64 s[0:1], s[2:3]
  s_not_b64 s[0:1], vcc
  s_not_b64 s[0:1], -9
  s_brev_b64 s[0:1], s[2:3]
  s_brev_b64 s[0:1], vcc
  s_brev_b64 s[0:1], -9
  s_cselect_b64 s[0:1], s[2:3], s[4:5]
  s_cselect_b64 s[0:1], vcc, s[4:5]
  s_cselect_b64 s[0:1], s[2:3], -9
  s_cselect_b64 s[0:1], s[2:3], 17
  s_lshl_b64 s[0:1], s[2:3], s4
  s_lshl_b64 s[0:1], vcc, s4
  s_lshl_b64 s[0:1], s[2:3], -9
  s_lshl_b64 s[0:1], s[2:3], 45
  s_lshr_b64 s[0:1], s[2:3], s4
  s_lshr_b64 s[0:1], vcc, s4
  s_lshr_b64 s[0:1], s[2:3], -9
  s_lshr_b64 s[0:1], s[2:3], 45
  s_ashr_i64 s[0:1], s[2:3], s4
  s_ashr_i64 s[0:1], vcc, s4
  s_ashr_i64 s[0:1], s[2:3], -9
  s_ashr_i64 s[0:1], s[2:3], 45
  s_bfe_u64 s[0:1], s[2:3], s4
  s_bfe_u64 s[0:1], vcc, s4
  s_bfe_u64 s[0:1], s[2:3], -9
  s_bfe_u64 s[0:1], s[2:3], 0x120007
  s_bfe_i64 s[0:1], s[2:3], s4
  s_bfe_i64 s[0:1], vcc, s4
  s_bfe_i64 s[0:1], s[2:3], -9
  s_bfe_i64 s[0:1], s[2:3], 0x120007
  s_bcnt1_i32_b64 s0, s[2:3]
  s_bcnt1_i32_b64 s0, vcc
  s_bcnt1_i32_b64 s0, -9
  s_bcnt0_i32_b64 s0, s[2:3]
  s_bcnt0_i32_b64 s0, vcc
  s_bcnt0_i32_b64 s0, -9
  s_ctz_i32_b64 s0, s[2:3]
  s_ctz_i32_b64 s0, vcc
  s_ctz_i32_b64 s0, -9
  s_clz_i32_u64 s0, s[2:3]
  s_clz_i32_u64 s0, vcc
  s_clz_i32_u64 s0, -9
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
  s_cls_i32 s0, s1
  s_cls_i32 s0, vcc_lo
  s_cls_i32 s0, -9
  s_cls_i32 s0, 0x80001234
  s_cls_i32_i64 s0, s[2:3]
  s_cls_i32_i64 s0, vcc
  s_cls_i32_i64 s0, -9
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
  s_and_saveexec_b32 s0, s2
  s_and_saveexec_b32 s0, vcc_lo
  s_and_saveexec_b32 s0, -9
  s_and_saveexec_b32 s0, exec_lo
  s_or_saveexec_b32 s0, s2
  s_or_saveexec_b32 s0, vcc_lo
  s_or_saveexec_b32 s0, -9
  s_or_saveexec_b32 s0, exec_lo
  s_xor_saveexec_b32 s0, s2
  s_xor_saveexec_b32 s0, vcc_lo
  s_xor_saveexec_b32 s0, -9
  s_xor_saveexec_b32 s0, exec_lo
  s_and_not1_saveexec_b32 s0, s2
  s_and_not1_saveexec_b32 s0, vcc_lo
  s_and_not1_saveexec_b32 s0, -9
  s_and_not1_saveexec_b32 s0, exec_lo
  s_or_not1_saveexec_b32 s0, s2
  s_or_not1_saveexec_b32 s0, vcc_lo
  s_or_not1_saveexec_b32 s0, -9
  s_or_not1_saveexec_b32 s0, exec_lo
  s_nand_saveexec_b32 s0, s2
  s_nand_saveexec_b32 s0, vcc_lo
  s_nand_saveexec_b32 s0, -9
  s_nand_saveexec_b32 s0, exec_lo
  s_nor_saveexec_b32 s0, s2
  s_nor_saveexec_b32 s0, vcc_lo
  s_nor_saveexec_b32 s0, -9
  s_nor_saveexec_b32 s0, exec_lo
  s_xnor_saveexec_b32 s0, s2
  s_xnor_saveexec_b32 s0, vcc_lo
  s_xnor_saveexec_b32 s0, -9
  s_xnor_saveexec_b32 s0, exec_lo
  s_and_not0_saveexec_b32 s0, s2
  s_and_not0_saveexec_b32 s0, vcc_lo
  s_and_not0_saveexec_b32 s0, -9
  s_and_not0_saveexec_b32 s0, exec_lo
  s_or_not0_saveexec_b32 s0, s2
  s_or_not0_saveexec_b32 s0, vcc_lo
  s_or_not0_saveexec_b32 s0, -9
  s_or_not0_saveexec_b32 s0, exec_lo
  s_mov_b64 vcc, s[0:1]
  s_mov_b32 m0, s0
  s_mov_b32 s0, m0
  s_mov_b32 vcc_hi, s0
  s_cselect_b64 s[0:1], -1, 0
  s_cselect_b32 s0, 1.0, 0
  s_mov_b32 s0, 1.0
  s_mov_b64 s[0:1], -1
  s_mov_b64 s[0:1], 2.0
  s_mov_b64 s[0:1], 0x12345678
  s_and_saveexec_b32 vcc_lo, vcc_lo
  s_lshl_b64 s[0:1], 1, s2
  s_bfe_u32 s0, s1, 0x200000
  s_bfe_i32 s0, s1, 0x100000
  s_bfe_i64 s[0:1], s[2:3], 0x200000
  s_bfe_u64 s[0:1], s[2:3], 0x400000

; Global and flat
  global_load_u8 v0, v[6:7], off
  global_load_u8 v0, v6, s[0:1]
  global_load_u8 v0, v[6:7], off offset:-2048
  global_load_u8 v0, v6, s[0:1] offset:2044
  global_load_u8 v0, v[6:7], off offset:4095
  global_load_i8 v0, v[6:7], off
  global_load_i8 v0, v6, s[0:1]
  global_load_i8 v0, v[6:7], off offset:-2048
  global_load_i8 v0, v6, s[0:1] offset:2044
  global_load_i8 v0, v[6:7], off offset:4095
  global_load_u16 v0, v[6:7], off
  global_load_u16 v0, v6, s[0:1]
  global_load_u16 v0, v[6:7], off offset:-2048
  global_load_u16 v0, v6, s[0:1] offset:2044
  global_load_u16 v0, v[6:7], off offset:4095
  global_load_i16 v0, v[6:7], off
  global_load_i16 v0, v6, s[0:1]
  global_load_i16 v0, v[6:7], off offset:-2048
  global_load_i16 v0, v6, s[0:1] offset:2044
  global_load_i16 v0, v[6:7], off offset:4095
  global_load_b32 v0, v[6:7], off
  global_load_b32 v0, v6, s[0:1]
  global_load_b32 v0, v[6:7], off offset:-2048
  global_load_b32 v0, v6, s[0:1] offset:2044
  global_load_b32 v0, v[6:7], off offset:4095
  global_load_b64 v[0:1], v[6:7], off
  global_load_b64 v[0:1], v6, s[0:1]
  global_load_b64 v[0:1], v[6:7], off offset:-2048
  global_load_b64 v[0:1], v6, s[0:1] offset:2044
  global_load_b64 v[0:1], v[6:7], off offset:4095
  global_load_b96 v[0:2], v[6:7], off
  global_load_b96 v[0:2], v6, s[0:1]
  global_load_b96 v[0:2], v[6:7], off offset:-2048
  global_load_b96 v[0:2], v6, s[0:1] offset:2044
  global_load_b96 v[0:2], v[6:7], off offset:4095
  global_load_b128 v[0:3], v[6:7], off
  global_load_b128 v[0:3], v6, s[0:1]
  global_load_b128 v[0:3], v[6:7], off offset:-2048
  global_load_b128 v[0:3], v6, s[0:1] offset:2044
  global_load_b128 v[0:3], v[6:7], off offset:4095
  global_load_d16_b16 v0, v[6:7], off
  global_load_d16_b16 v0, v6, s[0:1]
  global_load_d16_b16 v0, v[6:7], off offset:-2048
  global_load_d16_b16 v0, v6, s[0:1] offset:2044
  global_load_d16_b16 v0, v[6:7], off offset:4095
  global_load_d16_hi_b16 v0, v[6:7], off
  global_load_d16_hi_b16 v0, v6, s[0:1]
  global_load_d16_hi_b16 v0, v[6:7], off offset:-2048
  global_load_d16_hi_b16 v0, v6, s[0:1] offset:2044
  global_load_d16_hi_b16 v0, v[6:7], off offset:4095
  global_load_d16_u8 v0, v[6:7], off
  global_load_d16_u8 v0, v6, s[0:1]
  global_load_d16_u8 v0, v[6:7], off offset:-2048
  global_load_d16_u8 v0, v6, s[0:1] offset:2044
  global_load_d16_u8 v0, v[6:7], off offset:4095
  global_load_d16_hi_u8 v0, v[6:7], off
  global_load_d16_hi_u8 v0, v6, s[0:1]
  global_load_d16_hi_u8 v0, v[6:7], off offset:-2048
  global_load_d16_hi_u8 v0, v6, s[0:1] offset:2044
  global_load_d16_hi_u8 v0, v[6:7], off offset:4095
  global_load_d16_i8 v0, v[6:7], off
  global_load_d16_i8 v0, v6, s[0:1]
  global_load_d16_i8 v0, v[6:7], off offset:-2048
  global_load_d16_i8 v0, v6, s[0:1] offset:2044
  global_load_d16_i8 v0, v[6:7], off offset:4095
  global_load_d16_hi_i8 v0, v[6:7], off
  global_load_d16_hi_i8 v0, v6, s[0:1]
  global_load_d16_hi_i8 v0, v[6:7], off offset:-2048
  global_load_d16_hi_i8 v0, v6, s[0:1] offset:2044
  global_load_d16_hi_i8 v0, v[6:7], off offset:4095
  global_store_b8 v[6:7], v0, off
  global_store_b8 v6, v0, s[0:1]
  global_store_b8 v[6:7], v0, off offset:-2048
  global_store_b8 v6, v0, s[0:1] offset:1022
  global_store_b16 v[6:7], v0, off
  global_store_b16 v6, v0, s[0:1]
  global_store_b16 v[6:7], v0, off offset:-2048
  global_store_b16 v6, v0, s[0:1] offset:1022
  global_store_b32 v[6:7], v0, off
  global_store_b32 v6, v0, s[0:1]
  global_store_b32 v[6:7], v0, off offset:-2048
  global_store_b32 v6, v0, s[0:1] offset:1022
  global_store_b64 v[6:7], v[0:1], off
  global_store_b64 v6, v[0:1], s[0:1]
  global_store_b64 v[6:7], v[0:1], off offset:-2048
  global_store_b64 v6, v[0:1], s[0:1] offset:1022
  global_store_b96 v[6:7], v[0:2], off
  global_store_b96 v6, v[0:2], s[0:1]
  global_store_b96 v[6:7], v[0:2], off offset:-2048
  global_store_b96 v6, v[0:2], s[0:1] offset:1022
  global_store_b128 v[6:7], v[0:3], off
  global_store_b128 v6, v[0:3], s[0:1]
  global_store_b128 v[6:7], v[0:3], off offset:-2048
  global_store_b128 v6, v[0:3], s[0:1] offset:1022
  global_store_d16_hi_b16 v[6:7], v0, off
  global_store_d16_hi_b16 v6, v0, s[0:1]
  global_store_d16_hi_b16 v[6:7], v0, off offset:-2048
  global_store_d16_hi_b16 v6, v0, s[0:1] offset:1022
  global_store_d16_hi_b8 v[6:7], v0, off
  global_store_d16_hi_b8 v6, v0, s[0:1]
  global_store_d16_hi_b8 v[6:7], v0, off offset:-2048
  global_store_d16_hi_b8 v6, v0, s[0:1] offset:1022
  flat_load_u8 v0, v[6:7]
  flat_load_u8 v0, v[6:7] offset:4095
  flat_load_i8 v0, v[6:7]
  flat_load_i8 v0, v[6:7] offset:4095
  flat_load_u16 v0, v[6:7]
  flat_load_u16 v0, v[6:7] offset:4095
  flat_load_i16 v0, v[6:7]
  flat_load_i16 v0, v[6:7] offset:4095
  flat_load_b32 v0, v[6:7]
  flat_load_b32 v0, v[6:7] offset:4095
  flat_load_b64 v[0:1], v[6:7]
  flat_load_b64 v[0:1], v[6:7] offset:4095
  flat_load_b96 v[0:2], v[6:7]
  flat_load_b96 v[0:2], v[6:7] offset:4095
  flat_load_b128 v[0:3], v[6:7]
  flat_load_b128 v[0:3], v[6:7] offset:4095
  flat_load_d16_b16 v0, v[6:7]
  flat_load_d16_b16 v0, v[6:7] offset:4095
  flat_load_d16_hi_b16 v0, v[6:7]
  flat_load_d16_hi_b16 v0, v[6:7] offset:4095
  flat_load_d16_u8 v0, v[6:7]
  flat_load_d16_u8 v0, v[6:7] offset:4095
  flat_load_d16_hi_u8 v0, v[6:7]
  flat_load_d16_hi_u8 v0, v[6:7] offset:4095
  flat_load_d16_i8 v0, v[6:7]
  flat_load_d16_i8 v0, v[6:7] offset:4095
  flat_load_d16_hi_i8 v0, v[6:7]
  flat_load_d16_hi_i8 v0, v[6:7] offset:4095
  flat_store_b8 v[6:7], v0
  flat_store_b8 v[6:7], v0 offset:12
  flat_store_b16 v[6:7], v0
  flat_store_b16 v[6:7], v0 offset:12
  flat_store_b32 v[6:7], v0
  flat_store_b32 v[6:7], v0 offset:12
  flat_store_b64 v[6:7], v[0:1]
  flat_store_b64 v[6:7], v[0:1] offset:12
  flat_store_b96 v[6:7], v[0:2]
  flat_store_b96 v[6:7], v[0:2] offset:12
  flat_store_b128 v[6:7], v[0:3]
  flat_store_b128 v[6:7], v[0:3] offset:12
  flat_store_d16_hi_b16 v[6:7], v0
  flat_store_d16_hi_b16 v[6:7], v0 offset:12
  flat_store_d16_hi_b8 v[6:7], v0
  flat_store_d16_hi_b8 v[6:7], v0 offset:12
  global_load_b64 v[6:7], v[6:7], off

; Global atomics
  global_atomic_add_u32 v[6:7], v0, off
  global_atomic_add_u32 v6, v0, s[0:1] offset:8
  flat_atomic_add_u32 v[6:7], v0
  global_atomic_add_u64 v[6:7], v[0:1], off
  global_atomic_add_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_add_u64 v[6:7], v[0:1]
  global_atomic_sub_u32 v[6:7], v0, off
  global_atomic_sub_u32 v6, v0, s[0:1] offset:8
  flat_atomic_sub_u32 v[6:7], v0
  global_atomic_sub_u64 v[6:7], v[0:1], off
  global_atomic_sub_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_sub_u64 v[6:7], v[0:1]
  global_atomic_min_i32 v[6:7], v0, off
  global_atomic_min_i32 v6, v0, s[0:1] offset:8
  flat_atomic_min_i32 v[6:7], v0
  global_atomic_min_i64 v[6:7], v[0:1], off
  global_atomic_min_i64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_min_i64 v[6:7], v[0:1]
  global_atomic_max_i32 v[6:7], v0, off
  global_atomic_max_i32 v6, v0, s[0:1] offset:8
  flat_atomic_max_i32 v[6:7], v0
  global_atomic_max_i64 v[6:7], v[0:1], off
  global_atomic_max_i64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_max_i64 v[6:7], v[0:1]
  global_atomic_min_u32 v[6:7], v0, off
  global_atomic_min_u32 v6, v0, s[0:1] offset:8
  flat_atomic_min_u32 v[6:7], v0
  global_atomic_min_u64 v[6:7], v[0:1], off
  global_atomic_min_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_min_u64 v[6:7], v[0:1]
  global_atomic_max_u32 v[6:7], v0, off
  global_atomic_max_u32 v6, v0, s[0:1] offset:8
  flat_atomic_max_u32 v[6:7], v0
  global_atomic_max_u64 v[6:7], v[0:1], off
  global_atomic_max_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_max_u64 v[6:7], v[0:1]
  global_atomic_and_b32 v[6:7], v0, off
  global_atomic_and_b32 v6, v0, s[0:1] offset:8
  flat_atomic_and_b32 v[6:7], v0
  global_atomic_and_b64 v[6:7], v[0:1], off
  global_atomic_and_b64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_and_b64 v[6:7], v[0:1]
  global_atomic_or_b32 v[6:7], v0, off
  global_atomic_or_b32 v6, v0, s[0:1] offset:8
  flat_atomic_or_b32 v[6:7], v0
  global_atomic_or_b64 v[6:7], v[0:1], off
  global_atomic_or_b64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_or_b64 v[6:7], v[0:1]
  global_atomic_xor_b32 v[6:7], v0, off
  global_atomic_xor_b32 v6, v0, s[0:1] offset:8
  flat_atomic_xor_b32 v[6:7], v0
  global_atomic_xor_b64 v[6:7], v[0:1], off
  global_atomic_xor_b64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_xor_b64 v[6:7], v[0:1]
  global_atomic_swap_b32 v[6:7], v0, off
  global_atomic_swap_b32 v6, v0, s[0:1] offset:8
  flat_atomic_swap_b32 v[6:7], v0
  global_atomic_swap_b64 v[6:7], v[0:1], off
  global_atomic_swap_b64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_swap_b64 v[6:7], v[0:1]
  global_atomic_inc_u32 v[6:7], v0, off
  global_atomic_inc_u32 v6, v0, s[0:1] offset:8
  flat_atomic_inc_u32 v[6:7], v0
  global_atomic_inc_u64 v[6:7], v[0:1], off
  global_atomic_inc_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_inc_u64 v[6:7], v[0:1]
  global_atomic_dec_u32 v[6:7], v0, off
  global_atomic_dec_u32 v6, v0, s[0:1] offset:8
  flat_atomic_dec_u32 v[6:7], v0
  global_atomic_dec_u64 v[6:7], v[0:1], off
  global_atomic_dec_u64 v6, v[0:1], s[0:1] offset:8
  flat_atomic_dec_u64 v[6:7], v[0:1]
  global_atomic_cmpswap_b32 v[6:7], v[0:1], off
  global_atomic_cmpswap_b32 v6, v[0:1], s[0:1] offset:8
  flat_atomic_cmpswap_b32 v[6:7], v[0:1]
  global_atomic_cmpswap_b64 v[6:7], v[0:3], off
  global_atomic_cmpswap_b64 v6, v[0:3], s[0:1] offset:8
  flat_atomic_cmpswap_b64 v[6:7], v[0:3]
  global_atomic_add_f32 v[6:7], v0, off
  global_atomic_add_f32 v6, v0, s[0:1]
  global_atomic_add_u32 v10, v[6:7], v0, off glc
  global_atomic_add_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_add_u32 v10, v[6:7], v0 glc
  global_atomic_add_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_add_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_add_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_sub_u32 v10, v[6:7], v0, off glc
  global_atomic_sub_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_sub_u32 v10, v[6:7], v0 glc
  global_atomic_sub_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_sub_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_sub_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_min_i32 v10, v[6:7], v0, off glc
  global_atomic_min_i32 v10, v6, v0, s[0:1] glc
  flat_atomic_min_i32 v10, v[6:7], v0 glc
  global_atomic_min_i64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_min_i64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_min_i64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_max_i32 v10, v[6:7], v0, off glc
  global_atomic_max_i32 v10, v6, v0, s[0:1] glc
  flat_atomic_max_i32 v10, v[6:7], v0 glc
  global_atomic_max_i64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_max_i64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_max_i64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_min_u32 v10, v[6:7], v0, off glc
  global_atomic_min_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_min_u32 v10, v[6:7], v0 glc
  global_atomic_min_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_min_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_min_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_max_u32 v10, v[6:7], v0, off glc
  global_atomic_max_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_max_u32 v10, v[6:7], v0 glc
  global_atomic_max_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_max_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_max_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_and_b32 v10, v[6:7], v0, off glc
  global_atomic_and_b32 v10, v6, v0, s[0:1] glc
  flat_atomic_and_b32 v10, v[6:7], v0 glc
  global_atomic_and_b64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_and_b64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_and_b64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_or_b32 v10, v[6:7], v0, off glc
  global_atomic_or_b32 v10, v6, v0, s[0:1] glc
  flat_atomic_or_b32 v10, v[6:7], v0 glc
  global_atomic_or_b64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_or_b64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_or_b64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_xor_b32 v10, v[6:7], v0, off glc
  global_atomic_xor_b32 v10, v6, v0, s[0:1] glc
  flat_atomic_xor_b32 v10, v[6:7], v0 glc
  global_atomic_xor_b64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_xor_b64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_xor_b64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_swap_b32 v10, v[6:7], v0, off glc
  global_atomic_swap_b32 v10, v6, v0, s[0:1] glc
  flat_atomic_swap_b32 v10, v[6:7], v0 glc
  global_atomic_swap_b64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_swap_b64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_swap_b64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_inc_u32 v10, v[6:7], v0, off glc
  global_atomic_inc_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_inc_u32 v10, v[6:7], v0 glc
  global_atomic_inc_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_inc_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_inc_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_dec_u32 v10, v[6:7], v0, off glc
  global_atomic_dec_u32 v10, v6, v0, s[0:1] glc
  flat_atomic_dec_u32 v10, v[6:7], v0 glc
  global_atomic_dec_u64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_dec_u64 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_dec_u64 v[10:11], v[6:7], v[0:1] glc
  global_atomic_cmpswap_b32 v10, v[6:7], v[0:1], off glc
  global_atomic_cmpswap_b32 v10, v6, v[0:1], s[0:1] glc
  flat_atomic_cmpswap_b32 v10, v[6:7], v[0:1] glc
  global_atomic_cmpswap_b64 v[10:11], v[6:7], v[0:3], off glc
  global_atomic_cmpswap_b64 v[10:11], v6, v[0:3], s[0:1] glc
  flat_atomic_cmpswap_b64 v[10:11], v[6:7], v[0:3] glc
  global_atomic_add_f32 v10, v[6:7], v0, off glc
  flat_atomic_add_f32 v[6:7], v0

; Buffers
  buffer_load_u8 v0, v6, s[0:3], 0 offen
  buffer_load_u8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_u8 v0, off, s[0:3], 0 offset:20
  buffer_load_u8 v0, off, s[0:3], s4
  buffer_load_i8 v0, v6, s[0:3], 0 offen
  buffer_load_i8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_i8 v0, off, s[0:3], 0 offset:20
  buffer_load_i8 v0, off, s[0:3], s4
  buffer_load_u16 v0, v6, s[0:3], 0 offen
  buffer_load_u16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_u16 v0, off, s[0:3], 0 offset:20
  buffer_load_u16 v0, off, s[0:3], s4
  buffer_load_i16 v0, v6, s[0:3], 0 offen
  buffer_load_i16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_i16 v0, off, s[0:3], 0 offset:20
  buffer_load_i16 v0, off, s[0:3], s4
  buffer_load_b32 v0, v6, s[0:3], 0 offen
  buffer_load_b32 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_b32 v0, off, s[0:3], 0 offset:20
  buffer_load_b32 v0, off, s[0:3], s4
  buffer_load_b64 v[0:1], v6, s[0:3], 0 offen
  buffer_load_b64 v[0:1], v6, s[0:3], s4 offen offset:16
  buffer_load_b64 v[0:1], off, s[0:3], 0 offset:20
  buffer_load_b64 v[0:1], off, s[0:3], s4
  buffer_load_b96 v[0:2], v6, s[0:3], 0 offen
  buffer_load_b96 v[0:2], v6, s[0:3], s4 offen offset:16
  buffer_load_b96 v[0:2], off, s[0:3], 0 offset:20
  buffer_load_b96 v[0:2], off, s[0:3], s4
  buffer_load_b128 v[0:3], v6, s[0:3], 0 offen
  buffer_load_b128 v[0:3], v6, s[0:3], s4 offen offset:16
  buffer_load_b128 v[0:3], off, s[0:3], 0 offset:20
  buffer_load_b128 v[0:3], off, s[0:3], s4
  buffer_load_d16_b16 v0, v6, s[0:3], 0 offen
  buffer_load_d16_b16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_b16 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_b16 v0, off, s[0:3], s4
  buffer_load_d16_hi_b16 v0, v6, s[0:3], 0 offen
  buffer_load_d16_hi_b16 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_hi_b16 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_hi_b16 v0, off, s[0:3], s4
  buffer_load_d16_u8 v0, v6, s[0:3], 0 offen
  buffer_load_d16_u8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_u8 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_u8 v0, off, s[0:3], s4
  buffer_load_d16_hi_u8 v0, v6, s[0:3], 0 offen
  buffer_load_d16_hi_u8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_hi_u8 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_hi_u8 v0, off, s[0:3], s4
  buffer_load_d16_i8 v0, v6, s[0:3], 0 offen
  buffer_load_d16_i8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_i8 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_i8 v0, off, s[0:3], s4
  buffer_load_d16_hi_i8 v0, v6, s[0:3], 0 offen
  buffer_load_d16_hi_i8 v0, v6, s[0:3], s4 offen offset:16
  buffer_load_d16_hi_i8 v0, off, s[0:3], 0 offset:20
  buffer_load_d16_hi_i8 v0, off, s[0:3], s4
  buffer_store_b8 v0, v6, s[0:3], 0 offen
  buffer_store_b8 v0, v6, s[0:3], s4 offen offset:16
  buffer_store_b16 v0, v6, s[0:3], 0 offen
  buffer_store_b16 v0, v6, s[0:3], s4 offen offset:16
  buffer_store_b32 v0, v6, s[0:3], 0 offen
  buffer_store_b32 v0, v6, s[0:3], s4 offen offset:16
  buffer_store_b64 v[0:1], v6, s[0:3], 0 offen
  buffer_store_b64 v[0:1], v6, s[0:3], s4 offen offset:16
  buffer_store_b96 v[0:2], v6, s[0:3], 0 offen
  buffer_store_b96 v[0:2], v6, s[0:3], s4 offen offset:16
  buffer_store_b128 v[0:3], v6, s[0:3], 0 offen
  buffer_store_b128 v[0:3], v6, s[0:3], s4 offen offset:16
  buffer_store_d16_hi_b16 v0, v6, s[0:3], 0 offen
  buffer_store_d16_hi_b16 v0, v6, s[0:3], s4 offen offset:16
  buffer_store_d16_hi_b8 v0, v6, s[0:3], 0 offen
  buffer_store_d16_hi_b8 v0, v6, s[0:3], s4 offen offset:16
  buffer_atomic_add_u32 v0, v6, s[0:3], 0 offen
  buffer_atomic_max_i32 v0, v6, s[0:3], 0 offen
  buffer_atomic_min_u32 v0, v6, s[0:3], 0 offen
  buffer_atomic_or_b32 v0, v6, s[0:3], 0 offen
  buffer_atomic_swap_b32 v0, v6, s[0:3], 0 offen
  buffer_atomic_cmpswap_b32 v[0:1], v6, s[0:3], 0 offen
  buffer_atomic_add_u64 v[0:1], v6, s[0:3], 0 offen
  buffer_atomic_cmpswap_b64 v[0:3], v6, s[0:3], 0 offen
  buffer_atomic_add_f32 v0, v6, s[0:3], 0 offen
  buffer_atomic_add_u32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_max_i32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_min_u32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_or_b32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_swap_b32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_cmpswap_b32 v[0:1], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_add_u64 v[0:1], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_cmpswap_b64 v[0:3], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_add_f32 v0, v6, s[0:3], s4 offen offset:8 glc

; LDS
  ds_load_b32 v0, v6
  ds_load_b32 v0, v6 offset:48
  ds_load_b64 v[0:1], v6
  ds_load_b64 v[0:1], v6 offset:48
  ds_load_b96 v[0:2], v6
  ds_load_b96 v[0:2], v6 offset:48
  ds_load_b128 v[0:3], v6
  ds_load_b128 v[0:3], v6 offset:48
  ds_load_u8 v0, v6
  ds_load_u8 v0, v6 offset:48
  ds_load_i8 v0, v6
  ds_load_i8 v0, v6 offset:48
  ds_load_u16 v0, v6
  ds_load_u16 v0, v6 offset:48
  ds_load_i16 v0, v6
  ds_load_i16 v0, v6 offset:48
  ds_load_u8_d16 v0, v6
  ds_load_u8_d16 v0, v6 offset:48
  ds_load_u8_d16_hi v0, v6
  ds_load_u8_d16_hi v0, v6 offset:48
  ds_load_i8_d16 v0, v6
  ds_load_i8_d16 v0, v6 offset:48
  ds_load_i8_d16_hi v0, v6
  ds_load_i8_d16_hi v0, v6 offset:48
  ds_load_u16_d16 v0, v6
  ds_load_u16_d16 v0, v6 offset:48
  ds_load_u16_d16_hi v0, v6
  ds_load_u16_d16_hi v0, v6 offset:48
  ds_store_b32 v6, v0
  ds_store_b32 v6, v0 offset:48
  ds_store_b64 v6, v[0:1]
  ds_store_b64 v6, v[0:1] offset:48
  ds_store_b96 v6, v[0:2]
  ds_store_b96 v6, v[0:2] offset:48
  ds_store_b128 v6, v[0:3]
  ds_store_b128 v6, v[0:3] offset:48
  ds_store_b8 v6, v0
  ds_store_b8 v6, v0 offset:48
  ds_store_b16 v6, v0
  ds_store_b16 v6, v0 offset:48
  ds_store_b8_d16_hi v6, v0
  ds_store_b8_d16_hi v6, v0 offset:48
  ds_store_b16_d16_hi v6, v0
  ds_store_b16_d16_hi v6, v0 offset:48
  ds_load_2addr_b32 v[0:1], v6 offset1:1
  ds_load_2addr_b32 v[0:1], v6 offset0:3 offset1:17
  ds_load_2addr_b64 v[0:3], v6 offset1:1
  ds_load_2addr_b64 v[0:3], v6 offset0:2 offset1:9
  ds_load_2addr_stride64_b32 v[0:1], v6 offset1:4
  ds_load_2addr_stride64_b32 v[0:1], v6 offset0:2 offset1:5
  ds_load_2addr_stride64_b64 v[0:3], v6 offset1:2
  ds_store_2addr_b32 v6, v0, v1 offset1:1
  ds_store_2addr_b32 v6, v0, v1 offset0:3 offset1:17
  ds_store_2addr_b64 v6, v[0:1], v[2:3] offset1:1
  ds_store_2addr_stride64_b32 v6, v0, v1 offset1:2
  ds_store_2addr_stride64_b64 v6, v[0:1], v[2:3] offset1:2
  ds_store_2addr_b32 v6, v0, v0 offset1:4
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
  ds_min_f64 v6, v[0:1]
  ds_min_f64 v6, v[0:1] offset:16
  ds_min_rtn_f64 v[10:11], v6, v[0:1]
  ds_max_f64 v6, v[0:1]
  ds_max_f64 v6, v[0:1] offset:16
  ds_max_rtn_f64 v[10:11], v6, v[0:1]
  ds_storexchg_rtn_b32 v10, v6, v0
  ds_storexchg_rtn_b64 v[10:11], v6, v[0:1]
  ds_cmpstore_b32 v6, v0, v1
  ds_cmpstore_rtn_b32 v10, v6, v0, v1
  ds_cmpstore_rtn_b32 v10, v6, v0, v1 offset:8
  ds_cmpstore_rtn_b64 v[10:11], v6, v[0:1], v[2:3]
  ds_cmpstore_b64 v6, v[0:1], v[2:3]
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

; Scalar loads
  s_load_b32 s8, s[0:1], 0x0
  s_load_b32 s8, s[0:1], 0x54
  s_load_b32 s8, s[0:1], s2
  s_load_b32 s8, s[0:1], s2 offset:0x10
  s_load_b32 s8, s[0:1], -0x20
  s_buffer_load_b32 s8, s[0:3], 0x10
  s_buffer_load_b32 s8, s[0:3], s4
  s_load_b64 s[8:9], s[0:1], 0x0
  s_load_b64 s[8:9], s[0:1], 0x54
  s_load_b64 s[8:9], s[0:1], s2
  s_load_b64 s[8:9], s[0:1], s2 offset:0x10
  s_load_b64 s[8:9], s[0:1], -0x20
  s_buffer_load_b64 s[8:9], s[0:3], 0x10
  s_buffer_load_b64 s[8:9], s[0:3], s4
  s_load_b128 s[8:11], s[0:1], 0x0
  s_load_b128 s[8:11], s[0:1], 0x54
  s_load_b128 s[8:11], s[0:1], s2
  s_load_b128 s[8:11], s[0:1], s2 offset:0x10
  s_load_b128 s[8:11], s[0:1], -0x20
  s_buffer_load_b128 s[8:11], s[0:3], 0x10
  s_buffer_load_b128 s[8:11], s[0:3], s4
  s_load_b256 s[8:15], s[0:1], 0x0
  s_load_b256 s[8:15], s[0:1], 0x54
  s_load_b256 s[8:15], s[0:1], s2
  s_load_b256 s[8:15], s[0:1], s2 offset:0x10
  s_load_b256 s[8:15], s[0:1], -0x20
  s_buffer_load_b256 s[8:15], s[0:3], 0x10
  s_buffer_load_b256 s[8:15], s[0:3], s4
  s_load_b512 s[8:23], s[0:1], 0x0
  s_load_b512 s[8:23], s[0:1], 0x54
  s_load_b512 s[8:23], s[0:1], s2
  s_load_b512 s[8:23], s[0:1], s2 offset:0x10
  s_load_b512 s[8:23], s[0:1], -0x20
  s_buffer_load_b512 s[8:23], s[0:3], 0x10
  s_buffer_load_b512 s[8:23], s[0:3], s4

; Scratch
  scratch_load_u8 v0, off, off
  scratch_load_u8 v0, off, off offset:16
  scratch_load_u8 v0, off, s0 offset:8
  scratch_load_u8 v0, v6, off offset:4
  scratch_load_u8 v0, v6, s0
  scratch_load_i8 v0, off, off
  scratch_load_i8 v0, off, off offset:16
  scratch_load_i8 v0, off, s0 offset:8
  scratch_load_i8 v0, v6, off offset:4
  scratch_load_i8 v0, v6, s0
  scratch_load_u16 v0, off, off
  scratch_load_u16 v0, off, off offset:16
  scratch_load_u16 v0, off, s0 offset:8
  scratch_load_u16 v0, v6, off offset:4
  scratch_load_u16 v0, v6, s0
  scratch_load_b32 v0, off, off
  scratch_load_b32 v0, off, off offset:16
  scratch_load_b32 v0, off, s0 offset:8
  scratch_load_b32 v0, v6, off offset:4
  scratch_load_b32 v0, v6, s0
  scratch_load_b64 v[0:1], off, off
  scratch_load_b64 v[0:1], off, off offset:16
  scratch_load_b64 v[0:1], off, s0 offset:8
  scratch_load_b64 v[0:1], v6, off offset:4
  scratch_load_b64 v[0:1], v6, s0
  scratch_load_b96 v[0:2], off, off
  scratch_load_b96 v[0:2], off, off offset:16
  scratch_load_b96 v[0:2], off, s0 offset:8
  scratch_load_b96 v[0:2], v6, off offset:4
  scratch_load_b96 v[0:2], v6, s0
  scratch_load_b128 v[0:3], off, off
  scratch_load_b128 v[0:3], off, off offset:16
  scratch_load_b128 v[0:3], off, s0 offset:8
  scratch_load_b128 v[0:3], v6, off offset:4
  scratch_load_b128 v[0:3], v6, s0
  scratch_load_d16_b16 v0, off, off
  scratch_load_d16_b16 v0, off, off offset:16
  scratch_load_d16_b16 v0, off, s0 offset:8
  scratch_load_d16_b16 v0, v6, off offset:4
  scratch_load_d16_b16 v0, v6, s0
  scratch_load_d16_hi_b16 v0, off, off
  scratch_load_d16_hi_b16 v0, off, off offset:16
  scratch_load_d16_hi_b16 v0, off, s0 offset:8
  scratch_load_d16_hi_b16 v0, v6, off offset:4
  scratch_load_d16_hi_b16 v0, v6, s0
  scratch_store_b8 off, v0, off
  scratch_store_b8 off, v0, off offset:16
  scratch_store_b8 off, v0, s0 offset:8
  scratch_store_b8 v6, v0, off offset:4
  scratch_store_b8 v6, v0, s0
  scratch_store_b16 off, v0, off
  scratch_store_b16 off, v0, off offset:16
  scratch_store_b16 off, v0, s0 offset:8
  scratch_store_b16 v6, v0, off offset:4
  scratch_store_b16 v6, v0, s0
  scratch_store_b32 off, v0, off
  scratch_store_b32 off, v0, off offset:16
  scratch_store_b32 off, v0, s0 offset:8
  scratch_store_b32 v6, v0, off offset:4
  scratch_store_b32 v6, v0, s0
  scratch_store_b64 off, v[0:1], off
  scratch_store_b64 off, v[0:1], off offset:16
  scratch_store_b64 off, v[0:1], s0 offset:8
  scratch_store_b64 v6, v[0:1], off offset:4
  scratch_store_b64 v6, v[0:1], s0
  scratch_store_b96 off, v[0:2], off
  scratch_store_b96 off, v[0:2], off offset:16
  scratch_store_b96 off, v[0:2], s0 offset:8
  scratch_store_b96 v6, v[0:2], off offset:4
  scratch_store_b96 v6, v[0:2], s0
  scratch_store_b128 off, v[0:3], off
  scratch_store_b128 off, v[0:3], off offset:16
  scratch_store_b128 off, v[0:3], s0 offset:8
  scratch_store_b128 v6, v[0:3], off offset:4
  scratch_store_b128 v6, v[0:3], s0
  scratch_store_d16_hi_b16 off, v0, off
  scratch_store_d16_hi_b16 off, v0, off offset:16
  scratch_store_d16_hi_b16 off, v0, s0 offset:8
  scratch_store_d16_hi_b16 v6, v0, off offset:4
  scratch_store_d16_hi_b16 v6, v0, s0
  scratch_store_d16_hi_b8 off, v0, off
  scratch_store_d16_hi_b8 off, v0, off offset:16
  scratch_store_d16_hi_b8 off, v0, s0 offset:8
  scratch_store_d16_hi_b8 v6, v0, off offset:4
  scratch_store_d16_hi_b8 v6, v0, s0

; Halves of registers
  v_and_b16 v0.l, v1.l, v2.l
  v_and_b16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_and_b16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_or_b16 v0.l, v1.l, v2.l
  v_or_b16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_or_b16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_xor_b16 v0.l, v1.l, v2.l
  v_xor_b16 v0.h, v1.l, v2.h op_sel:[0,1,1]
  v_xor_b16 v0.l, v1.h, v2.l op_sel:[1,0,0]
  v_mov_b16_e32 v0.l, v1.l
  v_mov_b16_e32 v0.l, v1.h
  v_mov_b16_e32 v0.h, v1.l
  v_mov_b16_e32 v0.h, v1.h
  v_mov_b16_e32 v0.h, 0
  v_mov_b16_e32 v0.l, 0x3c00
  v_not_b16_e32 v0.h, v1.l
  v_cndmask_b16 v0.l, v1.l, v2.h, vcc_lo
  v_cndmask_b16 v0.h, v1.l, v2.h, s0
  v_cndmask_b16 v0.h, 0, v2.h, s0
  v_cvt_u32_u16_e32 v0, v1.h
  v_cvt_i32_i16_e32 v0, v1.l
  v_lshlrev_b16 v0.h, 3, v1.l op_sel:[0,0,1]
  v_fma_f16 v0.l, -v1.h, v2.h, |v3.l| op_sel:[1,1,0,0]
  v_fmac_f16_e32 v0.l, v1.h, v2.l

; Lanes of rows
  v_permlane16_b32 v0, v1, s2, s3
  v_permlanex16_b32 v0, v1, s2, s3
  v_permlanex16_b32 v0, v1, s2, 0xfedcba98 op_sel:[1,0]
  v_permlane16_b32 v0, v1, s2, s3 op_sel:[0,1]
  v_permlanex16_b32 v0, v1, s2, s3 op_sel:[1,1]
  v_permlanex16_b32 v0, v1, -1, -1 op_sel:[0,1]

; New integers
  v_xor3_b32 v0, v1, v2, v3
  v_xor3_b32 v0, v1, s2, 5
  v_add_co_ci_u32_e64 v0, null, v1, v2, s0
  v_sub_co_ci_u32_e64 v0, null, v1, v2, vcc_lo
  v_add_co_u32 v0, null, v1, v2
  v_lshl_or_b32 v0, v1, 3, 0x12345678

; Dual instructions
  v_dual_mov_b32 v0, v4 :: v_dual_mov_b32 v1, v5
  v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4
  v_dual_subrev_f32 v0, v4, v6 :: v_dual_mov_b32 v1, v5
  v_dual_subrev_f32 v4, v5, v6 :: v_dual_mov_b32 v5, v4
  v_dual_mul_f32 v0, v4, v6 :: v_dual_mul_f32 v1, v5, v7
  v_dual_mul_f32 v4, v5, v6 :: v_dual_mul_f32 v5, v4, v7
  v_dual_cndmask_b32 v0, v4, v6 :: v_dual_mul_f32 v1, v5, v7
  v_dual_cndmask_b32 v4, v5, v6 :: v_dual_mul_f32 v5, v4, v7
  v_dual_add_f32 v0, s4, v6 :: v_dual_add_f32 v1, s4, v7
  v_dual_add_f32 v4, s4, v6 :: v_dual_add_f32 v5, s4, v7
  v_dual_mul_dx9_zero_f32 v0, v4, v6 :: v_dual_add_f32 v1, s4, v7
  v_dual_mul_dx9_zero_f32 v4, v5, v6 :: v_dual_add_f32 v5, s4, v7
  v_dual_fmac_f32 v0, v4, v6 :: v_dual_fmac_f32 v1, v5, v7
  v_dual_fmac_f32 v4, v5, v6 :: v_dual_fmac_f32 v5, v4, v7
  v_dual_mul_f32 v0, v4, v6 :: v_dual_fmac_f32 v1, v5, v7
  v_dual_mul_f32 v4, v5, v6 :: v_dual_fmac_f32 v5, v4, v7
  v_dual_sub_f32 v0, v4, v6 :: v_dual_sub_f32 v1, v5, v7
  v_dual_sub_f32 v4, v5, v6 :: v_dual_sub_f32 v5, v4, v7
  v_dual_subrev_f32 v0, v4, v6 :: v_dual_subrev_f32 v1, v5, v7
  v_dual_subrev_f32 v4, v5, v6 :: v_dual_subrev_f32 v5, v4, v7
  v_dual_min_f32 v0, v4, v6 :: v_dual_subrev_f32 v1, v5, v7
  v_dual_min_f32 v4, v5, v6 :: v_dual_subrev_f32 v5, v4, v7
  v_dual_max_f32 v0, v4, v6 :: v_dual_max_f32 v1, v5, v7
  v_dual_max_f32 v4, v5, v6 :: v_dual_max_f32 v5, v4, v7
  v_dual_fmamk_f32 v0, v4, 0x40490fdb, v6 :: v_dual_max_f32 v1, v5, v7
  v_dual_fmamk_f32 v4, v5, 0x40490fdb, v6 :: v_dual_max_f32 v5, v4, v7
  v_dual_min_f32 v0, v4, v6 :: v_dual_min_f32 v1, v5, v7
  v_dual_min_f32 v4, v5, v6 :: v_dual_min_f32 v5, v4, v7
  v_dual_mov_b32 v0, v4 :: v_dual_min_f32 v1, v5, v7
  v_dual_mov_b32 v4, v5 :: v_dual_min_f32 v5, v4, v7
  v_dual_cndmask_b32 v0, v4, v6 :: v_dual_cndmask_b32 v1, v5, v7
  v_dual_cndmask_b32 v4, v5, v6 :: v_dual_cndmask_b32 v5, v4, v7
  v_dual_fmac_f32 v0, v4, v6 :: v_dual_cndmask_b32 v1, v5, v7
  v_dual_fmac_f32 v4, v5, v6 :: v_dual_cndmask_b32 v5, v4, v7
  v_dual_fmaak_f32 v0, v4, v6, 0x40490fdb :: v_dual_fmaak_f32 v1, v5, v7, 0x40490fdb
  v_dual_fmaak_f32 v4, v5, v6, 0x40490fdb :: v_dual_fmaak_f32 v5, v4, v7, 0x40490fdb
  v_dual_max_f32 v0, v4, v6 :: v_dual_fmaak_f32 v1, v5, v7, 0x40490fdb
  v_dual_max_f32 v4, v5, v6 :: v_dual_fmaak_f32 v5, v4, v7, 0x40490fdb
  v_dual_fmamk_f32 v0, v4, 0x40490fdb, v6 :: v_dual_fmamk_f32 v1, v5, 0x40490fdb, v7
  v_dual_fmamk_f32 v4, v5, 0x40490fdb, v6 :: v_dual_fmamk_f32 v5, v4, 0x40490fdb, v7
  v_dual_fmaak_f32 v0, v4, v6, 0x40490fdb :: v_dual_fmamk_f32 v1, v5, 0x40490fdb, v7
  v_dual_fmaak_f32 v4, v5, v6, 0x40490fdb :: v_dual_fmamk_f32 v5, v4, 0x40490fdb, v7
  v_dual_mul_dx9_zero_f32 v0, v4, v6 :: v_dual_mul_dx9_zero_f32 v1, v5, v7
  v_dual_mul_dx9_zero_f32 v4, v5, v6 :: v_dual_mul_dx9_zero_f32 v5, v4, v7
  v_dual_mov_b32 v0, 0 :: v_dual_mul_dx9_zero_f32 v1, v5, v7
  v_dual_mov_b32 v4, 0 :: v_dual_mul_dx9_zero_f32 v5, v4, v7
  v_dual_mov_b32 v0, 0 :: v_dual_mov_b32 v1, 0
  v_dual_mov_b32 v4, 0 :: v_dual_mov_b32 v5, 0
  v_dual_add_f32 v0, s4, v6 :: v_dual_mov_b32 v1, 0
  v_dual_add_f32 v4, s4, v6 :: v_dual_mov_b32 v5, 0
  v_dual_mov_b32 v0, v4 :: v_dual_add_nc_u32 v1, v5, v7
  v_dual_mov_b32 v4, v5 :: v_dual_add_nc_u32 v5, v4, v7
  v_dual_subrev_f32 v0, v4, v6 :: v_dual_add_nc_u32 v1, v5, v7
  v_dual_subrev_f32 v4, v5, v6 :: v_dual_add_nc_u32 v5, v4, v7
  v_dual_mul_f32 v0, v4, v6 :: v_dual_lshlrev_b32 v1, v5, v7
  v_dual_mul_f32 v4, v5, v6 :: v_dual_lshlrev_b32 v5, v4, v7
  v_dual_cndmask_b32 v0, v4, v6 :: v_dual_lshlrev_b32 v1, v5, v7
  v_dual_cndmask_b32 v4, v5, v6 :: v_dual_lshlrev_b32 v5, v4, v7
  v_dual_add_f32 v0, s4, v6 :: v_dual_and_b32 v1, 7, v7
  v_dual_add_f32 v4, s4, v6 :: v_dual_and_b32 v5, 7, v7
  v_dual_mul_dx9_zero_f32 v0, v4, v6 :: v_dual_and_b32 v1, 7, v7
  v_dual_mul_dx9_zero_f32 v4, v5, v6 :: v_dual_and_b32 v5, 7, v7

; Matrix
  v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
  v_wmma_f32_16x16x16_f16 v[24:31], v[8:15], v[16:23], v[0:7]
  v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], 0
  v_wmma_f32_16x16x16_bf16 v[0:7], v[8:15], v[16:23], v[0:7]
  v_wmma_f32_16x16x16_bf16 v[24:31], v[8:15], v[16:23], v[0:7]
  v_wmma_f32_16x16x16_bf16 v[0:7], v[8:15], v[16:23], 0
  v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
  v_wmma_f16_16x16x16_f16 v[24:31], v[8:15], v[16:23], v[0:7]
  v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], 0
  v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel:[0,0,1]
  v_wmma_bf16_16x16x16_bf16 v[0:7], v[8:15], v[16:23], v[0:7]
  v_wmma_bf16_16x16x16_bf16 v[24:31], v[8:15], v[16:23], v[0:7]
  v_wmma_bf16_16x16x16_bf16 v[0:7], v[8:15], v[16:23], 0
  v_wmma_bf16_16x16x16_bf16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel:[0,0,1]
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7]
  v_wmma_i32_16x16x16_iu8 v[24:31], v[8:11], v[16:19], v[0:7]
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], 0
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7] neg_lo:[1,1,0]
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7] neg_lo:[1,0,0]
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7] neg_lo:[0,1,0]
  v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7] neg_lo:[1,1,0] clamp
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], v[0:7]
  v_wmma_i32_16x16x16_iu4 v[24:31], v[8:9], v[16:17], v[0:7]
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], 0
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], v[0:7] neg_lo:[1,1,0]
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], v[0:7] neg_lo:[1,0,0]
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], v[0:7] neg_lo:[0,1,0]
  v_wmma_i32_16x16x16_iu4 v[0:7], v[8:9], v[16:17], v[0:7] neg_lo:[1,1,0] clamp

; As compilers emit them
  v_dual_mov_b32 v2, 0 :: v_dual_lshlrev_b32 v17, 2, v0
  v_cmp_gt_u32_e64 s5, 27, v3
  v_cmp_gt_u32_e32 vcc_lo, 9, v7
  v_lshrrev_b16 v4.l, 8, v1.l
  s_mul_i32 s10, s13, 0x1e6
  s_and_b32 s2, s5, vcc_lo
  v_add_co_u32 v1, s2, s2, v6
  v_add_co_ci_u32_e64 v3, null, s4, 0, s2
  v_add_co_ci_u32_e64 v4, null, 0, v3, s2
  s_or_b32 exec_lo, exec_lo, s3
  v_and_b16 v5.l, 0xff, v7.l
  v_add_co_ci_u32_e64 v16, null, 0, v15, vcc_lo
  v_cmp_eq_u32_e32 vcc_lo, 0, v28
  v_and_or_b32 v30, 0x3f8, v0, v29
  v_lshl_or_b32 v4, v0, 7, s1
  v_cmp_gt_i32_e64 s1, 27, v4
  v_mul_hi_u32 v6, 0x38e38e39, v4
  v_add_co_ci_u32_e64 v7, null, s3, v7, s0
  s_xor_b32 s1, vcc_lo, -1
  v_add_co_ci_u32_e64 v8, null, s3, v8, vcc_lo
  v_add_co_ci_u32_e64 v8, null, v8, v11, vcc_lo
  v_dual_mov_b32 v8, v6 :: v_dual_lshlrev_b32 v5, 2, v5
  v_cmp_gt_i32_e32 vcc_lo, 27, v2
  v_lshlrev_b16 v1.l, 2, v1.l
  v_dual_mov_b32 v16, 0 :: v_dual_add_nc_u32 v9, s14, v9
  v_dual_mov_b32 v11, 0 :: v_dual_add_nc_u32 v30, 0x60, v0
  v_mul_lo_u16 v8.l, 0x51, v8.l
  v_cmp_gt_i32_e64 s0, s0, v0
  v_cndmask_b32_e64 v9, 0xff800000, v9, s0
  v_or_b16 v7.l, v6.l, 1
  v_cmp_gt_i32_e32 vcc_lo, s0, v0
  s_and_b32 vcc_lo, s0, vcc_lo
  v_cndmask_b32_e32 v5, 0xff800000, v12, vcc_lo
  v_cmp_gt_i32_e64 s2, 0xa2, v2
  v_mul_lo_u32 v0, 0xf3, v3
  s_or_b32 vcc_lo, vcc_lo, s2
  v_mov_b32_dpp v6, v5 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cmp_gt_i32_e32 vcc_lo, 0xa2, v4
  v_cmp_eq_u32_e64 s2, 0, v1
  v_add_f32_dpp v4, v3, v3 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_dual_mov_b32 v3, 0 :: v_dual_add_f32 v4, v4, v1
  s_mov_b32 s2, exec_lo
  v_cmpx_gt_i32_e32 0x150, v0
  v_dual_sub_f32 v6, v21, v3 :: v_dual_fmac_f32 v19, v11, v2
  v_fma_f32 v3, 0x3c008081, v3, -1.0
  v_dual_sub_f32 v4, v17, v15 :: v_dual_lshlrev_b32 v7, 5, v37
  s_mul_hi_u32 s3, s15, 0x4ec4ec4f
  v_cmp_gt_u32_e32 vcc_lo, 0x63, v15
  v_add_nc_u16 v5.l, v5.h, v5.l
  v_cmp_gt_u32_e64 s3, 0x60, v0
  v_and_b16 v11.l, v9.l, 63
  v_dual_mov_b32 v34, s10 :: v_dual_mov_b32 v33, s9
  v_cmp_gt_u16_e64 s1, 3, v9.l
  v_dual_mov_b32 v10, s0 :: v_dual_add_nc_u32 v17, v25, v31
  v_add_co_u32 v1, vcc_lo, v1, s8
  v_mov_b32_e32 v3, 1.0
  v_dual_fmaak_f32 v10, s0, v3, 0xbfba00e3 :: v_dual_mul_f32 v5, 0.5, v5
  v_mad_u64_u32 v[2:3], null, v8, 24, 48
  v_cmp_gt_f32_e32 vcc_lo, 0, v9
  v_fma_f32 v3, -v11, v10, 1.0
  v_cndmask_b32_e64 v9, v3, -v3, vcc_lo
  v_dual_add_f32 v3, v0, v4 :: v_dual_mov_b32 v4, 1.0
  v_fmaak_f32 v5, s0, v4, 0xbfba00e3
  v_dual_mul_f32 v10, v10, v3 :: v_dual_fmamk_f32 v11, v12, 0x3ea7ba05, v11
  v_cmp_gt_f32_e64 s0, 0, v3
  v_dual_mul_f32 v9, 0.5, v9 :: v_dual_fmaak_f32 v12, v11, v12, 0x3fb5f0e3
  v_dual_mul_f32 v10, 0x3fb8aa3b, v10 :: v_dual_mul_f32 v11, v11, v12
  v_cmp_lt_i32_e32 vcc_lo, 0x62, v6
  v_cndmask_b32_e64 v4, 0, v4, s2
  v_dual_add_f32 v0, v4, v5 :: v_dual_lshlrev_b32 v11, 3, v0
  v_dual_sub_f32 v3, v10, v3 :: v_dual_mul_f32 v4, 0x4f800000, v0
  v_cmp_gt_f32_e32 vcc_lo, 0xf800000, v0
  v_fma_f32 v13, -v5, v0, v4
  v_cmp_ge_f32_e64 s0, 0, v13
  v_cmp_lt_f32_e64 s0, 0, v14
  v_cmp_class_f32_e64 vcc_lo, v4, 0x260
  v_cmpx_gt_u32_e32 48, v0
  v_fma_f32 v6, v3, 2.0, -1.0
  v_dual_mov_b32 v3, 0 :: v_dual_add_f32 v6, 1.0, v6
  v_dual_fmamk_f32 v6, v6, 0x3d372713, v3 :: v_dual_mul_f32 v3, 0.5, v3
  v_cmp_lt_i32_e32 vcc_lo, 36, v6
  v_cmpx_lt_u32_e32 25, v0
  s_xor_b32 s2, exec_lo, s2
  s_xor_b32 exec_lo, exec_lo, s2
  v_lshl_add_u32 v40, v39, 7, 0x800
  v_dual_mul_f32 v3, v1, v3 :: v_dual_lshlrev_b32 v2, 2, v2
  v_dual_mov_b32 v12, v1 :: v_dual_mul_f32 v1, 0x3eb504f3, v7
  v_add_co_u32 v13, s5, 0x1000, v13
  s_add_u32 s6, s6, 0x1200
  v_dual_add_f32 v1, v5, v1 :: v_dual_add_f32 v2, v6, v2
  v_dual_fmac_f32 v3, 0xbd2aaaab, v7 :: v_dual_mul_f32 v8, v1, v1
  v_dual_cndmask_b32 v0, v1, v0 :: v_dual_fmac_f32 v5, 0xbd2aaaab, v7
  v_dual_cndmask_b32 v4, v4, v3 :: v_dual_and_b32 v3, 31, v0
  v_dual_mul_f32 v1, 0x3fb8aa3b, v1 :: v_dual_mul_f32 v2, 0x3fb8aa3b, v2
  v_add_f32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cmpx_eq_u32_e32 0, v0
  v_cndmask_b32_e64 v1, 0, 0x42000000, vcc_lo
  s_and_b32 s2, vcc_lo, exec_lo
  s_cselect_b32 s2, 32, 0
  v_dual_sub_f32 v0, v0, v1 :: v_dual_mov_b32 v1, 0
  s_and_b32 vcc_lo, vcc_lo, s3
  v_max_i32_dpp v1, v1, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_i32_dpp v1, v1, v1 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_i32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_fma_mix_f32 v14, v17, v9, v14 op_sel_hi:[1,1,0]
  v_fma_mix_f32 v9, v17, v9, v14 op_sel:[1,1,0] op_sel_hi:[1,1,0]
  v_fma_mixlo_f16 v0, v3, v4, 0
  v_cvt_f16_f32_e32 v0.l, v0
  v_cmp_ne_u32_e64 s2, 24, v2
  v_fma_mixhi_f16 v0, v0, v9, 0 op_sel:[0,1,0] op_sel_hi:[0,1,0]
  v_fma_mixlo_f16 v0, v1, v9, 0 op_sel_hi:[0,1,0]
  v_dual_mul_f32 v5, 0x3fb8aa3b, v4 :: v_dual_mov_b32 v2, 0
  v_dual_add_f32 v12, 1.0, v12 :: v_dual_add_f32 v11, 1.0, v11
  v_dual_add_f32 v11, v11, v12 :: v_dual_mul_f32 v10, 0xbfb8aa3b, v10
  v_dual_mul_f32 v11, 0xbfb8aa3b, v11 :: v_dual_add_f32 v10, 1.0, v10
  v_dual_mul_f32 v11, -2.0, v11 :: v_dual_mul_f32 v10, 0xbfb8aa3b, v10
  v_dual_fmac_f32 v22, 0, v15 :: v_dual_add_f32 v1, v1, v26
  v_dual_add_f32 v3, 1.0, v3 :: v_dual_fmac_f32 v10, 0, v2
  v_cmpx_gt_i32_e32 36, v0
  v_fma_f32 v2, v2, 0, 0
  s_and_b32 s7, s6, 0x7ffffff0
  v_dual_mov_b32 v13, s1 :: v_dual_mov_b32 v46, 0
  v_dual_mov_b32 v11, s1 :: v_dual_mov_b32 v48, v46
  v_cmp_gt_f32_e64 s0, 0x800000, v5
  v_cndmask_b32_e64 v8, 0, 0x42000000, s0
  v_cndmask_b32_e64 v4, 0, 32, vcc_lo
  v_cmp_lt_u32_e64 s6, 32, v17
  s_and_b32 vcc_lo, exec_lo, s8
  v_mad_u64_u32 v[4:5], null, v3, 33, 0x42
  v_dual_mov_b32 v3, 0 :: v_dual_mov_b32 v2, v0
  s_and_not1_b32 exec_lo, exec_lo, s1
  s_and_b32 exec_lo, exec_lo, vcc_lo
  v_dual_cndmask_b32 v6, v0, v6 :: v_dual_and_b32 v11, v7, v9
  v_add_co_u32 v0, vcc_lo, v10, 4
  v_bfe_u32 v0, v0, 4, 3
  v_cmp_nge_f32_e64 s0, 0, v5
  s_or_b32 vcc_lo, s0, vcc_lo
  v_cmp_eq_u32_e64 s2, s2, v0
  v_add_nc_u32_dpp v0, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_nc_u32_dpp v0, v0, v0 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_nc_u32_dpp v3, v0, v0 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_cmp_gt_f32_e64 s2, s4, s5
  v_cmp_u_f32_e64 s13, s4, s4
  s_or_b32 vcc_lo, s13, s2
  v_cndmask_b32_e32 v0, s5, v0, vcc_lo
  v_cmp_lt_f32_e32 vcc_lo, s6, v0
  v_mad_i64_i32 v[8:9], null, 0xf0, s7, v[2:3]
  v_mad_i64_i32 v[2:3], null, v7, 40, v[8:9]
  v_dual_cndmask_b32 v2, 0, v2 :: v_dual_add_f32 v1, v1, v3
  s_and_b32 exec_lo, exec_lo, s3
  v_dual_mul_f32 v9, v9, v8 :: v_dual_mul_f32 v6, 0.5, v6
  v_dual_cndmask_b32 v10, v8, v6 :: v_dual_mul_f32 v5, 0.5, v5
  v_dual_mov_b32 v3, 1.0 :: v_dual_add_f32 v4, v2, v4
  v_cmp_nlg_f32_e64 vcc_lo, v5, -v6
  v_mad_u64_u32 v[20:21], null, 0x1b0, v22, v[18:19]
  v_cmp_lt_u32_e64 s5, 0x93, v0
  v_cmp_lt_i32_e64 s4, 0xffffffde, v12
  v_cmp_ne_u32_e32 vcc_lo, 0, v4
  v_cmp_lt_i32_e64 s1, -16, v4
  s_and_b32 vcc_lo, s0, s1
  v_dual_mul_f32 v1, s4, v1 :: v_dual_mul_f32 v4, s5, v4
  v_fma_f32 v1, v1, s6, s16
  v_dual_add_f32 v2, 0x3727c5ac, v2 :: v_dual_add_f32 v3, 0x3727c5ac, v3
  v_dual_add_f32 v18, 1.0, v18 :: v_dual_mul_f32 v3, v12, v3
  v_cmpx_ne_u32_e32 0, v13
  v_mul_f32_e64 v33, v7, -v19
  v_dual_mul_f32 v41, s9, v22 :: v_dual_mul_f32 v28, v23, v28
  v_dual_mul_f32 v31, v23, v31 :: v_dual_mul_f32 v36, 0x3fb8aa3b, v36
  v_dual_mul_f32 v21, s3, v21 :: v_dual_mul_f32 v30, 0x3fb8aa3b, v30
  v_dual_mul_f32 v43, 0x3fb8aa3b, v46 :: v_dual_fmac_f32 v34, 0, v7
  v_dual_fmac_f32 v31, 0, v6 :: v_dual_fmac_f32 v20, 0, v8
  v_dual_mul_f32 v9, 0, v9 :: v_dual_mul_f32 v10, 0, v10
  v_dual_mul_f32 v5, 0, v9 :: v_dual_mul_f32 v6, v81, v6
  v_dual_fmac_f32 v12, v31, v22 :: v_dual_mul_f32 v63, s14, v21
  v_dual_fmac_f32 v24, 0, v8 :: v_dual_mul_f32 v49, s20, v23
  v_lshl_or_b32 v1, v0, 1, 64
  v_cndmask_b32_e64 v7, -v7, v7, s0
  v_cndmask_b32_e64 v4, -v4, v4, vcc_lo
  v_dual_mov_b32 v0, 0xff800000 :: v_dual_and_b32 v1, 31, v0
  v_cmp_nlg_f32_e64 s2, s2, v1
  v_dual_cndmask_b32 v0, v2, v1 :: v_dual_mov_b32 v1, 0
  s_or_b32 s2, s2, vcc_lo
  v_cndmask_b32_e64 v2, v1, 0xff800000, s2
  v_cmp_nlg_f32_e32 vcc_lo, s5, v4
  v_mad_u64_u32 v[25:26], null, v10, 3, v[7:8]
  v_mad_u32_u24 v41, v7, 3, s3
  v_subrev_co_ci_u32_e64 v6, null, 0, v6, s3
  v_bfe_i32 v8, v8, 0, 8
  v_cmp_gt_i16_e64 s3, 0, v6.l
  v_sub_co_u32 v8, s6, v25, 2
  v_ashrrev_i16 v12.l, 1, v7.l
  v_subrev_co_ci_u32_e64 v21, null, 0, v28, vcc_lo
  v_dual_mov_b32 v30, v38 :: v_dual_add_nc_u32 v5, s5, v58
  v_mad_u64_u32 v[8:9], null, 0x1e0, v12, s[34:35]
  v_xor_b16 v25.h, v37.l, v23.h
  v_or_b16 v23.h, v37.l, v23.h
  v_dual_fmac_f32 v5, v6, v6 :: v_dual_fmac_f32 v8, 0xbb088889, v12
  v_cmp_class_f32_e64 s0, v2, 0x260
  s_cselect_b32 vcc_lo, -1, 0
  s_and_not1_b32 vcc_lo, exec_lo, vcc_lo
  v_cmpx_gt_u32_e32 0xf0, v2
  v_dual_fmamk_f32 v1, v0, 0xba888889, v1 :: v_dual_fmac_f32 v4, 0xba888889, v0
  v_dual_fmac_f32 v4, 0xbb888889, v5 :: v_dual_fmamk_f32 v3, v5, 0xbb888889, v3
  v_cndmask_b32_e64 v2, 0x1e0, 0, vcc_lo
  s_and_not1_b32 vcc_lo, exec_lo, s13
  v_cmp_lt_u32_e32 vcc_lo, 0x77, v9
  v_fma_f32 v0, s0, v1, s1
  v_and_or_b32 v35, v0, 31, s4
  v_mov_b16_e32 v1.l, 0
  s_or_b32 s2, s8, 0x42
  s_cselect_b32 s6, 0, 0x90
  v_xad_u32 v38, v33, 32, 0
  v_xad_u32 v2, 0x60, v33, 0
  s_add_i32 s6, s5, 0x80
  v_or3_b32 v227, s0, v36, s5
  v_mul_f32_e64 v232, 0x3fb8aa3b, s3
  s_sub_i32 vcc_hi, s14, 64
  s_cmp_lt_i32 vcc_hi, 1
  v_mov_b16_e64 v3.l, v228.l
  v_mov_b16_e64 v109.h, v240.l
  v_dual_mov_b32 v42, v32 :: v_dual_mov_b32 v67, 0xff800000
  v_dual_mov_b32 v1, v32 :: v_dual_add_nc_u32 v248, 0, v0
  v_dual_mul_f32 v49, v49, v67 :: v_dual_sub_f32 v100, v100, v241
  v_add3_u32 v120, v104, v120, 0x7fff
  v_dual_mul_f32 v52, v52, v67 :: v_dual_and_b32 v121, 1, v121
  v_cndmask_b16 v129.h, 0x7fff, v120.l, vcc_lo
  v_cndmask_b16 v129.l, 0x7fff, v121.l, s0
  v_dual_sub_f32 v71, v71, v87 :: v_dual_and_b32 v120, 1, v120
  s_cmp_lt_i32 s67, vcc_hi
  v_dual_sub_f32 v107, v230, v87 :: v_dual_mov_b32 v230, v87
  v_dual_add_f32 v84, v121, v120 :: v_dual_and_b32 v71, 1, v71
  v_dual_add_f32 v67, v112, v113 :: v_dual_mov_b32 v228, v254
  v_mov_b16_e64 v203.h, 0
  v_mov_b16_e64 v64.l, v203.h
  v_mov_b16_e64 v203.l, 0
  v_dual_mul_f32 v72, v232, v72 :: v_dual_cndmask_b32 v107, 0xf149f2ca, v126
  v_dual_mov_b32 v87, 0xff800000 :: v_dual_mov_b32 v6, 0
  v_cndmask_b16 v64.l, 0x7fff, v65.l, vcc_lo
  v_cndmask_b16 v65.h, 0x7fff, v67.l, s1
  s_and_b32 s1, s0, exec_lo
  v_dual_mov_b32 v70, 0x7632 :: v_dual_mul_f32 v63, v63, v105
  v_dual_mul_f32 v53, v53, v105 :: v_dual_mov_b32 v116, v115
  v_dual_mul_f32 v52, v52, v105 :: v_dual_add_nc_u32 v231, 0, v72
  v_cmpx_gt_i32_e32 s97, v227
  v_div_scale_f32 v71, null, v70, v70, v63
  s_mov_b32 vcc_lo, s1
  v_dual_fmac_f32 v48, v58, v48 :: v_dual_mul_f32 v59, v41, v49
  v_dual_fmac_f32 v51, v61, v51 :: v_dual_lshlrev_b32 v32, 6, v226
  v_and_or_b32 v50, 0x60, s4, v1
  v_or3_b32 v72, v65, s46, s54
  v_dual_mov_b32 v134, s6 :: v_dual_add_nc_u32 v127, 0, v68
  v_dual_max_f32 v57, v33, v34 :: v_dual_cndmask_b32 v36, 0xf149f2ca, v36
  v_max3_f32 v138, v130, v131, 0xff800000
  v_lshl_add_u32 v40, v65, 2, 0
  v_and_or_b32 v33, 0x210, v33, s0
  v_add3_u32 v136, 0, s48, v36
  v_dual_sub_f32 v39, v39, v138 :: v_dual_add_nc_u32 v134, s2, v40
  v_dual_sub_f32 v41, v41, v138 :: v_dual_add_nc_u32 v136, v136, v137
  v_dual_mul_f32 v33, 0, v175 :: v_dual_add_f32 v36, v36, v37
  v_dual_mov_b32 v38, v33 :: v_dual_add_f32 v139, v139, v189
  v_dual_mov_b32 v40, v33 :: v_dual_fmac_f32 v139, 0, v197
  v_dual_add_f32 v195, v200, v201 :: v_dual_mul_f32 v38, v38, v206
  v_dual_mul_f32 v34, v34, v206 :: v_dual_add_f32 v191, v192, v193
  v_or3_b32 v0, s46, s0, v65
  v_add_f32_dpp v33, v33, v33 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_permlanex16_b32 v34, v33, -1, -1 op_sel:[1,0]
  v_add_f32_dpp v34, v34, v34 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f32_dpp v34, v34, v34 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_dual_sub_f32 v30, v30, v34 :: v_dual_mul_f32 v39, v17, v17
  v_dual_add_f32 v0, s31, v0 :: v_dual_lshlrev_b32 v35, 16, v37
  v_dual_mov_b32 v25, 0 :: v_dual_and_b32 v50, 31, v0
  v_dual_mov_b32 v30, v25 :: v_dual_and_b32 v5, 48, v1
  s_cselect_b32 vcc_hi, -1, 0
  s_and_b32 s21, vcc_lo, vcc_hi
  v_dual_mov_b32 v199, 0 :: v_dual_and_b32 v8, 0x70, v8
  v_dual_mov_b32 v57, 0 :: v_dual_add_nc_u32 v250, 0, v0
  v_or_b16 v1.l, s62, v1.l
  v_cvt_u32_u16_e32 v1, v1.l
  v_add3_u32 v129, v1, s43, 0xffffffc1
  s_and_b32 s1, vcc_hi, s0
  v_cvt_f16_f32_e32 v37.h, v2
  s_mov_b32 s9, vcc_hi
  v_lshlrev_b16 v68.h, 8, v85.l
  v_or_b16 v80.l, v80.l, v68.h
  v_or_b16 v2.h, v125.l, v0.l
  v_mov_b32_dpp v18, v17 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v19, v18 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v19, v18 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_dual_sub_f32 v12, v12, v18 :: v_dual_add_f32 v15, v15, v25
  v_sub_nc_u32_e64 v12, v2, 1 clamp
  v_cndmask_b32_e64 v16, v16, 0, s5
  v_mov_b32_dpp v14, v13 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v33, v32 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_dual_cndmask_b32 v11, v21, v11 :: v_dual_add_nc_u32 v14, v14, v18
  v_dual_cndmask_b32 v10, v20, v10 :: v_dual_mov_b32 v13, s2
  v_dual_max_f32 v2, v2, v2 :: v_dual_add_nc_u32 v1, s12, v1
  v_cmp_le_i32_e32 vcc_lo, s10, v1
  v_mbcnt_lo_u32_b32 v4, -1, 0
  v_dual_max_f32 v2, v2, v2 :: v_dual_lshlrev_b32 v3, 2, v3
  v_dual_mov_b32 v1, s13 :: v_dual_max_f32 v2, v3, v3
  v_fma_f32 v8, 0x3fb8aa3b, v2, -v7
  v_cmp_ngt_f32_e32 vcc_lo, 0xc2ce8ed0, v2
  v_cmp_nlt_f32_e32 vcc_lo, 0x42b17218, v2
  v_dual_add_f32 v1, v1, v2 :: v_dual_add_nc_u32 v2, 0, v5
  v_mad_u64_u32 v[1:2], null, s15, s2, v[0:1]
  v_cmpx_gt_i32_e64 s3, v1
  s_lshl_b32 s0, 1, s0
  v_mbcnt_lo_u32_b32 v1, exec_lo, 0
  v_dual_mov_b32 v0, 0 :: v_dual_mov_b32 v1, s1
  global_atomic_max_i32 v0, v1, s[6:7]
  global_atomic_min_u32 v0, v1, s[8:9]
  global_atomic_add_u64 v2, v[0:1], s[18:19]
  global_atomic_or_b32 v0, v1, s[20:21]
  global_atomic_cmpswap_b32 v0, v2, v[0:1], s[20:21] offset:8 glc
  global_atomic_add_u32 v8, v0, s[4:5]
  s_mov_b32 exec_lo, s1
  scratch_store_b32 off, v45, s33
  v_cmpx_lt_i64_e32 1, v[4:5]
  v_cmp_gt_i64_e32 vcc_lo, 2, v[4:5]
  v_add_co_u32 v4, s0, v4, 4
  scratch_load_b32 v45, off, s33
  s_add_u32 s2, 0, 64
  v_mul_lo_u16 v0.l, v0.h, 3
  v_cmpx_eq_u64_e64 s[0:1], v[2:3]
  v_mad_u64_u32 v[13:14], null, v8, v6, 0
  v_cmpx_ne_u64_e32 0, v[10:11]
  v_sub_co_ci_u32_e64 v19, null, 0, v18, vcc_lo
  v_add_nc_u32_e64 v18, v18, 32 clamp
  v_dual_mov_b32 v17, 0 :: v_dual_mul_f32 v10, 0x4f7ffffe, v10
  v_dual_cndmask_b32 v10, v10, v21 :: v_dual_mul_f32 v21, 0x4f7ffffe, v23
  v_cmp_ne_u64_e32 vcc_lo, 0, v[8:9]
  v_or3_b32 v19, 0, 0, 0
  v_mad_u64_u32 v[2:3], null, v9, v6, v[16:17]
  v_add_co_ci_u32_e64 v15, null, 0, 0, s0
  v_add_f64 v[5:6], |v[3:4]|, 0.5
  v_div_scale_f64 v[35:36], null, v[1:2], v[1:2], v[3:4]
  v_cmp_gt_f64_e32 vcc_lo, s[0:1], v[7:8]
  v_add_f64 v[7:8], v[7:8], -v[17:18]
  v_fma_f64 v[13:14], -v[9:10], v[11:12], 1.0
  v_fma_f64 v[9:10], v[13:14], v[9:10], -v[19:20]
  v_fma_f64 v[15:16], v[11:12], s[6:7], s[2:3]
  v_fma_f64 v[21:22], v[19:20], s[0:1], -v[25:26]
  v_cmp_gt_f64_e64 s2, 0x10000000, |v[3:4]|
  v_ldexp_f64 v[31:32], |v[3:4]|, v31
  v_fma_f64 v[37:38], -v[23:24], v[23:24], v[31:32]
  v_cmp_class_f64_e64 s0, v[5:6], 0x204
  v_cmp_nlt_f64_e64 s1, 0x40900000, v[17:18]
  v_cmp_class_f64_e64 vcc_lo, v[31:32], 0x260
  v_cmp_ngt_f64_e64 s2, 0xc090cc00, v[17:18]
  v_cmp_neq_f64_e64 s0, 0, v[5:6]
  v_cmpx_ngt_f64_e64 0x41d00000, |v[3:4]|
  v_ldexp_f64 v[7:8], |v[3:4]|, 0xffffff80
  v_cmp_le_f64_e64 vcc_lo, 0x7b000000, |v[3:4]|
  v_trig_preop_f64 v[9:10], |v[3:4]|, 0
  v_cmp_neq_f64_e64 vcc_lo, 0x7ff00000, |v[16:17]|
  v_cmp_gt_f64_e32 vcc_lo, 0, v[12:13]
  v_mul_f64 v[7:8], |v[3:4]|, s[2:3]
  v_fma_f64 v[7:8], v[11:12], s[2:3], |v[3:4]|
  v_cmp_nlt_f64_e64 s2, 0x40331000, |v[1:2]|
  v_add_f64 v[21:22], v[17:18], 0
  v_add_f64 v[45:46], -v[39:40], 1.0
  v_mul_f64 v[53:54], 0x408f4000, v[3:4]
  v_mul_f64 v[49:50], v[7:8], -v[11:12]
  v_ldexp_f64 v[53:54], v[47:48], 0xffffffe0
  v_fma_f64 v[21:22], v[7:8], -v[9:10], v[21:22]
  v_fma_f64 v[27:28], 0xc1f00000, v[29:30], v[47:48]
  v_dual_cndmask_b32 v12, 0, v12 :: v_dual_mul_f32 v25, v36, v33
  v_cmp_gt_f64_e64 vcc_lo, 0x3e400000, |v[1:2]|
  v_bfi_b32 v10, 0x7fffffff, v8, v2
  v_cmpx_neq_f64_e64 |v[3:4]|, 1.0
  v_cmp_eq_f64_e32 vcc_lo, 0, v[3:4]
  v_cmp_gt_f64_e64 s0, 0, v[1:2]
  v_cmp_eq_f64_e64 s2, |v[3:4]|, 1.0
  v_cndmask_b32_e64 v0, 0x7ff00000, 0, s0
  v_cmp_o_f64_e64 s0, |v[3:4]|, v[1:2]
  v_cmp_eq_f64_e64 s1, 0, v[1:2]
  v_dual_mul_f32 v9, 0x3fb8aa3b, v3 :: v_dual_lshlrev_b32 v6, 2, v0
  v_mul_f32_e64 v8, 0x4f800000, |v3|
  v_cmp_gt_f32_e64 s1, 0xf800000, |v3|
  v_cndmask_b32_e64 v8, |v3|, v8, s1
  v_ldexp_f32 v0, |v3|, v0
  v_dual_fmamk_f32 v14, v3, 0x32a5705f, v14 :: v_dual_sub_f32 v9, v9, v15
  v_cndmask_b32_e64 v12, 1.0, 0x58800000, s5
  v_dual_fmac_f32 v19, v21, v10 :: v_dual_sub_f32 v0, v0, v17
  v_cmp_nlg_f32_e64 vcc_lo, 0x7f800000, |v0|
  v_cmpx_ngt_f32_e64 0x48000000, |v3|
  v_and_or_b32 v22, v5, s0, 0x800000
  v_mad_u64_u32 v[0:1], null, 0xfe5163ab, v22, 0
  v_dual_mov_b32 v12, v2 :: v_dual_add_nc_u32 v1, 0xffffff88, v1
  v_alignbit_b32 v13, v1, v9, v11.l
  v_or_b32_e32 v10, 0.5, v2
  v_dual_add_f32 v7, v13, v7 :: v_dual_add_nc_u32 v8, v8, v0
  v_fma_f32 v1, 0xbfc90fda, v0, |v3|
  v_dual_fmaak_f32 v12, s1, v9, 0xbab64f3b :: v_dual_and_b32 v15, 1, v8
  v_dual_fmaak_f32 v11, s0, v9, 0x3c0881c4 :: v_dual_lshlrev_b32 v8, 30, v8
  v_dual_mul_f32 v13, v10, v13 :: v_dual_and_b32 v8, 0x80000000, v8
  v_dual_fmaak_f32 v14, s1, v10, 0xbab64f3b :: v_dual_mul_f32 v11, v9, v11
  v_dual_fmaak_f32 v14, v10, v14, 0x3d2aabf7 :: v_dual_fmac_f32 v7, v7, v11
  v_dual_fmaak_f32 v14, v10, v14, 0xbf000004 :: v_dual_cndmask_b32 v7, v9, v7
  v_add_f32_e64 v2, |v3|, |v3|
  v_cmp_nlt_f32_e64 s0, 0x42b17218, v2
  v_mul_f32_e64 v2, |v3|, v2
  v_fma_f32 v7, v5, v2, |v3|
  v_cndmask_b32_e64 v6, 1.0, 2.0, s0
  v_dual_mul_f32 v11, v10, v9 :: v_dual_add_f32 v12, -1.0, v8
  v_fma_f32 v8, v11, v8, -v13
  v_dual_fmaak_f32 v13, s1, v12, 0x3e91f4c4 :: v_dual_sub_f32 v10, v12, v10
  v_dual_sub_f32 v14, v13, v14 :: v_dual_add_f32 v15, 0x3f2aaaaa, v13
  v_dual_fmamk_f32 v9, v9, 0xb102e308, v13 :: v_dual_add_f32 v8, v8, v8
  v_dual_add_f32 v10, v11, v10 :: v_dual_sub_f32 v11, v13, v9
  v_cmp_eq_f32_e64 s0, 0x42b17218, v10
  v_cmp_neq_f32_e64 s0, 0x7f800000, |v10|
  v_cmp_ngt_f32_e64 s0, 0xc2ce8ed0, v13
  v_cmpx_neq_f32_e64 |v3|, 1.0
  v_add_f32_e64 v7, |v3|, -1.0
  v_cmp_eq_f32_e64 s0, 0, v3
  v_cmp_o_f32_e64 s1, |v3|, v4
  v_cmp_eq_f32_e64 s2, |v3|, 1.0
  v_cndmask_b32_e64 v7, v7, 1.0, s1
  v_cmpx_nlt_f32_e64 |v3|, 1.0
  v_fma_f32 v5, |v3|, s1, 0xb9c68948
  v_fma_f32 v5, |v3|, v5, 0x3b7cd369
  v_fma_f32 v5, |v3|, v5, |v3|
  v_cndmask_b32_e64 v7, 1.0, v7, s1
  v_cmpx_ngt_f32_e64 |v3|, |v4|
  v_cmp_eq_f32_e64 s1, |v3|, |v4|
  v_dual_mul_f32 v2, 0x45800000, v2 :: v_dual_add_f32 v7, v7, v7
  v_cmpx_lt_i32_e32 12, v8
  v_cmp_ge_f32_e64 s1, |v6|, 0.5
  v_cndmask_b32_e64 v6, 0, 1.0, s1
  v_dual_cndmask_b32 v4, 0x7fc00000, v5 :: v_dual_add_f32 v5, v7, v2
  s_cmp_lg_u32 vcc_lo, 0
  s_cmp_eq_u32 s0, exec_lo
  v_bfi_b32 v2, v0, 0, s4
  v_dual_mov_b32 v5, s5 :: v_dual_lshlrev_b32 v4, 2, v0
  v_cmpx_lt_i16_e32 0, v1.l
  v_cmpx_ne_u16_e32 1, v1.l
  v_dual_cndmask_b32 v7, v4, v1 :: v_dual_add_nc_u32 v0, 0x3e8, v0
  v_mul_f16_e32 v3.l, 0x4200, v2.l
  v_sqrt_f16_e64 v1.h, |v1.h|
  v_mad_u64_u32 v[3:4], null, v2, s5, v[1:2]
  v_cmp_gt_f64_e32 vcc_lo, 0x10000000, v[2:3]
