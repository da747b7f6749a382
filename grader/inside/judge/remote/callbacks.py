"""Implements the judge's side of callbacks, in which the answer calls a function of the test while the test waits for the
answer's result.

If the function raises, the exception passes through the answer and is raised in the test unchanged, unless the answer catches
it. A result that depends on the answer's tensors gets a graph, for backward passes that start in the cell.
"""

from typing import TYPE_CHECKING, Any

import torch

from grader.contract.wire import Buffer, Frame, WireError
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.replies import Reply, read, untrusted_reply
from grader.inside.judge.remote.requests import Request
from grader.inside.serialization.failures import family

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.inside.judge.remote.session import Session

Answer = tuple[dict[str, Any], list[Buffer]]


class Callbacks:
    """The functions that the test passed to the answer, and the graphs of the results that these functions returned."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._functions: list[Callable[..., Any]] = []
        self._graphs: dict[int, tuple[list[torch.Tensor], list[torch.Tensor]]] = {}
        self._last = 0
        self._interruption: BaseException | None = None
        self.running = False
        self.failures: list[BaseException] = []

    def add(self, function: "Callable[..., Any]") -> int:
        """Make a function callable from the cell and return its number."""
        self._functions.append(function)
        return len(self._functions) - 1

    def serve(self, frame: Frame) -> Answer:
        """Run a callback that the answer requested, and return the reply. If the test's function raises, its exception is not
        raised here: the reply reports a failure.
        """
        request = Request(self._session)
        self.running = True
        try:
            with untrusted_reply():
                call = read(frame, Request(self._session), {}, silent=True)
                product = call.tree.get("product")
            tree = self._call(call, request) if product is None else self._product(call, request)
        except BaseException as error:
            self.failures.append(error)
            if isinstance(error, BadReply) or not isinstance(error, Exception):
                self._interruption = error
            return {"ok": False, "failure": len(self.failures) - 1, "family": family(error)}, []
        finally:
            self.running = False
        return {"ok": True, **tree, "storages": request.shipment.pack()}, request.blobs.parts

    def _call(self, call: Reply, request: Request) -> dict[str, Any]:
        with untrusted_reply():
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
        """Compute a vector-Jacobian product for the graph of an earlier callback."""
        with untrusted_reply():
            inputs, outputs = self._graphs[call.tree["product"]]
            cotangents = [call.decoder.decode(item) for item in call.tree["args"]]
            pairs = [(out, c) for out, c in zip(outputs, cotangents, strict=True) if c is not None]
        outs, cots = [out for out, _ in pairs], [c for _, c in pairs]
        grads = torch.autograd.grad(outs, inputs, cots, retain_graph=True, allow_unused=True)
        return {"args": [request.argument(list(grads))]}

    def drop(self, numbers: list[int]) -> None:
        """Release graphs to which the cell no longer refers."""
        for number in numbers:
            self._graphs.pop(number, None)

    def failure(self, index: Any) -> BaseException | None:
        """Return the exception with this index among the exceptions that functions of the test have raised. `index` comes from
        a reply; if it is missing or invalid, returns None.
        """
        return self.failures[index] if type(index) is int and 0 <= index < len(self.failures) else None

    def raise_interruption(self) -> None:
        """Raise the exception that stopped a callback, if the answer must not be able to catch that exception: pytest.fail() in
        a test's function, or BadReply for a malformed callback.
        """
        interruption, self._interruption = self._interruption, None
        if interruption is not None:
            raise interruption
