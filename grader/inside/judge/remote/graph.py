"""Gives results of the cell an autograd graph in the judge. A backward pass through this graph is computed in the cell.

This is reverse-mode differentiation, with the Jacobian left in the cell: for outputs Y of a call with inputs X the judge sends
cotangents G and receives Gᵀ ∂Y/∂X. With `create_graph=True` the judge records the product too, as a call with
inputs (X, G), so that it can be differentiated again.
"""

from collections.abc import Sequence
from typing import Any

import torch

from grader.contract.wire import WireError
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.replies import Reply, untrusted_reply
from grader.inside.judge.remote.requests import Request, Writes
from grader.inside.judge.remote.session import Session
from grader.inside.judge.remote.write_back import (
    changes,
    index_in,
    require_distinct,
    was_changed,
    write_arguments,
    write_leaves,
)
from grader.testing.comparison.checks import CheckFailed

RESULT, LEAF, PARAMETER = 1, 2, 3


class _Record:
    """A reference to a graph in the cell. When this object is deleted, the next request tells the cell to drop the graph.

    The inputs are stored here and not with save_for_backward, because only the cell knows which of them the backward pass
    needs.
    """

    def __init__(self, session: Session, number: int, inputs: list[torch.Tensor]) -> None:
        self.session = session
        self.number = number
        self.inputs = inputs
        self.versions = [_version(tensor) for tensor in inputs]

    def written(self) -> list[int]:
        """Return the indices of inputs that were written to since the previous call of this method."""
        now = [_version(tensor) for tensor in self.inputs]
        found = [index for index, (old, new) in enumerate(zip(self.versions, now, strict=True)) if old != new]
        self.versions = now
        return found

    def __del__(self) -> None:
        self.session.released.append(self.number)


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


class _RemoteOp(torch.autograd.Function):
    """The autograd node for a graph in the cell. `tensors` are the record's inputs, followed by the `written` arguments to
    which the answer wrote in place.
    """

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
    """Send an operation and apply the reply: attach the graph to the results, and update arguments and modules. Raises the
    answer's exception if the reply contains one.
    """
    reply = session.ask(operation, request, origin)
    with untrusted_reply():
        _update_modules(session, reply)
        refused = reply.request.writes is Writes.REFUSED and was_changed(reply)
    if refused:
        session.apply_and_raise(reply)
        raise CheckFailed("an argument was changed in place: work on a copy")
    with untrusted_reply():
        write_leaves(reply)
        _attach(session, reply)
        write_arguments(reply)
    session.apply_and_raise(reply)
    return reply


def call(session: Session, operation: dict[str, Any], request: Request, origin: Request | None = None) -> Any:
    """Call `exchange` and return the decoded value of the reply."""
    return value_of(exchange(session, operation, request, origin))


def value_of(reply: Reply) -> Any:
    """Decode the value of a reply."""
    with untrusted_reply(reply.request.session):
        return reply.decoder.decode(reply.tree["value"])


def _update_modules(session: Session, reply: Reply) -> None:
    modules = reply.tree.get("modules", [])
    require_distinct(number for number, *_ in modules)
    for number, names, rows in modules:
        module = session.objects.get(number)
        if module is not None:
            _update_module(module, reply, names, rows)


def create_mirrors(module: Any, reply: Reply) -> None:
    """Create the mirrors of a new module from the reply to the call of its constructor."""
    with untrusted_reply(reply.request.session):
        for number, names, rows in reply.tree.get("modules", []):
            if number == module._gradus_number:
                _update_module(module, reply, names, rows)


def _update_module(module: Any, reply: Reply, names: list[Any], rows: list[Any]) -> None:
    require_distinct(names)
    require_distinct(name for name, _ in rows)
    if not {name for name, _ in rows} <= set(names):
        raise WireError("a parameter that the module does not have")
    module._gradus_update([str(name) for name in names], {str(n): changes(reply, found) for n, found in rows})


def _attach(session: Session, reply: Reply) -> None:
    """Attach a graph to each tensor of the reply that has a graph in the cell."""
    request, tree = reply.request, reply.tree
    for index, about in enumerate(reply.about):
        if about.grad in (LEAF, PARAMETER):
            reply.tensors[index] = _leaf_result(reply.tensors[index], about.grad)
        reply.tensors[index]._gradus_metadata = about  # type: ignore[attr-defined]
    if tree.get("record") is None:
        return
    arguments, rewritten = request.shipment.tensors, tree.get("rewritten", [])
    require_distinct(rewritten)
    require_distinct(tree["leaves"])
    require_distinct((owner, name) for owner, name in tree["params"])
    written = [arguments[index_in(index, arguments)] for index in rewritten]
    # If the answer wrote to an argument, this argument is both an input and an output of the new node. A clone serves as the
    # input, because the clone keeps the graph that the argument had before.
    leaves = [(request.graph_input(index_in(index, arguments)), index in set(rewritten)) for index in tree["leaves"]]
    inputs = [tensor.clone() if is_written else tensor for tensor, is_written in leaves]
    inputs += [request.parameter(owner, name) for owner, name in tree["params"]]
    _apply(session, reply, inputs, written)


def _leaf_result(tensor: torch.Tensor, grad: int) -> torch.Tensor:
    return torch.nn.Parameter(tensor) if grad == PARAMETER else tensor.requires_grad_()


def _apply(session: Session, reply: Reply, inputs: list[torch.Tensor], written: list[torch.Tensor]) -> None:
    """Replace the differentiable tensors of the reply by outputs of an autograd node whose backward pass runs in the cell."""
    places = [index for index, about in enumerate(reply.about) if about.grad == RESULT]
    record = _Record(session, int(reply.tree["record"]), inputs)
    if not any(t.requires_grad for t in inputs):
        # The graph depends on tensors in the cell only. A dummy input makes the results require grad here too.
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
    request.during = "in the backward pass"
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
    with untrusted_reply():
        if create_graph and reply.tree.get("record") is not None:
            _apply(session, reply, [*record.inputs, *(c for c in cotangents if c is not None)], [])
    session.apply_and_raise(reply)
    values = value_of(reply)
    _check_gradients(values, record.inputs, wants)
    return list(values)


def _check_gradients(values: Any, inputs: Sequence[torch.Tensor], wants: list[bool]) -> None:
    if not isinstance(values, list) or len(values) != len(wants):
        raise BadReply("a malformed product")
    for value, tensor in zip(values, inputs, strict=True):
        if value is None:
            continue
        if not isinstance(value, torch.Tensor) or value.shape != tensor.shape:
            raise BadReply("a gradient of another shape")
        if value.dtype != tensor.dtype or value.is_meta is not tensor.is_meta:
            raise BadReply("a gradient of another type")
