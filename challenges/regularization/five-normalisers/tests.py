"""Hidden tests: five normalisers, one formula."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
KINDS = ("batch", "layer", "instance", "group", "rms")
EACH_KIND = pytest.mark.parametrize("kind", KINDS)
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def library(x, kind, weight=None, bias=None, groups=1, eps=1e-5):
    """The same by torch's own functions."""
    if kind == "batch":
        return F.batch_norm(x, None, None, weight, bias, training=True, eps=eps)
    if kind == "layer":
        return F.layer_norm(x, x.shape[1:], weight, bias, eps)
    if kind == "instance":
        return F.instance_norm(x, weight=weight, bias=bias, eps=eps)
    if kind == "group":
        return F.group_norm(x, groups, weight, bias, eps)
    y = F.rms_norm(x, x.shape[1:], weight, eps)
    return y if bias is None else y + bias


def drawn(rng, kind, shape=(3, 4, 5, 2), dtype=F64):
    """x, weight and bias, with a mean and a scale of their own in each channel."""
    n, c, h, w = shape
    x = rng.randn(n, c, h, w, dtype=dtype) * (1 + rng.rand(c, 1, 1, dtype=dtype)) + rng.randn(n, c, 1, 1, dtype=dtype)
    affine = (c, h, w) if kind in ("layer", "rms") else (c,)
    return x, rng.randn(*affine, dtype=dtype), rng.randn(*affine, dtype=dtype)


@sample
@points(1)
def test_axes_by_hand(solution):
    """Two samples with two channels: batch norm compares samples, layer norm channels, instance norm nothing."""
    x = torch.tensor([[1.0, 3.0], [10.0, 30.0]], dtype=F64).reshape(2, 2, 1, 1)
    expected = {"batch": [-1.0, -1.0, 1.0, 1.0], "layer": [-1.0, 1.0, -1.0, 1.0], "instance": [0.0, 0.0, 0.0, 0.0]}
    for kind, values in expected.items():
        found = solution.normalise(x, kind, eps=1e-12).flatten()
        assert_close(found, torch.tensor(values, dtype=F64), atol=1e-9, name=kind)


@sample
@points(1)
def test_groups_are_blocks(solution):
    """With two groups, the first two of four channels share their statistics."""
    x = torch.tensor([0.0, 2.0, 10.0, 30.0], dtype=F64).reshape(1, 4, 1, 1)
    found = solution.normalise(x, "group", groups=2, eps=1e-12).flatten()
    assert_close(found, torch.tensor([-1.0, 1.0, -1.0, 1.0], dtype=F64), atol=1e-9)


@sample
@points(1)
def test_rms_by_hand(solution):
    """RMS: nothing is subtracted; 3 and 4 have the mean square 12.5."""
    x = torch.tensor([3.0, 4.0], dtype=F64).reshape(1, 2, 1, 1)
    found = solution.normalise(x, "rms", weight=torch.full((2, 1, 1), 12.5**0.5, dtype=F64), eps=0.0)
    assert_close(found, x)


@points(3)
@EACH_KIND
@EACH_DTYPE
def test_values_and_gradients(solution, rng, kind, dtype):
    """The output or a gradient differs: over which axes do the statistics of this kind run, and what meets the weight?"""
    inputs = drawn(rng, kind, dtype=dtype)

    def run(f):
        return lambda x, weight, bias: f(x, kind, weight, bias, groups=2)

    assert_same_gradients(run(solution.normalise), run(library), inputs, names=("x", "weight", "bias"))


@points(2)
@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_groups(solution, rng, groups):
    """Groups are blocks of neighbouring channels, from one group to one for each channel."""
    x, weight, bias = drawn(rng, "group", (2, 6, 3, 5))
    assert_close(solution.normalise(x, "group", weight, bias, groups), library(x, "group", weight, bias, groups))


@points(1)
@EACH_KIND
def test_defaults(solution, rng, kind):
    """Without weight, bias, groups and eps: nothing is multiplied or added, there is one group, and eps is 1e-5."""
    x, _, _ = drawn(rng, kind)
    x = 0.003 * x
    assert_close(solution.normalise(x, kind), library(x, kind))


@points(2)
@EACH_KIND
def test_one_of_two(solution, rng, kind):
    """A weight without a bias, and a bias without a weight."""
    x, weight, bias = drawn(rng, kind)
    assert_close(solution.normalise(x, kind, weight), library(x, kind, weight), name="with a weight alone")
    assert_close(solution.normalise(x, kind, bias=bias), library(x, kind, bias=bias), name="with a bias alone")


@points(2)
@EACH_KIND
@pytest.mark.parametrize("eps", [0.5, 1e-8])
def test_eps(solution, rng, kind, eps):
    """eps is added to the variance, under the root."""
    x, _, _ = drawn(rng, kind)
    assert_close(solution.normalise(x, kind, eps=eps), library(x, kind, eps=eps))


@points(2)
@EACH_KIND
@pytest.mark.parametrize("shape", [(1, 4, 3, 2), (3, 1, 2, 5), (1, 1, 2, 3)], ids=["sample", "channel", "both"])
def test_sizes_of_one(solution, rng, kind, shape):
    """One sample or one channel is a size like any other."""
    x, weight, bias = drawn(rng, kind, shape)
    assert_close(solution.normalise(x, kind, weight, bias), library(x, kind, weight, bias))


@points(1)
@pytest.mark.parametrize(
    ("kind", "shape"), [("instance", (2, 3, 1, 1)), ("batch", (1, 3, 1, 1)), ("layer", (4, 1, 1, 1))]
)
def test_a_single_value(solution, rng, kind, shape):
    """A single value has the variance 0 and becomes the bias."""
    x, weight, bias = drawn(rng, kind, shape)
    expected = bias.expand(shape) if kind == "layer" else bias[:, None, None].expand(shape)
    assert_close(solution.normalise(x, kind, weight, bias), expected)


@points(2)
@EACH_KIND
def test_other_samples(solution, rng, kind):
    """If one sample changes, batch norm changes all outputs, and each of the others changes one."""
    x, weight, bias = drawn(rng, kind)
    other = x.clone()
    other[1] += 1 + rng.rand(*x.shape[1:], dtype=F64)
    before, after = (solution.normalise(t, kind, weight, bias, groups=2) for t in (x, other))
    rest = [0, 2]
    if kind == "batch":
        check(not torch.allclose(before[rest], after[rest]), "batch norm should see the other samples")
    else:
        assert_close(after[rest], before[rest], name="outputs of the samples that stayed")


@points(2)
@pytest.mark.parametrize("kind", KINDS[:4])
def test_mean_far_from_zero(solution, rng, kind):
    """Values whose mean is a thousand times their deviation lose their digits."""
    x = 1000 + rng.randn(4, 6, 8, 8)
    found = solution.normalise(x, kind, groups=2)
    # float32 knows 1000 to 6e-5, and mean and difference are rounded once each
    assert_close(found, library(x.double(), kind, groups=2).float(), rtol=0.0, atol=1e-3)


@points(1)
@EACH_KIND
def test_layouts(solution, rng, kind):
    """Inputs that are not contiguous are inputs like any other."""
    _, weight, bias = drawn(rng, kind)
    x = rng.randn(3, 5, 2, 4, dtype=F64).permute(0, 3, 1, 2)
    found = solution.normalise(x, kind, weight, bias, groups=2)
    assert_close(found, library(x.contiguous(), kind, weight, bias, 2))


@points(1)
@EACH_KIND
def test_arguments_stay_as_they_are(solution, rng, kind):
    """Neither x nor weight nor bias may be written to."""
    assert_not_mutated(solution.normalise, drawn(rng, kind)[0], kind, *drawn(rng, kind)[1:], groups=2)


@points(2)
@pytest.mark.parametrize("groups", [4, 5, 12])
def test_groups_that_do_not_fit(solution, rng, groups):
    """groups must divide the number of channels; other kinds ignore it."""
    x = rng.randn(2, 6, 3, 2, dtype=F64)
    with pytest.raises(ValueError):
        solution.normalise(x, "group", groups=groups)
    for kind in ("batch", "layer", "instance", "rms"):
        assert_close(solution.normalise(x, kind, groups=groups), library(x, kind), name=kind)


@points(1)
@pytest.mark.parametrize("kind", ["spectral", "", "Layer"], ids=["spectral", "empty", "capital"])
def test_unknown_kinds(solution, rng, kind):
    """A kind that is not in the table raises ValueError."""
    with pytest.raises(ValueError):
        solution.normalise(rng.randn(2, 3, 2, 2), kind)
