"""Hidden tests: block formats, against nearest levels in a table and exponents of Python floats."""

import math
from itertools import pairwise

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64, BF16, U8, F8 = torch.float32, torch.float64, torch.bfloat16, torch.uint8, torch.float8_e4m3fn
FP4 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
FP8 = torch.arange(127, dtype=U8).view(F8).double().tolist()
TABLES, REACH = {"fp4": FP4, "fp8": FP8}, {"fp4": 2, "fp8": 8}
EACH_KIND = pytest.mark.parametrize("kind", ["fp4", "fp8"])
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, BF16], ids=["float32", "bfloat16"])


def nearest(value, table):
    """The code of the nearest level, ties to the even code, of a magnitude; a Python float."""
    return min(range(len(table)), key=lambda code: (abs(table[code] - value), code % 2))


def true_fp4(x):
    codes = [nearest(abs(v), FP4) + 8 * (math.copysign(1.0, v) < 0) for v in x.double().flatten().tolist()]
    return torch.tensor(codes, dtype=U8).reshape(x.shape)


def true_mx(x, kind, block):
    """Elements as float64 numbers, codes of fp4, and stored exponents. Scaling by a power of two is exact in float64."""
    elements, stored = [], []
    for part in x.double().reshape(-1, block).tolist():
        top = max(map(abs, part))
        e = math.frexp(top)[1] - 1 - REACH[kind] if top else 0
        stored.append(e + 127)
        elements += [math.ldexp(v, -e) for v in part]
    scaled = torch.tensor(elements, dtype=F64).reshape(x.shape)
    shape = (*x.shape[:-1], x.shape[-1] // block)
    return scaled, torch.tensor(stored, dtype=U8).reshape(shape)


def expect_mx(solution, x, kind, block):
    found = solution.mx_quantize(x, kind, block)
    check(type(found) is tuple and len(found) == 2, "the result must be (codes, scales)")
    scaled, stored = true_mx(x.detach(), kind, block)
    assert_close(found[1], stored, name="scales")
    if kind == "fp4":
        assert_close(found[0], true_fp4(scaled), name="codes")
    else:
        check(found[0].dtype == F8 and found[0].shape == x.shape, "codes: float8_e4m3fn in the shape of x")
        signs = torch.where(scaled < 0, -1.0, 1.0).double()
        levels = [FP8[nearest(abs(v), FP8)] for v in scaled.flatten().tolist()]
        expected = torch.tensor(levels, dtype=F64).reshape(x.shape) * signs
        check(torch.equal(found[0].double(), expected), "an eight-bit element is not the nearest one")
    return found


def expect_nv(solution, x, block):
    """All three parts; roundings of a quotient in float32 may decide a tie, so levels are compared by distance."""
    found = solution.nv_quantize(x, block)
    check(type(found) is tuple and len(found) == 3, "the result must be (codes, scales, overall)")
    codes, scales, overall = found
    wide = x.detach().double()
    parts = wide.unflatten(-1, (-1, block))
    tops = parts.abs().amax(-1)
    top = float(tops.max())
    assert_close(overall, torch.tensor(top / 2688 if top else 1.0, dtype=F32), name="overall")
    check(scales.dtype == F8 and scales.shape == tops.shape, "scales: float8_e4m3fn, one for each block")
    check(codes.dtype == U8 and codes.shape == x.shape, "codes: uint8 in the shape of x")
    check(int(codes.max()) <= 15, "a code is above 15")
    wanted = tops / (6 * overall.double())
    table = torch.tensor(FP8, dtype=F64)
    off = (scales.double() - wanted).abs()
    best = (wanted[..., None] - table).abs().amin(-1)
    check(bool((off <= best * (1 + 1e-4) + 1e-6 * wanted).all()), "a scale is not the nearest eight-bit float")
    step = scales.double()[..., None] * overall.double()
    blocks = codes.unflatten(-1, (-1, block))
    check(bool((blocks[(step == 0).expand_as(blocks)] == 0).all()), "a block of scale 0 has a code other than 0")
    ratio = parts / torch.where(step == 0, 1.0, step)
    levels = torch.tensor([*FP4, *(-v for v in FP4)], dtype=F64)
    error = (levels[blocks.long()] - ratio).abs()
    best = (ratio[..., None] - levels).abs().amin(-1)
    good = (error <= best + 1e-5) | (step == 0)
    check(bool(good.all()), "a code is not the one that is nearest to the number divided by its stored scale")
    signs = torch.signbit(parts) == (blocks >= 8)
    check(bool((signs | (step == 0)).all()), "a code does not have the sign of its number")
    return found


def numbers(rng, *shape, dtype=F32, spread=3.0):
    """Numbers of many sizes and both signs, and some zeros."""
    x = rng.randn(*shape, dtype=F64) * 2.0 ** (spread * rng.randn(*shape, dtype=F64))
    return torch.where(rng.mask(*shape, p=0.9), x, 0.0).to(dtype)


def true_back(codes, scales, overall=None):
    table = torch.tensor([*FP4, *(-v for v in FP4)], dtype=F64)
    values = table[codes.long()] if codes.dtype == U8 else codes.double()
    factors = 2.0 ** (scales.double() - 127) if scales.dtype == U8 else scales.double()
    back = values * factors.repeat_interleave(codes.shape[-1] // scales.shape[-1], -1)
    return back if overall is None else back * overall.double()


def stored(rng, kind, rows, blocks, block):
    """Any codes and scales of a format: mx4, mx8 or nv."""
    codes = rng.randint(0, 16, (rows, blocks * block)).to(U8)
    if kind == "mx8":
        codes = (50 * rng.randn(rows, blocks * block)).clamp(-448, 448).to(F8)
    if kind == "nv":
        return codes, (100 * rng.rand(rows, blocks)).to(F8), 0.01 + rng.rand()
    return codes, rng.randint(117, 138, (rows, blocks)).to(U8)


@sample
@points(1)
def test_codes_by_hand(solution):
    """The nearest of 0, 0.5, 1, 1.5, 2, 3, 4, 6: a middle goes to the even code, the sign adds 8, and 6 is the largest."""
    x = torch.tensor([0.2, 0.25, 0.75, 5.0, 5.1, -2.6, -0.1, 1000.0])
    assert_close(solution.fp4_codes(x), torch.tensor([0, 0, 2, 6, 7, 13, 8, 7], dtype=U8))


@sample
@points(1)
def test_mxfp4_by_hand(solution):
    """The largest of a block is 7, so e = 2 - 2 = 0; in the next block it is 0.75, so e = -1 - 2 = -3."""
    codes, scales = solution.mx_quantize(torch.tensor([[1.0, -7.0, 0.75, 0.125]]), "fp4", 2)
    assert_close(scales, torch.tensor([[127, 124]], dtype=U8), name="scales")
    assert_close(codes, torch.tensor([[2, 15, 7, 2]], dtype=U8), name="codes")


@sample
@points(1)
def test_nvfp4_by_hand(solution):
    """The largest number, 2688, makes the overall scale 1; the blocks have the scales 448 and 2."""
    codes, scales, overall = solution.nv_quantize(torch.tensor([2688.0, -448.0, 12.0, 6.0]), 2)
    assert_close(overall, torch.tensor(1.0), name="overall")
    assert_close(scales.float(), torch.tensor([448.0, 2.0]), name="scales")
    assert_close(codes, torch.tensor([7, 10, 7, 5], dtype=U8), name="codes")


@points(2)
def test_every_middle(solution):
    """A number in the middle of two levels goes to the even code, and its neighbours to the nearer level."""
    middles = torch.tensor([(a + b) / 2 for a, b in pairwise(FP4)])
    up, down = torch.full((7,), torch.inf), torch.zeros(7)
    x = torch.cat([middles, middles.nextafter(up), middles.nextafter(down), torch.tensor(FP4)])
    x = torch.cat([x, -x])
    assert_close(solution.fp4_codes(x), true_fp4(x))


@points(2)
@EACH_DTYPE
def test_codes(solution, rng, dtype):
    """A code differs from that of the nearest level: small numbers, large ones, zeros of both signs."""
    for shape in ((), (7,), (3, 1, 5)):
        x = numbers(rng, *shape, dtype=dtype) if shape else rng.randn(dtype=dtype)
        assert_close(solution.fp4_codes(x), true_fp4(x))
        assert_close(solution.fp4_codes(-0.0 * x.abs()), torch.full(shape, 8, dtype=U8))


@points(3)
@EACH_KIND
@EACH_DTYPE
def test_mx(solution, rng, kind, dtype):
    """A scale or an element of a block differs: each block has the exponent of its own largest magnitude."""
    for shape, block in (((3, 10), 5), ((2, 3, 14), 7), ((6,), 3), ((5, 3), 1), ((2, 64), 32)):
        expect_mx(solution, numbers(rng, *shape, dtype=dtype), kind, block)


@points(2)
@EACH_KIND
def test_block_of_32(solution, rng, kind):
    """Without a third argument a block has 32 numbers; in NVFP4 it has 16."""
    x = numbers(rng, 3, 96)
    assert_close(solution.mx_quantize(x, kind)[1], true_mx(x, kind, 32)[1], name="scales")
    check(solution.nv_quantize(x)[1].shape == (3, 6), "NVFP4: blocks of 16")


@points(2)
@EACH_KIND
def test_powers_of_two(solution, rng, kind):
    """At a power of two and right below it exponents differ by one: a rounded logarithm gives the same for both."""
    powers = 2.0 ** rng.randint(-20, 21, (11, 1)).float()
    below = powers.nextafter(torch.zeros(11, 1))
    x = torch.cat([powers, 0.3 * powers, -below, 0.7 * below], 1)
    expect_mx(solution, x, kind, 2)


@points(2)
@EACH_KIND
def test_largest_level(solution, kind):
    """After the division the largest number may lie above the largest level: it becomes that level, not infinity."""
    x = torch.tensor([[7.99, 1.0, 6.01], [-1.9, 1.7, 1.76], [511.0, 460.0, -470.0]])
    codes = expect_mx(solution, x, kind, 3)[0]
    if kind == "fp8":
        check(bool(codes.float().isfinite().all()), "an element is not finite")


@points(2)
@EACH_KIND
def test_blocks_of_zeros(solution, rng, kind):
    """A block of zeros has e = 0 and zeros as elements, and comes back as zeros."""
    x = numbers(rng, 3, 12)
    x[1], x[0, 4:8] = 0, 0
    codes, scales = expect_mx(solution, x, kind, 4)
    back = solution.dequantize(codes, scales)
    check(bool((back[x == 0] == 0).all()), "a zero does not come back as zero")


@points(2)
@EACH_KIND
def test_wide_range(solution, rng, kind):
    """Numbers of 1e-30 and 1e30 are numbers like any other: exponents are far from zero, and nothing overflows."""
    sizes = 10.0 ** torch.tensor([[-29.0], [-12.0], [0.0], [13.0], [29.0]])
    x = rng.randn(5, 6).clamp(-3, 3) * sizes
    x = torch.where(x.abs() < 1e-30, 0.0, x)
    expect_mx(solution, x, kind, 3)
    for row in x:
        expect_nv(solution, row, 3)


@points(3)
@EACH_DTYPE
def test_nv(solution, rng, dtype):
    """A scale or a code of NVFP4 differs: the scale is rounded to eight bits, and the codes are computed with the rounded one."""
    for shape, block in (((3, 10), 5), ((2, 3, 14), 7), ((6,), 3), ((5, 3), 1), ((64, 64), 16)):
        expect_nv(solution, numbers(rng, *shape, dtype=dtype, spread=1.0), block)


@points(2)
def test_tiny_blocks(solution, rng):
    """A block that is tiny beside the others gets the scale 0, and then code 0 everywhere: nothing is divided by zero."""
    x = rng.randn(4, 9, dtype=F32)
    x[0, :3], x[1, 3:6] = 1e-9 * x[0, :3], 0
    x[2, 0] = 100.0
    codes, scales, overall = expect_nv(solution, x, 3)
    assert_close(scales.float()[0, 0], torch.tensor(0.0), name="scale of the tiny block")
    assert_close(codes[0, :3], torch.zeros(3, dtype=U8), name="codes of the tiny block")
    check(bool(solution.dequantize(codes, scales, overall).isfinite().all()), "a number does not come back finite")


@points(2)
def test_nothing_but_zeros(solution):
    """A tensor of zeros has the overall scale 1 and comes back as zeros."""
    codes, scales, overall = expect_nv(solution, torch.zeros(2, 6), 3)
    assert_close(solution.dequantize(codes, scales, overall), torch.zeros(2, 6))


@points(2)
@pytest.mark.parametrize("kind", ["mx4", "mx8", "nv"])
def test_dequantize(solution, rng, kind):
    """A number that comes back differs: level times the scale of its block, times the overall scale where there is one."""
    for rows, blocks, block in ((3, 2, 5), (1, 7, 1), (2, 3, 16)):
        parts = stored(rng, kind, rows, blocks, block)
        assert_close(solution.dequantize(*parts), true_back(*parts).float())
    one = tuple(part[0] if part.dim() else part for part in parts)
    assert_close(solution.dequantize(*one), true_back(*one).float(), name="one row")


@points(2)
@pytest.mark.parametrize("kind", ["mx4", "mx8", "nv"])
def test_far_exponents(solution, rng, kind):
    """Scales of 2 to the 100 and to the -100, and an overall scale of 1e-20, are powers and factors like any other."""
    codes, scales, *rest = stored(rng, kind, 2, 3, 4)
    if kind == "nv":
        rest = [torch.tensor(1e-20)]
    else:
        scales = torch.tensor([[27, 127, 227], [200, 60, 128]], dtype=U8)
    for row in range(2):
        found = solution.dequantize(codes[row], scales[row], *rest)
        for i in range(3):
            part = (codes[row, 4 * i : 4 * i + 4], scales[row, i : i + 1], *rest)
            assert_close(found[4 * i : 4 * i + 4], true_back(*part).float(), name="block")


@points(2)
def test_exact_round_trip(solution, rng):
    """Numbers that lie on the grid of their block come back exactly, in all three formats."""
    codes = rng.randint(0, 16, (4, 15)).to(U8)
    codes[:, ::5] = 7
    power = 2.0 ** rng.randint(-9, 10, (4, 3)).float()
    x = true_back(codes, (power.log2() + 127).to(U8)).float()
    for kind in ("fp4", "fp8"):
        assert_close(solution.dequantize(*solution.mx_quantize(x, kind, 5)), x, rtol=0.0, atol=0.0)
    scales = torch.tensor([[448.0, 2.0, 0.5], [1.0, 3.5, 16.0]]).to(F8)
    x = true_back(codes[:2], scales).float()
    found = solution.nv_quantize(x, 5)
    assert_close(found[1].float(), scales.float(), name="scales")
    assert_close(solution.dequantize(*found), x, rtol=1e-6)


@points(3)
@pytest.mark.parametrize("left", ["mx4", "mx8", "nv"])
@pytest.mark.parametrize("right", ["mx4", "mx8", "nv"])
def test_product(solution, rng, left, right):
    """A product differs: scales belong to the blocks along K, and both sides may have other formats and blocks."""
    a, b = stored(rng, left, 3, 4, 6), stored(rng, right, 5, 3, 8)
    exact = true_back(*a) @ true_back(*b).T
    bound = true_back(*a).abs() @ true_back(*b).abs().T
    found = solution.block_matmul(a, b)
    check(found.dtype == F32 and found.shape == (3, 5), "the product: float32 of shape (M, N)")
    check(bool(((found.double() - exact).abs() <= 1e-6 * bound).all()), "a sum of the product is off")


@points(1)
def test_from_numbers_to_product(solution, rng):
    """Quantise both sides and multiply: the error is that of the levels, a few percent with eight bits."""
    x, w = rng.randn(4, 64), rng.randn(3, 64)
    a, b = solution.mx_quantize(x, "fp8"), solution.nv_quantize(w)
    assert_close(solution.block_matmul(a, b), (true_back(*a) @ true_back(*b).T).float(), scale=4.0)
    exact, bound = x @ w.T, x.abs() @ w.abs().T
    check(bool(((solution.block_matmul(a, a) - x @ x.T).abs() <= 0.15 * (x.abs() @ x.abs().T)).all()), "eight bits")
    check(bool(((solution.block_matmul(a, b) - exact).abs() <= 0.35 * bound).all()), "four bits")


@points(2)
def test_layouts_and_leading_dimensions(solution, rng):
    """Views and any leading dimensions are ordinary inputs, and no argument is changed."""
    x = numbers(rng, 12, 5).T[::2]
    for kind in ("fp4", "fp8"):
        found = assert_not_mutated(solution.mx_quantize, x, kind, 4)
        assert_close(found[1], true_mx(x, kind, 4)[1], name="scales of a view")
        assert_not_mutated(solution.dequantize, *found)
    expect_mx(solution, x, "fp4", 4)
    expect_nv(solution, numbers(rng, 2, 8, 3, spread=1.0).mT, 4)
    assert_not_mutated(solution.nv_quantize, x, 3)
    assert_close(assert_not_mutated(solution.fp4_codes, x), true_fp4(x))
    codes, scales = stored(rng, "mx4", 6, 3, 4)
    views = codes.T.contiguous().T, scales.repeat(1, 2)[:, :3]
    assert_close(solution.dequantize(*views), true_back(codes, scales).float())
    assert_not_mutated(solution.block_matmul, views, (codes, scales))


@points(1)
def test_no_gradient(solution, rng):
    """Quantising must work on a tensor that asks for a gradient, and no result carries one: look at the overall scale."""
    x = rng.randn(2, 6).requires_grad_()
    parts = [*solution.mx_quantize(x, "fp4", 3), *solution.mx_quantize(x, "fp8", 3), *solution.nv_quantize(x, 3)]
    for part in [*parts, solution.fp4_codes(x)]:
        check(not part.requires_grad, "a result carries a gradient")


@points(1)
def test_wrong_arguments(solution, rng):
    """A block that does not divide the row or is below 1, and an unknown kind, are a ValueError."""
    x = rng.randn(2, 6)
    for block in (4, 12, 0, -2):
        with pytest.raises(ValueError):
            solution.mx_quantize(x, "fp4", block)
        with pytest.raises(ValueError):
            solution.nv_quantize(x, block)
    with pytest.raises(ValueError):
        solution.mx_quantize(x, "int4", 3)
