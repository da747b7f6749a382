"""Hidden tests: the summary of a sequence, for all layouts of layers and directions."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

KINDS = {"plain": (1, False), "stacked": (3, False), "bidirectional": (1, True), "stacked-bidirectional": (2, True)}
EACH_KIND = pytest.mark.parametrize(("layers", "bidirectional"), list(KINDS.values()), ids=list(KINDS))
D, H = 3, 4


def weights_of(rng, layers, bidirectional, dtype=torch.float64, inputs=D, hidden=H):
    """A state_dict of the module: nn.RNN's names, below `rnn`."""
    state = {}
    for layer in range(layers):
        width = inputs if layer == 0 else hidden * (2 if bidirectional else 1)
        for end in ("", "_reverse")[: 2 if bidirectional else 1]:
            shapes = {"weight_ih": (hidden, width), "weight_hh": (hidden, hidden)}
            shapes |= {"bias_ih": (hidden,), "bias_hh": (hidden,)}
            for name, shape in shapes.items():
                state[f"rnn.{name}_l{layer}{end}"] = 0.6 * rng.randn(*shape, dtype=dtype)
    return state


def direction(x, h, w_ih, w_hh, b_ih, b_hh):
    """All states of one direction; x (B, T, d), h (B, H)."""
    states = []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ w_ih.T + b_ih + h @ w_hh.T + b_hh)
        states.append(h)
    return torch.stack(states, 1), h


def expected(x, h0, state, layers, bidirectional):
    """The summary, written out: x (B, T, D), h0 (layers * directions, B, H)."""
    for layer in range(layers):
        halves, finals = [], []
        for i, end in enumerate(("", "_reverse")[: 2 if bidirectional else 1]):
            named = [state[f"rnn.{name}_l{layer}{end}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
            start = h0[layer * (2 if bidirectional else 1) + i]
            states, final = direction(x.flip(1) if i else x, start, *named)
            halves.append(states.flip(1) if i else states)
            finals.append(final)
        x = torch.cat(halves, -1)
    return torch.cat(finals, -1)


def made(solution, state, layers, bidirectional):
    module = solution.Summary(D, H, layers, bidirectional)
    if state["rnn.weight_ih_l0"].dtype is torch.float64:
        module.to(torch.float64)
    check(set(module.state_dict()) == set(state), "state_dict() has other names than before: they stay as they are")
    module.load_state_dict(state)
    return module


def zeros(layers, bidirectional, batch, dtype=torch.float64):
    return torch.zeros(layers * (2 if bidirectional else 1), batch, H, dtype=dtype)


@sample
@points(1)
def test_five_sequences_of_three_steps(solution):
    """Five sequences, three steps each, ten features: (5, 20) comes out."""
    module = solution.Summary(10, 20)
    check(len(dict(module.state_dict())) == 4, "one layer and one direction, unless asked for otherwise")
    out = module(torch.ones(5, 3, 10))
    check(out.shape == (5, 20), "(5, 20) was expected")


@sample
@points(1)
def test_two_directions(solution):
    """A bidirectional summary has 2 * hidden numbers for each sequence."""
    out = solution.Summary(10, 20, layers=2, bidirectional=True)(torch.ones(5, 3, 10))
    check(out.shape == (5, 40), "(5, 40) was expected")


@sample
@points(1)
def test_a_sequence_alone(solution, rng):
    """What comes out for a sequence does not depend on the others in its batch."""
    module = solution.Summary(3, 4)
    x = rng.randn(6, 2, 3)
    assert_close(module(x)[:1], module(x[:1]).detach(), name="the first sequence alone")


@points(3)
@EACH_KIND
def test_values_and_gradients(solution, rng, layers, bidirectional):
    """The summary or its gradient is off: it is the last layer's final state, of both directions if there are two."""
    state = weights_of(rng, layers, bidirectional)
    module = made(solution, state, layers, bidirectional)
    x = rng.randn(2, 5, D, dtype=torch.float64)
    start = zeros(layers, bidirectional, 2)
    assert_same_gradients(module, lambda x: expected(x, start, state, layers, bidirectional), (x,), names=("x",))


@points(2)
@EACH_KIND
def test_given_state(solution, rng, layers, bidirectional):
    """h0 of shape (layers * directions, B, hidden) is where each layer and direction starts, and gets its gradient."""
    state = weights_of(rng, layers, bidirectional)
    module = made(solution, state, layers, bidirectional)
    x, h0 = rng.randn(3, 2, D, dtype=torch.float64), zeros(layers, bidirectional, 3)
    h0 = rng.randn(*h0.shape, dtype=torch.float64)
    assert_same_gradients(module, lambda x, h: expected(x, h, state, layers, bidirectional), (x, h0), names=("x", "h0"))


@points(1)
@pytest.mark.parametrize("shape", [(4, 4), (1, 5), (5, 1), (1, 1)], ids=["square", "one-sequence", "one-step", "one"])
def test_any_batch_and_length(solution, rng, shape):
    """Batch and length may be equal, or one: nothing may depend on which is larger, and no dimension may disappear."""
    state = weights_of(rng, 1, False)
    x = rng.randn(*shape, D, dtype=torch.float64)
    assert_close(made(solution, state, 1, False)(x), expected(x, zeros(1, False, shape[0]), state, 1, False))


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_dtypes(solution, rng, dtype):
    """A module in float64 takes float64: the default state must have the dtype of x."""
    state = weights_of(rng, 2, True, dtype)
    x = rng.randn(2, 3, D, dtype=dtype)
    assert_close(made(solution, state, 2, True)(x), expected(x, zeros(2, True, 2, dtype), state, 2, True))


@points(2)
def test_gradients_of_the_weights(solution, rng):
    """All weights of all layers and directions take part: their gradients are compared."""
    state = weights_of(rng, 2, True)
    module = made(solution, state, 2, True)
    x, cotangent = rng.randn(3, 4, D, dtype=torch.float64), rng.randn(3, 2 * H, dtype=torch.float64)
    named = dict(module.named_parameters())
    leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
    wanted = torch.autograd.grad(expected(x, zeros(2, True, 3), leaves, 2, True), list(leaves.values()), cotangent)
    out = module(x)
    check(out.requires_grad, "the summary is detached from the weights")
    found = torch.autograd.grad(out, [named[name] for name in leaves], cotangent)
    assert_close(list(found), list(wanted), scale=4.0, name="gradients")


@points(1)
def test_nothing_is_changed(solution, rng):
    """Neither x nor h0 may be written to, and x may have any memory layout."""
    state = weights_of(rng, 1, True)
    module = made(solution, state, 1, True)
    x = rng.randn(4, D, 3, dtype=torch.float64).permute(2, 0, 1)
    h0 = rng.randn(2, 3, H, dtype=torch.float64)
    out = assert_not_mutated(module, x, h0)
    assert_close(out.detach(), expected(x, h0, state, 1, True))
