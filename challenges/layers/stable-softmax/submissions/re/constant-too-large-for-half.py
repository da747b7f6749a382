# caught by: test_masked_softmax_dtypes[float16]
"""-1e9 does not fit into float16."""

from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    shifted = x - x.detach().amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, -1e9)
    e = (scores - scores.detach().amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True) * mask
