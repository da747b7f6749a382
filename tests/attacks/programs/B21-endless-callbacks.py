# id: B21
# tries: calls a function of the test without end
# expect: TLE
# message: ^more than 300 calls in one judging
# package: pieces
def positive(x):
    return x > 0


def fold(f, xs):
    while True:
        f(xs[0], xs[1])
