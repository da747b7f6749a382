"""Proxies with which a hidden test uses nn.Modules of the answer. Each parameter in the cell has a mirror: a leaf tensor in the
judge that receives the parameter's gradients.

Mirror and parameter stay equal: what the test changes in a mirror is sent with the next call, and what the answer changes in a
parameter comes back with the reply. A mirror remains the same object as long as the answer keeps the same parameter object, so
an optimizer of the test keeps working.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.nn.modules.module import _IncompatibleKeys

from grader.inside.judge.remote import graph
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.objects import RemoteObject
from grader.inside.judge.remote.replies import untrusted_reply
from grader.inside.judge.remote.requests import Request
from grader.inside.judge.remote.session import Session
from grader.inside.serialization import parameters
from grader.inside.serialization.parameters import Changes, Known


class RemoteModule(RemoteObject):
    """A proxy for an nn.Module in the cell."""

    def __init__(self, session: Session, number: int, entry: dict[str, Any]) -> None:
        super().__init__(session, number, entry)
        self._gradus_mirrors: dict[str, torch.nn.Parameter] = {}
        self._gradus_known: dict[str, Known] = {}

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return copies of the parameters and persistent buffers by name, as they are in the cell now."""
        value = self._gradus_method("state_dict")()
        if not isinstance(value, dict):
            raise BadReply("a state that is no dict")
        return value

    def load_state_dict(self, state: Mapping[str, torch.Tensor], strict: bool = True) -> Any:
        """Load values by name. Raises RemoteRuntimeError for missing or unexpected names, as torch does."""
        value = self._gradus_method("load_state_dict")(dict(state), strict=strict)
        with untrusted_reply():
            return None if value is None else _IncompatibleKeys(*value)

    def train(self, mode: bool = True) -> "RemoteModule":
        """Set training mode and return the module."""
        self._gradus_method("train")(mode)
        return self

    def eval(self) -> "RemoteModule":
        """Set evaluation mode and return the module."""
        self._gradus_method("eval")()
        return self

    def to(self, *args: Any, **kwargs: Any) -> "RemoteModule":
        """Convert the module in the cell to another dtype or device. The mirrors are converted too."""
        self._gradus_method("to")(*args, **kwargs)
        return self

    def requires_grad_(self, requires_grad: bool = True) -> "RemoteModule":
        """Set requires_grad of all parameters, as nn.Module.requires_grad_ does."""
        self._gradus_method("requires_grad_")(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of the parameters in the cell and of their mirrors."""
        self._gradus_method("zero_grad")(set_to_none=set_to_none)

    def __getattr__(self, name: str) -> Any:
        # `training` is not a property: if the answer raised AttributeError, Python would call __getattr__ and hide that error.
        return self._gradus_get(name) if name == "training" else super().__getattr__(name)

    def named_parameters(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """Return pairs of a parameter's name and its mirror. Backward passes in the test fill the `.grad` of the mirrors."""
        # This method and those below are not generator functions: in a generator, a StopIteration raised by the answer would
        # become a RuntimeError.
        return iter(self._gradus_mirrors.items())

    def parameters(self) -> Iterator[torch.nn.Parameter]:
        """Return the mirrors, in the order of `named_parameters`."""
        return iter([mirror for _, mirror in self.named_parameters()])

    def named_buffers(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Return names and copies of the buffers."""
        session = self._gradus_session
        operation = {"op": "buffers", "object": self._gradus_number}
        rows = graph.call(session, operation, Request(session))
        with untrusted_reply():
            named = [(str(name), value) for name, value in rows]
        if not all(isinstance(value, torch.Tensor) for _, value in named):
            raise BadReply("a buffer that is no tensor")
        return iter(named)

    def _gradus_push(self, request: Request, *, grads: bool) -> list[Any]:
        """Encode the changes that the test has made to the mirrors since these were last equal to the cell's parameters."""
        rows = []
        for name, mirror in self._gradus_mirrors.items():
            found = parameters.changes(mirror, self._gradus_known[name], grads=grads)
            if found:
                self._gradus_known[name] = parameters.known(mirror)
                tree = {
                    key: request.argument(value) if key in parameters.TENSORS else value for key, value in found.items()
                }
                rows.append([self._gradus_number, name, tree])
        return rows

    def _gradus_update(self, names: list[str], rows: dict[str, Changes]) -> None:
        """Update the mirrors from a reply. Raises KeyError if the reply names a new parameter but contains no value for it."""
        mirrors = self._gradus_mirrors
        for name, found in rows.items():
            if name not in mirrors or found.get("n"):
                mirrors[name] = torch.nn.Parameter(found["v"].clone(), requires_grad=bool(found["r"]))
            parameters.apply(mirrors[name], found)
            self._gradus_known[name] = parameters.known(mirrors[name])
        self._gradus_mirrors = {name: mirrors[name] for name in names}
