"""Grammar and parser: no conflicts, places of nodes, cached tables, precedence."""

from __future__ import annotations

import logging
from importlib.resources import files
from pathlib import Path

import lark
import pytest

from lumc.diagnostics import Source, Span
from lumc.dsl import grammar_tables
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.layout import Layout
from lumc.dsl.parser import parse_expression, parse_file
from lumc.dsl.syntax_builder import SyntaxBuilder

GRAMMAR = files("lumc.dsl").joinpath("grammar.lark").read_text("utf-8")


def conflicts(grammar: str) -> list[str]:
    """The shift/reduce conflicts that the parser generator resolves by itself."""
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    keeper = Keep()
    lark.logger.addHandler(keeper)
    level = lark.logger.level
    lark.logger.setLevel(logging.DEBUG)
    try:
        lark.Lark(
            grammar,
            parser="lalr",
            lexer="basic",
            start=["item", "expr"],
            postlex=Layout(),
            debug=True,
        )
    finally:
        lark.logger.setLevel(level)
        lark.logger.removeHandler(keeper)
    return [record for record in records if "conflict" in record.lower()]


def test_the_grammar_has_no_conflicts() -> None:
    assert conflicts(GRAMMAR) == []


def test_a_conflict_would_be_seen() -> None:
    assert conflicts(
        GRAMMAR.replace(
            '"if" disjunction "then" expr "else" choice',
            '"if" disjunction "then" expr "else" choice | "if" disjunction "then" expr',
        )
    )


def shown(expression: syntax.Expression | syntax.WholeAxis) -> str:
    """The expression with all its parentheses."""
    inner = [shown(child) for child in syntax.children(expression)]
    match expression:
        case syntax.Name(name):
            return name.text
        case syntax.Number(value):
            return str(value)
        case syntax.Binary(operator) | syntax.Compare(operator) | syntax.Logical(operator):
            return f"({inner[0]} {operator} {inner[1]})"
        case syntax.Negate():
            return f"(-{inner[0]})"
        case syntax.Not():
            return f"(not {inner[0]})"
        case syntax.Select():
            return f"(if {inner[0]} then {inner[1]} else {inner[2]})"
        case syntax.Cast(_, stored):
            return f"({inner[0]} as {stored.text})"
        case syntax.Reduction(operator, axes):
            return f"({operator}[{', '.join(axis.name.text for axis in axes)}] {inner[-1]})"
        case syntax.Read():
            return f"{inner[0]}[{', '.join(inner[1:])}]"
        case _:
            return type(expression).__name__


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b / c", "((a / b) / c)"),
        ("a // b % c", "((a // b) % c)"),
        ("-a ^ 2", "(-(a ^ 2))"),
        ("a ^ -b ^ c", "(a ^ (-(b ^ c)))"),
        ("2 ^ x[i]", "(2 ^ x[i])"),
        ("sum[s] p[s] * v[s] / total + b", "(((sum[s] (p[s] * v[s])) / total) + b)"),
        ("a * sum[i] b[i] * c[i]", "(a * (sum[i] (b[i] * c[i])))"),
        ("-sum[i] a[i] / n", "((-(sum[i] a[i])) / n)"),
        ("max[i, j] -a[i, j]", "(max[i, j] (-a[i, j]))"),
        ("a < b and not c == d or e > f", "(((a < b) and (not (c == d))) or (e > f))"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("if a then if b then c else d else e", "(if a then (if b then c else d) else e)"),
        ("if a then b as f32 else c as f16", "((if a then (b as f32) else c) as f16)"),
        ("a + b as bf16", "((a + b) as bf16)"),
        ("x[i, :]", "x[i, WholeAxis]"),
    ],
)
def test_precedence(text: str, meaning: str) -> None:
    assert shown(parse_expression(Source("t", text), 0)) == meaning


def test_every_node_knows_its_place() -> None:
    text = (
        "# a comment\n"
        "param n = 2 * 3\n"
        "\n"
        "stage s(x: f32[n]) -> y: f32[n]:\n"
        "    y[i] = (\n"
        "        x[i] +\n"
        "        sum[j: n] x[j])\n"
    )
    parsed = parse_file(Source("t", text))
    assert parsed.errors == ()
    param, stage = parsed.items
    assert isinstance(param, syntax.Param)
    assert isinstance(stage, syntax.Stage)
    (assignment,) = stage.body
    assert isinstance(assignment, syntax.Assignment)

    def where(span: Span) -> tuple[int, int, int, int]:
        return span.line, span.column, span.end_line, span.end_column

    assert where(param.default.span) == (2, 11, 2, 16)
    assert where(stage.name.span) == (4, 7, 4, 8)
    assert where(assignment.span) == (5, 5, 7, 23)
    assert where(assignment.value.span) == (6, 9, 7, 23)
    spans = [where(part.span) for part in syntax.walk(assignment.value)]
    assert spans[-1] == (7, 21, 7, 22)


def test_items_stand_for_themselves() -> None:
    """A mistake in one item leaves the others."""
    text = "param a = (1\nparam b = 2\ndef f(x) = x +\nparam c = 3\n]\nparam d = 4\n"
    parsed = parse_file(Source("t", text))
    names = [item.name.text for item in parsed.items if isinstance(item, syntax.Param)]
    assert names == ["b", "c", "d"]
    assert parsed.broken == {"a", "f"}
    assert [error.span.line for error in parsed.errors if error.span] == [1, 3, 5]


def test_the_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path / "cache"))
    grammar_tables.load_parser(SyntaxBuilder())
    (kept,) = (tmp_path / "cache").iterdir()
    written = kept.stat().st_mtime_ns
    builder = SyntaxBuilder()
    parser = grammar_tables.load_parser(builder)
    assert kept.stat().st_mtime_ns == written
    assert isinstance(parser.parse("1 + 2", start="expr"), syntax.Binary)


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_tables_are_made_again(
    damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path))
    grammar_tables.load_parser(SyntaxBuilder())
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:500] if damage is None else damage)
    parser = grammar_tables.load_parser(SyntaxBuilder())
    assert isinstance(parser.parse("1 + 2", start="expr"), syntax.Binary)


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path / "file" / "below"))
    parser = grammar_tables.load_parser(SyntaxBuilder())
    assert isinstance(parser.parse("1 + 2", start="expr"), syntax.Binary)
