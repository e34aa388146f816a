"""Makes the kernels that ``h200.py`` checks: random ones, and the families at awkward sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

from benchmarks.kernel_cases import CALLS_FILE, KERNELS_FILE, Array, KernelCase, write_cases
from lumc.codegen.assemble_plan import plan_call
from lumc.codegen.emit import emit_call, emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Gemm,
    Kernel,
    Load,
    ParameterAccess,
    Shares,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.library_attention import library_attention
from lumc.lowering.library_convolution import library_convolution
from lumc.lowering.library_kernels import library_product
from lumc.lowering.made_operands import made_operands, with_made_parameters
from lumc.lowering.select_tiles import with_tile
from lumc.lowering.tiles import attention_tiles, gemm_tiles
from tests.codegen import sample_kernels as sample
from tests.lowering.library_meaning import with_made
from tests.lowering.test_library_attention import KERNELS as MASKED
from tests.lowering.test_library_convolution import WINDOWS
from tests.strategies.kernels import kernels, random_arrays

_ALIGNED = 256


def make_cases(target: str, folder: Path, random_kernels: int) -> None:
    """Write the cases for ``target``: generated kernels, and calls of the vendor's libraries."""
    chosen = [*_families(target), *_random(random_kernels)]
    cases = [_case(kernel, target, number) for number, kernel in enumerate(chosen)]
    write_cases(cases, folder / KERNELS_FILE)
    called = [found for found in map(_called, (*chosen, *_library_kernels())) if found is not None]
    calls = [_call_case(kernel, number) for number, kernel in enumerate(called)]
    write_cases(calls, folder / CALLS_FILE)
    print(f"{len(cases)} kernels, {len(calls)} calls of libraries", flush=True)


def _library_kernels() -> Iterator[Kernel]:
    """What libraries do, in every orientation and at sizes that are no multiple of their tiles."""
    for dtype in (DType.BF16, DType.F16):
        for rows, columns, inner in ((77, 136, 72), (1, 40, 1000), (72, 136, 136), (8, 8, 8)):
            for left in (False, True):
                for right in (False, True):
                    for batch in (1, 3):
                        yield sample.linear(
                            rows,
                            columns,
                            inner,
                            dtype,
                            left_transposed=left,
                            right_transposed=right,
                            batch=batch,
                        )
            yield _added_to(sample.linear(rows, columns, inner, dtype), rows, columns)
            yield _added_to(sample.linear(rows, columns, inner, dtype), 1, columns)
        for heads, queries, keys, width in ((3, 77, 130, 64), (2, 1, 9, 128), (3, 140, 140, 80)):
            yield sample.attention(heads, queries, keys, width, width, dtype)
        yield sample.attention(8, 150, 150, 128, 128, dtype, groups=4, mask="causal")
        yield sample.attention(2, 65, 200, 256, 192, dtype)
        for channels, outputs, stride in ((16, 24, 1), (64, 128, 1), (128, 72, 2)):
            yield sample.convolution(23, 37, channels, outputs, dtype, stride=stride)
    yield from MASKED.values()
    yield from WINDOWS.values()


def _called(kernel: Kernel) -> Gemm | Attention | None:
    """``kernel`` done by a library, if one does it; with a plain sum at least."""
    match kernel:
        case Gemm():
            if (window := library_convolution(kernel)) is not None:
                return replace(kernel, tile=None, library=window)
            for candidate in (kernel, _plain(kernel)):
                product = library_product(candidate)
                # cuBLASLt has no number for each column.
                if product is not None and product.gate is None:
                    return replace(candidate, tile=None, library=product)
        case Attention():
            if (attention := library_attention(kernel)) is not None:
                return replace(kernel, tile=None, library=attention)
        case _:
            pass
    return None


def _added_to(kernel: Gemm, rows: int, columns: int) -> Gemm:
    """``kernel`` with its sum added to a matrix, or to one row for all."""
    row = axis(len(kernel.batch)) if rows > 1 else constant(0)
    addend = sample.dense("addend", kernel.operand_dtype, rows, columns)

    load = Load(len(kernel.parameters), (row, axis(len(kernel.batch) + 1)))
    add = Apply(ElementwiseOp.ADD, (0, 1))
    store = replace(kernel.stores[0], value=2, predicate=None, computed=())
    return replace(
        kernel,
        parameters=(*kernel.parameters, addend),
        epilogue=replace(kernel.epilogue, instructions=(Accumulator(0), load, add)),
        stores=(store,),
    )


def _plain(kernel: Gemm) -> Gemm:
    """``kernel`` with nothing done to its first sum but that it is stored."""
    store = replace(kernel.stores[0], value=0, predicate=None, computed=())
    body = replace(kernel.epilogue, instructions=(Accumulator(0),))
    return replace(kernel, right=kernel.right[:1], epilogue=body, stores=(store,))


def _families(target: str) -> Iterator[Kernel]:
    chip = chip_for(target)
    for dtype in (DType.BF16, DType.F16, DType.F32):
        yield sample.modulated(33, 72, dtype)
        yield sample.transposed(37, 53, dtype)
        yield sample.padded(19, 3, dtype)
        yield sample.layer_norm(9, 1111, dtype)
        yield sample.rope_in_place(21, 3, 64, dtype)
        yield sample.gated_pair(150, 200, 96, dtype)
        for rows, columns, inner in ((77, 130, 72), (200, 136, 200), (1, 40, 1000), (257, 129, 65)):
            yield sample.linear(rows, columns, inner, dtype)
        for tile in gemm_tiles(chip, dtype, 1):
            yield sample.linear(150, 170, 144, dtype, tile=tile)
            # Tiles that workgroups share: runs of steps, and equal parts.
            for shares in (Shares(5), Shares(4)):
                shared = replace(tile, shares=shares)
                yield sample.linear(150, 170, 264, dtype, tile=shared)
        yield sample.linear(70, 90, 130, dtype, left_transposed=True)
        yield sample.linear(70, 90, 130, dtype, right_transposed=True, batch=3)
        for mask in ("none", "causal"):
            yield sample.attention(3, 77, 130, 64, 64, dtype, mask=mask)
        yield sample.attention(4, 100, 200, 128, 128, dtype, groups=2)
        yield sample.attention(2, 65, 65, 40, 24, dtype)
        for cut in attention_tiles(chip, dtype, 32, 32):
            yield sample.attention(2, 70, 66, 32, 32, dtype, tile=cut)
    yield sample.column_sum(300, 70)


def _random(count: int) -> list[Kernel]:
    found: list[Kernel] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(kernels())
    def collect(kernel: Kernel) -> None:
        found.append(kernel)

    collect()
    return found


def _case(kernel: Kernel, target: str, seed: int) -> KernelCase:
    chosen = with_tile(kernel, chip_for(target))
    verify_kernel(chosen)
    emitted = emit_kernel(chosen, target_named(target), [_ALIGNED] * len(kernel.parameters))
    before = random_arrays(chosen, seed, tail=5)
    after = [array.copy() for array in before]
    run_kernel(chosen, after)
    return KernelCase(
        name=f"{kernel.name} ({type(kernel).__name__})",
        symbol=emitted.symbol,
        unit=emitted.unit,
        call=None,
        grid=emitted.grid,
        block=emitted.block,
        dtypes=tuple(parameter.dtype.value for parameter in kernel.parameters),
        reads_only=tuple(p.access is ParameterAccess.READ for p in kernel.parameters),
        before=tuple(before),
        after=_kept(kernel, before, after),
        meeting=emitted.meeting,
    )


def _kept(kernel: Kernel, before: list[Array], after: list[Array]) -> tuple[Array, ...]:
    """``after``, but what was only read is the same object as before: it travels once."""
    return tuple(
        old if parameter.access is ParameterAccess.READ else new
        for parameter, old, new in zip(kernel.parameters, before, after, strict=True)
    )


def _call_case(kernel: Gemm | Attention, seed: int) -> KernelCase:
    ready = with_made_parameters(kernel)
    assert isinstance(ready, Gemm | Attention)
    emitted = emit_call(ready)
    before = random_arrays(kernel, seed, tail=5)
    for array, parameter in zip(before, kernel.parameters, strict=True):
        if parameter.name == "mask":
            # Every query keeps a key: one that keeps none has no meaning.
            array.reshape(-1)[:: parameter.shape[-1]] = 1
    after = [array.copy() for array in before]
    run_kernel(kernel, after)
    made = with_made(kernel, made_operands(kernel), before)[len(before) :]
    return KernelCase(
        name=f"{kernel.name} {ready.library}",
        symbol=emitted.symbol,
        unit=None,
        call=plan_call(emitted),
        grid=(1, 1, 1),
        block=(1, 1, 1),
        dtypes=tuple(parameter.dtype.value for parameter in ready.parameters),
        reads_only=tuple(p.access is ParameterAccess.READ for p in ready.parameters),
        before=(*before, *made),
        after=(*_kept(kernel, before, after), *made),
    )
