"""Builds the cell's reply to a call: the result, and the changes that the call made to arguments, lists and dicts, objects of
given.py and modules.
"""

from collections.abc import Iterable
from typing import Any

import torch

from grader.inside.cell.arguments import CallArguments, CellState, contents_of
from grader.inside.serialization import parameters
from grader.inside.serialization.givens import has_state
from grader.inside.serialization.parameters import Known
from grader.inside.serialization.results import extent, pack_result, raw_bytes
from grader.inside.serialization.tensors import ReceivedTensors, state_of
from grader.inside.serialization.values import Encoder, Tree, Unsupported


class ResultEncoder(Encoder):
    """Encodes results. Each new tensor is added to one table. If a result is itself an argument or a parameter, only a
    reference to that argument or parameter is sent.
    """

    def __init__(self, incoming: CallArguments | None = None) -> None:
        super().__init__()
        self._owners = incoming.owners if incoming else {}
        self._known: dict[int, Tree] = {}
        self._places: dict[int, list[int]] = {}
        self._arguments: list[torch.Tensor] = []
        self.tensors: list[torch.Tensor] = []
        self.table: list[Tree] = []
        if incoming is not None:
            self._learn(incoming)

    def _learn(self, incoming: CallArguments) -> None:
        arrival = incoming.arrival
        self._arguments = arrival.tensors
        self._known |= {id(container): ["C", i] for i, container in enumerate(incoming.containers)}
        self._known |= {id(given): ["G", i] for i, given in enumerate(incoming.givens)}
        self._known |= {id(value): ["o", number] for number, value in incoming.objects.items()}
        self._known |= {id(tensor): ["A", i] for i, tensor in enumerate(arrival.tensors)}
        for index, tensor in enumerate(arrival.tensors):
            if tensor.device.type != "meta" and not copied(arrival, index):
                self._places.setdefault(tensor.untyped_storage()._cdata, []).append(index)

    def special(self, value: Any) -> Tree:
        """Encode a tensor, or a reference to an object of the request."""
        if id(value) in self._known:
            return self._known[id(value)]
        # isinstance() is not used, because an object can override `__class__` and so pretend to be a tensor.
        if not issubclass(type(value), torch.Tensor):
            return NotImplemented
        return self._parameter(value) or ["S", self.add(value, alias=self._alias(value))]

    def add(self, value: torch.Tensor, *, alias: list[int] | None = None, graph: bool = True) -> int:
        """Add a tensor to the table and return its index."""
        self.table.append(pack_result(value, self.blobs, alias=alias, graph=graph))
        self.tensors.append(value)
        self._known.setdefault(id(value), ["S", len(self.tensors) - 1])
        return len(self.tensors) - 1

    def plain(self, value: torch.Tensor | None) -> Tree:
        """Encode the values of a tensor without its graph. Returns None for None."""
        return None if value is None else ["S", self.add(value.detach(), graph=False)]

    def differentiable(self) -> list[torch.Tensor]:
        """Return the tensors of the table whose gradients can be requested. The judge derives the same list from the tensors'
        metadata.
        """
        return [tensor for tensor, row in zip(self.tensors, self.table, strict=True) if row[5] == 1]

    def reply(self, tree: dict[str, Any]) -> dict[str, Any]:
        """Return the reply's tree, with the table of tensors added."""
        return {**tree, "tensors": self.table} if self.table else tree

    def _parameter(self, value: torch.Tensor) -> Tree:
        if not isinstance(value, torch.nn.Parameter):
            return None
        named = ((owner, name, p) for owner, module in self._owners.items() for name, p in module.named_parameters())
        return next((["P", owner, name] for owner, name, parameter in named if parameter is value), None)

    def _alias(self, value: torch.Tensor) -> list[int] | None:
        """If the tensor lies in the memory of an argument, return the argument's index and the tensor's offset in the storage,
        otherwise None. The judge verifies this claim.
        """
        if value.layout is not torch.strided or value.device.type == "meta":
            return None
        first, last = extent(value)
        for index in self._places.get(value.untyped_storage()._cdata, []):
            begins, ends = extent(self._arguments[index])
            if begins <= first and last <= ends:
                return [index, first]
        return None


def copied(arrival: ReceivedTensors, index: int) -> bool:
    """Return whether the answer received a copy of the leaf tensor that the cell built for this argument.

    If the test passes a tensor that is not a leaf, the cell builds a leaf and gives the answer a copy of this leaf. If a copy
    would have different strides, the answer gets a view of the leaf instead.
    """
    leaf, tensor = arrival.leaves[index], arrival.tensors[index]
    return leaf is not None and leaf.untyped_storage()._cdata != tensor.untyped_storage()._cdata


def contents(incoming: CallArguments, out: ResultEncoder) -> dict[str, Any]:
    """Report the lists and dicts among the arguments whose items have changed, and the state_dict() of each object of given.py
    that is not a module.
    """
    rows = []
    for index, container in enumerate(incoming.containers):
        now, before = contents_of(container), incoming.contents[index]
        if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
            incoming.contents[index] = now
            rows.append([index, [out.encode(item, 1) for item in now]])
    givens = [(i, g) for i, g in enumerate(incoming.givens) if not isinstance(g, torch.nn.Module) and has_state(g)]
    states = [[index, out.encode(given.state_dict())] for index, given in givens]
    return {name: value for name, value in (("containers", rows), ("states", states)) if value}


def graph_inputs(incoming: CallArguments) -> tuple[list[torch.Tensor], list[torch.Tensor], dict[str, Any]]:
    """Return the leaf tensors on which results can depend, the tensors that the answer received for these leaves, and the names
    by which the judge knows the leaves.

    Leaves of the arguments come first, followed by parameters of the modules that the call uses. The judge knows the former by
    the index of the argument, the latter by the module's number and the parameter's name.
    """
    arrival = incoming.arrival
    indices = [i for i in range(len(arrival.tensors)) if (leaf := _leaf(arrival, i)) is not None and leaf.requires_grad]
    leaves = [leaf for i in indices if (leaf := _leaf(arrival, i)) is not None]
    saved = [arrival.tensors[i] for i in indices]
    names = []
    for owner, module in incoming.owners.items():
        for name, parameter in module.named_parameters():
            if parameter.requires_grad:
                leaves.append(parameter)
                saved.append(parameter)
                names.append([owner, name])
    return leaves, saved, {"leaves": indices, "params": names}


def _leaf(arrival: ReceivedTensors, index: int) -> torch.Tensor | None:
    """Return the leaf tensor for an argument: the leaf from which the cell made the argument, or the argument itself if it is a
    leaf. Returns None if there is no such leaf.
    """
    tensor = arrival.tensors[index]
    return arrival.leaves[index] if arrival.leaves[index] is not None else tensor if tensor.is_leaf else None


def rewritten(incoming: CallArguments) -> list[int]:
    """Return the indices of arguments that have a new grad_fn, because the answer wrote to them in place in grad mode."""
    arrival = incoming.arrival
    return [
        index
        for index, (tensor, state) in enumerate(zip(arrival.tensors, arrival.states, strict=True))
        if tensor.grad_fn is not state.graph and tensor.requires_grad
    ]


def after(world: CellState, incoming: CallArguments, out: ResultEncoder) -> dict[str, Any]:
    """Report the current values of everything that has changed since the last reply. The next reply will not repeat them,
    because the judge then knows them.
    """
    reply = _arguments(incoming, out)
    reply["generators"] = [list(out.blobs.add(g.get_state().numpy().data)) for g in incoming.generators]
    reply["givens"] = [_given(incoming, owner, out) for owner in incoming.given_known]
    reply["modules"] = modules_after(world, out)
    return {name: value for name, value in reply.items() if value}


def _arguments(incoming: CallArguments, out: ResultEncoder) -> dict[str, list[Any]]:
    arrival = incoming.arrival
    touched, bumped, flags, grads, replaced = [], [], [], [], []
    for index, (tensor, state) in enumerate(zip(arrival.tensors, arrival.states, strict=True)):
        now = state_of(tensor)
        if now.place != state.place:
            replaced.append([index, out.plain(tensor)])
        elif now.version != state.version:
            if copied(arrival, index):
                touched.append([index, *out.blobs.add(raw_bytes(tensor.cpu()))])
            else:
                bumped.append(index)
        if tensor.is_leaf and now.requires_grad is not state.requires_grad:
            flags.append([index, now.requires_grad])
        if tensor.is_leaf and now.grad is not state.grad:
            grads.append([index, out.plain(now.grad)])
        arrival.states[index] = now
    changed = [[i, *out.blobs.add(arrival.sent(i))] for i in arrival.changed()]
    return {
        "changed": changed,
        "touched": touched,
        "bumped": bumped,
        "flags": flags,
        "grads": grads,
        "replaced": replaced,
    }


def _given(incoming: CallArguments, owner: int, out: ResultEncoder) -> Tree:
    """Report the changed parameters and buffers of a module of given.py, and whether it is in training mode."""
    module, before = incoming.owners[owner], incoming.given_known[owner]
    tensors = (*module.named_parameters(), *module.named_buffers())
    return [owner, module.training, _rows(tensors, before, out)]


def modules_after(world: CellState, out: ResultEncoder) -> list[Tree]:
    """Report the parameters of the answer's modules that differ from what the judge knows.

    Returns one row for each changed module: [number, names of all parameters, rows of the changed parameters].
    """
    found = []
    for number in world.known:
        rows = module_rows(world, number, out)
        if rows is not None:
            found.append(rows)
    return found


def module_rows(world: CellState, number: int, out: ResultEncoder) -> Tree:
    """Return one module's row for `modules_after`, or None if nothing has changed."""
    before, named = world.known[number], list(world.object(number).named_parameters())
    rows = _rows(named, before, out)
    names = [name for name, _ in named]
    if not rows and names == list(before):
        return None
    changed = {row[0] for row in rows}
    world.known[number] = {name: parameters.known(p) if name in changed else before[name] for name, p in named}
    return [number, names, rows]


def _rows(named: Iterable[tuple[str, torch.Tensor]], before: dict[str, Known], out: ResultEncoder) -> list[Tree]:
    """Return a row [name, changes] for each parameter or buffer that differs from `before`."""
    changed = ((name, found) for name, tensor in named if (found := parameters.changes(tensor, before.get(name))))
    return [
        [name, {k: out.plain(v) if k in parameters.TENSORS else v for k, v in found.items()}] for name, found in changed
    ]


def refused(error: Unsupported) -> dict[str, Any]:
    """Return the reply for a value whose type cannot be sent to the judge."""
    return {"ok": False, "unsupported": error.kind, "detail": str(error)[:500]}
