"""Shapes are brought together by name and compared before anything is computed."""

import torch
from torch import Tensor


def _same(prediction: Tensor, target: Tensor) -> Tensor:
    """The prediction in the shape (N,) of the target."""
    if prediction.ndim == 2 and prediction.shape[1] == 1:
        prediction = prediction.squeeze(1)
    if target.ndim != 1 or prediction.shape != target.shape:
        raise ValueError(f"predictions {tuple(prediction.shape)} for targets {tuple(target.shape)}")
    return prediction


def regression_loss(prediction: Tensor, target: Tensor) -> Tensor:
    return ((_same(prediction, target) - target) ** 2).mean()


def weighted_loss(prediction: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    if prediction.ndim != 2 or prediction.shape != target.shape:
        raise ValueError(f"predictions {tuple(prediction.shape)} for targets {tuple(target.shape)}")
    if weight.shape != prediction.shape[:1]:
        raise ValueError(f"weights {tuple(weight.shape)} for {len(prediction)} samples")
    error = (prediction - target) ** 2
    return (weight[:, None] * error).sum() / (weight.sum() * error.shape[1])


def within(prediction: Tensor, target: Tensor, distance: float) -> float:
    return ((_same(prediction, target) - target).abs() <= distance).float().mean().item()


def centred_rows(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)
