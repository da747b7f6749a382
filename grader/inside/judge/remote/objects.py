"""Defines proxies for objects of the answer's classes. A hidden test can call these objects, and use their declared methods
(dunder methods too) and attributes.
"""

from typing import Any

from grader.inside.judge.remote import graph
from grader.inside.judge.remote.calls import ClosedProxy, RemoteFunction
from grader.inside.judge.remote.requests import Request, Writes
from grader.inside.judge.remote.session import Session
from grader.inside.serialization.values import Tree


class RemoteObject(ClosedProxy):
    """A proxy for an object in the cell. When the proxy is deleted, the next request tells the cell to drop the object."""

    def __init__(self, session: Session, number: int, entry: dict[str, Any]) -> None:
        self._gradus_session = session
        self._gradus_entry = entry
        self._gradus_number = number
        session.objects[number] = self

    def __del__(self) -> None:
        self._gradus_session.forgotten.append(self._gradus_number)

    def _gradus_tree(self, request: Request) -> Tree:
        """Encode a reference to this object."""
        request.objects.append(self)
        return ["o", self._gradus_number]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._gradus_method("__call__")(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name in self._gradus_entry["methods"]:
            return self._gradus_method(name)
        if name in self._gradus_entry["attributes"]:
            return self._gradus_get(name)
        return super().__getattr__(name)

    def _gradus_method(self, name: str) -> "RemoteMethod":
        return RemoteMethod(self, name)

    def _gradus_get(self, name: str) -> Any:
        session, number = self._gradus_session, self._gradus_number
        operation = {"op": "get", "object": number, "name": name, "ctx": session.context()}
        request = Request(session, Writes.REFUSED)
        request.objects, request.during = [self], f"when {name} was read"
        operation["mirrors"] = self._gradus_push(request, grads=False)
        return graph.call(session, operation, request)

    def _gradus_push(self, request: Request, *, grads: bool) -> list[Any]:
        """Encode the changes that the test has made to this object. The list is empty: a test can change only modules."""
        return []


class RemoteMethod(RemoteFunction):
    """A method of an object in the cell. It refers to the proxy, so the object lives at least as long as the method."""

    def __init__(self, owner: RemoteObject, name: str) -> None:
        makes = "iterator" if name == "__iter__" else ""
        super().__init__(owner._gradus_session, ["method", owner._gradus_number, name], makes=makes)
        self._gradus_owner = owner
