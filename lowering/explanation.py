"""Why a kernel program is as it is: what was found, what was not chosen, what no rule took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from lumc.diagnostics import Span
from lumc.dsl.tensor_program import (
    Elementwise,
    Node,
    Reduce,
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
from lumc.lowering.sites import Site, Work, find_sites, why_no_product


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
class Found:
    """What was found ``times`` times in the same definition: ``kind`` as in ``lowering/sites.py``.

    ``kernels`` are what became of it, ``spans`` where it stands.
    """

    kind: str
    definition: str
    times: int
    kernels: tuple[str, ...]
    spans: tuple[Span, ...]


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
    found: tuple[Found, ...]
    rejected: tuple[Rejected, ...]
    leftovers: tuple[Leftover, ...]


def explain(
    once: Part, every: Part, assembled: Assembled, cost: Callable[[Kernel], float]
) -> Explanation:
    """The explanation of what was assembled from the parts ``once`` and ``every``."""
    kernels = assembled.program
    stories: dict[int, LaunchStory] = {}
    leftovers: dict[int, list[Leftover]] = {}
    found: list[Found] = []
    counts = Counter(launch.kernel for launch in (*kernels.prepare, *kernels.launches))
    for part, launched in _launches(once, every, assembled):
        works = [Work(kernels.kernels[one.launch.kernel], one.nodes) for one in launched]
        sites = find_sites(part.program, works)
        found += _found(part.program, sites)
        known = {number for site in sites for number in site.nodes}
        for one in launched:
            number = one.launch.kernel
            if number in stories:
                continue
            kernel = kernels.kernels[number]
            nodes = [part.program.nodes[n] for n in one.nodes]
            stories[number] = _story(kernel, counts[number], nodes, one.steps, cost)
            unknown = [n for n in one.nodes if n not in known]
            sources = _sources(kernels, one.launch)
            leftovers[number] = list(_leftovers(kernel, part.program, one.nodes, unknown, sources))
    return Explanation(
        tuple(stories[n] for n in sorted(stories)),
        tuple(found),
        tuple(rejected for part in (once, every) for rejected in _rejected(part)),
        tuple(leftover for n in sorted(leftovers) for leftover in leftovers[n]),
    )


@dataclass(frozen=True, slots=True)
class _Launched:
    """A launch with the steps that it does, and the nodes of the program that they compute."""

    launch: Launch
    steps: tuple[Step, ...]
    nodes: tuple[int, ...]


def _launches(
    once: Part, every: Part, assembled: Assembled
) -> Iterator[tuple[Part, list[_Launched]]]:
    """The launches of each part in order."""
    early, steps = list(_steps(once)), list(_steps(every))
    numbers = [(n,) for n in range(len(early))]
    kernels = assembled.program
    yield once, list(map(_launched, kernels.prepare, repeat(early), numbers))
    yield every, list(map(_launched, kernels.launches, repeat(steps), assembled.steps))


def _launched(
    launch: Launch, steps: Sequence[tuple[tuple[int, ...], Step]], numbers: Sequence[int]
) -> _Launched:
    nodes = {node for n in numbers for node in steps[n][0]}
    return _Launched(launch, tuple(steps[n][1] for n in numbers), tuple(sorted(nodes)))


def _steps(part: Part) -> Iterator[tuple[tuple[int, ...], Step]]:
    """The steps of all calls in order, with the nodes of the program that each computes."""
    for call in part.outlined.calls:
        fragment = part.fragments[call.segment]
        for step in fragment.steps:
            numbers = {call.nodes[fragment.origins[n]] for n in step.bound.nodes}
            yield tuple(sorted(numbers)), step


def _found(program: TensorProgram, sites: Sequence[Site]) -> Iterator[Found]:
    """The sites, those of one kind and definition as one."""
    groups: dict[tuple[str, str], list[Site]] = {}
    for site in sites:
        path = program.nodes[site.nodes[-1]].origin.path
        definition = next((part for part in reversed(path) if "=" not in part), "")
        groups.setdefault((site.kind, definition), []).append(site)
    for (kind, definition), members in groups.items():
        kernels = dict.fromkeys(name for site in members for name in site.kernels)
        spans = (program.nodes[site.nodes[-1]].origin.span for site in members)
        places = dict.fromkeys(span for span in spans if span is not None)
        yield Found(kind, definition, len(members), tuple(kernels), tuple(places))


def _story(
    kernel: Kernel,
    launches: int,
    nodes: Sequence[Node],
    steps: Sequence[Step],
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
        steps[0].cost if len(steps) == 1 else cost(kernel),
    )


def _operation(node: Node) -> str:
    match node:
        case Elementwise(op):
            return str(op)
        case Reduce(op):
            return f"{op} over axes"
        case _:
            return type(node).__name__.lower()


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _rejected(part: Part) -> Iterator[Rejected]:
    calls = Counter(call.segment for call in part.outlined.calls)
    first = {call.segment: call for call in reversed(part.outlined.calls)}
    for number, fragment in enumerate(part.fragments):
        for rejection in fragment.rejections:
            node = part.program.nodes[first[number].nodes[fragment.origins[rejection.node]]]
            name = node.origin.label or _with_article(_operation(node))
            what = rejection.what.format(name=name)
            yield Rejected(
                what, node.origin.span, calls[number], rejection.microseconds, rejection.reason
            )


# --------------------------------------------------------------------------- what no rule took


def _leftovers(
    kernel: Kernel,
    program: TensorProgram,
    numbers: Sequence[int],
    unknown: Sequence[int],
    sources: frozenset[BufferKind],
) -> Iterator[Leftover]:
    nodes = [program.nodes[n] for n in numbers]
    match kernel:
        case Pointwise():
            if _is_copy(kernel):
                yield Leftover("copy", kernel.name, _first_span(nodes), _why_copied(sources))
        case RowReduction():
            for number in unknown:
                node = program.nodes[number]
                if isinstance(node, Reduce):
                    why = why_no_product(program, number) or "it is computed with others of its row"
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
