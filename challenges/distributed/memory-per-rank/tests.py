"""Hidden tests: bytes of weights, gradients and states on each rank, for four layouts."""

import pytest
import torch

from grader.testing import check, points, sample

LAYOUTS = ["replicated", "zero1", "zero2", "full"]
EACH_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS)


def held(shapes, rank, world, sharded):
    """Elements on a rank, by cutting tensors that take no memory."""
    total = 0
    for shape in shapes:
        parameter = torch.empty(shape, device="meta")
        chunks = parameter.chunk(world) if sharded else [parameter] * world
        total += chunks[rank].numel() if rank < len(chunks) else 0
    return total


def expected(shapes, rank, world, layout, states=2, itemsize=4):
    at = LAYOUTS.index(layout)
    return {
        "weights": held(shapes, rank, world, at == 3) * itemsize,
        "gradients": held(shapes, rank, world, at >= 2) * itemsize,
        "states": held(shapes, rank, world, at >= 1) * states * itemsize,
    }


def check_bytes(found, wanted):
    check(isinstance(found, dict) and set(found) == set(wanted), "the keys are not weights, gradients and states")
    check(all(type(value) is int for value in found.values()), "the numbers of bytes must be Python ints")
    for name, value in wanted.items():
        check(found[name] == value, f"the number of bytes for {name} is off")


def drawn(rng, most=40):
    """Shapes of one to three dimensions with sizes that seldom divide."""
    return [tuple(rng.integer(1, most) for _ in range(rng.integer(1, 4))) for _ in range(rng.integer(2, 6))]


@sample
@points(1)
def test_replicated(solution):
    """Adam in float32 takes 16 bytes for each parameter on every rank of DDP."""
    check_bytes(
        solution.bytes_per_rank([(10, 10)], 3, 4, "replicated"), {"weights": 400, "gradients": 400, "states": 800}
    )


@sample
@points(1)
def test_even_shards(solution):
    """Eight rows on four ranks: everything is divided by four under full sharding."""
    check_bytes(solution.bytes_per_rank([(8, 10)], 2, 4, "full"), {"weights": 80, "gradients": 80, "states": 160})


@sample
@points(1)
def test_rows_run_out(solution):
    """Five rows on four ranks are 2, 2, 1 and 0 rows."""
    for rank, rows in enumerate([2, 2, 1, 0]):
        found = solution.bytes_per_rank([(5, 3)], rank, 4, "full")
        check_bytes(found, {"weights": 12 * rows, "gradients": 12 * rows, "states": 24 * rows})


@points(3)
@EACH_LAYOUT
def test_layouts(solution, rng, layout):
    """The wrong things are divided in this layout, or a rank has more or fewer rows than its chunk."""
    shapes, world = drawn(rng), rng.integer(3, 9)
    for rank in range(world):
        check_bytes(solution.bytes_per_rank(shapes, rank, world, layout), expected(shapes, rank, world, layout))


@points(2)
@pytest.mark.parametrize("world", [1, 2, 3, 7, 16])
def test_numbers_of_ranks(solution, rng, world):
    """Chunks are off for this number of ranks: with few rows the last ranks have none."""
    shapes = [(world + 1, 3), (5,), (2, 2, 2), (3 * world - 1, 2), (world, 4)]
    for rank in range(world):
        check_bytes(solution.bytes_per_rank(shapes, rank, world, "full"), expected(shapes, rank, world, "full"))


@points(1)
@pytest.mark.parametrize("states", [0, 1, 3])
def test_other_optimizers(solution, rng, states):
    """The optimizer's states are counted as often as it keeps them: none for plain SGD."""
    shapes = drawn(rng)
    for layout in LAYOUTS:
        found = solution.bytes_per_rank(shapes, 1, 3, layout, states)
        check_bytes(found, expected(shapes, 1, 3, layout, states))


@points(1)
@pytest.mark.parametrize("itemsize", [2, 8])
def test_other_dtypes(solution, rng, itemsize):
    """All three are counted with the given number of bytes for an element."""
    shapes = drawn(rng)
    for layout in LAYOUTS:
        found = solution.bytes_per_rank(shapes, 0, 5, layout, itemsize=itemsize)
        check_bytes(found, expected(shapes, 0, 5, layout, itemsize=itemsize))


@points(1)
def test_large_models(solution):
    """Seven billion parameters: the numbers are exact integers."""
    shapes = [(1_000_003, 7001)]
    rows = 1_000_003 - 63 * 15_626
    found = solution.bytes_per_rank(shapes, 63, 64, "full")
    part = rows * 7001 * 4
    check_bytes(found, {"weights": part, "gradients": part, "states": 2 * part})


@points(1)
def test_nothing_to_store(solution):
    """An empty list and sizes of 0 are no bytes."""
    for shapes in ([], [(0,)], [(4, 0)], [(0, 5), (0, 0)]):
        check_bytes(solution.bytes_per_rank(shapes, 0, 2, "full"), {"weights": 0, "gradients": 0, "states": 0})


@points(1)
@pytest.mark.parametrize(("rank", "world"), [(4, 4), (-1, 4), (1, 1), (9, 2)])
def test_no_such_rank(solution, rank, world):
    """A rank outside of 0 to world - 1 raises ValueError, in every layout and for an empty list too."""
    for layout in LAYOUTS:
        for shapes in ([(4, 4)], []):
            with pytest.raises(ValueError):
                solution.bytes_per_rank(shapes, rank, world, layout)


@points(1)
@pytest.mark.parametrize("layout", ["zero3", "FULL", ""])
def test_no_such_layout(solution, layout):
    """Another name of a layout raises ValueError, for an empty list too."""
    for shapes in ([(4, 4)], []):
        with pytest.raises(ValueError):
            solution.bytes_per_rank(shapes, 0, 2, layout)
