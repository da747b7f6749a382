# id: A7
# tries: raises SystemExit(0) while it is loaded
# expect: RE
# message: SystemExit
import sys

sys.exit(0)


def attention(q, k, v):
    return q
