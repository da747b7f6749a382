"""Observes a call inside the candidate's process. Counts dispatched operators and torch functions, and lists the tensors that
are saved for the backward pass.

The result (an *attestation*) proves nothing against a hostile answer, which runs in the same process and can forge it.

Calls are counted in three ways. A TorchDispatchMode counts dispatched operators. A TorchFunctionMode counts torch functions,
because some functions, such as `F.scaled_dot_product_attention`, decompose into other operators for some inputs. Both modes see
one thread only, cannot see inside custom operators, and can be switched off by the answer. Therefore torch's profiler counts
operators too.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._C._autograd import (
    _disable_profiler,
    _enable_profiler,
    _prepare_profiler,
    _record_function_with_args_enter,
    _record_function_with_args_exit,
)
from torch._C._profiler import ProfilerActivity, ProfilerConfig, ProfilerState, _ExperimentalConfig
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

Seen = dict[str, Any]
MAX_NAMES = 4096
MAX_SAVED = 10_000
MAX_NODES = 10_000
_QUIET = "KINETO_LOG_LEVEL"
_BEGIN, _END = "gradus begins", "gradus ends"


class _Functions(TorchFunctionMode):
    def __init__(self, names: Counter[str]) -> None:
        super().__init__()
        self._names = names

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._names[resolve_name(func) or getattr(func, "__name__", "?")] += 1
        return func(*args, **(kwargs or {}))


class _Operators(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self, names: Counter[str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._names = names
        self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._names[func.overloadpacket._qualified_op_name] += 1
        out = func(*args, **(kwargs or {}))
        for value in out if isinstance(out, tuple | list) else (out,):
            if isinstance(value, torch.Tensor):
                self.largest = max(self.largest, value.numel())
        return out


@contextmanager
def _watched(names: Counter[str]) -> Iterator[_Operators]:
    """Count the torch functions and operators that run inside the `with` block. For an operator that only the profiler saw, use
    the profiler's count.
    """
    operators = _Operators(names)
    # The profiler is started through torch._C, because the answer may have replaced functions of torch.autograd.profiler.
    config = ProfilerConfig(
        ProfilerState.KINETO, False, False, False, False, False, _ExperimentalConfig(profile_all_threads=True)
    )
    os.environ[_QUIET] = "9"
    try:
        _prepare_profiler(config, {ProfilerActivity.CPU})
    finally:
        os.environ.pop(_QUIET, None)
    _enable_profiler(config, {ProfilerActivity.CPU})
    try:
        _mark(_BEGIN)
        with _Functions(names), operators:
            yield operators
        _mark(_END)
    finally:
        events = _disable_profiler().events()
    if not {_BEGIN, _END} <= {event.name() for event in events}:
        raise RuntimeError("the profiler was stopped in a call that is observed")
    everywhere = Counter(
        name for event in events if "::" in (name := event.name()) and not name.startswith("autograd::")
    )
    for name, count in everywhere.items():
        names.setdefault(name, count)


def _mark(name: str) -> None:
    _record_function_with_args_exit(_record_function_with_args_enter(name))


def warm_up() -> None:
    """Look up the name of a torch function once, before any job runs. At the first look-up, torch builds its index of names,
    which takes about a second.

    The profiler is not used here, because it starts a thread that would not survive a fork.
    """
    names: Counter[str] = Counter()
    x = torch.randn(2, 2)
    with _Functions(names), _Operators(names):
        torch.nn.functional.relu(x @ x)
    _saved(x, [x])


def _listed(names: Counter[str]) -> dict[str, int]:
    """Return how often each operator or torch function was called. Raises RuntimeError if there are more than MAX_NAMES names:
    if the list were cut instead, an answer could hide an operator.
    """
    if len(names) > MAX_NAMES:
        raise RuntimeError(f"a call that is observed runs at most {MAX_NAMES:,} different operators")
    return dict(names)


def observe_forward(call: Callable[[], Any], inputs: list[torch.Tensor]) -> tuple[Any, Seen]:
    """Run `call` and observe it. Returns the value of the call, and the observations as JSON data."""
    names: Counter[str] = Counter()
    saved: list[torch.Tensor] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        saved.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t), _watched(names) as operators:
        value = call()
    if len(saved) > MAX_SAVED:
        raise RuntimeError(f"a call that is observed saves at most {MAX_SAVED:,} tensors")
    return value, {
        "operators": _listed(names),
        "largest_numel": operators.largest,
        "saved": [_saved(t, inputs) for t in saved],
        "extra_attributes": _extra_attributes(value),
    }


def observe_backward(call: Callable[[], Any], inputs: list[torch.Tensor]) -> tuple[Any, Seen]:
    """Run `call`, then observe its backward pass, with ones as the gradients of the outputs. Returns the forward value, and the
    observations as JSON data.
    """
    value = call()
    outputs = [t for t in (value if isinstance(value, tuple | list) else (value,)) if _has_graph(t)]
    leaves = [t for t in inputs if t.requires_grad]
    names: Counter[str] = Counter()
    ones = [torch.ones_like(t) for t in outputs]
    largest = 0
    if outputs and leaves:
        with _watched(names) as operators:
            torch.autograd.grad(outputs, leaves, ones, allow_unused=True)
        largest = operators.largest
    return value, {
        "operators": _listed(names),
        "largest_numel": largest,
        "saved": [],
        "extra_attributes": [],
    }


def _has_graph(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _saved(tensor: torch.Tensor, inputs: list[torch.Tensor]) -> dict[str, Any]:
    pointer = tensor.untyped_storage().data_ptr()
    same = (i for i, t in enumerate(inputs) if t.untyped_storage().data_ptr() == pointer and t.shape == tensor.shape)
    return {
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "bytes": tensor.numel() * tensor.element_size(),
        "is_input": next(same, None),
    }


def _extra_attributes(value: Any) -> list[str]:
    """Search the result's graph for tensors that custom autograd Functions keep as attributes of ctx instead of passing them to
    save_for_backward. Returns the names of these attributes.
    """
    values = value if isinstance(value, tuple | list) else (value,)
    waiting = [item.grad_fn for item in values if isinstance(item, torch.Tensor) and item.grad_fn is not None]
    known, found = set(waiting), set()
    while waiting and len(known) < MAX_NODES:
        node = waiting.pop()
        found |= {str(name)[:80] for name, kept in getattr(node, "__dict__", {}).items() if _holds_a_tensor(kept)}
        below = {n for n, _ in node.next_functions if n is not None} - known
        known |= below
        waiting += below
    return sorted(found)


def _holds_a_tensor(kept: Any) -> bool:
    items = kept.values() if isinstance(kept, dict) else kept if isinstance(kept, tuple | list | set) else (kept,)
    return any(isinstance(item, torch.Tensor) for item in items)
