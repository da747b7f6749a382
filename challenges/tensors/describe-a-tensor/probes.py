"""Builds a tensor next to your function, so that it sees the whole storage."""

import torch
from given import make


def described(solution, kind: str, n: int, dtype: torch.dtype) -> dict:
    """What describe says, and whether the tensor is still what it was."""
    t = make(kind, n, dtype)
    before = t._version, t.requires_grad, t.grad_fn, t.stride(), t.data_ptr()
    facts = solution.describe(t)
    return {"facts": facts, "kept": before == (t._version, t.requires_grad, t.grad_fn, t.stride(), t.data_ptr())}
