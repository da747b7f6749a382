"""The judge of a node: one warm container, a package parent in it for each package in use, a child per judging."""

import os
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from grader.errors import CellLost, JudgeLost, PackageError
from grader.hosts import Host
from grader.package import Package
from grader.uids import Uids
from grader.wire import Caps, Kind, WireError, receive, send
from grader.zygote_client import Child, ZygoteClient

MAX_PACKAGES = 24
LOAD_S = 30.0
READY_CAPS = Caps(tree=8 << 20, blob=0)


@dataclass
class _Parent:
    """A package parent: forks judge children, through the same commands as a zygote."""

    child: Child
    forks: ZygoteClient
    tests: list[dict[str, Any]]
    waiting: Child | None = None


class Judge:
    """Forks judge children for packages. Thread-safe; raises JudgeLost when the container or a parent is gone."""

    def __init__(self, host: Host, uids: Uids) -> None:
        self.host = host
        self._uids = uids
        self._parents: OrderedDict[str, _Parent] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def fork(self, package: Package) -> "JudgeChild":
        """A child that will run this package's tests once it is told START."""
        parent = self._parent(package)
        with self._lock:
            child, parent.waiting = parent.waiting, None
        if child is None:
            try:
                child = self._forked(parent, package)
            except JudgeLost:  # the parent may have died since its last judging: load the package anew
                parent = self._parent(package)
                child = self._forked(parent, package)
        return JudgeChild(child, parent.forks, self.host)

    def fork_ahead(self, package: Package) -> None:
        """Have a child of this package wait, so that its next job does not wait for the fork."""
        parent = self._parent(package)
        child = None if parent.waiting is not None else self._forked(parent, package)
        with self._lock:
            if child is not None and parent.waiting is None:
                child, parent.waiting = None, child
        if child is not None:
            child.close()

    def _forked(self, parent: _Parent, package: Package) -> Child:
        try:
            return parent.forks.fork(parent.child.uid)
        except JudgeLost:
            self._forget(package.digest)
            raise

    def describe(self, package: Package) -> list[dict[str, Any]]:
        """The tests of a package as pytest collects them (the authoring gate writes tests.lock from this)."""
        return self._parent(package).tests

    def _parent(self, package: Package) -> _Parent:
        """The package's parent, loaded if need be. A package that takes long to load holds up nobody but itself."""
        with self._lock:
            if known := self._known(package.digest):
                return known
            turn = self._loading.setdefault(package.digest, threading.Lock())
        with turn:
            with self._lock:
                if known := self._known(package.digest):
                    return known
            parent = self._load(package)
            with self._lock:
                self._loading.pop(package.digest, None)
                self._parents[package.digest] = parent
                evicted = self._parents.popitem(last=False)[1] if len(self._parents) > MAX_PACKAGES else None
        if evicted is not None:
            self._end(evicted)
        return parent

    def _known(self, digest: str) -> _Parent | None:
        known = self._parents.get(digest)
        if known is not None:
            self._parents.move_to_end(digest)
        return known

    def _load(self, package: Package) -> _Parent:
        child = self._new_child()
        bundle = {
            "tests": package.tests_source,
            "given": package.given,
            "probes": package.probes,
            "reference": package.reference,
            "entries": msgspec.to_builtins(package.info.entry),
        }
        until = time.monotonic() + LOAD_S
        try:
            send(child.sock, Kind.PACKAGE, bundle, deadline=until)
            ready = receive(child.sock, caps=READY_CAPS, deadline=until).json()
        except WireError as error:
            self._abandon(child)
            raise JudgeLost(f"{package.slug}: the package could not be loaded: {error}") from error
        if "error" in ready:
            self._abandon(child)
            raise PackageError(f"{package.slug}/tests.py: {ready['error']}")
        return _Parent(child, ZygoteClient(child.sock, lost=JudgeLost), ready["tests"])

    def _new_child(self) -> Child:
        uid = self._uids.take()
        try:
            return self.host.zygote.fork(uid, workroot=self.host.workroot)
        except CellLost as error:
            self._uids.give_back(uid)
            raise JudgeLost(f"the judge's container is gone: {error}") from error

    def _forget(self, digest: str) -> None:
        with self._lock:
            parent = self._parents.pop(digest, None)
        if parent is not None:
            self._end(parent)

    def _end(self, parent: _Parent) -> None:
        self._close(parent)
        self._abandon(parent.child)

    def _close(self, parent: _Parent) -> None:
        parent.child.close()
        if parent.waiting is not None:
            parent.waiting.close()

    def _abandon(self, child: Child) -> None:
        """End a parent with all that its tests have started. Where every child has our own uid, only the parent itself."""
        child.close()
        with suppress(CellLost):  # nothing to kill when the whole container is gone
            if child.uid == os.getuid():
                self.host.zygote.kill(child.pid)
            else:
                self.host.zygote.wipe(child)
        self._uids.give_back(child.uid)

    def destroy(self) -> None:
        """End the judge and everything in it."""
        self.host.destroy()
        with self._lock:
            parents = list(self._parents.values())
            self._parents.clear()
        for parent in parents:
            self._close(parent)
            self._uids.give_back(parent.child.uid)


@dataclass
class JudgeChild:
    """One judging's child in the judge."""

    child: Child
    forks: ZygoteClient
    host: Host

    def end(self) -> None:
        """Kill it if it still runs. Without its parent it ends by itself: the node's end of its socket is closed."""
        self.child.close()
        with suppress(JudgeLost):
            self.forks.kill(self.child.pid)

    def ending(self) -> str | None:
        """How it ended."""
        return self.forks.ending(self.child.pid)
