"""Works on a flat list of the tokens that count; the clipped side is chosen by the sign of the advantage."""

import torch


def group_advantages(rewards, eps=1e-4):
    mean = rewards.sum(-1) / rewards.shape[-1]
    deviation = rewards - mean.unsqueeze(-1)
    std = deviation.square().mean(-1).sqrt()
    return deviation / (std.unsqueeze(-1) + eps)


def grpo_loss(log_probs, old_log_probs, ref_log_probs, advantages, mask, clip=0.2, beta=0.04):
    rows, _ = mask.nonzero(as_tuple=True)
    new = log_probs[mask]
    with torch.no_grad():
        old = new.clone() if old_log_probs is None else old_log_probs[mask]
        ref = ref_log_probs[mask]
        advantage = advantages[rows]
        weight = 1.0 / (mask.sum(dim=1)[rows] * len(mask)).to(new.dtype)
    ratio = torch.exp(new - old)
    bounded = torch.where(advantage >= 0, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    kl = torch.expm1(ref - new) - (ref - new)
    return (weight * (beta * kl - bounded * advantage)).sum()
