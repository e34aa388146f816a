"""What is found in models that the rules were not written for, and that it is right."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from lumc.dsl import elaborate, load_spec
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.explanation import Explanation
from lumc.lowering.kernel_program import (
    Apply,
    Attention,
    Body,
    BufferKind,
    Gemm,
    Kernel,
    KernelProgram,
    Literal,
    Pointwise,
    RowReduction,
)
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.kernel_types import size, stores
from lumc.lowering.lower import lower
from tests.lowering.checking import assert_equal, random_tensors
from tests.specs.golden_models import GOLDEN
from tests.specs.spec_support import assert_close, program_of

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"


@dataclass(frozen=True)
class Expected:
    """What a stage is made of at its tiny size, and the places that are known only at run time.

    ``gathers`` are lookups, ``reductions`` rows that are neither norms nor softmaxes, ``copies``
    rows that are put beside others as they are.
    """

    attention: int = 0
    convolution: int = 0
    product: int = 0
    norm: int = 0
    gathers: bool = False
    reductions: int = 0
    copies: int = 0


# Layers times what is in a layer, and what is around them.
MODELS = {
    ("gpt2", "logits"): Expected(2, 0, 2 * 4 + 1, 2 * 2 + 1, gathers=True),
    ("llama", "logits"): Expected(2, 0, 2 * 7 + 1, 2 * 2 + 1, gathers=True),
    ("vit", "classify"): Expected(2, 1, 2 * 6 + 1, 2 * 2 + 1),
    # The end of the text is found by the place of the greatest id: two maxima.
    ("clip_text", "encoder"): Expected(3, 0, 3 * 6, 3 * 2 + 1, gathers=True, reductions=2),
    ("t5", "encoder"): Expected(3, 0, 3 * 7, 3 * 2 + 1, gathers=True),
    ("qwen3", "encoder"): Expected(8, 0, 8 * 7, 8 * 4 + 1, gathers=True),
    # Two double blocks (12 products and 2 modulations, 4 norms and 4 of heads), two single ones
    # (5 and 1, 1 and 2), 8 products before and 2 products and a norm after.
    ("flux1", "transformer"): Expected(4, 0, 2 * 14 + 2 * 6 + 8 + 2, 2 * 8 + 2 * 3 + 1),
    # Of the last block the text's queries, output and feed-forward are not needed: 3 products, a
    # norm and one of heads.
    ("qwen_image", "transformer"): Expected(3, 0, 3 * 14 - 3 + 6, 3 * 8 - 2 + 2),
    # Four blocks (7 products, 6 norms), three of which are modulated; 6 products around, 2 norms.
    # Both kinds of token are padded with rows that were learned.
    ("zimage", "transformer"): Expected(4, 0, 4 * 7 + 3 + 6, 4 * 6 + 2, copies=2),
    ("sd15_unet", "denoise"): Expected(8, 20, 63, 33),
    # In, four levels of two blocks of two, three steps down, two blocks in the middle, out; of one
    # point: two where the width changes, two around attention, one at the end.
    ("qwen_image", "vae_encoder"): Expected(1, 1 + 16 + 3 + 4 + 1, 5, 16 + 4 + 1 + 1),
    ("flux1", "vae_decoder"): Expected(1, 33, 6, 30),
}
SHORT = ("gpt2", "llama", "t5", "clip_text", "vit")


def check_model(spec: str, stage: str) -> None:
    golden = next((g for g in GOLDEN.values() if (g.spec, g.stage) == (spec, stage)), None)
    program = golden.program() if golden else program_of(spec, stage, "tiny")
    lowered = lower(program, "gfx942", explained=True)
    assert lowered.explanation is not None
    assert summed_up(lowered.explanation) == MODELS[spec, stage]
    kernels = lowered.program
    if golden is None:
        assert_equal(program, kernels, random_tensors(program), 1e-4)
        return
    inputs, weights, wanted = golden.tensors()
    got = run_program(kernels, inputs, weights)
    for name, values in wanted.items():
        assert_close(got[name], values, 1e-4)


def summed_up(explanation: Explanation) -> Expected:
    times: Counter[str] = Counter()
    for one in explanation.found:
        times[one.kind] += one.times
    left = Counter(one.kind for one in explanation.leftovers)
    assert all(one.reason for one in explanation.leftovers)
    return Expected(
        times["attention"],
        times["convolution"],
        times["product"],
        times["norm"],
        left["gather"] > 0,
        left["reduction"],
        left["copy"],
    )


@pytest.mark.parametrize(("spec", "stage"), [m for m in MODELS if m[0] in SHORT])
def test_small_models(spec: str, stage: str) -> None:
    check_model(spec, stage)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "stage"), [m for m in MODELS if m[0] not in SHORT])
def test_larger_models(spec: str, stage: str) -> None:
    check_model(spec, stage)


def full_size(stage: str) -> tuple[KernelProgram, Explanation]:
    """A stage of FLUX.2 Klein 9B at 512 x 512, for an MI300X."""
    spec = load_spec(SPECS / "flux2_klein.lum", "klein_9b", {"width": "512", "height": "512"})
    lowered = lower(elaborate(spec, stage), "gfx942", explained=True)
    assert lowered.explanation is not None
    return lowered.program, lowered.explanation


@pytest.mark.parametrize(
    ("stage", "convolutions", "norms"), [("vae_encoder", 28, 22), ("vae_decoder", 36, 30)]
)
def test_the_full_size_autoencoder(stage: str, convolutions: int, norms: int) -> None:
    program, explanation = full_size(stage)
    times: Counter[tuple[str, str]] = Counter()
    for one in explanation.found:
        times[one.kind, one.definition] += one.times
    # A convolution of one point is a product of matrices.
    found = sum(n for (_, definition), n in times.items() if definition in ("conv", "conv_half"))
    assert found == convolutions
    assert times["norm", "group_norm"] == norms
    assert times["attention", "attend"] == 1
    assert not explanation.leftovers

    used = [program.kernels[launch.kernel] for launch in program.launches]
    kinds = Counter(type(k).__name__ for k in used)
    # Beside the convolutions: one product for query, key and value, and one after attention.
    assert kinds["Gemm"] == convolutions + 2
    # Nothing is done point by point but what ends a norm: no padding, no picture doubled, no sum.
    assert kinds["Pointwise"] <= norms
    (attention,) = (kernel for kernel in used if isinstance(kernel, Attention))
    assert size(attention.inner) == size(attention.channels) == 512
    positions = 64 * 64
    assert size(attention.queries) == positions
    assert size(attention.keys) == positions
    assert attention.tile is not None
    assert attention.tile.queries < positions
    # No score is ever in memory, nor a padded or a doubled picture.
    shapes = {buffer.shape for buffer in program.buffers}
    assert not any(shape[-2:] == (positions, positions) for shape in shapes)
    sides = {512 // 2**n for n in range(4)}
    pictures = [
        b for b in program.buffers if b.kind is BufferKind.INTERMEDIATE and len(b.shape) > 2
    ]
    assert pictures
    assert all(any(n in sides for n in buffer.shape) for buffer in pictures)


def test_the_full_size_text_encoder() -> None:
    program, explanation = full_size("text_encoder")
    times = {(one.kind, one.definition): one.times for one in explanation.found}
    assert times == {
        ("attention", "attend"): 27,
        ("product", "linear"): 27 * 7,
        # Two of each layer, and those of its queries and keys.
        ("norm", "rms_norm"): 27 * 4,
    }
    assert {one.kind for one in explanation.leftovers} <= {"gather", "copy"}
    used = [program.kernels[launch.kernel] for launch in program.launches]
    kinds = Counter(type(kernel).__name__ for kernel in used)
    assert kinds["Attention"] == 27
    # Query, key and value; the output; gate and up with their activation; the way down.
    assert kinds["Gemm"] <= 27 * 5
    pairs = [kernel for kernel in used if isinstance(kernel, Gemm) and len(kernel.right) == 2]
    assert sum(has(kernel.epilogue, ElementwiseOp.EXP2) for kernel in pairs) == 27
    # Two norms, and those of queries and of keys with their rotation.
    rows = [kernel for kernel in used if isinstance(kernel, RowReduction)]
    assert len(rows) <= 27 * 4
    # The halves of a head are rotated by the kernel that normalises it.
    halves = [r for r in rows if len(stores(r)) == 2 * len({s.parameter for s in stores(r)})]
    assert 27 <= len(halves) <= 27 * 2
    for kernel in used:
        if isinstance(kernel, Attention):
            assert has(kernel.score, ElementwiseOp.SELECT)
            assert Literal(-math.inf, DType.F32) in kernel.score.instructions
    scores = [b for b in program.buffers if b.shape[-2:] == (512, 512) and b.dtype.is_float]
    assert not scores


def has(body: Body, op: ElementwiseOp) -> bool:
    return any(isinstance(i, Apply) and i.op is op for i in body.instructions)


def test_the_full_size_transformer() -> None:
    """The launches that a kernel engineer would write for FLUX.2 Klein 9B at 512 x 512."""
    spec = load_spec(SPECS / "flux2_klein.lum", "klein_9b", {"width": "512", "height": "512"})
    kernels = lower(elaborate(spec, "transformer"), "gfx942").program
    used = [kernels.kernels[launch.kernel] for launch in kernels.launches]
    kinds = Counter(type(kernel).__name__ for kernel in used)
    assert kinds["Attention"] == 32
    # Those of one row included.
    assert kinds["Gemm"] <= 125
    assert len(kernels.launches) <= 300
    # What tiles leave of a last round is shared, within the launch.
    shared = [k for k in used if isinstance(k, Gemm | Attention) and k.tile and k.tile.shares]
    assert sum(isinstance(kernel, Gemm) for kernel in shared) >= 100
    assert sum(isinstance(kernel, Attention) for kernel in shared) >= 31
    _check_rows(used)
    # Gates are applied where their two projections are made, in both streams of double blocks.
    pairs = [kernel for kernel in used if isinstance(kernel, Gemm) and len(kernel.right) == 2]
    assert len(pairs) >= 16
    copies = [
        kernel.name
        for kernel in kernels.kernels
        if isinstance(kernel, Pointwise)
        and not any(isinstance(i, Apply) for i in kernel.body.instructions)
    ]
    assert not copies
    others = [k for k in kernels.kernels if not isinstance(k, Gemm | Attention)]
    assert len(others) <= 20


def _check_rows(used: Sequence[Kernel]) -> None:
    """57 norms of tokens, with their modulation; 80 of queries and keys, with their rotation.

    Both of a stream are one launch, but for the last block's, whose queries are fewer. Products of
    one row may be rows as well.
    """
    rows = [kernel for kernel in used if isinstance(kernel, RowReduction)]
    vectors = [kernel for kernel in rows if len(kernel.phases) == 2 and len(kernel.rows) == 1]
    rows = [kernel for kernel in rows if kernel not in vectors]
    assert len(vectors) <= 5
    norms = [kernel for kernel in rows if len(kernel.rows) == 1]
    heads = [kernel for kernel in rows if len(kernel.rows) == 2]
    assert len(norms) + len(heads) == len(rows)
    assert (len(norms), len(heads)) == (57, 41)
    # A head's pairs are stored as two values each.
    assert sum(len(phase.stores) for kernel in heads for phase in kernel.phases) == 2 * 80
    for kernel in norms:
        assert [size(phase.body.axes) for phase in kernel.phases] == [4096 * size(kernel.rows)] * 3


@pytest.mark.slow
def test_the_full_size_transformer_with_libraries() -> None:
    """Products and attention are the vendor's; what is left is read and written once.

    Residuals are added where the next block's norm reads them, values lie where attention reads
    them, and of the last block's rows only those of the picture are computed.
    """
    spec = load_spec(SPECS / "flux2_klein.lum", "klein_9b", {"width": "512", "height": "512"})
    kernels = lower(elaborate(spec, "transformer"), "sm_90", libraries=True).program
    used = [kernels.kernels[launch.kernel] for launch in kernels.launches]
    assert len(used) <= 335
    _check_rows(used)
    maps = [kernel for kernel in used if isinstance(kernel, Pointwise)]
    assert all(any(isinstance(i, Apply) for i in k.body.instructions) for k in maps)
    # Gated activations, 16 and 24; residuals where the two streams meet; the noise level.
    assert len(maps) <= 45
    with_residual = [k for k in used if isinstance(k, RowReduction) and len(k.rows) == 1]
    assert sum(len(phase.stores) for k in with_residual for phase in k.phases) >= 57 + 37
    attentions = [k for k in used if isinstance(k, Attention)]
    assert size(attentions[-1].queries) == 1024
    tokens = Counter(size(k.rows) for k in used[-6:] if isinstance(k, Gemm))
    assert set(tokens) == {1024}


_DIGEST = """
import sys
from pathlib import Path
from lumc.dsl import elaborate, load_spec
from lumc.lowering.lower import lower
program = elaborate(load_spec(Path("specs/flux2_klein.lum"), "tiny"), "text_encoder")
print(repr(lower(program, "gfx942").program))
"""


def test_the_same_program_comes_out_whatever_hashes_are() -> None:
    digests = set()
    for seed in ("1", "2"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=str(ROOT))
        done = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=True,
        )
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1
