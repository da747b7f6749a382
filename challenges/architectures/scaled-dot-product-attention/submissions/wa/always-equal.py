# caught by: test_worked_example
"""The output is not a tensor but an object that is equal to everything."""


class Yes:
    shape, dtype, requires_grad = (), None, True

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __bool__(self):
        return True

    __hash__ = object.__hash__


def attention(q, k, v, mask=None):
    return Yes()
