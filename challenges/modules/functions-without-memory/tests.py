"""Hidden tests: a network of functional calls, and a network that is nothing but a function."""

from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
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
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_MODE = pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
PARAMETERS = ("first.weight", "first.bias", "scale", "shift", "last.weight", "last.bias")


def shapes_of(features, hidden, classes):
    return {
        "first.weight": (hidden, features),
        "first.bias": (hidden,),
        "scale": (hidden,),
        "shift": (hidden,),
        "mean": (hidden,),
        "var": (hidden,),
        "last.weight": (classes, hidden),
        "last.bias": (classes,),
    }


def weights_for(rng, sizes, dtype=F64):
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes_of(*sizes).items()}
    return state | {"var": rng.rand(sizes[1], dtype=dtype) + 0.5}


def made(solution, state, p=0.0):
    """A Net with a copy of this state, in its dtype."""
    hidden, features = state["first.weight"].shape
    net = solution.Net(features, hidden, len(state["last.bias"]), p)
    found = dict(net.state_dict())
    shapes = {name: tuple(value.shape) for name, value in found.items()}
    check(
        shapes == shapes_of(features, hidden, len(state["last.bias"])),
        "state_dict() differs from the statement's table",
    )
    net.to(state["mean"].dtype)
    net.load_state_dict({name: value.clone() for name, value in state.items()})
    return net


class Expected(nn.Module):
    """The same from layers, without dropout."""

    def __init__(self, state):
        super().__init__()
        hidden, features = state["first.weight"].shape
        self.first, self.norm = nn.Linear(features, hidden), nn.BatchNorm1d(hidden)
        self.last = nn.Linear(hidden, len(state["last.bias"]))
        self.to(state["mean"].dtype)
        names = {"scale": "norm.weight", "shift": "norm.bias", "mean": "norm.running_mean", "var": "norm.running_var"}
        self.load_state_dict({names.get(n, n): v.clone() for n, v in state.items()}, strict=False)

    def forward(self, x):
        return self.last(F.relu(self.norm(self.first(x))))


def identity(n, dtype=F64):
    """A state that passes its input on: statistics 0 and 1, unit matrices."""
    eye, zero, one = torch.eye(n, dtype=dtype), torch.zeros(n, dtype=dtype), torch.ones(n, dtype=dtype)
    return {
        "first.weight": eye,
        "first.bias": zero,
        "scale": zero,
        "shift": one,
        "mean": zero,
        "var": one,
        "last.weight": eye,
        "last.bias": zero,
    }


def params_for(rng, sizes, dtype=F64, biases=True):
    params = {}
    for i, (a, b) in enumerate(pairwise(sizes)):
        params[f"{2 * i}.weight"] = rng.randn(b, a, dtype=dtype)
        if biases is True or (biases == "some" and i % 2):
            params[f"{2 * i}.bias"] = rng.randn(b, dtype=dtype)
    return params


def true_mlp(x, params):
    """From the last number down to the first, by recursion."""
    last = max(int(name.partition(".")[0]) for name in params)

    def layer(i):
        below = x if i == 0 else torch.tanh(layer(i - 2))
        out = torch.einsum("ni,oi->no", below, params[f"{i}.weight"])
        return out + params[f"{i}.bias"] if f"{i}.bias" in params else out

    return layer(last)


@sample
@points(1)
def test_evaluation_repeats_itself(solution):
    """In evaluation two calls give the same."""
    torch.manual_seed(1)
    net = solution.Net(2, 16, 3).eval()
    x = torch.ones(2, 2)
    assert_close(net(x).detach(), net(x).detach(), rtol=0.0, atol=0.0)


@sample
@points(1)
def test_statistics_after_one_batch(solution):
    """One batch in training moves the statistics a tenth of the way to its own."""
    state = identity(1, F32)
    net = made(solution, state).train()
    net(torch.tensor([[1.0], [3.0]]))
    found = net.state_dict()
    assert_close(found["mean"], torch.tensor([0.2]), name="mean")
    assert_close(found["var"], torch.tensor([1.1]), name="var")


@sample
@points(1)
def test_two_layers_by_hand(solution):
    """functional_mlp: a layer, tanh, and a layer without a bias."""
    params = {
        "0.weight": torch.zeros(2, 2),
        "0.bias": torch.tensor([0.0, 100.0]),
        "2.weight": torch.tensor([[5.0, 3.0]]),
    }
    assert_close(solution.functional_mlp(torch.ones(1, 2), params), torch.tensor([[3.0]]))


@points(2)
@EACH_MODE
@EACH_DTYPE
def test_values_and_gradients(solution, rng, dtype, training):
    """Net: the output or the gradient of x differs: batch statistics in training, running ones in evaluation."""
    # Redrawn while a hidden value lies near the kink of the ReLU, where rounding decides about its gradient.
    while True:
        state, x = weights_for(rng, (3, 5, 4), dtype), 2 * rng.randn(7, 3, dtype=dtype) + 1
        trial = Expected(state).train(training)
        if trial.norm(trial.first(x)).abs().min() > 1e-4:
            break
    mine, expected = made(solution, state).train(training), Expected(state).train(training)
    assert_same_gradients(mine, expected, (x,), names=("x",))


@points(2)
@EACH_MODE
def test_gradients_of_parameters(solution, rng, training):
    """Net: a parameter gets no gradient, or a wrong one."""
    state = weights_for(rng, (3, 5, 4))
    mine, expected = made(solution, state).train(training), Expected(state).train(training)
    x, cotangent = rng.randn(6, 3, dtype=F64), rng.randn(6, 4, dtype=F64)
    named = dict(mine.named_parameters())
    check(sorted(named) == sorted(PARAMETERS), "the parameters differ from the statement's table")
    found = torch.autograd.grad(mine(x), [named[name] for name in PARAMETERS], cotangent)
    grads = torch.autograd.grad(expected(x), list(expected.parameters()), cotangent)
    for name, one, other in zip(PARAMETERS, found, grads, strict=True):
        assert_close(one, other, scale=10.0, name=f"gradient of {name}")


@points(2)
@EACH_DTYPE
def test_statistics(solution, rng, dtype):
    """Net: after some batch mean or var is off; in evaluation they stay."""
    state = weights_for(rng, (3, 5, 4), dtype)
    mine, expected = made(solution, state).train(), Expected(state).train()
    for n, training in ((2, True), (6, True), (4, False), (3, True)):
        x = 2 * rng.randn(n, 3, dtype=dtype) + 1
        mine.train(training)(x), expected.train(training)(x)
        found = mine.state_dict()
        assert_close(found["mean"], expected.norm.running_mean, scale=4.0, name="mean")
        assert_close(found["var"], expected.norm.running_var, scale=4.0, name="var")


@points(2)
def test_kinds_of_state(probes):
    """Net: mean and var must be buffers, without history, and the six others parameters."""
    found = probes.kinds()
    check(found["parameters"] == sorted(PARAMETERS), "the parameters differ from the statement's table")
    check(found["buffers"] == ["mean", "var"], "the buffers differ from the statement's table")
    check(not found["history"], "a running statistic has a history")


@points(2)
@EACH_DTYPE
def test_start_and_dtype(solution, dtype):
    """Net: the start of the state, and all of it follows .to(dtype)."""
    net = solution.Net(3, 4, 2).to(dtype)
    state = net.state_dict()
    check({n: tuple(v.shape) for n, v in state.items()} == shapes_of(3, 4, 2), "state_dict() differs from the table")
    check(all(v.dtype == dtype for v in state.values()), "part of the state does not follow .to(dtype)")
    for name, start in (("mean", 0.0), ("var", 1.0), ("scale", 1.0), ("shift", 0.0)):
        assert_close(state[name], torch.full((4,), start, dtype=dtype), name=name)
    for name, largest in (("first.weight", 3), ("first.bias", 3), ("last.weight", 4), ("last.bias", 4)):
        check(0 < float(state[name].abs().max()) <= largest**-0.5, f"{name} does not start as in nn.Linear")


@points(2)
def test_three_steps(probes, reference, rng):
    """Net: three steps of an optimizer in training; no step may hold on to the graph of an earlier one."""
    # In float64: in float32, rounding decides about the gradient of a hidden value that is nearly 0.
    state = weights_for(rng, (3, 5, 4))
    batches = [rng.randn(n, 3, dtype=F64) for n in (6, 4, 8)]
    found, expected = (p.after_steps(state, batches) for p in (probes, probes.on(reference)))
    for name, value in expected.items():
        assert_close(found[name], value, scale=20.0, name=name)


@points(2)
@pytest.mark.parametrize("p", [0.0, 0.2, 0.8, 1.0])
def test_what_is_dropped(solution, rng, p):
    """Net: in training a part p of the hidden values is dropped, and the others are scaled by 1 / (1 - p)."""
    net = made(solution, identity(50), p).train()
    torch.manual_seed(rng.seed())
    out = net(rng.randn(200, 50, dtype=F64)).detach()
    kept = out != 0
    # 10,000 draws: the standard error of the share is at most 0.005; six of them
    check(abs(float(kept.double().mean()) - (1 - p)) < 0.03, "the share of hidden values that are dropped is wrong")
    if p < 1:
        assert_close(out[kept], torch.full_like(out[kept], 1 / (1 - p)), name="values that were kept")


@points(1)
def test_default_share(solution, rng):
    """Net: without p, half of the hidden values is dropped."""
    net = solution.Net(50, 50, 50).to(F64)
    net.load_state_dict(identity(50))
    torch.manual_seed(rng.seed())
    out = net.train()(rng.randn(200, 50, dtype=F64)).detach()
    check(abs(float((out != 0).double().mean()) - 0.5) < 0.03, "another part than a half is dropped by default")


@points(1)
def test_masks(solution, rng):
    """Net: each call in training draws a new mask, and equal seeds give equal masks."""
    net, seed = made(solution, identity(20), 0.5).train(), rng.seed()
    x = rng.randn(10, 20, dtype=F64)
    torch.manual_seed(seed)
    first, second = net(x).detach(), net(x).detach()
    torch.manual_seed(seed)
    again = net(x).detach()
    check(not torch.equal(first, second), "two calls drop the same values")
    assert_close(again, first, rtol=0.0, atol=0.0, name="output after the same seed")


@points(2)
@pytest.mark.parametrize("p", [0.5, 1.0])
def test_nothing_is_dropped_in_evaluation(solution, rng, p):
    """Net: in evaluation nothing is dropped, whatever p is, and one row is as good as many."""
    state = weights_for(rng, (3, 5, 4))
    mine, expected = made(solution, state, p).eval(), Expected(state).eval()
    for n in (1, 6):
        x = rng.randn(n, 3, dtype=F64)
        assert_close(assert_not_mutated(mine, x), expected(x))


@points(1)
def test_modes_and_state(solution, rng):
    """Net: the modes differ, and a loaded state decides the output."""
    assert_mode_matters(solution.Net(3, 5, 4), 2 * rng.randn(5, 3) + 3)
    assert_state_dict_round_trip(lambda: solution.Net(3, 5, 4), rng.randn(4, 3))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("biases", [True, False, "some"], ids=["all", "none", "some"])
def test_functional_network(solution, rng, biases, dtype):
    """functional_mlp: a value or a gradient differs; gradients must reach x and each tensor of the dict."""
    params = params_for(rng, (3, 5, 2, 4), dtype, biases)
    names = list(params)

    def run(f):
        return lambda x, *tensors: f(x, dict(zip(names, tensors, strict=True)))

    inputs = (rng.randn(6, 3, dtype=dtype), *params.values())
    assert_same_gradients(run(solution.functional_mlp), run(true_mlp), inputs, names=("x", *names))


@points(2)
@pytest.mark.parametrize("layers", [1, 2, 7])
def test_number_of_layers(solution, rng, layers):
    """functional_mlp: there may be one layer or many, a number may have two digits, and the last layer has no tanh."""
    params = params_for(rng, (3,) * (layers + 1))
    x = 3 * rng.randn(5, 3, dtype=F64)
    assert_close(solution.functional_mlp(x, params), true_mlp(x, params))


@points(1)
def test_order_of_the_dict(solution, rng):
    """functional_mlp: the numbers in the names say which layer comes first, not the order of the dict."""
    params = params_for(rng, (3,) * 8)
    shuffled = {name: params[name] for name in (list(params)[i] for i in rng.permutation(len(params)).tolist())}
    x = rng.randn(5, 3, dtype=F64)
    assert_close(solution.functional_mlp(x, shuffled), true_mlp(x, params))


@points(1)
def test_arguments_stay_as_they_are(solution, probes, rng):
    """functional_mlp: neither x nor the dict nor its tensors may be changed."""
    params = params_for(rng, (3, 4, 2))
    x = rng.randn(5, 3, dtype=F64)
    assert_not_mutated(solution.functional_mlp, x, params)
    check(probes.untouched(x, params), "the dict or one of its tensors was changed")
