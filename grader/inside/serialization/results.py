"""Sends tensors from the cell to the judge: contiguous bytes with dtype, shape, strides, device, and how each tensor is related
to an autograd graph.

    ["R", dtype, shape, stride, device, grad, offset, size, alias]      grad: 0 none, 1 a result, 2 a leaf, 3 a parameter
                                                                        alias: null or [argument, storage offset]
The receiver checks every number. It builds a tensor with the reported strides. If `alias` names an argument that holds the same
bytes, the tensor uses the memory of that argument.
"""

import math
from typing import Any, NamedTuple

import torch

from grader.contract.wire import WireError
from grader.inside.serialization.values import DTYPE_NAMES, DTYPES, Blobs, Tree, Unsupported

MAX_DIMS = 64
MAX_SIZE = 1 << 40
MAX_STRIDE = 1 << 62
MAX_BYTES = 1 << 30
MAX_SPREAD = 4


def raw_bytes(tensor: torch.Tensor) -> memoryview:
    """Return the elements of a dense CPU tensor in row-major order as bytes. Shares the tensor's memory if it is contiguous."""
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    # A tensor with one element counts as contiguous whatever its stride is, but only a stride of 1 can be viewed as bytes.
    return dense.as_strided((dense.numel(),), (1,)).view(torch.uint8).numpy().data


def pack_result(tensor: torch.Tensor, blobs: Blobs, *, alias: list[int] | None = None, graph: bool = True) -> Tree:
    """Encode a result tensor as contiguous bytes with its metadata. Raises Unsupported if the tensor is not dense."""
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
    return raw_bytes(tensor.cpu())


class Metadata(NamedTuple):
    """What the cell reported about a result besides its values: its device, and `grad` as in the module's docstring.

    `shared` is true if the result uses the memory of an argument.
    """

    device: str
    grad: int
    shared: bool = False


def own_memory(tensor: torch.Tensor) -> None:
    """If a result shares memory with an argument, give the result its own memory. Call this before the result is written to, so
    that the argument does not change.
    """
    about: Metadata | None = getattr(tensor, "_gradus_metadata", None)
    if about is not None and about.shared:
        tensor.data = tensor.detach().clone()
        tensor._gradus_metadata = Metadata(about.device, about.grad)  # type: ignore[attr-defined]


def unpack_result(tree: Tree, blob: memoryview, arguments: list[torch.Tensor]) -> tuple[torch.Tensor, Metadata]:
    """Build a result tensor, in the memory of an argument if the reply says so and the bytes match, otherwise in new memory.
    Raises WireError if any number is invalid.
    """
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
    view = _view(tensor, stride, alias, arguments)
    if view is not None and bytes(raw_bytes(view)) == bytes(raw_bytes(tensor)):
        return view, Metadata(metadata.device, grad, shared=True)
    return with_strides(tensor, stride), metadata


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
    # A bool stored as a byte other than 0 or 1 equals True but behaves differently in some operators, so it is normalised.
    return (raw != 0 if dtype is torch.bool else raw.clone().view(dtype)).reshape(shape)


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
    # The view must lie within the argument itself: the memory around it was not sent.
    end = offset + _span(list(tensor.shape), stride)
    if not _holdable(stride) or offset < base.storage_offset() or end > extent(base)[1]:
        return None
    # The result shares its memory with the argument, but autograd must not treat it as a view of the argument. Otherwise, a
    # change to the graph of one of them would change the graph of the other.
    made = torch.empty(0, dtype=base.dtype)
    return made.set_(base.untyped_storage(), offset, tensor.shape, stride)


def with_strides(tensor: torch.Tensor, stride: list[int]) -> torch.Tensor:
    """Return a copy of the tensor with the given strides. Returns the tensor itself if it has these strides already, if the
    strides are invalid, or if the copy would span more than MAX_SPREAD times the memory of the tensor's elements.
    """
    shape = list(tensor.shape)
    if list(tensor.stride()) == stride or not tensor.numel() or not _holdable(stride):
        return tensor
    if _span(shape, stride) > MAX_SPREAD * tensor.numel():
        return tensor
    # A dimension with stride 0 repeats one element, so this element is copied only once.
    once = [1 if step == 0 else size for size, step in zip(shape, stride, strict=True)]
    first = tensor[tuple(slice(0, size) for size in once)]
    made = torch.empty_strided(once, stride, dtype=tensor.dtype)
    return made.copy_(first).expand(shape)


def _holdable(stride: list[int]) -> bool:
    """Return whether torch accepts these strides. The check is needed because the cell may send any stride for a dimension of
    size 1.
    """
    return all(0 <= step < MAX_STRIDE for step in stride)


def extent(tensor: torch.Tensor) -> tuple[int, int]:
    """Return where a tensor begins and ends in its storage, in elements."""
    first = int(tensor.storage_offset())
    return first, first + _span(list(tensor.shape), list(tensor.stride())) if tensor.numel() else first


def _span(shape: list[int], stride: list[int]) -> int:
    return 1 + sum((size - 1) * step for size, step in zip(shape, stride, strict=True) if size)
