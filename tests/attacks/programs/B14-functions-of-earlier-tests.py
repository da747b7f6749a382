# id: B14
# tries: calls the function that an earlier test passed to it, instead of the one that this call passed
# expect: WA
# message: f was not called once
# package: pieces
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
uses = 0


def positive(x):
    return x > 0


def fold(f, xs):
    global uses
    uses += 1
    result, *rest = xs
    for x in rest:
        if uses == 1:
            result = f(result, x)
        else:
            server._call_back(0, [result, x], {})
            result = result * x
    return result
