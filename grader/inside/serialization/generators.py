"""Checks the state of a torch.Generator that comes out of a cell, before the state is used.

`Generator.set_state` checks only a few of the numbers in a state. If the numbers that it does not check are wrong, later draws
read memory beyond the state.

`torch.Generator.get_state` returns these fields, little-endian:

    seed u64, left i32, seeded i32, next u64
    624 words: 32-bit numbers, each stored in 64 bits
    x f64, y f64, rho f64, valid i32    normal samples are drawn in pairs; this is the second one, kept for the next draw
    f32, valid u8                       the same for float32
"""

import math
import struct

import torch

from grader.contract.wire import WireError

_HEAD = struct.Struct("<QiiQ")
_NORMAL = struct.Struct("<dddi4xf?3x")
_WORDS = 624
_SIZE = _HEAD.size + 8 * _WORDS + _NORMAL.size
# A kept normal sample must be closer to 0 than this. A sample made from 53 random bits is at most 8.6 away from 0.
_FARTHEST = 16.0


def set_state(generator: torch.Generator, data: memoryview) -> None:
    """Set the state of a torch.Generator. Raises WireError if no generator can have this state."""
    if len(data) != _SIZE or generator.get_state().numel() != _SIZE:
        raise WireError("the state of a generator that has another size")
    _, left, seeded, following, *words = struct.unpack(f"<QiiQ{_WORDS}Q", data[: _SIZE - _NORMAL.size])
    # A torch.Generator is either freshly seeded, or at a valid position in its block of 624 numbers.
    if (left, following) != (1, 0) and not (1 <= following <= _WORDS and left + following == _WORDS + 1):
        raise WireError("the state of a generator that points outside itself")
    if seeded != 1 or not any(words) or max(words) >= 1 << 32:
        raise WireError("the state of a generator that was never seeded")
    x, y, rho, valid, single, _ = _NORMAL.unpack(data[_SIZE - _NORMAL.size :])
    waiting = (x, y, rho, single)
    if valid not in (0, 1) or data[_SIZE - 4] > 1 or not all(math.isfinite(n) and abs(n) < _FARTHEST for n in waiting):
        raise WireError("the state of a generator with a sample that it cannot have drawn")
    generator.set_state(torch.frombuffer(bytearray(data), dtype=torch.uint8))
