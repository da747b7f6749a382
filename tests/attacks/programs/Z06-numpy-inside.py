# id: honest
# tries: nothing: an honest answer that computes in NumPy, and in torch where gradients are needed
# expect: AC
import numpy as np
import torch


def attention(q, k, v):
    if any(x.requires_grad for x in (q, k, v)):
        return (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1) @ v
    a, b, c = (x.numpy().astype(np.float64) for x in (q, k, v))
    scores = a @ np.swapaxes(b, -1, -2) / np.sqrt(a.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return torch.from_numpy(weights @ c).to(q.dtype)
