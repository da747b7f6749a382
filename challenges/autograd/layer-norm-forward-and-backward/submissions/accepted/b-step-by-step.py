"""setup_context, and the chain rule one step at a time: through the variance, then through the mean."""

import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias, eps):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) / (var + eps).sqrt() * weight + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias, ctx.eps = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        d = x.size(-1)
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        c, std = x - mean, (var + ctx.eps) ** 0.5
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dhat = grad_output * weight
            dvar = (dhat * c).sum(-1, keepdim=True) * -0.5 / std**3
            dc = dhat / std + dvar * 2 * c / d
            dx = dc - dc.sum(-1, keepdim=True) / d
        if ctx.needs_input_grad[1]:
            dw = (grad_output * c / std).reshape(-1, d).sum(0)
        if ctx.needs_input_grad[2]:
            db = grad_output.reshape(-1, d).sum(0)
        return dx, dw, db, None
