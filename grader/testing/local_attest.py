"""`attest` in local mode: the call runs unobserved and observed with equal seeds, and both results must agree."""

from collections.abc import Callable
from typing import Any

import torch

from grader.testing.observation import Observation, expect_same_result, observation
from grader.testing.trees import copied_tree, named_tensors

SEED = 20

Observer = Callable[[Callable[[], Any], list[torch.Tensor]], tuple[Any, dict[str, Any]]]


class LocalAttest:
    """`attest(f, *args)` gives an Observation of the call; `attest.backward(f, *args)` of its backward pass."""

    def __call__(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Observation:
        """Observe f(*args, **kwargs). Raises `CheckFailed` when observing changes the result."""
        __tracebackhide__ = True
        # imported here: grader.inside belongs to the cell, and only local mode has both sides in one process
        from grader.inside.observe import observe_forward

        return _observed(observe_forward, f, args, kwargs)

    def backward(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Observation:
        """Observe the backward pass of f's outputs, with ones coming in, by the arguments that require grad."""
        __tracebackhide__ = True
        from grader.inside.observe import observe_backward

        return _observed(observe_backward, f, args, kwargs)


def _observed(observe: Observer, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
    __tracebackhide__ = True
    torch.manual_seed(SEED)
    plain = f(*copied_tree(args), **copied_tree(kwargs))
    watched_args, watched_kwargs = copied_tree(args), copied_tree(kwargs)
    inputs = [tensor for _, tensor in named_tensors((watched_args, watched_kwargs), "argument")]
    torch.manual_seed(SEED)
    result, seen = observe(lambda: f(*watched_args, **watched_kwargs), inputs)
    expect_same_result(result, plain)
    return observation(result, seen)
