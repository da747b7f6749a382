"""Hidden tests about gradients: in-place changes, optimisation steps without an optimizer, hooks, autograd.Functions, and calls
whose operators `attest` records.
"""

import pytest
import torch
from torch.autograd import gradcheck

from grader.testing import assert_close, attested, check, sample

pytestmark = sample


@pytest.fixture
def x():
    return torch.tensor([1.0, 2.0, -3.0], dtype=torch.float64, requires_grad=True)


# ------------------------------------------------------------------------------------------------ in-place changes


def test_in_place_on_a_leaf_raises(solution, x):
    with pytest.raises(RuntimeError, match="leaf Variable"):
        solution.scale_(x, 2)


def test_in_place_on_a_non_leaf(solution, x):
    y = x * 1
    z = solution.scale_(y, 4)
    assert z is y
    z.sum().backward()
    assert x.grad.tolist() == [4, 4, 4]


def test_in_place_with_a_factor_that_requires_grad(solution, x):
    y = torch.ones(3, dtype=torch.float64)
    solution.scale_(y, x)
    assert y.requires_grad
    (y * y).sum().backward()
    assert_close(x.grad, 2 * x.detach())


def test_in_place_into_a_cache(solution, x):
    cache = torch.zeros(2, 3, dtype=torch.float64)
    row = x * 2
    assert solution.put(cache, row, 1) is cache
    solution.put(cache, x, 0)
    cache.sum().backward()
    assert x.grad.tolist() == [3, 3, 3]


def test_in_place_breaks_what_was_saved(solution, x):
    y = x.exp()
    z = y.sum()
    solution.scale_(y, 2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


# ------------------------------------------------------------------------------------------------ gradients as values


def test_backward_inside_the_answer(solution, x):
    solution.train(x)
    assert torch.equal(x.grad, 2 * x.detach())
    solution.train(x)
    assert torch.equal(x.grad, 4 * x.detach())


def test_step_by_hand(solution, x):
    (x * x).sum().backward()
    before = x.detach().clone()
    solution.step([x], 0.25)
    assert torch.equal(x.detach(), before / 2)
    assert x.grad is None
    assert x.requires_grad


def test_gradients_stay_alone(solution, x):
    solution.cube(x)
    assert x.grad is None


def test_error_in_the_backward_pass(solution, x):
    y = solution.fails_backward(x).sum()
    with pytest.raises(ValueError, match="no way back"):
        y.backward()


def test_random_function_keeps_its_graph(solution):
    x = torch.full((4,), 2.0, requires_grad=True)
    y = solution.noisy(x)
    y.sum().backward()
    assert_close(x.grad * 2, y.detach())


def test_hook_on_a_result(solution, x):
    seen = []
    y = solution.cube(x)
    y.register_hook(lambda g: seen.append(g) or 2 * g)
    x.register_hook(lambda g: seen.append(g))
    y.sum().backward()
    assert seen[0].tolist() == [1, 1, 1]
    assert torch.equal(seen[1], 6 * x.detach() ** 2)


def test_retain_grad_on_a_result(solution, x):
    y = solution.cube(x)
    y.retain_grad()
    (2 * y).sum().backward()
    assert y.grad.tolist() == [2, 2, 2]


def test_no_grad_around_a_call(solution, x):
    with torch.no_grad():
        y = solution.cube(x)
    assert not y.requires_grad


def test_graph_outlives_the_call(solution, x):
    ys = [solution.cube(x) for _ in range(20)]
    del ys[5:]
    torch.stack(ys).sum().backward()
    assert torch.equal(x.grad, 15 * x.detach() ** 2)


def test_complex_argument(solution):
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    solution.magnitude(z).sum().backward()
    assert_close(z.grad, 2 * z.detach())
    assert gradcheck(solution.magnitude, (z,))


def test_autocast_and_backward(solution):
    x = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = solution.product(x, x @ x)
    y.float().sum().backward()
    assert x.grad.dtype is torch.float32
    assert x.grad.tolist() == [[6, 6], [6, 6]]


# ------------------------------------------------------------------------------------------------ autograd.Function


def test_function(solution, x):
    y = solution.Scale.apply(x, 3.0)
    assert_close(y, 3 * x.detach() ** 2)
    y.sum().backward()
    assert_close(x.grad, 6 * x.detach())
    assert gradcheck(lambda t: solution.Scale.apply(t, 2.0), (x,))


def test_function_has_nothing_but_apply(solution):
    with pytest.raises(AttributeError, match="declares"):
        solution.Scale.forward


@attested
def test_attest(solution, attest, x):
    seen = attest(solution.Scale.apply, x, 3.0)
    assert_close(seen.result, 3 * x.detach() ** 2)
    assert seen.operators["aten::mul"] == 2
    assert (seen.saved_bytes, seen.saved[0].is_input) == (24, 0)
    assert seen.largest_numel == 3


@attested
def test_attest_backward(solution, attest, x):
    seen = attest.backward(solution.softmax, x)
    check("aten::mul" in seen.operators or "aten::div" in seen.operators, "no multiplication")
    assert seen.operators.get("aten::exp", 0) == 0


@pytest.mark.parametrize("transform", ["grad", "vmap", "jvp"])
def test_transforms_of_torch_func(solution, transform):
    x = torch.tensor([1.0, 2.0])
    if transform == "grad":
        assert torch.func.grad(lambda t: solution.cube(t).sum())(x).tolist() == [3, 12]
    elif transform == "vmap":
        assert torch.func.vmap(solution.cube)(x).tolist() == [1, 8]
    else:
        assert torch.func.jvp(solution.cube, (x,), (torch.ones(2),))[1].tolist() == [3, 12]


def test_forward_mode(solution):
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        assert torch.autograd.forward_ad.unpack_dual(solution.cube(dual)).tangent == 12
