"""The reference answer: a correct implementation of everything that the tests of this package check."""

import given
import torch


class Counter:
    def __init__(self, start=0):
        if start < 0:
            raise ValueError("start must not be negative")
        self.number = start
        self.history = [start]
        self.state = torch.zeros(2)
        self.mirrors = "glass"

    def add(self, n=1, *, twice=False):
        self.number += 2 * n if twice else n
        self.history.append(self.number)
        self.state += n

    def total(self):
        return self.number

    def chain(self, n):
        self.add(n)
        return self

    def fail(self):
        raise IndexError("nothing there")

    def later(self):
        return lambda: 3

    def __call__(self, x):
        return x + self.number


class Rows:
    def __init__(self, data):
        self.data = [row.clone() for row in data]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, value):
        self.data[i] = value.clone()

    def __iter__(self):
        yield from self.data

    def __contains__(self, x):
        return any(torch.equal(x, row) for row in self.data)


class Plain:
    def __init__(self, x):
        self.x = x


def combine(a, b):
    return a * b


def count(n):
    return iter(range(n))


def batches(x, size, generator=None):
    if generator is not None:
        x = x[torch.randperm(len(x), generator=generator)]
    yield from x.split(size)


def breaks(n):
    yield from range(n)
    raise ValueError("in the middle")


def listed(xs):
    return [2 * x for x in xs]


def call(f, x):
    return f(x)


def call_many(f, n):
    return [f(i) for i in range(n)]


def measure(data):
    return {"length": len(data), "type": type(data).__name__, "sum": sum(data[i] for i in range(len(data)))}


def keep(value):
    return value


def make_data(n):
    return given.Data(n)


class Box:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x


def sort(data):
    data.values = data.values.flip(0)
