# caught by: test_only_kernels_compute_softmax[float32]
"""NumPy computes everything, and no kernel is launched."""

import numpy as np


def softmax(x, out):
    wide = x.float().numpy().astype(np.float64)
    top = wide.max(1, keepdims=True, initial=-np.inf)
    weights = np.exp(wide - np.where(np.isinf(top), 0, top))
    total = weights.sum(1, keepdims=True)
    out.copy_(out.new_tensor(weights / np.where(total == 0, 1, total)))


def matmul(a, b, out, bias=None):
    product = a.double().numpy() @ b.double().numpy()
    out.copy_(out.new_tensor(product if bias is None else product + bias.double().numpy()))
