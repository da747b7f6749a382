"""Calls your function with NumPy arrays, and several times in a row."""

import numpy as np
import torch
from torch import Tensor


def repeated(solution, number: int, score: float, times: int) -> list[tuple[Tensor, Tensor]]:
    """encode(number, score) many times, with used memory in between: whatever it returns without writing is seen."""
    results = []
    for i in range(times):
        litter = [torch.full((n,), 1e6 + i) for n in range(1, 9)]
        del litter
        results.append(solution.encode(number, score))
    return results


def of_arrays(solution, ids: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
    """The results for arrays with these values, dtypes and shapes."""
    return solution.encode(ids.numpy().copy(), scores.numpy().copy())


def source_written(solution, ids: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
    """The results after the caller has overwritten both arrays."""
    arrays = ids.numpy().copy(), scores.numpy().copy()
    labels, values = solution.encode(*arrays)
    for array in arrays:
        array.fill(7)
    return labels, values


def result_written(solution, ids: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
    """The arrays after the caller has overwritten both results."""
    arrays = ids.numpy().copy(), scores.numpy().copy()
    for result in solution.encode(*arrays):
        result.fill_(7)
    return torch.from_numpy(np.array(arrays[0])), torch.from_numpy(np.array(arrays[1]))


def under_default(solution, ids: list, scores: list, dtype: torch.dtype) -> tuple[Tensor, Tensor, torch.dtype]:
    """The results in a program with another default dtype, and the default dtype afterwards."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        labels, values = solution.encode(ids, scores)
        return labels, values, torch.get_default_dtype()
    finally:
        torch.set_default_dtype(before)
