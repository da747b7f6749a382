"""Reads a reply of a cell without trusting the cell. `write_back.py` applies the reply's changes to arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from grader.contract.wire import Buffer, Frame, WireError
from grader.inside.judge.remote.errors import BadReply
from grader.inside.judge.remote.requests import Request, Writes
from grader.inside.judge.remote.write_back import EFFECTS, index_in, write_memory
from grader.inside.serialization.results import Metadata, unpack_result
from grader.inside.serialization.values import Decoder, Tree

if TYPE_CHECKING:
    from grader.inside.judge.remote.session import Session

MAX_TENSORS = 20_000
REFERRING = frozenset({"modules", "leaves", "params"})
Makers = dict[str, Callable[[list[Any], Request], Any]]
_BROKEN = (
    *(KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError, OverflowError),
    *(MemoryError, RecursionError, AssertionError),
)


# Named like a function, as the context managers of contextlib are.
class untrusted_reply:
    """Raise BadReply for any error that occurs while a reply is read. If a session is given, also increase its counter
    `bad_replies`.
    """

    def __init__(self, session: "Session | None" = None) -> None:
        self._session = session

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, broken: BaseException | None, _trace: object) -> None:
        if not isinstance(broken, (WireError, *_BROKEN)):
            return
        if self._session is not None:
            self._session.bad_replies += 1
        said = str(broken) if isinstance(broken, WireError) else f"a malformed reply ({type(broken).__name__})"
        raise BadReply(said) from None


def metadata(tensor: torch.Tensor) -> Metadata:
    """Return the device and graph that the cell reported for a result. Raises AttributeError if the tensor is not a result."""
    found: Metadata = tensor._gradus_metadata  # type: ignore[attr-defined]
    return found


class ReplyDecoder(Decoder):
    """Decodes values of a reply. `tensors` are the reply's tensors; the caller fills this list. `silent` is explained at `read`.

    A decoder has no reference to its reply. If it had one, the objects of a call would stay in memory until Python's garbage
    collector runs, and the cell would report the state of modules that no test uses any more.
    """

    def __init__(self, blob: Buffer, request: Request, makers: Makers, *, silent: bool) -> None:
        super().__init__(blob)
        self.tensors: list[torch.Tensor] = []
        self._request = request
        self._makers = makers
        self._silent = silent

    def special(self, tag: str, rest: list[Any]) -> Any:
        """Decode a tensor, a handle, or a reference to something that was sent."""
        request = self._request
        tables = {"S": self.tensors}
        if not self._silent:
            tables |= {"A": request.shipment.tensors, "C": request.containers, "G": request.givens}
        if tag in tables:
            return tables[tag][index_in(rest[0], tables[tag])]
        if tag == "P" and not self._silent:
            return request.parameter(rest[0], rest[1])
        return self._makers[tag](rest, request) if tag in self._makers else NotImplemented


@dataclass
class Reply:
    """A reply's tree, its tensors (the graph is attached to them later), and a decoder for its values."""

    tree: dict[str, Any]
    request: Request
    decoder: "ReplyDecoder"
    tensors: list[torch.Tensor]
    about: list[Metadata] = field(default_factory=list)
    _taken: set[int] = field(default_factory=set)

    def taken(self, tree: Tree) -> torch.Tensor | None:
        """Return the tensor that `tree` refers to, and mark it as taken. Returns None if `tree` is None.

        A new value or gradient, which the reply reports for an argument or parameter, takes its tensor alone. Raises WireError
        if the tensor is taken already, or if it shares memory with an argument.
        """
        if tree is None:
            return None
        tag, index = tree
        index = index_in(index, self.tensors)
        if tag != "S" or self.about[index].shared or index in self._taken:
            raise WireError("a row with a tensor that is not its own")
        self._taken.add(index)
        found: torch.Tensor = self.tensors[index]
        return found


def read(frame: Frame, request: Request, makers: Makers, *, silent: bool = False) -> Reply:
    """Read the reply in a frame. Raises WireError and other errors, so call this within `untrusted_reply`.

    If `silent`, the reply may contain values only: it must not refer to anything that was sent, or report changes.
    """
    tree = frame.json()
    forbidden = EFFECTS if request.writes is Writes.NEVER else frozenset()
    if any(tree.get(key) for key in (forbidden | REFERRING if silent else forbidden)):
        raise WireError("a reply that tells of changes where nothing could be changed")

    arguments = [] if silent else request.shipment.tensors
    decoder = ReplyDecoder(frame.blob, request, makers, silent=silent)
    reply = Reply(tree, request, decoder, decoder.tensors)
    if request.comes_back:
        write_memory(reply)
    rows = tree.get("tensors", [])
    if len(rows) > MAX_TENSORS:
        raise WireError("more tensors than any call returns")
    for row in rows:
        tensor, about = unpack_result(row, reply.decoder.blob, arguments)
        reply.decoder.charge(0 if tensor.is_meta else tensor.numel() * tensor.element_size())
        reply.tensors.append(tensor)
        reply.about.append(about)
    return reply
