"""Hidden tests: an initialiser for use with apply. The model is built in probes.py; its state comes back as plain data."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

MARK = 0.375


def check_random(weight, std, name):
    """Mean 0 and the standard deviation within 5 %: seven sigma of room for chance, if there are 10,000 values or more."""
    n = weight.numel()
    check(bool(weight.isfinite().all()), f"{name}: not finite")
    check(abs(weight.double().mean().item()) < 7 * std / math.sqrt(n), f"{name}: the mean is not 0")
    check(abs(weight.double().std().item() / std - 1) < 0.05, f"{name}: the standard deviation is wrong")


def check_untouched(tensor, name):
    check(bool((tensor == MARK).all()), f"{name} was changed, and should not be")


def check_constant(tensor, value, name):
    check(bool((tensor == value).all()), f"{name} should be {value} everywhere")


@sample
@points(1)
def test_a_linear_layer(probes):
    """A linear layer: Xavier's deviation for the weight, zeros for the bias."""
    end = probes.initialised([("Linear", (60, 200), {})], 3)["parameters"]
    check_random(end["0.weight"], math.sqrt(2 / 260), "weight")
    check_constant(end["0.bias"], 0.0, "bias")


@sample
@points(1)
def test_an_embedding(probes):
    """An embedding: a deviation of 0.02, and a padding row of zeros."""
    end = probes.initialised([("Embedding", (160, 64), {"padding_idx": 7})], 3)["parameters"]["0.weight"]
    check_constant(end[7], 0.0, "the padding row")
    check_random(torch.cat([end[:7], end[8:]]), 0.02, "weight")


@sample
@points(1)
def test_a_norm(probes):
    """A norm starts neutral: ones and zeros, and running statistics are not yours."""
    end = probes.initialised([("BatchNorm2d", (6,), {})], 3)
    check_constant(end["parameters"]["0.weight"], 1.0, "weight")
    check_constant(end["parameters"]["0.bias"], 0.0, "bias")
    check_untouched(end["buffers"]["0.running_var"], "running_var")


CONVOLUTIONS = {
    "conv1d": (("Conv1d", (40, 60, 5), {}), 200),
    "conv2d": (("Conv2d", (16, 110, (3, 2)), {}), 96),
    "conv3d": (("Conv3d", (8, 75, (3, 2, 3)), {}), 144),
    "grouped": (("Conv2d", (48, 150, 3), {"groups": 6}), 72),
    "no-bias": (("Conv2d", (24, 50, 3), {"bias": False}), 216),
}


@points(2)
@pytest.mark.parametrize("case", CONVOLUTIONS.values(), ids=CONVOLUTIONS.keys())
def test_convolutions(probes, rng, case):
    """A convolution: He's deviation from fan_in, the number of weights of one output channel."""
    layer, fan_in = case
    end = probes.initialised([layer], rng.seed())["parameters"]
    check_random(end["0.weight"], math.sqrt(2 / fan_in), "weight")
    if "0.bias" in end:
        check_constant(end["0.bias"], 0.0, "bias")


@points(2)
@pytest.mark.parametrize("case", ["wide", "tall", "no-bias", "float64"])
def test_linears(probes, rng, case):
    """A linear layer: both fans are in Xavier's deviation, and there may be no bias."""
    sizes = (260, 40) if case == "tall" else (40, 260)
    dtype = torch.float64 if case == "float64" else torch.float32
    layer = ("Linear", sizes, {"bias": case != "no-bias"})
    end = probes.initialised([layer], rng.seed(), dtype=dtype)["parameters"]
    check(end["0.weight"].dtype == dtype, "the dtype of the weight has changed")
    check_random(end["0.weight"], math.sqrt(2 / sum(sizes)), "weight")
    if "0.bias" in end:
        check_constant(end["0.bias"], 0.0, "bias")


@points(2)
@pytest.mark.parametrize("row", [0, -1, None], ids=["first", "last", "none"])
def test_embeddings(probes, rng, row):
    """An embedding: the padding row may be the first, and there may be none; all other rows are drawn."""
    options = {} if row is None else {"padding_idx": row}
    end = probes.initialised([("Embedding", (160, 70), options)], rng.seed())["parameters"]["0.weight"]
    if row is not None:
        check_constant(end[row], 0.0, "the padding row")
    others = {0: end[1:], -1: end[:-1], None: end}[row]
    check_random(others, 0.02, "weight")
    check(bool(others.any(dim=1).all()), "a row other than the padding row is 0")


NORMS = {
    "layer": ("LayerNorm", ((4, 5),), {}),
    "group": ("GroupNorm", (2, 6), {}),
    "batch1d": ("BatchNorm1d", (5,), {}),
    "batch3d": ("BatchNorm3d", (5,), {}),
}


@points(1)
@pytest.mark.parametrize("layer", NORMS.values(), ids=NORMS.keys())
def test_norms(probes, rng, layer):
    """Some norm does not start neutral, or its running statistics were touched."""
    end = probes.initialised([layer], rng.seed())
    check_constant(end["parameters"]["0.weight"], 1.0, "weight")
    check_constant(end["parameters"]["0.bias"], 0.0, "bias")
    for name, buffer in end["buffers"].items():
        if buffer.dtype == torch.float32:
            check_untouched(buffer, name)


@points(2)
def test_norms_without_parameters(probes, rng):
    """A norm may have no parameters, or a weight without a bias."""
    layers = [
        ("LayerNorm", (5,), {"elementwise_affine": False}),
        ("BatchNorm2d", (5,), {"affine": False}),
        ("GroupNorm", (1, 5), {"affine": False}),
        ("LayerNorm", (5,), {"bias": False}),
    ]
    end = probes.initialised(layers, rng.seed())["parameters"]
    check(list(end) == ["3.weight"], "parameters have appeared or vanished")
    check_constant(end["3.weight"], 1.0, "weight")


@points(2)
def test_other_modules_stay(probes, rng):
    """A module that is not in the list was changed: look at what it is, not at what its attributes are called."""
    layers = [
        ("Gain", (5,), {}),
        ("PReLU", (3,), {}),
        ("ConvTranspose2d", (4, 6, 3), {}),
        ("LSTM", (3, 4), {}),
        ("Bilinear", (3, 4, 5), {}),
        ("InstanceNorm2d", (4,), {"affine": True}),
        ("SyncBatchNorm", (4,), {}),
        ("RMSNorm", (4,), {}),
        ("EmbeddingBag", (6, 4), {}),
        ("ReLU", (), {}),
    ]
    for name, parameter in probes.initialised(layers, rng.seed())["parameters"].items():
        check_untouched(parameter, name)


@points(1)
def test_subclasses(probes, rng):
    """A subclass of a listed module is one of them, also the one inside attention."""
    layers = [("LoudLinear", (90, 120), {}), ("MultiheadAttention", (104, 2), {})]
    end = probes.initialised(layers, rng.seed())["parameters"]
    check_random(end["0.weight"], math.sqrt(2 / 210), "weight of the subclass")
    check_constant(end["0.bias"], 0.0, "bias of the subclass")
    check_random(end["1.out_proj.weight"], math.sqrt(2 / 208), "weight of the projection")
    check_untouched(end["1.in_proj_weight"], "what attention itself holds")


NESTED = [
    ("Conv2d", (3, 140, 5), {}),
    [("BatchNorm2d", (140,), {}), ("ReLU", (), {}), [("Linear", (140, 80), {}), ("Gain", (2,), {})]],
    ("Embedding", (60, 70), {"padding_idx": 2}),
]


@points(2)
def test_nested_model(probes, rng):
    """In a nested model every layer is reached, and each gets its own recipe."""
    end = probes.initialised(NESTED, rng.seed())["parameters"]
    check_random(end["0.weight"], math.sqrt(2 / 75), "convolution")
    check_constant(end["1.0.weight"], 1.0, "weight of the norm")
    check_random(end["1.2.0.weight"], math.sqrt(2 / 220), "linear layer")
    check_untouched(end["1.2.1.weight"], "the foreign module")
    check_constant(end["2.weight"][2], 0.0, "the padding row")


@points(2)
def test_containers_alone(probes, rng):
    """Given a container, the function does nothing: apply does the walking, and each layer is drawn once."""
    for name, parameter in probes.initialised(NESTED, rng.seed(), walk=False)["parameters"].items():
        check_untouched(parameter, name)


@points(2)
def test_same_parameters(probes, rng):
    """Parameters were replaced by new ones: optimizers and tied weights would still hold the old."""
    end = probes.initialised([*NESTED, ("TiedHead", (50, 60), {})], rng.seed())
    check(end["same_objects"], "a parameter is another object than before")
    check(end["same_memory"], "a parameter lies in other memory than before")
    tied = end["parameters"]
    assert_close(tied["3.head.weight"], tied["3.embedding.weight"], rtol=0.0, atol=0.0, name="the tied weight")


@points(2)
def test_flags_and_recording(probes, rng):
    """requires_grad has changed, a frozen parameter was left out, or the initialisation was recorded."""
    frozen = ["0.weight", "1.0.bias", "1.2.0.weight", "2.weight"]
    end = probes.initialised(NESTED, rng.seed(), frozen=frozen)
    check(
        all(flag is (name not in frozen) for name, flag in end["requires_grad"].items()),
        "requires_grad of a parameter has changed",
    )
    check(not end["recorded"], "a parameter has a grad_fn or a .grad")
    check_random(end["parameters"]["1.2.0.weight"], math.sqrt(2 / 220), "a frozen weight")
    check_constant(end["parameters"]["1.0.bias"], 0.0, "a frozen bias")


@points(1)
def test_mode_stays(probes, rng):
    """train() or eval() is not the business of an initialiser."""
    check(all(probes.initialised(NESTED, rng.seed())["training"]), "a module is no longer in training mode")
    evaluating = probes.initialised(NESTED, rng.seed(), training=False)["training"]
    check(not any(evaluating), "a module is no longer in evaluation mode")


@points(2)
def test_fresh_numbers(probes, rng):
    """Every call draws new numbers from torch's generator, and the same seed gives the same numbers."""
    layers, seed = [("Linear", (9, 8), {}), ("Linear", (9, 8), {})], rng.seed()
    once = probes.initialised(layers, seed)["parameters"]
    check(bool((once["0.weight"] != once["1.weight"]).any()), "two layers have the same weights")
    again = probes.initialised(layers, seed)["parameters"]
    assert_close(again, once, rtol=0.0, atol=0.0, name="with the same seed")
    other = probes.initialised(layers, seed, times=2)["parameters"]
    check(bool((other["0.weight"] != once["0.weight"]).any()), "a second call gives the same weights")
