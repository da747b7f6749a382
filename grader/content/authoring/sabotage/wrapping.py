"""Wraps the reference's entries, which are the functions and classes that challenge.toml declares, in a saboteur.

The text of this file runs in the cell; the gate does not import it.
"""

import functools
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

from grader.content.authoring.sabotage.call import Call
from grader.content.authoring.sabotage.call_changes import CALLS, Saboteur
from grader.content.authoring.sabotage.forging import FORGERIES, forge
from grader.content.authoring.sabotage.noticing import mark, same
from grader.content.authoring.sabotage.value_changes import GRAPHS, VALUES, mapped
from grader.content.authoring.sabotage.watching import watched

_inside = [0]


def sabotage(namespace: dict[str, Any], name: str, entries: list[dict[str, Any]], marking: bool) -> None:
    """Make the saboteur `name` change every call that a test makes to a declared entry.

    If one entry calls another, the inner call is not changed. With `marking`, the process exits at the first change that a test
    could notice.
    """
    if marking:
        mark()
    if name in FORGERIES:
        forge(name)
        return
    where, saboteur = _named(name)
    for entry in entries:
        for kind, owner, attribute in _places(namespace, entry):
            if kind in where:
                _wrap(owner, attribute, saboteur)


def watch(namespace: dict[str, Any], names: list[str], entries: list[dict[str, Any]]) -> None:
    """Let the saboteurs in `names` watch the calls of the declared entries without changing these calls (see watching.py)."""
    for entry in entries:
        for kind, owner, attribute in _places(namespace, entry):
            if looking := watched(names, kind):
                _wrap(owner, attribute, looking)


def _named(name: str) -> tuple[tuple[str, ...], Saboteur]:
    if name in CALLS:
        return CALLS[name]
    if name in VALUES:
        return ("call",), lambda call: mapped(VALUES[name], call(), same)
    return ("call",), lambda call: mapped(GRAPHS[name], call(), operator.is_)


def _places(namespace: dict[str, Any], entry: dict[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield the callables of an entry, each as a triple: the kind of call ("call", "init" or "state"), the class or namespace
    that holds the callable, and the callable's name.
    """
    if entry["kind"] == "function":
        yield "call", namespace, entry["name"]
        return
    owner = namespace[entry["name"]]
    if entry["kind"] == "autograd_function":
        yield "call", owner, "apply"
        return
    yield "init", owner, "__init__"
    methods = dict.fromkeys((*entry["methods"], "__call__", "forward"))
    for method in methods:
        module_call = entry["kind"] == "module" and method == "__call__"
        if callable(getattr(owner, method, None)) and not module_call and not _of_metaclass(owner, method):
            yield "state" if method == "state_dict" else "call", owner, method
    if entry["kind"] == "module" and "state_dict" not in methods:
        yield "state", owner, "state_dict"


def _of_metaclass(owner: type, method: str) -> bool:
    return not any(method in vars(base) for base in owner.__mro__)


def _wrap(owner: Any, attribute: str, saboteur: Saboteur) -> None:
    if isinstance(owner, dict):
        owner[attribute] = _around(owner[attribute], False, saboteur)
        return
    found = inspect.getattr_static(owner, attribute)
    if attribute == "apply" or isinstance(found, staticmethod | classmethod):
        setattr(owner, attribute, staticmethod(_around(getattr(owner, attribute), False, saboteur)))
    else:
        setattr(owner, attribute, _around(found, True, saboteur))


def _around(function: Callable[..., Any], bound: bool, saboteur: Saboteur) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if _inside[0]:
            return function(*args, **kwargs)
        _inside[0] += 1
        try:
            return saboteur(Call(function, bound, args, kwargs))
        finally:
            _inside[0] -= 1

    return wrapped
