"""Tensors on their way into the cell: whole storages, and tensors as (storage, dtype, offset, size, stride).

So aliasing, strides, leaf-ness, requires_grad and gradients arrive as they were, and what the answer did to them can be told.
The way out is `results.py`.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd import forward_ad

from grader.inside.values import DTYPE_NAMES, DTYPES, Blobs, Tree, Unsupported
from grader.wire import Buffer


def storage_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The whole storage of a tensor as a uint8 tensor that shares its memory."""
    return torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())


@dataclass
class Shipment:
    """Tensors on their way into a cell: which storages go along, and which tensors, in order of first meeting."""

    blobs: Blobs
    tensors: list[torch.Tensor] = field(default_factory=list)
    storages: list[torch.Tensor] = field(default_factory=list)
    table: list[tuple[int, int]] = field(default_factory=list)
    _ids: dict[int, int] = field(default_factory=dict)
    _places: dict[int, int] = field(default_factory=dict)

    def add(self, tensor: torch.Tensor) -> Tree:
        """The tree of a tensor: the same object twice is the same tensor on the other side."""
        if id(tensor) in self._ids:
            return ["A", self._ids[id(tensor)]]
        tree = self._describe(tensor)
        self._ids[id(tensor)] = len(self.tensors)
        self.tensors.append(tensor)
        return tree

    def _describe(self, tensor: torch.Tensor) -> Tree:
        _refuse(tensor)
        # The gradient comes first, on both sides, so that indices agree. That of a non-leaf is the test's own business.
        gradient = self.add(tensor.grad) if tensor.is_leaf and tensor.grad is not None else None
        grad = 0 if not tensor.requires_grad else 1 if tensor.is_leaf else 2
        flags = [grad, int(isinstance(tensor, torch.nn.Parameter)), int(tensor.is_conj()), int(tensor.is_neg())]
        place = -1 if tensor.device.type == "meta" else self._place(tensor)
        shape = [list(tensor.shape), list(tensor.stride()), tensor.storage_offset()]
        return ["T", place, DTYPE_NAMES[tensor.dtype], *shape, flags, tensor.device.type, gradient]

    def _place(self, tensor: torch.Tensor) -> int:
        key = tensor.untyped_storage()._cdata
        if key not in self._places:
            whole = storage_bytes(tensor)
            self._places[key] = len(self.storages)
            self.storages.append(whole)
            self.table.append(self.blobs.add(whole.numpy().data))
        return self._places[key]


def _refuse(tensor: torch.Tensor) -> None:
    """Raises Unsupported for tensors that are more than dense memory on the CPU."""
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
    """An argument as the judge knows it."""

    version: int
    graph: Any
    requires_grad: bool
    grad: torch.Tensor | None
    place: tuple[Any, ...]


def state_of(tensor: torch.Tensor) -> State:
    """The argument as it is now."""
    # .grad of a non-leaf warns, and says nothing.
    version = 0 if tensor.is_inference() else tensor._version
    return State(
        version, tensor.grad_fn, tensor.requires_grad, tensor.grad if tensor.is_leaf else None, _place_of(tensor)
    )


def _place_of(tensor: torch.Tensor) -> tuple[Any, ...]:
    """What `x.data = y`, `x.set_(y)`, `x.t_()` and `x.resize_(n)` change: the storage, and how the tensor lies in it."""
    storage = None if tensor.device.type == "meta" else tensor.untyped_storage()._cdata
    return storage, tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.storage_offset()


@dataclass
class Arrival:
    """What came into the cell: storages (own memory), tensors by index, and the leaves whose gradients can be asked."""

    storages: list[torch.Tensor]
    originals: list[Buffer]
    device: torch.device
    tensors: list[torch.Tensor] = field(default_factory=list)
    leaves: list[torch.Tensor | None] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def add(self, rest: list[Any]) -> torch.Tensor:
        """Build the next tensor of the tree."""
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
        """A gradient: a tensor of its own, or one that came before."""
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
        """Indices of storages whose bytes are no longer what the judge has; they count as known from now on."""
        found = []
        for index, (storage, before) in enumerate(zip(self.storages, self.originals, strict=True)):
            now = storage.cpu().numpy().data
            if now != before:
                found.append(index)
                self.originals[index] = bytes(now)
        return found


def _non_leaf(leaf: torch.Tensor) -> torch.Tensor:
    """What depends on the leaf: a copy, which may be written to; a view where a copy would have other strides."""
    with torch.enable_grad():
        copy = leaf.clone()
        return copy if copy.stride() == leaf.stride() else leaf.view_as(leaf)


def _flagged(tensor: torch.Tensor, flags: list[int]) -> torch.Tensor:
    if flags[2]:
        tensor = torch.conj(tensor)
    return torch._neg_view(tensor) if flags[3] else tensor


def unpack_storages(blob: Buffer, table: list[list[int]], device: torch.device) -> Arrival:
    """Copy the frame's storages into memory of their own; the frame's bytes stay as the originals to compare with."""
    whole = memoryview(blob)
    originals: list[Buffer] = [whole[offset : offset + size] for offset, size in table]
    return Arrival([_owned(part).to(device) for part in originals], originals, device)


def _owned(part: Buffer) -> torch.Tensor:
    if not len(part):
        return torch.empty(0, dtype=torch.uint8)
    return torch.frombuffer(part, dtype=torch.uint8).clone()
