"""Small specs that rules are tried on: what must be found in each, and what must not.

Each is lowered in both modes and with random choices, and compared with what it means.
"""

from __future__ import annotations

from tests.lowering.convolution_cases import CONVOLUTIONS, NO_CONVOLUTIONS
from tests.lowering.rule_case import Case

ATTENTION = ("attention",)
NEAR = ("attention", "attention-of-softmax")

CASES = (
    # ------------------------------------------------------------------------ products
    Case(
        "product of rows",
        """
stage s(x: f32[5, 7], W: f32[6, 7]) -> y: f32[5, 6]:
    y[t, o] = sum[i] x[t, i] * W[o, i]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "transposed operands and result",
        """
stage s(x: f32[7, 5], W: f32[7, 6]) -> y: f32[6, 5]:
    y[o, t] = sum[i] x[i, t] * W[i, o]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "batch in the middle, two inner axes",
        """
stage s(x: f32[5, 3, 7, 2], W: f32[6, 3, 2, 7]) -> y: f32[5, 3, 6]:
    y[t, b, o] = sum[i, j] x[t, b, i, j] * W[o, b, j, i]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "outer product with an inner axis of one",
        """
stage s(x: f32[5, 1], W: f32[6, 1]) -> y: f32[5, 6]:
    y[t, o] = sum[i] x[t, i] * W[o, i]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "one row",
        """
stage s(x: f32[7], W: f32[6, 7]) -> y: f32[6]:
    y[o] = sum[i] x[i] * W[o, i]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "bias, activation and a gated residual after a product",
        """
stage s(x: f32[5, 7], W: f32[6, 7], b: f32[6], g: f32[6], r: f32[5, 6]) -> y: f32[5, 6]:
    y[t, o] = r[t, o] + g[o] * silu(affine(x[t], W, b)[o])
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "two products of one input and their gate",
        """
stage s(x: bf16[5, 7], W: bf16[6, 7], U: bf16[6, 7]) -> y: bf16[5, 6]:
    y[t, o] as bf16 = silu(linear(x[t], W)[o]) * linear(x[t], U)[o]
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "halves of one product, gated",
        """
stage s(x: f32[5, 7], W: f32[12, 7]) -> y: f32[5, 6]:
    y[t] = swiglu(linear(x[t], W))
""",
        {"Gemm": 1},
        ("product", "epilogue"),
    ),
    Case(
        "a product that is read in heads",
        """
stage s(x: f32[5, 7], W: f32[12, 7]) -> y: f32[3, 5, 4]:
    y[h: 3, t, d: 4] = linear(x[t], W)[h*4 + d]
""",
        {"Gemm": 1},
        ("product", "epilogue"),
    ),
    Case(
        "siblings of one input",
        """
stage s(x: f32[5, 7], W: f32[6, 7], U: f32[6, 7],
        V: f32[6, 7]) -> y: f32[5, 6], z: f32[5, 6], a: f32[5, 6]:
    y[t] = linear(x[t], W)
    z[t] = linear(x[t], U)
    a[t] = linear(x[t], V)
""",
        {"Gemm": 1},
        ("product",),
    ),
    Case(
        "the same axes in both factors are no product",
        """
stage s(x: f32[5, 7], y: f32[5, 7]) -> z: f32[5]:
    z[t] = sum[i] x[t, i] * y[t, i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "a factor without the inner axis is no product",
        """
stage s(x: f32[5, 7], w: f32[6]) -> z: f32[5, 6]:
    z[t, o] = sum[i] x[t, i] * w[o]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "a maximum of products is no product",
        """
stage s(x: f32[5, 7], W: f32[6, 7]) -> z: f32[5, 6]:
    z[t, o] = max[i] x[t, i] * W[o, i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    Case(
        "whole numbers are no product of matrices",
        """
stage s(x: i32[5, 7], W: i32[6, 7]) -> z: i32[5, 6]:
    z[t, o] = sum[i] x[t, i] * W[o, i]
""",
        {"RowReduction": 1},
        never=("product",),
    ),
    # -------------------------------------------------------------------- convolutions
    *CONVOLUTIONS,
    *NO_CONVOLUTIONS,
    # ------------------------------------------------------------------ row reductions
    Case(
        "norm over two axes of the middle",
        """
stage s(x: f32[3, 5, 4, 2]) -> y: f32[3, 5, 4, 2]:
    m[a, d] = sum[b, c] x[a, b, c, d] / (|b| * |c|)
    v[a, d] = sum[b, c] (x[a, b, c, d] - m[a, d])^2 / (|b| * |c|)
    y[a, b, c, d] = (x[a, b, c, d] - m[a, d]) * rsqrt(v[a, d] + 1e-5)
""",
        {"RowReduction": 1},
        ("reduce-in-row",),
    ),
    Case(
        "norm with modulation of a residual sum",
        """
stage s(x: bf16[5, 8], r: bf16[5, 8], shift: bf16[8], scale: bf16[8]) -> y: bf16[5, 8]:
    z[t, c] as bf16 = x[t, c] + r[t, c]
    y[t] = modulate(layer_norm(z[t], 1e-6), shift, scale)
""",
        {"RowReduction": 1},
        ("reduce-in-row",),
    ),
    Case(
        "root mean square norm, then rotation of halves",
        """
stage s(x: f32[5, 3, 8], g: f32[8], angle: f32[5, 4]) -> y: f32[5, 3, 8]:
    y[t, h] = rotate_halves(rms_norm(x[t, h], g, 1e-6), angle[t])
""",
        {"RowReduction": 1},
        ("reduce-in-row",),
    ),
    Case(
        "norms of two streams, placed one after the other and rotated",
        """
stage s(x: f32[3, 24], y: f32[4, 24], g: f32[8], angle: f32[7, 4]) -> z: f32[3, 7, 8]:
    index s: 3, t: 4
    q[h: 3, s]       = rms_norm(chunk(x[s], h, 8), g, 1e-6)
    q[h, |s| + t]    = rms_norm(chunk(y[t], h, 8), g, 1e-6)
    z[h, u] = rotate_pairs(q[h, u], angle[u])
""",
        {"RowReduction": 2},
        ("reduce-in-row", "read-piece"),
    ),
    Case(
        "group norm",
        """
stage s(x: f32[8, 5, 4], g: f32[8], b: f32[8]) -> y: f32[8, 5, 4]:
    y = group_norm(x, g, b, 1e-6, 4)
""",
        {"RowReduction": 1},
        ("reduce-in-row",),
    ),
    Case(
        "softmax of a row with infinite scores",
        """
stage s(x: f32[5, 7]) -> y: f32[5, 7]:
    z[t, i] = if i <= t then x[t, i] else -inf
    y[t] = softmax(z[t])
""",
        {"RowReduction": 1},
        ("reduce-in-row",),
    ),
    # ----------------------------------------------------------------------- attention
    Case(
        "attention of one head",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[5, 6]:
    o = attention(q, k, v)
""",
        {"Attention": 1},
        ATTENTION,
    ),
    Case(
        "heads, each narrower reals, written side by side",
        """
stage s(q: bf16[3, 5, 8], k: bf16[3, 7, 8], v: bf16[3, 7, 6]) -> o: bf16[5, 18]:
    o[t, h*6 + d] = attention(q[h], k[h], v[h])[t, d]
""",
        {"Attention": 1},
        ATTENTION,
    ),
    Case(
        "grouped queries, causal and padded keys",
        """
stage s(q: f32[2, 3, 5, 8], k: f32[2, 5, 8], v: f32[2, 5, 8], mask: i32[5]) -> o: f32[2, 3, 5, 8]:
    index t: 5, s: 5
    score[g, r, t, s] = (
        if s <= t and (mask[s] > 0 or s == 0)
        then scores(q[g, r], k[g])[t, s] else -inf)
    o[g, r] = attend(score[g, r], v[g])
""",
        {"Attention": 1},
        ATTENTION,
    ),
    Case(
        "an added bias for each head and a cap on scores",
        """
stage s(q: f32[3, 5, 8], k: f32[3, 7, 8], v: f32[3, 7, 8], bias: f32[3, 5, 7]) -> o: f32[3, 5, 8]:
    score[h, t, s] = 3 * tanh(scores(q[h], k[h])[t, s] / 3) + bias[h, t, s]
    o[h] = attend(score[h], v[h])
""",
        {"Attention": 1},
        ATTENTION,
    ),
    Case(
        "weights divided before the values",
        """
stage s(q: f32[3, 5, 8], k: f32[3, 7, 8], v: f32[3, 7, 6]) -> o: f32[3, 5, 6]:
    p[h, t] = softmax(scores(q[h], k[h])[t])
    o[h, t, d] = sum[s] p[h, t, s] * v[h, s, d]
""",
        {"Attention": 1},
        ("attention-of-softmax",),
    ),
    Case(
        "keys of two axes",
        """
stage s(q: f32[5, 8], k: f32[3, 4, 8], v: f32[3, 4, 6]) -> o: f32[5, 6]:
    z[t, a, b] = sum[d] q[t, d] * k[a, b, d]
    p[t, a, b] = exp(z[t, a, b] - max[a', b'] z[t, a', b'])
    o[t, d] = sum[a, b] p[t, a, b] * v[a, b, d] / sum[a, b] p[t, a, b]
""",
        {"Attention": 1},
        ATTENTION,
    ),
    Case(
        "a projection, gate and residual around attention",
        """
stage s(x: f32[5, 8], y: f32[7, 8], Wq: f32[8, 8], g: f32[8]) -> o: f32[5, 8]:
    q[t] = linear(x[t], Wq)
    o[t, d] = x[t, d] + g[d] * attention(q, y, y)[t, d]
""",
        {"Gemm": 1, "Attention": 1},
        ATTENTION,
    ),
    Case(
        "joint attention over two streams",
        """
stage s(q: f32[2, 5, 8], r: f32[2, 3, 8], k: f32[2, 5, 8],
        l: f32[2, 3, 8]) -> o: f32[5, 16], p: f32[3, 16]:
    index t: 5, s: 3
    a[h, t]       = q[h, t]
    a[h, |t| + s] = r[h, s]
    b[h, t]       = k[h, t]
    b[h, |t| + s] = l[h, s]
    z[u, h*8 + d] = attention(a[h], b[h], b[h])[u, d]
    o[t: 5] = z[0 + t]
    p[s: 3] = z[5 + s]
""",
        {"Pointwise": 4, "Attention": 1},
        ATTENTION,
    ),
    Case(
        "no maximum is taken off the scores",
        """
stage s(q: f32[3, 5, 8], k: f32[3, 7, 8], v: f32[3, 7, 6]) -> o: f32[3, 5, 6]:
    p[h, t, s] = exp(scores(q[h], k[h])[t, s])
    o[h, t, d] = sum[s] p[h, t, s] * v[h, s, d] / sum[s] p[h, t, s]
""",
        {"Attention": 1},
        ("attention-of-plain-weights",),
    ),
    Case(
        "no maximum, divided before the values",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[5, 6]:
    p[t, s] = exp(scores(q, k)[t, s])
    n[t, s] = p[t, s] / sum[s'] p[t, s']
    o[t, d] = sum[s] n[t, s] * v[s, d]
""",
        {"Attention": 1},
        ("plain-softmax", "attention-of-kept-softmax"),
    ),
    Case(
        "probabilities rounded before they weigh the values",
        """
stage s(q: bf16[5, 8], k: bf16[7, 8], v: bf16[7, 6]) -> o: bf16[5, 6]:
    z = scores(q, k)
    p[t, s] as bf16 = softmax(z[t])[s]
    o[t, d] as bf16 = sum[s] p[t, s] * v[s, d]
""",
        {"Attention": 1},
        ("rounded-softmax", "attention-of-kept-softmax"),
    ),
    Case(
        "a sum of exponentials over another axis is no softmax",
        """
stage s(q: f32[7, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[7, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[t'] p[t', t]
""",
        {"RowReduction": 1, "Gemm": 2},
        never=(*NEAR, "attention-of-plain-weights", "attention-of-kept-softmax"),
    ),
    Case(
        "the maximum of another tensor: no softmax, but plain weights",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6], z: f32[5, 7]) -> o: f32[5, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] z[t, s'])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[s] p[t, s]
""",
        {"RowReduction": 1, "Attention": 1},
        ("attention-of-plain-weights",),
        never=NEAR,
    ),
    Case(
        "the maximum over queries: no softmax of keys, but plain weights",
        """
stage s(q: f32[7, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[7, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[t'] score[t', s])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[s] p[t, s]
""",
        {"RowReduction": 1, "Gemm": 1, "Attention": 1},
        ("attention-of-plain-weights",),
        never=NEAR,
    ),
    Case(
        "a sum over queries is no softmax of keys",
        """
stage s(q: f32[7, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[7, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] score[t, s'])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[t'] p[t', t]
""",
        {"RowReduction": 2, "Gemm": 2},
        never=NEAR,
    ),
    Case(
        "weights masked after the exponential are no softmax",
        """
stage s(q: f32[5, 8], k: f32[5, 8], v: f32[5, 6]) -> o: f32[5, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] score[t, s'])
    o[t, d] = sum[s] (if s <= t then p[t, s] else 0) * v[s, d] / sum[s] p[t, s]
""",
        {"RowReduction": 1, "Gemm": 2},
        never=NEAR,
    ),
    Case(
        "the diagonal's maximum: no row's, but plain weights",
        """
stage s(q: f32[7, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[7, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] score[s', s'])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[s] p[t, s]
""",
        {"RowReduction": 1, "Gemm": 1, "Attention": 1},
        ("attention-of-plain-weights",),
        never=NEAR,
    ),
    Case(
        "powers of two are no powers of e",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[5, 6]:
    score = scores(q, k)
    p[t, s] = exp2(score[t, s] - max[s'] score[t, s'])
    o[t, d] = sum[s] p[t, s] * v[s, d] / sum[s] p[t, s]
""",
        {"RowReduction": 1, "Gemm": 2},
        never=NEAR,
    ),
    Case(
        "no division, no attention",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[5, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] score[t, s'])
    o[t, d] = sum[s] p[t, s] * v[s, d]
""",
        {"RowReduction": 1, "Gemm": 2},
        never=NEAR,
    ),
    Case(
        "values for each query: a batch of attentions of one row",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[5, 7, 6]) -> o: f32[5, 6]:
    score = scores(q, k)
    p[t, s] = exp(score[t, s] - max[s'] score[t, s'])
    o[t, d] = sum[s] p[t, s] * v[t, s, d] / sum[s] p[t, s]
""",
        {"Attention": 1},
    ),
    Case(
        "a softmax of an input weighs values",
        """
stage s(x: f32[5, 7], v: f32[7, 6]) -> o: f32[5, 6]:
    p[t] = softmax(x[t])
    o[t, d] = sum[s] p[t, s] * v[s, d]
""",
        {"RowReduction": 1, "Gemm": 1},
    ),
    Case(
        "scores that are an input",
        """
stage s(x: f32[5, 7], v: f32[7, 6]) -> o: f32[5, 6]:
    o = attend(x, v)
""",
        {"RowReduction": 1, "Gemm": 1},
    ),
    Case(
        "weights that are an output",
        """
stage s(x: f32[5, 7], v: f32[7, 6]) -> o: f32[5, 6], p: f32[5, 7]:
    p[t] = softmax(x[t])
    o[t, d] = sum[s] p[t, s] * v[s, d]
""",
        {"RowReduction": 1, "Gemm": 1},
    ),
    Case(
        "pooling by a softmax of an input",
        """
stage s(x: f32[7], v: f32[7, 6]) -> o: f32[6]:
    p = softmax(x)
    o[d] = sum[s] p[s] * v[s, d]
""",
        {"RowReduction": 1, "Gemm": 1},
    ),
    Case(
        "attention by distance",
        """
stage s(q: f32[5, 8], k: f32[7, 8], v: f32[7, 6]) -> o: f32[5, 6]:
    z[t, s] = -(sum[d] (q[t, d] - k[s, d]) * (q[t, d] - k[s, d]))
    o = attend(z, v)
""",
        {"RowReduction": 2, "Gemm": 1},
    ),
    Case(
        "a score of two products",
        """
stage s(q: f32[5, 8], k: f32[7, 8], r: f32[5, 4], l: f32[7, 4], v: f32[7, 6]) -> o: f32[5, 6]:
    z[t, s] = (sum[d] q[t, d] * k[s, d]) + (sum[e] r[t, e] * l[s, e])
    o = attend(z, v)
""",
        {"Gemm": 3, "RowReduction": 1},
    ),
    Case(
        "additive attention",
        """
stage s(q: f32[5, 8], k: f32[7, 8], w: f32[8], v: f32[7, 6]) -> o: f32[5, 6]:
    z[t, s] = sum[d] w[d] * tanh(q[t, d] + k[s, d])
    o = attend(z, v)
""",
        {"Gemm": 2, "RowReduction": 1},
    ),
    # ------------------------------------------------------- reads and writes anywhere
    Case(
        "a gather of a gather",
        """
stage s(x: f32[9, 4], i: i32[6], j: i32[3]) -> y: f32[3, 4]:
    y[t, c] = x[i[j[t]], c]
""",
        {"Pointwise": 1},
        ("inline-gather",),
    ),
    Case(
        "one number at computed places",
        """
stage s(x: f32[5], at: i32[5]) -> y: f32[5], z: i32[5]:
    t[a: 9] = sum[r: 4] sqrt(r + 2.0)
    u[a: 9] = sum[r: 4] r
    y[r] = x[r] * t[at[r]]
    z[r] = at[r] + u[at[r]]
""",
        {"Pointwise": 1},
        ("inline-gather-of-constant", "inline-gather-of-whole"),
    ),
    Case(
        "a guarded stencil of a stencil",
        """
stage s(x: f32[9]) -> y: f32[9]:
    a[t: 9] = x[t - 1 else 0] + x[t + 1 else 5]
    y[t: 9] = a[t - 2 else -1] * a[t + 1 else 1]
""",
        {"Pointwise": 1},
        ("inline-map2",),
    ),
    Case(
        "pieces of inputs, and reads across them",
        """
stage s(x: f32[4, 6], y: f32[3, 6]) -> z: f32[3, 6], w: f32[7, 2, 3]:
    index t: 4, s: 3
    a[t, c]     = relu(x[t, c])
    a[4 + s, c] = y[s, c]
    z[s: 3, c] = a[4 + s, c]
    w[u, e: 2, d: 3] = a[u, 3*e + d]
""",
        {"Pointwise": 3},
    ),
)
