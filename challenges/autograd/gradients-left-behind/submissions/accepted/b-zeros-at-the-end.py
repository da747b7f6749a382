"""Zeros instead of None, after each step, for everything that may have been written."""

import torch


def descend(loss_of, start, lr, steps):
    w = start.clone().requires_grad_()
    for _ in range(steps):
        loss_of(w).backward()
        with torch.no_grad():
            w.sub_(lr * w.grad)
            w.grad.zero_()
    return w.detach()


def alternate(generator, critic, generator_optimizer, critic_optimizer, batches):
    losses = []
    for network in (generator, critic):
        network.zero_grad()
    for real, z in batches:
        fake = generator(z)
        critic_loss = critic(fake.detach()).mean() - critic(real).mean()
        critic_loss.backward()
        critic_optimizer.step()
        critic.zero_grad(set_to_none=False)
        generator_loss = -critic(fake).mean()
        generator_loss.backward()
        generator_optimizer.step()
        for network in (generator, critic):
            network.zero_grad(set_to_none=False)
        losses.append((float(critic_loss), float(generator_loss)))
    return losses
