"""From an elaborated right side to the value that a name or a call stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lumc.diagnostics import Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.arithmetic import cast
from lumc.dsl.elaboration.context import Context, UnknownSizeError
from lumc.dsl.elaboration.lookup import storage_type
from lumc.dsl.elaboration.numbers import check_rank
from lumc.dsl.elaboration.reads import infer_sizes
from lumc.dsl.errors import SpecError
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import Number, PieceView, Tensor, Value, describe


def right_side(
    context: Context, expression: syntax.Expression, axes: list[IndexAxis], scope: Scope
) -> Value:
    """The value of a right side in which ``axes`` are bound by the left."""
    with context.binding(axes, scope):
        try:
            infer_sizes(context, expression, scope)
            return context.evaluate(expression, scope)
        except UnknownSizeError as error:
            if error.axis in axes:
                raise _size_unknown(context, error) from None
            raise


def _size_unknown(context: Context, error: UnknownSizeError) -> SpecError:
    """Nothing on the right gave the index a size before it was needed."""
    diagnostic = error.diagnostics[0]
    hint = f"say it where the index is bound: {error.axis.name}: <size>"
    message = f"nothing here says how far index {error.axis.name} runs"
    return SpecError(replace(diagnostic, message=message, hint=hint))


def close(
    context: Context,
    value: Value,
    axes: Sequence[IndexAxis],
    stored: syntax.Identifier | None,
    name: str,
    span: Span,
    scope: Scope,
) -> Value:
    """``name[axes] as stored = value``: a tensor over ``axes`` and the axes that value has left."""
    _require_sizes(context, axes, span)
    match value:
        case Tensor():
            rest, body, pieces = value.axes, value.body, value.pieces
        case bool() | int() | float() | IndexExpression() | Operand():
            rest, body, pieces = (), value, ()
        case _ if axes or stored is not None:
            message = f"a tensor or number is needed here, not {describe(value)}"
            raise context.error(Code.RANK, message, span)
        case _:
            return value
    if stored is not None:
        body, pieces = _store(context, body, pieces, stored, span, scope)
    if isinstance(body, Operand):
        context.builder.label(body, name)
    if not axes and not rest:
        return body
    check_rank(context, len(axes) + len(rest), name, span)
    views = tuple(_under(axes, piece) for piece in pieces)
    return Tensor((*axes, *rest), body, name, span, views)


def _require_sizes(context: Context, axes: Sequence[IndexAxis], span: Span) -> None:
    for axis in axes:
        if axis.size is None:
            message = f"nothing here says how far index {axis.name} runs"
            hint = f"say it: {axis.name}: <size>"
            raise context.error(Code.UNKNOWN_SIZE, message, span, hint)


def _store(
    context: Context,
    body: Number,
    pieces: tuple[PieceView, ...],
    stored: syntax.Identifier,
    span: Span,
    scope: Scope,
) -> tuple[Number, tuple[PieceView, ...]]:
    dtype = storage_type(context, stored, scope)
    cast_body = cast(context, body, dtype, span)
    return cast_body, pieces if cast_body == body else ()


def _under(axes: Sequence[IndexAxis], piece: PieceView) -> PieceView:
    """The piece of a row, as a piece of all rows."""
    places = (*(axis.expression for axis in axes), *piece.places)
    return PieceView(places, (*axes, *piece.axes), piece.body)
