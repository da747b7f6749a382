"""Methods for attributes and the other way round."""

from torch import Tensor


def describe(t: Tensor) -> dict:
    facts = {"dtype": t.dtype, "device": t.device, "is_leaf": not t.requires_grad or t.grad_fn is None}
    facts["shape"] = (*t.size(),)
    facts["stride"] = (*t.stride(),)
    facts["ndim"], facts["numel"] = t.dim(), t.nelement()
    facts["itemsize"] = t.dtype.itemsize
    facts["logical_bytes"] = t.element_size() * t.shape.numel()
    facts["storage_bytes"] = t.untyped_storage().size()
    facts["contiguous"] = t.is_contiguous()
    return facts
