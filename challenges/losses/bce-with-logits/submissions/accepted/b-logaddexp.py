"""logaddexp(0, z) is log(1 + e^z), stable and with a gradient that is right at zero."""

import torch

REDUCTIONS = {"none": lambda t: t, "sum": torch.sum, "mean": torch.mean}


def bce_with_logits(x, y, pos_weight=None, reduction="mean"):
    if x.shape != y.shape or reduction not in REDUCTIONS:
        raise ValueError("shapes must agree, and reduction must be none, sum or mean")
    nothing = x.new_zeros(())
    yes, no = torch.logaddexp(nothing, -x), torch.logaddexp(nothing, x)
    weight = 1.0 if pos_weight is None else pos_weight
    return REDUCTIONS[reduction](weight * y * yes + (1 - y) * no)
