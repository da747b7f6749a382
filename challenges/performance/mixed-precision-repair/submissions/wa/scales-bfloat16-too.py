# caught by: test_bfloat16_is_not_scaled
"""A scaler for every dtype."""

import torch


def train(model, batches, loss_fn, optimizer, device_type, dtype, max_norm=None):
    scaler = torch.amp.GradScaler(device_type)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        with torch.autocast(device_type, dtype=dtype):
            loss = loss_fn(model(x), y)
        scaler.scale(loss).backward()
        if max_norm is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses
