"""Hidden tests: the log probability of a response, and direct preference optimisation."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

BF16, F32, F64 = torch.bfloat16, torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
V = 7
NAMES = ("policy_chosen", "policy_rejected", "ref_chosen", "ref_rejected")


def true_log_prob(logits, tokens, mask):
    """Position by position: the score of a token at the position before it."""
    rows = []
    for row in range(logits.shape[0]):
        total = logits.new_zeros(())
        for t in range(1, logits.shape[1]):
            if mask[row, t]:
                total = total - F.cross_entropy(logits[row, t - 1], tokens[row, t])
        rows.append(total)
    return torch.stack(rows)


def true_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.1):
    """The definition, with the softplus of minus the margin written out."""
    margin = beta * ((policy_chosen - ref_chosen.detach()) - (policy_rejected - ref_rejected.detach()))
    return (torch.clamp(-margin, min=0) + torch.log1p(torch.exp(-margin.abs()))).mean()


def sequences(rng, n=3, length=6, dtype=F64):
    """Logits, tokens, and a mask in which each row has a prompt, a response and padding."""
    start = rng.randint(1, 3, (n, 1))
    place = torch.arange(length)
    mask = (place >= start) & (place < start + rng.randint(2, length - 2, (n, 1)))
    return 2 * rng.randn(n, length, V, dtype=dtype), rng.randint(0, V, (n, length)), mask


def pairs(rng, n=5, dtype=F64):
    """Four log probabilities of long responses; the policy has moved a little away from the reference."""
    chosen, rejected = -300 * rng.rand(n, dtype=dtype) - 5, -300 * rng.rand(n, dtype=dtype) - 5
    return chosen + 4 * rng.randn(n, dtype=dtype), rejected + 4 * rng.randn(n, dtype=dtype), chosen, rejected


def loss_of(solution):
    return lambda *args, **kwargs: solution.dpo_loss(*args, **kwargs)[0]


@sample
@points(1)
def test_two_tokens_by_hand(solution):
    """The log probability is the sum over the tokens of the response, each predicted by the position before it."""
    logits = torch.tensor([[[2.0, 1.0, 1.0], [1.0, 1.0, 8.0], [1.0, 2.0, 2.0]]]).log()
    tokens, mask = torch.tensor([[0, 1, 2]]), torch.tensor([[False, True, True]])
    assert_close(solution.response_log_prob(logits, tokens, mask), torch.tensor([math.log(0.25 * 0.8)]))


@sample
@points(1)
def test_equal_models(solution):
    """As long as the policy is the reference, rewards are 0 and the loss is log 2."""
    chosen, rejected = torch.tensor([-40.0, -7.0]), torch.tensor([-42.0, -3.0])
    loss, better, worse = solution.dpo_loss(chosen, rejected, chosen.clone(), rejected.clone())
    assert_close(loss, torch.tensor(math.log(2)), name="loss")
    assert_close((better, worse), (torch.zeros(2), torch.zeros(2)), name="rewards")


@sample
@points(1)
def test_one_pair_by_hand(solution):
    """Rewards are β times the log ratio to the reference, and the loss is about their difference."""
    numbers = [torch.tensor([x]) for x in (-10.0, -21.0, -12.0, -20.0)]
    loss, better, worse = solution.dpo_loss(*numbers, beta=0.5)
    assert_close(better, torch.tensor([1.0]), name="rewards of the chosen")
    assert_close(worse, torch.tensor([-0.5]), name="rewards of the rejected")
    assert_close(loss, torch.tensor(math.log1p(math.exp(-1.5))), name="loss")


@points(2)
@EACH_DTYPE
def test_log_probs(solution, rng, dtype):
    """A log probability or its gradient is wrong: shift logits, tokens and mask against each other, then sum."""
    logits, tokens, mask = sequences(rng, 4, 7, dtype)
    assert_same_gradients(solution.response_log_prob, true_log_prob, (logits, tokens, mask), wrt=[0], names=("logits",))


@points(2)
@pytest.mark.parametrize("shape", [(1, 2), (2, 5), (5, 3)], ids=str)
def test_any_mask(solution, rng, shape):
    """A mask with gaps gives another value: each token counts or does not count by itself."""
    logits, tokens = rng.randn(*shape, V, dtype=F64), rng.randint(0, V, shape)
    mask = rng.mask(*shape)
    mask[0, -1] = True
    assert_same_gradients(solution.response_log_prob, true_log_prob, (logits, tokens, mask), wrt=[0], names=("logits",))


@points(2)
def test_prompt_and_padding_do_not_count(solution, rng):
    """Other tokens in the prompt or in the padding, with the same logits, must not change the result."""
    logits, tokens, mask = sequences(rng)
    mask[0, :3] = torch.tensor([False, False, True])
    expected = solution.response_log_prob(logits, tokens, mask)
    others = torch.where(mask, tokens, (tokens + rng.randint(1, V, tokens.shape)) % V)
    assert_close(solution.response_log_prob(logits, others, mask), expected)


@points(2)
def test_more_padding(solution, rng):
    """Padding behind the response must not change its log probability: there is no mean over positions."""
    logits, tokens, mask = sequences(rng)
    expected = solution.response_log_prob(logits, tokens, mask)
    longer = F.pad(logits, (0, 0, 0, 4)), F.pad(tokens, (0, 4)), F.pad(mask, (0, 4))
    assert_close(solution.response_log_prob(*longer), expected)


@points(2)
def test_first_token(solution, rng):
    """Nothing predicts the first token: it must not count, whatever the mask says, and the last logits predict nothing."""
    logits, tokens, mask = sequences(rng)
    mask[:, 0] = mask[0, -1] = True
    assert_same_gradients(solution.response_log_prob, true_log_prob, (logits, tokens, mask), wrt=[0], names=("logits",))
    other = logits.clone()
    other[:, -1] = rng.randn(V, dtype=F64)
    assert_close(solution.response_log_prob(other, tokens, mask), true_log_prob(logits, tokens, mask))


@points(1)
def test_nothing_counts(solution, rng):
    """A sequence without a response, or of one token, has the log probability 0."""
    logits, tokens, mask = sequences(rng)
    mask[1] = False
    out = solution.response_log_prob(logits, tokens, mask)
    assert_close(out, true_log_prob(logits, tokens, mask))
    assert_close(out[1], torch.zeros((), dtype=F64))
    assert_close(solution.response_log_prob(logits[:, :1], tokens[:, :1], mask[:, :1]), torch.zeros(3, dtype=F64))


@points(2)
@EACH_DTYPE
def test_impossible_prompt(solution, rng, dtype):
    """An impossible token outside the response gave NaN, in the value or in a gradient: replace, do not multiply by 0."""
    logits, tokens, mask = sequences(rng, dtype=dtype)
    mask[:, 1], mask[:, -1] = False, False
    tokens[:, 1], tokens[:, -1], tokens[mask] = V - 1, V - 2, rng.randint(0, V - 2, tokens.shape)[mask]
    logits[:, 0, V - 1] = -math.inf
    logits[:, -2, V - 2] = -math.inf
    assert_same_gradients(solution.response_log_prob, true_log_prob, (logits, tokens, mask), wrt=[0], names=("logits",))


@points(2)
def test_bfloat16(solution, rng):
    """With bfloat16 logits the dtype or the value is wrong: convert them to float32 before the log-softmax, not after it."""
    logits, tokens = (3 * rng.randn(2, 120, V)).to(BF16), rng.randint(0, V, (2, 120))
    mask = torch.arange(120).expand(2, 120) >= 5
    out = solution.response_log_prob(logits, tokens, mask)
    assert_close(out, true_log_prob(logits.float(), tokens, mask))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("beta", [0.1, 0.7])
def test_loss_and_gradients(solution, rng, beta, dtype):
    """The loss or its gradient for the policy is wrong for some β: β belongs inside the sigmoid, and the mean is over pairs."""
    inputs = pairs(rng, dtype=dtype)
    assert_same_gradients(loss_of(solution), true_loss, inputs, wrt=[0, 1], names=NAMES, beta=beta, scale=4.0)


@points(1)
def test_default_beta(solution, rng):
    """β is 0.1 unless given."""
    inputs = pairs(rng)
    loss, better, worse = solution.dpo_loss(*inputs)
    assert_close(loss, true_loss(*inputs, beta=0.1), name="loss")
    assert_close(better, 0.1 * (inputs[0] - inputs[2]), name="rewards of the chosen")
    assert_close(worse, 0.1 * (inputs[1] - inputs[3]), name="rewards of the rejected")


@points(2)
@EACH_DTYPE
def test_rewards(solution, rng, dtype):
    """The rewards are one number for each response, β included, and carry no gradient."""
    inputs = [x.requires_grad_() for x in pairs(rng, dtype=dtype)]
    loss, better, worse = solution.dpo_loss(*inputs, beta=0.3)
    check(loss.requires_grad, "the loss is detached from the policy")
    check(not better.requires_grad and not worse.requires_grad, "a reward carries a gradient")
    assert_close(better, (0.3 * (inputs[0] - inputs[2])).detach(), name="rewards of the chosen")
    assert_close(worse, (0.3 * (inputs[1] - inputs[3])).detach(), name="rewards of the rejected")


@points(3)
def test_reference_is_constant(solution, rng):
    """A gradient reaches the reference, or none reaches the policy: only one of the two models is trained."""
    inputs = [x.requires_grad_() for x in pairs(rng)]
    found = torch.autograd.grad(solution.dpo_loss(*inputs)[0], inputs, allow_unused=True)
    for gradient in found[:2]:
        check(gradient is not None and bool(gradient.all()), "no gradient reaches one of the responses of the policy")
    for gradient in found[2:]:
        check(gradient is None or not bool(gradient.any()), "a gradient reaches the reference")


@points(2)
def test_first_step(solution, rng):
    """When policy and reference are the same tensors, the loss is log 2 and the gradient is β/2 per pair, up and down."""
    chosen, rejected = (x.requires_grad_() for x in pairs(rng, 5)[:2])
    loss = solution.dpo_loss(chosen, rejected, chosen, rejected, beta=0.4)[0]
    assert_close(loss.detach(), torch.tensor(math.log(2), dtype=F64), name="loss")
    up, down = torch.autograd.grad(loss, (chosen, rejected))
    assert_close(up, torch.full((5,), -0.4 / 2 / 5, dtype=F64), name="gradient of policy_chosen")
    assert_close(down, torch.full((5,), 0.4 / 2 / 5, dtype=F64), name="gradient of policy_rejected")


@points(2)
def test_only_differences_count(solution, rng):
    """Moving both log probabilities of a pair by the same amount must not change the loss: the partition function cancels."""
    inputs = pairs(rng)
    expected = true_loss(*inputs)
    shift = 5 * rng.randn(5, dtype=F64)
    assert_close(loss_of(solution)(inputs[0] + shift, inputs[1] + shift, *inputs[2:]), expected)
    assert_close(loss_of(solution)(*inputs[:2], inputs[2] + shift, inputs[3] + shift), expected)


@points(2)
def test_swapped_pair(solution, rng):
    """With chosen and rejected exchanged, the loss must grow by exactly the mean margin."""
    inputs = pairs(rng)
    loss, better, worse = solution.dpo_loss(*inputs, beta=0.2)
    swapped = loss_of(solution)(inputs[1], inputs[0], inputs[3], inputs[2], beta=0.2)
    assert_close(swapped - loss, (better - worse).mean())


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("margin", [60.0, 300.0, 1e5])
def test_large_margins(solution, rng, margin, dtype):
    """A clear pair costs 0, a hopeless one as much as its margin, with a full gradient: stay in the logarithm."""
    gap = torch.tensor([1.0, -1.0, -0.5, 0.25], dtype=dtype) * margin / 0.5
    start = -10 * rng.rand(4, dtype=dtype)
    policy = (start + gap).requires_grad_()
    loss = solution.dpo_loss(policy, start.clone(), start.clone(), start.clone(), beta=0.5)[0]
    true = 0.5 * (policy.detach() - start)
    assert_close(loss.detach(), (torch.clamp(-true, min=0) + torch.log1p(torch.exp(-true.abs()))).mean(), name="loss")
    (gradient,) = torch.autograd.grad(loss, policy)
    # A gradient of nearly 0 is the difference of two numbers near 1 in some right answers, so it is off by their rounding.
    assert_close(gradient, -0.5 / 4 * torch.sigmoid(-true), scale=8.0, name="gradient of policy_chosen")


@points(1)
def test_layouts(solution, rng):
    """Inputs that are not contiguous are tensors like any other."""
    logits = rng.randn(V, 6, 4, dtype=F64).permute(2, 1, 0)
    tokens, mask = rng.randint(0, V, (6, 4)).t(), rng.mask(4, 12)[:, ::2]
    mask[0, 2] = True
    assert_same_gradients(solution.response_log_prob, true_log_prob, (logits, tokens, mask), wrt=[0], names=("logits",))
    inputs = [x[::2] for x in pairs(rng, 8)]
    assert_same_gradients(loss_of(solution), true_loss, inputs, wrt=[0, 1], names=NAMES, scale=4.0)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither logits nor masks nor log probabilities may be written to."""
    assert_not_mutated(solution.response_log_prob, *sequences(rng))
    assert_not_mutated(solution.dpo_loss, *pairs(rng))
