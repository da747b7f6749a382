"""Turns source text into a module with the declared entry points, inside the candidate's process."""

import ast
import inspect
import linecache
import sys
import types
from dataclasses import asdict
from typing import Any

import torch

from grader.inside.screen import FILENAME, Complaint, screen

_KINDS = {
    "function": "a function",
    "class": "a class",
    "module": "a class derived from torch.nn.Module",
    "autograd_function": "a class derived from torch.autograd.Function",
}


class Refused(Exception):
    """The source is refused because it must not be run, or because a declared entry point is missing or wrong. `complaint` says
    why.
    """

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.message)
        self.complaint = asdict(complaint)


def module_from(name: str, source: str, filename: str) -> types.ModuleType:
    """Execute a source as a module. Adds it to sys.modules, which dataclasses need, and to linecache, which tracebacks need."""
    module = types.ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)
    return module


def load_solution(source: str, entries: list[dict[str, Any]], forbidden: tuple[str, ...]) -> types.ModuleType:
    """Screen, execute and check the candidate's source. Raises Refused, and any exception that the source raises."""
    complaint = screen(source, forbidden)
    if complaint:
        raise Refused(complaint)
    module = module_from("solution", source, FILENAME)
    for entry in entries:
        _check_entry(module, entry)
    return module


def _check_entry(module: types.ModuleType, entry: dict[str, Any]) -> None:
    name, kind = entry["name"], entry["kind"]
    if not hasattr(module, name):
        raise Refused(Complaint("CE", f"`{name}` is missing: define {_KINDS[kind]}, `{entry['signature']}`"))
    value = getattr(module, name)
    if not _is_kind(value, kind):
        raise Refused(Complaint("CE", f"`{name}` must be {_KINDS[kind]}, found {_found(value)}"))
    # torch.autograd.Function.apply takes arguments by position only, so the parameters of `forward` can have any names.
    if kind != "autograd_function":
        _check_signature(value, entry)


def _is_kind(value: Any, kind: str) -> bool:
    if kind == "function":
        return callable(value) and not isinstance(value, type)
    if not isinstance(value, type):
        return False
    bases = {"class": object, "module": torch.nn.Module, "autograd_function": torch.autograd.Function}
    return issubclass(value, bases[kind])


def _found(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__[:80]}({', '.join(b.__name__[:80] for b in value.__bases__)})"
    if callable(value):
        return "a function"
    return f"an object of type {type(value).__name__[:80]}"


def _check_signature(value: Any, entry: dict[str, Any]) -> None:
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return
    if not _accepts(list(found.parameters.values()), _parameters(entry["signature"])):
        shown = str(found)[:300]
        raise Refused(Complaint("CE", f"the signature is `{entry['name']}{shown}`, expected `{entry['signature']}`"))


def _parameters(signature: str) -> list[str]:
    """Return the parameter names of a declared signature such as `attention(q, k, v, mask=None)`."""
    head = ast.parse(f"def {signature.partition('->')[0].strip()}: ...").body[0]
    assert isinstance(head, ast.FunctionDef)
    arguments = head.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _accepts(parameters: list[inspect.Parameter], declared: list[str]) -> bool:
    star = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    names = [p.name for p in named]
    if star and names == declared[: len(names)]:
        return True
    extra_has_default = all(p.default is not p.empty for p in named[len(declared) :])
    return names[: len(declared)] == declared and extra_has_default
