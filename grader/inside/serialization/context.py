"""The context that is sent with each call: grad mode, autocast, default dtype, and a seed for each library that draws random
numbers.

A seed is a one-way hash of the state of the judge's random number generator, keyed with a secret that is drawn for each
judging. If the judge's generator is in the same state at two calls, the answer draws the same numbers in both. The answer
cannot compute from a seed which numbers the judge draws.
"""

import ctypes
import hashlib
import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from grader.inside.serialization.values import DTYPE_NAMES, DTYPES

MT19937_BYTES = 624 * 4 + 4
# The generator behind the functions of `random`. In CPython, its state is everything in the C object after the header, apart
# from the attribute gauss_next.
_PYTHON: Any = random._inst
_PYTHON_BYTES = random.Random.__mro__[1].__basicsize__ - object.__basicsize__


def capture(secret: bytes) -> dict[str, Any]:
    """Return the current context of the judge as JSON data."""
    return {
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": _autocast(),
        "dtype": DTYPE_NAMES[torch.get_default_dtype()],
        "seeds": {name: _seed(state, secret) for name, state in _states().items()},
    }


@lru_cache(maxsize=8)  # between two calls of the answer, tests rarely use the global generators
def _seed(state: bytes, secret: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(state, key=secret, digest_size=7).digest(), "big")


def _autocast() -> str | None:
    return DTYPE_NAMES[torch.get_autocast_dtype("cpu")] if torch.is_autocast_enabled("cpu") else None


class DrawDetector:
    """Seeds the random number generators, and later detects which of them have been used, by their states."""

    def __init__(self, seeds: Mapping[str, int]) -> None:
        seed(seeds)
        self._seeded = _states()

    def names(self) -> list[str]:
        """Return the libraries (torch, random, numpy) whose random number generators were used since they were seeded."""
        return [name for name, state in _states().items() if state != self._seeded[name]]


@contextmanager
def applied(context: dict[str, Any], device: torch.device) -> Iterator[DrawDetector]:
    """Run the `with` block in the context that the judge sent."""
    drawn = DrawDetector(context["seeds"])
    before = torch.get_default_dtype()
    torch.set_default_dtype(DTYPES[context["dtype"]])
    try:
        with ExitStack() as stack:
            stack.enter_context(torch.set_grad_enabled(context["grad"]))
            if context["inference"]:
                stack.enter_context(torch.inference_mode())
            if context["autocast"]:
                stack.enter_context(torch.autocast(device.type, DTYPES[context["autocast"]]))
            yield drawn
    finally:
        torch.set_default_dtype(before)


def _states() -> dict[str, bytes]:
    """Return the state of each global random number generator (torch on the CPU, `random`, NumPy), as bytes that change
    whenever the generator advances.

    The memory of `random` and NumPy is read, because `random.getstate` and NumPy's `get_state` take longer than the rest of a
    call.
    """
    return {
        "torch": torch.default_generator.get_state().numpy().tobytes(),
        "random": ctypes.string_at(id(_PYTHON) + object.__basicsize__, _PYTHON_BYTES)
        + repr(_PYTHON.gauss_next).encode(),
        "numpy": ctypes.string_at(_numpy().ctypes.state_address, MT19937_BYTES),
    }


def _numpy() -> Any:
    """Return the bit generator that numpy.random.seed seeds."""
    return np.random.mtrand._rand._bit_generator


def draw(names: list[str]) -> None:
    """Draw one number from the judge's random number generator of each library in `names`. The answer has used these libraries'
    generators in the cell. Without a draw, the next call would give the answer the same seed again.
    """
    if "torch" in names:
        torch.rand(1)
    if "random" in names:
        random.random()
    if "numpy" in names:
        np.random.random_sample()


def seed(seeds: Mapping[str, int]) -> None:
    """Seed torch (every device that is in use), `random` and NumPy's legacy generator."""
    # torch.manual_seed is not used, because it formats a stack trace for each device that is not initialised, which takes 1 ms.
    torch.default_generator.manual_seed(seeds["torch"])
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.manual_seed_all(seeds["torch"])
    random.seed(seeds["random"])
    np.random.seed(seeds["numpy"] % 2**32)
