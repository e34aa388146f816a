"""What options of the command take: names among a few, settings, sizes, requests."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from lumc.diagnostics import did_you_mean


class OneOf(click.Choice[str]):
    """A choice whose error names the nearest."""

    def fail(
        self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None
    ) -> NoReturn:
        """See ``click.ParamType``."""
        given = message.split("'")[1] if "'" in message else ""
        hint = did_you_mean(given, [str(choice) for choice in self.choices])
        super().fail(message + (f" {hint}" if hint else ""), param, ctx)


class Setting(click.ParamType[tuple[str, str]]):
    """``name=value``."""

    name = "NAME=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """See ``click.ParamType``."""
        name, sign, text = str(value).partition("=")
        if not sign or not name.strip():
            self.fail(f"{value!r} is not of the form NAME=VALUE", param, ctx)
        return name.strip(), text.strip()


class Size(click.ParamType[tuple[int, int]]):
    """``width x height``, as in ``512x512``."""

    name = "WxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """See ``click.ParamType``."""
        width, sign, height = str(value).lower().replace("×", "x").partition("x")
        if not (sign and width.isdecimal() and height.isdecimal()):
            self.fail(f"{value!r} is not of the form 512x512", param, ctx)
        return int(width), int(height)


class SizeAndPrompt(click.ParamType[Any]):
    """``width x height:prompt``."""

    name = "WxH:PROMPT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See ``click.ParamType``."""
        from lumc.bench_pipeline import BenchRequest

        size, sign, prompt = str(value).partition(":")
        if not sign:
            self.fail(f"{value!r} is not of the form 512x512:a prompt", param, ctx)
        return BenchRequest(*Size().convert(size, param, ctx), prompt)
