"""The committed lists of instruction forms, `forms/*.s`."""

from pathlib import Path

FOLDER = Path(__file__).parent / "forms"
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100")


def listed_instructions(target: str) -> tuple[str, ...]:
    """The instructions under test for a target, in the order of the lists."""
    lines: list[str] = []
    for name in (target,) if target == "gfx1100" else ("common", target):
        for line in (FOLDER / f"{name}.s").read_text().splitlines():
            text = line.partition(";")[0].strip()
            if text:
                lines.append(text)
    return tuple(lines)
