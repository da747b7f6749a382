"""Graphs across the wire: results whose backward pass is a vector-Jacobian product computed in the cell.

The method is reverse-mode differentiation with the Jacobian left where it is: for outputs Y of a call with inputs X the judge
sends cotangents G and receives Gᵀ ∂Y/∂X. With `create_graph` the product is itself such a call, with inputs (X, G).
"""

from collections.abc import Sequence
from typing import Any

import torch

from grader.inside.remote_errors import BadReply
from grader.inside.replies import Reply, changes, suspicion, was_changed, write_arguments, write_leaves
from grader.inside.requests import Request
from grader.inside.session import Session
from grader.testing.checks import CheckFailed

RESULT, LEAF, PARAMETER = 1, 2, 3


class _Record:
    """A graph held in the cell; releasing it here releases it there, with the next message.

    The inputs are kept here and not by save_for_backward: which of them the graph needs again, the cell alone knows.
    """

    def __init__(self, session: Session, number: int, inputs: list[torch.Tensor]) -> None:
        self.session = session
        self.number = number
        self.inputs = inputs
        self.versions = [_version(tensor) for tensor in inputs]

    def written(self) -> list[int]:
        """Indices of inputs that were written to since this was last asked."""
        now = [_version(tensor) for tensor in self.inputs]
        found = [index for index, (old, new) in enumerate(zip(self.versions, now, strict=True)) if old != new]
        self.versions = now
        return found

    def __del__(self) -> None:
        self.session.released.append(self.number)


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


class _RemoteOp(torch.autograd.Function):
    """`tensors` are the inputs of the record and after them the arguments that were written to."""

    @staticmethod
    def forward(
        ctx: Any, record: _Record, outputs: Sequence[torch.Tensor], written: int, *tensors: torch.Tensor
    ) -> Any:
        ctx.record = record
        ctx.set_materialize_grads(False)
        dirty = tensors[len(tensors) - written :]
        ctx.mark_dirty(*dirty)
        return (*(out.detach() for out in outputs), *dirty)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor | None) -> Any:
        count, wants = len(ctx.record.inputs), list(ctx.needs_input_grad[3:])
        grads = _product(ctx.record, list(cotangents), wants[:count])
        return (None, None, None, *grads, *[None] * (len(wants) - count))


def exchange(session: Session, operation: dict[str, Any], request: Request, origin: Request | None = None) -> Reply:
    """Ask, attach the graph to the results, bring arguments and modules up to date, and raise what the answer raised."""
    reply = session.ask(operation, request, origin)
    with suspicion():
        _update_modules(session, reply)
        refused = not reply.request.writable and was_changed(reply)
    if refused:
        session.settle(reply)
        raise CheckFailed("an argument was changed in place: work on a copy")
    with suspicion():
        write_leaves(reply)
        _attach(session, reply)
        write_arguments(reply)
    session.settle(reply)
    return reply


def call(session: Session, operation: dict[str, Any], request: Request, origin: Request | None = None) -> Any:
    """As `exchange`; the value of the reply."""
    return value_of(exchange(session, operation, request, origin))


def value_of(reply: Reply) -> Any:
    """The decoded value of a reply."""
    with suspicion(reply.request.session):
        return reply.decoder.decode(reply.tree["value"])


def _update_modules(session: Session, reply: Reply) -> None:
    for number, names, rows in reply.tree.get("modules", []):
        module = session.objects.get(number)
        if module is not None:
            module._gradus_update([str(name) for name in names], {str(n): changes(reply, found) for n, found in rows})


def _attach(session: Session, reply: Reply) -> None:
    """Give the reply's result tensors a graph, where the cell has one."""
    request, tree = reply.request, reply.tree
    for tensor, about in zip(reply.tensors, reply.about, strict=True):
        tensor._gradus_metadata = about  # type: ignore[attr-defined]
    for index, about in enumerate(reply.about):
        if about.grad in (LEAF, PARAMETER):
            reply.tensors[index] = _leaf_result(reply.tensors[index], about.grad)
    if tree.get("record") is None:
        return
    arguments = request.shipment.tensors
    written = [arguments[index] for index in tree.get("rewritten", [])]
    inputs = [arguments[index] for index in tree["leaves"]]
    # An argument that was written to goes in as it was, and comes out as it is.
    inputs = [t.clone() if any(t is w for w in written) else t for t in inputs]
    inputs += [request.parameter(owner, name) for owner, name in tree["params"]]
    _apply(session, reply, inputs, written)


def _leaf_result(tensor: torch.Tensor, grad: int) -> torch.Tensor:
    return torch.nn.Parameter(tensor) if grad == PARAMETER else tensor.requires_grad_()


def _apply(session: Session, reply: Reply, inputs: list[torch.Tensor], written: list[torch.Tensor]) -> None:
    """Replace the differentiable tensors of the reply by outputs of a node whose backward pass asks the cell."""
    places = [index for index, about in enumerate(reply.about) if about.grad == RESULT]
    record = _Record(session, int(reply.tree["record"]), inputs)
    if not any(t.requires_grad for t in inputs):
        # The graph hangs on something inside the cell only: an input of our own makes the result require grad here too.
        inputs = [*inputs, torch.zeros((), requires_grad=True)]
    results = [reply.tensors[index] for index in places]
    with torch.enable_grad():
        outputs = _RemoteOp.apply(record, results, len(written), *inputs, *written)  # type: ignore[no-untyped-call]
    for index, output in zip(places, outputs, strict=False):
        output._gradus_metadata = reply.about[index]
        reply.tensors[index] = output


def _product(record: _Record, cotangents: list[torch.Tensor | None], wants: list[bool]) -> list[torch.Tensor | None]:
    session, create_graph = record.session, torch.is_grad_enabled()
    request = Request(session)
    sent = [None if c is None else c.detach().requires_grad_(create_graph) for c in cotangents]
    operation = {
        "op": "product",
        "record": record.number,
        "args": [request.argument(c) for c in sent],
        "wants": wants,
        "create_graph": create_graph,
        "retain_graph": torch._C._autograd._get_current_graph_task_keep_graph(),
        "stale": record.written(),
        "ctx": session.context(),
    }
    reply = session.ask(operation, request)
    with suspicion():
        _update_modules(session, reply)
        if reply.tree.get("record") is not None:
            _apply(session, reply, [*record.inputs, *(c for c in cotangents if c is not None)], [])
    session.settle(reply)
    values = value_of(reply)
    _check_gradients(values, record.inputs, wants)
    return list(values)


def _check_gradients(values: Any, inputs: Sequence[torch.Tensor], wants: list[bool]) -> None:
    if not isinstance(values, list) or len(values) != len(wants):
        raise BadReply("a malformed product")
    for value, tensor in zip(values, inputs, strict=True):
        if value is not None and (not isinstance(value, torch.Tensor) or value.shape != tensor.shape):
            raise BadReply("a gradient of another shape")
