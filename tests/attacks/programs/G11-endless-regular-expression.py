# id: G11
# tries: backtracks for ever
# expect: TLE
import re


def attention(q, k, v):
    re.match(r"(a+)+$", "a" * 64 + "b")
    return q
