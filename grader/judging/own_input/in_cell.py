"""Runs a candidate's own input in the cell, after the answer. Used as probes.py of a comparison (see `package.py`).

The input is Python code that ends with a call of one of the answer's functions, `attention(q, k, v)`, or of a new module,
`RMSNorm(4)(x)`. It builds the arguments here, so it can reach
nothing that the answer could not reach. Only the arguments leave the cell, as plain data.
"""

import ast
import linecache
import math
import traceback
from typing import Any

import torch
from torch import nn

FILENAME = "input.py"
# The name under which the input is stored in the answer's module. `package.py` appends its value to this text.
VARIABLE = ""
# Torch's seed when the input starts, so that the same input always builds the same arguments.
SEED = 0
MODULES = {"torch": torch, "nn": nn, "F": nn.functional, "math": math}
MAX_BYTES = 16 << 20
MAX_TEXT = 2000


def arguments(solution: Any, functions: list[str], modules: list[str]) -> dict[str, Any]:
    """Run the input. Returns its call: the name of the function or module, the arguments, and in `made` the arguments with
    which the module is made. If there is a problem, returns a text and a line of the input.

    `functions` and `modules` are the names that the input may call.
    """
    text = vars(solution)[VARIABLE]
    linecache.cache[FILENAME] = (len(text), None, text.splitlines(keepends=True), FILENAME)
    torch.manual_seed(SEED)
    try:
        name, made, args, kwargs = _evaluated(text, solution, functions, modules)
    except _Refused as problem:
        return {"problem": str(problem), "line": problem.line}
    except SyntaxError as error:
        return {"problem": f"{type(error).__name__}: {error.msg}"[:MAX_TEXT], "line": error.lineno}
    except BaseException as error:
        return {"problem": _text(error), "line": _line(error)}
    return {"name": name, "made": made and [list(made[0]), made[1]], "args": list(args), "kwargs": kwargs}


class _Refused(Exception):
    """The input cannot be used. `line` is the line to which this refers, or None."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def _evaluated(
    text: str, solution: Any, functions: list[str], modules: list[str]
) -> tuple[str, Arguments | None, tuple[Any, ...], dict[str, Any]]:
    tree = ast.parse(text, FILENAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    call = last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    maker = _maker(call, tree) if call else None
    named = maker.func if maker else call.func if call else None
    if call is None or not isinstance(named, ast.Name) or named.id not in (modules if maker else functions):
        forms = [*(f"{name}(...)" for name in functions), *(f"{name}(...)(...)" for name in modules)]
        message = f"The last line must be a call of the form {' or '.join(forms)}."
        raise _Refused(message, last.lineno if last else None)
    namespace = {**MODULES, **vars(solution), "__name__": "__input__", "_gradus_arguments_of": _arguments_of}
    exec(compile(tree, FILENAME, "exec", dont_inherit=True), namespace)
    made = _arguments(maker, namespace) if maker else None
    args, kwargs = _arguments(call, namespace)
    size = sum(tensor.numel() * tensor.element_size() for tensor in _tensors([made, args, kwargs]))
    if size > MAX_BYTES:
        raise _Refused(f"The arguments have {size >> 20} MiB. At most {MAX_BYTES >> 20} MiB are allowed.", call.lineno)
    return named.id, made, args, kwargs


def _maker(call: ast.Call, tree: ast.Module) -> ast.Call | None:
    """Return the call that makes the called module: `RMSNorm(4)` for `RMSNorm(4)(x)`, and also for `norm(x)` after the line
    `norm = RMSNorm(4)`. Returns None if a function is called.
    """
    if isinstance(call.func, ast.Call):
        return call.func
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    for node in reversed(tree.body):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node.value if isinstance(node.value, ast.Call) else None  # type: ignore[attr-defined]
    return None


def _arguments(call: ast.Call, namespace: dict[str, Any]) -> Arguments:
    """Evaluate the arguments of a call, in order, without calling the function."""
    function = ast.copy_location(ast.Name("_gradus_arguments_of", ast.Load()), call.func)
    instead = ast.copy_location(ast.Call(function, call.args, call.keywords), call)
    found: Arguments = eval(compile(ast.Expression(instead), FILENAME, "eval", dont_inherit=True), namespace)
    return found


def _arguments_of(*args: Any, **kwargs: Any) -> Arguments:
    return args, kwargs


def _tensors(value: Any) -> list[torch.Tensor]:
    """Return the tensors of a tree of lists, tuples and dicts. A tree that is nested too deeply raises RecursionError."""
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if type(value) is dict else value if type(value) in (list, tuple) else ()
    return [tensor for part in parts for tensor in _tensors(part)]


def _text(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:MAX_TEXT]
    except BaseException:
        return type(error).__name__


def _line(error: BaseException) -> int | None:
    """Return the line of the input at which an exception was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILENAME]
    return lines[-1] if lines else None
