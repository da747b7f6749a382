# id: B14
# tries: calls back function number -1, which would be the last function if numbers were list indices
# expect: RE
# message: not a reply
# package: pieces
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def positive(x):
    return x > 0


def fold(f, xs):
    return server._call_back(-1, [xs[0], xs[1]], {})
