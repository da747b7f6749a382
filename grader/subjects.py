"""The wire between service and nodes on other machines: NATS subjects, and what a node's credentials open.

    gradus.hello.<node>            node → any service process: Hello, answered by Welcome. That process is the node's home
    gradus.up.<home>.<node>        node → its home: Ready, Unavailable, Accepted, Progress; a Heartbeat is answered
    gradus.down.<node>.<instance>  home → node: Offer (answered when it has arrived), Cancel
    gradus.end.<node>              node → JetStream: Judged, Fault, Refused, Stopped; any service process takes them
    gradus.joined, gradus.over     among service processes: a node has another home now; an attempt has ended

The messages are those of transport.py, as JSON; all but Hello travel in parcels, an array of what waited. SQL leases and attempt
tokens decide: a message that is lost, late or sent twice costs time at most. Packages lie in an object store, named by their
digest and the SHA-256 of the very bytes.
`<instance>` is one run of a node's program.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

# Raised when service and nodes can no longer understand each other; only equals talk.
WIRE = "2"
# A larger message is not sent; nats-server must allow so much (`max_payload`, which deploy/nats.sh sets).
MOST_BYTES = (8 << 20) - (64 << 10)
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
TOKEN = "gradus-node"
ENDS = "gradus-ends"
END_OF_ANY = "gradus.end.*"
PACKAGES = "gradus-packages"
JOINED = "gradus.joined"
OVER = "gradus.over"
INSTANCE = "Gradus-Instance"
AT_ONCE = 32
Item = TypeVar("Item")


class Welcome(msgspec.Struct, frozen=True):
    """Answer to Hello: the node's home, or why it is not wanted. `final`: asking again will not help."""

    home: str = ""
    refused: str = ""
    final: bool = False


class Joined(msgspec.Struct, frozen=True):
    """Told among service processes."""

    node: str
    instance: str
    home: str


def hello(node: str) -> str:
    """Where a node introduces itself."""
    return f"gradus.hello.{node}"


def up(home: str, node: str) -> str:
    """From a node to its home."""
    return f"gradus.up.{home}.{node}"


def down(node: str, instance: str) -> str:
    """From a node's home to it."""
    return f"gradus.down.{node}.{instance}"


def end(node: str) -> str:
    """Where a node tells how a job has ended."""
    return f"gradus.end.{node}"


def inbox(node: str) -> str:
    """What the subjects of answers to a node begin with."""
    return f"_INBOX_{node}"


def parcels(bodies: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Messages in as few parcels as the wire allows; whoever sends one that is too large by itself is told by the wire."""
    full: list[bytes] = []
    size = 0
    for body in bodies:
        if full and size + len(body) > MOST_BYTES - len(full) - 3:
            yield full
            full, size = [], 0
        full.append(body)
        size += len(body)
    if full:
        yield full


async def all_of(queue: asyncio.Queue[Item]) -> list[Item]:
    """What waits in a queue, as soon as there is something; not more than the other side does at a time."""
    items = [await queue.get()]
    while not queue.empty() and len(items) < AT_ONCE:
        items.append(queue.get_nowait())
    return items


def stored(digest: str, checksum: str) -> str:
    """The name of a package in the object store."""
    return f"{digest}-{checksum}"


def published_by(node: str) -> list[str]:
    """Subjects that a node may publish to: its own, and what reading the object store needs."""
    store = f"OBJ_{PACKAGES}"
    reading = ("STREAM.INFO", "STREAM.MSG.GET", "CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.DELETE")
    within = [f"$JS.API.{verb}.{store}{rest}" for verb in reading for rest in ("", ".>")]
    return [hello(node), up("*", node), end(node), *within, "$JS.API.STREAM.NAMES", f"$JS.API.DIRECT.GET.{store}.>"]


def heard_by(node: str) -> list[str]:
    """Subjects that a node may subscribe to."""
    return [down(node, "*"), f"{inbox(node)}.>"]


def token_of(node: str, seed: str) -> str:
    """What an admin hands to the one who sets up a node."""
    return f"{TOKEN}.{node}.{seed}"


def read_token(token: str) -> tuple[str, str]:
    """A node's name and seed. Raises ValueError when it is no token of a node."""
    kind, _, rest = token.strip().partition(".")
    node, _, seed = rest.partition(".")
    if kind != TOKEN or not NAME.fullmatch(node) or not seed:
        raise ValueError(f"it does not look like {TOKEN}.NAME.SU…")
    return node, seed
