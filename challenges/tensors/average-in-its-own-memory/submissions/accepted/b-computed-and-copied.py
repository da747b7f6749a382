"""The new value is computed aside and copied in."""

import torch


def ema_update_(avg, new, decay):
    with torch.no_grad():
        avg.copy_(decay * avg + (1 - decay) * new)
    return avg


def rescaled(x, s):
    return torch.mul(x.clone(), s)
