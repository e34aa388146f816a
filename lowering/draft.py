"""A kernel while it is made: what all kinds of kernels share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, axis, constant, substitute
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    ApplyOf,
    AttendOf,
    ConvertOf,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
    ProductOf,
    ReducedOf,
)
from lumc.lowering.exact_values import operand_dtype
from lumc.lowering.kernel_program import (
    Attention,
    Body,
    Gemm,
    Kernel,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Store,
)
from lumc.lowering.kernel_types import bodies, stores
from lumc.lowering.memory import MemoryLayout
from lumc.lowering.scalar_code import Frame, ParameterList, ScalarCode
from lumc.lowering.tighten import BoundKernel


def rules_of(alternative: Alternative) -> tuple[str, ...]:
    """The rules that an alternative may come from; of those with numbers, the name before it."""
    match alternative:
        case AttendOf(kept=True):
            return "attention-of-plain-weights", "attention-of-kept-softmax"
        case AttendOf():
            return "attention", "attention-of-softmax"
        case ProductOf():
            return ("product",)
        case ReducedOf():
            return ("reduce-in-row",)
        case GatherOf():
            return ("inline-gather",)
        case ApplyOf():
            return ("inline-map",)
        case ConvertOf():
            return ("inline-cast",)
        case LoadOf() | LiteralOf() | IndexAt():
            return ()
        case _:
            assert_never(alternative)


def is_rule(part: str, rule: str) -> bool:
    """Whether ``part`` names ``rule``: rules that differ in arity are one."""
    return part == rule or (rule.startswith(part) and rule[len(part) :].isdigit())


_ORDER = (
    "attention",
    "attention-of-softmax",
    "attention-of-plain-weights",
    "attention-of-kept-softmax",
    "product",
    "reduce-in-row",
    "inline-gather",
    "inline-map",
    "inline-cast",
)


@dataclass(frozen=True, slots=True)
class Root:
    """Class ``value`` stored to ``target``.

    ``destination`` is over the request's axes and then the values of ``computed``. ``checked``
    says that places outside the target are not to be written.
    """

    value: int
    target: int
    destination: tuple[IndexExpression, ...]
    computed: tuple[int, ...] = ()
    combine: ReduceOp | None = None
    checked: bool = False

    @property
    def follows(self) -> bool:
        """Whether it writes over what other requests store to the target first: a scatter does."""
        return self.checked


@dataclass(frozen=True, slots=True)
class Request:
    """What one kernel is to store, at each point of ``axes``."""

    axes: tuple[KernelAxis, ...]
    roots: tuple[Root, ...]


class Pick(Protocol):
    """Says which alternative each class gets."""

    def pick(self, number: int) -> Alternative:
        """The alternative for class ``number``."""

    def computed(self, number: int) -> list[Alternative]:
        """All alternatives for class ``number`` that are not reads of itself."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What kernels are made from: the e-graph, memory, and whether every rounding is kept."""

    source: Alternatives
    layout: MemoryLayout
    exact: bool


@dataclass(slots=True)
class Draft:
    """One kernel while it is made."""

    setting: Setting
    request: Request
    picker: Pick
    parameters: ParameterList

    @property
    def source(self) -> Alternatives:
        """The e-graph."""
        return self.setting.source

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the request's axes."""
        return tuple(a.size for a in self.request.axes)

    def axes(self, numbers: Iterable[int]) -> tuple[KernelAxis, ...]:
        """Some of the request's axes."""
        return tuple(self.request.axes[n] for n in numbers)

    def code(
        self,
        axes: tuple[KernelAxis, ...],
        keep_rounding: bool = False,
        pick: Callable[[int], Alternative] | None = None,
    ) -> ScalarCode:
        """Scalar code over ``axes``, empty."""
        keep = keep_rounding or self.setting.exact
        return ScalarCode(self.source, pick or self.picker.pick, axes, self.parameters, keep)

    def operand(self, number: int, axes: tuple[KernelAxis, ...], frame: Frame) -> Body:
        """A class as the operand of a product, with its roundings."""
        return self.code(axes, keep_rounding=True).operand(number, frame)

    def place(self, order: Iterable[int]) -> Frame:
        """A frame that puts the request's axes in ``order``; others stand at 0."""
        where = {number: position for position, number in enumerate(order)}
        return tuple(
            axis(where[n]) if n in where else constant(0) for n in range(len(self.request.axes))
        )

    def stores(self, code: ScalarCode, frame: Frame) -> tuple[Store, ...]:
        """The stores of all roots, as values of ``code``."""
        return tuple(self._store(code, root, frame) for root in self.request.roots)

    def _store(self, code: ScalarCode, root: Root, frame: Frame) -> Store:
        value = code.value(root.value, frame)
        computed = tuple(code.value(n, frame) for n in root.computed)
        sizes = code.sizes + (1 << 31,) * len(computed)
        moved = frame + tuple(axis(len(code.sizes) + n) for n in range(len(computed)))
        index = tuple(substitute(entry, moved, sizes) for entry in root.destination)
        predicate = None
        if root.checked:
            shape = self.setting.layout.storage(root.target).shape
            predicate = code.inside(index, computed, shape)
        number = self.parameters.number(root.target)
        return Store(number, index, value, computed, predicate, root.combine)

    def finish(self, kernel: Kernel) -> BoundKernel:
        """The kernel with its parameters, as large as the tensors that they stand for."""
        touched = self.parameters.tensors
        parameters = tuple(self._parameter(kernel, number) for number in range(len(touched)))
        kernel = dataclasses.replace(kernel, parameters=parameters)
        if isinstance(kernel, Gemm):
            dtype = operand_dtype((kernel.left, *kernel.right), parameters)
            kernel = dataclasses.replace(kernel, operand_dtype=dtype)
        if isinstance(kernel, Attention):
            # The weights are rounded to the operands' type, too: the text asks for no such thing.
            sides = (kernel.query, kernel.key, kernel.value)
            dtype = DType.F32 if self.setting.exact else operand_dtype(sides, parameters)
            kernel = dataclasses.replace(kernel, operand_dtype=dtype)
        bindings = tuple((tensor, 0) for tensor in touched)
        return BoundKernel(kernel, bindings, self._nodes(), self._rules())

    def _nodes(self) -> tuple[int, ...]:
        classes = self.source.classes
        found = {
            a.tensor
            for number in self.parameters.classes
            for a in classes[number]
            if isinstance(a, LoadOf)
        }
        return tuple(sorted(found))

    def _rules(self) -> tuple[str, ...]:
        picked = (self.picker.pick(number) for number in sorted(self.parameters.classes))
        return tuple(sorted({rule for a in picked for rule in rules_of(a)}, key=_ORDER.index))

    def _parameter(self, kernel: Kernel, number: int) -> Parameter:
        storage = self.setting.layout.storage(self.parameters.tensors[number])
        return Parameter(
            f"p{number}", storage.dtype, storage.shape, storage.strides, access(kernel, number)
        )


def access(kernel: Kernel, number: int) -> ParameterAccess:
    """What ``kernel`` does to parameter ``number``."""
    loaded = any(
        isinstance(i, Load) and i.parameter == number
        for _, body in bodies(kernel)
        for i in body.instructions
    )
    stored = [store for store in stores(kernel) if store.parameter == number]
    if not stored:
        return ParameterAccess.READ
    if loaded or any(store.combine is not None for store in stored):
        return ParameterAccess.UPDATE
    return ParameterAccess.WRITE


def children(alternative: Alternative) -> tuple[int, ...]:
    """The classes that an alternative is computed from at the same point of the same space."""
    match alternative:
        case ApplyOf(_, operands):
            return operands
        case ConvertOf(_, operand):
            return (operand,)
        case GatherOf(_, _, indices):
            return indices
        case _:
            return ()
