"""Functions of the test that the answer calls, in the judge: one call inside another, with a graph of its own.

What such a function raises goes through the answer and comes out as itself, unless the answer catches it.
"""

from typing import TYPE_CHECKING, Any

import torch

from grader.inside.failures import family
from grader.inside.remote_errors import BadReply
from grader.inside.replies import Reply, read, suspicion
from grader.inside.requests import Request
from grader.wire import Buffer, Frame, WireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.inside.session import Session

Answer = tuple[dict[str, Any], list[Buffer]]


class Callbacks:
    """The functions that were passed in, and the graphs of what they returned."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._functions: list[Callable[..., Any]] = []
        self._graphs: dict[int, tuple[list[torch.Tensor], list[torch.Tensor]]] = {}
        self._last = 0
        self._interruption: BaseException | None = None
        self.running = False
        self.failures: list[BaseException] = []

    def add(self, function: "Callable[..., Any]") -> int:
        """Make a function callable from the cell; returns its number."""
        self._functions.append(function)
        return len(self._functions) - 1

    def serve(self, frame: Frame) -> Answer:
        """The reply to a CALLBACK frame. A function that raises fails the answer's call, never the judge."""
        request = Request(self._session)
        self.running = True
        try:
            with suspicion():
                call = read(frame, Request(self._session), {})
                product = call.tree.get("product")
            tree = self._call(call, request) if product is None else self._product(call, request)
        except BaseException as error:
            self.failures.append(error)
            if isinstance(error, BadReply) or not isinstance(error, Exception):
                self._interruption = error
            return {"ok": False, "failure": len(self.failures) - 1, "family": family(error)}, []
        finally:
            self.running = False
        return {"ok": True, **tree, "storages": request.shipment.table}, request.blobs.parts

    def _call(self, call: Reply, request: Request) -> dict[str, Any]:
        with suspicion():
            pairs = zip(call.tensors, call.about, strict=True)
            inputs = [tensor.requires_grad_() for tensor, about in pairs if about.grad]
            args = [call.decoder.decode(item) for item in call.tree["args"]]
            kwargs = {str(name): call.decoder.decode(item) for name, item in call.tree["kwargs"].items()}
            number = call.tree["callback"]
            if type(number) is not int or not 0 <= number < len(self._functions):
                raise WireError("a function that was not passed in")
            function = self._functions[number]
        tree = {"args": [request.argument(function(*args, **kwargs))]}
        sent = request.shipment.tensors
        outputs = [index for index, tensor in enumerate(sent) if tensor.requires_grad]
        if not inputs or not outputs:
            return tree
        self._last += 1
        self._graphs[self._last] = (inputs, [sent[index] for index in outputs])
        return {**tree, "graph": self._last, "outputs": outputs}

    def _product(self, call: Reply, request: Request) -> dict[str, Any]:
        """The vector-Jacobian product of an earlier call."""
        with suspicion():
            inputs, outputs = self._graphs[call.tree["product"]]
            cotangents = [call.decoder.decode(item) for item in call.tree["args"]]
            pairs = [(out, c) for out, c in zip(outputs, cotangents, strict=True) if c is not None]
        outs, cots = [out for out, _ in pairs], [c for _, c in pairs]
        grads = torch.autograd.grad(outs, inputs, cots, retain_graph=True, allow_unused=True)
        return {"args": [request.argument(list(grads))]}

    def drop(self, numbers: list[int]) -> None:
        """Let go of graphs that the answer no longer holds."""
        for number in numbers:
            self._graphs.pop(number, None)

    def failure(self, index: Any) -> BaseException | None:
        """The exception that the answer let through, if it names one."""
        return self.failures[index] if type(index) is int and 0 <= index < len(self.failures) else None

    def raise_interruption(self) -> None:
        """Raise what no answer may catch: pytest.fail() in a function of the test, or a call that cannot be read."""
        interruption, self._interruption = self._interruption, None
        if interruption is not None:
            raise interruption
