"""What can be worked out from shape, dtype and strides is worked out."""

import math

import torch


def describe(t):
    shape = tuple(int(size) for size in t.size())
    width = torch.empty((), dtype=t.dtype, device="meta").element_size()
    wanted, in_order = 1, True
    for size, stride in zip(reversed(shape), reversed(t.stride()), strict=True):
        if size != 1:
            in_order &= stride == wanted
            wanted *= size
    count = math.prod(shape)
    return dict(
        shape=shape,
        ndim=len(shape),
        numel=count,
        dtype=t.dtype,
        itemsize=width,
        logical_bytes=count * width,
        storage_bytes=len(t.untyped_storage()),
        stride=tuple(t.stride(d) for d in range(len(shape))),
        contiguous=in_order or count == 0,
        device=torch.device(t.device),
        is_leaf=t.grad_fn is None,
    )
