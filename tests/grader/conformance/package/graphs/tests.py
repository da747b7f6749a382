"""Hidden tests about autograd graphs. Autograd must work on a result of the answer as it does on a tensor that the test
computes itself.
"""

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.autograd.functional import hessian, jacobian

from grader.testing import (
    CheckFailed,
    assert_close,
    assert_gradcheck,
    assert_gradgradcheck,
    assert_same_gradients,
    sample,
)

pytestmark = sample


@pytest.fixture
def x():
    return torch.tensor([1.0, 2.0, -3.0], dtype=torch.float64, requires_grad=True)


def test_backward(solution, x):
    solution.cube(x).sum().backward()
    assert torch.equal(x.grad, 3 * x.detach() ** 2)


def test_gradients_accumulate(solution, x):
    solution.cube(x).sum().backward()
    solution.cube(x).sum().backward()
    assert torch.equal(x.grad, 6 * x.detach() ** 2)


def test_autograd_grad(solution, x):
    (g,) = torch.autograd.grad(solution.cube(x), x, torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64))
    assert g.tolist() == [3, 0, 54]
    assert x.grad is None


def test_backward_with_a_gradient(solution, x):
    solution.cube(x).backward(torch.ones(3, dtype=torch.float64))
    assert torch.equal(x.grad, 3 * x.detach() ** 2)


def test_backward_of_what_is_not_a_number(solution, x):
    with pytest.raises(RuntimeError, match="scalar outputs"):
        solution.cube(x).backward()


def test_inside_a_larger_graph(solution, x):
    y = (solution.cube(2 * x) + x).pow(2).sum()
    y.backward()
    z = x.detach().requires_grad_()
    ((2 * z) ** 3 + z).pow(2).sum().backward()
    assert_close(x.grad, z.grad)


def test_gradcheck(solution, x):
    assert gradcheck(solution.cube, (x,))
    assert_gradcheck(solution.softmax, [x.detach()])


def test_gradgradcheck(solution, x):
    assert gradgradcheck(solution.cube, (x,))
    assert_gradgradcheck(solution.softmax, [x.detach()])


def test_gradients_of_the_reference(solution, reference, rng):
    assert_same_gradients(solution.product, reference.product, [rng.randn(3, 1), rng.randn(4)])


def test_double_backward_by_hand(solution, x):
    (g,) = torch.autograd.grad(solution.cube(x).sum(), x, create_graph=True)
    assert g.requires_grad
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(h.sum(), x)
    assert torch.equal(h, 6 * x.detach())
    assert third.tolist() == [6, 6, 6]


def test_gradient_penalty(solution, x):
    (g,) = torch.autograd.grad(solution.cube(x).sum(), x, create_graph=True)
    (g.pow(2).sum() + solution.cube(x).sum()).backward()
    z = x.detach()
    assert_close(x.grad, 36 * z**3 + 3 * z**2)


def test_hessian_and_jacobian(solution, x):
    z = x.detach()
    assert_close(jacobian(solution.cube, z), torch.diag(3 * z**2))
    assert_close(hessian(lambda t: solution.cube(t).sum(), z), torch.diag(6 * z))


def test_second_backward_raises(solution, x):
    y = solution.cube(x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_second_backward_through_a_graph_that_saved_nothing(solution, x):
    y = solution.total(x)
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_retain_graph(solution, x):
    y = solution.cube(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert torch.equal(x.grad, 6 * x.detach() ** 2)


def test_argument_changed_between_the_passes(solution, x):
    y = solution.cube(x).sum()
    with torch.no_grad():
        x.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


# ------------------------------------------------------------------------------------------------ inputs and outputs


def test_attributes_of_a_result(solution, x):
    y = solution.cube(x)
    assert y.requires_grad
    assert not y.is_leaf
    assert y.grad_fn is not None
    assert solution.cube(x.detach()).grad_fn is None


def test_non_leaf_argument(solution, x):
    y = x * 2
    y.retain_grad()
    solution.cube(y).sum().backward()
    assert_close(y.grad, 12 * x.detach() ** 2)
    assert_close(x.grad, 24 * x.detach() ** 2)


def test_argument_used_twice(solution, x):
    solution.product(x, x).sum().backward()
    assert torch.equal(x.grad, 2 * x.detach())


def test_views_of_one_argument(solution, x):
    solution.product(x[:2], x[1:]).sum().backward()
    assert x.grad.tolist() == [2, -2, 2]


@pytest.mark.parametrize("shape", [(3, 1), (1, 4), (), (2, 3, 4)], ids=str)
def test_broadcasting(solution, rng, shape):
    a = rng.randn(*shape).requires_grad_()
    b = rng.randn(3, 4).requires_grad_()
    solution.product(a, b).sum().backward()
    assert a.grad.shape == a.shape
    assert_close(b.grad, a.detach().expand(2, 3, 4).sum(0) if len(shape) == 3 else a.detach().expand(3, 4))


@pytest.mark.parametrize("layout", ["transposed", "expanded", "sliced"])
def test_strided_arguments(solution, reference, rng, layout):
    base = rng.randn(4, 6, dtype=torch.float64).requires_grad_()
    twin = base.detach().clone().requires_grad_()
    change = {"transposed": torch.t, "expanded": lambda t: t[:1].expand(4, 6), "sliced": lambda t: t[1:, ::2]}[layout]
    solution.softmax(change(base)).pow(2).sum().backward()
    reference.softmax(change(twin)).pow(2).sum().backward()
    assert_close(base.grad, twin.grad)


def test_expanded_leaf(solution):
    x = torch.ones(1, 3).expand(2, 3).requires_grad_()
    solution.cube(x).sum().backward()
    assert torch.equal(x.grad, torch.full((2, 3), 3.0))


def test_frozen_argument(solution, x):
    a = torch.full((3,), 2.0, dtype=torch.float64)
    solution.product(a, x).sum().backward()
    assert a.grad is None
    assert x.grad.tolist() == [2, 2, 2]


def test_unused_argument(solution, x):
    b = torch.ones(3, requires_grad=True)
    y = solution.first_only(x, b).sum()
    assert torch.autograd.grad(y, [x, b], allow_unused=True, retain_graph=True)[1] is None
    with pytest.raises(RuntimeError, match="not have been used"):
        torch.autograd.grad(y, [x, b], retain_graph=True)
    y.backward()
    assert b.grad is None


def test_arguments_in_containers(solution, x):
    b = torch.ones(3, dtype=torch.float64, requires_grad=True)
    solution.picked([x, {"b": b}]).sum().backward()
    assert torch.equal(b.grad, x.detach())
    assert x.grad.tolist() == [1, 1, 1]


def test_several_outputs(solution, x):
    s, c = solution.split(x)
    (s.sum() + 2 * c.sum()).backward()
    z = x.detach()
    assert_close(x.grad, z.cos() - 2 * z.sin())


def test_one_of_several_outputs(solution, x):
    _, c = solution.split(x)
    c.sum().backward()
    assert_close(x.grad, -x.detach().sin())


def test_outputs_one_after_the_other(solution, x):
    s, c = solution.split(x)
    s.sum().backward(retain_graph=True)
    c.sum().backward()
    assert_close(x.grad, x.detach().cos() - x.detach().sin())


def test_outputs_of_which_one_is_detached(solution, x):
    kept, cut, index = solution.mixed(x)
    assert kept.requires_grad
    assert not cut.requires_grad
    assert index.dtype is torch.int64
    assert (index.item(), index.requires_grad) == (1, False)
    with pytest.raises(RuntimeError, match="does not require grad"):
        cut.sum().backward()
    kept.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_outputs_in_containers(solution, x):
    found = solution.nested(x)
    (found["a"][0] + found["b"][0]).sum().backward()
    assert x.grad.tolist() == [5, 5, 5]


def test_detached_output(solution, x):
    assert not solution.detached(x).requires_grad
    with pytest.raises(RuntimeError, match="does not require grad"):
        solution.detached(x).sum().backward()


def test_detached_output_fails_the_kit(solution, reference, rng):
    with pytest.raises(CheckFailed):
        assert_same_gradients(solution.detached, lambda x: x * x, [rng.randn(3)])


def test_output_that_hangs_on_something_else(solution, x):
    y = solution.rooted(x)
    assert y.requires_grad
    y.sum().backward()
    assert x.grad is None


def test_output_that_is_a_leaf(solution):
    w = solution.weights(3)
    assert w.is_leaf
    (w * 2).sum().backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_output_that_is_the_argument(solution, x):
    y = solution.identity(x)
    assert y is x
    y.sum().backward()
    assert x.grad.tolist() == [1, 1, 1]


def test_output_changed_by_the_test(solution, x):
    y = solution.cube(x)
    y += 1
    y.mul_(2)
    y.sum().backward()
    assert_close(x.grad, 6 * x.detach() ** 2)
