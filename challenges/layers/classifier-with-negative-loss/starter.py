"""A classifier with one hidden layer, and its loss. Something is wrong with it: see the statement."""

import torch
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
        return F.softmax(scores, dim=1)

    def loss(self, x: Tensor, target: Tensor) -> Tensor:
        """Mean negative log-likelihood of the right classes."""
        return F.nll_loss(self(x), target)

    @torch.no_grad()
    def predict_proba(self, x: Tensor) -> Tensor:
        """Probabilities of the classes."""
        return F.softmax(self(x), dim=1)
