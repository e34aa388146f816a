"""Attention whose queries do not fill the chip, or its last round, cut along its keys.

Each part of the keys is an attention of its own, which stores its results and the logarithms of its
sums in f32; a second launch weighs the parts by these and does the epilogue. The order is fixed, so
results are the same in every run. Heads that fill the chip may stay as they are, in a launch before
those. Where it is faster by the cost model, programs are rewritten so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    scale,
)
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.moved_code import (
    append_epilogue,
    fresh_name,
    moved_body,
    moved_index,
    moved_stores,
    read_only,
    used_parameters,
)
from lumc.lowering.scalar_code import row_major

_PARTS = (2, 3, 4, 5, 6, 7, 8)
# A part has at least so many keys.
_LEAST_KEYS = 256
# A head more that costs so much more begins a round.
_NEXT_ROUND = 1.02
# What more launches must gain, as the model is no more exact than this.
_WORTHWHILE = 0.97
_LOG2_E = 1.4426950408889634
_LOWEST = -3.4028234663852886e38


@dataclass(frozen=True, slots=True)
class SplitAttention:
    """An attention in two launches, after one of a part of its batch that takes all parameters.

    ``parts`` and ``merge`` say which of the kernel's parameters the two take first; behind those,
    both take the parts' results and the logarithms of their sums.
    """

    partial: Attention
    parts: tuple[int, ...]
    whole: Pointwise
    merge: tuple[int, ...]
    uncut: Attention | None = None

    def kernels(self) -> tuple[Kernel, ...]:
        """All kernels, in the order that they are launched in."""
        two = (self.partial, self.whole)
        return two if self.uncut is None else (self.uncut, *two)


def split_attentions(
    program: KernelProgram, microseconds: Callable[[Kernel], float]
) -> KernelProgram:
    """``program`` with the attentions in two launches that are faster so."""
    found = {
        number: split
        for number, kernel in enumerate(program.kernels)
        if isinstance(kernel, Attention) and (split := best_split(kernel, microseconds))
    }
    if not found:
        return program
    buffers, kernels = list(program.buffers), list(program.kernels)
    numbers: dict[int, tuple[int, ...]] = {}
    for number, split in found.items():
        made = split.kernels()
        kernels[number] = made[0]
        numbers[number] = (number, *range(len(kernels), len(kernels) + len(made) - 1))
        kernels += made[1:]

    def bound(launches: Sequence[Launch]) -> Iterator[Launch]:
        for launch in launches:
            if launch.kernel not in found:
                yield launch
                continue
            split, taken = found[launch.kernel], launch.arguments
            *uncut, partial, whole = numbers[launch.kernel]
            between = tuple(_intermediate(buffers, p) for p in split.partial.parameters[-2:])
            yield from (replace(launch, kernel=number) for number in uncut)
            arguments = (*(taken[n] for n in split.parts), *between)
            yield replace(launch, kernel=partial, arguments=arguments)
            arguments = (*(taken[n] for n in split.merge), *between)
            yield replace(launch, kernel=whole, arguments=arguments)

    prepare, every = tuple(bound(program.prepare)), tuple(bound(program.launches))
    return replace(
        program,
        buffers=tuple(buffers),
        kernels=tuple(kernels),
        prepare=prepare,
        launches=every,
    )


def _intermediate(buffers: list[Buffer], parameter: Parameter) -> Argument:
    """A new buffer for ``parameter``, behind the others."""
    name = f"{parameter.name} {len(buffers)}"
    kind = BufferKind.INTERMEDIATE
    buffers.append(Buffer(name, kind, parameter.dtype, parameter.shape))
    return Argument(len(buffers) - 1)


def best_split(kernel: Attention, microseconds: Callable[[Kernel], float]) -> SplitAttention | None:
    """The fastest way to cut the keys of ``kernel``, if one is faster than not to."""
    whole = microseconds(kernel)
    best, least = None, whole * _WORTHWHILE
    for uncut, rest in ((None, kernel), *_batch_cuts(kernel, microseconds)):
        before = 0.0 if uncut is None else microseconds(uncut)
        if before >= least:
            continue
        for parts in _PARTS:
            split = split_keys(rest, parts)
            if split is None:
                continue
            cost = before + microseconds(split.partial) + microseconds(split.whole)
            if cost < least:
                best, least = _named(replace(split, uncut=uncut)), cost
    return best


def _named(split: SplitAttention) -> SplitAttention:
    """``split`` with another name for the parts where a launch before has the kernel's."""
    if split.uncut is None:
        return split
    return replace(split, partial=replace(split.partial, name=f"{split.partial.name}_parts"))


def _batch_cuts(
    kernel: Attention, microseconds: Callable[[Kernel], float]
) -> Iterator[tuple[Attention, Attention]]:
    """Two parts of the batch each, of which the first is as large as its rounds allow."""
    number = next((n for n, axis_ in enumerate(kernel.batch) if axis_.size > 1), None)
    if number is None or split_keys(kernel, _PARTS[0]) is None:
        return
    count = kernel.batch[number].size
    costs = [microseconds(part_of_batch(kernel, number, 0, n)) for n in range(1, count)]
    for taken, (cost, more) in enumerate(itertools.pairwise((*costs, math.inf)), 1):
        if more > cost * _NEXT_ROUND:
            yield (
                part_of_batch(kernel, number, 0, taken),
                part_of_batch(kernel, number, taken, count - taken),
            )


def part_of_batch(kernel: Attention, number: int, first: int, count: int) -> Attention:
    """``kernel`` for ``count`` points of batch axis ``number`` from ``first`` on."""
    batch = tuple(replace(a, size=count) if n == number else a for n, a in enumerate(kernel.batch))
    numbers = {n: n for n in range(len(kernel.parameters))}

    def moved(body: Body) -> Body:
        axes = (*batch, *body.axes[len(batch) :])
        return moved_body(body, axes, place(len(axes)), numbers)

    def place(rank: int) -> list[IndexExpression]:
        return [add(axis(n), constant(first)) if n == number else axis(n) for n in range(rank)]

    bounds = [a.size for a in (*batch, *kernel.queries, *kernel.channels)]
    return replace(
        kernel,
        batch=batch,
        query=moved(kernel.query),
        key=moved(kernel.key),
        score=moved(kernel.score),
        value=moved(kernel.value),
        epilogue=moved(kernel.epilogue),
        stores=tuple(
            replace(
                store,
                index=tuple(
                    moved_index(e, place(len(bounds)), bounds, len(store.computed))
                    for e in store.index
                ),
            )
            for store in kernel.stores
        ),
    )


def split_keys(kernel: Attention, parts: int) -> SplitAttention | None:
    """``kernel`` with its keys in so many equal parts, or None where they are not so many."""
    sized = [n for n, keys in enumerate(kernel.keys) if keys.size > 1]
    chunk, rest = divmod(size(kernel.keys), parts)
    fits = len(sized) == 1 and not rest and chunk >= _LEAST_KEYS
    if not fits or any(store.combine is not None for store in kernel.stores):
        return None
    outer = (KernelAxis("part", parts), *kernel.batch, *kernel.queries)
    names = [parameter.name for parameter in kernel.parameters]
    results = _dense(fresh_name("parts", names), (*outer, *kernel.channels))
    sums = _dense(fresh_name("sums", names), outer)
    return SplitAttention(
        *_partial(kernel, sized[0], chunk, results, sums),
        *_whole(kernel, parts, results, sums),
    )


def _dense(name: str, axes: Sequence[KernelAxis]) -> Parameter:
    shape = tuple(a.size for a in axes)
    return Parameter(name, DType.F32, shape, row_major(shape), ParameterAccess.WRITE)


# ------------------------------------------------------------------------------------------- parts


def _partial(
    kernel: Attention, cut: int, chunk: int, results: Parameter, sums: Parameter
) -> tuple[Attention, tuple[int, ...]]:
    """The attention of each part, and which of the kernel's parameters it takes."""
    used = used_parameters((kernel.query, kernel.key, kernel.score, kernel.value))
    numbers = {old: new for new, old in enumerate(used)}
    part = KernelAxis("part", results.shape[0])
    keys = tuple(replace(a, size=chunk) if n == cut else a for n, a in enumerate(kernel.keys))
    b, q = len(kernel.batch), len(kernel.queries)

    def moved(body: Body, first_key: int | None, axes: tuple[KernelAxis, ...]) -> Body:
        place = [axis(n + 1) for n in range(len(body.axes))]
        if first_key is not None:
            place[first_key + cut] = add(axis(first_key + cut + 1), scale(axis(0), chunk))
        return moved_body(body, (part, *axes), place, numbers)

    batch, queries = kernel.batch, kernel.queries
    outer = (part, *batch, *queries)
    everywhere = tuple(axis(n) for n in range(len(outer) + len(kernel.channels)))
    channels = everywhere[len(outer) :]
    first_channel: IndexExpression = IndexExpression(0)
    for channel in channels:
        first_channel = add(first_channel, channel)
    epilogue = Body(
        (*outer, *kernel.channels),
        (
            Accumulator(0),
            Accumulator(1),
            IndexOf(first_channel),
            Literal(1, DType.I32),
            Apply(ElementwiseOp.LESS_THAN, (2, 3)),
        ),
    )
    partial = replace(
        kernel,
        parameters=(*(read_only(kernel.parameters[n]) for n in used), results, sums),
        batch=(part, *batch),
        keys=keys,
        query=moved(kernel.query, None, (*batch, *queries, *kernel.inner)),
        key=moved(kernel.key, b, (*batch, *keys, *kernel.inner)),
        score=moved(kernel.score, b + q, (*batch, *queries, *keys)),
        value=moved(kernel.value, b, (*batch, *keys, *kernel.channels)),
        epilogue=epilogue,
        stores=(
            Store(len(used), everywhere, 0),
            Store(len(used) + 1, everywhere[: len(outer)], 1, predicate=4),
        ),
    )
    return partial, used


# ------------------------------------------------------------------------------------------- whole


def _whole(
    kernel: Attention, parts: int, results: Parameter, sums: Parameter
) -> tuple[Pointwise, tuple[int, ...]]:
    """What weighs the parts and does the epilogue, and the kernel's parameters that it takes."""
    used = used_parameters((kernel.epilogue,), kernel.stores)
    numbers = {old: new for new, old in enumerate(used)}
    outer = len(kernel.batch) + len(kernel.queries)
    points = tuple(axis(n) for n in range(len(kernel.epilogue.axes)))
    made = _Instructions([])
    merged = _merged(made, parts, (len(used), len(used) + 1), points, outer)
    if Accumulator(1) in kernel.epilogue.instructions:
        raise ValueError("attention in parts is not cut again")
    place = append_epilogue(made.found, kernel.epilogue, (merged,), numbers)
    stores = moved_stores(kernel.stores, place, numbers)
    parameters = (*(kernel.parameters[n] for n in used), read_only(results), read_only(sums))
    body = Body(kernel.epilogue.axes, tuple(made.found))
    name = f"{kernel.name}_whole"
    return Pointwise(name, parameters, body, stores, kernel.provenance), used


@dataclass(frozen=True, slots=True)
class _Instructions:
    found: list[Instruction]

    def add(self, instruction: Instruction) -> int:
        """The number of the value."""
        self.found.append(instruction)
        return len(self.found) - 1

    def apply(self, op: ElementwiseOp, *operands: int) -> int:
        return self.add(Apply(op, operands))

    def folded(self, op: ElementwiseOp, values: Sequence[int]) -> int:
        total = values[0]
        for value in values[1:]:
            total = self.apply(op, total, value)
        return total


def _merged(
    made: _Instructions,
    parts: int,
    tensors: tuple[int, int],
    points: Sequence[IndexExpression],
    outer: int,
) -> int:
    """Sum of the parts' results times exp(their logarithm - the greatest), over the sum of those.

    Parts in which all scores are -infinity, whose results are no numbers, count for nothing.
    """
    results, sums = tensors
    numbers = [IndexExpression(part) for part in range(parts)]
    logs = [made.add(Load(sums, (n, *points[:outer]))) for n in numbers]
    most = made.folded(ElementwiseOp.MAXIMUM, logs)
    down = made.apply(ElementwiseOp.MULTIPLY, most, made.add(Literal(-1.0, DType.F32)))
    unit, zero = made.add(Literal(_LOG2_E, DType.F32)), made.add(Literal(0.0, DType.F32))
    lowest = made.add(Literal(_LOWEST, DType.F32))
    weights, terms = [], []
    for number, log in zip(numbers, logs, strict=True):
        above = made.apply(ElementwiseOp.ADD, log, down)
        power = made.apply(ElementwiseOp.EXP2, made.apply(ElementwiseOp.MULTIPLY, above, unit))
        empty = made.apply(ElementwiseOp.LESS_THAN, log, lowest)
        weights.append(made.apply(ElementwiseOp.SELECT, empty, zero, power))
        result = made.add(Load(results, (number, *points)))
        term = made.apply(ElementwiseOp.MULTIPLY, result, power)
        terms.append(made.apply(ElementwiseOp.SELECT, empty, zero, term))
    total = made.folded(ElementwiseOp.ADD, weights)
    inverse = made.apply(ElementwiseOp.RECIPROCAL, total)
    return made.apply(ElementwiseOp.MULTIPLY, made.folded(ElementwiseOp.ADD, terms), inverse)
