"""Calls torch's own."""

import torch


def clip_global_norm_(params, max_norm, error_if_nonfinite=False):
    return torch.nn.utils.clip_grad_norm_(params, max_norm, error_if_nonfinite=error_if_nonfinite)
