"""Hidden tests: one computation behind many kinds of index."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64


def element_by_element(x, k, index=...):
    """The flat numbers of the elements tell which ones belong to the part."""
    places = torch.arange(x.numel()).reshape(x.shape)[index].flatten().tolist()
    flat = list(x.reshape(-1).unbind())
    if not places:
        return x.clone()
    mean = sum(flat[p] for p in places) / len(places)
    std = (sum((flat[p].detach() - mean.detach()) ** 2 for p in places) / len(places)).sqrt()
    for p in set(places):
        if (flat[p].detach() - mean.detach()).abs() > k * std:
            flat[p] = mean
    return torch.stack(flat).reshape(x.shape)


INDICES = {
    "everything": lambda rng: ...,
    "row": lambda rng: 2,
    "slice": lambda rng: slice(1, 3),
    "step": lambda rng: slice(None, None, 2),
    "ellipsis": lambda rng: (..., 2),
    "column-block": lambda rng: (slice(None), slice(1, 4)),
    "new-axis": lambda rng: (None, slice(0, 2)),
    "mask": lambda rng: rng.mask(4, 5, 3, p=0.6).index_fill(0, torch.tensor([0]), True),
    "row-mask": lambda rng: torch.tensor([True, False, True, True]),
    "list": lambda rng: [0, 3, 2],
    "repeated": lambda rng: [1, 1, 1, 3],
    "tensor": lambda rng: torch.tensor([[0, 2], [3, 2]]),
    "slice-and-list": lambda rng: (slice(1, None), [0, 4]),
    "pairs": lambda rng: ([0, 1, 3], [4, 4, 0]),
}


def draw(rng, dtype=F64):
    """Values with a few outliers, some of them negative, in a tensor of four by five by three."""
    x = rng.randn(4, 5, 3, dtype=dtype)
    x[1, 2, 0], x[3, 0, 1], x[0, 4, 0] = 30.0, -40.0, -35.0
    return x


@sample
@points(1)
def test_a_row(solution):
    """The row 1, 1, 1, 9 has the mean 3 and the deviation 3.46: for k = 1.5 the 9 is an outlier."""
    x = torch.tensor([[1.0, 1.0, 1.0, 9.0], [2.0, 2.0, 2.0, 2.0]])
    result = solution.suppress_outliers(x, 1.5, 0)
    assert_close(result, torch.tensor([[1.0, 1.0, 1.0, 3.0], [2.0, 2.0, 2.0, 2.0]]))


@sample
@points(1)
def test_a_list_of_rows(solution):
    """The same row, named by a list."""
    x = torch.tensor([[1.0, 1.0, 1.0, 9.0], [2.0, 2.0, 2.0, 2.0]])
    result = solution.suppress_outliers(x, 1.5, [0])
    assert_close(result, torch.tensor([[1.0, 1.0, 1.0, 3.0], [2.0, 2.0, 2.0, 2.0]]))


@sample
@points(1)
def test_all_of_it(solution):
    """Without an index the whole tensor is looked at."""
    x = torch.tensor([0.0, 0.0, 0.0, 0.0, -10.0])
    assert_close(solution.suppress_outliers(x, 1), torch.tensor([0.0, 0.0, 0.0, 0.0, -2.0]))


@points(3)
@pytest.mark.parametrize("kind", INDICES)
def test_kinds_of_index(solution, rng, kind):
    """Each kind of index: the outliers of the part are replaced, all else stays, and x is not written to."""
    # below 1, so that every part has a value that is too far from its mean
    x, index, k = draw(rng), INDICES[kind](rng), rng.uniform(0.6, 0.95)
    result = assert_not_mutated(solution.suppress_outliers, x, k, index)
    assert_close(result, element_by_element(x, k, index))


@points(2)
@pytest.mark.parametrize("kind", ["everything", "slice", "mask"])
def test_single_precision(solution, rng, kind):
    """float32 stays float32."""
    x, index = draw(rng, F32), INDICES[kind](rng)
    assert_close(solution.suppress_outliers(x, 1.1, index), element_by_element(x, 1.1, index), scale=4.0)


LAYOUTS = {
    "transposed": lambda x: x.permute(2, 1, 0),
    "strided": lambda x: x[:, ::2, 1:],
    "expanded": lambda x: x[:, :1, :1].expand(4, 2, 3),
}


@points(2)
@pytest.mark.parametrize("kind", ["slice", "list"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(solution, rng, layout, kind):
    """x may be a view with any strides. In an expanded tensor several elements lie in one place: the result has its own."""
    x = LAYOUTS[layout](draw(rng))
    index = {"slice": (slice(None), 1), "list": [2, 0]}[kind]
    result = assert_not_mutated(solution.suppress_outliers, x, 0.8, index)
    assert_close(result, element_by_element(x, 0.8, index))


@points(2)
@pytest.mark.parametrize("kind", ["everything", "slice", "list", "nothing"])
def test_result_is_a_copy(probes, rng, kind):
    """Somebody writes to the result: the caller's tensor must not follow, even if nothing was replaced."""
    index = {"everything": ..., "slice": slice(0, 2), "list": [0, 1], "nothing": slice(2, 2)}[kind]
    x = rng.rand(3, 5)
    for k in (100.0, 0.5):
        assert_close(probes.after_write(x, k, index), x, name="the caller's tensor")


@points(2)
@pytest.mark.parametrize(
    "index", [slice(2, 2), [], torch.zeros(4, 5, 3, dtype=torch.bool)], ids=["slice", "list", "mask"]
)
def test_empty_part(solution, rng, index):
    """A part without elements: nothing is replaced, and nothing becomes NaN."""
    x = draw(rng)
    assert_close(solution.suppress_outliers(x, 1.0, index), x)


@points(1)
def test_limits(solution, rng):
    """A deviation of exactly k sigma is no outlier; for k = 0 all values but the mean are; one value is its own mean."""
    x = torch.tensor([2.0, 4.0, 2.0, 4.0])
    assert_close(solution.suppress_outliers(x, 1), x, name="k = 1")
    assert_close(solution.suppress_outliers(x, 0), torch.full((4,), 3.0), name="k = 0")
    one = rng.randn(3)
    assert_close(solution.suppress_outliers(one, 0, 1), one, name="a single value")
    same = torch.full((3, 2), 5.0)
    assert_close(solution.suppress_outliers(same, 0), same, name="equal values")


@points(3)
@pytest.mark.parametrize("kind", ["everything", "slice", "mask", "list"])
def test_gradients(solution, rng, kind):
    """Kept values pass their gradient on; that of a replaced one is shared by the whole part, through the mean."""
    x, index = draw(rng), INDICES[kind](rng)
    assert_same_gradients(
        lambda t: solution.suppress_outliers(t, 1.0, index), lambda t: element_by_element(t, 1.0, index), x
    )


@points(1)
def test_arguments_stay(solution, rng):
    """Lists and masks that are passed as an index stay as they are."""
    x = draw(rng)
    result = assert_not_mutated(solution.suppress_outliers, x, 1.0, [2, 0, 2])
    check(result.shape == x.shape, "the result has another shape than x")
    assert_not_mutated(solution.suppress_outliers, x, 1.0, rng.mask(4, 5, 3))
