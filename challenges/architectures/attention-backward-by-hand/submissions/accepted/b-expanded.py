"""Expands everything to one leading shape, keeps output and row statistics, and takes the row sums from grad times output."""

import torch


def forward(q, k, v, mask):
    if mask is None:
        mask = torch.ones((), dtype=torch.bool)
    rows, keys = q.size(-2), k.size(-2)
    mask = torch.broadcast_to(mask, torch.broadcast_shapes(mask.shape, (rows, keys)))
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2], mask.shape[:-2])
    q, k, v, mask = (t.expand(*lead, *t.shape[-2:]) for t in (q * q.size(-1) ** -0.5, k, v, mask))
    if keys == 0:
        return q, k, v, q.new_zeros(*lead, rows, 0), q.new_zeros(*lead, rows, v.size(-1))
    z = torch.einsum("...td,...sd->...ts", q, k)
    z = torch.where(mask, z, -torch.inf)
    top = z.amax(dim=-1, keepdim=True)
    e = (z - torch.where(top.isinf(), 0.0, top)).exp()
    total = e.sum(dim=-1, keepdim=True)
    p = e / torch.where(total == 0, 1.0, total)
    return q, k, v, p, torch.einsum("...ts,...sm->...tm", p, v)


def attention(q, k, v, mask=None):
    return forward(q, k, v, mask)[-1]


def reduced(grad, shape):
    """Sum over the dimensions along which a tensor of this shape was expanded."""
    grad = grad.sum(dim=list(range(grad.dim() - len(shape)))) if grad.dim() > len(shape) else grad
    stretched = [i for i, size in enumerate(shape) if size == 1 and grad.size(i) != 1]
    return grad.sum(dim=stretched, keepdim=True) if stretched else grad


def attention_backward(q, k, v, grad, mask=None):
    scaled, keys, values, p, out = forward(q, k, v, mask)
    delta = (grad * out).sum(dim=-1, keepdim=True)
    dz = p * (torch.einsum("...tm,...sm->...ts", grad, values) - delta)
    dq = torch.einsum("...ts,...sd->...td", dz, keys) * q.size(-1) ** -0.5
    dk = torch.einsum("...ts,...td->...sd", dz, scaled)
    dv = torch.einsum("...ts,...tm->...sm", p, grad)
    return reduced(dq, q.shape), reduced(dk, k.shape), reduced(dv, v.shape)
