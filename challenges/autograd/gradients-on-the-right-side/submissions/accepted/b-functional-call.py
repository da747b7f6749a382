"""The critic is called with detached views of its parameters: no flag is touched."""

import torch
from torch.func import functional_call


def td_loss(online, target, batch, gamma):
    states, actions, rewards, next_states, done = batch
    q = online(states)
    prediction = q[torch.arange(len(q)), actions]
    best = target(next_states).detach().max(dim=1).values
    wanted = torch.where(done, rewards, rewards + gamma * best)
    return (prediction - wanted).square().mean()


def critic_loss(generator, critic, real, z):
    with torch.no_grad():
        fake = generator(z)
    return critic(fake).mean() - critic(real).mean()


def generator_loss(generator, critic, z):
    constants = {name: p.detach() for name, p in critic.named_parameters()}
    return functional_call(critic, constants, (generator(z),)).mean().neg()
