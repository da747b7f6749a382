"""Each column as a set."""

from itertools import zip_longest


def broadcast_shape(*shapes):
    columns = zip_longest(*(tuple(shape)[::-1] for shape in shapes), fillvalue=1)
    return tuple(common(set(column)) for column in columns)[::-1]


def common(sizes):
    if min(sizes) < 0:
        raise ValueError("a size is negative")
    others = sizes - {1}
    if len(others) > 1:
        raise ValueError(f"these sizes do not fit: {sorted(others)}")
    return others.pop() if others else 1


def summed_dims(shape, out):
    padded = (None,) * (len(out) - len(shape)) + tuple(shape)
    return tuple(d for d in range(len(out)) if padded[d] != out[d])
