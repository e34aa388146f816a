# mypy: ignore-errors
# Triton's language is written with untyped functions.
"""A causal attention in Triton's language, as something to calibrate the timing model on.

    python triton_attention.py FOLDER

Needs a Python with Triton and no GPU; writes ``attention.hsaco``, ``.s`` and ``.json``.
"""

import json
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

QUERIES, KEYS, WIDTH, WARPS = 128, 64, 128, 4


@triton.jit
def attention(
    q, k, v, o, length, scale, width: tl.constexpr, queries: tl.constexpr, keys: tl.constexpr
):
    """Rows of weighted values, each over the keys up to its own place."""
    head = tl.program_id(1).to(tl.int64) * length * width
    row = tl.program_id(0) * queries + tl.arange(0, queries)
    channel = tl.arange(0, width)
    query = tl.load(q + head + row[:, None] * width + channel[None, :])
    best = tl.full((queries,), -float("inf"), tl.float32)
    norm = tl.zeros((queries,), tl.float32)
    total = tl.zeros((queries, width), tl.float32)
    factor = scale * 1.4426950408889634
    for start in range(0, (tl.program_id(0) + 1) * queries, keys):
        column = start + tl.arange(0, keys)
        key = tl.load(k + head + column[None, :] * width + channel[:, None])
        score = tl.dot(query, key) * factor
        score = tl.where(row[:, None] >= column[None, :], score, -float("inf"))
        above = tl.maximum(best, tl.max(score, 1))
        weight = tl.exp2(score - above[:, None])
        shrink = tl.exp2(best - above)
        norm = norm * shrink + tl.sum(weight, 1)
        value = tl.load(v + head + column[:, None] * width + channel[None, :])
        total = tl.dot(weight.to(tl.bfloat16), value, total * shrink[:, None])
        best = above
    result = (total / norm[:, None]).to(tl.bfloat16)
    tl.store(o + head + row[:, None] * width + channel[None, :], result)


def main(folder):
    """Compile it and write what there is to know of it."""
    constants = {"width": WIDTH, "queries": QUERIES, "keys": KEYS}
    signature = {**dict.fromkeys("qkvo", "*bf16"), "length": "i32", "scale": "fp32"}
    names = attention.arg_names
    source = ASTSource(
        fn=attention,
        signature={x: "constexpr" if x in constants else signature[x] for x in names},
        constexprs={(names.index(x),): value for x, value in constants.items()},
    )
    options = {"num_warps": WARPS, "num_stages": 1}
    made = triton.compile(source, target=GPUTarget("hip", "gfx942", 64), options=options)
    (folder / "attention.hsaco").write_bytes(made.asm["hsaco"])
    (folder / "attention.s").write_text(made.asm["amdgcn"])
    facts = {
        "version": triton.__version__,
        "kernel": made.metadata.name,
        "threads": WARPS * 64,
        "queries": QUERIES,
        "dynamic_lds": made.metadata.shared,
        "arguments": [x for x in names if x not in constants],
    }
    (folder / "attention.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
