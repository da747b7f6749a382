from collections.abc import Callable

import torch
from torch import Tensor, nn


def worker(
    model: nn.Module,
    batches: list[tuple[Tensor, Tensor]],
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    group,
    save: Callable[[dict], None],
) -> list[float]:
    """What one rank of a data-parallel training runs; gives the losses, averaged over all ranks."""
    raise NotImplementedError
