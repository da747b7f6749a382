"""Tests the random directions along which derivatives are checked. Judgings with the same seed use the same directions, and
answers cannot predict them.
"""

import torch

from grader.testing.derivatives.directions import fresh_generator, seed_directions


def drawn(count: int = 3) -> list[list[float]]:
    return [torch.randn(4, generator=fresh_generator()).tolist() for _ in range(count)]


def test_a_rejudge_looks_along_the_same_directions() -> None:
    seed_directions(5)
    first = drawn()
    seed_directions(5)
    assert drawn() == first


def test_each_is_another_one_and_each_seed_has_its_own() -> None:
    seed_directions(5)
    first = drawn(20)
    seed_directions(6)
    second = drawn(20)
    assert len({tuple(each) for each in first + second}) == 40
