"""Hidden tests: worker. Several ranks are run and compared with one process that sees all their data."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

SIZES = (3, 4, 2)
OPTIONS = {"SGD": {"lr": 0.2, "momentum": 0.9}, "AdamW": {"lr": 0.05, "eps": 1e-4, "weight_decay": 0.1}}


def weights_of(rng, dtype=torch.float32):
    inputs, hidden, outputs = SIZES
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,), "last.weight": (outputs, hidden)}
    shapes |= {"last.bias": (outputs,), "extra.weight": (outputs, inputs), "extra.bias": (outputs,)}
    weights = {name: 0.5 * rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    # A whole number that no floating-point dtype holds.
    return weights | {
        "shift": rng.randn(inputs, dtype=dtype),
        "version": 2 * rng.randint(1 << 60, 1 << 61, ()) + 1,
        "tilt": rng.randn(outputs, dtype=dtype),
    }


def plan_of(optimizer="SGD", **more):
    return {"sizes": SIZES, "optimizer": optimizer, "options": OPTIONS[optimizer], **more}


def data(rng, ranks, steps=3, rows=4, dtype=torch.float32, signs=None):
    """Batches for each rank. The sign of a batch's sum says whether `extra` is used: by default by all ranks."""
    batches = []
    for rank in range(ranks):
        sign = 1 if signs is None else signs[rank]
        parts = [rng.randn(rows, SIZES[0], dtype=dtype) for _ in range(steps)]
        parts = [x * (sign if float(x.sum()) > 0 else -sign) for x in parts]
        batches.append([(x, rng.randn(rows, SIZES[2], dtype=dtype)) for x in parts])
    return batches


def single(given, plan, weights, batches):
    """One process: the loss of a step is the mean of the ranks' losses."""
    model = given.Network(*SIZES).to(plan.get("dtype", torch.float32))
    model.fill(weights[0])
    for name in plan.get("frozen", []):
        model.get_parameter(name).requires_grad_(False)
    optimizer = getattr(torch.optim, plan["optimizer"])(model.parameters(), **plan["options"])
    losses = []
    for step in zip(*batches, strict=True):
        optimizer.zero_grad()
        loss = torch.stack([given.Loss()(model(x), y) for x, y in step]).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, dict(model.state_dict())


def ran(results):
    for rank, result in enumerate(results):
        check(result["raised"] == "", f"rank {rank} raised {result['raised']}{result['at']}"[:300])
    return results


def check_like_one(probes, given, rng, plan, ranks, steps=3, signs=None):
    dtype = plan.get("dtype", torch.float32)
    weights = [weights_of(rng, dtype) for _ in range(ranks)]
    batches = data(rng, ranks, steps, dtype=dtype, signs=signs)
    results = ran(probes.run(plan, weights, batches))
    _, state = single(given, plan, weights, batches)
    for rank, result in enumerate(results):
        assert_close(result["state"], state, name=f"state of rank {rank}", scale=16.0)
    return results, weights


@sample
@points(1)
def test_two_ranks(probes, given, rng):
    """Two ranks end with the weights of one process that sees the data of both."""
    check_like_one(probes, given, rng, plan_of(), 2)


@sample
@points(1)
def test_same_start(probes, rng):
    """Without any batch every rank ends with the parameters of rank 0."""
    weights = [weights_of(rng) for _ in range(2)]
    results = ran(probes.run(plan_of(), weights, [[], []]))
    for result in results:
        assert_close(result["state"]["first.weight"], weights[0]["first.weight"], rtol=0.0, atol=0.0, name="weight")
        check(result["losses"] == [], "without batches there are no losses")


@sample
@points(1)
def test_one_rank(probes, given, rng):
    """A group of one rank is plain training."""
    check_like_one(probes, given, rng, plan_of(), 1)


@points(3)
@pytest.mark.parametrize("optimizer", ["SGD", "AdamW"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_like_one_process(probes, given, rng, ranks, optimizer):
    """The weights are not those of one process: gradients must be averaged, not summed, and before the optimizer steps."""
    check_like_one(probes, given, rng, plan_of(optimizer), ranks, steps=4)


@points(1)
def test_float64(probes, given, rng):
    """A float64 model is trained in float64."""
    check_like_one(probes, given, rng, plan_of(dtype=torch.float64), 2)


@points(2)
def test_buffers(probes, rng):
    """Every rank starts with the buffers of rank 0: whole numbers too, digit by digit, and those that are not saved."""
    weights = [weights_of(rng) for _ in range(3)]
    for result in ran(probes.run(plan_of(), weights, data(rng, 3, 1))):
        for name in ("shift", "version"):
            assert_close(result["state"][name], weights[0][name], rtol=0.0, atol=0.0, name=name)
        assert_close(result["tilt"], weights[0]["tilt"], rtol=0.0, atol=0.0, name="buffer that is not in state_dict()")


@points(2)
@pytest.mark.parametrize("signs", [(1, -1), (-1, 1), (-1, 1, -1)], ids=["first", "second", "middle"])
def test_used_by_some_ranks(probes, given, rng, signs):
    """A parameter that only some ranks have used: the others must take part with zeros, or everybody waits."""
    check_like_one(probes, given, rng, plan_of(), len(signs), signs=signs)


@points(1)
def test_used_now_and_then(probes, given, rng):
    """A rank may use a parameter in one step and not in the next: old gradients must not be sent again."""
    weights = [weights_of(rng) for _ in range(2)]
    used, unused = data(rng, 2, 1, signs=(1, -1)), data(rng, 2, 2, signs=(-1, 1))
    batches = [used[rank] + unused[rank] for rank in range(2)]
    results = ran(probes.run(plan_of(), weights, batches))
    _, state = single(given, plan_of(), weights, batches)
    for result in results:
        assert_close(result["state"], state, name="state", scale=16.0)


@points(1)
def test_frozen(probes, given, rng):
    """Frozen parameters stay as they are, although the optimizer has weight decay, and stay frozen."""
    results, weights = check_like_one(probes, given, rng, plan_of("AdamW", frozen=["first.weight", "last.bias"]), 2)
    for result in results:
        for name in ("first.weight", "last.bias"):
            assert_close(result["state"][name], weights[0][name], rtol=0.0, atol=0.0, name=name)
        check(result["wants"].count(False) == 2, "requires_grad of a parameter has changed")


@points(1)
def test_stale_gradients(probes, given, rng):
    """Gradients that were there before the call do not count."""
    check_like_one(probes, given, rng, plan_of(stale=rng.uniform(2, 9)), 2, steps=2)


@points(2)
@pytest.mark.parametrize(
    ("ranks", "dtype"), [(1, torch.float32), (3, torch.float32), (2, torch.float64)], ids=["1", "3", "2-float64"]
)
def test_losses(probes, given, rng, ranks, dtype):
    """The losses are floats, averaged over the ranks and taken before each update: all ranks report the same."""
    weights, batches = [weights_of(rng, dtype) for _ in range(ranks)], data(rng, ranks, dtype=dtype)
    plan = plan_of(dtype=dtype)
    results = ran(probes.run(plan, weights, batches))
    expected, _ = single(given, plan, weights, batches)
    for rank, result in enumerate(results):
        check(type(result["losses"]) is list, "a list of losses must come back")
        check(all(type(loss) is float for loss in result["losses"]), "every loss must be a Python float")
        found, wanted = (torch.tensor(losses, dtype=torch.float64).to(dtype) for losses in (result["losses"], expected))
        assert_close(found, wanted, name=f"losses of rank {rank}", scale=16.0)
        check(result["losses"] == results[0]["losses"], "two ranks report different losses")


@attested
@points(2)
@pytest.mark.parametrize(("ranks", "steps"), [(3, 3), (1, 2), (2, 0)], ids=["three-ranks", "one-rank", "no-batches"])
def test_one_checkpoint(probes, given, rng, ranks, steps):
    """Rank 0 alone saves, once, after training and before it leaves the group, under the names of the bare model."""
    weights, batches = [weights_of(rng) for _ in range(ranks)], data(rng, ranks, steps)
    first, *others = ran(probes.run(plan_of(), weights, batches))
    check(len(first["saved"]) == 1, "rank 0 must save exactly one checkpoint")
    check(all(other["saved"] == [] for other in others), "a rank other than 0 has saved a checkpoint")
    state = single(given, plan_of(), weights, batches)[1]
    check(set(first["saved"][0]) == set(state), "a bare model does not find its names in the checkpoint")
    assert_close(first["saved"][0], state, name="checkpoint", scale=16.0)
    check(
        first["closed_before_saving"] == 0,
        "the checkpoint is saved after the group was closed: closing is the last thing",
    )


@attested
@points(1)
@pytest.mark.parametrize(("ranks", "steps"), [(1, 1), (2, 1), (2, 0)], ids=["1", "2", "no-batches"])
def test_group_is_closed(probes, rng, ranks, steps):
    """Every rank closes the group exactly once."""
    results = ran(probes.run(plan_of(), [weights_of(rng) for _ in range(ranks)], data(rng, ranks, steps)))
    check([result["closed"] for result in results] == [1] * ranks, "the group must be closed once on every rank")


@attested
@points(2)
def test_group_is_closed_when_it_breaks(probes, rng):
    """When the model raises, the group is closed all the same and the exception goes through; nothing is saved."""
    batches = data(rng, 2)
    for rank in range(2):
        batches[rank][1][0][0, 0] = float("nan")
    for result in probes.run(plan_of(), [weights_of(rng) for _ in range(2)], batches):
        check(result["raised"] == "ValueError", "what the model raises must go through to the caller")
        check(result["closed"] == 1, "the group has not been closed (once) after an exception")
        check(result["saved"] == [], "a training that broke must not save a checkpoint")


@attested
@points(2)
@pytest.mark.parametrize("where", ["loss", "save", "group", "interrupt"])
def test_one_rank_breaks(probes, rng, where):
    """Whatever raises, and on whichever rank (the loss, saving, a collective call, Ctrl-C), every rank closes the group once."""
    who = 0 if where == "save" else 1
    results = probes.run(plan_of(fault=(where, who)), [weights_of(rng) for _ in range(2)], data(rng, 2))
    check(results[who]["through"], "the very exception that was raised must go through to the caller")
    check(all(result["closed"] == 1 for result in results), "a rank has not closed the group (once) after an exception")
    check(all(result["saved"] == [] for result in results), "a training that broke must not save a checkpoint")
