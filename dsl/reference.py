"""The meaning of a tensor program, in NumPy: the values that every compiled program must reproduce.

How numbers behave is said in :mod:`lumc.dsl.numpy_primitives`. Beyond that:

* Inputs, weights and cast values have the values of their storage type; everything else is
  computed and kept in f32 (reals), i32 or i64 (whole numbers). Sums accumulate in f32, in an order
  that is not promised (pairwise, or a matrix product's).
* What depends on constants and indices alone is computed in f64, and becomes f32 where something
  that is computed at run time reads it.
* ``math="exact"`` rounds at every cast. ``math="fast"`` keeps f32 at casts to a narrower real;
  outputs are rounded either way.
* A read outside its tensor, which a select has to discard, gives NaN or the least whole number, so
  that one which is not discarded shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import index_expression, numpy_views
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.numpy_primitives import (
    Array,
    apply,
    combine,
    convert,
    least,
    poison,
    reduce_axes,
    round_to,
    sum_of_products,
)
from lumc.dsl.numpy_views import Grid, axis_values, full_grid, read_places, spread
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
    operands,
)

Math = Literal["exact", "fast"]
_BLOCK = 1 << 24
"""Elements of an intermediate value above which it is made in blocks, where its readers allow."""


class InputError(LumcError):
    """A tensor that was given, or not given, does not fit the program."""


def evaluate(
    program: TensorProgram,
    inputs: Mapping[str, npt.ArrayLike],
    weights: Mapping[str, npt.ArrayLike],
    math: Math = "exact",
) -> dict[str, Array]:
    """The program's outputs by name, each of its declared shape and storage type.

    ``inputs`` and ``weights`` hold an array for each name that the program has; reals may come in
    any real type and are rounded to the declared one, whole numbers in any that holds them.
    ``weights`` may hold more.

    Raises:
        InputError: a tensor is missing, unknown, or of a wrong shape or kind.
    """
    unknown = [name for name in inputs if name not in _names(program, Input)]
    if unknown:
        raise _input_error(
            f"stage {program.name} has no input {unknown[0]}",
            did_you_mean(unknown[0], _names(program, Input)),
        )
    run = _Evaluation(program, inputs, weights, math, [o.operand.node for o in program.outputs])
    run.evaluate()
    results: dict[str, Array] = {}
    for output in program.outputs:
        value = run.read(output.operand, full_grid(output.shape))
        stored = convert(value, output.dtype.numpy)
        results[output.name] = np.asarray(np.broadcast_to(stored, output.shape), order="C")
    return results


def evaluate_nodes(
    program: TensorProgram,
    node_numbers: Iterable[int],
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    weights: Mapping[str, npt.ArrayLike] | None = None,
    math: Math = "exact",
) -> dict[int, Array]:
    """The values of the given nodes over their spaces, by node number.

    Nodes that depend on constants and indices alone come in f64 (reals); others in the type they
    are computed in. Only the inputs and weights that these nodes need must be given.

    Raises:
        InputError: a needed tensor is missing, or of a wrong shape or kind.
    """
    wanted = tuple(dict.fromkeys(node_numbers))
    run = _Evaluation(program, inputs or {}, weights or {}, math, wanted)
    run.evaluate()
    results: dict[int, Array] = {}
    for number in wanted:
        space = program.nodes[number].space
        identity = tuple(index_expression.axis(a) for a in range(len(space)))
        value = run.read(Operand(number, identity), full_grid(space))
        results[number] = np.asarray(np.broadcast_to(value, space), order="C")
    return results


def constant_nodes(program: TensorProgram) -> tuple[bool, ...]:
    """For each node, whether it depends on constants and indices alone."""
    constant: list[bool] = []
    for node in program.nodes:
        leaf = isinstance(node, Input | Weight)
        constant.append(not leaf and all(constant[o.node] for o, _ in operands(node)))
    return tuple(constant)


def _names(program: TensorProgram, kind: type[Input] | type[Weight]) -> list[str]:
    numbers = program.inputs if kind is Input else program.weights
    return [node.name for node in (program.nodes[n] for n in numbers) if isinstance(node, kind)]


def _input_error(message: str, hint: str | None = None) -> InputError:
    return InputError(Diagnostic("R001", message, hint=hint))


def _bare_axes(map_: Sequence[IndexExpression]) -> tuple[int, ...] | None:
    """The axis numbers of a map that only renames axes, else None."""
    axes = [expression.bare_axis for expression in map_]
    found = tuple(a for a in axes if a is not None)
    return found if len(found) == len(axes) == len(set(found)) else None


@dataclass(slots=True)
class _Evaluation:
    """One run over the program. ``values`` holds what later nodes still read."""

    program: TensorProgram
    inputs: Mapping[str, npt.ArrayLike]
    weights: Mapping[str, npt.ArrayLike]
    math: Math
    wanted: Sequence[int]
    values: dict[int, Array] = field(default_factory=dict)
    constant: tuple[bool, ...] = ()
    inlined: frozenset[int] = frozenset()

    def evaluate(self) -> None:
        """Fill ``values`` with the wanted nodes, dropping each value after its last reader."""
        self.constant = constant_nodes(self.program)
        self.inlined = _inlined_nodes(self.program, self.wanted)
        order = self._stored_nodes()
        last_reader = {number: number for number in order}
        for number in order:
            for read in self._stored_reads(number):
                last_reader[read] = number
        for number in self.wanted:
            last_reader[number] = len(self.program.nodes)
            for read in self._stored_reads(number) if not self._is_stored(number) else ():
                last_reader[read] = len(self.program.nodes)
        dropped_after: dict[int, list[int]] = {}
        for number, reader in last_reader.items():
            dropped_after.setdefault(reader, []).append(number)
        for number in order:
            node = self.program.nodes[number]
            value = self._compute(number, full_grid(node.space))
            self.values[number] = np.broadcast_to(value, node.space)
            for done in dropped_after.get(number, ()):
                del self.values[done]

    def _is_stored(self, number: int) -> bool:
        node = self.program.nodes[number]
        return number not in self.inlined and not isinstance(node, Constant | IndexValue)

    def _stored_nodes(self) -> list[int]:
        needed: set[int] = set()
        stack = list(self.wanted)
        while stack:
            number = stack.pop()
            if number not in needed:
                needed.add(number)
                stack += [operand.node for operand, _ in operands(self.program.nodes[number])]
        return sorted(number for number in needed if self._is_stored(number))

    def _stored_reads(self, number: int) -> set[int]:
        reads: set[int] = set()
        stack = [operand.node for operand, _ in operands(self.program.nodes[number])]
        while stack:
            read = stack.pop()
            if self._is_stored(read):
                reads.add(read)
            else:
                stack += [operand.node for operand, _ in operands(self.program.nodes[read])]
        return reads

    # -- reading

    def read(self, operand: Operand, grid: Grid) -> Array:
        """The operand at each point of ``grid``, with axes of size 1 where nothing varies."""
        node = self.program.nodes[operand.node]
        match node:
            case Constant():
                return self._constant(node).reshape((1,) * len(grid))
            case IndexValue():
                at = [index_expression.evaluate(e, axis_values(grid)) for e in operand.map]
                value = index_expression.evaluate(node.expression, at)
                value = value.reshape((1,) * (len(grid) - value.ndim) + value.shape)
                return convert(value, node.dtype.compute.numpy)
        if operand.node not in self.inlined:
            return numpy_views.read(self.values[operand.node], operand.map, grid)
        axes = _bare_axes(operand.map)
        assert axes is not None, "only values that are read at bare axes are inlined"
        value = self._compute(operand.node, tuple(grid[a] for a in axes))
        return spread(value, axes, len(grid))

    def _constant(self, node: Constant) -> Array:
        if node.dtype.is_float:
            return np.asarray(node.value, dtype=np.float64)
        return convert(np.asarray(node.value), node.dtype.compute.numpy)

    def _compute_type(self, number: int) -> np.dtype[Any]:
        dtype = self.program.nodes[number].dtype
        if dtype.is_float and self.constant[number]:
            return np.dtype(np.float64)
        return dtype.compute.numpy

    # -- computing

    def _compute(self, number: int, grid: Grid) -> Array:
        node = self.program.nodes[number]
        dtype = self._compute_type(number)
        match node:
            case Input() | Weight():
                return self._leaf(node)
            case Constant() | IndexValue():
                raise AssertionError("constants and indices are read in place")
            case Elementwise():
                return apply(node.op, [self.read(o, grid) for o in node.operands], dtype)
            case Cast():
                return self._cast(node, self.read(node.operand, grid), dtype)
            case Reduce():
                return self._reduce(node, dtype)
            case Gather():
                return self._gather(node, dtype)
            case Place():
                return self._place(node, dtype)
            case Scatter():
                return self._scatter(node, dtype)
            case _:
                assert_never(node)

    def _leaf(self, node: Input | Weight) -> Array:
        given = self.inputs if isinstance(node, Input) else self.weights
        kind = "input" if isinstance(node, Input) else "weight"
        if node.name not in given:
            raise _input_error(
                f"{kind} {node.name} is missing: {node.dtype}{list(node.space)}",
                did_you_mean(node.name, given),
            )
        values = np.asarray(given[node.name])
        if values.shape != node.space:
            raise _input_error(
                f"{kind} {node.name} has shape {list(values.shape)}; "
                f"stage {self.program.name} needs {list(node.space)}"
            )
        return convert(_as_stored(values, node, kind), node.dtype.compute.numpy)

    def _cast(self, node: Cast, values: Array, dtype: np.dtype[Any]) -> Array:
        if not node.dtype.is_float:
            return convert(convert(values, node.dtype.numpy), dtype)
        result = convert(values, dtype)
        if self.math == "fast" and node.dtype in (DType.BF16, DType.F16):
            return result
        return round_to(result, node.dtype)

    def _gather(self, node: Gather, dtype: np.dtype[Any]) -> Array:
        grid = full_grid(node.space)
        at = [self.read(o, grid).astype(np.int64) for o in node.indices]
        axes = [*axis_values(grid), *at]
        base = node.base
        source = self.read(
            Operand(base.node, _identity(self.program.nodes[base.node])),
            full_grid(self.program.nodes[base.node].space),
        )
        places = [index_expression.evaluate(e, axes) for e in base.map]
        return convert(read_places(source, places, len(grid)), dtype)

    def _place(self, node: Place, dtype: np.dtype[Any]) -> Array:
        result = np.empty(node.space, dtype)
        result[...] = poison(np.zeros((1,) * len(node.space), dtype), np.asarray(True))
        for piece in node.pieces:
            grid = full_grid(piece.space)
            value = convert(self.read(piece.operand, grid), dtype)
            numpy_views.write(result, piece.destination, grid, value)
        return result

    def _scatter(self, node: Scatter, dtype: np.dtype[Any]) -> Array:
        initial = convert(self.read(node.initial, full_grid(node.space)), dtype)
        result = np.broadcast_to(initial, node.space).copy()
        grid = full_grid(node.source_space)
        value = np.broadcast_to(convert(self.read(node.value, grid), dtype), node.source_space)
        at = [self.read(o, grid).astype(np.int64) for o in node.indices]
        axes = [*axis_values(grid), *at]
        places = [
            np.broadcast_to(index_expression.evaluate(e, axes), node.source_space).reshape(-1)
            for e in node.destination
        ]
        inside = np.ones(value.size, np.bool_)
        for place, size in zip(places, node.space, strict=True):
            inside &= (place >= 0) & (place < size)
        keys = tuple(place[inside] for place in places)
        written = value.reshape(-1)[inside]
        with np.errstate(all="ignore"):
            match node.combine:
                case None:
                    result[keys] = written
                case ReduceOp.SUM:
                    np.add.at(result, keys, written)
                case ReduceOp.MAXIMUM:
                    np.maximum.at(result, keys, written)
                case _:
                    assert_never(node.combine)
        return result

    def _reduce(self, node: Reduce, dtype: np.dtype[Any]) -> Array:
        factors = self._factors(node.operand) if node.op is ReduceOp.SUM else [node.operand]
        grid = full_grid(node.space + node.reduced)
        free = len(node.space)
        axis, step = self._blocks(factors, grid)
        if step is None:
            return self._reduce_block(node.op, factors, grid, free, dtype)
        result = np.full(node.space, 0 if node.op is ReduceOp.SUM else least(dtype), dtype)
        for start in range(0, grid[axis][1], step):
            block = list(grid)
            block[axis] = (start, min(start + step, grid[axis][1]))
            part = self._reduce_block(node.op, factors, tuple(block), free, dtype)
            if axis < free:
                result[(slice(None),) * axis + (slice(*block[axis]),)] = part
            else:
                result = combine(node.op, result, part)
        return result

    def _reduce_block(
        self, op: ReduceOp, factors: list[Operand], grid: Grid, free: int, dtype: np.dtype[Any]
    ) -> Array:
        values = [convert(self.read(factor, grid), dtype) for factor in factors]
        if op is ReduceOp.SUM:
            return sum_of_products(values, [stop - start for start, stop in grid], free)
        return reduce_axes(op, values[0], tuple(range(free, len(grid))))

    def _factors(self, operand: Operand) -> list[Operand]:
        """The operands whose product ``operand`` is, as far as that product is not stored."""
        node = self.program.nodes[operand.node]
        if operand.node not in self.inlined or not _is_product(node):
            return [operand]
        axes = _bare_axes(operand.map)
        assert axes is not None, "only values that are read at bare axes are inlined"
        position = dict(enumerate(axes))
        found: list[Operand] = []
        for inner, _ in operands(node):
            map_ = tuple(index_expression.rename(e, position) for e in inner.map)
            found += self._factors(Operand(inner.node, map_))
        return found

    def _blocks(self, factors: list[Operand], grid: Grid) -> tuple[int, int | None]:
        """The axis to go along in blocks and the block's length (None: all at once)."""
        largest, along = 0, 0
        for factor in factors:
            axes = sorted(set().union(*(e.axes() for e in factor.map)))
            volume = math.prod(grid[a][1] for a in axes)
            made_here = factor.node in self.inlined or _bare_axes(factor.map) is None
            if axes and made_here and volume > largest:
                largest = volume
                along = max(axes, key=lambda a: grid[a][1])
        if largest <= _BLOCK:
            return 0, None
        return along, max(1, grid[along][1] * _BLOCK // largest)


def _as_stored(values: Array, node: Input | Weight, kind: str) -> Array:
    """``values`` in the declared storage type; reals are rounded, whole numbers must fit."""
    declared = node.dtype.numpy
    given_real = values.dtype.kind not in "iub"
    if given_real != node.dtype.is_float:
        raise _input_error(f"{kind} {node.name} is {values.dtype}, but {node.dtype} is needed")
    stored = convert(values, declared)
    if not given_real and not np.array_equal(stored, values):
        raise _input_error(f"{kind} {node.name} has values that {node.dtype} cannot hold")
    return stored


def _is_product(node: Node) -> bool:
    return isinstance(node, Elementwise) and node.op is ElementwiseOp.MULTIPLY


def _inlined_nodes(program: TensorProgram, wanted: Sequence[int]) -> frozenset[int]:
    """The nodes that are made inside the reductions that read them, and never stored whole.

    These are outer products that are summed, and elementwise values of more than a block; in both
    cases every reader takes them at bare axes.
    """
    readers: dict[int, list[tuple[int, Operand]]] = {}
    for number, node in enumerate(program.nodes):
        for operand, _ in operands(node):
            readers.setdefault(operand.node, []).append((number, operand))
    inlined: set[int] = set()
    products: set[int] = set()
    kept = set(wanted)
    for number in range(len(program.nodes) - 1, -1, -1):
        node = program.nodes[number]
        if number in kept or not isinstance(node, Elementwise | Cast) or number not in readers:
            continue
        if any(_bare_axes(operand.map) is None for _, operand in readers[number]):
            continue
        reading = [(reader, program.nodes[reader]) for reader, _ in readers[number]]
        summed = all(
            r in products or (isinstance(n, Reduce) and n.op is ReduceOp.SUM) for r, n in reading
        )
        if _is_product(node) and summed and _is_outer(program, node):
            products.add(number)
            inlined.add(number)
        elif math.prod(node.space) > _BLOCK and all(
            r in inlined or isinstance(n, Reduce) for r, n in reading
        ):
            inlined.add(number)
    return frozenset(inlined)


def _is_outer(program: TensorProgram, node: Node) -> bool:
    """True if the node has more elements than anything it reads."""
    largest = max(math.prod(program.nodes[o.node].space) for o, _ in operands(node))
    return math.prod(node.space) > largest


def _identity(node: Node) -> tuple[IndexExpression, ...]:
    return tuple(index_expression.axis(a) for a in range(len(node.space)))
