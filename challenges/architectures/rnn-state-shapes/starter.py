"""One vector for a whole sequence: the final state of the last layer of an RNN."""

import torch
from torch import Tensor, nn


class Summary(nn.Module):
    """(B, T, features) to (B, hidden), or to (B, 2 * hidden) if bidirectional."""

    def __init__(self, features: int, hidden: int, layers: int = 1, bidirectional: bool = False) -> None:
        super().__init__()
        self.layers, self.hidden = layers, hidden
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x: Tensor, h0: Tensor | None = None) -> Tensor:
        if h0 is None:
            h0 = torch.zeros(self.layers, x.shape[1], self.hidden)
        output, _ = self.rnn(x, h0)
        return output[:, -1]
