"""Products whose tiles do not fill the chip, cut along what they sum over into two launches.

Each part of the inner axes is a product of its own, a batch of the first launch, whose sums are
stored in f32; the second launch adds the parts in order and does the epilogue. So results are the
same in every run. Where it is faster by the cost model, programs are rewritten so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, scale
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Body,
    Buffer,
    BufferKind,
    Gemm,
    Instruction,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
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
    moved_stores,
    read_only,
    used_parameters,
)
from lumc.lowering.scalar_code import row_major

_PARTS = (2, 3, 4, 6, 8)
# A part has at least so many inner points, in whole lines of memory.
_LEAST_INNER = 512
_LINE = 64
# A product of fewer rows stays whole.
_LEAST_ROWS = 64
# What two launches must gain, as the model is no more exact than this.
_WORTHWHILE = 0.95


@dataclass(frozen=True, slots=True)
class SplitProduct:
    """A product in two launches.

    ``sources`` and ``taken`` say which of the kernel's parameters the two take first; behind those
    both take the parts' sums, a tensor for each right side.
    """

    parts: Gemm
    sources: tuple[int, ...]
    whole: Pointwise
    taken: tuple[int, ...]


def split_products(
    program: KernelProgram, microseconds: Callable[[Kernel], float]
) -> KernelProgram:
    """``program`` with the products in two launches that are faster so."""
    found = {
        number: split
        for number, kernel in enumerate(program.kernels)
        if isinstance(kernel, Gemm) and (split := best_split(kernel, microseconds))
    }
    buffers, kernels = list(program.buffers), list(program.kernels)
    wholes: dict[int, int] = {}
    for number, split in found.items():
        kernels[number] = split.parts
        wholes[number] = len(kernels)
        kernels.append(split.whole)

    def bound(launch: Launch) -> Iterator[Launch]:
        if launch.kernel not in found:
            yield launch
            return
        split, given = found[launch.kernel], launch.arguments
        sums = []
        for parameter in split.parts.parameters[len(split.sources) :]:
            sums.append(Argument(len(buffers)))
            name = f"{parameter.name} {len(buffers)}"
            buffer = Buffer(name, BufferKind.INTERMEDIATE, parameter.dtype, parameter.shape)
            buffers.append(buffer)
        yield replace(launch, arguments=(*(given[n] for n in split.sources), *sums))
        arguments = (*(given[n] for n in split.taken), *sums)
        yield replace(launch, kernel=wholes[launch.kernel], arguments=arguments)

    prepare = tuple(one for launch in program.prepare for one in bound(launch))
    launches = tuple(one for launch in program.launches for one in bound(launch))
    return replace(
        program,
        buffers=tuple(buffers),
        kernels=tuple(kernels),
        prepare=prepare,
        launches=launches,
    )


def best_split(kernel: Gemm, microseconds: Callable[[Kernel], float]) -> SplitProduct | None:
    """The fastest way to cut the inner axes of ``kernel``, if one is faster than not to."""
    if kernel.tile is not None or kernel.library is not None or size(kernel.rows) < _LEAST_ROWS:
        return None
    best, least = None, microseconds(kernel) * _WORTHWHILE
    for parts in _PARTS:
        split = split_inner(kernel, parts)
        if split is None:
            continue
        cost = microseconds(split.parts) + microseconds(split.whole)
        if cost < least:
            best, least = split, cost
    return best


def split_inner(kernel: Gemm, parts: int) -> SplitProduct | None:
    """``kernel`` with its longest inner axis in so many equal parts.

    None where these are not whole lines of memory.
    """
    sized = [n for n, inner in enumerate(kernel.inner) if inner.size > 1]
    if not sized or any(store.combine is not None for store in kernel.stores):
        return None
    cut = max(sized, key=lambda n: kernel.inner[n].size)
    chunk, rest = divmod(kernel.inner[cut].size, parts)
    if rest or chunk % _LINE or size(kernel.inner) // parts < _LEAST_INNER:
        return None
    points = (*kernel.batch, *kernel.rows, *kernel.columns)
    shape = (parts, *(a.size for a in points))
    names = {parameter.name for parameter in kernel.parameters}
    sums = tuple(_dense(fresh_name(f"parts{n}", names), shape) for n in range(len(kernel.right)))
    made, sources = _parts(kernel, cut, chunk, sums)
    whole, taken = _whole(kernel, parts, sums)
    return SplitProduct(made, sources, whole, taken)


def _dense(name: str, shape: tuple[int, ...]) -> Parameter:
    return Parameter(name, DType.F32, shape, row_major(shape), ParameterAccess.WRITE)


# ------------------------------------------------------------------------------------------- parts


def _parts(
    kernel: Gemm, cut: int, chunk: int, sums: Sequence[Parameter]
) -> tuple[Gemm, tuple[int, ...]]:
    """The product of each part, and which of the kernel's parameters it takes."""
    used = used_parameters((kernel.left, *kernel.right))
    numbers = {old: new for new, old in enumerate(used)}
    part = KernelAxis("part", sums[0].shape[0])
    inner = tuple(replace(a, size=chunk) if n == cut else a for n, a in enumerate(kernel.inner))
    batch = (part, *kernel.batch)

    def moved(body: Body, outer: tuple[KernelAxis, ...]) -> Body:
        place = [axis(n + 1) for n in range(len(body.axes))]
        at = len(kernel.batch) + len(outer) + cut
        place[at] = add(place[at], scale(axis(0), chunk))
        return moved_body(body, (*batch, *outer, *inner), place, numbers)

    points = (*batch, *kernel.rows, *kernel.columns)
    everywhere = tuple(axis(n) for n in range(len(points)))
    made = replace(
        kernel,
        name=f"{kernel.name}_parts",
        parameters=(*(read_only(kernel.parameters[n]) for n in used), *sums),
        batch=batch,
        inner=inner,
        left=moved(kernel.left, kernel.rows),
        right=tuple(moved(body, kernel.columns) for body in kernel.right),
        epilogue=Body(points, tuple(Accumulator(n) for n in range(len(sums)))),
        stores=tuple(Store(len(used) + n, everywhere, n) for n in range(len(sums))),
    )
    return made, used


# ------------------------------------------------------------------------------------------- whole


def _whole(
    kernel: Gemm, parts: int, sums: Sequence[Parameter]
) -> tuple[Pointwise, tuple[int, ...]]:
    """What adds the parts and does the epilogue, and the kernel's parameters that it takes."""
    used = used_parameters((kernel.epilogue,), kernel.stores)
    numbers = {old: new for new, old in enumerate(used)}
    points = tuple(axis(n) for n in range(len(kernel.epilogue.axes)))
    code: list[Instruction] = []
    totals = []
    for n in range(len(sums)):
        for part in range(parts):
            code.append(Load(len(used) + n, (IndexExpression(part), *points)))
            if part > 0:
                code.append(Apply(ElementwiseOp.ADD, (len(code) - 2, len(code) - 1)))
        totals.append(len(code) - 1)
    place = append_epilogue(code, kernel.epilogue, totals, numbers)
    stores = moved_stores(kernel.stores, place, numbers)
    parameters = (*(kernel.parameters[n] for n in used), *map(read_only, sums))
    body = Body(kernel.epilogue.axes, tuple(code))
    name = f"{kernel.name}_whole"
    return Pointwise(name, parameters, body, stores, kernel.provenance), used
