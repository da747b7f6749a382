"""Hidden tests: a descent, and two networks that are trained in turn."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def bowl(w):
    return (w * w).sum()


def drawn(rng, dtype=F64):
    return [rng.randn(*shape, dtype=dtype) for shape in ((5, 2), (3, 5), (7, 3), (1, 7))]


def some_batches(rng, count, dtype=F64):
    return [(1 + rng.randn(4, 3, dtype=dtype), rng.randn(4, 2, dtype=dtype)) for _ in range(count)]


def expected_of(weights, batches, rate=0.2):
    """Plain descent of both networks, with gradients that are computed one by one and stored nowhere."""
    bias = torch.full((), 0.1, dtype=F64)
    p = [t.clone().requires_grad_() for w in weights for t in (w, bias.expand(w.shape[0]))]

    def generate(z):
        return torch.tanh(z @ p[0].T + p[1]) @ p[2].T + p[3]

    def rate_of(x):
        return torch.tanh(x @ p[4].T + p[5]) @ p[6].T + p[7]

    losses = []
    for real, z in batches:
        pair = []
        for loss_of, part in (
            (lambda real=real, z=z: rate_of(generate(z)).mean() - rate_of(real).mean(), p[4:]),
            (lambda z=z: -rate_of(generate(z)).mean(), p[:4]),
        ):
            loss = loss_of()
            grads = torch.autograd.grad(loss, part)
            with torch.no_grad():
                for t, grad in zip(part, grads, strict=True):
                    t -= rate * grad
            pair.append(loss.item())
        losses.append(tuple(pair))
    names = ("0.weight", "0.bias", "2.weight", "2.bias")
    states = [{n: t.detach() for n, t in zip(names, part, strict=True)} for part in (p[:4], p[4:])]
    return {"losses": [losses], "generator": states[0], "critic": states[1]}


def compare(found, expected):
    for name in ("losses", "critic", "generator"):
        assert_close(found[name], expected[name], scale=8.0, name=name)


@sample
@points(1)
def test_steps_on_a_bowl(solution):
    """descend: the gradient of the sum of squares is 2w, so each step with a rate of 0.25 halves w."""
    start = torch.tensor([4.0, -8.0])
    assert_close(solution.descend(bowl, start, 0.25, 1), torch.tensor([2.0, -4.0]), name="after one step")
    assert_close(solution.descend(bowl, start, 0.25, 3), torch.tensor([0.5, -1.0]), name="after three steps")


@sample
@points(1)
def test_two_batches(probes):
    """alternate: from the second batch on, the critic's step must not contain anything of the generator's loss."""
    generator = torch.Generator().manual_seed(3)
    weights = [torch.randn(s, generator=generator, dtype=F64) for s in ((5, 2), (3, 5), (7, 3), (1, 7))]
    draws = [torch.randn(4, n, generator=generator, dtype=F64) for n in (3, 2, 3, 2)]
    batches = [(draws[0], draws[1]), (draws[2], draws[3])]
    compare(probes.trained("sgd", weights, batches), expected_of(weights, batches))


@sample
@points(1)
def test_no_batches(probes):
    """alternate: without batches there are no losses."""
    weights = [torch.ones(s) for s in ((5, 2), (3, 5), (7, 3), (1, 7))]
    assert_close(probes.trained("sgd", weights, [])["losses"], [[]], name="losses")


@points(2)
@EACH_DTYPE
def test_five_steps(solution, rng, dtype):
    """descend: each of five steps must use the gradient at the current point alone."""
    centre, start, scale = rng.randn(2, 3, dtype=dtype), rng.randn(2, 3, dtype=dtype), 0.5 + rng.rand(2, 3, dtype=dtype)
    expected = centre + (start - centre) * (1 - 0.2 * scale) ** 5
    found = solution.descend(lambda w: (0.5 * scale * (w - centre) ** 2).sum(), start, 0.2, 5)
    assert_close(found, expected, scale=4.0)


@points(2)
def test_a_loss_that_is_no_parabola(solution, rng):
    """descend: five steps on a loss whose gradient is not linear."""
    w = start = rng.randn(4, dtype=F64)
    for _ in range(5):
        w = w - 0.3 * torch.tanh(w)
    assert_close(solution.descend(lambda w: torch.log(torch.cosh(w)).sum(), start, 0.3, 5), w)


@points(1)
def test_start_stays(solution, rng):
    """descend: the start is not changed, may be 0-d or transposed, and no step leaves it where it is; the result is data."""
    for start in (rng.randn(dtype=F64), rng.randn(3, 2, dtype=F64).t()):
        found = assert_not_mutated(lambda s: solution.descend(bowl, s, 0.125, 2), start)
        assert_close(found, start * 0.5625)
        check(not found.requires_grad, "the result has a history")
    assert_close(solution.descend(bowl, start, 0.125, 0), start, name="after no step")


@points(1)
def test_start_stays_without_gradients(probes, rng):
    """descend: the start required no gradient, and must not require one afterwards."""
    start = rng.randn(3, dtype=F64)
    found = probes.descent(start, 0.25, 2)
    assert_close(found["end"], start / 4)
    check(found["plain"], "the start requires a gradient now, or has one")


@points(1)
def test_one_descent_after_another(solution, rng):
    """descend: nothing may be left over from the call before."""
    for _ in range(2):
        start = rng.randn(3, dtype=F64)
        assert_close(solution.descend(bowl, start, 0.25, 2), start / 4)


@points(2)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_each_loss_for_itself(probes, rng, count):
    """alternate: losses or weights differ from a run in which every gradient is computed for itself."""
    weights, batches = drawn(rng), some_batches(rng, count)
    compare(probes.trained("sgd", weights, batches), expected_of(weights, batches))


@points(2)
@pytest.mark.parametrize("kind", ["momentum", "decay", "adam", "adamw"])
def test_other_optimizers(probes, reference, rng, kind):
    """alternate: with another optimizer than plain SGD, losses or weights differ."""
    weights, batches = drawn(rng), some_batches(rng, 4)
    compare(*(p.trained(kind, weights, batches) for p in (probes, probes.on(reference))))


@points(1)
def test_single_precision(probes, reference, rng):
    """alternate: float32 networks are trained like float64 ones."""
    weights, batches = drawn(rng, F32), some_batches(rng, 2, F32)
    compare(*(p.trained("sgd", weights, batches) for p in (probes, probes.on(reference))))


@points(2)
def test_gradients_from_before(probes, rng):
    """alternate: what is in .grad when it is called, in either network, must not count."""
    weights, batches = drawn(rng), some_batches(rng, 2)
    compare(probes.trained("sgd", weights, batches, stale=5.0), expected_of(weights, batches))


@points(1)
def test_two_calls(probes, rng):
    """alternate: a second call goes on where the first has ended, and uses none of its gradients."""
    weights, batches = drawn(rng), some_batches(rng, 2)
    found, expected = probes.trained("sgd", weights, batches, calls=2), expected_of(weights, batches * 2)
    check(len(found["losses"]) == 2, "a call gives no list of losses")
    together = [list(found["losses"][0]) + list(found["losses"][1])]
    compare({**found, "losses": together}, expected)


@points(1)
def test_losses_are_floats(probes, rng):
    """alternate: the result is a list of tuples of Python floats, the critic's loss first."""
    found = probes.trained("sgd", drawn(rng), some_batches(rng, 2))["losses"][0]
    kinds = [type(pair) is tuple and [type(loss) for loss in pair] == [float, float] for pair in found]
    check(kinds == [True, True], "the losses must be pairs of Python floats")
