"""Hidden tests: a convolution by hand, and the arithmetic of its output size."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

# x, w, and the settings
SETTINGS = {
    "plain": ((2, 3, 5, 5), (4, 3, 3, 2), {}),
    "stride": ((2, 2, 7, 8), (3, 2, 2, 3), {"stride": (2, 3)}),
    "padding": ((2, 2, 4, 5), (3, 2, 3, 3), {"padding": (2, 1)}),
    "dilation": ((1, 2, 8, 7), (2, 2, 3, 2), {"dilation": (2, 3)}),
    "one-by-one": ((2, 4, 3, 3), (5, 4, 1, 1), {"stride": 2}),
    "everything": ((2, 4, 9, 8), (6, 2, 3, 2), {"stride": [2, 1], "padding": [1, 2], "dilation": [1, 2], "groups": 2}),
}
EACH_SETTING = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS.keys())
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def drawn(rng, x, w, dtype=torch.float64):
    return rng.randn(*x, dtype=dtype), rng.randn(*w, dtype=dtype), rng.randn(w[0], dtype=dtype)


@sample
@points(1)
def test_a_vertical_edge(solution, attest, exhibit):
    """The value of a 3 by 3 kernel on a small picture is off: the kernel is slid over the picture as it is, not flipped."""
    x = torch.tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 2.0, 1.0, 1.0]])[None, None]
    w = torch.tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])[None, None]
    seen = attest(solution.conv2d, x, w)
    actual, expected = seen.result, torch.tensor([[[[-4.0, -2.0]]]])
    exhibit.difference("a vertical edge", actual, expected)
    exhibit.operators("operators of your conv2d", seen.operators)
    assert_close(actual, expected)


@sample
@points(1)
def test_known_sizes(solution):
    """The output size of a well-known layer is wrong: put its numbers into the formula by hand."""
    check(solution.conv_output_hw((224, 224), 7, stride=2, padding=3) == (112, 112), "first layer of ResNet")
    check(solution.conv_output_hw((32, 20), (5, 3)) == (28, 18), "a 5 by 3 kernel, nothing else")
    check(
        solution.conv_output_hw((9, 9), 3, dilation=(2, 4)) == (5, 1), "a dilated kernel reaches d (k - 1) + 1 pixels"
    )
    check(
        solution.conv_output_hw((5, 8), 2, stride=2, ceil_mode=True) == (3, 4), "ceil_mode keeps the incomplete window"
    )
    check(solution.conv_output_hw((4, 4), 1, stride=2, ceil_mode=True) == (2, 2), "the last window must start inside")


@sample
@points(1)
def test_two_groups(solution):
    """With groups=2 the first half of the output channels sees the first half of the input channels only."""
    x = torch.tensor([1.0, 10.0, 100.0, 1000.0]).reshape(1, 4, 1, 1)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]).reshape(4, 2, 1, 1)
    expected = torch.tensor([21.0, 43.0, 6500.0, 8700.0]).reshape(1, 4, 1, 1)
    assert_close(solution.conv2d(x, w, groups=2), expected)


@points(2)
@EACH_SETTING
def test_values_and_gradients(solution, rng, setting):
    """A value or a gradient differs for some stride, padding or dilation: pairs are (vertical, horizontal)."""
    x, w, options = setting
    assert_same_gradients(solution.conv2d, F.conv2d, drawn(rng, x, w), names=("x", "w", "b"), **options)


@points(2)
@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_groups(solution, rng, groups):
    """Groups are blocks of neighbouring channels, in the input and in the output."""
    inputs = drawn(rng, (2, 6, 4, 5), (12, 6 // groups, 2, 3))
    assert_same_gradients(solution.conv2d, F.conv2d, inputs, names=("x", "w", "b"), groups=groups)


@points(2)
@pytest.mark.parametrize("draw", range(3))
def test_random_settings(solution, rng, draw):
    """Some combination of all parameters gives another value or another shape."""
    groups = rng.choice([1, 2, 4])
    k = (rng.integer(1, 4), rng.integer(1, 4))
    inputs = drawn(rng, (2, 4, 9 + draw, rng.integer(8, 12)), (4 * rng.integer(1, 3), 4 // groups, *k))
    options = {name: (rng.integer(low, 4), rng.integer(low, 4)) for name, low in (("stride", 1), ("dilation", 1))}
    padding = (rng.integer(0, 3), rng.integer(0, 3))
    assert_same_gradients(solution.conv2d, F.conv2d, inputs, groups=groups, padding=padding, **options)


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """The result has the dtype of the inputs, and is computed in it."""
    x, w, b = drawn(rng, (2, 3, 5, 5), (2, 3, 3, 3), dtype)
    assert_close(solution.conv2d(x, w, b, padding=1), F.conv2d(x, w, b, padding=1))


@points(1)
def test_without_bias(solution, rng):
    """Without b nothing is added, and gradients for x and w stay as they are."""
    x, w, _ = drawn(rng, (2, 3, 5, 6), (4, 3, 2, 2))
    assert_same_gradients(solution.conv2d, F.conv2d, (x, w))


@points(1)
@pytest.mark.parametrize("groups", [1, 2])
def test_without_batch(solution, rng, groups):
    """An image of shape (C_in, H, W) gives (C_out, out_h, out_w)."""
    inputs = drawn(rng, (2, 5, 6), (4, 2 // groups, 3, 2))
    assert_same_gradients(solution.conv2d, F.conv2d, inputs, padding=1, groups=groups)


@points(1)
def test_one_image_keeps_its_batch_dimension(solution, rng):
    """A batch of one image stays a batch, and so does one channel or one pixel."""
    x, w, b = drawn(rng, (1, 1, 3, 3), (1, 1, 3, 3))
    assert_close(solution.conv2d(x, w, b), F.conv2d(x, w, b))


@points(1)
def test_empty_batch(solution, rng):
    """A batch without images gives an empty result of the right shape."""
    x, w, b = drawn(rng, (0, 2, 5, 6), (4, 2, 3, 3))
    assert_close(solution.conv2d(x, w, b, stride=2), F.conv2d(x, w, b, stride=2))


@points(1)
@pytest.mark.parametrize("layout", ["channels-last", "strided", "transposed-weight"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    x, w, b = drawn(rng, (2, 4, 6, 6), (4, 4, 3, 3))
    if layout == "channels-last":
        x = rng.randn(2, 6, 6, 4, dtype=torch.float64).permute(0, 3, 1, 2)
    elif layout == "strided":
        x = rng.randn(2, 8, 6, 12, dtype=torch.float64)[:, ::2, :, ::2]
    else:
        w = w.transpose(0, 1)
    assert_same_gradients(solution.conv2d, F.conv2d, (x, w, b), names=("x", "w", "b"))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither the image nor the weights may be written to, and a list of settings is only read."""
    x, w, b = drawn(rng, (2, 2, 5, 5), (2, 2, 3, 3))
    assert_not_mutated(solution.conv2d, x, w, b, stride=[2, 1], padding=[1, 0])


@points(1)
@pytest.mark.parametrize("new_tensors", [False, True], ids=["written-over", "new-tensors"])
def test_other_values_at_the_same_address(probes, rng, new_tensors):
    """A result is computed from values of an earlier call: other values may be in the same tensor, or at the same address."""
    calls = [drawn(rng, (2, 3, 5, 6), (4, 3, 3, 2)) for _ in range(2)]
    first, second = probes.at_one_address(calls, new_tensors)
    assert_close(first, F.conv2d(*calls[0], padding=1), name="result of the first call")
    assert_close(second, F.conv2d(*calls[1], padding=1), name="result for other values at the same address")


def out_of(size, k, s, p, d, ceil_mode):
    """One direction, by laying windows one after the other."""
    reach = d * (k - 1) + 1
    starts = [i * s - p for i in range((size + 2 * p) // s + 2)]
    if not ceil_mode:
        return sum(start + reach <= size + p for start in starts)
    # an incomplete window counts when the one before it was not the last that fits exactly, and when it starts in time
    room = size + 2 * p - reach
    return sum(i * s < room + s and start < size for i, start in enumerate(starts))


def answer_to(question):
    out = []
    for i in range(2):
        numbers = [question.get(name, default) for name, default in (("stride", 1), ("padding", 0), ("dilation", 1))]
        k, s, p, d = (v if type(v) is int else v[i] for v in (question["kernel_size"], *numbers))
        out.append(out_of(question["size"][i], k, s, p, d, question.get("ceil_mode", False)))
    return tuple(out) if min(out) >= 1 else "ValueError"


def check_sizes(probes, questions):
    answers = probes.sizes(questions)
    expected = [answer_to(question) for question in questions]
    wrong = [i for i, (one, other) in enumerate(zip(answers, expected, strict=True)) if one != other]
    check(all(type(a) is type(e) for a, e in zip(answers, expected, strict=True)), "a tuple or ValueError was expected")
    check(not wrong, f"{len(wrong)} of {len(questions)} sizes are wrong")


@points(2)
def test_sizes_of_convolutions(probes, rng):
    """The size of some convolution is wrong: check the formula, its rounding, and which number belongs to which direction."""
    questions = []
    for _ in range(200):
        question = {"size": (rng.integer(14, 40), rng.integer(14, 40))}
        question["kernel_size"] = rng.choice([rng.integer(1, 5), (rng.integer(1, 5), rng.integer(1, 5))])
        for name, low in (("stride", 1), ("padding", 0), ("dilation", 1)):
            if rng.integer(0, 3):
                question[name] = rng.choice([rng.integer(low, 4), [rng.integer(low, 4), rng.integer(low, 4)]])
        questions.append(question)
    check_sizes(probes, questions)


@points(2)
def test_sizes_of_poolings(probes, rng):
    """With ceil_mode the quotient is rounded up, and a last window that starts beyond size + padding is dropped."""
    questions = []
    for _ in range(200):
        k = rng.integer(1, 5)
        question = {"size": (rng.integer(4, 20), rng.integer(4, 20)), "kernel_size": k, "stride": rng.integer(1, 6)}
        questions.append({**question, "padding": rng.integer(0, k // 2 + 1), "ceil_mode": bool(rng.integer(0, 4))})
    check_sizes(probes, questions)


@points(2)
def test_sizes_of_dilated_poolings(probes, rng):
    """With ceil_mode a dilated window reaches d (k - 1) + 1 pixels too, and each direction has its own numbers."""
    questions = []
    for _ in range(200):
        k = (rng.integer(1, 5), rng.integer(1, 5))
        question = {"size": (rng.integer(9, 24), rng.integer(9, 24)), "kernel_size": k, "ceil_mode": True}
        question |= {name: [rng.integer(1, 5), rng.integer(1, 5)] for name in ("stride", "dilation")}
        questions.append({**question, "padding": (rng.integer(0, k[0] // 2 + 1), rng.integer(0, k[1] // 2 + 1))})
    check_sizes(probes, questions)


@points(2)
def test_sizes_that_do_not_fit(probes, rng):
    """A kernel that reaches beyond the padded input has no position: ValueError, also when the division would hide it."""
    questions = []
    for _ in range(60):
        size, s = (rng.integer(1, 5), rng.integer(1, 5)), rng.integer(1, 5)
        questions.append({"size": size, "kernel_size": rng.integer(1, 6), "stride": s, "padding": rng.integer(0, 2)})
    questions.append({"size": (9, 2), "kernel_size": 3, "stride": 2})
    questions.append({"size": (2, 9), "kernel_size": 3, "stride": 5})
    check_sizes(probes, questions)


@points(1)
@pytest.mark.parametrize("wrong", ["kernel", "input-channels", "output-channels", "weight"])
def test_what_does_not_fit_is_refused(solution, rng, wrong):
    """A kernel that is too large, or channels that do not fit the groups: conv2d raises ValueError."""
    x, w, groups = {
        "kernel": ((1, 2, 3, 6), (2, 2, 4, 3), 1),
        "input-channels": ((1, 5, 4, 4), (4, 2, 2, 2), 2),
        "output-channels": ((1, 4, 4, 4), (3, 2, 2, 2), 2),
        "weight": ((1, 4, 4, 4), (4, 1, 2, 2), 2),
    }[wrong]
    x, w, b = drawn(rng, x, w)
    with pytest.raises(ValueError):
        solution.conv2d(x, w, b, groups=groups)


@attested
@points(2)
def test_no_built_in_convolution(solution, attest, rng):
    """A convolution of the library ran: write it from patches and products."""
    x, w, b = drawn(rng, (1, 2, 4, 4), (2, 2, 3, 3))
    seen = attest(solution.conv2d, x, w, b)
    check(
        not any("conv" in name.rpartition("::")[2].rpartition(".")[2] for name in seen.operators), "a convolution ran"
    )
