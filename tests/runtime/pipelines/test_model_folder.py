"""Published models, whole and broken: what is read from them, and what is said of them."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file, save_file

from lumc.diagnostics import LumcError, LumcWarning
from lumc.dsl import elaborate, load_spec
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Weight
from lumc.runtime.pipelines.model_folder import ModelFolder, open_model_folder
from lumc.runtime.tensors import WantedTensor, match_tensors, read_as
from scripts.make_tiny_model import make_tiny_model
from tests.specs.spec_support import DATA, ROOT

Array = npt.NDArray[np.generic]
Harm = Callable[[Path], Any]
SINGLE = "flux-2-klein-tiny.safetensors"
STAGES = ("transformer", "text_encoder", "vae_encoder", "vae_decoder")
GOLDEN_OF = {
    "transformer": "flux2_transformer",
    "text_encoder": "qwen3",
    "vae_decoder": "vae_flux2",
}
SIZES = {"dtype": "f32", "width": "96", "height": "64", "references": "[[64, 96]]"}
TRANSFORMER = "transformer/diffusion_pytorch_model-00001-of-00005.safetensors"


@cache
def wanted(settings: tuple[tuple[str, str], ...]) -> Mapping[str, Sequence[WantedTensor]]:
    """What the stages of the spec with ``settings`` need."""
    spec = load_spec(ROOT / "specs" / "flux2_klein.lum", None, {**dict(settings), **SIZES})
    found = {}
    for stage in STAGES:
        program = elaborate(spec, stage)
        nodes = [program.nodes[number] for number in program.weights]
        found[stage] = [
            WantedTensor(node.name, node.space, node.dtype)
            for node in nodes
            if isinstance(node, Weight)
        ]
    return found


def wanted_by(model: ModelFolder) -> Mapping[str, Sequence[WantedTensor]]:
    return wanted(tuple(model.settings.items()))


def spec_config(model: ModelFolder) -> str | None:
    """The configuration of the spec that has the sizes of ``model``."""
    place = model.description.spec
    own = dict(load_spec(place, None, model.settings).parameters)
    for name in load_spec(place).configs:
        parameters = dict(load_spec(place, name).parameters)
        if all(parameters[key] == own[key] for key in model.settings):
            return name
    return None


def check_values(model: ModelFolder, dtype: DType = DType.F32) -> None:
    """All weights that stages need are those of the golden data."""
    for stage, golden in GOLDEN_OF.items():
        expected = load_file(DATA / "golden" / golden / "weights.safetensors")
        for tensor in wanted_by(model)[stage]:
            values = read_as(tensor, model.weights[stage])
            stored = expected[tensor.name].astype(dtype.numpy)
            np.testing.assert_array_equal(values, stored.astype(np.float32), err_msg=tensor.name)


def test_a_folder_for_each_part(model_folder: Path) -> None:
    model = open_model_folder(model_folder)
    assert model.description.spec.name == "flux2_klein.lum"
    assert spec_config(model) == "tiny"
    assert model.distilled
    assert (model.default_steps, model.default_guidance) == (4, 1.0)
    assert model.text_tokens == 16
    assert model.reference_rules.multiple == 16
    assert model.schedule.sigmas(4, 1024)[1] == pytest.approx(0.95808536)
    assert set(model.weights) == set(STAGES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.check_weights(wanted_by(model))
    check_values(model)
    encoded = model.open_tokenizer().encode("a dog", 16)
    assert "<think>\n\n</think>" in encoded.text


@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16])
@pytest.mark.parametrize("layout", ["folders", "single"])
def test_narrow_storage(tmp_path: Path, dtype: DType, layout: str) -> None:
    make_tiny_model(tmp_path, layout=layout, dtype=dtype)
    (tmp_path / "text_encoder").mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LumcWarning)
        model = open_model_folder(tmp_path)
    model.check_weights(wanted_by(model))
    check_values(model, dtype)


def test_single_files(single_files: Path, model_folder: Path) -> None:
    with pytest.warns(LumcWarning, match=r"has no model_index\.json to say whether"):
        model = open_model_folder(single_files)
    assert model.settings == open_model_folder(model_folder).settings
    assert model.text_tokens == 16
    assert model.distilled
    model.check_weights(wanted_by(model))
    check_values(model)
    assert model.open_tokenizer().encode("a dog", 16).mask.sum() == 16


@pytest.fixture
def mixed(broken: Path, single_files: Path) -> Path:
    """The transformer as a single file beside the folders of the others, to change."""
    for path in (broken / "transformer").glob("diffusion*"):
        path.unlink()
    shutil.copy(single_files / SINGLE, broken)
    return broken


def test_a_single_file_in_place_of_a_folder(mixed: Path) -> None:
    model = open_model_folder(mixed)
    model.check_weights(wanted_by(model))
    check_values(model)


def test_a_text_encoder_without_its_head(broken: Path) -> None:
    folder = broken / "text_encoder"
    weights: dict[str, Array] = {}
    for path in folder.glob("model*"):
        if path.suffix == ".safetensors":
            weights |= load_file(path)
        path.unlink()
    bare = {name.removeprefix("model."): values for name, values in weights.items()}
    del bare["lm_head.weight"]
    save_file(bare, folder / "model.safetensors")
    model = open_model_folder(broken)
    model.check_weights(wanted_by(model))
    check_values(model)


def test_a_base_model(tmp_path: Path) -> None:
    make_tiny_model(tmp_path, base=True)
    model = open_model_folder(tmp_path)
    assert not model.distilled
    assert (model.default_steps, model.default_guidance) == (50, 4.0)


def test_the_published_configs_are_those_of_the_spec(broken: Path) -> None:
    """The sizes of FLUX.2 Klein 9B and 4B, as their config files say them."""
    change(broken / "model_index.json", text_encoder_out_layers=None, max_sequence_length=None)
    large = {"attention_head_dim": 128, "axes_dims_rope": [32, 32, 32, 32]}
    widths = {"block_out_channels": [128, 256, 512, 512], "norm_num_groups": 32}
    change(broken / "vae" / "config.json", **widths)
    for name, heads, blocks, hidden, mlp in (
        ("klein_9b", 32, (8, 24), 4096, 12288),
        ("klein_4b", 24, (5, 20), 2560, 9728),
    ):
        change(
            broken / "transformer" / "config.json",
            **large,
            num_attention_heads=heads,
            num_layers=blocks[0],
            num_single_layers=blocks[1],
            joint_attention_dim=3 * hidden,
        )
        change(
            broken / "text_encoder" / "config.json",
            hidden_size=hidden,
            intermediate_size=mlp,
            num_attention_heads=32,
            num_key_value_heads=8,
            head_dim=128,
            num_hidden_layers=36,
            vocab_size=151936,
            rope_theta=None,
            rope_parameters={"rope_type": "default", "rope_theta": 1000000.0},
        )
        model = open_model_folder(broken)
        assert spec_config(model) == name
        assert model.text_tokens == 512
        with pytest.raises(LumcError, match="has shape"):
            model.check_weights({"vae_decoder": wanted_by_decoder(model)})
    change(broken / "vae" / "config.json", decoder_block_out_channels=[96, 192, 384, 384])
    assert spec_config(open_model_folder(broken)) == "klein_4b_small_decoder"


def wanted_by_decoder(model: ModelFolder) -> list[WantedTensor]:
    width = json.loads(model.settings["levels"])[-1]
    return [WantedTensor("decoder.conv_in.bias", (width,), DType.F32)]


def change(place: Path, **entries: Any) -> None:
    """Set entries of a JSON file; None takes one away."""
    content = json.loads(place.read_text()) | entries
    place.write_text(
        json.dumps({key: value for key, value in content.items() if value is not None})
    )


def set_in(part: str, **entries: Any) -> Harm:
    return lambda folder: change(folder / part / "config.json", **entries)


def write(name: str, content: str) -> Harm:
    return lambda folder: (folder / name).write_text(content)


def remove(name: str) -> Harm:
    def harm(folder: Path) -> None:
        place = folder / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()

    return harm


def cut(name: str, keep: Callable[[int], int]) -> Harm:
    def harm(folder: Path) -> None:
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: keep(len(whole))])

    return harm


def in_first_shard(edit: Callable[[dict[str, Array]], Any]) -> Harm:
    """Change the tensors in the first file of the transformer."""

    def harm(folder: Path) -> None:
        tensors = load_file(folder / TRANSFORMER)
        edit(tensors)
        save_file(tensors, folder / TRANSFORMER)

    return harm


def pickled(folder: Path) -> None:
    for path in (folder / "vae").glob("diffusion*"):
        path.unlink()
    (folder / "vae" / "diffusion_pytorch_model.bin").write_bytes(b"\x80\x04")


def twice(folder: Path) -> None:
    (folder / "transformer" / "diffusion_pytorch_model.safetensors.index.json").unlink()
    shutil.copy(folder / TRANSFORMER, folder / "transformer" / "copy.safetensors")


def gone_link(folder: Path) -> None:
    (folder / "vae" / "config.json").unlink()
    (folder / "vae" / "config.json").symlink_to(folder / "blobs" / "0123")


def other_names(folder: Path) -> None:
    for path in (folder / "transformer").glob("diffusion*"):
        path.unlink()
    save_file({"blocks.0.w": np.ones(3, np.float32)}, folder / "transformer" / "model.safetensors")


INDEX = "transformer/diffusion_pytorch_model.safetensors.index.json"
FIRST = "context_embedder.weight"


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda folder: shutil.rmtree(folder), "is not there\n  hint: a model is a folder here"),
        (remove("vae"), "has no folder vae, and no single file"),
        (remove("model_index.json"), None),
        (remove("transformer/config.json"), r"there is no file .*transformer/config\.json"),
        (remove("scheduler/scheduler_config.json"), r"there is no file .*scheduler_config\.json"),
        (write("model_index.json", "{"), r"can't read .*model_index\.json as JSON"),
        (write("vae/config.json", "[]"), r"vae/config\.json is no JSON object"),
        (write("vae/config.json", "version https://git-lfs.github.com/spec/v1\n"), "of Git LFS"),
        (gone_link, "hint: it is a link to a file that is gone"),
        (
            write("model_index.json", '{"_class_name": "FluxPipeline"}'),
            "asks for FluxPipeline; lumc",
        ),
        (write("model_index.json", '{"vae": []}'), "asks for no pipeline; lumc has Flux2Klein"),
        (set_in("transformer", guidance_embeds=True), "note: transformer.guidance_embeds = true"),
        (set_in("transformer", axes_dims_rope=[16, 56, 56]), "axes_dims_rope"),
        (set_in("transformer", joint_attention_dim=128), "transformer.joint_attention_dim == 3"),
        (
            set_in("transformer", attention_head_dim=36, axes_dims_rope=[9] * 4),
            r"head_dim % 8 == 0",
        ),
        (set_in("transformer", num_layers="two"), "transformer.num_layers in .* is 'two'"),
        (set_in("transformer", mlp_ratio=None), "says what transformer.mlp_ratio is"),
        (set_in("text_encoder", model_type="llama"), "text_encoder.model_type == 'qwen3'"),
        (set_in("text_encoder", num_hidden_layers=5), "text_encoder.num_hidden_layers >= index"),
        (set_in("text_encoder", rope_scaling={"type": "yarn"}), "not text_encoder.rope_scaling"),
        (
            set_in("transformer", quantization_config={"quant_method": "fp8"}),
            'note: transformer.quantization_config = {"quant_method": "fp8"}',
        ),
        (set_in("vae", latent_channels=16), r"in_channels == 4 \* vae\.latent_channels"),
        (set_in("vae", block_out_channels=7), "makes no sense"),
        (remove(TRANSFORMER), rf"00001-of-00005.safetensors \(with tensor {FIRST}\), which is not"),
        (write(INDEX, '{"weight_map": 3}'), "has no weight_map"),
        (write(INDEX, '{"weight_map": {"x": "../x.safetensors"}}'), "which is no file beside it"),
        (cut(TRANSFORMER, lambda n: n - 1000), "cut short: 1000 bytes are missing, of tensor"),
        (cut(TRANSFORMER, lambda n: 500), "ends within its header, after 500 bytes"),
        (cut(TRANSFORMER, lambda n: 0), "it has 0 bytes"),
        (write(TRANSFORMER, "version https://git-lfs.github.com/spec/v1\n"), "pointer of Git LFS"),
        (write(TRANSFORMER, "no safetensors at all, but long enough"), "can't read"),
        (pickled, r"diffusion_pytorch_model\.bin is no safetensors file"),
        (twice, "is both in"),
        (other_names, r"are of no transformer that is known: there is blocks\.0\.w"),
    ],
)
def test_folders_that_are_broken(broken: Path, harm: Harm, words: str | None) -> None:
    harm(broken)
    if words is None:
        with pytest.warns(LumcWarning, match="whether the model is distilled"):
            assert open_model_folder(broken).default_steps == 4
        return
    with pytest.raises(LumcError) as caught:
        open_model_folder(broken)
    assert len(caught.value.diagnostics) == 1
    assert re.search(words, caught.value.render())
    assert str(broken) in caught.value.render()


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda tensors: tensors.pop(FIRST), rf"weight {FIRST} is not in .*00001-of-00005"),
        (
            lambda tensors: tensors.update({FIRST: tensors[FIRST][:, :7]}),
            rf"weight {FIRST} in .*{Path(TRANSFORMER).name} has shape 64×7; .* needs 64×192",
        ),
        (
            lambda tensors: tensors.update({FIRST: tensors[FIRST].astype(np.int32)}),
            rf"weight {FIRST} in .* is I32, which does not convert",
        ),
    ],
)
def test_weights_that_do_not_fit(
    broken: Path, edit: Callable[[dict[str, Array]], Any], words: str
) -> None:
    in_first_shard(edit)(broken)
    model = open_model_folder(broken)
    with pytest.raises(LumcError, match=words) as caught:
        model.check_weights(wanted_by(model))
    assert len(caught.value.diagnostics) == 1
    config = broken / "transformer" / "config.json"
    assert f"hint: {config} and the weights must be of the same model" in caught.value.render()


def test_weights_that_nothing_reads(broken: Path) -> None:
    in_first_shard(lambda tensors: tensors.update({"lora.up": np.ones(3, np.float32)}))(broken)
    model = open_model_folder(broken)
    with pytest.warns(
        LumcWarning, match=r"1 weight is in .*00001-of-00005.* and not used: lora\.up"
    ):
        model.check_weights(wanted_by(model))


def test_what_a_single_file_lacks_is_said_in_its_own_names(mixed: Path) -> None:
    place = mixed / SINGLE
    weights = load_file(place)
    whole = weights.pop("double_blocks.1.txt_attn.qkv.weight")
    save_file(weights, place)
    model = open_model_folder(mixed)
    name = "transformer_blocks.1.attn.add_q_proj.weight"
    there = r"double_blocks\.1\.txt_attn\.qkv\.weight\[0/3\]"
    words = rf"weight {name} \(there {there}\) is not in .*flux-2-klein-tiny.*, nor are 2 others"
    with pytest.raises(LumcError, match=words):
        model.check_weights(wanted_by(model))
    weights["double_blocks.1.txt_attn.qkv.weight"] = whole[:, :9]
    save_file(weights, place)
    with pytest.raises(LumcError, match=rf"{name} in .* \(there {there}\) has shape 64×9"):
        open_model_folder(mixed).check_weights(wanted_by(model))
    weights["double_blocks.1.txt_attn.qkv.weight"] = whole[:-1]
    save_file(weights, place)
    with pytest.raises(LumcError, match="has 191 rows, which can't be cut into 3 equal parts"):
        open_model_folder(mixed)


def test_two_single_files_of_one_part(single_files: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(single_files, tmp_path / "single"))
    shutil.copy(folder / "ae.safetensors", folder / "other.safetensors")
    with pytest.raises(LumcError, match="hold a vae"):
        open_model_folder(folder)


def test_a_single_file_that_is_cut_short(single_files: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(single_files, tmp_path / "single"))
    cut("ae.safetensors", lambda size: size // 2)(folder)
    with pytest.raises(LumcError, match=r"ae\.safetensors as safetensors: it is cut short"):
        open_model_folder(folder)


@pytest.mark.parametrize("blocks", [2, 4])
def test_sizes_that_no_config_says(single_files: Path, tmp_path: Path, blocks: int) -> None:
    """One block less than the configuration has, or one more."""
    folder = Path(shutil.copytree(single_files, tmp_path / "single"))
    weights = load_file(folder / SINGLE)
    last = {name: values for name, values in weights.items() if name.startswith("single_blocks.2.")}
    for name, values in last.items():
        if blocks == 2:
            del weights[name]
        else:
            weights[name.replace(".2.", ".3.", 1)] = values
    save_file(weights, folder / SINGLE)
    with pytest.raises(LumcError, match=r"no configuration of flux2_klein\.lum has the weights"):
        open_model_folder(folder)


def test_folders_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(LumcError, match="holds no model"):
        open_model_folder(tmp_path)
    snapshot = tmp_path / "snapshots" / "0123abcd"
    snapshot.mkdir(parents=True)
    (snapshot / "model_index.json").write_text("{}")
    with pytest.raises(LumcError) as caught:
        open_model_folder(tmp_path)
    assert f"hint: a model is in {snapshot}" in caught.value.render()
    with pytest.raises(LumcError, match="is no folder") as caught:
        open_model_folder(snapshot / "model_index.json")
    assert f"hint: its folder is {snapshot}" in caught.value.render()
    (snapshot / "vae").mkdir()
    with pytest.raises(LumcError, match="holds no model") as caught:
        open_model_folder(snapshot / "vae")
    assert f"hint: vae is a part of the model in {snapshot}" in caught.value.render()


def test_a_model_without_its_tokenizer(broken: Path) -> None:
    shutil.rmtree(broken / "tokenizer")
    with pytest.raises(LumcError, match=r"has no folder tokenizer, and no tokenizer\.json itself"):
        open_model_folder(broken).open_tokenizer()


def test_weights_of_a_type_that_is_not_read(broken: Path) -> None:
    """One of its tensors says that it is of 8-bit reals, as quantised models have."""
    place = broken / TRANSFORMER
    name = next(iter(load_file(place)))
    whole = place.read_bytes()
    size = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + size])
    start, end = header[name]["data_offsets"]
    header[name]["dtype"] = "F8_E4M3"
    header[name]["shape"] = [end - start]
    text = json.dumps(header).encode()
    place.write_bytes(len(text).to_bytes(8, "little") + text + whole[8 + size :])
    model = open_model_folder(broken)
    wanted = WantedTensor(name, (end - start,), DType.F32)
    with pytest.raises(LumcError, match="is F8_E4M3, which does not convert to f32") as caught:
        match_tensors([wanted], model.checkpoints["transformer"], "weight", "get it again")
    assert "hint: types are F32, BF16, F16, " in caught.value.render()


def test_a_variant_of_the_weights(broken: Path) -> None:
    """A folder with ``model.safetensors`` and ``model.fp16.safetensors``: the plain one counts."""
    folder = broken / "vae"
    weights: dict[str, Array] = {}
    for path in folder.glob("diffusion*"):
        if path.suffix == ".safetensors":
            weights |= load_file(path)
        path.unlink()
    save_file(weights, folder / "diffusion_pytorch_model.safetensors")
    half = {name: values.astype(np.float16) for name, values in weights.items()}
    save_file(half, folder / "diffusion_pytorch_model.fp16.safetensors")
    check_values(open_model_folder(broken))
    (folder / "diffusion_pytorch_model.safetensors").unlink()
    info = open_model_folder(broken).weights["vae_decoder"].tensors()["decoder.conv_in.bias"]
    assert info.dtype is DType.F16
