"""torch's own unfold and convolution; positions are resized only if the grid is another one."""

import torch
import torch.nn.functional as F


def check_size(images, patch):
    if images.shape[-2] % patch != 0 or images.shape[-1] % patch != 0:
        raise ValueError("the patch size must divide height and width")


def patchify(images, patch):
    check_size(images, patch)
    return F.unfold(images, kernel_size=patch, stride=patch).transpose(1, 2)


def resize_positions(pos, old, new):
    n = old[0] * old[1]
    if pos.size(0) != n + 1:
        raise ValueError("pos does not fit the old grid")
    first, rest = pos.split([1, n])
    if tuple(old) != tuple(new):
        image = rest.unflatten(0, (old[0], old[1])).permute(2, 0, 1).unsqueeze(0)
        image = nn_resize(image, new)
        rest = image.squeeze(0).permute(1, 2, 0).flatten(0, 1)
    return torch.cat((first, rest), dim=0)


def nn_resize(image, size):
    return torch.nn.Upsample(size=(size[0], size[1]), mode="bicubic")(image)


def embed(images, weight, bias, cls, pos, grid):
    check_size(images, weight.size(2))
    features = F.conv2d(images, weight, bias, stride=weight.size(2))  # (B, d, h, w)
    pos = resize_positions(pos, grid, features.shape[2:])
    patches = features.flatten(2).mT + pos[1:]
    head = (cls + pos[0]).repeat(images.size(0), 1, 1)
    return torch.cat((head, patches), dim=1)
