"""Hidden tests: batch norm."""

import pytest
import torch
from torch import nn

from grader.testing import (
    assert_close,
    assert_mode_matters,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
NAMES = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
SHAPES = {"rows": (6, 3), "sequences": (4, 3, 5), "images": (2, 3, 4, 5), "volumes": (2, 3, 2, 3, 2)}
TORCH = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
EACH_SHAPE = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
EACH_MODE = pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def pair(solution, rng, dims, features, dtype=F64, **options):
    """The answer's layer and torch's, with one random state."""
    mine, theirs = solution.MyBatchNorm(features, **options), TORCH[dims](features, **options)
    mine.to(dtype), theirs.to(dtype)
    state = {"running_mean": rng.randn(features, dtype=dtype), "running_var": rng.rand(features, dtype=dtype) + 0.5}
    if options.get("affine", True):
        state |= {"weight": rng.randn(features, dtype=dtype), "bias": rng.randn(features, dtype=dtype)}
    state["num_batches_tracked"] = torch.tensor(rng.integer(2, 50))
    for module in (mine, theirs):
        module.load_state_dict({name: value.clone() for name, value in state.items()})
    return mine, theirs


def check_state(mine, theirs):
    found, expected = mine.state_dict(), theirs.state_dict()
    check(set(found) == set(expected), "state_dict() has other names than the statement's table")
    for name, value in expected.items():
        assert_close(found[name], value, name=name)


@sample
@points(1)
def test_two_rows(solution):
    """Two rows in training become -1 and 1, and the running statistics move half way."""
    norm = solution.MyBatchNorm(2, momentum=0.5)
    y = norm(torch.tensor([[1.0, 10.0], [3.0, 30.0]]))
    assert_close(y.detach(), torch.tensor([[-1.0, -1.0], [1.0, 1.0]]), atol=1e-4)
    state = norm.state_dict()
    check(set(state) == set(NAMES), f"state_dict() must have the names {', '.join(NAMES)}")
    assert_close(state["running_mean"], torch.tensor([1.0, 10.0]), name="running_mean")
    assert_close(state["running_var"], torch.tensor([1.5, 100.5]), name="running_var")
    assert_close(state["num_batches_tracked"], torch.tensor(1), name="num_batches_tracked")


@sample
@points(1)
def test_remembered_statistics(solution):
    """In evaluation the running statistics normalise, and a single row is no problem."""
    norm = solution.MyBatchNorm(1, eps=0.0)
    norm.load_state_dict(
        {
            "weight": torch.tensor([2.0]),
            "bias": torch.tensor([1.0]),
            "running_mean": torch.tensor([10.0]),
            "running_var": torch.tensor([4.0]),
            "num_batches_tracked": torch.tensor(7),
        }
    )
    norm.eval()
    assert_close(norm(torch.tensor([[14.0]])).detach(), torch.tensor([[5.0]]))
    assert_close(norm.state_dict()["num_batches_tracked"], torch.tensor(7), name="num_batches_tracked")


@sample
@points(1)
def test_one_statistic_for_a_channel(solution):
    """A channel of a batch of images has one mean and one variance, over samples and pixels."""
    x = torch.tensor([0.0, 0.0, 0.0, 4.0]).reshape(2, 1, 1, 2)
    y = solution.MyBatchNorm(1, eps=0.0)(x).detach()
    assert_close(y.flatten(), torch.tensor([-1.0, -1.0, -1.0, 3.0]) / 3**0.5)


@points(2)
@EACH_SHAPE
@EACH_MODE
def test_values_and_gradients(solution, rng, shape, training):
    """The output or the gradient of x differs: which statistics, over which dimensions, and what does autograd see of them?"""
    mine, theirs = pair(solution, rng, len(shape), 3)
    mine.train(training), theirs.train(training)
    assert_same_gradients(mine, theirs, (2 * rng.randn(*shape, dtype=F64) + 1,), names=("x",))


@points(1)
@EACH_MODE
def test_float32(solution, rng, training):
    """The layer works in the dtype of its input and its state."""
    mine, theirs = pair(solution, rng, 4, 3, F32)
    mine.train(training), theirs.train(training)
    assert_same_gradients(mine, theirs, (rng.randn(3, 3, 4, 2),), names=("x",))
    check_state(mine, theirs)


@points(2)
@EACH_MODE
@pytest.mark.parametrize("shape", [(5, 4), (2, 4, 3, 3)], ids=["rows", "images"])
def test_gradients_of_weight_and_bias(solution, rng, shape, training):
    """weight or bias gets no gradient, or a wrong one."""
    mine, theirs = pair(solution, rng, len(shape), 4)
    x, cotangent = rng.randn(*shape, dtype=F64), rng.randn(*shape, dtype=F64)
    found = []
    for module in (mine, theirs):
        module.train(training)
        named = dict(module.named_parameters())
        check(set(named) == {"weight", "bias"}, "the parameters must be weight and bias")
        out = module(x)
        check(out.requires_grad, "the output is detached from the parameters")
        found.append(torch.autograd.grad(out, [named["weight"], named["bias"]], cotangent))
    for name, one, other in zip(("weight", "bias"), *found, strict=True):
        assert_close(one, other, scale=4.0, name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize("momentum", [0.1, 0.75, 0.0, None], ids=["tenth", "most", "zero", "none"])
@pytest.mark.parametrize("dims", [2, 4], ids=["rows", "images"])
def test_several_batches(solution, rng, dims, momentum):
    """After some batch the state is off: mind n - 1 in the remembered variance, and which side momentum weighs."""
    mine, theirs = solution.MyBatchNorm(3, momentum=momentum).to(F64), TORCH[dims](3, momentum=momentum).to(F64)
    for n in (2, 5, 3):
        x = 2 * rng.randn(*((n, 3) if dims == 2 else (n, 3, 2, 2)), dtype=F64) + 1
        mine(x), theirs(x)
        check_state(mine, theirs)


@points(1)
def test_average_goes_on_from_a_state(solution, rng):
    """With momentum=None the counter in the state decides, also when that state was loaded from a longer run."""
    mine, theirs = pair(solution, rng, 2, 3, momentum=None)
    for n in (4, 3):
        x = 2 * rng.randn(n, 3, dtype=F64) + 1
        mine(x), theirs(x)
        check_state(mine, theirs)


@points(1)
def test_evaluation_changes_nothing(solution, rng):
    """In evaluation the state is only read."""
    mine, theirs = pair(solution, rng, 2, 3)
    mine.eval(), theirs.eval()
    mine(rng.randn(4, 3, dtype=F64))
    check_state(mine, theirs)


@points(1)
@pytest.mark.parametrize("n", [0, 1], ids=["none", "one"])
def test_few_rows_in_evaluation(solution, rng, n):
    """In evaluation a row does not depend on others: one alone, or none, is fine."""
    mine, theirs = pair(solution, rng, 2, 3, F32)
    mine.eval(), theirs.eval()
    x = rng.randn(n, 3)
    assert_close(mine(x), theirs(x))


@points(2)
@pytest.mark.parametrize("shape", [(1, 3), (1, 3, 1, 1), (0, 3)], ids=["row", "pixel", "nothing"])
def test_too_few_values(probes, shape):
    """In training one value for each channel has no variance: raise ValueError, before the state changes."""
    raised, state = probes.refused(torch.ones(shape))
    check(raised == "ValueError", "fewer than two values for each channel must raise ValueError")
    assert_close(state["num_batches_tracked"], torch.tensor(0), name="num_batches_tracked after the refusal")
    assert_close(state["running_mean"], torch.zeros(3), name="running_mean after the refusal")


@points(1)
def test_one_image_is_enough(solution, rng):
    """One image has many values for each channel, and may be normalised in training."""
    mine, theirs = pair(solution, rng, 4, 3)
    x = rng.randn(1, 3, 1, 2, dtype=F64)
    assert_close(mine(x), theirs(x))
    check_state(mine, theirs)


@points(2)
@EACH_MODE
def test_without_affine(solution, rng, training):
    """With affine=False there is nothing to learn, and nothing is multiplied or added."""
    mine, theirs = pair(solution, rng, 2, 4, affine=False)
    mine.train(training), theirs.train(training)
    check(not list(mine.parameters()), "with affine=False there must be no parameters")
    assert_same_gradients(mine, theirs, (rng.randn(5, 4, dtype=F64),), names=("x",))
    check_state(mine, theirs)


@points(1)
@EACH_MODE
def test_eps_is_under_the_root(solution, rng, training):
    """eps is added to the variance, under the root; with a constant channel it is all there is."""
    mine, theirs = pair(solution, rng, 2, 3, eps=0.25)
    mine.train(training), theirs.train(training)
    x = rng.randn(4, 3, dtype=F64)
    x[:, 1] = 2.0
    assert_close(mine(x), theirs(x))


@points(1)
def test_default_eps(solution):
    """eps is 1e-5 unless given: a channel with a tiny deviation shows it."""
    x = torch.tensor([[0.001], [-0.001]], dtype=F64)
    y = solution.MyBatchNorm(1).to(F64)(x).detach()
    assert_close(y, x / (1e-6 + 1e-5) ** 0.5)


@points(2)
def test_mean_far_from_zero(solution, rng):
    """A channel whose mean is a thousand times its deviation loses its digits, or becomes NaN."""
    x = 1000 + rng.randn(64, 3)
    y = solution.MyBatchNorm(3)(x).detach()
    # float32 knows 1000 to 6e-5, and mean and difference are rounded once each
    assert_close(y, nn.BatchNorm1d(3).double()(x.double()).detach().float(), rtol=0.0, atol=1e-3)


@points(1)
def test_large_and_small_channels(solution, rng):
    """Each channel is treated by its own scale, from very large to very small."""
    mine, theirs = pair(solution, rng, 2, 4)
    x = rng.randn(6, 4, dtype=F64) * torch.tensor([1e6, 1.0, 1e-3, 1e3], dtype=F64)
    assert_close(mine(x), theirs(x))
    mine.eval(), theirs.eval()
    assert_close(mine(x), theirs(x))


@points(2)
def test_training_with_an_optimizer(probes, reference, rng):
    """Steps of an optimizer move weight and bias; the buffers follow the batches, and keep no graph."""
    batches = [rng.randn(4, 3, 2) for _ in range(3)]
    found, expected = (p.after_steps(batches, 0.01) for p in (probes, probes.on(reference)))
    check(found["history"] is False, "a running statistic has a history: it holds on to the graphs of the batches")
    assert_close(found["state"], expected["state"], scale=4.0, name="state")


@points(1)
def test_state_travels(solution, rng):
    """A state that is loaded decides the output, and comes out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.MyBatchNorm(4), rng.randn(3, 4))


@points(1)
@EACH_DTYPE
def test_dtypes_of_the_state(solution, dtype):
    """.to(dtype) takes parameters and statistics along; the counter stays int64."""
    state = solution.MyBatchNorm(5).to(dtype).state_dict()
    check(set(state) == set(NAMES), f"state_dict() must have the names {', '.join(NAMES)}")
    for name in NAMES[:4]:
        start = torch.zeros(5, dtype=dtype) if name in ("bias", "running_mean") else torch.ones(5, dtype=dtype)
        assert_close(state[name], start, name=name)
    assert_close(state["num_batches_tracked"], torch.tensor(0), name="num_batches_tracked")


@points(1)
def test_the_mode_matters(solution, rng):
    """train() normalises by the batch, eval() by what was remembered."""
    assert_mode_matters(solution.MyBatchNorm(3), 2 * rng.randn(5, 3) + 3)


@points(1)
@EACH_MODE
@pytest.mark.parametrize("layout", ["transposed", "channels-last", "strided"])
def test_layouts(solution, rng, layout, training):
    """Inputs that are not contiguous are inputs like any other, and are not written to."""
    if layout == "transposed":
        x = rng.randn(4, 6, dtype=F64).t()
    elif layout == "channels-last":
        x = rng.randn(2, 3, 5, 4, dtype=F64).permute(0, 3, 1, 2)
    else:
        x = rng.randn(4, 8, 3, 6, dtype=F64)[:, ::2, :, ::3]
    mine, theirs = pair(solution, rng, x.dim(), 4)
    mine.train(training), theirs.train(training)
    assert_close(assert_not_mutated(mine, x), theirs(x))
