# id: A11
# tries: raises a BaseException and a GeneratorExit, which `except Exception` lets through
# expect: RE
class Passed(BaseException):
    pass


def attention(q, k, v):
    raise Passed if q.dim() == 2 else GeneratorExit
