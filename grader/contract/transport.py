"""Defines the messages between a node and the service: JSON frames with a four-byte length, over a local Unix socket.

The node connects and sends Hello. It sends Ready whenever its number of free slots changes, and a Heartbeat every few seconds.
The service sends an Offer only if a slot is free. The node answers an Offer with Accepted or Refused. While an accepted job
runs, the node sends Progress; when the job ends, it sends exactly one of Judged, Fault, Refused or Stopped.

If the connection is lost, no job is lost: the service queues jobs again when their leases expire, and ignores a late judgement
because its attempt token no longer matches.
"""

import asyncio
import socket
import struct
from collections.abc import Sequence
from typing import Any

import msgspec

from grader.contract.job import Job, Judgement, TestResult
from grader.contract.measurement import Measure, Measured, Measuring

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")
# The stages of a job on its node. WAITING lasts until the job has a cell and a judge, JUDGING until its judgement is complete,
# and CLEANING until its slot is clean again.
WAITING, JUDGING, CLEANING = "waiting", "judging", "cleaning"
STAGES = (WAITING, JUDGING, CLEANING)


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """First message of a node: who it is and what it can judge.

    `slots` maps a lane to its number of slots; a lane is a kind of slot, `any` or `short` (see Ready). `proves` says whether
    the node runs the authoring gate, and `measures` whether it measures answers. If `device` is `cuda`, every slot has a GPU to
    itself, and `gpus` lists the names of the GPUs.
    """

    node: str
    device: str
    slots: dict[str, int]
    versions: dict[str, str]
    proves: bool = False
    gpus: tuple[str, ...] = ()
    measures: bool = False


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """Reports the numbers of free slots: `any` slots take every job, `short` slots take only jobs with a CPU limit of at most
    three seconds.
    """

    short: int
    any: int


class Unavailable(msgspec.Struct, frozen=True, tag="unavailable"):
    """The node cannot judge now, for example because there is no Docker engine. It keeps trying, and then sends Ready."""

    reason: str


class Offer(msgspec.Struct, frozen=True, tag="offer"):
    """Asks the node to judge a job. `short` says whether the job may use a slot that is reserved for short jobs.

    `checksum` is the SHA-256 of the package's file, for a node that has to fetch this file. `trace` is a W3C traceparent if the
    node should send a Traced after the job, otherwise empty.
    """

    job: Job
    short: bool
    checksum: str = ""
    trace: str = ""


class Prove(msgspec.Struct, frozen=True, tag="prove"):
    """Asks the node to run the authoring gate on an author's challenge. `files` maps the path of each file to its text.

    A node runs the gate for one challenge at a time. It sends Proving messages while the gate runs, and one Proved at the end.
    Cancel ends the run.
    """

    id: str
    token: str
    slug: str
    files: dict[str, str]


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Asks the node to stop a job. The node answers with Stopped, unless the job's judgement is already on its way."""

    job_id: str
    token: str


class Drain(msgspec.Struct, frozen=True, tag="drain"):
    """Asks the node to finish the accepted jobs, take no others, and exit."""


class Accepted(msgspec.Struct, frozen=True, tag="accepted"):
    """The node has accepted the job and is running it."""

    job_id: str
    token: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The node cannot judge the job now, for example because no slot is free, the node is draining, or no cell can be started.
    This does not count as an attempt.
    """

    job_id: str
    token: str
    reason: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """One test has ended. `done` of `total` tests have ended so far."""

    job_id: str
    token: str
    done: int
    total: int
    test: TestResult


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """Reports the judgement of a job."""

    judgement: Judgement


class Fault(msgspec.Struct, frozen=True, tag="fault"):
    """The job could not be judged because of a fault of the grader. `detail` is for operators, `reason` for everyone."""

    job_id: str
    token: str
    reason: str
    detail: str = ""


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """The job was cancelled, by the service or because the node is ending, or the node was not running it."""

    job_id: str
    token: str


class Heartbeat(msgspec.Struct, frozen=True, tag="heartbeat"):
    """Sent every few seconds. `tokens` are the attempt tokens of the jobs that the node is judging; the service extends the
    leases of these jobs.

    `cells` is the number of slots with a warm cell, and `spares` the number of spare cells. `starving` is the share of the last
    minute, from 0 to 1, in which a process on the machine was waiting for a processor; None if the kernel does not report it.
    `speed` is the machine's speed relative to the reference machine, whose speed is 1.0; None until it has been measured.
    """

    tokens: tuple[str, ...]
    cells: int = 0
    spares: int = 0
    starving: float | None = None
    speed: float | None = None


class Took(msgspec.Struct, frozen=True):
    """Tells how long one of the STAGES of a job took."""

    stage: str
    seconds: float


class Traced(msgspec.Struct, frozen=True, tag="traced"):
    """Tells how long each stage of a job took. Sent once the job's slot is clean again, and only for jobs whose offer had a
    `trace`.
    """

    token: str
    trace: str
    took: tuple[Took, ...]


class Proving(msgspec.Struct, frozen=True, tag="proving"):
    """The gate is still running. `judgings` is the number of judgings that it has finished so far."""

    id: str
    token: str
    judgings: int


class Proved(msgspec.Struct, frozen=True, tag="proved"):
    """The result of a run of the gate. `written` maps the path of each file that the gate wrote or changed to its text. If the
    gate did not finish, `fault` says why: it took too long, or the node or the grader failed.
    """

    id: str
    token: str
    passed: bool
    written: dict[str, str] = {}
    report: dict[str, Any] = {}
    fault: str = ""


End = Judged | Fault | Refused | Stopped
ToNode = Offer | Prove | Measure | Cancel | Drain
OfGate = Proving | Proved
OfMeasurement = Measuring | Measured
# If the node is on another machine, it sends these messages without waiting for an answer.
Word = Ready | Unavailable | Accepted | Progress | Traced | OfMeasurement
FromNode = Word | Hello | Refused | Judged | Fault | Stopped | Heartbeat | OfGate

_encoder = msgspec.json.Encoder()
_to_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToNode)
_from_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FromNode)
_all_to_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[ToNode])
_all_from_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[FromNode])


def pack(message: ToNode | FromNode) -> bytes:
    """Encode a message as one frame: its length (four bytes, big-endian), then JSON."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def body(message: ToNode | FromNode) -> bytes:
    """Encode a message as JSON without a length, for NATS, which keeps messages apart itself."""
    return _encoder.encode(message)


def parcel(bodies: Sequence[bytes]) -> bytes:
    """Encode several messages as one JSON array."""
    return b"[" + b",".join(bodies) + b"]"


def read_from_node(data: bytes) -> FromNode:
    """Decode a message from a node. Raises `ValueError` if it is malformed."""
    message: FromNode = _from_node.decode(data)
    return message


def all_from_node(data: bytes) -> list[FromNode]:
    """Decode a parcel from a node. Raises `ValueError` if it is malformed."""
    messages: list[FromNode] = _all_from_node.decode(data)
    return messages


def all_to_node(data: bytes) -> list[ToNode]:
    """Decode a parcel from the service. Raises `ValueError` if it is malformed."""
    messages: list[ToNode] = _all_to_node.decode(data)
    return messages


def token_of(message: End) -> str:
    """Return the token of the attempt whose end this message reports."""
    return message.judgement.token if isinstance(message, Judged) else message.token


def _checked_length(head: bytes) -> int:
    (length,) = _LENGTH.unpack(head)
    if length > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {length} bytes is over the limit of {MAX_MESSAGE_BYTES}")
    return int(length)


async def receive_from_node(reader: asyncio.StreamReader) -> FromNode:
    """Read the next message from a node. Raises `asyncio.IncompleteReadError` at the end of the connection, `ValueError` for a
    malformed message.
    """
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
    """Read the next message from the service; blocks. Raises `ConnectionError` at the end of the connection, `ValueError` for a
    malformed message.
    """
    length = _checked_length(_read_exactly(sock, _LENGTH.size))
    message: ToNode = _to_node.decode(_read_exactly(sock, length))
    return message
