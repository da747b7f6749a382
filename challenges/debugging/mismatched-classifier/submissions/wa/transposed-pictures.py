# caught by: test_one_red_pixel
"""Reverses the dimensions: width comes before height."""

import torch
from torch import Tensor, nn


def prepare(images: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    return images.permute(0, 3, 2, 1) / 255, labels[:, 0].to(torch.int64)


def remaining(size: int) -> int:
    return (size + 1) // 2 // 2 - 2  # the stride rounds up, pooling rounds down, the last kernel takes two


class Classifier(nn.Module):
    def __init__(self, channels: int, height: int, width: int, classes: int):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(channels, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3),
            nn.ReLU(),
        )
        self.head = nn.Linear(16 * remaining(height) * remaining(width), classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x).flatten(1))
