"""Contains the catalogue of known attacks. The attacks are in groups, and each attack is one line of the catalogue. A line has
a name such as A1: the letter of its group and a number.

A line is covered by programs that try the attack: files whose names begin with the name of the line. If no program is
possible, a sentence in elsewhere.toml says why, and what covers the line instead.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = ("programs", "programs/pairs", "service")


@dataclass(frozen=True)
class Group:
    """A group of the catalogue. `title` says what its attacks target. `lines` is the number of its lines (attacks)."""

    title: str
    lines: int


GROUPS = {
    "A": Group("The test framework and the verdict", 22),
    "B": Group("The wire between judge and cell", 23),
    "C": Group("Hidden tests, expected values, seeds", 20),
    "D": Group("Traces between submissions", 15),
    "E": Group("Results that lie", 26),
    "F": Group("Clocks, caches, laziness", 22),
    "G": Group("Exhaustion of every resource", 28),
    "H": Group("Signals, tracing, other processes", 11),
    "I": Group("Network and shared memory", 9),
    "J": Group("Container and kernel", 27),
    "K": Group("Accelerators", 15),
    "L": Group("Text that others read", 10),
    "M": Group("The platform as a whole", 11),
    "N": Group("Namespaces of one judging", 0),
    "T": Group("Attestations", 0),
    "Z": Group("Controls: honest and plainly wrong answers", 0),
}
"""N, T and Z are ours and have as many lines as programs."""

_GOLD = (
    "A1 A5 A7 A8 A10 A14 A16 B1 B2 B4 B6 B7 B10 B15 B17 B19 B22 C1 C2 C4 C7 C11 C15 D1 D2 D3 D15 E1 E4 E7 E8 E11 E16 E17 "
    "F1 F3 F4 F5 F6 F8 G1 G2 G3 G4 G5 G6 G9 G10 G11 G12 G14 G27 H1 H3 H7 I1 I2 I3 I4 J1 J2 J3 J4 J5 J6 J7 J8 J9 J22 "
    "L3 L6 M7"
)
GOLD = tuple(_GOLD.split())
"""Lines that must have a program wherever this runs (K2 and K4 belong to them where there is an accelerator)."""


@dataclass(frozen=True)
class Tried:
    """The header of one program. `line` is the line of the catalogue, such as A1. `expect` holds the allowed verdicts, or a
    sentence if the program attacks the service.
    """

    name: str
    line: str
    tries: str
    expect: str


def tried() -> list[Tried]:
    """Return the headers of all programs, sorted by their line of the catalogue. Raise ValueError if a header is incomplete."""
    files = [path for folder in FOLDERS for path in sorted((HERE / folder).glob("*.py"))]
    programs = [_read(path) for path in files if re.match(r"[A-Z]\d", path.name)]
    return sorted(programs, key=lambda program: (key(program.line), program.name))


def _read(path: Path) -> Tried:
    header = dict(re.findall(r"^# (id|tries|expect): (.+)$", path.read_text(encoding="utf-8"), flags=re.M))
    line = re.match(r"([A-Z])0*(\d+)", path.name)
    if line is None or not {"tries", "expect"} <= header.keys():
        raise ValueError(
            f"{path.name}: the name must begin with a line of the catalogue, and the header say tries and expect"
        )
    return Tried(path.stem, line[1] + line[2], header["tries"], header["expect"])


def key(line: str) -> tuple[str, int]:
    """Return the key by which the lines of the catalogue are sorted. It puts A2 before A10."""
    return line[0], int(line[1:])


def elsewhere() -> dict[str, str]:
    """Return the lines of the catalogue that have no program, as a dictionary. Its values are sentences that say why a line has
    no program, and what covers it instead.
    """
    found: dict[str, str] = tomllib.loads((HERE / "elsewhere.toml").read_text(encoding="utf-8"))["lines"]
    return found


def lines() -> list[str]:
    """Return all lines of the catalogue, such as `A1`."""
    return [f"{letter}{number}" for letter, group in GROUPS.items() for number in range(1, group.lines + 1)]
