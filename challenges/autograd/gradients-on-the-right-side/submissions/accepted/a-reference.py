"""Values are cut where nothing has to pass; parameters are frozen where gradients do."""

import torch
import torch.nn.functional as F


def td_loss(online, target, batch, gamma):
    """Mean squared difference of the online network's prediction and the target."""
    states, actions, rewards, next_states, done = batch
    prediction = online(states).gather(1, actions[:, None]).squeeze(1)
    with torch.no_grad():
        wanted = rewards + gamma * target(next_states).amax(1) * ~done
    return F.mse_loss(prediction, wanted)


def critic_loss(generator, critic, real, z):
    """What the critic minimises. The generator must not learn from it."""
    fake = generator(z).detach()
    return critic(fake).mean() - critic(real).mean()


def generator_loss(generator, critic, z):
    """What the generator minimises. The critic must not learn from it."""
    fake = generator(z)
    learning = [p for p in critic.parameters() if p.requires_grad]
    try:
        for p in learning:
            p.requires_grad_(False)
        return -critic(fake).mean()
    finally:
        for p in learning:
            p.requires_grad_(True)
