"""A process group whose ranks are threads of one process. It notes what each rank sends, and what it keeps."""

import gc
import threading

import torch
from torch import Tensor


class Hub:
    """Where the ranks meet. A call that not all ranks make, or make differently, raises RuntimeError on all of them."""

    def __init__(self, size: int):
        self.size, self.round, self.broken = size, 0, ""
        self.here: dict[int, tuple[str, Tensor]] = {}
        self.results: dict[int, Tensor] = {}
        self.gone: set[int] = set()
        self.changed = threading.Condition()

    def meet(self, rank: int, kind: str, tensor: Tensor) -> Tensor:
        """Wait until every rank has made its call, and let the last one do the work for all."""
        with self.changed:
            mine = self.round
            self.here[rank] = kind, tensor.detach()
            self._go_on()
            while self.round == mine and not self.broken:
                self.changed.wait(10)
            if self.broken:
                raise RuntimeError(self.broken)
            return self.results.pop(rank)

    def leave(self, rank: int) -> None:
        """This rank makes no more calls."""
        with self.changed:
            self.gone.add(rank)
            self._go_on()

    def _go_on(self) -> None:
        if self.gone and self.here:
            self.broken = self.broken or "some ranks wait in a call that the others never make"
        if len(self.here) < self.size and not self.broken:
            return
        calls = [self.here[rank] for rank in sorted(self.here)]
        if len({(kind, tuple(t.shape), t.dtype) for kind, t in calls}) > 1:
            self.broken = self.broken or "the ranks make different calls, or send tensors of different shape or dtype"
        if not self.broken:
            tensors = [t for _, t in calls]
            for rank in range(self.size):
                if calls[0][0] == "all_gather":
                    self.results[rank] = torch.cat(tensors)
                else:
                    self.results[rank] = torch.stack(tensors).sum(0).chunk(self.size)[rank].clone()
        self.here, self.round = {}, self.round + 1
        self.changed.notify_all()


class Group:
    """One rank's end of a process group."""

    def __init__(self, hub: Hub, rank: int):
        self._hub, self.rank, self.world_size = hub, rank, hub.size
        self.phase = "forward"
        self.calls: list[tuple[str, str, int]] = []
        self.most_alive = 0
        self._gathered: list[int] = []

    def all_gather(self, tensor: Tensor) -> Tensor:
        """The tensors of all ranks, one after the other, as a new tensor. Only values: autograd does not see it."""
        self.look()
        whole = self._call("all_gather", tensor)
        self._gathered.append(whole.untyped_storage()._weak_ref())
        return whole

    def reduce_scatter(self, tensor: Tensor) -> Tensor:
        """This rank's piece of the sum over all ranks, as a new tensor. Only values: autograd does not see it."""
        if isinstance(tensor, Tensor) and tensor.dim() == 1 and tensor.numel() % self.world_size:
            raise ValueError("the length of what is reduced must divide by the number of ranks")
        return self._call("reduce_scatter", tensor)

    def look(self) -> None:
        """Note how many gathered tensors are still in memory."""
        alive = self._alive()
        if alive:
            gc.collect()  # a cycle of references is no leak
            alive = self._alive()
        self.most_alive = max(self.most_alive, alive)

    def _alive(self) -> int:
        storages = [torch.UntypedStorage._new_with_weak_ptr(pointer) for pointer in self._gathered]
        return sum(storage is not None and storage.nbytes() > 0 for storage in storages)

    def _call(self, kind: str, tensor: Tensor) -> Tensor:
        if not isinstance(tensor, Tensor) or tensor.dim() != 1:
            raise TypeError(f"{kind} takes a one-dimensional tensor")
        self.calls.append((self.phase, kind, tensor.numel()))
        with torch.no_grad():
            return self._hub.meet(self.rank, kind, tensor)
