"""Match, compare by identity, add one group."""


def unfreeze_(model, optimizer, prefix, lr):
    matched = {}
    for name, parameter in model.named_parameters():
        if name == prefix or name.startswith(prefix + "."):
            matched[name] = parameter
    if not matched:
        raise ValueError(f"no parameter is named {prefix!r} or lies below it")
    held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    new = {name: parameter for name, parameter in matched.items() if id(parameter) not in held}
    for parameter in matched.values():
        parameter.requires_grad_(True)
    for parameter in new.values():
        parameter.grad = None
    if new:
        optimizer.add_param_group({"params": list(new.values()), "lr": lr})
    return list(new)
