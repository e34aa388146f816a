"""Pictures of all kinds: read right or refused in words; and what is made of them."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from safetensors.numpy import load_file

from lumc.diagnostics import LumcError
from lumc.runtime.pipelines.pictures import (
    Pixels,
    ReferenceRules,
    fit_reference,
    output_size,
    read_picture,
    read_png_settings,
    write_png,
)
from tests.specs.spec_support import DATA

GOLDEN = load_file(DATA / "golden" / "pipeline_flux2_klein" / "io.safetensors")
RULES = ReferenceRules()


def colours(width: int = 40, height: int = 24, seed: int = 1) -> Pixels:
    """Blocks of 4 × 4 in random colours: what a lossy format keeps."""
    small = np.random.default_rng(seed).integers(0, 256, (height // 4, width // 4, 3), np.uint8)
    return np.kron(small, np.ones((4, 4, 1), np.uint8))


def saved(folder: Path, image: Image.Image, name: str, **options: Any) -> Path:
    path = folder / name
    image.save(path, **options)
    return path


@pytest.mark.parametrize(
    ("name", "mode", "tolerance"),
    [
        ("rgb.png", "RGB", 0),
        ("rgb.webp", "RGB", 0),
        ("rgb.bmp", "RGB", 0),
        ("rgb.tiff", "RGB", 0),
        ("cmyk.tiff", "CMYK", 1),
        ("cmyk.jpg", "CMYK", 4),
        ("rgb.jpg", "RGB", 4),
    ],
)
def test_formats(tmp_path: Path, name: str, mode: str, tolerance: int) -> None:
    pixels = colours()
    options = {"quality": 100, "subsampling": 0} if name.endswith("jpg") else {}
    options |= {"lossless": True} if name.endswith("webp") else {}
    path = saved(tmp_path, Image.fromarray(pixels).convert(mode), name, **options)
    read = read_picture(path)
    assert read.dtype == np.uint8
    assert read.shape == pixels.shape
    assert np.abs(read.astype(int) - pixels).max() <= tolerance


def test_grey(tmp_path: Path) -> None:
    grey = colours()[:, :, 0]
    expected = np.repeat(grey[:, :, None], 3, axis=2)
    np.testing.assert_array_equal(
        read_picture(saved(tmp_path, Image.fromarray(grey), "l.png")), expected
    )
    bits = Image.fromarray(grey).point(lambda value: 255 * (value > 127), "1")
    black_and_white = read_picture(saved(tmp_path, bits, "1.png"))
    np.testing.assert_array_equal(black_and_white, np.where(expected > 127, 255, 0))


def test_16_bits_are_scaled_and_not_cut_off(tmp_path: Path) -> None:
    deep = np.linspace(0, 65535, 40 * 24).astype(np.uint16).reshape(24, 40)
    path = saved(tmp_path, Image.fromarray(deep), "deep.png")
    with Image.open(path) as image:
        assert image.mode == "I;16"
    expected = np.repeat(np.round(deep / 257).astype(np.uint8)[:, :, None], 3, axis=2)
    np.testing.assert_array_equal(read_picture(path), expected)
    np.testing.assert_array_equal(read_picture(deep), expected)


def test_a_palette(tmp_path: Path) -> None:
    few = colours(8, 4)  # two colours: a palette has them exactly
    palette = Image.fromarray(few).quantize(8)
    np.testing.assert_array_equal(read_picture(saved(tmp_path, palette, "p.png")), few)
    np.testing.assert_array_equal(read_picture(saved(tmp_path, palette, "p.gif")), few)


def test_transparent_parts_show_white(tmp_path: Path) -> None:
    pixels = colours()
    alpha = np.full((24, 40, 1), 255, np.uint8)
    alpha[:, 10:20] = 0
    alpha[:, 20:] = 51
    image = Image.fromarray(np.concatenate([pixels, alpha], axis=2))
    read = read_picture(saved(tmp_path, image, "rgba.png"))
    np.testing.assert_array_equal(read[:, :10], pixels[:, :10])
    assert (read[:, 10:20] == 255).all()
    blend = np.round(0.2 * pixels[:, 20:] + 0.8 * 255)
    assert np.abs(read[:, 20:] - blend).max() <= 1
    np.testing.assert_array_equal(read_picture(np.asarray(image)), read)


def test_a_transparent_colour_of_a_palette(tmp_path: Path) -> None:
    image = Image.new("P", (4, 4), 1)
    image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((2, 1), 0)
    read = read_picture(saved(tmp_path, image, "p.png", transparency=0))
    assert read[1, 2].tolist() == [255, 255, 255]
    assert read[0, 0].tolist() == [40, 50, 60]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_are_turned_as_exif_says(tmp_path: Path, orientation: int) -> None:
    upright = colours()
    undo: dict[int, Callable[[Pixels], Any]] = {
        1: lambda p: p,
        2: lambda p: p[:, ::-1],
        3: lambda p: p[::-1, ::-1],
        4: lambda p: p[::-1],
        5: lambda p: p.transpose(1, 0, 2),
        6: lambda p: np.rot90(p, 1),
        7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
        8: lambda p: np.rot90(p, -1),
    }
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = Image.fromarray(np.ascontiguousarray(undo[orientation](upright)))
    path = saved(tmp_path, image, "turned.png", exif=exif)
    np.testing.assert_array_equal(read_picture(path), upright)


def test_the_first_frame_counts(tmp_path: Path) -> None:
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    path = saved(tmp_path, first, "moving.gif", save_all=True, append_images=[second])
    assert read_picture(path)[0, 0].tolist() == [255, 0, 0]


def test_a_long_picture(tmp_path: Path) -> None:
    path = saved(tmp_path, Image.fromarray(colours(20_000, 8)), "long.png")
    np.testing.assert_array_equal(read_picture(path), colours(20_000, 8))


def test_arrays_and_pictures() -> None:
    pixels = colours()
    np.testing.assert_array_equal(read_picture(pixels), pixels)
    np.testing.assert_array_equal(read_picture(Image.fromarray(pixels)), pixels)
    np.testing.assert_array_equal(read_picture(pixels.astype(np.float64) / 255), pixels)
    grey = np.repeat(pixels[:, :, :1], 3, axis=2)
    np.testing.assert_array_equal(read_picture(pixels[:, :, 0]), grey)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((3, 40, 24), np.uint8), "an array of 3×40×24"),
        (np.zeros((2, 40, 24, 3), np.uint8), "an array of 2×40×24×3"),
        (np.zeros((0, 5, 3), np.uint8), "an array of 0×5×3"),
        (np.float32(1), "a picture is a file"),
        (np.full((4, 4, 3), 1.5), "float64 from 1.5 to 1.5"),
        (np.full((4, 4, 3), np.nan), "float64 from nan to nan"),
        (np.full((4, 4, 3), -1), "int64 from -1 to -1"),
        (None, "not NoneType"),
    ],
)
def test_arrays_that_are_no_pictures(array: object, words: str) -> None:
    with pytest.raises(LumcError, match=words):
        read_picture(array)


def cut_in_half(folder: Path, name: str, image: Image.Image) -> Path:
    whole = saved(folder, image, name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    return folder / name


def large_png(folder: Path, width: int, height: int) -> Path:
    """A picture whose header alone says how large it is."""
    whole = bytearray(saved(folder, Image.new("RGB", (1, 1)), "large.png").read_bytes())
    whole[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    whole[29:33] = zlib.crc32(bytes(whole[12:29])).to_bytes(4, "big")
    (folder / "large.png").write_bytes(whole)
    return folder / "large.png"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder / "gone.png", "there is no file"),
        (lambda folder: folder, "is a folder, not a picture"),
        (
            lambda folder: cut_in_half(folder, "cut.png", Image.fromarray(colours(400, 240))),
            "damaged",
        ),
        (
            lambda folder: cut_in_half(folder, "cut.jpg", Image.fromarray(colours(400, 240))),
            "damaged",
        ),
        (lambda folder: large_png(folder, 20_000, 20_000), "more than 178 million pixels"),
    ],
)
def test_files_that_are_no_pictures(
    tmp_path: Path, make: Callable[[Path], Path], words: str
) -> None:
    with pytest.raises(LumcError, match=words):
        read_picture(make(tmp_path))


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"GIF89a"])
def test_files_of_other_kinds(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.png"
    path.write_bytes(content)
    with pytest.raises(LumcError, match=r"other\.png"):
        read_picture(path)


def test_any_damage_is_one_message(tmp_path: Path) -> None:
    """A byte of a picture is changed at random places: it is read, or refused in words."""
    generator = np.random.default_rng(3)
    said = []
    for form in ("PNG", "JPEG", "TIFF", "GIF", "WEBP"):
        data = io.BytesIO()
        Image.fromarray(colours()).save(data, form)
        for _ in range(20):
            harmed = bytearray(data.getvalue())
            harmed[generator.integers(len(harmed))] ^= int(generator.integers(1, 256))
            path = tmp_path / "harmed"
            path.write_bytes(harmed)
            try:
                assert read_picture(path).ndim == 3
            except LumcError as error:
                said.append(error.render())
    assert len(said) > 20
    assert all("harmed" in message for message in said)


@pytest.mark.parametrize(
    ("size", "fitted"),
    [
        ((70, 101), (64, 96)),
        ((1200, 800), (1200, 800)),
        ((1999, 1501), (1168, 880)),  # 1181 × 886 before it is cut
        ((10_000, 1_250), (2896, 352)),  # 2896 × 362
        ((1025, 1024), (1024, 1008)),  # 1024 × 1023
        ((1110, 1111), (1008, 1024)),  # 1023.5 × 1024.5, both rounded down
        ((64, 512), (64, 512)),
    ],
)
def test_references_are_made_smaller_and_cut(
    size: tuple[int, int], fitted: tuple[int, int]
) -> None:
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    picture[:] = np.linspace(0, 255, size[0]).astype(np.uint8)[None, :, None]
    result = fit_reference(picture, RULES)
    assert result.shape == (fitted[1], fitted[0], 3)
    assert result.flags.c_contiguous
    middle = result[result.shape[0] // 2, result.shape[1] // 2, 0]
    assert abs(int(middle) - 127) <= 2, "it is cut from the middle"


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((1, 1), r"dog\.png is 1×1 pixels; both sides of a reference must have 64 or more"),
        ((63, 400), "both sides"),
        ((64, 513), "no side of a reference may be more than 8 times"),
        ((20_000, 100), "no side"),
    ],
)
def test_references_that_are_too_small_or_long(size: tuple[int, int], words: str) -> None:
    with pytest.raises(LumcError, match=words):
        fit_reference(np.zeros((size[1], size[0], 3), np.uint8), RULES, "dog.png")


def test_the_reference_of_the_golden_run() -> None:
    """Cut from 70 × 101: three columns on either side, two rows above and three below."""
    reference = GOLDEN["in.reference_u8"]
    np.testing.assert_array_equal(fit_reference(reference, RULES), reference[2:98, 3:67])


def test_sizes_of_what_is_made() -> None:
    reference = np.zeros((96, 64, 3), np.uint8)
    assert output_size(None, None, [reference], RULES) == (64, 96)
    assert output_size(None, None, [], RULES) == (1024, 1024)
    assert output_size(700, None, [reference], RULES) == (688, 96)
    assert output_size(1200, 800, [], RULES) == (1200, 800)
    for width in (0, 15, -512):
        with pytest.raises(LumcError, match=f"of {width}×512 pixels is too small"):
            output_size(width, 512, [], RULES)
    with pytest.raises(LumcError, match=r"of 1000000×1000000 pixels is too large: .* 178 million"):
        output_size(10**6, 10**6, [], RULES)


def test_settings_come_back_from_a_picture(tmp_path: Path) -> None:
    settings = {"prompt": 'Größe 水 🎨\n"quoted"', "seed": 2**63, "guidance": 4.0}
    pixels = colours()
    path = tmp_path / "new" / "out.PNG"
    write_png(path, pixels, settings)
    assert read_png_settings(path) == settings
    np.testing.assert_array_equal(read_picture(path), pixels)
    with Image.open(path) as image:
        assert json.loads(image.info["lumc"])["seed"] == 2**63
    assert [entry.name for entry in path.parent.iterdir()] == ["out.PNG"]
    (tmp_path / "plain").write_text("")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode, "as open to others"


def test_a_picture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    old = tmp_path / "out.png"
    write_png(old, colours(), {"seed": 1})
    before = old.read_bytes()
    with pytest.raises(LumcError, match=r"does not end in \.png"):
        write_png(tmp_path / "out.jpg", colours(), {})
    with pytest.raises(LumcError, match="can't write"):
        write_png(old / "below.png", colours(), {})
    with pytest.raises(TypeError):
        write_png(old, colours(), {"seed": object()})
    assert old.read_bytes() == before
    assert read_png_settings(saved(tmp_path, Image.new("L", (4, 4)), "plain.png")) == {}
