"""Tensors that libraries want and nobody has: how they are described, and how a program gets them.

Weights laid out as a library likes them are made once after they are loaded; what depends on a
step's inputs is made in every step, and once for all launches that want the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, axis, substitute
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    LibraryAttention,
    LibraryConvolution,
    LibraryProduct,
    Literal,
    Load,
    MadeOperand,
    Parameter,
    ParameterAccess,
    Pointwise,
    Provenance,
    Store,
    Strided,
)

# ------------------------------------------------------------------------------- what is to be made


def operands_of(instruction: Instruction) -> tuple[int, ...]:
    """The earlier values that ``instruction`` reads."""
    match instruction:
        case Literal() | IndexOf() | Accumulator():
            return ()
        case Load(computed=computed, predicate=predicate):
            return computed if predicate is None else (*computed, predicate)
        case Apply(operands=operands):
            return operands
        case Convert(operand=operand):
            return (operand,)
        case _:
            assert_never(instruction)


def needed(code: Sequence[Instruction], value: int) -> tuple[int, ...]:
    """``value`` and all values that it is made of, in order."""
    found, waiting = set(), [value]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += operands_of(code[number])
    return tuple(sorted(found))


def axes_read(code: Sequence[Instruction], value: int, rank: int) -> frozenset[int]:
    """Which of ``rank`` axes have a say in ``value``."""
    found: set[int] = set()
    for number in needed(code, value):
        match code[number]:
            case IndexOf(expression):
                found |= expression.axes()
            case Load(index=index):
                found |= {n for entry in index for n in entry.axes() if n < rank}
            case _:
                pass
    return frozenset(found)


def made_operand(
    kernel: Gemm | Attention,
    name: str,
    code: Sequence[Instruction],
    value: int,
    axes: Sequence[KernelAxis],
    places: Sequence[IndexExpression],
    dtype: DType | None = None,
) -> MadeOperand:
    """The tensor of ``value`` over ``axes``, dense, of ``dtype`` or the type of the operands.

    ``places`` gives the axes that ``code`` is written over, as expressions over ``axes``.
    """
    kept = needed(code, value)
    numbers = {number: n for n, number in enumerate(kept)}
    sources = tuple(sorted({one.parameter for n in kept if isinstance(one := code[n], Load)}))
    parameters = [replace(kernel.parameters[n], access=ParameterAccess.READ) for n in sources]
    moved = [_moved(code[n], numbers, sources, places, axes) for n in kept]
    shape = tuple(one.size for one in axes)
    strides = tuple(math.prod(shape[n + 1 :]) for n in range(len(shape)))
    stored = dtype or kernel.operand_dtype
    made = Parameter(name, stored, shape, strides, ParameterAccess.WRITE)
    store = Store(len(sources), tuple(axis(n) for n in range(len(axes))), numbers[value])
    pointwise = Pointwise(
        name,
        (*parameters, made),
        Body(tuple(axes), tuple(moved)),
        (store,),
        Provenance(kernel.provenance.spans, kernel.provenance.labels),
    )
    return MadeOperand(sources, pointwise)


def _moved(
    instruction: Instruction,
    numbers: dict[int, int],
    sources: tuple[int, ...],
    places: Sequence[IndexExpression],
    axes: Sequence[KernelAxis],
) -> Instruction:
    """``instruction`` over ``axes``, with values and parameters by their new numbers."""
    match instruction:
        case Literal() | Accumulator():
            return instruction
        case IndexOf(expression):
            return IndexOf(substitute(expression, places, [one.size for one in axes]))
        case Load():
            return _moved_load(instruction, numbers, sources, places, axes)
        case Apply(op, operands):
            return Apply(op, tuple(numbers[n] for n in operands))
        case Convert(operand, dtype):
            return Convert(numbers[operand], dtype)
        case _:
            assert_never(instruction)


def _moved_load(
    load: Load,
    numbers: dict[int, int],
    sources: tuple[int, ...],
    places: Sequence[IndexExpression],
    axes: Sequence[KernelAxis],
) -> Load:
    # Behind the axes stand the values that are computed when it runs, of any size.
    behind = [axis(len(axes) + n) for n in range(len(load.computed))]
    sizes = [*(one.size for one in axes), *(1 << 31 for _ in behind)]
    index = tuple(substitute(entry, (*places, *behind), sizes) for entry in load.index)
    return Load(
        sources.index(load.parameter),
        index,
        tuple(numbers[n] for n in load.computed),
        None if load.predicate is None else numbers[load.predicate],
    )


# ----------------------------------------------------------------------------- what a library reads


def library_sides(kernel: Kernel) -> tuple[Strided, ...]:
    """The tensors that the library's call in place of ``kernel`` reads and writes."""
    match kernel:
        case Gemm(library=LibraryProduct() as call):
            sides: Iterable[Strided | None] = (
                *(call.left, call.right, call.output),
                *(call.addend, call.gate),
            )
        case Gemm(library=LibraryConvolution() as call):
            sides = (call.image, call.weight, call.output, call.bias, call.addend)
        case Attention(library=LibraryAttention() as call):
            sides = (call.query, call.key, call.value, call.output, call.bias)
        case _:
            sides = ()
    return tuple(side for side in sides if side is not None)


def made_operands(kernel: Kernel) -> tuple[MadeOperand, ...]:
    """What has to be made for the library's call in place of ``kernel``."""
    match kernel:
        case (
            Gemm(library=LibraryProduct(made=made) | LibraryConvolution(made=made))
            | Attention(library=LibraryAttention(made=made))
        ):
            return made
        case _:
            return ()


# ---------------------------------------------------------------------------------------- the pass


def make_operands(program: KernelProgram) -> KernelProgram:
    """``program`` with a kernel, buffers and launches for every operand that has to be made."""
    if not any(map(made_operands, program.kernels)):
        return program
    return _Maker(program).result()


class _Maker:
    def __init__(self, program: KernelProgram) -> None:
        self._program = program
        self._buffers = list(program.buffers)
        self._kernels = [with_made_parameters(kernel) for kernel in program.kernels]
        self._numbers: dict[Pointwise, int] = {}
        self._names = {buffer.name for buffer in program.buffers}
        self._prepare = list(program.prepare)
        self._launches: list[Launch] = []
        # By what makes it and of what: the buffer that holds it now.
        self._known: dict[tuple[int, tuple[Argument, ...]], int] = {}

    def result(self) -> KernelProgram:
        self._prepare = []
        for launch in self._program.prepare:
            self._take(launch, self._prepare)
        self._known.clear()
        for launch in self._program.launches:
            self._take(launch, self._launches)
        return replace(
            self._program,
            buffers=tuple(self._buffers),
            kernels=tuple(self._kernels),
            prepare=tuple(self._prepare),
            launches=tuple(self._launches),
        )

    def _take(self, launch: Launch, into: list[Launch]) -> None:
        kernel = self._program.kernels[launch.kernel]
        extra = tuple(
            Argument(self._buffer(made, launch, into is self._prepare))
            for made in made_operands(kernel)
        )
        into.append(replace(launch, arguments=launch.arguments + extra))
        written = {
            argument.buffer
            for argument, parameter in zip(launch.arguments, kernel.parameters, strict=True)
            if parameter.access is not ParameterAccess.READ
        }
        self._known = {
            (number, sources): buffer
            for (number, sources), buffer in self._known.items()
            if not written.intersection(source.buffer for source in sources)
        }

    def _buffer(self, made: MadeOperand, launch: Launch, preparing: bool) -> int:
        """The buffer with ``made`` for ``launch``: one that is there already, if there is one."""
        number = self._number(made.kernel)
        sources = tuple(launch.arguments[n] for n in made.sources)
        if (number, sources) in self._known:
            return self._known[number, sources]
        once = preparing or all(self._is_constant(source.buffer) for source in sources)
        kind = BufferKind.PREPARED if once else BufferKind.INTERMEDIATE
        parameter = made.kernel.parameters[-1]
        buffer = len(self._buffers)
        name = self._unique(f"{made.kernel.name} {launch.arguments[0].buffer}")
        self._buffers.append(Buffer(name, kind, parameter.dtype, parameter.shape))
        making = Launch(number, (*sources, Argument(buffer)), launch.provenance)
        (self._prepare if once else self._launches).append(making)
        self._known[number, sources] = buffer
        return buffer

    def _is_constant(self, buffer: int) -> bool:
        kinds = (BufferKind.WEIGHT, BufferKind.TABLE, BufferKind.PREPARED)
        return self._program.buffers[buffer].kind in kinds

    def _number(self, kernel: Pointwise) -> int:
        if kernel not in self._numbers:
            self._numbers[kernel] = len(self._kernels)
            self._kernels.append(kernel)
        return self._numbers[kernel]

    def _unique(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._names:
            name, number = f"{wanted} {number}", number + 1
        self._names.add(name)
        return name


def with_made_parameters(kernel: Kernel) -> Kernel:
    """``kernel`` with a parameter for every operand that is made for it."""
    made = made_operands(kernel)
    extra = tuple(replace(one.kernel.parameters[-1], access=ParameterAccess.READ) for one in made)
    parameters = kernel.parameters + extra
    match kernel:
        case Gemm(library=LibraryConvolution() as convolution) if made:
            library = replace(convolution, made=())
            return replace(kernel, parameters=parameters, library=library)
        case Attention(library=LibraryAttention() as attention) if made:
            return replace(kernel, parameters=parameters, library=replace(attention, made=()))
        case _:
            return kernel
