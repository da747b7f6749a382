"""Cleared right before one's own backward pass, so it does not matter who wrote before."""

import torch


def descend(loss_of, start, lr, steps):
    """Gradient descent on a tensor. Returns the last point."""
    w = start.clone().requires_grad_()
    for _ in range(steps):
        w.grad = None
        loss_of(w).backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.detach()


def alternate(generator, critic, generator_optimizer, critic_optimizer, batches):
    """Trains both networks in turn. Returns the pairs of losses."""
    losses = []
    for real, z in batches:
        critic_loss = critic(generator(z).detach()).mean() - critic(real).mean()
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()

        generator_loss = -critic(generator(z)).mean()
        generator_optimizer.zero_grad()
        generator_loss.backward()
        generator_optimizer.step()

        losses.append((critic_loss.item(), generator_loss.item()))
    return losses
