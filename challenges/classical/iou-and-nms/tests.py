"""Hidden tests: overlap of boxes, and non-maximum suppression."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def overlap(a, b):
    """The overlap of two boxes, as numbers."""
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    both = w * h if w > 0 and h > 0 else 0.0
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both
    return both / union if union > 0 else 0.0


def overlaps(a, b):
    rows = [[overlap(x, y) for y in b.double().tolist()] for x in a.double().tolist()]
    return torch.tensor(rows, dtype=a.dtype).reshape(len(a), len(b))


def kept(boxes, scores, threshold, classes=None):
    """The rule of the statement, box by box."""
    order = sorted(range(len(scores)), key=lambda i: (-float(scores[i]), i))
    rows, out = boxes.double().tolist(), []
    for i in order:
        same = [j for j in out if classes is None or classes[i] == classes[j]]
        if all(overlap(rows[i], rows[j]) <= threshold for j in same):
            out.append(i)
    return torch.tensor(out, dtype=torch.int64)


def grid(rng, n, size=8, dtype=F32):
    """Boxes on small integers, so that overlaps are exact quotients and many are equal."""
    low = rng.randint(0, size, (n, 2))
    return torch.cat([low, low + rng.randint(1, size, (n, 2))], 1).to(dtype)


def drawn(rng, n, dtype=F64):
    low = 5 * rng.rand(n, 2, dtype=dtype)
    return torch.cat([low, low + 0.5 + 4 * rng.rand(n, 2, dtype=dtype)], 1)


@sample
@points(1)
def test_overlaps_by_hand(solution):
    """Shifted by a quarter of their width: 12 of 20."""
    a = torch.tensor([[0.0, 0.0, 4.0, 4.0]])
    b = torch.tensor([[0.0, 0.0, 4.0, 4.0], [1.0, 0.0, 5.0, 4.0], [4.0, 0.0, 8.0, 4.0], [9.0, 9.0, 10.0, 10.0]])
    assert_close(solution.iou(a, b), torch.tensor([[1.0, 0.6, 0.0, 0.0]]))


@sample
@points(1)
def test_a_chain_by_hand(solution):
    """The second box is suppressed by the first, and so it does not suppress the third."""
    boxes = torch.tensor([[0.0, 0.0, 4.0, 4.0], [1.0, 0.0, 5.0, 4.0], [2.0, 0.0, 6.0, 4.0]])
    assert_close(solution.nms(boxes, torch.tensor([0.9, 0.8, 0.7]), 0.5), torch.tensor([0, 2]))


@sample
@points(1)
def test_order_of_the_result(solution):
    """The indices come in the order of falling scores."""
    boxes = torch.tensor([[0.0, 0.0, 1.0, 1.0], [5.0, 5.0, 6.0, 6.0], [9.0, 0.0, 10.0, 1.0]])
    assert_close(solution.nms(boxes, torch.tensor([0.2, 0.9, 0.5]), 0.5), torch.tensor([1, 2, 0]))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(4, 7), (1, 5), (6, 1)], ids=str)
def test_overlaps(solution, rng, sizes, dtype):
    """Overlaps differ: boxes that intersect, lie in each other, touch and lie apart."""
    a, b = grid(rng, sizes[0], dtype=dtype), drawn(rng, sizes[1], dtype)
    assert_close(solution.iou(a, b), overlaps(a, b))
    both = grid(rng, 6, 4, dtype)
    assert_close(solution.iou(both, both), overlaps(both, both), name="overlaps of a set with itself")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("side", [2.0**-14, 2.0**14], ids=["small", "large"])
def test_sizes_of_boxes(solution, rng, side, dtype):
    """Overlaps do not depend on the unit of length: no constant may be added to the union, or bound it."""
    a, b = grid(rng, 5, 4, dtype), grid(rng, 6, 4, dtype)
    assert_close(solution.iou(side * a, side * b), overlaps(a, b))


@points(2)
def test_boxes_without_area(solution):
    """A box without area overlaps nothing: not a box around it, not itself, and 0/0 is 0."""
    flat = torch.tensor([[1.0, 1.0, 1.0, 1.0], [0.0, 2.0, 4.0, 2.0], [2.0, 0.0, 2.0, 4.0]])
    full = torch.tensor([[0.0, 0.0, 4.0, 4.0]])
    assert_close(solution.iou(flat, flat), torch.zeros(3, 3), name="flat with flat")
    assert_close(solution.iou(flat, full), torch.zeros(3, 1), name="flat with full")
    check(
        len(solution.nms(flat[[0, 0, 1]], torch.tensor([0.3, 0.2, 0.1]), 0.0)) == 3, "they do not suppress each other"
    )


@points(1)
def test_apart_in_both_directions(solution):
    """Boxes that lie apart in both directions: the product of two negative widths is positive, and means nothing."""
    a, b = torch.tensor([[0.0, 0.0, 1.0, 1.0]]), torch.tensor([[5.0, 6.0, 8.0, 9.0], [-3.0, -4.0, -2.0, -1.0]])
    assert_close(solution.iou(a, b), torch.zeros(1, 2))
    assert_close(solution.iou(b, a), torch.zeros(2, 1))


@points(2)
@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (0, 0)], ids=str)
def test_no_boxes(solution, rng, sizes):
    """Without boxes there are no overlaps, and nothing is kept."""
    a, b = drawn(rng, sizes[0], F32), drawn(rng, sizes[1], F32)
    assert_close(solution.iou(a, b), torch.zeros(*sizes))
    none = torch.zeros(0, dtype=torch.int64)
    assert_close(solution.nms(torch.zeros(0, 4), torch.zeros(0), 0.5), none, name="nms")
    assert_close(solution.nms(torch.zeros(0, 4), torch.zeros(0), 0.5, none), none, name="nms with classes")


@points(2)
def test_gradients(solution, rng):
    """Gradients of overlaps differ, or are not finite for boxes without area."""
    a, b = drawn(rng, 3), drawn(rng, 4)
    flat = torch.tensor([[1.0, 1.0, 1.0, 1.0]], dtype=F64)
    results = []
    for mine in (True, False):
        x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
        if mine:
            found = solution.iou(x, y)
        else:
            sides = torch.minimum(x[:, None, 2:], y[:, 2:]) - torch.maximum(x[:, None, :2], y[:, :2])
            both = sides.clamp(min=0).prod(-1)
            found = both / ((x[:, 2:] - x[:, :2]).prod(1)[:, None] + (y[:, 2:] - y[:, :2]).prod(1) - both)
        results.append(torch.autograd.grad(found, [x, y], torch.arange(1.0, 13.0, dtype=F64).view(3, 4)))
    for name, found, wanted in zip("ab", *results, strict=True):
        assert_close(found, wanted, scale=4.0, name=f"gradient of {name}")
    x = torch.cat([flat, flat + 2]).requires_grad_()
    (grad,) = torch.autograd.grad(solution.iou(x, x).sum(), x)
    check(bool(grad.isfinite().all()), "the gradient of boxes without area is not finite")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("threshold", [0.0, 0.25, 0.5, 0.9])
def test_kept(solution, rng, threshold, dtype):
    """The boxes that are kept differ from those of the rule."""
    for n in (12, 25):
        boxes, scores = drawn(rng, n, dtype), rng.rand(n, dtype=dtype)
        assert_close(solution.nms(boxes, scores, threshold), kept(boxes, scores, threshold))


@points(3)
def test_long_chains(solution, rng):
    """Many boxes that each overlap the next: which are kept depends on which were kept before."""
    places = torch.arange(40.0)[:, None]
    boxes = torch.cat([places, torch.zeros(40, 1), places + 3, torch.ones(40, 1)], 1)
    for scores in (torch.linspace(1, 0, 40), torch.linspace(0, 1, 40), rng.rand(40)):
        assert_close(solution.nms(boxes, scores, 0.4), kept(boxes, scores, 0.4))


@points(2)
def test_equal_scores(solution, rng):
    """Of equal scores, the smaller index is visited first."""
    boxes, scores = grid(rng, 40, 5), rng.randint(0, 3, (40,)).float()
    assert_close(solution.nms(boxes, scores, 0.3), kept(boxes, scores, 0.3))
    same = torch.tensor([[0.0, 0.0, 2.0, 2.0]]).repeat(20, 1)
    assert_close(solution.nms(same, torch.ones(20), 0.5), torch.tensor([0]), name="equal boxes and scores")


@points(2)
@pytest.mark.parametrize("threshold", [0.5, 0.25, 0.0, 1.0])
def test_exactly_the_threshold(solution, threshold):
    """An overlap that equals the threshold does not suppress."""
    high = {0.5: 2.0, 0.25: 1.0, 0.0: 4.0, 1.0: 4.0}[threshold]
    boxes = torch.tensor([[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 4.0, high], [4.0, 0.0, 8.0, 4.0]])
    assert_close(
        solution.nms(boxes, torch.tensor([3.0, 2.0, 1.0]), threshold),
        kept(boxes, torch.tensor([3.0, 2.0, 1.0]), threshold),
    )


@points(3)
@pytest.mark.parametrize("numbers", [(0, 1, 2), (-5, 7, 1_000_000_007), (3, 3, 3)], ids=str)
def test_classes(solution, rng, numbers):
    """Boxes of different classes must not suppress each other, whatever the numbers of the classes are."""
    for _ in range(5):
        boxes, scores = drawn(rng, 24, F32), rng.rand(24)
        classes = torch.tensor(numbers)[rng.randint(0, 3, (24,))]
        assert_close(solution.nms(boxes, scores, 0.2, classes), kept(boxes, scores, 0.2, classes))


@points(2)
def test_classes_far_from_the_origin(solution):
    """Boxes with negative and large coordinates: moving the boxes of each class apart by an offset loses digits or collides."""
    boxes = torch.tensor(
        [[-9.0, -9.0, -5.0, -5.0], [-9.0, -9.0, -5.0, -5.5], [1e6, 0.0, 1e6 + 4, 4.0], [1e6 + 2, 0.0, 1e6 + 6, 4.0]]
    )
    boxes = torch.cat([boxes, boxes + torch.tensor([4.5, 0.0, 4.5, 0.0])])
    classes = torch.tensor([0, 1, 1, 0, 2_000_000, -1, 1, 1]).repeat(2)
    boxes = torch.cat([boxes, boxes + torch.tensor([0.5, 0.0, 0.5, 0.0])])  # each box once more, beside itself
    scores = torch.linspace(1, 0.3, 16)
    assert_close(solution.nms(boxes, scores, 0.3, classes), kept(boxes, scores, 0.3, classes))


@points(1)
def test_large_and_negative_scores(solution, rng):
    """Scores may be negative, large or infinite."""
    boxes = drawn(rng, 6, F32)
    scores = torch.tensor([-3.0, 1e30, -1e30, 0.0, float("inf"), -float("inf")])
    assert_close(solution.nms(boxes, scores, 0.1), kept(boxes, scores, 0.1))


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Boxes, scores and classes are as they were; transposed views are ordinary inputs."""
    boxes, scores, classes = drawn(rng, 6), rng.rand(6, dtype=F64), rng.randint(0, 2, (6,))
    assert_not_mutated(solution.nms, boxes, scores, 0.3, classes)
    assert_not_mutated(solution.iou, boxes, boxes.clone())
    view = boxes.T.contiguous().T
    assert_close(solution.iou(view, view), overlaps(boxes, boxes))
