"""Hidden tests: the loss and the gradients of a network with one hidden layer."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("x", "w1", "b1", "w2", "b2")
SIZES = {"small": (5, 3, 7, 2), "wide": (3, 11, 2, 5), "square": (3, 3, 3, 3), "one-row": (1, 2, 5, 3)}


def drawn(rng, n=5, d=3, h=7, c=4, dtype=F64):
    """x, labels, w1, b1, w2, b2: the order of the arguments."""
    x, labels = rng.randn(n, d, dtype=dtype), rng.randint(0, c, (n,))
    return [x, labels, *(rng.randn(*shape, dtype=dtype) for shape in ((h, d), (h,), (c, h), (c,)))]


def answered(solution, inputs):
    """The loss and the dict of gradients of the answer, where torch records nothing."""
    with torch.inference_mode():
        result = solution.loss_and_gradients(*inputs)
    check(type(result) is tuple and len(result) == 2, "the result must be the tuple (loss, gradients)")
    loss, gradients = result
    check(
        type(gradients) is dict and sorted(gradients) == sorted(NAMES),
        "gradients must be a dict with x, w1, b1, w2, b2",
    )
    return loss, gradients


def expected(inputs):
    """The same by autograd."""
    x, labels, *weights = inputs
    leaves = dict(zip(NAMES, [t.detach().clone().requires_grad_() for t in (x, *weights)], strict=True))
    hidden = F.relu(F.linear(leaves["x"], leaves["w1"], leaves["b1"]))
    loss = F.cross_entropy(F.linear(hidden, leaves["w2"], leaves["b2"]), labels)
    return loss.detach(), dict(zip(NAMES, torch.autograd.grad(loss, list(leaves.values())), strict=True))


def compare(solution, inputs, scale=4.0):
    loss, gradients = answered(solution, inputs)
    true_loss, true_gradients = expected(inputs)
    assert_close(loss, true_loss, name="loss")
    for name in NAMES:
        assert_close(gradients[name], true_gradients[name], scale=scale, name=f"gradient of {name}")


@sample
@points(1)
def test_one_sample_by_hand(solution):
    """Two scores of 1: both classes have the probability 1/2, and the second hidden unit is off."""
    x, labels = torch.tensor([[1.0, 2.0]]), torch.tensor([0])
    w1, w2 = torch.tensor([[3.0, -1.0], [0.0, -1.0]]), torch.tensor([[3.0, 5.0], [1.0, 4.0]])
    loss, gradients = answered(solution, (x, labels, w1, torch.zeros(2), w2, torch.tensor([-2.0, 0.0])))
    assert_close(loss, torch.tensor(math.log(2)), name="loss")
    by_hand = {
        "b2": torch.tensor([-0.5, 0.5]),
        "w2": torch.tensor([[-0.5, 0.0], [0.5, 0.0]]),
        "b1": torch.tensor([-1.0, 0.0]),
        "w1": torch.tensor([[-1.0, -2.0], [0.0, 0.0]]),
        "x": torch.tensor([[-3.0, 1.0]]),
    }
    for name, value in by_hand.items():
        assert_close(gradients[name], value, name=f"gradient of {name}")


@sample
@points(1)
def test_the_mean_over_the_batch(solution):
    """A batch that repeats one sample has the loss of one and its gradients; only the gradient of x is shared out."""
    x, labels = torch.tensor([[2.0], [2.0], [2.0], [2.0]]), torch.tensor([1, 1, 1, 1])
    ones = torch.ones(1, 1), torch.zeros(1), torch.tensor([[1.0], [1.0]]), torch.zeros(2)
    loss, gradients = answered(solution, (x, labels, *ones))
    assert_close(loss, torch.tensor(math.log(2)), name="loss")
    assert_close(gradients["w2"], torch.tensor([[1.0], [-1.0]]), name="gradient of w2")
    assert_close(gradients["b2"], torch.tensor([0.5, -0.5]), name="gradient of b2")
    sided = (*ones[:2], torch.tensor([[3.0], [1.0]]), torch.tensor([-4.0, 0.0]))
    assert_close(answered(solution, (x, labels, *sided))[1]["x"], torch.full((4, 1), 0.25), name="gradient of x")


@sample
@points(1)
def test_units_at_zero(solution):
    """A unit whose input is exactly 0 passes no gradient."""
    x, labels = torch.tensor([[1.0, 1.0]]), torch.tensor([0])
    w1, w2 = torch.tensor([[1.0, -1.0], [2.0, -2.0]]), torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    loss, gradients = answered(solution, (x, labels, w1, torch.zeros(2), w2, torch.zeros(2)))
    assert_close(loss, torch.tensor(math.log(2)), name="loss")
    assert_close(gradients["b1"], torch.zeros(2), name="gradient of b1")
    assert_close(gradients["x"], torch.zeros(1, 2), name="gradient of x")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES.keys())
def test_loss(solution, rng, sizes, dtype):
    """The loss differs: two linear layers with ReLU between them, and the mean of -log p of the right class."""
    inputs = drawn(rng, *sizes, dtype=dtype)
    assert_close(answered(solution, inputs)[0], expected(inputs)[0], name="loss")


@points(3)
@pytest.mark.parametrize("name", NAMES)
def test_gradient(solution, rng, name):
    """This gradient differs in value, shape or dtype: follow the chain of products back to this argument."""
    for size, dtype in (("small", F64), ("small", F32), ("wide", F64), ("square", F64)):
        inputs = drawn(rng, *SIZES[size], dtype=dtype)
        found = answered(solution, inputs)[1][name]
        assert_close(found, expected(inputs)[1][name], scale=4.0, name=f"gradient of {name}")


@points(2)
def test_absent_classes(solution, rng):
    """Classes that no label of the batch names have gradients too: they are pushed down."""
    inputs = drawn(rng, 5, 3, 4, 11)
    inputs[1] = rng.randint(2, 5, (5,))
    compare(solution, inputs)


@points(1)
def test_one_of_each(solution, rng):
    """Sizes of 1 are sizes like others: with one class the loss and all gradients are 0."""
    compare(solution, drawn(rng, 1, 1, 1, 2))
    inputs = drawn(rng, 3, 2, 5, 1)
    loss, gradients = answered(solution, inputs)
    assert_close(loss, torch.zeros((), dtype=F64), name="loss")
    for name, like in zip(NAMES, [inputs[0], *inputs[2:]], strict=True):
        assert_close(gradients[name], torch.zeros_like(like), name=f"gradient of {name}")


@points(2)
def test_the_kink(solution, rng):
    """Units at zero or below must pass nothing back, and active ones everything, whatever the sign of the gradient is."""
    x, labels, w1, b1, w2, b2 = drawn(rng, 5, 3, 7, 4)
    w1[:2], b1[:2] = 0.0, 0.0
    b1[2:4] = -100.0
    w1[4:], b1[4:] = 0.1 * w1[4:], 10.0
    compare(solution, (x, labels, w1, b1, w2, b2))
    gradients = answered(solution, (x, labels, w1, b1, w2, b2))[1]
    for name in ("w1", "b1"):
        check(not bool(gradients[name][:4].any()), f"a gradient of {name} passes a unit that is off")
        check(bool(gradients[name][4:].all()), f"no gradient of {name} passes a unit that is on")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("size", [300.0, 1e5])
def test_large_scores(solution, rng, size, dtype):
    """Scores of this size, in rows that lie far apart: subtract the largest of each row, and stay in the logarithm."""
    x = torch.tensor([[1.0], [1.0], [0.5], [0.0]], dtype=dtype)
    w2 = size * torch.tensor([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]], dtype=dtype)
    labels = torch.tensor([0, 2, 1, 2])
    w1, b1 = torch.ones(2, 1, dtype=dtype), torch.zeros(2, dtype=dtype)
    b2 = rng.rand(3, dtype=dtype)
    compare(solution, (x, labels, w1, b1, w2, b2))
    # three equal scores in each row, and the rows lie far below or above each other. What comes back through these three
    # equal weights is a sum that cancels, so only the loss and the second layer are compared.
    far = rng.choice((-1.0, 1.0)) * size * torch.tensor([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], dtype=dtype)
    inputs = (x, labels, w1, b1, far, torch.zeros(3, dtype=dtype))
    loss, gradients = answered(solution, inputs)
    true_loss, true = expected(inputs)
    assert_close(loss, true_loss, name="loss of rows that lie far apart")
    for name in ("w2", "b2"):
        assert_close(gradients[name], true[name], scale=4.0, name=f"gradient of {name}")


@points(1)
def test_order_of_the_batch(solution, rng):
    """Another order of the samples must give the same loss and weights' gradients, and permute the gradient of x."""
    inputs = drawn(rng, 7, 3, 5, 4)
    order = rng.permutation(7)
    loss, gradients = answered(solution, inputs)
    other_loss, others = answered(solution, (inputs[0][order], inputs[1][order], *inputs[2:]))
    assert_close(other_loss, loss, name="loss of a permuted batch")
    gradients["x"] = gradients["x"][order]
    for name in NAMES:
        assert_close(others[name], gradients[name], name=f"gradient of {name} in a permuted batch")


@points(1)
def test_sums_that_vanish(solution, rng):
    """A shift of all scores changes nothing, so the gradients of b2, and of each column of w2, must add up to zero."""
    inputs = drawn(rng, 5, 3, 7, 4)
    gradients = answered(solution, inputs)[1]
    check(bool(gradients["b2"].any()) and bool(gradients["w2"].any()), "b2 or w2 has no gradient")
    assert_close(gradients["b2"].sum(), torch.zeros((), dtype=F64), name="sum of the gradient of b2")
    assert_close(gradients["w2"].sum(0), torch.zeros(7, dtype=F64), name="sums of the gradient of w2")


@points(2)
def test_scales_that_cancel(solution, rng):
    """First layer times t, second divided by t, is the same network: products of gradients with their weights must agree."""
    x, labels, w1, b1, w2, b2 = drawn(rng, 5, 3, 7, 4)
    found = answered(solution, (x, labels, w1, b1, w2, b2))[1]
    through_second = (found["w2"] * w2).sum()
    assert_close((found["w1"] * w1).sum() + (found["b1"] * b1).sum(), through_second, scale=16.0, name="first layer")
    assert_close((found["x"] * x).sum(), (found["w1"] * w1).sum(), scale=16.0, name="product of x with its gradient")


@points(2)
def test_descent(solution, rng):
    """Weights that follow your gradients must go where they go with autograd, step by step."""
    x, labels, *mine = drawn(rng, 11, 3, 5, 4)
    theirs = [w.clone() for w in mine]
    for _ in range(4):
        loss, gradients = answered(solution, (x, labels, *mine))
        true_loss, true = expected((x, labels, *theirs))
        assert_close(loss, true_loss, scale=4.0, name="loss on the way")
        mine = [w - 0.1 * gradients[name] for w, name in zip(mine, NAMES[1:], strict=True)]
        theirs = [w - 0.1 * true[name] for w, name in zip(theirs, NAMES[1:], strict=True)]


@points(1)
def test_layouts(solution, rng):
    """Transposed, strided and expanded inputs are tensors like any other."""
    labels = rng.randint(0, 4, (10,))[::2]
    x = rng.randn(3, 5, dtype=F64).T
    w1, w2 = rng.randn(7, 6, dtype=F64)[:, ::2], rng.randn(7, 4, dtype=F64).T
    b1, b2 = rng.randn(1, dtype=F64).expand(7), rng.randn(8, dtype=F64)[::2]
    compare(solution, (x, labels, w1, b1, w2, b2))
    compare(solution, (x[:1].expand(5, 3), labels, w1, b1, w2, b2))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """No argument may be written to: the step is the optimizer's business, and intermediate results have memory of their own."""
    inputs = drawn(rng)
    with torch.inference_mode():
        assert_not_mutated(solution.loss_and_gradients, *inputs)
    compare(solution, drawn(rng))
