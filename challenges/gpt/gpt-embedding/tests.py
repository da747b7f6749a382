"""Hidden tests: token ids to vectors, with learned positions."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
NAMES = {"tokens.weight", "positions.weight"}


def tables(rng, vocabulary, context, width, dtype=F64):
    return {
        "tokens.weight": rng.randn(vocabulary, width, dtype=dtype),
        "positions.weight": rng.randn(context, width, dtype=dtype),
    }


def built(solution, state):
    vocabulary, width = state["tokens.weight"].shape
    layer = solution.TokenEmbedding(vocabulary, len(state["positions.weight"]), width)
    check(set(layer.state_dict()) == NAMES, "state_dict() must hold tokens.weight and positions.weight, nothing else")
    if state["tokens.weight"].dtype is F64:
        layer.to(F64)
    layer.load_state_dict({name: value.clone() for name, value in state.items()})
    return layer


def expected(state, ids, start=0):
    places = state["positions.weight"][start : start + ids.shape[1]]
    return state["tokens.weight"][ids] + places


@sample
@points(1)
def test_from_the_beginning(solution):
    """Token 3 at position 0, token 0 at position 1."""
    state = {"tokens.weight": torch.arange(10.0).view(5, 2), "positions.weight": 100 * torch.arange(8.0).view(4, 2)}
    found = built(solution, state)(torch.tensor([[3, 0]]))
    assert_close(found.detach(), torch.tensor([[[6.0, 107.0], [200.0, 301.0]]]))


@sample
@points(1)
def test_from_the_middle(solution):
    """The same tokens at positions 2 and 3."""
    state = {"tokens.weight": torch.arange(10.0).view(5, 2), "positions.weight": 100 * torch.arange(8.0).view(4, 2)}
    found = built(solution, state)(torch.tensor([[3, 0]]), start=2)
    assert_close(found.detach(), torch.tensor([[[406.0, 507.0], [600.0, 701.0]]]))


@sample
@points(1)
def test_names_and_shapes(solution):
    """The state holds a table of tokens and a table of positions."""
    state = solution.TokenEmbedding(7, 5, 3).state_dict()
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    check(shapes == {"tokens.weight": (7, 3), "positions.weight": (5, 3)}, "names or shapes are not those of the table")


@points(1)
def test_context_as_an_attribute(solution, rng):
    """The attribute `context` is the number of positions: the loop that writes text reads it."""
    context = rng.integer(4, 9)
    for each in (context, context + 1):
        check(solution.TokenEmbedding(3, each, 2).context == each, "`context` must be the number of positions")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("start", [0, 1, 4])
def test_values(solution, rng, start, dtype):
    """The vectors differ: the row of the token plus the row of its position."""
    state, ids = tables(rng, 11, 7, 5, dtype), rng.randint(0, 11, (2, 3))
    layer = built(solution, state)
    found = layer(ids, start) if start == 1 else layer(ids, start=start)
    assert_close(found.detach(), expected(state, ids, start))


@points(2)
def test_a_text_in_pieces(solution, rng):
    """A text in pieces gives what the whole text gives: each piece begins where the last one ended."""
    state, ids = tables(rng, 6, 8, 3), rng.randint(0, 6, (3, 8))
    layer = built(solution, state)
    whole = layer(ids).detach()
    assert_close(whole, expected(state, ids), name="the whole text")
    parts = [layer(ids[:, a:b], start=a).detach() for a, b in [(0, 3), (3, 4), (4, 8)]]
    assert_close(torch.cat(parts, dim=1), whole, name="the pieces")


@points(3)
@pytest.mark.parametrize("start", [0, 2])
def test_gradients(solution, rng, start):
    """A gradient differs: a token that occurs several times collects all of its places, a position all rows of the batch."""
    state, ids = tables(rng, 5, 6, 3), torch.tensor([[1, 1, 4], [0, 1, 4]])
    cotangent = rng.randn(2, 3, 3, dtype=F64)
    layer = built(solution, state)
    named = dict(layer.named_parameters())
    check(set(named) == NAMES, "both tables must be parameters, under the names of the statement")
    out = layer(ids, start=start)
    check(out.requires_grad, "the result is detached from the tables")
    found = torch.autograd.grad(out, list(named.values()), cotangent)
    leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
    wanted = torch.autograd.grad(expected(leaves, ids, start), list(leaves.values()), cotangent)
    wanted = dict(zip(leaves, wanted, strict=True))
    for name, grad in zip(named, found, strict=True):
        assert_close(grad, wanted[name], name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize(("start", "length"), [(0, 6), (3, 3), (5, 1)], ids=["all", "to-the-end", "last"])
def test_the_context_is_used_up(solution, rng, start, length):
    """A piece that ends exactly at the end of the context fits."""
    state, ids = tables(rng, 4, 6, 2), rng.randint(0, 4, (2, length))
    assert_close(built(solution, state)(ids, start=start).detach(), expected(state, ids, start))


@points(2)
@pytest.mark.parametrize(("start", "length"), [(0, 7), (3, 4), (6, 1), (-1, 2), (-3, 3), (-6, 6), (100, 1)], ids=str)
def test_outside_the_context(solution, rng, start, length):
    """A piece that does not fit into the context is a ValueError: beyond the end, and before the beginning."""
    layer = built(solution, tables(rng, 4, 6, 2))
    with pytest.raises(ValueError):
        layer(rng.randint(0, 4, (1, length)), start=start)


@points(2)
def test_how_it_starts(solution, rng):
    """Both tables start with normal numbers of standard deviation 0.02, drawn from torch's generator."""
    seed = rng.seed()
    starts = []
    for s in (seed, seed, seed + 1):
        torch.manual_seed(s)
        starts.append(dict(solution.TokenEmbedding(250, 220, 64).state_dict()))
    first, again, other = starts
    check(set(first) == NAMES, "state_dict() must hold tokens.weight and positions.weight, nothing else")
    assert_close(again, first, rtol=0.0, atol=0.0, name="two modules after the same seed")
    for name in NAMES:
        check(not torch.equal(first[name], other[name]), "another seed gives the same numbers")
        z = first[name] / 0.02
        # 14,080 draws or more: the standard error of the mean is 0.0085, of the deviation 0.006; six of each
        check(abs(float(z.mean())) < 0.051, "the mean is not 0")
        check(abs(float(z.std()) - 1) < 0.036, "the standard deviation is not 0.02")
        # a share of 0.6827 lies within one deviation, with a standard error of 0.0039; a uniform start has 0.577
        check(abs(float((z.abs() < 1).double().mean()) - 0.6827) < 0.025, "the numbers are not normally distributed")


@points(1)
def test_inputs_state_and_mode(solution, rng):
    """The ids are left as they were, a loaded state decides, and the mode makes no difference."""
    ids = rng.randint(0, 5, (2, 3))
    layer = built(solution, tables(rng, 5, 4, 3))
    assert_not_mutated(layer, ids)
    assert_ignores_mode(layer, ids)
    assert_state_dict_round_trip(lambda: solution.TokenEmbedding(5, 4, 3), (ids,))


@points(1)
def test_strided_ids(solution, rng):
    """Ids that are a transposed view are ordinary input."""
    state, ids = tables(rng, 5, 4, 3), rng.randint(0, 5, (3, 2)).T
    assert_close(built(solution, state)(ids).detach(), expected(state, ids))
