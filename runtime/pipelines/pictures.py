"""Pictures in and out: files and arrays to pixels that fit a model, and pixels to files."""

from __future__ import annotations

import io
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.cache import write_atomically
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.pipelines.extra import pipeline_package

Pixels = npt.NDArray[np.uint8]

_METADATA = "lumc"
"""The keyword of the text in a PNG that has the settings, as a JSON object."""
_MOST_PIXELS = 178_956_970
"""Of a picture that is made: Pillow takes larger ones for attacks, and does not read them."""
_WITH_ALPHA = ("RGBA", "LA", "PA", "RGBa", "La")
_GREY_16 = ("I", "I;16", "I;16L", "I;16B", "I;16N")


class PictureError(LumcError):
    """A picture can't be read, used or written."""


@dataclass(frozen=True, slots=True)
class ReferenceRules:
    """What a model wants of a reference picture. Sides are in pixels."""

    multiple: int = 16
    """Sides are cut to multiples of this."""
    min_side: int = 64
    max_aspect: float = 8
    """Of the longer side to the shorter."""
    max_pixels: int = 1024 * 1024
    """Larger pictures are made smaller, to about this many."""
    default_side: int = 1024
    """Of what is made when nothing says how large."""


def read_picture(source: object, name: str | None = None) -> Pixels:
    """A picture as 8-bit RGB ``[height, width, 3]``, turned as its EXIF data says.

    Args:
        source: A file; or an array ``[height, width]`` or ``[height, width, 1, 3 or 4]`` of bytes,
            of 16-bit numbers or of reals from 0 to 1; or a picture of Pillow's.
        name: What messages call it; by default the file's path.

    Transparent parts show white. 16 bits are rounded to 8. Of several frames the first counts.

    Raises:
        PictureError: it is no picture, damaged, or too large.
        MissingPackageError: Pillow is not installed.
    """
    if isinstance(source, np.ndarray):
        return _from_array(source, name or "the picture")
    images = pipeline_package("PIL.Image", "pillow")
    if isinstance(source, images.Image):
        return _decoded(source, name or "the picture")
    if not isinstance(source, str | Path):
        kind = type(source).__name__
        raise _error(f"a picture is a file, an array or a picture of Pillow's, not {kind}")
    return _read_file(Path(source), name or str(source), images)


def fit_reference(picture: Pixels, rules: ReferenceRules, name: str = "the picture") -> Pixels:
    """Make ``picture`` smaller if it is too large, and take a multiple of it from its middle.

    ``name`` is what messages call it. The filter is Lanczos's, and the sides after it are rounded
    down, as in diffusers.

    Raises:
        PictureError: it is too small or too long.
    """
    height, width = picture.shape[:2]
    size = f"{name} is {width}×{height} pixels"
    if min(width, height) < rules.min_side:
        raise _error(f"{size}; both sides of a reference must have {rules.min_side} or more")
    if max(width, height) > rules.max_aspect * min(width, height):
        longest = f"{rules.max_aspect:g} times as long as the other"
        raise _error(f"{size}; no side of a reference may be more than {longest}")
    if width * height > rules.max_pixels:
        scale = math.sqrt(rules.max_pixels / (width * height))
        picture = _resized(picture, int(width * scale), int(height * scale))
        height, width = picture.shape[:2]
    cut_width, cut_height = (side // rules.multiple * rules.multiple for side in (width, height))
    left, top = (width - cut_width) // 2, (height - cut_height) // 2
    return np.ascontiguousarray(picture[top : top + cut_height, left : left + cut_width])


def output_size(
    width: int | None, height: int | None, references: Sequence[Pixels], rules: ReferenceRules
) -> tuple[int, int]:
    """Width and height to make: as given, else as the first (fitted) reference, else the default.

    Both are cut to multiples.

    Raises:
        PictureError: less than one multiple is left, or it would be too large to be read again.
    """
    like_height, like_width = (rules.default_side, rules.default_side)
    if references:
        like_height, like_width = references[0].shape[:2]
    wanted = (like_width if width is None else width, like_height if height is None else height)
    size = f"a picture of {wanted[0]}×{wanted[1]} pixels"
    if min(wanted) < rules.multiple:
        raise _error(f"{size} is too small: sides are {rules.multiple} or more")
    if wanted[0] * wanted[1] > _MOST_PIXELS:
        raise _error(f"{size} is too large: there may be {_MOST_PIXELS // 10**6} million")
    return (
        wanted[0] // rules.multiple * rules.multiple,
        wanted[1] // rules.multiple * rules.multiple,
    )


def write_png(path: Path, picture: Pixels, settings: Mapping[str, Any]) -> None:
    """Write ``picture``, with ``settings`` (what JSON can say) in it; whole, or not at all.

    Raises:
        PictureError: the name does not end in .png, or the file system says no.
        MissingPackageError: Pillow is not installed.
    """
    if path.suffix.lower() != ".png":
        raise _error(f"{path} does not end in .png", "pictures are written as PNG")
    images = pipeline_package("PIL.Image", "pillow")
    text = pipeline_package("PIL.PngImagePlugin", "pillow").PngInfo()
    text.add_itxt(_METADATA, json.dumps(settings, ensure_ascii=False))
    data = io.BytesIO()
    images.fromarray(picture).save(data, "PNG", pnginfo=text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data.getvalue())
    except OSError as error:
        raise _error(f"can't write {path}: {error.strerror or error}") from None


def read_png_settings(path: Path) -> dict[str, Any]:
    """The settings that ``write_png`` put into a picture; none if there are none.

    Raises:
        PictureError: it is no picture.
        MissingPackageError: Pillow is not installed.
    """
    images = pipeline_package("PIL.Image", "pillow")
    try:
        with images.open(path) as image:
            content = json.loads(image.info.get(_METADATA, "{}"))
    except (OSError, SyntaxError, ValueError) as error:
        raise _error(f"can't read the settings in {path}: {error}") from None
    return content if isinstance(content, dict) else {}


def _read_file(path: Path, name: str, images: Any) -> Pixels:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes below the limit, and of odd metadata
            with images.open(path) as image:
                return _decoded(image, name)
    except FileNotFoundError:
        raise _error(f"there is no file {name}") from None
    except IsADirectoryError:
        raise _error(f"{name} is a folder, not a picture") from None
    except images.UnidentifiedImageError:
        hint = "PNG, JPEG, WebP and TIFF are among those that can"
        raise _error(f"{name} is no picture that can be read", hint) from None
    except images.DecompressionBombError:
        limit = 2 * images.MAX_IMAGE_PIXELS // 10**6
        raise _error(f"{name} has more than {limit} million pixels", "make it smaller") from None
    except (OSError, ValueError, SyntaxError) as error:
        raise _error(f"can't read {name}: {error}") from None


def _decoded(image: Any, name: str) -> Pixels:
    operations = pipeline_package("PIL.ImageOps", "pillow")
    try:
        image.load()
        turned = operations.exif_transpose(image)
    except Exception as error:  # a damaged file makes Pillow fail in many ways
        raise _error(f"{name} is damaged: {error}") from None
    if turned.mode in _GREY_16 or turned.mode == "F":
        return _from_array(np.asarray(turned), name)
    if turned.mode in _WITH_ALPHA or "transparency" in turned.info:
        return _on_white(np.asarray(turned.convert("RGBA")))
    return np.array(turned.convert("RGB"))


def _from_array(values: npt.NDArray[Any], name: str) -> Pixels:
    if values.ndim == 2:
        values = values[:, :, None]
    if values.ndim != 3 or values.shape[2] not in (1, 3, 4) or 0 in values.shape:
        shape = "×".join(map(str, values.shape)) or "a number"
        message = f"{name} is an array of {shape}; a picture is height×width×3"
        raise _error(message, "1 channel (grey) and 4 (with transparency) are taken too")
    pixels = _as_bytes(values, name)
    return _on_white(pixels) if pixels.shape[2] == 4 else _as_rgb(pixels)


def _as_bytes(values: npt.NDArray[Any], name: str) -> Pixels:
    if values.dtype == np.uint8:
        return np.asarray(values)
    low, high = float(values.min()), float(values.max())
    if values.dtype.kind == "f" and low >= 0 and high <= 1:
        return (values.astype(np.float32) * np.float32(255)).round().astype(np.uint8)
    if values.dtype.kind in "iu" and values.dtype.itemsize > 1 and low >= 0 and high <= 65535:
        return ((values.astype(np.int64) * 255 + 32767) // 65535).astype(np.uint8)
    have = f"{values.dtype} from {low:g} to {high:g}"
    raise _error(f"{name} is {have}", "a picture is bytes, 16-bit numbers or reals from 0 to 1")


def _as_rgb(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(np.broadcast_to(pixels, (*pixels.shape[:2], 3)))


def _on_white(pixels: Pixels) -> Pixels:
    """Colours with opacity, in front of white."""
    opacity = pixels[:, :, 3:].astype(np.uint32)
    over_white = pixels[:, :, :3] * opacity + 255 * (255 - opacity)
    return ((over_white + 127) // 255).astype(np.uint8)


def _resized(picture: Pixels, width: int, height: int) -> Pixels:
    images = pipeline_package("PIL.Image", "pillow")
    resized = images.fromarray(picture).resize((width, height), images.Resampling.LANCZOS)
    return np.array(resized)


def _error(message: str, hint: str | None = None) -> PictureError:
    return PictureError(Diagnostic("N005", message, hint=hint))
