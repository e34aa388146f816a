"""The evaluator: what each kind of expression stands for."""

from __future__ import annotations

from typing import assert_never

from lumc.dsl import syntax_tree as syntax
from lumc.dsl.elaboration import arithmetic, calls, conditions, lookup, reads, reductions
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import number
from lumc.dsl.elaboration.text import insert_values
from lumc.dsl.scopes import Scope
from lumc.dsl.values import Value


def evaluate(context: Context, expression: syntax.Expression, scope: Scope) -> Value:
    """The value of ``expression`` in ``scope``. Use ``context.evaluate``, which calls this."""
    match expression:  # the most frequent kinds first
        case syntax.Name():
            return lookup.look_up(context, expression.name, scope)
        case syntax.Number():
            return expression.value
        case syntax.Binary():
            x = number(context, expression.left, scope)
            y = number(context, expression.right, scope)
            return arithmetic.binary(context, expression.operator, x, y, expression.span)
        case syntax.Read():
            return reads.read(context, expression, scope)
        case syntax.Call():
            return calls.call(context, expression, scope)
        case syntax.Member():
            return lookup.member(context, expression, scope)
        case syntax.SizeOf():
            return lookup.size_of(context, expression, scope)
        case syntax.Reduction():
            return reductions.reduction(context, expression, scope)
        case syntax.Negate(value, span):
            return arithmetic.negate(context, number(context, value, scope), span)
        case syntax.Select():
            return conditions.select(context, expression, scope)
        case syntax.Compare() | syntax.Logical() | syntax.Not():
            return conditions.condition(context, expression, scope).value
        case syntax.Cast(value, stored, span):
            dtype = lookup.storage_type(context, stored, scope)
            return arithmetic.cast(context, number(context, value, scope), dtype, span)
        case syntax.Text():
            return insert_values(context, expression, scope)
        case syntax.ListLiteral():
            return reductions.list_of(context, expression, scope)
        case syntax.ListFor():
            return reductions.list_for(context, expression, scope)
        case syntax.UnrolledReduction():
            return reductions.unrolled(context, expression, scope)
        case _:
            assert_never(expression)
