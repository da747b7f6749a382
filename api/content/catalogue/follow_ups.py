"""Reads `challenges/follow_ups.toml`, which says which challenges follow which: a line `slug = ["first", "second"]` for each
challenge that has follow-ups. A follow-up is a challenge of its own that changes the requirement of another one, and starts from
an answer to it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.contract.errors import PackageError

FILE = "follow_ups.toml"
FORM = 'Write lines of the form: slug = ["follow-up"]'
# An interviewer rarely has the time for more than three.
MOST = 3


def load(root: Path) -> dict[str, list[str]]:
    """Return the follow-ups of each challenge below the folder of challenges, in order. Raises `PackageError` if the file is
    invalid; the message says what to change.
    """
    path = root / FILE
    if not path.exists():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise PackageError(f"{path}: {error}. {FORM}") from None
    for base, slugs in found.items():
        if not isinstance(slugs, list) or not all(isinstance(slug, str) for slug in slugs):
            raise PackageError(f"{path}: {base} needs a list of slugs. {FORM}")
    followed: dict[str, str] = {}
    for base, slugs in found.items():
        if not 1 <= len(slugs) <= MOST:
            raise PackageError(f"{path}: {base} has {len(slugs)} follow-ups; name 1 to {MOST}")
        for slug in slugs:
            if slug in followed:
                raise PackageError(f"{path}: {slug} is named twice, for {followed[slug]} and {base}; keep one")
            followed[slug] = base
    # A follow-up with follow-ups of its own would make the chain longer than its base says, and could lead back to the base.
    for slug in sorted(followed.keys() & found.keys()):
        raise PackageError(
            f"{path}: {slug} follows {followed[slug]}, so it cannot have follow-ups; add them to that list"
        )
    return found


def problem(base: str, slugs: Sequence[str], visibility: Mapping[str, str]) -> str:
    """Return why a challenge cannot have these follow-ups, or "" if it can. `visibility` is that of each served challenge."""
    if strange := [slug for slug in (base, *slugs) if slug not in visibility]:
        return f"{base}: names challenges that are not served: {', '.join(strange)}"
    if len({visibility[slug] for slug in (base, *slugs)}) > 1:
        return f"{base}: a challenge and its follow-ups must have the same visibility"
    return ""
