# caught by: test_loss_and_gradients[sequences]
"""Classes are brought to dimension 1 by a reshape, which deals the numbers out anew."""

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
        return F.log_softmax(scores, dim=-1)

    def loss(self, x: Tensor, target: Tensor) -> Tensor:
        log_probabilities = self(x)
        n, *rest, classes = log_probabilities.shape if log_probabilities.dim() > 1 else (1, *log_probabilities.shape)
        return F.nll_loss(log_probabilities.reshape(n, classes, *rest), target.reshape(n, *rest))

    def predict_proba(self, x: Tensor) -> Tensor:
        return self(x).exp()
