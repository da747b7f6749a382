"""Hidden tests: logit processors."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
INF = math.inf
V = 7
ALL = {"repetition_penalty": 1.7, "frequency_penalty": 0.4, "temperature": 0.8, "min_p": 0.15}


def texts(rng, rows, longest, vocabulary=V, padded=True):
    """Histories with repetitions, and with padding anywhere."""
    tokens = rng.randint(0, vocabulary, (rows, longest))
    return tokens.masked_fill(rng.mask(rows, longest, p=0.3), -1) if padded else tokens


def automaton(rng, states, vocabulary=V):
    """A table in which each state allows at least token 0 and has other states to go to."""
    table = rng.randint(0, states, (states, vocabulary)).masked_fill(rng.mask(states, vocabulary, p=0.4), -1)
    table[:, 0] = rng.randint(0, states, (states,))
    return table


def allowed_texts(rng, table, rows, longest):
    """Texts that the automaton accepts, with padding anywhere, and the states in which they end."""
    tokens, states = torch.full((rows, longest), -1), []
    for b in range(rows):
        state = 0
        for t in range(longest):
            if rng.uniform(0, 1) < 0.7:
                token = rng.choice([v for v in range(table.shape[1]) if table[state, v] >= 0])
                tokens[b, t], state = token, int(table[state, token])
        states.append(state)
    return tokens, states


def by_hand(logits, tokens, allowed=None, repetition_penalty=1.0, frequency_penalty=0.0, temperature=1.0, min_p=0.0):
    """Number by number, in float64; and how near a probability came to the border of min-p, as a logarithm."""
    out, near = torch.full(logits.shape, -INF, dtype=F64), INF
    for b, text in enumerate(tokens.tolist()):
        for v in range(logits.shape[1]):
            z = float(logits[b, v])
            if allowed is not None and not bool(allowed[b, v]):
                continue
            count = text.count(v)
            if count:
                z = z / repetition_penalty if z > 0 else z * repetition_penalty
            out[b, v] = (z - frequency_penalty * count) / temperature
        if min_p > 0:
            # p >= m max p, in logarithms
            distance = out[b] - out[b].max() - math.log(min_p)
            near = min(near, float(distance.abs().min()) if min_p < 1 else INF)
            out[b][distance < 0] = -INF
    return out.to(logits.dtype), near


def compared(solution, logits, tokens, table=None, allowed=None, **options):
    actual = solution.process_logits(logits, tokens, **({} if table is None else {"table": table}), **options)
    expected, near = by_hand(logits, tokens, allowed, **options)
    check(isinstance(actual, torch.Tensor) and actual.shape == logits.shape, "the shape of the logits expected")
    if near > 1e-3:
        assert_close(actual, expected, name=f"logits with {' and '.join(options) or 'no option'}")


@sample
@points(1)
def test_grammar_by_hand(solution):
    """A number has one or two digits (0, 1), then the end (2): what may follow nothing, one digit, two digits."""
    table = torch.tensor([[1, 1, -1], [3, 3, 2], [-1, -1, -1], [-1, -1, 2]])
    tokens = torch.tensor([[-1, -1], [-1, 0], [1, 0]])
    expected = torch.tensor([[1, 1, 0], [1, 1, 1], [0, 0, 1]]).bool()
    assert_close(solution.allowed_tokens(tokens, table), expected)
    out = solution.process_logits(torch.tensor([[2.0, 1.0, 9.0]] * 3), tokens, table)
    assert_close(out, torch.tensor([[2.0, 1.0, -INF], [2.0, 1.0, 9.0], [-INF, -INF, 9.0]]))


@sample
@points(1)
def test_penalties_by_hand(solution):
    """Token 0 occurs twice, token 1 once. Both penalties lower a logit, whatever its sign is."""
    logits, tokens = torch.tensor([[2.0, -1.0, 0.5]]), torch.tensor([[0, 1, 0]])
    for options, expected in (
        ({"repetition_penalty": 2.0}, [1.0, -2.0, 0.5]),
        ({"frequency_penalty": 0.5}, [1.0, -1.5, 0.5]),
        ({"repetition_penalty": 2.0, "frequency_penalty": 0.5}, [0.0, -2.5, 0.5]),
    ):
        out = solution.process_logits(logits, tokens, **options)
        assert_close(out, torch.tensor([expected]), name=f"logits with {' and '.join(options)}")


@sample
@points(1)
def test_min_p_by_hand(solution):
    """Of the probabilities 0.6, 0.3 and 0.1, the last is below a quarter of the largest; at temperature 2 it is not."""
    logits, tokens = torch.tensor([[0.6, 0.3, 0.1]]).log(), torch.tensor([[-1]])
    out = solution.process_logits(logits, tokens, min_p=0.25)
    assert_close(out, torch.tensor([[math.log(0.6), math.log(0.3), -INF]]))
    out = solution.process_logits(logits, tokens, min_p=0.25, temperature=2.0)
    assert_close(out, logits / 2)


@points(2)
@pytest.mark.parametrize("states", [1, 2, 5])
def test_automaton(solution, rng, states):
    """Other tokens are allowed than the automaton says: each row reads its own text, from state 0, and padding is not read."""
    for longest in (0, 1, 6):
        table = automaton(rng, states)
        tokens, ends = allowed_texts(rng, table, 5, longest)
        assert_close(solution.allowed_tokens(tokens, table), table[ends] >= 0, name="allowed tokens")


@points(2)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_forbidden_text(solution, rng, place):
    """A text with a forbidden token is a ValueError wherever it stands: an index of -1 would read the last row of the table."""
    table = automaton(rng, 4)
    table[:, V - 1] = -1
    # Token 0 is allowed in every state, so what follows the forbidden token looks right again.
    tokens = torch.zeros(3, 5, dtype=torch.int64)
    tokens[0, 1:] = -1
    check(solution.allowed_tokens(tokens, table).shape == (3, V), "allowed tokens: the shape is wrong")
    tokens[1, place] = V - 1
    with pytest.raises(ValueError):
        solution.allowed_tokens(tokens, table)
    with pytest.raises(ValueError):
        solution.process_logits(rng.randn(3, V), tokens, table)


OPTIONS = {
    "none": {},
    "repetition": {"repetition_penalty": 1.5},
    "reward": {"repetition_penalty": 0.6},
    "frequency": {"frequency_penalty": 0.7},
    "negative-frequency": {"frequency_penalty": -0.9},
    "both": {"repetition_penalty": 1.4, "frequency_penalty": 1.1},
    "hot": {"temperature": 3.0, "frequency_penalty": 0.5},
    "cold": {"temperature": 0.3},
    "min-p": {"min_p": 0.2},
    "all": ALL,
}


@points(2)
@pytest.mark.parametrize("name", OPTIONS)
def test_values(solution, rng, name):
    """Logits differ for some options: the sign decides how the repetition penalty works, occurrences how often the other does."""
    for dtype in (F32, F64):
        compared(solution, 2 * rng.randn(4, V, dtype=dtype), texts(rng, 4, 9), **OPTIONS[name])
    compared(solution, rng.randn(1, V, dtype=F64), texts(rng, 1, 0), **OPTIONS[name])


@points(2)
def test_grammar_first(solution, rng):
    """Min-p compares with the largest probability among the allowed tokens, so the grammar comes before it."""
    table = torch.tensor([[-1, 0, 0, 0]])
    tokens = torch.full((1, 2), -1)
    logits = torch.tensor([[9.0, 1.0, 0.5, -4.0]])
    expected = torch.tensor([[-INF, 1.0, 0.5, -INF]])
    assert_close(solution.process_logits(logits, tokens, table, min_p=0.3), expected)
    for dtype in (F32, F64):
        table = automaton(rng, 3)
        tokens, ends = allowed_texts(rng, table, 4, 8)
        compared(solution, 2 * rng.randn(4, V, dtype=dtype), tokens, table, table[ends] >= 0, **ALL)


@points(2)
def test_order_of_the_steps(solution):
    """Two steps have changed places: repetition penalty, frequency penalty, temperature, min-p."""
    tokens = torch.tensor([[0, 0, 1]])
    logits = torch.tensor([[1.0, 3.0, -1.0]], dtype=F64)
    # Token 0: 1 / 2 - 2 * 1 = -1.5. Subtracting first would give (1 - 2) * 2.
    out = solution.process_logits(logits, tokens, None, 2.0, 1.0, 0.5)
    assert_close(out, torch.tensor([[-3.0, 1.0, -2.0]], dtype=F64))
    # The largest logit, 3, becomes 1.5 by the penalty and 0.75 by the temperature: only then is -1 near enough.
    out = solution.process_logits(logits, torch.tensor([[1]]), None, 2.0, 0.0, 2.0, 0.2)
    assert_close(out, torch.tensor([[0.5, 0.75, -0.5]], dtype=F64))


@points(1)
def test_limits_of_min_p(solution, rng):
    """min_p = 0 keeps every token, however improbable; min_p = 1 keeps the largest logits, all of them."""
    logits = torch.tensor([[500.0, -500.0, 0.0], [1.0, 3.0, 3.0]])
    none = torch.full((2, 1), -1)
    assert_close(solution.process_logits(logits, none, min_p=0.0), logits, name="logits with min_p = 0")
    expected = torch.tensor([[500.0, -INF, -INF], [-INF, 3.0, 3.0]])
    assert_close(solution.process_logits(logits, none, min_p=1.0), expected, name="logits with min_p = 1")
    assert_close(solution.process_logits(logits, none, None, 1, 0, 1, 1), expected, name="logits with min_p = 1")


@points(2)
def test_masked_logits(solution, rng):
    """A logit of -inf stays -inf in each step, for tokens of the text too, and brings no NaN into its row."""
    logits = (2 * rng.randn(4, V, dtype=F64)).masked_fill(rng.mask(4, V) & (torch.arange(V) != 3), -INF)
    tokens = texts(rng, 4, 9)
    for options in (ALL, {"repetition_penalty": 2.0}, {"frequency_penalty": -0.5, "min_p": 0.1}):
        compared(solution, logits, tokens, **options)


@points(3)
def test_relabelled_vocabulary(solution, rng):
    """Giving the tokens other ids, in the logits, in the texts and in the table, must permute the result and nothing else."""
    order = rng.permutation(V)  # the new id of each token
    back = torch.argsort(order)
    table = automaton(rng, 4)
    tokens, _ = allowed_texts(rng, table, 5, 8)
    logits = 2 * rng.randn(5, V, dtype=F64)
    renamed = torch.where(tokens < 0, tokens, order[tokens])
    out = solution.process_logits(logits, tokens, table, **ALL)
    check(out.shape == logits.shape, "the shape of the logits expected")
    other = solution.process_logits(logits[:, back], renamed, table[:, back], **ALL)
    assert_close(other, out[:, back], name="logits of the renamed tokens")


@points(2)
def test_only_counts_matter(solution, rng):
    """Without a grammar the order of a text does not matter, nor where its padding stands; rows do not see each other."""
    tokens, logits = texts(rng, 4, 10), rng.randn(4, V, dtype=F64)
    out = solution.process_logits(logits, tokens, None, **ALL)
    check(out.shape == logits.shape, "the shape of the logits expected")
    shuffled = tokens[:, rng.permutation(10)]
    padded = torch.cat([torch.full((4, 3), -1), shuffled], dim=1)
    assert_close(solution.process_logits(logits, padded, None, **ALL), out, name="logits with shuffled texts")
    rows = rng.permutation(4)
    assert_close(solution.process_logits(logits[rows], tokens[rows], None, **ALL), out[rows], name="permuted rows")
    for b in range(4):
        alone = solution.process_logits(logits[b : b + 1], tokens[b : b + 1], None, **ALL)
        assert_close(alone, out[b : b + 1], name="logits of a row by itself")


@points(3)
@pytest.mark.parametrize("name", ["repetition", "both", "all", "grammar"])
def test_gradients(solution, reference, rng, name):
    """A gradient is off: each logit counts once, however often its token occurs, and its own sign decides the factor."""
    logits, tokens, table = 2 * rng.randn(4, V, dtype=F64), texts(rng, 4, 9), None
    options = ALL if name == "grammar" else OPTIONS[name]
    if name == "grammar":
        table = automaton(rng, 3)
        tokens, _ = allowed_texts(rng, table, 4, 9)
    allowed = None if table is None else reference.allowed_tokens(tokens, table)
    if by_hand(logits, tokens, allowed, **options)[1] > 1e-3:
        assert_same_gradients(
            lambda x: solution.process_logits(x, tokens, table, **options).softmax(-1),
            lambda x: reference.process_logits(x, tokens, table, **options).softmax(-1),
            (logits,),
        )


@points(1)
def test_layouts(solution, rng):
    """Transposed and strided inputs are tensors like any other."""
    logits, tokens = rng.randn(V, 4, dtype=F64).t(), texts(rng, 9, 4).t()
    compared(solution, logits, tokens, **ALL)
    compared(solution, rng.randn(6, 2 * V)[::2, ::2], texts(rng, 6, 12)[::2, ::2], **ALL)


@points(2)
@pytest.mark.parametrize("name", ["repetition_penalty", "temperature", "min_p"])
def test_errors(solution, rng, name):
    """A penalty or a temperature that is not positive, and a min_p outside [0, 1], are a ValueError."""
    for value in [1.01, -0.1] if name == "min_p" else [0.0, -1.0]:
        with pytest.raises(ValueError):
            solution.process_logits(rng.randn(2, V), texts(rng, 2, 3), **{name: value})


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """An argument was changed in place: mask and penalise tensors that you made yourself."""
    table = automaton(rng, 3)
    tokens, ends = allowed_texts(rng, table, 4, 6)
    for dtype in (F32, F64):
        logits = 2 * rng.randn(4, V, dtype=dtype)
        assert_not_mutated(solution.process_logits, logits, tokens, table, **ALL)
        assert_not_mutated(solution.process_logits, logits, tokens)
    allowed = assert_not_mutated(solution.allowed_tokens, tokens, table)
    assert_close(allowed, table[ends] >= 0, name="allowed tokens")
