"""Hidden tests: generalised advantage estimation, and the losses of proximal policy optimisation."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("log_probs", "old_log_probs", "advantages", "values", "old_values", "returns")


def true_gae(rewards, values, next_values, terminated, truncated, gamma=0.99, lam=0.95):
    """Each advantage as a sum over the steps that follow in its episode."""
    advantages = torch.zeros(rewards.shape, dtype=F64)
    for n in range(rewards.shape[1]):
        for start in range(rewards.shape[0]):
            for k, t in enumerate(range(start, rewards.shape[0])):
                behind = 0.0 if terminated[t, n] else float(next_values[t, n])
                delta = float(rewards[t, n]) + gamma * behind - float(values[t, n])
                advantages[start, n] += (gamma * lam) ** k * delta
                if terminated[t, n] or truncated[t, n]:
                    break
    advantages = advantages.to(rewards.dtype)
    return advantages, advantages + values.detach()


def true_losses(log_probs, old_log_probs, advantages, values, old_values, returns, clip=0.2):
    """Sample by sample, with the cases of clipping written out."""
    n, a = len(advantages), advantages.detach().double()
    a = (a - a.mean()) / (((a - a.mean()) ** 2).mean().sqrt() + 1e-8)
    policy, value = log_probs.sum() * 0, values.sum() * 0
    for i in range(n):
        ratio = (log_probs[i] - old_log_probs[i].detach()).exp()
        if (a[i] > 0 and ratio > 1 + clip) or (a[i] < 0 and ratio < 1 - clip):
            ratio = torch.full_like(ratio, 1 + clip if a[i] > 0 else 1 - clip)
        policy = policy - ratio * float(a[i]) / n
        new, old, goal = values[i], old_values[i].detach(), returns[i].detach()
        near = new
        if (new - old).abs() > clip:
            near = old + clip if new > old else old - clip
        far = near if (near - goal) ** 2 > (new - goal) ** 2 else new
        value = value + 0.5 * (far - goal) ** 2 / n
    return policy, value


def rollout(rng, steps=9, envs=4, dtype=F64):
    """A rollout in which episodes terminate, are truncated, are both, and go on at the last row."""
    ends = rng.rand(steps, envs)
    terminated, truncated = ends < 0.2, (ends > 0.15) & (ends < 0.4)
    terminated[2, 0], truncated[2, 0], truncated[4, 1], terminated[4, 1] = True, False, True, False
    terminated[-1, 2] = truncated[-1, 2] = False
    return (*(rng.randn(steps, envs, dtype=dtype) for _ in range(3)), terminated, truncated)


def batch(rng, n=12, dtype=F64):
    """A batch in which every case of clipping is likely."""
    old, old_values = -3 * rng.rand(n, dtype=dtype) - 0.1, rng.randn(n, dtype=dtype)
    new, values = old + 0.4 * rng.randn(n, dtype=dtype), old_values + 0.4 * rng.randn(n, dtype=dtype)
    return new, old, 3 * rng.randn(n, dtype=dtype) + 1, values, old_values, old_values + rng.randn(n, dtype=dtype)


def column(*numbers):
    return torch.tensor(numbers)[:, None]


@sample
@points(1)
def test_two_kinds_of_end(solution):
    """A terminated step has no value behind it, a truncated one has; neither hears of the rows after it."""
    rewards, values, behind = column(1.0, 1.0, 1.0), column(0.0, 0.0, 0.0), column(4.0, 4.0, 4.0)
    no, end = column(False, False, False), column(False, True, False)
    for terminated, truncated, expected in (
        (no, no, column(5.25, 4.5, 3.0)),
        (end, no, column(3.5, 1.0, 3.0)),
        (no, end, column(4.5, 3.0, 3.0)),
    ):
        advantages, returns = solution.gae(rewards, values, behind, terminated, truncated, 0.5, 1.0)
        assert_close(advantages, expected, name="advantages")
        assert_close(returns, expected, name="returns")


@sample
@points(1)
def test_policy_by_hand(solution):
    """With normalised advantages 1 and -1: a ratio of 2 counts as 1.2 for the good action, and as 2 for the bad one."""
    zero = torch.zeros(2)
    new, old = torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 0.25]).log()
    policy, _ = solution.ppo_losses(new, old, torch.tensor([7.0, 5.0]), zero, zero, zero)
    assert_close(policy, torch.tensor((2.0 - 1.2) / 2))


@sample
@points(1)
def test_value_by_hand(solution):
    """A value that moves by 1 towards its return counts as moved by 0.2, and one that moves away counts in full."""
    zero, one = torch.zeros(2), torch.ones(2)
    _, value = solution.ppo_losses(zero, zero, one, torch.tensor([1.0, 1.0]), zero, torch.tensor([2.0, -1.0]))
    assert_close(value, torch.tensor((1.8**2 + 2.0**2) / 4))


@points(3)
@EACH_DTYPE
def test_advantages_and_returns(solution, rng, dtype):
    """Advantages or returns are wrong: where is the sum cut, and where does the value behind a step count as 0?"""
    inputs, gamma, lam = rollout(rng, dtype=dtype), rng.uniform(0.8, 0.99), rng.uniform(0.5, 0.95)
    assert_close(solution.gae(*inputs, gamma, lam), true_gae(*inputs, gamma, lam), scale=4.0)


@points(1)
def test_defaults(solution, rng):
    """γ is 0.99, λ is 0.95 and clip is 0.2 unless given."""
    inputs = rollout(rng)
    assert_close(solution.gae(*inputs), true_gae(*inputs, 0.99, 0.95))
    inputs = batch(rng)
    assert_close(solution.ppo_losses(*inputs), true_losses(*inputs, clip=0.2))


@points(1)
@pytest.mark.parametrize("end", ["none", "terminated", "truncated", "both"])
def test_one_step(solution, rng, end):
    """A rollout of one step: its advantage is δ, with the value behind it unless the step was terminated."""
    rewards, values, behind = (rng.randn(1, 3, dtype=F64) for _ in range(3))
    terminated, truncated = (torch.full((1, 3), end in (name, "both")) for name in ("terminated", "truncated"))
    advantages, returns = solution.gae(rewards, values, behind, terminated, truncated, 0.9, 0.8)
    expected = rewards if end in ("terminated", "both") else rewards + 0.9 * behind
    assert_close(returns, expected, name="returns")
    assert_close(advantages, expected - values, name="advantages")


@points(2)
def test_lambda_zero_and_one(solution, rng):
    """With λ = 0 the advantage is δ; with λ = 1 the return is the discounted sum of rewards, and values inside cancel."""
    rewards, values, behind, terminated, truncated = rollout(rng)
    ends = terminated | truncated
    behind[:-1] = torch.where(ends[:-1], behind[:-1], values[1:])
    inputs = rewards, values, behind, terminated, truncated
    target = rewards + 0.9 * behind.masked_fill(terminated, 0.0)
    assert_close(solution.gae(*inputs, 0.9, 0.0)[1], target, name="returns with λ = 0")
    expected = target.clone()
    for t in range(7, -1, -1):
        expected[t] = torch.where(ends[t], target[t], rewards[t] + 0.9 * expected[t + 1])
    assert_close(solution.gae(*inputs, 0.9, 1.0)[1], expected, name="returns with λ = 1")


@points(2)
def test_right_values(solution, rng):
    """Where the values are right already, every advantage is 0, for every λ, across time limits too."""
    reward, gamma = rng.uniform(0.5, 2), 0.9
    _, _, _, _, truncated = rollout(rng)
    rewards, values = torch.full((9, 4), reward, dtype=F64), torch.full((9, 4), reward / (1 - gamma), dtype=F64)
    advantages, returns = solution.gae(rewards, values, values, torch.zeros(9, 4).bool(), truncated, gamma, 0.7)
    assert_close(advantages, torch.zeros(9, 4, dtype=F64), atol=1e-10, name="advantages")
    assert_close(returns, values, name="returns")


@points(2)
@pytest.mark.parametrize("kind", ["terminated", "truncated"])
def test_episodes_do_not_mix(solution, rng, kind):
    """Two episodes in one column must give the same as each of them alone."""
    parts = [[rng.randn(steps, 3, dtype=F64) for _ in range(3)] for steps in (4, 5)]
    end = torch.arange(9)[:, None].expand(9, 3) == 3
    no = torch.zeros(9, 3).bool()
    flags = (end, no) if kind == "terminated" else (no, end)
    whole = solution.gae(*(torch.cat(pair) for pair in zip(*parts, strict=True)), *flags, 0.9, 0.8)
    alone = [
        solution.gae(*part, *(flag[rows] for flag in flags), 0.9, 0.8)
        for part, rows in zip(parts, (slice(4), slice(4, 9)), strict=True)
    ]
    assert_close(whole, tuple(torch.cat(pair) for pair in zip(*alone, strict=True)))


@points(2)
def test_value_behind_the_end(solution, rng):
    """What next_values holds behind a terminated step does not matter: with NaN there, the results are the same."""
    found = []
    rewards, values, behind, terminated, truncated = rollout(rng)
    for entry in (math.nan, 0.0):
        found.append(solution.gae(rewards, values, behind.masked_fill(terminated, entry), terminated, truncated))
    assert_close(*found)


@points(2)
def test_constants(solution, rng):
    """Advantages and returns carry no gradient, and are the same if values ask for one: both are targets."""
    rewards, values, behind, terminated, truncated = rollout(rng)
    plain = solution.gae(rewards, values, behind, terminated, truncated)
    out = solution.gae(rewards, values.requires_grad_(), behind.requires_grad_(), terminated, truncated)
    check(isinstance(out, tuple) and len(out) == 2, "a tuple of advantages and returns expected")
    check(not out[0].requires_grad and not out[1].requires_grad, "a result of gae carries a gradient")
    assert_close(out, plain)


@points(3)
@EACH_DTYPE
def test_losses_and_gradients(solution, rng, dtype):
    """A loss or its gradient is wrong: normalised advantages, the minimum for the policy, the maximum for the values."""
    clip, margin = rng.uniform(0.1, 0.3), 0.0
    # Redrawn until no sample lies near a kink of a loss, where rounding decides about the gradient.
    while margin <= 1e-4:
        inputs = batch(rng, dtype=dtype)
        new, old, _, values, old_values, returns = (x.double() for x in inputs)
        ratio, move = (new - old).exp(), values - old_values
        near = old_values + move.clamp(-clip, clip)
        worse = ((values - returns).abs() - (near - returns).abs())[move.abs() > clip]
        distances = (ratio - (1 + clip), ratio - (1 - clip), move.abs() - clip, worse)
        margin = float(torch.cat(distances).abs().min())
    assert_same_gradients(solution.ppo_losses, true_losses, inputs, wrt=[0, 3], names=NAMES, clip=clip, scale=4.0)


@points(3)
@pytest.mark.parametrize("side", ["above", "below", "inside"])
def test_clipping_of_the_policy(solution, rng, side):
    """Only a ratio that is beyond the limit in the direction of the advantage is clipped, and loses its gradient."""
    low, high = {"above": (0.5, 1.5), "below": (-1.5, -0.5), "inside": (-0.15, 0.15)}[side]
    old, zero = -2 * rng.rand(6, dtype=F64) - 2, torch.zeros(6, dtype=F64)
    new = (old + low + (high - low) * rng.rand(6, dtype=F64)).requires_grad_()
    # mean 0 and standard deviation 1: only the small number in the denominator is left
    signs = torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0, -1.0], dtype=F64)
    a = signs / (1 + 1e-8)
    policy, _ = solution.ppo_losses(new, old, signs, zero, zero, zero)
    check(isinstance(policy, torch.Tensor) and policy.requires_grad, "the policy loss is detached from log_probs")
    (gradient,) = torch.autograd.grad(policy, new)
    ratio = (new.detach() - old).exp()
    stopped = {"above": a > 0, "below": a < 0, "inside": a > 2}[side]
    assert_close(gradient, torch.where(stopped, 0.0, -ratio * a / 6), name="gradient of log_probs")
    counted = torch.where(stopped, 1.0 + 0.2 * signs, ratio)
    assert_close(policy.detach(), -(counted * a).mean(), name="policy loss")


@points(3)
def test_clipping_of_the_values(solution, rng):
    """A value that moved too far towards its return has no gradient; one that moved away from it keeps the full one."""
    old = rng.randn(6, dtype=F64)
    move = torch.tensor([0.5, -0.5, 0.5, -0.5, 0.1, -0.1], dtype=F64)
    goal = old + torch.tensor([3.0, -3.0, -3.0, 3.0, 3.0, 3.0], dtype=F64)
    values, zero = (old + move).requires_grad_(), torch.zeros(6, dtype=F64)
    _, loss = solution.ppo_losses(zero, zero, zero, values, old, goal)
    check(isinstance(loss, torch.Tensor) and loss.requires_grad, "the value loss is detached from values")
    (gradient,) = torch.autograd.grad(loss, values)
    stopped = torch.arange(6) < 2
    error = (values - goal).detach()
    assert_close(gradient, torch.where(stopped, 0.0, error / 6), name="gradient of values")
    counted = torch.where(stopped, old + move.clamp(-0.2, 0.2) - goal, error)
    assert_close(loss.detach(), 0.5 * (counted**2).mean(), name="value loss")


@points(2)
def test_scale_of_the_advantages(solution, rng):
    """Advantages that are shifted, or scaled by a positive number, must give the same policy loss."""
    new, old, advantages, *rest = batch(rng)
    expected = solution.ppo_losses(new, old, advantages, *rest)[0]
    other = rng.uniform(2, 9) * advantages + rng.uniform(-50, 50)
    assert_close(solution.ppo_losses(new, old, other, *rest)[0], expected, rtol=1e-7)
    tiny = 1e-8 * torch.tensor([1.0, -1.0] * 6, dtype=F64)
    halved = true_losses(new, old, tiny, *rest)[0]
    assert_close(solution.ppo_losses(new, old, tiny, *rest)[0], halved, rtol=1e-9)


@points(1)
def test_equal_advantages(solution, rng):
    """With equal advantages there is nothing to learn: the policy loss must be 0, not NaN."""
    new, old, _, *rest = batch(rng, 4)
    policy, _ = solution.ppo_losses(new, old, torch.full((4,), 3.0, dtype=F64), *rest)
    assert_close(policy, torch.zeros((), dtype=F64), name="policy loss")


@points(1)
def test_one_sample(solution, rng):
    """A batch of one sample has the policy loss 0, not NaN, and the value loss of this sample."""
    one = [x[:1] for x in batch(rng)]
    policy, value = solution.ppo_losses(*one)
    assert_close(policy, torch.zeros((), dtype=F64), name="policy loss")
    assert_close(value, true_losses(*one)[1], name="value loss")


@points(2)
def test_first_step(solution, rng):
    """Before the first update old and new are the same tensors: the ratio is 1, and its gradient is not 0."""
    new, _, advantages, values, _, returns = batch(rng)
    new.requires_grad_(), values.requires_grad_()
    policy, value = solution.ppo_losses(new, new, advantages, values, values, returns)
    assert_close(policy.detach(), torch.zeros((), dtype=F64), atol=1e-12, name="policy loss")
    a = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
    assert_close(torch.autograd.grad(policy, new)[0], -a / 12, name="gradient of log_probs")
    expected = (values - returns).detach() / 12
    assert_close(torch.autograd.grad(value, values)[0], expected, name="gradient of values")


@points(3)
def test_only_two_inputs_are_trained(solution, rng):
    """The policy loss has a gradient for log_probs alone, the value loss for values alone."""
    # The old values have a gradient only where the clipped value counts, which not every batch has.
    for _ in range(4):
        inputs = [x.requires_grad_() for x in batch(rng)]
        for index, loss in zip((0, 3), solution.ppo_losses(*inputs), strict=True):
            found = torch.autograd.grad(loss, inputs, allow_unused=True, retain_graph=True)
            for i, (name, gradient) in enumerate(zip(NAMES, found, strict=True)):
                reached = gradient is not None and bool(gradient.any())
                check(reached == (i == index), f"{'no' if i == index else 'a'} gradient reaches {name}")


@points(1)
def test_layouts(solution, rng):
    """Inputs that are not contiguous are tensors like any other."""
    inputs = [x.t() for x in rollout(rng, 5, 3)]
    assert_close(solution.gae(*inputs), true_gae(*inputs))
    inputs = [x[::2] for x in batch(rng)]
    assert_same_gradients(solution.ppo_losses, true_losses, inputs, wrt=[0, 3], names=NAMES, scale=4.0)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither the rollout nor the batch may be written to."""
    assert_not_mutated(solution.gae, *rollout(rng))
    assert_not_mutated(solution.ppo_losses, *batch(rng))
