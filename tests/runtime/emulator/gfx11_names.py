"""gfx11's names of instructions that the reference knows by the names of gfx9."""

import re

VECTOR = {
    "v_add_nc_u32": "v_add_u32",
    "v_sub_nc_u32": "v_sub_u32",
    "v_subrev_nc_u32": "v_subrev_u32",
    "v_add_nc_i32": "v_add_i32",
    "v_sub_nc_i32": "v_sub_i32",
    "v_add_nc_u16": "v_add_u16",
    "v_sub_nc_u16": "v_sub_u16",
    "v_add_co_ci_u32": "v_addc_co_u32",
    "v_sub_co_ci_u32": "v_subb_co_u32",
    "v_subrev_co_ci_u32": "v_subbrev_co_u32",
    "v_clz_i32_u32": "v_ffbh_u32",
    "v_ctz_i32_b32": "v_ffbl_b32",
    "v_cls_i32": "v_ffbh_i32",
    "v_cvt_pk_rtz_f16_f32": "v_cvt_pkrtz_f16_f32",
    "v_cvt_nearest_i32_f32": "v_cvt_rpi_i32_f32",
    "v_cvt_floor_i32_f32": "v_cvt_flr_i32_f32",
    "v_mul_dx9_zero_f32": "v_mul_legacy_f32",
    "v_dot2acc_f32_f16": "v_dot2c_f32_f16",
}
SCALAR = {
    "s_ctz_i32_b32": "s_ff1_i32_b32",
    "s_ctz_i32_b64": "s_ff1_i32_b64",
    "s_clz_i32_u32": "s_flbit_i32_b32",
    "s_clz_i32_u64": "s_flbit_i32_b64",
    "s_cls_i32": "s_flbit_i32",
    "s_cls_i32_i64": "s_flbit_i32_i64",
}


def older_name(base: str) -> str:
    """The name under which the reference has an instruction of gfx11."""
    base = re.sub(r"^v_dual_", "v_", base)
    base = re.sub(r"^(s_\w+)_not1_", lambda m: f"{m[1].replace('s_', 's_')}n2_", base)
    base = re.sub(r"^(s_\w+)_not0_", lambda m: f"{m[1]}n1_", base)
    return {**VECTOR, **SCALAR}.get(base, base)
