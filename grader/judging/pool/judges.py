"""Runs the judge of a node: one warm container. For each package in use, the container has a parent process that forks a child
for each judging.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grader.content.package import Package
from grader.contract.errors import CellLost, JudgeLost, PackageError, Unavailable
from grader.contract.wire import Caps, Kind, WireError, pending, receive, send
from grader.hosts.host import Host
from grader.hosts.machine.stopwatch import patience
from grader.hosts.machine.tasks import Tree
from grader.hosts.zygote_client import Child, ZygoteClient

MAX_PACKAGES = 24
# Children of one package that wait for their judging. The two parts of a job start at the same time.
MOST_WAITING = 2
# Children wait only for the packages that were used last, because each takes two processes and some megabytes.
WAITING_PACKAGES = 4
# Loading a package may take at most this many seconds of CPU time and at most this many seconds of idle time. Waiting for a
# processor counts as neither.
LOAD_S = 30.0
READY_CAPS = Caps(tree=8 << 20, blob=0)


@dataclass(eq=False)
class _Parent:
    """A process that has loaded a package. It forks judge children on request, with the same commands as a zygote. `tree` is the
    process as this machine sees it, or None if it was not found.

    The namespaces of its children are inside its own, so the children end with it. `judgings` is the number of children whose
    tests run.
    """

    child: Child
    forks: ZygoteClient
    tests: list[dict[str, Any]]
    tree: Tree | None
    waiting: list[Child] = field(default_factory=list)
    judgings: int = 0


class Judge:
    """Forks judge children for packages. Thread-safe. Methods raise JudgeLost if the container or a package's parent process is
    gone.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self._core: int | None = None
        self._parents: OrderedDict[str, _Parent] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def on(self, core: int | None) -> "Judge":
        """Return this judge for one slot: what `fork` returns runs on the slot's core. Everything else is shared."""
        judge = copy(self)
        judge._core = core
        return judge

    def fork(self, package: Package) -> "JudgeChild":
        """Return a child that runs this package's tests once it receives START. The caller must end it with `end`."""
        parent = self._parent(package)
        with self._lock:
            child = parent.waiting.pop() if parent.waiting else None
        if child is not None and pending(child.sock):  # it has ended, like its parent
            child.close()
            child = None
        if child is None:
            try:
                child = self._forked(parent, package)
            except JudgeLost:  # the parent may have died since its last judging, so another parent loads the package
                parent = self._parent(package)
                child = self._forked(parent, package)
        if self._core is not None:
            parent.forks.pin(self._core, child)
        with self._lock:
            parent.judgings += 1
        return JudgeChild(child, parent, self.host)

    def end(self, judging: "JudgeChild") -> None:
        """End a child and every process in its namespaces. If its parent is gone, it has ended already."""
        with suppress(JudgeLost, Unavailable):
            judging.parent.forks.end(judging.child)
        with self._lock:
            judging.parent.judgings -= 1

    def fork_ahead(self, package: Package) -> None:
        """Fork a child for this package now, so that the package's next job does not have to wait for it."""
        parent = self._parent(package)
        if len(parent.waiting) == MOST_WAITING:
            return
        child = self._forked(parent, package)
        with self._lock:
            parent.waiting.append(child)
            unneeded = _unneeded(parent, list(self._parents.values()))
        for each, of in unneeded:
            with suppress(JudgeLost, Unavailable):
                of.forks.end(each)

    def _forked(self, parent: _Parent, package: Package) -> Child:
        try:
            return parent.forks.fork()
        except JudgeLost:
            self._forget(package.digest)
            raise

    def describe(self, package: Package) -> list[dict[str, Any]]:
        """Return the tests that pytest collects in the package. The authoring gate writes tests.lock from this list."""
        return self._parent(package).tests

    def _parent(self, package: Package) -> _Parent:
        """Return the parent process that has loaded the package. If there is none, start one. Only requests for the same
        package wait for this.
        """
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
                evicted = self._evict()
        if evicted is not None:
            self._end(evicted)
        return parent

    def _evict(self) -> _Parent | None:
        """If there are too many parents, remove the one that was not used for the longest time and whose tests do not run."""
        if len(self._parents) <= MAX_PACKAGES:
            return None
        *others, _ = self._parents.items()
        idle = next((digest for digest, parent in others if not parent.judgings), None)
        return None if idle is None else self._parents.pop(idle)

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
        tree = self.host.find(child.pid)
        until = patience(tree or self.host, idle_s=LOAD_S, cpu_s=LOAD_S)
        try:
            send(child.sock, Kind.PACKAGE, bundle, deadline=until)
            ready = receive(child.sock, caps=READY_CAPS, deadline=until).json()
        except WireError as error:
            self._abandon(child)
            raise JudgeLost(f"{package.slug}: the package could not be loaded: {error}") from error
        if "error" in ready:
            self._abandon(child)
            raise PackageError(f"{package.slug}/tests.py: {ready['error']}")
        return _Parent(child, ZygoteClient(child.sock, self.host, lost=JudgeLost), ready["tests"], tree)

    def _new_child(self) -> Child:
        try:
            return self.host.zygote.fork(workroot=self.host.workroot)
        except CellLost as error:
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
        for child in parent.waiting:
            child.close()

    def _abandon(self, child: Child) -> None:
        """End a parent process and every process in its namespaces."""
        with suppress(CellLost, Unavailable):  # nothing is left to kill if the container is gone
            self.host.zygote.end(child)

    def destroy(self) -> None:
        """End the judge and every process in it."""
        self.host.destroy()
        with self._lock:
            parents = list(self._parents.values())
            self._parents.clear()
        for parent in parents:
            self._close(parent)


def _unneeded(parent: _Parent, parents: Sequence[_Parent]) -> list[tuple[Child, _Parent]]:
    """Remove children that need not wait, and return them with their parents: those of packages that were not used lately, one
    too many of `parent`, and all of `parent` if it has been ended in the meantime. `parents` are those that run, the last used
    one at the end.
    """
    unneeded: list[tuple[Child, _Parent]] = []
    for each in (parent, *parents):
        most = MOST_WAITING if each in parents[-WAITING_PACKAGES:] else 0
        unneeded += ((child, each) for child in each.waiting[most:])
        del each.waiting[most:]
    return unneeded


@dataclass
class JudgeChild:
    """The process in the judge's container that runs the tests of one judging."""

    child: Child
    parent: _Parent
    host: Host
    _tree: Tree | None = None

    def cpu_seconds(self) -> float:
        """Return the CPU seconds that the child and its descendants have used so far."""
        tree = self._found()
        return tree.cpu_seconds() if tree else 0.0

    def runs(self) -> bool | None:
        """Return whether the child or a descendant is running or ready to run; None if they could not be found or read."""
        tree = self._found()
        return tree.runs() if tree else None

    def _found(self) -> Tree | None:
        """Find the child among the processes of its parent, and remember it. The search is not done when the child is forked,
        because a short judging ends before anyone asks for the child's CPU time.
        """
        if self._tree is None and self.parent.tree is not None:
            self._tree = self.parent.tree.inside(self.child.pid)
        return self._tree

    def ending(self) -> str | None:
        """Describe how the child ended; None if it still runs."""
        return self.parent.forks.ending(self.child.pid)
