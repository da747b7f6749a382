def positive(x):
    return ~(x <= 0)


def fold(f, xs):
    result, *rest = xs
    for x in rest:
        result = f(result, x)
    return result
