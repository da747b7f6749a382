"""Hidden tests: all-reduce on a ring."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64, I64 = torch.float32, torch.float64, torch.int64


def drawn(rng, n, shape, dtype):
    if dtype is I64:
        return [rng.randint(-1000, 1000, shape) for _ in range(n)]
    return [rng.randn(*shape, dtype=dtype) for _ in range(n)]


def compare(probes, tensors):
    found = probes.run(tensors)
    check(not found["problem"], found["problem"] or "-")
    n, length = len(tensors), tensors[0].numel()
    total = torch.stack(tensors).sum(0)
    for rank, result in enumerate(found["results"]):
        assert_close(result, total, scale=2.0, name=f"result of device {rank}")
    check(
        all(torch.equal(result, found["results"][0]) for result in found["results"]), "the results differ in some bits"
    )
    check(found["exchanges"] == [2 * (n - 1)] * n, "each device should make 2(n − 1) exchanges")
    limit = 2 * (n - 1) * -(-length // n)
    check(max(found["elements"]) <= limit, "a device sends more elements than the statement allows")
    check(found["dtypes"], "what is sent has another dtype than x")
    check(found["kept"], "x was changed")
    return found


@sample
@points(1)
def test_two_devices(probes):
    """Two devices, five elements."""
    compare(probes, [torch.arange(5), 10 * torch.arange(5)])


@sample
@points(1)
def test_four_devices(probes):
    """Four devices with powers of ten: the digits tell whose tensors are in a sum."""
    compare(probes, [torch.full((8,), 10**i) for i in range(4)])


@sample
@points(1)
def test_alone(probes):
    """One device sends nothing and returns its own values."""
    compare(probes, [torch.tensor([1.0, 2.0, 3.0])])


@points(3)
@pytest.mark.parametrize("length", [12, 13, 14, 17])
@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_sums(probes, rng, n, length):
    """The sum differs, or too much is sent: sizes that divide by the number of devices, and sizes that do not."""
    compare(probes, drawn(rng, n, (length,), F64))


@points(2)
@pytest.mark.parametrize("length", [0, 1, 2, 4])
def test_fewer_elements_than_devices(probes, rng, length):
    """Some parts are empty."""
    compare(probes, drawn(rng, 5, (length,), F64))


@points(2)
@pytest.mark.parametrize("dtype", [F32, I64], ids=["float32", "int64"])
@pytest.mark.parametrize("shape", [(), (3, 5), (2, 1, 7), (4, 0)], ids=str)
def test_shapes_and_dtypes(probes, rng, shape, dtype):
    """Several dimensions and dtypes: the result has the shape and dtype of x."""
    compare(probes, drawn(rng, 3, shape, dtype))


@points(3)
def test_equal_bits(probes, rng):
    """Numbers of very different sizes, whose sum depends on the order: all devices must return the same bits."""
    tensors = [
        10.0 ** (8 * torch.rand(23, generator=torch.Generator().manual_seed(rng.seed()))) * rng.randn(23)
        for _ in range(6)
    ]
    found = probes.run(tensors)
    check(not found["problem"], found["problem"] or "-")
    check(
        all(torch.equal(result, found["results"][0]) for result in found["results"]), "the results differ in some bits"
    )


@points(2)
@pytest.mark.parametrize("n", [3, 5])
def test_each_tensor_counts_once(probes, rng, n):
    """Every device's tensor is in every element of the sum exactly once."""
    for rank in range(n):
        tensors = [torch.zeros(2 * n + 1, dtype=I64) for _ in range(n)]
        tensors[rank] = rng.randint(1, 9, (2 * n + 1,))
        compare(probes, tensors)


@points(2)
def test_little_is_sent(probes, rng):
    """Seventy elements on seven devices: each sends 120."""
    found = compare(probes, drawn(rng, 7, (70,), F32))
    check(min(found["elements"]) > 0, "a device that sends nothing cannot take part")


@points(1)
def test_views(probes, rng):
    """Transposed and expanded tensors are ordinary inputs, and stay as they were."""
    tensors = [
        rng.randn(4, 3, dtype=F64).T,
        rng.randn(3, 1, dtype=F64).expand(3, 4),
        rng.randn(3, 8, dtype=F64)[:, ::2],
    ]
    compare(probes, tensors)
