"""Compares what a module reports (its parameters and its state) with what it computes."""

import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_mode_matters,
    assert_state_dict_round_trip,
    check,
    sample,
)


@sample
def test_output(solution):
    """The output differs from x · weight + bias."""
    x = torch.tensor([[1.0, -2.0]])
    assert_close(solution.Layer(2)(x), x)


def test_parameters(solution):
    """The parameters are not weight and bias."""
    named = dict(solution.Layer(3).named_parameters())
    check(sorted(named) == ["bias", "weight"], "the parameters are not weight and bias")
    assert_close(named["weight"].detach(), torch.ones(3))


def test_loaded_state_is_used(solution, reference, rng):
    """The output is not computed with the loaded state."""
    state = {"weight": rng.randn(4), "bias": rng.randn(4)}
    mine, theirs = solution.Layer(4), reference.Layer(4)
    x = rng.randn(3, 4)
    for module in (mine, theirs):
        module.load_state_dict(state)
    assert_close(mine(x), theirs(x))
    assert_close(dict(mine.state_dict()), state, rtol=0.0, atol=0.0)
    assert_close(mine(x), theirs(x))


def test_gradients_reach_the_parameters(solution, reference, rng):
    """The gradients of the parameters are wrong."""
    mine, theirs = solution.Layer(4), reference.Layer(4)
    x = rng.randn(3, 4)
    for module in (mine, theirs):
        module(x).square().sum().backward()
    grads = dict(mine.named_parameters())
    for name, parameter in theirs.named_parameters():
        check(grads[name].grad is not None, "a parameter has no gradient")
        assert_close(grads[name].grad, parameter.grad, name=f"gradient of {name}")


def test_state_dict(solution, rng):
    """The state does not survive saving and loading."""
    assert_state_dict_round_trip(lambda: solution.Layer(4), rng.randn(3, 4))


def test_modes(solution, rng):
    """Dropout works in the wrong mode."""
    x = rng.randn(8, 16)
    assert_mode_matters(solution.Layer(16, 0.5), x)
    assert_ignores_mode(solution.Layer(16), x)
    evaluated = solution.Layer(16, 0.5)
    evaluated.eval()
    for _ in range(3):
        assert_close(evaluated(x), x)
