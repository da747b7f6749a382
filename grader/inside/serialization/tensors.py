"""Sends tensors to the cell: the parts of their storages that the tensors cover, and each tensor as (storage, dtype, offset,
size, stride).

Aliasing, strides, requires_grad, gradients, and whether a tensor is a leaf arrive unchanged, and the answer's changes to them
can be reported. `results.py` handles the other direction.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd import forward_ad

from grader.contract.wire import Buffer
from grader.inside.serialization.spans import Placement, StorageSpan
from grader.inside.serialization.values import DTYPE_NAMES, DTYPES, Blobs, Tree, Unsupported


@dataclass
class SentTensors:
    """The tensors of one request in the order in which they were encoded, and their storages."""

    blobs: Blobs
    tensors: list[torch.Tensor] = field(default_factory=list)
    storages: list[StorageSpan] = field(default_factory=list)
    _ids: dict[int, int] = field(default_factory=dict)
    _places: dict[int, int] = field(default_factory=dict)

    def add(self, tensor: torch.Tensor) -> Tree:
        """Encode a tensor. If the same object is added again, the cell gets a reference to the first one."""
        if id(tensor) in self._ids:
            return ["A", self._ids[id(tensor)]]
        tree = self._describe(tensor)
        self._ids[id(tensor)] = len(self.tensors)
        self.tensors.append(tensor)
        return tree

    def _describe(self, tensor: torch.Tensor) -> Tree:
        _refuse(tensor)
        # Both sides process a tensor's gradient before the tensor itself, so that their indices agree. The gradient of a
        # non-leaf is not sent.
        gradient = self.add(tensor.grad) if tensor.is_leaf and tensor.grad is not None else None
        grad = 0 if not tensor.requires_grad else 1 if tensor.is_leaf else 2
        flags = [grad, int(isinstance(tensor, torch.nn.Parameter)), int(tensor.is_conj()), int(tensor.is_neg())]
        place = -1 if tensor.device.type == "meta" else self._place(tensor)
        shape = [list(tensor.shape), list(tensor.stride()), tensor.storage_offset()]
        return ["T", place, DTYPE_NAMES[tensor.dtype], *shape, flags, tensor.device.type, gradient]

    def _place(self, tensor: torch.Tensor) -> int:
        key = tensor.untyped_storage()._cdata
        if key not in self._places:
            self._places[key] = len(self.storages)
            self.storages.append(StorageSpan(tensor.untyped_storage()))
        place = self._places[key]
        self.storages[place].add(tensor)
        return place

    def pack(self) -> list[Placement]:
        """Add the covered bytes of all storages to the blobs of the frame, once all tensors are known. Returns the table of
        storages.
        """
        return [memory.placement(*self.blobs.add(memory.bytes())) for memory in self.storages]


def _refuse(tensor: torch.Tensor) -> None:
    """Raise Unsupported for a tensor that cannot be sent, such as a subclass, a sparse tensor, or a dual tensor of forward-mode
    differentiation.
    """
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        raise Unsupported("a subclass of torch.Tensor", f"a subclass of torch.Tensor ({type(tensor).__name__})")
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        raise Unsupported("a tensor inside a transform of torch.func (grad, vmap, jvp, …)")
    if forward_ad._current_level >= 0 and forward_ad.unpack_dual(tensor).tangent is not None:  # type: ignore[no-untyped-call]
        raise Unsupported("a dual tensor of forward-mode differentiation")
    if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_nested:
        raise Unsupported("a tensor that is not dense", f"a {tensor.layout} tensor")
    if tensor.dtype not in DTYPE_NAMES:
        raise Unsupported("a tensor of an unusual dtype", f"a tensor of dtype {tensor.dtype}")


@dataclass
class State:
    """What the judge knows of an argument in the cell. If the argument differs from this state, the next reply reports the
    difference.
    """

    version: int
    graph: Any
    requires_grad: bool
    grad: torch.Tensor | None
    place: tuple[Any, ...]


def state_of(tensor: torch.Tensor) -> State:
    """Return the current state of an argument."""
    # .grad is read for leaves only, because reading it for a non-leaf would issue a warning.
    version = 0 if tensor.is_inference() else tensor._version
    return State(
        version, tensor.grad_fn, tensor.requires_grad, tensor.grad if tensor.is_leaf else None, _place_of(tensor)
    )


def _place_of(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Return a tensor's storage, and its dtype, shape, strides and offset there. `x.data = y`, `x.set_(y)`, `x.t_()` and
    `x.resize_(n)` change some of these.
    """
    storage = None if tensor.device.type == "meta" else tensor.untyped_storage()._cdata
    return storage, tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.storage_offset()


@dataclass
class ReceivedTensors:
    """The tensors of one request, as they arrived in the cell.

    `storages` lie in the memory of the cell. `originals` holds the bytes that were sent of each storage, and `starts` their
    position in the storage. `leaves` holds, for each tensor, the leaf whose gradient can be requested, or None.
    """

    storages: list[torch.Tensor]
    originals: list[Buffer]
    starts: list[int]
    device: torch.device
    tensors: list[torch.Tensor] = field(default_factory=list)
    leaves: list[torch.Tensor | None] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def add(self, rest: list[Any]) -> torch.Tensor:
        """Build the next tensor of the request. `rest` is the tensor's row in the request's tree, without the tag."""
        place, dtype, size, stride, offset, flags, device, gradient = rest
        grad = self._earlier(gradient)
        if device == "meta":
            tensor = torch.empty_strided(size, stride, dtype=DTYPES[dtype], device="meta")
        else:
            tensor = torch.empty(0, dtype=DTYPES[dtype], device=self.device)
            tensor.set_(self.storages[place].untyped_storage(), offset, size, stride)
        tensor = self._graded(_flagged(tensor, flags), flags)
        if grad is not None:
            tensor.grad = grad
        self.states.append(state_of(tensor))
        return tensor

    def _earlier(self, tree: Tree) -> torch.Tensor | None:
        """Decode the gradient of a tensor. The gradient is either a new tensor, or a reference to a tensor that was decoded
        before.
        """
        if tree is None:
            return None
        return self.tensors[tree[1]] if tree[0] == "A" else self.add(tree[1:])

    def _graded(self, tensor: torch.Tensor, flags: list[int]) -> torch.Tensor:
        grad, parameter = flags[0], flags[1]
        if parameter:
            tensor = torch.nn.Parameter(tensor, requires_grad=bool(grad))
        elif grad:
            tensor.requires_grad_()
        self.leaves.append(tensor if grad else None)
        if grad == 2:
            tensor = _non_leaf(tensor)
        self.tensors.append(tensor)
        return tensor

    def changed(self) -> list[int]:
        """Return the indices of storages whose bytes have changed since the request arrived, or since the last call of this
        method.
        """
        found = []
        for index, before in enumerate(self.originals):
            now = self.sent(index)
            if now != before:
                found.append(index)
                self.originals[index] = bytes(now)
        return found

    def sent(self, index: int) -> memoryview:
        """Return the current bytes of a storage, only of the part that the judge has sent."""
        start = self.starts[index]
        return self.storages[index][start : start + len(self.originals[index])].cpu().numpy().data


def _non_leaf(leaf: torch.Tensor) -> torch.Tensor:
    """Return a tensor that depends on the leaf: a copy, which may be written to, or a view if a copy would have different
    strides.
    """
    with torch.enable_grad():
        copy = leaf.clone()
        return copy if copy.stride() == leaf.stride() else leaf.view_as(leaf)


def _flagged(tensor: torch.Tensor, flags: list[int]) -> torch.Tensor:
    if flags[2]:
        tensor = torch.conj(tensor)
    return torch._neg_view(tensor) if flags[3] else tensor


def unpack_storages(blob: Buffer, table: list[list[int]], device: torch.device) -> ReceivedTensors:
    """Copy the sent parts of storages out of the frame. The frame's bytes are kept as originals, so that changes can be
    detected.
    """
    whole = memoryview(blob)
    originals: list[Buffer] = [whole[offset : offset + size] for offset, size, *_ in table]
    starts = [rest[0] if rest else 0 for _, _, *rest in table]
    storages = [_owned(part, rest).to(device) for part, (_, _, *rest) in zip(originals, table, strict=True)]
    return ReceivedTensors(storages, originals, starts, device)


def _owned(part: Buffer, place: list[int]) -> torch.Tensor:
    """Allocate a storage and copy the sent part into it. `place` is empty if the whole storage was sent, otherwise it holds the
    start of the part and the size of the storage.
    """
    if not place:
        return torch.frombuffer(part, dtype=torch.uint8).clone() if len(part) else torch.empty(0, dtype=torch.uint8)
    start, size = place
    made = torch.zeros(size, dtype=torch.uint8)
    if len(part):
        made[start : start + len(part)] = torch.frombuffer(part, dtype=torch.uint8)
    return made
