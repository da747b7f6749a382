"""Hidden tests: a lookup table with a padding row."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_state_dict_round_trip, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_PADDING = pytest.mark.parametrize("padding", [None, 0, 3, 6], ids=["none", "first", "middle", "last"])
EXAMPLE = torch.tensor([[0.0, 0.0], [1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])


def made(solution, weight, padding=None):
    """A table with a copy of this weight."""
    table = solution.LookupTable(*weight.shape, padding_idx=padding).to(weight.dtype)
    check(list(table.state_dict()) == ["weight"], "state_dict() must have one entry, weight")
    table.load_state_dict({"weight": weight.clone()})
    return table


def parameter(table):
    named = dict(table.named_parameters())
    check(list(named) == ["weight"], "the one parameter must be weight")
    return named["weight"]


@sample
@points(1)
def test_rows_of_a_table(solution):
    """Each id is replaced by its row."""
    found = made(solution, EXAMPLE, 0)(torch.tensor([[3, 0], [3, 1]]))
    assert_close(found.detach(), torch.tensor([[[3.0, 30.0], [0.0, 0.0]], [[3.0, 30.0], [1.0, 10.0]]]))


@sample
@points(1)
def test_gradient_of_a_table(solution):
    """A row that is looked up twice gets two gradients, and the padding row none."""
    table = made(solution, EXAMPLE, 0)
    (grad,) = torch.autograd.grad(table(torch.tensor([[3, 0], [3, 1]])).sum(), [parameter(table)])
    assert_close(grad, torch.tensor([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]))


@sample
@points(1)
def test_an_id_too_many(solution):
    """A table with four rows has no id 4."""
    with pytest.raises(IndexError):
        made(solution, EXAMPLE)(torch.tensor([0, 4]))


@points(2)
@EACH_DTYPE
@EACH_PADDING
def test_values(solution, rng, padding, dtype):
    """A lookup differs: each id stands for its row, with the stored values, in the dtype of the weight."""
    weight, ids = rng.randn(7, 3, dtype=dtype), rng.randint(0, 7, (4, 5))
    assert_close(made(solution, weight, padding)(ids).detach(), weight[ids])


@points(2)
@EACH_DTYPE
@EACH_PADDING
def test_gradients(solution, rng, padding, dtype):
    """The gradient differs: repeated ids add up, rows that do not occur get zero, and so does the padding row."""
    weight, ids = rng.randn(7, 3, dtype=dtype), rng.randint(0, 6, (5, 4))
    ids[0, 0] = 6 if padding == 6 else 0
    cotangent = rng.randn(5, 4, 3, dtype=dtype)
    table = made(solution, weight, padding)
    out = table(ids)
    check(out.requires_grad, "the output has no history")
    (grad,) = torch.autograd.grad(out, [parameter(table)], cotangent)
    expected = F.one_hot(ids.flatten(), 7).to(dtype).T @ cotangent.flatten(0, 1)
    if padding is not None:
        expected[padding] = 0
    assert_close(grad, expected, scale=4.0, name="gradient of weight")


@points(1)
def test_gradient_of_a_sum_of_squares(solution, rng):
    """The gradient of a loss that is not linear in the rows differs."""
    weight, ids = rng.randn(5, 2, dtype=F64), rng.randint(0, 5, (9,))
    table = made(solution, weight, 2)
    table(ids).square().sum().backward()
    expected = 2 * weight * torch.bincount(ids, minlength=5)[:, None]
    expected[2] = 0
    assert_close(parameter(table).grad, expected)


@points(2)
@pytest.mark.parametrize("shape", [(), (1,), (6,), (2, 3, 4), (0,), (3, 0)], ids=str)
def test_shapes(solution, rng, shape):
    """The result has the shape of the ids, and the width behind it."""
    weight, ids = rng.randn(5, 3, dtype=F64), rng.randint(0, 5, shape)
    found = made(solution, weight, 1)(ids)
    check(tuple(found.shape) == (*shape, 3), "the result should have the shape (*ids.shape, width)")
    assert_close(found.detach(), weight[ids])


@points(1)
def test_ids_that_are_not_contiguous(solution, rng):
    """Transposed ids are ids like any other, and are not written to."""
    weight, ids = rng.randn(5, 3, dtype=F64), rng.randint(0, 5, (4, 6)).t()
    assert_close(assert_not_mutated(made(solution, weight, 1), ids).detach(), weight[ids])


@points(2)
@pytest.mark.parametrize("bad", [-1, -5, 5, 100], ids=["minus-one", "minus-rows", "rows", "far"])
@pytest.mark.parametrize("padding", [None, 4], ids=["none", "padding"])
def test_ids_outside(solution, rng, bad, padding):
    """An id outside of the table raises IndexError, also among others; negative ids do not count from the end."""
    table = made(solution, rng.randn(5, 3), padding)
    ids = rng.randint(0, 5, (3, 4))
    ids[rng.integer(0, 3), rng.integer(0, 4)] = bad
    for wrong in (ids, torch.tensor(bad)):
        with pytest.raises(IndexError):
            table(wrong)
    table(torch.tensor([0, 4]))


@points(2)
@pytest.mark.parametrize("padding", [0, 2, 4])
def test_padding_starts_at_zero(solution, padding):
    """The row of padding_idx starts at zero, and no other row does."""
    weight = solution.LookupTable(5, 3, padding_idx=padding).state_dict()["weight"]
    expected = torch.arange(5) != padding
    check(torch.equal((weight != 0).all(1), expected), "with padding_idx this row, and no other, starts at zero")
    check(bool((weight[padding] == 0).all()), "the padding row should be zero throughout")


@points(2)
@pytest.mark.parametrize("padding", [0, 3])
def test_a_stored_padding_row(solution, rng, padding):
    """A loaded padding row is returned as it is, and stays in the state."""
    weight = rng.randn(5, 3, dtype=F64)
    table = made(solution, weight, padding)
    assert_close(table(torch.tensor([padding, 1])).detach(), weight[[padding, 1]])
    assert_close(table.state_dict()["weight"], weight, name="weight after a lookup")


@points(2)
@pytest.mark.parametrize("padding", [0, 3])
@pytest.mark.parametrize("kind", ["sgd", "adam"])
def test_steps_leave_the_padding_row(solution, rng, kind, padding):
    """An optimizer's steps move the rows by their gradients, and the padding row not at all."""
    start = rng.randn(5, 3, dtype=F64)
    table, expected = made(solution, start, padding), torch.nn.Embedding(5, 3, padding_idx=padding).to(F64)
    expected.load_state_dict({"weight": start.clone()})
    optimizers = [
        torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
        if kind == "sgd"
        else torch.optim.Adam(m.parameters(), lr=0.1)
        for m in (table, expected)
    ]
    for _ in range(3):
        ids, pull = rng.randint(0, 5, (8,)), rng.randn(8, 3, dtype=F64)
        ids[0] = padding
        for module, optimizer in zip((table, expected), optimizers, strict=True):
            optimizer.zero_grad()
            (module(ids) * pull).sum().backward()
            optimizer.step()
    after = parameter(table).detach()
    assert_close(after, expected.weight.detach(), scale=8.0, name="weight after three steps")
    assert_close(after[padding], start[padding], rtol=0.0, atol=0.0, name="padding row after three steps")


@points(1)
def test_how_it_starts(solution, rng):
    """The weight starts with draws from the standard normal distribution, from torch's global generator."""
    seed = rng.seed()
    draws = []
    for s in (seed, seed, seed + 1):
        torch.manual_seed(s)
        draws.append(solution.LookupTable(200, 50).state_dict()["weight"])
    assert_close(draws[1], draws[0], rtol=0.0, atol=0.0, name="two tables after the same seed")
    check(not torch.equal(draws[2], draws[0]), "another seed gives the same weight")
    # 10,000 draws: the standard error of the mean is 0.01, of the deviation 0.007; six of each, and seven
    check(tuple(draws[0].shape) == (200, 50), "the weight should have the shape (rows, width)")
    check(draws[0].dtype == F32, "the weight starts in float32")
    check(abs(float(draws[0].mean())) < 0.06, "the mean of the weight is not 0")
    check(abs(float(draws[0].std()) - 1) < 0.05, "the standard deviation of the weight is not 1")
    # a share of 0.6827 lies within one deviation, with a standard error of 0.0047; a uniform start has 0.577
    share = float((draws[0].abs() < 1).double().mean())
    check(abs(share - 0.6827) < 0.03, "the weight is not normally distributed")


@points(1)
@EACH_DTYPE
def test_one_parameter(solution, dtype):
    """weight is the one parameter and the one entry of the state, and follows .to(dtype)."""
    table = solution.LookupTable(5, 3, padding_idx=1).to(dtype)
    check(list(table.state_dict()) == ["weight"], "state_dict() must have one entry, weight")
    weight = parameter(table)
    check(tuple(weight.shape) == (5, 3), "the weight should have the shape (rows, width)")
    check(weight.dtype == dtype, "the weight does not follow .to(dtype)")


@points(1)
def test_state_travels(solution, rng):
    """A state that is loaded decides the output, and comes out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.LookupTable(5, 3, padding_idx=2), (rng.randint(0, 5, (4,)),))
