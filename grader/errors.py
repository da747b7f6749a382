"""Faults of our own. A candidate's fault is never an exception here: it is a verdict.

GraderError
├── PackageError        a challenge folder that cannot be used: file, key and what to write
├── Unavailable         grading is not possible now (no engine, no image); jobs stay queued
└── Fault               this judging could not be finished; another attempt may succeed
    ├── CellLost        the cell's container or zygote went away by itself
    └── JudgeLost       the judge's container, zygote or child went away by itself
"""


class GraderError(Exception):
    """Base of every fault of ours."""


class PackageError(GraderError):
    """A challenge folder is malformed; the message names file, key and what to write."""


class Unavailable(GraderError):
    """Grading is impossible at present; the message says why and what to do."""


class Fault(GraderError):
    """This attempt failed through our fault; it may be tried again."""


class CellLost(Fault):
    """The cell vanished while it was ours to use."""


class JudgeLost(Fault):
    """The judge vanished before it had said everything."""
