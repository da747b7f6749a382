"""Hidden tests: clip_global_norm_, against torch's own and against the formula."""

from types import SimpleNamespace

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
TORCH = SimpleNamespace(clip_global_norm_=torch.nn.utils.clip_grad_norm_)


def length(grads):
    """The norm over all gradients together."""
    return torch.cat([g.reshape(-1) for g in grads if g is not None]).norm()


def check_same(probes, grads, max_norm, form="list", options=None):
    """The answer's call against torch's: the norm, its type, and every gradient."""
    outcome = probes.clip(grads, max_norm, options, form)
    expected = probes.on(TORCH).clip(grads, max_norm, options, form)
    check(outcome["error"] == "", "RuntimeError although the norm is finite, or nobody asked for an error")
    assert_close(outcome["norm"], expected["norm"], name="returned norm")
    check(not outcome["graph"], "the returned norm carries a graph")
    for i, (actual, right) in enumerate(zip(outcome["grads"], expected["grads"], strict=True)):
        check((actual is None) == (right is None), "a gradient appeared or disappeared")
        if right is not None:
            assert_close(actual, right, name=f"gradient {i}")
    return outcome


@sample
@points(1)
def test_three_four_five(probes, exhibit):
    """Two gradients of lengths 3 and 4 have the common length 5: both are divided by five."""
    grads = [torch.tensor([3.0, 0.0]), torch.tensor([4.0])]
    outcome, expected = probes.clip(grads, 1.0), [torch.tensor([0.6, 0.0]), torch.tensor([0.8])]
    names = ["first parameter", "second parameter"]
    shown = [dict(zip(names, each, strict=False)) for each in (outcome["grads"], expected)]
    exhibit.gradients("norms after clipping to 1", *shown)
    assert_close(outcome["norm"], torch.tensor(5.0), name="returned norm")
    assert_close(outcome["grads"], expected, name="gradients")


@sample
@points(1)
def test_short_gradients_stay(probes):
    """A norm of 0.5 under a limit of 1: nothing is stretched, and the norm is returned all the same."""
    outcome = probes.clip([torch.tensor([0.3, -0.4])], 1.0)
    assert_close(outcome["norm"], torch.tensor(0.5), name="returned norm")
    assert_close(outcome["grads"], [torch.tensor([0.3, -0.4])], rtol=0.0, atol=0.0, name="gradients")


@sample
@points(1)
def test_nothing_to_clip(probes):
    """Without any gradient the norm is 0, and no gradient appears."""
    outcome = probes.clip([None, None], 1.0)
    assert_close(outcome["norm"], torch.tensor(0.0), name="returned norm")
    check(outcome["grads"] == [None, None], "a gradient appeared")


@points(2)
@EACH_DTYPE
def test_random_gradients(probes, rng, dtype):
    """Several gradients of different sizes: one norm over all, one factor for all, the result in the gradients' dtype."""
    shapes = [(3, 4), (5,), (2, 2, 3)]
    grads = [rng.randn(*shape, dtype=dtype) * rng.uniform(0.5, 20) for shape in shapes]
    check_same(probes, grads, length(grads).item() * rng.uniform(0.05, 0.8))


@points(2)
def test_direction_is_kept(probes, rng):
    """All gradients together keep their direction: a short tensor shrinks as much as a long one."""
    grads = [100 * rng.randn(4, dtype=F64), 0.001 * rng.randn(3, dtype=F64)]
    outcome = probes.clip(grads, rng.uniform(0.5, 2))
    before, after = (torch.cat([g.reshape(-1) for g in gs]) for gs in (grads, outcome["grads"]))
    assert_close(after / after.norm(), before / before.norm(), rtol=1e-9, atol=1e-15, name="direction")


@points(2)
@EACH_DTYPE
def test_every_bit_below_the_limit(probes, rng, dtype):
    """Gradients below the limit must come out as they went in, to the last bit."""
    grads = [rng.randn(3, 4, dtype=dtype), rng.randn(7, dtype=dtype)]
    outcome = probes.clip(grads, length(grads).item() * rng.uniform(1.5, 1000))
    assert_close(outcome["grads"], grads, rtol=0.0, atol=0.0, name="gradients")


@points(1)
def test_missing_gradients_are_skipped(probes, rng):
    """Parameters without a gradient are skipped, and still have none afterwards."""
    grads = [None, 10 * rng.randn(3, dtype=F64), None, 10 * rng.randn(2, 2, dtype=F64)]
    check_same(probes, grads, rng.uniform(0.5, 2))


@points(1)
@pytest.mark.parametrize("form", ["generator", "tuple", "single"])
def test_ways_of_passing_parameters(probes, rng, form):
    """A generator can be walked once; a tuple and a single parameter are welcome as well."""
    grads = [10 * rng.randn(3, dtype=F64)] + ([] if form == "single" else [10 * rng.randn(4, dtype=F64)])
    check_same(probes, grads, rng.uniform(0.5, 2), form)


LAYOUTS = {
    "number": lambda rng: 5 + rng.rand(dtype=F64),
    "transposed": lambda rng: 9 * rng.randn(5, 3, dtype=F64).t(),
    "empty-among-others": lambda rng: rng.randn(0, 3, dtype=F64),
}


@points(1)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(probes, rng, layout):
    """Gradients may be 0-d, empty or transposed."""
    check_same(probes, [LAYOUTS[layout](rng), 4 * rng.randn(3, dtype=F64)], rng.uniform(0.5, 2))


@points(1)
def test_zero_limit(probes, rng):
    """max_norm=0.0 is a limit like any other: all gradients become zero."""
    outcome = check_same(probes, [rng.randn(3, dtype=F64), rng.randn(2, dtype=F64)], 0.0)
    check(all(not bool(g.any()) for g in outcome["grads"]), "a gradient is not zero")


@points(1)
def test_zero_gradients(probes):
    """Gradients of zeros have the norm 0: nothing may turn into NaN, under no limit."""
    for limit in (1.0, 0.0):
        check_same(probes, [torch.zeros(3, dtype=F64), torch.zeros(2, dtype=F64)], limit)


@points(1)
def test_small_constant_in_the_divisor(probes, rng):
    """With gradients as small as 1e-6 the constant in the divisor shows: it is added to the norm."""
    grads = [1e-6 * rng.randn(4, dtype=F64)]
    check_same(probes, grads, 1e-7)


@attested
@points(2)
def test_gradients_are_changed_in_place(probes, rng):
    """The tensors in .grad stay the same objects, and the parameters are not touched."""
    grads = [10 * rng.randn(3, dtype=F64), 10 * rng.randn(2, 4, dtype=F64)]
    outcome = check_same(probes, grads, 1.0)
    check(outcome["same"], "a .grad is another tensor than before: scale it in place")
    check(outcome["untouched"], "a parameter was changed: only gradients are clipped")


@points(2)
@pytest.mark.parametrize("bad", [float("inf"), float("nan")], ids=["inf", "nan"])
def test_error_for_nonfinite_norms(probes, rng, bad):
    """With error_if_nonfinite a norm that is no number raises RuntimeError, and before any gradient is changed."""
    grads = [10 * rng.randn(3, dtype=F64), 10 * rng.randn(4, dtype=F64)]
    grads[1][rng.integer(0, 3)] = bad
    outcome = probes.clip(grads, 1.0, {"error_if_nonfinite": True})
    check(outcome["error"] == "RuntimeError", "RuntimeError expected")
    assert_close(outcome["grads"], grads, rtol=0.0, atol=0.0, equal_nan=True, name="gradients after the error")


@points(1)
@pytest.mark.parametrize("bad", [float("inf"), float("nan")], ids=["inf", "nan"])
def test_no_error_unless_asked(probes, rng, bad):
    """Without error_if_nonfinite nothing is raised, and the norm is returned as it is."""
    grads = [10 * rng.randn(3, dtype=F64)]
    grads[0][0] = bad
    outcome = probes.clip(grads, 1.0)
    check(outcome["error"] == "", "an error was raised although nobody asked for it")
    assert_close(outcome["norm"], torch.tensor(bad, dtype=F64), equal_nan=True, name="returned norm")


@points(1)
def test_no_error_for_finite_norms(probes, rng):
    """error_if_nonfinite=True changes nothing as long as the norm is finite."""
    check_same(probes, [10 * rng.randn(5, dtype=F64)], 1.0, options={"error_if_nonfinite": True})


@attested
@points(2)
@pytest.mark.parametrize("strict", [False, True], ids=["default", "with-error"])
def test_one_fetch_at_most(probes, rng, strict):
    """At most one number may be fetched from the device in a call, with eight parameters as with one."""
    count = probes.fetches([rng.randn(3, dtype=F64) for _ in range(8)], 0.5, {"error_if_nonfinite": strict})
    check(type(count) is int and count <= 1, f"{count} numbers were fetched: keep norms and factors in tensors")


@points(1)
def test_gradients_with_a_history(probes, rng):
    """Gradients made with create_graph=True are clipped like others, and the norm carries no graph."""
    x = 1 + rng.rand(4, dtype=F64)
    outcome = probes.with_graph(x, 1.0)
    grad = 3 * x.square()
    assert_close(outcome["norm"], grad.norm(), name="returned norm")
    assert_close(outcome["grad"], grad / (grad.norm() + 1e-6), name="gradient")
    check(not outcome["graph"], "the returned norm carries a graph")


@points(1)
def test_in_a_training_loop(probes, rng):
    """Steps with clipped gradients must end where they end with torch's own function."""
    arguments = (rng.randn(3, dtype=F64), 5 * rng.randn(6, 3, dtype=F64), rng.uniform(0.05, 0.2), rng.uniform(0.5, 2))
    assert_close(probes.trained(*arguments), probes.on(TORCH).trained(*arguments), name="parameter")
