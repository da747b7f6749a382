"""Compares the answer with the reference on a candidate's own input. Used as tests.py of a comparison (see `package.py`), so
no hidden test is in the memory of the process that runs this.

The candidate learns the facts of `_facts` and nothing else: shapes, dtypes, types, whether the results match, the largest
difference to two digits, and the type of an exception of the reference. Values and messages of the reference stay here.
"""

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.inside.judge.remote.errors import RemoteError, UnsupportedResult
from grader.inside.serialization.context import seed
from grader.inside.serialization.failures import family
from grader.testing import CheckFailed, assert_close, check, sample
from grader.testing.comparison.difference import difference, wide
from grader.testing.comparison.trees import copied_tree, map_tensors

# The functions and modules that the input may call, and the functions that may change their arguments. `package.py` appends
# their names.
FUNCTIONS: list[str] = []
MODULES: list[str] = []
MUTATING: list[str] = []
NO_CALL = "the input returned no call"
# The limits of the process in which the reference runs.
REFERENCE_CPU_S = 5
REFERENCE_BYTES = 2 << 30
# The largest part of a nested result that is described.
MAX_ITEMS = 16
MAX_DEPTH = 2


class InputProblem(RemoteError):
    """The input is wrong, or raised an exception. The message is shown to the candidate."""


@sample
def test_own_input(solution: Any, probes: Any, reference: Any, exhibit: Any) -> None:
    """Your answer and the reference return the same for your input."""
    call = _call(probes)
    yours = _answered(call, solution)
    facts = _in_child(lambda: _facts(call, yours, reference))
    about = "Of the result and the arguments after the call: " if call.name in MUTATING else ""
    text = about + _sentence(facts)
    exhibit.records.append({"title": text, "kind": "comparison", "data": {"name": call.name, **facts}})
    if yours.error is not None and not facts["matches"]:
        raise yours.error
    check(facts["matches"], text)


@dataclass
class Call:
    """The call at the end of the input. `made` holds the arguments with which a module is made; None for a function."""

    name: str
    made: tuple[list[Any], dict[str, Any]] | None
    args: list[Any]
    kwargs: dict[str, Any]


@dataclass
class Answered:
    """What the answer returned, or the exception that it raised. `state` holds the parameters and buffers of its module before
    the call, and `seeds` the seeds of the call.
    """

    value: Any = None
    error: RemoteError | None = None
    state: dict[str, torch.Tensor] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)


def _call(probes: Any) -> Call:
    """Run the input in the cell, and return its call. The cell could send anything, so each part is checked."""
    try:
        found = probes.arguments(FUNCTIONS, MODULES)
    except UnsupportedResult as refused:
        text = f"An argument is {refused.detail}. Pass tensors, numbers, texts, and lists, tuples and dicts of these."
        raise InputProblem(text, text) from None
    except RemoteError as raised:
        raise InputProblem(raised.message, raised.text) from None
    if type(found) is dict and type(found.get("problem")) is str:
        line = f"Line {found['line']} of your input: " if type(found.get("line")) is int else ""
        raise InputProblem(found["problem"], f"{line}{found['problem']}")
    check(type(found) is dict and set(found) == {"name", "made", "args", "kwargs"}, NO_CALL)
    call = Call(**found)
    check(type(call.name) is str and call.name in (FUNCTIONS if call.made is None else MODULES), NO_CALL)
    _check_arguments([call.args, call.kwargs])
    if call.made is not None:
        _check_arguments(call.made)
    return call


def _check_arguments(pair: object) -> None:
    args, kwargs = pair if type(pair) is list and len(pair) == 2 else (None, None)
    check(type(args) is list and type(kwargs) is dict and all(type(key) is str for key in kwargs), NO_CALL)


def _answered(call: Call, solution: Any) -> Answered:
    """Make the call in the cell."""
    answered = Answered()
    target = getattr(solution, call.name)
    given = copied_tree((call.args, call.kwargs))
    try:
        if call.made is not None:
            made = copied_tree(call.made)
            target = target(*made[0], **made[1])
            answered.state = {name: tensor.detach().clone() for name, tensor in target.state_dict().items()}
        # The reference gets the seeds that the cell gets, so it draws the same random numbers if it draws in the same way.
        answered.seeds = target._gradus_session.context()["seeds"]
        answered.value = _with_arguments(call.name, target(*given[0], **given[1]), given)
    except RemoteError as raised:
        answered.error = raised
    return answered


def _with_arguments(name: str, result: Any, given: Any) -> Any:
    """Return what is compared: the result, and for a function that may change its arguments also these."""
    args, kwargs = given
    return (result, *args, *kwargs.values()) if name in MUTATING else result


def _facts(call: Call, yours: Answered, reference: Any) -> dict[str, Any]:
    """Make the same call of the reference, and compare. Returns what the candidate may know."""
    own = {"raised": yours.error.family} if yours.error is not None else {"returned": _described(yours.value)}
    facts: dict[str, Any] = {"yours": own, "reference": {}, "matches": False, "largest": None}
    given = copied_tree((call.args, call.kwargs))
    try:
        target = getattr(reference, call.name)
        if call.made is not None:
            target = target(*call.made[0], **call.made[1])
            if yours.error is None and not _takes(target, yours.state):
                return {**facts, "reference": {"parameters": "differ"}}
        if yours.seeds:
            seed(yours.seeds)
        expected = _with_arguments(call.name, target(*given[0], **given[1]), given)
    except BaseException as raised:
        kind = family(raised)
        return {**facts, "reference": {"raised": kind}, "matches": own == {"raised": kind}}
    expected = map_tensors(lambda tensor: tensor.detach(), expected)
    facts["reference"] = {"returned": _described(expected)}
    if yours.error is None:
        value = map_tensors(lambda tensor: tensor.detach(), yours.value)
        facts["matches"] = _matches(value, expected)
        facts["largest"] = _largest(value, expected)
    return facts


def _takes(module: torch.nn.Module, state: dict[str, torch.Tensor]) -> bool:
    """Give the reference's module the parameters of the answer's. Returns False if their names or shapes differ."""
    try:
        module.load_state_dict(state)
    except RuntimeError:
        return False
    return True


def _matches(yours: Any, expected: Any) -> bool:
    try:
        assert_close(yours, expected, equal_nan=True)
    except CheckFailed:
        return False
    return True


def _described(value: Any, depth: int = 0) -> dict[str, Any]:
    """Describe a value by its type, and a tensor by its shape and dtype. Does not contain keys of dicts or lengths of texts."""
    if isinstance(value, torch.Tensor):
        return {"type": "Tensor", "shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
    found: dict[str, Any] = {"type": type(value).__name__}
    if isinstance(value, list | tuple | dict):
        items = list(value.values() if isinstance(value, dict) else value)
        found["length"] = len(items)
        if depth < MAX_DEPTH:
            found["items"] = [_described(item, depth + 1) for item in items[:MAX_ITEMS]]
    return found


def _largest(yours: Any, expected: Any) -> float | None:
    """Return the largest difference between two numbers at the same place, to two digits. Returns None if no numbers were
    compared, because the shapes or types differ, and also if it is infinite: only one of the two is NaN or infinite.
    """
    found = [float(error) for error in _errors(yours, expected)]
    largest = max(found, default=float("inf"))
    return float(f"{largest:.1e}") if largest < float("inf") else None


def _errors(yours: Any, expected: Any) -> Iterator[torch.Tensor | float]:
    if isinstance(yours, torch.Tensor) and isinstance(expected, torch.Tensor):
        comparable = yours.shape == expected.shape and not yours.is_meta and not expected.is_meta
        if not comparable:
            yield float("inf")
        elif expected.numel():
            yield difference(wide(yours), wide(expected), equal_nan=True).error.max()
    elif type(yours) in (int, float, complex) and type(expected) in (int, float, complex):
        yield _error(yours, expected)
    elif type(yours) is type(expected) and isinstance(yours, list | tuple) and len(yours) == len(expected):
        for one, other in zip(yours, expected, strict=True):
            yield from _errors(one, other)
    elif type(yours) is type(expected) is dict and set(yours) == set(expected):
        for key, one in yours.items():
            yield from _errors(one, expected[key])
    elif type(yours) is not type(expected):
        yield float("inf")


def _error(yours: complex, expected: complex) -> float:
    if yours == expected or (yours != yours and expected != expected):  # noqa: PLR0124 - true for NaN only
        return 0.0
    try:
        error = abs(complex(yours) - complex(expected))
    except OverflowError:
        return float("inf")
    return error if error < float("inf") else float("inf")


def _in_child(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run `work` in a child process with limits of its own, because a candidate chooses the arguments of the reference: they
    may take much time or memory, or crash torch. Raises InputProblem if the child does not finish.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (REFERENCE_CPU_S, REFERENCE_CPU_S + 1))
            resource.setrlimit(resource.RLIMIT_DATA, (REFERENCE_BYTES, REFERENCE_BYTES))
            os.write(writing, json.dumps(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        written = pipe.read()
    _, ending = os.waitpid(child, 0)
    if ending == 0:
        facts: dict[str, Any] = json.loads(written)
        return facts
    text = "The reference cannot be run with this input."
    if os.WIFSIGNALED(ending) and os.WTERMSIG(ending) in (signal.SIGXCPU, signal.SIGKILL):
        text = f"The reference takes longer than {REFERENCE_CPU_S} s or too much memory with this input."
    raise InputProblem(text, f"{text} Use a smaller one.")


def _sentence(facts: dict[str, Any]) -> str:
    """Say in one line what was found."""
    yours, reference = facts["yours"], facts["reference"]
    if "parameters" in reference:
        return "The parameters of your module have other names or shapes than the reference's, so nothing was compared."
    if "raised" in reference:
        if facts["matches"]:
            return f"Both your answer and the reference raise {reference['raised']}."
        own = f"your answer raises {yours['raised']}" if "raised" in yours else "your answer returns a result"
        return f"The reference raises {reference['raised']}; {own}."
    found = _phrase(reference["returned"])
    if "raised" in yours:
        return f"Your answer raises {yours['raised']}; the reference returns {found}."
    if not facts["matches"] and yours["returned"] != reference["returned"]:
        return _difference_of_form(yours["returned"], reference["returned"])
    largest = "" if facts["largest"] is None else f", largest difference {facts['largest']:.2g}"
    return (
        f"{found[:1].upper()}{found[1:]}: {'matches' if facts['matches'] else 'differs from'} the reference{largest}."
    )


def _difference_of_form(yours: dict[str, Any], reference: dict[str, Any]) -> str:
    """Say how two results with different shapes, dtypes or types differ."""
    if yours["type"] == reference["type"] == "Tensor":
        for part in ("shape", "dtype"):
            if yours[part] != reference[part]:
                return f"{part.capitalize()} differs: yours {yours[part]}, the reference's {reference[part]}."
    return f"The result differs in form: yours is {_phrase(yours)}, the reference's is {_phrase(reference)}."


def _phrase(form: dict[str, Any]) -> str:
    if form["type"] == "Tensor":
        return f"shape {form['shape']}, {form['dtype']}"
    if "length" in form:
        items = [_phrase(item) for item in form.get("items", [])[:4]]
        inside = f" ({'; '.join(items)}{'; ...' if form['length'] > len(items) else ''})" if items else ""
        return f"{form['type']} of {form['length']}{inside}"
    return str(form["type"])
