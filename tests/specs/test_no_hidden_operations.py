"""The language knows no matmul, attention, norm, convolution, softmax, concat or reshape."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import ElementwiseOp, Node, ReduceOp
from tests.specs.spec_support import ROOT, SPECS

OPERATIONS = {
    *(
        "matmul",
        "gemm",
        "linear",
        "affine",
        "dot",
        "attention",
        "attend",
        "softmax",
        "norm",
        "conv",
    ),
    *("pool", "concat", "join", "stack", "split", "chunk", "reshape", "transpose", "permute"),
    *("broadcast", "pad", "gelu", "silu", "sigmoid", "tanh", "exp", "rope", "rotate", "argmax"),
}


def texts() -> dict[str, str]:
    names = ("nn", "qwen3", "autoencoder", "flux2_klein")
    return {name: (SPECS / f"{name}.lum").read_text() for name in names}


def definitions(files: dict[str, str]) -> list[str]:
    return re.findall(r"^def (\w+)", "\n".join(files.values()), re.M)


@pytest.mark.parametrize(
    "stage", ["transformer", "text_encoder", "vae_encoder", "vae_decoder", "euler_step"]
)
def test_definitions_mean_nothing_by_their_names(stage: str) -> None:
    """With every definition renamed, the programs are the same, node by node."""
    files = texts()
    renamed = {name: f"d{k}" for k, name in enumerate(sorted(set(definitions(files))))}
    assert len(renamed) > 50
    pattern = re.compile(rf"\b({'|'.join(renamed)})(?=\()")
    strange = {
        name: pattern.sub(lambda match: renamed[match[1]], text) for name, text in files.items()
    }
    assert not re.search(r"\b(linear|attention|conv|softmax)\(", strange["flux2_klein"])
    programs = [
        elaborate(load_text("spec", spec["flux2_klein"], "tiny", files=spec), stage)
        for spec in (files, strange)
    ]
    assert programs[0].nodes == programs[1].nodes
    assert len(programs[0].nodes) > 5


def test_the_kinds_of_nodes_are_the_primitives() -> None:
    kinds = {kind.__name__ for kind in get_args(Node)}
    leaves = {"Input", "Weight", "Constant", "IndexValue"}
    assert kinds == leaves | {"Elementwise", "Cast", "Reduce", "Gather", "Place", "Scatter"}
    arithmetic = {"add", "mul", "recip", "sqrt", "exp2", "log2", "sin", "max", "idiv", "mod"}
    assert set(ElementwiseOp) == arithmetic | {"lt", "select"}
    assert set(ReduceOp) == {"sum", "max"}


def test_the_compiler_front_end_has_no_word_for_them() -> None:
    """Neither the grammar nor its code: in code, only names are looked at, not prose."""
    grammar = (ROOT / "dsl" / "grammar.lark").read_text()
    words = set(re.findall(r'"([a-z_0-9]+)"', grammar))
    assert {"def", "stage", "sum", "max"} <= words
    assert not words & OPERATIONS
    calls = (ROOT / "dsl" / "elaboration" / "arithmetic.py").read_text()
    functions = re.findall(r'^    "(\w+)": ElementwiseOp', calls, re.M)
    assert sorted(functions) == ["exp2", "log2", "sin", "sqrt"]


def test_nn_is_ordinary_text() -> None:
    """A spec that brings its own definitions needs no nn.lum, and gets the same program."""
    own = """
def mine(x[i], W[o, i])[o] as x = sum[i] x[i] * W[o, i]
stage s(x: f32[3, 5], W: f32[4, 5]) -> y: f32[3, 4]:
    y[t] = mine(x[t], W)
"""
    shared = own.replace("mine", "linear").replace(
        "def linear(x[i], W[o, i])[o] as x = sum[i] x[i] * W[o, i]", "use nn"
    )
    assert "use nn" in shared
    assert elaborate(load_text("a", own), "s").nodes == elaborate(load_text("b", shared), "s").nodes
