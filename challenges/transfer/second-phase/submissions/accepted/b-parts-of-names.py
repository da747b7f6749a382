"""Names are compared part by part; parameters are hashable, so a set holds them by identity."""

from itertools import chain


def unfreeze_(model, optimizer, prefix, lr):
    wanted = prefix.split(".")
    found = [(n, p) for n, p in model.named_parameters() if n.split(".")[: len(wanted)] == wanted]
    if len(found) == 0:
        raise ValueError(prefix)
    held = set(chain.from_iterable(group["params"] for group in optimizer.param_groups))
    names, params = [], []
    for name, p in found:
        p.requires_grad = True
        if p in held:
            continue
        p.grad = None
        names.append(name)
        params.append(p)
    if params:
        optimizer.add_param_group(dict(params=params, lr=lr))
    return names
