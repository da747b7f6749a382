"""One path with a scaler and one without; clipping written out."""

import torch


def clip(parameters, max_norm):
    gradients = [p.grad for p in parameters if p.grad is not None]
    total = torch.stack([g.square().sum() for g in gradients]).sum().sqrt()
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor)


def train(model, batches, loss_fn, optimizer, device_type, dtype, max_norm=None):
    scaler = torch.amp.GradScaler(device_type) if dtype == torch.float16 else None
    parameters = list(model.parameters())
    history = []
    for x, y in batches:
        model.zero_grad()
        with torch.amp.autocast(device_type=device_type, dtype=dtype):
            prediction = model(x)
            loss = loss_fn(prediction, y)
        history.append(float(loss.detach()))
        if scaler is None:
            loss.backward()
            if max_norm is not None:
                clip(parameters, max_norm)
            optimizer.step()
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        if max_norm is not None:
            clip(parameters, max_norm)
        scaler.step(optimizer)
        scaler.update()
    return history
