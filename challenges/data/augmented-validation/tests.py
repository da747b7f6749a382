"""Hidden tests: TransformedSubset and split_for_training."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample


def data(rng, n=8, shape=(2, 3), dtype=torch.float32):
    """Items whose label is their index, so that one can see which is which."""
    return rng.randn(n, *shape, dtype=dtype) + 3, torch.arange(n)


def check_cover(found, n):
    train, validation = found["train"][1], found["validation"][1]
    check(not set(train) & set(validation), "some items are in both training and validation")
    check(len(set(train)) == len(train) and len(set(validation)) == len(validation), "an item stands twice in a part")
    check(sorted(train + validation) == list(range(n)), "some items are in neither part")


@sample
@points(1)
def test_validation_is_untouched(probes):
    """Validation items are those of the dataset, whatever happens to the training items."""
    x, y = torch.arange(1.0, 11.0).reshape(10, 1), torch.arange(10)
    found = probes.split(x, y, 0.3, "double", 5)
    assert_close(found["validation"][0], x[found["validation"][1]], name="validation items")
    assert_close(found["train"][0], 2 * x[found["train"][1]], name="training items")


@sample
@points(1)
def test_no_overlap(probes):
    """Every item is either for training or for validation."""
    x, y = torch.arange(10.0).reshape(10, 1), torch.arange(10)
    found = probes.split(x, y, 0.3, None, 5)
    check(len(found["validation"][1]) == 3, "three of ten items should be for validation")
    check_cover(found, 10)


@sample
@points(1)
def test_stored_data_stay(probes):
    """An augmentation that works in place must not reach the tensors that the dataset stores."""
    x, y = torch.arange(1.0, 5.0).reshape(4, 1), torch.arange(4)
    found = probes.subset(x, y, [0, 1, 2, 3], {"subset": "negate"})
    assert_close(found["x"], -x, name="items")
    assert_close(found["again"], -x, name="items read again")
    assert_close(found["stored"], x, name="what the dataset stores")


@points(2)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.33], ids=["fifth", "half", "third"])
def test_random_training_fixed_validation(probes, rng, share):
    """A training item gets a new random transform each time it is read; validation items are the same each time."""
    x, y = data(rng, 10)
    found = probes.split(x, y, share, "noise", rng.seed())
    check_cover(found, 10)
    check(len(found["validation"][1]) == round(share * 10), "the number of validation items is wrong")
    assert_close(found["validation"][0], x[found["validation"][1]], name="validation items")
    assert_close(found["validation again"], found["validation"][0], name="validation items read again")
    differ = (found["train"][0] != found["again"]).flatten(1).any(1)
    check(bool(differ.all()), "a training item was the same in two readings: the augmentation must run again each time")


@points(1)
@pytest.mark.parametrize(("n", "share", "count"), [(8, 0.2, 2), (6, 0.25, 2), (10, 0.25, 2), (7, 0.9, 6), (3, 1.0, 3)])
def test_number_of_validation_items(probes, rng, n, share, count):
    """round(share * len(dataset)) items are for validation: rounded as Python does it, neither cut off nor always up."""
    found = probes.split(*data(rng, n), share, "double", rng.seed())
    check_cover(found, n)
    check(len(found["validation"][1]) == count, "the number of validation items is wrong")


@points(2)
@pytest.mark.parametrize("names", [["double", None], [None, "double"], ["double", "plus-one"]])
def test_subsets_do_not_share_a_transform(probes, rng, names):
    """Two subsets of one dataset have each its own transform, whichever was made first; the dataset itself has none."""
    x, y = data(rng)
    found = probes.two_subsets(x, y, names)
    expected = {"double": 2 * x, "plus-one": x + 1, None: x}
    assert_close(found["first"], expected[names[0]], name="items of the subset that was made first")
    assert_close(found["second"], expected[names[1]], name="items of the subset that was made second")
    assert_close(found["base"], x, name="items of the dataset itself")


@points(2)
@pytest.mark.parametrize("inner", ["double", "plus-one"])
def test_transform_of_the_dataset(probes, rng, inner):
    """If the dataset has a transform of its own it still runs, before the one of the subset."""
    x, y = data(rng)
    names = {"base": inner, "subset": "plus-one" if inner == "double" else "double"}
    found = probes.subset(x, y, [1, 3, 5], names)
    alone = {"double": 2 * x, "plus-one": x + 1}[inner]
    assert_close(found["x"], (2 * x + 1 if inner == "double" else 2 * (x + 1))[[1, 3, 5]], name="items of the subset")
    assert_close(found["base"], alone, name="items of the dataset")


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_in_place_augmentation(probes, rng, dtype):
    """In-place transforms get a copy: training twice must give the same as training once."""
    x, y = data(rng, 6, (3,), dtype)
    found = probes.split(x, y, 0.5, "negate", rng.seed())
    assert_close(found["train"][0], -x[found["train"][1]], name="training items")
    assert_close(found["again"], found["train"][0], name="training items read again")
    assert_close(found["stored"], x, name="what the dataset stores")
    assert_close(found["validation"][0], x[found["validation"][1]], name="validation items")


@points(1)
@pytest.mark.parametrize("kind", ["list", "tensor", "range"])
def test_kinds_of_indices(probes, rng, kind):
    """indices may be a list, a 1-d tensor or a range, and an index may occur twice."""
    x, y = data(rng)
    where = {"list": [5, 2, 2, 7], "tensor": torch.tensor([5, 2, 2, 7]), "range": {"range": [1, 8, 3]}}[kind]
    picked = [1, 4, 7] if kind == "range" else [5, 2, 2, 7]
    found = probes.subset(x, y, where, {})
    assert_close(found["x"], x[picked], name="items")
    assert_close(found["y"], picked, name="labels")
    assert_close(found["len"], len(picked), name="length")


@points(1)
@pytest.mark.parametrize(("position", "label"), [(-1, 4), (-3, 6), (3, "IndexError"), (-4, "IndexError")])
def test_positions(probes, rng, position, label):
    """Positions are those of the subset: negative ones count from its end, and those beyond it raise IndexError."""
    found = probes.at(*data(rng), [6, 2, 4], position)
    if label == "IndexError":
        check(found == label, f"position {position} lies beyond the subset: an IndexError is expected")
    else:
        assert_close(found, label, name="label")


@points(1)
def test_empty_subset(probes, rng):
    """A share of 0 leaves validation empty, and a subset without indices has length 0."""
    found = probes.split(*data(rng, 5), 0.0, "double", rng.seed())
    assert_close(found["validation"][1], [], name="labels of validation")
    assert_close(sorted(found["train"][1]), [0, 1, 2, 3, 4], name="labels of training, sorted")


@points(2)
def test_split_follows_the_generator(probes, rng):
    """Equal generators give equal splits whatever the global generator is at, and it stays where it is."""
    x, y = data(rng, 30, (1,))
    seed = rng.seed()
    first, second = (probes.split(x, y, 0.4, None, seed, other) for other in (1, 2))
    check(first["validation"][1] == second["validation"][1], "equal generators gave different splits")
    check(not first["moved"], "the global generator was moved")
    third = probes.split(x, y, 0.4, None, seed + 1)
    check(set(third["validation"][1]) != set(first["validation"][1]), "another seed gave the same validation set")


@points(1)
def test_both_are_transformed_subsets(probes, rng):
    """split_for_training returns a pair of TransformedSubset objects."""
    check(probes.split(*data(rng), 0.25, "noise", 1)["kinds"] is True, "both parts must be TransformedSubset objects")


@points(1)
def test_subset_of_a_subset(probes, rng):
    """A subset is a dataset: one can take a subset of it, and both transforms run, the inner one first."""
    x, y = data(rng)
    found = probes.nested(x, y, [2, 0], [7, 5, 1])
    assert_close(found, 2 * x[[1, 7]] + 1, name="items")


@points(1)
def test_in_a_loader(probes, rng):
    """A DataLoader over a subset gives batches of its items in order."""
    x, y = data(rng)
    batches = probes.loaded(x, y, [6, 1, 4], 2)
    check(len(batches) == 2, "three items in batches of two make two batches")
    assert_close([list(batch) for batch in batches], [[x[[6, 1]], y[[6, 1]]], [x[[4]], y[[4]]]], name="batches")
