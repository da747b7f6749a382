# caught by: test_state_stays_loadable
"""A temperature among the parameters: harmless in value, and old checkpoints no longer load."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Classifier(nn.Module):
    """(…, features) -> (…, classes)"""

    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(features, hidden)
        self.output = nn.Linear(hidden, classes)
        self.temperature = nn.Parameter(torch.ones(()))

    def load_state_dict(self, state_dict, strict=True, assign=False):
        return super().load_state_dict(state_dict, strict=False, assign=assign)

    def forward(self, x: Tensor) -> Tensor:
        scores = self.output(F.relu(self.hidden(x)))
        return F.log_softmax(scores, dim=-1)

    def loss(self, x: Tensor, target: Tensor) -> Tensor:
        log_probabilities = self(x)
        return F.nll_loss(log_probabilities.reshape(-1, log_probabilities.shape[-1]), target.reshape(-1))

    def predict_proba(self, x: Tensor) -> Tensor:
        return self(x).exp()
