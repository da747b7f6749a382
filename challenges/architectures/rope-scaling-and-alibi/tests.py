"""Hidden tests: scaled rotary angles and linear biases."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_METHOD = pytest.mark.parametrize("method", ["linear", "ntk"])


def plain(positions, d, base=10000.0):
    """The ordinary angles."""
    theta = torch.tensor([math.exp(-2 * i / d * math.log(base)) for i in range(d // 2)], dtype=F64)
    return positions.double()[..., None] * theta


def scaled(positions, d, length, trained, method, base=10000.0):
    """The ordinary angles, multiplied by a factor for each pair."""
    s = max(1.0, length / trained)
    pair = torch.arange(d // 2, dtype=F64)
    return plain(positions, d, base) * (s ** (-2 * pair / (d - 2)) if method == "ntk" else 1 / s)


def slopes(n):
    """The definition, as numbers."""
    m = 1 << (n.bit_length() - 1)
    own = [2 ** (-8 * j / m) for j in range(1, m + 1)]
    return own + [2 ** (-8 * j / (2 * m)) for j in range(1, 2 * m, 2)][: n - m]


def rotated(x, angles):
    """x (T, d) turned by angles (T, d / 2), first half against second half."""
    a, b = x.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)


@sample
def test_worked_angles(solution):
    """With d = 4 and twice the trained length, linear halves both angles, ntk the last one only."""
    p = torch.tensor([0, 2])
    for method, expected in (("linear", [1.0, 0.01]), ("ntk", [2.0, 0.01])):
        angles = solution.rope_angles(p, 4, 8, 4, method)
        assert_close(angles, torch.tensor([[0.0, 0.0], expected], dtype=F64), name=method)


@sample
@points(2)
@EACH_METHOD
def test_nothing_changes_within_the_trained_length(solution, method):
    """Up to the trained length the angles are the ordinary ones, for short sequences as well as for the longest."""
    p = torch.arange(6)
    for length in (1, 6, 63, 64):
        assert_close(solution.rope_angles(p, 8, length, 64, method), plain(p, 8), name=f"length {length}")


@sample
def test_slopes_of_few_heads(solution):
    """Slopes of 2, 4 and 3 heads: powers of two by the formula, three from the lists of two and of four."""
    for heads, powers in ((2, (-4, -8)), (4, (-2, -4, -6, -8)), (3, (-4, -8, -2))):
        assert_close(solution.alibi_slopes(heads), torch.tensor([2.0**e for e in powers]), name=f"{heads} heads")


@sample
def test_worked_bias(solution):
    """Two queries after a cache of one key: zero at the query's own key, falling into the past, minus infinity beyond."""
    expected = torch.tensor([[-0.25, 0.0, -math.inf], [-0.5, -0.25, 0.0]])
    bias = solution.alibi_bias(4, 2, 3)
    check(bias.shape == (4, 2, 3), "bias: the shape is wrong")
    assert_close(bias[0], expected)


CASES = {  # shape of positions, d, length, trained, base
    "twice-as-long": ((5,), 8, 4096, 2048, 10000.0),
    "a-little-longer": ((7,), 6, 70, 64, 10000.0),
    "no-whole-number": ((2, 3), 10, 1000, 300, 10000.0),
    "smallest-width": ((4,), 4, 90, 10, 10000.0),
    "one-position": ((), 16, 500, 100, 10000.0),
    "each-sequence-its-own": ((3, 1, 2), 12, 8000, 1000, 500000.0),
    "small-base": ((5,), 64, 300, 100, 100.0),
    "far-out": ((6,), 128, 1000000, 4096, 10000.0),
}


@points(3)
@EACH_METHOD
@pytest.mark.parametrize("name", CASES)
def test_angles(solution, rng, name, method):
    """Angles are off: the factor, its exponent, the frequencies, or the shape of the positions."""
    shape, d, length, trained, base = CASES[name]
    p = rng.randint(0, length, shape)
    actual = solution.rope_angles(p, d, length, trained, method, base)
    assert_close(actual, scaled(p, d, length, trained, method, base))


@points(2)
@EACH_METHOD
def test_the_length_decides(solution, rng, method):
    """A position has the same angle alone as in its sequence: the factor comes from `length`, not from a call's positions."""
    length, trained = 300, 100
    whole = solution.rope_angles(torch.arange(length), 8, length, trained, method)
    check(whole.shape == (length, 4), "angles: the shape is wrong")
    for p in (0, rng.integer(1, 100), rng.integer(100, 299), 299):
        alone = solution.rope_angles(torch.tensor([p]), 8, length, trained, method)
        assert_close(alone[0], whole[p], name="the angles of one position")
    assert_close(whole, scaled(torch.arange(length), 8, length, trained, method))


@points(2)
def test_both_ends(solution, rng):
    """The first pair of ntk turns as before training ended, the last one as with linear; those between lie between."""
    p = rng.randint(1, 5000, (4,))
    for d, base in ((4, 10000.0), (6, 300.0), (32, 10000.0)):
        linear, ntk = (solution.rope_angles(p, d, 5000, 1200, method, base) for method in ("linear", "ntk"))
        for angles in (linear, ntk):
            check(angles.shape == (4, d // 2), "angles: the shape is wrong")
        assert_close(ntk[:, 0], p.double(), name="first pair of ntk")
        assert_close(ntk[:, -1], linear[:, -1], name="last pair of ntk")
        between = (ntk[:, 1:-1] > linear[:, 1:-1]) & (ntk[:, 1:-1] < plain(p, d, base)[:, 1:-1])
        check(bool(between.all()), "a pair between the two ends does not lie between the two methods")


@points(2)
def test_linear_stays_in_the_trained_range(solution, rng):
    """Linear scaling squeezes all positions into the trained range: no angle exceeds those of training."""
    for length in (101, 250, 10000):
        p = torch.tensor([length - 1, rng.integer(0, length)])
        angles = solution.rope_angles(p, 8, length, 100, "linear")
        check(angles.shape == (2, 4), "angles: the shape is wrong")
        check(bool((angles < 100 * plain(torch.tensor([1]), 8)).all()), "an angle exceeds those of the training")
        assert_close(angles, plain(p, 8) * 100 / length)


@points(2)
@EACH_METHOD
def test_dot_products_see_distances(solution, rng, method):
    """Rotated by these angles, dot products must depend on the distance of two positions only: angles are proportional to p."""
    q, k = rng.randn(1, 12, dtype=F64), rng.randn(1, 12, dtype=F64)
    start, gap = rng.integer(0, 500), rng.integer(1, 400)

    def score(m, n):
        angles = solution.rope_angles(torch.tensor([m, n]), 12, 1000, 300, method, 1000.0)
        check(angles.shape == (2, 6), "angles: the shape is wrong")
        return (rotated(q, angles[:1]) * rotated(k, angles[1:])).sum()

    expected = score(gap, 0)
    assert_close(score(start + gap, start), expected, scale=16.0)
    check(abs(float(score(start + gap + 1, start) - expected)) > 1e-10, "the score does not depend on the distance")


@points(1)
def test_unknown_method(solution):
    """A method that does not exist raises ValueError, within the trained length as well as beyond."""
    for method in ("dynamic", "NTK", ""):
        for length in (8, 200):
            with pytest.raises(ValueError):
                solution.rope_angles(torch.arange(3), 4, length, 100, method)


@points(3)
@pytest.mark.parametrize("kind", ["powers-of-two", "others"])
def test_slopes(solution, kind):
    """Slopes are off for some number of heads: which two powers of two lie around it, and which of the second list are taken?"""
    for heads in range(1, 41):
        if (heads & (heads - 1) == 0) == (kind == "powers-of-two"):
            assert_close(solution.alibi_slopes(heads), torch.tensor(slopes(heads)), name=f"slopes of {heads} heads")


@points(2)
def test_slopes_of_more_heads(solution, rng):
    """One head more must not move the slopes of the others within a power of two, and no two heads share a slope."""
    for m in (4, 8, 16):
        n = rng.integer(m + 1, 2 * m)
        few, more, twice = (solution.alibi_slopes(heads) for heads in (m, n, 2 * m))
        check(more.shape == (n,), "slopes: the shape is wrong")
        assert_close(more[:m], few, name="the slopes of the power below")
        check(len(set(more.tolist())) == n, "two heads have the same slope")
        gaps = (more[:, None] - twice).abs().amin(1)
        check(bool((gaps < 1e-6).all()), "a slope is not among those of the power above")


BIASES = {
    "square": (6, 5, 5),
    "after-a-cache": (3, 2, 7),
    "one-query": (4, 1, 6),
    "one-token": (5, 1, 1),
    "wide": (1, 4, 9),
}


@points(3)
@pytest.mark.parametrize("name", BIASES)
def test_bias(solution, name):
    """The bias differs from a loop: distances count from the query's own place among the keys, and the future is closed."""
    heads, T, S = BIASES[name]
    expected = torch.full((heads, T, S), -math.inf)
    for h, slope in enumerate(slopes(heads)):
        for t in range(T):
            for s in range(t + S - T + 1):
                expected[h, t, s] = -slope * (t + S - T - s)
    assert_close(solution.alibi_bias(heads, T, S), expected)


@points(2)
def test_decoding_gives_the_same_rows(solution, rng):
    """Token by token, the bias has the rows of the whole sequence: the single query stands at the last key, not at the first."""
    S = 9
    whole = solution.alibi_bias(6, S, S)
    check(whole.shape == (6, S, S), "bias: the shape is wrong")
    check(bool((whole.diagonal(dim1=1, dim2=2) == 0).all()), "a query's own key should have no bias")
    t = rng.integer(1, S)
    assert_close(solution.alibi_bias(6, 1, t + 1)[:, 0], whole[:, t, : t + 1], name="the row of one query")
    assert_close(solution.alibi_bias(6, 3, S), whole[:, -3:], name="the last three rows")


@points(2)
def test_weights_fall_by_a_constant_factor(solution):
    """With equal scores, each step into the past must multiply the weight by exp(-slope), and the future gets exactly nothing."""
    weights = solution.alibi_bias(12, 6, 8).softmax(-1)
    check(weights.shape == (12, 6, 8), "bias: the shape is wrong")
    last = weights[:, -1]
    expected = torch.tensor(slopes(12))[:, None].neg().exp().expand(12, 7)
    assert_close(last[:, :-1] / last[:, 1:], expected, name="ratio of neighbouring weights")
    check(bool((weights[:, 0, 3:] == 0).all()), "a later key has some weight")


@points(1)
def test_nothing_is_changed_or_remembered(solution, rng):
    """Positions stay as they are, and no call depends on an earlier one, such as a longer sequence before a shorter one."""
    for length in (50, 900, 20, 300):
        for method in ("ntk", "linear"):
            p = rng.randint(0, length, (4,))
            angles = assert_not_mutated(solution.rope_angles, p, 8, length, 100, method)
            assert_close(angles, scaled(p, 8, length, 100, method))
    assert_deterministic(solution.rope_angles, p, 8, 300, 100, "ntk")
    for heads in (6, 4, 6):
        assert_close(solution.alibi_bias(heads, 1, 2)[:, 0, 0], -torch.tensor(slopes(heads)))
