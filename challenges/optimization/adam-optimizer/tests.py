"""Hidden tests: MyAdam. A random plan of gradients is sent; torch's own Adam replays it here."""

from types import SimpleNamespace

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
TORCH = SimpleNamespace(MyAdam=torch.optim.Adam)


def compare(probes, starts, gradients, plan, scale=1.0):
    """The same plan with the answer and with torch's Adam: the parameters after every step."""
    outcome = probes.run(starts, gradients, plan)
    expected = probes.on(TORCH).run(starts, gradients, plan)
    for step, (one, other) in enumerate(zip(outcome["trace"], expected["trace"], strict=True)):
        for i, (actual, right) in enumerate(zip(one, other, strict=True)):
            assert_close(actual, right, scale=scale, name=f"parameter {i} after step {step + 1}")
    return outcome


def drawn(rng, shapes, steps, dtype=F64):
    """Starting values, and gradients of very different sizes for each step."""
    starts = [rng.randn(*shape, dtype=dtype) for shape in shapes]
    gradients = [rng.randn(steps, *shape, dtype=dtype) * 10 ** rng.uniform(-2, 2) for shape in shapes]
    return starts, gradients


@sample
@points(1)
def test_first_step_has_the_size_of_the_rate(probes):
    """After one step every element has moved by lr against the sign of its gradient, large or small."""
    start, gradient = torch.ones(4), torch.tensor([[1e-3, -1e3, 0.5, -2.0]])
    outcome = probes.run([start], [gradient], {"options": {"lr": 0.1}})
    assert_close(outcome["trace"][0][0], torch.tensor([0.9, 1.1, 0.9, 1.1]), atol=1e-4, name="parameter")


@sample
@points(1)
def test_two_steps_by_hand(probes):
    """Gradients 1 and 3 with betas (0.5, 0.75): the corrected moments are 1, 1 and then 7/3, 39/7."""
    start, gradients = torch.zeros(1, dtype=F64), torch.tensor([[1.0], [3.0]], dtype=F64)
    plan = {"options": {"lr": 1.0, "betas": (0.5, 0.75), "eps": 0.0}}
    outcome = probes.run([start], [gradients], plan)
    assert_close(outcome["trace"][0][0], torch.tensor([-1.0], dtype=F64), name="after step 1")
    second = -1.0 - (7 / 3) / (39 / 7) ** 0.5
    assert_close(outcome["trace"][1][0], torch.tensor([second], dtype=F64), name="after step 2")


@sample
@points(1)
def test_no_gradient_no_change(probes):
    """A parameter whose .grad is None stays as it is, and its neighbour is stepped all the same."""
    starts = [torch.tensor([1.0]), torch.tensor([2.0])]
    plan = {"options": {"lr": 0.5}, "present": [[True, False]]}
    outcome = probes.run(starts, [torch.ones(1, 1), torch.ones(1, 1)], plan)
    assert_close(outcome["trace"][0], [torch.tensor([0.5]), torch.tensor([2.0])], name="parameters")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_fifty_steps(probes, rng, dtype):
    """Fifty steps with the default betas drift away from torch.optim.Adam: compare the update rule term by term."""
    starts, gradients = drawn(rng, [(3, 4), (5,)], 50, dtype)
    compare(probes, starts, gradients, {"options": {"lr": rng.uniform(0.01, 0.1)}}, scale=4.0)


@points(2)
def test_other_betas(probes, rng):
    """Other betas than the default ones: each moment has its own, and each is corrected with its own."""
    starts, gradients = drawn(rng, [(4, 2)], 8)
    options = {"lr": 0.05, "betas": (rng.uniform(0.3, 0.6), rng.uniform(0.7, 0.95))}
    compare(probes, starts, gradients, {"options": options})


@points(1)
def test_betas_of_zero(probes, rng):
    """Betas of zero are allowed: nothing is remembered then, and nothing must divide by zero."""
    starts, gradients = drawn(rng, [(3,)], 3)
    compare(probes, starts, gradients, {"options": {"lr": 0.05, "betas": (0.0, 0.0)}})


@points(2)
def test_place_of_eps(probes, rng):
    """When eps is as large as the gradients its place matters: outside the root, after the bias correction."""
    starts, gradients = drawn(rng, [(3, 2)], 6)
    gradients = [g / g.std() for g in gradients]
    compare(probes, starts, gradients, {"options": {"lr": 0.1, "eps": rng.uniform(0.3, 1.0)}})


@points(2)
def test_two_groups(probes, rng):
    """Two groups with options of their own: every number must come from the group, not from the defaults."""
    starts, gradients = drawn(rng, [(2, 3), (4,), (2,)], 10)
    first = {"params": [0, 2], "lr": rng.uniform(0.01, 0.05), "eps": rng.uniform(0.1, 0.5)}
    second = {"params": [1], "betas": (rng.uniform(0.5, 0.8), rng.uniform(0.8, 0.9))}
    compare(probes, starts, gradients, {"groups": [first, second], "options": {"lr": 0.2}})


@points(2)
def test_gradients_that_are_sometimes_missing(probes, rng):
    """A step without a gradient changes nothing of a parameter: not its moments, and not the count of its corrections."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 10)
    present = [[True, step % 3 != 1] for step in range(10)]
    present[0] = [True, False]
    compare(probes, starts, gradients, {"options": {"lr": 0.1}, "present": present})


@points(1)
def test_gradients_of_zero(probes, rng):
    """A gradient of zeros is a gradient: the moments decay, the count goes on, and the parameter moves."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 6)
    gradients[0][3] = 0.0
    gradients[1][0] = 0.0
    compare(probes, starts, gradients, {"options": {"lr": 0.1}})


@points(2)
def test_resume_from_the_state_dict(probes, rng):
    """A new optimizer that loads the state dict must go on as the old one would have: what is not in the state is lost."""
    starts, gradients = drawn(rng, [(3, 2), (4,)], 12)
    groups = [{"params": [0], "lr": 0.02}, {"params": [1]}]
    compare(probes, starts, gradients, {"groups": groups, "options": {"lr": 0.1}, "restart": rng.integer(3, 8)})


@points(1)
def test_rates_that_change(probes, rng):
    """Learning rates set in param_groups between steps must be used from then on."""
    starts, gradients = drawn(rng, [(3,)], 6)
    rates = {2: [rng.uniform(0.2, 0.4)], 4: [rng.uniform(0.01, 0.02)]}
    compare(probes, starts, gradients, {"options": {"lr": 0.1}, "rates": rates})


@points(2)
def test_options_that_change(probes, rng):
    """Betas or eps that are set in param_groups between two steps count from the next step on: read them in step."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 6)
    later = {"eps": rng.uniform(0.3, 1.0)}
    changes = {2: {"betas": (rng.uniform(0.3, 0.6), rng.uniform(0.7, 0.95))}, 4: later}
    compare(probes, starts, gradients, {"options": {"lr": 0.1}, "changes": changes})


@points(1)
def test_defaults(probes, rng):
    """Without options: lr 1e-3, betas 0.9 and 0.999, and an eps of 1e-8, which shows where gradients are as small."""
    starts, gradients = drawn(rng, [(4,)], 5)
    compare(probes, starts, [1e-8 * g / g.std() for g in gradients], {})


@points(1)
def test_under_a_schedule(probes, rng):
    """A schedule from torch.optim.lr_scheduler must be able to drive the optimizer."""
    start, gradients = rng.randn(3, dtype=F64), rng.randn(6, 3, dtype=F64)
    options, gamma = {"lr": rng.uniform(0.1, 0.2)}, rng.uniform(0.4, 0.7)
    actual = probes.scheduled(start, gradients, options, gamma)
    assert_close(actual, probes.on(TORCH).scheduled(start, gradients, options, gamma), name="parameter")


@points(1)
def test_group_added_between_steps(probes, rng):
    """A group that is added after some steps starts with moments and a count of its own."""
    starts, gradients = drawn(rng, [(3,), (2, 2)], 7)
    plan = (starts, gradients, {"lr": 0.1}, rng.integer(2, 5), rng.uniform(0.2, 0.4))
    assert_close(probes.grow(*plan), probes.on(TORCH).grow(*plan), name="parameters")


LAYOUTS = {
    "number": lambda rng: rng.randn((), dtype=F64),
    "empty": lambda rng: rng.randn(0, 3, dtype=F64),
    "transposed": lambda rng: rng.randn(4, 3, dtype=F64).t(),
    "strided": lambda rng: rng.randn(4, 6, dtype=F64)[:, ::2],
}


@points(1)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(probes, rng, layout):
    """Parameters may be 0-d, empty or laid out in any way: use operators that do not care."""
    start = LAYOUTS[layout](rng)
    gradients = rng.randn(3, *start.shape, dtype=F64)
    compare(probes, [start], [gradients], {"options": {"lr": 0.1}})


@attested
@points(2)
def test_only_the_parameters_change(probes, rng):
    """Parameters change in place and stay leaves; the gradients belong to others and are only read."""
    starts, gradients = drawn(rng, [(3, 2)], 4)
    outcome = probes.run(starts, gradients, {"options": {"lr": 0.1}})
    check(outcome["grads_kept"], "a gradient was changed by step()")
    check(outcome["in_place"], "a parameter lives in other memory than before: change it in place")
    check(outcome["leaves"], "a parameter is no longer a leaf that requires a gradient")
    moved = not torch.equal(outcome["trace"][0][0], starts[0])
    check(moved, "the parameters did not move")


@points(1)
def test_gradients_that_share_one_buffer(probes, rng):
    """The next gradient is often written into the same memory: a moment must not be that tensor."""
    starts, gradients = drawn(rng, [(3, 2)], 5)
    compare(probes, starts, gradients, {"options": {"lr": 0.1}, "same_buffers": True})


@attested
@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_two_tensors_of_state(probes, rng, dtype):
    """The state of a stepped parameter: two tensors of its shape and dtype, no graph; none before its first step."""
    starts = [rng.randn(3, 2, dtype=dtype), rng.randn(4, dtype=dtype), rng.randn(5, dtype=dtype)]
    seen = probes.state_of(starts, [rng.randn(3, 2, dtype=dtype), rng.randn(4, dtype=dtype)], {"lr": 0.1})
    check(seen["is_optimizer"], "MyAdam must derive from torch.optim.Optimizer")
    check(seen["before"] == 0, "there are tensors in the state before the first step")
    check(seen["elsewhere"] == 0, "tensors are kept outside of self.state: state_dict() does not save them")
    check(seen["tensors"][2] == [], "a parameter that never had a gradient has tensors in its state")
    for start, tensors in zip(starts[:2], seen["tensors"], strict=False):
        large = [one for one in tensors if one[0] == tuple(start.shape)]
        rest = [one for one in tensors if one[0] != tuple(start.shape)]
        check(len(large) == 2, f"two tensors of the parameter's shape expected in its state, there are {len(large)}")
        check(all(one[1] is dtype for one in large), "a moment has another dtype than its parameter")
        check(not any(one[2] for one in tensors), "a tensor in the state requires a gradient")
        check(all(one[0] in ((), (1,)) for one in rest), "the state has further tensors that are no single number")


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
    "eps": {"eps": -1e-8},
    "beta1": {"betas": (1.0, 0.9)},
    "beta1-below": {"betas": (-0.1, 0.9)},
    "beta2": {"betas": (0.9, -0.1)},
    "beta2-above": {"betas": (0.9, 1.0)},
}


@points(1)
@pytest.mark.parametrize("options", WRONG_OPTIONS.values(), ids=WRONG_OPTIONS.keys())
def test_options_out_of_range(probes, options):
    """A negative lr or eps, or a beta outside [0, 1), must raise ValueError when the optimizer is made."""
    with pytest.raises(ValueError):
        probes.run([torch.ones(2)], [torch.ones(1, 2)], {"options": options})
