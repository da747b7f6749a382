"""Hidden tests: temperature, top-k and top-p sampling."""

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

BF16, F32, F64 = torch.bfloat16, torch.float32, torch.float64
INF = float("inf")


def probs_by_hand(row, temperature=1.0, top_k=None, top_p=None):
    """The probabilities of one row, step by step on lists; and how near a sum came to top_p."""
    values = row.double().tolist()
    kept = sorted(range(len(values)), key=lambda i: (-values[i], i))[:top_k]
    p = (row.double()[kept] / temperature).softmax(0)
    sums = p.cumsum(0)
    near = 1.0
    if top_p is not None and top_p < 1:
        near = float((sums - top_p).abs().min())
        count = int((sums < top_p).sum()) + 1
        kept, p = kept[:count], p[:count] / p[:count].sum()
    out = torch.zeros(len(values), dtype=F64)
    out[kept] = p
    return out, near


def told(options):
    """What was compared, for a message."""
    return f"probabilities with {' and '.join(options)}" if options else "probabilities without any filter"


def drawn(rng, *shape, dtype=F64):
    """Logits without ties."""
    return 2 * rng.randn(*shape, dtype=dtype)


def compared(solution, logits, **options):
    """Probabilities of every row against the ones by hand. A row whose sums come too near to top_p is not looked at."""
    out = solution.next_token_probs(logits, **options)
    check(isinstance(out, torch.Tensor) and out.shape == logits.shape, "probabilities: the shape is wrong")
    check(out.dtype == (F32 if logits.dtype == BF16 else logits.dtype), "probabilities: the dtype is not as stated")
    rows, found = logits.reshape(-1, logits.shape[-1]), out.reshape(-1, logits.shape[-1])
    for row, actual in zip(rows, found, strict=True):
        expected, near = probs_by_hand(row, **options)
        if near > 1e-4:
            assert_close(actual, expected.to(actual.dtype), name="probabilities")
            check(bool((actual[expected == 0] == 0).all()), "a token that was filtered out is not exactly 0")


@sample
@points(2)
def test_each_filter_by_itself(solution):
    """One of the filters keeps other tokens than it should: the k best, or the first ranks until their sum reaches p."""
    logits = torch.tensor([0.05, 0.5, 0.15, 0.3], dtype=F64).log()
    for options, expected in (
        ({}, [0.05, 0.5, 0.15, 0.3]),
        ({"top_k": 2}, [0.0, 0.625, 0.0, 0.375]),
        ({"top_p": 0.6}, [0.0, 0.625, 0.0, 0.375]),
        ({"top_p": 0.85}, [0.0, 0.5 / 0.95, 0.15 / 0.95, 0.3 / 0.95]),
        ({"temperature": 0.5}, [0.0025 / 0.365, 0.25 / 0.365, 0.0225 / 0.365, 0.09 / 0.365]),
    ):
        assert_close(
            solution.next_token_probs(logits, **options), torch.tensor(expected, dtype=F64), name=told(options)
        )


@sample
def test_top_k_before_top_p(solution):
    """With both filters, top-p looks at the probabilities that top-k left, normalised to 1."""
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=F64).log()
    assert_close(solution.next_token_probs(logits, 1.0, 2, 0.6), torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=F64))


@sample
def test_greedy(solution, rng):
    """Temperature 0 always takes the largest logit, the lower id among equal ones, in both functions."""
    logits = torch.tensor([[1.0, 3.0, 2.0], [5.0, 5.0, 0.0]])
    assert_close(solution.next_token_probs(logits, 0.0), torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    assert_close(solution.sample(logits, temperature=0.0, top_k=2), torch.tensor([1, 0]))


SETTINGS = {
    "temperature": {"temperature": 0.7},
    "hot": {"temperature": 5.0},
    "top-k": {"top_k": 3},
    "top-p": {"top_p": 0.8},
    "top-p-small": {"top_p": 0.05},
    "both": {"top_k": 5, "top_p": 0.7},
    "all": {"temperature": 1.5, "top_k": 6, "top_p": 0.9},
    "cold": {"temperature": 0.4, "top_p": 0.95},
}


@points(2)
@pytest.mark.parametrize("name", SETTINGS)
def test_probabilities(solution, rng, name):
    """Probabilities are off for some setting: temperature first, then top-k, then top-p, then normalise."""
    compared(solution, drawn(rng, 4, 9), **SETTINGS[name])


@points(2)
@pytest.mark.parametrize("shape", [(7,), (1, 5), (2, 3, 6), (0, 4), (3, 1)], ids=str)
def test_shapes(solution, rng, shape):
    """Any number of leading dimensions, none and empty ones included: each row on its own, the shape stays."""
    compared(solution, drawn(rng, *shape, dtype=F32), top_k=4, top_p=0.75)
    tokens = solution.sample(drawn(rng, *shape, dtype=F32), top_k=2)
    check(isinstance(tokens, torch.Tensor) and tokens.shape == shape[:-1], "tokens: the shape is wrong")
    check(tokens.dtype == torch.int64, "tokens: int64 expected")


@points(2)
def test_equal_logits(solution):
    """Among equal logits the lower id comes first: exactly k tokens stay, and a nucleus does not grow by a tie."""
    logits = torch.tensor([[1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 2.0, 1.0, 2.0, 1.0]], dtype=F64)
    out = solution.next_token_probs(logits, 1.0, 3)
    check(out.shape == logits.shape, "probabilities: the shape is wrong")
    check(
        torch.equal(out > 0, torch.tensor([[1, 1, 1, 0, 0], [0, 1, 1, 1, 0]]).bool()), "other tokens stay than stated"
    )
    out = solution.next_token_probs(logits, 1.0, None, 0.5)
    check(
        torch.equal(out > 0, torch.tensor([[1, 1, 1, 0, 0], [0, 1, 0, 1, 0]]).bool()), "other tokens stay than stated"
    )


@points(1)
def test_a_tiny_temperature(solution):
    """Only a temperature of 0 is greedy: at any other, however small, equal logits have equal probabilities."""
    logits = torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    expected = torch.tensor([[0.0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    assert_close(solution.next_token_probs(logits, temperature=1e-6), expected)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_many_equal_logits(solution, rng, dtype):
    """In a large vocabulary equal logits are ranked by their ids as well, for top-k, for top-p and at temperature 0."""
    best = rng.permutation(400)[:150]
    logits = torch.full((2, 400), -2.0, dtype=dtype)
    logits[1, best] = 1.0  # 150 tokens tie for the first rank, and the other 250 for the next
    ranked = [torch.arange(400), best.sort().values]
    # Probabilities of 1/400 and of 0.006156 reach 0.43625 with tokens 175 and 71, those of 1/120 with token 53: no near miss.
    for options, counts in (
        ({"top_k": 40}, (40, 40)),
        ({"top_p": 0.43625}, (175, 71)),
        ({"top_k": 120, "top_p": 0.43625}, (53, 53)),
        ({"temperature": 0.0}, (1, 1)),
    ):
        expected = torch.zeros(2, 400, dtype=dtype)
        for row, ids, count in zip(expected, ranked, counts, strict=True):
            row[ids[:count]] = 1 / count
        found = solution.next_token_probs(logits, **options)
        check(found.shape == logits.shape, "probabilities: the shape is wrong")
        check(torch.equal(found > 0, expected > 0), f"{told(options)}: other tokens stay than stated")
        assert_close(found, expected, name=told(options))
    tokens = solution.sample(logits, temperature=0.0)
    check(
        tokens.tolist() == [0, int(best.min())], "temperature 0 takes another token than the lower id among equal ones"
    )


@points(1)
def test_limits_of_the_filters(solution, rng):
    """A k beyond the vocabulary and p = 1 change nothing, and k = 1 or a tiny p leave one token."""
    logits = drawn(rng, 3, 6)
    plain = logits.softmax(-1)
    for options in ({"top_k": 6}, {"top_k": 50}, {"top_p": 1.0}, {"top_k": 9, "top_p": 1.0}):
        assert_close(solution.next_token_probs(logits, **options), plain, name=told(options))
    best = torch.nn.functional.one_hot(logits.argmax(-1), 6).double()
    for options in ({"top_k": 1}, {"top_p": 1e-9}, {"top_k": 1, "top_p": 1.0}):
        assert_close(solution.next_token_probs(logits, **options), best, name=told(options))


@points(2)
@pytest.mark.parametrize("dtype", [BF16, F32], ids=["bfloat16", "float32"])
def test_p_of_one_keeps_every_token(solution, rng, dtype):
    """With top_p = 1 every token stays, also those behind a sum that rounding has already made 1."""
    long_tail = torch.cat([torch.zeros(1), -30 - 30 * rng.rand(1200)])
    for logits in (torch.tensor([0.0, -30.0, -40.0]), 2 * rng.randn(2, 1000), long_tail):
        logits = logits.to(dtype)
        for options in ({"top_p": 1.0}, {"top_k": 5000, "top_p": 1.0}):
            found = solution.next_token_probs(logits, **options)
            check(found.shape == logits.shape, "probabilities: the shape is wrong")
            check(bool((found > 0).all()), "top_p = 1 has dropped a token")
            assert_close(found, logits.float().softmax(-1), name=told(options))


@points(2)
def test_forbidden_tokens(solution, rng):
    """A logit of −∞ has probability 0 under every filter, and brings no NaN into its row."""
    logits = drawn(rng, 3, 8)
    hidden = rng.mask(3, 8) & (torch.arange(8) != 2)
    logits = logits.masked_fill(hidden, -INF)
    for options in ({}, {"top_k": 7}, {"top_p": 0.9}, {"temperature": 0.5, "top_k": 7, "top_p": 1.0}):
        compared(solution, logits, **options)


@points(2)
def test_bfloat16(solution, rng):
    """In bfloat16 probabilities and their sums have two or three digits: go to float32 before the first softmax."""
    logits = (0.25 * rng.randn(2, 600)).bfloat16()
    out = solution.next_token_probs(logits, top_p=0.9)
    check(out.shape == logits.shape and out.dtype == F32, "probabilities: shape of the logits and float32 expected")
    for row, actual in zip(logits, out, strict=True):
        expected, _ = probs_by_hand(row, top_p=0.9)
        # rounding may move the border of the nucleus by one of some hundred tokens
        check(abs(int((actual > 0).sum()) - int((expected > 0).sum())) <= 1, "the nucleus has another size")
        check(abs(float(actual.double().sum()) - 1) < 1e-4, "the probabilities do not sum to 1")
    compared(solution, drawn(rng, 3, 7).bfloat16(), top_k=4, temperature=0.8)


@points(1)
def test_large_logits(solution, rng):
    """Logits in the thousands and a small temperature must not overflow."""
    compared(solution, 1000 + drawn(rng, 3, 6), temperature=0.1, top_p=0.9)
    compared(solution, -3000 + drawn(rng, 2, 5), top_k=3)


@points(2)
@pytest.mark.parametrize("name", ["temperature", "top-k", "all"])
def test_gradients(solution, reference, rng, name):
    """A gradient of the probabilities is off: tokens that stay send it to each other's logits, the others to none."""
    options = SETTINGS[name]
    logits = drawn(rng, 2, 7)
    nears = [probs_by_hand(row, **options)[1] for row in logits]
    if min(nears) > 1e-4:
        assert_same_gradients(solution.next_token_probs, reference.next_token_probs, (logits,), **options)


def frequencies(solution, logits, n, **options):
    """Share of each token among n independent draws of one row."""
    tokens = solution.sample(logits.expand(n, -1), **options)
    check(isinstance(tokens, torch.Tensor) and tokens.shape == (n,), "tokens: the shape is wrong")
    check(tokens.dtype == torch.int64, "tokens: int64 expected")
    check(bool(((tokens >= 0) & (tokens < len(logits))).all()), "a token is not in the vocabulary")
    return torch.bincount(tokens, minlength=len(logits)).double() / n


@points(3)
@pytest.mark.parametrize("name", ["plain", "top-k", "all"])
def test_how_often(solution, rng, name):
    """Tokens are drawn with other probabilities than next_token_probs gives, or one that was filtered out was drawn."""
    options = {"temperature": 1.3} if name == "plain" else SETTINGS[name]
    logits, n = rng.randn(7), 4000
    expected, near = probs_by_hand(logits, **options)
    if near < 1e-4:
        return
    torch.manual_seed(rng.seed())
    found = frequencies(solution, logits, n, **options)
    check(bool((found[expected == 0] == 0).all()), "a token with probability 0 was drawn")
    # seven standard deviations of a share of n draws
    allowed = 7 * (expected * (1 - expected) / n).sqrt() + 1e-3
    check(bool(((found - expected).abs() < allowed).all()), "some token is drawn too often or too rarely")


@points(2)
def test_rows_are_independent(solution, rng):
    """Equal rows must be drawn independently, and each row from its own probabilities."""
    torch.manual_seed(rng.seed())
    tokens = solution.sample(torch.zeros(40, 50))
    check(tokens.shape == (40,) and len(set(tokens.tolist())) > 5, "equal rows all get the same few tokens")
    order = rng.permutation(6)
    logits = torch.full((6, 6), -INF).scatter(-1, order[:, None], 0.0)
    assert_close(solution.sample(logits[:, None]), order[:, None], name="tokens of rows with one choice")


@points(3)
def test_the_generator(solution, rng):
    """A given generator decides alone: equal states repeat, the state moves on, and torch's own generator is left alone."""
    logits, seed = rng.randn(30, 20), rng.seed()
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(rng.seed())
    before = torch.get_rng_state()
    first = solution.sample(logits, 1.0, 15, 0.95, generator)
    check(torch.equal(torch.get_rng_state(), before), "torch's own generator was used or reseeded")
    second = solution.sample(logits, 1.0, 15, 0.95, generator)
    check(not torch.equal(first, second), "two draws from one generator are equal: its state does not move on")
    torch.manual_seed(rng.seed())
    again = solution.sample(logits, 1.0, 15, 0.95, torch.Generator().manual_seed(seed))
    check(torch.equal(first, again), "the same state of the generator gives other tokens")


@points(1)
def test_the_global_generator(solution, rng):
    """Without a generator, torch.manual_seed repeats a draw, and two draws in a row differ."""
    logits, seed = rng.randn(30, 20), rng.seed()
    torch.manual_seed(seed)
    first, second = solution.sample(logits), solution.sample(logits)
    torch.manual_seed(seed)
    again = solution.sample(logits)
    check(torch.equal(first, again), "the same seed gives other tokens")
    check(not torch.equal(first, second), "two draws in a row are equal")


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, rng, layout):
    """Transposed, strided and expanded logits are tensors like any other: no view that needs contiguous memory."""
    logits = {
        "transposed": lambda: drawn(rng, 2, 6, 3).transpose(1, 2),
        "strided": lambda: drawn(rng, 4, 12)[::2, ::2],
        "expanded": lambda: drawn(rng, 1, 6).expand(3, 6),
    }[layout]()
    compared(solution, logits, top_k=4, top_p=0.8)
    check(solution.sample(logits).shape == logits.shape[:-1], "tokens: the shape is wrong")


@points(2)
@pytest.mark.parametrize("name", ["temperature", "top_k", "top_p"])
def test_errors(solution, rng, name):
    """A negative temperature, a k below 1 and a p outside (0, 1] are a ValueError, in both functions."""
    logits = rng.randn(2, 5)
    for value in {"temperature": [-0.5], "top_k": [0, -3], "top_p": [0.0, -0.1, 1.5]}[name]:
        for function in (solution.next_token_probs, solution.sample):
            with pytest.raises(ValueError):
                function(logits, **{name: value})
            if name != "temperature":
                with pytest.raises(ValueError):
                    function(logits, **{"temperature": 0.0, name: value})


@points(1)
def test_logits_are_left_alone(solution, rng):
    """The logits were modified, or equal calls differ: in-place operations belong on tensors that you made yourself."""
    logits = drawn(rng, 2, 6)
    assert_not_mutated(solution.next_token_probs, logits, 0.5, 3, 0.9)
    assert_not_mutated(solution.sample, logits, 0.5, 3, 0.9)
    assert_deterministic(solution.next_token_probs, logits, 0.5, 3, 0.9)
