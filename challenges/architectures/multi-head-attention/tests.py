"""Hidden tests of multi-head-attention: weights are loaded from here, values and all gradients compared."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_not_mutated,
    assert_state_dict_round_trip,
    attested,
    check,
    points,
    sample,
    tolerance,
)

# One of these does the work of every head, however it is written; views and copies do not count.
WORK = {"mm", "bmm", "addmm", "baddbmm", "mv", "dot", "matmul", "linear", "_softmax", "exp", "mul"}
PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")
F32, F64 = torch.float32, torch.float64


def weights_for(rng, d_model, bias=True, dtype=F32):
    """A state dict of moderate random weights."""
    state = {f"{part}.weight": rng.randn(d_model, d_model, dtype=dtype) / d_model**0.5 for part in PARTS}
    if bias:
        state |= {f"{part}.bias": 0.5 * rng.randn(d_model, dtype=dtype) for part in PARTS}
    return state


def build(source, d_model, num_heads, state):
    """A module of `source` (the answer's or the reference's) that holds `state`, in the state's dtype."""
    module = source.MultiHeadAttention(d_model, num_heads, bias="q_proj.bias" in state)
    if state["q_proj.weight"].dtype is not F32:
        module.to(state["q_proj.weight"].dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def pair(solution, reference, rng, d_model, num_heads, bias=True, dtype=F32):
    """The answer's module and the reference's, with equal random weights."""
    state = weights_for(rng, d_model, bias, dtype)
    return build(solution, d_model, num_heads, state), build(reference, d_model, num_heads, state)


def gradients(module, inputs, cotangent, **options):
    """Output, and gradients by name of inputs and parameters; what took no part counts as zero."""
    leaves = {name: x.detach().clone().requires_grad_() for name, x in inputs.items()}
    out = module(*leaves.values(), **options)
    check(isinstance(out, torch.Tensor), "output: a tensor expected")
    check(out.requires_grad, "the output is detached from inputs and parameters")
    wanted = {**leaves, **dict(module.named_parameters())}
    check(out.shape == cotangent.shape, "output: the shape is wrong")
    found = torch.autograd.grad(out, list(wanted.values()), cotangent, allow_unused=True)
    filled = [torch.zeros_like(x) if g is None else g for x, g in zip(wanted.values(), found, strict=True)]
    return out.detach(), dict(zip(wanted, filled, strict=True))


def compare_gradients(mine, theirs, rng, inputs, **options):
    """Outputs and all gradients of two modules agree."""
    cotangent = rng.randn(*inputs["x"].shape, dtype=inputs["x"].dtype)
    out, actual = gradients(mine, inputs, cotangent, **options)
    expected_out, expected = gradients(theirs, inputs, cotangent, **options)
    assert_close(out, expected_out)
    check(set(actual) == set(expected), "the parameters do not have the names of the statement")
    largest = max(float(g.abs().max()) for g in expected.values() if g.numel())
    # softmax does not see what a whole row shares: k_proj.bias has gradient 0, up to the rounding of all the others
    noise = 4 * tolerance(cotangent.dtype).relative * largest
    for name, gradient in expected.items():
        assert_close(
            actual[name], gradient, scale=4.0, atol=noise if name == "k_proj.bias" else None, name=f"gradient of {name}"
        )


# ------------------------------------------------------------------------------------------------ samples


@sample
def test_parameter_names(solution):
    """Parameters need exactly the names and shapes of the statement, or nobody's weights can be loaded."""
    state = solution.MultiHeadAttention(6, 2).state_dict()
    expected = {f"{part}.weight": (6, 6) for part in PARTS} | {f"{part}.bias": (6,) for part in PARTS}
    check({name: tuple(value.shape) for name, value in state.items()} == expected, "names or shapes are not as stated")
    without = solution.MultiHeadAttention(6, 3, bias=False).state_dict()
    check(set(without) == {f"{part}.weight" for part in PARTS}, "bias=False must leave exactly the four weights")


@sample
def test_worked_example(solution):
    """The worked example of the statement: each head must scale by its own width and see only its own slice."""
    x = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    identity = {f"{part}.weight": torch.eye(2) for part in PARTS}
    two = solution.MultiHeadAttention(2, 2, bias=False)
    two.load_state_dict(identity)
    assert_close(two(x), torch.tensor([[[0.7310586, 0.5], [0.5, 0.7310586]]]), name="two heads")
    one = solution.MultiHeadAttention(2, 1, bias=False)
    one.load_state_dict(identity)
    assert_close(one(x), torch.tensor([[[0.6697615, 0.3302385], [0.3302385, 0.6697615]]]), name="one head")


@sample
@points(2)
def test_agrees_with_loops(solution, rng, exhibit):
    """Values differ from multi-head attention written with loops: follow one head by hand through split and merge."""
    B, T, d_model, heads, width = 2, 5, 6, 3, 2
    state = weights_for(rng, d_model)
    module = solution.MultiHeadAttention(d_model, heads)
    module.load_state_dict(state)
    x = rng.randn(B, T, d_model)
    q, k, v = (x @ state[f"{p}.weight"].T + state[f"{p}.bias"] for p in ("q_proj", "k_proj", "v_proj"))
    merged = torch.zeros(B, T, d_model)
    for b in range(B):
        for h in range(heads):
            part = slice(h * width, (h + 1) * width)
            for t in range(T):
                weights = torch.softmax(k[b, :, part] @ q[b, t, part] / math.sqrt(width), dim=0)
                merged[b, t, part] = weights @ v[b, :, part]
    expected = merged @ state["out_proj.weight"].T + state["out_proj.bias"]
    actual = module(x)
    exhibit.difference("three heads over five tokens", actual, expected)
    assert_close(actual, expected)


@sample
@points(2)
def test_attention_maps(solution, rng, exhibit):
    """Values that name their own position make the output an attention map: causal rows sum to 1, nothing above the diagonal."""
    n = 8  # tokens, and the width of each of the two heads
    x = torch.cat([torch.eye(n), rng.randn(n, n)], dim=1)[None]  # token s carries the unit vector e_s, then content
    state = weights_for(rng, 2 * n, bias=False)
    state["v_proj.weight"] = torch.cat([torch.eye(n).repeat(2, 1), torch.zeros(2 * n, n)], dim=1)  # e_s, for both heads
    state["out_proj.weight"] = torch.eye(2 * n)
    module = solution.MultiHeadAttention(2 * n, 2, bias=False)
    module.load_state_dict(state)
    q, k = x[0] @ state["q_proj.weight"].T, x[0] @ state["k_proj.weight"].T
    expected = torch.zeros(1, n, 2 * n)
    for part in (slice(0, n), slice(n, 2 * n)):
        for t in range(n):
            expected[0, t, part][: t + 1] = torch.softmax(k[: t + 1, part] @ q[t, part] / math.sqrt(n), dim=0)
    out = module(x, causal=True)
    exhibit.heatmap("attention maps of head 0 (left) and head 1 (right)", out, "key", "query")
    assert_close(out, expected)
    check(bool((out[0, :, :n].triu(1) == 0).all()), "a later token has weight")


# ------------------------------------------------------------------------------------------------ values

SHAPES = {  # B, T, d_model, num_heads, bias, dtype
    "plain": (2, 5, 12, 3, True, F64),
    "one-head": (3, 4, 8, 1, True, F32),
    "one-feature-per-head": (2, 6, 4, 4, True, F32),
    "no-bias": (2, 7, 16, 4, False, F64),
    "one-token": (1, 1, 6, 2, True, F32),
}


@points(2)
@pytest.mark.parametrize("name", SHAPES)
def test_self_attention(solution, reference, rng, name):
    """Values, shape or dtype of plain self-attention are off: check the split into heads, the scale, and the merge."""
    B, T, d_model, heads, bias, dtype = SHAPES[name]
    mine, theirs = pair(solution, reference, rng, d_model, heads, bias, dtype)
    x = rng.randn(B, T, d_model, dtype=dtype)
    assert_close(mine(x), theirs(x))


@points(2)
@pytest.mark.parametrize("S", [1, 4])
def test_cross_attention(solution, reference, rng, S):
    """Keys and values come from the context, queries from x; their lengths may differ."""
    mine, theirs = pair(solution, reference, rng, 12, 3, bias=S != 4)
    x, context = rng.randn(2, 4, 12), rng.randn(2, S, 12)
    assert_close(mine(x, context), theirs(x, context))
    assert_close(mine(x, context=x), theirs(x), name="output with x as its own context")


MASKS = {
    "full": (2, 3, 4, 6),
    "padding": (2, 1, 1, 6),
    "keys": (6,),
    "per-head": (3, 1, 6),
}


@points(2)
@pytest.mark.parametrize("name", MASKS)
def test_masks(solution, reference, rng, name):
    """A mask is not honoured: True means «may attend», and it broadcasts to (B, num_heads, T, S)."""
    mine, theirs = pair(solution, reference, rng, 12, 3, bias=name != "keys")
    x, context = rng.randn(2, 4, 12), rng.randn(2, 6, 12)
    mask = rng.mask(*MASKS[name], p=0.6)
    mask.view(-1)[rng.integer(0, mask.numel())] = False
    assert_close(mine(x, context, mask=mask), theirs(x, context, mask=mask))


@points(2)
@pytest.mark.parametrize(("T", "S"), [(5, 5), (3, 7), (6, 4)], ids=["square", "short", "long"])
def test_causal(solution, reference, rng, T, S):
    """causal=True is off: query t sees keys s ≤ t + (S − T), so the last query always sees the last key."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    x = rng.randn(2, T, 8)
    context = None if T == S else rng.randn(2, S, 8)
    assert_close(mine(x, context, causal=True), theirs(x, context, causal=True))


@points(2)
def test_causal_and_mask_together(solution, reference, rng):
    """With causal=True and a mask a key must be allowed by both; neither replaces the other."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    x, mask = rng.randn(3, 6, 8), rng.mask(3, 1, 1, 6, p=0.7)
    assert_close(mine(x, mask=mask, causal=True), theirs(x, mask=mask, causal=True))


@points(2)
def test_strided_inputs(solution, reference, rng):
    """Transposed, sliced and expanded tensors are ordinary inputs: do not assume contiguous memory."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    x = rng.randn(4, 2, 8).transpose(0, 1)  # (2, 4, 8), stored time first
    context = rng.randn(1, 5, 16)[..., ::2].expand(2, 5, 8)
    mask = rng.mask(5, 4).t()
    assert_close(mine(x, context, mask=mask), theirs(x, context, mask=mask))


@points(1)
def test_lengths_may_change_between_calls(solution, reference, rng):
    """Short, long, short again: nothing about the sequence may be fixed at construction or kept from an earlier call."""
    mine, theirs = pair(solution, reference, rng, 4, 2)
    for T in (3, 70, 2):
        x = rng.randn(1, T, 4)
        assert_close(mine(x, causal=True), theirs(x, causal=True))


# ------------------------------------------------------------------------------------------------ the module


@points(2)
def test_unequal_heads_are_refused(solution):
    """A d_model that num_heads does not divide must raise ValueError in the constructor."""
    for d_model, heads in ((7, 2), (10, 4), (3, 6)):
        try:
            solution.MultiHeadAttention(d_model, heads)
        except ValueError:
            continue
        check(False, "the constructor accepts heads of unequal width")


@points(1)
def test_state_survives(solution, rng):
    """What load_state_dict puts in must come out of state_dict unchanged, and make two modules equal."""
    assert_state_dict_round_trip(lambda: solution.MultiHeadAttention(6, 3), [rng.randn(2, 3, 6)])


@points(1)
def test_nothing_is_random(solution, rng):
    """Equal inputs give equal outputs, in train() as in eval(): there is no dropout here."""
    module = build(solution, 8, 2, weights_for(rng, 8))
    x = rng.randn(2, 5, 8)
    torch.manual_seed(rng.seed())
    first = module.train()(x, causal=True)
    torch.manual_seed(rng.seed())
    second = module.eval()(x, causal=True)
    assert_close(second, first)
    check(torch.equal(second, first), "two calls with the same input gave slightly different values")


@points(2)
def test_inputs_are_left_alone(solution, rng):
    """x, the context or the mask was modified: in-place operations belong on tensors that you made yourself."""
    module = build(solution, 8, 2, weights_for(rng, 8))
    x, context, mask = rng.randn(2, 4, 8), rng.randn(2, 6, 8), rng.mask(2, 2, 4, 6)
    assert_not_mutated(module, x, context, mask=mask, causal=True)
    assert_not_mutated(module, x)


# ------------------------------------------------------------------------------------------------ properties


@points(3)
def test_heads_are_separate(solution, rng):
    """Rotating a head's queries and keys together must change nothing; rotating across heads must change the output."""
    d_model, heads, width = 12, 3, 4
    state = weights_for(rng, d_model, dtype=F64)
    x = rng.randn(2, 5, d_model, dtype=F64)
    before = build(solution, d_model, heads, state)(x)

    def rotated(rotation):
        turned = dict(state)
        for part in ("q_proj", "k_proj"):
            turned |= {f"{part}.{kind}": rotation @ state[f"{part}.{kind}"] for kind in ("weight", "bias")}
        return build(solution, d_model, heads, turned)(x)

    inside = torch.block_diag(*(torch.linalg.qr(rng.randn(width, width, dtype=F64))[0] for _ in range(heads)))
    across = torch.linalg.qr(rng.randn(d_model, d_model, dtype=F64))[0]
    assert_close(rotated(inside), before, name="output after rotating inside each head")
    moved = rotated(across)
    check(moved.shape == before.shape, "the shape of the output depends on the weights")
    check(bool((moved - before).abs().max() > 1e-3), "features of different heads meet in one dot product")


@points(2)
def test_a_head_writes_only_its_own_slice(solution, rng):
    """With the output projection set to identity, changing one head's query weights may move only that head's features."""
    d_model, heads, width = 12, 4, 3
    state = weights_for(rng, d_model) | {"out_proj.weight": torch.eye(d_model), "out_proj.bias": torch.zeros(d_model)}
    x, head = rng.randn(2, 5, d_model), rng.integer(0, heads)
    mine = torch.zeros(d_model, dtype=torch.bool)
    mine[head * width : (head + 1) * width] = True
    before = build(solution, d_model, heads, state)(x)
    changed = state["q_proj.weight"].clone()
    changed[mine] = rng.randn(width, d_model)
    after = build(solution, d_model, heads, state | {"q_proj.weight": changed})(x)
    check(after.shape == before.shape == x.shape, "output: the shape is wrong")
    assert_close(after[..., ~mine], before[..., ~mine], name="features of the other heads")
    check(bool((after - before)[..., mine].abs().max() > 1e-3), "the head's own features did not move")


@points(2)
def test_the_future_does_not_leak(solution, rng):
    """With causal=True, changing later tokens must not move earlier outputs, and these send them no gradient."""
    module = build(solution, 8, 2, weights_for(rng, 8))
    x, cut = rng.randn(2, 6, 8), rng.integer(1, 6)
    other = x.clone()
    other[:, cut:] = 10 * rng.randn(2, 6 - cut, 8)
    before, after = module(x, causal=True), module(other, causal=True)
    check(after.shape == before.shape == x.shape, "output: the shape is wrong")
    assert_close(after[:, :cut], before[:, :cut], name="outputs before the change")
    cotangent = rng.randn(2, 6, 8)
    cotangent[:, cut:] = 0
    _, found = gradients(module, {"x": x}, cotangent, causal=True)
    check(bool((found["x"][:, cut:] == 0).all()), "an earlier output sends gradient to a later token")
    check(bool((found["x"][:, :cut] != 0).any()), "no gradient reaches the tokens that were seen")


@points(2)
def test_token_by_token_equals_all_at_once(solution, rng):
    """Generating: the newest tokens as x and all tokens so far as context must give the last rows of one causal pass."""
    module = build(solution, 8, 4, weights_for(rng, 8))
    x = rng.randn(2, 5, 8)
    whole = module(x, causal=True)
    check(whole.shape == x.shape, "output: the shape is wrong")
    for start, stop in ((0, 1), (1, 2), (2, 5)):
        part = module(x[:, start:stop], x[:, :stop], causal=True)
        assert_close(part, whole[:, start:stop], name="output of a step")


@points(1)
def test_order_of_the_context_does_not_matter(solution, rng):
    """Without causal, shuffling the context together with its mask changes nothing: attention has no positions."""
    module = build(solution, 8, 2, weights_for(rng, 8))
    x, context, mask, order = rng.randn(2, 3, 8), rng.randn(2, 7, 8), rng.mask(2, 1, 1, 7, p=0.7), rng.permutation(7)
    assert_close(module(x, context[:, order], mask[..., order]), module(x, context, mask))


# ------------------------------------------------------------------------------------------------ edges


@points(3)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])
def test_nothing_to_attend_to(solution, reference, rng, bias):
    """A query without any permitted key gets zero from every head, so only the output's bias is left; no NaN in gradients."""
    mine, theirs = pair(solution, reference, rng, 8, 2, bias, F64)
    x, context = rng.randn(2, 4, 8, dtype=F64), rng.randn(2, 5, 8, dtype=F64)
    mask = rng.mask(2, 1, 4, 5, p=0.8)
    mask[:, :, 1::2] = False
    expected = theirs.out_proj.bias.detach() if bias else torch.zeros(8, dtype=F64)
    out = mine(x, context, mask)
    check(out.shape == x.shape, "output: the shape is wrong")
    assert_close(out[:, 1::2], expected.expand(2, 2, 8), name="queries without keys")
    compare_gradients(mine, theirs, rng, {"x": x, "context": context}, mask=mask)


@points(2)
def test_empty_context(solution, reference, rng):
    """With S = 0 every query gets the output's bias, and backward() still works."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    compare_gradients(mine, theirs, rng, {"x": rng.randn(2, 3, 8), "context": torch.zeros(2, 0, 8)})


@points(2)
def test_large_scores(solution, rng):
    """Large scores, of either sign: the softmax is shifted row by row, and a hidden key has no weight beside permitted ones."""
    module = build(solution, 2, 2, {f"{part}.weight": torch.eye(2) for part in PARTS})
    ranks = rng.permutation(4).float()
    tokens = 2.0**10 * ranks  # the scores, products of two tokens, are exact in float32
    out = module(torch.stack([tokens, -tokens], dim=-1)[None])
    mean, last = 1.5 * 2.0**10, 3 * 2.0**10
    expected = torch.where(ranks == 0, mean, last)  # token 0 scores 0 everywhere; all others look at the largest
    assert_close(out, torch.stack([expected, -expected], dim=-1)[None])
    # permitted keys with scores of -2^32 and -2^33, and a hidden one with a score of 0
    context = torch.tensor([-(2.0**16), 0.0, -(2.0**17)])
    out = module(torch.full((1, 1, 2), 2.0**16), context[None, :, None].expand(1, 3, 2), context != 0)
    assert_close(out, torch.full((1, 1, 2), -(2.0**16)), name="output with a hidden key")


# ------------------------------------------------------------------------------------------------ gradients


@points(3)
@pytest.mark.parametrize("case", ["self", "cross", "causal", "masked"])
def test_gradients(solution, reference, rng, case):
    """A gradient of an input or of a parameter is wrong: something was detached, shared by accident, or left out."""
    dtype = F32 if case in ("self", "masked") else F64
    mine, theirs = pair(solution, reference, rng, 12, 3, bias=case != "cross", dtype=dtype)
    inputs = {"x": rng.randn(2, 4, 12, dtype=dtype)}
    if case in ("cross", "masked"):
        inputs["context"] = rng.randn(2, 6, 12, dtype=dtype)
    options = {"causal": True} if case == "causal" else {"mask": rng.mask(2, 3, 4, 6)} if case == "masked" else {}
    compare_gradients(mine, theirs, rng, inputs, **options)


@points(2)
def test_gradients_numerically(solution, rng):
    """Gradients of x disagree with finite differences in float64: the backward pass does not belong to this forward pass."""
    module = build(solution, 4, 2, weights_for(rng, 4, dtype=F64))
    assert_gradcheck(lambda x: module(x, causal=True), (rng.randn(1, 3, 4, dtype=F64).requires_grad_(),))


@attested
@points(2)
@pytest.mark.parametrize("causal", [False, True], ids=["plain", "causal"])
def test_no_built_in_attention(solution, attest, rng, causal):
    """A built-in attention ran: this exercise is about writing it from projections, matrix products and a softmax."""
    module = build(solution, 16, 2, weights_for(rng, 16))
    seen = attest(module, rng.randn(2, 4, 16), causal=causal)
    ready_made = ("attention", "_fused_sdp", "transformer_encoder")
    check(not any(part in name for name in seen.operators for part in ready_made), "a built-in attention ran")


@attested
@points(2)
@pytest.mark.parametrize("causal", [False, True], ids=["plain", "causal"])
def test_heads_attend_together(solution, attest, rng, causal):
    """Sixteen heads take more products than two: let one batched product serve all heads, without a loop over them."""
    x, calls = rng.randn(2, 5, 32), []
    for heads in (2, 16):
        module = build(solution, 32, heads, weights_for(rng, 32))
        seen = attest(module, x, causal=causal)
        calls.append(sum(count for name, count in seen.operators.items() if name.removeprefix("aten::") in WORK))
    # a product of narrow heads may be written otherwise than one of wide heads; a loop would add fourteen rounds
    check(calls[1] <= calls[0] + 10, f"two heads took {calls[0]} products and exponentials, sixteen took {calls[1]}")


@points(1)
@pytest.mark.parametrize("shape", [(3, 1, 6), (3, 6)], ids=["heads", "queries"])
def test_a_mask_is_read_from_the_right(solution, reference, rng, shape):
    """With as many batch items as heads and queries a mask still broadcasts from the right: its first rows are no items."""
    mine, theirs = pair(solution, reference, rng, 12, 3)
    x, context, mask = rng.randn(3, 3, 12), rng.randn(3, 6, 12), rng.mask(*shape, p=0.6)
    mask[0], mask[1] = torch.arange(6) < 2, torch.arange(6) > 2
    assert_close(mine(x, context, mask=mask), theirs(x, context, mask=mask))
