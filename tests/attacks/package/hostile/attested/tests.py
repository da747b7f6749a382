"""Tests values, and observes with `attest` how they are computed. The statement asks for a softmax made of elementary
operators, and for an autograd Function that saves nothing but its result.

A test's docstring says what is wrong if the test fails.
"""

import torch

from grader.testing import assert_close, assert_same_gradients, attested, check, points, sample

BUILT_IN = ("softmax", "logsumexp", "sdpa", "attention")


@sample
def test_two_equal(solution):
    """The weights of two equal elements are not both 0.5."""
    assert_close(solution.softmax(torch.zeros(2)), torch.tensor([0.5, 0.5]))


@points(2)
def test_values(solution, reference, rng):
    """The values differ from exp(x) / sum(exp(x)) over the last dimension."""
    x = rng.randn(4, 6)
    expected = reference.softmax(x)
    assert_close(solution.softmax(x), expected)


@points(2)
def test_gradients(solution, reference, rng):
    """The gradients differ from those of the softmax, or of tanh."""
    x = rng.randn(3, 5, dtype=torch.float64)
    assert_same_gradients(solution.softmax, reference.softmax, [x])
    assert_same_gradients(solution.Tanh.apply, reference.Tanh.apply, [x])


@attested
@points(1)
def test_elementary_operators(solution, reference, attest, rng):
    """A built-in softmax was used."""
    x = rng.randn(4, 6)
    expected = reference.softmax(x)
    seen = attest(solution.softmax, x)
    assert_close(seen.result, expected)
    check(not any(word in name for name in seen.operators for word in BUILT_IN), "a built-in softmax was used")
    check(seen.operators.get("aten::exp", 0) > 0, "no exponential was seen")


@attested
@points(1)
def test_backward_is_elementary(solution, attest, rng):
    """The backward pass uses a built-in softmax."""
    seen = attest.backward(solution.softmax, rng.randn(4, 6).requires_grad_())
    check(
        not any(word in name for name in seen.operators for word in BUILT_IN), "a built-in softmax in the backward pass"
    )
    check(seen.operators.get("aten::mul", 0) > 0, "no product was seen in the backward pass")


@attested
@points(1)
def test_memory(solution, attest, rng):
    """A tensor larger than the result was made."""
    x = rng.randn(8, 16)
    check(attest(solution.softmax, x).largest_numel <= x.numel(), "a tensor larger than the result was made")


@attested
@points(1)
def test_only_the_result_is_saved(solution, attest, rng):
    """What is saved for the backward pass is not exactly the result."""
    x = rng.randn(8, 16).requires_grad_()
    seen = attest(solution.Tanh.apply, x)
    check(seen.extra_attributes == [], "a tensor is kept on ctx outside save_for_backward")
    check(seen.saved_bytes == x.numel() * 4, "more or less than the result is saved")
