# id: A6
# tries: replaces isinstance, abs, all, any, math.isclose, json.loads and unittest's assertEqual in its process
# expect: RE
# message: while loading
import builtins
import json
import math
import unittest

import torch

builtins.isinstance = lambda *_: True
builtins.abs = lambda *_: 0
builtins.all = builtins.any = lambda *_: True
math.isclose = lambda *_, **__: True
json.loads = lambda *_: {"passed": True}
unittest.TestCase.assertEqual = lambda *_: None


def attention(q, k, v):
    return torch.zeros_like(q)
