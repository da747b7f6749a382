"""Hidden tests: a network as deep as its input needs."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_state_dict_round_trip,
    attested,
    check,
    points,
    sample,
)

F64 = torch.float64


def walk(x, weight, bias, steps):
    """All activations: x, and what follows in `steps` steps."""
    found = [x]
    for _ in range(steps):
        found.append(torch.tanh(found[-1] @ weight.T + bias))
    return found


def weights_for(rng, width=4, dtype=F64):
    """A map that shrinks: 0.8 times a rotation, and a small bias."""
    rotation, _ = torch.linalg.qr(rng.randn(width, width, dtype=F64))
    return (0.8 * rotation).to(dtype), 0.01 * rng.randn(width, dtype=dtype)


def largest(h):
    return float(h.norm(dim=-1).max())


def case(rng, depth, shape=(3,), dtype=F64):
    """Input, weights, and a threshold under which all rows have fallen after exactly `depth` steps."""
    weight, bias = weights_for(rng, dtype=dtype)
    x = 1.5 * torch.nn.functional.normalize(rng.randn(*shape, 4, dtype=dtype), dim=-1)
    norms = [largest(h) for h in walk(x, weight, bias, depth)]
    before = min(norms[:depth], default=2 * norms[0])
    return x, weight, bias, (norms[depth] + before) / 2


def build(source, weight, bias, *settings, **more):
    module = source.AdaptiveDepth(weight.shape[0], *settings, **more).to(weight.dtype)
    module.load_state_dict({"layer.weight": weight.clone(), "layer.bias": bias.clone()})
    return module


def steps_of(module):
    steps = module.steps_taken
    check(type(steps) is int, "steps_taken is not a plain int")
    return steps


@sample
def test_two_steps_by_hand(solution):
    """Weights of 0 and a bias of 0.1: after one step all activations are tanh(0.1), which is small."""
    module = build(solution, torch.zeros(2, 2), torch.full((2,), 0.1), 0.5)
    actual = module(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
    assert_close(actual, torch.full((2, 2), 0.0996680))
    assert_close(module.steps_taken, 1, name="steps_taken")


@sample
def test_an_input_that_is_small(solution):
    """An input below the threshold needs no step, and comes back as it is."""
    module = build(solution, torch.eye(2), torch.zeros(2))
    x = torch.tensor([0.3, 0.4])
    assert_close(module(x), x)
    assert_close(module.steps_taken, 0, name="steps_taken")


@sample
def test_another_input_another_depth(solution):
    """The same module makes more steps for a larger input."""
    module = build(solution, 0.5 * torch.eye(2), torch.zeros(2), 0.25)
    depths = []
    for x in (torch.tensor([0.4, 0.0]), torch.tensor([0.0, 0.7]), torch.tensor([0.0, 0.1])):
        module(x)
        depths.append(module.steps_taken)
    assert_close(depths, [1, 2, 0], name="steps_taken, call by call")


@points(2)
@pytest.mark.parametrize("depth", [1, 2, 4, 7])
def test_depth_and_value(solution, rng, depth):
    """Value or number of steps is wrong for an input that needs several steps: look at the current activations each time."""
    x, weight, bias, threshold = case(rng, depth)
    module = build(solution, weight, bias, threshold)
    assert_close(module(x), walk(x, weight, bias, depth)[-1])
    assert_close(steps_of(module), depth, name="steps_taken")


@points(1)
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)], ids=["one-row", "batch-of-one", "two-dimensions"])
def test_shapes(solution, rng, shape):
    """Rows may have no batch dimension, one, or several."""
    x, weight, bias, threshold = case(rng, 3, shape)
    module = build(solution, weight, bias, threshold)
    assert_close(module(x), walk(x, weight, bias, 3)[-1])
    assert_close(steps_of(module), 3, name="steps_taken")


@points(1)
def test_single_precision(solution, rng):
    """In float32 as in float64: the result has the dtype of the layer."""
    x, weight, bias, threshold = case(rng, 2, dtype=torch.float32)
    assert_close(build(solution, weight, bias, threshold)(x), walk(x, weight, bias, 2)[-1])


@points(2)
@pytest.mark.parametrize("most", [None, 1, 6], ids=["default", "one", "six"])
def test_no_more_than_max_steps(solution, rng, most):
    """Activations that never become small are left after max_steps steps, 10 by default."""
    weight, bias = weights_for(rng)
    bias = bias + 1.0
    x = 3 + rng.rand(3, 4, dtype=F64)
    options = {} if most is None else {"max_steps": most}
    module = build(solution, weight, bias, 1e-3, **options)
    assert_close(module(x), walk(x, weight, bias, most or 10)[-1])
    assert_close(steps_of(module), most or 10, name="steps_taken")


@points(2)
def test_threshold_of_one(solution, rng):
    """Without a threshold given it is 1: rows of norm 0.99 are small, rows of norm 1.01 are not."""
    weight, bias = weights_for(rng)
    module = build(solution, weight, bias)
    row = torch.nn.functional.normalize(rng.randn(4, dtype=F64), dim=0)
    module(0.99 * row)
    assert_close(steps_of(module), 0, name="steps_taken for a norm of 0.99")
    module(1.01 * row)
    assert_close(steps_of(module), 1, name="steps_taken for a norm of 1.01")


@points(1)
def test_exactly_at_the_threshold(solution, rng):
    """A norm that equals the threshold is not below it: one more step."""
    weight, bias = weights_for(rng)
    x = torch.tensor([3.0, 0.0, 4.0, 0.0], dtype=F64)
    module = build(solution, weight, bias, 5.0)
    assert_close(module(x), walk(x, weight, bias, 1)[-1])
    assert_close(steps_of(module), 1, name="steps_taken")


@points(2)
@pytest.mark.parametrize("kind", ["many-small-rows", "one-sequence-of-them", "one-large-row"])
def test_rows_are_looked_at_one_by_one(solution, rng, kind):
    """It is the norm of a row that counts, of any row: neither the norm of the whole batch nor an average."""
    weight, bias = weights_for(rng)
    rows = torch.nn.functional.normalize(rng.randn(9, 4, dtype=F64), dim=-1)
    x = {
        "many-small-rows": 0.9 * rows,
        "one-sequence-of-them": 0.9 * rows[None],
        "one-large-row": torch.cat([0.01 * rows, 1.2 * rows[:1], 0.01 * rows]),
    }[kind]
    depth = 1 if kind == "one-large-row" else 0
    module = build(solution, weight, bias)
    assert_close(module(x), walk(x, weight, bias, depth)[-1])
    assert_close(steps_of(module), depth, name="steps_taken")


@points(1)
def test_no_rows(solution, rng):
    """A batch without rows has no large row: no step, and the shape stays."""
    weight, bias = weights_for(rng)
    module = build(solution, weight, bias)
    assert_close(module(torch.zeros(0, 4, dtype=F64)), torch.zeros(0, 4, dtype=F64))
    assert_close(steps_of(module), 0, name="steps_taken")


@points(2)
def test_each_call_decides_anew(solution, rng):
    """steps_taken is 0 at first and describes the last call; neither count nor depth may be left over from another call."""
    x, weight, bias, threshold = case(rng, 3)
    module = build(solution, weight, bias, threshold)
    assert_close(steps_of(module), 0, name="steps_taken before the first call")
    for inputs, depth in ((x, 3), (0 * x, 0), (x, 3), (walk(x, weight, bias, 2)[-1], 1)):
        assert_close(module(inputs), walk(inputs, weight, bias, depth)[-1])
        assert_close(steps_of(module), depth, name="steps_taken of the last call")


@points(3)
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_gradients(solution, rng, depth):
    """Every step that was made takes part in backward: the gradient of the shared weights is a sum over all of them."""
    x, weight, bias, threshold = case(rng, depth)
    module = build(solution, weight, bias, threshold)
    leaves = [t.clone().requires_grad_() for t in (x, weight, bias)]
    cotangent = rng.randn(*x.shape, dtype=F64)
    expected = torch.autograd.grad(walk(*leaves, depth)[-1], leaves, cotangent)
    mine = x.clone().requires_grad_()
    out = module(mine)
    check(out.requires_grad, "the output is detached from input and parameters")
    check(out.shape == x.shape, "the output has another shape than x")
    out.backward(cotangent)
    found = dict(module.named_parameters())
    check(mine.grad is not None, "no gradient reaches x")
    assert_close(mine.grad, expected[0], name="gradient of x")
    for name, want in (("layer.weight", expected[1]), ("layer.bias", expected[2])):
        check(found[name].grad is not None, f"no gradient reaches {name}")
        assert_close(found[name].grad, want, name=f"gradient of {name}")


@points(2)
def test_two_depths_in_one_loss(solution, rng):
    """A loss over two calls of different depths: both graphs stay intact, and their gradients add up."""
    x, weight, bias, threshold = case(rng, 4)
    near = walk(x, weight, bias, 3)[-1]
    module = build(solution, weight, bias, threshold)
    (module(x).sum() + 2 * module(near).sum()).backward()
    leaves = [t.clone().requires_grad_() for t in (weight, bias)]
    loss = walk(x, *leaves, 4)[-1].sum() + 2 * walk(near, *leaves, 1)[-1].sum()
    expected = torch.autograd.grad(loss, leaves)
    found = dict(module.named_parameters())
    for name, want in zip(("layer.weight", "layer.bias"), expected, strict=True):
        check(found[name].grad is not None, f"no gradient reaches {name}")
        assert_close(found[name].grad, want, name=f"gradient of {name}")


@points(1)
def test_gradient_without_a_step(solution, rng):
    """Where no step is made the output is x, and so is its gradient."""
    x, weight, bias, threshold = case(rng, 0)
    module = build(solution, weight, bias, threshold)
    leaf, cotangent = x.clone().requires_grad_(), rng.randn(*x.shape, dtype=F64)
    out = module(leaf)
    check(out.requires_grad, "the output is detached from x")
    out.backward(cotangent)
    assert_close(leaf.grad, cotangent, name="gradient of x")


@attested
@points(2)
@pytest.mark.parametrize("depth", [0, 2])
def test_nothing_in_vain(solution, attest, rng, depth):
    """An input that needs few steps must cost few: no steps are computed and then thrown away."""
    x, weight, bias, threshold = case(rng, depth)
    seen = attest(build(solution, weight, bias, threshold), x)
    made = sum(count for name, count in seen.operators.items() if name in ("aten::tanh", "aten::tanh_"))
    check(made <= depth, f"more than {depth} steps were computed for an input that needs {depth}")


@points(2)
def test_one_layer_is_saved(solution, rng):
    """The state is one layer, however many steps are made, and loading it brings the behaviour along."""
    module = solution.AdaptiveDepth(3)
    module(rng.randn(2, 3))
    shapes = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    assert_close(shapes, {"layer.weight": (3, 3), "layer.bias": (3,)}, name="the state dict's shapes")
    assert_close(len(list(module.parameters())), 2, name="the number of parameters")
    assert_state_dict_round_trip(lambda: solution.AdaptiveDepth(3), 5 + rng.rand(2, 3))


@points(1)
def test_mode_makes_no_difference(solution, rng):
    """train() and eval() make the same steps."""
    x, weight, bias, threshold = case(rng, 2)
    assert_ignores_mode(build(solution, weight, bias, threshold), x)


@points(1)
def test_strided_input_stays_as_it_is(solution, rng):
    """A transposed input is a usual input, and is not written to."""
    x, weight, bias, threshold = case(rng, 2, (5,))
    turned = x.t().contiguous().t()
    module = build(solution, weight, bias, threshold)
    assert_close(assert_not_mutated(module, turned), walk(x, weight, bias, 2)[-1])
