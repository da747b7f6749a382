"""Training steps around your functions, run where leaves, hooks and modes can be watched."""

from collections.abc import Iterator
from contextlib import nullcontext

import torch
from torch import Tensor


def stepped(
    solution, values: list[Tensor], grads: list[Tensor | None], lr: float | Tensor, decay: float, how: str = "list"
) -> dict:
    """What one step leaves of parameters with the given gradients (None: has none)."""
    params = [torch.nn.Parameter(v.clone()) for v in values]
    for p, g in zip(params, grads, strict=True):
        p.grad = None if g is None else g.clone()
    places = [p.data_ptr() for p in params]
    grad_objects = [p.grad for p in params]
    packed: list[int] = []

    def pack(tensor: Tensor) -> Tensor:
        packed.append(1)
        return tensor

    handed: list[Tensor] | Iterator[Tensor] = iter(params) if how == "iterator" else params
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        result = solution.sgd_step_(handed, lr, weight_decay=decay)
    return {
        "values": [p.detach().clone() for p in params],
        "same": places == [p.data_ptr() for p in params],
        "leaves": all(p.is_leaf and p.grad_fn is None for p in params),
        "requires_grad": all(p.requires_grad for p in params),
        "grads": [
            p.grad is None if g is None else p.grad is not None and bool(torch.equal(p.grad, g))
            for p, g in zip(params, grads, strict=True)
        ],
        "grad_objects": all(p.grad is g for p, g in zip(params, grad_objects, strict=True)),
        "saved": len(packed),
        "returned": result is None,
    }


def several_steps(solution, start: Tensor, target: Tensor, lr: float, decay: float, steps: int) -> Tensor:
    """A short training of p towards target by the square of the distance."""
    p = start.clone().requires_grad_()
    for _ in range(steps):
        p.grad = None
        with torch.enable_grad():
            ((p - target) ** 2).sum().backward()
        solution.sgd_step_([p], lr, decay)
    return p.detach()


def after_create_graph(solution, start: Tensor, lr: float) -> dict:
    """A step with a gradient that itself has a history, as create_graph=True leaves it."""
    p = start.clone().requires_grad_()
    (p**3).sum().backward(create_graph=True)
    grad, history, values = p.grad, p.grad.grad_fn, p.grad.detach().clone()
    solution.sgd_step_([p], lr)
    found = {"value": p.detach().clone(), "leaf": p.is_leaf and p.grad_fn is None, "requires_grad": p.requires_grad}
    found["grad"] = p.grad is grad and grad.grad_fn is history and bool(torch.equal(grad.detach(), values))
    p.grad = None  # breaks the cycle that create_graph makes
    return found


def step_before_backward(solution, value: Tensor) -> str:
    """Forward, step, then backward through what the forward saved: "refused" if autograd noticed the edit."""
    p = value.clone().requires_grad_()
    loss = (p * p).sum()
    p.grad = torch.ones_like(p)
    solution.sgd_step_([p], 0.5)
    try:
        loss.backward()
    except RuntimeError as error:
        return "refused" if "inplace operation" in str(error) else "failed"
    return "unnoticed"


def modes_around(solution, value: Tensor, recording: bool) -> dict:
    """The grad mode after both functions, when they are called with recording on or off."""
    p = value.clone().requires_grad_()
    p.grad = torch.ones_like(p)
    found = {}
    with nullcontext() if recording else torch.no_grad():
        solution.sgd_step_([p], 0.1, 0.1)
        found["step"] = torch.is_grad_enabled()
        torch.set_grad_enabled(recording)
        solution.teacher_targets(lambda b: b * p, [value])
        found["targets"] = torch.is_grad_enabled()
        torch.set_grad_enabled(recording)

        def broken(batch: Tensor) -> Tensor:
            raise ArithmeticError("the teacher failed")

        try:
            solution.teacher_targets(broken, [value])
            found["raised"] = False
        except ArithmeticError:
            found["raised"] = True
        found["after an error"] = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    return found


def taught(solution, weight: Tensor, batches: list[Tensor], how: str = "list") -> dict:
    """Targets of a small teacher, and a student's gradients from a loss that saves them."""
    teacher = torch.nn.Parameter(weight.clone())
    calls, recorded = [], []

    def forward(batch: Tensor) -> Tensor:
        calls.append(batch)
        out = torch.tanh(batch @ teacher)
        recorded.append(out.requires_grad)
        return out

    handed = iter(batches) if how == "iterator" else batches
    targets = solution.teacher_targets(forward, handed)
    if not isinstance(targets, list):
        return {"type": type(targets).__name__}
    student = torch.nn.Parameter(torch.ones_like(weight))
    verdict, gradient = "trained", None
    try:
        loss = sum(((batch @ student) * target).sum() for batch, target in zip(batches, targets, strict=True))
        if batches:
            loss.backward()
        gradient = student.grad
    except RuntimeError:
        verdict = "refused"
    return {
        "type": "list",
        "calls": len(calls) == len(batches) and all(a is b for a, b in zip(calls, batches, strict=True)),
        "recorded": any(recorded),
        "history": any(t.requires_grad or t.grad_fn is not None for t in targets),
        "inference": any(t.is_inference() for t in targets),
        "values": [torch.empty(t.shape, dtype=t.dtype).copy_(t.detach()) for t in targets],
        "student": verdict,
        "gradient": gradient,
        "teacher": teacher.requires_grad and teacher.grad is None,
    }
