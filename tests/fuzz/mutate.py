"""Mutates inputs so that most of each input stays valid. A mutation changes a node of a frame's JSON tree, bytes of a frame's
blob (its binary data), the kind of a frame or the kind of the conversation. Or it inserts or removes a frame.

If random bytes of an input are changed, the JSON parser rejects it nearly always. These mutations reach the code behind the
parser.
"""

import copy
import json
from random import Random
from typing import Any

from grader.contract.wire import HEADER, MAGIC, NO_CALL, Kind

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 64, 255, 2**31, 2**32, 2**40, 2**63 - 1, 2**63, -(2**63), 2**64, 2**4096),
    *(0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf"), "", "a", "cpu", "meta", "cuda", "float32", "int64"),
    *("bool", "float8_e5m2", "complex64", "\ud800", "\0", "x" * 300, [], {}, [[]], ["l"], ["d"], ["A", 0], ["S", 0]),
    *(
        ["C", 0],
        ["G", 0],
        ["P", 0, "w"],
        ["o", 1],
        ["o", -1],
        ["it", 2],
        ["b", 0, 4],
        ["c", 1.0, 2.0],
        ["el"],
        ["sz", 2],
    ),
    *(["t", 1], ["s", 1, 1], ["sl", None, 1, None], ["dev", "cpu"], ["dt", "float32"], ["R"], ["d", ["a", 1]]),
    *(["R", "float32", [2], [1], "cpu", 1, 0, 8, None], ["R", "float32", [2], [0], "meta", 1, 0, 0, [0, 0]]),
)
KEYS = (
    "ok value tensors record leaves params rewritten changed bumped touched flags grads containers states givens modules rng "
    "warnings generators dropped error unsupported detail seen callback product args kwargs failure type message line"
).split()
Frames = list[tuple[bytes, bytes, bytes]]


def frames_of(data: bytes) -> Frames:
    """Split bytes into at most 16 frames, using the lengths in the headers. Return the header, tree and blob of each frame."""
    found: Frames = []
    while len(data) >= HEADER.size and len(found) < 16:
        _, _, _, tree, blob = HEADER.unpack(data[: HEADER.size])
        end = HEADER.size + tree + blob
        found.append((data[: HEADER.size], data[HEADER.size : HEADER.size + tree], data[HEADER.size + tree : end]))
        data = data[end:]
    return found


def packed(frames: Frames, rng: Random) -> bytes:
    """Join frames to bytes, with correct lengths. With probability 0.03, replace one byte of the first header."""
    parts = []
    for head, tree, blob in frames:
        magic, kind, call, _, _ = HEADER.unpack(head)
        parts += [HEADER.pack(magic, kind, call, len(tree), len(blob)), tree, blob]
    whole = bytearray(b"".join(parts))
    if whole and rng.random() < 0.03:
        whole[rng.randrange(min(len(whole), HEADER.size))] = rng.randrange(256)
    return bytes(whole)


def mutate(data: bytes, rng: Random, pool: Frames | None = None) -> bytes:
    """Return a mutated input. Some mutations insert a frame from `pool`, which holds frames recorded in other conversations."""
    which = data[:1] or b"\0"
    frames = frames_of(data[1:]) or [(HEADER.pack(MAGIC, Kind.REPLY, NO_CALL, 0, 0), b'{"ok":true,"value":1}', b"")]
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(frames))
        chance = rng.random()
        if chance < 0.75:
            frames[place] = _with_tree(frames[place], rng)
        elif chance < 0.85:
            head, tree, blob = frames[place]
            frames[place] = (head, tree, _bytes(blob, rng))
        elif chance < 0.9:
            frames.insert(place, rng.choice(pool or frames))
        elif chance < 0.94 and len(frames) > 1:
            del frames[place]
        elif chance < 0.97:
            frames[place] = _with_kind(frames[place], rng)
        else:
            which = bytes([rng.randrange(16)])
    return which + packed(frames, rng)


def _with_kind(frame: tuple[bytes, bytes, bytes], rng: Random) -> tuple[bytes, bytes, bytes]:
    magic, _, call, tree, blob = HEADER.unpack(frame[0])
    kind = rng.choice((Kind.REPLY, Kind.CALLBACK, Kind.GONE, Kind.LOADED, Kind.CALL))
    return HEADER.pack(magic, kind, call, tree, blob), frame[1], frame[2]


def _with_tree(frame: tuple[bytes, bytes, bytes], rng: Random) -> tuple[bytes, bytes, bytes]:
    head, text, blob = frame
    try:
        tree = json.loads(text)
        return head, json.dumps(_changed(tree, rng), separators=(",", ":")).encode(), blob
    except (ValueError, RecursionError):
        return head, _bytes(text, rng), blob


def _changed(tree: Any, rng: Random) -> Any:
    """Replace, remove, wrap or insert one node of the tree. Return the tree."""
    holders = [holder for holder in _holders(tree) if holder]
    if not holders or rng.random() < 0.02:
        return copy.deepcopy(rng.choice(ODD))
    holder = rng.choice(holders)
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    chance = rng.random()
    if chance < 0.45:
        holder[key] = _near(holder[key], rng)
    elif chance < 0.6:
        del holder[key]
    elif chance < 0.75:
        other = rng.choice(holders)
        holder[key] = copy.deepcopy(rng.choice(list(other.values()) if isinstance(other, dict) else other))
    elif chance < 0.85:
        holder[key] = [rng.choice(["l", "t", "d", "s", "R", "sl"]), holder[key]]
    elif isinstance(holder, dict):
        holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice([*ODD, [[0, 0, 4]], [[0, ["S", 0]]], [0], [[0, True]]]))
    else:
        holder.insert(key, copy.deepcopy(rng.choice([*ODD, holder[key]])))
    return tree


def _near(value: Any, rng: Random) -> Any:
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 2, -value, 8, 64))
    if isinstance(value, bool):
        return not value
    return copy.deepcopy(rng.choice(ODD))


def _holders(tree: Any) -> list[Any]:
    found: list[Any] = []
    waiting = [tree]
    while waiting and len(found) < 2000:
        node = waiting.pop()
        if isinstance(node, dict | list):
            found.append(node)
            waiting += node.values() if isinstance(node, dict) else node
    return found


def _bytes(data: bytes, rng: Random) -> bytes:
    raw = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(raw) + 1)
        if rng.random() < 0.5 and at < len(raw):
            raw[at] = rng.randrange(256)
        elif rng.random() < 0.5:
            raw[at:at] = rng.randbytes(rng.choice((1, 4, 8)))
        else:
            del raw[at : at + rng.choice((1, 4, 8))]
    return bytes(raw)
