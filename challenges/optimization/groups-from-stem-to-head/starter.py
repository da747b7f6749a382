"""Parameter groups with rates by depth, and a check for forgotten parameters."""

from torch import nn
from torch.optim import Optimizer


def build_groups(model: nn.Module, base_lr: float, layer_decay: float, weight_decay: float) -> list[dict]:
    """Groups from the stem to the head, with and without decay."""
    raise NotImplementedError


def left_out(model: nn.Module, optimizer: Optimizer) -> list[str]:
    """Names of the trainable parameters that the optimizer does not hold."""
    raise NotImplementedError
