"""Defines saboteurs that change how the reference is called, or the state that the reference keeps between calls.

The text of this file runs in the cell; the gate does not import it.
"""

import copy
import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor, nn

from grader.content.authoring.sabotage.call import Call
from grader.content.authoring.sabotage.noticing import marking, reaches, same, seen, tensors_in

Saboteur = Callable[[Call], Any]
_results: dict[Any, Any] = {}


def first_result(call: Call) -> Any:
    """Returns the result of the first call for all later calls with arguments of the same shapes."""
    key = call.key()
    if key not in _results:
        # `call.me` stays alive, so no other object can get its id, which is in the key.
        _results[key] = (call(), call.me)
        return _results[key][0]
    old = _results[key][0]
    if marking() and not same(old, call()):
        seen()
    return old


def mutated_input(call: Call) -> Any:
    """Adds 1 in place to the first floating-point tensor among the arguments."""
    result = call()
    for tensor in call.tensors()[:1]:
        with suppress(RuntimeError), torch.no_grad():  # an expanded tensor cannot be written to
            tensor.add_(1)
            seen()
    return result


def without_gradient(which: int) -> Saboteur:
    """Detaches the first (0) or the last (-1) differentiable argument from the graph."""

    def saboteur(call: Call) -> Any:
        found = call.differentiable()
        if not found or (which and len(found) == 1) or not torch.is_grad_enabled():
            return call()
        target = found[which]
        if marking() and reaches(call(), target):
            seen()
        return call.exchanged(lambda item: item.detach() if item is target else item)

    return saboteur


def negated_for_negative(call: Call) -> Any:
    """Returns the result with the wrong sign if the first floating-point tensor in the arguments has a negative sum."""
    negative = call.negative()
    result = call()
    if (
        not negative
        or not isinstance(result, Tensor | float)
        or (isinstance(result, Tensor) and result.dtype is torch.bool)
    ):
        return result
    if not same(result, -result):
        seen()
    return -result


def aliased_input(call: Call) -> Any:
    """Returns an argument itself instead of the result if both have the same values."""
    result = call()
    if not isinstance(result, Tensor) or result.requires_grad:
        return result
    for item in call.given:
        if isinstance(item, Tensor) and item is not result and same(item, result):
            if item.data_ptr() != result.data_ptr():
                seen()
            return item
    return result


def reseeding(call: Call) -> Any:
    """Seeds torch's global random number generator at the beginning of every call, so that all calls draw the same numbers."""
    before = torch.get_rng_state()
    torch.manual_seed(11)
    seeded = torch.get_rng_state()
    result = call()
    after = torch.get_rng_state()
    if torch.equal(seeded, after):
        torch.set_rng_state(before)
    elif marking():
        torch.set_rng_state(before)
        if not same(call(), result) or not torch.equal(torch.get_rng_state(), after):
            seen()
    return result


def ignored_generator(call: Call) -> Any:
    """Replaces a random number generator in the arguments by a new one with the seed 0."""

    def other(item: Any) -> Any:
        if not isinstance(item, torch.Generator):
            return item
        fresh = torch.Generator().manual_seed(0)
        made.append((fresh, fresh.get_state()))
        return fresh

    made: list[tuple[torch.Generator, Tensor]] = []
    result = call.exchanged(other)
    if any(not torch.equal(generator.get_state(), start) for generator, start in made):
        seen()
    return result


def ignored_options(call: Call) -> Any:
    """Uses the defaults of all optional arguments, ignoring what was passed."""
    bound, others = other_options(call)
    if bound is None:
        return call()
    if others:
        seen()
    bound.arguments.update(others)
    return call.function(*bound.args, **bound.kwargs)


def other_options(call: Call) -> tuple[inspect.BoundArguments | None, dict[str, Any]]:
    """Bind the arguments of a call to the function's signature.

    Returns a pair: the bound arguments (None if they do not fit the signature), and a dict with the default value of each
    argument whose value in this call differs from its default.
    """
    try:
        bound = inspect.signature(call.function).bind(*call.args, **call.kwargs)
    except (TypeError, ValueError):
        return None, {}
    others = {}
    for name, parameter in bound.signature.parameters.items():
        given = bound.arguments.get(name, parameter.default)
        if parameter.default is parameter.empty or given is parameter.default or same(given, parameter.default):
            continue
        others[name] = parameter.default
    return bound, others


def nothing_done(call: Call) -> Any:
    """Does nothing and returns None."""
    if marking():
        before = call.state()
        if call() is not None or not same(before, call.state()):
            seen()
    return None


def called_twice(call: Call) -> Any:
    """Makes the call twice and returns the second result. Calls that return an iterator are made only once."""
    first = call()
    if isinstance(first, Iterator):
        return first
    before = call.state() if marking() else []
    second = call()
    if marking() and not (same(first, second) and same(before, call.state())):
        seen()
    return second


def other_error(call: Call) -> Any:
    """Raises an exception of another type if the reference raises an exception."""
    try:
        return call()
    except StopIteration:
        raise
    except Exception as error:
        seen()
        kind = ValueError if isinstance(error, RuntimeError) else RuntimeError
        raise kind("sabotaged") from None


def no_error(call: Call) -> Any:
    """Returns None if the reference raises an exception."""
    try:
        return call()
    except StopIteration:
        raise
    except Exception:
        seen()
        return None


def fixed_mode(training: bool) -> Saboteur:
    """Return a saboteur that ignores the mode of the module. If `training`, it always behaves as in training mode, otherwise
    always as in evaluation mode.
    """

    def saboteur(call: Call) -> Any:
        if not isinstance(call.me, nn.Module) or all(m.training is training for m in call.me.modules()):
            return call()
        if marking() and mode_matters(call, training):
            seen()
        flags = [(module, module.training) for module in call.me.modules()]
        for module, _ in flags:
            module.training = training
        try:
            return call()
        finally:
            for module, flag in flags:
                module.training = flag

    return saboteur


def mode_matters(call: Call, training: bool) -> bool:
    """Return whether a call would have another result or effect if the module were in the mode `training`.

    Makes the call in both modes on copies of the module. Returns False if the call raises an exception in the current mode.
    """
    ends, before = [], torch.get_rng_state()
    try:
        for change in (False, True):
            torch.set_rng_state(before)
            one = copy.deepcopy(call.me)
            for module in one.modules() if change else ():
                module.training = training
            try:
                result = call.function(one, *call.given, **call.kwargs)
            except Exception:
                return change
            ends.append([result, torch.get_rng_state(), *(t.detach() for t in tensors_in(one))])
    finally:
        torch.set_rng_state(before)
    return not same(*ends)


def state_gap(call: Call) -> Any:
    """Removes the last entry of a state dict."""
    result = call()
    if isinstance(result, dict) and result:
        seen()
        del result[list(result)[-1]]
    return result


def extra_parameter(call: Call) -> Any:
    """Adds a parameter to the module."""
    call()
    if isinstance(call.me, nn.Module):
        seen()
        call.me.register_parameter("sabotaged", nn.Parameter(torch.zeros(1)))


def frozen_parameters(call: Call) -> Any:
    """Sets requires_grad of all parameters to False."""
    call()
    for parameter in call.me.parameters() if isinstance(call.me, nn.Module) else ():
        if parameter.requires_grad:
            seen()
            parameter.requires_grad_(False)


# Maps each saboteur's id to the kinds of calls that it changes, and to its function. "call" means calls of functions, methods,
# forward and apply; "init" means calls of constructors; "state" means calls of state_dict.
CALLS: dict[str, tuple[tuple[str, ...], Saboteur]] = {
    "first-result-kept": (("call",), first_result),
    "mutated-input": (("call",), mutated_input),
    "first-input-cut-off": (("call",), without_gradient(0)),
    "last-input-cut-off": (("call",), without_gradient(-1)),
    "negated-for-negative": (("call",), negated_for_negative),
    "aliased-input": (("call",), aliased_input),
    "reseeded": (("call",), reseeding),
    "ignored-generator": (("call",), ignored_generator),
    "ignored-options": (("call",), ignored_options),
    "ignored-settings": (("init",), ignored_options),
    "nothing-done": (("call",), nothing_done),
    "called-twice": (("call",), called_twice),
    "other-error": (("call", "init"), other_error),
    "no-error": (("call", "init"), no_error),
    "always-training": (("call",), fixed_mode(True)),
    "always-evaluating": (("call",), fixed_mode(False)),
    "gap-in-state": (("state",), state_gap),
    "extra-parameter": (("init",), extra_parameter),
    "frozen-parameters": (("init",), frozen_parameters),
}
