"""Lets saboteurs watch calls of the reference. A saboteur that watches finds out whether a test could notice its change, but
changes nothing. The text of this file runs in the cell; the gate does not import it.

All saboteurs in `names` watch the same calls. Each saboteur whose change a test could notice is reported once, by a line on the
process's standard output: MARK followed by its name. If the tests accept the watched reference, the saboteurs that were not
reported are idle: they change nothing that a test could notice.
"""

import functools
import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from grader.content.authoring.sabotage.call import Call
from grader.content.authoring.sabotage.call_changes import CALLS, mode_matters, other_options
from grader.content.authoring.sabotage.noticing import reaches, same
from grader.content.authoring.sabotage.value_changes import GRAPHS, VALUES, differs

MARK = "gradus-noticed:"
# A Python generator that inspects one call for one saboteur. It looks at the arguments, yields, receives the call's result by
# `send`, and returns whether a test could notice the saboteur's change.
Look = Generator[None, Any, bool]
Watch = Callable[[Call], Look]
_results: dict[Any, Any] = {}
_reported: set[str] = set()


def watched(names: list[str], kind: str) -> Callable[[Call], Any] | None:
    """Return a function that makes a call while those saboteurs in `names` watch it that change calls of this kind.

    Returns None if no saboteur in `names` changes calls of this kind.
    """
    fitting = [name for name in names if kind in (CALLS[name][0] if name in CALLS else ("call",))]
    if not fitting:
        return None

    def call_watched(call: Call) -> Any:
        looks = [(name, WATCHES[name](call)) for name in fitting if name in WATCHES and name not in _reported]
        for name, look in looks:
            _ask(name, functools.partial(_looked, look, None))
        try:
            result = call()
        except StopIteration:
            raise
        except Exception:
            for name in fitting:
                if name in RAISING:
                    _report(name)
            raise
        for name, look in looks:
            _ask(name, functools.partial(_looked, look, result))
        if isinstance(result, Iterator):
            return (_value(fitting, item) for item in result)
        return _value(fitting, result)

    return call_watched


def _ask(name: str, look: Callable[[], bool]) -> None:
    """Report the saboteur `name` if `look` returns True, which means that a test could notice its change.

    Also reports it if `look` raises an exception, because the saboteur's change would make the call raise it too.
    """
    if name in _reported:
        return
    try:
        # A test may have set saved-tensor hooks, which must not be called for operators that `look` runs. torch calls only the
        # innermost hooks, so hooks that do nothing are set here.
        with torch.autograd.graph.saved_tensors_hooks(_unchanged, _unchanged):
            found = look()
    except Exception:
        found = True
    if found:
        _report(name)


def _report(name: str) -> None:
    """Write the line that reports the saboteur `name`, unless this process has written it before."""
    if name not in _reported:
        _reported.add(name)
        # Not through sys.stdout, because a test may replace it. The line may follow text that does not end in a line break.
        os.write(1, f"\n{MARK}{name}\n".encode())


def _unchanged(tensor: Tensor) -> Tensor:
    return tensor


def _looked(look: Look, result: Any) -> bool:
    try:
        look.send(result)
    except StopIteration as end:
        return bool(end.value)
    return False


def _value(fitting: list[str], value: Any) -> Any:
    for name in fitting:
        change = VALUES.get(name) or GRAPHS.get(name)
        if change is not None:
            _ask(name, functools.partial(differs, change, value, exact=name in GRAPHS))
    return value


def _first_result(call: Call) -> Look:
    key = call.key()
    before = call.state() if key in _results else []
    result = yield
    if key not in _results:
        # `call.me` stays alive, so no other object can get its id, which is in the key.
        _results[key] = (result, call.me)
        return False
    return not (same(_results[key][0], result) and same(before, call.state()))


def _mutated_input(call: Call) -> Look:
    yield
    for tensor in call.tensors()[:1]:
        try:
            # Writes without a change. Through `data`, autograd does not count it as a change either.
            tensor.data.add_(0)
        except RuntimeError:  # an expanded tensor cannot be written to
            return False
        return True
    return False


def _without_gradient(which: int) -> Watch:
    def watch(call: Call) -> Look:
        found = call.differentiable()
        asked = bool(found) and not (which and len(found) == 1) and torch.is_grad_enabled()
        result = yield
        return asked and reaches(result, found[which])

    return watch


def _negated_for_negative(call: Call) -> Look:
    negative = call.negative()
    result = yield
    if not negative or not isinstance(result, Tensor | float):
        return False
    return not (isinstance(result, Tensor) and result.dtype is torch.bool) and not same(result, -result)


def _aliased_input(call: Call) -> Look:
    result = yield
    if not isinstance(result, Tensor) or result.requires_grad:
        return False
    equal = [item for item in call.given if isinstance(item, Tensor) and item is not result and same(item, result)]
    return any(item.data_ptr() != result.data_ptr() for item in equal[:1])


def _reseeded(call: Call) -> Look:
    before = torch.get_rng_state()
    yield
    return not torch.equal(before, torch.get_rng_state())


def _ignored_generator(call: Call) -> Look:
    given = [g for g in (*call.given, *call.kwargs.values()) if isinstance(g, torch.Generator)]
    before = [g.get_state() for g in given]
    yield
    return not all(map(torch.equal, before, (g.get_state() for g in given)))


def _ignored_options(call: Call) -> Look:
    noticed = bool(other_options(call)[1])
    yield
    return noticed


def _nothing_done(call: Call) -> Look:
    before = call.state()
    result = yield
    return result is not None or not same(before, call.state())


def _fixed_mode(training: bool) -> Watch:
    def watch(call: Call) -> Look:
        module = isinstance(call.me, nn.Module) and not all(m.training is training for m in call.me.modules())
        noticed = module and mode_matters(call, training)
        yield
        return noticed

    return watch


def _state_gap(call: Call) -> Look:
    result = yield
    return isinstance(result, dict) and bool(result)


def _extra_parameter(call: Call) -> Look:
    yield
    return isinstance(call.me, nn.Module)


def _frozen_parameters(call: Call) -> Look:
    yield
    return isinstance(call.me, nn.Module) and any(p.requires_grad for p in call.me.parameters())


RAISING = ("other-error", "no-error")
WATCHES: dict[str, Watch] = {
    "first-result-kept": _first_result,
    "mutated-input": _mutated_input,
    "first-input-cut-off": _without_gradient(0),
    "last-input-cut-off": _without_gradient(-1),
    "negated-for-negative": _negated_for_negative,
    "aliased-input": _aliased_input,
    "reseeded": _reseeded,
    "ignored-generator": _ignored_generator,
    "ignored-options": _ignored_options,
    "ignored-settings": _ignored_options,
    "nothing-done": _nothing_done,
    "always-training": _fixed_mode(True),
    "always-evaluating": _fixed_mode(False),
    "gap-in-state": _state_gap,
    "extra-parameter": _extra_parameter,
    "frozen-parameters": _frozen_parameters,
}
