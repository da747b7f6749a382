"""A block that notes when it is entered and which of its tensors are still alive."""

import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef


class Block(nn.Module):
    """x + Linear(dropout(tanh(Linear(x)))), four times as wide inside. `log` collects [number, place, memory].

    The place is "entered" or, under autocast, "autocast"; then "inside" and "result".
    """

    def __init__(self, number: int, width: int, dropout: float, log: list):
        super().__init__()
        self.number, self.log = number, log
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def noted(self, place: str, tensor: Tensor) -> Tensor:
        """Remember a tensor's memory without keeping it alive."""
        self.log.append([self.number, place, StorageWeakRef(tensor.untyped_storage())])
        return tensor

    def forward(self, x: Tensor) -> Tensor:
        self.log.append([self.number, "autocast" if torch.is_autocast_enabled("cpu") else "entered", None])
        wide = self.noted("inside", torch.tanh(self.noted("inside", self.widen(x))))
        return self.noted("result", x + self.narrow(self.noted("inside", self.dropout(wide))))


def entries(log: list, count: int) -> list[int]:
    """How often each of `count` blocks was entered."""
    entered = [number for number, place, _ in log if place in ("entered", "autocast")]
    return [entered.count(number) for number in range(count)]


def alive(log: list) -> list:
    """[number, place] of every noted tensor whose memory is still held by anybody."""
    return [[number, place] for number, place, memory in log if memory is not None and not memory.expired()]


def casts(log: list) -> list[bool]:
    """Whether autocast was on, for each time that a block was entered."""
    return [place == "autocast" for _, place, _ in log if place in ("entered", "autocast")]
