"""Objects of the answer's classes, as a hidden test holds them: calls, declared methods (dunders too) and attributes."""

from typing import Any

from grader.inside import remote_graph
from grader.inside.remote_calls import Closed, RemoteFunction
from grader.inside.requests import Request
from grader.inside.session import Session
from grader.inside.values import Tree


class RemoteObject(Closed):
    """An object in the cell. It is forgotten there when the test lets go of it here."""

    def __init__(self, session: Session, number: int, entry: dict[str, Any]) -> None:
        self._gradus_session = session
        self._gradus_entry = entry
        self._gradus_number = number
        session.objects[number] = self

    def __del__(self) -> None:
        self._gradus_session.forgotten.append(self._gradus_number)

    def _gradus_tree(self, request: Request) -> Tree:
        """How this object is named in a request."""
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
        request = Request(session)
        operation["mirrors"] = self._gradus_push(request, grads=False)
        return remote_graph.call(session, operation, request)

    def _gradus_push(self, request: Request, *, grads: bool) -> list[Any]:
        """Rows for what the test changed of this object. Only modules have something to tell."""
        return []


class RemoteMethod(RemoteFunction):
    """A method; it keeps its object alive."""

    def __init__(self, owner: RemoteObject, name: str) -> None:
        makes = "iterator" if name == "__iter__" else ""
        super().__init__(owner._gradus_session, ["method", owner._gradus_number, name], makes=makes)
        self._gradus_owner = owner
