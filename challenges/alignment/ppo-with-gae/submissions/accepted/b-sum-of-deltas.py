"""Each advantage as the discounted sum of its episode's deltas; the losses case by case with torch.where."""

import torch


def gae(rewards, values, next_values, terminated, truncated, gamma=0.99, lam=0.95):
    rewards, values, next_values = rewards.detach(), values.detach(), next_values.detach()
    steps, envs = rewards.shape
    bootstrap = torch.where(terminated, torch.zeros_like(next_values), next_values)
    delta = rewards + gamma * bootstrap - values
    ends = terminated | truncated
    # the number of episodes that have ended before a row
    episode = torch.cat([torch.zeros(1, envs, dtype=torch.long), ends[:-1].long().cumsum(0)])
    rows = []
    for t in range(steps):
        same = (episode[t:] == episode[t]).to(delta.dtype)
        decay = (gamma * lam) ** torch.arange(steps - t, dtype=delta.dtype)
        rows.append((decay[:, None] * same * delta[t:]).sum(0))
    advantages = torch.stack(rows)
    return advantages, advantages + values


def ppo_losses(log_probs, old_log_probs, advantages, values, old_values, returns, clip=0.2):
    with torch.no_grad():
        centred = advantages - advantages.mean()
        a = centred / (centred.pow(2).mean().sqrt() + 1e-8)
        far = old_values - returns
    ratio = torch.exp(log_probs - old_log_probs.detach())
    limit = 1 + clip * a.sign()
    beyond = torch.where(a > 0, ratio > limit, ratio < limit)
    policy_loss = -(torch.where(beyond, limit, ratio) * a).sum() / len(a)

    move = values - old_values.detach()
    free = (values - returns.detach()).square()
    held = (far + torch.clip(move, -clip, clip)).square()
    value_loss = torch.where(held > free, held, free).mean() / 2
    return policy_loss, value_loss
