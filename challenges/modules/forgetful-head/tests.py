"""Hidden tests: a head whose tensors are kept in the right way."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
NAMES = ["prototypes", "temperature", "counts", "enabled"]
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def complete(head):
    """The state, after a check that all of it is there."""
    state = dict(head.state_dict())
    check(set(state) == set(NAMES), f"state_dict() should give exactly {', '.join(NAMES)}")
    return state


def pair(solution, reference, rng, features, classes, dtype=F32):
    state = {
        "prototypes": rng.randn(classes, features, dtype=dtype),
        "temperature": torch.tensor(rng.uniform(0.2, 2), dtype=dtype),
        "counts": rng.randint(0, 9, (classes,)),
        "enabled": torch.arange(classes) != rng.integer(0, classes),
    }
    heads = []
    for source in (solution, reference):
        head = source.CosineHead(features, classes)
        complete(head)
        if dtype is not F32:
            head.to(dtype)
        head.load_state_dict({name: value.clone() for name, value in state.items()})
        heads.append(head)
    return heads


@sample
@points(1)
def test_what_learns(solution):
    """parameters() gives the prototypes and the temperature, and nothing else."""
    names = [name for name, _ in solution.CosineHead(2, 3).named_parameters()]
    check(sorted(names) == ["prototypes", "temperature"], "parameters() gives other names than the two that learn")


@sample
@points(1)
def test_what_is_saved(solution):
    """state_dict() gives all four, in the shapes, dtypes and with the first values of the table."""
    state = complete(solution.CosineHead(2, 3, 0.25))
    check(state["prototypes"].shape == (3, 2), "prototypes has the wrong shape")
    assert_close(state["temperature"], torch.tensor(0.25), name="temperature")
    assert_close(state["counts"], torch.zeros(3, dtype=torch.int64), name="counts")
    assert_close(state["enabled"], torch.ones(3, dtype=torch.bool), name="enabled")


@sample
@points(1)
def test_observe_and_disable(solution):
    """Labels are counted exactly, and a class that was disabled has the logit minus infinity."""
    head = solution.CosineHead(2, 3)
    head.observe(torch.tensor([0, 2, 2]))
    head.disable([1])
    assert_close(complete(head)["counts"], torch.tensor([1, 0, 2]), name="counts")
    assert_close(head(torch.ones(1, 2)).isinf(), torch.tensor([[False, True, False]]), name="which logits are infinite")


@points(2)
@EACH_DTYPE
def test_values_and_gradients(solution, reference, rng, dtype):
    """The logits or the gradient of x are off: the formula must stay what it was."""
    mine, theirs = pair(solution, reference, rng, 4, 3, dtype)
    x = rng.randn(5, 4, dtype=dtype)
    on = dict(theirs.state_dict())["enabled"]
    assert_close(mine(x), theirs(x))
    assert_same_gradients(lambda t: mine(t)[:, on], lambda t: theirs(t)[:, on], (x,), names=("x",))


@points(2)
@EACH_DTYPE
def test_gradients_of_the_parameters(solution, reference, rng, dtype):
    """The temperature or the prototypes get no gradient, or a wrong one."""
    mine, theirs = pair(solution, reference, rng, 4, 3, dtype)
    x, cotangent = rng.randn(5, 4, dtype=dtype), rng.randn(5, 2, dtype=dtype)
    on = dict(theirs.state_dict())["enabled"]
    found = []
    for head in (mine, theirs):
        named = dict(head.named_parameters())
        check({"prototypes", "temperature"} <= set(named), "a parameter is missing")
        wanted = [named["prototypes"], named["temperature"]]
        out = head(x)[:, on]
        check(out.requires_grad, "the logits are detached from the parameters")
        grads = torch.autograd.grad(out, wanted, cotangent, allow_unused=True)
        check(all(g is not None for g in grads), "a parameter takes no part in the logits")
        found.append(list(grads))
    assert_close(*found, scale=4.0, name="gradients")


@points(1)
def test_counts_add_up(solution, rng):
    """Several calls of observe add up, labels that never occur and an empty batch included."""
    head, labels = solution.CosineHead(2, 6), [rng.randint(0, 5, (n,)) for n in (7, 0, 4)]
    for part in labels:
        head.observe(part)
    assert_close(complete(head)["counts"], torch.bincount(torch.cat(labels), minlength=6), name="counts")


@points(1)
def test_disabled_classes_add_up(solution):
    """Several calls of disable add up; a class may be disabled twice, and none is no error."""
    head = solution.CosineHead(2, 5)
    for classes in ([3], [], [0, 3], [1]):
        head.disable(classes)
    assert_close(complete(head)["enabled"], torch.tensor([False, False, True, False, True]), name="enabled")


@points(1)
def test_counts_are_edited_in_place(solution, probes, rng):
    """observe edits the tensor that is registered: who holds it sees the new counts."""
    labels = rng.randint(0, 4, (9,))
    found = probes.in_place(labels)
    check(found["same"], "counts lies elsewhere in memory after observe")
    assert_close(found["view"], torch.bincount(labels, minlength=4), name="a view of counts")


@points(2)
def test_a_training_step(solution, reference, probes, rng):
    """A step with weight decay changes the prototypes and the temperature; counts and mask stay what they are."""
    prototypes, x, labels = rng.randn(4, 3), rng.randn(6, 3), rng.randint(0, 3, (6,))
    found, expected = (p.stepped(prototypes, x, labels, [3]) for p in (probes, probes.on(reference)))
    check(set(found) == set(NAMES), "state_dict() gives other names than the four")
    assert_close(found, expected, scale=8.0, name="state after a step")


@points(2)
def test_after_a_move_to_float64(solution, rng):
    """After .to(torch.float64) prototypes and temperature are float64, the others what they were."""
    head = solution.CosineHead(3, 4).to(F64)
    dtypes = {name: value.dtype for name, value in complete(head).items()}
    expected = {"prototypes": F64, "temperature": F64, "counts": torch.int64, "enabled": torch.bool}
    check(dtypes == expected, "a dtype is off after the move")
    check(head(rng.randn(2, 3, dtype=F64)).dtype == F64, "the logits of a float64 head are not float64")


@points(2)
def test_on_the_meta_device(solution, probes):
    """A move to another device takes everything along; nothing is made on the CPU in forward."""
    found = probes.on_meta()
    check(found["moved"], "a tensor has not moved")
    check(found["shape"] == (2, 4), "forward fails on the meta device, or gives a tensor elsewhere")


@points(2)
def test_checkpoint(solution, rng):
    """A new head with a loaded state gives the same output, with the same classes disabled and the same counts."""
    head, other = solution.CosineHead(3, 4, 0.7), solution.CosineHead(3, 4)
    head.observe(rng.randint(0, 4, (10,)))
    head.disable([rng.integer(0, 4)])
    state = {name: value.clone() for name, value in complete(head).items()}
    other.load_state_dict(state)
    x = rng.randn(5, 3)
    assert_close(other(x), head(x).detach())
    assert_close(complete(other), state, name="state")


@points(1)
def test_heads_share_nothing(solution, probes):
    """What happens to one head must not happen to another."""
    found = probes.two_heads()
    expected = [torch.zeros(3, dtype=torch.int64), torch.ones(3, dtype=torch.bool), torch.tensor(0.1)]
    assert_close(found, expected, name="state of the second head")


@points(1)
def test_input_stays_as_it_is(solution, reference, rng):
    """x is not written to, and may be transposed."""
    mine, theirs = pair(solution, reference, rng, 5, 3)
    x = rng.randn(5, 4).t()
    assert_close(assert_not_mutated(mine, x), theirs(x))
