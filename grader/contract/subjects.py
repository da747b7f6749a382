"""Defines the NATS subjects for messages between the service and nodes on other machines, and which of them a node may use.

    gradus.hello.<node>            node → any service process: Hello. The process that answers with Welcome is the node's home
    gradus.up.<home>.<node>        node → its home: Ready, Unavailable, Accepted, Progress; a Heartbeat is answered
    gradus.down.<node>.<instance>  home → node: Offer (its arrival is acknowledged), Cancel
    gradus.end.<node>              node → JetStream: Judged, Fault, Refused, Stopped; any service process handles them
    gradus.joined, gradus.over     between service processes: a node has a new home, or an attempt has ended

`<instance>` names one run of a node's program. The messages are those of transport.py, as JSON. All except Hello are sent in
parcels: a parcel is an array of the messages that were waiting to be sent. Leases and attempt tokens in SQL decide which
results count, so a message that is lost, late or sent twice costs only time. Packages are kept in an object store. The name of
an object consists of the package's digest and the SHA-256 of the package's file.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

# The version of this protocol, increased with every incompatible change. A node works only with a service of the same version.
WIRE = "2"
# The largest parcel in bytes. nats-server must allow this size (`max_payload`, set in deploy/nats.sh).
MOST_BYTES = (8 << 20) - (64 << 10)
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
TOKEN = "gradus-node"
ENDS = "gradus-ends"
END_OF_ANY = "gradus.end.*"
PACKAGES = "gradus-packages"
JOINED = "gradus.joined"
OVER = "gradus.over"
INSTANCE = "Gradus-Instance"
# The largest number of messages that `all_of` takes from a queue at a time. The caller handles the messages of one batch
# together.
AT_ONCE = 32
Item = TypeVar("Item")


class Welcome(msgspec.Struct, frozen=True):
    """Answer to Hello. `home` is the service process that is now the node's home. If the node is rejected, `refused` says why;
    if `final` is true, the node must not try again.
    """

    home: str = ""
    refused: str = ""
    final: bool = False


class Joined(msgspec.Struct, frozen=True):
    """Sent between service processes: the node has a new home."""

    node: str
    instance: str
    home: str


def hello(node: str) -> str:
    """Return the subject on which a node sends its Hello."""
    return f"gradus.hello.{node}"


def up(home: str, node: str) -> str:
    """Return the subject of messages from a node to its home."""
    return f"gradus.up.{home}.{node}"


def down(node: str, instance: str) -> str:
    """Return the subject of messages from a node's home to one instance of the node."""
    return f"gradus.down.{node}.{instance}"


def end(node: str) -> str:
    """Return the subject on which a node reports how its jobs ended."""
    return f"gradus.end.{node}"


def inbox(node: str) -> str:
    """Return the prefix of the subjects on which a node receives replies."""
    return f"_INBOX_{node}"


def parcels(bodies: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Pack messages into as few parcels as the size limit allows. A message over the limit gets its own parcel, which NATS
    rejects.
    """
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
    """Wait until the queue has an item, then take all items that it has, but at most AT_ONCE, and return them."""
    items = [await queue.get()]
    while not queue.empty() and len(items) < AT_ONCE:
        items.append(queue.get_nowait())
    return items


def stored(digest: str, checksum: str) -> str:
    """Return the name of a package's file in the object store."""
    return f"{digest}-{checksum}"


def published_by(node: str) -> list[str]:
    """Return the subjects that a node may publish to: its own subjects, and those needed to read the object store."""
    store = f"OBJ_{PACKAGES}"
    reading = ("STREAM.INFO", "STREAM.MSG.GET", "CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.DELETE")
    within = [f"$JS.API.{verb}.{store}{rest}" for verb in reading for rest in ("", ".>")]
    return [hello(node), up("*", node), end(node), *within, "$JS.API.STREAM.NAMES", f"$JS.API.DIRECT.GET.{store}.>"]


def heard_by(node: str) -> list[str]:
    """Return the subjects that a node may subscribe to."""
    return [down(node, "*"), f"{inbox(node)}.>"]


def token_of(node: str, seed: str) -> str:
    """Return the token with which a node joins the service. An admin gives it to the person who sets up the node."""
    return f"{TOKEN}.{node}.{seed}"


def read_token(token: str) -> tuple[str, str]:
    """Split a node's token into the node's name and seed. Raises ValueError if the text is not such a token."""
    kind, _, rest = token.strip().partition(".")
    node, _, seed = rest.partition(".")
    if kind != TOKEN or not NAME.fullmatch(node) or not seed:
        raise ValueError(f"it does not look like {TOKEN}.NAME.SU…")
    return node, seed
