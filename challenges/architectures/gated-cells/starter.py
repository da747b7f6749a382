"""One step of an LSTM and of a GRU."""

from torch import Tensor


def lstm_step(
    x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor
) -> tuple[Tensor, Tensor]:
    """Return (h_new, c_new). The blocks are i, f, g, o."""
    raise NotImplementedError


def gru_step(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    """Return h_new. The blocks are r, z, n."""
    raise NotImplementedError
