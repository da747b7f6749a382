"""Moves a nested batch to a device."""

from typing import Any

import torch


def to_device(obj: Any, device: str | torch.device, non_blocking: bool = False) -> Any:
    """The same structure with every tensor and module on `device`."""
    raise NotImplementedError
