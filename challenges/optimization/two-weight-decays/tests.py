"""Hidden tests: steps against torch's Adam and AdamW, the penalty against SGD's own weight decay."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
BOTH = pytest.mark.parametrize("decoupled", [False, True], ids=["coupled", "decoupled"])


def drawn(rng, shapes, steps, dtype=F64):
    """Weights, and gradients of different sizes."""
    starts = [rng.randn(*shape, dtype=dtype) for shape in shapes]
    return starts, [rng.randn(steps, *shape, dtype=dtype) * 10 ** rng.uniform(-1, 1) for shape in shapes]


def compare(probes, starts, gradients, options, rates=()):
    """The answer's walk against the library's."""
    outcome = probes.walk(starts, gradients, options, rates)
    expected = expected_walk(starts, gradients, options, rates)
    for k, (one, other) in enumerate(zip(outcome["trace"], expected, strict=True)):
        for i, (actual, right) in enumerate(zip(one, other, strict=True)):
            assert_close(actual, right, scale=4.0, name=f"weight {i} after step {k + 1}")
    return outcome


def expected_walk(starts, gradients, options, rates=()):
    """The same walk with torch's own optimizers."""
    options = dict(options)
    params = [torch.nn.Parameter(start.clone(memory_format=torch.preserve_format)) for start in starts]
    kind = torch.optim.AdamW if options.pop("decoupled", True) else torch.optim.Adam
    optimizer = kind(params, weight_decay=options.pop("wd", 0.0), **options)
    trace = []
    for k in range(len(gradients[0])):
        for p, all_of_them in zip(params, gradients, strict=True):
            p.grad = all_of_them[k].clone(memory_format=torch.preserve_format)
        if len(rates):
            optimizer.param_groups[0]["lr"] = rates[k]
        optimizer.step()
        trace.append([p.detach().clone() for p in params])
    return trace


@sample
@points(1)
def test_zero_gradient_coupled(probes):
    """Weight 1, gradient 0, lr 0.01, decay 0.1: coupled, the decay passes through the moments and moves a whole lr."""
    options = {"lr": 0.01, "wd": 0.1, "decoupled": False}
    outcome = probes.walk([torch.ones(1, dtype=F64)], [torch.zeros(1, 1, dtype=F64)], options)
    assert_close(outcome["trace"][0][0], torch.tensor([0.99], dtype=F64), atol=1e-6, name="weight")


@sample
@points(1)
def test_zero_gradient_decoupled(probes):
    """Weight 1, gradient 0, lr 0.01, decay 0.1: decoupled, the weight shrinks by lr times decay, a thousandth."""
    options = {"lr": 0.01, "wd": 0.1, "decoupled": True}
    outcome = probes.walk([torch.ones(1, dtype=F64)], [torch.zeros(1, 1, dtype=F64)], options)
    assert_close(outcome["trace"][0][0], torch.tensor([0.999], dtype=F64), name="weight")


@sample
@points(1)
def test_penalty_by_hand(solution):
    """Weights 1, 2 and 3 with decay 0.1: half of 0.1 times 14 is 0.7, and the gradient is a tenth of each weight."""
    a, b = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)
    penalty = solution.l2_penalty([a, b], 0.1)
    assert_close(penalty, torch.tensor(0.7), name="penalty")
    penalty.backward()
    assert_close([a.grad, b.grad], [torch.tensor([0.1, 0.2]), torch.tensor([0.3])], name="gradients")


@points(3)
@BOTH
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_ten_steps(probes, rng, dtype, decoupled):
    """Ten steps with decay drift away from torch's Adam (coupled) or AdamW (decoupled): follow one weight by hand."""
    starts, gradients = drawn(rng, [(3, 4), (5,)], 10, dtype)
    options = {"lr": rng.uniform(0.02, 0.05), "wd": rng.uniform(0.3, 0.6), "decoupled": decoupled}
    compare(probes, starts, gradients, options)


@points(2)
@BOTH
def test_strong_decay(probes, rng, decoupled):
    """When lr times decay is large, it matters which weight shrinks: the one before the step or the one after."""
    starts, gradients = drawn(rng, [(4, 2)], 5)
    options = {"lr": 0.5, "wd": rng.uniform(0.5, 1.0), "decoupled": decoupled, "betas": (0.6, 0.9), "eps": 0.1}
    compare(probes, starts, gradients, options)


@points(1)
@BOTH
def test_without_decay(probes, rng, decoupled):
    """With wd=0.0 both forms are Adam, with whatever betas and eps are given."""
    starts, gradients = drawn(rng, [(6,)], 5)
    options = {"lr": 0.1, "betas": (rng.uniform(0.2, 0.5), rng.uniform(0.6, 0.9)), "decoupled": decoupled}
    compare(probes, starts, gradients, {**options, "eps": rng.uniform(0.1, 0.4)})


@points(1)
def test_defaults(probes, rng):
    """Without options: lr 1e-3, betas 0.9 and 0.999, eps 1e-8, no decay; with a decay alone, the decoupled form."""
    starts, gradients = drawn(rng, [(4,)], 4)
    gradients = [1e-7 * g for g in gradients]
    compare(probes, starts, gradients, {"lr": 1e-3} if rng.integer(0, 2) else {})
    outcome = probes.walk(starts, gradients, {"wd": 50.0})
    expected = expected_walk(starts, gradients, {"lr": 1e-3, "wd": 50.0})
    assert_close(outcome["trace"][-1], expected[-1], name="weights with wd alone")
    plain = probes.walk(starts, gradients, {})["trace"][-1]
    assert_close(plain, expected_walk(starts, gradients, {})[-1], name="weights with defaults")


@points(1)
@BOTH
def test_rate_of_each_step(probes, rng, decoupled):
    """A schedule changes lr from step to step: the decay follows the rate of the step, too."""
    starts, gradients = drawn(rng, [(5,)], 5)
    rates = [rng.uniform(0.05, 0.5) for _ in range(5)]
    compare(probes, starts, gradients, {"lr": 0.1, "wd": 0.4, "decoupled": decoupled}, rates)


LAYOUTS = {
    "number": lambda rng: rng.randn((), dtype=F64),
    "empty": lambda rng: rng.randn(0, 3, dtype=F64),
    "transposed": lambda rng: rng.randn(4, 3, dtype=F64).t(),
}


@points(1)
@BOTH
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(probes, rng, layout, decoupled):
    """Weights may be 0-d, empty or transposed, and their gradients laid out in another way."""
    start = LAYOUTS[layout](rng)
    gradients = rng.randn(3, *start.shape, dtype=F64)
    compare(probes, [start], [gradients], {"lr": 0.1, "wd": 0.5, "decoupled": decoupled})


@attested
@points(2)
@BOTH
def test_what_is_changed(probes, rng, decoupled):
    """The weights change in place and stay leaves; g is only read; nothing is recorded; nothing is returned."""
    starts, gradients = drawn(rng, [(3, 2), (4,)], 3)
    outcome = compare(probes, starts, gradients, {"lr": 0.1, "wd": 0.2, "decoupled": decoupled})
    check(outcome["read_only"], "the gradient that was passed has been changed")
    check(outcome["in_place"], "the weights live in other memory than before")
    check(outcome["leaves"], "a weight is no longer a leaf without a gradient of its own")
    check(not outcome["graph"], "a tensor in the state requires a gradient")
    check(all(outcome["returned"]), "adam_step_ returns nothing")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_penalty(solution, rng, dtype):
    """The penalty is half of wd times the sum of all squares, in the dtype of the tensors, and differentiable."""
    tensors = [rng.randn(*shape, dtype=dtype).requires_grad_() for shape in ((3, 4), (5,), ())]
    wd = rng.uniform(0.1, 2.0)
    penalty = solution.l2_penalty(tensors, wd)
    assert_close(
        penalty, 0.5 * wd * torch.cat([t.detach().reshape(-1) for t in tensors]).square().sum(), name="penalty"
    )
    (3 * penalty).backward()
    for i, t in enumerate(tensors):
        assert_close(t.grad, 3 * wd * t.detach(), name=f"gradient {i}")


@points(1)
def test_penalty_of_a_generator(probes, rng):
    """params may be a generator, and may give nothing: then the penalty is torch.tensor(0.0)."""
    tensors = [rng.randn(3, dtype=F64), rng.randn(0, dtype=F64), 50 * rng.randn(2, dtype=F64)]
    expected = 0.15 * sum(t.square().sum() for t in tensors)
    assert_close(probes.from_generator(tensors, 0.3), expected, name="penalty")
    assert_close(probes.from_generator([], 0.3), torch.tensor(0.0), name="penalty of nothing")


@points(2)
@pytest.mark.parametrize("momentum", [0.0, 0.9], ids=["plain", "momentum"])
def test_penalty_is_the_decay_of_sgd(probes, rng, momentum):
    """Five steps of SGD with the penalty in the loss must end where weight_decay in the optimizer ends."""
    start, x, y = rng.randn(3, dtype=F64), rng.randn(6, 3, dtype=F64), rng.randn(6, dtype=F64)
    plan = (start, x, y, rng.uniform(0.3, 0.9), {"lr": 0.1, "momentum": momentum}, 5)
    w = start.clone().requires_grad_()
    optimizer = torch.optim.SGD([w], weight_decay=plan[3], **plan[4])
    for _ in range(5):
        optimizer.zero_grad()
        (x @ w - y).square().mean().backward()
        optimizer.step()
    assert_close(probes.penalised(*plan), w.detach(), scale=4.0, name="weights")
