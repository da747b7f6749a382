"""The head among optimizers, devices and checkpoints."""

import torch
import torch.nn.functional as F
from torch import Tensor


def stepped(solution, prototypes: Tensor, x: Tensor, labels: Tensor, disabled: list[int]) -> dict:
    """One step of SGD with weight decay over parameters(), after observing and disabling."""
    head = solution.CosineHead(prototypes.shape[1], prototypes.shape[0], 0.5)
    with torch.no_grad():
        head.prototypes.copy_(prototypes)
    head.observe(labels)
    head.disable(disabled)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1, weight_decay=0.1)
    F.cross_entropy(head(x), labels).backward()
    optimizer.step()
    return {name: value.detach().clone() for name, value in head.state_dict().items()}


def in_place(solution, labels: Tensor) -> dict:
    """Whether `counts` is the same memory after `observe`, and what a view that was taken before shows."""
    head = solution.CosineHead(2, 4)
    before = head.counts
    view, place = before.detach()[:], before.data_ptr()
    head.observe(labels)
    return {"same": head.counts.data_ptr() == place, "view": view.clone()}


def on_meta(solution) -> dict:
    """A forward pass after a move to the meta device."""
    head = solution.CosineHead(3, 4)
    head.disable([2])
    head = head.to("meta")
    named = {**dict(head.named_parameters()), **dict(head.named_buffers())}
    try:
        out = head(torch.empty(2, 3, device="meta"))
    except (RuntimeError, NotImplementedError):
        return {"moved": all(t.is_meta for t in named.values()), "shape": None}
    return {"moved": all(t.is_meta for t in named.values()), "shape": tuple(out.shape) if out.is_meta else None}


def two_heads(solution) -> list[Tensor]:
    """What a second head holds after the first one was trained, observed and disabled."""
    first, second = solution.CosineHead(2, 3), solution.CosineHead(2, 3)
    first.observe(torch.tensor([1, 1]))
    first.disable([0])
    optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
    (first(torch.ones(1, 2))[:, 1:].sum()).backward()
    optimizer.step()
    return [second.counts.clone(), second.enabled.clone(), second.temperature.detach().clone()]
