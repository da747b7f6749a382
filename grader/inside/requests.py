"""Arguments on their way to the cell, and what has to be remembered of them until the reply is there."""

import types
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import torch

from grader.inside.givens import encode_given, is_given
from grader.inside.tensors import Shipment
from grader.inside.values import MAX_ARGUMENT_DEPTH, Encoder, Tree, Unsupported

if TYPE_CHECKING:
    from grader.inside.session import Session


class Request(Encoder):
    """The arguments of one operation. The same object twice is the same object on the other side.

    `writable`: what the answer does to them may be done to the test's own. Not otherwise, or an answer could change what an
    expected value is computed from after the call. `makes` is the kind of handle that the result may be: `object`, `iterator`
    or none.
    """

    deepest = MAX_ARGUMENT_DEPTH

    def __init__(self, session: "Session", *, writable: bool = True) -> None:
        super().__init__(self._argument)
        self.session = session
        self.writable = writable
        self.makes = ""
        self.shipment = Shipment(self.blobs)
        self.containers: list[Any] = []
        self.generators: list[torch.Generator] = []
        self.givens: list[Any] = []
        self.objects: list[Any] = []
        self._again: dict[int, Tree] = {}

    def argument(self, value: Any) -> Tree:
        """The tree of an argument. Raises TypeError with a sentence for what does not cross."""
        try:
            return self.encode(value)
        except Unsupported as error:
            raise TypeError(f"{error} cannot be sent to the answer") from None

    def encode(self, value: Any, depth: int = 0) -> Tree:
        """As an encoder does; lists and dicts are remembered, because the answer may change them."""
        tree = super().encode(value, depth)
        if type(value) in (list, dict, OrderedDict) and id(value) not in self._again:
            self._remember(value, self.containers, "C")
        return tree

    def parameter(self, owner: int, name: str) -> torch.Tensor:
        """A parameter that a reply names: of an object of the answer, or (by a negative number) of a given module."""
        if owner >= 0:
            mirror: torch.Tensor = self.session.objects[owner]._gradus_mirrors[name]
            return mirror
        module: torch.nn.Module = self.givens[-1 - owner]
        return module.get_parameter(name)

    def _remember(self, value: Any, among: list[Any], tag: str) -> None:
        self._again[id(value)] = [tag, len(among)]
        among.append(value)

    def _argument(self, value: Any) -> Tree:
        if isinstance(value, torch.Tensor):
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
    """A function of torch by its name; any other becomes a callback."""
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
