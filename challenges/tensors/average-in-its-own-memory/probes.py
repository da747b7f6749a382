"""Calls both functions where the tensors live, so that memory, aliases and version counters can be watched."""

import torch
from torch import Tensor


def updated(solution, avg: Tensor, new: Tensor | None, decay: float, *, leaf=False, grad=False, view="") -> dict:
    """One update. `leaf`: avg requires a gradient; `grad`: new has history; `view`: how avg lies in a larger tensor."""
    avg = avg.clone()
    base = avg
    match view:
        case "rows":
            base = torch.zeros(2 * len(avg), *avg.shape[1:], dtype=avg.dtype)
            base[1::2] = avg
            avg = base[1::2]
        case "transposed":
            base = avg.mT.contiguous()
            avg = base.mT
    if leaf:
        avg.requires_grad_()
    new = avg if new is None else new.clone()
    if grad:
        new = new.requires_grad_().mul(1)
    expected_new, new_version = new.detach().clone(), new._version
    version, address = avg._version, avg.data_ptr()
    returned = solution.ema_update_(avg, new, decay)
    return {
        "avg": avg.detach().clone(),
        "base": base.detach().clone(),
        "same_object": returned is avg,
        "same_memory": avg.data_ptr() == address,
        "leaf": avg.is_leaf and avg.grad_fn is None and avg.requires_grad == leaf,
        "counted": avg._version > version,
        "new_kept": new is avg or (bool(torch.equal(new.detach(), expected_new)) and new._version == new_version),
    }


def stale(solution, avg: Tensor, new: Tensor, decay: float) -> str:
    """A graph that saved avg is used after the update: the name of the exception that its backward raises."""
    avg = avg.clone().requires_grad_()
    factor = torch.ones_like(avg).requires_grad_()
    loss = (avg * factor).sum()
    solution.ema_update_(avg, new, decay)
    try:
        loss.backward()
    except RuntimeError:
        return "RuntimeError"
    return ""


def scaled(solution, x: Tensor, s: float) -> dict:
    """The result, whether x was left alone, and whether a write to the result is seen in x."""
    before, version = x.clone(), x._version
    result = solution.rescaled(x, s)
    values = result.detach().clone()
    untouched = bool(torch.equal(x, before)) and x._version == version
    result.detach().add_(1)
    return {"result": values, "untouched": untouched, "separate": bool(torch.equal(x, before))}
