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
    """What the stage's folder says of the work of each kernel of its plan, by symbol.

    Raises:
        LumcError: the file is not there or damaged.
    """
    place = stage.folder / WORK_FILE
    try:
        content = json.loads(place.read_bytes())["kernels"]
        work = {symbol: KernelWork(**each) for symbol, each in content.items()}
        for symbol in (kernel.symbol for kernel in stage.plan.kernels):
            if symbol not in work or not _is_sound(work[symbol]):
                raise ValueError(f"it does not say what kernel {symbol} does")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{place} can't be read: {error}"
        hint = "compile the stage again with lumc compile"
        raise LumcError(Diagnostic("P005", message, hint=hint)) from None
    return work


def _is_sound(work: KernelWork) -> bool:
    numbers = (work.bytes, work.operations, work.roofline_us, work.model_us)
    return (
        all(isinstance(number, int | float) and number >= 0 for number in numbers)
        and work.model_us > 0
        and isinstance(work.operand_dtype, str | None)
    )
