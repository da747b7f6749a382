"""A model in its first phase, calls of unfreeze_, and a step after them."""

import copy

import torch
from torch import Tensor, nn


class Net(nn.Module):
    """Names that begin alike, a parameter that stands directly in the model, a batch norm, and a module without parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.stem = nn.Linear(3, 4)
        self.act = nn.Tanh()
        self.layer1 = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.layer10 = nn.Linear(4, 4, bias=False)
        self.head = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        x = self.scale * self.act(self.stem(x))
        return self.head(self.layer10(self.layer1(x)).tanh())


OPTIMIZERS = {
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.1, betas=(0.8, 0.9), weight_decay=0.1),
}


def step(net: nn.Module, optimizer: torch.optim.Optimizer, x: Tensor) -> None:
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()


def phases(solution, kind: str, calls: list, x: Tensor, seed: int) -> dict:
    """Two steps of the head, stale gradients, the calls, and one more step; what is seen on the way."""
    torch.manual_seed(seed)
    net = Net().to(x.dtype)
    for name, p in net.named_parameters():
        p.requires_grad_(name.startswith("head."))
    optimizer = OPTIMIZERS[kind](net.head.parameters())
    for _ in range(2):
        step(net, optimizer, x)
    net.layer1.eval()
    for p in net.parameters():
        p.grad = torch.ones_like(p)
    names = {id(p): name for name, p in net.named_parameters()}
    state = copy.deepcopy(optimizer.state_dict()["state"])
    values = {name: t.clone() for name, t in net.state_dict().items()}
    results = []
    for prefix, lr in calls:
        try:
            results.append(solution.unfreeze_(net, optimizer, prefix, lr))
        except ValueError:
            results.append("ValueError")
    groups = [
        {"names": [names.get(id(p), "unknown") for p in group["params"]]}
        | {key: value for key, value in group.items() if key in ("lr", "momentum", "betas", "weight_decay")}
        for group in optimizer.param_groups
    ]
    after = optimizer.state_dict()["state"]
    kept = after.keys() == state.keys() and all(
        torch.equal(torch.as_tensor(after[i][key]), torch.as_tensor(value))
        for i, entry in state.items()
        for key, value in entry.items()
        if value is not None
    )
    seen = {
        "results": results,
        "groups": groups,
        "state_kept": kept,
        "values_kept": all(torch.equal(t, values[name]) for name, t in net.state_dict().items()),
        "modes": [net.training, net.layer1.training, net.head.training],
        "trainable": [name for name, p in net.named_parameters() if p.requires_grad],
        "stale": [name for name, p in net.named_parameters() if p.grad is not None],
    }
    for p in net.parameters():
        p.grad = None
    step(net, optimizer, x)
    seen["moved"] = [name for name, p in net.named_parameters() if not torch.equal(p, values[name])]
    seen["weights"] = {name: p.detach().clone() for name, p in net.named_parameters()}
    return seen


def uneven(solution, prefix: str, lr: float) -> dict:
    """One call where flags and groups disagree: layer10.weight is held and frozen, stem.weight trainable and not held."""
    net = Net()
    for name, p in net.named_parameters():
        p.requires_grad_(name.startswith("head.") or name == "stem.weight")
        p.grad = torch.ones_like(p)
    groups = [
        {"params": list(net.head.parameters()), "momentum": 0.5, "weight_decay": 0.2},
        {"params": [net.layer10.weight], "lr": 0.3},
    ]
    optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9, weight_decay=0.01)
    names = {id(p): name for name, p in net.named_parameters()}
    return {
        "result": solution.unfreeze_(net, optimizer, prefix, lr),
        "groups": [
            ([names[id(p)] for p in group["params"]], group["lr"], group["momentum"], group["weight_decay"])
            for group in optimizer.param_groups
        ],
        "trainable": [name for name, p in net.named_parameters() if p.requires_grad],
        "stale": [name for name, p in net.named_parameters() if p.grad is not None],
    }
