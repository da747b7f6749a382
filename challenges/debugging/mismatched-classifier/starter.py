from torch import Tensor, nn


def prepare(images: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Stored pictures (N, H, W, C) and labels (N, 1) -> what the network and the loss take."""
    n, height, width, channels = images.shape
    x = images.reshape(n, channels, height, width) / 255
    y = labels.squeeze().float()
    return x, y


class Classifier(nn.Module):
    """Two convolutions and a linear head."""

    def __init__(self, channels: int, height: int, width: int, classes: int):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(channels, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3),
            nn.ReLU(),
        )
        self.head = nn.Linear(16 * (height // 4) * (width // 4), classes)

    def forward(self, x: Tensor) -> Tensor:
        h = self.features(x)
        return self.head(h.view(-1, self.head.in_features))
