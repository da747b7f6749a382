"""setup_context, and the channels moved to the end and back; the chain rule goes one step at a time."""

import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias, eps):
        rows = x.movedim(1, -1)
        var, mean = torch.var_mean(rows, dim=-1, correction=0, keepdim=True)
        return ((rows - mean) / (var + eps).sqrt() * weight + bias).movedim(-1, 1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias, ctx.eps = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        rows, grads = x.movedim(1, -1), grad_output.movedim(1, -1)
        d = rows.size(-1)
        var, mean = torch.var_mean(rows, dim=-1, correction=0, keepdim=True)
        c, std = rows - mean, (var + ctx.eps) ** 0.5
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dhat = grads * weight
            dvar = (dhat * c).sum(-1, keepdim=True) * -0.5 / std**3
            dc = dhat / std + dvar * 2 * c / d
            dx = (dc - dc.sum(-1, keepdim=True) / d).movedim(-1, 1)
        if ctx.needs_input_grad[1]:
            dw = (grads * c / std).reshape(-1, d).sum(0)
        if ctx.needs_input_grad[2]:
            db = grads.reshape(-1, d).sum(0)
        return dx, dw, db, None
