# mypy: ignore-errors
# Triton's language is written with untyped functions.
"""Triton kernels as test material. Run by a Python that has Triton: compiles them, no GPU needed.

    python triton_kernels.py FOLDER

writes `NAME.TARGET.hsaco`, `NAME.TARGET.s` and one `kernels.json` that says how to launch each.
"""

import json
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

LANES = {"gfx90a": 64, "gfx942": 64, "gfx950": 64, "gfx1100": 32}


@triton.jit
def softmax(x, y, columns, block: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, block)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=-float("inf"))
    power = tl.exp(value - tl.max(value, 0))
    tl.store(y + row * columns + column, power / tl.sum(power, 0), mask=inside)


@triton.jit
def layer_norm(x, weight, bias, y, columns, epsilon, block: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, block)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value, 0) / columns
    centred = tl.where(inside, value - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / columns
    normal = centred * tl.rsqrt(variance + epsilon)
    scale = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    shift = tl.load(bias + column, mask=inside, other=0.0).to(tl.float32)
    result = (normal * scale + shift).to(y.dtype.element_ty)
    tl.store(y + row * columns + column, result, mask=inside)


@triton.jit
def matmul(
    a, b, c, rows, columns, depth, bm: tl.constexpr, bn: tl.constexpr, bk: tl.constexpr
):  # fmt: skip
    """C = A B of row-major matrices; every extent is masked."""
    i = tl.program_id(0) * bm + tl.arange(0, bm)
    j = tl.program_id(1) * bn + tl.arange(0, bn)
    total = tl.zeros((bm, bn), dtype=accumulator(a))
    for start in range(0, depth, bk):
        k = start + tl.arange(0, bk)
        left = tl.load(
            a + i[:, None] * depth + k[None, :],
            mask=(i[:, None] < rows) & (k[None, :] < depth),
            other=0.0,
        )
        right = tl.load(
            b + k[:, None] * columns + j[None, :],
            mask=(k[:, None] < depth) & (j[None, :] < columns),
            other=0.0,
        )
        total = tl.dot(left, right, total, out_dtype=accumulator(a))
    inside = (i[:, None] < rows) & (j[None, :] < columns)
    result = total.to(c.dtype.element_ty)
    tl.store(c + i[:, None] * columns + j[None, :], result, mask=inside)


@triton.constexpr_function
def accumulator(a):
    return tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32


@triton.jit
def attention(
    q, k, v, o, length, scale, width: tl.constexpr, bm: tl.constexpr, bn: tl.constexpr
):  # fmt: skip
    """Causal attention of [heads, length, width] tensors with the running maximum and sum."""
    head = tl.program_id(1) * length * width
    i = tl.program_id(0) * bm + tl.arange(0, bm)
    d = tl.arange(0, width)
    query = tl.load(q + head + i[:, None] * width + d[None, :], mask=i[:, None] < length, other=0.0)
    highest = tl.full((bm,), -float("inf"), tl.float32)
    weight = tl.zeros((bm,), tl.float32)
    total = tl.zeros((bm, width), tl.float32)
    for start in range(0, tl.minimum((tl.program_id(0) + 1) * bm, length), bn):
        j = start + tl.arange(0, bn)
        inside = j[:, None] < length
        key = tl.load(k + head + j[:, None] * width + d[None, :], mask=inside, other=0.0)
        score = tl.dot(query, tl.trans(key)) * (scale * 1.44269504)
        score = tl.where((j[None, :] <= i[:, None]) & (j[None, :] < length), score, -1e30)
        new_highest = tl.maximum(highest, tl.max(score, 1))
        power = tl.exp2(score - new_highest[:, None])
        shrink = tl.exp2(highest - new_highest)
        value = tl.load(v + head + j[:, None] * width + d[None, :], mask=inside, other=0.0)
        total = tl.dot(power.to(value.dtype), value, total * shrink[:, None])
        weight = weight * shrink + tl.sum(power, 1)
        highest = new_highest
    result = (total / weight[:, None]).to(o.dtype.element_ty)
    tl.store(o + head + i[:, None] * width + d[None, :], result, mask=i[:, None] < length)


@triton.jit
def scaled_matmul(
    a, a_scale, b, b_scale, c, depth: tl.constexpr, columns: tl.constexpr, bm: tl.constexpr,
    a_format: tl.constexpr, b_format: tl.constexpr, a_pack: tl.constexpr, b_pack: tl.constexpr,
):  # fmt: skip
    """C = A B with scales for 32 along depth; A is [bm, depth]; e2m1 packs two in a byte."""
    i = tl.arange(0, bm)
    j = tl.arange(0, columns)
    left_k = tl.arange(0, depth // a_pack)
    right_k = tl.arange(0, depth // b_pack)
    part = tl.arange(0, depth // 32)
    left = tl.load(a + i[:, None] * (depth // a_pack) + left_k[None, :])
    right = tl.load(b + right_k[:, None] * columns + j[None, :])
    left_scale = tl.load(a_scale + i[:, None] * (depth // 32) + part[None, :])
    right_scale = tl.load(b_scale + j[:, None] * (depth // 32) + part[None, :])
    total = tl.dot_scaled(left, left_scale, a_format, right, right_scale, b_format)
    tl.store(c + i[:, None] * columns + j[None, :], total)


@triton.jit
def statistics(x, running, best, total, columns, block: tl.constexpr):
    """Per row: running sums, the place of the largest; over all rows: an atomic sum."""
    row = tl.program_id(0)
    column = tl.arange(0, block)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=0)
    tl.store(running + row * columns + column, tl.cumsum(value, 0), mask=inside)
    tl.store(best + row, tl.argmax(tl.where(inside, value, -1000), 0))
    tl.atomic_add(total + column, value, mask=inside)


FLOAT8 = {"gfx942": ("fp8e4b8", "fp8e5b16"), "gfx950": ("fp8e4nv", "fp8e5")}
MATMUL = {"rows": "i32", "columns": "i32", "depth": "i32"}


def matmul_jobs(target):
    blocks = {"bm": 64, "bn": 64, "bk": 32}
    wide = {"bm": 128, "bn": 128, "bk": 64}
    types = [("bf16", "fp32", blocks), ("fp16", "fp16", blocks), ("bf16", "bf16", wide)]
    types += [("i8", "i32", wide)]
    types += [(name, "fp32", wide) for name in FLOAT8.get(target, ())]
    for number, (source, result, sizes) in enumerate(types):
        signature = {"a": f"*{source}", "b": f"*{source}", "c": f"*{result}", **MATMUL}
        name = f"matmul_{source}" + ("_wide" if number == 2 else "")
        yield name, matmul, signature, sizes, {"num_stages": 2 if sizes is wide else 1}


def jobs(target):
    """(name, function, types of the arguments, constants, options) of each kernel."""
    row = {"columns": "i32"}
    yield "softmax", softmax, {"x": "*fp32", "y": "*fp32", **row}, {"block": 1024}, {}
    yield (
        "layer_norm",
        layer_norm,
        {"x": "*bf16", "weight": "*bf16", "bias": "*bf16", "y": "*bf16", **row, "epsilon": "fp32"},
        {"block": 2048},
        {},
    )
    yield from matmul_jobs(target)
    tensors = dict.fromkeys("qkvo", "*bf16")
    for name, blocks in (("attention", (128, 64)), ("attention_small", (32, 32))):
        constants = {"width": 64, "bm": blocks[0], "bn": blocks[1]}
        signature = {**tensors, "length": "i32", "scale": "fp32"}
        yield name, attention, signature, constants, {}
    signature = {"x": "*i32", "running": "*i32", "best": "*i32", "total": "*i32", **row}
    yield "statistics", statistics, signature, {"block": 512}, {}
    if target == "gfx950":
        yield from scaled_jobs()


def scaled_jobs():
    for left, right in (("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e4m3", "e2m1"), ("e5m2", "e4m3")):
        types = {"e4m3": "*fp8e4nv", "e5m2": "*fp8e5", "e2m1": "*u8"}
        signature = {"a": types[left], "a_scale": "*u8", "b": types[right], "b_scale": "*u8"}
        constants = {"depth": 256, "columns": 64, "bm": 64, "a_format": left, "b_format": right}
        constants |= {"a_pack": 1 + (left == "e2m1"), "b_pack": 1 + (right == "e2m1")}
        name = f"scaled_{left}_{right}"
        yield name, scaled_matmul, {**signature, "c": "*fp32"}, constants, {}


def compile_job(folder, target, job):
    name, function, signature, constants, options = job
    names = function.arg_names
    types = {x: "constexpr" if x in constants else signature[x] for x in names}
    source = ASTSource(
        fn=function,
        signature=types,
        constexprs={(names.index(x),): value for x, value in constants.items()},
    )
    compiled = triton.compile(
        source, target=GPUTarget("hip", target, LANES[target]), options={"num_warps": 4, **options}
    )
    stem = f"{name}.{target}"
    (folder / f"{stem}.hsaco").write_bytes(compiled.asm["hsaco"])
    (folder / f"{stem}.s").write_text(compiled.asm["amdgcn"])
    return {
        "name": name,
        "target": target,
        "kernel": compiled.metadata.name,
        "threads": compiled.metadata.num_warps * LANES[target],
        "dynamic_lds": compiled.metadata.shared,
        "constants": constants,
        "arguments": [x for x in names if x not in constants],
    }


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    compiled = [compile_job(folder, t, job) for t in LANES for job in jobs(t)]
    (folder / "kernels.json").write_text(json.dumps(compiled, indent=1))


if __name__ == "__main__":
    main()
