"""Reads the SVG pictures of a challenge or topic. Markdown files show a picture as `![description](pictures/<name>.svg)`."""

import re
from pathlib import Path
from xml.etree import ElementTree

from grader.contract.errors import PackageError

FOLDER = "pictures"
MOST_BYTES = 100_000
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.svg")
_SHOWN = re.compile(r"!\[([^\]]*)\]\(pictures/([^)\s]*)\)")
_SVG = "{http://www.w3.org/2000/svg}"
_REFUSED = ("script", "foreignObject", "image", "iframe", "animate", "set")


def load(folder: Path, *pages: str) -> dict[str, bytes]:
    """Read the pictures of a folder. Returns their contents by name. `pages` are the names of the folder's Markdown files.

    Raises `PackageError` in four cases: a file is not an SVG without scripts and external references, a file is shown on no
    page, a page shows a picture that does not exist, or a page shows a picture without a description.
    """
    found = {path.name: _picture(path) for path in sorted((folder / FOLDER).glob("*"))}
    shown: set[str] = set()
    for page in (folder / name for name in pages):
        for says, name in _SHOWN.findall(page.read_text(encoding="utf-8")):
            if name not in found:
                raise PackageError(f"{page}: shows pictures/{name}, which is not there")
            if not says.strip():
                raise PackageError(
                    f"{page}: say between the brackets what pictures/{name} shows, for who cannot see it"
                )
            shown.add(name)
    for name in found.keys() - shown:
        raise PackageError(
            f"{folder}/{FOLDER}/{name}: no page shows it; remove it, or write ![what it shows](pictures/{name})"
        )
    return found


def _picture(path: Path) -> bytes:
    if not _NAME.fullmatch(path.name):
        raise PackageError(f"{path}: a picture is named like 'loss-curve.svg'")
    content = path.read_bytes()
    if len(content) > MOST_BYTES:
        raise PackageError(f"{path}: has {len(content):,} bytes, at most {MOST_BYTES:,} may be")
    if b"<!ENTITY" in content:
        raise PackageError(f"{path}: entities are refused; draw without them")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise PackageError(f"{path}: not an SVG: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise PackageError(f"{path}: not an SVG: its root is {root.tag}")
    for element in root.iter():
        name = element.tag.removeprefix(_SVG)
        if name in _REFUSED or any(key.startswith("on") for key in element.attrib):
            raise PackageError(f"{path}: <{name}> may do more than draw; leave it out")
        for key, value in element.items():
            if key.endswith("href") and not value.startswith("#"):
                raise PackageError(f"{path}: <{name}> refers to {value[:60]!r}; a picture refers to its own parts only")
    return content
