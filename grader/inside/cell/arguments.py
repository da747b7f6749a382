"""Decodes the arguments of a call that the judge makes to the answer. Stores what the cell must keep between calls."""

import os
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.contract.wire import Buffer
from grader.inside.cell.graphs import Records
from grader.inside.serialization import parameters
from grader.inside.serialization.context import applied
from grader.inside.serialization.givens import build_given
from grader.inside.serialization.parameters import Known
from grader.inside.serialization.tensors import ReceivedTensors, unpack_storages
from grader.inside.serialization.values import MAX_ARGUMENT_DEPTH, Decoder, Tree

MAX_WARNINGS = 32
Owners = dict[int, torch.nn.Module]


class ObjectLost(LookupError):
    """The judge referred to an object that was lost when an earlier process of the cell ended."""


@dataclass
class CellState:
    """Everything that the cell keeps from one call to the next: the answer's module, the objects of the answer to which the
    judge refers by number, autograd graphs, and the function that sends a callback to the judge.
    """

    solution: types.ModuleType
    probes: types.ModuleType
    given: types.ModuleType
    entries: dict[str, dict[str, Any]]
    device: torch.device
    callback: Callable[[int, list[Any], dict[str, Any]], Any]
    records: Records = field(default_factory=Records)
    objects: dict[int, Any] = field(default_factory=dict)
    declared: dict[int, dict[str, Any]] = field(default_factory=dict)
    known: dict[int, dict[str, Known]] = field(default_factory=dict)
    dropped: list[int] = field(default_factory=list)
    # The number of the last stored object. It starts at a random value: if this process dies, the process that replaces it does
    # not know the old numbers and rejects them.
    last: int = field(default_factory=lambda: int.from_bytes(os.urandom(4), "big") << 20)

    def keep(self, value: Any, entry: dict[str, Any]) -> int:
        """Store an object and return its number. `entry` declares which methods and attributes the judge can use."""
        self.last += 1
        self.objects[self.last] = value
        self.declared[self.last] = entry
        return self.last

    def object(self, number: int) -> Any:
        """Return the object with this number. Raises ObjectLost if the object belonged to a process that has ended."""
        if number not in self.objects:
            raise ObjectLost("this object was lost when the answer's process ended")
        return self.objects[number]

    def forget(self, number: int) -> None:
        """Drop an object and everything stored about it."""
        for table in (self.objects, self.declared, self.known):
            table.pop(number, None)


@dataclass
class CallArguments:
    """The decoded arguments of one call."""

    arrival: ReceivedTensors
    generators: list[torch.Generator] = field(default_factory=list)
    owners: Owners = field(default_factory=dict)
    objects: dict[int, Any] = field(default_factory=dict)
    givens: list[Any] = field(default_factory=list)
    given_known: dict[int, dict[str, Known]] = field(default_factory=dict)
    containers: list[Any] = field(default_factory=list)
    contents: list[list[Any]] = field(default_factory=list)
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)


def decode_arguments(world: CellState, blob: Buffer, tree: dict[str, Any]) -> CallArguments:
    """Decode the arguments of a request. Also apply the request's `mirrors`: the changes that the test has made to parameters
    of the answer's modules.
    """
    incoming = CallArguments(unpack_storages(blob, tree.get("storages", []), world.device))
    decoder = ArgumentDecoder(world, incoming, blob)
    incoming.args = [decoder.decode(item) for item in tree.get("args", [])]
    incoming.kwargs = {name: decoder.decode(item) for name, item in tree.get("kwargs", {}).items()}
    for number, name, found in tree.get("mirrors", []):
        _write_mirror(
            world, number, name, {k: decoder.decode(v) if k in parameters.TENSORS else v for k, v in found.items()}
        )
    return incoming


def _write_mirror(world: CellState, number: int, name: str, found: parameters.Changes) -> None:
    """Update a parameter of the answer. `found` holds the changes that the test has made to the judge's copy of this parameter
    since the last call.
    """
    parameter = world.object(number).get_parameter(name)
    parameters.apply(parameter, found)
    world.known[number][name] = parameters.known(parameter)


class ArgumentDecoder(Decoder):
    """Decodes arguments: plain values, tensors, objects, entry points, callbacks, torch functions by name, random number
    generators, and instances of classes in given.py.
    """

    deepest = MAX_ARGUMENT_DEPTH

    def __init__(self, world: CellState, incoming: CallArguments, blob: Buffer) -> None:
        super().__init__(blob)
        self._world = world
        self._incoming = incoming

    def decode(self, tree: Tree, depth: int = 0) -> Any:
        """Decode a value as `Decoder.decode` does, and remember each list and dict, so that the answer's changes to them can be
        reported.
        """
        value = super().decode(tree, depth)
        if type(value) in (list, dict) and tree[0] in ("l", "d"):
            self._incoming.containers.append(value)
            self._incoming.contents.append(contents_of(value))
        return value

    def special(self, tag: str, rest: list[Any]) -> Any:
        """Decode a tensor, an object, a function or a reference to an earlier part of the request."""
        incoming = self._incoming
        if tag == "T":
            return incoming.arrival.add(rest)
        if tag == "given":
            return self._given(rest)
        again = {"A": incoming.arrival.tensors, "C": incoming.containers, "G": incoming.givens}
        again["N"] = incoming.generators
        if tag in again:
            return again[tag][rest[0]]
        if tag == "gen":
            return self._generator(rest)
        if tag == "o":
            return self._object(rest[0])
        if tag == "f":
            return _callback(self._world, rest[0])
        if tag == "e":
            return getattr(self._world.solution, rest[0])
        return _qualified(rest[0]) if tag == "q" else NotImplemented

    def _object(self, number: int) -> Any:
        value = self._world.object(number)
        self._incoming.objects[number] = value
        if isinstance(value, torch.nn.Module):
            self._incoming.owners[number] = value
        return value

    def _generator(self, rest: list[Any]) -> torch.Generator:
        made = torch.Generator()
        made.set_state(torch.frombuffer(bytearray(self.bytes_at(*rest)), dtype=torch.uint8))
        self._incoming.generators.append(made)
        return made

    def _given(self, rest: list[Any]) -> Any:
        value = build_given(self._world.given, rest, self)
        self._incoming.givens.append(value)
        if isinstance(value, torch.nn.Module):
            owner = -len(self._incoming.givens)
            self._incoming.owners[owner] = value
            self._incoming.given_known[owner] = {
                name: parameters.known(tensor) for name, tensor in (*value.named_parameters(), *value.named_buffers())
            }
        return value


def contents_of(container: Any) -> list[Any]:
    """Return the items of a list, or the keys and values of a dict. `effects.contents` later compares them by identity to find
    changes.
    """
    return container[:] if isinstance(container, list) else [part for item in container.items() for part in item]


def _callback(world: CellState, number: int) -> Callable[..., Any]:
    def callback(*args: Any, **kwargs: Any) -> Any:
        return world.callback(number, list(args), kwargs)

    return callback


def _qualified(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def run_in_context(world: CellState, context: dict[str, Any], target: Callable[[], Any], notes: dict[str, Any]) -> Any:
    """Run `target` in the context that the judge sent with the call: grad mode, autocast, default dtype and seeds.

    Adds two lists to `notes`, even if `target` raises: the warnings that were issued, and the libraries whose random number
    generators were used.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with applied(context, world.device) as drawn:
            try:
                return target()
            finally:
                notes["rng"] = drawn.names()
                notes["warnings"] = [[_category(w.category), str(w.message)[:500]] for w in caught[:MAX_WARNINGS]]


def _category(category: type[Warning]) -> str:
    names = ("UserWarning", "DeprecationWarning", "FutureWarning", "RuntimeWarning")
    return next((c.__name__ for c in category.__mro__ if c.__name__ in names), "UserWarning")
