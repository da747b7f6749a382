"""Small layer objects with forward and backward, as frameworks before autograd had them."""

import torch
from torch.nn import functional as F


class Linear:
    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def forward(self, x):
        self.x = x
        return F.linear(x, self.weight, self.bias)

    def backward(self, grad):
        self.grads = [grad.mT.matmul(self.x), grad.sum(dim=0)]
        return grad.matmul(self.weight)


class ReLU:
    def forward(self, x):
        self.out = F.relu(x)
        return self.out

    def backward(self, grad):
        return grad.masked_fill(self.out == 0, 0.0)


class CrossEntropy:
    def forward(self, scores, labels):
        self.scores, self.labels = scores, labels
        return F.cross_entropy(scores, labels)

    def backward(self):
        minus_one = torch.full_like(self.scores[:, :1], -1.0)
        return self.scores.softmax(1).scatter_add(1, self.labels[:, None], minus_one).div(len(self.labels))


def loss_and_gradients(x, labels, w1, b1, w2, b2):
    first, relu, second, head = Linear(w1, b1), ReLU(), Linear(w2, b2), CrossEntropy()
    loss = head.forward(second.forward(relu.forward(first.forward(x))), labels)
    grad_x = first.backward(relu.backward(second.backward(head.backward())))
    names = ("w1", "b1", "w2", "b2")
    return loss, {"x": grad_x, **dict(zip(names, first.grads + second.grads))}
