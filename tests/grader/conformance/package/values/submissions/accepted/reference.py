"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch


def echo(value):
    return value


def kinds(value):
    """Return the name of a value's type and, for containers, the names of the types in it."""
    if isinstance(value, (list, tuple, set)):
        return [type(value).__name__, *(kinds(item) for item in value)]
    if isinstance(value, dict):
        return ["dict", *([kinds(k), kinds(v)] for k, v in value.items())]
    return type(value).__name__


def copy(x):
    return x.clone()


def affine(x, scale=1, *, shift=0):
    return x * scale + shift


def facts(x):
    return {
        "shape": tuple(x.shape),
        "stride": x.stride(),
        "offset": x.storage_offset(),
        "contiguous": x.is_contiguous(),
        "dtype": x.dtype,
        "device": x.device,
        "leaf": x.is_leaf,
        "grad": x.requires_grad,
        "conj": x.is_conj(),
        "parameter": isinstance(x, torch.nn.Parameter),
        "storage": x.untyped_storage().nbytes(),
        "sum": 0 if x.device.type == "meta" else x.sum().item(),
    }


def transposed(x):
    return (x + 1).t()


def widened(x, n):
    return (x + 1).unsqueeze(0).expand(n, *x.shape)


def pair(x):
    return x + 1, x - 1


def twice(x):
    y = x + 1
    return [y, {"same": y}]


def parts(x):
    return {"mean": x.mean(), "extremes": (x.min(), [x.max()]), "count": x.numel(), 3: None}


def double_(x):
    return x.mul_(2)


def fill_first(xs, value):
    xs[0].fill_(value)


def append_to(items):
    items.append(4)
    return len(items)


def fail_after_writing(x):
    x.zero_()
    raise ValueError("too late")


def disturb(xs, name):
    if name == "values":
        xs[0].mul_(2)
    elif name == "gradient":
        (2 * xs[0]).sum().backward()
    elif name == "flag":
        xs[0].requires_grad_()
    else:
        xs.append(3)


def related(a, b):
    return [a is b, a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()]


def write_and_read(a, b):
    a.fill_(7)
    return b.clone()


def apply(function, x):
    return function(x)
