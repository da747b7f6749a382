# caught by: test_autocast_is_off_afterwards[forward-raises]
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
    on = dtype is not torch.float32
    torch.set_autocast_dtype(device_type, dtype if on else torch.bfloat16)
    torch.set_autocast_enabled(device_type, on)
    if True:
        loss = loss_fn(model(x), y)
    torch.set_autocast_enabled(device_type, False)
    torch.clear_autocast_cache()
    loss.backward()
    optimizer.step()
    return loss.item()
