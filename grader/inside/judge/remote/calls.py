"""Makes calls into the cell. Also defines the base class of the proxies for objects in the cell. A proxy gives access only to
what challenge.toml declares.
"""

import copy
from typing import Any, NoReturn

import torch

from grader.inside.judge.remote import graph
from grader.inside.judge.remote.replies import Reply
from grader.inside.judge.remote.requests import Request, Writes
from grader.inside.judge.remote.session import Session
from grader.inside.serialization.givens import is_given
from grader.inside.serialization.values import Tree
from grader.testing.comparison.trees import copied, once_each


def call_with_reply(
    session: Session, to: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, makes: str = "", **more: Any
) -> tuple[Any, Reply]:
    """Call an entry, a method or a probe in the cell. Returns the decoded value and the whole reply, which may contain
    observations.
    """
    request = Request(session, _writes(session, to))
    if request.writes is Writes.COPIES:
        args, kwargs = isolated((args, kwargs), request.originals)
    request.makes = makes
    request.during = _during(session, to)
    operation = {
        "op": "call",
        "to": to,
        "args": [request.argument(value) for value in args],
        "kwargs": {name: request.argument(value) for name, value in kwargs.items()},
        "ctx": session.context(),
        **more,
    }
    # A mirror is the judge's copy of a module's parameter. The gradients of mirrors are sent too, unless the test calls the
    # module itself: a forward pass does not use gradients.
    grads = to[-1] != "__call__"
    objects = [session.objects[to[1]]] if to[0] == "method" else []
    objects += [obj for obj in request.objects if obj not in objects]
    request.objects = objects
    operation["mirrors"] = [row for obj in objects for row in obj._gradus_push(request, grads=grads)]
    reply = graph.exchange(session, operation, request)
    return graph.value_of(reply), reply


def _writes(session: Session, to: list[Any]) -> Writes:
    """Return what to do if the call changes its arguments. A probe works on copies of the arguments. Any other call may change
    its arguments only if challenge.toml says so.
    """
    if to[0] == "probe":
        return Writes.COPIES
    return Writes.ARGUMENTS if session.may_write(to) else Writes.REFUSED


def _during(session: Session, to: list[Any]) -> str:
    """Return a phrase that says when an exception was raised. The candidate reads it if the
    traceback contains no line of the answer."""
    if to[0] == "probe":
        return "while the test worked with your code"
    name = session.objects[to[1]]._gradus_entry["name"] if to[-1] == "__call__" else to[-1]
    return f"when {name} was called"


def isolated(tree: Any, originals: dict[int, torch.Tensor]) -> Any:
    """Copy a probe's arguments, so that the probe cannot change objects of the test.

    For each copy that requires grad, `originals` maps the id of the copy to the test's own tensor, because graphs must depend
    on the test's own tensor. Random number generators are not copied: the probe advances those of the test.
    """

    def own(tensor: torch.Tensor) -> torch.Tensor:
        copy = copied(tensor)
        if not tensor.requires_grad:
            return copy
        copy.requires_grad_()
        if tensor.is_leaf:
            copy = torch.nn.Parameter(copy) if isinstance(tensor, torch.nn.Parameter) else copy
            copy.grad = None if tensor.grad is None else copied(tensor.grad)
        else:
            copy = copy.clone() if copy.clone().stride() == copy.stride() else copy.view_as(copy)
        originals[id(copy)] = tensor
        return copy

    change = once_each(own)

    def copy_of(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return change(value)
        if type(value) in (list, tuple):
            return type(value)(copy_of(item) for item in value)
        if isinstance(value, dict):
            return type(value)((key, copy_of(item)) for key, item in value.items())
        return copy.deepcopy(value) if is_given(value) else value

    return copy_of(tree)


class ClosedProxy:
    """Raises an error for every attribute that is not declared, with a message for the author of the test."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be reached across the wire: only what challenge.toml declares can")

    def __setattr__(self, name: str, value: Any) -> None:
        # The proxy's own attributes have a prefix, so that they cannot clash with attributes of the answer.
        if not name.startswith("_gradus_"):
            raise AttributeError(f"{name!r} cannot be set across the wire: only what challenge.toml declares is there")
        super().__setattr__(name, value)


class RemoteFunction(ClosedProxy):
    """A proxy for a declared function, a probe or a method. Calling the proxy makes a call in the cell."""

    def __init__(self, session: Session, to: list[Any], *, makes: str = "") -> None:
        self._gradus_session = session
        self._gradus_to = to
        self._gradus_makes = makes
        vars(self)["__name__"] = to[-1]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_with_reply(self._gradus_session, self._gradus_to, args, kwargs, makes=self._gradus_makes)[0]

    def _gradus_tree(self, request: Request) -> Tree:
        """Encode a declared function that is passed to another call as an argument. The function is sent by name, so the cell
        can call it without a callback.
        """
        return ["e", self._gradus_to[1]] if self._gradus_to[0] == "entry" else NotImplemented


class Handle:
    """A reference, in a reply, to an object in the cell."""

    def __init__(self, number: int) -> None:
        self.number = number
