import functools


def positive(x):
    return x > 0


def fold(f, xs):
    return functools.reduce(f, xs)
