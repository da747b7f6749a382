"""Walks from the stem and collects what was not seen before; rates are multiplied up from the head."""


def build_groups(model, base_lr, layer_decay, weight_decay):
    stages = [pair for pair in model.named_children() if next(pair[1].parameters(), None) is not None]
    rates = [float(base_lr)]
    while len(rates) < len(stages):
        rates.insert(0, rates[0] * layer_decay)
    seen, groups = set(), []
    for rate, (name, child) in zip(rates, stages, strict=True):
        candidates = list(child.parameters())
        if not groups and not seen:
            candidates = list(model.parameters(recurse=False)) + candidates
        fresh = [p for p in candidates if p not in seen]
        seen.update(fresh)
        for suffix, decay, wanted in (("decay", weight_decay, True), ("no_decay", 0.0, False)):
            params = [p for p in fresh if p.requires_grad and (len(p.shape) >= 2) is wanted]
            if params:
                groups.append(dict(name=f"{name}.{suffix}", params=params, lr=rate, weight_decay=float(decay)))
    return groups


def left_out(model, optimizer):
    held = set()
    for group in optimizer.param_groups:
        held.update(group["params"])
    return [name for name, p in model.named_parameters() if p.requires_grad and p not in held]
