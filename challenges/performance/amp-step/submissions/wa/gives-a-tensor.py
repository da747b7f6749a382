# caught by: test_loss_is_a_number
"""Forward and loss in the block, the rest after it."""

import torch
from torch import Tensor, nn


def amp_step(
    model: nn.Module,
    batch: tuple[Tensor, Tensor],
    loss_fn,
    optimizer: torch.optim.Optimizer,
    device_type: str,
    dtype: torch.dtype,
) -> float:
    x, y = batch
    optimizer.zero_grad()
    with torch.autocast(device_type, dtype=dtype, enabled=dtype is not torch.float32):
        loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()
