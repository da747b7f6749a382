# id: B21
# tries: returns infinite iterators
# expect: WA
# message: plain tensors
import itertools

odd = iter([itertools.count(), (x for x in itertools.repeat(1)), range(10**18), map(abs, itertools.count())] * 9)


def attention(q, k, v):
    return next(odd)
