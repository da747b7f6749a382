"""Hidden tests: MySGD. A random plan of gradients is sent; torch's own SGD replays it here."""

from types import SimpleNamespace

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
TORCH = SimpleNamespace(MySGD=torch.optim.SGD)


def compare(probes, starts, gradients, plan):
    """The same plan with the answer and with torch's SGD: the parameters after every step."""
    outcome = probes.run(starts, gradients, plan)
    expected = probes.on(TORCH).run(starts, gradients, plan)
    for step, (one, other) in enumerate(zip(outcome["trace"], expected["trace"], strict=True)):
        for i, (actual, right) in enumerate(zip(one, other, strict=True)):
            assert_close(actual, right, scale=4.0, name=f"parameter {i} after step {step + 1}")
    return outcome


def drawn(rng, shapes, steps, dtype=F64):
    """Starting values, and gradients for each step."""
    return [rng.randn(*shape, dtype=dtype) for shape in shapes], [rng.randn(steps, *s, dtype=dtype) for s in shapes]


@sample
@points(1)
def test_plain_step(probes):
    """Without options but the rate: minus lr times the gradient."""
    outcome = probes.run([torch.ones(2)], [torch.tensor([[2.0, -4.0]])], {"options": {"lr": 0.5}})
    assert_close(outcome["trace"][0][0], torch.tensor([0.0, 3.0]), name="parameter")


@sample
@points(1)
def test_two_steps_with_momentum(probes):
    """Gradients 1 and 1, momentum 0.5, rate 1: the first step is 1 long, the second 1.5."""
    plan = {"options": {"lr": 1.0, "momentum": 0.5}}
    outcome = probes.run([torch.zeros(1)], [torch.ones(2, 1)], plan)
    assert_close(outcome["trace"], [[torch.tensor([-1.0])], [torch.tensor([-2.5])]], name="parameter")


@sample
@points(1)
def test_first_step_with_nesterov(probes):
    """Gradient 1, momentum 0.5, rate 1, nesterov: one plus half of the buffer, 1.5 in the very first step."""
    plan = {"options": {"lr": 1.0, "momentum": 0.5, "nesterov": True}}
    outcome = probes.run([torch.zeros(1)], [torch.ones(1, 1)], plan)
    assert_close(outcome["trace"][0][0], torch.tensor([-1.5]), name="parameter")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_twenty_steps(probes, rng, dtype):
    """Twenty steps with momentum and decay drift away from torch.optim.SGD: compare the rule term by term."""
    starts, gradients = drawn(rng, [(3, 4), (5,)], 20, dtype)
    options = {"lr": rng.uniform(0.05, 0.1), "momentum": 0.9, "weight_decay": rng.uniform(0.05, 0.2)}
    compare(probes, starts, gradients, {"options": options})


@points(2)
def test_dampening(probes, rng):
    """Dampening weakens what is added to the buffer from the second step on, and not what it starts with."""
    starts, gradients = drawn(rng, [(4,)], 5)
    options = {"lr": 0.1, "momentum": rng.uniform(0.5, 0.9), "dampening": rng.uniform(0.2, 0.6)}
    compare(probes, starts, gradients, {"options": options})


@points(2)
def test_nesterov(probes, rng):
    """Nesterov steps along gradient plus momentum times buffer; the buffer itself is the same as without."""
    starts, gradients = drawn(rng, [(4, 2)], 6)
    options = {"lr": 0.1, "momentum": rng.uniform(0.5, 0.9), "nesterov": True, "weight_decay": rng.uniform(0.0, 0.5)}
    compare(probes, starts, gradients, {"options": options})


@points(2)
def test_decay_enters_the_buffer(probes, rng):
    """The decay is part of the gradient, so it passes through the buffer; without momentum it simply adds."""
    starts, gradients = drawn(rng, [(5,)], 5)
    for momentum in (0.0, 0.8):
        options = {"lr": 0.2, "momentum": momentum, "weight_decay": rng.uniform(0.4, 0.9)}
        compare(probes, starts, gradients, {"options": options})


@points(2)
def test_two_groups(probes, rng):
    """Groups with options of their own: every number must come from the group, not from the defaults."""
    starts, gradients = drawn(rng, [(2, 3), (4,), (2,)], 6)
    first = {"params": [0, 2], "lr": rng.uniform(0.01, 0.05), "weight_decay": 0.3}
    second = {"params": [1], "momentum": rng.uniform(0.3, 0.6), "nesterov": True, "dampening": 0.0}
    compare(probes, starts, gradients, {"groups": [first, second], "options": {"lr": 0.2, "momentum": 0.9}})


@points(1)
def test_options_that_only_groups_have(probes, rng):
    """An option that is set for one group alone, dampening for instance, is used there and nowhere else."""
    starts, gradients = drawn(rng, [(3,), (3,)], 4)
    groups = [{"params": [0], "dampening": rng.uniform(0.3, 0.6)}, {"params": [1], "momentum": 0.0}]
    compare(probes, starts, gradients, {"groups": groups, "options": {"lr": 0.1, "momentum": 0.7}})


@points(2)
def test_gradients_that_are_sometimes_missing(probes, rng):
    """A step without a gradient changes nothing of a parameter: neither its value nor its buffer."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 8)
    present = [[True, step % 3 != 1] for step in range(8)]
    present[0] = [True, False]
    options = {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.5}
    compare(probes, starts, gradients, {"options": options, "present": present})


@points(2)
def test_resume_from_the_state_dict(probes, rng):
    """A new optimizer that loads the state dict must go on as the old one would have: what is not in the state is lost."""
    starts, gradients = drawn(rng, [(3, 2), (4,)], 8)
    groups = [{"params": [0], "lr": 0.02}, {"params": [1]}]
    options = {"lr": 0.1, "momentum": 0.9}
    compare(probes, starts, gradients, {"groups": groups, "options": options, "restart": rng.integer(2, 6)})


@points(1)
def test_rates_that_change(probes, rng):
    """The rate of the step multiplies the whole buffer: it must not be remembered inside of it."""
    starts, gradients = drawn(rng, [(3,)], 6)
    rates = {2: [rng.uniform(0.4, 0.8)], 4: [rng.uniform(0.01, 0.02)]}
    compare(probes, starts, gradients, {"options": {"lr": 0.1, "momentum": 0.8}, "rates": rates})


@points(2)
def test_options_that_change(probes, rng):
    """An option that is set in param_groups between two steps counts from the next step on: read all of them in step."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 7)
    later = {"weight_decay": rng.uniform(0.3, 0.6), "dampening": rng.uniform(0.3, 0.6)}
    changes = {2: {"momentum": rng.uniform(0.3, 0.5)}, 4: later, 6: {"dampening": 0.0, "nesterov": True}}
    for momentum in (0.0, 0.9):
        compare(probes, starts, gradients, {"options": {"lr": 0.1, "momentum": momentum}, "changes": changes})


@points(1)
def test_momentum_switched_off_and_on(probes, rng):
    """While momentum is 0 the buffer neither moves nor goes: it is there when momentum comes back."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 7)
    changes = {2: {"momentum": 0.0}, 4: {"momentum": rng.uniform(0.5, 0.9)}}
    compare(probes, starts, gradients, {"options": {"lr": 0.1, "momentum": 0.8}, "changes": changes})


@points(1)
def test_options_of_groups_are_taken_as_they_are(probes, rng):
    """Only the constructor's arguments are checked: a group of a Nesterov optimizer may have no momentum."""
    starts, gradients = drawn(rng, [(3,), (2,)], 3)
    groups = [{"params": [0]}, {"params": [1], "momentum": 0.0}]
    compare(probes, starts, gradients, {"groups": groups, "options": {"lr": 0.1, "momentum": 0.9, "nesterov": True}})


@points(1)
def test_first_gradient_of_zero(probes, rng):
    """A first gradient of zero starts the buffer all the same: what is added in the second step is dampened."""
    starts, gradients = drawn(rng, [(4,)], 4)
    gradients[0][0] = 0.0
    options = {"lr": 0.1, "momentum": rng.uniform(0.5, 0.9), "dampening": rng.uniform(0.3, 0.6)}
    compare(probes, starts, gradients, {"options": options})


@points(1)
def test_group_added_between_steps(probes, rng):
    """A group that is added after some steps starts with a buffer of its own."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 6)
    plan = (starts, gradients, {"lr": 0.1, "momentum": 0.9}, rng.integer(2, 5), rng.uniform(0.2, 0.4))
    assert_close(probes.grow(*plan), probes.on(TORCH).grow(*plan), name="parameters")


LAYOUTS = {
    "number": lambda rng: rng.randn((), dtype=F64),
    "empty": lambda rng: rng.randn(0, 3, dtype=F64),
    "transposed": lambda rng: rng.randn(4, 3, dtype=F64).t(),
}


@points(1)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(probes, rng, layout):
    """Parameters may be 0-d, empty or laid out in any way: use operators that do not care."""
    start = LAYOUTS[layout](rng)
    gradients = rng.randn(3, *start.shape, dtype=F64)
    compare(probes, [start], [gradients], {"options": {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.1}})


@points(1)
def test_defaults(probes, rng):
    """Without options: a rate of 1e-3 and nothing else."""
    starts, gradients = drawn(rng, [(4,)], 3)
    compare(probes, starts, gradients, {"options": {}})


@attested
@points(2)
def test_only_the_parameters_change(probes, rng):
    """Parameters change in place and stay leaves; the gradients belong to others and are only read."""
    starts, gradients = drawn(rng, [(3, 2)], 4)
    outcome = probes.run(starts, gradients, {"options": {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.5}})
    check(outcome["grads_kept"], "a gradient was changed by step()")
    check(outcome["in_place"], "a parameter lives in other memory than before: change it in place")
    check(outcome["leaves"], "a parameter is no longer a leaf that requires a gradient")
    check(not torch.equal(outcome["trace"][0][0], starts[0]), "the parameters did not move")


@points(1)
def test_gradients_that_share_one_buffer(probes, rng):
    """The next gradient is often written into the same memory: the momentum buffer must not be that tensor."""
    starts, gradients = drawn(rng, [(3, 2)], 5)
    compare(probes, starts, gradients, {"options": {"lr": 0.1, "momentum": 0.9}, "same_buffers": True})


@attested
@points(2)
@pytest.mark.parametrize("momentum", [0.0, 0.9], ids=["plain", "momentum"])
def test_one_tensor_of_state(probes, rng, momentum):
    """With momentum the state of a stepped parameter is one tensor of its shape and dtype; without, there is none."""
    starts = [rng.randn(3, 2), rng.randn(4, dtype=F64), rng.randn(5)]
    gradients = [rng.randn(3, 2), rng.randn(4, dtype=F64)]
    seen = probes.state_of(starts, gradients, {"lr": 0.1, "momentum": momentum})
    check(seen["is_optimizer"], "MySGD must derive from torch.optim.Optimizer")
    check(seen["elsewhere"] == 0, "tensors are kept outside of self.state: state_dict() does not save them")
    check(seen["tensors"][2] == [], "a parameter that never had a gradient has tensors in its state")
    for start, tensors in zip(starts[:2], seen["tensors"], strict=False):
        expected = [(tuple(start.shape), start.dtype)] if momentum else []
        check(tensors == expected, "one tensor of the parameter's shape and dtype with momentum, none without")


@points(1)
def test_closure(probes, rng):
    """step(closure) calls the closure once, with recording on, before the update, and returns its loss."""
    start, target = rng.randn(4, dtype=F64), rng.randn(4, dtype=F64)
    outcome = probes.with_closure(start, target, 3, {"lr": 0.1})
    expected = probes.on(TORCH).with_closure(start, target, 3, {"lr": 0.1})
    check(outcome["calls"] == 3, f"the closure should have run 3 times, it ran {outcome['calls']} times")
    check(all(outcome["returned"]), "step(closure) must return the very object that the closure returned")
    assert_close(outcome["losses"], expected["losses"], name="losses of the closure")
    assert_close(outcome["p"], expected["p"], name="parameter")


@points(1)
def test_without_a_closure_nothing_is_returned(probes, rng):
    """Without a closure there is no loss, and step() returns None."""
    check(probes.step_returns(rng.randn(2), rng.randn(2)) is None, "step() without a closure must return None")


WRONG_OPTIONS = {
    "lr": {"lr": -0.1},
    "momentum": {"momentum": -0.5},
    "weight-decay": {"weight_decay": -1e-4},
    "nesterov-without-momentum": {"nesterov": True},
    "nesterov-with-dampening": {"nesterov": True, "momentum": 0.9, "dampening": 0.1},
}


@points(1)
@pytest.mark.parametrize("options", WRONG_OPTIONS.values(), ids=WRONG_OPTIONS.keys())
def test_options_out_of_range(probes, options):
    """Negative options, and Nesterov without momentum or with dampening, must raise ValueError when it is made."""
    check(probes.refused(options), "ValueError expected")


@points(1)
def test_options_of_zero(probes):
    """Zeros are no mistake: a rate, a momentum or a decay of zero is accepted."""
    check(not probes.refused({"lr": 0.0, "momentum": 0.0, "weight_decay": 0.0}), "ValueError although nothing is wrong")
