"""The weights of one part of a model: files of a folder, under the names of a spec."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lumc.runtime.pipelines.config_files import GET_AGAIN, folder_error, read_config
from lumc.runtime.pipelines.name_map import NameMap, Piece, Recipe
from lumc.runtime.tensors import Array, TensorFiles, TensorInfo

_PREFERRED = ("diffusion_pytorch_model", "model")
"""What the libraries call the weights of a part when there is one file, without the ending."""
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Tensors of files under the names of a spec; a tensor is made when it is read."""

    files: TensorFiles
    prefix: str
    """Stands before every name in the files."""
    names: NameMap | None
    """None: the files have the names of the spec."""
    recipes: Mapping[str, Recipe]
    known: Mapping[str, TensorInfo]

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All tensors by the spec's name; the place says what they are called in which file."""
        return self.known

    def read(self, name: str) -> Array:
        """The values of one of them, as stored."""
        recipe = self.recipes[name]
        parts = [self._piece(piece) for piece in recipe.pieces]
        values = parts[0] if len(parts) == 1 else np.concatenate(parts, recipe.axis)
        values = values.reshape(_dropped(values.shape, recipe.drop))
        return values.transpose(recipe.axes) if recipe.axes else values

    def where(self, name: str) -> str:
        """What the files call, or would call, the spec's tensor ``name``."""
        recipe = self.names and self.names.recipe_for(name, self._plain_names())
        return self.prefix + (str(recipe) if recipe else name)

    def _piece(self, piece: Piece) -> Array:
        stored = self.prefix + piece.name
        if piece.parts == 1:
            return self.files.read(stored)
        rows = self.files.tensors()[stored].shape[0] // piece.parts
        return self.files.read_rows(stored, slice(piece.first * rows, piece.end * rows))

    def _plain_names(self) -> list[str]:
        return [name[len(self.prefix) :] for name in self.files.tensors()]


def make_checkpoint(files: TensorFiles, names: NameMap | None, prefix: str) -> Checkpoint:
    """The tensors of ``files`` whose names begin with ``prefix``, under the spec's names.

    Raises:
        ModelFolderError: a tensor can't be cut or joined as the map says.
    """
    plain = [name[len(prefix) :] for name in files.tensors() if name.startswith(prefix)]
    own = {name: Recipe((Piece(name),)) for name in plain}
    recipes = own if names is None else names.recipes(plain)
    known = {name: _info(name, recipe, files, prefix) for name, recipe in recipes.items()}
    return Checkpoint(files, prefix, names, recipes, known)


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The safetensors files with the weights in ``folder``: what an index names, or the one file.

    A file for a variant of the weights, as ``model.fp16.safetensors``, counts if it is the only
    one.

    Raises:
        ModelFolderError: there are none, or a file that the index names is not there.
    """
    if index := _of_main_variant(sorted(folder.glob("*.safetensors.index.json"))):
        return _shards(index)
    found = sorted(folder.glob("*.safetensors"))
    if len(found) > 1 and (main := _of_main_variant(found)):
        return (main,)
    if found:
        return tuple(found)
    pickled = [path for pattern in _PICKLED for path in sorted(folder.glob(pattern))]
    if pickled:
        hint = "convert it to safetensors: pickled weights can run code, so lumc does not read them"
        raise folder_error(
            f"{pickled[0]} is no safetensors file, and there is none beside it", hint
        )
    raise folder_error(f"{folder} has no .safetensors file")


def _of_main_variant(paths: Sequence[Path]) -> Path | None:
    """The path with the name that the libraries give by default, or the only one."""
    for path in paths:
        if path.name.split(".")[0] in _PREFERRED and path.name.split(".")[1] == "safetensors":
            return path
    return paths[0] if len(paths) == 1 else None


def _shards(index: Path) -> tuple[Path, ...]:
    entries = read_config(index).get("weight_map")
    if not isinstance(entries, dict) or not all(isinstance(e, str) for e in entries.values()):
        raise folder_error(f"{index} has no weight_map from tensors to files", GET_AGAIN)
    first_tensor = {file: name for name, file in reversed(entries.items())}
    for file, tensor in first_tensor.items():
        if Path(file).name != file:
            raise folder_error(f"{index} names {json.dumps(file)}, which is no file beside it")
        if not (index.parent / file).exists():
            message = f"{index} names {file} (with tensor {tensor}), which is not there"
            raise folder_error(message, "get the file, or the whole folder again")
    return tuple(index.parent / file for file in sorted(first_tensor))


def _info(name: str, recipe: Recipe, files: TensorFiles, prefix: str) -> TensorInfo:
    """The tensor that a recipe makes, from the headers alone."""
    stored = [files.tensors()[prefix + piece.name] for piece in recipe.pieces]
    shapes = [
        _part_shape(info, piece, prefix) for info, piece in zip(stored, recipe.pieces, strict=True)
    ]
    shape = _joined(shapes, recipe.axis)
    if shape is None or not _fits(shape, recipe):
        have = ", ".join("×".join(map(str, one)) for one in shapes)
        message = f"tensor {name} can't be made of {recipe} in {stored[0].place}: shapes are {have}"
        raise folder_error(message, "the file is of another model than its names say")
    shape = _dropped(shape, recipe.drop)
    if recipe.axes:
        shape = tuple(shape[axis] for axis in recipe.axes)
    place = stored[0].place
    if str(recipe) != name or prefix:
        place = f"{place} (there {prefix}{recipe})"
    return TensorInfo(place, shape, stored[0].dtype, stored[0].stored)


def _part_shape(info: TensorInfo, piece: Piece, prefix: str) -> tuple[int, ...]:
    if piece.parts == 1:
        return info.shape
    rows = info.shape[0] if info.shape else 0
    if rows == 0 or rows % piece.parts:
        message = f"tensor {prefix}{piece.name} in {info.place} has {rows} rows"
        raise folder_error(f"{message}, which can't be cut into {piece.parts} equal parts")
    return (rows // piece.parts * (piece.end - piece.first), *info.shape[1:])


def _joined(shapes: Sequence[tuple[int, ...]], axis: int) -> tuple[int, ...] | None:
    """The shape of ``shapes`` joined along ``axis``; None if they do not fit together."""
    if len(shapes) == 1:
        return shapes[0]
    if any(len(shape) <= axis for shape in shapes):
        return None
    rests = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
    if len(rests) != 1:
        return None
    whole = sum(shape[axis] for shape in shapes)
    return (*shapes[0][:axis], whole, *shapes[0][axis + 1 :])


def _fits(shape: tuple[int, ...], recipe: Recipe) -> bool:
    """Whether axes that are dropped have size 1 and those that are reordered are all there."""
    if any(axis >= len(shape) or shape[axis] != 1 for axis in recipe.drop):
        return False
    left = len(_dropped(shape, recipe.drop))
    return not recipe.axes or sorted(recipe.axes) == list(range(left))


def _dropped(shape: tuple[int, ...], drop: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size for axis, size in enumerate(shape) if axis not in drop)
