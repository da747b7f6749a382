"""Asks your conv_output_hw many questions in one go, and calls your conv2d with arguments that stay at one address."""

import torch
from torch import Tensor


def sizes(solution, questions: list[dict]) -> list[object]:
    """The answer to each question, or the name of what was raised."""
    answers: list[object] = []
    for question in questions:
        try:
            answers.append(solution.conv_output_hw(**question))
        except ValueError:
            answers.append("ValueError")
    return answers


def at_one_address(solution, calls: list[tuple[Tensor, Tensor, Tensor]], new_tensors: bool) -> list[Tensor]:
    """The result for each x, w and b. Each call's values are written over those before them; with `new_tensors`, every call
    gets new tensors in the same memory, as can happen after a tensor is freed.
    """
    buffers = [torch.empty_like(t) for t in calls[0]]
    results = []
    for values in calls:
        for buffer, value in zip(buffers, values, strict=True):
            buffer.copy_(value)
        x, w, b = (buffer.data for buffer in buffers) if new_tensors else buffers
        results.append(solution.conv2d(x, w, b, padding=1).clone())
    return results
