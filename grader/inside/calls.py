"""Arguments into the cell: what lives there between calls, and how a frame becomes live values."""

import os
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.inside import parameters
from grader.inside.context import applied
from grader.inside.givens import build_given
from grader.inside.parameters import Known
from grader.inside.records import Records
from grader.inside.tensors import Arrival, unpack_storages
from grader.inside.values import MAX_ARGUMENT_DEPTH, Decoder, Tree
from grader.wire import Buffer

MAX_WARNINGS = 32
Owners = dict[int, torch.nn.Module]


class Gone(LookupError):
    """The judge speaks of something that an earlier process held."""


@dataclass
class World:
    """What lives in the cell between calls: the answer's module, objects by number, graphs, and the way back out."""

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
    # Numbers of a process that died must not mean something else in the one that follows.
    last: int = field(default_factory=lambda: int.from_bytes(os.urandom(4), "big") << 20)

    def keep(self, value: Any, entry: dict[str, Any]) -> int:
        """Give an object a number under which the judge can reach what `entry` declares of it."""
        self.last += 1
        self.objects[self.last] = value
        self.declared[self.last] = entry
        return self.last

    def object(self, number: int) -> Any:
        """The object with this number. Raises Gone when an earlier process had it."""
        if number not in self.objects:
            raise Gone("this object was lost when the answer's process ended")
        return self.objects[number]

    def forget(self, number: int) -> None:
        """Let an object go."""
        for table in (self.objects, self.declared, self.known):
            table.pop(number, None)


@dataclass
class Incoming:
    """Decoded arguments of one call."""

    arrival: Arrival
    generators: list[torch.Generator] = field(default_factory=list)
    owners: Owners = field(default_factory=dict)
    objects: dict[int, Any] = field(default_factory=dict)
    givens: list[Any] = field(default_factory=list)
    given_known: dict[int, dict[str, Known]] = field(default_factory=dict)
    containers: list[Any] = field(default_factory=list)
    contents: list[list[Any]] = field(default_factory=list)
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)


def decode_arguments(world: World, blob: Buffer, tree: dict[str, Any]) -> Incoming:
    """Arguments of a frame as live values of this process."""
    incoming = Incoming(unpack_storages(blob, tree.get("storages", []), world.device))
    decoder = ArgumentDecoder(world, incoming, blob)
    incoming.args = [decoder.decode(item) for item in tree.get("args", [])]
    incoming.kwargs = {name: decoder.decode(item) for name, item in tree.get("kwargs", {}).items()}
    for number, name, found in tree.get("mirrors", []):
        _write_mirror(
            world, number, name, {k: decoder.decode(v) if k in parameters.TENSORS else v for k, v in found.items()}
        )
    return incoming


def _write_mirror(world: World, number: int, name: str, found: parameters.Changes) -> None:
    """A parameter that the test changed on its side since the last call."""
    parameter = world.object(number).get_parameter(name)
    parameters.apply(parameter, found)
    world.known[number][name] = parameters.known(parameter)


class ArgumentDecoder(Decoder):
    """Adds tensors, objects, entry points, callbacks, torch functions by name, generators and givens."""

    deepest = MAX_ARGUMENT_DEPTH

    def __init__(self, world: World, incoming: Incoming, blob: Buffer) -> None:
        super().__init__(blob, self._argument)
        self._world = world
        self._incoming = incoming

    def decode(self, tree: Tree, depth: int = 0) -> Any:
        """As a decoder does; lists and dicts are remembered, so that what the answer does to them can be told."""
        value = super().decode(tree, depth)
        if type(value) in (list, dict) and tree[0] in ("l", "d"):
            self._incoming.containers.append(value)
            self._incoming.contents.append(contents_of(value))
        return value

    def _argument(self, tag: str, rest: list[Any]) -> Any:
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
    """The items of a list or dict, to be compared with later ones by identity."""
    return container[:] if isinstance(container, list) else [part for item in container.items() for part in item]


def _callback(world: World, number: int) -> Callable[..., Any]:
    def callback(*args: Any, **kwargs: Any) -> Any:
        return world.callback(number, list(args), kwargs)

    return callback


def _qualified(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def run_in_context(world: World, context: dict[str, Any], target: Callable[[], Any], notes: dict[str, Any]) -> Any:
    """Run `target` as the judge would have; warnings and drawn randomness go into `notes`, also when it raises."""
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
