"""Export a module to ONNX, and leave it as it was."""

import torch
from torch import Tensor, nn


def export_onnx(model: nn.Module, example: tuple[Tensor, ...], path: str) -> None:
    """One call of torch.onnx.export, in eval mode and with a free batch size."""
    torch.onnx.export(model, example, path)
