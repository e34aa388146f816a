"""What is found in models that the rules were not written for, and that it is right."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lumc.dsl import elaborate, load_spec
from lumc.lowering.kernel_program import Apply, Gemm, Pointwise
from lumc.lowering.lower import lower
from tests.lowering.checking import assert_equal, random_tensors

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"

# Attentions of each model at its tiny size: as many as it has layers (of each kind).
MODELS = {
    ("gpt2", "logits"): 2,
    ("llama", "logits"): 2,
    ("vit", "classify"): 2,
    ("clip_text", "encoder"): 3,
    ("t5", "encoder"): 3,
    ("qwen3", "encoder"): 8,
    ("flux1", "transformer"): 4,
    ("qwen_image", "transformer"): 2,
    ("zimage", "transformer"): 4,
    ("sd15_unet", "denoise"): 8,
}
SHORT = ("gpt2", "llama", "t5", "clip_text")


def check_model(spec: str, stage: str) -> None:
    program = elaborate(load_spec(SPECS / f"{spec}.lum", "tiny"), stage)
    kernels = lower(program, "gfx942").program
    kinds = Counter(type(kernels.kernels[x.kernel]).__name__ for x in kernels.launches)
    assert kinds["Attention"] == MODELS[spec, stage]
    assert_equal(program, kernels, random_tensors(program), 1e-4)


@pytest.mark.parametrize(("spec", "stage"), [m for m in MODELS if m[0] in SHORT])
def test_small_models(spec: str, stage: str) -> None:
    check_model(spec, stage)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "stage"), [m for m in MODELS if m[0] not in SHORT])
def test_larger_models(spec: str, stage: str) -> None:
    check_model(spec, stage)


def test_the_full_size_transformer() -> None:
    """The launches that a kernel engineer would write for FLUX.2 Klein 9B at 512 x 512."""
    spec = load_spec(SPECS / "flux2_klein.lum", "klein_9b", {"width": "512", "height": "512"})
    kernels = lower(elaborate(spec, "transformer"), "gfx942").program
    used = [kernels.kernels[launch.kernel] for launch in kernels.launches]
    kinds = Counter(type(kernel).__name__ for kernel in used)
    assert kinds["Attention"] == 32
    assert kinds["Gemm"] <= 125
    assert len(used) <= 300
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
    others = [k for k in kernels.kernels if type(k).__name__ not in ("Gemm", "Attention")]
    assert len(others) <= 20


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
