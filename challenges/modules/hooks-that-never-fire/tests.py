"""Hidden tests: modules that are called, with everything that belongs to a call."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def mean_of(weights, x):
    return sum(x @ w.T for w in weights) / len(weights)


def expected_calls(count):
    forward = [f"{i} {when}" for i in range(count) for when in ("before", "after")]
    return ["ensemble before", *forward, "ensemble after"]


@sample
@points(1)
def test_hooks_of_two_members(probes):
    """Each member's forward hooks must fire once, in order, between those of the ensemble."""
    found = probes.ensemble([torch.eye(2), torch.ones(2, 2)], torch.tensor([[1.0, 2.0]]))
    assert_close(found["out"], torch.tensor([[2.0, 2.5]]), name="output")
    check([c for c in found["calls"] if "backward" not in c] == expected_calls(2), "forward hooks fired in another way")


@sample
@points(1)
def test_scaled_by_ten(solution):
    """ScaledLinear can be called, and has the parameters of a linear layer."""
    layer = solution.ScaledLinear(2, 1, 10.0)
    check(sorted(layer.state_dict()) == ["bias", "weight"], "the state should have weight and bias alone")
    layer.load_state_dict({"weight": torch.ones(1, 2), "bias": torch.ones(1)})
    assert_close(layer(torch.ones(1, 2)).detach(), torch.tensor([[30.0]]))


@sample
@points(1)
def test_members_are_registered(probes):
    """The parameters of the members are parameters of the ensemble, under members.0, members.1, …"""
    found = probes.ensemble([torch.eye(2), torch.ones(2, 2)], torch.ones(1, 2), hooks=False)
    check(found["names"] == ["members.0.weight", "members.1.weight"], "the parameters have other names")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("count", [1, 3])
def test_values_and_gradients(probes, rng, count, dtype):
    """Ensemble: the output is not the mean, or a gradient differs."""
    weights, x = [rng.randn(2, 5, dtype=dtype) for _ in range(count)], rng.randn(3, 5, dtype=dtype)
    found = probes.ensemble(weights, x, hooks=False)
    out = mean_of(weights, x)
    down = 2 * out / count
    assert_close(found["out"], out, scale=4.0, name="output")
    expected = [sum(down @ w for w in weights), *[down.T @ x for _ in weights]]
    check(all(grad is not None for grad in found["grads"]), "a gradient is missing")
    assert_close(found["grads"], expected, scale=8.0, name="gradients")


@points(2)
@pytest.mark.parametrize("passes", [1, 2])
def test_forward_hooks(probes, rng, passes):
    """Ensemble: in each pass every forward pre-hook and forward hook must fire once: neither never nor twice."""
    weights = [rng.randn(2, 5) for _ in range(3)]
    found = probes.ensemble(weights, rng.randn(3, 5), passes=passes)
    forward = [call for call in found["calls"] if "backward" not in call]
    check(forward == expected_calls(3) * passes, "forward hooks fired too often, too seldom, or in another order")


@points(1)
def test_backward_hooks(probes, rng):
    """Ensemble: full backward hooks of the ensemble and of each member must fire once."""
    found = probes.ensemble([rng.randn(2, 5) for _ in range(3)], rng.randn(3, 5))
    backward = sorted(call for call in found["calls"] if "backward" in call)
    expected = ["0 backward", "1 backward", "2 backward", "ensemble backward"]
    check(backward == expected, "backward hooks fired too often or too seldom")


@points(2)
def test_what_hooks_change(probes, rng):
    """Ensemble: an input or output that a hook has replaced must go into the mean."""
    weights, x = [rng.randn(2, 5, dtype=F64) for _ in range(3)], rng.randn(3, 5, dtype=F64)
    expected = (2 * x @ weights[0].T + x @ weights[1].T + x @ weights[2].T + 1) / 3
    assert_close(probes.changed(weights, x), expected, name="output")


@points(1)
def test_modes(probes, rng):
    """Ensemble: dropout in a member must drop in training mode and do nothing in evaluation mode."""
    x = rng.randn(3, 5)
    assert_close(probes.in_both_modes(x), [torch.zeros(3, 5), x], name="outputs in training and evaluation mode")


@points(1)
def test_a_member_in_evaluation(probes, rng):
    """Ensemble: a member that was set to evaluation stays there, although the ensemble is in training mode."""
    x = rng.randn(3, 5)
    assert_close(probes.one_in_evaluation(x), [x / 2, x / 2], name="outputs with one of two members in evaluation mode")


@points(1)
def test_nothing_is_written_to(probes, rng):
    """Ensemble: a member may return x itself, and a hook may keep an output: neither may be added to in place."""
    x = rng.randn(3, 5, dtype=F64)
    found = probes.taken_apart(x)
    assert_close(found["mean"], 2 * x / 3, name="output")
    assert_close(found["x"], x, rtol=0.0, atol=0.0, name="x after the call")
    assert_close(found["kept"], x, rtol=0.0, atol=0.0, name="output of a member after the call")


@points(2)
def test_pruned_members(probes, rng):
    """Ensemble: after a training step of pruned members the output must follow their new weights."""
    weights, x = [rng.randn(2, 3, dtype=F64) for _ in range(2)], rng.randn(3, 3, dtype=F64)
    kept = []
    for weight in weights:
        mask = torch.ones(6, dtype=F64)
        mask[weight.flatten().abs().argsort()[:2]] = 0
        kept.append(weight * mask.reshape(2, 3))
    factor = rng.uniform(2.0, 5.0)
    assert_close(probes.pruned(weights, x, factor), factor * mean_of(kept, x), scale=4.0, name="output")


@points(2)
@EACH_DTYPE
def test_scaled_values(probes, rng, dtype):
    """ScaledLinear: the output or a gradient differs: the scale multiplies weight and bias."""
    weight, bias, x = rng.randn(2, 5, dtype=dtype), rng.randn(2, dtype=dtype), rng.randn(3, 4, 5, dtype=dtype)
    scale = rng.uniform(2.0, 5.0)
    found = probes.scaled(weight, bias, x, scale)
    out = scale * (x @ weight.T + bias)
    down = 2 * scale * out
    assert_close(found["out"], out, scale=4.0, name="output")
    expected = [down @ weight, torch.einsum("abo,abi->oi", down, x), down.sum((0, 1))]
    assert_close(found["grads"], expected, scale=16.0, name="gradients")


@points(2)
def test_scaled_is_a_linear_layer(probes, rng):
    """ScaledLinear: a subclass of nn.Linear with its two parameters, whose hooks fire once."""
    found = probes.scaled(rng.randn(2, 5), rng.randn(2), rng.randn(3, 5), 0.5)
    check(found["linear"], "ScaledLinear is no subclass of nn.Linear any more")
    check(sorted(found["names"]) == ["bias", "weight"], "there are other parameters than weight and bias")
    check(sorted(found["state"]) == ["bias", "weight"], "the state should have weight and bias alone")
    check(found["calls"] == ["layer before", "layer after", "layer backward"], "hooks fired too often or too seldom")


@points(1)
def test_scaled_gradients_of_x(solution, reference, rng):
    """ScaledLinear: without a scale it is a linear layer; x may have any leading dimensions."""
    state = {"weight": rng.randn(2, 5, dtype=F64), "bias": rng.randn(2, dtype=F64)}
    for options in ({}, {"scale": -1.5}):
        layers = [source.ScaledLinear(5, 2, **options).to(F64) for source in (solution, reference)]
        for layer in layers:
            layer.load_state_dict({name: value.clone() for name, value in state.items()})
        assert_same_gradients(layers[0], layers[1], (rng.randn(5, dtype=F64),), names=("x",))


@points(1)
def test_x_stays(solution, rng):
    """ScaledLinear: x may be transposed, and is not written to."""
    weight, bias, x = rng.randn(2, 5), rng.randn(2), rng.randn(5, 3).t()
    layer = solution.ScaledLinear(5, 2, 3.0)
    layer.load_state_dict({"weight": weight.clone(), "bias": bias.clone()})
    assert_close(assert_not_mutated(layer, x), 3 * (x @ weight.T + bias), scale=4.0)
