"""torch.tensor with an explicit dtype, twice."""

import torch
from torch import Tensor


def encode(ids, scores) -> tuple[Tensor, Tensor]:
    """Labels (int64) and values (float32), shaped like their sources."""
    labels = torch.tensor(ids, dtype=torch.int64)
    values = torch.tensor(scores, dtype=torch.float32)
    return labels, values
