"""Plain loops over environments and steps; the losses as costs, with the statistics from torch.std_mean."""

import torch


def gae(rewards, values, next_values, terminated, truncated, gamma=0.99, lam=0.95):
    columns = []
    for n in range(rewards.size(1)):
        advantage, column = 0.0, []
        for t in range(rewards.size(0) - 1, -1, -1):
            target = rewards[t, n].item()
            if not terminated[t, n]:
                target += gamma * next_values[t, n].item()
            if terminated[t, n] or truncated[t, n]:
                advantage = 0.0
            advantage = target - values[t, n].item() + gamma * lam * advantage
            column.insert(0, advantage)
        columns.append(torch.tensor(column, dtype=rewards.dtype))
    advantages = torch.stack(columns, dim=1)
    return advantages, advantages + values.detach()


def ppo_losses(log_probs, old_log_probs, advantages, values, old_values, returns, clip=0.2):
    old_log_probs, advantages, old_values, returns = (
        x.detach() for x in (old_log_probs, advantages, old_values, returns)
    )
    std, mean = torch.std_mean(advantages, unbiased=False)
    cost = (mean - advantages) / (std + 1e-8)
    ratio = torch.exp(log_probs - old_log_probs)
    policy = torch.stack([cost * ratio, cost * ratio.clip(1 - clip, 1 + clip)]).amax(0)
    near = torch.maximum(torch.minimum(values, old_values + clip), old_values - clip)
    value = torch.max((returns - values).abs(), (returns - near).abs())
    return policy.mean(), value.square().mean() * 0.5
