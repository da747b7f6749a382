"""Hidden tests: batches against the permutation of the same seed, and updates against torch's SGD on the same batches."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
DTYPES = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def data(rng, n, d, dtype=F64):
    return rng.randn(n, d, dtype=dtype), rng.randn(n, dtype=dtype)


def batches_of(X, y, size, generator, drop_last=False):
    """One epoch, by the words of the statement."""
    parts = torch.randperm(len(X), generator=generator).split(size)
    return [(X[part], y[part]) for part in parts if len(part) == size or not drop_last]


def fitted(X, y, size, lr, epochs, generator, drop_last=False):
    """The same training with torch's optimizer."""
    model = torch.nn.Linear(X.shape[1], 1).to(X.dtype)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=lr), []
    for _ in range(epochs):
        for X_batch, y_batch in batches_of(X, y, size, generator, drop_last):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(X_batch)[:, 0], y_batch)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return model.weight.detach()[0], model.bias.detach()[0], losses


def compare(result, expected, scale=16.0):
    check(type(result) is tuple and len(result) == 3, "sgd_fit must return w, b and losses in a tuple")
    w, b, losses = result
    check(
        type(losses) is list and all(type(loss) is float for loss in losses), "losses must be a list of Python floats"
    )
    check(len(losses) == len(expected[2]), f"{len(expected[2])} updates expected, there were {len(losses)} losses")
    assert_close(w, expected[0], scale=scale, name="w")
    assert_close(b, expected[1], scale=scale, name="b")
    rtol = 1e-4 if w.dtype == F32 else 1e-9
    assert_close(losses, expected[2], rtol=rtol, name="losses")
    check(not w.requires_grad and not b.requires_grad, "w and b must not require gradients")


@sample
@points(1)
def test_five_samples_two_at_a_time(solution):
    """Five samples in batches of 2: batches of 2, 2 and 1, in the order of the permutation."""
    X, y = torch.arange(10.0).reshape(5, 2), torch.arange(5.0)
    order = torch.randperm(5, generator=torch.Generator().manual_seed(1))
    batches = list(solution.minibatches(X, y, 2, torch.Generator().manual_seed(1)))
    check(len(batches) == 3, "three batches expected")
    for batch, rows in zip(batches, order.split(2), strict=True):
        assert_close(batch[0], X[rows], name="X of a batch")
        assert_close(batch[1], y[rows], name="y of a batch")


@sample
@points(1)
def test_one_update(solution):
    """One sample x = 2 with target 3 and a rate of 0.1: the loss is 9, w moves by 0.1 · 2 · 3 · 2 and b by 0.1 · 2 · 3."""
    w, b, losses = solution.sgd_fit(torch.tensor([[2.0]]), torch.tensor([3.0]), 1, 0.1, 1)
    assert_close(w, torch.tensor([1.2]), name="w")
    assert_close(b, torch.tensor(0.6), name="b")
    assert_close(losses, [9.0], rtol=1e-5, name="losses")


@sample
@points(1)
def test_count_updates(solution, rng):
    """Ten samples in batches of 4: three updates in an epoch, or two with drop_last."""
    X, y = rng.randn(10, 2), rng.randn(10)
    check(len(solution.sgd_fit(X, y, 4, 0.01, 5)[2]) == 15, "five epochs of three batches: 15 losses expected")
    check(len(solution.sgd_fit(X, y, 4, 0.01, 5, None, True)[2]) == 10, "with drop_last: 10 losses expected")


@points(2)
@DTYPES
@pytest.mark.parametrize("drop_last", [False, True], ids=["keep", "drop"])
def test_batches(solution, rng, dtype, drop_last):
    """The batches of an epoch differ from the permutation that the generator draws: cut it completely, rows with targets."""
    n, size, seed = rng.integer(11, 15), rng.choice([3, 4, 5]), rng.seed()
    for n, size in ((n, size), (12, 4), (3, 7), (1, 1)):
        X, y = data(rng, n, 3, dtype)
        batches = list(solution.minibatches(X, y, size, seeded(seed), drop_last))
        expected = batches_of(X, y, size, seeded(seed), drop_last)
        check(len(batches) == len(expected), "an epoch has more or fewer batches than it should")
        assert_close([tuple(batch) for batch in batches], expected, rtol=0.0, atol=0.0, name="batches")


@points(2)
def test_new_order_in_each_epoch(solution, rng):
    """Two epochs with one generator must have two orders, the next two that it draws, and nothing else may be drawn."""
    X, y = data(rng, 17, 2)
    generator = seeded(rng.seed())
    expected = torch.Generator()
    expected.set_state(generator.get_state())
    for _ in range(2):
        batches = list(solution.minibatches(X, y, 5, generator))
        assert_close([tuple(b) for b in batches], batches_of(X, y, 5, expected), rtol=0.0, atol=0.0, name="batches")
    check(torch.equal(generator.get_state(), expected.get_state()), "more was drawn from the generator than one order")


@points(1)
def test_global_generator(solution, rng):
    """Without a generator the order comes from torch's own, which is not seeded again."""
    X, y = data(rng, 17, 2)
    torch.manual_seed(rng.seed())
    first, second = (torch.cat([t for _, t in solution.minibatches(X, y, 4)]) for _ in range(2))
    check(not torch.equal(first, second), "two epochs without a generator have the same order")
    assert_close(first.sort().values, y.sort().values, name="targets of an epoch, sorted")


@points(3)
@DTYPES
@pytest.mark.parametrize("drop_last", [False, True], ids=["keep", "drop"])
def test_fit(solution, rng, dtype, drop_last):
    """Weights or losses differ from plain SGD on the same batches: one update per batch, with the mean over the batch."""
    X, y = data(rng, rng.choice([9, 11]), 3, dtype)  # no size below divides them
    size, lr, epochs, seed = rng.choice([2, 4, 5]), rng.uniform(0.02, 0.1), 3, rng.seed()
    result = solution.sgd_fit(X, y, size, lr, epochs, seeded(seed), drop_last)
    compare(result, fitted(X, y, size, lr, epochs, seeded(seed), drop_last))


@points(1)
def test_recovered_weights(solution, rng):
    """On data that a linear model has made, thirty epochs must recover its weights and bias to a hundredth."""
    X, w, b = rng.randn(200, 3), rng.randn(3), rng.randn(())
    found_w, found_b, _ = solution.sgd_fit(X, X @ w + b, 10, 0.05, 30, seeded(rng.seed()))
    assert_close(found_w, w, rtol=0.0, atol=1e-2, name="w")
    assert_close(found_b, b, rtol=0.0, atol=1e-2, name="b")


@points(1)
def test_fits_without_a_generator(solution, rng):
    """Without a generator two fits of the same data see different orders: torch's own generator must not be seeded again."""
    X, y = data(rng, 17, 2)
    torch.manual_seed(rng.seed())
    first, second = (solution.sgd_fit(X, y, 4, 0.05, 2)[2] for _ in range(2))
    check(first != second, "two fits without a generator have the same losses, and so the same orders")


@points(1)
def test_generator_after_the_fit(solution, rng):
    """A fit draws one order for each epoch: the generator is afterwards where so many draws leave it."""
    X, y = data(rng, 13, 2)
    seed = rng.seed()
    generator, expected = seeded(seed), seeded(seed)
    solution.sgd_fit(X, y, 4, 0.01, 3, generator)
    for _ in range(3):
        torch.randperm(13, generator=expected)
    check(torch.equal(generator.get_state(), expected.get_state()), "another number of orders than epochs was drawn")


@points(1)
def test_second_fit_starts_anew(solution, rng):
    """Two fits on different data: each starts from zero, and a batch as large as the data is one update an epoch."""
    for _ in range(2):
        X, y = data(rng, 7, 2)
        seed = rng.seed()
        compare(solution.sgd_fit(X, y, 7, 0.1, 4, seeded(seed)), fitted(X, y, 7, 0.1, 4, seeded(seed)))


@points(1)
@DTYPES
def test_no_epochs(solution, rng, dtype):
    """With epochs=0 the weights are zero, in the dtype of X, and there are no losses."""
    X, y = data(rng, 5, 3, dtype)
    compare(solution.sgd_fit(X, y, 2, 0.1, 0), (torch.zeros(3, dtype=dtype), torch.zeros((), dtype=dtype), []))


@points(1)
def test_large_values(solution, rng):
    """Inputs of large size and of both signs go through unchanged."""
    X, y = data(rng, 5, 2)
    X, y = 1e5 * X, 1e6 * y
    seed = rng.seed()
    compare(solution.sgd_fit(X, y, 2, 1e-12, 2, seeded(seed)), fitted(X, y, 2, 1e-12, 2, seeded(seed)))


@points(1)
def test_data_stay_as_they_are(solution, rng):
    """X and y belong to the caller: they must not be shuffled in place."""
    X, y = data(rng, 9, 2)
    before = X.clone(), y.clone()
    list(solution.minibatches(X, y, 4))
    assert_close((X, y), before, rtol=0.0, atol=0.0, name="data after minibatches")
    assert_not_mutated(solution.sgd_fit, X, y, 4, 0.1, 2)
