"""Compiled stages on disk: found, read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lumc.codegen.build import PLAN_FILE
from lumc.codegen.launch_plan import LaunchPlan, PlanBufferKind, PlanKernel
from lumc.codegen.plan_json import PlanError, from_json
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.runtime.tensors import TensorFiles, TensorSource, WantedTensor


class StageFolderError(LumcError):
    """A folder holds no compiled stage, or not the one that was asked for."""


@dataclass(frozen=True, slots=True)
class CompiledStage:
    """A launch plan and the folder that its files lie in."""

    plan: LaunchPlan
    folder: Path

    def code(self, kernel: PlanKernel) -> tuple[bytes, str]:
        """The code object of ``kernel`` and its assembly text.

        Raises:
            PlanError: a file that the plan names is missing.
        """
        place = self.folder / kernel.code_object
        assembly = place.with_suffix(".s")
        return self._read(place), self._read(assembly).decode("utf-8", "replace")

    def tables(self) -> TensorSource | None:
        """The values of the table buffers, or None when there are none."""
        return TensorFiles([self.folder / self.plan.tables]) if self.plan.tables else None

    def _read(self, place: Path) -> bytes:
        try:
            return place.read_bytes()
        except OSError as error:
            reason = f"can't read {place.name}: {error.strerror or error}"
            raise PlanError(reason, str(self.folder / PLAN_FILE)) from None


def wanted_tensors(plan: LaunchPlan, kind: PlanBufferKind) -> tuple[WantedTensor, ...]:
    """The tensors of one kind that ``plan`` has buffers for."""
    return tuple(
        WantedTensor(buffer.name, buffer.shape, buffer.dtype)
        for buffer in plan.buffers
        if buffer.kind is kind
    )


def open_stage(folder: Path) -> CompiledStage:
    """The stage in ``folder``.

    Raises:
        StageFolderError: there is none.
        PlanError: its plan is damaged.
    """
    place = folder / PLAN_FILE
    try:
        text = place.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        message = f"{folder} holds no compiled stage ({PLAN_FILE} is missing)"
        hint = "make one with lumc compile SPEC -o DIR"
        raise StageFolderError(Diagnostic("P002", message, hint=hint)) from None
    except OSError as error:
        message = f"can't read {place}: {error.strerror or error}"
        raise StageFolderError(Diagnostic("P002", message)) from None
    except UnicodeDecodeError:
        raise PlanError("not a whole plan (it is no text)", str(place)) from None
    return CompiledStage(from_json(text, str(place)), folder)


def find_stages(folder: Path) -> dict[str, Path]:
    """The compiled stages in ``folder`` by name: itself, or those right under it.

    Raises:
        StageFolderError: there is none.
    """
    if (folder / PLAN_FILE).is_file():
        return {folder.resolve().name: folder}
    found = sorted(folder.glob(f"*/{PLAN_FILE}"))
    if not found:
        message = f"{folder} holds no compiled stage"
        hint = "make one with lumc compile SPEC -o DIR"
        raise StageFolderError(Diagnostic("P002", message, hint=hint))
    return {plan.parent.name: plan.parent for plan in found if not plan.parent.name.startswith(".")}


def choose_stage(folder: Path, name: str | None) -> CompiledStage:
    """The stage called ``name``, or the only one there is.

    Raises:
        StageFolderError: there is none of that name, or several and no name was given.
        PlanError: its plan is damaged.
    """
    stages = find_stages(folder)
    if name is None and len(stages) == 1:
        return open_stage(next(iter(stages.values())))
    listed = ", ".join(stages)
    if name is None:
        message = f"{folder} holds several stages: {listed}"
        raise StageFolderError(Diagnostic("P003", message, hint="name one with --stage"))
    if name not in stages:
        message = f"{folder} has no stage {name}; it has {listed}"
        raise StageFolderError(Diagnostic("P004", message, hint=did_you_mean(name, stages)))
    return open_stage(stages[name])
