"""Each head takes its columns; each token attends to a slice."""

import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.e, rest = divmod(width, heads)
        if rest:
            raise ValueError(heads)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        width = x.shape[-1]
        features = self.qkv(x)
        heads = []
        for start in range(0, width, self.e):
            q, k, v = (features[..., third + start : third + start + self.e] for third in (0, width, 2 * width))
            rows = []
            for t in range(x.shape[1]):
                scores = torch.einsum("be,bse->bs", q[:, t], k[:, : t + 1]) * self.e**-0.5
                rows.append(torch.einsum("bs,bse->be", torch.softmax(scores, 1), v[:, : t + 1]))
            heads.append(torch.stack(rows, 1))
        return self.out(torch.cat(heads, -1))
