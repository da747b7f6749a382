"""Hidden tests: samples, indices, and which files are opened when."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

DTYPES = [torch.float32, torch.float64, torch.int64, torch.uint8, torch.bool, torch.float16]


def files_of(rng, names):
    """One random tensor for each name, of several dtypes and ranks."""
    files = {}
    for k, name in enumerate(names):
        shape = [(), (3,), (2, 3), (1, 2, 5)][k % 4]
        files[name] = rng.randint(0, 2 if k % 6 == 4 else 100, shape).to(DTYPES[k % 6])
    return files


def expected_of(files, transform=lambda x: x, target_transform=lambda y: y):
    names = sorted(files)
    labels = [int(name[: -len(".pt")].split("_")[-1]) for name in names]
    return [(transform(files[name]), target_transform(label)) for name, label in zip(names, labels, strict=True)]


def check_samples(found, expected):
    check(all(type(one) is tuple and len(one) == 2 for one in found), "a sample must be a tuple of two")
    check(len(found) == len(expected), "there are more or fewer samples than files")
    for i, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert_close(one[0], other[0], rtol=0.0, atol=0.0, name=f"tensor of sample {i}")
        check(type(one[1]) is type(other[1]), f"the label of sample {i} has another type")
        check(one[1] == other[1], f"the label of sample {i} is another one")


NAMES = [
    "b_1.pt",
    "a_0.pt",
    "10_4.pt",
    "9_12.pt",
    "a_b_3.pt",
    "_7.pt",
    "Z_2.pt",
    "a_00_05.pt",
    ".a_6.pt",
    "v1.5_8.pt",
    "a.pt_9.pt",
]


@sample
@points(1)
def test_two_files(probes):
    """Two files: sorted by name, and the label is the number behind the underscore."""
    found = probes.samples({"dog_1.pt": torch.tensor([3.0, 4.0]), "cat_0.pt": torch.tensor([1.0, 2.0])})
    check(found["length"] == 2, "len(dataset) must be 2")
    check_samples(found["samples"], [(torch.tensor([1.0, 2.0]), 0), (torch.tensor([3.0, 4.0]), 1)])


@sample
@points(1)
def test_negative_index(probes):
    """dataset[-1] is the last sample, and dataset[2] of two samples raises IndexError."""
    files = {"a_5.pt": torch.zeros(1), "b_6.pt": torch.ones(1)}
    last, beyond = probes.indexed(files, [-1, 2])
    check_samples([last], [(torch.ones(1), 6)])
    check(beyond == "IndexError", "an index beyond the end must raise IndexError")


@sample
@points(1)
def test_nothing_is_opened_at_first(probes):
    """Making the dataset opens no file; asking for one sample opens one."""
    found = probes.opened({"a_0.pt": torch.zeros(2), "b_1.pt": torch.ones(2)}, [1])
    check(found["at_first"] == [], "a file was opened before a sample was asked for")
    check(found["by_access"] == [["b_1.pt"]], "dataset[1] must open its own file, once, and no other")


@points(3)
def test_samples(probes, rng):
    """Tensors have the dtype and shape of their files, labels are ints, and the order is that of the sorted names."""
    files = files_of(rng, NAMES)
    found = probes.samples(files)
    check(found["length"] == len(NAMES), "len(dataset) is not the number of samples")
    check_samples(found["samples"], expected_of(files))


@points(1)
def test_order_of_the_names(probes, rng):
    """Names are sorted as strings: 10 comes before 9, and the label plays no part."""
    names = ["10_1.pt", "9_0.pt", "100_2.pt", "1_9.pt", "2_3.pt"]
    files = {name: torch.tensor(float(rng.integer(0, 99))) for name in names}
    check_samples(probes.samples(files)["samples"], expected_of(files))


@points(1)
def test_for_loop(probes, rng):
    """A for loop over the dataset gives each sample once and ends: IndexError beyond the last one ends it."""
    files = files_of(rng, NAMES[:5])
    check_samples(probes.samples(files)["looped"], expected_of(files))


@points(1)
def test_other_files(probes, rng):
    """Files with other endings, folders, and files in folders are no samples; .PT is another ending."""
    files = files_of(rng, NAMES[:3])
    others = ["readme.txt", "a_1.pt.bak", "labels_3", "sub_4/", "inner_5.pt/", "0_8pt", "a_2.PT"]
    found = probes.samples(files, None, others)
    check(found["length"] == 3, "something that is no sample was counted")
    check_samples(found["samples"], expected_of(files))


@points(1)
def test_name_of_the_folder(probes, rng):
    """The name of the folder is no pattern: brackets and stars in it stand for themselves."""
    files = files_of(rng, NAMES[:3])
    found = probes.samples(files, None, (), "set[01]*_")
    check_samples(found["samples"], expected_of(files))


@points(1)
def test_no_files(probes):
    """An empty folder is an empty dataset."""
    found = probes.samples({}, None, ["readme.txt"])
    check(found["length"] == 0 and found["looped"] == [], "an empty folder must give an empty dataset")
    check(found["is_dataset"], "the class must derive from torch.utils.data.Dataset")


@points(2)
def test_indices(probes, rng):
    """Indices behave as those of a list: from -n to n - 1, and IndexError on both sides of that."""
    files = files_of(rng, NAMES[:4])
    expected = expected_of(files)
    found = probes.indexed(files, [0, 3, -1, -4, 4, -5, 1000])
    check_samples(found[:4], [expected[0], expected[3], expected[-1], expected[-4]])
    check(found[4:] == ["IndexError"] * 3, "an index beyond either end must raise IndexError")


TRANSFORMS = {
    "tensor": ({"transform": "doubled"}, lambda x: 2 * x, lambda y: y),
    "label": ({"target_transform": "negated"}, lambda x: x, lambda y: -y - 1),
    "both": ({"transform": "flattened", "target_transform": "named"}, lambda x: x.reshape(-1), lambda y: f"class {y}"),
}


@points(2)
@pytest.mark.parametrize("which", TRANSFORMS)
def test_transforms(probes, rng, which):
    """Each transform is applied once, to its own half of the sample, whether or not the other is given."""
    options, transform, target_transform = TRANSFORMS[which]
    files = {name: rng.randn(2, 3) for name in NAMES[:4]}
    check_samples(probes.samples(files, options)["samples"], expected_of(files, transform, target_transform))


@points(2)
def test_opened_files(probes, rng):
    """Each access opens the file of its sample and no other, also the second time."""
    files = files_of(rng, NAMES)
    names, indices = sorted(files), [3, 0, 0, -1, 3]
    found = probes.opened(files, indices)
    check(found["at_first"] == [], "a file was opened before a sample was asked for")
    check(found["by_access"] == [[names[i]] for i in indices], "an access must open its own file, once, and no other")


@points(1)
def test_nothing_is_kept(probes, rng):
    """What a caller does to a sample, and what happens to its file, must show in the next access as it is on the disk."""
    before, after = rng.randn(3) + 5, rng.randn(3) - 5
    assert_close(probes.rewritten("a_0.pt", before, after), [before, before, after], name="sample in three accesses")


@points(2)
@pytest.mark.parametrize("which", TRANSFORMS)
def test_pickled(probes, rng, which):
    """A dataset goes to worker processes as a pickle: without the contents of its files, and with its transforms."""
    options, transform, target_transform = TRANSFORMS[which]
    files = {name: rng.randn(100, 100) for name in NAMES[:3]}
    found = probes.pickled(files, options)
    check_samples(found["samples"], expected_of(files, transform, target_transform))
    check(found["bytes"] < 20_000, "the pickle of the dataset contains samples")


@points(1)
def test_under_a_loader(probes, rng):
    """A DataLoader stacks the tensors and makes an int64 tensor of the labels."""
    files = {name: rng.randn(2) for name in NAMES[:5]}
    expected = expected_of(files)
    batches = probes.loaded(files, {}, 2)
    for k, batch in enumerate(batches):
        part = expected[2 * k : 2 * k + 2]
        assert_close(batch, [torch.stack([x for x, _ in part]), torch.tensor([y for _, y in part])], name=f"batch {k}")
    check(len(batches) == 3, "three batches expected")
