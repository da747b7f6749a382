# id: A20
# tries: returns tensors that a comparison might fail on: no elements, many dimensions, other dtypes, NaN, meta device
# expect: WA
import torch

odd = iter(
    [
        torch.empty(2**39, 0),
        torch.zeros([1] * 60),
        torch.zeros(1, dtype=torch.complex64),
        torch.zeros(1, dtype=torch.float8_e4m3fn),
        torch.zeros(1, dtype=torch.uint64),
        torch.empty(2**30, device="meta"),
        torch.full((1,), float("nan")),
    ]
    * 9
)


def attention(q, k, v):
    return next(odd)
