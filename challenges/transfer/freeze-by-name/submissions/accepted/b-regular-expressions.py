"""Patterns as regular expressions that may be followed by a dot and more."""

import fnmatch
import re


def freeze_(model, patterns):
    compiled = [re.compile(fnmatch.translate(p)) for p in patterns]
    used = [False] * len(compiled)
    found = []
    for name, parameter in model.named_parameters(remove_duplicate=False):
        parts = name.split(".")
        paths = [".".join(parts[: i + 1]) for i in range(len(parts))]
        hits = [any(c.match(path) for path in paths) for c in compiled]
        used = [one or other for one, other in zip(used, hits)]
        if any(hits):
            found.append((name, parameter))
    if not all(used):
        raise ValueError("a pattern matches nothing")
    for _, parameter in found:
        parameter.grad = None
        parameter.requires_grad = False
    return [name for name, _ in found]


def frozen_share(model):
    total = sum(p.numel() for p in model.parameters())
    frozen = sum(p.numel() for p in model.parameters() if not p.requires_grad)
    return float(frozen / max(total, 1))
