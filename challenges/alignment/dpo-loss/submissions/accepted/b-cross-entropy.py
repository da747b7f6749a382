"""The library's cross entropy with ignored labels; the loss is a softplus, and the reference lives under no_grad."""

import torch
from torch.nn.functional import cross_entropy, softplus


def response_log_prob(logits, tokens, mask):
    scores = logits.float() if logits.dtype is torch.bfloat16 else logits
    labels = torch.where(mask, tokens, -100)[:, 1:]
    nll = cross_entropy(scores[:, :-1].transpose(1, 2), labels, reduction="none", ignore_index=-100)
    return -nll.sum(dim=1)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    with torch.no_grad():
        start = ref_chosen - ref_rejected
        rewards = [beta * (policy_chosen - ref_chosen), beta * (policy_rejected - ref_rejected)]
    margin = policy_chosen - policy_rejected - start
    return softplus(-beta * margin).mean(), *rewards
