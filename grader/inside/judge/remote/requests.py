"""Encodes the arguments of a request to the cell, and remembers what is needed to apply the reply."""

import types
from collections import OrderedDict
from enum import Enum
from typing import TYPE_CHECKING, Any

import torch

from grader.inside.serialization.givens import encode_given, is_given
from grader.inside.serialization.results import own_memory
from grader.inside.serialization.tensors import SentTensors
from grader.inside.serialization.values import MAX_ARGUMENT_DEPTH, Encoder, Tree, Unsupported

if TYPE_CHECKING:
    from grader.inside.judge.remote.session import Session


class Writes(Enum):
    """What to do if the reply reports that the answer changed arguments of the request.

    The cell works on copies of the arguments. The judge applies a change to the test's own objects only if challenge.toml
    allows the entry to change its arguments. Otherwise an answer could change the data from which a test computes its expected
    values.
    """

    NEVER = "a reply that tells of changes is malformed: no arguments of a call were sent"
    REFUSED = "the call fails: the answer wrote to an argument of the test"
    COPIES = "they come back into copies that were made for this call"
    ARGUMENTS = "they come back into the test's own, because challenge.toml says that this entry changes its arguments"


class Request(Encoder):
    """The arguments of one operation. An object that occurs twice in the arguments is a single object in the cell too.

    `makes` says what the operation may create in the cell: `object`, `iterator`, or empty for nothing. `during` is a phrase
    such as «in the backward pass», which the candidate reads if the answer raises an exception at no known line. `originals`
    maps the id of a copied argument to the test's own tensor, because graphs must depend on the test's own tensor.
    """

    deepest = MAX_ARGUMENT_DEPTH

    def __init__(self, session: "Session", writes: Writes = Writes.NEVER) -> None:
        super().__init__()
        self.session = session
        self.writes = writes
        self.makes = ""
        self.during = ""
        self.originals: dict[int, torch.Tensor] = {}
        self.shipment = SentTensors(self.blobs)
        self.containers: list[Any] = []
        self.generators: list[torch.Generator] = []
        self.givens: list[Any] = []
        self.objects: list[Any] = []
        self._again: dict[int, Tree] = {}

    def argument(self, value: Any) -> Tree:
        """Encode an argument. Raises TypeError for a value that cannot be sent."""
        try:
            return self.encode(value)
        except Unsupported as error:
            raise TypeError(f"{error} cannot be sent to the answer") from None

    def encode(self, value: Any, depth: int = 0) -> Tree:
        """Encode a value as `Encoder.encode` does, and remember each list and dict, because the answer may change them."""
        tree = super().encode(value, depth)
        if type(value) in (list, dict, OrderedDict) and id(value) not in self._again:
            self._remember(value, self.containers, "C")
        return tree

    def parameter(self, owner: int, name: str) -> torch.Tensor:
        """Return the parameter to which a reply refers. `owner` is the number of an object of the answer, or a negative number
        for a module of given.py.
        """
        if owner >= 0:
            mirrors = {obj._gradus_number: obj for obj in self.objects}[owner]._gradus_mirrors
            mirror: torch.Tensor = mirrors[name]
            return mirror
        module: torch.nn.Module = self.givens[-1 - owner]
        return module.get_parameter(name)

    @property
    def comes_back(self) -> bool:
        """Whether changes that the answer makes to the arguments are applied to the objects that were sent."""
        return self.writes in (Writes.COPIES, Writes.ARGUMENTS)

    def graph_input(self, index: int) -> torch.Tensor:
        """Return the test's own tensor for the argument with this index. Graphs must depend on this tensor, not on a copy of
        it.
        """
        argument = self.shipment.tensors[index]
        return self.originals.get(id(argument), argument)

    def _remember(self, value: Any, among: list[Any], tag: str) -> None:
        self._again[id(value)] = [tag, len(among)]
        among.append(value)

    def special(self, value: Any) -> Tree:
        """Encode a tensor, an object, a function or a reference to an earlier part of the request."""
        if isinstance(value, torch.Tensor):
            if self.writes is Writes.ARGUMENTS:
                own_memory(value)
            return self.shipment.add(value)
        if id(value) in self._again:
            return self._again[id(value)]
        if isinstance(value, torch.Generator):
            self._remember(value, self.generators, "N")
            return ["gen", *self.blobs.add(value.get_state().numpy().data)]
        handle = getattr(type(value), "_gradus_tree", None)
        if handle is not None:
            return handle(value, self)
        if is_given(value):
            tree = encode_given(value, self.encode)
            self._remember(value, self.givens, "G")
            return tree
        return _function(self.session, value)


def _function(session: "Session", value: Any) -> Tree:
    """Encode a function. A function of torch is sent by name; any other function becomes a callback."""
    if not isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        return NotImplemented
    module, name = getattr(value, "__module__", None) or "torch", value.__name__
    if module.partition(".")[0] == "torch" and _lookup(f"{module}.{name}") is value:
        return ["q", f"{module}.{name}"]
    return ["f", session.callbacks.add(value)]


def _lookup(dotted: str) -> Any:
    value: Any = torch
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, None)
    return value
