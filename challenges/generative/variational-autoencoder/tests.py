"""Hidden tests: the loss of a variational autoencoder, and the sample that its gradient passes through."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
LIKELIHOODS = ["bernoulli", "gaussian"]


def kl_formula(mu, log_var):
    """Through the standard deviation: −log σ + (σ² + μ²) / 2 − 1/2 for each latent."""
    deviation = torch.exp(log_var / 2)
    return (-torch.log(deviation) + (deviation * deviation + mu * mu) / 2 - 0.5).sum(-1)


def errors(output, x, likelihood):
    """Element by element: −log of the probability that the decoder gives to x."""
    if likelihood == "gaussian":
        return (x - output) ** 2 / 2
    return -(x * torch.nn.functional.logsigmoid(output) + (1 - x) * torch.nn.functional.logsigmoid(-output))


def loss_formula(output, x, mu, log_var, beta=1.0, likelihood="bernoulli"):
    """The mean over examples that are summed one by one."""
    each = [errors(o, target, likelihood).sum() for o, target in zip(output, x, strict=True)]
    reconstruction, kl = torch.stack(each).mean(), kl_formula(mu, log_var).mean()
    return reconstruction + beta * kl, reconstruction, kl


def drawn(rng, shape=(5, 7), latents=3, dtype=F64):
    """output, x in [0, 1], mu, log_var"""
    output, x = 2 * rng.randn(*shape, dtype=dtype), rng.rand(*shape, dtype=dtype)
    return output, x, rng.randn(shape[0], latents, dtype=dtype), rng.randn(shape[0], latents, dtype=dtype)


@sample
@points(1)
def test_worked_example(solution):
    """The example of the statement: reconstruction 4 and divergence 4, for two examples."""
    output, x = torch.zeros(2, 2, 2), torch.tensor([[[1.0, 1.0], [1.0, 1.0]], [[2.0, 2.0], [2.0, 0.0]]])
    mu, log_var = torch.tensor([[1.0, -1.0, 1.0], [3.0, 0.0, 2.0]]), torch.zeros(2, 3)
    found = solution.vae_loss(output, x, mu, log_var, 2.0, "gaussian")
    assert_close(found, (torch.tensor(12.0), torch.tensor(4.0), torch.tensor(4.0)))


@sample
@points(1)
def test_divergence_of_each_example(solution):
    """A standard normal has divergence 0; a mean of 2 in one latent gives 2."""
    mu, log_var = torch.tensor([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]]), torch.zeros(3, 2)
    assert_close(solution.kl_divergence(mu, log_var), torch.tensor([0.0, 2.0, 4.0]))


@sample
@points(1)
def test_no_variance_no_noise(solution):
    """With a variance of exp(−200) the sample is the mean."""
    mu = torch.tensor([[1.0, -2.0]])
    assert_close(solution.reparameterize(mu, torch.full((1, 2), -200.0)), mu)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("shape", [(5, 3), (1, 7), (4, 1)], ids=["5-3", "1-7", "4-1"])
def test_divergence(solution, rng, shape, dtype):
    """The divergence of an example, or its gradient, differs: half of μ² + σ² − 1 − log σ², summed over its latents."""
    mu, log_var = 2 * rng.randn(*shape, dtype=dtype), 2 * rng.randn(*shape, dtype=dtype)
    assert_same_gradients(solution.kl_divergence, kl_formula, (mu, log_var), names=["mu", "log_var"])


@points(1)
def test_large_and_small_variances(solution, rng):
    """Log variances of −200 and of 60, where the variance itself is 0 or huge: divergence and gradients stay exact."""
    mu = rng.randn(3, 2)
    for value in (-200.0, 60.0):
        log_var = torch.full((3, 2), value)
        expected = 0.5 * (mu.double() ** 2 + log_var.double().exp() - 1 - log_var.double()).sum(-1).float()
        assert_close(solution.kl_divergence(mu, log_var), expected)
        leaf = log_var.clone().requires_grad_()
        solution.kl_divergence(mu, leaf).sum().backward()
        assert_close(leaf.grad, torch.full((3, 2), 0.5 * math.expm1(value)), name="gradient of log_var")


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_loss(solution, rng, likelihood, dtype):
    """Loss, reconstruction or divergence differs, in value or gradient. What is summed, what averaged, and what does β scale?"""
    output, x, mu, log_var = drawn(rng, dtype=dtype)
    beta = rng.uniform(0.2, 3.0)
    for index in range(3):
        assert_same_gradients(
            lambda o, m, v, index=index: (
                solution.vae_loss(o, x, m, v, beta, likelihood)[index] + 0 * (o.sum() + m.sum() + v.sum())
            ),
            lambda o, m, v, index=index: (
                loss_formula(o, x, m, v, beta, likelihood)[index] + 0 * (o.sum() + m.sum() + v.sum())
            ),
            (output, mu, log_var),
            names=["output", "mu", "log_var"],
        )


@points(1)
def test_defaults(solution, rng):
    """Without options: Bernoulli, and β = 1. With β = 0 the reconstruction alone is left."""
    arguments = drawn(rng)
    assert_close(solution.vae_loss(*arguments), loss_formula(*arguments))
    for likelihood in LIKELIHOODS:
        wanted = loss_formula(*arguments, beta=0.0, likelihood=likelihood)
        assert_close(solution.vae_loss(*arguments, beta=0.0, likelihood=likelihood), wanted)


@points(2)
@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize("shape", [(4, 2, 3, 5), (3, 4, 2), (1, 6)], ids=["images", "sequences", "one-example"])
def test_shapes(solution, rng, shape, likelihood):
    """All dimensions after the first belong to one example: images, sequences, a batch of one."""
    arguments = drawn(rng, shape, 2)
    assert_close(
        solution.vae_loss(*arguments, 0.5, likelihood), loss_formula(*arguments, beta=0.5, likelihood=likelihood)
    )


@points(2)
@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_sums_inside_an_example(solution, rng, likelihood):
    """Twice the pixels double the reconstruction, twice the latents the divergence; twice the examples change nothing."""
    output, x, mu, log_var = drawn(rng)
    _, reconstruction, kl = solution.vae_loss(output, x, mu, log_var, 1.0, likelihood)
    wide = [torch.cat([t, t], dim=1) for t in (output, x, mu, log_var)]
    found = solution.vae_loss(*wide, 1.0, likelihood)
    assert_close(found, (2 * (reconstruction + kl), 2 * reconstruction, 2 * kl), name="twice as wide")
    tall = [torch.cat([t, t], dim=0) for t in (output, x, mu, log_var)]
    found = solution.vae_loss(*tall, 1.0, likelihood)
    assert_close(found, (reconstruction + kl, reconstruction, kl), name="twice as many")


@points(3)
def test_the_bound_is_tight_at_the_posterior(solution, rng):
    """A model whose likelihood is known: at the exact posterior the loss is −log p(x), and its gradient is zero."""
    w, data = 0.5 + rng.rand(4, dtype=F64), rng.randn(1, 4, dtype=F64)
    # z ~ N(0, 1), x = w z + noise. Two samples, one deviation to either side, give the exact mean of a quadratic function.
    mu = (w * data / (1 + w**2)).requires_grad_()
    log_var = (-torch.log1p(w**2))[None].requires_grad_()
    deviation = torch.exp(log_var / 2)
    z = torch.cat([mu + deviation, mu - deviation])
    loss, _, _ = solution.vae_loss(
        w * z, data.expand(2, 4), mu.expand(2, 4), log_var.expand(2, 4), likelihood="gaussian"
    )
    # both sides without the constant of log(2π)
    assert_close(loss, (data**2 / (1 + w**2) + torch.log1p(w**2)).sum() / 2, name="loss")
    for name, gradient in zip(("mu", "log_var"), torch.autograd.grad(loss, (mu, log_var)), strict=True):
        check(float(gradient.abs().max()) < 1e-9, f"the gradient of {name} at the optimum is not zero")


@points(2)
def test_confident_logits(solution):
    """Logits of ±10⁴: the cross entropy is exact and finite, and so is its gradient."""
    output = torch.tensor([[1e4, -1e4, 1e4, -1e4]], requires_grad=True)
    x, zeros = torch.tensor([[1.0, 0.0, 0.0, 1.0]]), torch.zeros(1, 2)
    _, reconstruction, _ = solution.vae_loss(output, x, zeros, zeros)
    assert_close(reconstruction, torch.tensor(2e4), name="reconstruction")
    reconstruction.backward()
    assert_close(output.grad, torch.tensor([[0.0, 0.0, 1.0, -1.0]]), name="gradient of the logits")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_distribution(solution, rng, dtype):
    """The samples do not have mean μ and variance exp(log_var), or the noise is not normal and independent in every element."""
    n = 20000
    means, logs = torch.tensor([2.0, -1.0, 0.0], dtype=dtype), torch.tensor([1.5, 0.0, -1.5], dtype=dtype)
    torch.manual_seed(rng.seed())
    z = solution.reparameterize(means.expand(n, 3), logs.expand(n, 3))
    check(z.dtype is dtype and z.shape == (n, 3), "dtype or shape of the sample is wrong")
    noise = (z.detach() - means) / torch.exp(logs / 2)
    allowed = 7 / math.sqrt(n)  # seven standard deviations of a mean
    check(bool((noise.mean(0).abs() < allowed).all()), "the mean of the samples is off")
    check(bool(((noise**2).mean(0) - 1).abs().max() < allowed * math.sqrt(2)), "the variance of the samples is off")
    check(bool(((noise**4).mean(0) - 3).abs().max() < allowed * math.sqrt(96)), "the noise is not normal")
    check(
        bool((noise.T @ noise / n - torch.eye(3, dtype=dtype)).abs().max() < 2 * allowed),
        "the latents share their noise",
    )
    check(bool((noise[1:] * noise[:-1]).mean(0).abs().max() < allowed), "the examples share their noise")


@points(3)
def test_gradients_pass_through_the_sample(solution, rng):
    """For every draw, ∂z/∂μ = 1 and ∂z/∂log σ² = (z − μ)/2: is the noise kept apart from the parameters?"""
    mu, log_var = rng.randn(6, 4, dtype=F64).requires_grad_(), rng.randn(6, 4, dtype=F64).requires_grad_()
    z = solution.reparameterize(mu, log_var)
    check(z.requires_grad, "the sample has no gradient")
    upstream = rng.randn(6, 4, dtype=F64)
    gradients = torch.autograd.grad(z, (mu, log_var), upstream, allow_unused=True)
    check(all(g is not None for g in gradients), "mu or log_var gets no gradient")
    assert_close(gradients[0], upstream, name="gradient of mu")
    assert_close(gradients[1], upstream * (z - mu).detach() / 2, name="gradient of log_var")


@points(1)
def test_vanishing_variance(solution, rng):
    """Log variances of −200: the sample is the mean, and the gradient of log_var is 0, not NaN."""
    mu, log_var = rng.randn(3, 2).requires_grad_(), torch.full((3, 2), -200.0, requires_grad=True)
    z = solution.reparameterize(mu, log_var)
    assert_close(z, mu.detach())
    z.sum().backward()
    assert_close(log_var.grad, torch.zeros(3, 2), name="gradient of log_var")


@points(1)
def test_the_generator(solution, rng):
    """A given generator decides alone: equal states repeat, the state moves on, and torch's own generator is left alone."""
    mu, log_var, seed = rng.randn(5, 3), rng.randn(5, 3), rng.seed()
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(rng.seed())
    before = torch.get_rng_state()
    first = solution.reparameterize(mu, log_var, generator)
    check(torch.equal(torch.get_rng_state(), before), "torch's own generator was used or reseeded")
    second = solution.reparameterize(mu, log_var, generator)
    check(not torch.equal(first, second), "two draws from one generator are equal: its state does not move on")
    torch.manual_seed(rng.seed())
    again = solution.reparameterize(mu, log_var, torch.Generator().manual_seed(seed))
    check(torch.equal(first, again), "the same state of the generator gives another sample")


@points(1)
def test_the_global_generator(solution, rng):
    """Without a generator, torch.manual_seed repeats a draw, and two draws in a row differ."""
    mu, log_var, seed = rng.randn(5, 3), rng.randn(5, 3), rng.seed()
    torch.manual_seed(seed)
    first, second = solution.reparameterize(mu, log_var), solution.reparameterize(mu, log_var)
    torch.manual_seed(seed)
    again = solution.reparameterize(mu, log_var)
    check(torch.equal(first, again), "the same seed gives another sample")
    check(not torch.equal(first, second), "two draws in a row are equal")


@points(1)
@pytest.mark.parametrize("likelihood", ["mse", "Bernoulli", ""], ids=["mse", "capital", "empty"])
def test_unknown_likelihood(solution, rng, likelihood):
    """Another name of a likelihood raises ValueError."""
    with pytest.raises(ValueError):
        solution.vae_loss(*drawn(rng), likelihood=likelihood)


@points(1)
def test_layouts(solution, rng):
    """Transposed inputs are tensors like any other, and no argument is changed."""
    output, x = rng.randn(3, 5, 4, dtype=F64).transpose(0, 2), rng.rand(3, 5, 4, dtype=F64).transpose(0, 2)
    mu, log_var = rng.randn(2, 4, dtype=F64).T, rng.randn(2, 4, dtype=F64).T
    for likelihood in LIKELIHOODS:
        found = assert_not_mutated(solution.vae_loss, output, x, mu, log_var, 0.7, likelihood)
        assert_close(found, loss_formula(output, x, mu, log_var, 0.7, likelihood))
    assert_not_mutated(solution.reparameterize, mu, log_var)
    assert_close(assert_not_mutated(solution.kl_divergence, mu, log_var), kl_formula(mu, log_var))
