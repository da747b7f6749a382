"""Trained networks of several kinds, and what adapting does to them."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Plain(nn.Module):
    """The head is an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.5))
        self.fc = nn.Linear(6, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(self.body(x))


class TwoLinear(nn.Module):
    """A classifier of two linear layers, flattened in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Linear(5, 7), nn.BatchNorm1d(7), nn.Tanh())
        self.classifier = nn.Sequential(nn.Linear(7, 6), nn.ReLU(), nn.Dropout(0.3), nn.Linear(6, 3), nn.Flatten())

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x))


class Inner(nn.Module):
    """A score without bias, and a normalisation before it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.score = nn.Linear(8, 2, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.score(self.norm(x).relu())


class Deep(nn.Module):
    """The head lies two levels down."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Linear(5, 8)
        self.outer = nn.ModuleDict({"inner": Inner()})

    def forward(self, x: Tensor) -> Tensor:
        return self.outer["inner"](self.stem(x))


def row() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6), nn.Dropout(0.5), nn.Linear(6, 4))


MODELS = {
    "plain": (Plain, "fc"),
    "two": (TwoLinear, "classifier.3"),
    "deep": (Deep, "outer.inner.score"),
    "row": (row, "3"),
}


def trained(kind: str, seed: int, dtype: torch.dtype = torch.float32) -> nn.Module:
    """A network with statistics of its own, gradients of a last step, and one part in evaluation mode."""
    torch.manual_seed(seed)
    model = MODELS[kind][0]().to(dtype)
    for _ in range(3):
        model(2 * torch.randn(9, 5, dtype=dtype) + 1).square().sum().backward()
    next(model.children()).eval()
    return model


def snapshot(model: nn.Module) -> tuple:
    """All that must stay: names, values, gradients, flags, modes and kinds of modules."""
    state = {n: t.detach().clone() for n, t in model.state_dict().items()}
    gradients = {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
    flags = [(n, p.requires_grad) for n, p in model.named_parameters()]
    modules = [(n, type(m).__name__, m.training) for n, m in model.named_modules()]
    return state, gradients, flags, modules


def same(one: tuple, other: tuple) -> bool:
    """Whether two snapshots agree."""
    for a, b in zip(one[:2], other[:2], strict=True):
        if a.keys() != b.keys() or not all(torch.equal(a[k], b[k]) for k in a):
            return False
    return one[2:] == other[2:]


def look(solution, kind: str, n_classes: int, x: Tensor, seed: int) -> dict:
    """The adapted network beside the old one: parameters, outputs in both modes, and whether the old one has changed."""
    model = trained(kind, seed, x.dtype)
    before = snapshot(model)
    torch.manual_seed(seed + 1)
    adapted = solution.adapt(model, n_classes)
    unchanged = same(before, snapshot(model))
    comes_training = adapted.training
    learning = [p for p in adapted.parameters() if p.requires_grad]
    found = {
        "unchanged": unchanged,
        "comes_training": comes_training,
        "learning": [tuple(p.shape) for p in learning],
        "left": [tuple(p.shape) for p in adapted.parameters() if not p.requires_grad and p.grad is not None],
        "elements": sum(p.numel() for p in adapted.parameters()),
        "train": adapted(x).detach(),
        "eval": adapted.eval()(x).detach(),
        "again": adapted.train()(x).detach(),
        "weights": [p.detach().clone() for p in learning],
    }
    # the features are what the old head is given
    seen: list[Tensor] = []
    model.get_submodule(MODELS[kind][1]).register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    model.eval()(x)
    return found | {"features": seen[0].detach()}


def modes(solution, kind: str) -> list:
    """After each call: the mode of the whole and of the head, whether anything else trains, whether the model came back."""
    adapted, found = solution.adapt(trained(kind, 3), 3), []
    for mode in (None, True, False, True, True, None):
        returned = adapted.eval() if mode is None else adapted.train(mode)
        head = [m for m in adapted.modules() if isinstance(m, nn.Linear) and m.weight.requires_grad]
        acting = (nn.BatchNorm1d, nn.Dropout)
        others = [m.training for m in adapted.modules() if isinstance(m, acting)]
        found.append((adapted.training, [m.training for m in head], any(others), returned is adapted))
    return found


def ten_steps(solution, kind: str, x: Tensor, y: Tensor, seed: int, optimizer: str) -> dict:
    """Ten steps in training mode; which tensors of the adapted model have moved, and whether the old model has."""
    model = trained(kind, seed)
    before = snapshot(model)
    adapted = solution.adapt(model, int(y.max()) + 1)
    learning = {id(p) for p in adapted.parameters() if p.requires_grad}
    tensors = dict(adapted.state_dict(keep_vars=True))
    kept = {name: t.detach().clone() for name, t in tensors.items()}
    if optimizer == "sgd":
        stepper = torch.optim.SGD(adapted.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    else:
        stepper = torch.optim.AdamW(adapted.parameters(), lr=0.05, weight_decay=0.1)
    losses = []
    for _ in range(10):
        adapted.train()
        stepper.zero_grad()
        loss = F.cross_entropy(adapted(x), y)
        loss.backward()
        stepper.step()
        losses.append(loss.item())
    moved = {name for name, t in adapted.state_dict().items() if not torch.equal(t, kept[name])}
    heads = {name for name, t in tensors.items() if id(t) in learning}
    return {
        "only the head": moved <= heads,
        "the head": len(heads) == 2 and moved >= heads,
        "losses": losses,
        "unchanged": same(before, snapshot(model)),
    }


def accuracy(solution, seed: int, trained_backbone: bool) -> float:
    """The accuracy of a head trained for a moment, on features that the data were made from or on random ones."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    teacher = torch.randn(12, 6, generator=generator)
    x = torch.randn(300, 6, generator=generator)
    y = (torch.randn(3, 12, generator=generator) @ (3 * x @ teacher.T).sin().T).T.argmax(1)

    class Sine(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return (3 * x).sin()

    model = nn.Sequential(nn.Linear(6, 12, bias=False), Sine(), nn.Linear(12, 5))
    if trained_backbone:
        model[0].weight.data.copy_(teacher)
    adapted = solution.adapt(model, 3)
    adapted.train()
    optimizer = torch.optim.Adam([p for p in adapted.parameters() if p.requires_grad], lr=0.1)
    for _ in range(60):
        optimizer.zero_grad()
        F.cross_entropy(adapted(x[:200]), y[:200]).backward()
        optimizer.step()
    return float((adapted.eval()(x[200:]).argmax(1) == y[200:]).float().mean())


def two_heads(solution, x: Tensor) -> tuple:
    """Two heads for one backbone: shapes, and whether training one moves the other."""
    model = trained("plain", 5)
    first, second = solution.adapt(model, 2), solution.adapt(model, 9)
    before = second.eval()(x).detach().clone()
    optimizer = torch.optim.SGD(first.parameters(), lr=1.0)
    first(x).square().sum().backward()
    optimizer.step()
    return tuple(first(x).shape), tuple(second(x).shape), bool(torch.equal(second(x), before))


def refusal(solution, kind: str, n_classes: int) -> str:
    """What adapt raises, "" for nothing."""
    model = nn.Sequential(nn.Conv1d(1, 2, 3), nn.Flatten()) if kind == "none" else trained(kind, 1)
    try:
        solution.adapt(model, n_classes)
    except Exception as error:
        return type(error).__name__
    return ""
