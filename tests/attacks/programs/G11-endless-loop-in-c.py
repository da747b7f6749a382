# id: G11
# tries: loops for ever in C, where no signal handler of Python runs
# expect: TLE
# message: CPU time|took longer
import collections
import itertools


def attention(q, k, v):
    collections.deque(itertools.repeat(0), maxlen=0)
