"""The fixtures `solution` and `probes` of a hidden test. They give access to the functions and classes of the answer that
challenge.toml declares.

Tests can use functions, objects of declared classes, and iterators; anything else raises an error that says so. A tensor that
the answer returns has a graph: its backward pass is a vector-Jacobian product computed in the cell, so `.backward()` and
gradcheck work as usual.
"""

from collections.abc import Callable, Iterator
from typing import Any

from grader.contract.wire import WireError
from grader.inside.judge.remote import graph
from grader.inside.judge.remote.calls import ClosedProxy, Handle, RemoteFunction, call_with_reply
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.modules import RemoteModule
from grader.inside.judge.remote.objects import RemoteObject
from grader.inside.judge.remote.requests import Request
from grader.inside.judge.remote.session import Session
from grader.inside.serialization.values import Tree


class RemoteAutogradFunction(ClosedProxy):
    """A torch.autograd.Function of the answer that challenge.toml declares. A test can use only its method `apply`."""

    def __init__(self, session: Session, name: str) -> None:
        vars(self)["apply"] = RemoteFunction(session, ["entry", name])


class RemoteIterator(ClosedProxy):
    """An iterator that stays in the cell. Each step fetches one value. `request` is the call that created the iterator."""

    def __init__(self, session: Session, number: int, request: Request) -> None:
        self._gradus_session = session
        self._gradus_number = number
        self._gradus_request = request

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        session = self._gradus_session
        operation = {"op": "next", "object": self._gradus_number, "ctx": session.context()}
        return graph.call(session, operation, Request(session), self._gradus_request)

    def __del__(self) -> None:
        self._gradus_session.forgotten.append(self._gradus_number)


class RemoteClass(ClosedProxy):
    """A class of the answer that challenge.toml declares. Calling it creates an object in the cell."""

    def __init__(self, session: Session, entry: dict[str, Any]) -> None:
        self._gradus_session = session
        self._gradus_entry = entry
        self._gradus_type = _type_for(entry)
        vars(self)["__name__"] = entry["name"]

    def __call__(self, *args: Any, **kwargs: Any) -> RemoteObject:
        name = self._gradus_entry["name"]
        handle, reply = call_with_reply(self._gradus_session, ["entry", name], args, kwargs, makes="object")
        if not isinstance(handle, Handle):
            raise BadReply("an object was expected")
        made = self._gradus_type(self._gradus_session, handle.number, self._gradus_entry)
        if isinstance(made, RemoteModule):
            graph.create_mirrors(made, reply)
        return made

    def _gradus_tree(self, request: Request) -> Tree:
        """Encode a reference to the class, for a call that takes the class as an argument."""
        return ["e", self._gradus_entry["name"]]


def _type_for(entry: dict[str, Any]) -> type[RemoteObject]:
    """Create a proxy class that has the declared dunder methods, because Python looks up dunder methods on the type and not on
    the instance.
    """
    base = RemoteModule if entry["kind"] == "module" else RemoteObject
    dunders = {n: _dunder(n) for n in entry["methods"] if n.startswith("__") and n.endswith("__") and n != "__call__"}
    return type(base.__name__, (base,), dunders)


def _dunder(name: str) -> Any:
    def method(self: RemoteObject, *args: Any, **kwargs: Any) -> Any:
        return self._gradus_method(name)(*args, **kwargs)

    return method


class Solution(ClosedProxy):
    """The fixture `solution`: gives access to the functions and classes of the answer that challenge.toml declares."""

    def __init__(self, session: Session, entries: list[dict[str, Any]]) -> None:
        session.makers |= {"o": _object, "it": _iterator}
        session.mutating = {entry["name"] for entry in entries if entry.get("mutates")}
        for entry in entries:
            vars(self)[entry["name"]] = _entry(session, entry)


def _object(rest: list[Any], request: Request) -> Any:
    """Return the object with the number `rest[0]` among the objects that took part in the request. If the request creates an
    object, return a handle for the new object.

    Raises WireError for any other number: the cell must not be able to return another object, for example one whose `__eq__`
    always returns true.
    """
    known = [obj for obj in request.objects if obj._gradus_number == rest[0]]
    if not known and request.makes != "object":
        raise WireError("an object that was not asked for")
    return known[0] if known else Handle(int(rest[0]))


def _iterator(rest: list[Any], request: Request) -> RemoteIterator:
    if request.makes != "iterator":
        raise WireError("an iterator that was not asked for")
    request.during = "when the next value was asked for"
    return RemoteIterator(request.session, int(rest[0]), request)


def _entry(session: Session, entry: dict[str, Any]) -> Any:
    if entry["kind"] == "function":
        makes = "iterator" if entry["returns"] == "iterator" else ""
        return RemoteFunction(session, ["entry", entry["name"]], makes=makes)
    if entry["kind"] == "autograd_function":
        return RemoteAutogradFunction(session, entry["name"])
    return RemoteClass(session, entry)


class Probes:
    """The fixture `probes`: gives access to the functions of the author's probes.py, which run in the cell. `probes.drive(3)`
    calls `drive(solution, 3)` there.
    """

    def __init__(self, session: Session, local: Any) -> None:
        self._session = session
        self._local = local

    def __getattr__(self, name: str) -> RemoteFunction:
        _probe(self._local, name)
        return RemoteFunction(self._session, ["probe", name])

    def on(self, module: Any) -> "LocalProbes":
        """Return the same probes, bound to a trusted module such as the reference. Bound probes run in the judge."""
        return LocalProbes(self._local, module)


class LocalProbes:
    """Probes that run in this process, on a local module."""

    def __init__(self, probes: Any, module: Any) -> None:
        self._probes = probes
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        probe = _probe(self._probes, name)
        return lambda *args, **kwargs: probe(self._module, *args, **kwargs)


def _probe(probes: Any, name: str) -> Callable[..., Any]:
    function = getattr(probes, name, None)
    if name.startswith("_") or not callable(function):
        raise AttributeError(f"probes.py has no function {name!r}")
    return function  # type: ignore[no-any-return]
