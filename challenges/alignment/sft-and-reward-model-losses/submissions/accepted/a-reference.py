"""The library's cross entropy as a sum, divided by a count that is at least 1; the last real position is the largest one."""

import torch
import torch.nn.functional as F


def sft_loss(logits, labels):
    target = labels[:, 1:]
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten(), reduction="sum")
    return total / (target != -100).sum().clamp(min=1)


def response_rewards(scores, mask):
    positions = torch.arange(mask.shape[1])
    last = torch.where(mask, positions, 0).amax(1)
    return scores.gather(1, last[:, None]).squeeze(1)


def reward_model_loss(chosen, rejected, margin=0.0):
    return -F.logsigmoid(chosen - rejected - margin).mean()
