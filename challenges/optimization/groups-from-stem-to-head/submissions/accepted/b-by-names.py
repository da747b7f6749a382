"""The first part of a parameter's name is its stage: named_parameters gives shared ones once, under their first name."""

from itertools import product


def build_groups(model, base_lr, layer_decay, weight_decay):
    stages = [name for name, child in model.named_children() if len(list(child.parameters()))]
    groups = {
        (stage, kind): {
            "name": f"{stage}.{kind}",
            "params": [],
            "lr": float(base_lr * layer_decay**distance),
            "weight_decay": float(weight_decay) if kind == "decay" else 0.0,
        }
        for (distance, stage), kind in product(reversed(list(enumerate(reversed(stages)))), ("decay", "no_decay"))
    }
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        stage = name.split(".")[0] if "." in name else stages[0]
        groups[stage, "decay" if p.dim() > 1 else "no_decay"]["params"].append(p)
    return [group for group in groups.values() if group["params"]]


def left_out(model, optimizer):
    missing = {id(p): name for name, p in model.named_parameters() if p.requires_grad}
    for group in optimizer.param_groups:
        for p in group["params"]:
            missing.pop(id(p), None)
    return list(missing.values())
