# id: A10
# tries: declares the failure to be expected
# expect: RE
import unittest

import pytest


def attention(q, k, v):
    if q.dim() == 2:
        pytest.xfail("it is meant to be so")
    raise unittest.SkipTest("not today")
