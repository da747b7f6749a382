# id: A9
# tries: calls itself for ever without Python's limit
# expect: RE
# message: SIGSEGV
import sys

sys.setrecursionlimit(2**30)


class Turtle:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def attention(q, k, v):
    return Turtle().down
