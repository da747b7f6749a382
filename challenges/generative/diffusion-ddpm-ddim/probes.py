"""Calls your functions with a model of given.py."""

import torch
from given import Denoiser, Exact


def loss(solution, weights: torch.Tensor, arguments: tuple, options: dict) -> dict:
    """The loss of a Denoiser, and the gradient of its weights."""
    model = Denoiser(weights)
    found = solution.diffusion_loss(model, *arguments, **options)
    (gradient,) = torch.autograd.grad(found, model.weights)
    return {"loss": found.detach(), "gradient": gradient}


def samples(solution, weights: torch.Tensor, arguments: tuple, options: dict, generator=None) -> dict:
    """What `sample` returns for a Denoiser, and what it did to the generator and to its arguments."""
    x, times, abar = arguments
    before = [x.clone(), list(times), abar.clone()]
    state = None if generator is None else generator.get_state()
    own = torch.get_rng_state()
    found = solution.sample(
        Denoiser(weights), x, times, abar, **options, **({} if generator is None else {"generator": generator})
    )
    return {
        "x": found.detach().clone(),
        "graph": found.requires_grad,
        "kept": torch.equal(before[0], x) and before[1] == times and torch.equal(before[2], abar),
        "generator_moved": generator is not None and not torch.equal(state, generator.get_state()),
        "torch_moved": not torch.equal(own, torch.get_rng_state()),
    }


def normal_data(solution, mean: float, variance: float, arguments: tuple, options: dict) -> torch.Tensor:
    """What `sample` returns for the exact model of normal data."""
    x, times, abar = arguments
    return solution.sample(Exact(mean, variance, abar), x, times, abar, **options).detach().clone()
