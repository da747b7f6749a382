"""The reference answer: a correct implementation of everything that the tests of this package check."""

import builtins
import random
import warnings
from collections import OrderedDict, namedtuple

import numpy as np
import torch

Point = namedtuple("Point", "x y")


class OwnError(ValueError):
    pass


class OwnWarning(FutureWarning):
    pass


class Tagged(torch.Tensor):
    pass


def echo(value):
    return value


def copy(x):
    return x.clone()


def affine(x, scale=1, *, shift=0):
    return x * scale + shift


def surroundings():
    enabled = torch.is_autocast_enabled("cpu")
    return {
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": torch.get_autocast_dtype("cpu") if enabled else None,
        "default": torch.get_default_dtype(),
    }


def ones(n):
    return torch.ones(n)


def product(a, b):
    return a @ b


def noise(n):
    return torch.randn(n)


def dice(n, library):
    if library == "random":
        return [random.random() for _ in range(n)]
    return np.random.rand(n).tolist()


def draw(n, generator):
    return torch.randn(n, generator=generator)


def fail(name):
    if name == "own":
        raise OwnError("an error of its own")
    if name == "stop":
        raise StopIteration
    raise getattr(builtins, name)("it is told so")


def checked(x, axis):
    if axis >= x.dim():
        raise IndexError(f"axis {axis} of a tensor with {x.dim()} dimensions")
    return x.sum(axis)


def warn(name):
    category = {"own": OwnWarning, "deprecated": DeprecationWarning, "user": UserWarning}[name]
    warnings.warn("this is the old way", category)
    return name


def warn_and_fail():
    warnings.warn("this will not end well")
    torch.rand(3)
    raise RuntimeError("it did not")


def apply(function, x):
    return function(x)


def odd(what):
    deep = []
    for _ in range(100):
        deep = [deep]
    return {
        "subclass": lambda: torch.ones(2).as_subclass(Tagged),
        "numpy": lambda: np.ones(2),
        "numpy scalar": lambda: np.float64(1.5),
        "module": lambda: torch.nn.Linear(1, 1),
        "function": lambda: echo,
        "generator": lambda: (i for i in range(3)),
        "coroutine": lambda: asynchronous(),
        "huge int": lambda: 1 << 5000,
        "deep": lambda: deep,
        "sparse": lambda: torch.eye(2).to_sparse(),
        "bool subclass": lambda: type("Int", (int,), {})(3),
        "str subclass": lambda: type("Text", (str,), {})("a"),
        "float subclass": lambda: type("Real", (float,), {"__eq__": lambda a, b: True})(0.5),
        "named tuple": lambda: Point(1, 2),
        "dict subclass": lambda: type("Map", (dict,), {})(a=1),
        "object": lambda: object(),
        "class": lambda: int,
        "range": lambda: range(3),
        "ordered": lambda: OrderedDict(a=1),
        "return type": lambda: torch.ones(2, 3).max(dim=1),
    }[what]()


async def asynchronous():
    return 1
