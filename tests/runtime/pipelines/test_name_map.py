"""Maps from a checkpoint's names to a spec's: those that are shipped, and what maps can say."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file

from lumc.diagnostics import LumcError
from lumc.runtime.pipelines.checkpoint import Checkpoint, make_checkpoint
from lumc.runtime.pipelines.name_map import parse_name_map, read_name_map
from lumc.runtime.tensors import TensorFiles, write_tensors
from tests.specs.spec_support import DATA

Array = npt.NDArray[np.generic]


def mapped(folder: Path, text: str, **tensors: Array) -> Checkpoint:
    """Tensors (``__`` in a name stands for a dot) in a file, under the names of a map."""
    place = folder / "weights.safetensors"
    write_tensors(place, {name.replace("__", "."): values for name, values in tensors.items()})
    text = 'recognised_by = "never"\n' + text
    return make_checkpoint(TensorFiles([place]), parse_name_map("test", text), "")


def numbers(*shape: int) -> npt.NDArray[np.float32]:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def test_parts_of_rows(tmp_path: Path) -> None:
    fused = numbers(12, 5)
    text = """
[[tensor]]
to = "block.{n}.{q|k|v}.weight"
from = "layer{n}.qkv[{0:4|4|5}/6]"
"""
    found = mapped(tmp_path, text, layer7__qkv=fused)
    assert set(found.tensors()) == {"block.7.q.weight", "block.7.k.weight", "block.7.v.weight"}
    assert found.tensors()["block.7.q.weight"].shape == (8, 5)
    np.testing.assert_array_equal(found.read("block.7.q.weight"), fused[:8])
    np.testing.assert_array_equal(found.read("block.7.k.weight"), fused[8:10])
    np.testing.assert_array_equal(found.read("block.7.v.weight"), fused[10:])
    place = found.tensors()["block.7.q.weight"].place
    assert place == f"{tmp_path / 'weights.safetensors'} (there layer7.qkv[0:4/6])"


def test_joined_along_an_axis_and_reordered(tmp_path: Path) -> None:
    left, right = numbers(4, 3, 1, 1), numbers(4, 2, 1, 1)
    text = """
[[tensor]]
to = "whole"
from = ["left", "right"]
axis = 1
drop = [2, 3]
axes = [1, 0]
"""
    found = mapped(tmp_path, text, left=left, right=right)
    assert found.tensors()["whole"].shape == (5, 4)
    expected = np.concatenate([left, right], 1)[:, :, 0, 0].T
    np.testing.assert_array_equal(found.read("whole"), expected)


def test_rows_in_another_order(tmp_path: Path) -> None:
    rows = numbers(6, 2)
    text = '[[tensor]]\nto = "scale_shift"\nfrom = ["shift_scale[1/2]", "shift_scale[0/2]"]'
    found = mapped(tmp_path, text, shift_scale=rows)
    np.testing.assert_array_equal(found.read("scale_shift"), np.concatenate([rows[3:], rows[:3]]))
    assert found.where("scale_shift") == "shift_scale[1/2] + shift_scale[0/2]"


def test_numbers_that_count_from_the_end(tmp_path: Path) -> None:
    text = """
[last]
level = "up.{n}.conv"
[[tensor]]
to = "up_blocks.{level-n}.{rest...}"
from = "up.{n}.{rest...}"
"""
    found = mapped(
        tmp_path, text, up__0__conv=numbers(1), up__2__conv=numbers(2), up__1__skip__w=numbers(3)
    )
    assert set(found.tensors()) == {"up_blocks.2.conv", "up_blocks.0.conv", "up_blocks.1.skip.w"}
    assert found.tensors()["up_blocks.0.conv"].shape == (2,)
    assert found.where("up_blocks.2.conv.bias") == "up.0.conv.bias"


def test_the_first_entry_counts_and_other_names_stay(tmp_path: Path) -> None:
    text = """
[[tensor]]
to = "special"
from = "block.1.weight"
[[tensor]]
to = "layer.{n}.weight"
from = "block.{n}.weight"
"""
    found = mapped(
        tmp_path, text, block__1__weight=numbers(1), block__2__weight=numbers(2), bias=numbers(3)
    )
    assert set(found.tensors()) == {"special", "layer.2.weight", "bias"}


def test_a_tensor_of_which_a_piece_is_missing_is_not_there(tmp_path: Path) -> None:
    text = '[[tensor]]\nto = "whole"\nfrom = ["left", "right"]'
    assert "whole" not in mapped(tmp_path, text, left=numbers(3)).tensors()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('to = "y"\nfrom = "x[0/5]"', r"tensor x in .* has 6 rows, which can't be cut into 5"),
        ('to = "y"\nfrom = ["x", "z"]', r"can't be made of x \+ z in .*: shapes are 6×4, 5"),
        ('to = "y"\nfrom = "x"\ndrop = [1]', r"tensor y can't be made of x .* 6×4"),
        ('to = "y"\nfrom = "x"\naxes = [0]', "can't be made"),
        ('to = "y"\nfrom = "one[0/2]"', "has 0 rows"),
    ],
)
def test_tensors_that_do_not_fit_the_map(tmp_path: Path, entry: str, words: str) -> None:
    with pytest.raises(LumcError, match=words):
        mapped(tmp_path, f"[[tensor]]\n{entry}", x=numbers(6, 4), z=numbers(5), one=numbers())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recognised_by", "test can't be used"),
        ('[[tensor]]\nto = "y"\nfrom = "x"', "'recognised_by' is missing"),
        ('recognised_by = "x"\n[[tensor]]\nto = "y"', "'from' is missing"),
        ('recognised_by = "x"\n[[tensor]]\nto = "y"\nfrom = "x"\nform = 1', "has no form"),
        ('recognised_by = "x"\n[[tensor]]\nto = "{a|b}"\nfrom = "{c|d|e}"', "differ in number"),
        ('recognised_by = "x"\n[[tensor]]\nto = "y"\nfrom = "x[3/3]"', r"x\[3/3\] is not a part"),
        ('recognised_by = "x"\n[[tensor]]\nto = "y.{N}"\nfrom = "x"', "neither a variable"),
        (
            'recognised_by = "x"\n[[tensor]]\nto = "y.{n}"\nfrom = "x.{m}"',
            "n in y.{n} has no value",
        ),
        (
            'recognised_by = "x"\n[[tensor]]\nto = "y.{k-n}"\nfrom = "x.{n}"',
            "k in y.{k-n} has no value",
        ),
    ],
)
def test_texts_that_are_no_maps(text: str, words: str) -> None:
    with pytest.raises(LumcError, match=words):
        parse_name_map("test", text)


@pytest.mark.parametrize(
    ("name", "part", "file"),
    [
        ("flux2_transformer", "flux2_transformer", "flux-2-klein-tiny"),
        ("flux2_autoencoder", "vae_flux2", "ae"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "of_another_program."])
def test_shipped_maps_give_what_the_spec_names(
    single_files: Path, tmp_path: Path, name: str, part: str, file: str, prefix: str
) -> None:
    expected = load_file(DATA / "golden" / part / "weights.safetensors")
    stored = load_file(single_files / f"{file}.safetensors")
    assert set(stored) != set(expected)
    place = tmp_path / "prefixed.safetensors"
    write_tensors(place, {prefix + tensor: values for tensor, values in stored.items()})
    name_map = read_name_map(name)
    assert name_map.prefix_in(stored) == ""
    found = make_checkpoint(TensorFiles([place]), name_map, prefix)
    assert set(found.tensors()) == set(expected)
    for tensor, values in expected.items():
        np.testing.assert_array_equal(found.read(tensor), values, err_msg=tensor)
        assert found.tensors()[tensor].shape == values.shape
        assert found.where(tensor).startswith(prefix)


def test_published_names_are_mapped() -> None:
    """The names of BFL's files, as its own programs write them."""
    transformer = read_name_map("flux2_transformer")
    pairs = {
        "transformer_blocks.7.attn.to_k.weight": "double_blocks.7.img_attn.qkv.weight[1/3]",
        "transformer_blocks.0.attn.add_v_proj.weight": "double_blocks.0.txt_attn.qkv.weight[2/3]",
        "single_transformer_blocks.5.attn.norm_k.weight": "single_blocks.5.norm.key_norm.scale",
        "transformer_blocks.3.ff_context.linear_out.weight": "double_blocks.3.txt_mlp.2.weight",
        "single_transformer_blocks.23.attn.to_out.weight": "single_blocks.23.linear2.weight",
        "x_embedder.weight": "img_in.weight",
        "time_guidance_embed.timestep_embedder.linear_2.weight": "time_in.out_layer.weight",
        "norm_out.linear.weight": "final_layer.adaLN_modulation.1.weight[1/2]"
        " + final_layer.adaLN_modulation.1.weight[0/2]",
    }
    for target, source in pairs.items():
        assert str(transformer.recipe_for(target, ())) == source
    autoencoder = read_name_map("flux2_autoencoder")
    levels = [f"decoder.up.{n}.block.0.norm1.weight" for n in range(4)]
    pairs = {
        "decoder.up_blocks.0.resnets.2.conv1.bias": "decoder.up.3.block.2.conv1.bias",
        "decoder.up_blocks.2.resnets.0.conv_shortcut.b": "decoder.up.1.block.0.nin_shortcut.b",
        "decoder.up_blocks.0.upsamplers.0.conv.weight": "decoder.up.3.upsample.conv.weight",
        "encoder.down_blocks.1.downsamplers.0.conv.bias": "encoder.down.1.downsample.conv.bias",
        "encoder.mid_block.resnets.1.norm2.weight": "encoder.mid.block_2.norm2.weight",
        "decoder.mid_block.attentions.0.to_out.0.weight": "decoder.mid.attn_1.proj_out.weight",
        "decoder.mid_block.attentions.0.group_norm.bias": "decoder.mid.attn_1.norm.bias",
        "encoder.conv_norm_out.weight": "encoder.norm_out.weight",
        "post_quant_conv.weight": "decoder.post_quant_conv.weight",
    }
    for target, source in pairs.items():
        assert str(autoencoder.recipe_for(target, levels)) == source


@pytest.mark.parametrize(
    ("name", "checkpoint", "count"),
    [
        ("flux2_transformer", "flux2_klein_9b", 233),
        ("flux2_transformer", "flux2_klein_4b", 169),
        ("flux2_autoencoder", "vae_flux2", 251),
        ("flux2_autoencoder", "vae_flux2_small_decoder", 251),
    ],
)
def test_maps_go_there_and_back_for_published_sizes(name: str, checkpoint: str, count: int) -> None:
    name_map = read_name_map(name)
    spec_names = published_names(checkpoint)
    levels = [f"decoder.up.{n}.block.0.norm1.weight" for n in range(4)]
    made = {target: name_map.recipe_for(target, levels) for target in spec_names}
    own = {target for target, recipe in made.items() if recipe is None}
    single = {piece.name for recipe in made.values() if recipe for piece in recipe.pieces} | own
    assert len(spec_names) == count
    assert name_map.prefix_in(single) == ""
    back = name_map.recipes(single)
    assert set(back) == spec_names
    assert all(recipe is None or back[target] == recipe for target, recipe in made.items())


def published_names(checkpoint: str) -> set[str]:
    names = set()
    for line in (DATA / "checkpoints" / f"{checkpoint}.txt").read_text().splitlines():
        pattern = line.split(":")[0]
        numbered = re.search(r"\{(\d+)\.\.(\d+)\}", pattern)
        first, last = (int(numbered[1]), int(numbered[2])) if numbered else (0, 0)
        form = numbered[0] if numbered else "{}"
        names |= {pattern.replace(form, str(n)) for n in range(first, last + 1)}
    return names
