"""``weight`` statements: tensors of the checkpoint, by their names there."""

from __future__ import annotations

import re

from lumc.diagnostics import Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Context, WeightUse
from lumc.dsl.elaboration.lookup import storage_type
from lumc.dsl.elaboration.names import define
from lumc.dsl.elaboration.numbers import check_elements, check_rank, static_size
from lumc.dsl.elaboration.text import alternatives, insert_values
from lumc.dsl.scopes import Key, Scope
from lumc.dsl.tensor_program import Origin, Weight
from lumc.dsl.values import Tensor, plural

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-/:+@#]*")
"""Checkpoint names: nothing that could be more than a name wherever it is printed."""


def declare(context: Context, statement: syntax.WeightStatement, scope: Scope) -> None:
    """Define the names on the left as the tensors named on the right."""
    declared = [(name, group.type) for group in statement.groups for name in group.names]
    text = insert_values(context, statement.pattern, scope)
    names = alternatives(context, text, statement.pattern.span)
    if len(names) != len(declared):
        given = plural(len(declared), "name stands", "names stand")
        found = plural(len(names), "checkpoint name")
        message = f"{given} on the left, but {found} on the right: {', '.join(names)}"
        hint = "list one alternative for each name: {a|b}"
        raise context.error(Code.WEIGHT_PAIRING, message, statement.span, hint)
    for (name, type_), checkpoint_name in zip(declared, names, strict=True):
        _require_name(context, checkpoint_name, statement.pattern.span)
        tensor = _weight(context, name, type_, checkpoint_name, scope)
        define(context, scope, Key(name.text), tensor, name.span)


def _require_name(context: Context, name: str, span: Span) -> None:
    if _NAME.fullmatch(name) is None:
        message = f"{name!r} cannot be the name of a checkpoint tensor"
        hint = "names have letters, digits and _ . - / : + @ #"
        raise context.error(Code.WEIGHT_NAME, message, span, hint)


def _weight(
    context: Context,
    name: syntax.Identifier,
    type_: syntax.TensorType,
    checkpoint_name: str,
    scope: Scope,
) -> Tensor:
    dtype, axes = tensor_axes(context, name, type_, scope, least=1)
    sizes = tuple(axis.known_size for axis in axes)
    old = context.weights.setdefault(checkpoint_name, WeightUse(dtype, sizes, name.span))
    if (old.dtype, old.sizes) != (dtype, sizes):
        message = (
            f"{checkpoint_name} is {_type_text(dtype, sizes)} here, "
            f"but {_type_text(old.dtype, old.sizes)} at {old.span}"
        )
        hint = "a checkpoint tensor has one type and shape"
        raise context.error(Code.WEIGHT_CONFLICT, message, name.span, hint)
    origin = Origin(name.span, name.text, context.builder.path)
    names = tuple(axis.name for axis in axes)
    body = context.builder.leaf(Weight(checkpoint_name, sizes, dtype, names, origin), axes)
    return Tensor(axes, body, name.text, name.span)


def tensor_axes(
    context: Context, name: syntax.Identifier, type_: syntax.TensorType, scope: Scope, least: int
) -> tuple[DType, tuple[IndexAxis, ...]]:
    """The storage type and fresh axes of a declared tensor; an axis is called as its size is."""
    dtype = storage_type(context, type_.dtype, scope)
    check_rank(context, len(type_.sizes), name.text, type_.span)
    sizes = [static_size(context, size, scope, least=least) for size in type_.sizes]
    check_elements(context, sizes, name.text, type_.span)
    axes = tuple(
        context.axes.new(_axis_name(expression), size, f"as declared at {expression.span}")
        for expression, size in zip(type_.sizes, sizes, strict=True)
    )
    return dtype, axes


def _axis_name(size: syntax.Expression) -> str:
    return size.name.text if isinstance(size, syntax.Name) else ""


def _type_text(dtype: DType, sizes: tuple[int, ...]) -> str:
    return f"{dtype}[{', '.join(map(str, sizes))}]" if sizes else str(dtype)
