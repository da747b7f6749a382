"""Hidden tests: modes that change for a while."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def around(probes, rng, kind, body="nothing"):
    """Flags are drawn, with at least one of each sort; all of them must be back afterwards."""
    pattern = [bool(rng.integer(0, 2)) for _ in range(8)]
    pattern[:3] = rng.choice([[True, False, True], [False, True, False]])
    found = probes.around(kind, pattern, body)
    check(found["after"] == found["before"], "afterwards a module has another flag than before")
    return found


@sample
@points(1)
def test_a_model_with_a_frozen_part(probes):
    """A frozen part of a training model must be frozen afterwards, and everything evaluates inside."""
    found = probes.around("mixed", [True, True, True, False], "nothing")
    check(not any(found["inside"]), "inside, a module is in training mode")
    check(found["after"] == found["before"], "afterwards a module has another flag than before")


@sample
@points(1)
def test_it_gives_the_model(probes):
    """`with evaluating(model) as m`: m is the model."""
    check(probes.around("one", [True], "nothing")["same"], "the context gives something else than the model")


@sample
@points(1)
def test_three_samples(probes):
    """mc_dropout stacks the outputs in a new first dimension; with p = 0.5, values are 0 or doubled."""
    out = probes.sampled(torch.full((2, 4), 3.0), 3, 5, [True, True, True])["out"]
    check(tuple(out.shape) == (3, 2, 4), "the result should have the shape (samples, *output shape)")
    # the running statistics are 1 and 4, so (3 - 1) / 2 = 1, and twice that where it is not dropped
    assert_close(out[out != 0], torch.full((int((out != 0).sum()),), 2.0), rtol=1e-4, name="values that were kept")


@points(2)
@pytest.mark.parametrize("kind", ["mixed", "shared", "one"])
def test_flags_come_back(probes, rng, kind):
    """Every module has a flag of its own, and each must be what it was; train() on the whole model sets them all."""
    found = around(probes, rng, kind)
    check(not any(found["inside"]), "inside, a module is in training mode")


@points(2)
def test_after_an_error(probes, rng):
    """The body may raise: the error goes through, and the flags come back all the same."""
    found = around(probes, rng, "mixed", "raises")
    check(found.get("raised", False), "the exception of the body was swallowed")


@points(1)
def test_a_body_that_changes_modes(probes, rng):
    """What the body does to modes does not matter afterwards."""
    around(probes, rng, "mixed", "trains")


@points(1)
def test_nested(probes, rng):
    """An inner context puts back what the outer one has set: evaluation."""
    check(not any(around(probes, rng, "mixed", "nested")["inside"]), "after the inner context a module trains")


@points(1)
def test_a_model_that_grows(probes, rng):
    """A module that was added in the body is none of your business."""
    check(around(probes, rng, "mixed", "grows")["rest"] == [True, False], "the flag of a new module was changed")


@points(2)
@pytest.mark.parametrize("body", ["nothing", "trains"])
def test_a_class_that_overrides_train(probes, rng, body):
    """A backbone may override train(): inside everything is as after model.eval(), afterwards flags are what they were."""
    for _ in range(5):
        found = around(probes, rng, "stubborn", body)
        check(not any(found["inside"]), "inside, a module is in training mode")


@points(1)
def test_a_class_that_is_always_active(probes):
    """A class may override train() so that eval() leaves it active: inside, all modes are as after model.eval()."""
    found = probes.around("restless", [True, False, False], "nothing")
    check(found["inside"] == [False, False, True], "inside, the modes are not those after model.eval()")
    check(found["after"] == found["before"], "afterwards a module has another flag than before")


@points(2)
@pytest.mark.parametrize("recording", [True, False], ids=["recording-on", "recording-off"])
@EACH_DTYPE
def test_recording_is_not_touched(probes, rng, dtype, recording):
    """evaluating changes modes, not recording: gradients, values and buffers are those of an evaluation."""
    x, weight = rng.randn(4, 3, dtype=dtype), rng.randn(2, 3, dtype=dtype)
    found = probes.gradients(x, weight, recording)
    normed = (x - 1) / torch.tensor(1 + 1e-5, dtype=dtype).sqrt()
    check(found["modes"] == [recording, recording], "the grad mode inside or after is another one")
    assert_close(found["out"], normed @ weight.T, name="output")
    assert_close(found["mean"], torch.ones(3, dtype=dtype), name="running mean")
    check(found["tracked"] == 0, "a batch was tracked in evaluation")
    check((found["grad"] is not None) is recording, "the output has a history if and only if recording was on")
    if recording:
        assert_close(found["grad"], normed.sum(0).expand(2, 3), name="gradient of a weight")


@points(2)
@EACH_DTYPE
def test_samples(probes, rng, dtype):
    """mc_dropout: batch norm uses its running statistics, and each element is dropped or doubled."""
    x = rng.rand(40, 10, dtype=dtype) + 2
    found = probes.sampled(x, 3, rng.integer(0, 1000), [True, True, True])
    kept = found["out"] != 0
    expected = (x - 1) / torch.tensor(4 + 1e-5, dtype=dtype).sqrt() * 2
    check(tuple(found["out"].shape) == (3, 40, 10), "the result should have the shape (samples, *output shape)")
    assert_close(found["out"], expected * kept, name="samples")
    shares = kept.to(F64).mean((1, 2))
    check(bool(((shares > 0.3) & (shares < 0.7)).all()), "about half of the elements of each sample should be kept")
    check(not any(torch.equal(kept[i], kept[i - 1]) for i in range(3)), "two samples have the same mask")
    check(bool((kept[0][0] != kept[0]).any()), "all rows of a sample have the same mask")


@points(2)
@pytest.mark.parametrize("start", ["train", "eval", "mixed"])
def test_samples_leave_no_trace(probes, rng, start):
    """mc_dropout: no history, and flags, buffers and the grad mode are as before."""
    pattern = {"train": [True] * 3, "eval": [False] * 3, "mixed": [False, True, False]}[start]
    found = probes.sampled(rng.randn(4, 3), 2, 1, pattern)
    check(not found["history"], "the samples have a history")
    check(found["recording"], "recording is off afterwards")
    check(found["flags"] == pattern, "afterwards a module has another flag than before")
    assert_close(found["mean"], torch.ones(3), name="running mean")
    check(found["tracked"] == 0, "batch norm tracked a batch")
    check(bool((found["out"] == 0).any()) or start != "eval", "dropout was not active")


@points(2)
def test_every_kind_of_dropout(probes, rng):
    """mc_dropout: all dropout layers of torch are active, and subclasses of them too."""
    found = probes.kinds(rng.rand(3, 8, 2, 2) + 1, 5)
    check(all(found.values()), "a kind of dropout was not active")


@points(2)
def test_other_layers_evaluate(probes, rng):
    """mc_dropout: layers other than dropout that behave differently in training stay in evaluation mode."""
    check(probes.other_layers(rng.randn(6, 3), 3), "the samples of a model without dropout differ")


@points(1)
@pytest.mark.parametrize("samples", [1, 4])
def test_number_of_samples(probes, rng, samples):
    """mc_dropout: the first dimension counts the samples, also if there is one."""
    found = probes.sampled(rng.randn(2, 3), samples, 2, [True] * 3)
    check(tuple(found["out"].shape) == (samples, 2, 3), "the result should have the shape (samples, *output shape)")


@points(1)
def test_repeatable(probes, rng):
    """mc_dropout: with the same seed of torch's global generator, the same samples; with another one, others."""
    x = rng.rand(8, 8) + 2
    one, same, other = (probes.sampled(x, 2, seed, [True] * 3)["out"] for seed in (3, 3, 4))
    assert_close(same, one, rtol=0.0, atol=0.0, name="samples with the same seed")
    check(not torch.equal(one, other), "another seed gives the same samples")


@points(2)
def test_a_model_that_raises(probes):
    """mc_dropout: when the model raises, the error goes through and everything is put back."""
    found = probes.broken()
    check(found["raised"], "the model's exception was swallowed")
    check(found["flags"] == [True, True, False], "afterwards a module has another flag than before")
    check(found["recording"], "recording is off afterwards")
