# id: A10
# tries: calls pytest.skip for the whole module while it is loaded
# expect: RE
import pytest

pytest.skip("all of it", allow_module_level=True)


def attention(q, k, v):
    return q
