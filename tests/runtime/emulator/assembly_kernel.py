"""A kernel written in assembly: the directives around its body."""

from dataclasses import dataclass

TEMPLATE = """
.amdhsa_code_object_version 5
.text
.globl {name}
.p2align 8
.type {name},@function
{name}:
{prologue}
{body}
  s_endpgm
.Lend_of_{name}:
.size {name}, .Lend_of_{name}-{name}
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_group_segment_fixed_size {lds}
  .amdhsa_private_segment_fixed_size {scratch}
  .amdhsa_kernarg_size {kernarg}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr {vgprs}
  .amdhsa_next_free_sgpr 102
{options}
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: {kernarg}
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: {scratch}
    .kernarg_segment_align: 8
    .wavefront_size: {lanes}
    .sgpr_count: 102
    .vgpr_count: {vgprs}
    .max_flat_workgroup_size: {threads}
    .args:
{arguments}
...
.end_amdgpu_metadata
"""


def lanes_of(target: str) -> int:
    return 32 if target.startswith("gfx11") else 64


def argument_list(pointers: int, values: int) -> str:
    buffer = "value_kind: global_buffer, .address_space: global"
    rows = [f"      - {{.offset: {8 * k}, .size: 8, .{buffer}}}" for k in range(pointers)]
    for k in range(values):
        place = 8 * pointers + 4 * k
        rows.append(f"      - {{.offset: {place}, .size: 4, .value_kind: by_value}}")
    return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class AssemblyKernel:
    """`body` gets its first pointer in s[4:5], and four times the work-item number in v0.

    With `bare` it gets only what the hardware sets up: the arguments' address in s[0:1], the
    workgroup in s2 and the work-item in v0.
    """

    name: str
    body: str
    arguments: int
    values: int = 0
    lds: int = 0
    scratch: int = 0
    threads: int = 64
    denormals: int = 3
    rounding: int = 0
    ieee: int = 1
    bare: bool = False

    def text(self, target: str) -> str:
        """The assembly text, without a target line: the assembler is told the target."""
        lanes = lanes_of(target)
        options = [
            f".amdhsa_float_denorm_mode_32 {self.denormals}",
            f".amdhsa_float_round_mode_32 {self.rounding}",
            f".amdhsa_ieee_mode {self.ieee}",
        ]
        options.append(".amdhsa_wavefront_size32 1" if lanes == 32 else ".amdhsa_accum_offset 256")
        if self.scratch:
            options.append(".amdhsa_enable_private_segment 1")
        wait = "s_waitcnt lgkmcnt(0)"
        load = "s_load_b64" if lanes == 32 else "s_load_dwordx2"
        prologue = f"  {load} s[4:5], s[0:1], 0x0\n  v_lshlrev_b32_e32 v0, 2, v0\n  {wait}"
        return TEMPLATE.format(
            name=self.name,
            prologue="" if self.bare else prologue,
            body="\n".join(line if line.endswith(":") else f"  {line}" for line in self.lines),
            lds=self.lds,
            scratch=self.scratch,
            kernarg=8 * self.arguments + 4 * self.values,
            vgprs=256 if lanes == 32 else 512,
            options="\n".join(f"  {option}" for option in options),
            lanes=lanes,
            threads=self.threads,
            arguments=argument_list(self.arguments, self.values),
        )

    @property
    def lines(self) -> list[str]:
        return [line.strip() for line in self.body.splitlines() if line.strip()]
