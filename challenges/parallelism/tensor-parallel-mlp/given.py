"""A process group whose ranks are threads of one process. It notes what each rank sends."""

import threading

import torch
from torch import Tensor


class Hub:
    """Where the ranks meet. A call that not all ranks make, or make differently, raises RuntimeError on all of them."""

    def __init__(self, size: int):
        self.size, self.round, self.broken = size, 0, ""
        self.here: dict[int, Tensor] = {}
        self.gone: set[int] = set()
        self.changed = threading.Condition()

    def meet(self, rank: int, tensor: Tensor) -> None:
        """Wait until every rank has made its call, and let the last one do the work for all."""
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
            self.broken = self.broken or "some ranks wait in an all-reduce that the others never make"
        if len(self.here) < self.size and not self.broken:
            return
        tensors = [self.here[rank] for rank in sorted(self.here)]
        if len({(tuple(t.shape), t.dtype) for t in tensors}) > 1:
            self.broken = self.broken or "the ranks reduced tensors of different shape or dtype"
        if not self.broken:
            total = torch.stack([t.detach() for t in tensors]).sum(0)
            for tensor in tensors:
                tensor.detach().copy_(total)
        self.here, self.round = {}, self.round + 1
        self.changed.notify_all()


class Group:
    """One rank's end of a process group."""

    def __init__(self, hub: Hub, rank: int):
        self._hub, self.rank, self.world_size = hub, rank, hub.size
        self.phase = "forward"
        self.calls: list[tuple[str, int]] = []

    def all_reduce(self, tensor: Tensor) -> None:
        """Write the sum over all ranks into the tensor of every rank. Only values: autograd does not see it."""
        if not isinstance(tensor, Tensor):
            raise TypeError("all_reduce takes a tensor")
        self.calls.append((self.phase, tensor.numel()))
        with torch.no_grad():
            self._hub.meet(self.rank, tensor)
