"""Tests the test kit's `bench`, which measures running times, with a simulated clock: what it subtracts, what it checks, and
what it refuses.
"""

from collections.abc import Callable

import pytest
import torch

from grader.testing import CheckFailed
from grader.testing.bench import WIRE_S, Bench


class Machine:
    """Makes chains of calls that take a fixed time per step and a fixed time per chain. Its clock advances only when a chain
    runs.
    """

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    def chain(self, step_s: float, call_s: float, value: float = 1.0) -> Callable[[int, int], torch.Tensor]:
        def chain(seed: int, k: int) -> torch.Tensor:
            self.now += call_s + step_s * k
            return torch.full((3,), value * seed)

        return chain


def seeds() -> Callable[[], int]:
    numbers = iter(range(1, 1000))
    return lambda: next(numbers)


def test_twice_the_work_is_twice_the_time_through_a_wire() -> None:
    machine = Machine()
    speed = Bench(machine.clock)(machine.chain(2.0, WIRE_S), machine.chain(1.0, 0.0), seed=seeds(), k=4)
    assert speed.ratio == pytest.approx(2.0)
    assert speed.answer_s == pytest.approx(2.0)
    assert speed.interval == pytest.approx((2.0, 2.0))


def test_dawdling_over_short_chains_gains_no_more_than_the_wire_may_take() -> None:
    machine = Machine()
    slow = machine.chain(20.0, 0.0)

    def dawdling(seed: int, k: int) -> torch.Tensor:
        machine.now += 1000.0 if k == 4 else 0.0
        return slow(seed, k)

    speed = Bench(machine.clock)(dawdling, machine.chain(1.0, 0.0), seed=seeds(), k=4)
    assert speed.ratio == pytest.approx(20.0, abs=WIRE_S)


def test_no_answer_takes_no_time() -> None:
    machine = Machine()
    speed = Bench(machine.clock)(machine.chain(0.0, 0.001), machine.chain(1.0, 0.0), seed=seeds(), k=4)
    assert speed.answer_s == pytest.approx(0.001 / 16)


def test_remembering_the_short_chain_does_not_help_with_the_long_one() -> None:
    machine = Machine()
    known: dict[int, int] = {}

    def remembering(seed: int, k: int) -> torch.Tensor:
        machine.now += 20.0 * max(k - known.get(seed, 0), 0)
        known[seed] = max(k, known.get(seed, 0))
        return torch.full((3,), float(seed))

    speed = Bench(machine.clock)(remembering, machine.chain(1.0, 0.0), seed=seeds(), k=4)
    assert speed.ratio == pytest.approx(20.0)


def test_every_timed_round_is_replayed() -> None:
    machine = Machine()
    calls = {"n": 0}
    honest, wrong = machine.chain(1.0, 0.0), machine.chain(1.0, 0.0, value=2.0)

    def right_until_timed(seed: int, k: int) -> torch.Tensor:
        calls["n"] += 1
        return honest(seed, k) if calls["n"] < 8 else wrong(seed, k)

    with pytest.raises(CheckFailed):
        Bench(machine.clock)(right_until_timed, honest, seed=seeds(), rounds=5)


def test_each_chain_has_a_fresh_seed() -> None:
    machine = Machine()
    seen = []
    honest = machine.chain(1.0, 0.0)

    def watching(seed: int, k: int) -> torch.Tensor:
        seen.append(seed)
        return honest(seed, k)

    Bench(machine.clock)(watching, honest, seed=seeds(), k=3, rounds=4)
    assert len(seen) == len(set(seen)) == 9


@pytest.mark.parametrize(("k", "rounds"), [(0, 1), (1, 0)])
def test_nothing_to_time_is_refused(k: int, rounds: int) -> None:
    machine = Machine()
    with pytest.raises(ValueError, match="k >= 1"):
        Bench(machine.clock)(machine.chain(1, 0), machine.chain(1, 0), seed=seeds(), k=k, rounds=rounds)
