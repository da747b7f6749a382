"""Hidden tests: windows in one, two and three dimensions, against torch's own functions."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_N = pytest.mark.parametrize("n", [1, 2, 3], ids=["sequence", "image", "volume"])
CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
AVERAGE = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
LARGEST = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
PLACES = {1: (11,), 2: (7, 5), 3: (5, 4, 6)}
KERNELS = {1: (3,), 2: (2, 3), 3: (1, 3, 2)}


def true_convolve(x, w, stride=1, padding=0):
    return CONV[x.dim() - 2](x, w, stride=stride, padding=padding)


def true_average(x, size, stride=None, padding=0, count_padding=True):
    return AVERAGE[x.dim() - 2](x, size, stride, padding, count_include_pad=count_padding)


def true_largest(x, size, stride=None, padding=0):
    return LARGEST[x.dim() - 2](x, size, stride, padding)


def true_causal(x, w, before=None):
    k = w.shape[1]
    past = x.new_zeros(*x.shape[:2], k - 1) if before is None else before
    return F.conv1d(torch.cat([past, x], 2), w[:, None], groups=len(w))


@sample
@points(1)
def test_convolution_by_hand(solution):
    """Each place sums kernel times window, and the kernel is not flipped."""
    x = torch.tensor([[[1.0, 2.0, 4.0, 8.0]]])
    assert_close(solution.convolve(x, torch.tensor([[[1.0, 10.0]]])), torch.tensor([[[21.0, 42.0, 84.0]]]))


@sample
@points(1)
def test_border_by_hand(solution):
    """At the border an average counts the padding or not, and a maximum never sees it."""
    x = torch.tensor([[[-2.0, -4.0, -6.0]]])
    assert_close(solution.average_pool(x, 2, 2, 1), torch.tensor([[[-1.0, -5.0]]]))
    assert_close(solution.average_pool(x, 2, 2, 1, False), torch.tensor([[[-2.0, -5.0]]]))
    assert_close(solution.max_pool(x, 2, 2, 1), torch.tensor([[[-2.0, -4.0]]]))


@sample
@points(1)
def test_causal_by_hand(solution):
    """The last weight multiplies the newest number; before the first there are zeros, or what was passed."""
    x, w = torch.tensor([[[1.0, 2.0, 3.0]]]), torch.tensor([[1.0, 10.0]])
    assert_close(solution.causal_depthwise(x, w), torch.tensor([[[10.0, 21.0, 32.0]]]))
    found = solution.causal_depthwise(x, w, torch.tensor([[[5.0]]]))
    assert_close(found, torch.tensor([[[15.0, 21.0, 32.0]]]))


@points(3)
@EACH_N
@EACH_DTYPE
def test_convolve(solution, rng, dtype, n):
    """A convolution or its gradient differs: sizes of the kernel, stride and padding act in each place dimension."""
    x, w = rng.randn(2, 3, *PLACES[n], dtype=dtype), rng.randn(5, 3, *KERNELS[n], dtype=dtype)
    for stride, padding in ((1, 0), (2, 1), (3, 2)):
        inputs = (x, w, stride, padding)
        assert_same_gradients(solution.convolve, true_convolve, inputs, wrt=[0, 1], names=("x", "w"), scale=8.0)


@points(3)
@EACH_N
@EACH_DTYPE
@pytest.mark.parametrize("count", [True, False], ids=["counted", "not-counted"])
def test_average_pool(solution, rng, dtype, n, count):
    """A mean or its gradient differs: what does each window divide by, at the corner and in the middle?"""
    x = rng.randn(2, 3, *PLACES[n], dtype=dtype)
    for size, stride, padding in ((2, 1, 0), (2, None, 1), (3, 2, 1), (4, 3, 2)):
        inputs = (x, size, stride, padding, count)
        assert_same_gradients(solution.average_pool, true_average, inputs, wrt=[0], names=("x",), scale=4.0)


@points(3)
@EACH_N
@EACH_DTYPE
def test_max_pool(solution, rng, dtype, n):
    """A maximum differs, or its gradient: it goes to the place that holds the largest number."""
    x = rng.randn(2, 3, *PLACES[n], dtype=dtype)
    for size, stride, padding in ((2, 1, 0), (2, None, 1), (3, 2, 1), (4, 3, 2)):
        assert_same_gradients(solution.max_pool, true_largest, (x, size, stride, padding), wrt=[0], names=("x",))


@points(2)
@EACH_N
def test_negative_numbers_at_the_border(solution, rng, n):
    """All numbers are negative, some very much so: the padding must not win, whatever constant it holds."""
    for size in (1.0, 1e6, 1e30):
        x = -size * (1 + rng.rand(1, 2, *PLACES[n]))
        assert_close(solution.max_pool(x, 3, 2, 1), true_largest(x, 3, 2, 1))


@points(1)
@EACH_N
def test_defaults(solution, rng, n):
    """Without options a convolution has stride 1, and windows of a pooling lie side by side; nothing is padded."""
    x, w = rng.randn(1, 2, *PLACES[n], dtype=F64), rng.randn(3, 2, *KERNELS[n], dtype=F64)
    assert_close(solution.convolve(x, w), true_convolve(x, w), scale=8.0)
    assert_close(solution.average_pool(x, 2), true_average(x, 2))
    assert_close(solution.max_pool(x, 2), true_largest(x, 2))
    assert_close(solution.average_pool(x, 3, padding=1), true_average(x, 3, padding=1))


@points(2)
@EACH_N
def test_windows_at_the_end(solution, rng, n):
    """A window that would reach beyond the padded input is left out, and one as large as it gives a single place."""
    places = (5, 5, 5)[:n]
    x = rng.randn(2, 1, *places, dtype=F64)
    for size, stride, padding in ((5, 1, 0), (2, 2, 0), (2, 3, 0), (4, 3, 1), (1, 4, 0)):
        assert_close(solution.max_pool(x, size, stride, padding), true_largest(x, size, stride, padding))
        w = rng.randn(2, 1, *[size] * n, dtype=F64)
        assert_close(solution.convolve(x, w, stride, padding), true_convolve(x, w, stride, padding), scale=8.0)


@points(1)
@EACH_N
def test_equal_numbers(solution, rng, n):
    """Of a constant every mean without padding and every maximum is this constant; gradients add up to the number of windows."""
    x = torch.full((1, 2, *PLACES[n]), -3.0, dtype=F64, requires_grad=True)
    for y in (solution.average_pool(x, 3, 2, 1, False), solution.max_pool(x, 3, 2, 1)):
        assert_close(y.detach(), torch.full(y.shape, -3.0, dtype=F64))
        (gradient,) = torch.autograd.grad(y.sum(), x)
        assert_close(gradient.sum(), torch.tensor(float(y.numel()), dtype=F64), name="sum of the gradient")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("k", [1, 2, 4])
def test_causal_depthwise(solution, rng, k, dtype):
    """A causal convolution or its gradient differs: each channel has its own weights, and the padding is on the left alone."""
    for t in (1, 3, 7):
        x, w = rng.randn(2, 3, t, dtype=dtype), rng.randn(3, k, dtype=dtype)
        assert_same_gradients(solution.causal_depthwise, true_causal, (x, w), names=("x", "w"), scale=4.0)


@points(2)
def test_what_came_before(solution, rng):
    """What came before is continued, and receives a gradient: the oldest number stands first."""
    for t in (2, 7):
        inputs = (rng.randn(2, 5, t, dtype=F64), rng.randn(5, 4, dtype=F64), rng.randn(2, 5, 3, dtype=F64))
        assert_same_gradients(solution.causal_depthwise, true_causal, inputs, names=("x", "w", "before"), scale=4.0)


@points(2)
def test_pieces_of_a_sequence(solution, rng):
    """A sequence in pieces, each with the numbers before it, gives what the whole gives, and no place sees a later one."""
    x, w = rng.randn(2, 3, 13, dtype=F64), rng.randn(3, 4, dtype=F64)
    whole, at = solution.causal_depthwise(x, w), 0
    for length in (1, 5, 2, 5):
        full = F.pad(x, (3, 0))[:, :, at : at + 3]
        piece = solution.causal_depthwise(x[:, :, at : at + length], w, full)
        assert_close(piece, whole[:, :, at : at + length], name="piece")
        at += length
    other = x.clone()
    other[:, :, 8:] += 100
    assert_close(solution.causal_depthwise(other, w)[:, :, :8], whole[:, :, :8], name="places before the change")


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is changed."""
    x = rng.randn(7, 6, 2, 3, dtype=F64).permute(2, 3, 0, 1)[:, :, :, ::2]
    w = rng.randn(2, 3, 3, 4, dtype=F64).transpose(2, 3)[:, :, :3]
    assert_close(assert_not_mutated(solution.convolve, x, w, 1, 1), true_convolve(x, w, 1, 1), scale=8.0)
    assert_close(assert_not_mutated(solution.average_pool, x, 2, 1, 1), true_average(x, 2, 1, 1))
    assert_close(assert_not_mutated(solution.max_pool, x, 2, 1, 1), true_largest(x, 2, 1, 1))
    x, w, before = (
        rng.randn(5, 2, 3, dtype=F64).permute(1, 2, 0),
        rng.randn(4, 3).double().T,
        rng.randn(2, 3, 6).double(),
    )
    inputs = (x, w, before[:, :, ::2])
    assert_close(assert_not_mutated(solution.causal_depthwise, *inputs), true_causal(*inputs))


@points(2)
@EACH_N
def test_no_window(solution, rng, n):
    """Where a window does not fit in one of the dimensions, or the stride is below 1, the answer is a ValueError."""
    places = (6, 5, 2)[3 - n :]
    x = rng.randn(1, 1, *places)
    with pytest.raises(ValueError):
        solution.convolve(x, rng.randn(1, 1, *[1] * (n - 1), 3))
    with pytest.raises(ValueError):
        solution.convolve(x, rng.randn(1, 1, *[1] * (n - 1), 7), padding=2)
    for pool in (solution.average_pool, solution.max_pool):
        with pytest.raises(ValueError):
            pool(x, 3, 1)
        for stride in (0, -1):
            with pytest.raises(ValueError):
                pool(x, 2, stride)
    for stride in (0, -1):
        with pytest.raises(ValueError):
            solution.convolve(x, rng.randn(1, 1, *[1] * n), stride)
