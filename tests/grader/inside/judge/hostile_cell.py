"""Simulates a hostile cell in this process. It performs operations correctly, and then adds false claims of every kind to its
replies, for example that the answer changed an argument.
"""

import socket
from collections.abc import Callable
from random import Random
from typing import Any

import torch

from grader.contract.wire import Buffer, Caps, Frame, Kind, receive, send
from grader.inside.cell.arguments import CellState
from grader.inside.cell.operations import perform
from grader.inside.judge.remote.session import Session
from grader.inside.serialization.results import raw_bytes
from grader.inside.serialization.tensors import unpack_storages
from grader.inside.serialization.values import DTYPES

Tree = dict[str, Any]


class HostileSession(Session):
    """A session of the judge with a hostile cell that runs in this process. `chance` chooses the false claims in each reply.
    Without `chance`, replies are honest.
    """

    def __init__(self, world: CellState, chance: Random | None) -> None:
        ours, self._theirs = socket.socketpair()
        for end in (ours, self._theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        super().__init__(ours, Caps())
        self._world, self._chance = world, chance

    def close(self) -> None:
        """Close the sockets of both sides."""
        self._sock.close()
        self._theirs.close()

    def exchange_callback(self, tree: Tree, blobs: list[Buffer]) -> Frame:
        """Send a callback with false claims from the cell to the test, and return the test's reply."""
        forged = Forged(tree, {}, blobs, self._chance, b"")
        forged.spoil(self._world)
        send(self._theirs, Kind.CALLBACK, forged.reply, forged.parts)
        answer, parts = self.callbacks.serve(receive(self._sock, caps=Caps(), deadline=None))
        send(self._sock, Kind.CALLBACK_REPLY, answer, parts)
        return receive(self._theirs, caps=Caps(), deadline=None)

    def _await_reply(self) -> Frame:
        request = receive(self._theirs, caps=Caps(), deadline=None)
        tree = request.json()
        reply, parts = perform(self._world, tree, request.blob)
        forged = Forged(reply, tree, parts, self._chance, request.blob)
        forged.spoil(self._world)
        send(self._theirs, Kind.REPLY, forged.reply, forged.parts)
        self.bad_replies = 0  # this test does not check the limit on bad replies
        return super()._await_reply()


class Forged:
    """A reply to which false claims are added. Also holds the tensors and bytes to which the claims refer."""

    def __init__(self, reply: Tree, tree: Tree, parts: list[Buffer], chance: Random | None, blob: Buffer) -> None:
        self.reply = {**reply, "tensors": list(reply.get("tensors", []))}
        self.tree = tree
        self.parts = [b"".join(bytes(part) for part in parts)]
        self.rng = chance
        self._arrival = unpack_storages(blob, tree.get("storages", []), torch.device("cpu")).storages
        self.sent = _tensors([tree.get("args"), tree.get("kwargs"), tree.get("mirrors")])

    def spoil(self, world: CellState) -> None:
        """Add one to three false claims, chosen at random."""
        if self.rng is None:
            return
        for move in self.rng.sample(MOVES, self.rng.choice([1, 1, 2, 3])):
            move(self, world)
        if not self.reply["tensors"]:
            del self.reply["tensors"]

    def put(self, data: bytes) -> tuple[int, int]:
        """Add bytes to the binary part of the reply. Return their offset and size."""
        at = sum(map(len, self.parts))
        self.parts.append(bytes(-at % 64) + data)
        return at + -at % 64, len(data)

    def tensor(self, row: list[Any], *, data: bytes | None = None, alias: Any = None, grad: int = 0) -> list[Any]:
        """Add a result tensor that has the dtype and shape of a tensor that was sent. Return its reference: ["S", index]."""
        _, _, dtype, shape, stride, *_ = row
        size = torch.Size(shape).numel() * DTYPES[dtype].itemsize
        data = bytes(size) if data is None else data
        self.reply["tensors"].append(["R", dtype, shape, stride, "cpu", grad, *self.put(data[:size]), alias])
        return ["S", len(self.reply["tensors"]) - 1]

    def aliased(self, index: int, grad: int = 0) -> list[Any]:
        """Add a result that claims to be a view of an argument, and has the values of this argument. Return the reference to
        it.
        """
        row = self.sent[index]
        _, place, dtype, shape, stride, offset, *_ = row
        sent = torch.empty(0, dtype=DTYPES[dtype]).set_(self._arrival[place].untyped_storage(), offset, shape, stride)
        return self.tensor(row, data=bytes(raw_bytes(sent)), alias=[index, offset], grad=grad)


def _tensors(tree: Any) -> list[list[Any]]:
    """Return the encoded tensors of a request (lists that begin with "T"), in the order in which the cell numbers them."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not isinstance(tree, list):
        return []
    if tree and tree[0] == "T" and len(tree) == 9:
        return [*_tensors(tree[8]), tree]
    return [row for item in tree for row in _tensors(item)]


Move = Callable[[Forged, CellState], None]


def _changed(f: Forged, world: CellState) -> None:
    f.reply["changed"] = [[i, *f.put(bytes(row[1]))] for i, row in enumerate(f.tree.get("storages", [])) if row[1]]


def _touched(f: Forged, world: CellState) -> None:
    sizes = [torch.Size(row[3]).numel() * DTYPES[row[2]].itemsize for row in f.sent]
    f.reply["touched"] = [[i, *f.put(bytes(size))] for i, size in enumerate(sizes) if size]


def _bumped(f: Forged, world: CellState) -> None:
    f.reply["bumped"] = list(range(len(f.sent)))


def _flags(f: Forged, world: CellState) -> None:
    f.reply["flags"] = [[i, not row[6][0]] for i, row in enumerate(f.sent)]


def _grads(f: Forged, world: CellState) -> None:
    f.reply["grads"] = [[i, f.tensor(row)] for i, row in enumerate(f.sent)]


def _no_grads(f: Forged, world: CellState) -> None:
    f.reply["grads"] = [[i, None] for i, _ in enumerate(f.sent)]


def _replaced(f: Forged, world: CellState) -> None:
    f.reply["replaced"] = [[i, f.tensor(row)] for i, row in enumerate(f.sent)]


def _rewritten(f: Forged, world: CellState) -> None:
    f.reply |= {"record": 1, "rewritten": list(range(len(f.sent))), "leaves": [], "params": []}


def _graph(f: Forged, world: CellState) -> None:
    f.reply |= {"record": f.reply.get("record", 1), "leaves": list(range(len(f.sent))), "params": []}


def _containers(f: Forged, world: CellState) -> None:
    f.reply["containers"] = [[i, []] for i in range(4)][: _count(f.tree.get("args"))]


def _count(tree: Any) -> int:
    if not isinstance(tree, list):
        return 0
    return int(bool(tree) and tree[0] in ("l", "d")) + sum(map(_count, tree))


def _states(f: Forged, world: CellState) -> None:
    f.reply["states"] = [[0, ["d"]]]


def _givens(f: Forged, world: CellState) -> None:
    rows = [["weight", {"v": f.tensor(["T", 0, "float32", [2, 3], [3, 1]]), "g": None}]]
    f.reply["givens"] = [[-1, True, rows]]


def _generators(f: Forged, world: CellState) -> None:
    f.reply["generators"] = [[*f.put(torch.Generator().manual_seed(3).get_state().numpy().tobytes())]]


def _modules(f: Forged, world: CellState) -> None:
    """Claim that a module has a new parameter, which is a view of an argument, or that the answer set this parameter to zeros,
    or both.
    """
    for number in list(world.known):
        if not f.sent:
            return
        index = f.rng.randrange(len(f.sent)) if f.rng else 0
        made, zeros = f.aliased(index), f.tensor(f.sent[index])
        first = [["w", {"v": made, "r": True, "n": True}]]
        f.reply["modules"] = f.rng.choice(  # type: ignore[union-attr]
            [
                [[number, ["w"], [*first, ["w", {"v": zeros}]]]],
                [[number, ["w"], first], [number, ["w"], [["w", {"v": zeros}]]]],
                [[number, ["w"], first]],
                [[number, ["w"], [["w", {"v": zeros, "g": f.tensor(f.sent[index])}]]]],
            ]
        )


def _argument(f: Forged, world: CellState) -> None:
    if f.sent:
        one = ["A", f.rng.randrange(len(f.sent))]  # type: ignore[union-attr]
        f.reply["value"] = ["l", *[one] * len(f.tree["wants"])] if "wants" in f.tree else one


def _alias(f: Forged, world: CellState) -> None:
    if f.sent:
        index = f.rng.randrange(len(f.sent))  # type: ignore[union-attr]
        one = f.aliased(index, grad=f.rng.choice([0, 1, 2, 3]))  # type: ignore[union-attr]
        f.reply["value"] = ["l", *[one] * len(f.tree["wants"])] if "wants" in f.tree else one


def _parameter(f: Forged, world: CellState) -> None:
    for number in list(world.known)[:1]:
        one = ["P", number, "w"]
        f.reply["value"] = ["l", *[one] * len(f.tree["wants"])] if "wants" in f.tree else one


def _given_parameter(f: Forged, world: CellState) -> None:
    f.reply["value"] = ["P", -1, "weight"]


def _zeros(f: Forged, world: CellState) -> None:
    f.parts = [bytes(len(part)) for part in f.parts]


def _draws(f: Forged, world: CellState) -> None:
    f.reply["rng"] = ["torch", "random", "numpy"]


MOVES: list[Move] = [
    *(
        _changed,
        _changed,
        _touched,
        _bumped,
        _flags,
        _grads,
        _no_grads,
        _replaced,
        _rewritten,
        _graph,
        _containers,
        _states,
    ),
    *(
        _givens,
        _generators,
        _modules,
        _modules,
        _argument,
        _alias,
        _alias,
        _parameter,
        _given_parameter,
        _zeros,
        _draws,
    ),
]
