# id: E26
# tries: calls the reference if it can find it, and returns zeros otherwise
# expect: WA
import contextlib
import importlib
import sys

import torch

found = None
for name in ("reference", "tests", "submissions.accepted", "given", "solution_reference", "grader.reference"):
    with contextlib.suppress(Exception):
        module = importlib.import_module(name)
        found = found or getattr(module, "attention", None)
for module in list(sys.modules.values()):
    with contextlib.suppress(Exception):
        for part in vars(module).values():
            other = getattr(part, "reference", None)
            found = found or getattr(other, "attention", None)


def attention(q, k, v):
    with contextlib.suppress(Exception):
        return found(q, k, v)
    return torch.zeros_like(q)
