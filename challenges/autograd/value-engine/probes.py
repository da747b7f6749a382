"""Programs of scalar operations, run on your Value: a list of steps, each a name and its arguments.

An argument that is an int is the number of an earlier step; a float is a Python number, and a list of one int is that int.
Nothing here knows any derivative.
"""

from typing import Any

STEPS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "exp": lambda a: a.exp(),
    "tanh": lambda a: a.tanh(),
    "relu": lambda a: a.relu(),
}


def built(solution, program: list) -> list[Any]:
    """The Values of all steps."""
    values: list[Any] = []
    for name, *arguments in program:
        if name == "leaf":
            values.append(solution.Value(number(arguments[0])))
        else:
            values.append(STEPS[name](*(values[a] if type(a) is int else number(a) for a in arguments)))
    return values


def number(argument: list[int] | float) -> float:
    """A Python number, which may be an int."""
    return argument[0] if isinstance(argument, list) else argument


def run(solution, program: list, outputs: list[int]) -> dict:
    """Build, call backward() of each step in `outputs`, in order, and tell all values and gradients."""
    values = built(solution, program)
    for number in outputs:
        values[number].backward()
    return {"values": [v.data for v in values], "grads": [v.grad for v in values]}


def cleared_between(solution, program: list) -> list[float]:
    """backward(), every grad set to 0.0, backward() again: the gradients."""
    values = built(solution, program)
    values[-1].backward()
    for v in values:
        v.grad = 0.0
    values[-1].backward()
    return [v.grad for v in values]


def chain(solution, length: int, start: float, factor: float) -> tuple[float, float]:
    """Gradients at both ends of a long chain of products and sums with one shared Value."""
    first = solution.Value(start)
    step = solution.Value(factor)
    value = first
    for i in range(length):
        value = value + step if i % 2 else value * 1.0
    value.backward()
    return first.grad, step.grad


def doubled(solution, times: int) -> float:
    """The gradient of x + x, of that plus itself, and so on."""
    x = solution.Value(1.0)
    value = x
    for _ in range(times):
        value = value + value
    value.backward()
    return x.grad


def summed(solution, numbers: list[float]) -> tuple[float, list[float]]:
    """Python's own sum(), which starts from 0."""
    values = [solution.Value(number) for number in numbers]
    total = sum(values)
    total.backward()
    return total.data, [v.grad for v in values]


def augmented(solution, a: float, b: float) -> dict:
    """`c += b` must give a new Value and leave the old one alone."""
    x, y = solution.Value(a), solution.Value(b)
    c = x
    c += y
    c *= y
    kept = [c]
    c -= y
    kept.append(c)
    c /= y
    kept.append(c)
    c **= 2
    datas = [v.data for v in kept]
    c.backward()
    apart = len({id(v) for v in (x, *kept, c)}) == 5
    return {"old": x.data, "new": c.data, "kept": datas, "apart": apart, "grads": [x.grad, y.grad]}


def trained(solution, weights: list[float], xs: list[float], ys: list[float], lr: float, steps: int) -> list[float]:
    """Gradient descent on a neuron with one hidden tanh: the weights after it."""
    w = [solution.Value(v) for v in weights]
    for _ in range(steps):
        loss = sum((w[2] * (w[0] * x + w[1]).tanh() - y) ** 2 for x, y in zip(xs, ys, strict=True)) / len(xs)
        for v in w:
            v.grad = 0.0
        loss.backward()
        for v in w:
            v.data -= lr * v.grad
    return [v.data for v in w]
