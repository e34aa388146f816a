"""Attention through scores in memory, a block of queries after the other.

Heads that are too wide for a library's attention are done by two of its products, with a kernel
between them that makes weights of the scores: softmax, rounded as the operands are. Where that is
faster than a generated kernel by the cost model, programs are rewritten so. The blocks keep the
scores small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, axis
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Gemm,
    IndexOf,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Reduction,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import flat_index
from lumc.lowering.kernel_types import bodies, size, stores
from lumc.lowering.moved_code import moved_body, used_parameters
from lumc.lowering.scalar_code import row_major
from lumc.lowering.tighten import BoundKernel, tighten

_LARGEST_SCORES = 128 << 20
"""Bytes of the scores of a block."""
_MOST_BLOCKS = 64
# What more launches must gain, as the model is no more exact than this.
_WORTHWHILE = 0.97
_LOG2_E = 1.4426950408889634


@dataclass(frozen=True, slots=True)
class BlockStep:
    """A kernel that is launched once a block.

    It takes those of the attention's parameters that ``sources`` says, each ``moves`` elements on
    from block to block, and then those of the scores and the weights that ``kept`` says.
    """

    kernel: Gemm | RowReduction
    sources: tuple[int, ...]
    starts: tuple[int, ...]
    moves: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredScores:
    """An attention as ``blocks`` times three launches, with scores and weights in between."""

    steps: tuple[BlockStep, BlockStep, BlockStep]
    kept: tuple[Parameter, Parameter]
    blocks: int


def store_scores(program: KernelProgram, microseconds: Callable[[Kernel], float]) -> KernelProgram:
    """``program`` with the attentions through memory that are faster so."""
    found = {
        number: made
        for number, kernel in enumerate(program.kernels)
        if isinstance(kernel, Attention) and (made := best_blocks(kernel, microseconds))
    }
    if not found:
        return program
    kernels, buffers = list(program.kernels), list(program.buffers)
    numbers: dict[int, tuple[int, ...]] = {}
    for number, made in found.items():
        numbers[number] = (number, len(kernels), len(kernels) + 1)
        kernels[number] = made.steps[0].kernel
        kernels += [step.kernel for step in made.steps[1:]]

    def bound(launches: Sequence[Launch]) -> Iterator[Launch]:
        for launch in launches:
            if launch.kernel not in found:
                yield launch
                continue
            made = found[launch.kernel]
            first = len(buffers)
            for parameter in made.kept:
                name = f"{parameter.name} {len(buffers)}"
                kind = BufferKind.INTERMEDIATE
                buffers.append(Buffer(name, kind, parameter.dtype, parameter.shape))
            for block in range(made.blocks):
                for kernel, step in zip(numbers[launch.kernel], made.steps, strict=True):
                    yield replace(
                        launch, kernel=kernel, arguments=_arguments(step, launch, block, first)
                    )

    prepare, every = tuple(bound(program.prepare)), tuple(bound(program.launches))
    return replace(
        program, buffers=tuple(buffers), kernels=tuple(kernels), prepare=prepare, launches=every
    )


def _arguments(step: BlockStep, launch: Launch, block: int, first: int) -> tuple[Argument, ...]:
    taken = [launch.arguments[n] for n in step.sources]
    moved = [
        Argument(argument.buffer, argument.offset + start + block * move)
        for argument, start, move in zip(taken, step.starts, step.moves, strict=True)
    ]
    return (*moved, *(Argument(first + n) for n in step.kept))


def best_blocks(kernel: Attention, microseconds: Callable[[Kernel], float]) -> StoredScores | None:
    """``kernel`` in as few blocks as keep its scores small, if that is faster than to fuse it."""
    cut = next((n for n, one in enumerate(kernel.queries) if one.size > 1), None)
    if cut is None or kernel.tile is not None or kernel.library is not None:
        return None
    everything = 4 * size(kernel.batch) * size(kernel.queries) * size(kernel.keys)
    length = kernel.queries[cut].size
    least = max(1, -(-everything // _LARGEST_SCORES))
    counts = (n for n in range(least, min(length, _MOST_BLOCKS) + 1) if length % n == 0)
    blocks = next(counts, None)
    made = None if blocks is None else in_blocks(kernel, cut, blocks)
    if made is None:
        return None
    cost = made.blocks * sum(microseconds(step.kernel) for step in made.steps)
    return made if cost < microseconds(kernel) * _WORTHWHILE else None


def in_blocks(kernel: Attention, cut: int, blocks: int) -> StoredScores | None:
    """``kernel`` with axis ``cut`` of its queries in equal blocks.

    None where something depends on where a query is, other than by reading elsewhere.
    """
    part = replace(kernel.queries[cut], size=kernel.queries[cut].size // blocks)
    queries = (*kernel.queries[:cut], part, *kernel.queries[cut + 1 :])
    rows = (*kernel.batch, *queries)
    shape = tuple(one.size for one in (*rows, *kernel.keys))
    scores = Parameter("scores", DType.F32, shape, row_major(shape), ParameterAccess.WRITE)
    weights = replace(scores, name="weights", dtype=kernel.operand_dtype)
    count = len(kernel.parameters)
    # Behind the attention's own parameters stand the scores and the weights.
    everything = (*kernel.parameters, scores, weights)
    made = (
        _scores(kernel, queries, everything),
        _weights(kernel, queries, everything),
        _results(kernel, queries, everything),
    )
    number = len(kernel.batch) + cut
    steps = [_step(one, count, number, part.size) for one in made]
    if steps[0] is None or steps[1] is None or steps[2] is None:
        return None
    return StoredScores((steps[0], steps[1], steps[2]), (scores, weights), blocks)


def _step(kernel: Gemm | RowReduction, count: int, number: int, length: int) -> BlockStep | None:
    """``kernel`` with the parameters that it uses, of which the first ``count`` are given."""
    moves = _moves(kernel, count, number, length)
    if moves is None:
        return None
    used = used_parameters((body for _, body in bodies(kernel)), stores(kernel))
    named = replace(kernel, parameters=tuple(_as_used(kernel, n) for n in used))
    renamed = _with_numbers(named, {old: new for new, old in enumerate(used)})
    sources = tuple(n for n in used if n < count)
    tight = tighten(BoundKernel(renamed, tuple((n, 0) for n in range(len(used)))))
    assert isinstance(tight.kernel, Gemm | RowReduction)
    starts = tuple(offset for _, offset in tight.bindings)[: len(sources)]
    kept = tuple(n - count for n in used if n >= count)
    return BlockStep(tight.kernel, sources, starts, tuple(moves[n] for n in sources), kept)


def _as_used(kernel: Gemm | RowReduction, number: int) -> Parameter:
    writes = any(store.parameter == number for store in stores(kernel))
    access = ParameterAccess.WRITE if writes else ParameterAccess.READ
    return replace(kernel.parameters[number], access=access)


def _moves(
    kernel: Gemm | RowReduction, count: int, number: int, length: int
) -> dict[int, int] | None:
    """For each given parameter the elements from a block of queries to the next.

    Axis ``number`` of all bodies over rows is the one that is cut.
    """
    found: dict[int, int] = {}
    for has_rows, access in _accesses(kernel):
        if isinstance(access, IndexOf):
            if has_rows and number in access.expression.axes():
                return None
            continue
        place = flat_index(kernel.parameters[access.parameter], access.index)
        if has_rows and any(
            not isinstance(atom, Axis) and number in atom.value.axes() for atom, _ in place.terms
        ):
            return None
        move = length * place.coefficient(number) if has_rows else 0
        if access.parameter < count and found.setdefault(access.parameter, move) != move:
            return None
    return found


def _accesses(
    kernel: Gemm | RowReduction,
) -> Iterator[tuple[bool, Load | Store | IndexOf]]:
    """Everything that depends on where a point is, and whether that is by row."""
    for place, body in bodies(kernel):
        has_rows = not place.startswith("right")
        for one in body.instructions:
            if isinstance(one, Load | IndexOf):
                yield has_rows, one
    for store in stores(kernel):
        yield True, store


# ------------------------------------------------------------------------------------ the kernels


def _scores(
    kernel: Attention, queries: tuple[KernelAxis, ...], parameters: tuple[Parameter, ...]
) -> Gemm:
    rows = (*kernel.batch, *queries)
    points = (*rows, *kernel.keys)
    everywhere = tuple(axis(n) for n in range(len(points)))
    return Gemm(
        f"{kernel.name}_scores",
        parameters,
        kernel.batch,
        queries,
        kernel.keys,
        kernel.inner,
        Body((*rows, *kernel.inner), kernel.query.instructions),
        (kernel.key,),
        kernel.operand_dtype,
        Body(points, (Accumulator(0),)),
        (Store(len(kernel.parameters), everywhere, 0),),
        provenance=kernel.provenance,
    )


def _weights(
    kernel: Attention, queries: tuple[KernelAxis, ...], parameters: tuple[Parameter, ...]
) -> RowReduction:
    """exp(score - the greatest of the row) over the row's sum of these."""
    rows = (*kernel.batch, *queries)
    axes = (*rows, *kernel.keys)
    everywhere = tuple(axis(n) for n in range(len(axes)))
    read = Load(len(kernel.parameters), everywhere)
    code = tuple(read if one == Accumulator(0) else one for one in kernel.score.instructions)
    score = len(code) - 1
    power = (
        *code,
        Accumulator(0),
        Literal(-1.0, DType.F32),
        Apply(ElementwiseOp.MULTIPLY, (score + 1, score + 2)),
        Apply(ElementwiseOp.ADD, (score, score + 3)),
        Literal(_LOG2_E, DType.F32),
        Apply(ElementwiseOp.MULTIPLY, (score + 4, score + 5)),
        Apply(ElementwiseOp.EXP2, (score + 6,)),
    )
    weight = (
        *power,
        Accumulator(1),
        Apply(ElementwiseOp.RECIPROCAL, (score + 8,)),
        Apply(ElementwiseOp.MULTIPLY, (score + 7, score + 9)),
    )
    stored = Store(len(kernel.parameters) + 1, everywhere, score + 10)
    return RowReduction(
        f"{kernel.name}_weights",
        parameters,
        rows,
        (
            Phase(Body(axes, code), (Reduction(ReduceOp.MAXIMUM, score),)),
            Phase(Body(axes, power), (Reduction(ReduceOp.SUM, score + 7),)),
            Phase(Body(axes, weight), (), (stored,)),
        ),
        provenance=kernel.provenance,
    )


def _results(
    kernel: Attention, queries: tuple[KernelAxis, ...], parameters: tuple[Parameter, ...]
) -> Gemm:
    rows = (*kernel.batch, *queries)
    b, k, c = len(kernel.batch), len(kernel.keys), len(kernel.channels)
    read = Load(len(kernel.parameters) + 1, tuple(axis(n) for n in range(len(rows) + k)))
    # The values' axes are batch, keys, channels; those of a right side batch, columns, inner.
    axes = (*kernel.batch, *kernel.channels, *kernel.keys)
    place = [
        *(axis(n) for n in range(b)),
        *(axis(b + c + n) for n in range(k)),
        *(axis(b + n) for n in range(c)),
    ]
    return Gemm(
        f"{kernel.name}_results",
        parameters,
        kernel.batch,
        queries,
        kernel.channels,
        kernel.keys,
        Body((*rows, *kernel.keys), (read,)),
        (moved_body(kernel.value, axes, place),),
        kernel.operand_dtype,
        Body((*rows, *kernel.channels), kernel.epilogue.instructions),
        kernel.stores,
        provenance=kernel.provenance,
    )


def _with_numbers(kernel: Gemm | RowReduction, numbers: dict[int, int]) -> Gemm | RowReduction:
    """``kernel`` with its parameters by their new numbers."""

    def body(old: Body) -> Body:
        return replace(
            old,
            instructions=tuple(
                replace(one, parameter=numbers[one.parameter]) if isinstance(one, Load) else one
                for one in old.instructions
            ),
        )

    def store(old: Store) -> Store:
        return replace(old, parameter=numbers[old.parameter])

    if isinstance(kernel, Gemm):
        return replace(
            kernel,
            left=body(kernel.left),
            right=tuple(map(body, kernel.right)),
            epilogue=body(kernel.epilogue),
            stores=tuple(map(store, kernel.stores)),
        )
    return replace(
        kernel,
        phases=tuple(
            replace(phase, body=body(phase.body), stores=tuple(map(store, phase.stores)))
            for phase in kernel.phases
        ),
    )
