"""The place of each choice in the queue of its expert by a cumulative sum; the kept choices sorted by expert."""

import torch
import torch.nn.functional as F


def moe(x, router, w_in, w_out, k, capacity=None):
    N, E = x.shape[0], router.shape[0]
    logits = x @ router.T
    order = logits.argsort(dim=-1, descending=True)[:, :k]
    gates = logits.gather(1, order).softmax(1)

    queue = order.T.reshape(-1)  # all first choices, all second choices, ...
    token = torch.arange(N).repeat(k)
    weight = gates.T.reshape(-1)
    one_hot = F.one_hot(queue, E)
    place = (one_hot.cumsum(0) * one_hot).sum(1)  # 1 for the first in the queue of its expert
    if capacity is not None:
        kept = place <= capacity
        queue, token, weight = queue[kept], token[kept], weight[kept]

    by_expert = queue.argsort(stable=True)
    token, weight = token[by_expert], weight[by_expert]
    counts = queue.bincount(minlength=E).tolist()
    outputs = []
    for e, rows in enumerate(x[token].split(counts)):
        outputs.append(torch.relu(rows @ w_in[e]) @ w_out[e])
    y = x.new_zeros(x.shape).index_add(0, token, torch.cat(outputs) * weight[:, None])

    share = one_hot.to(x.dtype).mean(0)
    mean = logits.softmax(1).mean(0)
    return y, E * torch.dot(share, mean)
