# id: A11
# tries: calls pytest.exit with status 0 to end the whole test run
# expect: RE
import pytest


def attention(q, k, v):
    pytest.exit("good bye", returncode=0)
