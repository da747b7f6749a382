"""Freezes a classifier, and looks at the copy and at the original."""

import torch
from torch import Tensor, nn


def built(solution, state: dict[str, Tensor]) -> nn.Module:
    """A classifier in train mode with this state."""
    hidden, features = state["first.weight"].shape
    model = solution.Classifier(features, hidden, len(state["last.bias"]), 0.5).to(state["mean"].dtype)
    model.load_state_dict(state)
    return model.train()


def served(solution, state: dict[str, Tensor], x: Tensor) -> dict:
    """Outputs of the frozen model: for the batch, again, row by row; and how its parts are set."""
    frozen = solution.freeze(built(solution, state))
    with torch.no_grad():
        outputs = [frozen(x), frozen(x), torch.cat([frozen(row) for row in x.split(1)]), frozen(x.flip(0)).flip(0)]
    return {
        "outputs": outputs,
        "training": [name for name, module in frozen.named_modules() if module.training],
        "learns": [name for name, p in frozen.named_parameters() if p.requires_grad],
        "state": {name: value.clone() for name, value in frozen.state_dict().items()},
    }


def original(solution, state: dict[str, Tensor]) -> dict:
    """What freeze leaves of the model that it was given."""
    model = built(solution, state)
    model.norm.eval()  # somebody fine-tunes with a frozen norm
    model.first.bias.requires_grad_(False)
    before = {name: module.training for name, module in model.named_modules()}
    solution.freeze(model)
    return {
        "modes": before == {name: module.training for name, module in model.named_modules()},
        "learns": [name for name, p in model.named_parameters() if p.requires_grad],
        "state": {name: value.clone() for name, value in model.state_dict().items()},
    }


def trained_on(solution, state: dict[str, Tensor], x: Tensor, labels: Tensor) -> dict:
    """The original is trained after it was frozen. Does the frozen model notice?"""
    model = built(solution, state)
    frozen = solution.freeze(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with torch.no_grad():
        before = frozen(x).clone()
    nn.functional.cross_entropy(model(x), labels).backward()
    optimizer.step()
    with torch.no_grad():
        after = frozen(x)
    moved = not torch.equal(model.last.bias.detach(), state["last.bias"])
    return {"before": before, "after": after, "moved": moved}


def nested(solution, state: dict[str, Tensor], x: Tensor) -> dict:
    """freeze on a model that has the classifier and a dropout inside."""
    model = nn.Sequential(nn.Dropout(0.5), nn.ModuleDict({"inner": built(solution, state)})["inner"])
    frozen = solution.freeze(model)
    with torch.no_grad():
        return {"output": frozen(x), "training": any(m.training for m in frozen.modules()), "kept": model.training}
