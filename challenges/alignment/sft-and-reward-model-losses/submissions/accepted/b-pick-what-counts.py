"""Boolean indexing keeps what counts; a flipped argmax finds the last real token; the loss is a softplus."""

import torch


def sft_loss(logits, labels):
    counts = labels[:, 1:] != -100
    scores, target = logits[:, :-1][counts], labels[:, 1:][counts]
    if len(target) == 0:
        return scores.sum()
    picked = scores.gather(1, target.unsqueeze(1)).squeeze(1)
    return (scores.logsumexp(1) - picked).mean()


def response_rewards(scores, mask):
    n, length = scores.shape
    from_the_end = mask.flip(1).int().argmax(1)
    return scores[torch.arange(n), length - 1 - from_the_end]


def reward_model_loss(chosen, rejected, margin=0.0):
    return torch.nn.functional.softplus(rejected - chosen + margin).mean()
