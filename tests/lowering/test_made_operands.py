"""Programs get kernels, buffers and launches for what libraries want and nobody has."""

from dataclasses import replace

import numpy as np

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Argument,
    Attention,
    Buffer,
    BufferKind,
    Gemm,
    KernelProgram,
    Launch,
    ParameterAccess,
)
from lumc.lowering.kernel_reference import run_launch
from lumc.lowering.library_attention import library_attention
from lumc.lowering.library_convolution import library_convolution
from lumc.lowering.made_operands import make_operands
from lumc.lowering.program_verifier import verify_program
from tests.lowering.library_meaning import attended, convolved, view
from tests.lowering.test_library_attention import KERNELS
from tests.lowering.test_library_convolution import WINDOWS
from tests.strategies.kernels import random_arrays


def called(kernel: Gemm | Attention) -> Gemm | Attention:
    if isinstance(kernel, Gemm):
        return replace(kernel, tile=None, library=library_convolution(kernel))
    return replace(kernel, tile=None, library=library_attention(kernel))


def program(
    kernel: Gemm | Attention, kinds: dict[str, BufferKind], launches: int = 2
) -> KernelProgram:
    """``kernel`` launched so often, on the same inputs, each time with an output of its own."""
    buffers, arguments = [], []
    for number, parameter in enumerate(kernel.parameters):
        if parameter.access is ParameterAccess.READ:
            kind = kinds.get(parameter.name, BufferKind.INPUT)
            arguments.append(number)
            buffers.append(Buffer(parameter.name, kind, parameter.dtype, parameter.shape))
        else:
            arguments.append(-1)
            buffers.append(Buffer("unused", BufferKind.INTERMEDIATE, parameter.dtype, (1,)))
    made = []
    for number in range(launches):
        (output,) = [p for p in kernel.parameters if p.access is not ParameterAccess.READ]
        buffers.append(Buffer(f"out {number}", BufferKind.OUTPUT, output.dtype, output.shape))
        places = (len(buffers) - 1 if n < 0 else n for n in arguments)
        made.append(Launch(0, tuple(Argument(place) for place in places)))
    return KernelProgram("p", tuple(buffers), (), (called(kernel),), (), tuple(made))


def kinds(found: KernelProgram) -> list[str]:
    return [found.kernels[launch.kernel].name for launch in found.launches]


def test_weights_are_laid_out_once_after_they_are_loaded() -> None:
    found = make_operands(program(WINDOWS["in a line"], {"w": BufferKind.WEIGHT}))
    verify_program(found)
    assert [found.kernels[launch.kernel].name for launch in found.prepare] == ["weight"]
    assert len(found.launches) == 2
    assert [b.name for b in found.buffers if b.kind is BufferKind.PREPARED] == ["weight 0"]


def test_what_depends_on_a_step_is_made_in_every_step_but_once_for_all() -> None:
    found = make_operands(program(KERNELS["chosen"], {}))
    verify_program(found)
    assert kinds(found) == ["bias", "attention", "attention"]
    assert not found.prepare


def test_what_is_changed_in_between_is_made_again() -> None:
    before = program(WINDOWS["enlarged"], {}, launches=3)
    # The second launch writes what the third one reads.
    out, image = before.launches[1].arguments[-1].buffer, before.launches[0].arguments[0].buffer
    buffers = list(before.buffers)
    image_buffer = buffers[image]
    buffers[out] = replace(buffers[out], kind=BufferKind.INTERMEDIATE)
    buffers[image] = replace(image_buffer, name="small")
    moved = list(before.launches)
    moved[2] = replace(moved[2], arguments=(Argument(out), *moved[2].arguments[1:]))
    changed = replace(before, buffers=tuple(buffers), launches=tuple(moved))
    found = make_operands(changed)
    assert kinds(found) == ["picture", "conv", "conv", "picture", "conv"]


def test_made_operands_hold_what_the_call_reads() -> None:
    for name, kernel in (("enlarged", WINDOWS["enlarged"]), ("mask", KERNELS["chosen"])):
        found = make_operands(program(kernel, {}, launches=1))
        verify_program(found)
        arrays = random_arrays(kernel, 3)
        if name == "mask":
            arrays[4][...] = True
        memory = [np.zeros(int(np.prod(b.shape)), b.dtype.numpy) for b in found.buffers]
        for launch in found.launches:
            reader = found.kernels[launch.kernel]
            for argument, parameter in zip(launch.arguments, reader.parameters, strict=True):
                given = [p.name for p in kernel.parameters if p.access is ParameterAccess.READ]
                if found.buffers[argument.buffer].kind is BufferKind.INPUT:
                    place = [p.name for p in kernel.parameters].index(parameter.name)
                    assert parameter.name in given
                    memory[argument.buffer] = arrays[place][: memory[argument.buffer].size]
        for launch in found.launches:
            run_launch(found, launch, memory)
        last = found.launches[-1]
        reader = found.kernels[last.kernel]
        handed = [memory[argument.buffer] for argument in last.arguments]
        assert isinstance(reader, Gemm | Attention)
        call = reader.library
        assert call is not None
        if isinstance(reader, Attention):
            assert reader.library is not None
            made = attended(reader.library, handed)
            wanted = view(reader.library.output, made.shape, handed)
        else:
            made = convolved(call, handed)  # type: ignore[arg-type]
            wanted = view(call.output, made.shape, handed)
        np.testing.assert_allclose(made, wanted, rtol=2e-2, atol=5e-2)


def test_programs_without_calls_stay_as_they_are() -> None:
    plain = program(WINDOWS["plain"], {})
    assert make_operands(plain) is plain
    assert DType.BF16 in {buffer.dtype for buffer in plain.buffers}
