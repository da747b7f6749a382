# id: E5
# tries: writes NaN into its arguments and returns NaN, so that the expected values would be NaN too
# expect: WA
# message: changed in place
import torch


def attention(q, k, v):
    for x in (q, k, v):
        x.detach().fill_(torch.nan)
    return (q + v.sum()) * torch.nan
