"""Provides the fixture `attest` in local mode, in which the tests and the answer run in one process. The fixture makes a call
twice with the same seed, observes the second call, and compares the two results.
"""

from collections.abc import Callable
from typing import Any

import torch

from grader.testing.comparison.trees import copied_tree, named_tensors
from grader.testing.observation import Observation, expect_same_result, observation

SEED = 20

Observer = Callable[[Callable[[], Any], list[torch.Tensor]], tuple[Any, dict[str, Any]]]


class LocalAttest:
    """The fixture `attest`. `attest(f, *args)` returns an Observation of a call, and `attest.backward(f, *args)` returns an
    Observation of the call's backward pass.
    """

    def __call__(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Observation:
        """Observe f(*args, **kwargs). Raises `CheckFailed` if observing changes the result."""
        __tracebackhide__ = True
        # Imported in the function, because code of grader.inside normally runs only in the cell. In local mode, this process
        # runs it too.
        from grader.inside.cell.observe import observe_forward

        return _observed(observe_forward, f, args, kwargs)

    def backward(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Observation:
        """Observe the backward pass of f(*args, **kwargs). The backward pass starts with gradients of ones for all outputs."""
        __tracebackhide__ = True
        from grader.inside.cell.observe import observe_backward

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
