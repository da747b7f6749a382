"""Loss modules, chosen by a match statement."""

import torch
from torch import nn


def make_objective(task):
    match task:
        case "multi-class":
            return nn.CrossEntropyLoss(), lambda raw, outputs: raw.flatten().to(torch.int64)
        case "multi-label":

            def one_hot_sum(raw, outputs):
                rows = [[float(c in classes) for c in range(outputs.shape[1])] for classes in raw]
                return torch.tensor(rows, dtype=outputs.dtype, device=outputs.device)

            return nn.BCEWithLogitsLoss(), one_hot_sum
        case "binary":
            return nn.BCEWithLogitsLoss(), lambda raw, outputs: raw[:, None].type_as(outputs)
        case "regression":
            return nn.SmoothL1Loss(beta=1.0), lambda raw, outputs: raw.unsqueeze(1).to(outputs)
        case "ranking":
            loss = nn.TripletMarginLoss(margin=1.0, p=2)
            return lambda outputs, target: loss(*outputs), lambda raw, outputs: None
        case "distribution":
            log_softmax, loss = nn.LogSoftmax(dim=1), nn.KLDivLoss(reduction="batchmean")
            return (
                lambda outputs, target: loss(log_softmax(outputs), target),
                lambda raw, outputs: nn.functional.normalize(raw.to(outputs.dtype), p=1, dim=1),
            )
        case _:
            raise ValueError(task)
