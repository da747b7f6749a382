"""Hidden tests: a mixture of experts with top-k routing.

Logits are multiples of 1/4 plus an offset per expert below 1/4, so no two of a token are close to each other and every way to
compute them gives the same choices.
"""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
NAMES = ("x", "router", "w_in", "w_out")


def draw(rng, N, d, E, h, dtype=F64):
    """x (N, d), router (E, d), w_in (E, d, h), w_out (E, h, d). The last feature of x is 1."""
    x = rng.randint(-3, 4, (N, d)).to(dtype) / 2
    router = rng.randint(-2, 3, (E, d)).to(dtype) / 2
    x[:, -1] = 1
    router[:, -1] = rng.permutation(E).to(dtype) / (4 * E)
    return x, router, rng.randn(E, d, h, dtype=dtype), rng.randn(E, h, d, dtype=dtype)


def expert(x, w_in, w_out):
    return (x @ w_in).relu() @ w_out


def served(x, router, k, capacity=None):
    """The pairs (token, expert) that have a seat, and the experts that each token chose."""
    chosen = (x @ router.T).argsort(-1, descending=True)[:, :k].tolist()
    seats = [len(x) if capacity is None else capacity] * len(router)
    pairs = []
    for round_ in range(k):
        for t, row in enumerate(chosen):
            e = row[round_]
            if seats[e]:
                seats[e] -= 1
                pairs.append((t, e))
    return pairs, chosen


def by_tokens(x, router, w_in, w_out, k, capacity=None):
    """The layer as a loop over tokens."""
    pairs, chosen = served(x, router, k, capacity)
    z = x @ router.T
    rows = []
    for t, row in enumerate(chosen):
        gates = dict(zip(row, z[t, row].softmax(0), strict=True))
        parts = [gates[e] * expert(x[t], w_in[e], w_out[e]) for e in row if (t, e) in pairs]
        rows.append(sum(parts, torch.zeros_like(x[t])))
    f = torch.tensor([sum(row.count(e) for row in chosen) for e in range(len(router))], dtype=x.dtype)
    loss = len(router) * (f / f.sum() * z.softmax(-1).mean(0)).sum()
    return torch.stack(rows), loss


def output(solution, *args):
    """y alone."""
    result = solution.moe(*args)
    check(isinstance(result, tuple) and len(result) == 2, "the result should be the tuple (y, loss)")
    return result[0]


def balance(solution, *args):
    """The loss alone."""
    result = solution.moe(*args)
    check(isinstance(result, tuple) and len(result) == 2, "the result should be the tuple (y, loss)")
    check(
        isinstance(result[1], torch.Tensor) and result[1].shape == (), "the loss should be a tensor without dimensions"
    )
    return result[1]


@sample
def test_worked_example(solution):
    """The worked example of the statement is off: gates of 3/4 and 1/4, then first choices before second choices."""
    x, w_in = torch.eye(2), torch.eye(2).repeat(3, 1, 1)
    router = math.log(3) * torch.tensor([[1.0, 0.0], [0.0, 1.0], [-99.0, -99.0]])
    w_out = torch.tensor([4.0, 8.0, 1.0])[:, None, None] * w_in
    loss = torch.tensor(1.5)
    assert_close(solution.moe(x, router, w_in, w_out, 2), (torch.tensor([[5.0, 0.0], [0.0, 7.0]]), loss))
    assert_close(solution.moe(x, router, w_in, w_out, 2, 1), (torch.tensor([[3.0, 0.0], [0.0, 6.0]]), loss))


@sample
@points(2)
def test_agrees_with_a_loop_over_tokens(solution, rng, exhibit):
    """Values differ from a loop over tokens: compare the gates, the experts and the sum over the choices."""
    inputs = draw(rng, 6, 4, 5, 3, F32)
    expected = by_tokens(*inputs, 2)
    actual = solution.moe(*inputs, 2)
    exhibit.difference("six tokens, two of five experts", actual[0], expected[0])
    assert_close(actual, expected)


@sample
def test_a_full_expert(solution):
    """Three tokens want the same expert, which has two seats: the last of them gets nothing, and its row is exactly zero."""
    x = torch.tensor([[1.0], [2.0], [3.0]])
    router = torch.tensor([[1.0], [-1.0]])
    ones = torch.ones(2, 1, 1)
    assert_close(output(solution, x, router, ones, 5 * ones, 1, 2), torch.tensor([[5.0], [10.0], [0.0]]))


CASES = {  # N, d, E, h, k, capacity
    "one-of-many": (7, 3, 5, 4, 1, None),
    "two-of-many": (11, 5, 4, 3, 2, None),
    "all": (5, 4, 3, 2, 3, None),
    "one-token": (1, 3, 4, 5, 2, None),
    "one-expert": (6, 3, 1, 4, 1, 4),
    "few-seats": (13, 4, 3, 5, 2, 3),
    "one-seat": (11, 3, 4, 2, 3, 1),
    "seats-for-most": (9, 5, 4, 3, 2, 5),
    "more-experts-than-tokens": (3, 4, 8, 2, 2, 1),
}


@points(3)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(solution, rng, name):
    """y, the loss or a gradient is off: gates over the chosen, seats in rounds, and both results connected to the router."""
    N, d, E, h, k, capacity = CASES[name]
    inputs = draw(rng, N, d, E, h)
    assert_same_gradients(
        lambda *four: solution.moe(*four, k, capacity),
        lambda *four: by_tokens(*four, k, capacity),
        inputs,
        names=NAMES,
    )


@points(2)
@pytest.mark.parametrize("capacity", [None, 3], ids=["all-served", "three-seats"])
def test_float32(solution, rng, capacity):
    """In float32 the values, the dtype or the shape of a result are off."""
    inputs = draw(rng, 16, 5, 4, 7, F32)
    assert_close(solution.moe(*inputs, 2, capacity), by_tokens(*inputs, 2, capacity))


@points(2)
def test_equal_experts(solution, rng):
    """With equal experts the routing cannot matter: gates that sum to one give what one expert gives."""
    x, router, w_in, w_out = draw(rng, 9, 4, 5, 3)
    for k in (1, 3, 5):
        y = output(solution, x, router, w_in[:1].expand(5, 4, 3), w_out[:1].expand(5, 3, 4), k)
        assert_close(y, expert(x, w_in[0], w_out[0]))


@points(2)
def test_shifted_logits(solution, rng):
    """The same vector added to each row of the router shifts all logits of a token alike: nothing may change."""
    x, router, w_in, w_out = draw(rng, 9, 4, 5, 3)
    shift = rng.randint(-4, 5, (4,)).to(F64)
    before, after = (solution.moe(x, r, w_in, w_out, 2, 3) for r in (router, router + shift))
    assert_close(after, by_tokens(x, router, w_in, w_out, 2, 3))
    assert_close(before, after)


@points(2)
def test_permutations(solution, rng):
    """Experts have no order, and without a limit on seats tokens have none either: a permutation must only move rows of y."""
    x, router, w_in, w_out = draw(rng, 10, 4, 6, 3)
    order, tokens = rng.permutation(6), rng.permutation(10)
    y, loss = by_tokens(x, router, w_in, w_out, 2, 2)
    assert_close(solution.moe(x, router[order], w_in[order], w_out[order], 2, 2), (y, loss), name="permuted experts")
    y, loss = by_tokens(x, router, w_in, w_out, 2)
    assert_close(solution.moe(x[tokens], router, w_in, w_out, 2), (y[tokens], loss), name="permuted tokens")


@points(2)
def test_first_choices_come_first(solution, rng):
    """All first choices are seated before any second choice: a later token's first choice beats an earlier one's second."""
    x = torch.eye(2, dtype=F64)[[0, 0, 1, 1]]
    router = torch.tensor([[2.0, 1.0], [1.0, 2.0]], dtype=F64)
    w_in, w_out = rng.rand(2, 2, 3, dtype=F64) + 0.5, rng.randn(2, 3, 2, dtype=F64)
    gate = torch.tensor([2.0, 1.0], dtype=F64).softmax(0)[0]
    y = output(solution, x, router, w_in, w_out, 2, 2)
    assert_close(y, gate * torch.cat([expert(x[:2], w_in[0], w_out[0]), expert(x[2:], w_in[1], w_out[1])]))


@points(2)
def test_who_is_dropped(solution, rng):
    """With c seats and every token at the same expert, the first c tokens are served and the others are exactly zero."""
    x = 1 + rng.rand(12, 1, dtype=F64)
    x[rng.integer(6, 12)] = 9.0  # the surest of all stands far back in the queue
    router = torch.tensor([[1.0], [0.0], [-1.0]], dtype=F64)
    w_in, w_out = rng.rand(3, 1, 4, dtype=F64) + 0.1, rng.rand(3, 4, 1, dtype=F64) + 0.1
    for capacity in (1, 5, 11):
        y = output(solution, x, router, w_in, w_out, 1, capacity)
        check(y.shape == x.shape, "y: the shape is wrong")
        assert_close(y[:capacity], expert(x[:capacity], w_in[0], w_out[0]), name="served tokens")
        check(bool((y[capacity:] == 0).all()), "a token without a seat is not exactly zero")


@points(2)
def test_gates_after_a_drop(solution, rng):
    """When one choice of a token is dropped, its other gates stay as they are: they are not divided again."""
    # the first two tokens choose the experts 0 and 1, the others 0 and 2; expert 0 has seats for the first two
    x = torch.eye(2, dtype=F64)[[0, 0, 1, 1]]
    router = torch.tensor([[1.0, 1.0], [0.5, 0.0], [0.0, 0.5]], dtype=F64)
    w_in, w_out = rng.rand(3, 2, 4, dtype=F64) + 0.1, rng.rand(3, 4, 2, dtype=F64) + 0.1
    first, second = torch.tensor([1.0, 0.5], dtype=F64).softmax(0)
    whole = first * expert(x[:2], w_in[0], w_out[0]) + second * expert(x[:2], w_in[1], w_out[1])
    half = second * expert(x[2:], w_in[2], w_out[2])
    assert_close(output(solution, x, router, w_in, w_out, 2, 2), torch.cat([whole, half]))


@points(1)
def test_enough_seats_are_no_limit(solution, rng):
    """A capacity of N or more is the same as None: no expert is named more than once by a token."""
    inputs = draw(rng, 8, 4, 3, 5)
    expected = by_tokens(*inputs, 2)
    for capacity in (None, 8, 100):
        assert_close(solution.moe(*inputs, 2, capacity), expected)


@points(3)
@pytest.mark.parametrize("capacity", [None, 2], ids=["all-served", "two-seats"])
def test_no_work_for_others(solution, rng, capacity):
    """An expert with NaN weights reaches a token that it does not serve: zero times NaN is NaN, so do not compute it at all."""
    x, router, w_in, w_out = draw(rng, 12, 4, 5, 3)
    pairs, chosen = served(x, router, 2, capacity)
    names = [e for row in chosen for e in row]
    e = max(range(5), key=names.count)  # of 24 choices at least five name it, so with two seats some are dropped
    others = [t for t in range(12) if (t, e) not in pairs]
    expected, _ = by_tokens(x, router, w_in, w_out, 2, capacity)
    w_in, w_out = w_in.clone(), w_out.clone()
    w_in[e], w_out[e] = math.nan, math.nan
    leaf = x.clone().requires_grad_()
    y = output(solution, leaf, router, w_in, w_out, 2, capacity)
    check(y.shape == x.shape, "y: the shape is wrong")
    assert_close(y[others].detach(), expected[others], name="rows of the other tokens")
    own = [t for t in range(12) if (t, e) in pairs]
    check(bool(y[own].isnan().all()), "a token that the expert does serve has a row without NaN")
    check(y.requires_grad, "y is detached from x")
    (gradient,) = torch.autograd.grad(y[others].sum(), leaf)
    check(
        bool(gradient[others].isfinite().all()), "the gradient of a token that the expert does not serve is not finite"
    )


@points(2)
def test_who_receives_gradient(solution, rng):
    """An expert that nobody chose, or whose tokens were all dropped, received a gradient, or one that serves received none."""
    x, router, w_in, w_out = draw(rng, 5, 3, 9, 4)
    router[:, -1] -= 50 * torch.tensor([0, 0, 0, 0, 0, 0, 1, 1, 1])[rng.permutation(9)]
    pairs, _ = served(x, router, 2, 1)
    leaves = [w_in.requires_grad_(), w_out.requires_grad_()]
    y = output(solution, x, router, *leaves, 2, 1)
    check(y.requires_grad, "y is detached from the experts")
    for gradient in torch.autograd.grad(y, leaves, rng.randn(5, 3, dtype=F64), allow_unused=True):
        check(gradient is not None, "w_in or w_out received no gradient")
        for e in set(range(9)) - {e for _, e in pairs}:
            check(bool((gradient[e] == 0).all()), "an expert that served no token received a gradient")
    used = {e for _, e in pairs}
    check(all(bool(gradient[e].any()) for e in used if bool(expert(x, w_in[e], w_out[e]).all())), "an expert got none")


@points(2)
def test_one_choice_has_gate_one(solution, rng):
    """With k = 1 the gate is 1 whatever the router says: y does not move with the router, and the router gets no gradient."""
    x, router, w_in, w_out = draw(rng, 8, 3, 4, 5)
    leaf = router.requires_grad_()
    y = output(solution, x, leaf, w_in, w_out, 1)
    best = (x @ router.T).argmax(-1).tolist()
    assert_close(y.detach(), torch.stack([expert(x[t], w_in[e], w_out[e]) for t, e in enumerate(best)]))
    if y.requires_grad:
        (gradient,) = torch.autograd.grad(y, leaf, rng.randn(8, 3, dtype=F64), allow_unused=True)
        check(gradient is None or bool(gradient.abs().max() < 1e-10), "the router receives a gradient from y")


@points(2)
def test_loss_of_an_even_router(solution, rng):
    """A router that gives all experts nearly the same probability has a balance loss of 1, for every k."""
    x, router, w_in, w_out = draw(rng, 9, 3, 5, 2)
    for k in (1, 2, 5):
        assert_close(balance(solution, x, 1e-9 * router, w_in, w_out, k), torch.tensor(1.0, dtype=F64), rtol=1e-7)


@points(2)
def test_loss_of_a_crowd(solution):
    """If one expert gets all tokens and all probability, the loss is E for one choice, and E / k for k: f counts all choices."""
    x = torch.ones(6, 1)
    router = torch.tensor([[80.0], [0.0], [-1.0], [-2.0]])
    weights = torch.ones(4, 1, 1)
    for k in (1, 2, 4):
        for capacity in (None, 1):
            assert_close(balance(solution, x, router, weights, weights, k, capacity), torch.tensor(4.0 / k))


@points(2)
def test_gradient_of_the_loss(solution, rng):
    """The loss sends a gradient to the router through the mean probabilities of all experts, and none to the experts' weights."""
    inputs = [t.requires_grad_() for t in draw(rng, 7, 3, 5, 2)]
    loss = balance(solution, *inputs, 2, 2)
    check(loss.requires_grad, "the loss is detached from the router")
    found = torch.autograd.grad(loss, inputs, allow_unused=True)
    expected = torch.autograd.grad(by_tokens(*inputs, 2, 2)[1], inputs[:2])
    for name, mine, theirs in zip(NAMES, found[:2], expected, strict=False):
        check(mine is not None, f"the loss does not depend on {name}")
        assert_close(mine, theirs, scale=4.0, name=f"gradient of {name}")
    check(all(g is None or not bool(g.any()) for g in found[2:]), "the loss depends on the weights of the experts")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_large_logits(solution, rng, dtype):
    """Logits of ten thousand overflow, or lose the second choice: softmax has to be shifted."""
    x, router, w_in, w_out = draw(rng, 6, 4, 4, 3, dtype)  # with four experts the logits are exact, also in float32
    for size in (1.0, -1.0):
        shifted = router.clone()
        shifted[:, -1] += size * 8192
        args = (x, shifted, w_in, w_out)
        actual = solution.moe(*args, 2, 4)
        check(all(bool(t.isfinite().all()) for t in actual), "y or the loss is not finite")
        assert_close(actual, by_tokens(*args, 2, 4))


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed and expanded inputs are ordinary inputs: do not assume contiguous memory."""
    x, router, w_in, w_out = draw(rng, 7, 4, 5, 3)
    args = [x.T.contiguous().T, router.T.contiguous().T, w_in.mT.contiguous().mT, w_out.mT.contiguous().mT]
    assert_close(solution.moe(*args, 2, 3), by_tokens(x, router, w_in, w_out, 2, 3))


@points(1)
def test_nothing_is_changed_or_remembered(solution, rng):
    """Inputs stay as they are, equal calls give equal results, and other values give other results."""
    for _ in range(3):
        inputs = draw(rng, 7, 4, 5, 3, F32)
        result = assert_not_mutated(solution.moe, *inputs, 2, 3)
        assert_close(result, by_tokens(*inputs, 2, 3))
    assert_deterministic(solution.moe, *inputs, 2, 3)
