"""Defines the exceptions for faults of the grader. A fault of a candidate's code is a verdict and not one of these exceptions.

GraderError
├── PackageError        a challenge folder cannot be used; the message names the file, the key and what to write
├── Unavailable         grading is impossible now (no engine, no image); jobs stay queued
└── Fault               this attempt could not be finished; another one may succeed
    ├── CellLost        the cell's container or zygote ended unexpectedly
    ├── JudgeLost       the judge's container, zygote or child ended unexpectedly
    └── Starved         the machine was too busy to run the answer
"""


class GraderError(Exception):
    """Base class of the grader's faults."""


class PackageError(GraderError):
    """A challenge folder cannot be used. The message names the file, the key and what to write there."""


class Unavailable(GraderError):
    """Grading is impossible now, so jobs stay queued. The message says why and what to do."""


class Fault(GraderError):
    """This attempt failed because of a fault of the grader. Another attempt may succeed."""


class CellLost(Fault):
    """The cell's container or zygote ended while a job was using it."""


class JudgeLost(Fault):
    """The judge ended before it had reported every test."""


class Starved(Fault):
    """The machine was too busy: the answer got less processor time than its limit allows it to use."""
