"""What a toolchain can really do, found by compiling a tiny kernel with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lumc.codegen.cache import open_cache
from lumc.codegen.toolchains.toolchain import (
    CompilationError,
    CompileUnit,
    Toolchain,
    ToolchainError,
)


@dataclass(frozen=True, slots=True)
class Probe:
    """Whether the tiny kernel compiled, and if not, the compiler's first words about it."""

    works: bool
    reason: str = ""


@cache
def probe(chain: Toolchain, target: str) -> Probe:
    """Compile a tiny kernel for ``target``; the answer is kept with the compiler's identity."""
    store = open_cache()
    key = store.key("probe", chain.identity, str(chain.path), target)
    entry = store.read(key)
    if entry is not None:
        return Probe(**json.loads(entry["probe.json"]))
    text = files("lumc.codegen.toolchains").joinpath("probe.hip").read_text(encoding="utf-8")
    try:
        chain.compile(CompileUnit(text), target)
    except CompilationError as error:
        result = Probe(False, "".join(error.diagnostics[0].notes[:1]))
    except ToolchainError as error:
        # The compiler itself failed to run: not a property to remember.
        return Probe(False, str(error))
    else:
        result = Probe(True)
    content = json.dumps({"works": result.works, "reason": result.reason})
    store.write(key, {"probe.json": content.encode()})
    return result
