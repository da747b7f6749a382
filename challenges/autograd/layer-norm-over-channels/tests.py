"""Hidden tests: layer normalisation over channels as a torch.autograd.Function."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_gradgradcheck,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("x", "weight", "bias")
SHAPES = {
    "image": (2, 3, 4, 5),
    "as-wide-as-channels": (2, 3, 3, 3),
    "sequence": (2, 5, 3),
    "volume": (2, 3, 2, 1, 4),
    "no-pixels-around": (5, 3),
    "one-channel": (2, 1, 3),
    "no-samples": (0, 4, 2, 2),
    "empty-image": (2, 4, 0, 3),
}


def drawn(rng, shape, dtype=F64):
    c = shape[1]
    return [2 * rng.randn(*shape, dtype=dtype) + 1, rng.randn(c, dtype=dtype), rng.randn(c, dtype=dtype)]


def mine(solution, eps=1e-5):
    return lambda *tensors: solution.LayerNorm.apply(*tensors, eps)


def torchs(eps=1e-5):
    return lambda x, weight, bias: F.layer_norm(x.movedim(1, -1), weight.shape, weight, bias, eps).movedim(-1, 1)


@sample
@points(1)
def test_one_pixel(solution):
    """Mean 2, variance 1, and the root of 1 + 3: the normalised pixel is -1/2 and 1/2, in its two channels."""
    x = torch.tensor([1.0, 3.0]).reshape(1, 2, 1, 1)
    out = solution.LayerNorm.apply(x, torch.tensor([2.0, 4.0]), torch.tensor([0.0, 1.0]), 3.0)
    assert_close(out, torch.tensor([-1.0, 3.0]).reshape(1, 2, 1, 1))


@sample
@points(1)
def test_each_pixel_on_its_own(solution):
    """A pixel with equal channels gives the bias, whatever its neighbours are."""
    x = torch.tensor([[[[1.0, 5.0]], [[3.0, 5.0]]]])
    out = solution.LayerNorm.apply(x, torch.tensor([2.0, 4.0]), torch.tensor([0.0, 1.0]), 3.0)
    assert_close(out, torch.tensor([[[[-1.0, 0.0]], [[3.0, 1.0]]]]))


@sample
@points(1)
def test_gradients_of_two_pixels(solution):
    """The gradient of x sums to zero over the channels of a pixel; weight and bias get a sum over pixels."""
    x = torch.tensor([[[[1.0, 5.0]], [[3.0, 5.0]]]], requires_grad=True)
    weight, bias = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
    solution.LayerNorm.apply(x, weight, bias, 3.0)[:, 0].sum().backward()
    half = 0.5 / 3**0.5
    expected = torch.tensor([[[[0.1875, half]], [[-0.1875, -half]]]])
    assert_close(x.grad, expected, name="gradient of x")
    assert_close(weight.grad, torch.tensor([-0.5, 0.0]), name="gradient of weight")
    assert_close(bias.grad, torch.tensor([2.0, 0.0]), name="gradient of bias")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("name", ["image", "as-wide-as-channels", "sequence", "no-pixels-around"])
def test_values(solution, rng, name, dtype):
    """A value, its shape or its dtype differs: each pixel by itself, and the variance divides by the number of channels."""
    tensors = drawn(rng, SHAPES[name], dtype)
    assert_close(mine(solution)(*tensors), torchs()(*tensors), scale=2.0)


@points(3)
@pytest.mark.parametrize("name", SHAPES)
def test_gradients(solution, rng, name):
    """A gradient differs: x acts directly, through the mean and through the variance; weight and bias act in all pixels."""
    # With one channel, what is normalised is 0: rounding, divided by the root of eps.
    scale = 256.0 if name == "one-channel" else 4.0
    assert_same_gradients(mine(solution), torchs(), drawn(rng, SHAPES[name]), names=NAMES, scale=scale)


@points(2)
@pytest.mark.parametrize("asked", [0, 1, 2], ids=NAMES)
def test_gradient_of_one_input(solution, rng, asked):
    """When one of x, weight and bias requires a gradient and the others do not, that one must still be right."""
    tensors = drawn(rng, (2, 4, 3, 2))
    cotangent = rng.randn(2, 4, 3, 2, dtype=F64)
    found = []
    for f in (mine(solution), torchs()):
        leaves = [t.clone().requires_grad_(i == asked) for i, t in enumerate(tensors)]
        found.append(torch.autograd.grad(f(*leaves), leaves[asked], cotangent)[0])
    assert_close(*found, scale=4.0, name=f"gradient of {NAMES[asked]}")


@points(2)
@pytest.mark.parametrize("eps", [1e-5, 1e-2, 0.5])
def test_small_values(solution, rng, eps):
    """In pixels about as small as sqrt(eps), eps decides about the value and the gradient: it is added under the root."""
    x, weight, bias = drawn(rng, (2, 6, 4))
    x = x * eps**0.5 * torch.tensor([0.01, 0.3, 1.0, 3.0], dtype=F64)
    assert_same_gradients(mine(solution, eps), torchs(eps), (x, weight, bias), names=NAMES, scale=4.0)


@points(2)
@EACH_DTYPE
def test_constant_pixels(solution, rng, dtype):
    """A pixel without variance gives the bias and finite gradients: eps keeps the root away from zero."""
    x, weight, bias = drawn(rng, (2, 4, 3), dtype)
    x[1, :, 2] = rng.integer(-5, 6)
    eps = 1e-3
    assert_close(mine(solution, eps)(x, weight, bias)[1, :, 2], bias, name="constant pixel")
    cotangent = rng.randn(2, 4, 3, dtype=dtype)
    x.requires_grad_()
    (found,) = torch.autograd.grad(mine(solution, eps)(x, weight, bias), x, cotangent)
    g = cotangent[1, :, 2] * weight
    assert_close(found[1, :, 2], (g - g.mean()) / eps**0.5, name="gradient of the constant pixel")


@points(2)
@EACH_DTYPE
def test_far_from_zero(solution, rng, dtype):
    """An offset of a million changes the result: subtract the mean before you square."""
    # Eight whole numbers below 1,000,016 have a sum below 2**24, and an eighth of it is a float32, too: no rounding so far.
    rtol = 1e-8 if dtype is F64 else 2.0**-15
    x = torch.stack([rng.permutation(16)[:8] for _ in range(5)]).to(dtype).T[None]
    _, weight, bias = drawn(rng, (1, 8, 5), dtype)
    cotangent = rng.randn(1, 8, 5, dtype=dtype)
    found = []
    for offset in (1e6, 0.0):
        leaves = [t.clone().requires_grad_() for t in (x + offset, weight, bias)]
        out = mine(solution)(*leaves)
        found.append([out.detach(), *torch.autograd.grad(out, leaves, cotangent)])
    for name, far, near in zip(("output", *(f"gradient of {n}" for n in NAMES)), *found, strict=True):
        assert_close(far, near, rtol=rtol, name=f"{name} with an offset")


@points(2)
def test_pixels_do_not_mix(solution, rng):
    """A pixel alone gives the value and the gradient that it has in an image."""
    x, weight, bias = drawn(rng, (3, 5, 2, 4))
    cotangent = rng.randn(3, 5, 2, 4, dtype=F64)
    found = []
    for part in (lambda t: t, lambda t: t[1:2, :, 1:2, 2:3]):
        leaf = part(x).clone().requires_grad_()
        out = mine(solution)(leaf, weight, bias)
        (gradient,) = torch.autograd.grad(out, leaf, part(cotangent))
        found.append((out.detach(), gradient))
    assert_close(found[1][0], found[0][0][1:2, :, 1:2, 2:3], name="pixel alone")
    assert_close(found[1][1], found[0][1][1:2, :, 1:2, 2:3], name="gradient of a pixel alone")


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other: no view that needs contiguous memory."""
    x = {
        "transposed": lambda: rng.randn(2, 4, 5, 6, dtype=F64).permute(0, 3, 1, 2),
        "strided": lambda: rng.randn(4, 12, 3, dtype=F64)[::2, ::2],
        "expanded": lambda: rng.randn(1, 6, 1, dtype=F64).expand(3, 6, 4),
    }[layout]()
    _, weight, bias = drawn(rng, (1, 6))
    assert_same_gradients(mine(solution), torchs(), (x, weight, bias), names=NAMES, scale=4.0)


@points(2)
def test_numerical_gradient(solution, rng):
    """The backward does not agree with finite differences in float64."""
    assert_gradcheck(mine(solution, 1e-3), drawn(rng, (2, 3, 2)), names=NAMES)


@points(3)
@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 2)], ids=["no-pixels-around", "sequence"])
def test_numerical_second_gradient(solution, rng, shape):
    """The backward cannot be differentiated again, or wrongly: what was computed in forward and saved is a constant for it."""
    x, weight, bias = drawn(rng, shape)
    f = mine(solution, 0.1)
    assert_gradgradcheck(lambda x, weight: f(x, weight, bias), (x, weight), names=NAMES[:2])


@points(2)
def test_second_gradient(solution, rng):
    """A loss on the gradient of x (a gradient penalty) gives other gradients than torch's own layer norm."""
    tensors = drawn(rng, (2, 5, 3))
    cotangent, direction = rng.randn(2, 5, 3, dtype=F64), rng.randn(2, 5, 3, dtype=F64)
    found = []
    for f in (mine(solution, 0.1), torchs(0.1)):
        leaves = [t.clone().requires_grad_() for t in (*tensors, cotangent)]
        (slope,) = torch.autograd.grad(f(*leaves[:3]), leaves[0], leaves[3], create_graph=True)
        check(slope.requires_grad, "the gradient of x cannot be differentiated again")
        by = [leaves[0], leaves[1], leaves[3]]
        second = torch.autograd.grad((slope * direction).sum(), by, allow_unused=True)
        found.append([torch.zeros_like(leaf) if t is None else t for t, leaf in zip(second, by, strict=True)])
    for name, a, b in zip(("x", "weight", "the incoming gradient"), *found, strict=True):
        assert_close(a, b, scale=8.0, name=f"second derivative by {name}")


@points(1)
def test_shortcut_keeps_its_gradient(solution, reference, probes, rng):
    """The incoming gradient belongs to autograd, which may hand the same tensor to others: never write into it."""
    tensors = [*drawn(rng, (3, 4, 2)), rng.randn(3, 4, 2, dtype=F64), rng.randn(3, 4, 2, dtype=F64)]
    actual = probes.beside_a_shortcut(*tensors)
    assert_close(actual, probes.on(reference).beside_a_shortcut(*tensors), scale=4.0, name="gradients")


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither x nor weight nor bias may be written to, and nothing may be remembered from one call to the next."""
    first, second = drawn(rng, (4, 3, 2)), drawn(rng, (4, 3, 2))
    assert_not_mutated(solution.LayerNorm.apply, *first, 1e-5)
    assert_close(mine(solution)(*second), torchs()(*second), scale=2.0, name="output of a second call")


@attested
@points(2)
def test_what_is_saved(solution, attest, rng):
    """Of what is kept for backward, one tensor has the size of x, and nothing hangs on ctx: recompute the rest."""
    x, weight, bias = (t.requires_grad_() for t in drawn(rng, (2, 5, 3), F32))
    seen = attest(solution.LayerNorm.apply, x, weight, bias, 1e-5)
    check(not seen.extra_attributes, "a tensor is kept as an attribute of ctx; use ctx.save_for_backward")
    large = [saved for saved in seen.saved if saved.bytes >= x.numel() * 4]
    check(len(large) == 1, "more or less than one tensor of the size of x is saved for backward")
