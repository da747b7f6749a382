# id: A11
# tries: raises an exception that is no Exception while it is loaded
# expect: RE
# message: while loading|Passed
class Passed(BaseException):
    pass


raise Passed("0 failed")


def attention(q, k, v):
    return q
