"""A file of programs/: a hostile or unusual answer whose first lines say what it tries and how it must end.

# id: A05                            line of the catalogue (tests/attacks/catalogue.py); several files may share one
# tries: patches torch.allclose      in a few words, for the table
# expect: WA|RE                      verdicts that are right
# message: must match this           a regular expression for the first message, if it matters
# package: attested                  challenge of package/ that it answers, if not attention
"""

import re
from dataclasses import dataclass
from pathlib import Path

from grader.contract.job import Verdict

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@dataclass(frozen=True)
class Program:
    """One file: what it does, which verdicts are right, and what its message must say."""

    name: str
    id: str
    tries: str
    source: str
    expected: frozenset[Verdict]
    message: str
    package: str

    @staticmethod
    def read(path: Path) -> "Program":
        """Raises ValueError when the header is incomplete."""
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
