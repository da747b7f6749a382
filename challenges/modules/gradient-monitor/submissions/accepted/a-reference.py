"""Full backward hooks with bound names, handles that are kept, and a hook on a view."""

from functools import partial

from torch import Tensor, nn


class GradientMonitor:
    def __init__(self, model: nn.Module, names: list[str]) -> None:
        self.records: list[tuple[str, float | None, float]] = []
        self.handles = [
            module.register_full_backward_hook(partial(self.record, name))
            for name, module in model.named_modules()
            if name in names
        ]

    def record(self, name, module, grad_input, grad_output) -> None:
        first = grad_input[0]
        self.records.append((name, None if first is None else first.norm().item(), grad_output[0].norm().item()))

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def scale_grad(t: Tensor, factor: float) -> Tensor:
    out = t.view_as(t)
    if out.requires_grad:
        out.register_hook(lambda grad: grad * factor)
    return out
