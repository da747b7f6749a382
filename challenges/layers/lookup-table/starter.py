"""An embedding layer with a padding row."""

from torch import Tensor, nn


class LookupTable(nn.Module):
    """One learned row for each id; the row of padding_idx never learns."""

    def __init__(self, rows: int, width: int, padding_idx: int | None = None) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, ids: Tensor) -> Tensor:
        """(*) of int64 -> (*, width)"""
        raise NotImplementedError
