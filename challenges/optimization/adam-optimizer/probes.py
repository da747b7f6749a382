"""Programs that make a `MyAdam`, feed it gradients, and bring parameters and state back."""

import copy
from collections.abc import Iterator

import torch
from torch import Tensor


def make(solution, starts: list[Tensor], groups: list[dict], options: dict):
    """Parameters, and the optimizer that holds them; `groups` name parameters by their positions."""
    params = [torch.nn.Parameter(start.clone()) for start in starts]
    described = [{**group, "params": [params[i] for i in group["params"]]} for group in groups]
    return params, solution.MyAdam(described or params, **options)


def run(solution, starts: list[Tensor], gradients: list[Tensor], plan: dict) -> dict:
    """As many steps as `gradients[i]` is long. The plan may skip gradients, change rates or other options, and restart."""
    params, optimizer = make(solution, starts, plan.get("groups", []), plan.get("options", {}))
    places = [p.data_ptr() for p in params]
    present = plan.get("present")
    trace, grads_kept, buffers = [], True, {}
    for step in range(len(gradients[0])):
        if "restart" in plan and step == plan["restart"]:
            saved = copy.deepcopy(optimizer.state_dict())
            values = [p.detach().clone() for p in params]
            params, optimizer = make(solution, values, plan.get("groups", []), plan.get("options", {}))
            optimizer.load_state_dict(saved)
            places = [p.data_ptr() for p in params]
        for group, rate in zip(optimizer.param_groups, plan.get("rates", {}).get(step, []), strict=False):
            group["lr"] = rate
        for group in optimizer.param_groups:
            group.update(plan.get("changes", {}).get(step, {}))
        for i, p in enumerate(params):
            gradient = gradients[i][step]
            if present is not None and not present[step][i]:
                p.grad = None
            elif plan.get("same_buffers") and i in buffers:
                p.grad = buffers[i].copy_(gradient)
            else:
                p.grad = buffers[i] = gradient.clone()
        before = [None if p.grad is None else p.grad.clone() for p in params]
        optimizer.step()
        grads_kept &= all(
            (p.grad is None) if b is None else (p.grad is not None and torch.equal(p.grad, b))
            for p, b in zip(params, before, strict=True)
        )
        trace.append([p.detach().clone() for p in params])
    return {
        "trace": trace,
        "grads_kept": grads_kept,
        "in_place": places == [p.data_ptr() for p in params],
        "leaves": all(p.is_leaf and p.requires_grad for p in params),
    }


def state_of(solution, starts: list[Tensor], gradients: list[Tensor], options: dict) -> dict:
    """The state before any step, and after a step in which the last parameter has no gradient."""
    params, optimizer = make(solution, starts, [], options)
    before = sum(1 for state in optimizer.state.values() for _ in _tensors(state))
    for p, g in zip(params[:-1], gradients, strict=True):
        p.grad = g.clone()
    optimizer.step()
    optimizer.step()
    states = [dict(optimizer.state.get(p, {})) for p in params]
    return {
        "is_optimizer": isinstance(optimizer, torch.optim.Optimizer),
        "before": before,
        "tensors": [[(tuple(v.shape), v.dtype, v.requires_grad) for v in _tensors(state)] for state in states],
        "elsewhere": sum(
            1 for name, v in vars(optimizer).items() if name not in ("state", "param_groups") for _ in _tensors(v)
        ),
    }


def _tensors(value) -> Iterator[Tensor]:
    """The tensors in a value, also those inside of lists, tuples and dicts."""
    if torch.is_tensor(value):
        yield value
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _tensors(item)


def with_closure(solution, start: Tensor, target: Tensor, steps: int, options: dict) -> dict:
    """Fits p to a target by closures; says how often they ran, what `step` returned, and where p ended."""
    p = torch.nn.Parameter(start.clone())
    optimizer = solution.MyAdam([p], **options)
    calls, losses, returned, last = 0, [], [], None

    def closure():
        nonlocal calls, last
        calls += 1
        optimizer.zero_grad()
        loss = (p - target).square().sum()
        loss.backward()
        losses.append(loss.item())
        last = loss
        return loss

    for _ in range(steps):
        returned.append(optimizer.step(closure) is last)
    return {"calls": calls, "losses": losses, "returned": returned, "p": p.detach().clone()}


def step_returns(solution, start: Tensor, gradient: Tensor) -> object:
    """What `step` gives back without a closure."""
    p = torch.nn.Parameter(start.clone())
    optimizer = solution.MyAdam([p])
    p.grad = gradient.clone()
    return optimizer.step()


def scheduled(solution, start: Tensor, gradients: Tensor, options: dict, gamma: float) -> Tensor:
    """A run under an exponential schedule of torch."""
    p = torch.nn.Parameter(start.clone())
    optimizer = solution.MyAdam([p], **options)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma)
    for gradient in gradients:
        p.grad = gradient.clone()
        optimizer.step()
        schedule.step()
    return p.detach().clone()


def grow(solution, starts: list[Tensor], gradients: list[Tensor], options: dict, at: int, rate: float) -> list[Tensor]:
    """A run to which the second parameter is added, in a group with a rate of its own, before step `at`."""
    first, second = (torch.nn.Parameter(start.clone()) for start in starts)
    optimizer = solution.MyAdam([first], **options)
    for step in range(len(gradients[0])):
        if step == at:
            optimizer.add_param_group({"params": [second], "lr": rate})
        for p, gradient in zip((first, second), gradients, strict=True):
            p.grad = gradient[step].clone()
        optimizer.step()
    return [first.detach().clone(), second.detach().clone()]
