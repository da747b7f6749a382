"""Hidden tests: two divergences that were negative."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

SHAPES = {"one-position": (5,), "batch": (6, 5), "sequences": (3, 4, 5), "square": (4, 4, 4), "two-classes": (7, 2)}
EACH_SHAPE = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
EACH_FUNCTION = pytest.mark.parametrize("name", ["kl_divergence", "js_divergence"])
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def true_kl(log_p, log_q):
    return (log_p.exp() * (log_p - log_q)).sum(-1).mean()


def truth(name):
    """In float64, rounded once."""

    def kl_divergence(p, q):
        return true_kl(torch.log_softmax(p.double(), -1), torch.log_softmax(q.double(), -1)).to(p.dtype)

    def js_divergence(p, q):
        log_p, log_q = torch.log_softmax(p.double(), -1), torch.log_softmax(q.double(), -1)
        log_m = torch.logaddexp(log_p, log_q) - math.log(2)
        return ((true_kl(log_p, log_m) + true_kl(log_q, log_m)) / 2).to(p.dtype)

    return {"kl_divergence": kl_divergence, "js_divergence": js_divergence}[name]


def data(rng, *shape, dtype=torch.float64):
    return 2 * rng.randn(*shape, dtype=dtype), 2 * rng.randn(*shape, dtype=dtype)


@sample
@points(1)
def test_divergence_by_hand(solution):
    """KL of (3/4, 1/4) from (1/2, 1/2): the first argument's probabilities are the weights."""
    p, q = torch.tensor([[0.75, 0.25]]).log(), torch.zeros(1, 2)
    expected = torch.tensor(0.75 * math.log(1.5) + 0.25 * math.log(0.5))
    assert_close(solution.kl_divergence(p, q), expected)


@sample
@points(1)
def test_nothing_in_common(solution):
    """Two distributions that share nothing have the Jensen-Shannon divergence log 2."""
    p, q = torch.tensor([[200.0, 0.0, 0.0]]), torch.tensor([[0.0, 0.0, 200.0]])
    assert_close(solution.js_divergence(p, q), torch.tensor(math.log(2)))


@sample
@points(1)
def test_equal_predictions(solution):
    """A model does not differ from itself: both divergences are 0."""
    scores = torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 4.0]])
    for name in ("kl_divergence", "js_divergence"):
        assert_close(getattr(solution, name)(scores, scores.clone()), torch.tensor(0.0), atol=1e-6, name=name)


@points(2)
@EACH_SHAPE
def test_kl_values_and_gradients(solution, rng, shape):
    """kl_divergence or a gradient of it is wrong for some shape: sum over the classes, average over the positions."""
    assert_same_gradients(solution.kl_divergence, truth("kl_divergence"), data(rng, *shape), names=("p", "q"))


@points(2)
@EACH_SHAPE
def test_js_values_and_gradients(solution, rng, shape):
    """js_divergence or a gradient of it is wrong for some shape: half of each side, against the mean of both."""
    assert_same_gradients(solution.js_divergence, truth("js_divergence"), data(rng, *shape), names=("p", "q"))


@points(1)
@EACH_FUNCTION
def test_float32(solution, rng, name):
    """In float32 the result is float32."""
    p, q = data(rng, 6, 5, dtype=torch.float32)
    assert_same_gradients(getattr(solution, name), truth(name), (p, q), names=("p", "q"))


@points(2)
@EACH_FUNCTION
def test_copied_classes(solution, rng, name):
    """The number of classes or of positions is in the result: what does the mean divide by?"""
    p, q = data(rng, 3, 4, 5)
    f = getattr(solution, name)
    once = f(p, q)
    assert_close(f(torch.cat([p, p], -1), torch.cat([q, q], -1)), once, name="with every class twice")
    assert_close(f(torch.cat([p, p], 1), torch.cat([q, q], 1)), once, name="with every position twice")
    assert_close(f(torch.cat([p, p]), torch.cat([q, q])), once, name="with every sequence twice")


@points(2)
def test_bounds(solution, rng):
    """A divergence was negative, or the Jensen-Shannon divergence was above log 2 or not symmetric."""
    for size in (0.001, 1.0, 20.0):
        p, q = (size * t for t in data(rng, 8, 5))
        kl, js, turned = solution.kl_divergence(p, q), solution.js_divergence(p, q), solution.js_divergence(q, p)
        check(bool(kl >= -1e-9) and bool(js >= -1e-9), "a divergence is negative")
        check(bool(js <= math.log(2) + 1e-9), "the Jensen-Shannon divergence is above log 2")
        assert_close(turned, js, name="js_divergence with exchanged arguments")


@points(3)
@EACH_DTYPE
@EACH_FUNCTION
def test_scores_of_ten_thousand(solution, rng, name, dtype):
    """Huge scores: a probability that rounds to 0 has no logarithm, so never leave the logarithm."""
    p, q = (1e4 * t.clamp(-1, 1) for t in data(rng, 6, 5, dtype=dtype))
    # This position has a large gradient in every draw. Without it all gradients may be 0, and then rounding has no scale.
    p[0], q[0] = (1e4 * torch.tensor(row, dtype=dtype) for row in ([1, 1, -1, -1, 0], [1, -1, 0, -1, 1]))
    assert_same_gradients(getattr(solution, name), truth(name), (p, q), names=("p", "q"))


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    p, q = data(rng, 6, 4, 8)
    p, q = (t.permute(2, 1, 0) if layout == "transposed" else t[::2, :, ::2] for t in (p, q))
    for name in ("kl_divergence", "js_divergence"):
        assert_same_gradients(getattr(solution, name), truth(name), (p, q), names=("p", "q"))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither of the scores may be written to."""
    for name in ("kl_divergence", "js_divergence"):
        assert_not_mutated(getattr(solution, name), *data(rng, 3, 4))
