"""Hidden tests about parameters of nn.Modules. The test's changes, backward passes and optimizers must have their effect on the
module in the cell.
"""

import pytest
import torch

from grader.testing import assert_close, sample

pytestmark = sample


@pytest.fixture
def dense(solution):
    torch.manual_seed(0)
    return solution.Dense(3, 2)


@pytest.fixture
def batch(rng):
    return rng.randn(8, 3)


def test_call(dense, batch):
    weight, bias = dense.parameters()
    assert_close(dense(batch), batch @ weight.t() + bias)


def test_constructor_arguments(solution):
    assert [name for name, _ in solution.Dense(3, n_out=2, bias=False).named_parameters()] == ["weight"]
    with pytest.raises(ValueError, match="positive"):
        solution.Dense(0, 2)
    with pytest.raises(TypeError):
        solution.Dense(3)


def test_two_objects(solution):
    first, second = solution.Dense(3, 2), solution.Dense(3, 2)
    assert not torch.equal(first.weight, second.weight)
    first.load_state_dict(second.state_dict())
    assert torch.equal(first.weight, second.weight)


def test_seeded_initialisation(solution):
    torch.manual_seed(1)
    first = solution.Dense(3, 2)
    torch.manual_seed(1)
    assert torch.equal(solution.Dense(3, 2).weight, first.weight)


# ------------------------------------------------------------------------------------------------ parameters


def test_parameters(dense):
    assert [(n, tuple(p.shape), p.requires_grad) for n, p in dense.named_parameters()] == [
        ("weight", (2, 3), True),
        ("bias", (2,), True),
    ]
    assert all(isinstance(p, torch.nn.Parameter) and p.is_leaf for p in dense.parameters())
    assert sum(p.numel() for p in dense.parameters()) == 8


def test_parameters_are_the_same_objects(dense, batch):
    before = list(dense.parameters())
    dense(batch)
    assert all(a is b for a, b in zip(before, dense.parameters(), strict=True))
    assert dense.weight is before[0]


def test_gradients_of_parameters(dense, batch):
    dense(batch).sum().backward()
    assert_close(dense.weight.grad, batch.sum(0).expand(2, 3))
    assert dense.bias.grad.tolist() == [8, 8]


def test_gradients_accumulate(dense, batch):
    for _ in range(2):
        dense(batch).sum().backward()
    assert [p.grad for p in dense.parameters()][1].tolist() == [16, 16]


def test_gradients_of_parameters_by_autograd_grad(dense, batch):
    gradients = torch.autograd.grad(dense(batch).sum(), list(dense.parameters()))
    assert gradients[1].tolist() == [8, 8]
    assert all(p.grad is None for p in dense.parameters())


def test_gradients_of_input_and_parameters(dense, batch):
    x = batch.requires_grad_()
    dense(x).sum().backward()
    assert_close(x.grad, dense.weight.detach().sum(0).expand(8, 3))


def test_double_backward_through_parameters(dense, batch):
    x = batch.requires_grad_()
    (g,) = torch.autograd.grad(dense(x).sum(), x, create_graph=True)
    g.pow(2).sum().backward()
    assert_close(dense.weight.grad, 16 * dense.weight.detach().sum(0).expand(2, 3))


def test_zero_grad(dense, batch):
    dense(batch).sum().backward()
    dense.zero_grad()
    assert all(p.grad is None for p in dense.parameters())
    dense.zero_grad(set_to_none=False)
    assert all(p.grad is None for p in dense.parameters())
    dense(batch).sum().backward()
    dense.zero_grad(set_to_none=False)
    assert dense.bias.grad.tolist() == [0, 0]


def test_optimizer_of_the_test(dense, batch):
    optimizer = torch.optim.SGD(dense.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = dense(batch).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert torch.equal(dense.state_dict()["weight"], dense.weight)


WRITES = {
    "no-grad": lambda p: torch.no_grad()(p.fill_)(2.0),
    "data": lambda p: p.data.fill_(2.0),
    "new-data": lambda p: setattr(p, "data", torch.full_like(p, 2.0)),
    "init": lambda p: torch.nn.init.constant_(p, 2.0),
    "detached": lambda p: p.detach().fill_(2.0),
}


@pytest.mark.parametrize("way", WRITES)
def test_writing_to_parameters(dense, batch, way):
    for p in dense.parameters():
        WRITES[way](p)
    assert_close(dense(batch), 2 * batch.sum(1, keepdim=True).expand(8, 2) + 2)
    assert dense.state_dict()["bias"].tolist() == [2, 2]


def test_freezing_parameters_one_by_one(dense, batch):
    for p in dense.parameters():
        p.requires_grad_(False)
    assert not dense(batch).requires_grad
    assert not any(p.requires_grad for p in dense.parameters())
    dense.weight.requires_grad = True
    dense(batch).sum().backward()
    assert dense.bias.grad is None
    assert dense.weight.grad is not None


def test_requires_grad(dense, batch):
    assert dense.requires_grad_(False) is dense
    assert not any(p.requires_grad for p in dense.parameters())
    assert not dense(batch).requires_grad
    dense.requires_grad_()
    assert dense(batch).requires_grad


def test_tied_weights(solution):
    tied = solution.Tied(5, 2)
    assert [name for name, _ in tied.named_parameters()] == ["embed.weight"]
    assert list(tied.state_dict()) == ["embed.weight", "head.weight"]
    tied(torch.tensor([1, 1])).sum().backward()
    (weight,) = tied.parameters()
    assert weight.grad.shape == (5, 2)
    assert_close(weight.grad[0], 2 * weight.detach()[1])


def test_parameters_that_come_later(solution):
    lazy = solution.Lazy()
    assert list(lazy.parameters()) == []
    assert [lazy.grow(), lazy.grow()] == [1, 2]
    lazy(torch.tensor([2.0, 3.0])).sum().backward()
    assert [p.grad.tolist() for p in lazy.parameters()] == [[2, 3], [2, 3]]
