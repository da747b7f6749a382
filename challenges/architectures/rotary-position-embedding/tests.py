"""Hidden tests: rotary position embedding."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
PAIRING = pytest.mark.parametrize("interleaved", [False, True], ids=["half-split", "interleaved"])


@sample
def test_one_pair(solution):
    """With d = 2 there is one pair and one angle, the position itself: start from the rotation of a plane."""
    out = solution.rotary(torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 1, 2]))
    expected = torch.tensor([[1.0, 0.0], [math.cos(1), math.sin(1)], [-math.sin(2), math.cos(2)]])
    assert_close(out, expected)


@sample
@points(2)
@PAIRING
def test_agrees_with_loops(solution, rng, exhibit, interleaved):
    """Values differ from a rotation written with loops: check which features form a pair, and each pair's frequency."""
    T, d = 5, 8
    x, expected = rng.randn(T, d), torch.zeros(T, d)
    for p in range(T):
        for i in range(d // 2):
            first, second = (2 * i, 2 * i + 1) if interleaved else (i, i + d // 2)
            angle = p * 10000.0 ** (-2 * i / d)
            a, b = float(x[p, first]), float(x[p, second])
            expected[p, first] = a * math.cos(angle) - b * math.sin(angle)
            expected[p, second] = a * math.sin(angle) + b * math.cos(angle)
    actual = solution.rotary(x, interleaved=interleaved)
    exhibit.difference("five tokens of width 8", actual, expected)
    assert_close(actual, expected)


@sample
def test_odd_width(solution, rng):
    """An odd width has a feature without a partner: a ValueError says so, in both pairings and for every input."""
    for x, positions in (
        (rng.randn(2, 5), None),
        (rng.randn(3, 1), torch.tensor([4, 5, 6])),
        (torch.zeros(0, 3), None),
    ):
        for interleaved in (False, True):
            with pytest.raises(ValueError):
                solution.rotary(x, positions, interleaved=interleaved)


SHAPES = {  # shape of x, interleaved
    "matrix": ((4, 6), False),
    "batch": ((3, 5, 4), True),
    "heads": ((2, 3, 4, 6), False),
    "as-many-heads-as-tokens": ((2, 4, 4, 4), True),
    "one-token": ((2, 3, 1, 8), False),
    "five-dimensions": ((2, 1, 2, 3, 2), True),
}


@points(2)
@pytest.mark.parametrize("name", SHAPES)
def test_values_and_gradients(solution, reference, rng, name):
    """Values or the gradient of x are off for some shape: tokens lie along the last but one dimension."""
    shape, interleaved = SHAPES[name]
    x = rng.randn(*shape, dtype=F64)
    assert_same_gradients(solution.rotary, reference.rotary, (x,), interleaved=interleaved)


POSITIONS = {  # shape of x, shape of positions, interleaved
    "scattered": ((2, 3, 5, 4), (5,), False),
    "per-sequence": ((2, 3, 5, 4), (2, 1, 5), True),
    "newest-tokens": ((3, 2, 1, 6), (3, 1, 1), False),
    "per-head": ((2, 3, 4, 4), (3, 4), True),
    "one-for-all": ((2, 5, 4), (), False),
    "everything": ((2, 2, 3, 4), (2, 2, 3), True),
    "one-per-sequence": ((2, 3, 5, 4), (2, 1, 1), False),
    "one-per-head": ((2, 3, 5, 4), (3, 1), True),
}


@points(2)
@pytest.mark.parametrize("name", POSITIONS)
def test_given_positions(solution, reference, rng, name):
    """Positions may have gaps, repeat, run backwards, and differ between sequences: they broadcast to x.shape[:-1]."""
    shape, of_positions, interleaved = POSITIONS[name]
    x, positions = rng.randn(*shape, dtype=F64), rng.randint(-500, 500, of_positions)
    positions.view(-1)[0] = -rng.integer(1, 500)  # a position is a number, not the index of a row in a table
    assert_same_gradients(solution.rotary, reference.rotary, (x, positions), interleaved=interleaved)


@points(2)
@pytest.mark.parametrize("base", [100.0, 500000.0, 2.0])
def test_base(solution, reference, rng, base):
    """The frequencies come from `base`, which is not always 10000."""
    x, positions = rng.randn(2, 4, 10, dtype=F64), rng.randint(0, 300, (4,))
    for interleaved in (False, True):
        assert_close(
            solution.rotary(x, positions, base, interleaved), reference.rotary(x, positions, base, interleaved)
        )


@points(1)
@pytest.mark.parametrize("dtype", [F16, BF16, F32], ids=["float16", "bfloat16", "float32"])
def test_dtypes(solution, reference, rng, dtype):
    """The result has the dtype of x; positions are whole numbers and do not decide about it."""
    x = rng.randn(2, 6, 8, dtype=dtype)
    assert_same_gradients(solution.rotary, reference.rotary, (x,))


@points(3)
@PAIRING
@pytest.mark.parametrize("dtype", [F16, BF16], ids=["float16", "bfloat16"])
def test_far_positions_in_half_precision(solution, rng, dtype, interleaved):
    """Far along, half precision cannot even hold the position: angles are computed in float32 or better."""
    x, positions = rng.randn(3, 16, dtype=dtype), 2 * rng.randint(1024, 2000, (3,)) + 1
    angles = positions.double()[:, None] * 10000.0 ** (-torch.arange(0, 16, 2, dtype=F64) / 16)
    a, b = (x[:, 0::2], x[:, 1::2]) if interleaved else (x[:, :8], x[:, 8:])
    first, second = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()
    expected = torch.stack([first, second], -1).flatten(-2) if interleaved else torch.cat([first, second], -1)
    assert_close(solution.rotary(x, positions, interleaved=interleaved), expected.to(dtype))


@points(2)
@PAIRING
@pytest.mark.parametrize("dtype", [F16, BF16], ids=["float16", "bfloat16"])
def test_one_rounding_in_half_precision(solution, reference, rng, dtype, interleaved):
    """In half precision only the result is rounded: cosines, sines and products stay in float32 until the end."""
    x = rng.randn(300, 8, dtype=dtype)
    exact = reference.rotary(x.double(), interleaved=interleaved)
    error = (solution.rotary(x, interleaved=interleaved).detach().double() - exact).abs()
    check(error.shape == x.shape, "output: the shape is wrong")
    # Half a unit in the last place, and what float32 angles up to 300 are off.
    allowed = exact.abs() * torch.finfo(dtype).eps * 0.51 + 2e-4
    check(
        bool((error <= allowed).all()), "some element is more than one rounding away: something was rounded on the way"
    )


@points(1)
def test_huge_positions_in_float64(solution, rng):
    """Beyond 16 million float32 cannot hold every whole number: with float64 inputs positions become float64 directly."""
    position = 2 * rng.integer(1 << 24, 1 << 25) + 1
    out = solution.rotary(torch.tensor([[1.0, 0.0]], dtype=F64), torch.tensor([position]))
    assert_close(out, torch.tensor([[math.cos(position), math.sin(position)]], dtype=F64), atol=1e-6)


@points(2)
@PAIRING
def test_float64_all_the_way(solution, rng, interleaved):
    """With float64 inputs the angles, cosines and sines are float64 too."""
    x, positions = rng.randn(1, 2, dtype=F64), rng.randint(1000, 2000, (1,))
    angle = float(positions[0])
    a, b = x[0].tolist()
    expected = [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
    assert_close(solution.rotary(x, positions, interleaved=interleaved), torch.tensor([expected], dtype=F64))
    x = rng.randn(1, 4, dtype=F64)
    members = (0, 1, 2, 3) if interleaved else (0, 2, 1, 3)
    a, b, c, e = (float(x[0, i]) for i in members)
    slow = angle * 300.0**-0.5
    turned = [
        a * math.cos(angle) - b * math.sin(angle),
        a * math.sin(angle) + b * math.cos(angle),
        c * math.cos(slow) - e * math.sin(slow),
        c * math.sin(slow) + e * math.cos(slow),
    ]
    expected = torch.empty(1, 4, dtype=F64)
    expected[0, list(members)] = torch.tensor(turned, dtype=F64)
    assert_close(solution.rotary(x, positions, 300.0, interleaved), expected)


@points(2)
@PAIRING
def test_only_the_distance_counts(solution, rng, interleaved):
    """The dot product of a rotated query and a rotated key depends on the distance of their positions, in the stated sense."""
    q, k = rng.randn(1, 8, dtype=F64), rng.randn(1, 8, dtype=F64)
    m, n, shift = (rng.integer(0, 200) for _ in range(3))

    def product(at_q, at_k):
        turned = [solution.rotary(x, torch.tensor([p]), interleaved=interleaved) for x, p in ((q, at_q), (k, at_k))]
        check(all(t.shape == (1, 8) for t in turned), "output: the shape is wrong")
        return (turned[0] * turned[1]).sum()

    assert_close(product(m + shift, n + shift), product(m, n), scale=8.0, name="dot product after a common shift")
    check(bool((product(m + 1, n) - product(m, n)).abs() > 1e-9), "the dot product does not depend on the distance")


@points(1)
@PAIRING
def test_position_zero_and_lengths(solution, rng, interleaved):
    """Position 0 changes nothing, and a rotation keeps every vector's length."""
    x = rng.randn(2, 3, 6, 8)
    out = solution.rotary(x, interleaved=interleaved)
    assert_close(out[..., 0, :], x[..., 0, :], name="token at position 0")
    assert_close(out.norm(dim=-1), x.norm(dim=-1), name="lengths")


@points(1)
@PAIRING
def test_token_by_token(solution, rng, interleaved):
    """A token alone, with its position given, must give what it gives inside the whole sequence."""
    x = rng.randn(2, 2, 5, 4)
    whole = solution.rotary(x, interleaved=interleaved)
    for p in (1, 4):
        alone = solution.rotary(x[:, :, p : p + 1], torch.tensor([p]), interleaved=interleaved)
        assert_close(alone, whole[:, :, p : p + 1], name="token alone")


@points(1)
@pytest.mark.parametrize("shape", [(0, 4), (2, 0, 6), (0, 3, 2)], ids=["no-tokens", "no-tokens-batch", "no-batch"])
def test_empty(solution, shape):
    """No tokens, or an empty batch, give an empty result of the same shape and dtype."""
    assert_close(solution.rotary(torch.zeros(*shape), interleaved=len(shape) == 2), torch.zeros(*shape))


@points(2)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, reference, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other: no view that needs contiguous memory."""
    x = {
        "transposed": lambda: rng.randn(2, 5, 3, 8, dtype=F64).transpose(1, 2),
        "strided": lambda: rng.randn(6, 16, dtype=F64)[::2, ::2],
        "expanded": lambda: rng.randn(1, 8, dtype=F64).expand(4, 8),
    }[layout]()
    assert_same_gradients(solution.rotary, reference.rotary, (x,), interleaved=layout != "strided")


@points(1)
@PAIRING
def test_numerical_gradient(solution, rng, interleaved):
    """The gradient of x disagrees with finite differences: it is the rotation backwards."""
    x = rng.randn(
        2,
        4,
        dtype=F64,
    ).requires_grad_()
    assert_gradcheck(lambda t: solution.rotary(t, torch.tensor([3, 1]), interleaved=interleaved), (x,))


@points(1)
def test_inputs_are_left_alone(solution, rng):
    """x or the positions were modified: in-place operations belong on tensors that you made yourself."""
    for interleaved in (False, True):
        x, positions = rng.randn(2, 4, 6), rng.randint(0, 9, (4,))
        assert_not_mutated(solution.rotary, x, positions, interleaved=interleaved)


@points(1)
def test_nothing_is_remembered(solution, reference, rng):
    """A table that is kept between calls must know everything it depends on: length, positions, base, width, dtype, pairing."""
    x = rng.randn(3, 4, dtype=F64)
    calls = [
        (x,),
        (x, torch.tensor([5, 6, 7])),
        (x, None, 50.0),
        (x, None, 10000.0, True),
        (x.float(),),
        (x[:2],),
        (x,),
    ]
    for arguments in calls:
        assert_close(solution.rotary(*arguments), reference.rotary(*arguments))
    assert_deterministic(solution.rotary, x)
