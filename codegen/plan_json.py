"""Launch plans as JSON text: written deterministically, read with every field checked.

Plans are read from folders that a user can edit, copy in part or take from elsewhere, so nothing
in the text is trusted: shapes, numbers, references, ranges and paths are all verified, and what
``from_json`` returns can be run without a further check.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from enum import StrEnum
from pathlib import PurePosixPath
from types import NoneType, UnionType
from typing import Any, assert_never, get_args, get_origin, get_type_hints

from lumc.codegen.launch_plan import (
    COUNTER_BYTES,
    PLAN_VERSION,
    LaunchPlan,
    Meeting,
    PlanArgument,
    PlanAttention,
    PlanBuffer,
    PlanBufferKind,
    PlanCall,
    PlanConvolution,
    PlanKernel,
    PlanLaunch,
    PlanProduct,
    PlanStrided,
    Region,
)
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType

_FORMAT = "lumc launch plan"
_LARGEST = 2**62


class PlanError(LumcError):
    """A plan that can't be read or doesn't hang together."""

    def __init__(self, message: str, name: str) -> None:
        """``message`` says what is wrong with the plan called ``name``."""
        super().__init__(
            Diagnostic(
                "P001", f"{name}: {message}", hint="compile the stage again with lumc compile"
            )
        )


def to_json(plan: LaunchPlan) -> str:
    """``plan`` as text; equal plans give equal text. ``from_json`` gives the plan back."""
    document = {"format": _FORMAT} | _plain(plan)
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def from_json(text: str, name: str = "plan.json") -> LaunchPlan:
    """The plan written in ``text``; ``name`` is what messages call it.

    Raises:
        PlanError: the text is no plan, one of another version, or one that contradicts itself.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanError(f"not a whole plan ({error})", name) from None
    if not isinstance(document, dict) or document.pop("format", None) != _FORMAT:
        raise PlanError("not a launch plan of lumc", name)
    version = document.get("version")
    if version != PLAN_VERSION:
        raise PlanError(f"plan version {version}, but this lumc reads {PLAN_VERSION}", name)
    try:
        plan = _typed(LaunchPlan, document, "plan")
        _verify(plan)
    except _MismatchError as error:
        raise PlanError(str(error), name) from None
    assert isinstance(plan, LaunchPlan)
    return plan


class _MismatchError(Exception):
    """What is wrong, and where in the document."""


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def _typed(kind: Any, value: Any, place: str) -> Any:
    """``value``, as parsed from JSON, as an instance of the type ``kind``."""
    if get_origin(kind) is tuple:
        return _typed_tuple(get_args(kind), value, place)
    if isinstance(kind, UnionType):
        return _typed_union(get_args(kind), value, place)
    if dataclasses.is_dataclass(kind):
        return _typed_record(kind, value, place)
    if issubclass(kind, StrEnum):
        if value not in [str(member) for member in kind]:
            raise _MismatchError(f"{place} is {value!r}, which is no {kind.__name__}")
        return kind(value)
    if type(value) is not kind:
        raise _MismatchError(f"{place} is {value!r}, which is no {kind.__name__}")
    if kind is int and not 0 <= value <= _LARGEST:
        raise _MismatchError(f"{place} is {value}, which is out of range")
    return value


def _typed_union(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    """Of one type and None, or of records that differ in their fields."""
    if value is None and NoneType in kinds:
        return None
    options = [kind for kind in kinds if kind is not NoneType]
    if len(options) > 1 and isinstance(value, dict):
        options = [kind for kind in options if set(_hints(kind)) == set(value)] or options
    return _typed(options[0], value, place)


def _typed_tuple(kinds: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _MismatchError(f"{place} is no list")
    if kinds[-1] is ...:
        kinds = kinds[:1] * len(value)
    if len(kinds) != len(value):
        raise _MismatchError(f"{place} has {len(value)} entries, not {len(kinds)}")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_typed(kind, item, f"{place}[{number}]") for number, (kind, item) in pairs)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    """The types of a record's fields; to work them out takes longer than all the rest."""
    return get_type_hints(kind)


def _typed_record(kind: Any, value: Any, place: str) -> Any:
    hints = _hints(kind)
    if not isinstance(value, dict) or set(value) != set(hints):
        raise _MismatchError(f"{place} doesn't have exactly the fields {', '.join(hints)}")
    return kind(
        **{name: _typed(hint, value[name], f"{place}.{name}") for name, hint in hints.items()}
    )


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise _MismatchError(message)


def _verify(plan: LaunchPlan) -> None:
    sizes = dict(plan.region_bytes)
    _require(len(sizes) == len(plan.region_bytes), "a region is given twice")
    names = [(buffer.kind, buffer.name) for buffer in plan.buffers]
    _require(len(set(names)) == len(names), "two buffers of a kind have one name")
    for buffer in plan.buffers:
        _verify_buffer(buffer, sizes)
    for kernel in plan.kernels:
        match kernel:
            case PlanKernel():
                _verify_kernel(kernel)
            case PlanProduct() | PlanAttention() | PlanConvolution():
                _verify_call(kernel)
            case _:
                assert_never(kernel)
    for launch in (*plan.prepare, *plan.launches):
        _verify_launch(launch, plan)
    if plan.tables is not None:
        _verify_path(plan.tables)


def _verify_buffer(buffer: PlanBuffer, sizes: dict[Region, int]) -> None:
    size = math.prod(buffer.shape) * buffer.dtype.bytes
    _require(buffer.bytes == size, f"buffer {buffer.name} is not as long as its shape says")
    inside = buffer.offset + buffer.bytes <= sizes.get(buffer.region, 0)
    _require(inside, f"buffer {buffer.name} leaves its region")


def _verify_kernel(kernel: PlanKernel) -> None:
    _verify_path(kernel.code_object)
    _verify_path(kernel.source)
    threads = math.prod(kernel.block)
    _require(0 < threads <= 1024, f"kernel {kernel.symbol} has {threads} threads a workgroup")
    if kernel.meeting is not None:
        meeting = kernel.meeting
        least = min(meeting.workspace_bytes, meeting.counters, meeting.workgroups - 1)
        busy = meeting.workgroups <= meeting.counters * meeting.steps
        _require(
            least > 0 and busy, f"kernel {kernel.symbol} has nothing for its workgroups to meet in"
        )


def _verify_call(call: PlanCall) -> None:
    _require(min(call.sizes) > 0, f"call {call.symbol} has a size of 0")
    if isinstance(call, PlanAttention):
        shared = call.groups > 0 and call.sizes[0] % call.groups == 0
        _require(shared, f"call {call.symbol} shares {call.sizes[0]} heads by {call.groups}")
    if isinstance(call, PlanConvolution):
        _verify_window(call)
    if isinstance(call, PlanProduct) and call.gate is not None:
        dense = call.gate.dtype is DType.F32 and call.gate.strides == (0, 0, 1)
        _require(dense, f"call {call.symbol} has a gate that is no vector of f32 over columns")
    for operand, shape in _operands(call):
        fits = len(operand.strides) == len(shape)
        _require(fits, f"call {call.symbol} has an operand of other than {len(shape)} strides")


def _verify_window(call: PlanConvolution) -> None:
    """The picture with the zeros around it is what the window needs, no less and no more."""
    _require(min(*call.steps, *call.dilation) > 0, f"call {call.symbol} has a step of 0")
    for number in (0, 1):
        given = call.before[number] + call.sizes[2 + number] + call.after[number]
        spread = call.dilation[number] * (call.sizes[7 + number] - 1) + 1
        reached = (given - spread) // call.steps[number] + 1
        fits = given >= spread and reached == call.sizes[5 + number]
        _require(fits, f"call {call.symbol} has a window that does not fit its picture")


def _operands(call: PlanCall) -> tuple[tuple[PlanStrided, tuple[int, ...]], ...]:
    """The operands of ``call``, each with the points along its strides."""
    match call:
        case PlanProduct(sizes=(batch, rows, columns, inner)):
            made = (batch, rows, columns)
            operands: tuple[tuple[PlanStrided | None, tuple[int, ...]], ...] = (
                (call.left, (batch, rows, inner)),
                (call.right, (batch, columns, inner)),
                (call.output, made),
                (call.addend, made),
                (call.gate, made),
            )
        case PlanAttention(sizes=(heads, queries, keys, inner, channels)):
            shared = heads // max(1, call.groups)
            operands = (
                (call.query, (heads, queries, inner)),
                (call.key, (shared, keys, inner)),
                (call.value, (shared, keys, channels)),
                (call.output, (heads, queries, channels)),
                (call.bias, (heads, queries, keys)),
            )
        case PlanConvolution(sizes=(pictures, channels, high, wide, outputs, rows, columns, *taps)):
            results = (pictures, outputs, rows, columns)
            operands = (
                (call.image, (pictures, channels, high, wide)),
                (call.weight, (outputs, channels, *taps)),
                (call.output, results),
                (call.bias, (outputs,)),
                (call.addend, results),
            )
        case _:
            assert_never(call)
    return tuple((operand, shape) for operand, shape in operands if operand is not None)


def _verify_reach(call: PlanCall, launch: PlanLaunch, plan: LaunchPlan) -> None:
    """Every operand of a call lies inside the buffer that the launch gives for it."""
    for operand, shape in _operands(call):
        known = operand.argument < len(launch.arguments)
        _require(known, f"launch {launch.label} lacks an argument of {call.symbol}")
        argument = launch.arguments[operand.argument]
        steps = zip(shape, operand.strides, strict=True)
        last = operand.offset + sum((size - 1) * stride for size, stride in steps)
        end = argument.offset + (last + 1) * operand.dtype.bytes
        buffer = plan.buffers[argument.buffer]
        _require(end <= buffer.bytes, f"launch {launch.label} goes past buffer {buffer.name}")


def _verify_launch(launch: PlanLaunch, plan: LaunchPlan) -> None:
    _require(launch.kernel < len(plan.kernels), f"launch {launch.label} names no kernel")
    _require(min(launch.grid) > 0, f"launch {launch.label} has an empty grid")
    fits = math.prod(launch.grid) < 1 << 31
    _require(fits, f"launch {launch.label} has more workgroups than any chip counts")
    for argument in launch.arguments:
        _verify_argument(argument, launch, plan)
    kernel = plan.kernels[launch.kernel]
    if not isinstance(kernel, PlanKernel):
        _verify_reach(kernel, launch, plan)
    elif kernel.meeting is not None:
        _verify_meeting(kernel.meeting, launch, plan)


def _verify_meeting(meeting: Meeting, launch: PlanLaunch, plan: LaunchPlan) -> None:
    """The last arguments are as large a workspace and as many counters as the kernel needs."""
    wanted = (
        (PlanBufferKind.WORKSPACE, Region.ARENA, meeting.workspace_bytes),
        (PlanBufferKind.COUNTERS, Region.COUNTERS, meeting.counters * COUNTER_BYTES),
    )
    fits = meeting.workgroups <= math.prod(launch.grid)
    _require(fits, f"launch {launch.label} has too few workgroups to meet")
    given = launch.arguments[-len(wanted) :]
    _require(len(given) == len(wanted), f"launch {launch.label} lacks a workspace or counters")
    for argument, (kind, region, size) in zip(given, wanted, strict=True):
        buffer = plan.buffers[argument.buffer]
        right = buffer.kind is kind and buffer.region is region and argument.writes
        large = argument.offset == 0 and buffer.bytes >= size
        _require(right and large, f"launch {launch.label} has no {kind} of {size} bytes")


def _verify_argument(argument: PlanArgument, launch: PlanLaunch, plan: LaunchPlan) -> None:
    _require(argument.buffer < len(plan.buffers), f"launch {launch.label} names no buffer")
    buffer = plan.buffers[argument.buffer]
    inside = argument.offset < max(1, buffer.bytes)
    _require(inside, f"launch {launch.label} starts past the end of buffer {buffer.name}")


def _verify_path(path: str) -> None:
    parts = PurePosixPath(path).parts
    inside = bool(parts) and not path.startswith("/") and ".." not in parts
    # A backslash, a drive or a NUL would mean something else on another system.
    inside = inside and not any(sign in path for sign in "\\:\0")
    _require(inside, f"path {path!r} leaves the folder of the plan")
