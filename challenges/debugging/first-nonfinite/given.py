"""The models that your search is tried on: chains of small steps, some of which misbehave on purpose."""

import torch
from torch import Tensor, nn


class Log(nn.Module):
    """log(x - offset): -inf at x = offset, NaN below."""

    def __init__(self, offset: float = 0.0):
        super().__init__()
        self.offset = offset

    def forward(self, x: Tensor) -> Tensor:
        return torch.log(x - self.offset)


class RootOfZero(nn.Module):
    """sqrt(0 * x) + x: the output is x, the gradient is not finite."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.sqrt(0 * x) + x


class Scale(nn.Module):
    """x * factor."""

    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class Spoil(nn.Module):
    """Writes a value into one element of its own input, in place, and hands the input on."""

    def __init__(self, value: float):
        super().__init__()
        self.value = value

    def forward(self, x: Tensor) -> Tensor:
        x[0, 0] = self.value
        return x


class Repair(nn.Module):
    """Replaces what is not finite in its own input, in place."""

    def forward(self, x: Tensor) -> Tensor:
        return x.nan_to_num_(0.0, 1.0, -1.0)


class Several(nn.Module):
    """Gives (x, {"extra": [x * factor]}): the second part is used by nobody."""

    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor):
        return x, {"extra": [x * self.factor], "note": None}


class Masked(nn.Module):
    """Softmax with a buffer that holds -inf for the first column, as attention masks do."""

    def __init__(self, width: int):
        super().__init__()
        mask = torch.zeros(width)
        mask[0] = float("-inf")
        self.register_buffer("mask", mask)

    def forward(self, x: Tensor) -> Tensor:
        return torch.softmax(x + self.mask, -1)


class FirstTokens(nn.Module):
    """Token ids (B, T) -> (B, width): the mean of the embeddings."""

    def __init__(self, tokens: int, width: int):
        super().__init__()
        self.table = nn.Embedding(tokens, width)

    def forward(self, ids: Tensor) -> Tensor:
        return self.table(ids).mean(1)


class Refuse(nn.Module):
    """Raises ValueError."""

    def forward(self, x: Tensor) -> Tensor:
        raise ValueError("this step refuses to work")


STEPS = {
    "linear": nn.Linear,
    "norm": nn.BatchNorm1d,
    "tanh": nn.Tanh,
    "relu-in-place": lambda: nn.ReLU(inplace=True),
    "dropout": nn.Dropout,
    "log": Log,
    "root-of-zero": RootOfZero,
    "scale": Scale,
    "spoil": Spoil,
    "repair": Repair,
    "several": Several,
    "masked": Masked,
    "tokens": FirstTokens,
    "refuse": Refuse,
}


class Chain(nn.Module):
    """Steps one after another: `[["linear", 4, 4], ["tanh"]]`. `order` may use a step again, or not at all.

    `factor` multiplies the result in the model's own forward. Of a step's tuple the first part is handed on.
    """

    def __init__(self, steps: list, *, order: list | None = None, factor: float = 1.0):
        super().__init__()
        self.steps = nn.ModuleList(STEPS[name](*arguments) for name, *arguments in steps)
        self.order = list(range(len(steps))) if order is None else order
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        for i in self.order:
            x = self.steps[i](x)
            x = x[0] if isinstance(x, tuple) else x
        return x * self.factor
