"""What each kernel of a compiled stage has to do at least, as the compile noted it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lumc.codegen.build import WORK_FILE
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.stage_folder import CompiledStage


@dataclass(frozen=True, slots=True)
class KernelWork:
    """What a kernel has to do at least in a launch, and the least time for it by a chip's figures.

    ``model_us`` is what the cost model expects.
    """

    bytes: float
    operations: float
    operand_dtype: str | None
    roofline_us: float
    model_us: float


def read_work(stage: CompiledStage) -> dict[str, KernelWork]:
    """What the stage's folder says of the work of each kernel, by symbol.

    Raises:
        LumcError: the file is not there or damaged.
    """
    place = stage.folder / WORK_FILE
    try:
        content = json.loads(place.read_bytes())["kernels"]
        return {symbol: KernelWork(**work) for symbol, work in content.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{place} can't be read: {error}"
        hint = "compile the stage again with lumc compile"
        raise LumcError(Diagnostic("P005", message, hint=hint)) from None
