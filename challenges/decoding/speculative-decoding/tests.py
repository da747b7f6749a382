"""Hidden tests: the verification step of speculative decoding.

How often a right answer is refused. `expect_share` compares a share f of n independent draws with its probability p, and
refuses if n KL(f, p) > 20, where KL is the relative entropy of two coins. By Chernoff's bound, P(n KL(f, p) > c) <= 2
exp(-c) for any n and p, so one comparison refuses a right answer with a probability of at most 2 exp(-20) < 4.2e-9. The
tests below make 10 comparisons (test_first_token: 5 tokens, two dtypes), 4 (test_how_many), 5 (test_residual), 5
(test_last_token), 5 (test_places), 16 (test_texts) and 1 (test_rows): 46 in all, together below 2e-7. Comparisons on some of
the rows hold for any number of such rows; there are at least 1000 of them, except with a probability below 1e-100 (at least
2160 of 6000 are expected). The tests of generators compare 40 rows. A row repeats by chance with a probability of 0.3125,
all of them with one below 1e-20. test_nothing_left wants two equally likely tokens among 60 draws: one is missing with a
probability of 2**-59.
"""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
N = 6000
LIMIT = 20.0
P = torch.tensor([0.40, 0.30, 0.15, 0.10, 0.05], dtype=F64)
Q = torch.tensor([0.10, 0.20, 0.20, 0.20, 0.30], dtype=F64)  # 0.6 of it is accepted; the residual is 0.75 and 0.25
P2 = torch.tensor([0.10, 0.10, 0.50, 0.10, 0.20], dtype=F64)
Q2 = torch.tensor([0.40, 0.20, 0.20, 0.10, 0.10], dtype=F64)  # again 0.6
LAST = torch.tensor([0.05, 0.15, 0.10, 0.10, 0.60], dtype=F64)


def drawn(rng, probs):
    """One index for each row of the last dimension."""
    u = rng.rand(*probs.shape[:-1], 1, dtype=F64) * (1 - 1e-12)
    return (probs.double().cumsum(-1) <= u).sum(-1).clamp(max=probs.shape[-1] - 1)


def verified(solution, draft, q, p, *generator):
    """(tokens, accepted), once it is sure that they have the form of the statement."""
    result = solution.verify(draft, q, p, *generator)
    check(type(result) is tuple and len(result) == 2, "a pair (tokens, accepted) expected")
    tokens, accepted = result
    B, K = draft.shape
    check(isinstance(tokens, torch.Tensor) and isinstance(accepted, torch.Tensor), "two tensors expected")
    check(tokens.dtype == accepted.dtype == torch.int64, "tokens and accepted must be int64")
    check(tokens.shape == (B, K + 1) and accepted.shape == (B,), "the shape of tokens or accepted is wrong")
    check(bool(((accepted >= 0) & (accepted <= K)).all()), "accepted must lie between 0 and K")
    place, stop = torch.arange(K + 1), accepted[:, None]
    check(bool((tokens[:, :K] == draft)[place[:K] < stop].all()), "an accepted token is not the proposed one")
    check(bool((tokens[place > stop] == -1).all()), "behind the drawn token, -1 expected")
    new = tokens.gather(1, stop)
    check(bool(((new >= 0) & (new < p.shape[2])).all()), "the drawn token is not in the vocabulary")
    return tokens, accepted


def expect_share(hits, n, p, name):
    """Refuses if the share of hits is too far from p: see the top of this file."""
    f, distance = hits / n, 0.0
    for share, expected in ((f, p), (1 - f, 1 - p)):
        if share > 0:
            distance += math.inf if expected <= 0 else share * math.log(share / expected)
    check(n * distance <= LIMIT, f"{name}: a share of {f:.3f} of {n} rows, where about {p:.3f} is expected")


def expect_shares(values, probs, name):
    """The frequencies of the values 0, 1, ... against their probabilities."""
    check(len(values) >= 1000, f"{name}: far fewer rows than expected come to this point")
    counts = torch.bincount(values, minlength=len(probs)).tolist()
    for value, p in enumerate(probs.tolist()):
        expect_share(counts[value], len(values), min(max(p, 0.0), 1.0), name)


def mixed(rng, *rows):
    """The distributions with their tokens renamed at random, all in the same way."""
    order = rng.permutation(len(P))
    return [row[order] for row in rows]


def stacked(rows, n, dtype=F64):
    """Distributions (n, places, V) that are the same in each row of the batch."""
    return torch.stack(rows).to(dtype).expand(n, -1, -1)


@sample
@points(1)
def test_certain_target(solution):
    """A target that is certain: proposals stay as long as they agree, then comes the target's token, then -1."""
    draft = torch.tensor([[2, 0], [2, 1], [3, 1]])
    q = torch.full((3, 2, 4), 0.25)
    p = torch.eye(4)[torch.tensor([2, 1, 0])].expand(3, 3, 4)
    tokens, accepted = solution.verify(draft, q, p)
    assert_close(tokens, torch.tensor([[2, 1, -1], [2, 1, 0], [2, -1, -1]]), name="tokens")
    assert_close(accepted, torch.tensor([1, 2, 0]), name="accepted")


@sample
@points(1)
def test_equal_distributions(solution):
    """Draft and target agree: everything is accepted, and the residual, which is zero everywhere, is not needed."""
    q = torch.tensor([[[0.5, 0.5], [0.25, 0.75]]]).expand(4, 2, 2)
    p = torch.cat([q, torch.tensor([[[0.0, 1.0]]]).expand(4, 1, 2)], dim=1)
    draft = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]])
    tokens, accepted = solution.verify(draft, q, p)
    assert_close(tokens, torch.cat([draft, torch.ones(4, 1, dtype=torch.int64)], dim=1), name="tokens")
    assert_close(accepted, torch.full((4,), 2), name="accepted")


@sample
@points(1)
def test_one_possible_residual(solution):
    """Token 0 is proposed and impossible; only token 2 has more probability with the target than with the draft."""
    q = torch.tensor([[[0.5, 0.4, 0.1]]])
    p = torch.tensor([[[0.0, 0.4, 0.6], [1.0, 0.0, 0.0]]])
    tokens, accepted = solution.verify(torch.tensor([[0]]), q, p)
    assert_close(tokens, torch.tensor([[2, -1]]), name="tokens")
    assert_close(accepted, torch.tensor([0]), name="accepted")


@points(2)
@pytest.mark.parametrize("K", [1, 2, 5])
def test_greedy_target(solution, rng, K):
    """With a target that is certain everywhere, the result is the target's own text up to its first difference from the draft."""
    B, V = 40, 3
    for dtype in (F32, F64):
        wanted = rng.randint(0, V, (B, K + 1))
        draft = torch.where(rng.mask(B, K, p=0.7), wanted[:, :K], rng.randint(0, V, (B, K)))
        q = (rng.rand(B, K, V, dtype=F64) + 0.1).to(dtype)
        q = q / q.sum(-1, keepdim=True)
        p = torch.nn.functional.one_hot(wanted, V).to(dtype)
        tokens, accepted = verified(solution, draft, q, p)
        agree = (draft == wanted[:, :K]).long().cumprod(1).sum(1)
        assert_close(accepted, agree, name="accepted")
        assert_close(tokens, wanted.masked_fill(torch.arange(K + 1) > agree[:, None], -1), name="tokens")


@points(2)
def test_always_accepted(solution, rng):
    """A proposal with p >= q is accepted with certainty: the ratio is at least 1."""
    B, K, V = 500, 3, 6
    q = rng.rand(B, K, V, dtype=F64) + 0.01
    q = (q / q.sum(-1, keepdim=True)).float()
    for same in (True, False):
        p = q if same else q.square() / q.square().sum(-1, keepdim=True)
        # In the squared distribution the largest probability is larger than before.
        draft = drawn(rng, q) if same else q.argmax(-1)
        _, accepted = verified(solution, draft, q, torch.cat([p, q[:, :1]], dim=1))
        check(bool((accepted == K).all()), "a proposal with p >= q was rejected")


@points(1)
def test_zero_probabilities(solution, rng):
    """A token that the target excludes was accepted or drawn, or one that the residual excludes was drawn."""
    B, K, V = 800, 3, 6
    p = (rng.rand(B, K + 1, V, dtype=F64) + 0.05) * (torch.arange(V) % 2)
    q = rng.rand(B, K, V, dtype=F64) + 0.05
    p, q = p / p.sum(-1, keepdim=True), q / q.sum(-1, keepdim=True)
    draft = drawn(rng, q)
    tokens, accepted = verified(solution, draft, q, p)
    check(bool(((tokens % 2 == 1) | (tokens == -1)).all()), "a token has probability 0 with the target")
    rejected = accepted < K
    rows = torch.arange(B)[rejected]
    k = accepted[rejected]
    new = tokens[rows, k]
    check(bool((p[rows, k, new] > q[rows, k, new]).all()), "a token was drawn that the residual excludes")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_nothing_left(solution, rng, dtype):
    """If rounding leaves a residual of zeros, the token after the rejection comes from the target at that place."""
    B, V = 60, 4
    rejected, one, other, last = order = rng.permutation(V).tolist()
    # The draft has a rounding error more than the target, at a token that the target excludes.
    q = torch.tensor([torch.finfo(dtype).eps / 2, 0.5, 0.5, 0.0], dtype=dtype)[torch.tensor(order).argsort()]
    p = torch.where(torch.arange(V) == rejected, 0.0, q)
    end = torch.nn.functional.one_hot(torch.tensor(last), V).to(dtype)
    early = torch.arange(B) % 2 == 0
    draft = torch.stack([torch.where(early, rejected, one), torch.full((B,), rejected)], dim=1)
    tokens, accepted = verified(solution, draft, stacked([q, q], B, dtype), stacked([p, p, end], B, dtype))
    assert_close(accepted, (~early).long(), name="accepted")
    new = tokens.gather(1, accepted[:, None])
    check(bool(((new == one) | (new == other)).all()), "a token has probability 0 with the target")
    check(
        bool((new == one).any()) and bool((new == other).any()), "two tokens are equally likely, and one is never drawn"
    )


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_first_token(solution, rng, dtype):
    """The first token is not distributed as the target says: accepted and redrawn tokens together must give p."""
    p0, q0, p1 = mixed(rng, P, Q, P2)
    draft = drawn(rng, stacked([q0], N))
    tokens, _ = verified(solution, draft, stacked([q0], N, dtype), stacked([p0, p1], N, dtype))
    expect_shares(tokens[:, 0], p0, "first token")


@points(2)
def test_how_many(solution, rng):
    """The number of accepted proposals has another distribution: each place accepts the sum of min(p, q), independently."""
    p0, q0, p1, q1, p2 = mixed(rng, P, Q, P2, Q2, LAST)
    q, p = [q0, q1, q0], [p0, p1, p0, p2]
    _, accepted = verified(solution, drawn(rng, stacked(q, N)), stacked(q, N), stacked(p, N))
    a, b, c = (float(torch.minimum(x, y).sum()) for x, y in zip(p, q, strict=False))
    expect_shares(accepted, torch.tensor([1 - a, a * (1 - b), a * b * (1 - c), a * b * c]), "accepted")


@points(3)
def test_residual(solution, rng):
    """After a rejection, the token must come from max(0, p - q), normalised: the draft had its chance with the rest."""
    p0, q0, p1 = mixed(rng, P, Q, P2)
    tokens, accepted = verified(
        solution, drawn(rng, stacked([q0], N)), stacked([q0], N, F32), stacked([p0, p1], N, F32)
    )
    residual = (p0 - q0).clamp(min=0)
    expect_shares(tokens[accepted == 0, 0], residual / residual.sum(), "token after a rejection")


@points(2)
def test_last_token(solution, rng):
    """If all proposals are accepted, one more token must come from the target's last distribution."""
    p0, q0, p1, q1, p2 = mixed(rng, P, Q, P2, Q2, LAST)
    draft = drawn(rng, stacked([q0, q1], N))
    tokens, accepted = verified(solution, draft, stacked([q0, q1], N), stacked([p0, p1, p2], N))
    expect_shares(tokens[accepted == 2, 2], p2, "token behind the last proposal")


@points(2)
def test_places(solution, rng):
    """In the second place, tokens of rows that come so far must follow the target of that place, whatever came first."""
    p0, q0, p1, q1, p2 = mixed(rng, P, Q, P2, Q2, LAST)
    draft = drawn(rng, stacked([q0, q1], N))
    tokens, accepted = verified(solution, draft, stacked([q0, q1], N), stacked([p0, p1, p2], N))
    expect_shares(tokens[accepted >= 1, 1], p1, "second token")


@points(3)
def test_texts(solution, rng):
    """Texts of two tokens, written in as many rounds as it takes, are not distributed as the target alone would write them."""
    order = rng.permutation(4)
    target = torch.tensor([[0.1, 0.6, 0.2, 0.1], [0.4, 0.1, 0.1, 0.4], [0.25] * 4, [0.7, 0.1, 0.1, 0.1]], dtype=F64)
    draft = torch.tensor([[0.4, 0.2, 0.2, 0.2], [0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1], [0.25] * 4], dtype=F64)
    target, draft = target[:, order], draft[:, order]
    text = torch.zeros(N, 1, dtype=torch.int64)
    for _ in range(2):  # a round adds at least one token
        last = torch.where(text[:, -1] < 0, text[:, -2], text[:, -1]) if text.shape[1] > 1 else text[:, 0]
        x0 = drawn(rng, draft[last])
        x1 = drawn(rng, draft[x0])
        q = torch.stack([draft[last], draft[x0]], dim=1)
        p = torch.stack([target[last], target[x0], target[x1]], dim=1)
        tokens, _ = verified(solution, torch.stack([x0, x1], dim=1), q, p)
        if text.shape[1] == 1:
            text = torch.cat([text, tokens[:, :2]], dim=1)
        else:
            text[:, 2] = torch.where(text[:, 2] < 0, tokens[:, 0], text[:, 2])
    expected = target[0][:, None] * target
    expect_shares(4 * text[:, 1] + text[:, 2], expected.flatten(), "texts of two tokens")


@points(2)
def test_rows(solution, rng):
    """Rows are not independent, or see each other's distributions: neighbours must agree no more often than by chance."""
    p0, q0, p1 = mixed(rng, P, Q, P2)
    x = int((p0 / q0 - 0.5).abs().argmin())  # accepted in half of the cases
    draft = torch.full((2 * N, 1), x)
    q, p = stacked([q0], 2 * N), stacked([p0, p1], 2 * N)
    accept = float(p0[x] / q0[x])
    _, accepted = verified(solution, draft, q, p)
    pairs = (accepted[::2] == accepted[1::2]).sum()
    expect_share(int(pairs), N, accept**2 + (1 - accept) ** 2, "pairs of rows that decide alike")
    # Each row has its own distributions: certain ones, in random order.
    B, V = 30, 7
    wanted = rng.randint(0, V, (B, 2))
    tokens, _ = verified(solution, wanted[:, :1], torch.full((B, 1, V), 1 / V), torch.eye(V)[wanted])
    assert_close(tokens, wanted, name="tokens of certain rows")


@points(3)
def test_the_generator(solution, rng):
    """A given generator decides alone: equal states repeat, the state moves on, and torch's own generator is left alone."""
    p0, q0, p1 = mixed(rng, P, Q, P2)
    draft, seed = drawn(rng, stacked([q0, q0], 40)), rng.seed()
    inputs = draft, stacked([q0, q0], 40), stacked([p0, p1, p1], 40)
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(rng.seed())
    before = torch.get_rng_state()
    first = verified(solution, *inputs, generator)
    check(torch.equal(torch.get_rng_state(), before), "torch's own generator was used or reseeded")
    second = verified(solution, *inputs, generator)
    check(not torch.equal(first[0], second[0]), "two results from one generator are equal: its state does not move on")
    torch.manual_seed(rng.seed())
    again = verified(solution, *inputs, torch.Generator().manual_seed(seed))
    check(torch.equal(first[0], again[0]), "the same state of the generator gives another result")


@points(1)
def test_the_global_generator(solution, rng):
    """Without a generator, torch.manual_seed repeats a result, and two results in a row differ."""
    p0, q0, p1 = mixed(rng, P, Q, P2)
    draft, seed = drawn(rng, stacked([q0, q0], 40)), rng.seed()
    inputs = draft, stacked([q0, q0], 40), stacked([p0, p1, p1], 40)
    torch.manual_seed(seed)
    first, second = verified(solution, *inputs)[0], verified(solution, *inputs)[0]
    torch.manual_seed(seed)
    check(torch.equal(first, verified(solution, *inputs)[0]), "the same seed gives another result")
    check(not torch.equal(first, second), "two results in a row are equal")


@points(1)
@pytest.mark.parametrize("name", ["target-too-short", "target-too-long", "vocabulary", "rows", "tokens"])
def test_errors(solution, rng, name):
    """Shapes that do not fit are a ValueError: the target has one place more than the draft."""
    draft, q, p = torch.zeros(2, 3, dtype=torch.int64), torch.full((2, 3, 4), 0.25), torch.full((2, 4, 4), 0.25)
    if name == "target-too-short":
        p = p[:, :3]
    elif name == "target-too-long":
        p = torch.cat([p, p[:, :1]], dim=1)
    elif name == "vocabulary":
        p = torch.full((2, 4, 5), 0.2)
    elif name == "rows":
        p = p[:1]
    else:
        draft = draft[:, :2]
    with pytest.raises(ValueError):
        solution.verify(draft, q, p)


@points(1)
def test_layouts_and_arguments(solution, rng):
    """Transposed inputs are tensors like any other, one token is a vocabulary, and no argument is changed."""
    B, K, V = 6, 3, 4
    wanted = rng.randint(0, V, (K + 1, B)).t()
    draft = torch.where(rng.mask(B, K), wanted[:, :K], rng.randint(0, V, (B, K)))
    q = torch.full((V, K, B), 1 / V, dtype=F64).permute(2, 1, 0)
    p = torch.nn.functional.one_hot(wanted, V).double().permute(2, 1, 0).contiguous().permute(2, 1, 0)
    tokens, accepted = assert_not_mutated(solution.verify, draft, q, p)
    agree = (draft == wanted[:, :K]).long().cumprod(1).sum(1)
    assert_close(accepted, agree, name="accepted")
    assert_close(tokens, wanted.masked_fill(torch.arange(K + 1) > agree[:, None], -1), name="tokens")
    tokens, accepted = solution.verify(torch.zeros(2, 2, dtype=torch.int64), torch.ones(2, 2, 1), torch.ones(2, 3, 1))
    assert_close(tokens, torch.zeros(2, 3, dtype=torch.int64), name="tokens")
    assert_close(accepted, torch.full((2,), 2), name="accepted")
