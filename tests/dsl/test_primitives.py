"""The language has no operation that hides a matmul, an attention, a norm or a convolution."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import get_args

import pytest

from lumc.dsl import elaborate, load_text, tensor_program
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.arithmetic import FUNCTIONS
from lumc.dsl.elaboration.lookup import CONSTANTS, STORAGE_TYPES
from lumc.dsl.syntax_errors import WORDS
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp, TensorProgram

DSL = files("lumc.dsl")
SPECS = files("lumc.specs")
HIDDEN = re.compile(
    r"mat_?mul|gemm|attention|softmax|norm|conv|concat|reshape|transpose|rope|rotary|silu|gelu"
    r"|pool|linear|broadcast|einsum|pad\b|embedding",
    re.IGNORECASE,
)


def test_the_grammar_has_no_such_word() -> None:
    grammar = DSL.joinpath("grammar.lark").read_text("utf-8")
    assert HIDDEN.findall(grammar) == []
    quoted = set(re.findall(r'"([a-z]+)"', grammar))
    assert quoted == WORDS


def test_the_names_that_mean_something_are_these() -> None:
    assert set(FUNCTIONS) == {"sqrt", "exp2", "log2", "sin"}
    assert set(CONSTANTS) == {"inf", "true", "false"}
    assert set(STORAGE_TYPES) == {dtype.value for dtype in DType} - {"f64"}
    assert {op.value for op in ReduceOp} == {"sum", "max"}
    assert {op.value for op in ElementwiseOp} == {
        *("add", "mul", "recip", "sqrt", "exp2", "log2", "sin", "max"),
        *("idiv", "mod", "lt", "select"),
    }
    assert {kind.__name__ for kind in get_args(tensor_program.Node)} == {
        *("Input", "Weight", "Constant", "IndexValue", "Elementwise", "Cast", "Reduce"),
        *("Gather", "Place", "Scatter"),
    }


def test_no_name_of_the_library_stands_in_the_compiler_of_the_language() -> None:
    """Whatever nn.lum defines, no code that reads specs compares names with it."""
    library = SPECS.joinpath("nn.lum").read_text("utf-8")
    defined = set(re.findall(r"^def (\w+)", library, re.MULTILINE))
    assert len(defined) > 20
    sources = [
        path.read_text("utf-8")
        for folder in (DSL, DSL.joinpath("elaboration"))
        for path in folder.iterdir()
        if path.name.endswith(".py")
    ]
    texts = {text for source in sources for text in re.findall(r"""["'](\w+)["']""", source)}
    assert defined & texts == set()


def renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda match: names.get(match.group(), match.group()), text)


def same(left: TensorProgram, right: TensorProgram) -> bool:
    """Equal but for names of values and places of the text, which are no part of equality."""
    return (left.nodes, left.inputs, left.weights) == (right.nodes, right.inputs, right.weights)


@pytest.mark.parametrize("name", ["gpt_block", "unet_block", "linear_attention", "depthwise_conv"])
def test_the_library_is_ordinary_text(name: str) -> None:
    """With every definition of nn.lum under another name, the program is the same."""
    library = SPECS.joinpath("nn.lum").read_text("utf-8")
    spec = SPECS.joinpath("examples", f"{name}.lum").read_text("utf-8")
    defined = re.findall(r"^def (\w+)", library, re.MULTILINE)
    names = {old: f"zz{number}" for number, old in enumerate(defined)}
    plain = load_text(name, spec, files={"nn": library})
    other = load_text(name, renamed(spec, names), files={"nn": renamed(library, names)})
    for stage, stage_under_other_name in zip(plain.stages, other.stages, strict=True):
        assert same(elaborate(plain, stage), elaborate(other, stage_under_other_name))


def test_a_changed_definition_changes_the_program() -> None:
    """What the test above could not see if the compiler knew the names."""
    library = SPECS.joinpath("nn.lum").read_text("utf-8")
    spec = SPECS.joinpath("examples", "gpt_block.lum").read_text("utf-8")
    changed = re.sub(r"^(def linear\(.*= )sum\[i\]", r"\1max[i]", library, flags=re.MULTILINE)
    assert changed != library
    (stage,) = load_text("gpt", spec, files={"nn": library}).stages
    plain = elaborate(load_text("gpt", spec, files={"nn": library}), stage)
    other = elaborate(load_text("gpt", spec, files={"nn": changed}), stage)
    assert not same(plain, other)
