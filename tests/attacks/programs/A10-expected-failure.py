# id: A10
# tries: marks the test as an expected failure with pytest.xfail, or skips it with unittest.SkipTest
# expect: RE
import unittest

import pytest


def attention(q, k, v):
    if q.dim() == 2:
        pytest.xfail("it is meant to be so")
    raise unittest.SkipTest("not today")
