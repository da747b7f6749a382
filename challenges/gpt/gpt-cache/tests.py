"""Hidden tests: a forward pass of a GPT with a cache of keys and values."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
SIZES = {  # vocabulary, context, width, heads, layers, dtype
    "small": (7, 6, 4, 2, 2, F64),
    "one-head": (5, 6, 3, 1, 3, F32),
    "three-heads": (6, 7, 6, 3, 1, F64),
    "one-feature-per-head": (5, 6, 4, 4, 2, F32),
}


def model_of(rng, given, sizes):
    """A GPT with random weights that are larger than at the start, so that every part matters."""
    torch.manual_seed(rng.seed())
    model = given.GPT(*sizes[:5]).to(sizes[5])
    with torch.no_grad():
        for p in model.parameters():
            p += 0.4 * rng.randn(*p.shape, dtype=sizes[5])
    return model.requires_grad_(False)


def caches_of(model, ids):
    """Keys and values of every block, from the whole text."""
    x, found = model.embed(ids), []
    for block in model.blocks:
        _, k, v = block.attention.qkv(block.norm1(x)).chunk(3, dim=-1)
        found.append(tuple(part.unflatten(-1, (block.attention.heads, -1)).transpose(1, 2) for part in (k, v)))
        x = block(x)
    return found


def called(solution, model, ids, cache=None):
    result = (
        solution.forward_with_cache(model, ids) if cache is None else solution.forward_with_cache(model, ids, cache)
    )
    check(isinstance(result, tuple) and len(result) == 2, "the result must be a pair: scores and cache")
    scores, cache = result
    check(
        isinstance(cache, list) and len(cache) == len(model.blocks),
        "the cache must be a list with a pair for each block",
    )
    check(all(isinstance(pair, tuple) and len(pair) == 2 for pair in cache), "each entry of the cache must be a pair")
    return scores, cache


def in_pieces(solution, model, ids, lengths):
    scores, cache, start = [], None, 0
    for length in lengths:
        row, cache = called(solution, model, ids[:, start : start + length], cache)
        scores.append(row)
        start += length
    return torch.cat(scores, dim=1), cache


def same_caches(found, wanted):
    # A norm over three features enlarges roundings if these are nearly equal.
    for i, (mine, theirs) in enumerate(zip(found, wanted, strict=True)):
        for name, a, b in zip(("keys", "values"), mine, theirs, strict=True):
            assert_close(a, b, scale=64.0, name=f"{name} of block {i}")


@sample
@points(1)
def test_the_whole_text(solution, given, rng):
    """Without a cache, the scores are those of the model."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (2, 4))
    assert_close(called(solution, model, ids)[0], model(ids), scale=8.0)


@sample
@points(1)
def test_token_by_token(solution, given, rng):
    """Token by token, the scores are those of the whole text."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (1, 5))
    assert_close(in_pieces(solution, model, ids, [1] * 5)[0], model(ids), scale=8.0)


@sample
@points(1)
def test_what_the_cache_holds(solution, given, rng):
    """The cache holds keys and values of all tokens so far, (B, H, S, e) for each block."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (2, 4))
    same_caches(in_pieces(solution, model, ids, [3, 1])[1], caches_of(model, ids))


@points(3)
@pytest.mark.parametrize("lengths", [(6,), (1, 5), (3, 3), (2, 1, 3)], ids=str)
@pytest.mark.parametrize("name", SIZES)
def test_pieces(solution, given, rng, name, lengths):
    """In pieces of any lengths, scores or caches differ from those of the whole text."""
    sizes = SIZES[name]
    model, ids = model_of(rng, given, sizes), rng.randint(0, sizes[0], (2, 6))
    scores, cache = in_pieces(solution, model, ids, lengths)
    assert_close(scores, model(ids), scale=64.0, name="scores")
    same_caches(cache, caches_of(model, ids))


@points(2)
def test_the_future_does_not_leak(solution, given, rng):
    """Inside a piece, later tokens must not change the scores before them, also behind a cache."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (1, 6))
    other = ids.clone()
    other[:, 4:] = (ids[:, 4:] + 1 + rng.randint(0, 6, (1, 2))) % 7
    _, cache = called(solution, model, ids[:, :2])
    before, after = called(solution, model, ids[:, 2:], cache)[0], called(solution, model, other[:, 2:], cache)[0]
    assert_close(after[:, :2], before[:, :2], rtol=1e-9, atol=1e-9, name="scores before the change")


@points(3)
def test_branches(solution, given, rng):
    """Two continuations of one cache must not see each other, and the old cache stays as it was."""
    model, prompt = model_of(rng, given, SIZES["three-heads"]), rng.randint(0, 6, (2, 3))
    first, second = rng.randint(0, 6, (2, 2)), rng.randint(0, 6, (2, 3))
    _, cache = called(solution, model, prompt)
    one = called(solution, model, first, cache)
    two = called(solution, model, second, cache)
    again = called(solution, model, first, cache)
    assert_close(one[0], model(torch.cat([prompt, first], 1))[:, 3:], scale=8.0, name="the first branch")
    assert_close(two[0], model(torch.cat([prompt, second], 1))[:, 3:], scale=8.0, name="the second branch")
    assert_close(again[0], one[0], rtol=1e-9, atol=1e-9, name="the first branch again")
    same_caches(cache, caches_of(model, prompt))


@points(2)
def test_a_reordered_cache(solution, given, rng):
    """A cache may be reordered along the batch: only its content decides, nothing that was remembered."""
    model, prompt = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (3, 3))
    order, ids = torch.tensor([2, 0, 0]), rng.randint(0, 7, (3, 2))
    _, cache = called(solution, model, prompt)
    cache = [(k[order], v[order]) for k, v in cache]
    wanted = model(torch.cat([prompt[order], ids], 1))[:, 3:]
    assert_close(called(solution, model, ids, cache)[0], wanted, scale=8.0)


@points(2)
def test_a_cache_of_other_content(solution, given, reference, rng):
    """A cache with any content: the newest tokens attend to what is in it."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (2, 2))
    cache = [(rng.randn(2, 2, 3, 2, dtype=F64), rng.randn(2, 2, 3, 2, dtype=F64)) for _ in range(2)]
    found, wanted = called(solution, model, ids, cache), reference.forward_with_cache(model, ids, cache)
    assert_close(found[0], wanted[0], scale=8.0, name="scores")
    same_caches(found[1], wanted[1])


@points(1)
def test_none_begins_anew(solution, given, rng):
    """Without a cache a new text begins, whatever was read before."""
    model = model_of(rng, given, SIZES["small"])
    called(solution, model, rng.randint(0, 7, (2, 3)))
    ids = rng.randint(0, 7, (2, 3))
    assert_close(called(solution, model, ids)[0], model(ids), scale=8.0)


@points(2)
@pytest.mark.parametrize("lengths", [(6,), (4, 2), (5, 1)], ids=str)
def test_a_full_context(solution, given, rng, lengths):
    """A text may fill the context, and one more token is a ValueError."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (1, 6))
    scores, cache = in_pieces(solution, model, ids, lengths)
    assert_close(scores, model(ids), scale=8.0)
    with pytest.raises(ValueError):
        solution.forward_with_cache(model, ids[:, :1], cache)


@points(1)
@pytest.mark.parametrize("lengths", [(7,), (3, 4)], ids=str)
def test_too_long_at_once(solution, given, rng, lengths):
    """A piece that goes beyond the context is a ValueError."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (1, 7))
    cache = None if len(lengths) == 1 else called(solution, model, ids[:, : lengths[0]])[1]
    with pytest.raises(ValueError):
        solution.forward_with_cache(model, ids[:, -lengths[-1] :], cache)


@points(1)
def test_without_blocks(solution, given, rng):
    """A model without blocks has an empty cache, and every text is a beginning."""
    model, ids = model_of(rng, given, (5, 4, 3, 1, 0, F64)), rng.randint(0, 5, (2, 3))
    scores, cache = called(solution, model, ids)
    assert_close(scores, model(ids), name="scores")
    assert_close(called(solution, model, ids[:, :2], cache)[0], model(ids[:, :2]), name="scores of the next piece")


@points(1)
def test_arguments_are_left_alone(solution, given, rng):
    """Ids, cache and model are as they were, and so is the mode of the model."""
    model, ids = model_of(rng, given, SIZES["small"]), rng.randint(0, 7, (2, 2))
    cache = [(rng.randn(2, 2, 3, 2, dtype=F64), rng.randn(2, 2, 3, 2, dtype=F64)) for _ in range(2)]
    for training in (True, False):
        model.train(training)
        assert_not_mutated(solution.forward_with_cache, model, ids, cache)
        check(all(part.training is training for part in model.modules()), "the mode of the model has changed")
