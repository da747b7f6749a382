import torch


def train(model, batches, loss_fn, optimizer, device_type, dtype, max_norm=None):
    model.to(dtype)
    scaler = torch.cuda.amp.GradScaler()
    losses = []
    for x, y in batches:
        with torch.cuda.amp.autocast(device_type=device_type, dtype=dtype):
            optimizer.zero_grad()
            loss = loss_fn(model(x.to(dtype)), y)
            scaler.scale(loss).backward()
            if max_norm is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
        losses.append(loss)
    return losses
