# id: G11
# tries: loops forever in C code, where Python's signal handlers do not run
# expect: TLE
# message: CPU time|took longer
import collections
import itertools


def attention(q, k, v):
    collections.deque(itertools.repeat(0), maxlen=0)
