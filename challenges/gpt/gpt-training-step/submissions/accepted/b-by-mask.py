"""Log probabilities, a mask, and a clip by hand."""

import torch


def parameter_groups(model, weight_decay):
    decayed, plain = [], []
    for parameter in model.parameters():
        if parameter.requires_grad:
            (plain if parameter.dim() in (0, 1) else decayed).append(parameter)
    return [dict(params=decayed, weight_decay=weight_decay), dict(params=plain, weight_decay=0.0)]


def training_step(model, optimizer, ids, padding=None, max_norm=1.0):
    inputs, targets = ids[:, :-1], ids[:, 1:]
    counts = torch.ones_like(targets, dtype=torch.bool) if padding is None else targets.ne(padding)
    if not counts.any():
        raise ValueError("every target is padding")
    model.train(True)
    for parameter in model.parameters():
        parameter.grad = None
    scores = model(inputs)
    chosen = scores.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    loss = -chosen[counts].mean()
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.sqrt(sum(g.square().sum() for g in gradients))
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    optimizer.step()
    return float(loss)
