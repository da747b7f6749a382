"""Caches results of the gate. The key of a result is a digest of everything on which the result depends.

The digest covers every file of the folder (including gate.toml), the testing kit, the gate itself, and the version of torch.
For a wrong answer, it covers the code that is judged, so that a result stays valid when a wrong answer is moved from a file to
wrong.toml.

Only results without findings are cached, in two places. gate.lock in the folder is part of the repository, so that a fresh
clone does not repeat the work. It lists only the saboteurs and mutants that survived or are excused. The file
var/gate/cache/<digest>.json lists all saboteurs and mutants.

gate.lock contains a second digest, which does not cover the statement and the editorial. If only these two texts have changed,
the gate checks only them and judges no answers.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from grader.content import proof
from grader.content.answer_changes import NAME as WRONG_ANSWERS
from grader.content.answers import answers, wrong_files
from grader.content.code_only import code_only
from grader.content.package import is_left_out
from grader.content.proof import Proof, torch_version
from grader.contract.errors import PackageError
from grader.contract.job import Verdict
from grader.gate.report.record import Record

FOLDER = Path("var/gate/cache")
KIT = (
    "testing",
    "inside",
    "contract/wire.py",
    "judging/judging.py",
    "judging/candidate_process.py",
    "judging/results.py",
    "judging/loaded.py",
    "judging/decide.py",
    "content/package.py",
    "content/answers.py",
    "content/answer_changes.py",
    "content/required_parts.py",
    "content/authoring",
    "gate",
)
# Parts of KIT that only show results, create folders, or call other parts, and the isolation of the processes: what keeps an
# answer apart from others decides no result, as little as `grader/hosts` does. So the digest leaves them out. The proof of
# variants has a digest of its own.
PRESENTATION = {
    "inside/zygote",
    "inside/confine",
    "gate/authoring.py",
    "gate/coverage.py",
    "gate/cli.py",
    "gate/workbench_pool.py",
    "gate/flakes.py",
    "gate/show_wrong.py",
    "gate/scored",
    "gate/local",
    "gate/examine_statement.py",
    "gate/preview",
    "gate/report/html.py",
    "gate/report/table.py",
    "gate/trials/cache.py",
    "gate/variants",
    "content/authoring/scaffold.py",
    "content/authoring/templates",
}
# Texts of a challenge that do not affect the judging of answers.
TEXTS = ("statement.md", "editorial.md")
KEEP = 1000


class Cache:
    """Stores records by digest. The digest covers `mode` ("whole" or "quick"), so full runs never use records of quick runs."""

    def __init__(self, folder: Path = FOLDER, *, mode: str = "whole", read: bool = True) -> None:
        self._folder, self._read, self._mode = folder, read, mode
        self._common = f"{mode}\0{torch_version()}\0{kit_digest()}"

    def known(self, folder: Path, kind: str, package: Callable[[Path], str]) -> Record | None:
        """Return the stored record for exactly this state of the folder, or None if there is none. In the mode "whole", also
        writes the record to the folder's gate.lock.
        """
        if not self._read:
            return None
        keys = self._keys(folder, kind)
        record = self._kept(keys[0]) or _proven(folder, keys[0])
        if record is not None:
            self._write(folder, keys, package(folder), record)
        return record

    def proven(self, folder: Path, kind: str) -> bool:
        """Return whether the folder's gate.lock belongs to exactly this state of the folder, the gate, the testing kit and
        torch.
        """
        return _proven(folder, self.key(folder, kind)) is not None

    def key(self, folder: Path, kind: str) -> str:
        """Return a digest of everything on which a result for this folder depends."""
        return self._keys(folder, kind)[0]

    def _keys(self, folder: Path, kind: str) -> tuple[str, str]:
        """Return two digests: the folder's key, and a digest of everything that the key covers except TEXTS."""
        judged = hashlib.sha256(f"{self._common}\0{kind}\0{meaning(folder)}".encode()).hexdigest()
        texts = "\0".join(_sha256(folder / name) for name in TEXTS)
        return hashlib.sha256(f"{judged}\0{texts}".encode()).hexdigest(), judged

    def judged(self, folder: Path, kind: str) -> Record | None:
        """Return the record in the folder's gate.lock if only the folder's texts have changed since it was written."""
        if not self._read or self._mode != "whole":
            return None
        with suppress(PackageError, msgspec.MsgspecError):
            found = proof.load(folder)
            if found is not None and found.judged == self._keys(folder, kind)[1]:
                return _record(found)
        return None

    def put(self, key: str, record: Record) -> None:
        """Store a record, unless it has findings. The caller must compute `key` before the checks begin: if a file is edited
        during the checks, the result must not count for the new content.
        """
        if record.findings:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(key)
        path.with_suffix(".new").write_bytes(msgspec.json.encode(record))
        path.with_suffix(".new").rename(path)
        for old in sorted(self._folder.glob("*.json"), key=_age, reverse=True)[KEEP:]:
            old.unlink(missing_ok=True)

    def prove(self, folder: Path, kind: str, key: str, package: str, record: Record) -> None:
        """Write a record to the folder's gate.lock. Does nothing in the mode "quick", if the record has findings, or if the
        folder has changed since `key` was computed.
        """
        keys = self._keys(folder, kind)
        if keys[0] == key:
            self._write(folder, keys, package, record)

    def _write(self, folder: Path, keys: tuple[str, str], package: str, record: Record) -> None:
        if record.findings or self._mode != "whole":
            return
        found = Proof(
            package=package,
            key=keys[0],
            judged=keys[1],
            tests=record.tests,
            accepted=record.accepted,
            wrong=record.wrong,
            saboteurs=record.rejected,
            mutants=record.made,
            killed=record.killed,
            milliseconds=record.milliseconds,
            record=msgspec.Raw(msgspec.json.encode(replace(record.counted(), milliseconds=(), cached=False))),
        )
        proof.save(folder, found)

    def _kept(self, key: str) -> Record | None:
        with suppress(FileNotFoundError, msgspec.MsgspecError):
            return replace(msgspec.json.decode(self._path(key).read_bytes(), type=Record), cached=True)
        return None

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def _proven(folder: Path, key: str) -> Record | None:
    with suppress(PackageError, msgspec.MsgspecError):
        found = proof.load(folder)
        if found is not None and found.key == key:
            return replace(_record(found), cached=True)
    return None


def _record(found: Proof) -> Record:
    return replace(msgspec.json.decode(found.record, type=Record), milliseconds=found.milliseconds)


def _age(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0


def meaning(folder: Path) -> str:
    """Return a digest of a folder without TEXTS. The digest covers the name, the verdict, the test and the code of each wrong
    answer, but not whether the answer is a file or a table of wrong.toml.
    """
    texts = {folder / name for name in TEXTS}
    try:
        wrong = [answer for answer in answers(folder) if answer.verdict is not Verdict.AC]
    except PackageError:
        # A topic has no answers, and the answers of some challenges cannot be read. In both cases, the digest covers all files
        # except TEXTS.
        return digest([folder], texts)
    told = msgspec.json.encode([(each.name, each.verdict, each.caught_by, each.code) for each in wrong])
    written = {folder / WRONG_ANSWERS, *wrong_files(folder), *texts}
    return digest([folder], without=written) + hashlib.sha256(told).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def digest(
    roots: Iterable[Path], without: Collection[Path] = (), read: Callable[[Path], bytes] = Path.read_bytes
) -> str:
    """Return the SHA-256 of the names and contents of all files below `roots`. Leaves out compiled files, gate.lock and the
    files in `without`.
    """
    total = hashlib.sha256()
    for root in roots:
        for path in sorted([root] if root.is_file() else root.rglob("*")):
            parts = path.relative_to(root.parent).parts
            if path in without or not path.is_file():
                continue
            if not path.name.startswith(proof.NAME) and not is_left_out(parts):
                content = read(path)
                total.update(f"{'/'.join(parts)}\0{len(content)}\0".encode())
                total.update(content)
    return total.hexdigest()


def kit_digest() -> str:
    """Return the digest of the files of Gradus on which results depend, without comments and docstrings."""
    return digest(kit_files(), read=_code)


def kit_files() -> list[Path]:
    """Return the files of Gradus on which results depend. Leaves out compiled files, which differ between machines."""
    grader = Path(__file__).resolve().parents[2]
    files = (path for part in KIT for path in sorted([grader / part, *(grader / part).rglob("*")]) if path.is_file())
    return [path for path in files if not (_only_shows(inner := path.relative_to(grader)) or is_left_out(inner.parts))]


def _only_shows(path: Path) -> bool:
    return any(str(part) in PRESENTATION for part in (path, *path.parents))


def _code(path: Path) -> bytes:
    return code_only(path.read_bytes()) if path.suffix == ".py" else path.read_bytes()
