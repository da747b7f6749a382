"""Hidden tests: a language model with one matrix for both ends, and a search for shared parameters."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_state_dict_round_trip, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("embed.weight", "mix.weight", "mix.bias", "out.bias")
GROUPS = {
    "tied": [["alpha.weight", "zeta.weight"]],
    "three": [["alpha.weight", "scale", "zeta.weight"]],
    "module": [["0.bias", "2.1.bias", "3.bias"], ["0.weight", "2.1.weight", "3.weight"]],
    "two-groups": [["alpha.bias", "extra.bias"], ["alpha.weight", "zeta.weight"]],
    "frozen": [["alpha.weight", "zeta.weight"]],
}


def shapes_of(vocabulary, width):
    both = {"embed.weight": (vocabulary, width), "out.weight": (vocabulary, width)}
    return both | {"mix.weight": (width, width), "mix.bias": (width,), "out.bias": (vocabulary,)}


def weights_for(rng, vocabulary, width, dtype=F64):
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes_of(vocabulary, width).items()}
    return state | {"out.weight": state["embed.weight"]}


def checked(model, vocabulary, width):
    """The state, with the names and shapes of the statement."""
    state = dict(model.state_dict())
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    check(shapes == shapes_of(vocabulary, width), "state_dict() has other names or shapes than the statement's table")
    return state


def made(solution, state):
    """A model with a copy of this state."""
    vocabulary, width = state["embed.weight"].shape
    model = solution.TiedLM(vocabulary, width).to(state["embed.weight"].dtype)
    checked(model, vocabulary, width)
    model.load_state_dict({name: value.clone() for name, value in state.items()})
    return model


def scores_of(ids, embed, out, weight, bias, offset):
    """The formula, with the two uses of the matrix apart."""
    return torch.tanh(embed[ids] @ weight.T + bias) @ out.T + offset


@sample
@points(1)
def test_counted_once(solution):
    """The shared matrix has two names and counts once."""
    model = solution.TiedLM(10, 4)
    checked(model, 10, 4)
    check(sum(p.numel() for p in model.parameters()) == 70, "there should be 70 elements: 10 · 4, 4 · 4, 4 and 10")


@sample
@points(1)
def test_scores_by_hand(solution):
    """With mix at zero the hidden vector is zero, and the scores are the bias."""
    state = {name: torch.zeros(shape) for name, shape in shapes_of(3, 2).items()}
    state |= {
        "embed.weight": torch.ones(3, 2),
        "out.weight": torch.ones(3, 2),
        "out.bias": torch.tensor([1.0, 2.0, 3.0]),
    }
    assert_close(made(solution, state)(torch.tensor([0, 2])).detach(), torch.tensor([[1.0, 2.0, 3.0]] * 2))


@sample
@points(1)
def test_names_of_a_tied_model(probes):
    """shared_names of a TiedLM: one parameter with two names."""
    check(probes.own_names() == [["embed.weight", "out.weight"]], "embed.weight and out.weight should be one parameter")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(6,), (2, 5), (2, 1, 3)], ids=["one", "two", "three"])
def test_values(solution, rng, shape, dtype):
    """The scores differ: embedding, mix, tanh, then the product with the embedding matrix, and the bias."""
    state, ids = weights_for(rng, 7, 3, dtype), rng.randint(0, 7, shape)
    found = assert_not_mutated(made(solution, state), ids)
    expected = scores_of(ids, state["embed.weight"], *(state[n] for n in ("out.weight", *NAMES[1:])))
    assert_close(found.detach(), expected)


@points(3)
@EACH_DTYPE
def test_gradients(solution, rng, dtype):
    """A gradient differs: that of the shared matrix is the sum of both uses."""
    state, ids = weights_for(rng, 6, 3, dtype), rng.randint(0, 4, (2, 5))
    cotangent = rng.randn(2, 5, 6, dtype=dtype)
    model = made(solution, state)
    named = dict(model.named_parameters())
    names = {name.replace("out.weight", "embed.weight") for name in named}
    check(len(named) == 4 and names == set(NAMES), "parameters() must give four tensors, the shared one once")
    leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
    out = scores_of(ids, leaves["embed.weight"], *(leaves[n] for n in ("out.weight", *NAMES[1:])))
    expected = dict(zip(leaves, torch.autograd.grad(out, list(leaves.values()), cotangent), strict=True))
    expected["embed.weight"] = expected["embed.weight"] + expected.pop("out.weight")
    found = torch.autograd.grad(model(ids), list(named.values()), cotangent)
    for name, grad in zip(named, found, strict=True):
        name = name.replace("out.weight", "embed.weight")
        assert_close(grad, expected[name], scale=8.0, name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize("change", ["none", "copy", "convert", "load", "sgd", "adam"])
def test_the_tie_stays(probes, rng, change):
    """One Parameter object must be in both places: from the start, and after a copy, a conversion, a load or steps."""
    found = probes.changed(change, weights_for(rng, 5, 3, F32), rng.randint(0, 5, (4,)))
    check(found["one_object"] and found["is_parameter"], "embed.weight and out.weight are not one Parameter object")
    check(found["one_memory"], "the two entries of the state use different memory")
    check(found["count"] == 4, "parameters() must give four tensors")
    check(found["keys"] == sorted(shapes_of(5, 3)), "state_dict() has other names than the statement's table")


@points(2)
@pytest.mark.parametrize("kind", ["sgd", "adam"])
def test_steps(probes, rng, kind):
    """After three steps of an optimizer the parameters differ: the shared matrix is one, with one update for each step."""
    state, ids = weights_for(rng, 5, 3, F32), rng.randint(0, 5, (4,))
    leaves = {name: state[name].clone().requires_grad_() for name in NAMES}
    make = torch.optim.SGD if kind == "sgd" else torch.optim.Adam
    optimizer = make(list(leaves.values()), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        embed, weight, bias, offset = leaves.values()
        scores_of(ids, embed, embed, weight, bias, offset).square().mean().backward()
        optimizer.step()
    found = probes.changed(kind, state, ids)["state"]
    for name in NAMES:
        # Adam divides small gradients by their own size, so rounding of float32 is seen more clearly
        assert_close(found[name], leaves[name].detach(), rtol=1e-3, atol=1e-3, name=name)


@points(2)
def test_how_it_starts(solution, rng):
    """The shared matrix starts with deviation 1/sqrt(width), mix as nn.Linear, and the output bias at zero."""
    seed = rng.seed()
    starts = []
    for s in (seed, seed, seed + 1):
        torch.manual_seed(s)
        starts.append(checked(solution.TiedLM(300, 49), 300, 49))
    first, again, other = starts
    assert_close(again, first, rtol=0.0, atol=0.0, name="two models after the same seed")
    check(not torch.equal(other["embed.weight"], first["embed.weight"]), "another seed gives the same matrix")
    check(not torch.equal(other["mix.weight"], first["mix.weight"]), "another seed gives the same mix")
    matrix = first["embed.weight"] * 7
    # 14,700 draws: the standard error of the mean is 0.0082, of the deviation 0.0058; six of each
    check(abs(float(matrix.mean())) < 0.05, "the mean of the matrix is not 0")
    check(abs(float(matrix.std()) - 1) < 0.035, "the standard deviation of the matrix is not 1/sqrt(width)")
    # a share of 0.6827 lies within one deviation, with a standard error of 0.0038; a uniform start has 0.577
    check(abs(float((matrix.abs() < 1).double().mean()) - 0.6827) < 0.025, "the matrix is not normally distributed")
    for name in ("mix.weight", "mix.bias"):
        largest = float(first[name].abs().max()) * 7
        check(0.5 < largest <= 1.0001, f"{name} does not start as in nn.Linear")
    assert_close(first["out.bias"], torch.zeros(300), name="out.bias")


@points(2)
@pytest.mark.parametrize("kind", GROUPS)
def test_shared_parameters(probes, kind):
    """shared_names: a name or a group is missing, or the order differs."""
    found = probes.names(kind)
    check(found["found"] == GROUPS[kind], "the groups of names differ")
    check(found["same"], "the model was changed")


@points(2)
@pytest.mark.parametrize("kind", ["plain", "equal", "memory", "buffers", "empty"])
def test_nothing_is_shared(probes, kind):
    """shared_names: equal values, shared memory and buffers are not one Parameter with two names."""
    found = probes.names(kind)
    check(found["found"] == [], "this model has no shared parameter")
    check(found["same"], "the model was changed")


@points(1)
def test_state_travels(solution, rng):
    """A state that is loaded decides the output, and comes out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.TiedLM(5, 3), (rng.randint(0, 5, (4,)),))
