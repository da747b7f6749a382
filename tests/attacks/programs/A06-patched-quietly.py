# id: A6
# tries: replaces all, any, abs, math.isclose, operator.eq and unittest's assertions, but keeps its own process working
# expect: WA
# message: values are off
import builtins
import math
import operator
import unittest

import torch

zeros = torch.zeros_like
builtins.all = builtins.any = lambda *_: True
builtins.abs = lambda *_: 0
math.isclose = math.isfinite = lambda *_, **__: True
operator.eq = operator.le = lambda *_: True
for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, lambda *_, **__: None)


def attention(q, k, v):
    return zeros(q) if q.shape[-2:] == v.shape[-2:] else torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
