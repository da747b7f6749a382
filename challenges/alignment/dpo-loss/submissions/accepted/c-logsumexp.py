"""Score minus logsumexp, only at the positions that count; the loss as a two-class logsumexp."""

import torch


def response_log_prob(logits, tokens, mask):
    out_dtype = torch.float32 if logits.dtype == torch.bfloat16 else logits.dtype
    n, length, _ = logits.shape
    result = torch.zeros(n, dtype=out_dtype)
    row, column = mask[:, 1:].nonzero(as_tuple=True)
    scores = logits[row, column].to(out_dtype)
    label = tokens[row, column + 1]
    each = scores[torch.arange(len(row)), label] - torch.logsumexp(scores, dim=1)
    return result.index_add(0, row, each)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    rewards = beta * torch.stack([policy_chosen - ref_chosen.detach(), policy_rejected - ref_rejected.detach()])
    losses = rewards.logsumexp(0) - rewards[0]
    return losses.mean(), rewards[0].detach(), rewards[1].detach()
