"""Hidden tests: four-bit weights in groups."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64, U8 = torch.float32, torch.float64, torch.uint8
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
# (O, I, group): a shorter last group, odd widths, odd groups, a group longer than the row, groups of one column.
SIZES = [(3, 14, 7), (2, 13, 5), (5, 11, 2), (3, 7, 19), (2, 5, 1), (1, 1, 3), (7, 12, 4)]
EACH_SIZE = pytest.mark.parametrize("sizes", SIZES, ids=str)


def unpacked(packed, width):
    """The levels, byte by byte."""
    rows = [[half for byte in row for half in (byte % 16, byte // 16)][:width] for row in packed.tolist()]
    return torch.tensor(rows)


def true_weight(packed, scale, zero, group, width):
    """The definition, column by column."""
    q = unpacked(packed, width)
    columns = [scale[:, i // group] * (q[:, i] - zero[:, i // group].long()) for i in range(width)]
    return torch.stack(columns, dim=1)


def true_linear(x, packed, scale, zero, group, bias=None):
    y = torch.einsum("...i,oi->...o", x, true_weight(packed, scale, zero, group, x.shape[-1]))
    return y if bias is None else y + bias


def stored(rng, rows, width, group, dtype=F64):
    """Any bytes, scales and zero points; for an odd width also the bits that mean nothing."""
    groups = -(-width // group)
    packed = rng.randint(0, 256, (rows, -(-width // 2))).to(U8)
    scale = 0.1 + rng.rand(rows, groups, dtype=dtype)
    return packed, scale, rng.randint(0, 16, (rows, groups)).to(U8)


def quantized(solution, weight, group):
    """(packed, scale, zero), once it is sure that they have the form of the statement."""
    found = solution.quantize(weight, group)
    check(type(found) is tuple and len(found) == 3, "the result must be (packed, scale, zero)")
    packed, scale, zero = found
    rows, width = weight.shape
    groups = -(-width // group)
    check(packed.dtype == U8 and packed.shape == (rows, -(-width // 2)), "packed: uint8 of shape (O, ceil(I / 2))")
    check(zero.dtype == U8 and zero.shape == (rows, groups), "zero: uint8 of shape (O, G)")
    check(scale.dtype == weight.dtype and scale.shape == (rows, groups), "scale: dtype of the weight, shape (O, G)")
    check(int(zero.max()) <= 15, "a zero point is above 15")
    if width % 2:
        check(int(packed[:, -1].max()) <= 15, "the upper half of the last byte must be 0 where no column belongs to it")
    return found


def expect_groups(solution, weight, group):
    """Scale, zero point and error of every group; gives what comes back."""
    packed, scale, zero = quantized(solution, weight, group)
    back = solution.dequantize(packed, scale, zero, group, weight.shape[1])
    check(back.dtype == weight.dtype and back.shape == weight.shape, "dequantize: dtype of scale, shape (O, width)")
    for g, part in enumerate(weight.split(group, dim=1)):
        low, high = part.amin(1).clamp(max=0), part.amax(1).clamp(min=0)
        step = (high - low) / 15
        step = torch.where(step == 0, torch.ones_like(step), step)
        assert_close(scale[:, g], step, name="scale of a group", atol=0.0)
        off = (zero[:, g].to(weight.dtype) + low / step).abs()
        check(bool((off <= 0.5 + 1e-4).all()), "a zero point is not the level that is nearest to zero")
        error = (back[:, g * group : (g + 1) * group] - part).abs().amax(1)
        check(bool((error <= step * (0.5 + 1e-4)).all()), "an error is larger than half a step of its group")
    check(bool((back[weight == 0] == 0).all()), "0 does not come back as 0")
    assert_close(back, true_weight(packed, scale, zero, group, weight.shape[1]), name="dequantized weight")
    return back


def on_a_grid(rng, rows, width, group):
    """A weight, its levels, scales and zero points. Each group contains both ends, or has one column, which is an end."""
    q, groups = rng.randint(0, 16, (rows, width)), -(-width // group)
    zero = torch.where(rng.mask(rows, groups), 15, 0)
    for g in range(groups):
        first = g * group
        q[:, first] = 15 - zero[:, g]
        if first + 1 < min(width, first + group):
            zero[:, g] = rng.randint(0, 16, (rows,))
            q[:, first + 1] = 15 - q[:, first]
    scale = 2.0 ** rng.randint(-9, 9, (rows, groups))
    of = torch.arange(width) // group
    return scale[:, of] * (q - zero[:, of]), q, scale, zero


@sample
@points(1)
def test_packed_by_hand(solution):
    """Two groups of a row, the last of one column: steps 0.2 and 0.1, and levels 0, 5, 15 and 15, two in a byte."""
    packed, scale, zero = solution.quantize(torch.tensor([[-1.0, 0.0, 2.0, 1.5]]), 3)
    assert_close(scale, torch.tensor([[0.2, 0.1]]), name="scale")
    assert_close(zero, torch.tensor([[5, 0]], dtype=U8), name="zero")
    assert_close(packed, torch.tensor([[0 + 16 * 5, 15 + 16 * 15]], dtype=U8), name="packed")


@sample
@points(1)
def test_dequantized_by_hand(solution):
    """The byte 0xA3 holds level 3, then level 10. With zero point 5 and step 0.5 they stand for -1 and 2.5."""
    packed = torch.tensor([[0xA3, 0xF5]], dtype=U8)
    scale, zero = torch.tensor([[0.5]]), torch.tensor([[5]], dtype=U8)
    assert_close(solution.dequantize(packed, scale, zero, 4, 3), torch.tensor([[-1.0, 2.5, 0.0]]))


@sample
@points(1)
def test_product_by_hand(solution):
    """Two rows of three columns, in groups of two: levels minus zero point, times the step of their group."""
    packed = torch.tensor([[0x21, 0x04], [0xF0, 0x08]], dtype=U8)
    scale = torch.tensor([[1.0, 0.5], [2.0, 1.0]])
    zero = torch.tensor([[1, 2], [0, 15]], dtype=U8)
    y = solution.quantized_linear(torch.tensor([[1.0, 10.0, 100.0]]), packed, scale, zero, 2, torch.tensor([0.25, 0.0]))
    assert_close(y, torch.tensor([[0.0 + 10.0 + 100.0 + 0.25, 0.0 + 300.0 - 700.0]]))


@points(2)
@EACH_SIZE
def test_groups(solution, rng, sizes):
    """A scale, a zero point or an error does not fit its group: each group of each row has a grid of its own."""
    rows, width, group = sizes
    for dtype in (F32, F64):
        size = 10 ** (3 * rng.rand(rows, width, dtype=dtype) - 2)
        expect_groups(solution, size * rng.randn(rows, width, dtype=dtype), group)


@points(2)
@EACH_DTYPE
def test_one_sided_groups(solution, rng, dtype):
    """All numbers of a group lie on one side of zero: the range still contains zero, and zero is a level."""
    weight = 3 + rng.rand(4, 13, dtype=dtype)
    weight[1], weight[2, 5:] = -weight[1], -weight[2, 5:]
    weight[:, 7] = 0
    expect_groups(solution, weight, 5)


@points(2)
@EACH_DTYPE
def test_ends_of_the_range(solution, dtype):
    """Where the range is as wide below zero as above, an end falls between two levels: clamp after adding the zero point."""
    for ends in ([-1.0, 1.0], [-7.5, 7.5], [-2.5, 12.5], [-4.5, 10.5], [-3.0, 1.0]):
        weight = torch.tensor([[*ends, 0.1, 0.0, ends[0] / 3]], dtype=dtype)
        expect_groups(solution, weight, 5)


@points(2)
@EACH_DTYPE
def test_constant_groups(solution, rng, dtype):
    """A group of zeros has scale 1 and comes back as zeros; a constant comes back as itself. Nothing is NaN."""
    weight = torch.zeros(3, 11, dtype=dtype)
    weight[1, 3:6], weight[2, :3], weight[2, 9:] = 0.7, -2.5, 1e-4
    scale = quantized(solution, weight, 3)[1]
    assert_close(scale[0], torch.ones(4, dtype=dtype), name="scale of zeros")
    assert_close(expect_groups(solution, weight, 3), weight)


@points(3)
def test_round_trip_on_a_grid(solution, rng):
    """A weight that lies on a grid of sixteen levels must come back exactly, with the same bytes: check order and places."""
    for rows, width, group in SIZES:
        weight, q, scale, zero = on_a_grid(rng, rows, width, group)
        packed, found_scale, found_zero = quantized(solution, weight, group)
        assert_close(unpacked(packed, width), q, name="levels")
        assert_close(found_zero, zero.to(U8), name="zero")
        assert_close(found_scale, scale, name="scale")
        back = solution.dequantize(packed, found_scale, found_zero, group, width)
        assert_close(back, weight, rtol=1e-6, name="dequantized weight")


@points(2)
def test_outlier_stays_in_its_group(solution, rng):
    """An outlier must cost only its own group of its own row its precision: the bytes of the others stay as they are."""
    weight, group = rng.randn(5, 17, dtype=F64), 3
    before = quantized(solution, weight, group)
    other = weight.clone()
    other[2, 7] = 1000.0
    after = quantized(solution, other, group)
    apart = torch.ones(5, 17, dtype=torch.bool)
    apart[2, 6:9] = False
    assert_close(unpacked(after[0], 17)[apart], unpacked(before[0], 17)[apart], name="levels of the other groups")
    apart = torch.ones(5, 6, dtype=torch.bool)
    apart[2, 2] = False
    assert_close(after[1][apart], before[1][apart], name="scales of the other groups")
    assert_close(after[1][2, 2], (1000.0 - other[2, 6:9].min().clamp(max=0)) / 15, name="scale of the outlier")


@points(2)
@EACH_DTYPE
def test_sizes_of_numbers(solution, rng, dtype):
    """Very small and very large weights have errors of half a step, too: no constant may be added to the scale."""
    for magnitude in (1e-20, 1e20):
        expect_groups(solution, magnitude * rng.randn(3, 7, dtype=dtype), 5)


@points(2)
@EACH_SIZE
def test_dequantize(solution, rng, sizes):
    """Some number or the gradient of a scale differs from scale * (level - zero), for levels below the zero point, too."""
    rows, width, group = sizes
    for dtype in (F32, F64):
        inputs = stored(rng, rows, width, group, dtype)
        assert_same_gradients(
            solution.dequantize, true_weight, (*inputs, group, width), wrt=[1], names=("packed", "scale", "zero")
        )


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("biased", [True, False], ids=["bias", "no-bias"])
def test_product(solution, rng, biased, dtype):
    """The product or a gradient differs: of x, of the scales or of the bias."""
    for rows, width, group in ((3, 13, 5), (2, 7, 2)):
        x, bias = rng.randn(5, width, dtype=dtype), rng.randn(rows, dtype=dtype)
        inputs = [x, *stored(rng, rows, width, group, dtype), group] + [bias] * biased
        wrt = [0, 2] + [5] * biased
        names = ("x", "packed", "scale", "zero", "group", "bias")
        assert_same_gradients(solution.quantized_linear, true_linear, inputs, wrt=wrt, names=names, scale=8.0)


@points(2)
@pytest.mark.parametrize("shape", [(11,), (2, 3, 11), (0, 11), (1, 11)], ids=str)
def test_shapes_of_the_input(solution, rng, shape):
    """x may have any leading dimensions, also none, one or an empty one."""
    x, inputs = rng.randn(*shape, dtype=F64), stored(rng, 3, 11, 4)
    assert_close(solution.quantized_linear(x, *inputs, 4), true_linear(x, *inputs, 4), scale=8.0)


@points(1)
def test_whole_way(solution, rng):
    """From weight to product: the result must differ from the exact one by no more than the half steps allow."""
    weight, x = rng.randn(5, 23, dtype=F64), rng.randn(7, 23, dtype=F64)
    packed, scale, zero = quantized(solution, weight, 6)
    error = (solution.quantized_linear(x, packed, scale, zero, 6) - F.linear(x, weight)).abs()
    bound = F.linear(x.abs(), scale[:, torch.arange(23) // 6]) / 2
    check(bool((error <= bound * (1 + 1e-6)).all()), "an error of the product is too large")
    rebuilt = true_linear(x, packed, scale, zero, 6)
    assert_close(solution.quantized_linear(x, packed, scale, zero, 6), rebuilt, scale=8.0)


@points(1)
def test_no_gradient_of_the_weight(solution, rng):
    """quantize must work on a weight that asks for a gradient, and its results carry none."""
    weight = rng.randn(3, 7).requires_grad_()
    for found in solution.quantize(weight, 4):
        check(not found.requires_grad, "a result of quantize carries a gradient")


@points(1)
def test_group_below_one(solution, rng):
    """A group of less than one column is a ValueError."""
    for group in (0, -4):
        with pytest.raises(ValueError):
            solution.quantize(rng.randn(2, 8), group)


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is changed."""
    weight = rng.randn(22, 5, dtype=F64).t()[:, ::2]
    found = assert_not_mutated(solution.quantize, weight, 4)
    for a, b in zip(found, solution.quantize(weight.contiguous(), 4), strict=True):
        assert_close(a, b, name="result for a view")
    packed, scale, zero = stored(rng, 6, 13, 5)
    inputs = packed.t().contiguous().t()[::2], scale[::2], zero[::2]
    assert_close(assert_not_mutated(solution.dequantize, *inputs, 5, 13), true_weight(*inputs, 5, 13))
    x, bias = rng.randn(13, 4, dtype=F64).t(), rng.randn(6, dtype=F64)[::2]
    y = assert_not_mutated(solution.quantized_linear, x, *inputs, 5, bias)
    assert_close(y, true_linear(x, *inputs, 5, bias), scale=8.0)
