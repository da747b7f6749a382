# id: A13
# tries: replaces pytest, torch.testing, json and the grader with empty modules
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
