"""Hidden tests about an nn.Module's state, modes, methods and attributes, and about the module class in given.py."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_ignores_mode,
    assert_mode_matters,
    assert_state_dict_round_trip,
    attested,
    sample,
)

pytestmark = sample


@pytest.fixture
def dense(solution):
    torch.manual_seed(0)
    return solution.Dense(3, 2)


@pytest.fixture
def batch(rng):
    return rng.randn(8, 3)


# ------------------------------------------------------------------------------------------------ state


def test_state_dict(dense):
    state = dense.state_dict()
    assert list(state) == ["weight", "bias"]
    assert not any(value.requires_grad for value in state.values())
    assert torch.equal(state["weight"], dense.weight)


def test_state_dict_round_trip(solution, batch):
    assert_state_dict_round_trip(lambda: solution.Dense(3, 2), batch)
    assert_state_dict_round_trip(lambda: solution.Net(0.0), batch)


def test_load_state_dict(dense, batch):
    result = dense.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.zeros(2)})
    assert_close(dense(batch), batch.sum(1, keepdim=True).expand(8, 2))
    assert (result.missing_keys, result.unexpected_keys) == ([], [])
    assert dense.weight.requires_grad


def test_load_state_dict_strictly(dense):
    with pytest.raises(RuntimeError, match="Missing key"):
        dense.load_state_dict({"weight": torch.ones(2, 3)})
    with pytest.raises(RuntimeError, match="Unexpected key"):
        dense.load_state_dict({**dense.state_dict(), "extra": torch.ones(1)})
    with pytest.raises(RuntimeError, match="size mismatch"):
        dense.load_state_dict({"weight": torch.ones(3, 3), "bias": torch.zeros(2)})


def test_load_state_dict_loosely(dense):
    result = dense.load_state_dict({"bias": torch.ones(2), "extra": torch.ones(1)}, strict=False)
    assert (result.missing_keys, result.unexpected_keys) == (["weight"], ["extra"])
    assert dense.bias.tolist() == [1, 1]


def test_buffers(solution, batch):
    net = solution.Net()
    assert [name for name, _ in net.named_buffers()] == [
        "norm.running_mean",
        "norm.running_var",
        "norm.num_batches_tracked",
    ]
    net(batch)
    buffers = dict(net.named_buffers())
    assert buffers["norm.num_batches_tracked"] == 1
    assert_close(buffers["norm.running_mean"], 0.1 * batch.mean(0))


def test_buffers_are_views_of_the_module(solution):
    net = solution.Net()
    dict(net.named_buffers())["norm.running_mean"].fill_(3.0)
    assert dict(net.named_buffers())["norm.running_mean"].tolist() == [3, 3, 3]


def test_module_is_a_module(dense):
    assert isinstance(dense, torch.nn.Module)


def test_state_dict_is_a_view_of_the_module(dense):
    dense.state_dict()["bias"].fill_(3.0)
    assert dense.bias.tolist() == [3, 3]


# ------------------------------------------------------------------------------------------------ modes


def test_train_and_eval(solution):
    net = solution.Net()
    assert net.training is True
    assert net.eval() is net
    assert net.training is False
    assert net.train() is net
    assert net.train(False).training is False


def test_batch_norm(solution, batch):
    net = solution.Net(0.0)
    assert_mode_matters(net, batch)
    trained = net.train()(batch)
    weight, bias = list(net.parameters())[2:]
    normal = (batch - batch.mean(0)) / (batch.var(0, unbiased=False) + 1e-5).sqrt()
    assert_close(trained, normal @ weight.t() + bias)


def test_dropout(solution):
    net = solution.Net(0.5).train()
    x = torch.ones(4, 3)
    assert_deterministic(net, x)
    net.eval()
    assert torch.equal(net(x), net(x))


def test_mode_of_a_layer_without_modes(dense, batch):
    assert_ignores_mode(dense, batch)


def test_no_grad(dense, batch):
    with torch.no_grad():
        assert not dense(batch).requires_grad
    assert dense(batch).requires_grad


def test_to_another_dtype(dense, batch):
    weight = dense.weight
    assert dense.to(torch.float64) is dense
    assert dense.weight.dtype is torch.float64
    assert dense.weight is weight
    y = dense(batch.double())
    assert y.dtype is torch.float64
    y.sum().backward()
    assert dense.weight.grad.dtype is torch.float64
    with pytest.raises(RuntimeError):
        dense(batch)


def test_gradcheck(dense, batch):
    dense.to(torch.float64)
    x = batch[:2].double().requires_grad_()
    assert torch.autograd.gradcheck(dense, (x,))
    parameters = tuple(dense.parameters())
    assert torch.autograd.gradcheck(lambda *_: dense(x), parameters)


def test_autocast(dense, batch):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert dense(batch).dtype is torch.float32
        assert (dense(batch) - dense.bias).dtype is torch.float32


# ------------------------------------------------------------------------------------------------ methods, attributes


def test_declared_attributes(dense):
    assert dense.n_in == 3
    assert dense.device == torch.device("cpu")


def test_attribute_that_counts(solution, batch):
    net = solution.Net()
    net(batch)
    net(batch)
    assert net.batches == 2


def test_attribute_that_is_none(solution):
    assert solution.Dense(3, 2, bias=False).bias is None


def test_method_with_a_graph(dense):
    dense.norm().backward()
    assert_close(dense.weight.grad, 2 * dense.weight.detach())
    assert dense.bias.grad is None


def test_method_that_trains(dense, batch):
    weight = dense.weight
    before = weight.detach().clone()
    first = dense.fit(batch, torch.zeros(8, 2), 0.1)
    assert not torch.equal(weight, before)
    assert dense.fit(batch, torch.zeros(8, 2), 0.1) < first


def test_method_that_returns_self(dense):
    assert dense.reset() is dense
    assert not dense.weight.any()


def test_method_that_uses_gradients(dense, batch):
    dense(batch).sum().backward()
    norm = dense.clip(0.5)
    assert norm > 0.5
    total = torch.stack([p.grad.norm() for p in dense.parameters()]).norm()
    assert_close(total, torch.tensor(0.5), rtol=1e-4)


def test_missing_attribute(dense):
    with pytest.raises(AttributeError):
        dense.undeclared


def test_undeclared_attribute(dense):
    with pytest.raises(AttributeError, match="declares"):
        dense.children()


def test_writing_to_an_attribute(dense):
    with pytest.raises(AttributeError, match="declares"):
        dense.n_in = 4


def test_wrong_shape(dense):
    with pytest.raises(RuntimeError, match="shapes"):
        dense(torch.ones(2, 4))


def test_module_as_an_argument(solution, dense, batch):
    y = solution.apply(dense, batch)
    assert torch.equal(y, dense(batch))
    y.sum().backward()
    assert dense.bias.grad.tolist() == [8, 8]


def test_modules_in_a_list(solution, batch):
    first, second = solution.Dense(3, 3), solution.Dense(3, 2)
    solution.apply_all([first, second], batch).sum().backward()
    assert second.bias.grad.tolist() == [8, 8]
    assert first.weight.grad is not None


# ------------------------------------------------------------------------------------------------ modules of given.py


def test_given_module(solution, given):
    line = given.Line(3.0)
    y = solution.apply(line, torch.tensor([1.0, 2.0]))
    assert y.tolist() == [3, 6]
    y.sum().backward()
    assert line.slope.grad == 3


def test_given_module_with_changed_state(solution, given):
    line = given.Line().eval()
    line.load_state_dict({"slope": torch.tensor(5.0), "calls": torch.tensor(7)})
    assert solution.apply(line, torch.ones(1)).tolist() == [5]
    assert line.calls == 8
    assert not line.training


def test_given_module_is_trained(solution, given):
    line, slope = given.Line(0.0), None
    slope = line.slope
    x = torch.tensor([1.0, -1.0])
    losses = [solution.train_given(line, x, 2 * x, 0.25) for _ in range(3)]
    assert losses == [4, 1, 0.25]
    assert line.slope is slope
    assert slope == 1.75


def test_given_module_that_is_frozen(solution, given):
    line = given.Line(2.0).requires_grad_(False)
    assert not solution.loss_given(line, torch.ones(2)).requires_grad


@attested
def test_attest(attest, dense, batch):
    seen = attest(dense, batch)
    assert_close(seen.result, dense(batch))
    assert seen.operators["aten::add"] == 1
