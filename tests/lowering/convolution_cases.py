"""Convolutions of every kind in one, two and three dimensions, and what only looks like one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.lowering.rule_case import Case

PLACES, OFFSETS, SIZES = ("r", "s", "t"), ("i", "j", "k"), (7, 6, 5)


def _spelled(text: str, dims: int, each: Mapping[str, str]) -> str:
    """``text`` with ``<name>`` replaced by what ``each`` says for every dimension.

    There ``{r}`` is the place in the result, ``{i}`` the offset, ``{n}`` the picture's size.
    ``<name?>`` is a condition for every dimension.
    """
    for name, one in each.items():
        dimensions = zip(PLACES[:dims], OFFSETS, SIZES, strict=False)
        spelled = [one.format(r=r, i=i, n=n) for r, i, n in dimensions]
        text = text.replace(f"<{name}>", ", ".join(spelled))
        text = text.replace(f"<{name}?>", " and ".join(spelled))
    return text


PLAIN = """
stage s(x: f32[3, <N>], W: f32[4, 3, <K>]) -> y: f32[4, <M>]:
    y[o, <P>] = sum[c, <I>] W[o, c, <I>] * x[c, <A>]
"""
GUARDED = PLAIN.replace("<A>", "<A> else 0")
GROUPED = """
stage s(x: f32[6, <N>], W: f32[2, 4, 3, <K>]) -> y: f32[2, 4, <M>]:
    y[g, o, <P>] = sum[c: 3, <I>] W[g, o, c, <I>] * x[3*g + c, <A> else 0]
"""
DEPTHWISE = """
stage s(x: f32[3, <N>], W: f32[3, <K>]) -> y: f32[3, <M>]:
    y[c, <P>] = sum[<I>] W[c, <I>] * x[c, <A> else 0]
"""
TRANSPOSED = """
stage s(x: f32[3, <N>], W: f32[3, 4, <K>]) -> y: f32[4, <M>]:
    y[o, <P>] = sum[c, <I>] W[c, o, <I>] * (if <E?> then x[c, <A> else 0] else 0)
"""
EMBEDDED = """
stage s(x: f32[3, <N>], W: f32[4, 3, <K>]) -> y: f32[4, <M>]:
    padded[c, <Q>] = x[c, <B> else 0]
    y[o, <P>] = sum[c, <I>] W[o, c, <I>] * padded[c, <A>]
"""
CONDITIONAL = """
stage s(x: f32[3, <N>], W: f32[4, 3, <K>]) -> y: f32[4, <M>]:
    y[o, <P>] = sum[c, <I>] W[o, c, <I>] * (if <E?> then x[c, <A>] else 0)
"""
CHANNELS_LAST = """
stage s(x: f32[<N>, 3], W: f32[<K>, 3, 4]) -> y: f32[<M>, 4]:
    y[<P>, o] = sum[<I>, c] x[<A>, c else 0] * W[<I>, c, o]
"""
SURROUNDED = """
stage s(x: f32[2, 3, <N>], W: f32[4, 3, <K>], b: f32[4], z: f32[2, 4, <N>]) -> y: f32[2, 4, <M>]:
    a[n, o, <P>] = b[o] + sum[c, <I>] W[o, c, <I>] * x[n, c, <A> else 0]
    y[n, o, <R>] = z[n, o, <R>] + silu(a[n, o, <R>])
"""
DOUBLED = """
stage s(x: f32[3, <N>], W: f32[4, 3, <K>]) -> y: f32[4, <M>]:
    large[c, <P>] = x[c, <H>]
    y[o, <R>] = sum[c, <I>] W[o, c, <I>] * large[c, <A> else 0]
"""


def _convolution(
    dims: int,
    name: str,
    at: str,
    text: str = PLAIN,
    size: str = "{n}",
    kernel: str = "3",
    **more: str,
) -> Case:
    places = {"R": "{r}", "I": "{i}", "N": "{n}", "A": at, "P": "{r}: " + size, "M": size}
    spelled = _spelled(text, dims, places | {"K": kernel} | more)
    title = f"convolution in {dims} dimensions: {name}"
    return Case(title, spelled, {"Gemm": 1}, ("product",))


def _convolutions(dims: int) -> Iterator[Case]:
    around, half = "{r} + {i} - 1", "({n} + 1)//2"
    yield _convolution(dims, "no padding", "{r} + {i}", size="{n} - 2")
    yield _convolution(dims, "one point", "{r} + {i}", kernel="1")
    yield _convolution(dims, "one point, strided", "2*{r} + {i}", size=half, kernel="1")
    yield _convolution(dims, "zeros around", around, GUARDED)
    yield _convolution(dims, "zeros behind", "{r} + {i}", GUARDED)
    yield _convolution(dims, "strided", "2*{r} + {i} - 1", GUARDED, half)
    yield _convolution(dims, "dilated", "{r} + 2*{i} - 2", GUARDED)
    yield _convolution(dims, "wrapped around", "({r} + {i} - 1) % {n}")
    yield _convolution(dims, "grouped", around, GROUPED)
    yield _convolution(dims, "depthwise", around, DEPTHWISE)
    even = "({r} + 1 - {i}) % 2 == 0"
    yield _convolution(dims, "transposed", "({r} + 1 - {i})//2", TRANSPOSED, "2*{n}", E=even)
    before = {"Q": "{r}{r}: {n} + 2", "B": "{r}{r} - 1"}
    yield _convolution(dims, "zeros put around before", "{r} + {i}", EMBEDDED, **before)
    inside = "{r} + {i} >= 1 and {r} + {i} <= {n}"
    yield _convolution(dims, "a condition on indices", around, CONDITIONAL, E=inside)
    yield _convolution(dims, "channels last", around, CHANNELS_LAST)
    yield _convolution(dims, "a batch, bias, activation and residual", around, SURROUNDED)
    yield _convolution(dims, "doubled before", around, DOUBLED, "2*{n}", H="{r}//2")


CONVOLUTIONS = tuple(case for dims in (1, 2, 3) for case in _convolutions(dims))

NO_CONVOLUTIONS = (
    Case(
        "no convolution: the largest product under a window",
        """
stage s(x: f32[3, 7], W: f32[4, 3, 3]) -> y: f32[4, 5]:
    y[o, r: 5] = max[c, i] W[o, c, i] * x[c, r + i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "no convolution: the mean under a window",
        """
stage s(x: f32[3, 7]) -> y: f32[3, 5]:
    y[c, r: 5] = sum[i: 3] x[c, r + i] / 3
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "no convolution: another kernel at each point",
        """
stage s(x: f32[3, 7], W: f32[5, 3, 3]) -> y: f32[5]:
    y[r: 5] = sum[c, i] W[r, c, i] * x[c, r + i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "no convolution: whole numbers",
        """
stage s(x: i32[3, 7], W: i32[4, 3, 3]) -> y: i32[4, 5]:
    y[o, r: 5] = sum[c, i] W[o, c, i] * x[c, r + i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "no convolution: distances to the kernel",
        """
stage s(x: f32[3, 7], W: f32[4, 3, 3]) -> y: f32[4, 5]:
    y[o, r: 5] = sum[c, i] (W[o, c, i] - x[c, r + i])^2
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "padding that is no zero, and that the sum counts",
        """
stage s(x: f32[3, 7], W: f32[4, 3, 3]) -> y: f32[4, 7]:
    y[o, r: 7] = sum[c, i] W[o, c, i] * x[c, r + i - 1 else 2]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "padding by infinity, which must come through",
        """
stage s(x: f32[3, 7], W: f32[4, 3, 3]) -> y: f32[4, 7]:
    y[o, r: 7] = sum[c, i] W[o, c, i] * x[c, r + i - 1 else inf]
""",
        {"Gemm": 1},
        ("product",),
    ),
)
