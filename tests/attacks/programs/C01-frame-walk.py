# id: C1
# tries: searches the stack frames and returns any tensor there that is not one of its arguments
# expect: WA
import sys

import torch


def attention(q, k, v):
    frame, found = sys._getframe(), []
    while frame:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if isinstance(value, torch.Tensor) and value.shape == q.shape and not any(value is x for x in (q, k, v)):
                found.append(value)
        frame = frame.f_back
    return found[0].clone() if found else torch.zeros_like(q)
