"""Hidden tests: an initialiser that stopped, and let go of weights. The model is built in probes.py."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

MARK = 0.375
STD = 0.02


def check_normal(weight, name):
    """Mean 0 and the standard deviation within 5 %: seven sigma of room for chance, if there are 10,000 values or more; a
    normal distribution has tails.
    """
    n = weight.numel()
    check(abs(weight.double().mean().item()) < 7 * STD / math.sqrt(n), f"{name}: the mean is not 0")
    check(abs(weight.double().std().item() / STD - 1) < 0.05, f"{name}: the standard deviation is not 0.02")
    check(bool((weight.abs() > 2 * STD).any()), f"{name}: the distribution is not normal, it has no tails")


def check_constant(tensor, value, name):
    check(bool((tensor == value).all()), f"{name} should be {value} everywhere")


@sample
@points(1)
def test_a_linear_layer(probes):
    """A linear layer: small normal weights and a bias of zeros."""
    end = probes.initialised([("Linear", (100, 120), {})], 3)["parameters"]
    check_normal(end["0.weight"], "weight")
    check_constant(end["0.bias"], 0.0, "bias")


@sample
@points(1)
def test_a_norm(probes):
    """A norm starts neutral: ones and zeros."""
    end = probes.initialised([("LayerNorm", ((4, 5),), {})], 3)["parameters"]
    check_constant(end["0.weight"], 1.0, "weight")
    check_constant(end["0.bias"], 0.0, "bias")


@sample
@points(1)
def test_a_tied_output_layer(probes):
    """An embedding and an output layer with one weight still have one weight afterwards."""
    end = probes.initialised([("TiedHead", (180, 60), {})], 3)
    check(end["same_objects"], "a parameter is another object than before")
    check_normal(end["parameters"]["0.embedding.weight"], "weight")


@points(2)
@pytest.mark.parametrize("row", [0, 5, -1, None], ids=["first", "inner", "last", "none"])
def test_embeddings(probes, rng, row):
    """An embedding: all rows are drawn, except the padding row, which may be the first."""
    options = {} if row is None else {"padding_idx": row}
    end = probes.initialised([("Embedding", (160, 70), options)], rng.seed())["parameters"]["0.weight"]
    if row is not None:
        check_constant(end[row], 0.0, "the padding row")
    drawn = [i for i in range(160) if row is None or i != row % 160]
    check_normal(end[drawn], "weight")
    check(bool(end[drawn].any(dim=1).all()), "a row other than the padding row is 0")


@points(2)
def test_layers_without_bias(probes, rng):
    """A layer may come without bias, and a norm without any parameters."""
    layers = [
        ("Linear", (90, 120), {"bias": False}),
        ("LayerNorm", (5,), {"bias": False}),
        ("LayerNorm", (5,), {"elementwise_affine": False}),
    ]
    end = probes.initialised(layers, rng.seed())["parameters"]
    check(list(end) == ["0.weight", "1.weight"], "parameters have appeared or vanished")
    check_normal(end["0.weight"], "weight of the linear layer")
    check_constant(end["1.weight"], 1.0, "weight of the norm")


MODEL = [
    ("Embedding", (170, 64), {"padding_idx": 0}),
    [("LayerNorm", (64,), {}), [("Linear", (64, 160), {}), ("Gain", (3,), {}), ("BatchNorm1d", (4,), {})]],
    ("Conv1d", (3, 4, 5), {}),
]


@points(2)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_nested_model(probes, rng, dtype):
    """In a nested model each parameter gets its values and keeps its dtype."""
    end = probes.initialised(MODEL, rng.seed(), dtype=dtype)["parameters"]
    check(all(p.dtype == dtype for p in end.values()), "the dtype of a parameter has changed")
    check_normal(end["0.weight"][1:], "embedding")
    check_constant(end["1.0.weight"], 1.0, "weight of the norm")
    check_constant(end["1.0.bias"], 0.0, "bias of the norm")
    check_normal(end["1.1.0.weight"], "linear layer")
    check_constant(end["1.1.0.bias"], 0.0, "bias of the linear layer")


@points(3)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_same_parameters(probes, rng, dtype):
    """Parameters were replaced, or moved to other memory: fill what is there."""
    end = probes.initialised([*MODEL, ("TiedHead", (50, 60), {})], rng.seed(), dtype=dtype)
    check(end["same_objects"], "a parameter is another object than before")
    check(end["same_memory"], "a parameter lies in other memory than before")


@points(2)
def test_flags(probes, rng):
    """requires_grad of a parameter has changed, or a frozen one was left out."""
    frozen = ["0.weight", "1.0.bias", "1.1.0.weight"]
    end = probes.initialised(MODEL, rng.seed(), frozen=frozen)
    check(
        all(flag is (name not in frozen) for name, flag in end["requires_grad"].items()),
        "requires_grad of a parameter has changed",
    )
    check_normal(end["parameters"]["1.1.0.weight"], "a frozen weight")
    check_constant(end["parameters"]["1.0.bias"], 0.0, "a frozen bias")


@points(1)
def test_nothing_recorded(probes, rng):
    """The initialisation was recorded: a parameter is no leaf any more, or has a gradient."""
    check(not probes.initialised(MODEL, rng.seed())["recorded"], "a parameter has a grad_fn or a .grad")


@points(2)
def test_other_modules_stay(probes, rng):
    """A module that is not in the list was changed."""
    end = probes.initialised(MODEL, rng.seed())
    for name in ("1.1.1.weight", "1.1.1.bias", "1.1.2.weight", "1.1.2.bias", "2.weight", "2.bias"):
        check_constant(end["parameters"][name], MARK, name)
    check_constant(end["buffers"]["1.1.2.running_var"], MARK, "the running variance")
    relatives = [
        ("RMSNorm", (4,), {}),
        ("GroupNorm", (1, 4), {}),
        ("EmbeddingBag", (6, 4), {}),
        ("Bilinear", (2, 3, 4), {}),
    ]
    for name, parameter in probes.initialised(relatives, rng.seed())["parameters"].items():
        check_constant(parameter, MARK, name)


@points(1)
def test_containers_alone(probes, rng):
    """Given a container, the function does nothing: apply does the walking."""
    for name, parameter in probes.initialised(MODEL, rng.seed(), walk=False)["parameters"].items():
        check_constant(parameter, MARK, name)


@points(2)
def test_fresh_numbers(probes, rng):
    """Every call draws new numbers from torch's generator, and the same seed gives the same numbers."""
    layers, seed = [("Linear", (9, 8), {}), ("Embedding", (8, 9), {})], rng.seed()
    once = probes.initialised(layers, seed)["parameters"]
    check(bool((once["0.weight"] != once["1.weight"]).any()), "two layers have the same weights")
    again = probes.initialised(layers, seed)["parameters"]
    assert_close(again, once, rtol=0.0, atol=0.0, name="with the same seed")
    other = probes.initialised(layers, seed, times=2)["parameters"]
    for name in ("0.weight", "1.weight"):
        check(bool((other[name] != once[name]).any()), "a second call gives the same weights")
