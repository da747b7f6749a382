"""One walk from the last row to the first; each loss compares a clipped candidate with an unclipped one."""

import torch


@torch.no_grad()
def gae(rewards, values, next_values, terminated, truncated, gamma=0.99, lam=0.95):
    delta = rewards + gamma * next_values.masked_fill(terminated, 0.0) - values
    passed = gamma * lam * (~(terminated | truncated)).to(delta.dtype)
    advantages = torch.empty_like(delta)
    behind = torch.zeros_like(delta[0])
    for t in reversed(range(len(delta))):
        behind = delta[t] + passed[t] * behind
        advantages[t] = behind
    return advantages, advantages + values


def ppo_losses(log_probs, old_log_probs, advantages, values, old_values, returns, clip=0.2):
    a = advantages.detach()
    a = (a - a.mean()) / (a.std(correction=0) + 1e-8)
    ratio = (log_probs - old_log_probs.detach()).exp()
    gain = torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
    old, target = old_values.detach(), returns.detach()
    bounded = old + (values - old).clamp(-clip, clip)
    error = torch.maximum((values - target) ** 2, (bounded - target) ** 2)
    return -gain.mean(), 0.5 * error.mean()
