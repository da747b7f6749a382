"""Checks the gate's rule for promises in a statement. A sentence with a word such as «must» or «every» is a promise: gate.toml
must name the tests that fail if an answer ignores the sentence.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.content.authoring.author_files import check_files
from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.authoring.promises import Promise, promising, unknown_tests, untested_promises
from grader.contract.errors import PackageError

STATEMENT = """Softmax turns scores into weights; every model has one.

- `x` has any shape,
  also an empty one. It is not changed.
- **Rows sum to 1.** The result is *never* negative! It `must` be used with care, $only$ sometimes.
| `dim` | exactly one dimension |

```python
x = every(1)
```

1. Always a copy (e.g. Of a view).

## Worked example

It must print this.
"""
SENTENCES = [
    "Softmax turns scores into weights; every model has one.",
    "- `x` has any shape, also an empty one.",
    "The result is *never* negative!",
    "| `dim` | exactly one dimension |",
    "Always a copy (e.g. Of a view).",
]


def test_sentences_that_promise() -> None:
    assert list(promising(STATEMENT)) == SENTENCES


def texts(make: Any, *rows: Promise) -> list[str]:
    package = msgspec.structs.replace(make(tests="test_a test_b[x-1]"), statement=STATEMENT)
    return [found.text for found in (*untested_promises(package, rows), *unknown_tests(package, rows))]


KEPT = tuple(
    Promise(says, ("test_a", "test_b[x-1]", "test_b"))
    for says in ("every model has one", "any shape,\nalso an empty", "negative", "exactly one", "Always a copy")
)


def test_table_that_is_whole(make: Any) -> None:
    assert texts(make, *KEPT) == []


@pytest.mark.parametrize("place", range(len(KEPT)))
def test_sentence_without_a_row_is_quoted_with_what_to_do(make: Any, place: int) -> None:
    told = texts(make, *KEPT[:place], *KEPT[place + 1 :])
    assert len(told) == 1
    assert repr(SENTENCES[place]) in told[0]
    assert "add a [[promise]] to gate.toml" in told[0]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (Promise("some model has one", ("test_a",)), "is not in statement.md"),
        (Promise("It", ("test_a",)), "is in statement.md 3 times"),
        (Promise("Rows sum to 1", ("test_b[x-2]",)), "names test_b[x-2], which is no test"),
        (Promise("Rows sum to 1", ("test_c",)), "names test_c, which is no test"),
    ],
)
def test_row_that_fits_nothing(make: Any, row: Promise, complaint: str) -> None:
    told = texts(make, *KEPT, row)
    assert len(told) == 1
    assert complaint in told[0]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tests = ['test_a']", "missing required field `says`"),
        ("says = 'a'", "missing required field `tests`"),
        ("says = 'a'\ntests = []", "names no test"),
        ("says = 'a'\ntests = []\nreason = 'short'", "names no test"),
        ("says = 'a'\ntests = ['test_a']\nreason = 'it is tested and it is not tested'", "both `tests` and a `reason`"),
        ("says = 'a'\ntests = ['test_a']\nwhy = 'because'", "unknown field `why`"),
    ],
)
def test_row_that_cannot_be_read(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "gate.toml").write_text(f"[[promise]]\n{text}\n")
    with pytest.raises(PackageError, match=complaint):
        load_gate_toml(tmp_path)


def test_team_reads_what_is_missing_before_the_gate_is_asked() -> None:
    folder = Path("challenges/foundations/minimise")
    paths = [*folder.glob("*.md"), *folder.glob("*.toml"), *folder.glob("*.py"), *folder.glob("submissions/*/*.py")]
    files = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    del files["gate.toml"]
    told = [complaint.text for complaint in check_files("minimise", files).complaints]
    assert told
    assert all("add a [[promise]] to gate.toml" in text for text in told)
