"""Hidden tests: class_weights, balanced_draws, epoch_loss."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

DRAWS = 20_000


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def mixed(rng, counts):
    """Labels with the given number of samples for each class, in random order."""
    labels = torch.arange(len(counts)).repeat_interleave(torch.tensor(counts))
    return labels[rng.permutation(len(labels))]


def expected_weights(labels, n_classes, beta):
    """The formula in float64, class by class."""
    raw = []
    for c in range(n_classes):
        n = int((labels == c).sum())
        raw.append(0.0 if n == 0 else 1 / n if beta is None else (1 - beta) / (1 - beta**n))
    mean = sum(raw) / sum(w > 0 for w in raw)
    return torch.tensor([w / mean for w in raw], dtype=torch.float64).float()


def near(count, draws, p):
    """Whether a binomial count lies within eight standard deviations of its mean: rare samples have a long upper tail."""
    return abs(count - draws * p) <= 8 * (draws * p * (1 - p)) ** 0.5


def batches_of(rng, sizes, classes, dtype):
    return [(3 * rng.randn(n, classes, dtype=dtype), rng.randint(0, classes, (n,))) for n in sizes]


def expected_loss(batches, weights):
    """The formula in float64 over all samples."""
    scores = torch.cat([s for s, _ in batches]).double()
    labels = torch.cat([y for _, y in batches])
    each = scores.logsumexp(1) - scores[torch.arange(len(labels)), labels]
    w = weights.double()[labels]
    return float((w * each).sum() / w.sum())


@sample
@points(1)
def test_four_to_one(solution):
    """Four samples of class 0 and one of class 1: weights in the proportion 1 : 4, with mean 1."""
    assert_close(solution.class_weights(torch.tensor([0, 0, 1, 0, 0]), 2), torch.tensor([0.4, 1.6]))


@sample
@points(1)
def test_two_batches(solution):
    """Losses log 2 (three samples of weight 1) and log 2 (one of weight 5): the mean is log 2, whatever the weights."""
    batches = [(torch.zeros(3, 2), torch.tensor([0, 0, 0])), (torch.zeros(1, 2), torch.tensor([1]))]
    assert_close(solution.epoch_loss(batches, torch.tensor([1.0, 5.0])), 0.6931471805599453)


@sample
@points(1)
def test_one_sample_per_class(solution):
    """With one sample of each class, all indices are equally likely, and there may be more draws than samples."""
    draws = solution.balanced_draws(torch.tensor([1, 0]), 400, generator(1))
    check(draws.shape == (400,), "the shape must be (num_samples,)")
    check(set(draws.tolist()) == {0, 1}, "both samples must be drawn")


@points(2)
@pytest.mark.parametrize("beta", [None, 0.0, 0.5, 0.9, 0.999], ids=["inverse", "zero", "half", "ninety", "high"])
def test_weights_of_random_classes(solution, rng, beta):
    """A class weight differs from the formula: check the count, the exponent and the scaling."""
    labels = mixed(rng, [rng.integer(1, 40) for _ in range(5)])
    weights = solution.class_weights(labels, 5, beta)
    assert_close(weights, expected_weights(labels, 5, beta), name="weights")


@points(2)
@pytest.mark.parametrize("beta", [0.999999, 0.99999999], ids=["six-nines", "eight-nines"])
def test_beta_near_one(solution, rng, beta):
    """With beta near 1 digits are lost in the difference: which dtype has enough of them?"""
    labels = mixed(rng, [rng.integer(1, 5), rng.integer(20, 60), rng.integer(200, 400)])
    assert_close(solution.class_weights(labels, 3, beta), expected_weights(labels, 3, beta), name="weights")


@points(2)
@pytest.mark.parametrize("beta", [None, 0.9], ids=["inverse", "effective"])
def test_absent_classes(solution, rng, beta):
    """A class without samples gets 0 and does not count in the mean, wherever its number lies."""
    for counts in ([0, rng.integer(2, 9), 3, 0, 7], [4, 0, rng.integer(2, 9), 0, 0], [0, 0, 6]):
        labels = mixed(rng, counts)
        weights = solution.class_weights(labels, len(counts), beta)
        assert_close(weights, expected_weights(labels, len(counts), beta), name="weights")


@points(1)
@pytest.mark.parametrize("beta", [-0.1, 1.0, 1.5], ids=["negative", "one", "above"])
def test_impossible_beta(solution, beta):
    """A beta below 0, of 1 or above raises ValueError."""
    with pytest.raises(ValueError):
        solution.class_weights(torch.tensor([0, 1, 1]), 2, beta)


@points(3)
@pytest.mark.parametrize("counts", [[90, 10], [60, 5, 25, 1], [3, 0, 40, 0, 17]], ids=["two", "four", "gaps"])
def test_classes_are_equally_likely(solution, rng, counts):
    """Classes or samples are not equally likely: the sampler needs one weight per sample."""
    labels = mixed(rng, counts)
    draws = solution.balanced_draws(labels, DRAWS, generator(rng.seed()))
    check(draws.dtype == torch.int64 and draws.shape == (DRAWS,), "the result must be int64 of shape (num_samples,)")
    check(0 <= int(draws.min()) and int(draws.max()) < len(labels), "an index is out of range")
    seen = torch.bincount(draws, minlength=len(labels))
    classes = sum(n > 0 for n in counts)
    for c, n in enumerate(counts):
        if n:
            check(near(int(seen[labels == c].sum()), DRAWS, 1 / classes), "classes are not equally likely")
            fair = all(near(k, DRAWS, 1 / classes / n) for k in seen[labels == c].tolist())
            check(fair, "samples of one class are not equally likely")


@points(2)
def test_draws_are_independent(probes, rng):
    """Draws are independent: the number of draws of a class varies, and no place in the result belongs to a class."""
    labels = mixed(rng, [6, 2])
    drawn = labels[probes.many(labels, 8, [rng.seed() for _ in range(120)])]
    check(len(set(drawn.sum(1).tolist())) > 3, "the number of draws of a class hardly varies")
    # 60 expected in each place, with a standard deviation of 5.5
    check(bool(((drawn.sum(0) > 20) & (drawn.sum(0) < 100)).all()), "a place in the result prefers a class")
    # the same class in two neighbouring draws: 420 of 840 expected, with a standard deviation of 14.5
    pairs = int((drawn[:, 1:] == drawn[:, :-1]).sum())
    check(abs(pairs - 420) < 100, "a draw depends on the one before")


@points(1)
def test_samples_of_a_class_are_independent(solution, rng):
    """Within a class each draw is independent of those before: the samples do not take turns."""
    counts = [80, 40]
    labels = mixed(rng, counts)
    seen = torch.bincount(solution.balanced_draws(labels, 6000, generator(rng.seed())), minlength=120).double()
    for c, n in enumerate(counts):
        own = seen[labels == c]
        spread = float(((own - own.mean()) ** 2).sum() / own.mean())
        # Chi-squared with n - 1 degrees of freedom: below n / 5 less than once in 10^7 judgings. Taking turns gives about 0.
        check(spread > n / 5, "the samples of a class are drawn too evenly")


@points(2)
def test_equal_generators_give_equal_draws(probes, rng):
    """The generator decides alone: the global one is neither read nor moved, and an equal state repeats the draws."""
    labels = mixed(rng, [12, 9, 2])
    draws, moved = probes.beside_the_global_generator(labels, 50, rng.seed(), [1, 2, 3])
    check(bool((draws == draws[0]).all()), "equal generators gave different draws")
    check(moved is False, "the global generator was moved")


@points(1)
def test_generator_moves_on(solution, rng):
    """Two calls with the same generator object go on with its stream, and so give different draws."""
    labels, one = mixed(rng, [30, 12]), generator(rng.seed())
    first, second = solution.balanced_draws(labels, 60, one), solution.balanced_draws(labels, 60, one)
    check(not torch.equal(first, second), "the second call with the same generator repeated the first")


@points(3)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("sizes", [[5, 7, 2], [11, 1, 3, 3], [6]], ids=["three", "four", "one"])
def test_loss_of_an_epoch(solution, rng, sizes, dtype):
    """The loss is one weighted mean over all samples: what do you divide by, and when?"""
    batches, weights = batches_of(rng, sizes, 4, dtype), 0.2 + 3 * rng.rand(4, dtype=dtype)
    assert_close(solution.epoch_loss(batches, weights), expected_loss(batches, weights), name="loss")


@points(1)
def test_weights_of_zero(solution, rng):
    """Samples of weight 0 do not count. If there are no others, the loss is 0.0."""
    weights = torch.tensor([0.0, 2.0, 0.5])
    batches = [(rng.randn(3, 3), torch.tensor([0, 0, 0])), (rng.randn(2, 3), torch.tensor([1, 2]))]
    assert_close(solution.epoch_loss(batches, weights), expected_loss(batches, weights), name="loss")
    assert_close(solution.epoch_loss(batches[:1], weights), 0.0, name="loss without weight")


@points(1)
@pytest.mark.parametrize("factor", [1e-3, 1e-9])
def test_small_weights(solution, rng, factor):
    """A common factor of all weights changes nothing, however small it is."""
    weights = factor * torch.tensor([1.0, 2.0, 0.5])
    batches = batches_of(rng, [3, 4], 3, torch.float32)
    assert_close(solution.epoch_loss(batches, weights), expected_loss(batches, weights), name="loss")


@points(1)
def test_large_scores(solution):
    """Scores of a thousand give a finite loss."""
    batches = [(torch.tensor([[1000.0, -1000.0], [1000.0, -1000.0]]), torch.tensor([0, 1]))]
    assert_close(solution.epoch_loss(batches, torch.tensor([3.0, 1.0])), 500.0, name="loss")


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Labels, scores and weights belong to the caller."""
    labels = mixed(rng, [5, 7])
    assert_not_mutated(solution.class_weights, labels, 2, 0.5)
    assert_not_mutated(solution.balanced_draws, labels, 9, generator())
    assert_not_mutated(solution.epoch_loss, batches_of(rng, [3, 2], 2, torch.float32), torch.tensor([1.0, 2.0]))
