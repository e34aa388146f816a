; Instruction forms under test, one instruction a line. What gfx950 has besides common.s.

; Moves and bits
  v_mov_b64_e32 v[0:1], v[2:3]
  v_mov_b64_e64 v[0:1], v[2:3]
  v_mov_b64_e32 v[0:1], s[0:1]
  v_mov_b64_e32 v[0:1], -7
  v_mov_b64_e32 v[0:1], 23
  v_mov_b64_e32 v[0:1], 0x41234567
  v_bitop3_b32 v0, s0, v1, v2 bitop3:0x6a
  v_bitop3_b32 v0, v1, s0, v2 bitop3:0xe4
  v_bitop3_b32 v0, v1, v2, s0 bitop3:0x17
  v_bitop3_b32 v0, v1, -1, v2 bitop3:0x80
  v_bitop3_b32 v0, v1, -1, v2 bitop3:0xfe
  v_bitop3_b16 v0, s0, v1, v2 bitop3:0x6a
  v_bitop3_b16 v0, v1, s0, v2 bitop3:0xe4
  v_bitop3_b16 v0, v1, v2, s0 bitop3:0x17
  v_bitop3_b16 v0, v1, -1, v2 bitop3:0x80
  v_bitop3_b16 v0, v1, -1, v2 bitop3:0xfe

; Integers
  v_lshl_add_u64 v[0:1], v[2:3], v4, v[6:7]
  v_lshl_add_u64 v[0:1], s[0:1], v2, v[4:5]
  v_lshl_add_u64 v[0:1], -7, v2, v[4:5]
  v_lshl_add_u64 v[0:1], 23, v2, v[4:5]
  v_lshl_add_u64 v[0:1], v[2:3], s0, v[4:5]
  v_lshl_add_u64 v[0:1], v[2:3], 64, v[4:5]
  v_lshl_add_u64 v[0:1], v[2:3], v4, s[0:1]
  v_lshl_add_u64 v[0:1], v[2:3], v4, -16
  v_lshl_add_u64 v[0:1], s[0:1], 3, v[2:3]

; Floating point
  v_minimum3_f32 v0, v1, v2, v3
  v_minimum3_f32 v0, s0, v1, v2
  v_minimum3_f32 v0, 0.5, v1, v2
  v_minimum3_f32 v0, 23, v1, v2
  v_minimum3_f32 v0, v1, s0, v2
  v_minimum3_f32 v0, v1, -4.0, v2
  v_minimum3_f32 v0, v1, v2, s0
  v_minimum3_f32 v0, v1, v2, 1.0
  v_minimum3_f32 v0, s0, 3, v1
  v_minimum3_f32 v0, -v1, v2, |v3|
  v_minimum3_f32 v0, -|v1|, v2, v3
  v_minimum3_f32 v0, v1, v2, v3 clamp
  v_minimum3_f32 v0, s0, v1, -v2 clamp
  v_maximum3_f32 v0, v1, v2, v3
  v_maximum3_f32 v0, s0, v1, v2
  v_maximum3_f32 v0, 0.5, v1, v2
  v_maximum3_f32 v0, 23, v1, v2
  v_maximum3_f32 v0, v1, s0, v2
  v_maximum3_f32 v0, v1, -4.0, v2
  v_maximum3_f32 v0, v1, v2, s0
  v_maximum3_f32 v0, v1, v2, 1.0
  v_maximum3_f32 v0, s0, 3, v1
  v_maximum3_f32 v0, -v1, v2, |v3|
  v_maximum3_f32 v0, -|v1|, v2, v3
  v_maximum3_f32 v0, v1, v2, v3 clamp
  v_maximum3_f32 v0, s0, v1, -v2 clamp
  v_fmamk_f32 v0, v1, 0x41200000, v2
  v_fmaak_f32 v0, v1, v2, 0x40490fdb
  v_dot2_f32_bf16 v0, v1, v2, v3
  v_dot2_f32_bf16 v0, s0, v1, v2
  v_dot2_f32_bf16 v0, 0.5, v1, v2
  v_dot2_f32_bf16 v0, 23, v1, v2
  v_dot2_f32_bf16 v0, v1, s0, v2
  v_dot2_f32_bf16 v0, v1, 5, v2
  v_dot2_f32_bf16 v0, v1, v2, s0
  v_dot2_f32_bf16 v0, v1, v2, 1.0
  v_dot2_f32_bf16 v0, s0, 3, v1
  v_dot2c_f32_bf16_e32 v0, v1, v2
  v_dot2c_f32_bf16_e64 v0, v1, v2
  v_dot2c_f32_bf16_e32 v0, s0, v1
  v_dot2c_f32_bf16_e32 v0, -7, v1
  v_dot2c_f32_bf16_e32 v0, 23, v1
  v_dot2c_f32_bf16_e32 v0, 0x41234567, v1
  v_dot2c_f32_bf16_e64 v0, v1, s0
  v_dot2c_f32_bf16_e64 v0, v1, 64
  v_dot2c_f32_bf16_dpp v0, v1, v2 row_newbcast:3 row_mask:0xf bank_mask:0xf

; 8-bit floats
  v_cvt_pk_fp8_f32 v0, v1, v2
  v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]
  v_cvt_pk_fp8_f32 v0, s1, v2
  v_cvt_pk_fp8_f32 v0, -v1, |v2|
  v_cvt_pk_fp8_f32 v0, v1, 0
  v_cvt_f32_fp8_e32 v0, v1
  v_cvt_f32_fp8_e32 v0, s1
  v_cvt_pk_f32_fp8_e32 v[0:1], v2
  v_cvt_pk_f32_fp8_e32 v[0:1], s2
  v_cvt_pk_f32_fp8_sdwa v[0:1], v2 src0_sel:WORD_1
  v_cvt_pk_f32_fp8_sdwa v[0:1], v2 src0_sel:WORD_0
  v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_0
  v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1
  v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_2
  v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_3
  v_cvt_pk_bf8_f32 v0, v1, v2
  v_cvt_pk_bf8_f32 v0, v1, v2 op_sel:[0,0,1]
  v_cvt_pk_bf8_f32 v0, s1, v2
  v_cvt_pk_bf8_f32 v0, -v1, |v2|
  v_cvt_pk_bf8_f32 v0, v1, 0
  v_cvt_f32_bf8_e32 v0, v1
  v_cvt_f32_bf8_e32 v0, s1
  v_cvt_pk_f32_bf8_e32 v[0:1], v2
  v_cvt_pk_f32_bf8_e32 v[0:1], s2
  v_cvt_pk_f32_bf8_sdwa v[0:1], v2 src0_sel:WORD_1
  v_cvt_pk_f32_bf8_sdwa v[0:1], v2 src0_sel:WORD_0
  v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_0
  v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_1
  v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_2
  v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_3

; gfx950
  v_cvt_pk_f16_f32 v0, v1, v2
  v_cvt_pk_f16_f32 v0, -v1, s2
  v_cvt_pk_f16_f32 v0, v1, 1.0
  v_permlane16_swap_b32_e32 v0, v1
  v_permlane32_swap_b32_e32 v0, v1
  v_cvt_pk_bf16_f32 v0, v1, v2
  v_cvt_pk_bf16_f32 v0, s1, v2
  v_cvt_pk_bf16_f32 v0, v1, 0
  v_cvt_pk_bf16_f32 v0, -v1, |v2|

; Global atomics
  global_atomic_add v10, v[6:7], v0, off sc0
  global_atomic_add v10, v6, v0, s[0:1] sc0
  flat_atomic_add v10, v[6:7], v0 sc0
  global_atomic_add_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_add_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_add_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_sub v10, v[6:7], v0, off sc0
  global_atomic_sub v10, v6, v0, s[0:1] sc0
  flat_atomic_sub v10, v[6:7], v0 sc0
  global_atomic_sub_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_sub_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_sub_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_smin v10, v[6:7], v0, off sc0
  global_atomic_smin v10, v6, v0, s[0:1] sc0
  flat_atomic_smin v10, v[6:7], v0 sc0
  global_atomic_smin_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_smin_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_smin_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_smax v10, v[6:7], v0, off sc0
  global_atomic_smax v10, v6, v0, s[0:1] sc0
  flat_atomic_smax v10, v[6:7], v0 sc0
  global_atomic_smax_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_smax_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_smax_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_umin v10, v[6:7], v0, off sc0
  global_atomic_umin v10, v6, v0, s[0:1] sc0
  flat_atomic_umin v10, v[6:7], v0 sc0
  global_atomic_umin_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_umin_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_umin_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_umax v10, v[6:7], v0, off sc0
  global_atomic_umax v10, v6, v0, s[0:1] sc0
  flat_atomic_umax v10, v[6:7], v0 sc0
  global_atomic_umax_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_umax_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_umax_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_and v10, v[6:7], v0, off sc0
  global_atomic_and v10, v6, v0, s[0:1] sc0
  flat_atomic_and v10, v[6:7], v0 sc0
  global_atomic_and_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_and_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_and_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_or v10, v[6:7], v0, off sc0
  global_atomic_or v10, v6, v0, s[0:1] sc0
  flat_atomic_or v10, v[6:7], v0 sc0
  global_atomic_or_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_or_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_or_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_xor v10, v[6:7], v0, off sc0
  global_atomic_xor v10, v6, v0, s[0:1] sc0
  flat_atomic_xor v10, v[6:7], v0 sc0
  global_atomic_xor_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_xor_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_xor_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_swap v10, v[6:7], v0, off sc0
  global_atomic_swap v10, v6, v0, s[0:1] sc0
  flat_atomic_swap v10, v[6:7], v0 sc0
  global_atomic_swap_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_swap_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_swap_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_inc v10, v[6:7], v0, off sc0
  global_atomic_inc v10, v6, v0, s[0:1] sc0
  flat_atomic_inc v10, v[6:7], v0 sc0
  global_atomic_inc_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_inc_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_inc_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_dec v10, v[6:7], v0, off sc0
  global_atomic_dec v10, v6, v0, s[0:1] sc0
  flat_atomic_dec v10, v[6:7], v0 sc0
  global_atomic_dec_x2 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_dec_x2 v[10:11], v6, v[0:1], s[0:1] sc0
  flat_atomic_dec_x2 v[10:11], v[6:7], v[0:1] sc0
  global_atomic_cmpswap v10, v[6:7], v[0:1], off sc0
  global_atomic_cmpswap v10, v6, v[0:1], s[0:1] sc0
  flat_atomic_cmpswap v10, v[6:7], v[0:1] sc0
  global_atomic_cmpswap_x2 v[10:11], v[6:7], v[0:3], off sc0
  global_atomic_cmpswap_x2 v[10:11], v6, v[0:3], s[0:1] sc0
  flat_atomic_cmpswap_x2 v[10:11], v[6:7], v[0:3] sc0
  global_atomic_add_f32 v10, v[6:7], v0, off sc0
  flat_atomic_add_f32 v[6:7], v0
  global_atomic_add_f64 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_min_f64 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_max_f64 v[10:11], v[6:7], v[0:1], off sc0
  global_atomic_pk_add_f16 v10, v[6:7], v0, off sc0
  flat_atomic_pk_add_f16 v[6:7], v0
  global_atomic_pk_add_bf16 v[6:7], v0, off
  global_atomic_pk_add_bf16 v6, v0, s[0:1]
  global_atomic_pk_add_bf16 v10, v[6:7], v0, off sc0
  flat_atomic_pk_add_bf16 v[6:7], v0

; Buffers
  buffer_atomic_add v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_smax v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_umin v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_or v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_swap v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_cmpswap v[0:1], v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_add_x2 v[0:1], v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_cmpswap_x2 v[0:3], v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_add_f32 v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_pk_add_f16 v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_pk_add_bf16 v0, v6, s[0:3], 0 offen
  buffer_atomic_pk_add_bf16 v0, v6, s[0:3], s4 offen offset:8 sc0
  buffer_atomic_add_f64 v[0:1], v6, s[0:3], s4 offen offset:8 sc0

; LDS
  ds_pk_add_f16 v6, v0
  ds_pk_add_f16 v6, v0 offset:16
  ds_pk_add_rtn_f16 v10, v6, v0
  ds_pk_add_bf16 v6, v0
  ds_pk_add_bf16 v6, v0 offset:16
  ds_pk_add_rtn_bf16 v10, v6, v0

; Loads into LDS
  global_load_lds_dword v[0:1], off
  global_load_lds_dword v0, s[0:1] offset:16
  global_load_lds_dwordx3 v[0:1], off
  global_load_lds_dwordx4 v[0:1], off
  global_load_lds_dwordx4 v0, s[0:1] offset:16
  buffer_load_dwordx4 v0, s[0:3], 0 offen lds
  buffer_load_dwordx3 v0, s[0:3], 0 offen lds

; Transposing loads
  ds_read_b64_tr_b16 v[0:1], v2
  ds_read_b64_tr_b16 v[0:1], v2 offset:64
  ds_read_b64_tr_b8 v[0:1], v2
  ds_read_b64_tr_b8 v[0:1], v2 offset:128

; Scratch
  scratch_load_ubyte v0, off, off
  scratch_load_ubyte v0, off, off offset:16
  scratch_load_ubyte v0, off, s0 offset:8
  scratch_load_ubyte v0, v6, off offset:4
  scratch_load_ubyte v0, v6, s0
  scratch_load_sbyte v0, off, off
  scratch_load_sbyte v0, off, off offset:16
  scratch_load_sbyte v0, off, s0 offset:8
  scratch_load_sbyte v0, v6, off offset:4
  scratch_load_sbyte v0, v6, s0
  scratch_load_ushort v0, off, off
  scratch_load_ushort v0, off, off offset:16
  scratch_load_ushort v0, off, s0 offset:8
  scratch_load_ushort v0, v6, off offset:4
  scratch_load_ushort v0, v6, s0
  scratch_load_dword v0, off, off
  scratch_load_dword v0, off, off offset:16
  scratch_load_dword v0, off, s0 offset:8
  scratch_load_dword v0, v6, off offset:4
  scratch_load_dword v0, v6, s0
  scratch_load_dwordx2 v[0:1], off, off
  scratch_load_dwordx2 v[0:1], off, off offset:16
  scratch_load_dwordx2 v[0:1], off, s0 offset:8
  scratch_load_dwordx2 v[0:1], v6, off offset:4
  scratch_load_dwordx2 v[0:1], v6, s0
  scratch_load_dwordx3 v[0:2], off, off
  scratch_load_dwordx3 v[0:2], off, off offset:16
  scratch_load_dwordx3 v[0:2], off, s0 offset:8
  scratch_load_dwordx3 v[0:2], v6, off offset:4
  scratch_load_dwordx3 v[0:2], v6, s0
  scratch_load_dwordx4 v[0:3], off, off
  scratch_load_dwordx4 v[0:3], off, off offset:16
  scratch_load_dwordx4 v[0:3], off, s0 offset:8
  scratch_load_dwordx4 v[0:3], v6, off offset:4
  scratch_load_dwordx4 v[0:3], v6, s0
  scratch_load_short_d16 v0, off, off
  scratch_load_short_d16 v0, off, off offset:16
  scratch_load_short_d16 v0, off, s0 offset:8
  scratch_load_short_d16 v0, v6, off offset:4
  scratch_load_short_d16 v0, v6, s0
  scratch_load_short_d16_hi v0, off, off
  scratch_load_short_d16_hi v0, off, off offset:16
  scratch_load_short_d16_hi v0, off, s0 offset:8
  scratch_load_short_d16_hi v0, v6, off offset:4
  scratch_load_short_d16_hi v0, v6, s0
  scratch_store_byte off, v0, off
  scratch_store_byte off, v0, off offset:16
  scratch_store_byte off, v0, s0 offset:8
  scratch_store_byte v6, v0, off offset:4
  scratch_store_byte v6, v0, s0
  scratch_store_short off, v0, off
  scratch_store_short off, v0, off offset:16
  scratch_store_short off, v0, s0 offset:8
  scratch_store_short v6, v0, off offset:4
  scratch_store_short v6, v0, s0
  scratch_store_dword off, v0, off
  scratch_store_dword off, v0, off offset:16
  scratch_store_dword off, v0, s0 offset:8
  scratch_store_dword v6, v0, off offset:4
  scratch_store_dword v6, v0, s0
  scratch_store_dwordx2 off, v[0:1], off
  scratch_store_dwordx2 off, v[0:1], off offset:16
  scratch_store_dwordx2 off, v[0:1], s0 offset:8
  scratch_store_dwordx2 v6, v[0:1], off offset:4
  scratch_store_dwordx2 v6, v[0:1], s0
  scratch_store_dwordx3 off, v[0:2], off
  scratch_store_dwordx3 off, v[0:2], off offset:16
  scratch_store_dwordx3 off, v[0:2], s0 offset:8
  scratch_store_dwordx3 v6, v[0:2], off offset:4
  scratch_store_dwordx3 v6, v[0:2], s0
  scratch_store_dwordx4 off, v[0:3], off
  scratch_store_dwordx4 off, v[0:3], off offset:16
  scratch_store_dwordx4 off, v[0:3], s0 offset:8
  scratch_store_dwordx4 v6, v[0:3], off offset:4
  scratch_store_dwordx4 v6, v[0:3], s0
  scratch_store_short_d16_hi off, v0, off
  scratch_store_short_d16_hi off, v0, off offset:16
  scratch_store_short_d16_hi off, v0, s0 offset:8
  scratch_store_short_d16_hi v6, v0, off offset:4
  scratch_store_short_d16_hi v6, v0, s0
  scratch_store_byte_d16_hi off, v0, off
  scratch_store_byte_d16_hi off, v0, off offset:16
  scratch_store_byte_d16_hi off, v0, s0 offset:8
  scratch_store_byte_d16_hi v6, v0, off offset:4
  scratch_store_byte_d16_hi v6, v0, s0

; Matrix
  v_mfma_f32_32x32x1_2b_f32 v[0:31], v32, v40, v[0:31]
  v_mfma_f32_32x32x1_2b_f32 a[0:31], v32, v40, a[0:31]
  v_mfma_f32_32x32x1_2b_f32 v[0:31], a32, v40, 0
  v_mfma_f32_32x32x1_2b_f32 v[64:95], v32, v40, v[0:31]
  v_mfma_f32_16x16x1_4b_f32 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_16x16x1_4b_f32 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_16x16x1_4b_f32 v[0:15], a32, v40, 0
  v_mfma_f32_16x16x1_4b_f32 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_4x4x1_16b_f32 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_4x4x1_16b_f32 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_4x4x1_16b_f32 v[0:3], a32, v40, 0
  v_mfma_f32_4x4x1_16b_f32 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x2_f32 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_32x32x2_f32 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_32x32x2_f32 v[0:15], a32, v40, 0
  v_mfma_f32_32x32x2_f32 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_16x16x4_f32 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_16x16x4_f32 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_16x16x4_f32 v[0:3], a32, v40, 0
  v_mfma_f32_16x16x4_f32 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_32x32x4_2b_f16 a[0:31], v[32:33], v[40:41], a[0:31]
  v_mfma_f32_32x32x4_2b_f16 v[0:31], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x4_2b_f16 v[64:95], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_16x16x4_4b_f16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x4_4b_f16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_16x16x4_4b_f16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x4_4b_f16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_4x4x4_16b_f16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_4x4x4_16b_f16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_4x4x4_16b_f16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_4x4x4_16b_f16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x8_f16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_32x32x8_f16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x8_f16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x16_f16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_16x16x16_f16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x16_f16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_i32_32x32x4_2b_i8 v[0:31], v32, v40, v[0:31]
  v_mfma_i32_32x32x4_2b_i8 a[0:31], v32, v40, a[0:31]
  v_mfma_i32_32x32x4_2b_i8 v[0:31], a32, v40, 0
  v_mfma_i32_32x32x4_2b_i8 v[64:95], v32, v40, v[0:31]
  v_mfma_i32_16x16x4_4b_i8 v[0:15], v32, v40, v[0:15]
  v_mfma_i32_16x16x4_4b_i8 a[0:15], v32, v40, a[0:15]
  v_mfma_i32_16x16x4_4b_i8 v[0:15], a32, v40, 0
  v_mfma_i32_16x16x4_4b_i8 v[64:79], v32, v40, v[0:15]
  v_mfma_i32_4x4x4_16b_i8 v[0:3], v32, v40, v[0:3]
  v_mfma_i32_4x4x4_16b_i8 a[0:3], v32, v40, a[0:3]
  v_mfma_i32_4x4x4_16b_i8 v[0:3], a32, v40, 0
  v_mfma_i32_4x4x4_16b_i8 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x4_2b_bf16 v[0:31], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_32x32x4_2b_bf16 a[0:31], v[32:33], v[40:41], a[0:31]
  v_mfma_f32_32x32x4_2b_bf16 v[0:31], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x4_2b_bf16 v[64:95], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_16x16x4_4b_bf16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x4_4b_bf16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_16x16x4_4b_bf16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x4_4b_bf16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_4x4x4_16b_bf16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_4x4x4_16b_bf16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_32x32x8_bf16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x8_bf16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_32x32x8_bf16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x8_bf16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x16_bf16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x16_bf16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_16x16x16_bf16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x16_bf16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[40:41], v[0:7]
  v_mfma_f64_16x16x4_f64 a[0:7], v[32:33], v[40:41], a[0:7]
  v_mfma_f64_16x16x4_f64 v[0:7], a[32:33], v[40:41], 0
  v_mfma_f64_16x16x4_f64 v[64:71], v[32:33], v[40:41], v[0:7]
  v_mfma_f64_4x4x4_4b_f64 v[0:1], v[32:33], v[40:41], v[0:1]
  v_mfma_f64_4x4x4_4b_f64 a[0:1], v[32:33], v[40:41], a[0:1]
  v_mfma_f64_4x4x4_4b_f64 v[0:1], a[32:33], v[40:41], 0
  v_mfma_f64_4x4x4_4b_f64 v[64:65], v[32:33], v[40:41], v[0:1]
  v_mfma_i32_32x32x16_i8 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_i32_32x32x16_i8 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_i32_32x32x16_i8 v[0:15], a[32:33], v[40:41], 0
  v_mfma_i32_32x32x16_i8 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_i32_16x16x32_i8 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_i32_16x16x32_i8 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_i32_16x16x32_i8 v[0:3], a[32:33], v[40:41], 0
  v_mfma_i32_16x16x32_i8 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x32_fp8_fp8 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_32x32x16_fp8_fp8 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x16_fp8_fp8 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x32_fp8_bf8 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_32x32x16_fp8_bf8 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x16_fp8_bf8 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x32_bf8_fp8 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x32_bf8_fp8 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_32x32x16_bf8_fp8 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x16_bf8_fp8 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x32_bf8_bf8 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x32_bf8_bf8 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_32x32x16_bf8_bf8 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x16_bf8_bf8 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x32_bf16 v[0:3], v[32:35], v[40:43], v[0:3]
  v_mfma_f32_16x16x32_bf16 a[0:3], v[32:35], v[40:43], a[0:3]
  v_mfma_f32_16x16x32_bf16 v[0:3], a[32:35], v[40:43], 0
  v_mfma_f32_16x16x32_bf16 v[64:67], v[32:35], v[40:43], v[0:3]
  v_mfma_f32_16x16x32_f16 v[0:3], v[32:35], v[40:43], v[0:3]
  v_mfma_f32_16x16x32_f16 a[0:3], v[32:35], v[40:43], a[0:3]
  v_mfma_f32_16x16x32_f16 v[0:3], a[32:35], v[40:43], 0
  v_mfma_f32_16x16x32_f16 v[64:67], v[32:35], v[40:43], v[0:3]
  v_mfma_f32_32x32x16_bf16 v[0:15], v[32:35], v[40:43], v[0:15]
  v_mfma_f32_32x32x16_bf16 a[0:15], v[32:35], v[40:43], a[0:15]
  v_mfma_f32_32x32x16_bf16 v[0:15], a[32:35], v[40:43], 0
  v_mfma_f32_32x32x16_bf16 v[64:79], v[32:35], v[40:43], v[0:15]
  v_mfma_f32_32x32x16_f16 v[0:15], v[32:35], v[40:43], v[0:15]
  v_mfma_f32_32x32x16_f16 a[0:15], v[32:35], v[40:43], a[0:15]
  v_mfma_f32_32x32x16_f16 v[0:15], a[32:35], v[40:43], 0
  v_mfma_f32_32x32x16_f16 v[64:79], v[32:35], v[40:43], v[0:15]
  v_mfma_i32_16x16x64_i8 v[0:3], v[32:35], v[40:43], v[0:3]
  v_mfma_i32_16x16x64_i8 a[0:3], v[32:35], v[40:43], a[0:3]
  v_mfma_i32_16x16x64_i8 v[0:3], a[32:35], v[40:43], 0
  v_mfma_i32_16x16x64_i8 v[64:67], v[32:35], v[40:43], v[0:3]
  v_mfma_i32_32x32x32_i8 v[0:15], v[32:35], v[40:43], v[0:15]
  v_mfma_i32_32x32x32_i8 a[0:15], v[32:35], v[40:43], a[0:15]
  v_mfma_i32_32x32x32_i8 v[0:15], a[32:35], v[40:43], 0
  v_mfma_i32_32x32x32_i8 v[64:79], v[32:35], v[40:43], v[0:15]
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15]
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15], v50, v51 op_sel_hi:[0,0,0]
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0]
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15] cbsz:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[0,1,0] cbsz:1
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15] blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15], v50, v51 op_sel_hi:[0,0,0] blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[1,1,0] blgp:1
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15] cbsz:1 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:1 blgp:1
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[1,1,0] cbsz:1 blgp:1
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], v[0:15] cbsz:2 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:2 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[1,1,0] cbsz:2 blgp:3
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], v[0:15] cbsz:3 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:3 blgp:2
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:45], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[0,1,0] cbsz:3 blgp:2
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:43], v[0:15] cbsz:4 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:43], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:4 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:47], v[0:15] cbsz:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:47], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:35], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:43], v[0:15] blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:43], v[0:15], v50, v51 op_sel_hi:[0,0,0] blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] blgp:4
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:43], v[0:15] cbsz:2 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:43], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:2 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:37], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:4
  v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:45], v[0:15] cbsz:1 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:45], v[0:15], v50, v51 op_sel_hi:[0,0,0] cbsz:1 blgp:3
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[32:39], v[40:45], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[1,1,0] cbsz:1 blgp:3
  v_mfma_f32_32x32x64_f8f6f4 a[0:15], a[32:39], v[40:47], a[0:15]
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3]
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3], v50, v51 op_sel_hi:[0,0,0]
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0]
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3] cbsz:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[0,1,0] cbsz:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3] blgp:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3], v50, v51 op_sel_hi:[0,0,0] blgp:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[1,1,0] blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3] cbsz:1 blgp:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:1 blgp:1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:47], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[1,1,0] cbsz:1 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], v[0:3] cbsz:2 blgp:3
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:2 blgp:3
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[1,1,0] cbsz:2 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], v[0:3] cbsz:3 blgp:2
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:3 blgp:2
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:45], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[0,1,0] cbsz:3 blgp:2
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:43], v[0:3] cbsz:4 blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:43], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:4 blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:47], v[0:3] cbsz:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:47], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:35], v[40:47], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:43], v[0:3] blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:43], v[0:3], v50, v51 op_sel_hi:[0,0,0] blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:43], v[0:3] cbsz:2 blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:43], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:2 blgp:4
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:37], v[40:43], 0, v50, v51 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:4
  v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:45], v[0:3] cbsz:1 blgp:3
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:45], v[0:3], v50, v51 op_sel_hi:[0,0,0] cbsz:1 blgp:3
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[32:39], v[40:45], 0, v50, v51 op_sel:[1,1,0] op_sel_hi:[1,1,0] cbsz:1 blgp:3
  v_mfma_f32_16x16x128_f8f6f4 a[0:3], a[32:39], v[40:47], a[0:3]
