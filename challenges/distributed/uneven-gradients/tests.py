"""Hidden tests: train. Several ranks are run and compared with one process that sees all examples of a step at once."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, attested, check, points, sample

SIZES = (3, 4, 2)
PARAMETERS = 6
OPTIONS = {"SGD": {"lr": 0.2, "momentum": 0.9}, "AdamW": {"lr": 0.05, "eps": 1e-4, "weight_decay": 0.1}}


def weights_of(rng, dtype=torch.float32):
    inputs, hidden, outputs = SIZES
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,), "last.weight": (outputs, hidden)}
    shapes |= {"last.bias": (outputs,), "extra.weight": (outputs, inputs), "extra.bias": (outputs,)}
    return {name: 0.5 * rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}


def plan_of(optimizer="SGD", **more):
    return {"sizes": SIZES, "optimizer": optimizer, "options": OPTIONS[optimizer], **more}


def micro_batch(rng, rows, sign=1, dtype=torch.float32):
    """Rows whose sum has this sign: with a positive one the model goes through `extra`."""
    x = rng.randn(rows, SIZES[0], dtype=dtype)
    return (x if float(x.sum()) * sign > 0 else -x), rng.randn(rows, SIZES[2], dtype=dtype)


def data(rng, rows, steps=3, signs=None, dtype=torch.float32):
    """Steps for each rank: rows[rank] holds the sizes of its micro-batches."""
    signs = signs or [1] * len(rows)
    made = [[[micro_batch(rng, n, s, dtype) for n in sizes] for _ in range(steps)] for sizes, s in zip(rows, signs)]
    return made


def single(given, plan, weights, steps):
    """One process: the loss of a step is the mean over all its examples."""
    model = given.Network(*SIZES).to(plan.get("dtype", torch.float32))
    model.load_state_dict(weights)
    for name in plan.get("frozen", []):
        model.get_parameter(name).requires_grad_(False)
    optimizer = getattr(torch.optim, plan["optimizer"])(model.parameters(), **plan["options"])
    losses = []
    for step in zip(*steps, strict=True):
        batches = [batch for rank in step for batch in rank]
        optimizer.zero_grad()
        loss = sum(F.mse_loss(model(x), y) * len(x) for x, y in batches) / sum(len(x) for x, _ in batches)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, dict(model.state_dict())


def ran(results):
    for rank, result in enumerate(results):
        check(result["raised"] == "", f"rank {rank} raised {result['raised']}{result['at']}"[:300])
    return results


def check_like_one(probes, given, rng, plan, rows, **more):
    dtype = plan.get("dtype", torch.float32)
    weights, steps = weights_of(rng, dtype), data(rng, rows, dtype=dtype, **more)
    results = ran(probes.run(plan, weights, steps))
    losses, state = single(given, plan, weights, steps)
    for rank, result in enumerate(results):
        assert_close(result["state"], state, name=f"state of rank {rank}", scale=16.0)
    return results, losses, weights


@sample
@points(1)
def test_two_equal_ranks(probes, given, rng):
    """Two ranks with one micro-batch of four examples each end with the weights of one process that sees all eight."""
    check_like_one(probes, given, rng, plan_of(), [[4], [4]], steps=1)


@sample
@points(1)
def test_two_micro_batches(probes, given, rng):
    """Two ranks with two micro-batches of two examples each do the same as one process with eight examples."""
    check_like_one(probes, given, rng, plan_of(), [[2, 2], [2, 2]], steps=1)


@sample
@points(1)
def test_one_rank_takes_the_branch(probes, given, rng):
    """Only the first rank goes through `extra`: all have to make the same calls."""
    check_like_one(probes, given, rng, plan_of(), [[3], [3]], steps=1, signs=(1, -1))


@points(3)
@pytest.mark.parametrize("optimizer", ["SGD", "AdamW"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_equal_shards(probes, given, rng, ranks, optimizer):
    """Even with equal shards the weights are not those of one process: is what is added up over the ranks divided, once?"""
    check_like_one(probes, given, rng, plan_of(optimizer), [[3]] * ranks)


@points(2)
@pytest.mark.parametrize("count", [1, 3])
def test_accumulation(probes, given, rng, count):
    """Equal micro-batches give other weights than one large batch: what was exchanged must not be exchanged again."""
    check_like_one(probes, given, rng, plan_of(), [[2] * count] * 2)


@points(2)
def test_uneven_ranks(probes, given, rng):
    """Ranks with different numbers of examples: each example counts once, so the mean of the ranks' means is not the mean."""
    check_like_one(probes, given, rng, plan_of(), [[2], [5]])


@points(2)
def test_uneven_micro_batches(probes, given, rng):
    """A short last micro-batch: the mean of the micro-batches' means is not the mean over the examples."""
    check_like_one(probes, given, rng, plan_of(), [[5, 5, 1], [5, 5, 1]])


@points(2)
@pytest.mark.parametrize("rows", [[[2, 2, 2], [2]], [[3], [2, 2], [1, 1, 1]]], ids=["two-ranks", "three-ranks"])
def test_different_numbers_of_micro_batches(probes, given, rng, rows):
    """One rank has more micro-batches than another: the number of collective calls must not depend on them."""
    check_like_one(probes, given, rng, plan_of(), rows)


@points(2)
@pytest.mark.parametrize("rows", [[[3, 2], []], [[], [2, 3], []]], ids=["second", "both-sides"])
def test_idle_rank(probes, given, rng, rows):
    """A rank without any example in a step takes part all the same, with zeros, and makes the same update."""
    check_like_one(probes, given, rng, plan_of("AdamW"), rows)


@points(2)
@pytest.mark.parametrize("signs", [(1, -1), (-1, 1), (-1, 1, -1)], ids=["first", "second", "middle"])
def test_used_by_some_ranks(probes, given, rng, signs):
    """A parameter that only some ranks have used: the others send zeros, or everybody waits."""
    check_like_one(probes, given, rng, plan_of(), [[2, 3]] * len(signs), signs=signs)


@points(1)
def test_gradients_from_before(probes, given, rng):
    """Gradients that lie in .grad when train is called belong to no example of the first step: they must not count."""
    check_like_one(probes, given, rng, plan_of(stale=rng.uniform(1, 3)), [[2], [3]])


@points(1)
def test_frozen(probes, given, rng):
    """Frozen parameters stay as they are, although the optimizer has weight decay."""
    frozen = ["first.weight", "last.bias"]
    results, _, weights = check_like_one(probes, given, rng, plan_of("AdamW", frozen=frozen), [[2, 1], [3]])
    for result in results:
        for name in frozen:
            assert_close(result["state"][name], weights[name], rtol=0.0, atol=0.0, name=name)


@points(1)
def test_float64(probes, given, rng):
    """A float64 model is trained in float64: nothing that is exchanged may be rounded to float32 on the way."""
    results, losses, _ = check_like_one(probes, given, rng, plan_of(dtype=torch.float64), [[2, 3], [4]])
    for result in results:
        found = torch.tensor(result["losses"], dtype=torch.float64)
        assert_close(found, torch.tensor(losses, dtype=torch.float64), name="losses", scale=16.0)


@points(2)
@pytest.mark.parametrize("rows", [[[2, 3]], [[4, 1], [2], []]], ids=["one-rank", "three-ranks"])
def test_losses(probes, given, rng, rows):
    """The losses are floats, the same on all ranks: the mean over all examples of the step, before the update."""
    results, losses, _ = check_like_one(probes, given, rng, plan_of(), rows)
    for rank, result in enumerate(results):
        check(type(result["losses"]) is list, "a list of losses must come back")
        check(all(type(loss) is float for loss in result["losses"]), "every loss must be a Python float")
        assert_close(result["losses"], losses, name=f"losses of rank {rank}", scale=16.0)


@points(1)
def test_no_steps(probes, rng):
    """Without any step nothing changes, and the list is empty."""
    weights = weights_of(rng)
    for result in ran(probes.run(plan_of(), weights, [[], []])):
        check(result["losses"] == [], "without steps there are no losses")
        assert_close(result["state"], weights, rtol=0.0, atol=0.0, name="state")


@attested
@points(1)
def test_one_exchange_a_step(probes, given, rng):
    """There is one exchange a step: more micro-batches must not mean more calls of all_reduce."""
    results, _, _ = check_like_one(probes, given, rng, plan_of(), [[1, 2, 1, 2]] * 2, steps=2)
    for result in results:
        check(0 < result["calls"] <= 2 * (PARAMETERS + 2), "the ranks exchange more often than once a step")
