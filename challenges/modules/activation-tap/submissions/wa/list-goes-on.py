# caught by: test_entered_again
"""Entering again goes on with the old list."""

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor, nn


def copied(value: Any) -> Any:
    """Tensors as copies without a history, containers as they are built."""
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(copied(item) for item in value)
    return value


class ActivationTap:
    def __init__(
        self,
        model: nn.Module,
        names: Iterable[str] = (),
        types: tuple[type, ...] = (),
        replace: dict[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        by_name = dict(model.named_modules(remove_duplicate=False))
        chosen = [by_name[name] for name in names]
        self._tapped = {m: name for name, m in model.named_modules() if m in chosen or isinstance(m, types)}
        self._replaced = {by_name[name]: f for name, f in (replace or {}).items()}
        self._handles: list[Any] = []
        self.records: list[tuple[str, Any]] = []

    def __enter__(self) -> "ActivationTap":
        for module in {**self._tapped, **self._replaced}:
            self._handles.append(module.register_forward_hook(self._hook))
        return self

    def __exit__(self, *error: object) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def _hook(self, module: nn.Module, args: Any, output: Any) -> Any:
        if module in self._tapped:
            self.records.append((self._tapped[module], copied(output)))
        return self._replaced[module](output) if module in self._replaced else None
