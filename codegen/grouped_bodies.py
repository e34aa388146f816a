"""The bodies of products and attention, flattened, their axes in groups that are walked as one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.flat import AxisUse, FlatBody, flatten, merge_axes
from lumc.codegen.pointwise import walk_order
from lumc.codegen.vectorise import Lanes, step
from lumc.lowering.kernel_program import Attention, Body, Gemm, KernelAxis, Load


@dataclass(frozen=True, slots=True)
class GroupedBody:
    """A body; ``groups`` has the numbers of each group's axes, in the order they are walked."""

    body: FlatBody
    groups: Mapping[str, tuple[int, ...]]

    def axes(self, group: str) -> tuple[KernelAxis, ...]:
        """The axes of ``group`` in the order they are walked."""
        return tuple(self.body.axes[n] for n in self.groups[group])

    def points(self, group: str) -> int:
        """Points of the axes of ``group`` together."""
        return math.prod(axis.size for axis in self.axes(group))

    def last(self, group: str) -> int | None:
        """The number of the fastest axis of ``group`` that has more than one point."""
        sized = (n for n in reversed(self.groups[group]) if self.body.axes[n].size > 1)
        return next(sized, None)


def gemm_bodies(kernel: Gemm) -> dict[str, GroupedBody]:
    """``left``, ``right0``… and ``epilogue``, over the groups batch, rows, columns and inner.

    Columns are walked as the first store lies in memory, inner axes as most operands do.
    """
    batch, rows = ("batch", kernel.batch), ("rows", kernel.rows)
    columns, inner = ("columns", kernel.columns), ("inner", kernel.inner)
    parameters = kernel.parameters
    bodies = {"left": _grouped(flatten(kernel.left, (), parameters), (batch, rows, inner))}
    for number, right in enumerate(kernel.right):
        flat = flatten(right, (), parameters)
        bodies[f"right{number}"] = _grouped(flat, (batch, columns, inner))
    flat = flatten(kernel.epilogue, kernel.stores, parameters)
    bodies["epilogue"] = _grouped(flat, (batch, rows, columns))
    operands = [name for name in bodies if name != "epilogue"]
    bodies = _reordered(bodies, "columns", _order_of_stores(bodies["epilogue"], "columns"))
    bodies = _reordered(bodies, "inner", _order_of_loads([bodies[n] for n in operands], "inner"))
    return _merged(bodies, ("rows", "columns", "inner"))


def attention_bodies(kernel: Attention) -> dict[str, GroupedBody]:
    """``query``, ``key``, ``score``, ``value`` and ``epilogue``, over the kernel's groups."""
    batch, queries = ("batch", kernel.batch), ("queries", kernel.queries)
    keys, inner = ("keys", kernel.keys), ("inner", kernel.inner)
    channels = ("channels", kernel.channels)
    parameters = kernel.parameters
    epilogue = flatten(kernel.epilogue, kernel.stores, parameters)
    bodies = {
        "query": _grouped(flatten(kernel.query, (), parameters), (batch, queries, inner)),
        "key": _grouped(flatten(kernel.key, (), parameters), (batch, keys, inner)),
        "score": _grouped(flatten(kernel.score, (), parameters), (batch, queries, keys)),
        "value": _grouped(flatten(kernel.value, (), parameters), (batch, keys, channels)),
        "epilogue": _grouped(epilogue, (batch, queries, channels)),
    }
    both = [bodies["query"], bodies["key"]]
    bodies = _reordered(bodies, "inner", _order_of_loads(both, "inner"))
    bodies = _reordered(bodies, "channels", _order_of_stores(bodies["epilogue"], "channels"))
    return _merged(bodies, ("queries", "keys", "inner", "channels"))


def _grouped(body: FlatBody, groups: Sequence[tuple[str, tuple[KernelAxis, ...]]]) -> GroupedBody:
    numbers: dict[str, tuple[int, ...]] = {}
    first = 0
    for name, axes in groups:
        numbers[name] = tuple(range(first, first + len(axes)))
        first += len(axes)
    return GroupedBody(body, numbers)


def _order_of_stores(epilogue: GroupedBody, group: str) -> tuple[int, ...]:
    """Places in the group such that the first store's nearest in memory comes last."""
    numbers = epilogue.groups[group]
    order = walk_order(epilogue.body.stores[0].offset, len(epilogue.body.axes))
    return tuple(numbers.index(n) for n in order if n in numbers)


def _order_of_loads(operands: Sequence[GroupedBody], group: str) -> tuple[int, ...]:
    """Places in the group such that most operands are contiguous along the last."""
    axes = operands[0].axes(group)

    def contiguous(place: int) -> int:
        return sum(
            step(load.offset, Lanes(operand.groups[group][place], 1)) == 1
            for operand in operands
            for load in operand.body.loads()
        )

    sized = [place for place, axis in enumerate(axes) if axis.size > 1]
    if not sized:
        return tuple(range(len(axes)))
    # Of equally good ones the last stays the fastest.
    fastest = max(reversed(sized), key=contiguous)
    return (*(place for place in range(len(axes)) if place != fastest), fastest)


def _reordered(
    bodies: Mapping[str, GroupedBody], group: str, order: Sequence[int]
) -> dict[str, GroupedBody]:
    found: dict[str, GroupedBody] = {}
    for name, item in bodies.items():
        groups = dict(item.groups)
        if group in groups:
            groups[group] = tuple(groups[group][place] for place in order)
        found[name] = replace(item, groups=groups)
    return found


def _merged(bodies: Mapping[str, GroupedBody], groups: Sequence[str]) -> dict[str, GroupedBody]:
    """The bodies with the axes of each group merged where they can be, each for itself.

    All decode the same linear number, so each may see it as fewer axes than the others do. Only
    the batch's axes, which are decoded once for all, are merged alike.
    """
    uses = [AxisUse(item.body, item.groups["batch"]) for item in bodies.values()]
    found = {
        name: replace(item, body=body)
        for (name, item), body in zip(bodies.items(), merge_axes(uses), strict=True)
    }
    for name, item in bodies.items():
        for group in groups:
            numbers = item.groups.get(group, ())
            (body,) = merge_axes([AxisUse(found[name].body, numbers)])
            found[name] = replace(found[name], body=body)
    return found


def is_convolution(kernel: Gemm) -> bool:
    """True when an operand is read at an index in which a row (or column) and an inner axis meet.

    Such a product slides a window over its operand.
    """
    b, r, c = len(kernel.batch), len(kernel.rows), len(kernel.columns)
    return _has_window(kernel.left, b, b + r) or any(
        _has_window(body, b, b + c) for body in kernel.right
    )


def _has_window(body: Body, first: int, inner: int) -> bool:
    outer_axes = frozenset(range(first, inner))
    inner_axes = frozenset(range(inner, len(body.axes)))
    return any(
        expression.axes() & outer_axes and expression.axes() & inner_axes
        for load in body.instructions
        if isinstance(load, Load)
        for expression in load.index
    )
