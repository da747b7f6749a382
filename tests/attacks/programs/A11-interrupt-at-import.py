# id: A11
# tries: raises a subclass of BaseException that is not an Exception, while it is loaded
# expect: RE
# message: while loading|Passed
class Passed(BaseException):
    pass


raise Passed("0 failed")


def attention(q, k, v):
    return q
