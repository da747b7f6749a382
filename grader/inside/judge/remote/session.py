"""Implements the judge's side of the connection to a cell: sends an operation, serves callbacks while the operation runs, and
reads the reply.
"""

import os
import socket
import warnings
from typing import Any
from weakref import WeakValueDictionary

from grader.contract.wire import Caps, Frame, Kind, WireClosed, WireError, receive, send
from grader.inside.judge.remote.callbacks import Callbacks
from grader.inside.judge.remote.errors import BadReply, CellGone, RemoteError, UnsupportedResult, remote_error
from grader.inside.judge.remote.replies import Makers, Reply, read, untrusted_reply
from grader.inside.judge.remote.requests import Request
from grader.inside.serialization.context import capture, draw

MAX_BAD_REPLIES = 2
_CATEGORIES = {c.__name__: c for c in (UserWarning, DeprecationWarning, FutureWarning, RuntimeWarning)}


class Session:
    """Exchanges requests and replies with the cell of one judging. `lines` is the number of lines in the answer's source."""

    def __init__(self, sock: socket.socket, caps: Caps, *, lines: int = 0) -> None:
        self._sock = sock
        self._caps = caps
        self._lines = lines
        self._secret = os.urandom(16)
        self._broken = False
        self.callbacks = Callbacks(self)
        self.objects: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.released: list[int] = []
        self.forgotten: list[int] = []
        self.makers: Makers = {}
        self.mutating: set[str] = set()
        self.replies = 0
        self.bad_replies = 0

    def context(self) -> dict[str, Any]:
        """Return the context of a call: grad mode, autocast, default dtype, and seeds derived from the judge's random number
        generators.
        """
        return capture(self._secret)

    def may_write(self, to: list[Any]) -> bool:
        """Return whether challenge.toml declares that a function of the answer may change its arguments in place. For a method,
        the declaration of its class decides.
        """
        name = self.objects[to[1]]._gradus_entry["name"] if to[0] == "method" else to[1]
        return name in self.mutating

    def ask(self, operation: dict[str, Any], request: Request, origin: Request | None = None) -> Reply:
        """Have the cell carry out one operation, and return the reply. The reply refers to the arguments of `request`, or of
        `origin` if that is given: a step of an iterator refers to the call that created the iterator.

        Raises BadReply or CellGone. An exception of the answer is not raised here: call `apply_and_raise` after processing the
        reply.
        """
        if self.bad_replies >= MAX_BAD_REPLIES:
            # Reading a malformed reply may take seconds, so no more requests are sent after MAX_BAD_REPLIES such replies.
            raise BadReply("earlier replies were malformed")
        if self.callbacks.running:
            raise RuntimeError("the answer cannot be called from inside a function that the answer is calling")
        self.callbacks.failures.clear()
        tree = {**operation, "storages": request.shipment.pack()}
        tree |= {"release": _drain(self.released), "forget": _drain(self.forgotten)}
        send(self._sock, Kind.CALL, tree, request.blobs.parts)
        frame = self._await_reply()
        with untrusted_reply(self):
            reply = read(frame, origin or request, self.makers, silent=operation["op"] == "product")
            self.callbacks.drop(reply.tree.get("dropped", []))
        return reply

    def _await_reply(self) -> Frame:
        while True:
            frame = self._receive()
            if frame.kind is Kind.CALLBACK:
                tree, blobs = self.callbacks.serve(frame)
                send(self._sock, Kind.CALLBACK_REPLY, tree, blobs)
            elif frame.kind is Kind.GONE:
                raise CellGone
            else:
                self.replies += 1
                return frame

    def _receive(self) -> Frame:
        if self._broken:
            raise BadReply("an earlier reply could not be read to its end")
        try:
            return receive(self._sock, caps=self._caps, deadline=None)
        except WireClosed:
            raise
        except (WireError, MemoryError) as broken:
            self._broken = True
            raise BadReply(f"a reply that cannot be read: {broken}") from None

    def apply_and_raise(self, reply: Reply) -> None:
        """Issue the answer's warnings in this process, advance the random number generators that the answer used, and raise the
        exception that the answer raised.
        """
        tree = reply.tree
        with untrusted_reply():
            notes = [(_CATEGORIES.get(category, UserWarning), str(text)) for category, text in tree.get("warnings", [])]
            draw(list(tree.get("rng", [])))
            error = self._error(tree)
        if isinstance(error, RemoteError):
            error.during = reply.request.during
        self.callbacks.raise_interruption()
        for category, text in notes[:32]:
            warnings.warn(text, category, stacklevel=5)
        if error is not None:
            raise error

    def _error(self, tree: dict[str, Any]) -> BaseException | None:
        if tree["ok"] is True:
            return None
        if "unsupported" in tree:
            return UnsupportedResult(str(tree["unsupported"])[:80], str(tree.get("detail"))[:500])
        return self.callbacks.failure(tree["error"].get("failure")) or remote_error(tree["error"], self._lines)


def _drain(numbers: list[int]) -> list[int]:
    taken = numbers[:]
    del numbers[: len(taken)]
    return taken
