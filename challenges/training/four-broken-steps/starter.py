"""Four training functions. Each has the right calls, or nearly, in an order that does not work."""

import torch.nn.functional as F


def fit_line(model, optimizer, batches):
    """Regression: one step for each batch (x, y). Returns the losses."""
    losses = []
    for x, y in batches:
        optimizer.step()
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        losses.append(loss.item())
    return losses


def fit_classes(model, optimizer, batches):
    """Classification: one step for each batch (x, labels). Returns the losses."""
    losses = []
    for x, labels in batches:
        loss = F.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


def refine(model, optimizer, x, y, steps):
    """Regression on one batch, `steps` steps on it. Returns the losses."""
    losses = []
    prediction = model(x)
    for _ in range(steps):
        loss = F.mse_loss(prediction, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        losses.append(loss.item())
    return losses


def fit_pair(encoder, decoder, encoder_optimizer, decoder_optimizer, batches):
    """An autoencoder whose halves have their own optimizers: one step of both for each batch x. Returns the losses."""
    losses = []
    for x in batches:
        loss = F.mse_loss(decoder(encoder(x)), x)
        encoder_optimizer.zero_grad()
        loss.backward()
        encoder_optimizer.step()
        losses.append(loss.item())
    return losses
