"""Why a kernel program is as it is: what was found, what was not chosen, what no rule took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lumc.diagnostics import Span
from lumc.dsl.tensor_program import (
    Elementwise,
    ElementwiseOp,
    Node,
    Reduce,
    ReduceOp,
    TensorProgram,
)
from lumc.lowering.assemble import Assembled, Part
from lumc.lowering.joining import Step
from lumc.lowering.kernel_program import (
    Apply,
    Attention,
    BufferKind,
    Gemm,
    Kernel,
    KernelProgram,
    Launch,
    Load,
    ParameterAccess,
    Pointwise,
    RowReduction,
)
from lumc.lowering.kernel_types import bodies


@dataclass(frozen=True, slots=True)
class LaunchStory:
    """What the launches of one kernel replace: primitives of the text, by kind, and by which rules.

    ``microseconds`` are those of one launch by the cost model.
    """

    kernel: str
    launches: int
    labels: tuple[str, ...]
    spans: tuple[Span, ...]
    operations: tuple[tuple[str, int], ...]
    rules: tuple[str, ...]
    microseconds: float


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something that was found and not chosen: by how much it is dearer, or why it cannot be.

    ``times`` says in how many equal parts of the program.
    """

    what: str
    span: Span | None
    times: int
    microseconds: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Leftover:
    """A reduction, gather or copy that stands alone, and why nothing took it."""

    kind: str
    kernel: str
    span: Span | None
    reason: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a kernel program is as it is."""

    launches: tuple[LaunchStory, ...]
    rejected: tuple[Rejected, ...]
    leftovers: tuple[Leftover, ...]


def explain(
    once: Part, every: Part, assembled: Assembled, cost: Callable[[Kernel], float]
) -> Explanation:
    """The explanation of what was assembled from the parts ``once`` and ``every``."""
    kernels = assembled.program
    stories: dict[int, LaunchStory] = {}
    leftovers: dict[int, list[Leftover]] = {}
    counts = Counter(launch.kernel for launch in (*kernels.prepare, *kernels.launches))
    for part, launch, steps in _launches(once, every, assembled):
        number = launch.kernel
        if number in stories:
            continue
        kernel = kernels.kernels[number]
        nodes = list(dict.fromkeys(node for found, _ in steps for node in found))
        stories[number] = _story(kernel, counts[number], nodes, steps, cost)
        sources = _sources(kernels, launch)
        leftovers[number] = list(_leftovers(kernel, part.program, nodes, sources))
    return Explanation(
        tuple(stories[n] for n in sorted(stories)),
        tuple(rejected for part in (once, every) for rejected in _rejected(part)),
        tuple(leftover for n in sorted(leftovers) for leftover in leftovers[n]),
    )


_Computed = tuple[list[Node], Step]
"""A step, with the nodes of the program that it computes."""


def _launches(
    once: Part, every: Part, assembled: Assembled
) -> Iterator[tuple[Part, Launch, list[_Computed]]]:
    """All launches in order, with the steps that each does."""
    for launch, step in zip(assembled.program.prepare, _steps(once), strict=True):
        yield once, launch, [step]
    steps = list(_steps(every))
    for launch, numbers in zip(assembled.program.launches, assembled.steps, strict=True):
        yield every, launch, [steps[n] for n in numbers]


def _steps(part: Part) -> Iterator[_Computed]:
    """The steps of all calls in order."""
    for call in part.outlined.calls:
        fragment = part.fragments[call.segment]
        for step in fragment.steps:
            numbers = dict.fromkeys(call.nodes[fragment.origins[n]] for n in step.bound.nodes)
            yield [part.program.nodes[n] for n in numbers], step


def _story(
    kernel: Kernel,
    launches: int,
    nodes: Sequence[Node],
    steps: Sequence[_Computed],
    cost: Callable[[Kernel], float],
) -> LaunchStory:
    operations = Counter(_operation(node) for node in nodes)
    return LaunchStory(
        kernel.name,
        launches,
        kernel.provenance.labels,
        kernel.provenance.spans,
        tuple(sorted(operations.items())),
        kernel.provenance.rules,
        steps[0][1].cost if len(steps) == 1 else cost(kernel),
    )


def _operation(node: Node) -> str:
    match node:
        case Elementwise(op):
            return str(op)
        case Reduce(op):
            return f"{op} over axes"
        case _:
            return type(node).__name__.lower()


def _rejected(part: Part) -> Iterator[Rejected]:
    calls = Counter(call.segment for call in part.outlined.calls)
    first = {call.segment: call for call in reversed(part.outlined.calls)}
    for number, fragment in enumerate(part.fragments):
        for rejection in fragment.rejections:
            node = part.program.nodes[first[number].nodes[fragment.origins[rejection.node]]]
            name = node.origin.label or f"a {_operation(node)}"
            what = rejection.what.format(name=name)
            yield Rejected(
                what, node.origin.span, calls[number], rejection.microseconds, rejection.reason
            )


# --------------------------------------------------------------------------- what no rule took


def _leftovers(
    kernel: Kernel, program: TensorProgram, nodes: Sequence[Node], sources: frozenset[BufferKind]
) -> Iterator[Leftover]:
    match kernel:
        case Pointwise():
            if _is_copy(kernel):
                yield Leftover("copy", kernel.name, _first_span(nodes), _why_copied(sources))
        case RowReduction():
            for node in nodes:
                if isinstance(node, Reduce):
                    why = _why_no_product(program, node)
                    yield Leftover("reduction", kernel.name, node.origin.span, why)
        case Gemm() | Attention():
            pass
    if any(
        isinstance(i, Load) and i.computed for _, body in bodies(kernel) for i in body.instructions
    ):
        reason = "its places are known only at run time"
        yield Leftover("gather", kernel.name, _first_span(nodes), reason)


def _is_copy(kernel: Pointwise) -> bool:
    return not any(isinstance(i, Apply) for i in kernel.body.instructions)


def _first_span(nodes: Sequence[Node]) -> Span | None:
    return next((node.origin.span for node in nodes if node.origin.span is not None), None)


def _sources(program: KernelProgram, launch: Launch) -> frozenset[BufferKind]:
    """The kinds of buffers that a launch reads."""
    pairs = zip(launch.arguments, program.kernels[launch.kernel].parameters, strict=True)
    return frozenset(
        program.buffers[argument.buffer].kind
        for argument, parameter in pairs
        if parameter.access is not ParameterAccess.WRITE
    )


def _why_copied(sources: frozenset[BufferKind]) -> str:
    if not sources:
        return "what is stored is one number: nothing is copied, and nobody else writes here"
    if BufferKind.INTERMEDIATE in sources or BufferKind.OUTPUT in sources:
        return "what is read here was written elsewhere: not all of it belongs here, or as it is"
    if sources & {BufferKind.TABLE, BufferKind.PREPARED}:
        return "what is read here is made once, before any step"
    return "what is read here is not computed in this stage, so nobody writes it here"


def _why_no_product(program: TensorProgram, node: Reduce) -> str:
    """Why a reduction in a row kernel is no matrix product."""
    product = program.nodes[node.operand.node]
    if not isinstance(product, Elementwise) or product.op is not ElementwiseOp.MULTIPLY:
        return f"it is the {node.op} of a row, and of no products"
    if node.op is not ReduceOp.SUM:
        return f"a {node.op} of products is no matrix product"
    if not node.dtype.is_float:
        return "whole numbers are not multiplied by matrix cores"
    left, right = (frozenset().union(*(e.axes() for e in o.map)) for o in product.operands)
    if left == right:
        return "both factors depend on the same axes: there are no rows and columns"
    return "a factor does not depend on the axes of the sum, or the row needs more than one sum"
