"""The parser's tables: made from the grammar, and kept in the user's cache folder."""

from __future__ import annotations

import contextlib
import hashlib
import platform
from importlib.resources import files
from typing import Any

import lark

from lumc.cache_folder import cache_folder
from lumc.dsl.layout import Layout


def load_parser(builder: lark.Transformer[lark.Token, Any]) -> lark.Lark:
    """The parser, which hands each rule that it finds to ``builder``.

    The tables are read from the cache if they are there (5 ms instead of 90). A cache that cannot
    be read or written, or a damaged one, costs that time and nothing else: Lark then makes the
    tables from the grammar.
    """
    grammar = files("lumc.dsl").joinpath("grammar.lark").read_text(encoding="utf-8")
    tables = cache_folder() / f"grammar-{_key(grammar)}.tables"
    with contextlib.suppress(OSError):
        tables.parent.mkdir(parents=True, exist_ok=True)
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=["item", "expr"],
        postlex=Layout(),
        transformer=builder,
        keep_all_tokens=True,
        maybe_placeholders=False,
        cache=str(tables),
    )


def _key(grammar: str) -> str:
    parts = (grammar, lark.__version__, platform.python_version())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
