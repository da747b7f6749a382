"""Each fact from the attribute that holds it."""

from torch import Tensor


def describe(t: Tensor) -> dict[str, object]:
    return {
        "shape": tuple(t.shape),
        "ndim": t.ndim,
        "numel": t.numel(),
        "dtype": t.dtype,
        "itemsize": t.itemsize,
        "logical_bytes": t.nbytes,
        "storage_bytes": t.untyped_storage().nbytes(),
        "stride": t.stride(),
        "contiguous": t.is_contiguous(),
        "device": t.device,
        "is_leaf": t.is_leaf,
    }
