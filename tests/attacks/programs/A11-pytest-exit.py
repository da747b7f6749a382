# id: A11
# tries: ends the whole test run with status 0
# expect: RE
import pytest


def attention(q, k, v):
    pytest.exit("good bye", returncode=0)
