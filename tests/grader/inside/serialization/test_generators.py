"""Checks the states of random number generators that cells send. A state that a generator can have after drawing numbers is
accepted. Every other state is refused before torch reads it.
"""

import struct
from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.contract.wire import WireError
from grader.inside.serialization.generators import set_state

DRAWS: list[Callable[[torch.Generator], object]] = [
    lambda g: torch.rand((), generator=g),
    lambda g: torch.rand(623, generator=g),
    lambda g: torch.randn(3, generator=g),
    lambda g: torch.randn(1, dtype=torch.float64, generator=g),
    lambda g: torch.randn(700, dtype=torch.float64, generator=g),
    lambda g: torch.randperm(50, generator=g),
    lambda g: torch.empty(5).normal_(generator=g),
    lambda g: torch.empty(5).exponential_(generator=g),
    lambda g: torch.multinomial(torch.ones(9), 4, generator=g),
    lambda g: torch.bernoulli(torch.full((31,), 0.5), generator=g),
    lambda g: torch.randint(0, 1 << 40, (9,), generator=g),
    lambda g: g.manual_seed(7),
    lambda g: g.seed(),
]


def state(generator: torch.Generator) -> bytearray:
    return bytearray(generator.get_state().numpy().tobytes())


@settings(max_examples=300, deadline=None, database=None)
@given(st.integers(0, 2**63 - 1), st.lists(st.sampled_from(DRAWS), max_size=8))
def test_whatever_was_drawn_the_state_arrives(seed: int, draws: list[Callable[[torch.Generator], object]]) -> None:
    there, here = torch.Generator().manual_seed(seed), torch.Generator()
    for draw in draws:
        draw(there)
    set_state(here, memoryview(state(there)))
    assert torch.equal(torch.rand(700, generator=there), torch.rand(700, generator=here))
    assert torch.equal(torch.randn(3, generator=there), torch.randn(3, generator=here))


SPOILT = {
    "left and next beyond the end": (8, "<iiQ", (624, 1, 624)),
    "next beyond the end": (16, "<Q", (625,)),
    "next of another block": (16, "<Q", (5,)),
    "left below zero": (8, "<i", (-1,)),
    "never seeded": (12, "<i", (0,)),
    "seeded twice": (12, "<i", (2,)),
    "a word of 33 bits": (24, "<Q", (1 << 32,)),
    "no words": (24, "<624Q", (0,) * 624),
    "a sample that is not finite": (5016, "<d", (float("nan"),)),
    "a sample far away": (5024, "<d", (1e300,)),
    "a flag of 2": (5040, "<i", (2,)),
    "a float that is not finite": (5048, "<f", (float("inf"),)),
    "a byte flag of 2": (5052, "<B", (2,)),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_state_that_no_draws_lead_to_is_refused(name: str) -> None:
    generator = torch.Generator().manual_seed(3)
    torch.rand(10, generator=generator)
    before = state(generator)
    spoilt = bytearray(before)
    offset, form, values = SPOILT[name]
    struct.pack_into(form, spoilt, offset, *values)
    assert spoilt != before
    with pytest.raises(WireError):
        set_state(generator, memoryview(spoilt))
    assert state(generator) == before


@pytest.mark.parametrize("size", [0, 16, 5048, 5055, 5057])
def test_a_state_of_another_size_is_refused(size: int) -> None:
    data = state(torch.Generator())[:size].ljust(size, b"\0")
    with pytest.raises(WireError):
        set_state(torch.Generator(), memoryview(data))


@settings(max_examples=300, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(0, 5055), st.integers(0, 255)), min_size=1, max_size=4))
def test_after_any_change_draws_read_the_state_alone(changes: list[tuple[int, int]]) -> None:
    generator = torch.Generator().manual_seed(3)
    spoilt = state(generator)
    for place, value in changes:
        spoilt[place] = value
    try:
        set_state(generator, memoryview(spoilt))
    except WireError:
        return
    left, _, following = struct.unpack_from("<iiQ", state(generator), 8)
    assert following + left <= 625
