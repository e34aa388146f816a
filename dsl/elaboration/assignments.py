"""``target = value``: whole values, pieces of a tensor, and writes at computed places."""

from __future__ import annotations

from collections.abc import Iterator

from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.closing import close, right_side
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.indices import bind, existing_axis, size_axis
from lumc.dsl.elaboration.lookup import CONSTANTS, key_of
from lumc.dsl.elaboration.names import define, require_new
from lumc.dsl.elaboration.numbers import as_number, is_real
from lumc.dsl.elaboration.reads import infer_sizes
from lumc.dsl.elaboration.scatters import write
from lumc.dsl.errors import Reported
from lumc.dsl.index_expression import IndexExpression, constant
from lumc.dsl.scopes import Broken, Key, OpenPiece, Scope
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import Number, Results, Tensor, describe, plural


def assign(context: Context, statement: syntax.Assignment, scope: Scope) -> None:
    """Define what the statement defines."""
    if len(statement.targets) > 1:
        _assign_several(context, statement, scope)
        return
    target = statement.targets[0]
    key = key_of(context, target.name, target.family, scope)
    home = home_of(target, key, scope)
    if statement.rest is not None:
        require_new(context, home, key, target.name.span)
        tensor = write(context, statement, target, place_axes(context, target, scope), scope)
        define(context, home, key, tensor, target.name.span)
    elif _is_piece(target, key, home, scope):
        _add_piece(context, statement, target, key, home, scope)
    else:
        _assign_whole(context, statement, target, key, home, scope)


def _assign_several(context: Context, statement: syntax.Assignment, scope: Scope) -> None:
    """``a[t], b[t] = f(x[t])``: each name takes one result, all over the same indices."""
    if statement.rest is not None:
        message = "several results cannot have a value for the rest"
        raise context.error(Code.RESULTS, message, statement.rest.span)
    names = [_bare_names(context, target, scope) for target in statement.targets]
    if any(one != names[0] for one in names):
        message = "names that take several results have the same indices"
        raise context.error(Code.RESULTS, message, statement.span, "index the results afterwards")
    axes = _bind_places(context, statement.targets[0], scope)
    value = right_side(context, statement.value, axes, scope)
    count = len(statement.targets)
    if not isinstance(value, Results) or len(value.values) != count:
        message = f"{plural(count, 'name')} on the left, but {describe(value)} on the right"
        raise context.error(Code.RESULTS, message, statement.span)
    for target, result in zip(statement.targets, value.values, strict=True):
        key = key_of(context, target.name, target.family, scope)
        closed = close(context, result, axes, target.stored, str(key), statement.span, scope)
        define(context, home_of(target, key, scope), key, closed, target.name.span)


def _bare_names(context: Context, target: syntax.Target, scope: Scope) -> tuple[str, ...]:
    names: list[str] = []
    for place in target.places or ():
        if not isinstance(place.value, syntax.Name) or _is_value(place.value.name.text, scope):
            message = "names that take several results are indexed by bare indices"
            raise context.error(Code.RESULTS, message, place.span, "place the results afterwards")
        names.append(place.value.name.text)
    return tuple(names)


def _assign_whole(
    context: Context,
    statement: syntax.Assignment,
    target: syntax.Target,
    key: Key,
    home: Scope,
    scope: Scope,
) -> None:
    require_new(context, home, key, target.name.span)
    axes = _bind_places(context, target, scope)
    value = right_side(context, statement.value, axes, scope)
    if isinstance(value, Results):
        message = f"one name on the left, but {describe(value)} on the right"
        raise context.error(Code.RESULTS, message, statement.span)
    closed = close(context, value, axes, target.stored, str(key), statement.span, scope)
    define(context, home, key, closed, target.name.span)


def _bind_places(context: Context, target: syntax.Target, scope: Scope) -> list[IndexAxis]:
    """The axes of places that are all bare indices."""
    axes = [
        bind(context, syntax.AxisName(place.value.name, place.size), scope, declare=True)
        for place in target.places or ()
        if isinstance(place.value, syntax.Name)
    ]
    if len(set(axes)) != len(axes):
        message = f"an index stands twice on the left of {target.name.text}"
        raise context.error(Code.PLACE, message, target.span, "use two indices")
    return axes


# --- where a name belongs


def home_of(target: syntax.Target, key: Key, scope: Scope) -> Scope:
    """The scope that a definition inside loops belongs to.

    A left side that mentions the counter, in { } or in [ ], belongs outside the loop; so does a
    further piece of a tensor that was begun outside. Everything else belongs to one round.
    """
    mentioned = {
        part.name.text
        for part in syntax.walk(*_left_expressions(target))
        if isinstance(part, syntax.Name)
    }
    home = scope
    while home.counter is not None and home.counter in mentioned and home.parent is not None:
        home = home.parent
    begun = next((outer for outer in home.chain() if key in outer.pieces), None)
    return begun or home


def _left_expressions(target: syntax.Target) -> Iterator[syntax.Expression]:
    yield from target.family or ()
    yield from (place.value for place in target.places or ())


# --- pieces


def _is_piece(target: syntax.Target, key: Key, home: Scope, scope: Scope) -> bool:
    if target.places is None:
        return False
    if key in home.pieces or target.name.text in scope.piecewise:
        return True
    return not all(
        isinstance(place.value, syntax.Name) and not _is_value(place.value.name.text, scope)
        for place in target.places
    )


def _is_value(name: str, scope: Scope) -> bool:
    return scope.holder(Key(name)) is not None or scope.module.is_static(name) or name in CONSTANTS


def _add_piece(
    context: Context,
    statement: syntax.Assignment,
    target: syntax.Target,
    key: Key,
    home: Scope,
    scope: Scope,
) -> None:
    _require_open(context, target, key, home)
    axes = place_axes(context, target, scope)
    with context.binding(axes, scope):
        infer_sizes(context, statement.value, scope)
    if context.axes.any_empty(axes):
        home.pieces.setdefault(key, [])
        home.spans.setdefault(key, target.name.span)
        return
    value = right_side(context, statement.value, axes, scope)
    closed = close(context, value, (), target.stored, str(key), statement.span, scope)
    rest = closed.axes if isinstance(closed, Tensor) else ()
    body = closed.body if isinstance(closed, Tensor) else closed
    for axis in axes:
        if axis.size is None:
            message = f"nothing here says how far index {axis.name} runs"
            hint = f"say it: index {axis.name}: <size>"
            raise context.error(Code.UNKNOWN_SIZE, message, target.span, hint)
    with context.binding(axes, scope):
        places = [_place(context, place, scope) for place in target.places or ()]
    places += [axis.expression for axis in rest]
    number = as_number(context, body, statement.value.span)
    piece = OpenPiece(tuple(places), (*axes, *rest), number, statement, target)
    home.pieces.setdefault(key, []).append(piece)
    home.spans.setdefault(key, target.name.span)


def _require_open(context: Context, target: syntax.Target, key: Key, home: Scope) -> None:
    value = home.values.get(key)
    if isinstance(value, Broken):
        raise Reported
    if value is not None and key in home.pieces:
        message = f"{key} is already defined, and was read before this further piece"
        hint = "put all pieces of a tensor before its first use"
        raise context.error(Code.REDEFINED, message, target.span, hint)
    if key not in home.pieces:
        require_new(context, home, key, target.name.span)


def place_axes(context: Context, target: syntax.Target, scope: Scope) -> list[IndexAxis]:
    """The indices that the places bind, in the order of the text, with sizes stated there.

    A size beside index arithmetic is that of its index; beside a place that is computed at run
    time it is the size of the axis.
    """
    axes: list[IndexAxis] = []
    for place in target.places or ():
        names = list(_index_names(place.value, scope))
        found = [existing_axis(context, name, scope) for name in names]
        if place.size is not None and len(found) == 1 and not is_computed(place):
            size_axis(context, found[0], place.size, scope)
            found[0].declared = True
        axes += [axis for axis in found if axis not in axes]
    return axes


def is_computed(place: syntax.Place) -> bool:
    """True if the place is not index arithmetic: a read, a call, or a value by name."""
    return any(
        isinstance(part, syntax.Read | syntax.Call | syntax.Reduction | syntax.Select)
        for part in syntax.walk(place.value)
    )


def _index_names(place: syntax.Expression, scope: Scope) -> Iterator[str]:
    """The names in a place that are no values: those are indices."""
    match place:
        case syntax.Name(name):
            if not _is_value(name.text, scope):
                yield name.text
        case syntax.Member():
            return  # what stands in { } is known at compile time
        case syntax.UnrolledReduction(_, counter) | syntax.ListFor(_, counter):
            inner = (n for part in syntax.children(place) for n in _names_in(part, scope))
            yield from (name for name in inner if name != counter.text)
        case syntax.Reduction(_, axes):
            bound = {axis.name.text for axis in axes}
            inner = (n for part in syntax.children(place) for n in _names_in(part, scope))
            yield from (name for name in inner if name not in bound)
        case _:
            for part in syntax.children(place):
                yield from _names_in(part, scope)


def _names_in(part: syntax.Expression | syntax.WholeAxis, scope: Scope) -> Iterator[str]:
    return iter(()) if isinstance(part, syntax.WholeAxis) else _index_names(part, scope)


def _place(context: Context, place: syntax.Place, scope: Scope) -> IndexExpression:
    value: Number = as_number(context, context.evaluate(place.value, scope), place.span)
    if place.size is not None and len(set(_index_names(place.value, scope))) != 1:
        message = "a size stands beside a place with one index, or one computed at run time"
        raise context.error(Code.PLACE, message, place.span, "say sizes by: index i: <size>")
    match value:
        case IndexExpression():
            return value
        case int() if not isinstance(value, bool):
            return constant(value)
        case Operand() if not is_real(context, value):
            message = "a write at places computed at run time needs a value for the rest"
            hint = "say what stands elsewhere: … = value else 0"
            raise context.error(Code.COMPUTED_PLACE, message, place.span, hint)
        case _:
            message = f"a place must be a whole number or index arithmetic, not {describe(value)}"
            raise context.error(Code.PLACE, message, place.span)
