"""Sound and broken models, and what the check leaves of them."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# With several threads, each operator on these small tensors wakes all of them: on a busy machine, hundreds of times slower.
torch.set_num_threads(1)


class Net(nn.Module):
    """Two layers; `detached` cuts the graph after the first, whose output hardly reaches the second, or after both."""

    def __init__(self, inputs: int, hidden: int, outputs: int, detached: int = 0, dropout: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(hidden, outputs)
        self.detached = detached

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.dropout(torch.relu(self.first(x)))
        out = self.last(0.001 * hidden.detach() if self.detached == 1 else hidden)
        return out.detach() if self.detached == 2 else out


class Tied(nn.Module):
    """One matrix in two places."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(size, size), nn.Linear(size, size)
        self.last.weight = self.first.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.last(torch.tanh(self.first(x)))


def build(kind: str, seed: int) -> nn.Module:
    """A model by its name; the weights come from the seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if kind == "norm":
            return nn.Sequential(nn.Linear(4, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
        if kind == "tied":
            return Tied(4)
        if kind == "detached path":
            model = Net(4, 2, 3, detached=1)
            # The loss begins far above what the bias can reach, so it falls.
            model.last.bias.data.copy_(torch.tensor([1.0, 0.0, -1.0]))
            return model
        if kind == "no gradient":
            return Net(4, 32, 3, detached=2)
        model = Net(4, 48, 3, dropout=0.5 if kind == "dropout" else 0.0)
        if kind == "frozen head":
            for parameter in model.last.parameters():
                nn.init.zeros_(parameter).requires_grad_(False)
        if kind == "dead relu":
            nn.init.constant_(model.first.bias, -100.0)
        if kind == "frozen":
            model.requires_grad_(False)
        return model


LOSSES = {
    "cross entropy": F.cross_entropy,
    "squared error": F.mse_loss,
    "wrong sign": lambda scores, y: -F.cross_entropy(scores, y),
    "nan": lambda scores, y: F.cross_entropy(scores, y) * float("nan"),
    "infinite": lambda scores, y: F.cross_entropy(scores, y) / 0,
    "minus infinity": lambda scores, y: -F.cross_entropy(scores, y) / 0,
    "constant": lambda scores, y: torch.tensor(0.5),
}


def verdict(solution, kind: str, loss: str, seed: int, batch: tuple, options: dict) -> object:
    """What the check says of a model."""
    return solution.can_overfit(build(kind, seed), batch, LOSSES[loss], **options)


def _state(model: nn.Module) -> dict:
    named = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    return {
        "state": named,
        "gradients": [None if p.grad is None else p.grad.clone() for p in model.parameters()],
        "modes": [m.training for m in model.modules()],
        "flags": [p.requires_grad for p in model.parameters()],
        "random": torch.get_rng_state(),
        "recording": torch.is_grad_enabled(),
    }


def _same(one: object, other: object) -> bool:
    if isinstance(one, Tensor):
        return isinstance(other, Tensor) and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def traces(
    solution, kind: str, seed: int, batch: tuple, steps: int, recording: bool, learned_input: bool = False
) -> dict:
    """What has changed in a model with gradients, mixed modes and a frozen parameter, and around it. learned_input: the
    inputs require a gradient, and have one.
    """
    model = build(kind, seed)
    F.cross_entropy(model(batch[0]), batch[1]).backward()
    next(model.children()).eval()
    next(iter(model.parameters())).requires_grad_(False)
    given = tuple(t.clone() for t in batch)
    x, y = given[0].clone().requires_grad_(learned_input), given[1].clone()
    if learned_input:
        x.grad = torch.full_like(x, 5.0)
    gradient = None if x.grad is None else x.grad.clone()
    torch.manual_seed(seed + 1)
    with torch.set_grad_enabled(recording):
        before = _state(model)
        found = solution.can_overfit(model, (x, y), F.cross_entropy, steps=steps, tol=1e-6)
        after = _state(model)
    changed = [name for name in before if not _same(before[name], after[name])]
    return {
        "changed": changed,
        "batch": all(map(torch.equal, given, (x, y))),
        "flag": x.requires_grad is learned_input and x.is_leaf,
        "gradient": _same(x.grad, gradient),
        "type": type(found) is bool,
    }


def line(solution, weight: Tensor, batch: tuple, loss: str, options: dict, recording: bool) -> object:
    """The verdict about a single weight."""
    model = nn.Linear(weight.shape[1], weight.shape[0], bias=False, dtype=weight.dtype)
    model.weight.data.copy_(weight)
    function = {"squared": F.mse_loss, "absolute": F.l1_loss}[loss]
    with torch.set_grad_enabled(recording):
        return solution.can_overfit(model, batch, function, **options)
