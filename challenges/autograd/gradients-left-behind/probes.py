"""Two small networks and their optimizers, trained in turn by your function."""

import torch
from torch import Tensor, nn

KINDS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.2),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "decay": lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=0.2),
    "adam": lambda p: torch.optim.Adam(p, lr=0.05),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.05, weight_decay=0.1),
}


def networks(weights: list[Tensor]) -> tuple[nn.Module, nn.Module]:
    """A generator from K to D and a critic from D to 1, each with one hidden layer, with these weights."""
    sizes = [
        [weights[0].shape[1], weights[0].shape[0], weights[1].shape[0]],
        [weights[2].shape[1], weights[2].shape[0], 1],
    ]
    made = [nn.Sequential(nn.Linear(a, b), nn.Tanh(), nn.Linear(b, c)) for a, b, c in sizes]
    with torch.no_grad():
        for layer, weight in zip((made[0][0], made[0][2], made[1][0], made[1][2]), weights, strict=True):
            layer.to(weight.dtype).weight.copy_(weight)
            layer.bias.fill_(0.1)
    return made[0], made[1]


def descent(solution, start: Tensor, lr: float, steps: int) -> dict:
    """The end of a descent on the sum of squares, and whether its start is still a tensor without gradients."""
    end = solution.descend(lambda w: (w * w).sum(), start, lr, steps)
    return {"end": end, "plain": not start.requires_grad and start.grad is None}


def trained(solution, kind: str, weights: list[Tensor], batches: list, stale: float = 0.0, calls: int = 1) -> dict:
    """What your function leaves: losses and both states. `stale` fills every .grad before the first call."""
    generator, critic = networks(weights)
    optimizers = [KINDS[kind](network.parameters()) for network in (generator, critic)]
    if stale:
        for p in [*generator.parameters(), *critic.parameters()]:
            p.grad = torch.full_like(p, stale)
    losses = []
    for _ in range(calls):
        losses.append(solution.alternate(generator, critic, *optimizers, batches))
    return {
        "losses": losses,
        "generator": {name: t.detach().clone() for name, t in generator.state_dict().items()},
        "critic": {name: t.detach().clone() for name, t in critic.state_dict().items()},
    }
