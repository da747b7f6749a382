"""Hidden tests: the schedule, the loss and the samplers of a diffusion model."""

import math
from itertools import pairwise

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
SMALL = torch.tensor([1.0, 0.64, 0.36], dtype=F64)


def table(rng, steps):
    """Any schedule: 1 first, then falling, never 0."""
    return torch.cat([torch.ones(1, dtype=F64), (0.75 + 0.2 * rng.rand(steps, dtype=F64)).cumprod(0)])


def loss_formula(given, weights, x0, t, noise, abar, gamma=None):
    """Example by example, with the value of the weights' gradient."""
    model, each = given.Denoiser(weights), []
    for i in range(len(x0)):
        a = float(abar[t[i]])
        x = math.sqrt(a) * x0[i : i + 1] + math.sqrt(1 - a) * noise[i : i + 1]
        error = (model(x, t[i : i + 1]) - noise[i : i + 1]).square().mean()
        snr = a / (1 - a)
        each.append(error if gamma is None else error * min(snr, gamma) / snr)
    loss = torch.stack(each).mean()
    (gradient,) = torch.autograd.grad(loss, model.weights)
    return {"loss": loss.detach(), "gradient": gradient}


def moved(x, eps, a, b, sigma=0.0):
    """One step, from the noise level a to b, with factors as floats."""
    clean = (x - math.sqrt(1 - a) * eps) / math.sqrt(a)
    return math.sqrt(b) * clean + math.sqrt(max(1 - b - sigma**2, 0.0)) * eps


def sigma_of(a, b, eta):
    return eta * math.sqrt((1 - b) / (1 - a) * (1 - a / b))


def walked(given, weights, x, times, abar, condition=None, guidance=1.0):
    """The deterministic sampler."""
    model = given.Denoiser(weights)
    with torch.no_grad():
        for t, s in pairwise(times):
            now = torch.full((len(x),), t)
            eps = model(x, now)
            if condition is not None:
                eps = (1 - guidance) * eps + guidance * model(x, now, condition)
            x = moved(x, eps, float(abar[t]), float(abar[s]))
    return x


@sample
@points(1)
def test_step_of_the_example(solution):
    """x = 0.6 · 5 + 0.8 · 10 with the noise 10: at time 1 it is 0.8 · 5 + 0.6 · 10, at time 0 it is 5."""
    x, eps = torch.tensor([[11.0]]), torch.tensor([[10.0]])
    assert_close(solution.ddim_step(x, eps, 2, 1, SMALL), torch.tensor([[10.0]]))
    assert_close(solution.ddim_step(x, eps, 2, 0, SMALL), torch.tensor([[5.0]]))


@sample
@points(1)
def test_loss_of_the_example(probes):
    """A model that predicts x itself: x is 0.8 · 1 + 0.6 · 2 = 2 at time 1 and 0.6 · 5 + 0.8 · 0 = 3 at time 2."""
    x0, noise, t = torch.tensor([[1.0], [5.0]]), torch.tensor([[2.0], [0.0]]), torch.tensor([1, 2])
    weights = torch.tensor([0.0, 1.0, 0.0])
    found = probes.loss(weights, (x0, t, noise, SMALL), {})
    first = (2 * math.cos(0.1) - 2) ** 2
    assert_close(found["loss"], torch.tensor((first + (3 * math.cos(0.2)) ** 2) / 2), name="loss")


@sample
@points(1)
def test_ends_of_the_schedule(solution):
    """The schedule begins with exactly 1, and its last beta is cut to 0.999."""
    found = solution.alpha_bars(4)
    check(found.shape == (5,) and found.dtype is F64, "five float64 numbers are expected")
    check(float(found[0]) == 1.0, "the first entry is not 1")
    assert_close(found[4] / found[3], torch.tensor(0.001, dtype=F64), name="the last factor")


@points(2)
@pytest.mark.parametrize("steps", [1, 7, 1000])
def test_schedule(solution, steps):
    """An entry of the schedule differs. Where is time 0, what is f divided by, and what is cut: beta, or the product?"""
    f = [math.cos((t / steps + 0.008) / 1.008 * math.pi / 2) ** 2 for t in range(steps + 1)]
    wanted = torch.tensor([value / f[0] for value in f], dtype=F64)
    wanted[-1] = 0.001 * wanted[-2]
    assert_close(solution.alpha_bars(steps), wanted)


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("shape", [(4, 4), (5, 2, 3, 3), (1, 7), (3, 2, 3)], ids=["4-4", "images", "one", "3-2-3"])
def test_loss(probes, given, rng, shape, dtype):
    """The loss or the gradient of the model differs: each example has a time and a noise level of its own."""
    abar, weights = table(rng, 9), rng.randn(3, dtype=dtype)
    arguments = (rng.randn(*shape, dtype=dtype), rng.randint(1, 10, (shape[0],)), rng.randn(*shape, dtype=dtype), abar)
    assert_close(probes.loss(weights, arguments, {}), loss_formula(given, weights, *arguments), scale=4.0)


@points(2)
@pytest.mark.parametrize("gamma", [0.5, 5.0, 1e9], ids=["small", "five", "huge"])
def test_weighted_loss(probes, given, rng, gamma):
    """The weight of an example is min(SNR, γ) / SNR: 1 at noisy times, less where the noise is easy to see."""
    abar, weights = (
        torch.cat([table(rng, 9)[:1], torch.tensor([0.99, 0.9, 0.7, 0.3, 0.05, 1e-4], dtype=F64)]),
        rng.randn(3, dtype=F64),
    )
    arguments = (rng.randn(6, 5, dtype=F64), 1 + rng.permutation(6), rng.randn(6, 5, dtype=F64), abar)
    found = probes.loss(weights, arguments, {"gamma": gamma})
    assert_close(found, loss_formula(given, weights, *arguments, gamma), scale=4.0)


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_true_noise_leads_home(solution, rng, dtype):
    """With the noise that was mixed in, a step from any time to any earlier one lands exactly where mixing would have."""
    abar, x0, noise = table(rng, 8), rng.randn(3, 2, 4, dtype=dtype), rng.randn(3, 2, 4, dtype=dtype)
    for t, s in ((8, 7), (8, 3), (5, 1), (8, 0), (1, 0)):
        a, b = float(abar[t]), float(abar[s])
        x = math.sqrt(a) * x0 + math.sqrt(1 - a) * noise
        found = assert_not_mutated(solution.ddim_step, x, noise, t, s, abar)
        assert_close(found, math.sqrt(b) * x0 + math.sqrt(1 - b) * noise, scale=8.0)


@points(3)
@pytest.mark.parametrize("t", [2, 5, 8])
def test_eta_of_one_is_ddpm(solution, rng, t):
    """With η = 1 and s = t − 1, the step is DDPM's: mean and variance of x at t − 1, given x at t and the clean sample."""
    abar, x, eps, fresh = table(rng, 8), *(rng.randn(4, 3, dtype=F64) for _ in range(3))
    a, b = float(abar[t]), float(abar[t - 1])
    alpha = a / b
    clean = (x - math.sqrt(1 - a) * eps) / math.sqrt(a)
    mean = math.sqrt(b) * (1 - alpha) / (1 - a) * clean + math.sqrt(alpha) * (1 - b) / (1 - a) * x
    deviation = math.sqrt((1 - alpha) * (1 - b) / (1 - a))
    assert_close(solution.ddim_step(x, eps, t, t - 1, abar, 1.0, fresh), mean + deviation * fresh, scale=8.0)


@points(2)
@pytest.mark.parametrize("eta", [0.3, 1.0])
def test_spread_stays_on_the_schedule(solution, rng, eta):
    """For any η, the factors of old and fresh noise have squares that add up to 1 − ᾱ at the new time."""
    abar = table(rng, 8)
    zero, one = torch.zeros(1, 1, dtype=F64), torch.ones(1, 1, dtype=F64)
    for t, s in ((8, 4), (3, 2), (6, 0)):
        a, b = float(abar[t]), float(abar[s])
        x = math.sqrt(1 - a) * one  # noise alone: the clean sample is zero
        old = float(solution.ddim_step(x, one, t, s, abar, eta, zero))
        fresh = float(solution.ddim_step(zero, zero, t, s, abar, eta, one))
        assert_close(old**2 + fresh**2, 1 - b, name="sum of squares")
        assert_close(fresh, sigma_of(a, b, eta), name="factor of fresh noise")


@points(3)
@pytest.mark.parametrize(
    "times", [[8, 7, 6, 5, 4, 3, 2, 1, 0], [8, 5, 1, 0], [6, 2], [3]], ids=["all", "some", "one-step", "none"]
)
def test_sample(probes, given, rng, times):
    """The deterministic sampler differs. Does each step go to the next time in the list, and does the model see its own time?"""
    abar, weights, x = table(rng, 8), 0.5 * rng.randn(3, dtype=F64), rng.randn(3, 2, 4, dtype=F64)
    found = probes.samples(weights, (x, times, abar), {})
    assert_close(found["x"], walked(given, weights, x, times, abar), scale=16.0)
    check(found["kept"], "an argument was changed")


@points(3)
@pytest.mark.parametrize("guidance", [0.0, 1.0, 4.0, -0.5])
def test_guidance(probes, given, rng, guidance):
    """With guidance 0 the condition has no effect, with 1 it has its own, and beyond that the difference is extrapolated."""
    abar, weights, x, times = table(rng, 8), 0.5 * rng.randn(3, dtype=F64), rng.randn(3, 4, dtype=F64), [8, 4, 1, 0]
    condition = rng.randn(3, dtype=F64)
    found = probes.samples(weights, (x, times, abar), {"condition": condition, "guidance": guidance})
    assert_close(found["x"], walked(given, weights, x, times, abar, condition, guidance), scale=16.0)


@points(1)
def test_guidance_without_a_condition(probes, given, rng):
    """Without a condition the guidance has no effect, and without guidance the condition counts as it is."""
    abar, weights, x, times = table(rng, 8), 0.5 * rng.randn(3, dtype=F64), rng.randn(3, 4, dtype=F64), [8, 4, 0]
    found = probes.samples(weights, (x, times, abar), {"guidance": 5.0})
    assert_close(found["x"], walked(given, weights, x, times, abar), scale=16.0)
    condition = rng.randn(3, dtype=F64)
    found = probes.samples(weights, (x, times, abar), {"condition": condition})
    assert_close(found["x"], walked(given, weights, x, times, abar, condition), scale=16.0)


@points(2)
def test_ddim_draws_nothing(probes, rng):
    """With η = 0 the sampler is deterministic: it draws from no generator, records no graph, and keeps float32."""
    abar, weights, x = table(rng, 8), 0.5 * rng.randn(3), rng.randn(3, 4)
    generator = torch.Generator().manual_seed(rng.seed())
    found = probes.samples(weights, (x, [8, 4, 1, 0], abar), {"eta": 0.0}, generator)
    check(not found["generator_moved"] and not found["torch_moved"], "random numbers were drawn")
    check(not found["graph"], "the samples have a graph: nobody will differentiate them")
    check(found["x"].dtype is F32, "the samples have another dtype than x")


@points(2)
def test_the_generator(probes, rng):
    """With η > 0 the noise comes from the generator that is passed: equal states repeat, and torch's own is left alone."""
    abar, weights, x, seed = table(rng, 8), 0.5 * rng.randn(3), rng.randn(3, 4), rng.seed()
    arguments = (x, [8, 4, 1, 0], abar)
    first, second = (
        probes.samples(weights, arguments, {"eta": 1.0}, torch.Generator().manual_seed(seed)) for _ in range(2)
    )
    check(torch.equal(first["x"], second["x"]), "the same state of the generator gives other samples")
    check(first["generator_moved"] and not first["torch_moved"], "the noise does not come from the generator")
    other = probes.samples(weights, arguments, {"eta": 1.0}, torch.Generator().manual_seed(seed + 1))
    check(not torch.equal(first["x"], other["x"]), "another state of the generator gives the same samples")
    check(not first["graph"] and first["x"].dtype is F32, "the samples have a graph, or another dtype than x")


@points(1)
def test_the_global_generator(probes, rng):
    """Without a generator, torch.manual_seed repeats a sample, and two samples in a row differ."""
    arguments, weights, seed = (rng.randn(3, 4), [8, 4, 1, 0], table(rng, 8)), 0.5 * rng.randn(3), rng.seed()
    torch.manual_seed(seed)
    first, second = (probes.samples(weights, arguments, {"eta": 1.0})["x"] for _ in range(2))
    torch.manual_seed(seed)
    again = probes.samples(weights, arguments, {"eta": 1.0})["x"]
    check(torch.equal(first, again), "the same seed gives another sample")
    check(not torch.equal(first, second), "two samples in a row are equal")


@points(3)
@pytest.mark.parametrize("eta", [0.0, 0.5, 1.0])
def test_normal_data(probes, rng, eta):
    """For normal data, with the best model, the samples do not have the mean and variance that the steps imply."""
    n, mean, variance = 8000, rng.uniform(1.0, 2.0), rng.uniform(0.2, 0.6)
    times = [40, 30, 22, 15, 9, 5, 2, 1, 0]
    abar = torch.cat([torch.ones(1, dtype=F64), (0.88 + 0.05 * rng.rand(40, dtype=F64)).cumprod(0)])
    torch.manual_seed(rng.seed())
    x = rng.randn(n, 2, dtype=F64)
    found = probes.normal_data(mean, variance, (x, times, abar), {"eta": eta})
    centre, spread = 0.0, 1.0  # the sampler is linear: mean and variance after each step are known
    for t, s in pairwise(times):
        a, b = float(abar[t]), float(abar[s])
        slope = math.sqrt(1 - a) / (a * variance + 1 - a)
        sigma = sigma_of(a, b, eta)
        factor = moved(1.0, slope, a, b, sigma)
        shift = moved(0.0, -slope * math.sqrt(a) * mean, a, b, sigma)
        centre, spread = factor * centre + shift, factor**2 * spread + sigma**2
    # seven standard deviations of a mean and of a variance of n draws
    check(bool(((found.mean(0) - centre).abs() < 7 * math.sqrt(spread / n)).all()), "the mean of the samples is off")
    check(bool(((found.var(0) / spread - 1).abs() < 7 * math.sqrt(2 / n)).all()), "the variance of the samples is off")
    together = torch.corrcoef(found.T)[0, 1].abs()
    check(bool(together < 7 / math.sqrt(n)), "the elements of an example share their noise")
    apart = torch.corrcoef(torch.stack([found[1:, 0], found[:-1, 0]]))[0, 1].abs()
    check(bool(apart < 7 / math.sqrt(n)), "the examples share their noise")
