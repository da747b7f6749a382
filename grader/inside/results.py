"""Tensors on their way out of the cell: contiguous bytes with dtype, shape, strides, device and what is known of the graph.

    ["R", dtype, shape, stride, device, grad, offset, size, alias]      grad: 0 none, 1 a result, 2 a leaf, 3 a parameter
                                                                        alias: null or [argument, storage offset]
The receiver checks every number. Strides and sharing of memory are rebuilt where the bytes bear them out.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch

from grader.inside.values import DTYPE_NAMES, DTYPES, Blobs, Tree, Unsupported
from grader.wire import WireError

MAX_DIMS = 64
MAX_SIZE = 1 << 40
MAX_STRIDE = 1 << 62
MAX_BYTES = 1 << 30
MAX_SPREAD = 4


def raw_bytes(tensor: torch.Tensor) -> memoryview:
    """The elements of a dense CPU tensor, row-major, as bytes. Shares memory where the tensor is contiguous."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    # Of one element, any stride is contiguous; only a stride of 1 can be viewed as bytes.
    return flat.as_strided(flat.shape, (1,)).view(torch.uint8).numpy().data


def pack_result(tensor: torch.Tensor, blobs: Blobs, *, alias: list[int] | None = None, graph: bool = True) -> Tree:
    """A result tensor as contiguous bytes with its metadata. Raises Unsupported for what is not dense memory."""
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        raise Unsupported("a subclass of torch.Tensor", f"a subclass of torch.Tensor ({type(tensor).__name__})")
    if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_nested:
        raise Unsupported("a tensor that is not dense", f"a {tensor.layout} tensor")
    if tensor.dtype not in DTYPE_NAMES:
        raise Unsupported("a tensor of an unusual dtype", f"a tensor of dtype {tensor.dtype}")
    device = tensor.device.type
    offset, size = (0, 0) if device == "meta" else blobs.add(_result_bytes(tensor))
    shape = [list(tensor.shape), list(tensor.stride())]
    return ["R", DTYPE_NAMES[tensor.dtype], *shape, device, _grad(tensor) if graph else 0, offset, size, alias]


def _grad(tensor: torch.Tensor) -> int:
    if not tensor.requires_grad:
        return 0
    return 1 if not tensor.is_leaf else 3 if isinstance(tensor, torch.nn.Parameter) else 2


def _result_bytes(tensor: torch.Tensor) -> memoryview:
    if tensor.numel() * tensor.element_size() > MAX_BYTES:
        raise Unsupported("a tensor that is too large", f"a tensor of {tensor.numel():,} elements")
    return raw_bytes(tensor.detach().cpu())


@dataclass(frozen=True)
class Metadata:
    """What the cell said about a result besides its values: its device, and its place in a graph (see `grad` above)."""

    device: str
    grad: int


def unpack_result(tree: Tree, blob: memoryview, arguments: list[torch.Tensor]) -> tuple[torch.Tensor, Metadata]:
    """A result tensor, checked number by number. Raises WireError. Its memory is its own, or that of an argument."""
    try:
        tag, name, shape, stride, device, grad, offset, size, alias = tree
        dtype = DTYPES[name]
    except (ValueError, KeyError, TypeError):
        raise WireError("a malformed tensor") from None
    _check_dims(shape)
    if not isinstance(stride, list) or len(stride) != len(shape) or not all(type(step) is int for step in stride):
        raise WireError("a tensor whose strides are malformed")
    if tag != "R" or type(grad) is not int or not 0 <= grad <= 3:
        raise WireError("a malformed tensor")
    metadata = Metadata(device if device in ("cpu", "cuda", "meta") else "other", grad)
    if device == "meta":
        return _empty(shape, dtype), metadata
    tensor = _from_bytes(_slice(blob, offset, size), dtype, shape, size)
    return _shared(tensor, stride, alias, arguments), metadata


def _check_dims(shape: Any) -> None:
    if not isinstance(shape, list) or len(shape) > MAX_DIMS:
        raise WireError("a tensor with too many dimensions")
    if not all(type(n) is int and 0 <= n < MAX_SIZE for n in shape) or math.prod(n or 1 for n in shape) >= MAX_SIZE:
        raise WireError("a tensor with an impossible size")


def _empty(shape: list[int], dtype: torch.dtype) -> torch.Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


def _slice(blob: memoryview, offset: Any, size: Any) -> memoryview:
    if type(offset) is not int or type(size) is not int or offset < 0 or size < 0 or offset + size > len(blob):
        raise WireError("a slice outside the blob")
    return blob[offset : offset + size]


def _from_bytes(part: memoryview, dtype: torch.dtype, shape: list[int], size: int) -> torch.Tensor:
    if math.prod(shape) * dtype.itemsize != size:
        raise WireError("a tensor whose bytes do not match its shape")
    if not size:
        return torch.empty(shape, dtype=dtype)
    raw = torch.frombuffer(part, dtype=torch.uint8)
    # A byte other than 0 or 1 in a bool tensor compares equal to True while meaning something else: normalise.
    return (raw != 0 if dtype is torch.bool else raw.clone().view(dtype)).reshape(shape)


def _shared(tensor: torch.Tensor, stride: list[int], alias: Any, arguments: list[torch.Tensor]) -> torch.Tensor:
    """The tensor as a view of the argument whose memory it shares, if that holds the same bytes; else with its strides."""
    view = _view(tensor, stride, alias, arguments)
    if view is not None and bytes(raw_bytes(view)) == bytes(raw_bytes(tensor)):
        return view
    return with_strides(tensor, stride)


def _view(tensor: torch.Tensor, stride: list[int], alias: Any, arguments: list[torch.Tensor]) -> torch.Tensor | None:
    try:
        argument, offset = alias
        base: torch.Tensor = arguments[argument]
    except (TypeError, ValueError, IndexError):
        return None
    if type(offset) is not int or offset < 0 or base.device.type != "cpu":
        return None
    if base.dtype is not tensor.dtype or base.is_conj() or base.is_neg():
        return None
    span = offset + _span(list(tensor.shape), stride)
    if not _holdable(stride) or span * tensor.element_size() > base.untyped_storage().nbytes():
        return None
    memory: torch.Tensor = base.detach() if base.requires_grad else base
    return memory.as_strided(tensor.shape, stride, offset)


def with_strides(tensor: torch.Tensor, stride: list[int]) -> torch.Tensor:
    """A copy with the given strides; the contiguous tensor itself where they are its own, absurd, or ask for much memory."""
    shape = list(tensor.shape)
    if list(tensor.stride()) == stride or not tensor.numel() or not _holdable(stride):
        return tensor
    if _span(shape, stride) > MAX_SPREAD * tensor.numel():
        return tensor
    # Along a stride of 0 all elements are one: the first stands for them.
    once = [1 if step == 0 else size for size, step in zip(shape, stride, strict=True)]
    first = tensor[tuple(slice(0, size) for size in once)]
    made = torch.empty_strided(once, stride, dtype=tensor.dtype)
    return made.copy_(first).expand(shape)


def _holdable(stride: list[int]) -> bool:
    """Whether torch can hold such strides: along a dimension of size 1, which no span counts, any number may have come."""
    return all(0 <= step < MAX_STRIDE for step in stride)


def _span(shape: list[int], stride: list[int]) -> int:
    return 1 + sum((size - 1) * step for size, step in zip(shape, stride, strict=True) if size)
