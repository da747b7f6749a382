"""Hidden tests: fit. Every claim about order is replayed: a random plan goes in, losses and weights come out."""

import math

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample
from grader.testing.rng import Rng

CLOSE = 1e-5  # sums of losses may be kept in float32
CLIPPED = 1e-4  # hand-written clipping may leave out the 1e-6 of clip_grad_norm_
UNCLIPPED = 1e-9


def network_weights(rng, sizes, dtype=torch.float64, norm=False, dropout=0.0, idle=False):
    """A state_dict for given.Network: random parameters, fresh buffers."""
    inputs, hidden, outputs = sizes
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,)}
    shapes |= {"norm.weight": (hidden,), "norm.bias": (hidden,)} if norm else {}
    shapes |= {"last.weight": (outputs, hidden), "last.bias": (outputs,)}
    shapes |= {"idle.weight": (outputs, inputs), "idle.bias": (outputs,)} if idle else {}
    weights = {name: 0.7 * rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    if norm:
        weights["norm.running_mean"] = torch.zeros(hidden, dtype=dtype)
        weights["norm.running_var"] = torch.ones(hidden, dtype=dtype)
        weights["norm.num_batches_tracked"] = torch.tensor(0)
    return weights


def data(rng, sizes, count, dtype=torch.float64):
    return rng.randn(count, sizes[0], dtype=dtype), rng.randn(count, sizes[2], dtype=dtype)


def simple_plan(rng, **changes):
    """Two epochs of SGD; four samples make batches of 3 and 1."""
    sgd = {"optimizer": "SGD", "optimizer_options": {"lr": rng.uniform(0.05, 0.2)}}
    return {"sizes": (3, 4, 2), "batch": 3, "epochs": 2, **sgd, **changes}


def run_both(probes, reference, rng, plan, *, count=4, dtype=torch.float64):
    weights = network_weights(rng, plan["sizes"], dtype, **plan.get("network", {}))
    x, y = data(rng, plan["sizes"], count, dtype)
    if plan.get("loss") == "cross-entropy":
        y = rng.randint(0, plan["sizes"][2], (count,))
    rtol = CLIPPED if "max_grad_norm" in plan else UNCLIPPED
    return probes.train(plan, weights, x, y), probes.on(reference).train(plan, weights, x, y), rtol


def check_losses(outcome, expected, rtol=CLOSE):
    check(outcome["error"] is None, "fit raised ValueError although there were batches")
    losses = outcome["losses"]
    check(type(losses) is list, f"fit must return a list, got {type(losses).__name__[:40]}")
    check(
        len(losses) == len(expected), f"{len(expected)} losses expected, one for each epoch that ran, got {len(losses)}"
    )
    check(all(type(loss) is float for loss in losses), "every loss must be a Python float")
    assert_close(losses, expected, rtol=rtol, name="losses")


def check_same(actual, expected, rtol):
    """Losses first, then weights, then what the callback was told."""
    check_losses(actual, expected["losses"], max(rtol, CLOSE))
    assert_close(actual["weights"], expected["weights"], rtol=rtol, name="weights")
    assert_close(actual["calls"], expected["calls"], rtol=max(rtol, CLOSE), name="calls of on_epoch")
    assert_close(actual["rates"], expected["rates"], name="learning rates seen by on_epoch")
    assert_close(actual["final_rate"], expected["final_rate"], name="final learning rate")


@sample
@points(1)
def test_short_last_batch_counts_by_its_size(probes):
    """The loss of an epoch is a mean over samples: a short last batch weighs as much as it has samples."""
    shapes = {"first.weight": (2, 1), "first.bias": (2,), "last.weight": (1, 2), "last.bias": (1,)}
    weights = {name: torch.zeros(shape) for name, shape in shapes.items()}
    x, y = torch.zeros(5, 1), torch.tensor([[1.0], [1.0], [1.0], [1.0], [3.0]])
    plan = {"sizes": (1, 2, 1), "batch": 2, "epochs": 2, "optimizer": "SGD", "optimizer_options": {"lr": 0.0}}
    outcome = probes.train(plan, weights, x, y)
    assert_close(outcome.get("losses"), [2.6, 2.6], name="losses")  # (1 + 1 + 1 + 1 + 9) / 5


@sample
@points(2)
def test_loss_curve(probes, reference, rng, exhibit):
    """The losses of a plain run (SGD with momentum, no options) differ from the reference's: look at the curve."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: rng.randn(*shape, dtype=torch.float64) for name, shape in shapes.items()}
    x, y = rng.randn(5, 3, dtype=torch.float64), rng.randn(5, 2, dtype=torch.float64)
    sgd = {"optimizer": "SGD", "optimizer_options": {"lr": 0.1, "momentum": 0.9}}
    plan = {"sizes": (3, 4, 2), "batch": 4, "epochs": 6, **sgd}
    losses = probes.train(plan, weights, x, y).get("losses")
    expected = probes.on(reference).train(plan, weights, x, y)["losses"]
    if type(losses) is list and all(type(loss) is float for loss in losses):
        exhibit.curve("loss", {"yours": losses, "reference": expected}, x_label="epoch", y_label="loss")
    assert_close(losses, expected, rtol=1e-5, name="losses")


@sample
@points(1)
def test_callback_stops_the_run(probes, rng):
    """on_epoch(epoch, mean_loss) counts from 0, and a truthy answer ends the run after that epoch."""
    shapes = {"first.weight": (2, 1), "first.bias": (2,), "last.weight": (1, 2), "last.bias": (1,)}
    weights = {name: rng.randn(*shape) for name, shape in shapes.items()}
    sgd = {"optimizer": "SGD", "optimizer_options": {"lr": 0.1}}
    plan = {"sizes": (1, 2, 1), "batch": 2, "epochs": 5, **sgd, "callback": {"answers": [None, False, True]}}
    outcome = probes.train(plan, weights, rng.randn(3, 1), rng.randn(3, 1))
    check([call[0] for call in outcome["calls"]] == [0, 1, 2], "on_epoch should have been called for epochs 0, 1 and 2")
    told = [call[1] for call in outcome["calls"]]
    assert_close(outcome.get("losses"), told, name="losses (against those that on_epoch was told)")


@sample
@points(1)
def test_no_batches(probes):
    """An epoch without a batch has no mean loss: raise ValueError, and do not call on_epoch."""
    shapes = {"first.weight": (2, 1), "first.bias": (2,), "last.weight": (1, 2), "last.bias": (1,)}
    weights = {name: torch.ones(shape) for name, shape in shapes.items()}
    sgd = {"optimizer": "SGD", "optimizer_options": {"lr": 0.1}}
    plan = {"sizes": (1, 2, 1), "batch": 2, "epochs": 2, **sgd, "callback": {}}
    outcome = probes.train(plan, weights, torch.zeros(0, 1), torch.zeros(0, 1))
    check(outcome["error"] == "ValueError", "empty batches must raise ValueError")
    check(outcome["calls"] == [], "on_epoch was called for an epoch that had no batch")


# No weight decay for Adam: it divides by the size of gradient plus decay, and where these cancel, nothing is stable.
OPTIMIZERS = {
    "SGD": {"momentum": 0.8, "weight_decay": 0.05},
    "Adam": {"amsgrad": True},
    "AdamW": {"weight_decay": 0.05},
}
SCHEDULES = {
    "step": ("StepLR", lambda rng: {"step_size": rng.integer(1, 3), "gamma": rng.uniform(0.2, 0.7)}),
    "exponential": ("ExponentialLR", lambda rng: {"gamma": rng.uniform(0.3, 0.8)}),
    "warm-up": ("LinearLR", lambda rng: {"start_factor": rng.uniform(0.1, 0.4), "total_iters": 3}),
    "cosine": ("CosineAnnealingLR", lambda rng: {"T_max": rng.integer(3, 6)}),
}


@points(4)
@pytest.mark.parametrize(
    ("schedule", "form"),
    [("step", "list"), ("exponential", "object"), ("warm-up", "loader"), ("cosine", "loader-without-the-last")],
    ids=["step-list", "exponential-object", "warm-up-loader", "cosine-loader-without-the-last"],
)
def test_random_plan(probes, reference, rng, schedule, form):
    """A run with clipping, schedule and callback ends elsewhere: check the order of the lines in a step and in an epoch."""
    name, options = SCHEDULES[schedule]
    optimizer = rng.choice(list(OPTIMIZERS))
    plan = simple_plan(
        rng,
        batch=4,
        epochs=3,
        form=form,
        shuffle_seed=rng.integer(0, 10**6),
        optimizer=optimizer,
        optimizer_options={"lr": rng.uniform(0.01, 0.05), **OPTIMIZERS[optimizer]},
        scheduler=name,
        scheduler_options=options(rng),
        max_grad_norm=rng.uniform(0.1, 1.0),
        stale_gradients=rng.uniform(1, 5),
        callback={"rate_factor": rng.uniform(0.6, 1.4)},
    )
    check_same(*run_both(probes, reference, rng, plan, count=rng.integer(5, 8)))


def replay(weights, batches, rate, momentum, limit, gamma, epochs):
    """SGD with momentum, clipping and an exponential schedule, written with tensors alone: losses and weights."""
    values = {name: t.clone().requires_grad_() for name, t in weights.items()}
    speed = {name: torch.zeros_like(t) for name, t in weights.items()}
    losses = []
    for epoch in range(epochs):
        total = seen = 0
        for x, y in batches:
            hidden = torch.tanh(x @ values["first.weight"].T + values["first.bias"])
            loss = (hidden @ values["last.weight"].T + values["last.bias"] - y).square().mean()
            gradients = torch.autograd.grad(loss, list(values.values()))
            norm = torch.cat([g.reshape(-1) for g in gradients]).norm()
            factor = min(1.0, limit / (norm.item() + 1e-6))
            for (key, value), gradient in zip(list(values.items()), gradients, strict=True):
                speed[key] = momentum * speed[key] + factor * gradient
                values[key] = (value - rate * gamma**epoch * speed[key]).detach().requires_grad_()
            total, seen = total + loss.item() * len(x), seen + len(x)
        losses.append(total / seen)
    return losses, {key: value.detach() for key, value in values.items()}


@points(3)
def test_replay_without_optimizer(probes, rng):
    """Losses or weights differ from a loop written with tensors alone (momentum, clipping, exponential schedule)."""
    weights, (x, y) = network_weights(rng, (3, 4, 2)), data(rng, (3, 4, 2), 7)
    rate, momentum, limit, gamma = (
        rng.uniform(0.05, 0.2),
        rng.uniform(0.5, 0.9),
        rng.uniform(0.2, 1),
        rng.uniform(0.4, 0.8),
    )
    plan = simple_plan(
        rng,
        optimizer_options={"lr": rate, "momentum": momentum},
        max_grad_norm=limit,
        scheduler="ExponentialLR",
        scheduler_options={"gamma": gamma},
    )
    outcome = probes.train(plan, weights, x, y)
    batches = list(zip(x.split(3), y.split(3), strict=True))
    losses, expected = replay(weights, batches, rate, momentum, limit, gamma, epochs=2)
    check_losses(outcome, losses, CLIPPED)
    assert_close(outcome["weights"], expected, rtol=CLIPPED, name="weights")


@points(1)
@pytest.mark.parametrize(("loss", "count"), [("mse", 1), ("l1", 6), ("cross-entropy", 7)])
def test_mean_loss(probes, reference, rng, loss, count):
    """The mean loss is off for some number of samples: weigh each batch by len(x), divide by the samples you saw."""
    check_same(*run_both(probes, reference, rng, simple_plan(rng, loss=loss), count=count))


@points(1)
def test_float32(probes, reference, rng):
    """A float32 model trains in float32, and its losses are Python floats as well."""
    actual, expected, _ = run_both(probes, reference, rng, simple_plan(rng), dtype=torch.float32)
    check_same(actual, expected, 1e-4)


@points(2)
@pytest.mark.parametrize("limit", [0.3, 1e6], ids=["tight", "loose"])
def test_clipping(probes, reference, rng, limit):
    """The norm over all gradients together is limited after backward and before the step."""
    plan = simple_plan(rng, max_grad_norm=limit * rng.uniform(0.5, 1.5), optimizer_options={"lr": 0.2, "momentum": 0.8})
    check_same(*run_both(probes, reference, rng, plan))


@points(1)
def test_clipping_with_several_groups(probes, reference, rng):
    """The norm is over all parameters together, even if the optimizer holds them in several groups."""
    plan = simple_plan(rng, group_for_each_layer=True, max_grad_norm=rng.uniform(0.1, 0.4))
    check_same(*run_both(probes, reference, rng, plan))


@points(1)
def test_clipping_to_zero(probes, reference, rng):
    """max_grad_norm=0.0 is a limit (nothing moves); only None means no clipping."""
    plan = simple_plan(rng, max_grad_norm=0.0)
    check_same(*run_both(probes, reference, rng, plan))


@points(1)
def test_parameter_without_gradient(probes, reference, rng):
    """A parameter that no output depends on has .grad None: clip without stumbling over it, and leave it as it is."""
    plan = simple_plan(rng, network={"idle": True}, max_grad_norm=rng.uniform(0.1, 0.5))
    check_same(*run_both(probes, reference, rng, plan))


@points(2)
def test_stale_gradients(probes, reference, rng):
    """Gradients that were there before fit began must not reach the first step, and none may pile up later."""
    plan = simple_plan(rng, stale_gradients=rng.uniform(2, 9))
    check_same(*run_both(probes, reference, rng, plan))


@points(2)
def test_train_mode_at_the_start(probes, reference, rng):
    """A model that arrives in eval mode is trained in train mode: BatchNorm must use the batch and move its statistics."""
    plan = simple_plan(rng, network={"norm": True}, starts_in_eval_mode=True)
    check_same(*run_both(probes, reference, rng, plan, count=6))


@points(2)
def test_train_mode_after_the_callback(probes, reference, rng):
    """on_epoch may evaluate and leave the model in eval mode: every epoch puts it back into train mode."""
    for left in (True, "norm"):
        plan = simple_plan(rng, network={"norm": True}, callback={"leaves_eval_mode": left})
        check_same(*run_both(probes, reference, rng, plan, count=6))


@points(1)
def test_global_randomness_is_left_alone(probes, reference, rng):
    """Dropout draws from the global generator, which belongs to the caller: no seeding, and one forward for a batch."""
    plan = simple_plan(rng, network={"dropout": 0.5}, seed=rng.integer(0, 10**6))
    check_same(*run_both(probes, reference, rng, plan))


@points(2)
def test_scheduler_steps_once_an_epoch(probes, reference, rng):
    """The schedule is stepped once after every epoch, not after every batch and not before the first."""
    plan = simple_plan(rng, epochs=3, scheduler="StepLR", scheduler_options={"step_size": 2, "gamma": 0.1}, callback={})
    check_same(*run_both(probes, reference, rng, plan))


@points(2)
def test_callback_comes_after_the_scheduler(probes, reference, rng):
    """on_epoch sees the learning rate of the coming epoch, and what it sets then is what that epoch uses."""
    plan = simple_plan(
        rng,
        scheduler="ExponentialLR",
        scheduler_options={"gamma": rng.uniform(0.3, 0.6)},
        callback={"rate_factor": rng.uniform(2, 3)},
    )
    check_same(*run_both(probes, reference, rng, plan))


@points(2)
@pytest.mark.parametrize("answer", ["enough", [0]], ids=["text", "list"])
def test_truthy_answers_stop(probes, reference, rng, answer):
    """Any truthy answer of on_epoch stops; the stopped epoch is in the list, and the scheduler was stepped for it."""
    plan = simple_plan(
        rng,
        epochs=4,
        scheduler="ExponentialLR",
        scheduler_options={"gamma": 0.5},
        callback={"answers": [None, answer]},
    )
    check_same(*run_both(probes, reference, rng, plan))


@points(1)
def test_falsy_answers_go_on(probes, reference, rng):
    """None, False, 0 and empty answers of on_epoch mean: go on."""
    plan = simple_plan(rng, epochs=5, callback={"answers": [0, "", [], False, None]})
    check_same(*run_both(probes, reference, rng, plan, count=3))


@points(1)
def test_no_epochs(probes, rng):
    """epochs=0 returns an empty list and leaves weights and schedule as they are."""
    weights = network_weights(rng, (3, 4, 2))
    plan = simple_plan(rng, epochs=0, scheduler="ExponentialLR", scheduler_options={"gamma": 0.5}, callback={})
    outcome = probes.train(plan, weights, *data(rng, (3, 4, 2), 4))
    check_losses(outcome, [])
    check(outcome["calls"] == [], "on_epoch was called although there was no epoch")
    assert_close(outcome["weights"], weights, name="weights")
    assert_close(outcome["final_rate"], plan["optimizer_options"]["lr"], name="final learning rate")


@points(1)
def test_generator_for_one_epoch(probes, reference, rng):
    """A one-shot generator is enough for one epoch: no len(), no index, no look ahead that loses a batch."""
    check_same(*run_both(probes, reference, rng, simple_plan(rng, form="generator", epochs=1)))


@points(1)
def test_generator_for_two_epochs(probes, rng):
    """A one-shot generator is empty in its second epoch: raise ValueError rather than report a loss of nothing."""
    plan = simple_plan(rng, form="generator", epochs=2)
    outcome = probes.train(plan, network_weights(rng, (3, 4, 2)), *data(rng, (3, 4, 2), 4))
    check(outcome["error"] == "ValueError", "an exhausted generator must raise ValueError in the second epoch")


@points(1)
@pytest.mark.parametrize("form", ["object", "loader"])
def test_batches_are_walked_once_an_epoch(probes, reference, rng, form):
    """Batches that reshuffle must be walked exactly once in every epoch: do not peek, do not keep a list of them."""
    plan = simple_plan(rng, form=form, shuffle_seed=rng.integer(0, 10**6), epochs=8)
    check_same(*run_both(probes, reference, rng, plan))


def spirals(rng, count):
    """Points (2 · count, 2) on two arms that wind once around each other, and the arm of each."""
    radius = rng.rand(2, count) * 0.9 + 0.1
    angle = 2 * math.pi * radius + math.pi * torch.arange(2)[:, None]
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], -1) + 0.01 * rng.randn(2, count, 2)
    return points.flatten(0, 1), torch.arange(2).repeat_interleave(count)


@points(2)
def test_two_spirals(probes, given, rng):
    """Sixty epochs must tell two spirals apart: does the run end, or change, for a reason that nobody gave?"""
    # The run is the same every time, because a right loop learns too little from some draws. Only the fresh points are new.
    fixed = Rng(11, "two spirals")
    adam = {"optimizer": "Adam", "optimizer_options": {"lr": 0.1}, "loss": "cross-entropy"}
    plan = {"sizes": (2, 48, 2), "batch": 32, "epochs": 60, "form": "object", "shuffle_seed": fixed.seed() // 2, **adam}
    weights = network_weights(fixed, plan["sizes"], torch.float32)
    outcome = probes.train(plan, weights, *spirals(fixed, 80))
    check(outcome["error"] is None, "fit raised ValueError although there were batches")
    check(len(outcome["losses"]) == 60, f"60 losses expected, got {len(outcome['losses'])}: nobody asked it to stop")
    network = given.Network(*plan["sizes"])
    network.load_state_dict(outcome["weights"])
    x, arm = spirals(rng, 200)
    right = float((network(x).argmax(1) == arm).float().mean())
    check(right >= 0.9, f"{100 * right:.0f} % of fresh points were told apart, at least 90 % expected")


@attested
@points(2)
def test_batch_moves_to_the_model(probes, rng):
    """Batches go to the device of the model's parameters, x and y both; the model stays where it is."""
    seen = probes.places(*data(rng, (3, 4, 2), 4))
    check(seen.get("model") == "meta", "the model was moved; move the batch instead")
    check(seen.get("x") == "meta", "x was not moved to the model's device before the forward pass")
    check(seen.get("y") == "meta", "y was not moved to the model's device before the loss")


@attested
@points(2)
def test_no_graph_is_kept_alive(probes, rng):
    """Adding up losses that still carry their graph keeps the graphs of all earlier batches alive."""
    plan = simple_plan(rng, batch=1)
    alive = probes.graphs_alive(plan, network_weights(rng, (3, 4, 2)), *data(rng, (3, 4, 2), 8))
    check(
        type(alive) is int and 0 <= alive <= 3,
        "graphs of earlier batches were still alive while later ones were trained",
    )
