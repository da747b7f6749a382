"""Hidden tests: advantages relative to a group, and the loss of group relative policy optimisation."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("log_probs", "old_log_probs", "ref_log_probs", "advantages", "mask")


def true_loss(log_probs, old_log_probs, ref_log_probs, advantages, mask, clip=0.2, beta=0.04):
    """Token by token, with the four cases of clipping written out."""
    total = log_probs[:, :0].sum()
    for i in range(mask.shape[0]):
        counted = [t for t in range(mask.shape[1]) if mask[i, t]]
        for t in counted:
            new, a = log_probs[i, t], float(advantages[i])
            old = (log_probs if old_log_probs is None else old_log_probs)[i, t].detach()
            ratio = (new - old).exp()
            if (a > 0 and float(ratio) > 1 + clip) or (a < 0 and float(ratio) < 1 - clip):
                ratio = torch.full_like(ratio, 1 + clip if a > 0 else 1 - clip)
            d = ref_log_probs[i, t].detach() - new
            total = total - (ratio * a - beta * (d.exp() - d - 1)) / len(counted) / mask.shape[0]
    return total


def answers(rng, n=4, length=7, dtype=F64):
    """Log probabilities of three models that differ a little, advantages of both signs, answers of several lengths."""
    old = -3 * rng.rand(n, length, dtype=dtype) - 0.1
    new, ref = old + 0.4 * rng.randn(n, length, dtype=dtype), old + 0.6 * rng.randn(n, length, dtype=dtype)
    advantages = (0.3 + rng.rand(n, dtype=dtype)) * torch.tensor([1.0, -1.0], dtype=dtype).repeat(n)[:n]
    size = 1 + (torch.arange(n)[:, None] * 2 + rng.integer(0, length)) % length
    return new, old, ref, advantages, torch.arange(length) < size


def check_same(solution, inputs, **options):
    """Values, and gradients for log_probs."""
    assert_same_gradients(solution.grpo_loss, true_loss, inputs, wrt=[0], names=NAMES, scale=4.0, **options)


@sample
@points(1)
def test_advantages_by_hand(solution):
    """Each reward minus the mean of its group, divided by the standard deviation plus eps."""
    rewards = torch.tensor([[1.0, 0.0, 0.0, 1.0], [4.0, 8.0, 8.0, 4.0]])
    expected = torch.tensor([[0.5, -0.5, -0.5, 0.5], [-0.8, 0.8, 0.8, -0.8]])
    assert_close(solution.group_advantages(rewards, eps=0.5), expected)


@sample
@points(1)
def test_clipping_by_hand(solution):
    """A ratio of 2 counts as 1.2 for a good answer, and as 2 for a bad one."""
    new, old, mask = torch.tensor([[0.5]]).log(), torch.tensor([[0.25]]).log(), torch.tensor([[True]])
    assert_close(solution.grpo_loss(new, old, new, torch.tensor([1.0]), mask), torch.tensor(-1.2))
    assert_close(solution.grpo_loss(new, old, new, torch.tensor([-1.0]), mask), torch.tensor(2.0))


@sample
@points(1)
def test_penalty_by_hand(solution):
    """Where the reference finds a token twice as probable as the policy, the penalty is β (2 - log 2 - 1)."""
    new, ref, mask = torch.tensor([[0.25]]).log(), torch.tensor([[0.5]]).log(), torch.tensor([[True]])
    loss = solution.grpo_loss(new, new, ref, torch.tensor([0.0]), mask, beta=0.5)
    assert_close(loss, torch.tensor(0.5 * (1 - math.log(2))))


@points(2)
@EACH_DTYPE
def test_advantages(solution, rng, dtype):
    """An advantage is wrong for some group size: mean and standard deviation are those of the row, divided by G."""
    for shape in ((3, 5), (5, 2), (1, 7)):
        rewards = rng.randn(*shape, dtype=dtype)
        mean = rewards.sum(1, keepdim=True) / shape[1]
        std = ((rewards - mean) ** 2).mean(1, keepdim=True).sqrt()
        assert_close(solution.group_advantages(rewards), (rewards - mean) / (std + 1e-4))


@points(2)
def test_eps(solution, rng):
    """eps is added to the standard deviation: not under a root, not to a variance, and not as a lower limit."""
    rewards = torch.tensor([[3.0, 3.0 + 2e-4, 3.0 + 2e-4, 3.0]], dtype=F64)
    half = torch.tensor([[-0.5, 0.5, 0.5, -0.5]], dtype=F64)
    # the rewards are rounded, and their differences are some ten thousand times smaller
    assert_close(solution.group_advantages(rewards), half, rtol=1e-9)
    eps = rng.uniform(0.5, 2)
    assert_close(solution.group_advantages(rewards * 1e4, eps), half * 2 / (1 + eps), rtol=1e-9)


@points(3)
@EACH_DTYPE
def test_equal_rewards(solution, rng, dtype):
    """A group in which all rewards are equal, or a group of one, teaches nothing: its advantages must be 0, not NaN."""
    rewards = rng.rand(3, 3, dtype=dtype)
    # the mean of three times 0.1 is not 0.1 in floating point
    rewards[1] = rng.choice([0.1, 0.7])
    out = solution.group_advantages(rewards)
    check(bool((out[1].abs() < 1e-2).all()), "the advantages of a group of equal rewards are not 0")
    check(bool((out[::2].abs().amax(1) > 0.1).all()), "the other groups have lost their advantages")
    assert_close(solution.group_advantages(rewards[:, :1]), torch.zeros(3, 1, dtype=dtype))


@points(2)
def test_shifted_and_scaled_rewards(solution, rng):
    """A group whose rewards are shifted, or scaled by a positive number, must keep its advantages; groups do not mix."""
    # multiples of 1/16 in groups of four: even the mean of large rewards is exact in float32
    rewards = rng.randint(-8, 8, (3, 4)).float() / 4 + torch.tensor([0.0, 0.0, 0.25, 0.125])
    expected = solution.group_advantages(rewards, eps=1e-9)
    moved = rewards * torch.tensor([[1.0], [2.0], [0.5]]) + torch.tensor([[1024.0], [0.0], [-2048.0]])
    assert_close(solution.group_advantages(moved, eps=1e-9), expected)
    order = rng.permutation(4)
    assert_close(solution.group_advantages(rewards[:, order], eps=1e-9), expected[:, order])


@points(3)
@EACH_DTYPE
def test_loss_and_gradients(solution, rng, dtype):
    """The loss or its gradient is wrong: ratio, clipping, penalty, then the mean over tokens and the mean over answers."""
    clip, beta, margin = rng.uniform(0.1, 0.3), rng.uniform(0.2, 0.8), 0.0
    # Redrawn until no ratio lies near a limit of the clipping, where rounding decides about the gradient.
    while margin <= 1e-4:
        inputs = answers(rng, 5, 7, dtype)
        ratio = (inputs[0].double() - inputs[1].double()).exp()[inputs[-1]]
        margin = float(((ratio - 1).abs() - clip).abs().min())
    check_same(solution, inputs, clip=clip, beta=beta)


@points(1)
def test_defaults(solution, rng):
    """clip is 0.2 and β is 0.04 unless given."""
    inputs = answers(rng)
    assert_close(solution.grpo_loss(*inputs), true_loss(*inputs, clip=0.2, beta=0.04), scale=4.0)


@points(3)
@pytest.mark.parametrize("case", ["good-above", "good-below", "bad-above", "bad-below", "good-inside", "bad-inside"])
def test_clipping(solution, rng, case):
    """One case of clipping is wrong: only a step further in the direction of the advantage loses its gradient."""
    sign = 1.0 if case.startswith("good") else -1.0
    low, high = {"above": (0.5, 1.5), "below": (-1.5, -0.5), "inside": (-0.15, 0.15)}[case.partition("-")[2]]
    old = -2 * rng.rand(3, 4, dtype=F64) - 2
    new = (old + low + (high - low) * rng.rand(3, 4, dtype=F64)).requires_grad_()
    advantages = sign * (0.5 + rng.rand(3, dtype=F64))
    loss = solution.grpo_loss(new, old, new.detach(), advantages, torch.ones(3, 4).bool(), beta=0.0)
    check(isinstance(loss, torch.Tensor) and loss.requires_grad, "the loss is detached from log_probs")
    (gradient,) = torch.autograd.grad(loss, new)
    ratio, stopped = (new.detach() - old).exp(), case in ("good-above", "bad-below")
    counted = torch.full_like(ratio, 1.2 if sign > 0 else 0.8) if stopped else ratio
    assert_close(loss.detach(), -(counted * advantages[:, None]).mean(), name="loss")
    expected = torch.zeros_like(ratio) if stopped else -ratio * advantages[:, None] / 12
    assert_close(gradient, expected, name="gradient of log_probs")


@points(2)
@pytest.mark.parametrize("old", ["none", "same-tensor", "equal"])
def test_first_step(solution, rng, old):
    """When the current policy wrote the answers, the ratio is 1, and the gradient is that of A times log π, not 0."""
    new, _, _, advantages, mask = answers(rng)
    new.requires_grad_()
    given = {"none": None, "same-tensor": new, "equal": new.detach().clone()}[old]
    loss = solution.grpo_loss(new, given, new, advantages, mask, beta=0.7)
    assert_close(loss.detach(), -advantages.mean(), name="loss")
    check(loss.requires_grad, "the loss is detached from log_probs")
    (gradient,) = torch.autograd.grad(loss, new)
    assert_close(gradient, -advantages[:, None] * mask / mask.sum(1, keepdim=True) / 4, name="gradient of log_probs")


@points(2)
def test_penalty(solution, rng):
    """The penalty is wrong: it is never negative, 0 where the models agree, and its gradient is 1 - exp(d)."""
    new, _, ref, _, mask = answers(rng)
    new.requires_grad_()
    loss = solution.grpo_loss(new, None, ref, torch.zeros(4, dtype=F64), mask, beta=1.0)
    d = ref - new.detach()
    weight = mask.double() / mask.sum(1, keepdim=True) / 4
    assert_close(loss.detach(), ((d.exp() - d - 1) * weight).sum(), name="loss")
    (gradient,) = torch.autograd.grad(loss, new)
    assert_close(gradient, (1 - d.exp()) * weight, name="gradient of log_probs")


@points(2)
@EACH_DTYPE
def test_far_from_the_others(solution, rng, dtype):
    """Logarithms that differ by 10, or by 30: neither the ratio nor the penalty is cut off beside the clipping."""
    new, _, _, advantages, mask = answers(rng, 4, 7, dtype)
    low = new - (31 if dtype is F64 else 11) - rng.rand(4, 7, dtype=dtype)
    check_same(solution, (low, low, new, advantages, mask))  # the penalty grows like an exponential
    check_same(solution, (new, new, 3 * low, advantages, mask))  # and like a line
    check_same(solution, (new, low, new, advantages, mask))


@points(3)
def test_only_the_policy_is_trained(solution, rng):
    """A gradient reaches the old policy, the reference or the advantages: all three are constants."""
    *floats, mask = answers(rng)
    floats = [x.requires_grad_() for x in floats]
    found = torch.autograd.grad(solution.grpo_loss(*floats, mask), floats, allow_unused=True)
    check(found[0] is not None and bool(found[0].any()), "no gradient reaches log_probs")
    for name, gradient in zip(NAMES[1:], found[1:], strict=False):
        check(gradient is None or not bool(gradient.any()), f"a gradient reaches {name}")


@points(2)
def test_each_answer_has_the_same_weight(solution, rng):
    """An answer that repeats all its tokens must change nothing: tokens are averaged within an answer, then answers."""
    new, old, ref, advantages, mask = answers(rng)
    expected = true_loss(new, old, ref, advantages, mask)
    twice = [torch.cat([x, x], 1) for x in (new, old, ref)]
    wide = torch.cat([mask, mask & (torch.arange(4)[:, None] == 1)], 1)
    assert_close(solution.grpo_loss(*twice, advantages, wide), expected, scale=4.0)


@points(2)
def test_empty_answers(solution, rng):
    """An answer without tokens contributes 0 and is still one of the N answers."""
    inputs = answers(rng)
    inputs[4][2] = False
    check_same(solution, inputs)
    inputs[4][:] = False
    assert_close(solution.grpo_loss(*inputs), torch.zeros((), dtype=F64))


@points(1)
def test_any_mask(solution, rng):
    """A mask with gaps, or with padding on the left, gives another loss: each token counts by itself."""
    *floats, mask = answers(rng)
    gaps = rng.mask(4, 7)
    gaps[0, :2] = torch.tensor([False, True])
    check_same(solution, (*floats, gaps))
    check_same(solution, (*floats, mask.flip(1)))


@points(3)
@pytest.mark.parametrize("value", [math.nan, -math.inf, 1e4], ids=["nan", "minus-inf", "huge"])
@pytest.mark.parametrize("old", ["given", "none"])
def test_positions_that_do_not_count(solution, rng, value, old):
    """A value at padding reached the loss or a gradient: replace it before the first operation, not after the last."""
    new, before, ref, advantages, mask = answers(rng)
    mask[:, -1] = False
    before = None if old == "none" else before
    expected = true_loss(new, before, ref, advantages, mask)
    padding = ~mask
    spoiled = new.masked_fill(padding, value).requires_grad_()
    before = None if before is None else before.masked_fill(padding & rng.mask(4, 7), value)
    loss = solution.grpo_loss(spoiled, before, ref.masked_fill(padding & rng.mask(4, 7), value), advantages, mask)
    assert_close(loss.detach(), expected, scale=4.0)
    (gradient,) = torch.autograd.grad(loss, spoiled)
    assert_close(gradient[padding], torch.zeros(int(padding.sum()), dtype=F64), name="gradient at padding")
    check(bool(gradient.isfinite().all()), "a gradient is not finite")


@points(1)
def test_padding(solution, rng):
    """More padding must not change the loss."""
    new, old, ref, advantages, mask = answers(rng)
    longer = [F.pad(x, (0, 3), value=-1.0) for x in (new, old, ref)]
    expected = true_loss(new, old, ref, advantages, mask)
    assert_close(solution.grpo_loss(*longer, advantages, F.pad(mask, (0, 3))), expected, scale=4.0)


@points(1)
def test_layouts(solution, rng):
    """Inputs that are not contiguous are tensors like any other."""
    new, old, ref, advantages, mask = answers(rng, 8, 6)
    check_same(solution, (new[::2], old[::2], ref[::2], advantages[::2], mask[::2]))
    check_same(solution, (new.t(), old.t(), ref.t(), advantages[:6], mask.t()))
    rewards = rng.randn(5, 3, dtype=F64)
    assert_close(solution.group_advantages(rewards.t()), solution.group_advantages(rewards.t().contiguous()))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither rewards nor log probabilities nor masks may be written to."""
    assert_not_mutated(solution.group_advantages, rng.randn(3, 4))
    assert_not_mutated(solution.grpo_loss, *answers(rng))
