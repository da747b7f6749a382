"""How a node and the service talk: one JSON message a frame, four bytes of length before it, over a local Unix socket.

The node dials. It says Hello, then Ready whenever its free capacity changes; the service may send an Offer only
against that capacity. An Offer is answered by Accepted or Refused; an accepted job ends with exactly one of Judged,
Fault or Stopped, with Progress in between and a Heartbeat every few seconds. Losing the connection loses nothing: the
service re-queues what its leases say, and a late judgement is stopped by the attempt token.
"""

import asyncio
import socket
import struct
from collections.abc import Sequence
from typing import Any

import msgspec

from grader.job import Job, Judgement, TestResult

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")
# Of a job at its node: until it has a cell and a judge; until its judgement; until its slot is clean again.
WAITING, JUDGING, CLEANING = "waiting", "judging", "cleaning"
STAGES = (WAITING, JUDGING, CLEANING)


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """First message of a node: who it is and what it can judge. `slots` maps a lane to its number of slots; `proves`: it runs
    the authoring gate. On `cuda` a slot has a GPU to itself, and `gpus` says what each is called.
    """

    node: str
    device: str
    slots: dict[str, int]
    versions: dict[str, str]
    proves: bool = False
    gpus: tuple[str, ...] = ()


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """Free slots: `any` takes every job, `short` only jobs whose CPU limit is at most three seconds."""

    short: int
    any: int


class Unavailable(msgspec.Struct, frozen=True, tag="unavailable"):
    """The node cannot judge now (no Docker engine, say). It goes on trying and sends Ready when it can."""

    reason: str


class Offer(msgspec.Struct, frozen=True, tag="offer"):
    """Please judge this job; `short` says which lane it may use. `checksum`: the SHA-256 of the package's file as the service
    has it, for a node that fetches it. `trace`: a W3C traceparent, where a Traced is wanted.
    """

    job: Job
    short: bool
    checksum: str = ""
    trace: str = ""


class Prove(msgspec.Struct, frozen=True, tag="prove"):
    """Please run the authoring gate over an author's files (text by path), one run at a time; answered by one Proved, with
    Proving before it. Cancel ends it.
    """

    id: str
    token: str
    slug: str
    files: dict[str, str]


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Stop judging; answered by Stopped (or by the judgement that was already on its way)."""

    job_id: str
    token: str


class Drain(msgspec.Struct, frozen=True, tag="drain"):
    """Finish what is accepted, take nothing more, then exit."""


class Accepted(msgspec.Struct, frozen=True, tag="accepted"):
    """The job runs now."""

    job_id: str
    token: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The job was not started (busy, draining); it costs no attempt."""

    job_id: str
    token: str
    reason: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """One test has ended; `done` of `total` have."""

    job_id: str
    token: str
    done: int
    total: int
    test: TestResult


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """The job's judgement."""

    judgement: Judgement


class Fault(msgspec.Struct, frozen=True, tag="fault"):
    """The job could not be judged through our fault; `detail` is for operators, `reason` for everyone."""

    job_id: str
    token: str
    reason: str
    detail: str = ""


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """The job was cancelled and left nothing behind."""

    job_id: str
    token: str


class Heartbeat(msgspec.Struct, frozen=True, tag="heartbeat"):
    """Tokens of the jobs this node is judging; the service extends their leases. `cells` of its slots are warm, and so many
    `spares`.
    """

    tokens: tuple[str, ...]
    cells: int = 0
    spares: int = 0


class Took(msgspec.Struct, frozen=True):
    """One of the STAGES of a job."""

    stage: str
    seconds: float


class Traced(msgspec.Struct, frozen=True, tag="traced"):
    """Of a job whose offer had a `trace`, once its slot is clean again, which is after its end: what took how long. A service
    that did not ask never hears it.
    """

    token: str
    trace: str
    took: tuple[Took, ...]


class Proving(msgspec.Struct, frozen=True, tag="proving"):
    """The gate goes on; so many judgings have ended."""

    id: str
    token: str
    judgings: int


class Proved(msgspec.Struct, frozen=True, tag="proved"):
    """What the gate found. `written`: files that it wrote or changed; `fault`: why it could not look, through no fault of the
    author's, or because it took too long.
    """

    id: str
    token: str
    passed: bool
    written: dict[str, str] = {}
    report: dict[str, Any] = {}
    fault: str = ""


End = Judged | Fault | Refused | Stopped
ToNode = Offer | Prove | Cancel | Drain
OfGate = Proving | Proved
# What a node on another machine tells its home, and wants no answer to.
Word = Ready | Unavailable | Accepted | Progress | Traced
FromNode = Word | Hello | Refused | Judged | Fault | Stopped | Heartbeat | OfGate

_encoder = msgspec.json.Encoder()
_to_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToNode)
_from_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromNode)
_all_to_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[ToNode])
_all_from_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[FromNode])


def pack(message: ToNode | FromNode) -> bytes:
    """One frame: big-endian length, then JSON."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def body(message: ToNode | FromNode) -> bytes:
    """A message without the length before it, for a wire that knows where messages end."""
    return _encoder.encode(message)


def parcel(bodies: Sequence[bytes]) -> bytes:
    """Several messages as one."""
    return b"[" + b",".join(bodies) + b"]"


def read_from_node(data: bytes) -> FromNode:
    """What a node said. Raises `ValueError` on garbage."""
    message: FromNode = _from_node.decode(data)
    return message


def all_from_node(data: bytes) -> list[FromNode]:
    """What is in a parcel of a node. Raises `ValueError` on garbage."""
    messages: list[FromNode] = _all_from_node.decode(data)
    return messages


def all_to_node(data: bytes) -> list[ToNode]:
    """What is in a parcel of the service. Raises `ValueError` on garbage."""
    messages: list[ToNode] = _all_to_node.decode(data)
    return messages


def token_of(message: End) -> str:
    """The attempt that has ended."""
    return message.judgement.token if isinstance(message, Judged) else message.token


def _checked_length(head: bytes) -> int:
    (length,) = _LENGTH.unpack(head)
    if length > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {length} bytes is over the limit of {MAX_MESSAGE_BYTES}")
    return int(length)


async def receive_from_node(reader: asyncio.StreamReader) -> FromNode:
    """Next message of a node. Raises `asyncio.IncompleteReadError` at the end, `ValueError` on garbage."""
    length = _checked_length(await reader.readexactly(_LENGTH.size))
    message: FromNode = _from_node.decode(await reader.readexactly(length))
    return message


def _read_exactly(sock: socket.socket, size: int) -> bytes:
    chunks = bytearray()
    while len(chunks) < size:
        chunk = sock.recv(min(size - len(chunks), 1 << 20))
        if not chunk:
            raise ConnectionError("the service closed the connection")
        chunks += chunk
    return bytes(chunks)


def receive_from_service(sock: socket.socket) -> ToNode:
    """Next message of the service; blocks. Raises `ConnectionError` at the end, `ValueError` on garbage."""
    length = _checked_length(_read_exactly(sock, _LENGTH.size))
    message: ToNode = _to_node.decode(_read_exactly(sock, length))
    return message
