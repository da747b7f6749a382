"""A network with a backbone and a head, optimizers of several kinds, and runs of the training loop."""

import torch
from torch import Tensor, nn


class Net(nn.Module):
    """A backbone with batch norm and dropout, and a head that has a batch norm of its own."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(5, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(dropout), nn.Linear(6, 4, bias=False)
        )
        self.head = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 3))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.backbone(x))


KINDS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "nesterov": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "decay": lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=0.1),
    "adam": lambda p: torch.optim.Adam(p, lr=0.05),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.05, weight_decay=0.1),
}


def state_of(module: nn.Module) -> dict[str, Tensor]:
    """The state, copied."""
    return {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}


def run(solution, kind: str, parts: list, seed: int, dropout: float = 0.0, training: bool = True) -> list[dict]:
    """Calls finetune once for each (batches, freeze_after) of `parts`, with one model and optimizer; notes what is left."""
    torch.manual_seed(seed)
    model = Net(dropout).train(training)
    optimizer = KINDS[kind](model.parameters())
    found = []
    for batches, freeze_after in parts:
        modes, steps = [], []
        handle = model.head.register_forward_hook(
            lambda head, _, __, modes=modes: modes.append(
                (all(m.training for m in model.backbone.modules()), all(m.training for m in head.modules()))
            )
        )
        watch = optimizer.register_step_post_hook(
            lambda *_, steps=steps: steps.append(
                (all(not p.requires_grad for p in model.backbone.parameters()), state_of(model.backbone))
            )
        )
        losses = solution.finetune(model, batches, optimizer, freeze_after)
        handle.remove()
        watch.remove()
        backbone = list(model.backbone.parameters())
        found.append(
            {
                "losses": losses,
                "backbone": state_of(model.backbone),
                "head": state_of(model.head),
                "modes": modes,
                "steps": steps,
                "frozen": [not p.requires_grad for p in backbone],
                "learning": [p.requires_grad for p in model.head.parameters()],
                "left": [p.grad is not None for p in backbone],
            }
        )
    return found


def stale(solution, kind: str, batches: list, seed: int) -> dict:
    """An earlier loop leaves gradients, momentum and evaluation mode behind; then the backbone is frozen at once."""
    torch.manual_seed(seed)
    model = Net(0.0)
    optimizer = KINDS[kind](model.parameters())
    for x, y in batches[:2]:
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    before = state_of(model.backbone)
    modes = []
    model.head.register_forward_hook(lambda head, _, __: modes.append(all(m.training for m in head.modules())))
    losses = solution.finetune(model, batches[2:], optimizer, 0)
    return {
        "losses": losses,
        "before": before,
        "backbone": state_of(model.backbone),
        "head": state_of(model.head),
        "modes": modes,
        "left": [p.grad is not None for p in model.backbone.parameters()],
    }
