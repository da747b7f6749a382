"""Directions for derivatives: the same for the same judging, and none that an answer could know."""

import torch

from grader.testing.directions import directions_of, fresh_generator


def drawn(count: int = 3) -> list[list[float]]:
    return [torch.randn(4, generator=fresh_generator()).tolist() for _ in range(count)]


def test_a_rejudge_looks_along_the_same_directions() -> None:
    directions_of(5)
    first = drawn()
    directions_of(5)
    assert drawn() == first


def test_each_is_another_one_and_each_seed_has_its_own() -> None:
    directions_of(5)
    first = drawn(20)
    directions_of(6)
    second = drawn(20)
    assert len({tuple(each) for each in first + second}) == 40
