"""The loss of torch, and its gradients by autograd."""

import torch
import torch.nn.functional as F


def loss_and_gradients(hidden, weight, target):
    hidden, weight = hidden.detach().requires_grad_(), weight.detach().requires_grad_()
    with torch.enable_grad():
        loss = F.cross_entropy(hidden @ weight.T, target)
        return loss.detach(), *torch.autograd.grad(loss, (hidden, weight))
