# id: B22
# tries: raises an exception whose __str__ never returns
# expect: TLE
class Odd(ValueError):
    def __str__(self):
        while True:
            pass


def attention(q, k, v):
    raise Odd
