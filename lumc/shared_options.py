"""What commands share: options that several take, and groups that name what is near."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from lumc.diagnostics import did_you_mean
from lumc.option_types import OneOf, Setting


class Commands(click.Group):
    """Commands in the order they are written, with near names for what isn't one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See ``click.Group``."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See ``click.Group``."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.commands)
            ctx.fail(f"no command {args[0]!r}" + (f"; {hint}" if hint else ""))
        return super().resolve_command(ctx, args)


PATH = click.Path(path_type=Path)
config_option = click.option("--config", metavar="NAME", help="One of the spec's configurations.")
set_option = click.option(
    "--set", "settings", multiple=True, type=Setting(), help="A parameter of the spec; repeatable."
)
target_option = click.option(
    "--target", metavar="CHIP", default="gfx942", show_default=True, help="The chip to compile for."
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
math_option = click.option(
    "--math",
    type=OneOf(["fast", "exact"]),
    default="fast",
    show_default=True,
    help="exact: round where the text rounds, and only there.",
)
libraries_option = click.option(
    "--libraries",
    type=OneOf(["auto", "none", "vendor"]),
    default="auto",
    show_default=True,
    help="auto: NVIDIA's where the GPU is at hand; AMD's only by vendor.",
)


def refuse_given(names: Sequence[str], reason: str) -> None:
    """A usage error if one of the options ``names`` stands on the command line.

    Raises:
        UsageError: it names the option, and ``reason``.
    """
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            shown = "DIR" if isinstance(option, click.Argument) else option.opts[0]
            raise click.UsageError(f"{shown} {reason}")
