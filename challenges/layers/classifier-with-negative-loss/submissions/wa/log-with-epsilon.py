# caught by: test_hopeless_positions[float32]
"""An epsilon makes it finite, and makes it a constant."""

import torch.nn.functional as F
from torch import Tensor, nn


class Classifier(nn.Module):
    """(…, features) -> (…, classes)"""

    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(features, hidden)
        self.output = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        scores = self.output(F.relu(self.hidden(x)))
        return (F.softmax(scores, dim=-1) + 1e-12).log()

    def loss(self, x: Tensor, target: Tensor) -> Tensor:
        log_probabilities = self(x)
        return F.nll_loss(log_probabilities.reshape(-1, log_probabilities.shape[-1]), target.reshape(-1))

    def predict_proba(self, x: Tensor) -> Tensor:
        return self(x).exp()
