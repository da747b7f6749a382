"""A process group whose ranks are threads of one process, and the model that is trained."""

import threading

import torch
from torch import Tensor, nn


class Hub:
    """Where the ranks meet. A call that not all ranks make, or make differently, raises RuntimeError on all of them."""

    def __init__(self, size: int):
        self.size, self.round, self.broken = size, 0, ""
        self.here: dict[int, tuple] = {}
        self.gone: set[int] = set()
        self.changed = threading.Condition()

    def meet(self, rank: int, call: tuple, tensor: Tensor) -> None:
        """Wait until every rank has made its call, and let the last one do the work for all."""
        with self.changed:
            mine = self.round
            self.here[rank] = (call, tensor)
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
        calls = {(*call, tuple(t.shape), t.dtype) for call, t in self.here.values()}
        if len(calls) > 1:
            self.broken = self.broken or "the ranks made different collective calls at the same time"
        if not self.broken:
            self._work(next(iter(calls)), [self.here[rank][1] for rank in sorted(self.here)])
        self.here, self.round = {}, self.round + 1
        self.changed.notify_all()

    def _work(self, call: tuple, tensors: list[Tensor]) -> None:
        with torch.no_grad():
            if call[0] == "broadcast":
                result = tensors[call[1]].clone()
            else:
                result = torch.stack([t.detach() for t in tensors]).sum(0).to(tensors[0].dtype)
            for tensor in tensors:
                tensor.detach().copy_(result)


class Group:
    """One rank's end of a process group."""

    def __init__(self, hub: Hub, rank: int):
        self._hub, self.rank, self.world_size = hub, rank, hub.size
        self.closed = 0

    def broadcast(self, tensor: Tensor, src: int) -> None:
        """Write rank `src`'s values into the tensor of every rank."""
        self._call(("broadcast", src), tensor)

    def all_reduce(self, tensor: Tensor) -> None:
        """Write the sum over all ranks into the tensor of every rank."""
        self._call(("all_reduce",), tensor)

    def close(self) -> None:
        """Leave the group."""
        self.closed += 1
        self._hub.leave(self.rank)

    def _call(self, call: tuple, tensor: Tensor) -> None:
        if self.closed:
            raise RuntimeError("the group has been closed")
        if not isinstance(tensor, Tensor):
            raise TypeError("collective calls take a tensor")
        self._hub.meet(self.rank, call, tensor)


class Network(nn.Module):
    """(x - shift) -> Linear - tanh - Linear; examples with a positive sum over the batch also go through `extra`.

    `shift` and `version` are buffers, and so is `tilt`, which is added to the output but not in the state dict. Inputs that hold
    NaN are refused with a ValueError.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int):
        super().__init__()
        self.first, self.last = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
        self.extra = nn.Linear(inputs, outputs)
        self.register_buffer("shift", torch.zeros(inputs))
        self.register_buffer("version", torch.zeros((), dtype=torch.int64))
        self.register_buffer("tilt", torch.zeros(outputs), persistent=False)

    def fill(self, state: dict) -> None:
        """Take over parameters and buffers by name, `tilt` too."""
        self.load_state_dict({name: value for name, value in state.items() if name != "tilt"})
        self.tilt.copy_(state["tilt"])

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.isnan().any()):
            raise ValueError("the data hold NaN")
        z = x - self.shift
        out = self.last(torch.tanh(self.first(z))) + self.tilt
        return out + self.extra(z) if bool(x.sum() > 0) else out


class Loss(nn.Module):
    """The mean squared error, weighted by the labels: prediction and label cannot change places."""

    def forward(self, prediction: Tensor, y: Tensor) -> Tensor:
        return ((prediction - y).square() * (1 + y.sigmoid())).mean()
