"""Hidden tests: checkpointed. Results are those of the plain loop; entries and live memory are noted on the way."""

from types import SimpleNamespace

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample


def plain(blocks, x, every):
    """The loop that keeps everything."""
    for block in blocks:
        x = block(x)
    return x


PLAIN = SimpleNamespace(checkpointed=plain)


def plan_of(rng, every, **more):
    return {"seed": rng.seed() // 2, "blocks": 8, "width": 3, "every": every, **more}


def check_like_plain(probes, plan, x, **close):
    actual, expected = probes.train(plan, x), probes.on(PLAIN).train(plan, x)
    assert_close(actual["y"], expected["y"], **close)
    check(len(actual["gradients"]) == len(expected["gradients"]), "there are too few gradients")
    for i, (one, other) in enumerate(zip(actual["gradients"], expected["gradients"], strict=True)):
        check(one is not None, "a parameter or the input has got no gradient")
        assert_close(one, other, name=f"gradient {i} (the input's first, then the parameters')", **close)
    return actual


def check_held(held, blocks, every):
    """Nothing but results of segments may be alive."""
    ends = {min(start + every, blocks) - 1 for start in range(0, blocks, every)}
    check(not any(place == "inside" for _, place in held), "tensors from inside a block are kept for backward")
    check({number for number, _ in held} <= ends, "results of blocks in the middle of a segment are kept for backward")


@sample
@points(1)
def test_values(probes):
    """The result is that of the plain loop over all blocks, the shorter last segment included."""
    plan, x = {"seed": 5, "blocks": 5, "width": 2, "every": 2}, torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    assert_close(probes.infer(plan, x)["y"], probes.on(PLAIN).infer(plan, x)["y"])


@sample
@points(1)
def test_gradients(probes):
    """The input and every parameter get the gradients of the plain loop."""
    check_like_plain(probes, {"seed": 3, "blocks": 4, "width": 2, "every": 2}, torch.ones(3, 2))


@sample
@attested
@points(1)
def test_entered_twice(probes):
    """Each block is entered once in forward and once more in backward."""
    entered = probes.train({"seed": 3, "blocks": 4, "width": 2, "every": 2}, torch.ones(3, 2))["entered"]
    check(entered == [2, 2, 2, 2], f"the four blocks were entered {entered} times"[:100])


@points(2)
@pytest.mark.parametrize("every", [1, 3, 4, 8, 100])
def test_like_the_plain_loop(probes, rng, every):
    """Values or gradients differ from the plain loop for some length of the segments."""
    check_like_plain(probes, plan_of(rng, every), rng.randn(5, 3))


@points(1)
def test_float64(probes, rng):
    """float64 goes in, comes out, and is differentiated in float64."""
    check_like_plain(probes, plan_of(rng, 2, dtype=torch.float64), rng.randn(4, 3, dtype=torch.float64))


@points(1)
@pytest.mark.parametrize("container", ["tuple", "ModuleList", "Sequential"])
def test_containers(probes, rng, container):
    """blocks may be a tuple, an nn.ModuleList or an nn.Sequential as well."""
    check_like_plain(probes, plan_of(rng, 3, container=container), rng.randn(2, 3))


@points(1)
def test_autograd_grad(probes, rng):
    """Gradients may be asked for with torch.autograd.grad() instead of backward()."""
    check_like_plain(probes, plan_of(rng, 3, by="grad"), rng.randn(4, 3))


@points(3)
@pytest.mark.parametrize("every", [1, 3])
def test_dropout_repeats_its_masks(probes, rng, every):
    """With dropout the second run must draw the masks of the first, or the gradients belong to another network."""
    check_like_plain(probes, plan_of(rng, every, dropout=0.5), rng.randn(6, 3))


@points(2)
def test_random_state(probes, rng):
    """Forward moves the global random state as the plain loop does, backward does not move it at all."""
    plan, x = plan_of(rng, 3, dropout=0.3), rng.randn(6, 3)
    actual, expected = probes.train(plan, x)["random"], probes.on(PLAIN).train(plan, x)["random"]
    check(torch.equal(actual[0], expected[0]), "after forward the random state is not that of the plain loop")
    check(torch.equal(actual[1], actual[0]), "backward has moved the global random state")


@points(1)
def test_mode(probes, rng):
    """The blocks run in the mode they are in, both times: in eval mode there is no dropout."""
    actual = check_like_plain(probes, plan_of(rng, 2, dropout=0.5, eval=True), rng.randn(4, 3))
    check(actual["modes"] == [False], "the mode of a block has changed")


@points(1)
@pytest.mark.parametrize("evaluating", [[0, 4], [1, 2, 6]], ids=["first", "later"])
def test_modes_side_by_side(probes, rng, evaluating):
    """Some blocks in eval mode beside others in training mode: each runs in its own, both times."""
    actual = check_like_plain(probes, plan_of(rng, 2, dropout=0.5, eval=evaluating), rng.randn(6, 3))
    check(actual["modes"] == [False, True], "the mode of a block has changed")


@attested
@points(2)
def test_autocast(probes, rng):
    """Forward ran under autocast, backward runs outside: the second run must be under autocast again."""
    plan, x = plan_of(rng, 2, autocast=torch.bfloat16), rng.randn(5, 3)
    actual = check_like_plain(probes, plan, x, rtol=2e-2)
    check(all(actual["casts"]), "a block was entered outside autocast, although forward ran under it")


@points(2)
def test_input_is_data(probes, rng):
    """The input of a network requires no gradient, and the parameters of the first segment need theirs all the same."""
    check_like_plain(probes, plan_of(rng, 3, data=False), rng.randn(4, 3))


@points(1)
@pytest.mark.parametrize("data", [True, False], ids=["input-with-gradient", "input-without"])
def test_frozen_blocks(probes, rng, data):
    """Frozen blocks at the start, in the middle and at the end stop no gradient on its way through them."""
    plan = plan_of(rng, 2, frozen=[0, 1, 4, 7], data=data)
    check_like_plain(probes, plan, rng.randn(4, 3))


@attested
@points(3)
@pytest.mark.parametrize("every", [1, 3, 8])
def test_memory(probes, rng, every):
    """Between forward and backward only what enters and leaves a segment may be alive, in the last segment too."""
    check_held(probes.train(plan_of(rng, every, dropout=0.2), rng.randn(4, 3))["held"], 8, every)


MORE = {"eval": {"eval": True}, "data": {"data": False}, "frozen": {"frozen": [2, 3]}}


@attested
@points(2)
@pytest.mark.parametrize("case", list(MORE))
def test_memory_in_other_cases(probes, rng, case):
    """In eval mode, for an input without gradient and in frozen segments as little may be kept as anywhere."""
    found = probes.train(plan_of(rng, 2, **MORE[case]), rng.randn(4, 3))
    check_held(found["held"], 8, 2)
    check(found["entered"] == [2] * 8, "a block was not entered exactly twice")


@attested
@points(2)
@pytest.mark.parametrize("every", [1, 3, 8])
def test_entered_exactly_twice(probes, rng, every):
    """Every block is entered exactly twice, once in forward and once in backward: no less, no more, the last one too."""
    entered = probes.train(plan_of(rng, every), rng.randn(4, 3))["entered"]
    check(min(entered) >= 2, "a block was entered once only, so its tensors were kept")
    check(max(entered) <= 2, "a block was entered more than twice")


@attested
@points(1)
def test_segment_without_gradients(probes, rng):
    """Where neither the input nor a parameter requires a gradient there is nothing to compute again."""
    entered = probes.train(plan_of(rng, 3, data=False, frozen=[0, 1, 2]), rng.randn(4, 3))["entered"]
    check(
        entered[:3] == [1] * 3, "a block of a segment in which nothing requires a gradient was entered more than once"
    )
    check(entered[3:] == [2] * 5, "a block of another segment was not entered twice")


@attested
@points(1)
def test_no_grad(probes, rng):
    """Under no_grad there is no backward: every block is entered once and the result has no graph."""
    plan, x = plan_of(rng, 3), rng.randn(4, 3)
    actual = probes.infer(plan, x)
    assert_close(actual["y"], probes.on(PLAIN).infer(plan, x)["y"])
    check(actual["entered"] == [1] * 8, "a block was entered more or less than once under no_grad")
    check(actual["requires_grad"] is False, "under no_grad the result must not require a gradient")


@points(1)
@pytest.mark.parametrize("data", [True, False], ids=["input-with-gradient", "input-without"])
def test_no_warnings(probes, rng, data):
    """No warning is issued: say explicitly which variant of checkpointing you want."""
    plan = plan_of(rng, 3, data=data, frozen=[] if data else [0, 1, 2])
    caught = probes.train(plan, rng.randn(2, 3))["warnings"]
    check(caught == [], "a warning was issued: " + ", ".join(caught)[:80])


@points(1)
@pytest.mark.parametrize("every", [0, -1, -8])
def test_every_below_one(probes, solution, rng, every):
    """A segment has at least one block: every = 0 and negative lengths raise ValueError."""
    with pytest.raises(ValueError):
        probes.infer(plan_of(rng, every), rng.randn(2, 3))
    with pytest.raises(ValueError):
        solution.checkpointed([], rng.randn(2, 3), every)


@points(1)
def test_no_blocks(solution, rng):
    """Without blocks the result equals the input."""
    x = rng.randn(3, 2)
    assert_close(solution.checkpointed([], x, 2), x)
