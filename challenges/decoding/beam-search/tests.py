"""Hidden tests: beam search."""

import itertools
import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F64 = torch.float64
INF = math.inf
PRIMES = torch.tensor([2, 3, 5, 7, 11, 13, 17, 19, 23, 29])


class Model:
    """A model whose next token depends on the whole prefix, by a row of a table. It notes what it was asked."""

    def __init__(self, table):
        self.table, self.asked, self.right = table, [], True

    @classmethod
    def drawn(cls, rng, vocabulary):
        return cls((1.5 * rng.randn(31, vocabulary, dtype=F64)).log_softmax(-1))

    def __call__(self, prefixes):
        self.asked.append(prefixes.tolist())
        right = prefixes.dtype == torch.int64 and prefixes.dim() == 2 and len(prefixes) > 0
        self.right = self.right and right
        return self.rows(prefixes) if right else self.table[:0]

    def rows(self, prefixes):
        places = (prefixes * PRIMES[: prefixes.shape[1]]).sum(1)
        return self.table[places % len(self.table)]

    def score(self, prompt, tokens):
        total = 0.0
        for i, token in enumerate(tokens):
            total += float(self.rows(torch.tensor([prompt + tokens[:i]]))[0, token])
        return total


class LastToken(Model):
    """A model whose next token depends on the last one alone."""

    def rows(self, prefixes):
        return self.table[prefixes[:, -1]]


def searched(solution, model, *args):
    """The result, once it is sure that it is a list of (list of int, float)."""
    found = solution.beam_search(lambda prefixes: model(prefixes), *args)
    check(model.right, "step takes an int64 tensor with two dimensions and at least one row")
    check(type(found) is list, "a list expected")
    for pair in found:
        check(type(pair) is tuple and len(pair) == 2, "the list must hold pairs (tokens, value)")
        check(type(pair[0]) is list and all(type(t) is int for t in pair[0]), "tokens must be a list of Python ints")
        check(type(pair[1]) is float, "a value must be a Python float")
    return found


def expect(found, expected):
    assert_close([tokens for tokens, _ in found], [tokens for tokens, _ in expected], name="tokens")
    assert_close([value for _, value in found], [value for _, value in expected], name="values", rtol=1e-9)


def all_texts(model, prompt, eos, vocabulary, longest, alpha):
    """Every text that ends with eos or has the greatest length, with its value, best first."""
    rest = [t for t in range(vocabulary) if t != eos]
    texts = [[*t, eos] for n in range(longest) for t in itertools.product(rest, repeat=n)]
    texts += [list(t) for t in itertools.product(rest, repeat=longest)]
    scored = [(model.score(prompt, t), t) for t in texts]
    return sorted([(t, s / len(t) ** alpha) for s, t in scored if s > -INF], key=lambda h: (-h[1], h[0]))


HAND = torch.tensor([[-1.0, -1.5, -9.0], [-9.0, -3.0, -0.25], [-INF, -INF, 0.0]], dtype=F64)


@sample
@points(1)
def test_by_hand(solution):
    """One beam takes token 0 twice, for -2. A second beam finds 1 and then the end, for -1.75."""
    expect(searched(solution, LastToken(HAND), [0], 2, 1, 2), [([0, 0], -2.0)])
    expect(searched(solution, LastToken(HAND), [0], 2, 2, 2), [([1, 2], -1.75), ([0, 0], -2.0)])


@sample
@points(1)
def test_length_penalty_by_hand(solution):
    """With alpha = 1 values are per token: [0, 0, 0, 0] has -4 / 4, and [1, 2], with the end counted, -1.75 / 2."""
    expect(searched(solution, LastToken(HAND), [0], 2, 2, 4, 1.0), [([1, 2], -0.875), ([0, 0, 1, 2], -0.9375)])


@sample
@points(1)
def test_equal_scores(solution):
    """All tokens are equally probable: the smallest lists stay, in order."""
    flat = LastToken(torch.full((3, 3), -1.0, dtype=F64))
    expect(searched(solution, flat, [1], 2, 2, 2), [([0, 0], -2.0), ([0, 1], -2.0)])


@points(2)
@pytest.mark.parametrize("longest", [1, 3, 7])
def test_one_beam_is_greedy(solution, rng, longest):
    """With one beam the search takes the most probable token in each step, until eos or the greatest length."""
    model, prompt, expected = Model.drawn(rng, 5), [3, 1], []
    while len(expected) < longest and expected[-1:] != [4]:
        expected.append(int(model.rows(torch.tensor([prompt + expected])).argmax()))
    found = searched(solution, model, prompt, 4, 1, longest)
    expect(found, [(expected, model.score(prompt, expected))])


@points(3)
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 2.5])
@pytest.mark.parametrize("longest", [1, 2, 4])
def test_exhaustive(solution, rng, longest, alpha):
    """With a beam for every text there is, the search must find the best of all texts, in order and with their values."""
    model, prompt = Model.drawn(rng, 3), [2, 0]
    texts = all_texts(model, prompt, 1, 3, longest, alpha)
    expect(searched(solution, model, prompt, 1, 100, longest, alpha), texts)


@points(3)
@pytest.mark.parametrize("width", [2, 3, 6])
@pytest.mark.parametrize("alpha", [0.0, 0.8])
def test_hypotheses(solution, reference, rng, width, alpha):
    """Other hypotheses than stated: the best candidates are chosen over all running ones together, and ended ones leave."""
    for _ in range(3):
        model, prompt, eos = Model.drawn(rng, 6), [rng.integer(0, 6)], rng.integer(0, 6)
        longest = rng.integer(3, 8)
        found = searched(solution, model, prompt, eos, width, longest, alpha)
        expect(found, reference.beam_search(model.rows, prompt, eos, width, longest, alpha))
        for tokens, value in found:
            check(0 < len(tokens) <= longest, "a hypothesis is longer than max_new_tokens, or empty")
            check(eos not in tokens[:-1], "a hypothesis goes on after eos")
            assert_close(value, model.score(prompt, tokens) / len(tokens) ** alpha, name="value", rtol=1e-9)


@points(2)
def test_the_end_takes_no_place(solution):
    """A finished hypothesis still takes a place in the beam: it must leave room for the others."""
    rows = [[-0.5, -1.0, -9.0, -9.0], [-9.0, -9.0, -0.25, -9.0], [0.0] * 4, [-1.5, -9.0, -1.0, -9.0]]
    model = LastToken(torch.tensor(rows, dtype=F64))
    # Step 1 keeps [2], which is finished, and [0]. Step 2 keeps [0, 0] and [0, 1]: both places belong to running hypotheses.
    expect(searched(solution, model, [3], 2, 2, 3, 1.0), [([0, 0, 0], -2.5 / 3), ([0, 1, 2], -2.75 / 3)])
    expect(searched(solution, model, [3], 2, 2, 3), [([2], -1.0), ([0, 0, 0], -2.5)])


@points(2)
def test_the_search_goes_on(solution):
    """The first finished hypothesis is not the best one: the search ends with the last running one, or with the last step."""
    # [2] ends at -3; [0] runs at -1 and ends at -1.5; alpha favours longer texts further.
    table = torch.tensor([[-4.0, -4.0, -0.5], [-1.0, -5.0, -3.0], [0.0, 0.0, 0.0]], dtype=F64)
    expect(searched(solution, LastToken(table), [1], 2, 2, 5), [([0, 2], -1.5), ([2], -3.0)])
    model = LastToken(torch.tensor([[-1.0, -INF, -2.0], [-1.5, -INF, -1.0], [0.0, 0.0, 0.0]], dtype=F64))
    expect(searched(solution, model, [1], 2, 2, 4, 1.0), [([2], -1.0), ([0, 0, 0, 0], -1.125)])


@points(2)
def test_unfinished_hypotheses(solution):
    """Hypotheses that still run after the last step count too, beside finished ones and without any."""
    table = torch.tensor([[-1.0, -2.0, -8.0], [-1.0, -2.0, -0.5], [0.0, 0.0, 0.0]], dtype=F64)
    expect(searched(solution, LastToken(table), [0], 2, 1, 6), [([0] * 6, -6.0)])
    expect(searched(solution, LastToken(table), [0], 2, 3, 2), [([0, 0], -2.0), ([1, 2], -2.5), ([0, 1], -3.0)])


@points(3)
@pytest.mark.parametrize("width", [1, 3, 5])
def test_ties(solution, rng, width):
    """Of equal scores, the smaller list of tokens comes first, in each step and in the result."""
    for _ in range(4):
        # Halves add up without rounding, so equal sums are equal in any order of addition.
        model = Model(rng.randint(-3, 0, (31, 4)).double() / 2)
        prompt, eos, longest = [1], rng.integer(0, 4), rng.integer(2, 5)
        running, finished = [([], 0.0)], []
        for _ in range(longest):
            grown = [
                ([*tokens, t], score + float(model.rows(torch.tensor([prompt + tokens]))[0, t]))
                for tokens, score in running
                for t in range(4)
            ]
            kept = sorted(grown, key=lambda h: (-h[1], h[0]))[:width]
            finished += [h for h in kept if h[0][-1] == eos]
            running = [h for h in kept if h[0][-1] != eos]
            if not running:
                break
        expect(
            searched(solution, model, prompt, eos, width, longest),
            sorted(finished + running, key=lambda h: (-h[1], h[0]))[:width],
        )


@points(1)
def test_equal_values(solution):
    """With a length penalty, values of different lengths may be equal: the smaller list comes first there too."""
    # Each token costs 1, so with alpha = 1 every value is exactly -1.
    flat = LastToken(torch.full((3, 3), -1.0, dtype=F64))
    expect(searched(solution, flat, [0], 0, 3, 2, 1.0), [([0], -1.0), ([1, 0], -1.0), ([1, 1], -1.0)])
    expect(searched(solution, flat, [0], 2, 3, 1, 1.0), [([0], -1.0), ([1], -1.0), ([2], -1.0)])


@points(2)
def test_impossible_tokens(solution, rng):
    """A token with a log probability of -inf can never follow, even if places stay empty; a dead end is no hypothesis."""
    table = torch.tensor([[-1.0, -INF, -INF], [-INF, -INF, -INF], [-INF, -INF, -INF]], dtype=F64)
    expect(searched(solution, LastToken(table), [0], 2, 4, 3), [([0, 0, 0], -3.0)])
    check(searched(solution, LastToken(table), [1], 2, 4, 3) == [], "nothing can follow: an empty list expected")
    table[0, 1] = -0.25  # token 1 leads nowhere
    expect(searched(solution, LastToken(table), [0], 2, 3, 2), [([0, 1], -1.25), ([0, 0], -2.0)])
    expect(searched(solution, LastToken(table), [0], 2, 1, 2), [])
    model, prompt = Model.drawn(rng, 3), [0]
    model.table = model.table.masked_fill(rng.mask(31, 3, p=0.4), -INF)
    expect(searched(solution, model, prompt, 2, 100, 4), all_texts(model, prompt, 2, 3, 4, 0.0))


@points(2)
def test_calls_of_the_model(solution, reference, rng):
    """The model is asked once in each step, about all running hypotheses at once and never about finished ones."""
    model, theirs = Model.drawn(rng, 4), []

    def noting(prefixes):
        theirs.append(prefixes.tolist())
        return model.rows(prefixes)

    searched(solution, model, [2, 1], 0, 3, 5)
    reference.beam_search(noting, [2, 1], 0, 3, 5)
    check(len(model.asked) == len(theirs), "the model must be asked once in each step")
    check(
        all(sorted(mine) == sorted(other) for mine, other in zip(model.asked, theirs, strict=True)),
        "the model was asked about other prefixes than the running ones, or about one of them twice",
    )
    ends = LastToken(torch.tensor([[-9.0, -1.0]] * 2, dtype=F64))
    searched(solution, ends, [0], 1, 1, 6)
    check(len(ends.asked) == 1, "the model was asked again although nothing runs any more")


@points(1)
def test_the_prompt(solution, rng):
    """The prompt counts neither for the score nor for the length, may contain eos, and stays as it is."""
    model = LastToken(HAND)
    prompt = [2, 1, 2, 0]
    expect(searched(solution, model, prompt, 2, 2, 2, 1.0), [([1, 2], -0.875), ([0, 0], -1.0)])
    check(prompt == [2, 1, 2, 0], "the prompt was changed")
    model = Model.drawn(rng, 3)
    expect(searched(solution, model, [1, 1], 1, 100, 3), all_texts(model, [1, 1], 1, 3, 3, 0.0))


@points(1)
def test_sums_in_float64(solution):
    """Scores in the thousands that differ in the sixth decimal: sum in float64. Of equal ones, the smaller list comes first."""
    table = torch.tensor([[-5000.0, -5000.0 + 2.0**-20, -5000.0 - 2.0**-20]] * 3, dtype=F64)
    found = searched(solution, LastToken(table), [0], 2, 3, 2)
    tiny = 2.0**-20
    assert_close([tokens for tokens, _ in found], [[2], [1, 1], [0, 1]], name="tokens")
    check(found[1][1] == -10000 + 2 * tiny and found[2][1] == -10000 + tiny, "a value was rounded")


@points(1)
@pytest.mark.parametrize("name", ["beam_width", "max_new_tokens"])
def test_errors(solution, name):
    """A beam width or a greatest length below 1 is a ValueError."""
    for value in (0, -2):
        width, longest = (value, 3) if name == "beam_width" else (3, value)
        with pytest.raises(ValueError):
            solution.beam_search(lambda prefixes: HAND[prefixes[:, -1]], [0], 2, width, longest)
