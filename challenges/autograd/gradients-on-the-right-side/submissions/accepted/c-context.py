"""A context manager that freezes a module and puts each flag back."""

from contextlib import contextmanager

import torch


@contextmanager
def frozen(module):
    flags = [(p, p.requires_grad) for p in module.parameters()]
    try:
        module.requires_grad_(False)
        yield module
    finally:
        for p, flag in flags:
            p.requires_grad = flag


def td_loss(online, target, batch, gamma):
    states, actions, rewards, next_states, done = batch
    following = target(next_states).detach().amax(-1).masked_fill(done, 0.0)
    prediction = torch.take_along_dim(online(states), actions.unsqueeze(-1), dim=-1).squeeze(-1)
    return torch.mean((rewards + gamma * following - prediction) ** 2)


def critic_loss(generator, critic, real, z):
    fake = generator(z)
    return critic(fake.detach()).mean() - critic(real).mean()


def generator_loss(generator, critic, z):
    fake = generator(z)
    with frozen(critic):
        score = critic(fake)
    return -score.mean()
