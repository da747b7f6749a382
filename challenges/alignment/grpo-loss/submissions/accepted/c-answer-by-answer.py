"""One answer after the other; the loss as a maximum of two costs."""

import torch


def group_advantages(rewards, eps=1e-4):
    rows = []
    for group in rewards:
        spread, mean = torch.std_mean(group, correction=0)
        rows.append((group - mean) / (spread + eps))
    return torch.stack(rows)


def grpo_loss(log_probs, old_log_probs, ref_log_probs, advantages, mask, clip=0.2, beta=0.04):
    if old_log_probs is None:
        old_log_probs = log_probs
    answers = []
    for i, counted in enumerate(mask):
        if not counted.any():
            answers.append(log_probs[i, :0].sum())
            continue
        lp = log_probs[i][counted]
        frozen = old_log_probs[i].detach()[counted]
        log_ratio = lp - frozen
        cost = -advantages[i].item()
        ppo = torch.maximum(cost * log_ratio.exp(), cost * log_ratio.exp().clip(1.0 - clip, 1.0 + clip))
        gap = lp - ref_log_probs[i].detach()[counted]
        answers.append((ppo + beta * ((-gap).exp() + gap - 1)).mean())
    return torch.stack(answers).mean()
