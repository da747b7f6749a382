"""Tests the test kit's Rng. Its draws must be repeatable, lie inside their ranges, and not depend on other uses of random
numbers.
"""

import pytest
import torch

from grader.testing.rng import Rng


def test_equal_seed_and_test_give_equal_data() -> None:
    assert torch.equal(Rng(5, "test_a").randn(3, 4), Rng(5, "test_a").randn(3, 4))


@pytest.mark.parametrize("other", [Rng(6, "test_a"), Rng(5, "test_b"), Rng(5, "test_a[1]")])
def test_another_seed_or_test_gives_other_data(other: Rng) -> None:
    assert not torch.equal(Rng(5, "test_a").randn(8), other.randn(8))


def test_the_global_seed_is_neither_read_nor_moved() -> None:
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = Rng(5, "test_a").randn(4)
    assert torch.equal(state, torch.get_rng_state())
    torch.manual_seed(2)
    assert torch.equal(first, Rng(5, "test_a").randn(4))


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.float8_e5m2]
)
def test_every_floating_dtype_can_be_drawn(dtype: torch.dtype) -> None:
    drawn = Rng(0, "t").randn(2, 3, dtype=dtype)
    assert (drawn.dtype, drawn.shape) == (dtype, (2, 3))
    assert Rng(0, "t").rand(4, dtype=dtype).dtype == dtype


def test_shapes_may_be_spread_or_one_tuple_or_empty() -> None:
    rng = Rng(0, "t")
    assert rng.randn(2, 3).shape == rng.randn((2, 3)).shape == rng.rand(torch.Size([2, 3])).shape == (2, 3)
    assert rng.randn().shape == ()
    assert rng.randn(0, 2).shape == (0, 2)


def test_normal_data_has_mean_zero_and_deviation_one() -> None:
    drawn = Rng(1, "t").randn(20_000)
    assert abs(float(drawn.mean())) < 0.05
    assert abs(float(drawn.std()) - 1) < 0.05


def test_whole_numbers_stay_in_range_and_reach_both_ends() -> None:
    drawn = Rng(1, "t").randint(-2, 3, (500,))
    assert drawn.dtype is torch.int64
    assert sorted(set(drawn.tolist())) == [-2, -1, 0, 1, 2]
    assert {Rng(s, "t").integer(0, 2) for s in range(20)} == {0, 1}


def test_uniform_choice_permutation_mask_and_seed_fit_their_description() -> None:
    rng = Rng(2, "t")
    assert all(2.0 <= rng.uniform(2.0, 3.0) <= 3.0 for _ in range(50))
    assert {rng.choice("abc") for _ in range(50)} == set("abc")
    assert sorted(rng.permutation(9).tolist()) == list(range(9))
    assert rng.mask(4, 5).dtype is torch.bool
    assert bool(rng.mask(50, p=1.0).all())
    assert not bool(rng.mask(50, p=0.0).any())
    assert 0 <= rng.seed() < 2**31


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.randn(2, dtype=torch.int64),
        lambda rng: rng.randint(3, 3, (2,)),
        lambda rng: rng.uniform(1.0, 0.0),
        lambda rng: rng.choice([]),
        lambda rng: rng.mask(2, p=1.5),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw: object) -> None:
    with pytest.raises(ValueError):
        draw(Rng(0, "t"))  # type: ignore[operator]
