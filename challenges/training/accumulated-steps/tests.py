"""Hidden tests: accumulated steps. Everything is compared with steps that see the whole group at once."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

LOSSES = {"mse": torch.nn.functional.mse_loss, "cross-entropy": torch.nn.functional.cross_entropy}
OPTIMIZERS = {"SGD": {"lr": 0.2, "momentum": 0.9}, "AdamW": {"lr": 0.05, "weight_decay": 0.1}}
SIZES = (3, 4, 2)


def drawn(rng, lengths, dtype=torch.float64, idle=False, loss="mse"):
    inputs, hidden, outputs = SIZES
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,)}
    shapes |= {"last.weight": (outputs, hidden), "last.bias": (outputs,)}
    shapes |= {"idle.weight": (outputs, inputs), "idle.bias": (outputs,)} if idle else {}
    weights = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    batches = []
    for n in lengths:
        y = rng.randint(0, outputs, (n,)) if loss == "cross-entropy" else rng.randn(n, outputs, dtype=dtype)
        batches.append((rng.randn(n, inputs, dtype=dtype), y))
    return weights, batches


def plan_of(accum, **changes):
    return {"sizes": SIZES, "accum": accum, "optimizer": "SGD", "options": {"lr": 0.1}, **changes}


def whole_groups(given, plan, weights, batches):
    """Losses and weights of a loop that puts each group together and takes one plain step with it."""
    model = given.Network(*SIZES, idle=plan.get("idle", False)).to(weights["first.weight"].dtype)
    model.load_state_dict(weights)
    optimizer = getattr(torch.optim, plan["optimizer"])(model.parameters(), **plan["options"])
    losses = []
    for start in range(0, len(batches), plan["accum"]):
        xs, ys = zip(*batches[start : start + plan["accum"]], strict=True)
        loss = LOSSES[plan.get("loss", "mse")](model(torch.cat(xs)), torch.cat(ys))
        optimizer.zero_grad()
        loss.backward()
        if "limit" in plan:
            torch.nn.utils.clip_grad_norm_(model.parameters(), plan["limit"])
        optimizer.step()
        losses.append(loss.item())
    return losses, {name: value.detach() for name, value in model.state_dict().items()}


def compare(probes, given, plan, weights, batches, scale=16.0):
    found = probes.train(plan, weights, batches)
    check(found["error"] is None, "a ValueError was raised although nothing is wrong with the arguments")
    losses, expected = whole_groups(given, plan, weights, batches)
    check(found["steps"] == len(losses), "the number of optimizer steps is not the number of groups")
    check(type(found["losses"]) is list, "a list of losses is expected")
    check(len(found["losses"]) == len(losses), "one loss for each group is expected")
    check(all(type(loss) is float for loss in found["losses"]), "every loss should be a Python float")
    assert_close(found["weights"], expected, scale=scale, name="weights")
    assert_close(found["losses"], losses, rtol=1e-5, name="losses")
    return found


@sample
@points(1)
def test_two_equal_halves(probes):
    """Two micro-batches of equal length: the step uses the mean of their gradients, not the sum."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: torch.zeros(shape) for name, shape in shapes.items()}
    batches = [(torch.ones(1, 3), torch.tensor([[1.0, 2.0]])), (torch.ones(1, 3), torch.tensor([[3.0, 4.0]]))]
    found = probes.train(plan_of(2), weights, batches)
    assert_close(found.get("losses"), [7.5], name="losses")  # (1 + 4 + 9 + 16) / 4
    assert_close(found["weights"]["last.bias"], torch.tensor([0.2, 0.3]), name="last bias after a step of 0.1")


@sample
@points(1)
def test_leftover_group(probes):
    """Three micro-batches in groups of two: the last one is a group of its own, with its full gradient."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: torch.zeros(shape) for name, shape in shapes.items()}
    batches = [(torch.ones(2, 3), torch.zeros(2, 2))] * 2 + [(torch.ones(2, 3), torch.ones(2, 2))]
    found = probes.train(plan_of(2), weights, batches)
    assert_close(found.get("losses"), [0.0, 1.0], name="losses")
    assert_close(found["weights"]["last.bias"], torch.tensor([0.1, 0.1]), name="last bias after two steps of 0.1")


@sample
@points(1)
def test_unequal_micro_batches(probes):
    """Micro-batches of one and three samples: each sample counts the same, not each micro-batch."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: torch.zeros(shape) for name, shape in shapes.items()}
    batches = [(torch.ones(1, 3), 4 * torch.ones(1, 2)), (torch.ones(3, 3), torch.zeros(3, 2))]
    found = probes.train(plan_of(2), weights, batches)
    assert_close(found.get("losses"), [4.0], name="losses")  # (16 + 0 + 0 + 0) / 4
    assert_close(found["weights"]["last.bias"], torch.tensor([0.1, 0.1]), name="last bias after a step of 0.1")


@points(3)
@pytest.mark.parametrize("optimizer", list(OPTIMIZERS))
@pytest.mark.parametrize("loss", list(LOSSES))
def test_equal_to_whole_groups(probes, given, rng, optimizer, loss):
    """Weights after several groups differ from those of a run with whole groups: weigh by samples, step at the end too."""
    plan = plan_of(3, optimizer=optimizer, options=OPTIMIZERS[optimizer], loss=loss)
    lengths = [rng.integer(1, 6) for _ in range(7)]
    compare(probes, given, plan, *drawn(rng, lengths, loss=loss))


@points(1)
def test_float32(probes, given, rng):
    """A float32 model is trained in float32; losses are Python floats as well."""
    compare(probes, given, plan_of(2), *drawn(rng, [3, 2, 4], torch.float32))


@points(1)
@pytest.mark.parametrize("accum", [1, 9], ids=["one", "more-than-there-are"])
def test_extreme_groups(probes, given, rng, accum):
    """accum=1 is ordinary training; an accum beyond the number of micro-batches is one group."""
    compare(probes, given, plan_of(accum), *drawn(rng, [2, 4, 1]))


@points(2)
def test_one_clip_for_each_group(probes, given, rng):
    """The norm is limited once for a group, when its gradient is complete and has its final scale."""
    compare(probes, given, plan_of(3, limit=rng.uniform(0.05, 0.3)), *drawn(rng, [2, 5, 1, 3, 3, 2, 4]), scale=2e6)


@points(1)
def test_a_loose_limit_changes_nothing(probes, given, rng):
    """A gradient that is within the limit is used as it is."""
    compare(probes, given, plan_of(2, limit=1e6), *drawn(rng, [2, 3, 1]))


@points(1)
def test_limit_zero(probes, given, rng):
    """max_grad_norm=0.0 is a limit like any other: nothing moves. Only None means no clipping."""
    weights, batches = drawn(rng, [2, 3, 1])
    found = compare(probes, given, plan_of(2, limit=0.0), weights, batches)
    assert_close(found["weights"], weights, name="weights")


@points(1)
def test_stale_gradients(probes, given, rng):
    """Gradients from before the call count for nothing, and neither do those of the group before."""
    compare(probes, given, plan_of(2, stale=rng.uniform(1, 4)), *drawn(rng, [2, 3, 1, 2, 2]))


@points(1)
def test_idle_parameters(probes, given, rng):
    """A parameter that the loss does not depend on has no gradient: it stays as it is, with and without clipping."""
    compare(probes, given, plan_of(2, idle=True, limit=1e5), *drawn(rng, [2, 3, 1], idle=True))


@points(1)
def test_idle_parameters_with_stale_gradients(probes, given, rng):
    """A gradient of zeros is a gradient: decay moves what the loss does not use. Stale gradients must be gone, not zero."""
    weights, batches = drawn(rng, [2, 3, 1], idle=True)
    plan = plan_of(2, idle=True, stale=rng.uniform(1, 4), optimizer="AdamW", options=OPTIMIZERS["AdamW"])
    found = compare(probes, given, plan, weights, batches)
    for name in ("idle.weight", "idle.bias"):
        assert_close(found["weights"][name], weights[name], rtol=0.0, atol=0.0, name=name)


@points(2)
def test_one_micro_batch_at_a_time(probes, given, rng):
    """Each micro-batch has one forward pass of its own, in order; putting them together needs the memory of all."""
    lengths = [2, 5, 1, 3, 4]
    found = compare(probes, given, plan_of(4), *drawn(rng, lengths))
    check(found["batches"] == lengths, "the forward passes are not one for each micro-batch, in order")


@points(2)
def test_one_graph_at_a_time(probes, given, rng):
    """Graphs of earlier micro-batches are alive when the next loss is computed: call backward for each, keep numbers."""
    found = compare(probes, given, plan_of(8), *drawn(rng, [2] * 10))
    check(found["graphs"] <= 2, "more than two graphs of earlier micro-batches are alive")


@points(1)
def test_generator_and_mode(probes, given, rng):
    """batches may be a generator without a length, and the mode of the model is left alone."""
    for training in (True, False):
        found = compare(probes, given, plan_of(2, generator=True, training=training), *drawn(rng, [2, 3, 1]))
        check(found["training"] is training, "the mode of the model was changed")


@points(1)
def test_no_batches(probes, given, rng):
    """Without micro-batches there is no step and no loss: an empty list."""
    compare(probes, given, plan_of(2), *drawn(rng, []))


@points(1)
@pytest.mark.parametrize("accum", [0, -2])
def test_bad_group_size(probes, rng, accum):
    """A group has at least one micro-batch: a smaller accum raises ValueError."""
    found = probes.train(plan_of(accum), *drawn(rng, [2, 2]))
    check(found["error"] == "ValueError", "ValueError was expected")
