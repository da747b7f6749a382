"""The sum of the losses of the rows that count, divided by their number; gradients by autograd.grad."""

import math

from torch import autograd, no_grad
from torch.nn.functional import cross_entropy


def parameter_groups(model, weight_decay):
    groups = {True: [], False: []}
    seen = set()
    for _, parameter in model.named_parameters(remove_duplicate=False):
        if parameter.requires_grad and id(parameter) not in seen:
            seen.add(id(parameter))
            groups[len(parameter.shape) > 1].append(parameter)
    return [{"params": groups[matrix], "weight_decay": weight_decay if matrix else 0.0} for matrix in (True, False)]


def training_step(model, optimizer, ids, padding=None, max_norm=1.0):
    targets = ids[:, 1:].reshape(-1)
    keep = targets == targets if padding is None else targets != padding
    number = int(keep.sum())
    if number == 0:
        raise ValueError("nothing to learn from")
    model.train()
    scores = model(ids[:, :-1])
    scores = scores.reshape(-1, scores.shape[-1])
    loss = cross_entropy(scores[keep], targets[keep], reduction="sum") / number
    parameters = [p for p in model.parameters() if p.requires_grad]
    gradients = autograd.grad(loss, parameters, allow_unused=True)
    norm = math.sqrt(sum(float(g.double().pow(2).sum()) for g in gradients if g is not None))
    scale = min(1.0, max_norm / (norm + 1e-6))
    optimizer.zero_grad(set_to_none=True)
    with no_grad():
        for p, g in zip(parameters, gradients):
            p.grad = None if g is None else g * scale
    optimizer.step()
    return loss.item()
