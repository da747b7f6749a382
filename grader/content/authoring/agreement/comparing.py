"""Gives every accepted answer the calls that tests make, and edge inputs derived from them, and compares the results.

The text of this file runs in the cell; the gate does not import it.
"""

import functools
import inspect
import json
import random
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

from grader.content.authoring.agreement.edges import copied, features, is_plain, variants

# The gate reads lines that begin with this text (grader.gate.agreement).
MARK = "gradus-agreement:"
# For each function, this many calls with arguments of different types and shapes get edge inputs, and this many calls in all are
# repeated.
MOST_EDGES, MOST_CALLS = 2, 12
# The relative tolerance by dtype. It is wider than that of the tests, because edge inputs may be badly conditioned.
FINE = {torch.float64: 1e-6, torch.complex128: 1e-6, torch.float32: 1e-3, torch.complex64: 1e-3}
FINE_OTHERS = 3e-2
Function = Callable[..., Any]
# What a call led to: the name of the exception, or an empty text, and the result.
Outcome = tuple[str, Any]
_inside = [False]
_printed: set[tuple[str, ...]] = set()
_calls = Counter[str]()
_shapes: dict[str, set[str]] = {}


def compare(namespace: dict[str, Any], entries: list[dict[str, Any]], sources: list[tuple[str, str]]) -> None:
    """Wrap the functions of the reference and of probes.py, so that every source in `sources` repeats each call."""
    answers = [(name, _loaded(name, source)) for name, source in sources]
    for entry in entries:
        name = entry["name"]
        if entry["kind"] == "function" and entry["returns"] != "iterator":
            others = [(label, getattr(module, name)) for label, module in answers]
            namespace[name] = _compared(name, namespace[name], others)
    probes = sys.modules.get("probes")
    for name, probe in list(vars(probes).items()) if probes else []:
        if isinstance(probe, types.FunctionType) and probe.__module__ == "probes" and not name.startswith("_"):
            others = [(label, functools.partial(probe, module)) for label, module in answers]
            setattr(probes, name, _compared(name, probe, others, skipped=1))


def _loaded(name: str, source: str) -> types.ModuleType:
    module = types.ModuleType(f"accepted_{name.replace('-', '_')}")
    sys.modules[module.__name__] = module
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    return module


def _compared(name: str, function: Function, answers: list[tuple[str, Function]], skipped: int = 0) -> Function:
    """Wrap a function. `skipped` is the number of first arguments that are not passed on: a probe's module."""
    names = list(inspect.signature(function).parameters)[skipped:]

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        given = {**dict(zip(names, args[skipped:], strict=False)), **kwargs}
        positional = len(args) - skipped
        if _inside[0] or positional > len(names) or not is_plain(given) or _calls[name] >= MOST_CALLS:
            return function(*args, **kwargs)
        _calls[name] += 1
        kept = copied(given)
        _inside[0] = True
        try:
            result = function(*args, **kwargs)
            state = torch.get_rng_state(), random.getstate()
            # A test may have set saved-tensor hooks, which must not be called for the repeated calls.
            with torch.autograd.graph.saved_tensors_hooks(_unchanged, _unchanged):
                _repeated(name, kept, positional, answers)
            torch.set_rng_state(state[0])
            random.setstate(state[1])
            return result
        finally:
            _inside[0] = False

    return wrapped


def _unchanged(tensor: Tensor) -> Tensor:
    return tensor


def _repeated(name: str, given: dict[str, Any], positional: int, answers: list[tuple[str, Function]]) -> None:
    for argument, feature in features(given):
        _print("passed", name, argument, feature)
    for argument, kind, arguments in _inputs(name, given):
        first, *others = [(label, _outcome(function, arguments, positional)) for label, function in answers]
        for label, outcome in others:
            if agree(first[1], outcome):
                continue
            if kind and (
                first[1][0] or outcome[0] or not agree(first[1], _outcome(answers[0][1], arguments, positional, 1))
            ):
                continue  # an answer refuses this input, or the result is random
            shown = ", ".join(f"{key}={_shown(value)}" for key, value in arguments.items())[:300]
            results = _shown(first[1][1])[:120], _shown(outcome[1])[:120]
            _print("differs", name, argument, kind, first[0], label, more=[shown, *results])


def _print(*what: str, more: Iterable[str] = ()) -> None:
    if what not in _printed:
        _printed.add(what)
        print(MARK + json.dumps([*what, *more]), flush=True)


def _inputs(name: str, given: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the arguments of a call, with an empty kind, and edge inputs derived from them."""
    yield "", "", given
    shapes = _shapes.setdefault(name, set())
    key = _key(given)
    if key not in shapes and len(shapes) < MOST_EDGES:
        shapes.add(key)
        yield from variants(given)


def _key(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{value.dtype}{tuple(value.shape)}"
    if isinstance(value, dict):
        return "".join(f"{name}{_key(item)}" for name, item in value.items())
    return f"[{' '.join(map(_key, value))}]" if isinstance(value, list | tuple) else type(value).__name__


def _outcome(function: Function, arguments: dict[str, Any], positional: int, seed: int = 0) -> Outcome:
    torch.manual_seed(seed)
    random.seed(seed)
    made = list(copied(arguments).items())
    try:
        return "", function(*(value for _, value in made[:positional]), **dict(made[positional:]))
    except Exception as error:
        return type(error).__name__, None


def agree(a: Any, b: Any) -> bool:
    """Return whether two results are equal within rounding. A list and a tuple, and two numbers of Python, may be equal."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _agree_tensors(a.detach(), b.detach())
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(agree(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b or (a != a and b != b) or abs(a - b) <= FINE[torch.float64] * abs(a)  # noqa: PLR0124
    return type(a).__name__ == type(b).__name__ and (not is_plain(a) or isinstance(a, torch.Generator) or bool(a == b))


def _agree_tensors(a: Tensor, b: Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.is_floating_point() or a.is_complex()):
        return torch.equal(a, b)
    fine = FINE.get(a.dtype, FINE_OTHERS)
    finite = a[torch.isfinite(a)].abs()
    scale = float(finite.max()) if finite.numel() else 0.0
    return torch.allclose(a, b, rtol=fine, atol=fine * max(scale, 1e-2), equal_nan=True)


def _shown(value: Any) -> str:
    if isinstance(value, Tensor):
        return repr(value.detach().tolist()) if value.numel() <= 12 else f"tensor{tuple(value.shape)}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_shown, value)) + "]" if type(value) in (list, tuple) else repr(value)
