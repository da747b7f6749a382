"""Calls both functions with arrays, and brings back what became of arrays and tensors."""

import numpy as np
import torch
from torch import Tensor


def to_array(solution, t: Tensor, history: str = "none") -> dict:
    """What to_numpy makes of t, as plain data. `history`: "none", "leaf" or "result"."""
    t = with_history(t, history)
    before = t.detach().clone(), t.requires_grad, t.grad_fn, t.is_leaf
    array = solution.to_numpy(t)
    after = t.detach().clone(), t.requires_grad, t.grad_fn, t.is_leaf
    is_array = type(array) is np.ndarray
    return {
        "is_array": is_array,
        "dtype": array.dtype.name if is_array else "",
        "values": as_tensor(array) if is_array else None,
        "kept": bool(torch.equal(before[0], after[0])) and before[1:] == after[1:],
    }


def written(solution, t: Tensor, history: str = "none") -> tuple[Tensor, Tensor]:
    """The tensor after a write to the array, and the array after a write to the tensor. t has at least one element."""
    t = with_history(t, history)
    array = solution.to_numpy(t)
    array[...] = 1
    tensor_after = t.detach().clone()
    t.detach().zero_()
    return tensor_after, as_tensor(array)


def from_array(solution, values: Tensor, layout: str) -> dict:
    """The tensor for an array with these values in another layout, and whether the array stayed as it was."""
    array = laid_out(values, layout)
    before, flags = array.copy(), array.flags.writeable
    result = solution.from_numpy_copy(array)
    kept = np.array_equal(before, array) and array.flags.writeable == flags
    return {"tensor": result.detach().clone(), "kept": bool(kept)}


def independent(solution, values: Tensor, layout: str) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The array before and after a write to the tensor; the tensor before and after a write to the array's memory."""
    array = laid_out(values, layout)
    before = as_tensor(array)
    result = solution.from_numpy_copy(array)
    result.zero_()
    after = as_tensor(array)
    result = solution.from_numpy_copy(array)
    first = result.clone()
    base = array if array.base is None else array.base
    base.setflags(write=True)
    base.fill(0)
    return before, after, first, result.clone()


def with_history(t: Tensor, history: str) -> Tensor:
    if history == "leaf":
        return t.detach().requires_grad_()
    return t.detach().requires_grad_().mul(1) if history == "result" else t


def as_tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array.copy()).reshape(array.shape)


def laid_out(values: Tensor, layout: str) -> np.ndarray:
    """An array whose memory belongs to it, or to its base."""
    array = values.numpy().copy()
    match layout:
        case "reversed":
            return array[::-1].copy()[::-1]
        case "both-reversed":
            return array[::-1, ::-1].copy()[::-1, ::-1]
        case "transposed":
            return array.T.copy().T
        case "every-second":
            return np.repeat(array, 2, axis=0)[::2]
        case "repeated":
            return np.broadcast_to(array, (3, *array.shape))
        case "field":
            records = np.zeros(array.shape, dtype=[("tag", "u1"), ("value", array.dtype)])
            records["value"] = array
            return records["value"]
        case "read-only":
            array.setflags(write=False)
    return array
