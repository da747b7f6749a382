"""Gradients are cleared once before the first batch and then after each step; one helper serves all four."""

import torch
from torch import nn


def train(optimizers, losses_to_come):
    """Each item of `losses_to_come` is a fresh loss; the generator computes it when it is asked for."""
    for optimizer in optimizers:
        optimizer.zero_grad(set_to_none=False)
    found = []
    for loss in losses_to_come:
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        for optimizer in optimizers:
            optimizer.zero_grad()
        found.append(float(loss.detach()))
    return found


def fit_line(model, optimizer, batches):
    return train([optimizer], (nn.functional.mse_loss(model(x), y) for x, y in batches))


def fit_classes(model, optimizer, batches):
    criterion = nn.CrossEntropyLoss()
    return train([optimizer], (criterion(model(x), labels) for x, labels in batches))


def refine(model, optimizer, x, y, steps):
    return train([optimizer], (torch.mean((model(x) - y) ** 2) for _ in range(steps)))


def fit_pair(encoder, decoder, encoder_optimizer, decoder_optimizer, batches):
    return train([encoder_optimizer, decoder_optimizer], (nn.MSELoss()(decoder(encoder(x)), x) for x in batches))
