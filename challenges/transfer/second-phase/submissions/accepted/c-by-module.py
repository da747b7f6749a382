"""Looks the prefix up as a module first, then as a parameter."""


def below(model, prefix):
    if prefix and prefix in dict(model.named_modules()):
        return [f"{prefix}.{name}" for name, _ in model.get_submodule(prefix).named_parameters()]
    return [prefix] if prefix in dict(model.named_parameters()) else []


def unfreeze_(model, optimizer, prefix, lr):
    names = below(model, prefix)
    if not names:
        raise ValueError("nothing has this name")
    every = dict(model.named_parameters())
    new = []
    for name in names:
        p = every[name].requires_grad_()
        if not any(p is q for group in optimizer.param_groups for q in group["params"]):
            new.append(name)
    for name in new:
        every[name].grad = None
    if len(new) > 0:
        optimizer.add_param_group({"lr": lr, "params": [every[name] for name in new]})
    return new
