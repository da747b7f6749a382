"""Compares gradients with finite differences in float64, along random directions, for first and second derivatives.

This works like the fast mode of torch.autograd.gradcheck. For a random direction u and a random cotangent (incoming gradient)
w, the numbers <vjp(w), u> and <w, (f(x + h u) - f(x - h u)) / 2h> must agree. A finite difference needs two calls, however many
elements the inputs have. Each input is moved alone, and then all inputs are moved together, along other directions and with
other cotangents.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.tolerance import tolerance_share
from grader.testing.comparison.trees import copied, map_tensors, named_tensors, once_each
from grader.testing.derivatives.directions import fresh_generator
from grader.testing.derivatives.leaves import Variables, differentiable, listed, random_like, variables

ROUNDOFF = 2.0**-53
NOISE = 64.0
"""How many roundings an output is allowed: they are divided by the step and drown small derivatives."""

Function = Callable[[Mapping[str, Tensor]], list[Tensor]]


@dataclass(frozen=True)
class Step:
    """How finite differences are computed and compared. `eps` is the step h. A directional derivative may differ by `atol`,
    plus `rtol` times the sum of the gradient's norm and the measured derivative, plus an allowance for rounding errors.
    """

    eps: float
    rtol: float
    atol: float


def assert_gradcheck(  # noqa: PLR0913 - the surface of torch.autograd.gradcheck
    f: Callable[..., Any],
    inputs: Sequence[Any] | Tensor,
    *,
    wrt: Sequence[int | str] | None = None,
    names: Sequence[str] = (),
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 0.0,
    **kwargs: Any,
) -> None:
    """Fail unless the gradients of f(*inputs, **kwargs) agree with finite differences.

    Converts floating-point tensors to float64 and complex ones to complex128. `wrt` and `names` have the same meaning as for
    `assert_same_gradients`. f must be deterministic, and smooth at the inputs. Exceptions that f raises propagate; every other
    failure raises `CheckFailed`.
    """
    __tracebackhide__ = True
    plan = _in_double(variables(inputs, kwargs, wrt, names))
    _check(_outputs(plan, f), plan.tensors, Step(eps, rtol, atol), "gradient of {}")


def assert_gradgradcheck(  # noqa: PLR0913 - the surface of torch.autograd.gradgradcheck
    f: Callable[..., Any],
    inputs: Sequence[Any] | Tensor,
    *,
    wrt: Sequence[int | str] | None = None,
    names: Sequence[str] = (),
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 0.0,
    **kwargs: Any,
) -> None:
    """Fail unless the second derivatives of f agree with finite differences.

    Works like `assert_gradcheck` for the function that maps the inputs and the incoming gradient to the gradients of f.
    """
    __tracebackhide__ = True
    plan = _in_double(variables(inputs, kwargs, wrt, names))
    outputs = _outputs(plan, f)
    generator = fresh_generator()
    incoming = {
        f"the incoming gradient {i}": random_like(output, generator)
        for i, output in enumerate(outputs(_leaves(plan.tensors)))
    }

    def gradients(leaves: Mapping[str, Tensor]) -> list[Tensor]:
        targets = [leaves[name] for name in plan.tensors]
        found = torch.autograd.grad(
            outputs(leaves), targets, [leaves[n] for n in incoming], create_graph=True, allow_unused=True
        )
        present = [gradient for gradient in found if gradient is not None]
        if not present:
            raise CheckFailed(f"the output is detached from {listed(list(plan.tensors))}")
        if not any(gradient.requires_grad for gradient in present):
            raise CheckFailed("the gradients cannot be differentiated again")
        return [gradient for gradient in present if gradient.requires_grad]

    _check(gradients, plan.tensors | incoming, Step(eps, rtol, atol), "second derivative by {}")


def _in_double(plan: Variables) -> Variables:
    chosen = {id(tensor): name for name, tensor in plan.tensors.items()}
    tensors: dict[str, Tensor] = {}

    def double(tensor: Tensor) -> Tensor:
        if not differentiable(tensor):
            return tensor
        wide = copied(tensor).to(torch.complex128 if tensor.dtype.is_complex else torch.float64)
        if id(tensor) in chosen:
            tensors[chosen[id(tensor)]] = wide
        return wide

    change = once_each(double)
    args, kwargs = map_tensors(change, plan.args), map_tensors(change, dict(plan.kwargs))
    return Variables(args, kwargs, {name: tensors[name] for name in plan.tensors})


def _outputs(plan: Variables, f: Callable[..., Any]) -> Function:
    def outputs(leaves: Mapping[str, Tensor]) -> list[Tensor]:
        with torch.enable_grad():
            tree = plan.call(f, leaves)
        found = [(n, t) for n, t in named_tensors(tree, "output") if differentiable(t) and t.requires_grad]
        if not found:
            raise CheckFailed(f"the output is detached from {listed(list(plan.tensors))}")
        for name, tensor in found:
            if tensor.dtype not in (torch.float64, torch.complex128):
                dtype = str(tensor.dtype).removeprefix("torch.")
                raise CheckFailed(f"{name}: dtype float64 expected for float64 inputs, got {dtype}")
        return [tensor for _, tensor in found]

    return outputs


def _leaves(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: copied(tensor).requires_grad_() for name, tensor in tensors.items()}


def _check(function: Function, tensors: Mapping[str, Tensor], step: Step, label: str) -> None:
    __tracebackhide__ = True
    one_at_a_time, together = [[name] for name in tensors], [list(tensors)]
    for moves in (one_at_a_time, together):
        leaves = _leaves(tensors)
        outputs = function(leaves)
        # The answer sees the weights, because they are the incoming gradients of its backward pass. Weights and directions are
        # drawn from different generators, so that an answer cannot predict a direction from the weights.
        generator = fresh_generator()
        weights = [random_like(output, generator) for output in outputs]
        generator = fresh_generator()
        found = torch.autograd.grad(outputs, list(leaves.values()), weights, allow_unused=True)
        gradients = {
            name: torch.zeros_like(tensor) if gradient is None else gradient
            for (name, tensor), gradient in zip(tensors.items(), found, strict=True)
        }
        for names in moves:
            directions = {name: step.eps * random_like(tensors[name], generator) for name in names}
            if not _agrees(function, (tensors, directions), (weights, gradients), step):
                raise CheckFailed(f"{label.format(listed(names))}: does not agree with finite differences")


def _agrees(
    function: Function,
    move: tuple[Mapping[str, Tensor], Mapping[str, Tensor]],
    pulled: tuple[list[Tensor], Mapping[str, Tensor]],
    step: Step,
) -> bool:
    """Return whether the outputs change as the gradients predict if the inputs move along `directions`, which are already
    multiplied by the step.
    """
    (tensors, directions), (weights, gradients) = move, pulled
    above = {name: tensors[name] + direction for name, direction in directions.items()}
    below = {name: tensors[name] - direction for name, direction in directions.items()}
    ups = [out.detach() for out in function(_leaves({**tensors, **above}))]
    downs = [out.detach() for out in function(_leaves({**tensors, **below}))]
    if [out.shape for out in ups] != [out.shape for out in downs]:
        return False
    # Both `measured` and `predicted` are the weighted change of the output from `below` to `above`. `above - below` is the step
    # that was really made: rounding can change it slightly.
    changes = zip(weights, ups, downs, strict=True)
    measured = sum(_inner(weight, up - down) for weight, up, down in changes)
    predicted = sum(_inner(gradients[name], above[name] - below[name]) for name in directions)
    noise = NOISE * ROUNDOFF * sum(_norm(w) * _norm(up) for w, up in zip(weights, ups, strict=True))
    size = 2 * step.eps * (sum(_norm(gradients[name]) for name in directions) + abs(measured) / (2 * step.eps))
    limit = tolerance_share() * (step.rtol * size + 2 * step.eps * step.atol + noise)
    # If a value is NaN, this comparison is false, so NaN counts as a disagreement.
    return abs(measured - predicted) <= limit


def _inner(one: Tensor, other: Tensor) -> float:
    """Return the real part of the inner product, because torch defines gradients of complex tensors with this product."""
    return float((one.conj() * other).real.sum())


def _norm(tensor: Tensor) -> float:
    return float(tensor.abs().square().sum().sqrt())
