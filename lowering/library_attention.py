"""Which attentions a vendor's library can do, and how it sees them.

The conditions are those of cuDNN: heads of up to 256 numbers, in steps of 8, that are read as they
lie, by strides; neighbouring heads may share keys and values; scores are scaled, and masked by the
order of queries and keys or by something that is added to them. Masks that choose are added as
well: where a score is left out, so much is taken from it that its weight is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import FloorDivide, IndexExpression, add, axis, scale, substitute
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    IndexOf,
    Instruction,
    LibraryAttention,
    Literal,
    Load,
    MadeOperand,
    Strided,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.library_views import (
    OPERAND_TYPES,
    consecutive,
    is_aligned,
    plain_load,
    stored_dtype,
    strided,
)
from lumc.lowering.made_operands import axes_read, made_operand, operands_of

_WIDEST_HEAD = 256
_STEP = 8
# Added to a score it leaves a weight of 0, whatever the score is; a library may still multiply it
# by log2(e). Less than the second in the text is as good as minus infinity.
_LEFT_OUT = -(2.0**126)
_ENDLESS = -(2.0**100)

Groups = tuple[tuple[int, ...], ...]


def library_attention(kernel: Attention) -> LibraryAttention | None:
    """``kernel`` as a library's attention, or None where it is more, or less, than that.

    A query whose mask leaves out every key is NaN by the text and the mean of the values here.
    """
    if kernel.operand_dtype not in OPERAND_TYPES or len(kernel.stores) != 1:
        return None
    if not _stores_the_sum(kernel):
        return None
    inner, channels = size(kernel.inner), size(kernel.channels)
    if max(inner, channels) > _WIDEST_HEAD or inner % _STEP or channels % _STEP:
        return None
    score = _parsed_score(kernel)
    if score is None:
        return None
    calls = (_by_strides(kernel, together, score) for together in _candidates(kernel))
    return next((call for call in calls if call is not None), None)


def _stores_the_sum(kernel: Attention) -> bool:
    (store,) = kernel.stores
    number = store.value
    while isinstance(found := kernel.epilogue.instructions[number], Convert):
        if found.dtype not in (kernel.operand_dtype, DType.F32):
            return False
        number = found.operand
    plain = found == Accumulator(0) and store.combine is None
    return plain and stored_dtype(kernel) is kernel.operand_dtype


def _candidates(kernel: Attention) -> Sequence[tuple[int, ...]]:
    """Which axes of the queries may be heads that share keys: none, the last ones, the first."""
    first, count = len(kernel.batch), len(kernel.queries)
    numbers = tuple(range(first, first + count))
    last = [numbers[start:] for start in range(count - 1, 0, -1)]
    return ((), *last, *(numbers[:stop] for stop in range(1, count)))


def _by_strides(
    kernel: Attention, together: tuple[int, ...], score: _Score
) -> LibraryAttention | None:
    """The call with the axes ``together`` of the queries as heads."""
    batch = tuple(range(len(kernel.batch)))
    queries = tuple(range(len(batch), len(batch) + len(kernel.queries)))
    axes = kernel.batch + kernel.queries
    heads = (*batch, *together)
    asked = tuple(n for n in queries if n not in together)
    query = _side(kernel, kernel.query, heads, asked)
    output = strided(
        kernel.parameters,
        kernel.stores[0],
        kernel.epilogue.axes,
        (heads, asked, _rest(kernel.epilogue, len(axes))),
    )
    shared = _sharing(kernel)
    groups = size([axes[n] for n in together]) if together else shared
    if together and shared != 1:
        return None
    key = _shared_side(kernel, kernel.key, shared)
    value = _shared_side(kernel, kernel.value, shared)
    if query is None or key is None or value is None or output is None:
        return None
    sizes = (
        size([axes[n] for n in heads]),
        size([axes[n] for n in asked]),
        size(kernel.keys),
        size(kernel.inner),
        size(kernel.channels),
    )
    call = LibraryAttention(sizes, query, key, value, output, score.scale, groups)
    return _masked(kernel, call, score.masks, heads, asked) if _fits(kernel, call) else None


def _rest(body: Body, first: int) -> tuple[int, ...]:
    return tuple(range(first, len(body.axes)))


def _side(
    kernel: Attention, body: Body, heads: tuple[int, ...], points: tuple[int, ...]
) -> Strided | None:
    load = plain_load(kernel, body)
    if load is None:
        return None
    rest = _rest(body, len(kernel.batch) + len(kernel.queries))
    return strided(kernel.parameters, load, body.axes, (heads, points, rest))


def _sharing(kernel: Attention) -> int:
    """How many neighbours along a batch axis read the same keys, as a quotient says."""
    divisors = {
        atom.divisor
        for instruction in (*kernel.key.instructions, *kernel.value.instructions)
        if isinstance(instruction, Load)
        for entry in instruction.index
        for atom, _ in entry.terms
        if isinstance(atom, FloorDivide)
    }
    return divisors.pop() if len(divisors) == 1 else 1


def _shared_side(kernel: Attention, body: Body, shared: int) -> Strided | None:
    """Keys or values by strides, where ``shared`` neighbours along the batch have the same."""
    load = plain_load(kernel, body)
    wide = [n for n, one in enumerate(kernel.batch) if one.size > 1]
    axes = list(body.axes)
    if load is None or (shared > 1 and (len(wide) != 1 or axes[wide[0]].size % shared)):
        return None
    if shared > 1:
        # h = shared · j + r with r below shared: only a quotient of h has no r in it.
        axes[wide[0]] = replace(axes[wide[0]], size=axes[wide[0]].size // shared)
        places = [axis(n) for n in range(len(axes))]
        places[wide[0]] = add(scale(axis(wide[0]), shared), axis(len(axes)))
        sizes = [*(one.size for one in axes), shared]
        load = replace(load, index=tuple(substitute(e, places, sizes) for e in load.index))
        axes.append(replace(axes[0], size=shared))
    groups = consecutive(len(kernel.batch), len(kernel.keys), len(body.axes))[:2]
    rest = tuple(range(len(kernel.batch) + len(kernel.keys), len(body.axes)))
    return strided(kernel.parameters, load, axes, (*groups, rest))


def _fits(kernel: Attention, call: LibraryAttention) -> bool:
    heads, queries, keys, inner, channels = call.sizes
    shared = heads // call.groups
    sides = (
        (call.query, (heads, queries, inner)),
        (call.key, (shared, keys, inner)),
        (call.value, (shared, keys, channels)),
        (call.output, (heads, queries, channels)),
    )
    return all(
        side.strides[2] == 1 and is_aligned(kernel.operand_dtype, side, sizes)
        for side, sizes in sides
    )


# ------------------------------------------------------------------------------------------ scores


@dataclass(frozen=True, slots=True)
class _Mask:
    """Value ``value`` is added (``keeps`` None), or says which scores are kept or left out."""

    value: int
    keeps: bool | None


@dataclass(frozen=True, slots=True)
class _Score:
    """What makes scores of raw products: a factor, then masks."""

    scale: float
    masks: tuple[_Mask, ...]


def _parsed_score(kernel: Attention) -> _Score | None:
    code = kernel.score.instructions
    scored = _scored_values(code)
    masks: list[_Mask] = []
    number = len(code) - 1
    while True:
        match code[number]:
            case Apply(ElementwiseOp.ADD, pair) if len(scored.intersection(pair)) == 1:
                number, other = pair if pair[0] in scored else pair[::-1]
                if other in scored:
                    return None
                masks.append(_Mask(other, None))
            case Apply(ElementwiseOp.SELECT, (choice, *pair)) if choice not in scored:
                then = pair[0] in scored
                number, other = pair if then else pair[::-1]
                if other in scored or not _is_endless(code[other]):
                    return None
                masks.append(_Mask(choice, then))
            case _:
                break
    factor = _factor(code, number)
    return None if factor is None else _Score(factor, tuple(masks))


def _scored_values(code: Sequence[Instruction]) -> set[int]:
    """The values that raw products have a say in."""
    found: set[int] = set()
    for number, instruction in enumerate(code):
        if isinstance(instruction, Accumulator) or found.intersection(operands_of(instruction)):
            found.add(number)
    return found


def _is_endless(instruction: Instruction) -> bool:
    return isinstance(instruction, Literal) and float(instruction.value) <= _ENDLESS


def _factor(code: Sequence[Instruction], number: int) -> float | None:
    """The factor of raw scores, if that is all that makes value ``number`` of them."""
    match code[number]:
        case Accumulator(0):
            return 1.0
        case Apply(ElementwiseOp.MULTIPLY, (first, second)):
            pass
        case _:
            return None
    match (code[first], code[second]):
        case (Accumulator(0), Literal(value, DType.F32)):
            return float(value)
        case (Literal(value, DType.F32), Accumulator(0)):
            return float(value)
        case _:
            return None


# ------------------------------------------------------------------------------------------- masks


def _masked(
    kernel: Attention,
    call: LibraryAttention,
    masks: Sequence[_Mask],
    heads: tuple[int, ...],
    asked: tuple[int, ...],
) -> LibraryAttention | None:
    """``call`` with ``masks``: the order of queries and keys, and what is added for all others."""
    others = [mask for mask in masks if not _is_order(kernel, mask, asked)]
    call = replace(call, causal=len(others) < len(masks))
    if not others:
        return call
    keys = tuple(range(len(kernel.batch) + len(kernel.queries), len(kernel.score.axes)))
    view = _as_it_lies(kernel, others, (heads, asked, keys))
    if view is not None:
        return replace(call, bias=view)
    found = _made_bias(kernel, others, (heads, asked, keys))
    return None if found is None else replace(call, bias=found[0], made=(found[1],))


def _is_order(kernel: Attention, mask: _Mask, asked: tuple[int, ...]) -> bool:
    """Whether ``mask`` keeps the keys that do not come after the query, and no others."""
    code = kernel.score.instructions
    match code[mask.value]:
        case Apply(ElementwiseOp.LESS_THAN, (low, high)):
            less, more = _whole(code[low]), _whole(code[high])
        case _:
            return False
    first = len(kernel.batch) + len(kernel.queries)
    keys = [first + n for n, one in enumerate(kernel.keys) if one.size > 1]
    queries = [n for n in asked if kernel.score.axes[n].size > 1]
    if less is None or more is None or mask.keeps is None or len(keys) != 1 or len(queries) != 1:
        return False
    ahead = add(axis(queries[0]), axis(keys[0]), -1)
    wanted = add(ahead, IndexExpression(1)) if mask.keeps else scale(ahead, -1)
    return add(more, less, -1) == wanted


def _whole(instruction: Instruction) -> IndexExpression | None:
    match instruction:
        case Literal(value, DType.I32):
            return IndexExpression(int(value))
        case IndexOf(expression):
            return expression
        case _:
            return None


def _as_it_lies(kernel: Attention, masks: Sequence[_Mask], groups: Groups) -> Strided | None:
    """A tensor of the operands' type that is added, by strides over heads, queries and keys."""
    if len(masks) != 1 or masks[0].keeps is not None:
        return None
    load = kernel.score.instructions[masks[0].value]
    if not isinstance(load, Load):
        return None
    dtype = kernel.parameters[load.parameter].dtype
    view = strided(kernel.parameters, load, kernel.score.axes, groups)
    if dtype is not kernel.operand_dtype or view is None or view.strides[2] != 1:
        return None
    return view if is_aligned(dtype, view) else None


def _made_bias(
    kernel: Attention, masks: Sequence[_Mask], groups: Groups
) -> tuple[Strided, MadeOperand] | None:
    """What is added, as a tensor over all queries and keys, and over heads if they matter."""
    added = [mask for mask in masks if mask.keeps is None]
    if kernel.operand_dtype is not DType.BF16 or len(added) > 1:
        return None
    if not all(_is_exact(kernel, mask.value) for mask in added):
        return None
    code = list(kernel.score.instructions)
    total = _summed(code, masks)
    heads, asked, keys = groups
    axes = kernel.score.axes
    by_head = bool(axes_read(code, total, len(axes)).intersection(heads))
    kept = (*heads, *asked, *keys) if by_head else (*asked, *keys)
    points, queries = size([axes[n] for n in keys]), size([axes[n] for n in asked])
    if points % _STEP:
        return None
    places = [axis(kept.index(n)) if n in kept else IndexExpression(0) for n in range(len(axes))]
    made = made_operand(kernel, "bias", code, total, [axes[n] for n in kept], places)
    head = queries * points if by_head else 0
    return Strided(len(kernel.parameters), 0, (head, points, 1)), made


def _summed(code: list[Instruction], masks: Sequence[_Mask]) -> int:
    """The number of the value, at the end of ``code``, that stands for all of ``masks``."""

    def appended(instruction: Instruction) -> int:
        code.append(instruction)
        return len(code) - 1

    total = appended(Literal(0.0, DType.F32))
    lowest = appended(Literal(_LEFT_OUT, DType.F32))
    for mask in masks:
        if mask.keeps is None:
            total = appended(Apply(ElementwiseOp.MAXIMUM, (mask.value, lowest)))
    for mask in masks:
        if mask.keeps is not None:
            pair = (total, lowest) if mask.keeps else (lowest, total)
            total = appended(Apply(ElementwiseOp.SELECT, (mask.value, *pair)))
    return total


def _is_exact(kernel: Attention, number: int) -> bool:
    """Whether a value is one of the operands' type, or nothing, or as good as minus infinity."""
    match kernel.score.instructions[number]:
        case Load(parameter=parameter):
            return kernel.parameters[parameter].dtype is kernel.operand_dtype
        case Convert(dtype=dtype):
            return dtype is kernel.operand_dtype
        case Literal(value):
            return float(value) == 0 or float(value) <= _ENDLESS
        case Apply(ElementwiseOp.SELECT, (_, first, second)):
            return _is_exact(kernel, first) and _is_exact(kernel, second)
        case _:
            return False
