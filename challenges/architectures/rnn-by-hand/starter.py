"""A stacked RNN with tanh, written out."""

from torch import Tensor

Layer = tuple[Tensor, Tensor, Tensor, Tensor]  # w_ih (H, D or H), w_hh (H, H), b_ih (H,), b_hh (H,)


def rnn_forward(x: Tensor, h0: Tensor | None, params: list[Layer], batch_first: bool = False) -> tuple[Tensor, Tensor]:
    """Return (output, h_n): all states of the last layer, and the last state of every layer."""
    raise NotImplementedError
