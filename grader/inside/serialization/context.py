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
from typing import Any

import numpy as np
import torch

from grader.inside.serialization.values import DTYPE_NAMES, DTYPES

MT19937_BYTES = 624 * 4 + 4


def capture(secret: bytes) -> dict[str, Any]:
    """Return the current context of the judge as JSON data."""
    seeds = {name: hashlib.blake2b(state, key=secret, digest_size=7).digest() for name, state in _states().items()}
    return {
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": _autocast(),
        "dtype": DTYPE_NAMES[torch.get_default_dtype()],
        "seeds": {name: int.from_bytes(digest, "big") for name, digest in seeds.items()},
    }


def _autocast() -> str | None:
    return DTYPE_NAMES[torch.get_autocast_dtype("cpu")] if torch.is_autocast_enabled("cpu") else None


class DrawDetector:
    """Seeds the random number generators, and later detects which of them have been used. If the next number of a generator is
    the first number that its seed gives, the generator has not been used.
    """

    def __init__(self, seeds: Mapping[str, int]) -> None:
        seed(seeds)
        self._first = _next_draws()
        seed(seeds)

    def names(self) -> list[str]:
        """Return the libraries (torch, random, numpy) whose random number generators were used since they were seeded. The
        check itself draws a number from `random` and one from NumPy.
        """
        return [name for name, number in _next_draws().items() if number != self._first[name]]


def _next_draws() -> dict[str, Any]:
    # For torch the state is compared, because drawing a number would call an operator. An attestation (the record of the
    # operators that a call runs) would count that operator.
    state = torch.get_rng_state().numpy().tobytes()
    return {"torch": state, "random": random.random(), "numpy": np.random.random_sample()}


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
    """
    return {
        "torch": torch.get_rng_state().numpy().tobytes(),
        "random": repr(hash(random.getstate())).encode(),
        "numpy": ctypes.string_at(_numpy().ctypes.state_address, MT19937_BYTES),
    }


def _numpy() -> Any:
    """Return the bit generator that numpy.random.seed seeds. `_states` reads its memory, because `get_state` takes longer than
    the rest of a call.
    """
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
