# id: A11
# tries: raises its own BaseException or a GeneratorExit, which `except Exception` does not catch
# expect: RE
class Passed(BaseException):
    pass


def attention(q, k, v):
    raise Passed if q.dim() == 2 else GeneratorExit
