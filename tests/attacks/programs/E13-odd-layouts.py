# id: E13
# tries: returns sparse, quantised, nested and conjugate tensors
# expect: WA
import warnings

import torch

warnings.simplefilter("ignore")
odd = iter(
    [
        torch.zeros(1, 4).to_sparse(),
        torch.quantize_per_tensor(torch.zeros(3, 5), 0.1, 0, torch.quint8),
        torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
        torch.zeros(3, 5, dtype=torch.complex64).conj(),
    ]
    * 9
)


def attention(q, k, v):
    return next(odd)
