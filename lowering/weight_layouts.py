"""Weights laid out anew, once after they are loaded, where a product could stream them then.

A convolution's weight comes with its window's axes last; the product runs along its channels. What
is read in every step is worth a copy that lies as it is read.
"""

from __future__ import annotations

from dataclasses import replace

from lumc.dsl.index_expression import axis
from lumc.lowering.chips import Chip
from lumc.lowering.cost import best_product
from lumc.lowering.kernel_program import (
    Argument,
    Body,
    Buffer,
    BufferKind,
    Gemm,
    GemmTile,
    KernelAxis,
    KernelProgram,
    Launch,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from lumc.lowering.layouts import Order, dense_strides
from lumc.lowering.streamed_products import dense_axes, is_streamed, streamed_load

_CONSTANT = frozenset({BufferKind.WEIGHT, BufferKind.PREPARED, BufferKind.TABLE})


def lay_out_weights(program: KernelProgram, chip: Chip) -> KernelProgram:
    """``program`` with copies of weights for the products that stream them then on ``chip``."""
    return _Layouts(program, chip).result()


class _Layouts:
    def __init__(self, program: KernelProgram, chip: Chip) -> None:
        self._program = program
        self._chip = chip
        self._buffers = list(program.buffers)
        self._kernels = list(program.kernels)
        self._prepare = list(program.prepare)
        # By what is copied and how it lies then: the copy.
        self._copies: dict[tuple[Argument, Parameter, Order], int] = {}

    def result(self) -> KernelProgram:
        orders = {
            number: found
            for number, kernel in enumerate(self._program.kernels)
            if isinstance(kernel, Gemm) and (found := self._orders(number, kernel))
        }
        launches = [
            self._bound(launch, orders.get(launch.kernel, {})) for launch in self._program.launches
        ]
        for number, found in orders.items():
            kernel = self._program.kernels[number]
            assert isinstance(kernel, Gemm)
            self._kernels[number] = _with_orders(kernel, found)
        return replace(
            self._program,
            buffers=tuple(self._buffers),
            kernels=tuple(self._kernels),
            prepare=tuple(self._prepare),
            launches=tuple(launches),
        )

    def _orders(self, number: int, kernel: Gemm) -> dict[int, Order]:
        """How parameters of ``kernel`` should lie, by number; none where that gains nothing."""
        if is_streamed(kernel) or not isinstance(best_product(kernel, self._chip)[0], GemmTile):
            return {}
        for inner in range(len(kernel.inner)):
            orders = _orders_along(kernel, inner)
            if not orders or not all(self._is_constant(number, n) for n in orders):
                continue
            if is_streamed(_with_orders(kernel, orders)):
                return orders
        return {}

    def _is_constant(self, kernel: int, parameter: int) -> bool:
        """True when every launch gives this parameter something that no step changes."""
        if any(launch.kernel == kernel for launch in self._program.prepare):
            return False
        return all(
            self._program.buffers[launch.arguments[parameter].buffer].kind in _CONSTANT
            for launch in self._program.launches
            if launch.kernel == kernel
        )

    def _bound(self, launch: Launch, orders: dict[int, Order]) -> Launch:
        """``launch`` with copies for the parameters that lie in other orders."""
        arguments = list(launch.arguments)
        parameters = self._program.kernels[launch.kernel].parameters
        for number, order in orders.items():
            copy = self._copy(arguments[number], parameters[number], order)
            arguments[number] = Argument(copy)
        return replace(launch, arguments=tuple(arguments))

    def _copy(self, source: Argument, parameter: Parameter, order: Order) -> int:
        # Called alike, so that weights of one shape share a copy's kernel, whoever reads them.
        parameter = replace(parameter, name="weight")
        key = (source, parameter, order)
        if key not in self._copies:
            old = self._buffers[source.buffer]
            shape = tuple(parameter.shape[n] for n in order)
            name = f"{old.name} laid out {len(self._copies)}"
            self._copies[key] = len(self._buffers)
            self._buffers.append(Buffer(name, BufferKind.PREPARED, parameter.dtype, shape))
            copying = _copying(parameter, order)
            if copying not in self._kernels:
                self._kernels.append(copying)
            arguments = (source, Argument(self._copies[key]))
            self._prepare.append(Launch(self._kernels.index(copying), arguments))
        return self._copies[key]


def _orders_along(kernel: Gemm, inner: int) -> dict[int, Order]:
    """The orders in which parameters are dense along this inner axis that are not so yet."""
    batch = len(kernel.batch)
    firsts = [batch + len(kernel.rows), *[batch + len(kernel.columns)] * len(kernel.right)]
    operands = zip((kernel.left, *kernel.right), firsts, dense_axes(kernel), strict=True)
    orders: dict[int, Order] = {}
    for body, first, dense in operands:
        if inner in dense:
            continue
        found = streamed_load(body, kernel.parameters, kernel.operand_dtype)
        if found is None:
            return {}
        load = found[1]
        places = [n for n, entry in enumerate(load.index) if entry.bare_axis == first + inner]
        if not places:
            return {}
        rank = len(load.index)
        orders[load.parameter] = (*(n for n in range(rank) if n != places[0]), places[0])
    return orders


def _with_orders(kernel: Gemm, orders: dict[int, Order]) -> Gemm:
    parameters = list(kernel.parameters)
    for number, order in orders.items():
        strides = dense_strides(parameters[number].shape, order)
        parameters[number] = replace(parameters[number], strides=strides)
    return replace(kernel, parameters=tuple(parameters))


def _copying(parameter: Parameter, order: Order) -> Pointwise:
    """The kernel that copies ``parameter`` to a dense tensor whose axes lie in ``order``."""
    shape = parameter.shape
    axes = tuple(KernelAxis(f"i{n}", shape[n]) for n in order)
    place = tuple(axis(order.index(n)) for n in range(len(shape)))
    to = replace(
        parameter,
        name=f"{parameter.name}_laid_out",
        strides=dense_strides(shape, order),
        access=ParameterAccess.WRITE,
    )
    return Pointwise(
        "lay_out", (parameter, to), Body(axes, (Load(0, place),)), (Store(1, place, 0),)
    )
