"""Pictures in and out: files and arrays to what an encoder takes, what a decoder gives to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


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


def read_picture(source: Path | str | Pixels | npt.NDArray[np.floating[Any]] | Any) -> Pixels:
    """A picture as 8-bit RGB ``[height, width, 3]``, turned as its EXIF data says.

    Args:
        source: A file; or an array ``[height, width]`` or ``[height, width, 1, 3 or 4]`` of bytes,
            of 16-bit numbers or of reals from 0 to 1; or a picture of Pillow's.

    Transparent parts show white. 16 bits are rounded to 8.

    Raises:
        PictureError: it is no picture, damaged, or too large.
    """
    raise NotImplementedError


def fit_reference(picture: Pixels, rules: ReferenceRules, name: str = "the picture") -> Pixels:
    """Make ``picture`` smaller if it is too large, and take a multiple of it from its middle.

    ``name`` is what messages call it.

    Raises:
        PictureError: it is too small or too long.
    """
    raise NotImplementedError


def as_encoder_input(picture: Pixels) -> npt.NDArray[np.float32]:
    """``[height, width, 3]`` of bytes as ``[3, height, width]`` from -1 to 1."""
    raise NotImplementedError


def as_pixels(decoded: npt.NDArray[Any]) -> Pixels:
    """``[3, height, width]`` from -1 to 1 (what is beyond is cut off) as bytes, rounded."""
    raise NotImplementedError


def output_size(
    width: int | None, height: int | None, references: Sequence[Pixels], rules: ReferenceRules
) -> tuple[int, int]:
    """Width and height to make: as given, else as the first (fitted) reference, else 1024.

    Both are cut to multiples.

    Raises:
        PictureError: less than one multiple is left.
    """
    raise NotImplementedError


def write_png(path: Path, picture: Pixels, settings: Mapping[str, str]) -> None:
    """Write ``picture`` with ``settings`` in it as texts; whole, or not at all.

    Raises:
        PictureError: the file system says no.
    """
    raise NotImplementedError


def read_png_settings(path: Path) -> dict[str, str]:
    """The settings that ``write_png`` put into a picture; none if there are none.

    Raises:
        PictureError: it is no picture.
    """
    raise NotImplementedError
