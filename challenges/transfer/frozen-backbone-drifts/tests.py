"""Hidden tests: a backbone that is frozen on the way."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

KINDS = ("sgd", "momentum", "nesterov", "decay", "adam", "adamw")
BIT_FOR_BIT = {"rtol": 0.0, "atol": 0.0}


def some_batches(rng, count, n=7):
    return [(2 * rng.randn(n, 5) + 1, rng.randint(0, 3, (n,))) for _ in range(count)]


def check_frozen(before, after):
    """Parameters and buffers apart, so that the message tells which of them moved."""
    buffers = [name for name in before if "running" in name or "num_batches" in name]
    for name, value in before.items():
        kind = "a buffer" if name in buffers else "a parameter"
        check(bool(torch.equal(after[name], value)), f"{kind} of the frozen backbone has moved")


def check_like_reference(probes, reference, kind, parts, seed, dropout=0.0):
    """Losses and both states against a run of the reference."""
    found, expected = (p.run(kind, parts, seed, dropout) for p in (probes, probes.on(reference)))
    for one, other in zip(found, expected, strict=True):
        check(all(type(loss) is float for loss in one["losses"]), "the losses must be Python floats")
        for name in ("losses", "backbone", "head"):
            assert_close(one[name], other[name], scale=8.0, name=name)
    return found


@sample
@points(1)
def test_parameters_stay(probes):
    """With momentum, the parameters of a frozen backbone must not move any more."""
    generator = torch.Generator().manual_seed(1)
    draws = [torch.randn(8, 5, generator=generator) for _ in range(6)]
    batches = [(x, torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])) for x in draws]
    first, second = probes.run("momentum", [(batches[:3], 3), (batches[3:], 0)], 5)
    for name in ("0.weight", "0.bias", "1.weight", "1.bias", "4.weight"):
        assert_close(second["backbone"][name], first["backbone"][name], **BIT_FOR_BIT, name=name)


@sample
@points(1)
def test_buffers_stay(probes):
    """The running statistics of a frozen backbone must not move any more."""
    generator = torch.Generator().manual_seed(2)
    draws = [torch.randn(8, 5, generator=generator) for _ in range(6)]
    batches = [(x, torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])) for x in draws]
    first, second = probes.run("sgd", [(batches[:3], 3), (batches[3:], 0)], 5)
    for name in ("1.running_mean", "1.running_var", "1.num_batches_tracked"):
        assert_close(second["backbone"][name], first["backbone"][name], **BIT_FOR_BIT, name=name)


@sample
@points(1)
def test_head_goes_on(probes):
    """The head must go on learning when the backbone is frozen."""
    generator = torch.Generator().manual_seed(3)
    draws = [torch.randn(8, 5, generator=generator) for _ in range(4)]
    batches = [(x, torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])) for x in draws]
    first, second = probes.run("sgd", [(batches[:2], 2), (batches[2:], 0)], 5)
    check(len(second["losses"]) == 2, "there must be one loss for each batch")
    check(bool((second["head"]["1.weight"] != first["head"]["1.weight"]).any()), "the head has not moved")


@points(2)
@pytest.mark.parametrize("kind", KINDS)
def test_frozen_on_the_way(probes, rng, kind):
    """With some optimizer the backbone moves after it was frozen: compare it with a run that ends where the freezing begins."""
    batches, seed = some_batches(rng, 7), rng.seed()
    (short,) = probes.run(kind, [(batches[:3], 3)], seed)
    (whole,) = probes.run(kind, [(batches, 3)], seed)
    check_frozen(short["backbone"], whole["backbone"])
    check(all(whole["frozen"]) and all(whole["learning"]), "the backbone must be frozen, and the head must not")
    check(not any(whole["left"]), "gradients are left on the frozen parameters")


@points(2)
@pytest.mark.parametrize("kind", ["momentum", "adamw"])
def test_frozen_in_every_step(probes, rng, kind):
    """The backbone must be frozen while each step is taken, and not only when the function returns."""
    (found,) = probes.run(kind, [(some_batches(rng, 6), 2)], rng.seed())
    check(len(found["steps"]) == 6, "there must be one step of `optimizer` for each batch")
    _, before = found["steps"][1]
    for frozen, after in found["steps"][2:]:
        check(frozen, "a parameter of the frozen backbone required gradients in a step")
        check_frozen(before, after)


@points(2)
@pytest.mark.parametrize("kind", KINDS)
def test_training_is_right(probes, reference, rng, kind):
    """Losses or weights of the run are off: everything learns at first, then the head goes on with the same optimizer."""
    check_like_reference(probes, reference, kind, [(some_batches(rng, 5), 2)], rng.seed())


@points(2)
@pytest.mark.parametrize("kind", ["momentum", "adamw"])
def test_stale_gradients(probes, reference, rng, kind):
    """Gradients and modes that an earlier training left behind must not matter when freezing begins at once."""
    batches, seed = some_batches(rng, 6), rng.seed()
    found, expected = (p.stale(kind, batches, seed) for p in (probes, probes.on(reference)))
    check_frozen(found["before"], found["backbone"])
    check(len(found["losses"]) == 4, "there must be one loss for each batch")
    check(found["modes"] == [True] * 4, "the head must be in training mode, whatever mode the model came in")
    check(not any(found["left"]), "gradients from before the call are left on the frozen parameters")
    for name in ("losses", "head"):
        assert_close(found[name], expected[name], scale=8.0, name=f"{name} after stale gradients")


@points(2)
def test_modes(probes, rng):
    """The whole model trains at first; then the backbone is in evaluation mode and the head still in training mode."""
    (found,) = probes.run("momentum", [(some_batches(rng, 5), 2)], rng.seed())
    check(found["modes"] == [(True, True)] * 2 + [(False, True)] * 3, "a part was in the wrong mode in some step")


@points(1)
def test_a_model_that_arrives_in_evaluation_mode(probes, rng):
    """The first batches train the whole model, whatever mode it came in: its running statistics must move."""
    (found,) = probes.run("momentum", [(some_batches(rng, 4), 2)], rng.seed(), training=False)
    check(found["modes"] == [(True, True)] * 2 + [(False, True)] * 2, "a part was in the wrong mode in some step")
    check(int(found["backbone"]["1.num_batches_tracked"]) == 2, "the running statistics have not moved")


@points(1)
def test_dropout_of_the_backbone(probes, reference, rng):
    """A frozen backbone gives the same features each time: its dropout does nothing."""
    batches = some_batches(rng, 1, 9) * 3
    found = check_like_reference(probes, reference, "sgd", [(batches, 0)], rng.seed(), dropout=0.5)
    check(found[0]["modes"] == [(False, True)] * 3, "a part was in the wrong mode in some step")


@points(1)
@pytest.mark.parametrize("freeze_after", [3, 10])
def test_never_frozen(probes, reference, rng, freeze_after):
    """With freeze_after at or beyond the number of batches everything learns to the end."""
    found = check_like_reference(probes, reference, "momentum", [(some_batches(rng, 3), freeze_after)], rng.seed())
    check(not any(found[0]["frozen"]), "the backbone must not be frozen")


@points(1)
def test_frozen_from_the_beginning(probes, reference, rng):
    """freeze_after=0 freezes before the first step."""
    found = check_like_reference(probes, reference, "adam", [(some_batches(rng, 4), 0)], rng.seed())
    check(all(found[0]["frozen"]), "the backbone must be frozen")


@points(1)
def test_no_batches(probes, rng):
    """Without batches there are no losses."""
    (found,) = probes.run("sgd", [([], 0)], rng.seed())
    assert_close(found["losses"], [], name="losses")
