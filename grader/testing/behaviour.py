"""Defines checks that concern an answer's behaviour and not the values of its results. An answer must not change its arguments,
must be deterministic for a seed, must use train and eval mode correctly, and must be able to save and load its state.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.closeness import assert_close
from grader.testing.comparison.difference import identical
from grader.testing.comparison.strictness import strictly
from grader.testing.comparison.trees import copied, copied_tree, named_tensors


@dataclass(frozen=True)
class TensorSnapshot:
    """A copy of a tensor's values, strides and version counter before a call."""

    values: Tensor
    strides: tuple[int, ...]
    version: int | None


def assert_not_mutated(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call f and return its result. Fails if f changed the values, the strides or the version counter of a tensor in the
    arguments, or the items of a container.

    A tensor counts as changed even if f overwrote it with the same values, because its version counter has increased.
    """
    __tracebackhide__ = True
    arguments = {f"argument {i}": arg for i, arg in enumerate(args)}
    arguments |= {f"argument {name}": arg for name, arg in kwargs.items()}
    shapes = {name: _outline(arg) for name, arg in arguments.items()}
    tensors = [(n, t) for name, arg in arguments.items() for n, t in named_tensors(arg, name)]
    before = [_snapshot(tensor) for _, tensor in tensors]
    with strictly():
        result = f(*args, **kwargs)
    for name, arg in arguments.items():
        if _outline(arg) != shapes[name]:
            raise CheckFailed(f"{name} was changed: other items than before the call")
    for (name, tensor), was in zip(tensors, before, strict=True):
        if change := _change(tensor, was):
            raise CheckFailed(f"{name} was changed in place: {change}")
    return result


def _outline(tree: Any) -> object:
    """Describe a tree of arguments, so that its state before a call can be compared with its state afterwards. Describes
    containers by their items, plain values by type and value, and other objects by identity.
    """
    if type(tree) in (list, tuple):
        return [_outline(item) for item in tree]
    if isinstance(tree, dict):
        return [(type(key), key, _outline(item)) for key, item in tree.items()]
    if type(tree) in (bool, int, str, bytes):
        return (type(tree), tree)
    return id(tree)


def _snapshot(tensor: Tensor) -> TensorSnapshot:
    return TensorSnapshot(copied(tensor), tuple(tensor.stride()), _version(tensor))


def _version(tensor: Tensor) -> int | None:
    return None if tensor.is_inference() else int(tensor._version)


def _change(tensor: Tensor, before: TensorSnapshot) -> str:
    if tensor.shape != before.values.shape or tuple(tensor.stride()) != before.strides:
        return "its shape or strides"
    if not identical(tensor, before.values):
        return "its values"
    return "it was written to" if _version(tensor) != before.version else ""


def assert_deterministic(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call f twice on copies of the arguments with the same torch seed. Fails unless the two results are equal bit for bit.

    Returns the first result. Restores the state of torch's random number generator afterwards.
    """
    __tracebackhide__ = True
    with _seeded():
        first = f(*copied_tree(args), **copied_tree(kwargs))
    with _seeded():
        second = f(*copied_tree(args), **copied_tree(kwargs))
    # This call compares types, containers and plain values. The bits of tensors are compared below.
    assert_close(second, first, rtol=0.0, atol=0.0, equal_nan=True, name="second call with the same seed")
    pairs = zip(named_tensors(first, "output"), named_tensors(second, "output"), strict=True)
    for (name, one), (_, other) in pairs:
        if not identical(one, other):
            raise CheckFailed(f"{name}: two calls with the same seed differ")
    return first


@contextmanager
def _seeded(seed: int = 20) -> Iterator[None]:
    # torch.manual_seed is not used, because it formats a stack trace for each device that is not initialised, which takes 1 ms.
    state = torch.get_rng_state()
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(state)


def assert_ignores_mode(module: Any, *args: Any, **kwargs: Any) -> None:
    """Fail unless the module returns the same output in train() and eval() mode for the same seed. Restores the module's mode
    afterwards.
    """
    __tracebackhide__ = True
    trained, evaluated = _both_modes(module, args, kwargs)
    assert_close(trained, evaluated, name="output of train() against eval()")


def assert_mode_matters(module: Any, *args: Any, **kwargs: Any) -> None:
    """Fail if the module returns the same output in train() and eval() mode for the same seed. Restores the module's mode
    afterwards.

    Two outputs can be equal by chance, for example if dropout drops no element. Choose large inputs or a high dropout rate.
    """
    __tracebackhide__ = True
    trained, evaluated = _both_modes(module, args, kwargs)
    try:
        assert_close(trained, evaluated)
    except CheckFailed:
        return
    raise CheckFailed("train() and eval() give the same output")


def _both_modes(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    __tracebackhide__ = True
    mode = module.training
    try:
        outputs = [_in_mode(module, training, args, kwargs) for training in (False, True)]
    finally:
        module.train() if mode else module.eval()
    return outputs[1], outputs[0]


def _in_mode(module: Any, training: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    __tracebackhide__ = True
    verb = "train" if training else "eval"
    module.train() if training else module.eval()
    if module.training is not training:
        raise CheckFailed(f"{verb}() does not set `training` to {training}")
    with _seeded():
        return module(*copied_tree(args), **copied_tree(kwargs))


def assert_state_dict_round_trip(make: Callable[[], Any], inputs: Sequence[Any] | Tensor) -> None:
    """Make two modules and load the same state into both. Fails unless all of the state is loaded, both modules return the same
    output, and the output depends on the state.

    The loaded state is the state_dict of the first module, with all floating-point values changed. So the check also works for
    modules that are always initialised with the same weights.
    """
    __tracebackhide__ = True
    args = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    first, second = make().eval(), make().eval()
    state = {key: _moved(value) for key, value in first.state_dict().items()}
    if not state:
        raise CheckFailed("state_dict() is empty: nothing would be saved")
    before = _output(first, args)
    first.load_state_dict(copied_tree(state))
    second.load_state_dict(copied_tree(state))
    assert_close(dict(second.state_dict()), state, rtol=0.0, atol=0.0, equal_nan=True, name="state_dict()")
    after = _output(first, args)
    assert_close(_output(second, args), after, name="output after load_state_dict()")
    if _same(before, after):
        raise CheckFailed("the output does not depend on what load_state_dict() loads")


def _output(module: Any, args: tuple[Any, ...]) -> Any:
    with _seeded():
        return module(*copied_tree(args))


def _moved(value: Any) -> Any:
    """Return a copy of an entry of a state_dict in which all floating-point values are changed. Positive values stay positive,
    and equal tensors (tied weights) stay equal.
    """
    if not isinstance(value, Tensor) or not value.dtype.is_floating_point:
        return value
    noise = torch.rand(value.shape, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
    moved = value.detach().cpu().double() * (1 + 0.25 * noise) + 0.125 * noise
    return moved.to(value.device, value.dtype)


def _same(one: Any, other: Any) -> bool:
    pairs = zip(named_tensors(one, "output"), named_tensors(other, "output"), strict=True)
    return all(identical(a, b) for (_, a), (_, b) in pairs)
