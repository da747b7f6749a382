"""nn.Modules of the answer, as a hidden test holds them: parameters are mirrored by leaf tensors that receive the gradients.

Both sides keep in step: what the test changed of a mirror goes along with the next call, what the answer changed of a parameter
comes back with the reply. Mirrors stay the same objects throughout, so an optimizer of the test goes on working.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.nn.modules.module import _IncompatibleKeys

from grader.inside import parameters, remote_graph
from grader.inside.parameters import Changes, Known
from grader.inside.remote_errors import BadReply
from grader.inside.remote_objects import RemoteObject
from grader.inside.replies import suspicion
from grader.inside.requests import Request
from grader.inside.session import Session


class RemoteModule(RemoteObject):
    """An nn.Module in the cell."""

    def __init__(self, session: Session, number: int, entry: dict[str, Any]) -> None:
        super().__init__(session, number, entry)
        self._gradus_mirrors: dict[str, torch.nn.Parameter] = {}
        self._gradus_known: dict[str, Known] = {}
        self._gradus_fetched = False

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Copies of parameters and persistent buffers by name, as they are in the cell now."""
        value = self._gradus_method("state_dict")()
        if not isinstance(value, dict):
            raise BadReply("a state that is no dict")
        return value

    def load_state_dict(self, state: Mapping[str, torch.Tensor], strict: bool = True) -> Any:
        """Load values by name. Raises RemoteRuntimeError for missing or unexpected names, as torch does."""
        value = self._gradus_method("load_state_dict")(dict(state), strict=strict)
        with suspicion():
            return None if value is None else _IncompatibleKeys(*value)

    def train(self, mode: bool = True) -> "RemoteModule":
        """Switch the mode; returns itself."""
        self._gradus_method("train")(mode)
        return self

    def eval(self) -> "RemoteModule":
        """Switch to evaluation; returns itself."""
        self._gradus_method("eval")()
        return self

    def to(self, *args: Any, **kwargs: Any) -> "RemoteModule":
        """Convert dtype (or device) in the cell; the mirrors follow."""
        self._gradus_method("to")(*args, **kwargs)
        return self

    def requires_grad_(self, requires_grad: bool = True) -> "RemoteModule":
        """As nn.Module.requires_grad_."""
        self._gradus_method("requires_grad_")(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients on both sides."""
        self._gradus_method("zero_grad")(set_to_none=set_to_none)

    def __getattr__(self, name: str) -> Any:
        # No property: an AttributeError of the answer would send Python here, for a second try with another sentence.
        return self._gradus_get(name) if name == "training" else super().__getattr__(name)

    def named_parameters(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """Names and leaf mirrors; `.grad` is filled by backward passes in the test."""
        # No generator, here and below: in one, a StopIteration of the answer would become a RuntimeError of ours.
        self._gradus_fetch()
        return iter(self._gradus_mirrors.items())

    def parameters(self) -> Iterator[torch.nn.Parameter]:
        """Leaf mirrors in order."""
        return iter([mirror for _, mirror in self.named_parameters()])

    def named_buffers(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Names and copies of the buffers."""
        session = self._gradus_session
        operation = {"op": "parameters", "object": self._gradus_number, "of": "buffers"}
        rows = remote_graph.call(session, operation, Request(session))
        with suspicion():
            named = [(str(name), value) for name, value in rows]
        if not all(isinstance(value, torch.Tensor) for _, value in named):
            raise BadReply("a buffer that is no tensor")
        return iter(named)

    def _gradus_fetch(self) -> None:
        """Mirrors must exist before a call, or its gradients would have nowhere to go."""
        if self._gradus_fetched:
            return
        session = self._gradus_session
        operation = {"op": "parameters", "object": self._gradus_number, "of": "parameters"}
        remote_graph.exchange(session, operation, Request(session))
        self._gradus_fetched = True

    def _gradus_push(self, request: Request, *, grads: bool) -> list[Any]:
        """What the test changed of the mirrors since both sides were last equal."""
        self._gradus_fetch()
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
        """Bring the mirrors to what the reply says. Raises KeyError for a new name without a value."""
        mirrors = self._gradus_mirrors
        for name, found in rows.items():
            if name not in mirrors or found.get("n"):
                mirrors[name] = torch.nn.Parameter(found["v"], requires_grad=bool(found["r"]))
            parameters.apply(mirrors[name], found)
            self._gradus_known[name] = parameters.known(mirrors[name])
        self._gradus_mirrors = {name: mirrors[name] for name in names}
