"""The context that is sent with each call: grad mode, autocast, default dtype, and a seed for each library that draws random
numbers.

A seed is a one-way hash of the state of the judge's random number generator, keyed with a secret that is drawn for each
judging. If the judge's generator is in the same state at two calls, the answer draws the same numbers in both. The answer
cannot compute from a seed which numbers the judge draws.

All three generators are Mersenne Twisters: a block of 624 words of 32 bits, and the position of the next word. A draw moves the
position, and the draw after the last word computes new words. So two states are equal if their positions and their first words
are. Only these are read, because reading three whole states takes longer than the rest of a call.
"""

import ctypes
import hashlib
import random
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from grader.inside.serialization.values import DTYPE_NAMES, DTYPES

WORDS = 16
"""How many words of a state are read. That two states of a generator agree in them by chance has a probability of 2**-512."""

# Types of ctypes, to read bytes at an address. `random` has the position before the words, NumPy has it after all of them. torch
# has the seed, two numbers and the position before the words, stores a word in 64 bits, and ends a state with the normal samples
# that wait for the next draw.
_Position, _Words = ctypes.c_char * 4, ctypes.c_char * (4 * WORDS)
_PythonHead, _TorchHead, _TorchTail = (
    ctypes.c_char * (4 + 4 * WORDS),
    ctypes.c_char * (24 + 8 * WORDS),
    ctypes.c_char * 40,
)
_NUMPY_POSITION = 4 * 624
# The generator behind the functions of `random`. In CPython, its C object holds the state after the header.
_PYTHON: Any = random._inst


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

    # The seeds of the last detector of this process, and the states after seeding.
    _last: tuple[Mapping[str, int], dict[str, bytes]] = ({}, {})

    def __init__(self, seeds: Mapping[str, int]) -> None:
        self._seeded = _states()
        # Few answers draw random numbers. If the generators are still where the last call got them, they are not seeded again.
        if (seeds, self._seeded) != DrawDetector._last or torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            seed(seeds)
            self._seeded = _states()
            DrawDetector._last = (seeds, self._seeded)

    def names(self) -> list[str]:
        """Return the libraries (torch, random, numpy) whose random number generators were used since they were seeded."""
        return [name for name, state in _states().items() if state != self._seeded[name]]


@contextmanager
def applied(context: dict[str, Any], device: torch.device) -> Iterator[DrawDetector]:
    """Run the `with` block in the context that the judge sent."""
    drawn = DrawDetector(context["seeds"])
    before = torch.get_default_dtype()
    _set_default_dtype(DTYPES[context["dtype"]])
    inference = torch.inference_mode() if context["inference"] else nullcontext()
    try:
        with torch.set_grad_enabled(context["grad"]), inference, _autocasting(context["autocast"], device):
            yield drawn
    finally:
        _set_default_dtype(before)


def _set_default_dtype(dtype: torch.dtype) -> None:
    if torch.get_default_dtype() is not dtype:
        torch.set_default_dtype(dtype)


def _autocasting(dtype: str | None, device: torch.device) -> AbstractContextManager[object]:
    return torch.autocast(device.type, DTYPES[dtype]) if dtype else nullcontext()


def _states() -> dict[str, bytes]:
    """Return the position and the first words of each global random number generator (torch on the CPU, `random`, NumPy)."""
    state = torch.default_generator.get_state()
    torch_at, numpy_at = state.data_ptr(), _numpy().ctypes.state_address
    samples_at = torch_at + state.numel() - ctypes.sizeof(_TorchTail)
    words = _Words.from_address(numpy_at).raw
    return {
        "torch": _TorchHead.from_address(torch_at).raw + _TorchTail.from_address(samples_at).raw,
        "random": _PythonHead.from_address(id(_PYTHON) + object.__basicsize__).raw + repr(_PYTHON.gauss_next).encode(),
        "numpy": words + _Position.from_address(numpy_at + _NUMPY_POSITION).raw,
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
