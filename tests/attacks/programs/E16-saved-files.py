# id: E16
# tries: returns, as bytes, files that run code when torch.load or numpy.load opens them
# expect: WA
# message: a tensor expected
import io
import itertools
import os

import numpy as np
import torch


class Payload:
    def __reduce__(self):
        return os.system, ("touch /tmp/owned",)


saved, array = io.BytesIO(), io.BytesIO()
torch.save({"weight": Payload()}, saved)
np.save(array, np.array([Payload()], dtype=object), allow_pickle=True)
odd = itertools.cycle([saved.getvalue(), array.getvalue(), bytearray(saved.getvalue()), {"state": saved.getvalue()}])


def attention(q, k, v):
    return next(odd)
