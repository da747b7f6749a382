"""Loops over sequences; the reward loss as a cross entropy between two classes."""

import torch
from torch import nn


def sft_loss(logits, labels):
    loss, count = logits[:, :0].sum(), 0
    for scores, row in zip(logits, labels, strict=True):
        log_p = torch.log_softmax(scores, dim=-1)
        for t in range(1, len(row)):
            if row[t] != -100:
                loss = loss - log_p[t - 1, row[t]]
                count += 1
    return loss / max(count, 1)


def response_rewards(scores, mask):
    return torch.stack([row[real.nonzero()[-1, 0]] for row, real in zip(scores, mask, strict=True)])


def reward_model_loss(chosen, rejected, margin=0.0):
    both = torch.stack([chosen - margin, rejected], dim=1)
    return nn.CrossEntropyLoss()(both, torch.zeros(len(both), dtype=torch.long))
