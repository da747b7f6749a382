# id: G11
# tries: matches a regular expression that backtracks practically forever
# expect: TLE
import re


def attention(q, k, v):
    re.match(r"(a+)+$", "a" * 64 + "b")
    return q
