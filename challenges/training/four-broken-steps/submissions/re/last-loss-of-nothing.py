# caught by: test_no_batches[fit_line]
"""fit_line touches the last loss after the loop, also when there was none."""

import torch.nn.functional as F


def fit_line(model, optimizer, batches):
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    losses[-1] = loss.item()
    return losses


def fit_classes(model, optimizer, batches):
    losses = []
    for x, labels in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def refine(model, optimizer, x, y, steps):
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def fit_pair(encoder, decoder, encoder_optimizer, decoder_optimizer, batches):
    losses = []
    for x in batches:
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        loss = F.mse_loss(decoder(encoder(x)), x)
        loss.backward()
        encoder_optimizer.step()
        decoder_optimizer.step()
        losses.append(loss.item())
    return losses
