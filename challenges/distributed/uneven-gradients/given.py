"""A process group whose ranks are threads of one process, and the model that is trained."""

import threading

import torch
from torch import Tensor, nn


class Hub:
    """Where the ranks meet. A call that not all ranks make, or make differently, raises RuntimeError on all of them."""

    def __init__(self, size: int):
        self.size, self.round, self.broken = size, 0, ""
        self.here: dict[int, Tensor] = {}
        self.gone: set[int] = set()
        self.changed = threading.Condition()

    def meet(self, rank: int, tensor: Tensor) -> None:
        """Wait until every rank has called, and let the last one add up for all."""
        with self.changed:
            mine = self.round
            self.here[rank] = tensor
            self._go_on()
            while self.round == mine and not self.broken:
                self.changed.wait(10)
            if self.broken:
                raise RuntimeError(self.broken)

    def leave(self, rank: int) -> None:
        """This rank makes no more calls."""
        with self.changed:
            self.gone.add(rank)
            self._go_on()

    def _go_on(self) -> None:
        if self.gone and self.here:
            self.broken = "some ranks wait in a collective call that the others never make"
        if len(self.here) < self.size and not self.broken:
            return
        tensors = [self.here[rank] for rank in sorted(self.here)]
        if len({(tuple(t.shape), t.dtype) for t in tensors}) > 1:
            self.broken = self.broken or "the ranks sent tensors of different shapes or dtypes at the same time"
        if not self.broken:
            total = torch.stack([t.detach() for t in tensors]).sum(0).to(tensors[0].dtype)
            for tensor in tensors:
                tensor.detach().copy_(total)
        self.here, self.round = {}, self.round + 1
        self.changed.notify_all()


class Group:
    """One rank's end of a process group. `calls` counts what it has sent."""

    def __init__(self, hub: Hub, rank: int):
        self._hub, self.rank, self.world_size, self.calls = hub, rank, hub.size, 0

    def all_reduce(self, tensor: Tensor) -> None:
        """Write the sum over all ranks into the tensor of every rank."""
        if not isinstance(tensor, Tensor):
            raise TypeError("all_reduce takes a tensor")
        self.calls += 1
        self._hub.meet(self.rank, tensor)


class Network(nn.Module):
    """Linear - tanh - Linear; inputs with a positive sum over the micro-batch also go through `extra`."""

    def __init__(self, inputs: int, hidden: int, outputs: int):
        super().__init__()
        self.first, self.last = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
        self.extra = nn.Linear(inputs, outputs)

    def forward(self, x: Tensor) -> Tensor:
        out = self.last(torch.tanh(self.first(x)))
        return out + self.extra(x) if bool(x.sum() > 0) else out
