"""Models of several kinds, counted and trained next to your answer."""

import torch
from torch import Tensor, nn


class Tied(nn.Module):
    """An embedding that is also the output layer, a norm, and a buffer that is not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(5, 3, bias=False)
        self.norm = nn.BatchNorm1d(3)
        self.out = nn.Linear(5, 3)
        self.out.weight = self.embed.weight
        self.gain = nn.Parameter(torch.tensor(1.5))
        self.register_buffer("mask", torch.ones(7), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.gain * (self.norm(self.embed(x)) + self.out(x))


def _one_block_thrice() -> nn.Module:
    block = nn.Linear(2, 3)
    block.bias.requires_grad_(False)
    return nn.ModuleList([block, nn.ModuleList([block]), block, nn.Linear(3, 2, bias=False)])


def _shared_buffer() -> nn.Module:
    first, second = nn.BatchNorm1d(5, affine=False), nn.BatchNorm1d(5)
    second.running_mean = first.running_mean
    second.register_buffer("nothing", None)
    second.weight.requires_grad_(False)
    return nn.Sequential(first, second)


def _equal_copies() -> nn.Module:
    layers = nn.ModuleList(nn.Linear(3, 2) for _ in range(2))
    with torch.no_grad():
        layers[1].weight.copy_(layers[0].weight)
        layers[1].bias.copy_(layers[0].bias)
    return layers


def _same_memory() -> nn.Module:
    layers = nn.ModuleList(nn.Linear(3, 2, bias=False) for _ in range(2))
    layers[1].weight = nn.Parameter(layers[0].weight.detach())
    return layers


MODELS = {
    "linear": lambda: nn.Linear(3, 5),
    "tied": Tied,
    "thrice": _one_block_thrice,
    "shared-buffer": _shared_buffer,
    "equal-copies": _equal_copies,
    "same-memory": _same_memory,
    "frozen": lambda: nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Linear(5, 2).requires_grad_(False)),
    "empty": nn.ReLU,
}


def counted(solution, kind: str) -> dict:
    """The inventory of a model, and whether the model is the same afterwards."""
    model = MODELS[kind]()
    before = [(p.requires_grad, p._version) for p in model.parameters()], model.training
    found = solution.inventory(model)
    after = [(p.requires_grad, p._version) for p in model.parameters()], model.training
    return {"found": found, "same": before == after}


def copied(model: nn.Module) -> dict[str, Tensor]:
    """The model's state, copied."""
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}


def tracked(
    solution, kind: str, scores: list[float], batches: list[Tensor], dtype: torch.dtype, rounds: int = 1
) -> dict:
    """Trains a model with momentum, one step and one update for each score, then restores and trains on, `rounds` times."""
    torch.manual_seed(1)
    model = MODELS[kind]().to(dtype)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.02, momentum=0.9)
    objects, places = list(model.parameters()), [p.data_ptr() for p in model.parameters()]
    flags = [p.requires_grad for p in objects]
    best = solution.BestModel(model)
    first = (best.best_score, best.state)

    def step(batch: Tensor) -> None:
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()

    answers, states = [], []
    for score, batch in zip(scores, batches, strict=True):
        step(batch)
        states.append(copied(model))
        answers.append(best.update(score))
    found = {"first": first, "answers": answers, "best_score": best.best_score, "stored": best.state is not None}
    if best.state is None:
        return found
    trained_on, restored = [], []
    for _ in range(rounds):
        step(batches[0])
        trained_on.append({name: tensor.clone() for name, tensor in best.state.items()})
        returned = best.restore()
        restored.append(copied(model))
    step(batches[0])
    moved = copied(model)
    state = dict(best.state)
    return found | {
        "states": states,
        "trained_on": trained_on,
        "restored": restored,
        "last": {name: tensor.clone() for name, tensor in state.items()},
        "moved": moved,
        "returned": returned,
        "data": not any(t.requires_grad for t in state.values()),
        "objects": all(a is b for a, b in zip(objects, model.parameters(), strict=True)),
        "places": places == [p.data_ptr() for p in model.parameters()],
        "flags": flags == [p.requires_grad for p in model.parameters()],
    }


def restored_too_early(solution, score: float) -> str:
    """What restore() raises when the only score was NaN or there was none."""
    best = solution.BestModel(nn.Linear(1, 1))
    if score != 0:
        best.update(score)
    try:
        best.restore()
    except RuntimeError:
        return "RuntimeError"
    except Exception as error:
        return type(error).__name__
    return "nothing"
