"""Profiles one call of the answer. Runs in the cell, in the module of the chain: `package.py` appends it to the chain's source.

The answer runs in the same process and could change the result, so the result is the answer's own claim.
"""

import time
from types import ModuleType
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode


class _OperatorTimes(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Adds up the time that each operator of torch takes."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seconds: dict[str, float] = {}

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        began = time.perf_counter()
        result = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
        return result


class _Profiled:
    """The answer's module. Calls of its functions are profiled, but what the chain itself does is not."""

    def __init__(self, solution: ModuleType, times: _OperatorTimes) -> None:
        self._solution, self._times = solution, times

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._solution, name)
        if not callable(found) or isinstance(found, type):
            return found

        def profiled(*args: Any, **kwargs: Any) -> Any:
            with self._times:
                return found(*args, **kwargs)

        return profiled


def profile_operators(solution: ModuleType, size: int, seed: int) -> dict[str, float]:
    """Return the seconds of each operator in one call of the answer. If the answer's entries are classes, the whole chain is
    profiled.
    """
    chain = globals()["chain"]
    chain(solution, size, 1, seed)
    times = _OperatorTimes()
    chain(_Profiled(solution, times), size, 1, seed)
    if not times.seconds:
        with times:
            chain(solution, size, 1, seed)
    return times.seconds
