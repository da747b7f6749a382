"""A network, a loss and an optimizer that note in which dtype and under which autocast they were used."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Network(nn.Module):
    """Linear - LayerNorm - tanh - (Dropout) - Linear; `tokens` puts an embedding of token ids in front."""

    def __init__(self, inputs: int, hidden: int, outputs: int, *, tokens: int = 0, dropout: float = 0.0, idle=False):
        super().__init__()
        self.table = nn.Embedding(tokens, inputs) if tokens else nn.Identity()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(hidden, outputs)
        self.idle = nn.Linear(inputs, outputs) if idle else None

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs), or (B,) token ids -> (B, outputs)
        hidden = self.first(self.table(x))
        return self.last(self.dropout(torch.tanh(self.norm(hidden))))


def state() -> list:
    """Whether CPU autocast is on, and to which dtype."""
    on = torch.is_autocast_enabled("cpu")
    return [on, str(torch.get_autocast_dtype("cpu")) if on else ""]


class _Note(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss: Tensor, log: dict) -> Tensor:
        ctx.log = log
        return loss.clone()

    @staticmethod
    def backward(ctx, gradient: Tensor):
        ctx.log.setdefault("backward", []).append(state())
        return gradient, None


class NotedLoss:
    """A loss function that notes the state of autocast when it is called and when it is differentiated."""

    def __init__(self, name: str, log: dict):
        self.function, self.log, self.refuses = getattr(F, name), log, False

    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor:
        self.log.setdefault("loss", []).append(state())
        self.log["prediction"], self.log["target"] = str(prediction.dtype), str(target.dtype)
        if self.refuses:
            raise LookupError
        return _Note.apply(self.function(prediction, target), self.log)
