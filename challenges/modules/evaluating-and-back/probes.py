"""Models with mixed modes, and what the two helpers leave of them."""

import torch
from torch import Tensor, nn


class Frozen(nn.Sequential):
    """A backbone that refuses to train: train() leaves it and everything in it as it is."""

    def train(self, mode: bool = True) -> "Frozen":
        return self if mode else super().train(False)


class Restless(nn.Dropout):
    """A dropout that is always active: neither train() nor eval() switches it off."""

    def train(self, mode: bool = True) -> "Restless":
        return super().train(True)


class Broken(nn.Module):
    """Raises in the second pass."""

    def __init__(self) -> None:
        super().__init__()
        self.passes = 0

    def forward(self, x: Tensor) -> Tensor:
        self.passes += 1
        if self.passes == 2:
            raise ArithmeticError("the second pass")
        return x


class Noise(nn.Dropout2d):
    """A subclass of a dropout layer."""


def build(kind: str) -> nn.Module:
    """One of several models, all of them in training mode or as their class leaves them."""
    if kind == "shared":
        layer = nn.Linear(3, 3)
        return nn.Sequential(layer, nn.Sequential(nn.Dropout(0.5), layer), nn.ModuleDict({"again": layer}))
    if kind == "stubborn":
        return nn.Sequential(Frozen(nn.BatchNorm1d(3), nn.Dropout(0.5)), nn.Dropout(0.5))
    if kind == "restless":
        return nn.Sequential(nn.Linear(3, 3), Restless(0.5))
    if kind == "one":
        return nn.Dropout(0.5)
    inner = nn.Sequential(nn.BatchNorm1d(3), nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)))
    return nn.Sequential(nn.Linear(3, 3), inner, nn.BatchNorm1d(3))


def flags(model: nn.Module) -> list[bool]:
    """The flag of every module."""
    return [module.training for module in model.modules()]


def around(solution, kind: str, pattern: list[bool], body: str) -> dict:
    """Flags before, inside and after, for a body that does nothing, raises, changes modes, or grows the model."""
    model = build(kind)
    for module, flag in zip(model.modules(), pattern, strict=False):
        module.training = flag
    before, found = flags(model), {}
    try:
        with solution.evaluating(model) as given:
            found = {"inside": flags(model), "same": given is model}
            if body == "raises":
                raise ArithmeticError("the body failed")
            if body == "trains":
                model.train()
            if body == "nested":
                with solution.evaluating(model):
                    pass
                found["inside"] = flags(model)
            if body == "grows":
                for name, flag in (("new", True), ("newer", False)):
                    model.add_module(name, nn.Dropout(0.5))
                    model.get_submodule(name).training = flag
    except ArithmeticError:
        found["raised"] = True
    after = flags(model)
    return found | {"before": before, "after": after[: len(before)], "rest": after[len(before) :]}


def gradients(solution, x: Tensor, weight: Tensor, recording: bool) -> dict:
    """A pass within the context with recording on or off, and what a batch norm layer in it does."""
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 2, bias=False), nn.Dropout(0.5)).to(x.dtype)
    with torch.no_grad():
        model[1].weight.copy_(weight)
        model[0].running_mean += 1
    with torch.set_grad_enabled(recording):
        with solution.evaluating(model):
            out = model(x)
            inside = torch.is_grad_enabled()
        after = torch.is_grad_enabled()
    grad = torch.autograd.grad(out.sum(), model[1].weight)[0] if out.requires_grad else None
    return {
        "out": out.detach(),
        "grad": grad,
        "modes": [inside, after],
        "mean": model[0].running_mean.clone(),
        "tracked": int(model[0].num_batches_tracked),
    }


def sampled(solution, x: Tensor, samples: int, seed: int, pattern: list[bool]) -> dict:
    """Monte Carlo dropout of a batch norm and a dropout layer, with what it leaves behind."""
    model = nn.Sequential(nn.BatchNorm1d(x.shape[1]), nn.Dropout(0.5)).to(x.dtype)
    with torch.no_grad():
        model[0].running_mean.fill_(1.0)
        model[0].running_var.fill_(4.0)
    for module, flag in zip(model.modules(), pattern, strict=True):
        module.training = flag
    torch.manual_seed(seed)
    out = solution.mc_dropout(model, x, samples)
    return {
        "out": out.detach(),
        "history": out.requires_grad,
        "recording": torch.is_grad_enabled(),
        "flags": flags(model),
        "mean": model[0].running_mean.clone(),
        "tracked": int(model[0].num_batches_tracked),
    }


def kinds(solution, x: Tensor, samples: int) -> dict[str, bool]:
    """For each kind of dropout: whether the samples differ."""
    layers = {
        "Dropout": nn.Dropout(0.5),
        "Dropout1d": nn.Dropout1d(0.5),
        "Dropout2d": nn.Dropout2d(0.5),
        "Dropout3d": nn.Dropout3d(0.5),
        "AlphaDropout": nn.AlphaDropout(0.5),
        "FeatureAlphaDropout": nn.FeatureAlphaDropout(0.5),
        "a subclass": Noise(0.5),
    }
    found = {}
    for name, layer in layers.items():
        batch = x[..., None] if name == "Dropout3d" else x[:, :, :, 0] if name == "Dropout1d" else x
        out = solution.mc_dropout(nn.Sequential(layer).eval(), batch, samples)
        found[name] = not all(torch.equal(out[0], one) for one in out)
    return found


def other_layers(solution, x: Tensor, samples: int) -> bool:
    """Whether samples agree for a model whose only noise is that of layers other than dropout."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.RReLU(), nn.BatchNorm1d(x.shape[1]))
    out = solution.mc_dropout(model, x, samples)
    return all(torch.equal(out[0], one) for one in out)


def broken(solution) -> dict:
    """A model that raises in its second pass: what goes through, and what is left behind."""
    model = nn.Sequential(nn.Dropout(0.5), Broken())
    model[1].eval()
    try:
        solution.mc_dropout(model, torch.ones(2, 2), 3)
        raised = False
    except ArithmeticError:
        raised = True
    recording = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    return {"raised": raised, "flags": flags(model), "recording": recording}
