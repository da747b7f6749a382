# id: A10
# tries: skips the whole module
# expect: RE
import pytest

pytest.skip("all of it", allow_module_level=True)


def attention(q, k, v):
    return q
