; Instruction forms under test, one instruction a line. What gfx90a has besides common.s.

; Floating point
  v_madmk_f32 v0, v1, 0x41200000, v2
  v_madak_f32 v0, v1, v2, 0x40490fdb
  v_mad_f32 v0, v1, v2, v3
  v_mad_f32 v0, s0, v1, v2
  v_mad_f32 v0, 0.5, v1, v2
  v_mad_f32 v0, 23, v1, v2
  v_mad_f32 v0, v1, s0, v2
  v_mad_f32 v0, v1, -4.0, v2
  v_mad_f32 v0, v1, v2, s0
  v_mad_f32 v0, v1, v2, 1.0
  v_mad_f32 v0, s0, 3, v1
  v_mad_f32 v0, -v1, v2, |v3|
  v_mad_f32 v0, -|v1|, v2, v3
  v_mad_f32 v0, v1, v2, v3 clamp
  v_mad_f32 v0, s0, v1, -v2 clamp
  v_mac_f32_e32 v0, v1, v2
  v_mac_f32_e64 v0, v1, v2
  v_mac_f32_e32 v0, s0, v1
  v_mac_f32_e32 v0, 0.5, v1
  v_mac_f32_e32 v0, 23, v1
  v_mac_f32_e32 v0, 0x41234567, v1
  v_mac_f32_e64 v0, v1, s0
  v_mac_f32_e64 v0, v1, -4.0
  v_mac_f32_e64 v0, -v1, |v2|
  v_mac_f32_e64 v0, -|v1|, v2
  v_mac_f32_e64 v0, v1, v2 clamp
  v_mac_f32_e64 v0, s0, -v1 clamp
  v_mac_f32_dpp v0, v1, v2 quad_perm:[3,3,0,2] row_mask:0xf bank_mask:0xf bound_ctrl:1

; Global atomics
  global_atomic_add v10, v[6:7], v0, off glc
  global_atomic_add v10, v6, v0, s[0:1] glc
  flat_atomic_add v10, v[6:7], v0 glc
  global_atomic_add_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_add_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_add_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_sub v10, v[6:7], v0, off glc
  global_atomic_sub v10, v6, v0, s[0:1] glc
  flat_atomic_sub v10, v[6:7], v0 glc
  global_atomic_sub_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_sub_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_sub_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_smin v10, v[6:7], v0, off glc
  global_atomic_smin v10, v6, v0, s[0:1] glc
  flat_atomic_smin v10, v[6:7], v0 glc
  global_atomic_smin_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_smin_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_smin_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_smax v10, v[6:7], v0, off glc
  global_atomic_smax v10, v6, v0, s[0:1] glc
  flat_atomic_smax v10, v[6:7], v0 glc
  global_atomic_smax_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_smax_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_smax_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_umin v10, v[6:7], v0, off glc
  global_atomic_umin v10, v6, v0, s[0:1] glc
  flat_atomic_umin v10, v[6:7], v0 glc
  global_atomic_umin_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_umin_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_umin_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_umax v10, v[6:7], v0, off glc
  global_atomic_umax v10, v6, v0, s[0:1] glc
  flat_atomic_umax v10, v[6:7], v0 glc
  global_atomic_umax_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_umax_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_umax_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_and v10, v[6:7], v0, off glc
  global_atomic_and v10, v6, v0, s[0:1] glc
  flat_atomic_and v10, v[6:7], v0 glc
  global_atomic_and_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_and_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_and_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_or v10, v[6:7], v0, off glc
  global_atomic_or v10, v6, v0, s[0:1] glc
  flat_atomic_or v10, v[6:7], v0 glc
  global_atomic_or_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_or_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_or_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_xor v10, v[6:7], v0, off glc
  global_atomic_xor v10, v6, v0, s[0:1] glc
  flat_atomic_xor v10, v[6:7], v0 glc
  global_atomic_xor_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_xor_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_xor_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_swap v10, v[6:7], v0, off glc
  global_atomic_swap v10, v6, v0, s[0:1] glc
  flat_atomic_swap v10, v[6:7], v0 glc
  global_atomic_swap_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_swap_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_swap_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_inc v10, v[6:7], v0, off glc
  global_atomic_inc v10, v6, v0, s[0:1] glc
  flat_atomic_inc v10, v[6:7], v0 glc
  global_atomic_inc_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_inc_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_inc_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_dec v10, v[6:7], v0, off glc
  global_atomic_dec v10, v6, v0, s[0:1] glc
  flat_atomic_dec v10, v[6:7], v0 glc
  global_atomic_dec_x2 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_dec_x2 v[10:11], v6, v[0:1], s[0:1] glc
  flat_atomic_dec_x2 v[10:11], v[6:7], v[0:1] glc
  global_atomic_cmpswap v10, v[6:7], v[0:1], off glc
  global_atomic_cmpswap v10, v6, v[0:1], s[0:1] glc
  flat_atomic_cmpswap v10, v[6:7], v[0:1] glc
  global_atomic_cmpswap_x2 v[10:11], v[6:7], v[0:3], off glc
  global_atomic_cmpswap_x2 v[10:11], v6, v[0:3], s[0:1] glc
  flat_atomic_cmpswap_x2 v[10:11], v[6:7], v[0:3] glc
  global_atomic_add_f32 v10, v[6:7], v0, off glc
  global_atomic_add_f64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_min_f64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_max_f64 v[10:11], v[6:7], v[0:1], off glc
  global_atomic_pk_add_f16 v10, v[6:7], v0, off glc

; Buffers
  buffer_atomic_add v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_smax v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_umin v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_or v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_swap v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_cmpswap v[0:1], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_add_x2 v[0:1], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_cmpswap_x2 v[0:3], v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_add_f32 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_pk_add_f16 v0, v6, s[0:3], s4 offen offset:8 glc
  buffer_atomic_add_f64 v[0:1], v6, s[0:3], s4 offen offset:8 glc

; Loads into LDS
  global_load_dword v[0:1], off lds
  global_load_dword v0, s[0:1] offset:16 lds

; Matrix
  v_mfma_f32_32x32x1f32 v[0:31], v32, v40, v[0:31]
  v_mfma_f32_32x32x1f32 a[0:31], v32, v40, a[0:31]
  v_mfma_f32_32x32x1f32 v[0:31], a32, v40, 0
  v_mfma_f32_32x32x1f32 v[64:95], v32, v40, v[0:31]
  v_mfma_f32_16x16x1f32 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_16x16x1f32 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_16x16x1f32 v[0:15], a32, v40, 0
  v_mfma_f32_16x16x1f32 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_4x4x1f32 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_4x4x1f32 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_4x4x1f32 v[0:3], a32, v40, 0
  v_mfma_f32_4x4x1f32 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x2f32 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_32x32x2f32 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_32x32x2f32 v[0:15], a32, v40, 0
  v_mfma_f32_32x32x2f32 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_16x16x4f32 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_16x16x4f32 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_16x16x4f32 v[0:3], a32, v40, 0
  v_mfma_f32_16x16x4f32 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x4f16 v[0:31], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_32x32x4f16 a[0:31], v[32:33], v[40:41], a[0:31]
  v_mfma_f32_32x32x4f16 v[0:31], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x4f16 v[64:95], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_16x16x4f16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x4f16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_16x16x4f16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x4f16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_4x4x4f16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_4x4x4f16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_4x4x4f16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_4x4x4f16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_32x32x8f16 v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x8f16 a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_32x32x8f16 v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x8f16 v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x16f16 v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x16f16 a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_16x16x16f16 v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x16f16 v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_i32_32x32x4i8 v[0:31], v32, v40, v[0:31]
  v_mfma_i32_32x32x4i8 a[0:31], v32, v40, a[0:31]
  v_mfma_i32_32x32x4i8 v[0:31], a32, v40, 0
  v_mfma_i32_32x32x4i8 v[64:95], v32, v40, v[0:31]
  v_mfma_i32_16x16x4i8 v[0:15], v32, v40, v[0:15]
  v_mfma_i32_16x16x4i8 a[0:15], v32, v40, a[0:15]
  v_mfma_i32_16x16x4i8 v[0:15], a32, v40, 0
  v_mfma_i32_16x16x4i8 v[64:79], v32, v40, v[0:15]
  v_mfma_i32_4x4x4i8 v[0:3], v32, v40, v[0:3]
  v_mfma_i32_4x4x4i8 a[0:3], v32, v40, a[0:3]
  v_mfma_i32_4x4x4i8 v[0:3], a32, v40, 0
  v_mfma_i32_4x4x4i8 v[64:67], v32, v40, v[0:3]
  v_mfma_i32_32x32x8i8 v[0:15], v32, v40, v[0:15]
  v_mfma_i32_32x32x8i8 a[0:15], v32, v40, a[0:15]
  v_mfma_i32_32x32x8i8 v[0:15], a32, v40, 0
  v_mfma_i32_32x32x8i8 v[64:79], v32, v40, v[0:15]
  v_mfma_i32_16x16x16i8 v[0:3], v32, v40, v[0:3]
  v_mfma_i32_16x16x16i8 a[0:3], v32, v40, a[0:3]
  v_mfma_i32_16x16x16i8 v[0:3], a32, v40, 0
  v_mfma_i32_16x16x16i8 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x2bf16 v[0:31], v32, v40, v[0:31]
  v_mfma_f32_32x32x2bf16 a[0:31], v32, v40, a[0:31]
  v_mfma_f32_32x32x2bf16 v[0:31], a32, v40, 0
  v_mfma_f32_32x32x2bf16 v[64:95], v32, v40, v[0:31]
  v_mfma_f32_16x16x2bf16 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_16x16x2bf16 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_16x16x2bf16 v[0:15], a32, v40, 0
  v_mfma_f32_16x16x2bf16 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_4x4x2bf16 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_4x4x2bf16 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_4x4x2bf16 v[0:3], a32, v40, 0
  v_mfma_f32_4x4x2bf16 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x4bf16 v[0:15], v32, v40, v[0:15]
  v_mfma_f32_32x32x4bf16 a[0:15], v32, v40, a[0:15]
  v_mfma_f32_32x32x4bf16 v[0:15], a32, v40, 0
  v_mfma_f32_32x32x4bf16 v[64:79], v32, v40, v[0:15]
  v_mfma_f32_16x16x8bf16 v[0:3], v32, v40, v[0:3]
  v_mfma_f32_16x16x8bf16 a[0:3], v32, v40, a[0:3]
  v_mfma_f32_16x16x8bf16 v[0:3], a32, v40, 0
  v_mfma_f32_16x16x8bf16 v[64:67], v32, v40, v[0:3]
  v_mfma_f32_32x32x4bf16_1k v[0:31], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_32x32x4bf16_1k a[0:31], v[32:33], v[40:41], a[0:31]
  v_mfma_f32_32x32x4bf16_1k v[0:31], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x4bf16_1k v[64:95], v[32:33], v[40:41], v[0:31]
  v_mfma_f32_16x16x4bf16_1k v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x4bf16_1k a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_16x16x4bf16_1k v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x4bf16_1k v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_4x4x4bf16_1k v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_4x4x4bf16_1k a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_4x4x4bf16_1k v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_4x4x4bf16_1k v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_32x32x8bf16_1k v[0:15], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_32x32x8bf16_1k a[0:15], v[32:33], v[40:41], a[0:15]
  v_mfma_f32_32x32x8bf16_1k v[0:15], a[32:33], v[40:41], 0
  v_mfma_f32_32x32x8bf16_1k v[64:79], v[32:33], v[40:41], v[0:15]
  v_mfma_f32_16x16x16bf16_1k v[0:3], v[32:33], v[40:41], v[0:3]
  v_mfma_f32_16x16x16bf16_1k a[0:3], v[32:33], v[40:41], a[0:3]
  v_mfma_f32_16x16x16bf16_1k v[0:3], a[32:33], v[40:41], 0
  v_mfma_f32_16x16x16bf16_1k v[64:67], v[32:33], v[40:41], v[0:3]
  v_mfma_f64_16x16x4f64 v[0:7], v[32:33], v[40:41], v[0:7]
  v_mfma_f64_16x16x4f64 a[0:7], v[32:33], v[40:41], a[0:7]
  v_mfma_f64_16x16x4f64 v[0:7], a[32:33], v[40:41], 0
  v_mfma_f64_16x16x4f64 v[64:71], v[32:33], v[40:41], v[0:7]
  v_mfma_f64_4x4x4f64 v[0:1], v[32:33], v[40:41], v[0:1]
  v_mfma_f64_4x4x4f64 a[0:1], v[32:33], v[40:41], a[0:1]
  v_mfma_f64_4x4x4f64 v[0:1], a[32:33], v[40:41], 0
  v_mfma_f64_4x4x4f64 v[64:65], v[32:33], v[40:41], v[0:1]
