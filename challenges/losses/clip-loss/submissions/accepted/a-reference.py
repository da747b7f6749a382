"""Two cross entropies with a shared scale; the logarithm is bounded before the exponential."""

import math

import torch
import torch.nn.functional as F


def clip_loss(image, text, log_scale, all_image=None, all_text=None, rank=0, max_scale=100.0):
    if all_image is None:
        all_image, all_text, rank = image, text, 0
    image, text, all_image, all_text = (F.normalize(x, dim=1) for x in (image, text, all_image, all_text))
    scale = log_scale.clamp(max=math.log(max_scale)).exp()
    label = rank * len(image) + torch.arange(len(image))
    of_images = F.cross_entropy(scale * image @ all_text.T, label)
    of_texts = F.cross_entropy(scale * text @ all_image.T, label)
    return (of_images + of_texts) / 2
