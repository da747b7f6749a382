"""torch.autograd.grad returns gradients and stores none, so nothing can be left behind."""

import torch


def descend(loss_of, start, lr, steps):
    w = start.detach().clone()
    for _ in range(steps):
        leaf = w.requires_grad_()
        (grad,) = torch.autograd.grad(loss_of(leaf), leaf)
        w = leaf.detach() - lr * grad
    return w.detach()


def move(loss, network, optimizer):
    parameters = list(network.parameters())
    for p, grad in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
        p.grad = grad
    optimizer.step()
    return loss.item()


def alternate(generator, critic, generator_optimizer, critic_optimizer, batches):
    losses = []
    for real, z in batches:
        with torch.no_grad():
            fake = generator(z)
        one = move(critic(fake).mean() - critic(real).mean(), critic, critic_optimizer)
        other = move(-critic(generator(z)).mean(), generator, generator_optimizer)
        losses.append((one, other))
    return losses
