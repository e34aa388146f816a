"""Stages whose kernels are compiled later, on a machine with more cores and a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lumc.codegen.build import compile_units
from lumc.codegen.cache import open_cache
from lumc.codegen.toolchains import CompiledObject, CompileUnit, Toolchain, choose_toolchain


@dataclass(frozen=True, slots=True)
class SourceToolchain:
    """A toolchain whose code objects are the sources themselves."""

    name: str = "source"
    version: str = "source"
    path: Path = Path("source")
    identity: str = "source"

    def may_support(self, target: str) -> bool:
        """True: nothing is compiled."""
        return True

    def compile(self, unit: CompileUnit, target: str) -> CompiledObject:
        """The unit's text in place of code; its headers are in every stage's folder."""
        return CompiledObject(unit.text.encode(), "")


def compile_sources(folder: Path, target: str) -> tuple[int, Toolchain]:
    """Put code in the place of sources in all stages under ``folder``; returns how many were so."""
    chain = choose_toolchain(target)
    headers = {
        str(place.relative_to(root)): place.read_text(encoding="utf-8")
        for root in folder.glob("**/include")
        for place in root.glob("**/*.hpp")
    }
    places: dict[str, list[Path]] = {}
    for place in folder.glob("**/code_objects/*.co"):
        if not place.with_suffix(".s").stat().st_size:
            places.setdefault(place.stem, []).append(place)
    units = {
        symbol: CompileUnit(found[0].read_text(encoding="utf-8"), headers)
        for symbol, found in places.items()
    }
    built = compile_units(units, chain, target, open_cache())
    for symbol, found in places.items():
        for place in found:
            place.write_bytes(built.objects[symbol].code)
            place.with_suffix(".s").write_text(built.objects[symbol].assembly, encoding="utf-8")
    return len(units), chain
