"""The difference is added through a detached alias, which shares the version counter."""

from torch import Tensor


def ema_update_(avg: Tensor, new: Tensor, decay: float) -> Tensor:
    plain = avg.detach()
    plain += (new.detach() - plain) * (1 - decay)
    return avg


def rescaled(x: Tensor, s: float) -> Tensor:
    copy = x.clone()
    copy *= s
    return copy
