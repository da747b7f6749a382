"""Hidden tests: a Llama block against a function of its weights, head by head and token by token."""

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
# (width, heads, kv_heads, hidden)
SIZES = {
    "grouped": (12, 6, 2, 7),
    "one-key-head": (12, 3, 1, 5),
    "all-key-heads": (8, 2, 2, 11),
    "one-head": (6, 1, 1, 9),
    "small-heads": (8, 4, 2, 3),
}
EACH_SIZE = pytest.mark.parametrize("name", SIZES)


def shapes(width, heads, kv_heads, hidden):
    kv = kv_heads * (width // heads)
    return {
        "input_layernorm.weight": (width,),
        "self_attn.q_proj.weight": (width, width),
        "self_attn.k_proj.weight": (kv, width),
        "self_attn.v_proj.weight": (kv, width),
        "self_attn.o_proj.weight": (width, width),
        "post_attention_layernorm.weight": (width,),
        "mlp.gate_proj.weight": (hidden, width),
        "mlp.up_proj.weight": (hidden, width),
        "mlp.down_proj.weight": (width, hidden),
    }


def drawn(rng, sizes, dtype=F64):
    """Random weights, large enough that attention is far from uniform."""
    return {name: rng.randn(*shape, dtype=dtype) * 1.5 / shape[-1] ** 0.5 for name, shape in shapes(*sizes).items()}


def built(solution, sizes, state, dtype=F64, **options):
    block = solution.LlamaBlock(*sizes, **options)
    if dtype is not F32:
        block.to(dtype)
    block.load_state_dict({name: value.detach().clone() for name, value in state.items()})
    return block


def true_norm(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


def true_rotation(x, base, first=0):
    """Rotates the features of one head, (T, d), pair by pair."""
    t, d = x.shape
    columns = [None] * d
    place = torch.arange(first, first + t, dtype=x.dtype)
    for f in range(d // 2):
        angle = place * base ** (-2 * f / d)
        a, b = x[:, f], x[:, f + d // 2]
        columns[f] = a * angle.cos() - b * angle.sin()
        columns[f + d // 2] = b * angle.cos() + a * angle.sin()
    return torch.stack(columns, 1)


def true_attention(x, state, heads, kv_heads, base, first=0):
    """Attention of one sequence, (T, width)."""
    t, width = x.shape
    d = width // heads
    q, k, v = (x @ state[f"self_attn.{p}_proj.weight"].T for p in "qkv")
    outs = []
    for i in range(heads):
        j = i * kv_heads // heads
        mine = true_rotation(q[:, i * d : (i + 1) * d], base, first)
        keys = true_rotation(k[:, j * d : (j + 1) * d], base, first)
        rows = []
        for s in range(t):
            weights = (keys[: s + 1] @ mine[s] / math.sqrt(d)).softmax(0)
            rows.append(weights @ v[: s + 1, j * d : (j + 1) * d])
        outs.append(torch.stack(rows))
    return torch.cat(outs, 1) @ state["self_attn.o_proj.weight"].T


def true_block(x, state, sizes, base=10000.0, eps=1e-6, first=0):
    _, heads, kv_heads, _ = sizes
    normed = true_norm(x, state["input_layernorm.weight"], eps)
    h = x + torch.stack([true_attention(one, state, heads, kv_heads, base, first) for one in normed])
    z = true_norm(h, state["post_attention_layernorm.weight"], eps)
    gate, up = z @ state["mlp.gate_proj.weight"].T, z @ state["mlp.up_proj.weight"].T
    return h + (gate * gate.sigmoid() * up) @ state["mlp.down_proj.weight"].T


@sample
@points(1)
def test_names_and_shapes(solution):
    """The state dict has the nine entries of a checkpoint, and the norms start as ones."""
    state = solution.LlamaBlock(8, 4, 2, 12).state_dict()
    expected = shapes(8, 4, 2, 12)
    check(set(state) == set(expected), "the names in the state dict are not those of the statement")
    for name, shape in expected.items():
        check(tuple(state[name].shape) == shape, f"{name} has another shape")
    for name in ("input_layernorm.weight", "post_attention_layernorm.weight"):
        assert_close(state[name], torch.ones(8), name=name)


@sample
@points(1)
def test_silent_branches(solution, rng):
    """With zeros in o_proj and down_proj both branches are silent, and the block is the identity."""
    state = drawn(rng, (8, 4, 2, 5), F32)
    for name in ("self_attn.o_proj.weight", "mlp.down_proj.weight"):
        state[name] = torch.zeros_like(state[name])
    x = rng.randn(2, 3, 8)
    assert_close(built(solution, (8, 4, 2, 5), state, F32)(x), x)


@sample
@points(1)
def test_mlp_alone(solution, rng):
    """With zeros in o_proj the block adds down(silu(gate(z)) * up(z)) to x, with z the normed x."""
    state = drawn(rng, (6, 1, 1, 5))
    state["self_attn.o_proj.weight"] = torch.zeros(6, 6, dtype=F64)
    x = rng.randn(1, 2, 6, dtype=F64)
    z = x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt() * state["post_attention_layernorm.weight"]
    inner = torch.nn.functional.silu(z @ state["mlp.gate_proj.weight"].T) * (z @ state["mlp.up_proj.weight"].T)
    expected = x + inner @ state["mlp.down_proj.weight"].T
    assert_close(built(solution, (6, 1, 1, 5), state)(x), expected, scale=4.0)


@points(3)
@EACH_SIZE
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_values(solution, rng, dtype, name):
    """A value differs: which head reads which key, what is rotated, where the norms stand, what is scaled?"""
    sizes = SIZES[name]
    state = drawn(rng, sizes, dtype)
    block = built(solution, sizes, state, dtype)
    for shape in ((2, 5), (1, 1), (3, 7)):
        x = rng.randn(*shape, sizes[0], dtype=dtype)
        assert_close(block(x), true_block(x, state, sizes), scale=16.0)


@points(3)
@EACH_SIZE
def test_gradients(solution, rng, name):
    """The gradient of the input or of a weight differs: each of the nine weights is used, and nothing is detached."""
    sizes = SIZES[name]
    state = {key: value.requires_grad_() for key, value in drawn(rng, sizes).items()}
    block = built(solution, sizes, state)
    x, cotangent = rng.randn(2, 4, sizes[0], dtype=F64), rng.randn(2, 4, sizes[0], dtype=F64)
    mine, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    block(mine).backward(cotangent)
    true_block(theirs, state, sizes).backward(cotangent)
    check(mine.grad is not None, "the input received no gradient")
    assert_close(mine.grad, theirs.grad, scale=64.0, name="gradient of x")
    found = dict(block.named_parameters())
    for key, value in state.items():
        check(found[key].grad is not None, f"{key} received no gradient")
        assert_close(found[key].grad, value.grad, scale=64.0, name=f"gradient of {key}")


@points(2)
@EACH_SIZE
def test_causality(solution, rng, name):
    """A later token must not change an earlier one, and an earlier token changes the later ones."""
    sizes = SIZES[name]
    block = built(solution, sizes, drawn(rng, sizes))
    x = rng.randn(1, 6, sizes[0], dtype=F64)
    other = x.clone()
    other[:, 3] = rng.randn(sizes[0], dtype=F64)
    before, after = block(x), block(other)
    assert_close(after[:, :3], before[:, :3], name="tokens before the change")
    moved = (after[:, 4:] - before[:, 4:]).detach().abs().amax((0, 2))
    check(bool((moved > 1e-13).all()), "a later token does not see the token that was changed")


@points(2)
def test_only_distances_matter(solution, rng):
    """Positions are rotations, so scores depend on distances: tokens that start at position 7 give the same."""
    sizes = SIZES["grouped"]
    state = drawn(rng, sizes)
    x = rng.randn(2, 5, sizes[0], dtype=F64)
    assert_close(built(solution, sizes, state)(x), true_block(x, state, sizes, first=7), scale=64.0)


@points(1)
def test_a_longer_text(solution, rng):
    """Positions have no largest one: the last of 300 tokens is rotated as far as its position says."""
    sizes = SIZES["one-head"]
    state = drawn(rng, sizes)
    x = rng.randn(1, 300, sizes[0], dtype=F64)
    assert_close(built(solution, sizes, state)(x), true_block(x, state, sizes), scale=64.0)


@points(2)
def test_order_matters(solution, rng):
    """Two earlier tokens that change places change the result, since keys carry their positions."""
    sizes = SIZES["grouped"]
    block = built(solution, sizes, drawn(rng, sizes))
    x = rng.randn(1, 4, sizes[0], dtype=F64)
    swapped = x[:, [1, 0, 2, 3]]
    moved = (block(x)[0, 3] - block(swapped)[0, 3]).detach().abs().max()
    check(bool(moved > 1e-9), "the order of earlier tokens does not matter")


@points(2)
@pytest.mark.parametrize("base", [10.0, 500000.0])
def test_base(solution, rng, base):
    """Another base changes the frequencies of the rotation."""
    sizes = (8, 1, 1, 5)
    state = drawn(rng, sizes)
    x = rng.randn(2, 6, 8, dtype=F64)
    assert_close(built(solution, sizes, state, base=base)(x), true_block(x, state, sizes, base=base), scale=16.0)


@points(2)
@pytest.mark.parametrize("eps", [1e-6, 0.1])
def test_epsilon(solution, rng, eps):
    """For small numbers eps decides: it is added under both roots."""
    sizes = SIZES["small-heads"]
    state = drawn(rng, sizes)
    state["self_attn.o_proj.weight"] *= 0.01
    x = 1e-3 * rng.randn(2, 4, 8, dtype=F64)
    assert_close(built(solution, sizes, state, eps=eps)(x), true_block(x, state, sizes, eps=eps), scale=64.0)


@points(1)
def test_large_scores(solution, rng):
    """Scores in the thousands are ordinary: the softmax must not overflow."""
    sizes = SIZES["grouped"]
    state = drawn(rng, sizes)
    for name in ("self_attn.q_proj.weight", "self_attn.k_proj.weight"):
        state[name] *= 40
    x = rng.randn(1, 5, 12, dtype=F64)
    assert_close(built(solution, sizes, state)(x), true_block(x, state, sizes), scale=1024.0)


@points(1)
def test_batch_elements_are_apart(solution, rng):
    """Each sequence of a batch gives what it gives alone, and a call leaves nothing behind."""
    sizes = SIZES["grouped"]
    block = built(solution, sizes, drawn(rng, sizes))
    x = rng.randn(3, 5, 12, dtype=F64)
    together = block(x)
    for i in (2, 0, 1):
        assert_close(block(x[i : i + 1, :3])[0], together[i, :3], scale=4.0, name="one sequence, shorter")


@points(1)
def test_layouts_and_arguments(solution, rng):
    """A transposed or strided input is ordinary, and x is left as it is."""
    sizes = SIZES["all-key-heads"]
    state = drawn(rng, sizes)
    block = built(solution, sizes, state)
    for x in (rng.randn(4, 2, 8, dtype=F64).transpose(0, 1), rng.randn(2, 3, 16, dtype=F64)[:, :, ::2]):
        assert_close(assert_not_mutated(block, x), true_block(x, state, sizes), scale=16.0)


@points(1)
def test_mode_and_state(solution, rng):
    """Training and evaluation mode do the same, and a saved state gives the same outputs."""
    sizes = SIZES["small-heads"]
    assert_ignores_mode(built(solution, sizes, drawn(rng, sizes, F32), F32), rng.randn(2, 3, 8))
    assert_state_dict_round_trip(lambda: solution.LlamaBlock(*sizes), rng.randn(2, 3, 8))


@points(1)
def test_fresh_block_learns(solution, rng):
    """A new block has projections that are not all zero or all equal, and gradients for all of them."""
    block = solution.LlamaBlock(8, 4, 2, 12)
    for name, value in block.state_dict().items():
        if value.dim() == 2:
            check(bool(value.std() > 1e-4), f"{name} starts as a constant")
    block(rng.randn(2, 5, 8)).square().sum().backward()
    for name, value in block.named_parameters():
        check(value.grad is not None, f"{name} received no gradient")


@points(1)
@pytest.mark.parametrize("sizes", [(9, 2, 1, 4), (12, 6, 4, 4), (12, 4, 2, 4)], ids=["width", "kv-heads", "odd-head"])
def test_sizes_that_do_not_fit(solution, sizes):
    """heads must divide width, kv_heads must divide heads, and a head has an even number of features: a ValueError."""
    with pytest.raises(ValueError):
        solution.LlamaBlock(*sizes)
