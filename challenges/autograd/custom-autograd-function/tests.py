"""Hidden tests: Swish as a torch.autograd.Function."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_gradcheck,
    assert_gradgradcheck,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

# (shape of x, shape of beta)
SHAPES = {
    "same": ((3, 4), (3, 4)),
    "one-beta": ((2, 3, 4), ()),
    "beta-per-channel": ((2, 3, 5), (3, 1)),
    "x-is-smaller": ((4, 1), (2, 4, 3)),
    "both-stretch": ((5, 1), (1, 3)),
    "one-x": ((), (6,)),
    "beta-per-column": ((2, 3, 4), (4,)),
    "beta-per-column-of-four": ((2, 1, 3, 4), (4,)),
    "x-per-column": ((4,), (2, 3, 4)),
    "beta-per-row-of-each": ((3, 2, 4), (3, 1, 1)),
    "one-element": ((1,), (1, 1)),
    "empty": ((0, 4), (4,)),
}
EACH_SHAPE = pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES.keys())
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
EACH_ENTRY = pytest.mark.parametrize("entry", ["apply", "swish"])


def drawn(rng, shapes, dtype=torch.float64):
    return [rng.randn(*shape, dtype=dtype) for shape in shapes]


def entry_of(module, entry):
    return module.Swish.apply if entry == "apply" else module.swish


@sample
@points(1)
def test_values_of_one_row(solution, exhibit):
    """swish(x, β) is x · sigmoid(βx): look at the value first."""
    x = torch.linspace(-6, 6, 25)
    for beta in (0.5, 1.0, 3.0):
        actual = solution.Swish.apply(x, torch.tensor(beta))
        expected = x * torch.sigmoid(beta * x)
        if type(actual) is torch.Tensor and actual.shape == x.shape:
            curves = {"yours": actual.detach().tolist(), "reference": expected.tolist()}
            exhibit.curve(f"swish with beta = {beta}", curves, x_label="point", y_label="value")
        assert_close(actual, expected)


@sample
@points(2)
def test_gradients_of_four_points(solution):
    """The gradients do not agree with finite differences: differentiate x · sigmoid(βx) for x and for β again."""
    x = torch.tensor([-2.0, -0.5, 0.0, 3.0], dtype=torch.float64)
    beta = torch.tensor([1.0, 2.0, -1.0, 0.5], dtype=torch.float64)
    assert_gradcheck(solution.Swish.apply, (x, beta))


@sample
@points(1)
def test_one_beta_for_every_element(solution):
    """A β that is used by many elements collects a gradient from each of them."""
    x = torch.tensor([[1.0, 2.0, -1.0], [0.0, -3.0, 0.5]], requires_grad=True)
    beta = torch.tensor(0.0, requires_grad=True)
    solution.Swish.apply(x, beta).sum().backward()
    assert_close(x.grad, torch.full((2, 3), 0.5), name="gradient of x")
    assert_close(beta.grad, x.detach().square().sum() / 4, name="gradient of beta")


@sample
@points(1)
def test_swish_takes_a_number(solution):
    """swish(x, 1.5) takes the number as a constant: same dtype as x, gradient for x alone."""
    x = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True)
    out = solution.swish(x, 1.5)
    gate = torch.sigmoid(1.5 * x.detach())
    assert_close(out.detach(), x.detach() * gate)
    out.sum().backward()
    assert_close(x.grad, gate + 1.5 * x.detach() * gate * (1 - gate), name="gradient of x")


@points(1)
@pytest.mark.parametrize("name", ["same", "one-beta", "x-is-smaller"])
def test_float32_values(solution, reference, rng, name):
    """The value, its shape or its dtype is off for some pair of shapes: x and β broadcast as in x * β."""
    x, beta = drawn(rng, SHAPES[name], torch.float32)
    assert_close(solution.Swish.apply(x, beta), reference.Swish.apply(x, beta))


@points(2)
@EACH_SHAPE
def test_gradients(solution, reference, rng, shapes):
    """A gradient is off under broadcasting: each must be summed back to the shape of its own input."""
    assert_same_gradients(solution.Swish.apply, reference.Swish.apply, drawn(rng, shapes))


@points(1)
@pytest.mark.parametrize("beta", ["per-channel", "number", "whole-number"])
def test_swish_is_the_same_function(solution, reference, rng, beta):
    """`swish` must give the value and the gradients of `Swish.apply`."""
    x, tensor = drawn(rng, ((2, 3, 4), (3, 1)))
    if beta == "per-channel":
        assert_same_gradients(solution.swish, reference.swish, (x, tensor))
        return
    number = rng.uniform(-2, 2) if beta == "number" else rng.integer(2, 5)
    assert_same_gradients(lambda t: solution.swish(t, number), lambda t: reference.swish(t, number), (x,))


@points(2)
@pytest.mark.parametrize("asked", [0, 1], ids=["x", "beta"])
def test_gradient_for_one_input_only(solution, reference, rng, asked):
    """When only one of x and β requires a gradient, that one must still be right."""
    shapes = ((2, 3, 4), (3, 1))
    inputs = drawn(rng, shapes)
    cotangent = rng.randn(2, 3, 4, dtype=torch.float64)
    gradients = []
    for module in (solution, reference):
        leaves = [t.clone().requires_grad_(i == asked) for i, t in enumerate(inputs)]
        gradients.append(torch.autograd.grad(module.Swish.apply(*leaves), leaves[asked], cotangent)[0])
    assert_close(*gradients, name="gradient of the only input that asks for one")


@points(1)
def test_x_may_be_its_own_beta(solution, reference, rng):
    """Swish.apply(x, x): the two gradients belong to one tensor and add up."""
    x = rng.randn(3, 4, dtype=torch.float64)
    assert_same_gradients(lambda t: solution.Swish.apply(t, t), lambda t: reference.Swish.apply(t, t), (x,))


@points(2)
def test_beta_may_be_zero_or_negative(solution, reference, rng):
    """β = 0 is an ordinary value (swish is x/2 there): nothing may be divided by β."""
    x = rng.randn(4, 5, dtype=torch.float64)
    beta = torch.tensor([0.0, -1.5, -0.0, 2.0, 1e-30], dtype=torch.float64)
    assert_same_gradients(solution.Swish.apply, reference.Swish.apply, (x, beta))


@points(2)
@EACH_DTYPE
def test_large_arguments(solution, reference, rng, dtype):
    """At |x| = 10000 value and gradients are finite: no exponential may overflow on its way into a quotient."""
    size = torch.tensor([1e4, -1e4, 1e3, -1e3, 300.0, -300.0, 0.0], dtype=dtype)
    beta = torch.tensor([[rng.uniform(0.5, 2)], [-rng.uniform(0.5, 2)]], dtype=dtype)
    assert_same_gradients(solution.Swish.apply, reference.Swish.apply, (size, beta))


@points(1)
def test_large_arguments_second_derivative(solution, rng):
    """At |x| = 10000 the second derivatives are finite too (they are zero there)."""
    x = torch.tensor([1e4, -1e4, 500.0, -500.0], dtype=torch.float64, requires_grad=True)
    beta = torch.tensor(rng.uniform(0.5, 2), dtype=torch.float64, requires_grad=True)
    first = torch.autograd.grad(solution.Swish.apply(x, beta).sum(), (x, beta), create_graph=True)
    check(all(t.requires_grad for t in first), "the gradients cannot be differentiated again")
    second = torch.autograd.grad(first[0].sum() + first[1], (x, beta))
    assert_close(second[0], torch.zeros(4, dtype=torch.float64), name="second derivative for x", atol=1e-12)
    assert_close(second[1], torch.zeros((), dtype=torch.float64), name="second derivative for beta", atol=1e-12)


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, reference, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other: no view that needs contiguous memory."""
    x = {
        "transposed": lambda: rng.randn(5, 3, dtype=torch.float64).t(),
        "strided": lambda: rng.randn(6, 10, dtype=torch.float64)[::2, ::2],
        "expanded": lambda: rng.randn(3, 1, dtype=torch.float64).expand(3, 5),
    }[layout]()
    beta = rng.randn(5, 3, dtype=torch.float64).t()
    assert_same_gradients(solution.Swish.apply, reference.Swish.apply, (x, beta))


@points(2)
def test_numerical_gradient(solution, rng):
    """The backward does not agree with finite differences in float64."""
    assert_gradcheck(solution.Swish.apply, tuple(drawn(rng, ((2, 1), (2,)))))


@points(3)
@pytest.mark.parametrize("shapes", [((2,), (2,)), ((2,), ())], ids=["same", "one-beta"])
def test_numerical_second_gradient(solution, rng, shapes):
    """The backward must itself be differentiable: build it from saved inputs and from operators that record."""
    assert_gradgradcheck(solution.Swish.apply, tuple(drawn(rng, shapes)))


@points(2)
def test_gradient_penalty(solution, reference, probes, rng):
    """A loss on the gradient (as in WGAN-GP) reaches the weights behind Swish through the second derivative."""
    weight, bias, beta, at = drawn(rng, ((3, 4), (4,), (4,), (5, 3)))
    actual = probes.gradient_penalty(weight, bias, beta, at)
    assert_close(actual, probes.on(reference).gradient_penalty(weight, bias, beta, at), name="penalty gradients")


@points(1)
def test_shortcut_keeps_its_gradient(solution, reference, probes, rng):
    """The incoming gradient belongs to autograd, which may hand the same tensor to others: never write into it."""
    x, beta, shortcut, weight = drawn(rng, ((3, 4), (4,), (3, 4), (3, 4)))
    actual = probes.beside_a_shortcut(x, beta, shortcut, weight)
    assert_close(actual, probes.on(reference).beside_a_shortcut(x, beta, shortcut, weight), name="gradients")


@points(1)
def test_two_backward_passes(solution, reference, probes, rng):
    """A graph kept with retain_graph=True can be walked twice: backward must leave what was saved as it was."""
    x, beta, first, second = drawn(rng, ((3, 4), (4,), (3, 4), (3, 4)))
    actual = probes.twice_through(x, beta, first, second)
    assert_close(actual, probes.on(reference).twice_through(x, beta, first, second), name="gradients")


@attested
@points(2)
@pytest.mark.parametrize("which", [0, 1], ids=["x", "beta"])
def test_edited_input_is_refused(solution, probes, rng, which):
    """An input edited in place before backward must raise, as with built-in operators: save_for_backward sees to it."""
    x, beta = drawn(rng, ((3, 4), (4,)))
    outcome = probes.edited_between(x, beta, which)
    check(
        outcome != "accepted", "an input was edited in place after forward, and backward went on with the edited values"
    )
    check(outcome == "refused", "backward failed after an in-place edit of an input, but not with autograd's own error")


@points(1)
@EACH_ENTRY
def test_inputs_stay_as_they_are(solution, rng, entry):
    """Neither x nor β may be written to: in-place operators only on tensors you made."""
    x, beta = drawn(rng, ((3, 4), (4,)))
    assert_not_mutated(entry_of(solution, entry), x, beta)


@points(1)
def test_same_inputs_same_output(solution, rng):
    """Two calls with equal inputs must agree bit for bit."""
    x, beta = drawn(rng, ((3, 4), (3, 1)))
    assert_deterministic(solution.Swish.apply, x, beta)


@attested
@points(3)
@EACH_ENTRY
def test_only_the_inputs_are_saved(solution, attest, rng, entry):
    """Between forward and backward only x and β are kept, through save_for_backward; recompute the rest."""
    x, beta = (t.requires_grad_() for t in drawn(rng, ((6, 5), (5,)), torch.float32))
    seen = attest(entry_of(solution, entry), x, beta)
    check(not seen.extra_attributes, "a tensor is kept as an attribute of ctx; use ctx.save_for_backward")
    kept = {saved.is_input for saved in seen.saved}
    check(None not in kept, "something other than x and beta is saved for backward")
    check(kept == {0, 1}, "x and beta are both needed for the backward, but not both were saved")
    check(len(seen.saved) == 2, "an input is saved more than once")


@attested
@points(2)
@pytest.mark.parametrize("asked", [0, 1], ids=["x", "beta"])
def test_no_work_for_what_needs_no_gradient(solution, attest, rng, asked):
    """A gradient nobody asks for must not be computed: look at ctx.needs_input_grad first."""
    inputs = drawn(rng, ((6, 5), (5,)), torch.float32)
    both = attest.backward(solution.Swish.apply, *(t.clone().requires_grad_() for t in inputs))
    one = attest.backward(solution.Swish.apply, *(t.clone().requires_grad_(i == asked) for i, t in enumerate(inputs)))
    less = sum(one.operators.values()) < sum(both.operators.values())
    check(less, "backward does as much work for one gradient as for two")
