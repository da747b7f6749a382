"""A network with everything that is to be folded, and a few things that are not."""

from collections import OrderedDict

from torch import Tensor, nn


class Block(nn.Module):
    """A residual block whose body is a Sequential. Its own norm stands alone."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 1, groups=channels),
            nn.BatchNorm2d(channels, eps=0.1),
        )
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x + self.body(x))


def network() -> nn.Sequential:
    """Four pairs to fold; three norms that do not follow a convolution directly."""
    return nn.Sequential(
        nn.BatchNorm2d(2),
        nn.Conv2d(2, 4, 3, stride=2),
        nn.BatchNorm2d(4, affine=False),
        nn.Sequential(Block(4), nn.ReLU()),
        nn.Conv2d(4, 4, 1),
        nn.Dropout(0.5),
        nn.BatchNorm2d(4),
        nn.Conv2d(4, 3, 2, padding=1, padding_mode="circular"),
        nn.BatchNorm2d(3),
    )


def named_layers() -> nn.Sequential:
    """A Sequential whose layers have names. Two pairs; the second norm in a row follows no convolution."""
    return nn.Sequential(
        OrderedDict(
            conv=nn.Conv2d(2, 3, 1),
            norm=nn.BatchNorm2d(3),
            again=nn.BatchNorm2d(3),
            drop=nn.Dropout(0.5),
            last=nn.Conv2d(3, 2, 1, bias=False),
            end=nn.BatchNorm2d(2),
        )
    )


class NormFirst(nn.Module):
    """The norm is registered right after the convolution, but `forward` calls the norm first: there is nothing to fold."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return self.conv(self.norm(x))


def with_norm_first() -> nn.Sequential:
    """One pair, and a module that uses its children in its own order."""
    return nn.Sequential(nn.Conv2d(2, 3, 1), nn.BatchNorm2d(3), nn.ReLU(), NormFirst(3))
