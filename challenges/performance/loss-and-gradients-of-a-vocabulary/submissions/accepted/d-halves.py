"""Splits the rows in two until a part is small, and adds the parts up by their sizes."""

import torch
import torch.nn.functional as F


def loss_and_gradients(hidden, weight, target):
    hidden, weight, n = hidden.detach(), weight.detach(), len(target)
    if n > 16:
        half = n // 2
        one = loss_and_gradients(hidden[:half], weight, target[:half])
        other = loss_and_gradients(hidden[half:], weight, target[half:])
        a, b = half / n, (n - half) / n
        d_weight = one[2].mul_(a).add_(other[2], alpha=b)
        return one[0] * a + other[0] * b, torch.cat([one[1] * a, other[1] * b]), d_weight
    logits = F.linear(hidden, weight)
    loss = F.cross_entropy(logits, target)
    slope = (logits.softmax(1) - F.one_hot(target, len(weight))) / n
    return loss, slope.mm(weight), slope.t().mm(hidden)
