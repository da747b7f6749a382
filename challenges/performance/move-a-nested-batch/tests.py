"""Hidden tests: to_device. The meta device is the second device."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

PLAIN = ["list", "tuple", "named tuple", "dict", "ordered dict", "default dict", "nested"]
CLASSES = ["dataclass", "frozen dataclass", "slotted dataclass", "counted dataclass"]
DTYPES = [torch.float32, torch.int64, torch.bool, torch.float16]


def tensors(rng):
    """Two tensors of different shapes, whose sizes no other test repeats."""
    n = rng.integer(2, 9)
    return rng.randn(n, 3), rng.randint(0, 5, (n + 1,))


def compare(probes, reference, rng, kind, device="meta"):
    a, b = tensors(rng)
    found, expected = (p.moved(kind, a, b, device) for p in (probes, probes.on(reference)))
    check(found["out"] == expected["out"], "the result has another type, order, shape, dtype or device than it should")
    check(found["left"] == expected["left"], "the batch that was passed has changed")
    return found


@sample
@points(1)
def test_a_tensor(solution):
    """A tensor goes to the device, and keeps its shape and dtype."""
    out = solution.to_device(torch.ones(2, 3, dtype=torch.int64), "meta")
    assert_close(out, torch.ones(2, 3, dtype=torch.int64, device="meta"))


@sample
@points(1)
def test_a_dict_of_tensors(solution):
    """The values of a dict move, and its keys and numbers stay."""
    out = solution.to_device({"x": torch.ones(4), "n": 4}, "meta")
    assert_close(out, {"x": torch.ones(4, device="meta"), "n": 4})


@sample
@points(1)
def test_a_module_moves_in_place(probes):
    """A module is moved in place: the result is the module itself, and all of its parameters and buffers have moved."""
    found = probes.modules(False)
    check(found["same"], "the result is another object than the module")
    check(found["places"] == ["meta"], "a parameter or a buffer has not moved")


@points(2)
@pytest.mark.parametrize("kind", PLAIN)
def test_containers(probes, reference, rng, kind):
    """A container of some type comes back as another type, in another order, or with an item that has not moved."""
    compare(probes, reference, rng, kind)


@points(2)
@pytest.mark.parametrize("kind", CLASSES)
def test_dataclasses(probes, reference, rng, kind):
    """An instance of a dataclass comes back with all of its fields, whether or not it is frozen or has slots."""
    compare(probes, reference, rng, kind)


@points(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=["float32", "int64", "bool", "float16"])
def test_dtypes(solution, rng, dtype):
    """A move changes the device and nothing else."""
    x = rng.randint(0, 2, (3, rng.integer(2, 7))).to(dtype)
    assert_close(solution.to_device([x], torch.device("meta")), [x.to("meta")])
    assert_close(solution.to_device((x, 1), "cpu"), (x, 1))


@points(1)
def test_values_stay(solution, rng):
    """A tensor that stays on its device keeps its values, whatever they are."""
    x, y = 1e6 * rng.randn(5, dtype=torch.float64), -rng.rand(3)
    x[1] = float("nan")
    assert_close(solution.to_device({"x": x, "y": [y]}, "cpu"), {"x": x, "y": [y]}, equal_nan=True)
    assert_close(solution.to_device(y, "cpu"), y)


@points(2)
@pytest.mark.parametrize("kind", ["tensor", *PLAIN, *CLASSES])
def test_nothing_moves(probes, rng, kind):
    """If everything is on the device already, the result is the object that was passed, not an equal one."""
    a, b = tensors(rng)
    check(probes.moved(kind, a, b, rng.choice(["cpu", torch.device("cpu")]))["same"], "a new object was made")


@points(2)
def test_half_of_it_moves(probes, reference, rng):
    """Containers inside the batch from which nothing moves are the same objects in the result."""
    a, b = tensors(rng)
    found, expected = (p.half_moved(a, b) for p in (probes, probes.on(reference)))
    check(found["out"] == expected["out"], "the result has another structure than the batch")
    check(found["same"] == expected["same"], "a part from which nothing moves was rebuilt")
    check(found["inner"] and not found["whole"], "a tensor that is there already must stay the same object")


@points(2)
def test_shared_tensors(probes, rng):
    """A tensor that occurs in several places is one object in the result, on whatever level it occurs."""
    same = probes.shared(tensors(rng)[0])
    check(same[:3] == [True] * 3, "one tensor has become several")
    check(same[3], "two equal tensors have become one")


@points(1)
def test_what_cannot_move(probes, rng):
    """Everything that is not a tensor, a module or a container comes back as the very same object, classes too."""
    check(all(probes.leaves(tensors(rng)[0])), "an object that cannot move was replaced, or lost")


@points(2)
def test_a_dataclass_is_not_constructed_again(probes, reference, rng):
    """__post_init__ runs once, when the batch is made, and the fields that the constructor does not take arrive too."""
    a, _ = tensors(rng)
    found, expected = (p.initialised(a) for p in (probes, probes.on(reference)))
    check(found["calls"] == 1, "__post_init__ has run again")
    check(found == expected, "a field with init=False does not arrive as it was")


@points(1)
def test_a_module_in_a_batch(probes):
    """A module in a batch moves in place; the batch around it is the same object, since nothing in it is new."""
    found = probes.modules(True)
    check(found["places"] == ["meta"], "a parameter or a buffer has not moved")
    check(found["same"], "the container around a module was rebuilt")
    check(found["training"], "the module's mode has changed")


@attested
@points(1)
@pytest.mark.parametrize("flag", [True, False])
def test_non_blocking(probes, rng, flag):
    """non_blocking must reach the move of each tensor and of each module, and is False by default."""
    a, b = tensors(rng)
    found = probes.flags(a, b, {"non_blocking": True} if flag else {})
    check(len(found) > 0 and all(one is flag for one in found), "a move was made with another value of non_blocking")
