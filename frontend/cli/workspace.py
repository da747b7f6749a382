"""Writes the folder that `gradus pull` makes for a challenge, and finds out to which challenge an answer belongs.

<slug>/answer.py      the user's; created once from the starter, never overwritten
<slug>/statement.md   <slug>/samples.py   <slug>/given.py   <slug>/probes.py      from the service, replaced by each pull
<slug>/.gradus.toml   slug, digest and URL of the service
"""

import os
import re
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from frontend.cli.failure import Failure, misused
from frontend.cli.service.records import Challenge

ANSWER, MARK = "answer.py", ".gradus.toml"
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
# The maximum size of an answer in bytes. The service has its own limit for answers. This one keeps the client from reading a
# large file that the user named by mistake, such as a data set.
MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True)
class Pulled:
    """What a pull did. `kept_answer` is True if the folder already contained an answer, which was kept. `changed` is True if
    the challenge has another version than the one that was pulled before.
    """

    folder: Path
    kept_answer: bool
    changed: bool


def pull(challenge: Challenge, root: Path, url: str) -> Pulled:
    """Writes the folder of a challenge below `root`. Never overwrites an existing answer."""
    # The slug comes from the service and becomes a path, so it must be a plain name.
    if not SLUG.fullmatch(challenge.slug):
        raise Failure("The service sent a name of a challenge that cannot be the name of a folder.")
    folder = root / challenge.slug
    before = _mark(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = not _made(folder / ANSWER, challenge.starter)
        for name, text in _files(challenge).items():
            if text:
                _replace(folder / name, text)
        mark = f'# Which challenge the files here belong to.\nslug = "{challenge.slug}"\n'
        _replace(folder / MARK, mark + f"digest = {_quoted(challenge.digest)}\nservice = {_quoted(url)}\n")
    except OSError as error:
        raise Failure(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    return Pulled(folder, kept, changed=bool(before) and before.get("digest") != challenge.digest)


def find(given: Path | None) -> Path:
    """Returns the path of the answer. If `given` is a file, this is the answer. If it is a folder, the answer is the answer.py
    in it. If it is None, the answer is the answer.py in the current folder. Raises `Failure` if there is no such file.
    """
    path = given if given is not None else Path()
    if path.is_dir():
        path = path / ANSWER
    if not path.is_file():
        problem = "There is no file" if given is not None else "Name the file of your answer: there is no"
        raise misused(f"{problem} {path}. `gradus pull SLUG` makes a folder with one.")
    return path


def slug_of(path: Path) -> str:
    """Returns the slug of the challenge to which an answer belongs. Takes the slug from the `.gradus.toml` beside the answer,
    or else from the answer's file name. Returns an empty text if neither contains a slug.
    """
    slug = str(_mark(path.resolve().parent).get("slug", ""))
    stem = path.stem.replace("_", "-")
    return next((name for name in (slug, stem) if name != "answer" and SLUG.fullmatch(name)), "")


def source(path: Path) -> str:
    """Reads an answer. Raises `Failure` if it is not text or is larger than MAX_BYTES."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise misused(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MAX_BYTES:
        raise misused(
            f"{path} is over {MAX_BYTES // 1024**2} MiB. An answer is one Python file; is this the right one?"
        )
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise misused(
            f"{path} is not UTF-8 (line {line}, byte 0x{data[error.start]:02x}). Save it as UTF-8."
        ) from error


def _files(challenge: Challenge) -> dict[str, str]:
    samples = "\n\n".join(sample.source.strip("\n") + "\n" for sample in challenge.samples)
    head = f'"""The sample tests of {challenge.slug}, to read. `gradus run` judges your answer by them."""\n\n'
    return {
        "statement.md": f"{challenge.statement.rstrip()}\n",
        "samples.py": head + samples if samples else "",
        "given.py": challenge.given,
        "probes.py": challenge.probes,
    }


def _mark(folder: Path) -> dict[str, object]:
    try:
        return tomllib.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _made(path: Path, text: str) -> bool:
    """Writes a file unless it exists. Returns whether the file was written."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def _replace(path: Path, text: str) -> None:
    """Replaces a file atomically. If the path is a symbolic link, replaces the link itself and not its target."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".gradus-")
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.chmod(name, 0o644)
    os.replace(name, path)


def _quoted(text: str) -> str:
    escaped = "".join(each if each.isprintable() else " " for each in text)
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'
