"""Hidden tests: Triton kernels on tensors inside larger memory. Rooms, launches and the limit of a block are in given.py and
probes.py.
"""

import math

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
CANARY = 77.0


def softmaxed(x, dtype):
    """The softmax of each row in float64, rounded once. A row of -inf gives zeros."""
    wide = x.double()
    dead = (wide == -math.inf).all(-1, keepdim=True)
    return torch.where(dead, 0.0, wide.masked_fill(dead, 0.0).softmax(-1)).to(dtype)


def multiplied(a, b, dtype, bias=None):
    """The product in float64, rounded once."""
    product = a.double() @ b.double()
    return (product if bias is None else product + bias.double()).to(dtype)


def verify(given, probes, name, inputs, expected, layouts=("rows",), out_layout="rows", scale=1.0, **options):
    """Call the answer with views of rooms that are full of NaN, and with an `out` among canaries. Compare everything."""
    layouts = (layouts * len(inputs))[: len(inputs)]
    rooms = [given.place(values, layout, math.nan) for values, layout in zip(inputs, layouts, strict=True)]
    room, view = given.place(torch.full_like(expected, CANARY), out_layout, CANARY)
    seen = probes.run(name, [given.placed(*each) for each in rooms], given.placed(room, view), **options)
    if options.get("hidden"):
        check(seen["launches"] > 0, "no kernel was launched")
        check(not seen["operators"], "a kernel calls operators of torch")
    assert_close(seen["out"], expected, scale=scale, name="out")
    view.copy_(seen["out"])
    check(torch.equal(seen["room"], room), "memory around out has changed")
    for (before, _), after in zip(rooms, seen["inputs"], strict=True):
        check(torch.equal(before.nan_to_num(5.0), after.nan_to_num(5.0)), "an input has changed")


@sample
def test_softmax_of_two_rows(solution):
    """Rows with the weights 1 : 3 : 4 and 2 : 1 : 1, so eighths and quarters."""
    x = torch.tensor([[1.0, 3.0, 4.0], [2.0, 1.0, 1.0]]).log()
    out = torch.empty(2, 3)
    solution.softmax(x, out)
    assert_close(out, torch.tensor([[0.125, 0.375, 0.5], [0.5, 0.25, 0.25]]))


@sample
def test_softmax_of_minus_infinity(solution):
    """An entry of minus infinity has no weight, and a row of them gives zeros."""
    out = torch.empty(2, 2)
    solution.softmax(torch.tensor([[-math.inf, 3.0], [-math.inf, -math.inf]]), out)
    assert_close(out, torch.tensor([[0.0, 1.0], [0.0, 0.0]]))


@sample
def test_small_product(solution):
    """A product of whole numbers, from float32 into float16."""
    out = torch.empty(1, 2, dtype=F16)
    solution.matmul(torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]]), out)
    assert_close(out, torch.tensor([[7.0, -1.0]], dtype=F16))


DTYPES = {
    "float32": (F32, F32),
    "float16": (F16, F16),
    "bfloat16": (BF16, BF16),
    "float16-into-float32": (F16, F32),
    "bfloat16-into-float32": (BF16, F32),
    "float32-into-bfloat16": (F32, BF16),
}


@points(2)
@pytest.mark.parametrize("name", DTYPES)
def test_softmax_dtypes(given, probes, rng, name):
    """Softmax is off for these dtypes: convert to float32 after loading, and round when you store."""
    dtype, result = DTYPES[name]
    x = (3 * rng.randn(5, 37)).to(dtype)
    verify(given, probes, "softmax", [x], softmaxed(x, result))


@points(1)
@pytest.mark.parametrize("shape", [(1, 1), (3, 64), (2, 65), (41, 2), (2, 1000)], ids=str)
def test_softmax_sizes(given, probes, rng, shape):
    """Softmax is off for some sizes: what do the lanes behind the end of a row hold, and what do they store?"""
    x = rng.randn(*shape)
    verify(given, probes, "softmax", [x], softmaxed(x, F32))


@points(2)
@pytest.mark.parametrize(
    ("layout", "out"), [("transposed", "rows"), ("rows", "transposed"), ("spread", "transposed"), ("rows", "spread")]
)
def test_softmax_strides(given, probes, rng, layout, out):
    """Softmax is off for views: both tensors have a stride for rows and one for columns, and none of the four is known."""
    x = rng.randn(6, 19)
    verify(given, probes, "softmax", [x], softmaxed(x, F32), (layout,), out)


@points(1)
def test_softmax_of_an_expanded_row(probes, given, rng):
    """A stride of 0 is a stride like all others: each row of the result is the softmax of the one row."""
    row, out = rng.randn(1, 21), given.place(torch.zeros(4, 21), "rows", CANARY)
    seen = probes.run("softmax", [given.placed(row, row.expand(4, 21))], given.placed(*out))
    assert_close(seen["out"], softmaxed(row, F32).expand(4, 21), name="out")


@points(2)
@pytest.mark.parametrize("case", ["far-below-zero", "far-above-zero", "float16", "largest"])
def test_softmax_of_large_values(given, probes, rng, case):
    """Large values overflow, or lanes behind the end of a row count as zeros: which value has no influence on a maximum?"""
    small = rng.randn(4, 21)
    x = {
        "far-below-zero": small - 1000,
        "far-above-zero": small + 1000,
        "float16": (small * 20_000).clamp(-65_000, 65_000).half(),
        "largest": small.sign() * 3e38 * rng.mask(4, 21, p=0.7),
    }[case]
    verify(given, probes, "softmax", [x], softmaxed(x, F32))


@points(2)
@pytest.mark.parametrize("dtype", [F32, F16], ids=["float32", "float16"])
def test_softmax_with_minus_infinity(given, probes, rng, dtype):
    """Minus infinity among the entries, or in all of them: minus infinity minus minus infinity is NaN."""
    x = rng.randn(7, 18).masked_fill(rng.mask(7, 18, p=0.4), -math.inf)
    x[2], x[4, 1:], x[5, :-1] = -math.inf, -math.inf, -math.inf
    verify(given, probes, "softmax", [x.to(dtype)], softmaxed(x.to(dtype), dtype))


@points(1)
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)], ids=["no-rows", "no-columns", "nothing"])
def test_softmax_of_nothing(given, probes, shape):
    """Without rows or without columns nothing is written, and no error is raised."""
    verify(given, probes, "softmax", [torch.zeros(shape)], torch.zeros(shape))


PRODUCTS = {
    "float32": (F32, F32),
    "float16": (F16, F16),
    "float16-into-float32": (F16, F32),
    "float32-into-float16": (F32, F16),
}


@points(2)
@pytest.mark.parametrize("name", PRODUCTS)
def test_product_dtypes(given, probes, rng, name):
    """The product is off for these dtypes: add up in float32, and round when you store."""
    dtype, result = PRODUCTS[name]
    a, b = rng.randn(19, 37).to(dtype), rng.randn(37, 23).to(dtype)
    verify(given, probes, "matmul", [a, b], multiplied(a, b, result))


@points(1)
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (16, 32, 16), (33, 17, 65), (3, 150, 2), (150, 3, 5), (4, 6, 170)], ids=str
)
def test_product_sizes(given, probes, rng, shape):
    """The product is off for some sizes (M, K, N): which blocks hang over an edge, and does the grid cover all of `out`?"""
    M, K, N = shape
    a, b = rng.randn(M, K), rng.randn(K, N)
    verify(given, probes, "matmul", [a, b], multiplied(a, b, F32))


@points(2)
@pytest.mark.parametrize(
    "layouts",
    [("transposed", "rows", "rows"), ("rows", "transposed", "spread"), ("spread", "spread", "transposed")],
    ids="-".join,
)
def test_product_strides(given, probes, rng, layouts):
    """The product is off for views: three tensors have two strides each, and none of the six is known."""
    a, b = rng.randn(21, 35), rng.randn(35, 18)
    verify(given, probes, "matmul", [a, b], multiplied(a, b, F32), layouts[:2], layouts[2])


@points(2)
def test_product_beyond_float16(given, probes, rng):
    """Sums of float16 products exceed the largest float16 on the way, or lose small terms: in which dtype are they added up?"""
    a, b = torch.full((3, 64), 300.0, dtype=F16), torch.full((64, 5), 300.0, dtype=F16)
    b[32:] = -300.0
    b[-1] += rng.integer(1, 100)
    verify(given, probes, "matmul", [a, b], multiplied(a, b, F16))
    a, b = torch.ones(2, 2100, dtype=F16), torch.ones(2100, 3, dtype=F16)
    verify(given, probes, "matmul", [a, b], multiplied(a, b, F32))


@points(1)
@pytest.mark.parametrize("shape", [(3, 0, 4), (0, 3, 4), (3, 4, 0)], ids=["K", "M", "N"])
def test_product_of_nothing(given, probes, shape):
    """With K = 0 the product is zero, and must be written; with M = 0 or N = 0 there is nothing to write."""
    M, K, N = shape
    verify(given, probes, "matmul", [torch.ones(M, K), torch.ones(K, N)], torch.zeros(M, N))


@attested
@points(3)
@pytest.mark.parametrize("dtype", [F32, F16], ids=["float32", "float16"])
def test_only_kernels_compute_softmax(given, probes, rng, dtype):
    """Something other than a kernel has read the values of x or has written out: a copy, or an operator of torch?"""
    x = rng.randn(5, 23).to(dtype)
    verify(given, probes, "softmax", [x], softmaxed(x, dtype), ("transposed",), hidden=True)


@attested
@points(3)
@pytest.mark.parametrize("dtype", [F32, F16], ids=["float32", "float16"])
def test_only_kernels_compute_the_product(given, probes, rng, dtype):
    """Something other than a kernel has read the values of a or b, or has written out: a copy, or an operator of torch?"""
    a, b = rng.randn(9, 20).to(dtype), rng.randn(20, 11).to(dtype)
    layouts = ("transposed", "spread")
    verify(given, probes, "matmul", [a, b], multiplied(a, b, F32), layouts, hidden=True)
    # zeros for K = 0 come from a kernel, too
    nothing = [torch.ones(3, 0, dtype=dtype), torch.ones(0, 4, dtype=dtype)]
    verify(given, probes, "matmul", nothing, torch.zeros(3, 4), hidden=True)


@attested
@points(3)
@pytest.mark.parametrize("start", ["finite", "minus-infinity"])
def test_long_rows(given, probes, rng, start):
    """Extension: a row needs several blocks of at most 4,096 elements. Correct the sum when a later block raises the maximum."""
    x = rng.randn(2, 9001) + torch.linspace(-20, 20, 9001) * torch.tensor([[1.0], [-1.0]])
    if start == "minus-infinity":
        x[:, :8195], x[1, 8999:] = -math.inf, -math.inf
    verify(given, probes, "softmax", [x], softmaxed(x, F32), scale=4.0, most=4096)


@points(2)
@pytest.mark.parametrize("layout", ["rows", "spread"])
def test_bias(given, probes, rng, layout):
    """Extension: the bias of a column is added to each of its entries, also where K = 0, for any stride and dtype."""
    for dtype, K in ((F32, 18), (F16, 0)):
        a, b, bias = rng.randn(17, K), rng.randn(K, 35), rng.randn(35).to(dtype)
        layouts = ("rows", "rows", layout)
        verify(given, probes, "matmul", [a, b, bias], multiplied(a, b, F32, bias), layouts)


@points(2)
def test_bias_is_rounded_once(given, probes, rng):
    """Extension: the bias is added to the float32 sum, which is rounded afterwards: 2,049 has no place in float16, but 1 has."""
    K = 2049 + 2 * rng.integer(0, 20)
    a, b = torch.ones(2, K, dtype=F16), torch.ones(K, 3, dtype=F16)
    bias = 1.0 - torch.full((3,), float(K))
    bias[1] += 2
    verify(given, probes, "matmul", [a, b, bias], multiplied(a, b, F16, bias))
