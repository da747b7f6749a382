# id: A9
# tries: raises Python's recursion limit and recurses without end
# expect: RE
# message: SIGSEGV
import sys

sys.setrecursionlimit(2**30)


class Turtle:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def attention(q, k, v):
    return Turtle().down
