# id: B22
# tries: raises exceptions whose own methods exit, raise and claim to be others
# expect: RE
class Odd(ValueError):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __class__(self):
        raise KeyboardInterrupt

    @property
    def __traceback__(self):
        raise MemoryError


def attention(q, k, v):
    raise Odd
