"""Hidden tests: Muon and its Newton–Schulz iteration."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
SHAPES = {"wide": (3, 7), "tall": (7, 3), "square": (5, 5), "row": (1, 6), "column": (6, 1), "one": (1, 1)}


def iterated(g, steps=5):
    """The iteration on the singular values: the singular vectors stay as they are."""
    u, s, vh = torch.linalg.svd(g, full_matrices=False)
    s = s / (s.square().sum().sqrt() + 1e-7)
    for _ in range(steps):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    return u @ torch.diag(s) @ vh


def stepped(starts, settings, gradients):
    """The formulas of the statement; `settings` holds a dict for each parameter."""
    parameters, buffers = [x.clone() for x in starts], [None for _ in starts]
    for each in gradients:
        for i, g in enumerate(each):
            if g is None:
                continue
            options = {"lr": 0.02, "momentum": 0.95, "weight_decay": 0.0, "nesterov": True, "steps": 5} | settings[i]
            buffers[i] = g.clone() if buffers[i] is None else options["momentum"] * buffers[i] + g
            u = g + options["momentum"] * buffers[i] if options["nesterov"] else buffers[i]
            flat = u.reshape(len(u), -1)
            o = iterated(flat, options["steps"]).reshape(u.shape)
            scale = max(1.0, flat.shape[0] / flat.shape[1]) ** 0.5
            parameters[i] = (1 - options["lr"] * options["weight_decay"]) * parameters[i] - options["lr"] * scale * o
    return parameters, buffers


def drawn(rng, shapes, count, dtype=F64):
    starts = [rng.randn(*shape, dtype=dtype) for shape in shapes]
    return starts, [[rng.randn(*shape, dtype=dtype) for shape in shapes] for _ in range(count)]


def compare(found, wanted):
    check(
        found["is_optimizer"] and found["same_objects"],
        "Muon must be a torch.optim.Optimizer that updates its own parameters",
    )
    check(found["gradients_kept"], "a gradient was changed")
    for i, (a, b) in enumerate(zip(found["parameters"], wanted[0], strict=True)):
        # the polynomial amplifies rounding by up to 3.4445 in each step
        assert_close(a, b, scale=64.0, name=f"parameter {i}")
    for i, (a, b) in enumerate(zip(found["buffers"], wanted[1], strict=True)):
        check(
            (a is None) == (b is None),
            f"parameter {i}: a buffer is there although it never had a gradient, or is missing",
        )
        if b is not None:
            assert_close(a, b, scale=4.0, name=f"buffer {i}")


@sample
@points(1)
def test_a_diagonal_by_hand(solution):
    """One iteration on a diagonal matrix: 3.4445 s − 4.7750 s³ + 2.0315 s⁵ on each entry, after the norm is divided out."""
    found = solution.newton_schulz(torch.diag(torch.tensor([3.0, 4.0], dtype=F64)), steps=1)
    s = torch.tensor([0.6, 0.8], dtype=F64)
    assert_close(found, torch.diag(3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5), rtol=1e-6, atol=1e-6)


@sample
@points(1)
def test_one_step(probes, rng):
    """One step with the default settings differs from the formulas."""
    starts, gradients = drawn(rng, [(4, 3)], 1)
    compare(probes.run(starts, [], gradients, {}), stepped(starts, [{}], gradients))


@sample
@points(1)
def test_vectors_are_refused(probes):
    """A parameter with one dimension is a ValueError."""
    check(probes.built([(3, 2), (4,)]) == "ValueError", "there should be a ValueError")


@points(3)
@pytest.mark.parametrize("name", SHAPES)
def test_iteration(solution, rng, name):
    """The iteration differs from the polynomial on the singular values: how often, on which side, and for which shape?"""
    for steps in (0, 1, 2, 5):
        g = 3 * rng.randn(*SHAPES[name], dtype=F64)
        assert_close(solution.newton_schulz(g, steps), iterated(g, steps), scale=64.0, name=f"result of {steps} steps")


@points(2)
@pytest.mark.parametrize("shape", [(8, 20), (20, 8), (12, 12)], ids=str)
def test_singular_values(solution, rng, shape):
    """After five steps, all singular values that were not tiny lie near 1."""
    u, _, vh = torch.linalg.svd(rng.randn(*shape, dtype=F64), full_matrices=False)
    s = 0.05 + 0.95 * rng.rand(min(shape), dtype=F64)
    found = torch.linalg.svdvals(solution.newton_schulz(u @ torch.diag(s) @ vh))
    check(0.6 < float(found.min()) and float(found.max()) < 1.3, "a singular value is far from 1")


@points(2)
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e6], ids=str)
def test_any_size(solution, rng, size):
    """The size of a matrix is divided out; float32 stays float32."""
    g = rng.randn(4, 6)
    found = solution.newton_schulz(size * g)
    assert_close(found, iterated((size * g).double()).float(), scale=64.0)


@points(1)
def test_zeros(solution):
    """A matrix of zeros gives zeros, and no NaN."""
    assert_close(solution.newton_schulz(torch.zeros(3, 4)), torch.zeros(3, 4))


@points(3)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"lr": 0.3},
        {"momentum": 0.5},
        {"momentum": 0.0},
        {"weight_decay": 0.4, "lr": 0.1},
        {"nesterov": False},
        {"steps": 2},
    ],
    ids=lambda s: "-".join(s) or "defaults",
)
def test_settings(probes, rng, settings):
    """After four steps, parameters or buffers differ from the formulas."""
    starts, gradients = drawn(rng, [(3, 5), (6, 2), (4, 4)], 4)
    compare(probes.run(starts, [], gradients, {"settings": settings}), stepped(starts, [settings] * 3, gradients))


@points(2)
def test_groups(probes, rng):
    """Groups have settings of their own, and the rest from the constructor."""
    starts, gradients = drawn(rng, [(3, 5), (6, 2), (4, 4)], 3)
    groups = [([0, 2], {"lr": 0.2, "nesterov": False}), ([1], {"momentum": 0.3, "weight_decay": 0.5})]
    found = probes.run(starts, groups, gradients, {"settings": {"lr": 0.05, "weight_decay": 0.1}})
    common = {"lr": 0.05, "weight_decay": 0.1}
    wanted = stepped(starts, [common | groups[0][1], common | groups[1][1], common | groups[0][1]], gradients)
    compare(found, wanted)


@points(2)
def test_convolutions(probes, rng):
    """A parameter of four dimensions is a matrix with as many rows as its first dimension."""
    starts, gradients = drawn(rng, [(6, 2, 3, 1), (12, 1, 2, 2)], 3)
    compare(probes.run(starts, [], gradients, {}), stepped(starts, [{}, {}], gradients))


@points(2)
def test_without_a_gradient(probes, rng):
    """A parameter without a gradient is left alone: no decay, no momentum, no buffer."""
    starts, gradients = drawn(rng, [(3, 4), (4, 3), (2, 2)], 4)
    gradients[1][0] = None
    for each in gradients:
        each[2] = None
    settings = {"weight_decay": 0.3, "lr": 0.1}
    compare(probes.run(starts, [], gradients, {"settings": settings}), stepped(starts, [settings] * 3, gradients))


@points(1)
def test_gradients_of_zero(probes, rng):
    """A gradient of zeros is a gradient: momentum and decay still move the parameter, and the buffer shrinks."""
    starts, gradients = drawn(rng, [(3, 4), (4, 3)], 3)
    gradients[1][0] = torch.zeros(3, 4, dtype=F64)
    gradients[0][1] = torch.zeros(4, 3, dtype=F64)
    settings = {"weight_decay": 0.3, "lr": 0.1}
    compare(probes.run(starts, [], gradients, {"settings": settings}), stepped(starts, [settings] * 2, gradients))


@points(3)
@pytest.mark.parametrize("interrupt", [1, 3])
def test_saved_and_loaded(probes, rng, interrupt):
    """After saving and loading into a new optimizer, the run goes on as without the interruption."""
    starts, gradients = drawn(rng, [(3, 4), (5, 2)], 5)
    compare(probes.run(starts, [], gradients, {"interrupt": interrupt}), stepped(starts, [{}, {}], gradients))


@points(1)
def test_float32(probes, rng):
    """The same in float32."""
    starts, gradients = drawn(rng, [(3, 4), (5, 2)], 2, F32)
    found = probes.run(starts, [], gradients, {"settings": {"steps": 2}})
    compare(found, stepped(starts, [{"steps": 2}] * 2, gradients))


@points(2)
def test_closures(probes, rng):
    """A closure is called once with gradients enabled, and its result is returned; without one, None."""
    start, target = rng.randn(3, 4, dtype=F64), rng.randn(3, 4, dtype=F64)
    found = probes.closures(start, target)
    check(found["calls"] == [True], "the closure should be called once, with gradients enabled")
    check(found["nothing"] is None, "without a closure, step should return None")
    check(found["gradient_kept"], "a second step with the same gradient tensor changed it: is it the buffer, too?")
    assert_close(found["loss"], (start - target).square().sum(), name="the loss")
    gradient = 2 * (start - target)
    wanted = stepped([start], [{"lr": 0.1}], [[gradient], [gradient]])
    assert_close(found["p"], wanted[0][0], scale=64.0, name="the parameter")


@points(1)
@pytest.mark.parametrize("shapes", [[()], [(5,)], [(2, 2), (3,)]], ids=str)
def test_too_few_dimensions(probes, shapes):
    """Numbers and vectors are a ValueError."""
    for grouped in (False, True):
        check(probes.built(shapes, grouped) == "ValueError", "there should be a ValueError")
        check(probes.built([(2, 2), (1, 3), (2, 1, 2)], grouped) == "made", "two and more dimensions are fine")


@points(1)
def test_the_matrix_is_left_alone(solution, rng):
    """newton_schulz leaves its argument as it was, and views are ordinary inputs."""
    g = rng.randn(6, 4, dtype=F64).T
    found = assert_not_mutated(solution.newton_schulz, g)
    assert_close(found, iterated(g), scale=64.0)
