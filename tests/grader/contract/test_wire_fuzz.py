"""Checks the decoders with random bytes from a cell. Decoding must return a value or raise a documented error, and must use
little memory. In addition, inputs that once crashed a decoder are decoded again.

These tests run the targets of `make fuzz` with fewer inputs. `make fuzz` runs longer and is guided by coverage.
"""

import tracemalloc
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.contract.wire import HEADER, MAGIC, NO_CALL, Kind
from tests.fuzz.mutate import frames_of, mutate
from tests.fuzz.seeds import conversations, crashes
from tests.fuzz.targets import CONVERSATIONS, COUNT, TARGETS

MANY = settings(max_examples=300, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = conversations()
POOL = [frame for data in SEEDS for frame in frames_of(data[1:])]
targets = pytest.mark.parametrize("target", TARGETS)


def framed(tree: bytes, blob: bytes = b"", *, kind: int = Kind.REPLY, which: int = 0) -> bytes:
    return bytes([which]) + HEADER.pack(MAGIC, kind, NO_CALL, len(tree), len(blob)) + tree + blob


@targets
@MANY
@given(st.binary(max_size=200))
def test_any_bytes(target: str, data: bytes) -> None:
    TARGETS[target](data)


@targets
@MANY
@given(st.binary(max_size=80), st.binary(max_size=64), st.sampled_from(list(Kind)), st.integers(0, 6))
def test_any_tree_in_a_whole_frame(target: str, tree: bytes, blob: bytes, kind: int, which: int) -> None:
    TARGETS[target](framed(tree, blob, kind=kind, which=which))


@targets
@MANY
@given(st.sampled_from(SEEDS), st.integers(0, len(CONVERSATIONS) - 1), st.integers(0, 2**32), st.integers(1, 6))
def test_conversations_that_were_changed_a_little(
    target: str, seed: bytes, which: int, chance: int, times: int
) -> None:
    data, rng = bytes([which]) + seed[1:], Random(chance)
    for _ in range(times):
        data = mutate(data, rng, POOL)
    TARGETS[target](data)


@targets
def test_conversations_as_they_were(target: str) -> None:
    before = COUNT[0]
    for seed in SEEDS:
        for which in range(len(CONVERSATIONS) if target == "reply" else 1):
            TARGETS[target](bytes([which]) + seed[1:])
    assert COUNT[0] - before >= len(SEEDS)


@pytest.mark.parametrize(("target", "path"), [pytest.param(target, path, id=path.name) for target, path in crashes()])
def test_what_crashed_once_does_not_crash_again(target: str, path: Path) -> None:
    TARGETS[target](path.read_bytes())


OBSERVED = len(CONVERSATIONS) - 1
PLAIN = ['["el"]', '["s",1]', '["dt","float32"]', '["sl",1,["s",2],null]', '["c",1,2]', '["sz",3]', '["d",[["el"],1]]']


@pytest.mark.parametrize("value", PLAIN)
def test_every_plain_value_may_come_back_from_a_call_that_is_observed(value: str) -> None:
    seen = f'{{"value":{value},"operators":{{}},"saved":[],"largest_numel":0,"extra_attributes":[]}}'
    reply = framed(f'{{"ok":true,"value":{value},"seen":{seen}}}'.encode(), which=OBSERVED)
    TARGETS["reply"](reply + reply[1:])


def test_stop_iteration_of_an_answer_is_not_turned_into_an_error_of_ours() -> None:
    made = framed(b'{"ok":true,"value":["o",5]}', which=3)
    stop = b'{"ok":false,"error":{"type":"StopIteration","message":"enough"}}'
    TARGETS["reply"](made + 6 * framed(stop)[1:])


@MANY
@given(st.sampled_from(SEEDS), st.integers(0, 2**32))
def test_reading_takes_memory_in_proportion_to_what_was_sent(seed: bytes, chance: int) -> None:
    data = mutate(seed, Random(chance), POOL)
    tracemalloc.start()
    try:
        TARGETS["values"](data)
        TARGETS["stream"](data)
        assert tracemalloc.get_traced_memory()[1] < 256 * len(data) + (4 << 20)
    finally:
        tracemalloc.stop()
