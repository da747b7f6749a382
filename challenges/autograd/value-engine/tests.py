"""Hidden tests: a scalar reverse-mode engine, against torch in float64."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

TORCH_STEPS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "exp": torch.exp,
    "tanh": torch.tanh,
    "relu": torch.relu,
}


def with_torch(program, outputs):
    """Values and gradients of all steps, by torch. Steps that no output depends on have gradient zero."""
    nodes = []
    for name, *given in program:
        arguments = [float(a[0]) if isinstance(a, list) else a for a in given]
        if name == "leaf":
            nodes.append(torch.tensor(arguments[0], dtype=torch.float64, requires_grad=True))
        else:
            nodes.append(TORCH_STEPS[name](*(nodes[a] if type(a) is int else a for a in arguments)))
            nodes[-1].retain_grad()
    grads = [0.0] * len(nodes)
    for number in outputs:
        found = torch.autograd.grad(nodes[number], nodes, retain_graph=True, allow_unused=True)
        grads = [g if new is None else g + float(new) for g, new in zip(grads, found, strict=True)]
    return {"values": [float(n.detach()) for n in nodes], "grads": grads}


def compare(probes, program, outputs):
    actual, expected = probes.run(program, outputs), with_torch(program, outputs)
    for part in ("values", "grads"):
        found = actual[part]
        check(all(type(one) is float for one in found), f"{part}: data and grad must be Python floats")
        as_tensors = [
            torch.tensor([float(one) for one in numbers], dtype=torch.float64) for numbers in (found, expected[part])
        ]
        assert_close(*as_tensors, rtol=1e-9, name="data" if part == "values" else "grad")


@sample
@points(1)
def test_a_small_expression(solution, probes):
    """f = (a·b + c)² with a = 2, b = -3, c = 10: look at each gradient by hand."""
    program = [("leaf", 2.0), ("leaf", -3.0), ("leaf", 10.0), ("mul", 0, 1), ("add", 3, 2), ("pow", 4, 2.0)]
    found = probes.run(program, [5])
    assert_close(found["values"], [2.0, -3.0, 10.0, -6.0, 4.0, 16.0], name="data")
    assert_close(found["grads"], [-24.0, 16.0, 8.0, 8.0, 8.0, 1.0], name="grad")


@sample
@points(1)
def test_one_value_used_twice(solution, probes):
    """x·x + x at x = 3: what is used several times collects from every use."""
    found = probes.run([("leaf", 3.0), ("mul", 0, 0), ("add", 1, 0)], [2])
    assert_close(found["grads"], [7.0, 1.0, 1.0], name="grad")


@sample
@points(1)
def test_a_fresh_value(solution):
    """A new Value has its number as data and grad 0; its own backward adds 1."""
    v = solution.Value(2.5)
    check(v.data == 2.5 and v.grad == 0.0, "data or grad of a new Value is off")
    v.backward()
    check(v.grad == 1.0, "the derivative of a value by itself is 1")


BINARY = ["add", "sub", "mul", "div"]


@points(1)
@pytest.mark.parametrize("name", BINARY)
def test_two_values(solution, probes, rng, name):
    """An operator between two Values: its value or one of its two derivatives is wrong."""
    a, b = rng.uniform(-3, 3), rng.uniform(0.5, 3)
    compare(probes, [("leaf", a), ("leaf", b), (name, 0, 1)], [2])
    compare(probes, [("leaf", a), ("leaf", -b), (name, 0, 1)], [2])
    compare(probes, [("leaf", b), (name, 0, 0)], [1])


@points(1)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", BINARY)
def test_a_value_and_a_number(solution, probes, rng, name, side):
    """An operator between a Value and a Python number must work with the number on either side."""
    a, number = rng.uniform(0.5, 3), rng.uniform(0.5, 3)
    step = (name, number, 0) if side == "left" else (name, 0, number)
    compare(probes, [("leaf", a), step], [1])


@points(1)
@pytest.mark.parametrize("name", BINARY)
def test_whole_numbers(solution, probes, rng, name):
    """A Python number may be an int, in Value(3) and on either side of an operator; data and grad are floats all the same."""
    a, number = [rng.integer(2, 9)], [rng.integer(2, 9)]
    compare(probes, [("leaf", a), (name, 0, number), (name, number, 0), ("add", 1, 2)], [3])
    compare(probes, [("leaf", [-3]), (name, 0, number), ("relu", 0), ("neg", 0)], [1])


@points(1)
@pytest.mark.parametrize("power", [3, 2, 1, 0, -2])
def test_whole_powers(solution, probes, power):
    """`n` in a ** n may be an int, and then a may be negative or, for n >= 0, zero."""
    for a in (1.5, -2.0, [-3]):
        compare(probes, [("leaf", a), ("pow", 0, [power])], [1])
    if power >= 0:
        compare(probes, [("leaf", 0.0), ("pow", 0, [power])], [1])


@points(1)
@pytest.mark.parametrize("name", ["neg", "exp", "tanh", "relu"])
def test_one_argument(solution, probes, rng, name):
    """A function of one Value: its value or its derivative is wrong, for a positive or for a negative argument."""
    for a in (rng.uniform(0.1, 2), rng.uniform(-2, -0.1)):
        compare(probes, [("leaf", a), (name, 0)], [1])


@points(1)
@pytest.mark.parametrize("power", [2.0, 3.0, -1.0, 1.0], ids=["square", "cube", "inverse", "first"])
def test_powers(solution, probes, rng, power):
    """A power with a whole exponent is defined for negative bases as well."""
    for a in (rng.uniform(0.5, 2), rng.uniform(-2, -0.5)):
        compare(probes, [("leaf", a), ("pow", 0, power)], [1])


@points(1)
def test_broken_powers(solution, probes, rng):
    """A power with a fractional exponent, such as a square root: n · x ** (n - 1)."""
    compare(probes, [("leaf", rng.uniform(0.2, 3)), ("pow", 0, 0.5), ("pow", 0, -1.5), ("mul", 1, 2)], [3])


@points(1)
@pytest.mark.parametrize(
    "program",
    [[("leaf", 0.0), ("pow", 0, 0.0)], [("leaf", 0.0), ("pow", 0, 2.0)], [("leaf", 0.0), ("relu", 0)]],
    ids=["zeroth-power", "square", "relu"],
)
def test_at_zero(solution, probes, program):
    """At zero: x ** 0 is the constant 1 with derivative 0, and relu's derivative is 0 by convention."""
    compare(probes, program, [1])


@points(1)
def test_tanh_of_large_numbers(solution, probes, rng):
    """tanh saturates: at ±1000 its value is ±1 and its derivative 0, without an overflow on the way."""
    size = rng.uniform(900, 1100)
    compare(probes, [("leaf", size), ("leaf", -size), ("tanh", 0), ("tanh", 1), ("sub", 2, 3)], [4])


def random_program(rng, leaves, steps):
    """Leaves, then steps on earlier ones, late ones preferred; squashed, so that numbers stay moderate."""
    program = [("leaf", rng.uniform(-2, 2)) for _ in range(leaves)]
    for _ in range(steps):
        last = len(program)
        a, b = (max(rng.integer(0, last), rng.integer(0, last)) for _ in range(2))
        kind = rng.choice(["add", "sub", "mul", "div", "pow", "exp", "tanh", "relu", "neg", "number"])
        if kind == "div":  # by 1 + b²
            program += [("pow", b, 2.0), ("add", 1.0, last), ("div", a, last + 1)]
        elif kind in ("exp", "mul"):
            program += [("tanh", a), ("exp", last) if kind == "exp" else ("mul", last, b)]
        elif kind == "pow":
            program += [("tanh", a), ("pow", last, rng.choice([2.0, 3.0]))]
        elif kind == "number":
            program.append((rng.choice(["add", "sub", "mul"]), rng.uniform(-1, 1), a))
        elif kind in ("add", "sub"):
            program += [(kind, a, b), ("mul", last, 0.5)]
        else:
            program.append((kind, a))
    return program


@points(2)
@pytest.mark.parametrize("group", range(4))
def test_random_graphs(solution, probes, rng, group):
    """Random graphs with shared sub-expressions: every node's gradient, intermediate ones included, must agree with torch."""
    for _ in range(6):
        program = random_program(rng, 4, 8 + 8 * group)
        compare(probes, program, [len(program) - 1])


@points(2)
def test_what_is_not_used_stays_zero(solution, probes, rng):
    """backward() concerns what this value was computed from: nodes beside and after it keep their grad."""
    program = [("leaf", rng.uniform(1, 2)), ("leaf", rng.uniform(1, 2)), ("mul", 0, 1), ("exp", 1), ("add", 2, 3)]
    compare(probes, program, [2])


@points(2)
def test_backward_twice(solution, probes, rng):
    """A second backward() adds the same gradients once more, at every node; it must not send the old ones through again."""
    program = random_program(rng, 3, 12)
    compare(probes, program, [len(program) - 1] * 3)


@points(2)
def test_two_outputs(solution, probes, rng):
    """Two results that share a part: their backward passes add up in that part."""
    a, b = rng.uniform(0.5, 2), rng.uniform(0.5, 2)
    program = [("leaf", a), ("leaf", b), ("mul", 0, 1), ("tanh", 2), ("exp", 3), ("pow", 3, 2.0)]
    compare(probes, program, [4, 5])


@points(1)
def test_cleared_gradients(solution, probes, rng):
    """After every grad was set to 0.0 a new backward() gives the same as the first one did."""
    program = random_program(rng, 3, 8)
    expected = with_torch(program, [len(program) - 1])["grads"]
    found = torch.tensor(probes.cleared_between(program), dtype=torch.float64)
    assert_close(found, torch.tensor(expected, dtype=torch.float64), rtol=1e-9, name="grad")


@points(2)
def test_a_very_long_chain(solution, probes, rng):
    """A chain of 50,000 operations: no recursion, and no search that gets slower with every node."""
    found = probes.chain(50_000, rng.uniform(-1, 1), rng.uniform(-1, 1))
    assert_close(found, (1.0, 25_000.0), name="gradients of the two ends")


@points(2)
def test_exponentially_many_paths(solution, probes):
    """x + x, that plus itself, 60 times: visit every node once, not every path."""
    assert_close(probes.doubled(60), 2.0**60, name="grad")


@points(1)
def test_the_sum_of_a_list(solution, probes, rng):
    """Python's sum() starts with the number 0 on the left side."""
    numbers = [rng.uniform(-1, 1) for _ in range(5)]
    found = probes.summed(numbers)
    assert_close(found, (sum(numbers), [1.0] * 5))


@points(1)
def test_augmented_assignment(solution, probes, rng):
    """c += b, and -=, *=, /=, **= too, give a new Value: a graph cannot be built from nodes that change."""
    a, b = rng.uniform(1, 2), rng.uniform(1, 2)
    found = probes.augmented(a, b)
    check(found["apart"] and found["old"] == a, "the old Value was changed")
    # c = ((a + b) b - b) / b = a + b - 1, and its square
    assert_close(found["kept"], [(a + b) * b, (a + b) * b - b, a + b - 1], name="data of the Values on the way")
    assert_close(found["grads"], [2 * (a + b - 1)] * 2, name="grad")


@points(1)
def test_gradient_descent(solution, probes, rng):
    """A neuron that is trained with the engine must move as it does in torch."""
    start, xs = [rng.uniform(-1, 1) for _ in range(3)], [rng.uniform(-2, 2) for _ in range(4)]
    ys = [0.5 * x for x in xs]
    w = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in start]
    for _ in range(5):
        loss = sum((w[2] * (w[0] * x + w[1]).tanh() - y) ** 2 for x, y in zip(xs, ys, strict=True)) / 4
        grads = torch.autograd.grad(loss, w)
        w = [(v - 0.1 * g).detach().requires_grad_() for v, g in zip(w, grads, strict=True)]
    found = torch.tensor(probes.trained(start, xs, ys, 0.1, 5), dtype=torch.float64)
    assert_close(found, torch.stack([v.detach() for v in w]), rtol=1e-9, name="weights")
