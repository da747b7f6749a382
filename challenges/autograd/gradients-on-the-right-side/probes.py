"""Networks that are called by your losses, with their gradients, flags and calls watched."""

import torch
from torch import Tensor, nn


class Failing(nn.Module):
    """A last layer that raises."""

    def forward(self, x: Tensor) -> Tensor:
        raise ArithmeticError("in forward")


def network(weights: list[Tensor], norm: bool = False) -> nn.Sequential:
    """Linear, tanh, (batch norm, tanh,) linear, with these weights and biases of 0.1."""
    first, second = weights
    layers = [nn.Linear(first.shape[1], first.shape[0]), nn.Linear(second.shape[1], second.shape[0])]
    with torch.no_grad():
        for layer, weight in zip(layers, weights, strict=True):
            layer.to(weight.dtype).weight.copy_(weight)
            layer.bias.fill_(0.1)
    inner = [nn.BatchNorm1d(first.shape[0]).to(first.dtype), nn.Tanh()] if norm else []
    return nn.Sequential(layers[0], nn.Tanh(), *inner, layers[1])


def flags(*networks: nn.Module) -> list[bool]:
    return [p.requires_grad for each in networks for p in each.parameters()]


def count(module: nn.Module, name: str, calls: list[str]) -> None:
    module.register_forward_hook(lambda *_: calls.append(name))


def freeze(module: nn.Module, names: str) -> None:
    for name, p in module.named_parameters():
        if names and name.startswith(names):
            p.requires_grad_(False)


def fill(module: nn.Module) -> None:
    """A gradient from before in each parameter that learns."""
    for p in module.parameters():
        if p.requires_grad:
            p.grad = torch.full_like(p, 7.0)


def kept(module: nn.Module) -> bool:
    """Whether each gradient of `fill` is still there, and nothing else."""
    return all(
        (p.grad is not None and bool((p.grad == 7).all())) if p.requires_grad else p.grad is None
        for p in module.parameters()
    )


def temporal(
    solution,
    weights: list[list[Tensor]],
    batch: tuple,
    gamma: float,
    filled: bool = False,
    frozen: str = "",
    norm: bool = False,
) -> dict:
    """td_loss of two networks, or of one for both if there is one list of weights."""
    nets = [network(each, norm) for each in weights]
    online, target = nets[0], nets[-1]
    freeze(target if len(nets) == 2 else online, frozen)
    if filled:
        fill(target)
    before, calls = flags(*nets), []
    count(online, "online", calls)
    if target is not online:
        count(target, "target", calls)
    loss = solution.td_loss(online, target, batch, gamma)
    same = flags(*nets) == before
    loss.backward()
    return {
        "loss": loss.detach(),
        "grads": [p.grad for p in online.parameters()],
        "others": True
        if target is online
        else kept(target)
        if filled
        else all(p.grad is None for p in target.parameters()),
        "same": same,
        "calls": sorted(calls),
        "tracked": [int(net[2].num_batches_tracked) for net in nets if norm],
        "training": all(module.training for net in nets for module in net.modules()),
    }


def adversarial(
    solution,
    which: str,
    weights: list[list[Tensor]],
    z: Tensor,
    real: Tensor,
    filled: bool = False,
    frozen: str = "",
    norm: bool = False,
) -> dict:
    """critic_loss or generator_loss; `frozen` names parameters of the network that should not learn.

    The critic has a batch norm; with `norm` the generator has one as well.
    """
    generator, critic = network(weights[0], norm), network(weights[1], norm=True)
    learner, other = (critic, generator) if which == "critic_loss" else (generator, critic)
    freeze(other, frozen)
    if filled:
        fill(other)
    before, calls = flags(generator, critic), []
    count(generator, "generator", calls)
    count(critic, "critic", calls)
    args = (generator, critic, real, z) if which == "critic_loss" else (generator, critic, z)
    loss = getattr(solution, which)(*args)
    same = flags(generator, critic) == before
    loss.backward()
    return {
        "loss": loss.detach(),
        "grads": [p.grad for p in learner.parameters()],
        "others": kept(other) if filled else all(p.grad is None for p in other.parameters()),
        "same": same,
        "calls": sorted(calls),
        "tracked": int(critic[2].num_batches_tracked),
        "tracked_by_generator": int(generator[2].num_batches_tracked) if norm else 0,
        "training": all(module.training for net in (generator, critic) for module in net.modules()),
    }


def after_an_error(solution, which: str, failing: str) -> dict:
    """The flags after a call in which the first network (generator or online) or the second one has raised."""
    first, second = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    (first if failing == "first" else second).append(Failing())
    second[1].requires_grad_(False)
    before, raised = flags(first, second), False
    rows = torch.ones(3, 2)
    try:
        if which == "td_loss":
            done = torch.zeros(3, dtype=torch.bool)
            solution.td_loss(first, second, (rows, torch.tensor([0, 1, 0]), torch.ones(3), rows, done), 0.5)
        elif which == "critic_loss":
            solution.critic_loss(first, second, rows, rows)
        else:
            solution.generator_loss(first, second, rows)
    except ArithmeticError:
        raised = True
    return {"raised": raised, "same": flags(first, second) == before}


def both_in_turn(solution, weights: list[list[Tensor]], z: Tensor, real: Tensor, rounds: int) -> list:
    """The weights of both networks after several rounds of training with both losses and plain SGD."""
    generator, critic = network(weights[0]), network(weights[1], norm=True)
    optimizers = [torch.optim.SGD(each.parameters(), lr=0.1) for each in (critic, generator)]
    for _ in range(rounds):
        for optimizer, loss_of in zip(
            optimizers,
            (
                lambda: solution.critic_loss(generator, critic, real, z),
                lambda: solution.generator_loss(generator, critic, z),
            ),
            strict=True,
        ):
            optimizer.zero_grad()
            loss_of().backward()
            optimizer.step()
    return [p.detach().clone() for each in (generator, critic) for p in each.parameters()]
