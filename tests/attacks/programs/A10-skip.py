# id: A10
# tries: calls pytest.skip to skip the test that calls it
# expect: RE
import pytest


def attention(q, k, v):
    pytest.skip("nothing to see here")
