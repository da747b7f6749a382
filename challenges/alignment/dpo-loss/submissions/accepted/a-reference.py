"""Gather from the shifted log-softmax, replace what does not count, and take the logarithm of the sigmoid in one step."""

import torch
import torch.nn.functional as F


def response_log_prob(logits, tokens, mask):
    if logits.dtype == torch.bfloat16:
        logits = logits.float()
    log_p = logits[:, :-1].log_softmax(-1)
    each = log_p.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return each.masked_fill(~mask[:, 1:], 0.0).sum(-1)


def dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    chosen = beta * (policy_chosen - ref_chosen.detach())
    rejected = beta * (policy_rejected - ref_rejected.detach())
    loss = -F.logsigmoid(chosen - rejected).mean()
    return loss, chosen.detach(), rejected.detach()
