"""Hidden tests: writing text with a language model."""

from functools import partial

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

SIZES = (7, 5, 6, 2, 1)
F32, F64 = torch.float32, torch.float64


def start(rng, given, sizes=SIZES):
    """Parameters with which the next token depends on the text. The last norm stays as it is: its bias would favour one token."""
    torch.manual_seed(rng.seed())
    named = dict(given.GPT(*sizes).named_parameters())
    sizes = {n: 0 if "norm" in n else 0.3 if "embed" in n else 3 for n in named}
    return {n: p.detach() + sizes[n] * rng.randn(*p.shape) for n, p in named.items()}


def loaded(given, sizes, state):
    model = given.GPT(*sizes)
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(state[name])
    return model


class NearTie(Exception):
    """Two tokens are so nearly level that the last digits of their probabilities decide which of them is drawn."""


def clear(rng, draw):
    """A seed, and draw(seed); redrawn until no draw is a near tie, since right answers may round differently."""
    while True:
        seed = rng.seed()
        try:
            return seed, draw(seed)
        except NearTie:
            continue


def chosen(scores, temperature, top_k, generator):
    """next_token, written out row by row."""
    if temperature == 0:
        return torch.tensor([min(i for i, s in enumerate(row) if s == max(row)) for row in scores.tolist()])
    p = torch.zeros_like(scores)
    for b, row in enumerate(scores / temperature):
        border = row.sort(descending=True).values[min(top_k or len(row), len(row)) - 1]
        stay = row >= border
        p[b, stay] = row[stay].softmax(0)
    if generator is not None:
        # torch.multinomial takes the token with the largest p / q, with an exponential q for each.
        best = (p / torch.empty_like(p).exponential_(1, generator=generator.clone_state())).topk(2).values
        if bool((best[:, 1] > best[:, 0] * (1 - 1e-4)).any()):
            raise NearTie
    return torch.multinomial(p, 1, generator=generator)[:, 0]


def written(given, state, ids, steps, temperature=1.0, top_k=None, end=None, seed=None, sizes=SIZES):
    """The text, written out, and the number of calls of the model."""
    model = loaded(given, sizes, state)
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    rows, done, calls = ids.clone(), torch.zeros(len(ids), dtype=torch.bool), 0
    with torch.no_grad():
        for _ in range(steps):
            if end is not None and done.all():
                new = torch.full((len(ids),), end)
            else:
                new = chosen(model(rows[:, -sizes[1] :])[:, -1], temperature, top_k, generator)
                calls += 1
                if end is not None:
                    new = torch.where(done, end, new)
                    done |= new == end
            rows = torch.cat([rows, new[:, None]], 1)
    return rows, calls


def wrote(probes, state, ids, steps, options=None, plan=None, sizes=SIZES):
    found = probes.write(sizes, state, ids, steps, options or {}, plan or {})
    text = found["text"]
    check(text.dtype == torch.int64, "the text must be int64")
    check(text.shape == (len(ids), ids.shape[1] + steps), "the text has a wrong shape")
    check(torch.equal(text[:, : ids.shape[1]], ids), "the text must begin with the prompt")
    return found


@sample
@points(1)
def test_the_largest_score(solution):
    """Temperature 0 takes the largest score; of equal ones the first."""
    scores = torch.tensor([[1.0, 3.0, 2.0], [0.0, 0.0, -1.0], [-2.0, 5.0, 5.0]])
    assert_close(solution.next_token(scores, temperature=0), torch.tensor([1, 0, 1]))


@sample
@points(1)
def test_one_seeded_draw(solution, rng):
    """The same generator state gives the token that one call of torch.multinomial gives."""
    scores = 2 * rng.randn(30, 6)
    seed, wanted = clear(rng, lambda seed: chosen(scores, 0.8, 3, torch.Generator().manual_seed(seed)))
    assert_close(solution.next_token(scores, 0.8, 3, torch.Generator().manual_seed(seed)), wanted)


@sample
@points(1)
def test_a_greedy_text(probes, given, rng):
    """Eight greedy tokens after a prompt of three, beyond the context of five."""
    for _ in range(4):
        state, ids = start(rng, given), rng.randint(0, 7, (12, 3))
        found = wrote(probes, state, ids, 8, {"temperature": 0.0})
        check(torch.equal(found["text"], written(given, state, ids, 8, 0)[0]), "the text differs")


@points(3)
@pytest.mark.parametrize(
    ("temperature", "top_k"), [(1.0, None), (0.3, None), (2.5, 4), (1.0, 1), (0.7, 2), (1.0, 9), (0.0, 3)], ids=str
)
def test_tokens(solution, rng, temperature, top_k):
    """Drawn tokens differ: temperature, then top-k, then softmax, then one draw for all rows."""
    for dtype in (F32, F64):
        scores = 2 * rng.randn(40, 8, dtype=dtype)
        seed, _ = clear(rng, lambda seed: chosen(scores, temperature, top_k, torch.Generator().manual_seed(seed)))
        mine, theirs = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed)
        found = solution.next_token(scores, temperature, top_k, mine)
        assert_close(found, chosen(scores, temperature, top_k, theirs))
        check(torch.equal(mine.get_state(), theirs.get_state()), "the generator was used another number of times")


@points(2)
def test_equal_scores_at_the_border(solution, rng):
    """Scores that equal the k-th largest all stay, so more than k tokens may be drawn."""
    scores = torch.tensor([[2.0, 1.0, 1.0, 1.0, 0.0]]).repeat(60, 1)
    generator = torch.Generator().manual_seed(rng.seed())
    found = solution.next_token(scores, 3.0, 2, generator)
    # tokens 1 to 3 have a probability of 0.23 each or more: one is missing in 60 draws once in a million
    check(set(found.tolist()) == {0, 1, 2, 3}, "tokens 0 to 3 should occur, and no other")


@points(2)
def test_large_and_infinite_scores(solution, rng):
    """Scores of some thousands, also by a small temperature, and forbidden tokens with a score of −∞."""
    for temperature in (1.0, 2.0**-10):
        scores = temperature * torch.tensor([[5000.0, 4999.0, -torch.inf, -5000.0]]).repeat(30, 1)
        seed, wanted = clear(
            rng, lambda seed, t=temperature, s=scores: chosen(s, t, None, torch.Generator().manual_seed(seed))
        )
        assert_close(solution.next_token(scores, temperature, None, torch.Generator().manual_seed(seed)), wanted)
        assert_close(solution.next_token(scores, 0.0), torch.zeros(30, dtype=torch.int64))


@points(1)
def test_nearly_equal_scores(solution):
    """Scores of float64 that float32 cannot tell apart are not equal."""
    scores = torch.tensor([[1.0, 2.0, 2.0 + 1e-12], [2.0 + 1e-12, 2.0, -1.0]], dtype=F64)
    assert_close(solution.next_token(scores, temperature=0), torch.tensor([2, 0]), name="the largest scores")
    for seed in range(12):
        found = solution.next_token(scores, 1.0, 1, torch.Generator().manual_seed(seed))
        assert_close(found, torch.tensor([2, 0]), name="tokens with a top_k of 1")


@points(1)
def test_frequencies(solution, rng):
    """Without a generator, torch's global one is used, and each token occurs as often as its probability says."""
    p = torch.tensor([0.5, 0.3, 0.2])
    torch.manual_seed(rng.seed())
    found = solution.next_token(p.log().repeat(4000, 1))
    check(found.dtype == torch.int64 and found.shape == (4000,), "one int64 token for each row is expected")
    shares = torch.bincount(found, minlength=3) / 4000
    # the standard error of a share is at most 0.0079; six of each
    check(float((shares - p).abs().max()) < 0.048, "the shares of the tokens differ from their probabilities")
    again = solution.next_token(p.log().repeat(4000, 1))
    check(not torch.equal(again, found), "the next call draws the same tokens: the generator must not be seeded")


@points(2)
@pytest.mark.parametrize("settings", [(-1.0, None), (-0.001, 2), (1.0, 0), (1.0, -3), (0.0, 0)], ids=str)
def test_settings_that_make_no_sense(solution, rng, settings):
    """A negative temperature and a top_k below 1 are a ValueError."""
    with pytest.raises(ValueError):
        solution.next_token(rng.randn(2, 4), *settings)


@points(3)
@pytest.mark.parametrize("top_k", [None, 3])
@pytest.mark.parametrize("length", [1, 5, 8])
def test_texts(probes, given, rng, length, top_k):
    """A drawn text differs: the last position decides, and the model reads the end of the text."""
    state, ids = start(rng, given), rng.randint(0, 7, (3, length))
    seed, (wanted, _) = clear(rng, lambda seed: written(given, state, ids, 6, 0.9, top_k, seed=seed))
    found = wrote(probes, state, ids, 6, {"temperature": 0.9, "top_k": top_k}, {"seed": seed})
    check(torch.equal(found["text"], wanted), "the text differs")
    check(not found["global_moved"], "torch's global generator was used although one was passed")
    check(found["same_ids"], "the prompt was changed")


@points(2)
def test_what_the_model_reads(probes, given, rng):
    """In each step the model is called once, with the whole text or with its last tokens."""
    state, ids = start(rng, given), rng.randint(0, 7, (2, 3))
    found = wrote(probes, state, ids, 5, {"temperature": 0.0})
    shapes = [shape for shape, _, _ in found["calls"]]
    lengths = [n for _, n in shapes]
    check(
        lengths[0] == 3 and max(lengths) == 5 and len(lengths) == 5,
        "five calls with 3, 4, 5, 5 and 5 tokens are expected",
    )
    check(all(rows == 2 for rows, _ in shapes), "all rows are read together")


@points(3)
def test_rows_that_end(probes, given, rng):
    """A row that has written the end gets the end from then on, while the others go on."""
    for end in (0, int(rng.integer(1, 4)), int(rng.integer(4, 7))):
        ended = False
        # Redrawn until a row ends before the last steps: otherwise nothing shows whether it stays ended.
        while not ended:
            state, ids = start(rng, given), rng.randint(0, 7, (4, 2))
            seed, (wanted, calls) = clear(rng, partial(written, given, state, ids, 9, 1.5, None, end))
            ended = bool((wanted[:, 2:8] == end).any())
        found = wrote(probes, state, ids, 9, {"temperature": 1.5, "end": end}, {"seed": seed})
        check(torch.equal(found["text"], wanted), "the text differs")
        check(len(found["calls"]) == calls, "the model was called another number of times")


@points(2)
def test_all_rows_have_ended(probes, given, rng):
    """Once all rows have ended, neither the model nor the generator is asked again."""
    state, ids = start(rng, given), rng.randint(0, 7, (1, 2))
    first = int(written(given, state, ids, 1, 0)[0][0, -1])
    found = wrote(probes, state, ids, 6, {"temperature": 0.0, "end": first})
    check(found["text"][0, 2:].tolist() == [first] * 6, "the rest should be the end token")
    check(len(found["calls"]) == 1, "the model should be called once")


@points(2)
def test_the_end_in_the_prompt(probes, given, rng):
    """An end token in the prompt finishes nothing."""
    state, ids = start(rng, given), torch.tensor([[3, 3], [1, 3]])
    seed, (wanted, _) = clear(rng, lambda seed: written(given, state, ids, 4, end=3, seed=seed))
    found = wrote(probes, state, ids, 4, {"end": 3}, {"seed": seed})
    check(torch.equal(found["text"], wanted), "the text differs")


@points(2)
@pytest.mark.parametrize(
    "plan", [{"training": True}, {"training": False}, {"mixed": True}], ids=["train", "eval", "mixed"]
)
def test_modes_and_graph(probes, given, rng, plan):
    """The model runs in evaluation mode without a graph, and each of its modules is as before afterwards."""
    state, ids = start(rng, given), rng.randint(0, 7, (2, 3))
    seed, (wanted, _) = clear(rng, lambda seed: written(given, state, ids, 3, seed=seed))
    found = wrote(probes, state, ids, 3, {}, plan | {"seed": seed})
    check(torch.equal(found["text"], wanted), "the text differs")
    check(
        all(not training and not graph for _, training, graph in found["calls"]),
        "evaluation mode, and no graph, are expected",
    )
    check(not found["needs_gradient"], "the text must not need a gradient")
    check(found["same_modes"], "a module of the model has another mode than before")


@points(1)
def test_no_steps(probes, given, rng):
    """With no steps the prompt comes back, and the model is not called."""
    ids = rng.randint(0, 7, (2, 3))
    found = wrote(probes, start(rng, given), ids, 0)
    check(found["calls"] == [], "the model should not be called")


@points(1)
def test_scores_are_left_alone(solution, rng):
    """The scores that were passed are as they were."""
    assert_not_mutated(solution.next_token, rng.randn(2, 5), 0.5, 2, torch.Generator().manual_seed(1))
