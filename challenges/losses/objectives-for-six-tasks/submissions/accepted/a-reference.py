"""A pair of functions for each task, in a dict."""

import torch
import torch.nn.functional as F


def class_numbers(raw, outputs):
    return raw.reshape(-1).long()


def mask_of_classes(raw, outputs):
    target = torch.zeros_like(outputs)
    for row, classes in enumerate(raw):
        for each in classes:
            target[row, each] = 1.0
    return target


def like_outputs(raw, outputs):
    return raw.to(outputs.dtype).reshape(outputs.shape)


def shares(raw, outputs):
    votes = raw.to(outputs.dtype)
    return votes / votes.sum(1, keepdim=True)


def divergence(outputs, target):
    return F.kl_div(F.log_softmax(outputs, dim=1), target, reduction="batchmean")


def triplet(outputs, target):
    anchor, positive, negative = outputs
    return F.triplet_margin_loss(anchor, positive, negative, margin=1.0)


OBJECTIVES = {
    "multi-class": (F.cross_entropy, class_numbers),
    "multi-label": (F.binary_cross_entropy_with_logits, mask_of_classes),
    "binary": (F.binary_cross_entropy_with_logits, like_outputs),
    "regression": (F.huber_loss, like_outputs),
    "ranking": (triplet, lambda raw, outputs: None),
    "distribution": (divergence, shares),
}


def make_objective(task):
    if task not in OBJECTIVES:
        raise ValueError(f"unknown task {task!r}")
    return OBJECTIVES[task]
