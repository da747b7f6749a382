"""Replaces what does not count in the policy first and in the result last, and follows the formula in between."""

import torch


def group_advantages(rewards, eps=1e-4):
    centred = rewards - rewards.mean(1, keepdim=True)
    return centred / (rewards.std(1, correction=0, keepdim=True) + eps)


def grpo_loss(log_probs, old_log_probs, ref_log_probs, advantages, mask, clip=0.2, beta=0.04):
    new = log_probs.masked_fill(~mask, 0.0)
    old = (new if old_log_probs is None else old_log_probs).detach()
    a = advantages.detach()[:, None]
    ratio = (new - old).exp()
    gain = torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
    d = ref_log_probs.detach() - new
    each = (gain - beta * (d.exp() - d - 1)).masked_fill(~mask, 0.0)
    return -(each.sum(1) / mask.sum(1).clamp(min=1)).mean()
