# id: B21
# tries: calls a function of the test from eight threads at the same time
# expect: WA
# package: pieces
import threading


def positive(x):
    return x > 0


def fold(f, xs):
    threads = [threading.Thread(target=lambda: [f(xs[0], xs[1]) for _ in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f(xs[0], xs[1])
