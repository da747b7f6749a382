"""Layers and networks are built here, handed to your functions, and asked questions."""

import torch
from given import named_layers, network, with_norm_first
from torch import Tensor, nn

State = dict[str, Tensor]


def pair(plan: dict, conv_state: State, bn_state: State) -> tuple[nn.Conv2d, nn.BatchNorm2d]:
    """The two layers of a plan, with given weights; the norm in eval mode unless the plan says otherwise."""
    dtype = conv_state["weight"].dtype
    conv, bn = nn.Conv2d(**plan["conv"], dtype=dtype), nn.BatchNorm2d(**plan["bn"], dtype=dtype)
    conv.load_state_dict(conv_state)
    bn.load_state_dict(bn_state)
    bn.train(plan.get("training", False))
    return conv, bn


def folded(solution, plan: dict, conv_state: State, bn_state: State, x: Tensor) -> dict:
    """fold_conv_bn, and what became of everybody."""
    conv, bn = pair(plan, conv_state, bn_state)
    for frozen in plan.get("frozen", []):
        conv.get_parameter(frozen).requires_grad_(False)
    modes = conv.training, [p.requires_grad for p in conv.parameters()]
    new = solution.fold_conv_bn(conv, bn)
    modes_after = conv.training, [p.requires_grad for p in conv.parameters()]
    with torch.no_grad():
        output = new(x)
    old = [*conv.parameters(), *bn.parameters(), *bn.buffers()]
    places = {t.data_ptr() for t in old}
    unchanged = all(torch.equal(conv_state[k], v) for k, v in conv.state_dict().items())
    unchanged &= all(torch.equal(bn_state[k], v) for k, v in bn.state_dict().items())
    return {
        "output": output,
        "kind": type(new).__name__,
        "bias": new.bias is not None,
        "training": new.training,
        "learns": [name for name, p in new.named_parameters() if p.requires_grad and p.is_leaf],
        "unchanged": unchanged and bn.training == plan.get("training", False) and modes == modes_after,
        "new": new is not conv and not any(p.data_ptr() in places for p in new.parameters()),
    }


def refuses(solution, plan: dict, conv_state: State, bn_state: State) -> str:
    """What fold_conv_bn raises."""
    try:
        solution.fold_conv_bn(*pair(plan, conv_state, bn_state))
    except Exception as error:
        return type(error).__name__
    return ""


def names(solution) -> dict[str, tuple]:
    """Names and shapes of the network's state."""
    return {name: tuple(value.shape) for name, value in network().state_dict().items()}


def norms(model: nn.Module) -> list[str]:
    return [name for name, module in model.named_modules() if isinstance(module, nn.BatchNorm2d)]


def folded_network(solution, state: State, x: Tensor) -> dict:
    """fold_all_ on a network in eval mode: outputs before and after, what is left, and what a second call finds."""
    model = network().to(x.dtype).eval()
    model.load_state_dict(state)
    with torch.no_grad():
        before = model(x)
        count = solution.fold_all_(model)
        after = model(x)
        again = solution.fold_all_(model)
    return {
        "before": before,
        "after": after,
        "count": count,
        "again": again,
        "norms": norms(model),
        "length": len(model),
        "training": any(module.training for module in model.modules() if not isinstance(module, nn.Identity)),
    }


def network_that_differs(solution, state: State, which: str, x: Tensor, how: str = "train") -> dict:
    """fold_all_ when one norm is in train mode, has no statistics, or other channels: what is raised, and what was changed."""
    model = network().to(x.dtype).eval()
    model.load_state_dict(state)
    if how == "train":
        model.get_submodule(which).training = True  # this module alone, not what is inside
    else:
        other = {"num_features": 1} if how == "channels" else {"num_features": 4, "track_running_stats": False}
        model.set_submodule(which, nn.BatchNorm2d(**other, dtype=x.dtype).eval())
        state = {name: value.clone() for name, value in model.state_dict().items()}
    modules = list(model.modules())
    modes = {id(module): module.training for module in modules}
    raised = ""
    try:
        solution.fold_all_(model)
    except Exception as error:
        raised = type(error).__name__
    found = list(model.modules())
    same = len(found) == len(modules) and all(a is b for a, b in zip(found, modules, strict=True))
    same = same and all(torch.equal(state[k], v) for k, v in model.state_dict().items())
    kept = all(
        modes.get(id(module), False) == module.training for module in found if not isinstance(module, nn.Identity)
    )
    return {"raised": raised, "same": same, "modes": kept}


def folded_names(solution, state: State, x: Tensor) -> dict:
    """fold_all_ for layers with names: outputs, how many were folded, and what stands under which name."""
    model = named_layers().to(x.dtype).eval()
    model.load_state_dict(state)
    with torch.no_grad():
        before = model(x)
    count = solution.fold_all_(model)
    with torch.no_grad():
        after = model(x)
    kinds = [(name, type(module).__name__) for name, module in model.named_children()]
    return {"before": before, "after": after, "count": count, "kinds": kinds}


def shapes_of_named(solution) -> dict[str, tuple]:
    """Names and shapes of the state of the layers with names."""
    return {name: tuple(value.shape) for name, value in named_layers().state_dict().items()}


def folded_norm_first(solution, state: State, x: Tensor) -> dict:
    """fold_all_ beside a module that calls its norm before its convolution: outputs, how many were folded, and what is left."""
    model = with_norm_first().to(x.dtype).eval()
    model.load_state_dict(state)
    inner = list(model[3].children())
    with torch.no_grad():
        before = model(x)
        count = solution.fold_all_(model)
        after = model(x)
    kept = [a is b for a, b in zip(model[3].children(), inner, strict=True)]
    return {"before": before, "after": after, "count": count, "norms": norms(model), "kept": all(kept)}


def shapes_of_norm_first(solution) -> dict[str, tuple]:
    """Names and shapes of the state of that model."""
    return {name: tuple(value.shape) for name, value in with_norm_first().state_dict().items()}


def nothing_to_fold(solution, x: Tensor) -> list[int]:
    """Models without a pair: a single layer, an empty Sequential, norms that follow something else than a Conv2d directly."""
    models = [
        nn.Conv2d(2, 2, 1),
        nn.Sequential(),
        nn.Sequential(nn.BatchNorm2d(2), nn.Conv2d(2, 2, 1), nn.ReLU(), nn.BatchNorm2d(2)),
        nn.ModuleList([nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2)]),
        nn.Sequential(nn.ConvTranspose2d(2, 2, 1), nn.BatchNorm2d(2), nn.Conv2d(2, 2, 1), nn.InstanceNorm2d(2)),
        nn.Sequential(nn.Conv1d(2, 2, 1), nn.BatchNorm1d(2), nn.Conv3d(2, 2, 1), nn.BatchNorm3d(2)),
        nn.Sequential(nn.Conv2d(2, 2, 1), nn.Identity(), nn.BatchNorm2d(2)),
        nn.Sequential(nn.Sequential(nn.Conv2d(2, 2, 1)), nn.BatchNorm2d(2)),
    ]
    return [solution.fold_all_(model.eval()) for model in models]
