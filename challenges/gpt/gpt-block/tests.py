"""Hidden tests: the block of a GPT, and the model."""

import math

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
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def block_shapes(width):
    return {
        "norm1.weight": (width,),
        "norm1.bias": (width,),
        "attention.qkv.weight": (3 * width, width),
        "attention.qkv.bias": (3 * width,),
        "attention.out.weight": (width, width),
        "attention.out.bias": (width,),
        "norm2.weight": (width,),
        "norm2.bias": (width,),
        "up.weight": (4 * width, width),
        "up.bias": (4 * width,),
        "down.weight": (width, 4 * width),
        "down.bias": (width,),
    }


def model_shapes(vocabulary, context, width, layers):
    shapes = {"embed.tokens.weight": (vocabulary, width), "embed.positions.weight": (context, width)}
    for i in range(layers):
        shapes |= {f"blocks.{i}.{name}": shape for name, shape in block_shapes(width).items()}
    return shapes | {"norm.weight": (width,), "norm.bias": (width,)}


def drawn(rng, shapes, dtype=F64):
    state = {}
    for name, shape in shapes.items():
        scale = shape[-1] ** -0.5 if len(shape) == 2 else 0.5
        state[name] = scale * rng.randn(*shape, dtype=dtype) + (1.0 if "norm" in name and "weight" in name else 0.0)
    return state


def loaded(module, state):
    shapes = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    wanted = {name: tuple(value.shape) for name, value in state.items()}
    check(shapes == wanted, "state_dict() has other names or shapes than the statement says")
    if next(iter(state.values())).dtype is F64:
        module.to(F64)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def normed(x, weight, bias):
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + 1e-5) * weight + bias


def through_block(state, prefix, heads, x):
    def w(name):
        return state[prefix + name]

    B, T, width = x.shape
    features = normed(x, w("norm1.weight"), w("norm1.bias")) @ w("attention.qkv.weight").T + w("attention.qkv.bias")
    q, k, v = (part.view(B, T, heads, width // heads).transpose(1, 2) for part in features.split(width, -1))
    scores = q @ k.mT / math.sqrt(width // heads)
    scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -math.inf)
    mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, width)
    h = x + mixed @ w("attention.out.weight").T + w("attention.out.bias")
    u = normed(h, w("norm2.weight"), w("norm2.bias")) @ w("up.weight").T + w("up.bias")
    return h + (0.5 * u * (1 + torch.erf(u / math.sqrt(2)))) @ w("down.weight").T + w("down.bias")


def through_model(state, heads, layers, ids, out=None):
    x = state["embed.tokens.weight"][ids] + state["embed.positions.weight"][: ids.shape[1]]
    for i in range(layers):
        x = through_block(state, f"blocks.{i}.", heads, x)
    matrix = state["embed.tokens.weight"] if out is None else out
    return normed(x, state["norm.weight"], state["norm.bias"]) @ matrix.T


def gpt(solution, state, sizes):
    vocabulary, context, width, heads, layers = sizes
    return loaded(solution.GPT(vocabulary, context, width, heads, layers), state)


@sample
@points(1)
def test_number_of_parameters(solution):
    """A GPT with 10 tokens, a context of 8, a width of 4 and 3 blocks has 812 parameters."""
    model = solution.GPT(10, 8, 4, 2, 3)
    count = sum(p.numel() for p in model.parameters())
    check(count == 812, f"there should be 40 + 32 + 3 · 244 + 8 = 812 parameters, got {count}")


@sample
@points(1)
def test_branches_at_zero(solution, rng):
    """With both branches at zero, a block gives its input."""
    state = {name: torch.zeros(shape) for name, shape in block_shapes(4).items()}
    x = rng.randn(1, 3, 4)
    assert_close(loaded(solution.Block(4, 2), state)(x).detach(), x)


@sample
@points(1)
def test_names(solution):
    """The state of a model with one block."""
    state = solution.GPT(5, 4, 2, 1, 1).state_dict()
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    check(shapes == model_shapes(5, 4, 2, 1), "state_dict() has other names or shapes than the statement says")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("heads", [1, 3])
def test_block(solution, rng, heads, dtype):
    """The values of a block differ: norm before each branch, and the second branch sees the result of the first."""
    state, x = drawn(rng, block_shapes(6), dtype), 2 * rng.randn(2, 5, 6, dtype=dtype)
    found = loaded(solution.Block(6, heads), state)(x).detach()
    assert_close(found, through_block(state, "", heads, x), scale=4.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(7, 5, 8, 2, 2), (11, 6, 9, 1, 3), (5, 4, 6, 3, 1), (6, 3, 8, 2, 0)], ids=str)
def test_model(solution, rng, sizes, dtype):
    """The scores differ: embedding, blocks in order, the last norm, and the table of tokens."""
    vocabulary, context, width, heads, layers = sizes
    state = drawn(rng, model_shapes(vocabulary, context, width, layers), dtype)
    ids = rng.randint(0, vocabulary, (2, context - 1))
    found = gpt(solution, state, sizes)(ids).detach()
    assert_close(found, through_model(state, heads, layers, ids), scale=8.0)


@points(3)
def test_gradients(solution, rng):
    """A gradient differs: every parameter gets one, and the token table collects both of its uses."""
    sizes = (6, 5, 4, 2, 2)
    state, ids = drawn(rng, model_shapes(6, 5, 4, 2)), rng.randint(0, 6, (2, 4))
    cotangent = rng.randn(2, 4, 6, dtype=F64)
    model = gpt(solution, state, sizes)
    named = dict(model.named_parameters())
    check(set(named) == set(state), "each entry of the state must be one parameter")
    found = dict(zip(named, torch.autograd.grad(model(ids), list(named.values()), cotangent), strict=True))
    leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
    wanted = torch.autograd.grad(through_model(leaves, 2, 2, ids), list(leaves.values()), cotangent)
    for name, gradient in zip(leaves, wanted, strict=True):
        # a key bias shifts all scores of a row alike, so its part of the gradient is zero up to rounding
        atol = 1e-9 if name.endswith("qkv.bias") else None
        assert_close(found[name], gradient, scale=8.0, atol=atol, name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize("changed", [1, 4])
def test_the_future_does_not_leak(solution, rng, changed):
    """Changing a token must not move the scores before it, and it must move its own."""
    state, ids = drawn(rng, model_shapes(7, 6, 4, 2)), rng.randint(0, 3, (2, 6))
    other = ids.clone()
    other[:, changed:] = 3 + rng.randint(0, 4, (2, 6 - changed))
    model = gpt(solution, state, (7, 6, 4, 2, 2))
    before, after = model(ids).detach(), model(other).detach()
    check(before.shape == after.shape == (2, 6, 7), "the scores have a wrong shape")
    assert_close(after[:, :changed], before[:, :changed], rtol=1e-9, atol=1e-9, name="scores before the change")
    check(not torch.allclose(after[:, changed], before[:, changed]), "a token must see itself")


@points(2)
def test_the_whole_context(solution, rng):
    """A text as long as the context fits, and one more token is a ValueError."""
    state = drawn(rng, model_shapes(5, 4, 2, 1))
    model, ids = gpt(solution, state, (5, 4, 2, 1, 1)), rng.randint(0, 5, (1, 5))
    assert_close(model(ids[:, :4]).detach(), through_model(state, 1, 1, ids[:, :4]), scale=8.0)
    with pytest.raises(ValueError):
        model(ids)


@points(1)
def test_block_by_block(solution, rng):
    """Blocks of one model have parameters of their own and start with different numbers."""
    torch.manual_seed(rng.seed())
    state = solution.GPT(5, 4, 4, 2, 2).state_dict()
    for name in ("up.weight", "down.weight", "attention.qkv.weight"):
        check(
            not torch.equal(state[f"blocks.0.{name}"], state[f"blocks.1.{name}"]), "two blocks are equal at the start"
        )


@points(1)
def test_how_it_starts(solution, rng):
    """Norms start at one and zero, linear layers as nn.Linear does, the tables with deviation 0.02."""
    torch.manual_seed(rng.seed())
    state = solution.GPT(400, 30, 49, 7, 1).state_dict()
    check(set(state) == set(model_shapes(400, 30, 49, 1)), "state_dict() has other names than the statement says")
    for name in ("norm", "blocks.0.norm1", "blocks.0.norm2"):
        assert_close(state[f"{name}.weight"], torch.ones(49), name=f"{name}.weight")
        assert_close(state[f"{name}.bias"], torch.zeros(49), name=f"{name}.bias")
    for name, inputs in (("attention.qkv", 49), ("attention.out", 49), ("up", 49), ("down", 196)):
        for part in ("weight", "bias"):
            largest = float(state[f"blocks.0.{name}.{part}"].abs().max()) * inputs**0.5
            # of 2,401 uniform numbers or more, the largest is above 0.95 of the bound; a bias has 49 or more
            least = 0.95 if part == "weight" else 0.5
            check(least < largest <= 1.0001, f"{name}.{part} does not start as in nn.Linear")
    # 19,600 and 1,470 draws: the standard errors of the deviations are 0.5 and 1.9 percent
    for name, bound in (("tokens", 0.05), ("positions", 0.12)):
        deviation = float(state[f"embed.{name}.weight"].std()) / 0.02
        check(abs(deviation - 1) < bound, f"the table of {name} has another start")


@points(1)
def test_inputs_state_and_mode(solution, rng):
    """Inputs are left as they were, a loaded state decides, and training and evaluation do the same."""
    model, ids = gpt(solution, drawn(rng, model_shapes(5, 4, 2, 1), F32), (5, 4, 2, 1, 1)), rng.randint(0, 5, (2, 3))
    assert_not_mutated(model, ids)
    assert_ignores_mode(model, ids)
    assert_state_dict_round_trip(lambda: solution.GPT(5, 4, 2, 1, 1), (ids,))
    block = loaded(solution.Block(4, 2), drawn(rng, block_shapes(4), F32))
    assert_not_mutated(block, rng.randn(2, 3, 4))


@points(1)
def test_heads_must_divide_the_width(solution):
    """Heads that do not divide the width are a ValueError, for the block and for the model."""
    for make in (lambda: solution.Block(6, 4), lambda: solution.GPT(5, 4, 6, 4, 1)):
        with pytest.raises(ValueError):
            make()
