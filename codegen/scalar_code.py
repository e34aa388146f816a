"""A body as statements: what is done once for a group of lanes, in each lane, and after them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from lumc.codegen.body_scope import BodyCode, Pack, Scope, Total, Value
from lumc.codegen.flat import (
    FlatBody,
    FlatInstruction,
    FlatLoad,
    FlatStore,
    live_values,
)
from lumc.codegen.index_text import (
    LARGEST_INT,
    AxisText,
    computed_axis,
    index_text,
    magnitude_bound,
)
from lumc.codegen.interleaved import Interleaved, interleaved
from lumc.codegen.statements import (
    C_TYPES,
    STORAGE_TYPES,
    Accumulate,
    CopyVector,
    DeclareVector,
    Define,
    ElementOf,
    LoadElement,
    LoadStored,
    LoadVector,
    SetElement,
    Statement,
    StoreElement,
    StoreVector,
    literal_text,
)
from lumc.codegen.vectorise import alignment, is_negative_in_all_lanes_alike, step
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, constant
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Convert,
    IndexOf,
    Literal,
    Parameter,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_types import apply_type

_VECTOR_BYTES = 16
_LANE = "e"

_WORDS = {
    ElementwiseOp.ADD: "sum",
    ElementwiseOp.MULTIPLY: "product",
    ElementwiseOp.RECIPROCAL: "inverse",
    ElementwiseOp.SQUARE_ROOT: "root",
    ElementwiseOp.EXP2: "power",
    ElementwiseOp.LOG2: "logarithm",
    ElementwiseOp.SINE: "sine",
    ElementwiseOp.MAXIMUM: "larger",
    ElementwiseOp.FLOOR_DIVIDE: "quotient",
    ElementwiseOp.MODULO: "remainder",
    ElementwiseOp.LESS_THAN: "less",
    ElementwiseOp.SELECT: "chosen",
}
# Of two bools these are logic.
_LOGICAL = {ElementwiseOp.MULTIPLY: "and", ElementwiseOp.MAXIMUM: "or"}
COMBINERS = {ReduceOp.SUM: "Sum()", ReduceOp.MAXIMUM: "Maximum()"}


def body_code(
    body: FlatBody,
    scope: Scope,
    packs: Sequence[Pack] = (),
    totals: Sequence[Total] = (),
    loads: Sequence[int] = (),
) -> BodyCode:
    """The statements that do the body's stores, and ``packs`` and ``totals`` of its values.

    ``loads`` are the numbers of loads to do, into what ``scope`` keeps them in.
    """
    writer = _Writer(body, scope)
    writer.define_all([*(x.value for x in packs), *(x.value for x in totals), *loads])
    for pack in packs:
        writer.pack(pack)
    for total in totals:
        writer.accumulate(total)
    for store in body.stores:
        writer.store(store)
    code = BodyCode(tuple(writer.once), tuple(writer.each), tuple(writer.after))
    return code.without_unused()


def value_code(body: FlatBody, scope: Scope, number: int) -> tuple[BodyCode, str]:
    """The statements that make value ``number`` of ``body`` at one point, and its text."""
    writer = _Writer(replace(body, stores=()), scope)
    writer.define_all([number])
    return BodyCode(tuple(writer.once), (), ()), writer.values[number].text


class _Writer:
    """Collects the statements of one body."""

    def __init__(self, body: FlatBody, scope: Scope) -> None:
        self.scope = scope
        self.body = body
        self.values: dict[int, Value] = {}
        self.once: list[Statement] = []
        self.each: list[Statement] = []
        self.after: list[Statement] = []
        self.lane_axes = [self._lane_axis(n, a) for n, a in enumerate(scope.axes)]
        self._stored: dict[tuple[int, DType], Value] = {}
        self._loads_of_runs = interleaved(body.loads(), scope.lanes)
        self._stores_of_runs = _whole_runs(body, interleaved(body.stores, scope.lanes))
        self._runs: dict[tuple[int, IndexExpression], str] = {}
        self._written: dict[tuple[int, IndexExpression], str] = {}

    def _lane_axis(self, number: int, axis: AxisText) -> AxisText:
        lanes = self.scope.lanes
        if lanes is None or number != lanes.axis:
            return axis
        text = _LANE if axis.text == "0" else f"({axis.text} + {_LANE})"
        return AxisText(text, axis.low, axis.high + lanes.width - 1)

    # ------------------------------------------------------------------------------ instructions

    def define_all(self, wanted: Sequence[int]) -> None:
        """Write the values ``wanted`` and those that stores write, and all that they need."""
        live = live_values(self.body, wanted)
        for number, instruction in enumerate(self.body.instructions):
            if number in live:
                self.define(number, instruction)

    def define(self, number: int, instruction: FlatInstruction) -> None:
        """Write the instruction that defines value ``number``."""
        match instruction:
            case Literal(value, dtype):
                text = literal_text(value, dtype.compute)
                index = constant(int(value)) if dtype is DType.I32 else None
                self.values[number] = Value(text, dtype.compute, False, index)
            case IndexOf(expression):
                self._index(number, expression)
            case FlatLoad():
                self._load(number, instruction)
            case Apply(op, operands):
                self._apply(number, op, operands)
            case Convert(operand, dtype):
                self._convert(number, operand, dtype)
            case Accumulator(which):
                self.values[number] = self.scope.accumulators[which]
            case _:
                assert_never(instruction)

    def _statements(self, varies: bool) -> list[Statement]:
        return self.each if varies else self.once

    def _step(self, expression: IndexExpression) -> int | None:
        return 0 if self.scope.lanes is None else step(expression, self.scope.lanes)

    def _axes(self, varies: bool, computed: Sequence[int]) -> list[AxisText]:
        axes = self.lane_axes if varies else list(self.scope.axes)
        return axes + [computed_axis(self.values[n].text, self.body.ranges[n]) for n in computed]

    def _index(self, number: int, expression: IndexExpression) -> None:
        varies = self._step(expression) != 0
        text = index_text(expression, self._axes(varies, ()))
        name = self.scope.names.fresh(f"index{number}")
        self._statements(varies).append(Define("int", name, "copy", (text,)))
        self.values[number] = Value(name, DType.I32, varies, expression)

    def _apply(self, number: int, op: ElementwiseOp, operands: tuple[int, ...]) -> None:
        values = [self.values[n] for n in operands]
        dtype = apply_type(op, [value.dtype for value in values])
        index = _index_of(op, values)
        varies = any(value.varies for value in values)
        if op is ElementwiseOp.LESS_THAN and varies:
            varies = not self._alike(values)
        elif index is not None:
            varies = self._step(index) != 0
        texts = self._uniform_texts(values) if not varies else [value.text for value in values]
        common = _operand_type(op, dtype, values)
        cast = [
            text if value.dtype is wanted else f"{C_TYPES[wanted]}({text})"
            for text, value, wanted in zip(texts, values, common, strict=True)
        ]
        name = self.scope.names.fresh(f"{_WORDS[op]}{number}")
        written = _LOGICAL.get(op, op.value) if dtype is DType.BOOL else op.value
        statement = Define(C_TYPES[dtype], name, written, tuple(cast))
        self._statements(varies).append(statement)
        self.values[number] = Value(name, dtype, varies, index)

    def _alike(self, values: Sequence[Value]) -> bool:
        """True when a comparison comes out the same in all lanes."""
        left, right = values[0].index, values[1].index
        if self.scope.lanes is None or left is None or right is None:
            return False
        return is_negative_in_all_lanes_alike(add(left, right, -1), self.scope.lanes)

    def _uniform_texts(self, values: Sequence[Value]) -> list[str]:
        """The values at the first lane, for what is the same in all lanes."""
        axes = list(self.scope.axes)
        return [
            f"({index_text(value.index, axes)})" if value.varies and value.index else value.text
            for value in values
        ]

    def _convert(self, number: int, operand: int, dtype: DType) -> None:
        value = self.values[operand]
        name = self.scope.names.fresh(f"rounded{number}")
        statement = Define(
            C_TYPES[dtype.compute], name, "round", (value.text, STORAGE_TYPES[dtype])
        )
        self._statements(value.varies).append(statement)
        self.values[number] = Value(name, dtype.compute, value.varies)

    # ------------------------------------------------------------------------------------ memory

    def _offset(self, access: FlatLoad | FlatStore, varies: bool) -> str:
        axes = self._axes(varies, access.computed)
        parameter = self.scope.pointers[access.parameter].parameter
        bound = magnitude_bound(access.offset, axes)
        # A computed index that is not read may be anything; one that is read is in bounds.
        in_bounds = bool(access.computed) and access.predicate is None
        wide = extent(parameter) > LARGEST_INT or (bound > LARGEST_INT and not in_bounds)
        return index_text(access.offset, axes, wide)

    def _varies(self, access: FlatLoad | FlatStore) -> bool:
        used = list(access.computed)
        used += [] if access.predicate is None else [access.predicate]
        return self._step(access.offset) != 0 or any(self.values[n].varies for n in used)

    def _predicate(self, access: FlatLoad | FlatStore) -> str | None:
        return None if access.predicate is None else self.values[access.predicate].text

    def _vector_alignment(self, access: FlatLoad | FlatStore) -> int:
        """Elements that the group's first element is aligned to; 0 where lanes are no vector."""
        lanes = self.scope.lanes
        used = list(access.computed)
        used += [] if access.predicate is None else [access.predicate]
        if lanes is None or any(self.values[n].varies for n in used):
            return 0
        if step(access.offset, lanes) != 1:
            return 0
        pointer = self.scope.pointers[access.parameter]
        size = pointer.parameter.dtype.bytes
        bytes_aligned = math.gcd(pointer.alignment, alignment(access.offset, lanes) * size)
        widest = math.gcd(bytes_aligned, max(_VECTOR_BYTES, size))
        return min(lanes.width, widest // size)

    def _load(self, number: int, load: FlatLoad) -> None:
        vector = self.scope.kept.get(number) or self._load_vector(number, load)
        pointer = self.scope.pointers[load.parameter]
        dtype = pointer.parameter.dtype
        type_name = C_TYPES[dtype.compute]
        name = self.scope.names.fresh(f"{pointer.name}{number}")
        if vector is not None:
            varies = self.scope.lanes is not None
            self._statements(varies).append(ElementOf(type_name, name, vector, self._lane))
            self.values[number] = Value(name, dtype.compute, varies, None, vector, dtype)
            return
        if (element := self._run_element(load)) is not None:
            run, lane = element
            self.each.append(ElementOf(type_name, name, run, lane))
            self.values[number] = Value(name, dtype.compute, True, stored=f"{run}[{lane}]")
            return
        varies = self._varies(load)
        offset = self._offset(load, varies)
        statement = LoadElement(type_name, name, pointer.name, offset, self._predicate(load))
        self._statements(varies).append(statement)
        self.values[number] = Value(name, dtype.compute, varies)

    def _load_vector(self, number: int, load: FlatLoad) -> str | None:
        """The vector that all lanes are loaded in at once, or None where that can't be."""
        pointer = self.scope.pointers[load.parameter]
        keep = self.scope.keep.get(number)
        aligned = self._vector_alignment(load)
        if aligned <= 1 and keep is None:
            return None
        vector = keep or self.scope.names.fresh(f"{pointer.name}_vector{number}")
        self.once.append(
            LoadVector(
                STORAGE_TYPES[pointer.parameter.dtype],
                1 if self.scope.lanes is None else self.scope.lanes.width,
                max(aligned, 1),
                vector,
                pointer.name,
                self._offset(load, False),
                self._predicate(load),
                keep is None,
            )
        )
        return vector

    def _run_alignment(self, run: Interleaved) -> int:
        """Elements of a run that may be accessed together at any place of it."""
        assert self.scope.lanes is not None
        pointer = self.scope.pointers[run.parameter]
        size = pointer.parameter.dtype.bytes
        known = math.gcd(pointer.alignment, alignment(run.base, self.scope.lanes) * size)
        return min(math.gcd(known, max(_VECTOR_BYTES, size)) // size, self._run_width(run))

    def _run_width(self, run: Interleaved) -> int:
        assert self.scope.lanes is not None
        return self.scope.lanes.width * run.parts

    def _run_element(self, load: FlatLoad) -> tuple[str, str] | None:
        """The vector that ``load`` is part of, and its lanes there; loaded when first asked for."""
        run = self._loads_of_runs.get(load)
        if run is None or self._run_alignment(run) <= 1:
            return None
        pointer = self.scope.pointers[run.parameter]
        if run.run not in self._runs:
            vector = self._runs[run.run] = self.scope.names.fresh(f"{pointer.name}_run")
            self.once.append(
                LoadVector(
                    STORAGE_TYPES[pointer.parameter.dtype],
                    self._run_width(run),
                    self._run_alignment(run),
                    vector,
                    pointer.name,
                    index_text(run.base, self._axes(False, ())),
                    None,
                    True,
                )
            )
        return self._runs[run.run], run.lane(_LANE)

    def _store_in_run(self, store: FlatStore, run: Interleaved) -> None:
        """Put the lanes of ``store`` into the vector of its run; the first part writes it."""
        pointer = self.scope.pointers[run.parameter]
        dtype = pointer.parameter.dtype
        if run.run not in self._written:
            vector = self._written[run.run] = self.scope.names.fresh(f"{pointer.name}_run")
            element = STORAGE_TYPES[dtype]
            self.once.append(DeclareVector(element, self._run_width(run), vector))
            offset = index_text(run.base, self._axes(False, ()))
            aligned = self._run_alignment(run)
            self.after.append(StoreVector(aligned, pointer.name, offset, vector, None))
        vector = self._written[run.run]
        self.each.append(self._set_element(store.value, dtype, vector, run.lane(_LANE)))

    def store(self, store: FlatStore) -> None:
        """Write a store."""
        run = self._stores_of_runs.get(store)
        if run is not None and self._run_alignment(run) > 1:
            self._store_in_run(store, run)
            return
        pointer = self.scope.pointers[store.parameter]
        value = self.values[store.value]
        lanes = self.scope.lanes
        aligned = self._vector_alignment(store)
        if lanes is not None and aligned > 1 and store.combine is None:
            vector = self._vector_of(store, value)
            offset = self._offset(store, False)
            self.after.append(
                StoreVector(aligned, pointer.name, offset, vector, self._predicate(store))
            )
            return
        combine = None if store.combine is None else _combiner(store.combine, pointer.parameter)
        varies = lanes is not None
        text, dtype = value.text, pointer.parameter.dtype
        stored = combine is None and self._has_stored_form(store.value, dtype)
        if stored:
            text = self._stored_form(store.value, dtype).text
        if combine is not None and value.dtype is not dtype.compute:
            text = f"{C_TYPES[dtype.compute]}({text})"
        (self.each if varies else self.after).append(
            StoreElement(
                pointer.name,
                self._offset(store, varies),
                text,
                stored,
                self._predicate(store),
                combine,
            )
        )

    def _vector_of(self, store: FlatStore, value: Value) -> str:
        """A vector with what ``store`` writes."""
        assert self.scope.lanes is not None
        pointer = self.scope.pointers[store.parameter]
        dtype = pointer.parameter.dtype
        if value.vector is not None and value.vector_dtype is dtype:
            return value.vector
        vector = self.scope.names.fresh(f"{pointer.name}_vector")
        element = STORAGE_TYPES[dtype]
        self.once.append(DeclareVector(element, self.scope.lanes.width, vector))
        self.each.append(self._set_element(store.value, dtype, vector, self._lane))
        return vector

    def _set_element(self, number: int, dtype: DType, vector: str, lane: str) -> SetElement:
        stored = self._has_stored_form(number, dtype)
        value = self._stored_form(number, dtype) if stored else self.values[number]
        return SetElement(STORAGE_TYPES[dtype], vector, lane, value.text, stored)

    def _has_stored_form(self, number: int, dtype: DType) -> bool:
        """True when the value is made of elements that lie in memory as ``dtype``, and zeros.

        Then it need not be converted to be computed with, and rounded again.
        """
        instruction = self.body.instructions[number]
        match instruction:
            case FlatLoad(parameter=parameter):
                return self.scope.pointers[parameter].parameter.dtype is dtype
            case Literal(value):
                return value == 0 and not math.copysign(1, value) < 0
            case Apply(ElementwiseOp.SELECT, (_, then, otherwise)):
                return all(self._has_stored_form(n, dtype) for n in (then, otherwise))
            case Convert(operand, to):
                return to is dtype and self._has_stored_form(operand, dtype)
            case _:
                return False

    def _stored_form(self, number: int, dtype: DType) -> Value:
        """The value as an element of ``dtype``; its statements are written once."""
        key = (number, dtype)
        if key not in self._stored:
            self._stored[key] = self._define_stored(number, dtype)
        return self._stored[key]

    def _define_stored(self, number: int, dtype: DType) -> Value:
        instruction = self.body.instructions[number]
        element = STORAGE_TYPES[dtype]
        match instruction:
            case FlatLoad():
                return self._load_stored(number, instruction, dtype)
            case Apply(ElementwiseOp.SELECT, (condition, then, otherwise)):
                chosen = [self._stored_form(n, dtype) for n in (then, otherwise)]
                parts = [self.values[condition], *chosen]
                varies = any(part.varies for part in parts)
                name = self.scope.names.fresh(f"chosen{number}_stored")
                texts = tuple(part.text for part in parts)
                self._statements(varies).append(Define(element, name, "select", texts))
                return Value(name, dtype.compute, varies)
            case Convert(operand):
                return self._stored_form(operand, dtype)
            case _:
                return Value(f"{element}{{}}", dtype.compute, False)

    def _load_stored(self, number: int, load: FlatLoad, dtype: DType) -> Value:
        value = self.values[number]
        if value.vector is not None:
            return Value(f"{value.vector}[{self._lane}]", dtype.compute, value.varies)
        if value.stored is not None:
            return Value(value.stored, dtype.compute, value.varies)
        pointer = self.scope.pointers[load.parameter]
        name = self.scope.names.fresh(f"{pointer.name}{number}_stored")
        offset = self._offset(load, value.varies)
        statement = LoadStored(
            STORAGE_TYPES[dtype], name, pointer.name, offset, self._predicate(load)
        )
        self._statements(value.varies).append(statement)
        return Value(name, dtype.compute, value.varies)

    def pack(self, pack: Pack) -> None:
        """Write all lanes of a value into a vector."""
        value = self.values[pack.value]
        if value.vector is not None and value.vector_dtype is pack.dtype:
            self.once.append(CopyVector(pack.name, value.vector))
            return
        self._in_lanes().append(self._set_element(pack.value, pack.dtype, pack.name, self._lane))

    def accumulate(self, total: Total) -> None:
        """Write the reduction of all lanes of a value."""
        text = self.values[total.value].text
        self._in_lanes().append(Accumulate(total.name, total.op.value, text))

    def _in_lanes(self) -> list[Statement]:
        return self.once if self.scope.lanes is None else self.each

    @property
    def _lane(self) -> str:
        return self.scope.single_lane if self.scope.lanes is None else _LANE


def _whole_runs(
    body: FlatBody, found: Mapping[FlatStore, Interleaved]
) -> dict[FlatStore, Interleaved]:
    """Runs of parameters that are written in one run alone: no other store may come between."""
    return {
        store: run
        for store, run in found.items()
        if store.combine is None
        and all(
            found[other].run == run.run if other in found else False
            for other in body.stores
            if other.parameter == store.parameter
        )
    }


def _index_of(op: ElementwiseOp, values: Sequence[Value]) -> IndexExpression | None:
    """The index expression that a sum of index expressions is."""
    if op is not ElementwiseOp.ADD or any(value.index is None for value in values):
        return None
    left, right = (value.index for value in values)
    assert left is not None
    assert right is not None
    return add(left, right)


def _operand_type(op: ElementwiseOp, result: DType, values: Sequence[Value]) -> tuple[DType, ...]:
    """The types that the operands are converted to."""
    match op:
        case ElementwiseOp.SELECT:
            return tuple(value.dtype for value in values)
        case ElementwiseOp.LESS_THAN:
            common = apply_type(ElementwiseOp.MAXIMUM, [value.dtype for value in values])
            return (common, common)
        case _:
            return (result,) * len(values)


def _combiner(op: ReduceOp, parameter: Parameter) -> str:
    if op is ReduceOp.SUM and parameter.dtype.is_float:
        raise ValueError(f"{parameter.name}: a sum of reals in any order has no one result")
    return COMBINERS[op]
