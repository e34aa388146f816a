"""Pointwise kernels: a thread takes a few neighbouring points of a space walked as one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lumc.codegen.body_scope import Pointer, Scope
from lumc.codegen.flat import AxisUse, FlatBody, flatten, merge_axes
from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.identifiers import Names
from lumc.codegen.joined_axes import join_axes
from lumc.codegen.planning import (
    Plan,
    argument_texts,
    decode_axes,
    number_type,
    pointers,
)
from lumc.codegen.scalar_code import body_code
from lumc.codegen.vectorise import Lanes, step
from lumc.dsl.index_expression import IndexExpression
from lumc.lowering.kernel_program import Pointwise

_THREADS = 256
_VECTOR_BYTES = 16
_WIDTHS = (8, 4, 2)
LOCAL_NAMES = frozenset({"point", "e"})


def plan_pointwise(kernel: Pointwise, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``; ``alignments`` are those of its parameters, in bytes."""
    names = Names(LOCAL_NAMES)
    parameters = pointers(kernel.parameters, alignments, names)
    body = flatten(kernel.body, kernel.stores, kernel.parameters)
    order = walk_order(body.stores[0].offset, len(body.axes))
    (body,) = merge_axes([AxisUse(body, order)])
    body, lanes = _widest(body, order, parameters)
    width = 1 if lanes is None else lanes.width
    walked = [body.axes[number] for number in order]
    texts, definitions = decode_axes(walked, "point", names)
    axes = dict(zip(order, texts, strict=True))
    scope = Scope(parameters, [axes[n] for n in range(len(order))], lanes, names)
    code = body_code(body, scope)
    points = math.prod(axis.size for axis in walked)
    geometry = Geometry(
        (
            AxisGroup(
                tuple(order),
                tuple(kernel.body.axes[n].size for n in order),
                _THREADS * width,
            ),
        )
    )
    return Plan(
        template="pointwise.jinja",
        values={
            "arguments": argument_texts(parameters),
            "threads": _THREADS,
            "number_type": number_type(points + _THREADS * width),
            "points": points,
            "is_ragged": points % (_THREADS * width) != 0,
            "width": width,
            "axes": definitions,
            "code": code,
        },
        threads=_THREADS,
        local_bytes=0,
        geometry=geometry,
        kind="pointwise",
        notes=(f"{width} points a thread, {_THREADS} threads a workgroup",),
    )


def _widest(
    body: FlatBody, order: Sequence[int], parameters: Sequence[Pointer]
) -> tuple[FlatBody, Lanes | None]:
    """The lanes of ``body``, over its last two axes as one where they are wider then.

    That is so where the last axis is short, as of a few channels that make a group: what all points
    read and write must be runs of memory over both.
    """
    lanes = choose_lanes(body, order, parameters)
    sized = [n for n in order if body.axes[n].size > 1]
    if len(sized) < 2:
        return body, lanes
    joint = join_axes(body, sized[-2], sized[-1])
    wider = choose_lanes(joint, order, parameters)
    if wider is None or wider.width <= (1 if lanes is None else lanes.width):
        return body, lanes
    axes = frozenset(n for n in order if joint.axes[n].size > 1)
    whole = [access for access in joint.accesses() if axes <= access.offset.axes()]
    is_run = bool(whole) and all(step(access.offset, wider) == 1 for access in whole)
    return (joint, wider) if is_run else (body, lanes)


def walk_order(offset: IndexExpression, rank: int) -> tuple[int, ...]:
    """``rank`` axes such that what is accessed at ``offset`` lies together.

    The last axis is the nearest in memory; axes that are not mentioned come first.
    """
    numbers = range(rank)
    if not offset.is_affine:
        return tuple(numbers)
    nearness = {n: abs(offset.coefficient(n)) or math.inf for n in numbers}
    return tuple(sorted(numbers, key=lambda n: -nearness[n]))


def choose_lanes(
    body: FlatBody,
    order: Sequence[int],
    parameters: Sequence[Pointer],
    widths: Sequence[int] = _WIDTHS,
) -> Lanes | None:
    """Neighbouring points that a thread takes together, or None for one point at a time.

    ``order`` are the axes in the order they are walked; ``widths`` the widths to choose from, the
    widest first.
    """
    last = next((n for n in reversed(order) if body.axes[n].size > 1), None)
    if last is None:
        return None
    for width in widths:
        lanes = Lanes(last, width)
        if (
            body.axes[last].size % width == 0
            and width * _narrowest(body, lanes, parameters) <= _VECTOR_BYTES
        ):
            return lanes
    return None


def _narrowest(body: FlatBody, lanes: Lanes, parameters: Sequence[Pointer]) -> int:
    """Bytes of the smallest element that is read or written as a vector."""
    return min(
        (
            parameters[access.parameter].parameter.dtype.bytes
            for access in body.accesses()
            if step(access.offset, lanes) == 1
        ),
        default=_VECTOR_BYTES,
    )
