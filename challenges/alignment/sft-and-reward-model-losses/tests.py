"""Hidden tests: the loss of supervised fine-tuning, rewards at the last token, and the loss of a reward model."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
V = 7


def true_sft(logits, labels):
    """Token by token."""
    total, count = logits.sum() * 0, 0
    for row in range(labels.shape[0]):
        for t in range(1, labels.shape[1]):
            if labels[row, t] != -100:
                total = total - logits[row, t - 1].log_softmax(0)[labels[row, t]]
                count += 1
    return total / max(count, 1)


def true_pair_loss(chosen, rejected, margin=0.0):
    """The softplus of minus the difference, written out."""
    gap = chosen - rejected - margin
    return (torch.clamp(-gap, min=0) + torch.log1p(torch.exp(-gap.abs()))).mean()


def batch(rng, n=3, length=6, dtype=F64):
    """Logits, and labels in which each row has a prompt, a response and padding; responses differ in length."""
    start, size = rng.randint(1, 3, (n, 1)), 1 + (torch.arange(n)[:, None] + rng.integer(0, 3)) % (length - 2)
    place = torch.arange(length)
    counts = (place >= start) & (place < start + size)
    return 2 * rng.randn(n, length, V, dtype=dtype), torch.where(counts, rng.randint(0, V, (n, length)), -100)


def scored(rng, n=5, length=7, side="right", dtype=F64):
    """Scores, and a mask with padding on one side or on both."""
    size = rng.randint(1, length, (n, 1))
    start = {"right": 0 * size, "left": length - size, "both": (length - size + 1) // 2}[side]
    place = torch.arange(length)
    return rng.randn(n, length, dtype=dtype), (place >= start) & (place < start + size)


@sample
@points(1)
def test_one_token_by_hand(solution):
    """The token at position 2 is predicted by the logits at position 1."""
    logits = torch.tensor([[[2.0, 1.0, 1.0], [1.0, 1.0, 8.0], [1.0, 2.0, 2.0]]]).log()
    assert_close(solution.sft_loss(logits, torch.tensor([[-100, -100, 2]])), torch.tensor(-math.log(0.8)))


@sample
@points(1)
def test_rewards_by_hand(solution):
    """The reward is the score at the last real token, whichever side the padding is on."""
    scores = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    mask = torch.tensor([[True, True, False], [False, False, True], [True, False, False]])
    assert_close(solution.response_rewards(scores, mask), torch.tensor([2.0, 6.0, 7.0]))


@sample
@points(1)
def test_pair_by_hand(solution):
    """Equal rewards cost log 2, and a reward that is better by log 3 costs log 4/3."""
    assert_close(solution.reward_model_loss(torch.tensor([5.0]), torch.tensor([5.0])), torch.tensor(math.log(2)))
    better = torch.tensor([1.0 + math.log(3)])
    assert_close(solution.reward_model_loss(better, torch.tensor([1.0])), torch.tensor(math.log(4 / 3)))


@points(2)
@EACH_DTYPE
def test_sft_values_and_gradients(solution, rng, dtype):
    """The loss or its gradient is wrong: shift logits and labels against each other, and average over what counts."""
    inputs = batch(rng, 4, 7, dtype)
    assert_same_gradients(solution.sft_loss, true_sft, inputs, wrt=[0], names=("logits", "labels"))


@points(2)
@pytest.mark.parametrize("shape", [(1, 2), (2, 5), (5, 3)], ids=str)
def test_any_labels(solution, rng, shape):
    """Labels with gaps give another loss: each token counts or does not count by itself."""
    labels = torch.where(rng.mask(*shape), rng.randint(0, V, shape), -100)
    labels[0, -1] = V - 1
    inputs = rng.randn(*shape, V, dtype=F64), labels
    assert_same_gradients(solution.sft_loss, true_sft, inputs, wrt=[0], names=("logits", "labels"))


@points(2)
def test_first_label(solution, rng):
    """Nothing predicts the first token: its label must not count, neither in the sum nor in the number of tokens."""
    logits, labels = batch(rng)
    expected = true_sft(logits, labels)
    labels[:, 0] = rng.randint(0, V, (3,))
    assert_close(solution.sft_loss(logits, labels), expected)


@points(1)
def test_last_logits(solution, rng):
    """The logits of the last position predict nothing: other values there must not change the loss."""
    logits, labels = batch(rng)
    labels[1, -1] = 3
    expected = true_sft(logits, labels)
    logits[:, -1] = 10 * rng.randn(3, V, dtype=F64)
    assert_close(solution.sft_loss(logits, labels), expected)


@points(2)
def test_sft_padding(solution, rng):
    """More padding must not change the loss, and neither must a sequence of which nothing counts."""
    logits, labels = batch(rng)
    expected = solution.sft_loss(logits, labels)
    longer = F.pad(logits, (0, 0, 0, 4)), F.pad(labels, (0, 4), value=-100)
    assert_close(solution.sft_loss(*longer), expected, name="loss with more padding")
    more = torch.cat([logits, rng.randn(2, 6, V, dtype=F64)]), F.pad(labels, (0, 0, 0, 2), value=-100)
    assert_close(solution.sft_loss(*more), expected, name="loss with empty sequences")


@points(2)
def test_each_token_has_the_same_weight(solution, rng):
    """The loss is a mean over tokens: two batches together weigh by their number of tokens, long answers more than short."""
    (some, first), (others, second) = batch(rng, 2, 4), batch(rng, 4, 4)
    first[:], second[:] = -100, -100
    first[0, 1], second[:, 1:] = 2, rng.randint(0, V, (4, 3))
    parts = solution.sft_loss(some, first), solution.sft_loss(others, second)
    whole = solution.sft_loss(torch.cat([some, others]), torch.cat([first, second]))
    assert_close(whole, (parts[0] + 12 * parts[1]) / 13)


@points(2)
@pytest.mark.parametrize("case", ["masked", "one-token"])
def test_nothing_counts(solution, rng, case):
    """When no token counts, the loss and its gradient must be 0: the mean of nothing would be NaN."""
    logits = rng.randn(3, 1 if case == "one-token" else 4, V).requires_grad_()
    labels = torch.full(logits.shape[:2], -100)
    labels[:, 0] = 1
    loss = solution.sft_loss(logits, labels)
    assert_close(loss.detach(), torch.zeros(()))
    check(loss.requires_grad, "the loss is detached from the logits")
    (gradient,) = torch.autograd.grad(loss, logits)
    assert_close(gradient, torch.zeros_like(logits), name="gradient of logits")


@points(1)
@EACH_DTYPE
def test_large_logits(solution, rng, dtype):
    """Logits in the thousands must give an exact loss: never form a probability before its logarithm."""
    logits, labels = batch(rng, dtype=dtype)
    # Steps of 1,500: closer scores would ask for digits of a difference that float32 does not have at this size.
    inputs = 1500.0 * logits.argsort(-1).to(dtype) - 4500.0, labels
    assert_same_gradients(solution.sft_loss, true_sft, inputs, wrt=[0], names=("logits", "labels"), scale=4.0)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("side", ["right", "left", "both"])
def test_rewards(solution, rng, side, dtype):
    """A reward or its gradient belongs to another position: look for the last real token, not for a number of tokens."""
    scores, mask = scored(rng, side=side, dtype=dtype)
    last = [max(t for t in range(7) if row[t]) for row in mask]
    expected = lambda s, m: torch.stack([s[row, t] for row, t in enumerate(last)])  # noqa: E731
    assert_same_gradients(solution.response_rewards, expected, (scores, mask), wrt=[0], names=("scores", "mask"))


@points(1)
def test_rewards_without_padding(solution, rng):
    """Full sequences and sequences of one token: the last position, and the only one."""
    scores = rng.randn(3, 5)
    assert_close(solution.response_rewards(scores, torch.ones(3, 5).bool()), scores[:, -1])
    assert_close(solution.response_rewards(scores[:, :1], torch.ones(3, 1).bool()), scores[:, 0])
    assert_close(solution.response_rewards(scores, torch.arange(5).expand(3, 5) == 0), scores[:, 0])


@points(2)
def test_nan_at_padding(solution, rng):
    """NaN at padding reached a reward or a gradient: pick the score by its index instead of multiplying by a mask."""
    scores, mask = scored(rng, side="both")
    scores = scores.masked_fill(~mask, math.nan).requires_grad_()
    rewards = solution.response_rewards(scores, mask)
    last = torch.tensor([max(t for t in range(7) if row[t]) for row in mask])
    assert_close(rewards.detach(), scores.detach()[torch.arange(5), last])
    (gradient,) = torch.autograd.grad(rewards.sum(), scores)
    assert_close(gradient, F.one_hot(last, 7).double(), name="gradient of scores")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("margin", ["none", "number", "tensor"])
def test_pairs(solution, rng, margin, dtype):
    """The loss of pairs or its gradient is wrong: chosen minus rejected minus margin, the mean over pairs at the end."""
    chosen, rejected = 2 * rng.randn(5, dtype=dtype), 2 * rng.randn(5, dtype=dtype)
    given = {"none": (), "number": (rng.uniform(0.5, 2),), "tensor": (2 * rng.rand(5, dtype=dtype),)}[margin]
    assert_same_gradients(
        solution.reward_model_loss,
        true_pair_loss,
        (chosen, rejected, *given),
        wrt=[0, 1],
        names=("chosen", "rejected", "margin"),
    )


@points(2)
def test_symmetries_of_pairs(solution, rng):
    """A constant on all rewards must change nothing, and exchanged answers must cost the mean difference more."""
    chosen, rejected = 2 * rng.randn(5, dtype=F64), 2 * rng.randn(5, dtype=F64)
    loss = solution.reward_model_loss(chosen, rejected)
    shifted = solution.reward_model_loss(chosen + 40, rejected + 40)
    assert_close(shifted, loss, name="loss with shifted rewards")
    swapped = solution.reward_model_loss(rejected, chosen)
    assert_close(swapped - loss, (chosen - rejected).mean(), name="loss of exchanged answers minus the loss")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("size", [60.0, 300.0, 1e5])
def test_large_differences(solution, rng, size, dtype):
    """A clear pair costs 0, a hopeless one its difference, with a full gradient: stay in the logarithm of the sigmoid."""
    rejected = rng.randn(4, dtype=dtype)
    chosen = rejected + size * torch.tensor([1.0, -1.0, -0.7, 0.8], dtype=dtype)
    names = ("chosen", "rejected")
    assert_same_gradients(solution.reward_model_loss, true_pair_loss, (chosen, rejected), names=names)


@points(1)
def test_layouts(solution, rng):
    """Inputs that are not contiguous are tensors like any other."""
    logits, labels = rng.randn(V, 6, 4, dtype=F64).permute(2, 1, 0), rng.randint(0, V, (6, 4)).t()
    assert_same_gradients(solution.sft_loss, true_sft, (logits, labels), wrt=[0], names=("logits", "labels"))
    scores = rng.randn(7, 8, dtype=F64).t()[::2]
    assert_close(solution.response_rewards(scores, torch.ones(7, 4).bool().t()), scores[:, -1])
    chosen, rejected = rng.randn(8, dtype=F64)[::2], rng.randn(4, 3, dtype=F64)[:, 1]
    assert_same_gradients(solution.reward_model_loss, true_pair_loss, (chosen, rejected))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither logits nor labels nor scores nor rewards may be written to."""
    assert_not_mutated(solution.sft_loss, *batch(rng))
    assert_not_mutated(solution.response_rewards, *scored(rng))
    assert_not_mutated(solution.reward_model_loss, rng.randn(4), rng.randn(4), rng.rand(4))
