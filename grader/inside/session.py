"""The judge's half of the wire: send an operation, serve callbacks while it runs, read the reply."""

import os
import socket
import warnings
from typing import Any
from weakref import WeakValueDictionary

from grader.inside.callbacks import Callbacks
from grader.inside.context import capture, draw
from grader.inside.remote_errors import BadReply, CellGone, UnsupportedResult, remote_error
from grader.inside.replies import Makers, Reply, read, suspicion
from grader.inside.requests import Request
from grader.wire import Caps, Frame, Kind, WireClosed, WireError, receive, send

PATIENCE = 2
_CATEGORIES = {c.__name__: c for c in (UserWarning, DeprecationWarning, FutureWarning, RuntimeWarning)}


class Session:
    """One judging's conversation with its cell."""

    def __init__(self, sock: socket.socket, caps: Caps) -> None:
        self._sock = sock
        self._caps = caps
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
        """What surrounds a call: grad mode, autocast, default dtype, derived seeds."""
        return capture(self._secret)

    def may_write(self, to: list[Any]) -> bool:
        """Whether challenge.toml says that this entry (or the class of this method's object) changes its arguments."""
        name = self.objects[to[1]]._gradus_entry["name"] if to[0] == "method" else to[1]
        return name in self.mutating

    def ask(self, operation: dict[str, Any], request: Request, origin: Request | None = None) -> Reply:
        """Carry out one operation in the cell; its reply refers to the arguments of `origin`, if that is another request.

        Raises BadReply or CellGone. What the answer raised is raised by `settle`, after the reply has been worked up.
        """
        if self.bad_replies >= PATIENCE:
            # Each may take seconds to read: who sends them is not asked for more.
            raise BadReply("earlier replies were malformed")
        if self.callbacks.running:
            raise RuntimeError("the answer cannot be called from inside a function that the answer is calling")
        self.callbacks.failures.clear()
        tree = {**operation, "storages": request.shipment.table}
        tree |= {"release": _drain(self.released), "forget": _drain(self.forgotten)}
        send(self._sock, Kind.CALL, tree, request.blobs.parts)
        frame = self._await_reply()
        with suspicion(self):
            reply = read(frame, origin or request, self.makers)
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

    def settle(self, reply: Reply) -> None:
        """Issue the answer's warnings, move the generators that it moved, and raise what it raised."""
        tree = reply.tree
        with suspicion():
            notes = [(_CATEGORIES.get(category, UserWarning), str(text)) for category, text in tree.get("warnings", [])]
            draw(list(tree.get("rng", [])))
            error = self._error(tree)
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
        return self.callbacks.failure(tree["error"].get("failure")) or remote_error(tree["error"])


def _drain(numbers: list[int]) -> list[int]:
    taken = numbers[:]
    del numbers[: len(taken)]
    return taken
