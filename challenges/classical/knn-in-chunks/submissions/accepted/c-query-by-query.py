"""One query at a time, and Python's sort."""

import torch


def nearest(queries, rows, k, metric="l2", chunk=256):
    if metric not in ["l2", "cosine"] or chunk <= 0 or not 0 < k <= rows.size(0):
        raise ValueError(metric, chunk, k)
    d, i = [], []
    for q in queries:
        if metric == "l2":
            dist = torch.linalg.vector_norm(rows - q, dim=1)
        else:
            norms = torch.linalg.vector_norm(rows, dim=1) * torch.linalg.vector_norm(q)
            cos = (rows * q).sum(1) / norms
            dist = 1 - torch.where(norms == 0, torch.zeros_like(cos), cos)
        values = dist.tolist()
        order = sorted(range(len(values)), key=values.__getitem__)[:k]
        d.append(dist[order])
        i.append(order)
    if not d:
        return queries.new_zeros(0, k), torch.zeros(0, k, dtype=torch.int64)
    return torch.stack(d), torch.tensor(i, dtype=torch.int64)
