"""cross_entropy with an ignored index, clip_grad_norm_, step."""

import torch.nn.functional as F
from torch import Tensor, nn


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict]:
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]


def training_step(
    model: nn.Module,
    optimizer,
    ids: Tensor,
    padding: int | None = None,
    max_norm: float = 1.0,
) -> float:
    targets = ids[:, 1:]
    if targets.numel() == 0 or (padding is not None and bool((targets == padding).all())):
        raise ValueError("no target counts")
    model.train()
    model.zero_grad()
    ignored = -100 if padding is None else padding
    loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), targets.flatten(), ignore_index=ignored)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
