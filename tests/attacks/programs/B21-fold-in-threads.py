# id: B21
# tries: nothing: an honest answer that makes each call of the test's function in a new thread
# expect: AC
# package: pieces
import threading


def positive(x):
    return x > 0


def fold(f, xs):
    done = [xs[0]]
    for x in xs[1:]:
        thread = threading.Thread(target=lambda x=x: done.append(f(done[-1], x)))
        thread.start()
        thread.join()
    return done[-1]
