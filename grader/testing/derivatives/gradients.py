"""Compares the gradients of an answer with those of the reference, for one random incoming gradient."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.closeness import assert_close
from grader.testing.comparison.trees import named_tensors
from grader.testing.derivatives.directions import fresh_generator
from grader.testing.derivatives.leaves import Variables, differentiable, listed, random_like, variables

GRADIENT_SCALE = 4.0
"""A gradient is a longer chain than its output: forward, backward, and sums over all positions."""


def assert_same_gradients(
    f: Callable[..., Any],
    g: Callable[..., Any],
    inputs: Sequence[Any] | Tensor,
    *,
    wrt: Sequence[int | str] | None = None,
    names: Sequence[str] = (),
    scale: float = 1.0,
    **kwargs: Any,
) -> None:
    """Fail unless f (the answer) and g (the reference) have the same outputs and the same gradients with respect to inputs.

    Calls each function with `*inputs` and `**kwargs`. Each gets its own copies of the tensors, with the same strides. Gradients
    are compared for all floating-point and complex tensors in the arguments. If `wrt` is given (positions or names of
    arguments), only gradients of the tensors in these arguments are compared. `names` are the names of the positional arguments
    in messages. `scale` multiplies the tolerance of `assert_close`.

    Exceptions of f and g propagate. Raises `CheckFailed` if f fails the check, and `ValueError` if the output of g does not
    require grad.
    """
    __tracebackhide__ = True
    plan = variables(inputs, kwargs, wrt, names)
    leaves, expected_leaves = plan.leaves(), plan.leaves()
    with torch.enable_grad():
        output = plan.call(f, leaves)
        expected_output = plan.call(g, expected_leaves)
    assert_close(output, expected_output, scale=scale)
    cotangents = _cotangents(expected_output)
    expected = _gradients(expected_output, cotangents, expected_leaves)
    _check_attached(output, cotangents, expected)
    actual = _gradients(output, cotangents, leaves)
    _check_all_there(actual, expected)
    _compare(plan, actual, expected, scale)


def _cotangents(output: object) -> dict[str, Tensor]:
    generator = fresh_generator()
    differentiated = {
        name: random_like(tensor, generator)
        for name, tensor in named_tensors(output, "output")
        if differentiable(tensor) and tensor.requires_grad
    }
    if not differentiated:
        raise ValueError("the second function's output does not require grad: there is nothing to compare with")
    return differentiated


def _gradients(output: object, cotangents: dict[str, Tensor], leaves: dict[str, Tensor]) -> dict[str, Tensor | None]:
    outputs = {name: t for name, t in named_tensors(output, "output") if name in cotangents and t.requires_grad}
    if not outputs:
        return dict.fromkeys(leaves)
    pulled = [cotangents[name] for name in outputs]
    found = torch.autograd.grad(list(outputs.values()), list(leaves.values()), pulled, allow_unused=True)
    return dict(zip(leaves, found, strict=True))


def _check_attached(output: object, cotangents: dict[str, Tensor], expected: dict[str, Tensor | None]) -> None:
    __tracebackhide__ = True
    detached = [n for n, t in named_tensors(output, "output") if n in cotangents and not t.requires_grad]
    if not detached:
        return
    if len(detached) == len(cotangents) == 1:
        reached = [name for name, gradient in expected.items() if gradient is not None]
        raise CheckFailed(f"the output is detached from {listed(reached)}")
    verb = "is detached from its" if len(detached) == 1 else "are detached from their"
    raise CheckFailed(f"{listed(detached)} {verb} inputs")


def _check_all_there(actual: dict[str, Tensor | None], expected: dict[str, Tensor | None]) -> None:
    __tracebackhide__ = True
    lost = [
        name
        for name, gradient in expected.items()
        if actual[name] is None and gradient is not None and bool(gradient.any())
    ]
    if lost:
        raise CheckFailed(f"the output is detached from {listed(lost)}")


def _compare(
    plan: Variables, actual: dict[str, Tensor | None], expected: dict[str, Tensor | None], scale: float
) -> None:
    __tracebackhide__ = True
    for name, tensor in plan.tensors.items():
        # None and a gradient of zeros count as equal
        one, other = (torch.zeros_like(tensor) if x is None else x for x in (actual[name], expected[name]))
        assert_close(one, other, scale=scale * GRADIENT_SCALE, name=f"gradient of {name}")
