# caught by: test_no_warnings[bfloat16]
"""Today's names, a scaler for float16 alone, and only forward and loss in the block."""

import torch


def train(model, batches, loss_fn, optimizer, device_type, dtype, max_norm=None):
    scaler = torch.amp.GradScaler(device_type, enabled=dtype is torch.float16)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        with torch.cpu.amp.autocast(dtype=dtype):
            loss = loss_fn(model(x), y)
        scaler.scale(loss).backward()
        if max_norm is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses
