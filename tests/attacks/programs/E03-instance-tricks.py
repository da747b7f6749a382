# id: E3
# tries: attaches its own methods, attributes and gradient hook to the result
# expect: WA
import torch


def attention(q, k, v):
    out = torch.zeros_like(q) + 0 * q
    out.allclose = out.equal = lambda *_: True
    out.__dict__["shape"] = q.shape
    out.numpy = q.numpy
    if out.requires_grad:
        out.register_hook(lambda grad: grad * 0)
    return out
