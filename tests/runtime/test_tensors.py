"""Tensor files: damaged, incomplete, misfit, and converted."""

from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from lumc.dsl.dtypes import DType
from lumc.runtime.tensors import (
    TensorArrays,
    TensorError,
    TensorFiles,
    WantedTensor,
    match_tensors,
    read_as,
    tensors_as_bytes,
    write_tensors,
)

RANDOM = np.random.default_rng(11)
ARRAYS: dict[str, npt.NDArray[np.generic]] = {
    "layer.weight": RANDOM.standard_normal((3, 7)).astype(np.float32),
    "layer.half": RANDOM.standard_normal((4,)).astype(ml_dtypes.bfloat16),
    "scalar": np.array(2.5, np.float32),
    "ids": np.arange(6, dtype=np.int64).reshape(2, 3),
    "mask": np.array([True, False]),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_tensors(tmp_path / "w.safetensors", ARRAYS)
    return tmp_path / "w.safetensors"


def test_written_tensors_are_read_back(path: Path) -> None:
    files = TensorFiles([path])
    assert set(files.tensors()) == set(ARRAYS)
    for name, array in ARRAYS.items():
        values = files.read(name)
        assert values.dtype == array.dtype
        np.testing.assert_array_equal(values, array)


def test_equal_tensors_are_equal_bytes() -> None:
    backwards = {name: ARRAYS[name] for name in reversed(ARRAYS)}
    assert tensors_as_bytes(backwards) == tensors_as_bytes(ARRAYS)


def test_a_folder_of_parts(tmp_path: Path) -> None:
    for name, array in ARRAYS.items():
        write_tensors(tmp_path / f"{name}.safetensors", {name: array})
    assert set(TensorFiles([tmp_path]).tensors()) == set(ARRAYS)


def test_a_name_in_two_files(path: Path, tmp_path: Path) -> None:
    write_tensors(tmp_path / "v.safetensors", {"ids": ARRAYS["ids"]})
    with pytest.raises(TensorError, match=r"tensor ids is both in .*v.* and in .*w"):
        TensorFiles([tmp_path / "v.safetensors", path])


def test_files_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    with pytest.raises(TensorError, match=r"there is no file .*nowhere"):
        TensorFiles([tmp_path / "nowhere.safetensors"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(TensorError, match=r"has no \.safetensors file"):
        TensorFiles([tmp_path / "empty"])
    text = tmp_path / "text.safetensors"
    text.write_text("this is not a checkpoint, it only looks like one")
    with pytest.raises(TensorError, match=r"can't read .*text\.safetensors as safetensors"):
        TensorFiles([text])


@pytest.mark.parametrize("size", [0, 5, 8, 60, -1])
def test_a_truncated_file(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(TensorError, match=r"can't read .*w\.safetensors") as caught:
        TensorFiles([path])
    assert "damaged, incomplete" in caught.value.render()


def wanted(name: str, *shape: int, dtype: DType = DType.F32) -> WantedTensor:
    return WantedTensor(name, shape, dtype)


def test_a_fit(path: Path) -> None:
    needed = [wanted("layer.weight", 3, 7, dtype=DType.BF16), wanted("layer.half", 4)]
    fit = match_tensors(needed, TensorFiles([path]), "weight")
    assert fit.converted == ("layer.weight", "layer.half")
    assert set(fit.unused) == {"scalar", "ids", "mask"}


def test_misfits_are_all_named(path: Path) -> None:
    needed = [
        wanted("layer.wieght", 3, 7),
        wanted("layer.weight", 7, 3),
        wanted("ids", 2, 3),
        wanted("layer.half", 4, dtype=DType.I32),
        wanted("scalar"),
    ]
    with pytest.raises(TensorError) as caught:
        match_tensors(needed, TensorFiles([path]), "weight")
    text = caught.value.render()
    assert "weight layer.wieght is not in" in text
    assert "did you mean layer.weight?" in text
    assert f"weight layer.weight in {path} has shape 3×7; the program needs 7×3" in text
    assert "weight ids in" in text
    assert "is I64, which does not convert to f32" in text
    assert "is BF16, which does not convert to i32" in text
    assert "scalar" not in text


def test_many_misfits_are_counted(path: Path) -> None:
    arrays = {f"w{n}": np.zeros(2, np.float32) for n in range(30)}
    with pytest.raises(TensorError) as caught:
        match_tensors([wanted(name, 1) for name in arrays], TensorArrays(arrays), "weight")
    assert len(caught.value.diagnostics) == 9
    assert "and 22 more weights that do not fit" in caught.value.render()


def test_what_is_missing_is_one_message(path: Path) -> None:
    needed = [wanted(name, 1) for name in ("layer.wait", "laier.half", *map(str, range(20)))]
    with pytest.raises(TensorError) as caught:
        match_tensors(needed, TensorFiles([path]), "weight", "get it again")
    (only,) = caught.value.diagnostics
    named = "layer.wait, laier.half, 0, 1, 2, 3, 4, 5 and 14 more"
    assert only.message == f"22 weights are not in {path}: {named}"
    assert only.notes == (
        "layer.wait: did you mean layer.weight?",
        "laier.half: did you mean layer.half?",
    )
    assert only.hint == "get it again"


def test_rounding_on_load() -> None:
    # The first lies halfway between two bf16 numbers, the second beyond f32's largest.
    source = TensorArrays({"w": np.array([1.00390625, 1e39, -3.0])})
    rounded = read_as(wanted("w", 3, dtype=DType.BF16), source).astype(np.float64)
    assert rounded.tolist() == [1.0, np.inf, -3.0]
    assert read_as(wanted("w", 3), source).dtype == np.float32


def test_whole_numbers_must_fit() -> None:
    needed = wanted("n", 2, dtype=DType.I32)
    assert read_as(needed, TensorArrays({"n": np.array([1, -2])})).tolist() == [1, -2]
    with pytest.raises(TensorError, match="tensor n has values that i32 cannot hold"):
        read_as(needed, TensorArrays({"n": np.array([1, 2**40])}))


def test_a_view_is_made_contiguous() -> None:
    values = ARRAYS["layer.weight"].T
    assert read_as(wanted("w", 7, 3), TensorArrays({"w": values})).flags.c_contiguous


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(TensorError, match="can't write"):
        write_tensors(tmp_path / "file" / "o.safetensors", ARRAYS)
