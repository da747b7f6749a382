# id: A14
# tries: returns an object that compares equal to everything
# expect: WA
# message: plain tensors
class Everything:
    shape = property(lambda self: self)
    dtype = property(lambda self: self)

    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __bool__(self):
        return True


def attention(q, k, v):
    return Everything()
