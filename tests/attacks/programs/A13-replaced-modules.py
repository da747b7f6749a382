# id: A13
# tries: puts modules of its own in place of pytest, torch and the grader
# expect: WA
# message: values are off
import sys
import types

import torch

zeros = torch.zeros_like
for name in list(sys.modules):
    if name.partition(".")[0] in ("pytest", "_pytest", "grader") or name in ("torch.testing", "json"):
        sys.modules[name] = types.ModuleType(name)


def attention(q, k, v):
    return zeros(q)
