"""Calls into the cell, and what everything that can be reached there has in common: nothing but what was declared."""

import copy
from typing import Any, NoReturn

import torch

from grader.inside import remote_graph
from grader.inside.givens import is_given
from grader.inside.replies import Reply
from grader.inside.requests import Request
from grader.inside.session import Session
from grader.inside.values import Tree
from grader.testing import write_back
from grader.testing.trees import copied, once_each


def call_with_reply(
    session: Session, to: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, makes: str = "", **more: Any
) -> tuple[Any, Reply]:
    """Call something in the cell; returns the decoded value, and the reply for those who observe."""
    if to[0] == "probe":
        args, kwargs = isolated((args, kwargs))
    request = Request(session, writable=to[0] == "probe" or write_back.active() or session.may_write(to))
    request.makes = makes
    operation = {
        "op": "call",
        "to": to,
        "args": [request.argument(value) for value in args],
        "kwargs": {name: request.argument(value) for name, value in kwargs.items()},
        "ctx": session.context(),
        **more,
    }
    # A forward pass has no use for gradients; whatever else is called may read them.
    grads = to[-1] != "__call__"
    objects = [session.objects[to[1]]] if to[0] == "method" else []
    objects += [obj for obj in request.objects if obj not in objects]
    request.objects = objects
    operation["mirrors"] = [row for obj in objects for row in obj._gradus_push(request, grads=grads)]
    reply = remote_graph.exchange(session, operation, request)
    return remote_graph.value_of(reply), reply


def isolated(tree: Any) -> Any:
    """Arguments of a probe: copies, so that whatever happens to them happens to nothing of the test.

    Tensors that require grad go as they are, because a graph may be wanted through them; generators, because they advance.
    """
    change = once_each(lambda tensor: tensor if tensor.requires_grad else copied(tensor))

    def copy_of(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return change(value)
        if type(value) in (list, tuple):
            return type(value)(copy_of(item) for item in value)
        if isinstance(value, dict):
            return type(value)((key, copy_of(item)) for key, item in value.items())
        return copy.deepcopy(value) if is_given(value) else value

    return copy_of(tree)


class Closed:
    """Refuses everything that is not declared, with a sentence for the test's author."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be reached across the wire: only what challenge.toml declares can")

    def __setattr__(self, name: str, value: Any) -> None:
        # The proxy's own attributes have a prefix, so that none is taken for one of the answer's.
        if not name.startswith("_gradus_"):
            raise AttributeError(f"{name!r} cannot be set across the wire: only what challenge.toml declares is there")
        super().__setattr__(name, value)


class RemoteFunction(Closed):
    """A declared function, a probe, or a method."""

    def __init__(self, session: Session, to: list[Any], *, makes: str = "") -> None:
        self._gradus_session = session
        self._gradus_to = to
        self._gradus_makes = makes
        vars(self)["__name__"] = to[-1]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_with_reply(self._gradus_session, self._gradus_to, args, kwargs, makes=self._gradus_makes)[0]

    def _gradus_tree(self, request: Request) -> Tree:
        """A declared function passed to another is that function itself, without a way through here."""
        return ["e", self._gradus_to[1]] if self._gradus_to[0] == "entry" else NotImplemented


class Handle:
    """A number for something in the cell, as a reply names it."""

    def __init__(self, number: int) -> None:
        self.number = number
