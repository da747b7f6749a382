"""What a call leaves behind, as the cell tells it: results, and what was done to arguments, containers, givens and modules."""

from typing import Any

import torch

from grader.inside import parameters
from grader.inside.calls import Incoming, World, contents_of
from grader.inside.givens import has_state
from grader.inside.parameters import Known
from grader.inside.results import pack_result, raw_bytes
from grader.inside.tensors import Arrival, state_of
from grader.inside.values import Encoder, Tree, Unsupported


class Outgoing(Encoder):
    """Values on their way out. Tensors go into one table; a result that *is* an argument or a parameter says so."""

    def __init__(self, incoming: Incoming | None = None) -> None:
        super().__init__(self._result)
        self._owners = incoming.owners if incoming else {}
        self._known: dict[int, Tree] = {}
        self._places: dict[int, int] = {}
        self.tensors: list[torch.Tensor] = []
        self.table: list[Tree] = []
        if incoming is not None:
            self._learn(incoming)

    def _learn(self, incoming: Incoming) -> None:
        arrival = incoming.arrival
        self._known |= {id(container): ["C", i] for i, container in enumerate(incoming.containers)}
        self._known |= {id(given): ["G", i] for i, given in enumerate(incoming.givens)}
        self._known |= {id(value): ["o", number] for number, value in incoming.objects.items()}
        self._known |= {id(tensor): ["A", i] for i, tensor in enumerate(arrival.tensors)}
        for index, tensor in enumerate(arrival.tensors):
            if tensor.device.type != "meta" and not copied(arrival, index):
                self._places.setdefault(tensor.untyped_storage()._cdata, index)

    def _result(self, value: Any) -> Tree:
        if id(value) in self._known:
            return self._known[id(value)]
        # Not isinstance: an object may claim to be of another class.
        if not issubclass(type(value), torch.Tensor):
            return NotImplemented
        return self._parameter(value) or ["S", self.add(value, alias=self._alias(value))]

    def add(self, value: torch.Tensor, *, alias: list[int] | None = None, graph: bool = True) -> int:
        """Put a tensor into the table; returns its index."""
        self.table.append(pack_result(value, self.blobs, alias=alias, graph=graph))
        self.tensors.append(value)
        self._known.setdefault(id(value), ["S", len(self.tensors) - 1])
        return len(self.tensors) - 1

    def plain(self, value: torch.Tensor | None) -> Tree:
        """A tensor by value alone, or None."""
        return None if value is None else ["S", self.add(value.detach(), graph=False)]

    def differentiable(self) -> list[torch.Tensor]:
        """Tensors of the table whose gradients can be asked for: the judge picks the same ones from the metadata."""
        return [tensor for tensor, row in zip(self.tensors, self.table, strict=True) if row[5] == 1]

    def reply(self, tree: dict[str, Any]) -> dict[str, Any]:
        """The reply's tree with the table of tensors that it refers to."""
        return {**tree, "tensors": self.table} if self.table else tree

    def _parameter(self, value: torch.Tensor) -> Tree:
        if not isinstance(value, torch.nn.Parameter):
            return None
        named = ((owner, name, p) for owner, module in self._owners.items() for name, p in module.named_parameters())
        return next((["P", owner, name] for owner, name, parameter in named if parameter is value), None)

    def _alias(self, value: torch.Tensor) -> list[int] | None:
        """Index of an argument with the same storage, and the offset in it (an observation, not evidence)."""
        if value.layout is not torch.strided or value.device.type == "meta":
            return None
        index = self._places.get(value.untyped_storage()._cdata)
        return None if index is None else [index, int(value.storage_offset())]


def copied(arrival: Arrival, index: int) -> bool:
    """Whether an argument is a copy of what was sent: a non-leaf."""
    leaf, tensor = arrival.leaves[index], arrival.tensors[index]
    return leaf is not None and leaf.untyped_storage()._cdata != tensor.untyped_storage()._cdata


def contents(incoming: Incoming, out: Outgoing) -> dict[str, Any]:
    """Lists and dicts among the arguments that hold other items than before, and givens by their own account."""
    rows = []
    for index, container in enumerate(incoming.containers):
        now, before = contents_of(container), incoming.contents[index]
        if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
            incoming.contents[index] = now
            rows.append([index, [out.encode(item, 1) for item in now]])
    givens = [(i, g) for i, g in enumerate(incoming.givens) if not isinstance(g, torch.nn.Module) and has_state(g)]
    states = [[index, out.encode(given.state_dict())] for index, given in givens]
    return {name: value for name, value in (("containers", rows), ("states", states)) if value}


def graph_inputs(incoming: Incoming) -> tuple[list[torch.Tensor], list[torch.Tensor], dict[str, Any]]:
    """Leaves that results may depend on, what stands for them in the graph, and how the judge names them.

    Arguments come first, then parameters of the modules involved.
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


def _leaf(arrival: Arrival, index: int) -> torch.Tensor | None:
    """The leaf behind an argument, also where the answer made one of it."""
    tensor = arrival.tensors[index]
    return arrival.leaves[index] if arrival.leaves[index] is not None else tensor if tensor.is_leaf else None


def rewritten(incoming: Incoming) -> list[int]:
    """Arguments that have become part of another graph: written to in place, with gradients."""
    arrival = incoming.arrival
    return [
        index
        for index, (tensor, state) in enumerate(zip(arrival.tensors, arrival.states, strict=True))
        if tensor.grad_fn is not state.graph and tensor.requires_grad
    ]


def after(world: World, incoming: Incoming, out: Outgoing) -> dict[str, Any]:
    """Everything that is otherwise than the judge knows it, by value; it counts as known from now on."""
    reply = _arguments(incoming, out)
    reply["generators"] = [list(out.blobs.add(g.get_state().numpy().data)) for g in incoming.generators]
    reply["givens"] = [_given(incoming, owner, out) for owner in incoming.given_known]
    reply["modules"] = modules_after(world, out)
    return {name: value for name, value in reply.items() if value}


def _arguments(incoming: Incoming, out: Outgoing) -> dict[str, list[Any]]:
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
    changed = [[i, *out.blobs.add(arrival.storages[i].cpu().numpy().data)] for i in arrival.changed()]
    return {
        "changed": changed,
        "touched": touched,
        "bumped": bumped,
        "flags": flags,
        "grads": grads,
        "replaced": replaced,
    }


def _given(incoming: Incoming, owner: int, out: Outgoing) -> Tree:
    """Parameters and buffers of a given module that have changed, and its mode."""
    module, before = incoming.owners[owner], incoming.given_known[owner]
    tensors = (*module.named_parameters(), *module.named_buffers())
    rows = [_row(name, tensor, before.get(name), out) for name, tensor in tensors]
    return [owner, module.training, [row for row in rows if row[1]]]


def modules_after(world: World, out: Outgoing) -> list[Tree]:
    """Parameters of the answer's own modules, where the judge knows others: [number, all names, changed rows]."""
    found = []
    for number in world.known:
        rows = module_rows(world, number, out)
        if rows is not None:
            found.append(rows)
    return found


def module_rows(world: World, number: int, out: Outgoing) -> Tree:
    """One module's row of `modules_after`, or None where nothing changed."""
    before, named = world.known[number], list(world.object(number).named_parameters())
    rows = [row for name, p in named if (row := _row(name, p, before.get(name), out))[1]]
    names = [name for name, _ in named]
    if not rows and names == list(before):
        return None
    changed = {row[0] for row in rows}
    world.known[number] = {name: parameters.known(p) if name in changed else before[name] for name, p in named}
    return [number, names, rows]


def _row(name: str, tensor: torch.Tensor, before: Known | None, out: Outgoing) -> Tree:
    found = parameters.changes(tensor, before)
    return [name, {key: out.plain(value) if key in parameters.TENSORS else value for key, value in found.items()}]


def refused(error: Unsupported) -> dict[str, Any]:
    """The reply for a value that does not cross."""
    return {"ok": False, "unsupported": error.kind, "detail": str(error)[:500]}
