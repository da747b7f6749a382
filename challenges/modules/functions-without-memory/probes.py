"""Trains a Net with an optimizer, and looks at what its state is made of."""

import torch


def after_steps(solution, state: dict, batches: list[torch.Tensor]) -> dict:
    """The state after a step of SGD for each batch, with p = 0, in the dtype of `state`."""
    hidden, features = state["first.weight"].shape
    net = solution.Net(features, hidden, len(state["last.bias"]), 0.0).to(state["mean"].dtype)
    net.load_state_dict({name: value.clone() for name, value in state.items()})
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches:
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()
    return {name: value.clone() for name, value in net.state_dict().items()}


def kinds(solution) -> dict:
    """Names of parameters and buffers, and the history of the buffers after a pass in training."""
    net = solution.Net(3, 4, 2)
    net(torch.randn(5, 3))
    return {
        "parameters": sorted(name for name, _ in net.named_parameters()),
        "buffers": sorted(name for name, _ in net.named_buffers()),
        "history": any(b.requires_grad for b in net.buffers()),
    }


def untouched(solution, x: torch.Tensor, params: dict) -> bool:
    """Whether functional_mlp leaves the dict and its tensors as they were."""
    items = list(params.items())
    values = [value.clone() for _, value in items]
    solution.functional_mlp(x, params)
    if [name for name, _ in items] != list(params):
        return False
    return all(
        params[name] is value and torch.equal(value, old) for (name, value), old in zip(items, values, strict=True)
    )
