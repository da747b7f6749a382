"""Hidden tests: one token of each row, among the k largest logits."""

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64


def by_hand(logits, noise, k):
    """Row by row on Python's numbers."""
    tokens = []
    sums = (logits + noise).tolist()
    for row, total in zip(logits.tolist(), sums, strict=True):
        border = sorted(row)[-k]
        kept = [i for i, value in enumerate(row) if value >= border]
        tokens.append(max(kept, key=lambda i: (total[i], -i)))
    return torch.tensor(tokens, dtype=torch.int64)


def compare(solution, logits, noise, k):
    assert_close(solution.sample_top_k(logits, noise, k), by_hand(logits, noise, k), name="tokens")


def shuffled(rng, rows, tokens, dtype=F32):
    """Logits without ties, a quarter apart, in random order."""
    each = [rng.permutation(tokens).to(dtype) / 4 - tokens / 8 for _ in range(rows)]
    return torch.stack(each) if each else torch.zeros(0, tokens, dtype=dtype)


@sample
@points(1)
def test_worked_example(solution):
    """The example of the statement, for k of 1, 2, 3 and 4."""
    logits = torch.tensor([[5.0, 3.0, 3.0, 1.0], [0.0, 1.0, 2.0, 3.0]])
    noise = torch.tensor([[0.0, 1.0, 4.0, 9.0], [9.0, 0.0, 2.0, 1.0]])
    for k, expected in ((1, [0, 3]), (2, [2, 2]), (3, [2, 2]), (4, [3, 0])):
        assert_close(solution.sample_top_k(logits, noise, k), torch.tensor(expected), name=f"tokens for k = {k}")


@sample
@points(1)
def test_without_noise(solution, rng):
    """Without noise the largest logit wins, whatever k is."""
    logits = shuffled(rng, 4, 9)
    for k in (1, 4, 9):
        assert_close(solution.sample_top_k(logits, torch.zeros(4, 9), k), logits.argmax(1), name="tokens")


@sample
@points(1)
def test_noise_decides(solution, rng):
    """Equal logits all take part, and the noise decides alone."""
    noise = rng.randn(5, 8)
    assert_close(solution.sample_top_k(torch.ones(5, 8), noise, 2), noise.argmax(1), name="tokens")


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("sizes", [(1, 1, 1), (3, 7, 3), (7, 3, 2), (5, 5, 5), (2, 64, 5), (4, 129, 20)], ids=str)
def test_tokens(solution, rng, sizes, dtype):
    """Tokens differ: the border is the k-th largest logit, and the noise chooses above it."""
    rows, tokens, k = sizes
    compare(solution, shuffled(rng, rows, tokens, dtype), tokens * rng.randn(rows, tokens, dtype=dtype), k)


@points(3)
@pytest.mark.parametrize("tokens", [1000, 1024, 4097, 5003])
def test_large_vocabulary(solution, rng, tokens):
    """Tokens differ for large vocabularies, also with sizes that no block divides."""
    for k in (1, 2, 7, 40):
        compare(solution, rng.randn(6, tokens), 3 * rng.randn(6, tokens), k)


@points(2)
@pytest.mark.parametrize("place", ["start", "end", "spread"])
def test_where_the_largest_lie(solution, rng, place):
    """The largest logits lie side by side, at the end of the row, or far apart: wherever they are, they take part."""
    rows, tokens, k = 3, 3001, 12
    logits = rng.randn(rows, tokens)
    at = {
        "start": torch.arange(k),
        "end": torch.arange(tokens - k, tokens),
        "spread": torch.arange(k) * (tokens // k) + 3,
    }[place]
    logits[:, at] += 20 + rng.randn(rows, k)
    for chosen in (at[0], at[k // 2], at[-1]):
        noise = rng.randn(rows, tokens)
        noise[:, chosen] += 50
        compare(solution, logits, noise, k)
    loud = torch.full((rows, tokens), 1e3)
    loud[:, at] = rng.randn(rows, k)
    compare(solution, logits, loud, k)


@points(3)
def test_ties_at_the_border(solution, rng):
    """Equal logits at the border all take part, however many they are and wherever they stand."""
    logits = rng.randint(0, 4, (6, 2000)).float()
    for k in (1, 3, 30):
        compare(solution, logits, rng.randn(6, 2000), k)
    for places in (slice(5, None, 64), slice(70, 80), slice(0, None, 63)):
        logits = torch.zeros(2, 4032)
        logits[:, places] = 1.0
        compare(solution, logits, rng.randn(2, 4032) + torch.arange(4032.0), 5)
        compare(solution, logits, rng.randn(2, 4032) - torch.arange(4032.0), 5)


@points(2)
def test_equal_sums(solution, rng):
    """Among equal sums, the smallest index wins."""
    logits = shuffled(rng, 4, 300)
    for k in (3, 17):
        compare(solution, logits, -logits, k)
    logits = shuffled(rng, 3, 2500)
    compare(solution, logits, -logits, 9)


@points(2)
def test_loud_noise_below_the_border(solution, rng):
    """A token below the border never wins, however large its noise is."""
    logits = shuffled(rng, 5, 400, F64)
    noise = torch.where(logits < logits.sort(dim=1).values[:, -10:-9], 1e6, 0.0).to(F64)
    compare(solution, logits, noise, 10)


@points(1)
def test_negative_logits(solution, rng):
    """Rows whose logits are all negative, or all very large, are ordinary rows."""
    for shift in (-1e4, 1e4):
        compare(solution, shuffled(rng, 4, 90) + shift, 10 * rng.randn(4, 90), 6)


@points(1)
def test_no_rows(solution):
    """Without rows, there are no tokens; k still has to fit."""
    found = solution.sample_top_k(torch.zeros(0, 5), torch.zeros(0, 5), 2)
    assert_close(found, torch.zeros(0, dtype=torch.int64), name="tokens")


@points(2)
@pytest.mark.parametrize("k", [0, -1, 6, 50])
def test_k_that_makes_no_sense(solution, rng, k):
    """A k below 1 or above the number of tokens is a ValueError, also without rows."""
    for rows in (3, 0):
        with pytest.raises(ValueError):
            solution.sample_top_k(rng.randn(rows, 5), rng.randn(rows, 5), k)


@points(1)
def test_distribution(solution, rng):
    """With Gumbel noise, the tokens follow the softmax of the logits that take part."""
    row = torch.tensor([0.1, 0.4, 0.2, 0.3], dtype=F64).log()
    uniform = rng.rand(6000, 4, dtype=F64).clamp(1e-12, 1 - 1e-12)
    tokens = solution.sample_top_k(row.expand(6000, 4), -(-uniform.log()).log(), 2)
    share = torch.bincount(tokens, minlength=4) / 6000
    # Seven standard deviations of a share of 4/7 among 6,000 tokens.
    off = (share - torch.tensor([0.0, 4 / 7, 0.0, 3 / 7])).abs().max()
    check(off.item() < 0.045, "the shares of the tokens are not the softmax of the logits that take part")


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    logits, noise = rng.randn(300, 4).T, rng.randn(8, 600)[::2, ::2]
    found = assert_not_mutated(solution.sample_top_k, logits, noise, 5)
    assert_close(found, by_hand(logits, noise, 5), name="tokens")
    compare(solution, -logits, noise, 5)
    assert_deterministic(solution.sample_top_k, logits, noise, 5)
