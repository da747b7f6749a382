"""Objects once, names as often as there are; clones in, values out."""

import math

from torch import nn


def inventory(model: nn.Module) -> dict[str, int]:
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]
    total = sum(size for size, _ in sizes)
    trainable = sum(size for size, learns in sizes if learns)
    named = sum(p.numel() for _, p in model.named_parameters(remove_duplicate=False))
    return {
        "total": total,
        "trainable": trainable,
        "frozen": total - trainable,
        "buffers": sum(b.numel() for b in model.buffers()),
        "shared": named - total,
    }


class BestModel:
    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.best_score = None
        self.state = None

    def update(self, score: float) -> bool:
        if math.isnan(score) or (self.best_score is not None and score <= self.best_score):
            return False
        self.best_score = score
        self.state = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        return True

    def restore(self) -> None:
        if self.state is None:
            raise RuntimeError("no state has been stored yet")
        self.model.load_state_dict(self.state)
