"""A gradient monitor that reports the wrong numbers, and a gradient that is scaled on one path."""

from torch import Tensor, nn


class GradientMonitor:
    """Records (name, input_norm, output_norm) for each call of the named modules. Three things are wrong here."""

    def __init__(self, model: nn.Module, names: list[str]) -> None:
        self.records: list[tuple[str, float | None, float]] = []
        self.handles = []
        for name, module in model.named_modules():
            if name in names:

                def hook(module, grad_input, grad_output):
                    first = grad_input[0]
                    self.records.append(
                        (name, None if first is None else first.norm().item(), grad_output[0].norm().item())
                    )

                module.register_backward_hook(hook)

    def remove(self) -> None:
        """Removes the hooks."""
        for handle in self.handles:
            handle.remove()


def scale_grad(t: Tensor, factor: float) -> Tensor:
    """The values of t; the gradient on this path is multiplied by factor."""
    raise NotImplementedError
