"""Reads a program of programs/, which is a hostile or unusual answer. Its first lines say what it tries and which verdicts are
right.

# id: A05                            line of the catalogue (tests/attacks/catalogue.py); several files may share one
# tries: patches torch.allclose      what the answer does, in a few words for the table
# expect: WA|RE                      the verdicts that are right
# message: must match this           optional: a regular expression that the first message must match
# package: attested                  optional: the challenge of package/ that it answers; the default is attention
"""

import re
from dataclasses import dataclass
from pathlib import Path

from grader.contract.job import Verdict

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@dataclass(frozen=True)
class Program:
    """One program: its source, the right verdicts, and the pattern that the candidate's first message must match."""

    name: str
    id: str
    tries: str
    source: str
    expected: frozenset[Verdict]
    message: str
    package: str

    @staticmethod
    def read(path: Path) -> "Program":
        """Read a program. Raise ValueError if its header is incomplete."""
        source = path.read_text(encoding="utf-8")
        header = dict(re.findall(r"^# (id|tries|expect|message|package): (.+)$", source, flags=re.M))
        if not {"id", "tries", "expect"} <= header.keys():
            raise ValueError(f"{path.name}: the header lacks id, tries or expect")
        return Program(
            name=path.stem,
            id=header["id"],
            tries=header["tries"],
            source=source,
            expected=frozenset(Verdict(word) for word in header["expect"].split("|")),
            message=header.get("message", ""),
            package=header.get("package", "attention"),
        )
