# id: B22
# tries: raises an exception whose __str__ exits, and whose __class__ and __traceback__ raise further exceptions
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
