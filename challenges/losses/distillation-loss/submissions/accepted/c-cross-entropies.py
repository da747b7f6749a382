"""The divergence as a difference of two cross entropies with soft targets."""

import torch
from torch.nn.functional import cross_entropy


def distill_loss(student, teacher, labels, T, alpha):
    if tuple(student.shape) != tuple(teacher.shape):
        raise ValueError("student and teacher differ in shape")
    if tuple(labels.shape) != tuple(student.shape)[:-1]:
        raise ValueError("labels do not fit")
    if min(T, alpha, 1 - alpha) < 0 or T == 0:
        raise ValueError("T or alpha is out of range")
    student = student.flatten(0, -2) if student.dim() > 1 else student[None]
    teacher = teacher.reshape(student.shape).detach()
    target = torch.softmax(teacher / T, -1)
    soft = cross_entropy(student / T, target) + torch.xlogy(target, target).sum(-1).mean()
    hard = cross_entropy(student, labels.reshape(-1))
    return T * T * alpha * soft + (1 - alpha) * hard
