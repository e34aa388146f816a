"""A spec cannot take more memory or time than its limits: one clear message, and soon."""

from __future__ import annotations

import resource
import time

import pytest

from lumc.dsl import check, limits, load_text

MAIN = "stage s(x: f32[4]) -> y: f32[4]:\n    y[i] = x[i]\n"


def stage(body: str) -> str:
    return f"stage s(x: f32[4]) -> y: f32[4]:\n    {body}\n"


def doubling(depth: int) -> str:
    steps = [f"def f{n + 1}(x) = f{n}(x) + f{n}(2*x)\n" for n in range(depth)]
    return "def f0(x) = x\n" + "".join(steps) + stage(f"y[i] = f{depth}(x[i])")


def chain(depth: int) -> str:
    steps = [f"def f{n + 1}(x) = f{n}(x)\n" for n in range(depth)]
    return "def f0(x) = x\n" + "".join(steps) + stage(f"y[i] = f{depth}(x[i])")


def growing_texts(count: int) -> str:
    lets = [f'let t{n + 1} = "{{t{n}}}{{t{n}}}"\n' for n in range(count)]
    return 'let t0 = "0123456789"\n' + "".join(lets) + MAIN


def blocks(depth: int) -> str:
    lines = [f"{'    ' * (n + 1)}if 1 == 1:" for n in range(depth)]
    last = "    " * (depth + 1) + "a = 1"
    return "\n".join(["stage s(x: f32[4]) -> y: f32[4]:", *lines, last, "    y = x"]) + "\n"


def deep(calls: int, depth: int, form: str) -> str:
    """Definitions that call each other from deep within expressions of the given form."""
    steps = []
    for n in range(calls):
        inner = f"f{n}(x)"
        for _ in range(depth):
            inner = form.replace("@", inner)
        steps.append(f"def f{n + 1}(x) = {inner}\n")
    return "def f0(x) = x\n" + "".join(steps) + stage(f"y[i] = f{calls}(x[i])")


FORMS = [
    "sin(@)",
    "(@ + 1)",
    "if x > 0 then @ else 2",
    "-(@)",
    "max(1, @)",
    "(@ as f32)",
]

CASES = {
    "many rounds": stage("for n < 10^9:\n        a = 1\n    y = x"),
    "rounds within rounds": stage(
        "for a < 9999:\n        for b < 9999:\n            for c < 9999:\n                d = 1\n"
        "    y = x"
    ),
    "an unrolled sum": stage("y[i] = x[i] * sum{n < 10^12} n"),
    "nested unrolled sums": stage("y[i] = x[i] * sum{a < 9999} (sum{b < 9999} b)"),
    "a long list": "let a = [n for n < 10^9]\n" + MAIN,
    "a list of lists": "let a = [[m for m < 9999] for n < 9999]\n" + MAIN,
    "a large size": "param n = 1e30\nstage s(x: f32[n]) -> y: f32[n]:\n    y = x\n",
    "many elements": "stage s(x: f32[10^9, 10^9]) -> y: f32[1]:\n    y[i: 1] = x[i, i]\n",
    "many elements in between": stage(
        "index k: 10^9, p: 2\n    a[2*k + p, j: 10^9] = x[0]*j\n    y[i] = x[i] + a[i, i]"
    ),
    "a large reduction": stage(
        "a[j: 10^9, k: 10^9, l: 10^9] = x[0]*j + x[1]*k + x[2]*l\n"
        "    y[i] = sum[j, k, l] a[j, k, l]*x[i]"
    ),
    "a large number": "let a = " + "9" * 5000 + "\n" + MAIN,
    "a large power": "let a = 10^(10^(10^10))\n" + MAIN,
    "a large product": "let a = 2^62\nlet b = a * a\nlet c = b * b\n" + MAIN,
    "parentheses": stage("y[i] = " + "(" * 50_000 + "x[i]" + ")" * 50_000),
    "signs": stage("y[i] = " + "-" * 50_000 + "x[i]"),
    "nots": stage("y[i] = if " + "not " * 50_000 + "x[i] > 0 then 1 else 0"),
    "a long sum": stage("y[i] = " + "x[i] + " * 30_000 + "1"),
    "powers": stage("y[i] = " + "x[i] ^ " * 30_000 + "2"),
    "choices": stage("y[i] = " + "if x[i] > 0 then 1 else " * 9_000 + "0"),
    "blocks": blocks(300),
    "doubling definitions": doubling(45),
    "a chain of definitions": chain(5_000),
    "growing texts": growing_texts(200),
    "a long text": stage('weight w: f32[4] = "' + "a" * 100_000 + '"\n    y[i] = x[i]*w[i]'),
    "many axes": stage("a[" + ", ".join(f"i{n}: 1" for n in range(40)) + "] = x[0]\n    y = x"),
    "many pieces": stage(
        "for n < 9999:\n        a[n] = x[0]\n    b[i: 9999] = a[i]\n    y[i: 4] = x[i]*b[9]"
    ),
    "many operations": stage(
        "h{0} = x\n    for n < 9999:\n"
        "        h{n+1}[i] = sqrt(exp2(log2(sin(h{n}[i] + n) + n) + n)) + exp2(sqrt(h{n}[i] + n))"
        "\n    y = h{9999}"
    ),
    "many mistakes": stage("\n    ".join(f"a{n} = b{n}" for n in range(5_000))),
    "many syntax errors": stage("\n    ".join(f"a{n} = 1 1" for n in range(5_000))),
    "many items": "".join(f"def f{n}(x) = x x\n" for n in range(10_000)),
    "circles of files": "use s\n" + MAIN,
}


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_what_is_too_large_is_refused_soon(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A tenth of the work that is allowed: enough to see that the limits hold.
    monkeypatch.setattr(limits, "STEPS", limits.STEPS // 10)
    monkeypatch.setattr(limits, "NODES", limits.NODES // 10)
    started, memory = time.process_time(), peak_bytes()
    errors = check(load_text("s", text, files={"s": text}))
    assert time.process_time() - started < 10
    assert peak_bytes() - memory < 200_000_000
    assert errors
    assert len(errors) <= limits.ERRORS + 2
    assert all(error.render() for error in errors)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("calls", "depth"), [(49, 10), (40, 12), (5, 90), (49, 90)])
def test_depth_is_counted_before_the_interpreter_gives_up(
    form: str, calls: int, depth: int
) -> None:
    errors = check(load_text("s", deep(calls, depth, form)))
    assert all(error.code == "L004" for error in errors), errors[0].render()
    assert bool(errors) == (calls * depth > 600)


@pytest.mark.slow
def test_the_limits_themselves_are_reached_soon() -> None:
    started = time.process_time()
    (error,) = check(load_text("s", doubling(45)))
    assert "more than 500000 steps" in error.message
    assert time.process_time() - started < 40


def test_what_is_just_small_enough_is_accepted() -> None:
    deep = stage("y[i] = " + "(" * 40 + "x[i]" + ")" * 40 + " + x[i]" * 60)
    assert check(load_text("s", deep)) == ()
    assert check(load_text("s", chain(40))) == ()
    assert check(load_text("s", doubling(6))) == ()
    assert check(load_text("s", blocks(25))) == ()
