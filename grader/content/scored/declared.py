"""Reads `challenges/scored/<slug>.toml`, which says how the answers to a challenge are measured, and the chain beside it,
`challenges/scored/<slug>.py`.

    quantity = "speed"                   # or "memory"
    baseline = "b-one-loop.py"           # an accepted answer, whose score is 1
    library = "c-library.py"             # optional: the accepted answer that calls torch's own implementation
    best = "d-fused.py"                  # optional: the fastest accepted answer that we know

    [[size]]                             # two to six sizes that ascend; the last one decides the score
    size = 256                           # what `chain` gets
    steps = 40                           # the number of calls in a chain
    flops = 3.4e7                        # what one call needs at least
    bytes = 7.9e5

The files lie outside the challenge's folder, so that measuring a challenge changes neither its digest nor its proof. This module
does not execute answers.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.contract.errors import PackageError
from grader.contract.measurement import ChainSize, MeasurementPlan, Quantity

FOLDER = "scored"
ACCEPTED = "submissions/accepted"
LEAST_SIZES, MOST_SIZES = 2, 6
PARAMETERS = ["solution", "size", "steps", "seed"]


class Scored(msgspec.Struct, frozen=True):
    """How the answers to a challenge are measured. `known` maps `baseline`, `library` and `best`, where the file names them, to
    the sources of these accepted answers.
    """

    quantity: Quantity
    chain: str
    sizes: tuple[ChainSize, ...]
    known: dict[str, str]

    @property
    def plan(self) -> MeasurementPlan:
        """What a node needs to measure an answer."""
        return MeasurementPlan(self.quantity, self.chain, self.known["baseline"], self.sizes)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    quantity: Quantity
    baseline: str
    size: tuple[ChainSize, ...]
    library: str = ""
    best: str = ""

    @property
    def named(self) -> dict[str, str]:
        names = {"baseline": self.baseline, "library": self.library, "best": self.best}
        return {label: name for label, name in names.items() if name}


def declaration(folder: Path) -> Path:
    """Return the path of the file that says how the challenge in `folder` is measured. The file need not exist."""
    return folder.parent.parent / FOLDER / f"{folder.name}.toml"


def scored(folder: Path) -> Scored | None:
    """Return how answers to the challenge in `folder` are measured, or None if they are not.

    Raises `PackageError` if a file is missing or invalid. The message says what to write.
    """
    path = declaration(folder)
    if not path.is_file():
        return None
    try:
        read = msgspec.toml.decode(_text(path), type=_File)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise PackageError(f"{path}: {error}") from None
    chain = _text(path.with_suffix(".py"))
    if complaint := next(_complaints(read, folder), "") or _complaint_about(chain):
        raise PackageError(f"{path}: {complaint}")
    known = {label: _text(folder / ACCEPTED / name) for label, name in read.named.items()}
    return Scored(read.quantity, chain, read.size, known)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None
    except OSError as error:
        raise PackageError(f"{path}: {error.strerror}") from None


def _complaints(read: _File, folder: Path) -> Iterator[str]:
    sizes = [each.size for each in read.size]
    if not LEAST_SIZES <= len(sizes) <= MOST_SIZES:
        yield f"{len(sizes)} sizes; declare {LEAST_SIZES} to {MOST_SIZES}"
    if sizes != sorted(set(sizes)):
        yield "the sizes must ascend"
    for each in read.size:
        if each.size < 1 or each.steps < 1 or each.flops < 0 or each.bytes <= 0:
            yield f"size {each.size}: size and steps must be at least 1, flops at least 0, and bytes more than 0"
    for label, name in read.named.items():
        if Path(name).name != name or not (folder / ACCEPTED / name).is_file():
            yield f"{label}: there is no {ACCEPTED}/{name} in {folder.name}"


def _complaint_about(chain: str) -> str:
    """Say what is wrong with a chain's source, or return an empty text."""
    try:
        tree = ast.parse(chain)
    except (SyntaxError, ValueError) as error:
        return f"the chain does not compile: {error}"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "chain":
            given = [each.arg for each in node.args.args]
            return "" if given == PARAMETERS else f"chain takes {given}; declare {PARAMETERS}"
    return f"the chain defines no function chain({', '.join(PARAMETERS)})"
