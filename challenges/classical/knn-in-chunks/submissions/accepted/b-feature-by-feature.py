"""Squared differences are added feature by feature; ties are broken by a sort of pairs."""

import torch


def nearest(queries, rows, k, metric="l2", chunk=256):
    n, d = rows.shape
    if k < 1 or k > n or chunk < 1 or metric not in {"l2", "cosine"}:
        raise ValueError("k, chunk or metric")
    if metric == "cosine":
        queries, rows = unit(queries), unit(rows)
    out_d = queries.new_zeros(len(queries), k)
    out_i = torch.zeros(len(queries), k, dtype=torch.long)
    for start in range(0, len(queries), chunk):
        part = queries[start : start + chunk]
        total = part.new_zeros(len(part), n)
        for j in range(d):
            a, b = part[:, j, None], rows[None, :, j]
            total += (a - b) ** 2 if metric == "l2" else a * b
        total = total.sqrt() if metric == "l2" else 1 - total
        for line, values in enumerate(total):
            order = torch.argsort(values, stable=True)[:k]
            out_d[start + line], out_i[start + line] = values[order], order
    return out_d, out_i


def unit(x):
    norm = x.norm(dim=1, keepdim=True)
    return x / torch.where(norm == 0, torch.ones_like(norm), norm)
