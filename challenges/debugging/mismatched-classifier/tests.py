"""Hidden tests: prepare and Classifier. Every size has its own remainder; the network is written out with functions."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

SIZES = [(28, 28), (11, 11), (12, 14), (31, 30), (23, 13), (16, 35)]
EACH_SIZE = pytest.mark.parametrize("size", SIZES, ids=[f"{h}x{w}" for h, w in SIZES])
NAMES = ("features.0.weight", "features.0.bias", "features.3.weight", "features.3.bias", "head.weight", "head.bias")


def network(x, w1, b1, w2, b2, w3, b3):
    """The classifier, with functions."""
    h = F.max_pool2d(F.conv2d(x, w1, b1, stride=2, padding=1).relu(), 2)
    h = F.conv2d(h, w2, b2).relu()
    return F.linear(h.reshape(x.shape[0], 16 * h.shape[2] * h.shape[3]), w3, b3)


def pixels(size):
    """How many positions are left of one picture, by laying windows."""
    left = 1
    for n in size:
        strided = len(range(0, n + 2 - 2, 2))
        left *= len(range(0, strided - 1, 2)) - 2
    return left


def weights_of(rng, channels, size, classes, dtype=torch.float32):
    shapes = (8, channels, 3, 3), (8,), (16, 8, 3, 3), (16,), (classes, 16 * pixels(size)), (classes,)
    return {name: 0.3 * rng.randn(*shape, dtype=dtype) for name, shape in zip(NAMES, shapes, strict=True)}


def loaded(solution, weights, channels, size, classes, dtype=torch.float32):
    model = solution.Classifier(channels, *size, classes).to(dtype)
    model.load_state_dict(weights)
    return model


def pictures(rng, n, size, channels):
    images = rng.randint(0, 256, (n, *size, channels)).to(torch.uint8)
    return images, rng.randint(0, 7, (n, 1)).to(torch.uint8)


@sample
@points(1)
def test_one_red_pixel(solution):
    """A picture with one red pixel: it must be in the red channel, and where it was."""
    images = torch.zeros(1, 2, 3, 3, dtype=torch.uint8)
    images[0, 1, 2, 0] = 255
    x, _ = solution.prepare(images, torch.zeros(1, 1, dtype=torch.uint8))
    expected = torch.zeros(1, 3, 2, 3)
    expected[0, 0, 1, 2] = 1.0
    assert_close(x, expected, name="x")


@sample
@points(1)
def test_labels(solution):
    """Labels are class indices: int64, one for each picture, as the loss wants them."""
    images = torch.zeros(3, 11, 11, 1, dtype=torch.uint8)
    _, y = solution.prepare(images, torch.tensor([[2], [0], [5]], dtype=torch.uint8))
    assert_close(y, torch.tensor([2, 0, 5]), name="y")


@sample
@points(1)
def test_shape_of_logits(solution):
    """A batch of four pictures of 28 by 28 gives four rows of logits."""
    logits = solution.Classifier(3, 28, 28, 10)(torch.zeros(4, 3, 28, 28))
    check(tuple(logits.shape) == (4, 10), f"the logits have the shape {tuple(logits.shape)}"[:80])


@points(2)
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pictures(solution, rng, channels):
    """Some pixel is in the wrong place or channel, or its value is not the stored one divided by 255."""
    images, labels = pictures(rng, 3, (4, 6), channels)
    x, _ = solution.prepare(images, labels)
    expected = torch.stack([images[..., c] for c in range(channels)], 1).to(torch.float32) / 255
    assert_close(x, expected, name="x")


@points(2)
@pytest.mark.parametrize("n", [1, 5, 0])
def test_batch_sizes(solution, rng, n):
    """A batch of one picture stays a batch, in x and in y, and an empty one too."""
    images, labels = pictures(rng, n, (5, 4), 3)
    x, y = solution.prepare(images, labels)
    check(tuple(x.shape) == (n, 3, 5, 4), f"x has the shape {tuple(x.shape)}"[:80])
    assert_close(y, labels.to(torch.int64).reshape(n), name="y")


@points(1)
def test_views_of_pictures(solution, rng):
    """Images that are a strided view of a larger tensor are pictures like any other."""
    images, labels = pictures(rng, 4, (10, 12), 3)
    view = images[::2, 1:9, ::3]
    x, y = solution.prepare(view, labels[::2])
    assert_close(x, torch.stack([view[..., c] for c in range(3)], 1).to(torch.float32) / 255, name="x")
    assert_close(y, labels[::2, 0].to(torch.int64), name="y")


@points(1)
def test_arguments_stay(solution, rng):
    """The stored pictures and labels must not be changed."""
    assert_not_mutated(solution.prepare, *pictures(rng, 2, (4, 4), 3))


@points(3)
@EACH_SIZE
def test_network(solution, rng, size):
    """For some height and width the head does not fit, or the logits are not those of the network that is described."""
    weights = weights_of(rng, 3, size, 5, torch.float64)
    model = loaded(solution, weights, 3, size, 5, torch.float64)
    inputs = (rng.randn(3, 3, *size, dtype=torch.float64),)
    assert_same_gradients(model, lambda x: network(x, *weights.values()), inputs)


@points(1)
def test_float32(solution, rng):
    """The network works in float32 and gives float32."""
    weights = weights_of(rng, 1, (14, 11), 3)
    x = rng.randn(2, 1, 14, 11)
    assert_close(loaded(solution, weights, 1, (14, 11), 3)(x), network(x, *weights.values()))


@points(2)
@pytest.mark.parametrize("n", [1, 3, 0])
def test_channels_last_in_memory(solution, rng, n):
    """A permuted input is not contiguous, and what convolutions make of it is not either: flatten it all the same."""
    size = (18, 15)
    weights = weights_of(rng, 3, size, 4, torch.float64)
    x = rng.randn(n, *size, 3, dtype=torch.float64).permute(0, 3, 1, 2)
    actual = loaded(solution, weights, 3, size, 4, torch.float64)(x)
    check(tuple(actual.shape) == (n, 4), f"the logits have the shape {tuple(actual.shape)}"[:80])
    assert_close(actual, network(x, *weights.values()))


@points(2)
def test_examples_are_not_mixed(solution, rng):
    """A picture of another size than the network was built for must be refused, not spread over several rows."""
    model = solution.Classifier(1, 13, 13, 3)  # 16 channels, 1 pixel
    with pytest.raises((RuntimeError, ValueError)):
        model(rng.randn(2, 1, 17, 17))  # 16 channels, 4 pixels


@points(1)
def test_parameters(solution):
    """The parameters keep their names and shapes, so that stored weights can be loaded."""
    shapes = {name: tuple(p.shape) for name, p in solution.Classifier(2, 31, 20, 4).named_parameters()}
    wanted = [(8, 2, 3, 3), (8,), (16, 8, 3, 3), (16,), (4, 16 * pixels((31, 20))), (4,)]
    check(sorted(shapes) == sorted(NAMES), "the names of the parameters have changed")
    check(shapes == dict(zip(NAMES, wanted, strict=True)), "a parameter has another shape than it should")


@points(2)
@pytest.mark.parametrize("n", [1, 4])
def test_from_pictures_to_gradients(solution, rng, n):
    """From stored pictures to the gradients of the loss: every parameter gets the one that it should."""
    size = (15, 22)
    images, labels = pictures(rng, n, size, 3)
    weights = weights_of(rng, 3, size, 7)
    model = loaded(solution, weights, 3, size, 7)
    x, y = solution.prepare(images, labels)
    F.cross_entropy(model(x), y).backward()
    leaves = [w.clone().requires_grad_() for w in weights.values()]
    plain = torch.stack([images[..., c] for c in range(3)], 1).to(torch.float32) / 255
    F.cross_entropy(network(plain, *leaves), labels[:, 0].to(torch.int64)).backward()
    for name, parameter in model.named_parameters():
        assert_close(parameter.grad, leaves[NAMES.index(name)].grad, name=f"gradient of {name}", scale=8.0)
