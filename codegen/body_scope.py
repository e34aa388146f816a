"""What a body's code is made with, and what it is made into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText
from lumc.codegen.statements import Statement, defines, words
from lumc.codegen.vectorise import Lanes
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.kernel_program import Parameter


@dataclass(frozen=True, slots=True)
class Pointer:
    """A parameter in the generated code: its name there and how its pointer is aligned."""

    name: str
    parameter: Parameter
    alignment: int
    """In bytes, of the first element, whatever the launch."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a body: its C++ text, its type, and whether the lanes' differ."""

    text: str
    dtype: DType
    varies: bool
    index: IndexExpression | None = None
    """What it is, where it is an index expression."""
    vector: str | None = None
    """The vector that its lanes were loaded in, and the dtype there."""
    vector_dtype: DType | None = None
    stored: str | None = None
    """The element that it was loaded as, where that is in a variable."""


@dataclass(frozen=True, slots=True)
class BodyCode:
    """Statements in order: once for all lanes, in each lane, and once after them.

    Without lanes ``each`` is empty.
    """

    once: tuple[Statement, ...]
    each: tuple[Statement, ...]
    after: tuple[Statement, ...]

    def without_unused(self) -> BodyCode:
        """Without definitions that nothing reads (as of what went straight into a vector)."""
        used: set[str] = set()
        parts: list[tuple[Statement, ...]] = []
        for statements in (self.after, self.each, self.once):
            kept: list[Statement] = []
            for statement in reversed(statements):
                if defines(statement) is None or defines(statement) in used:
                    kept.append(statement)
                    used |= words(statement)
            parts.append(tuple(reversed(kept)))
        after, each, once = parts
        return BodyCode(once, each, after)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a body's code stands.

    ``axes`` are the texts of its axes at the first lane; ``lanes`` says which axis the lanes are
    neighbours on, or None for a single point. ``accumulators`` are values (which may vary by
    lane). Loads whose numbers are in ``keep`` are put into the vector variable named there, those
    in ``kept`` are taken from one.
    """

    pointers: Sequence[Pointer]
    axes: Sequence[AxisText]
    lanes: Lanes | None
    names: Names
    accumulators: Sequence[Value] = ()
    keep: Mapping[int, str] = field(default_factory=dict)
    kept: Mapping[int, str] = field(default_factory=dict)
    single_lane: str = "0"
    """Without lanes: the element of vectors that the point stands for."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Value ``value`` of all lanes, rounded to ``dtype``, put into the vector variable ``name``."""

    value: int
    dtype: DType
    name: str


@dataclass(frozen=True, slots=True)
class Total:
    """Value ``value`` of all lanes reduced into the variable ``name``."""

    value: int
    op: ReduceOp
    name: str
