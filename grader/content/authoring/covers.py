"""Checks that the key `covers` of challenges and quiz questions names only interview questions of the syllabus."""

from collections.abc import Iterable
from pathlib import Path

from grader.content import syllabus
from grader.content.authoring.finding import Finding


def unknown_covers(folder: Path, covers: Iterable[str]) -> list[Finding]:
    """Return a finding for each id in `covers` that syllabus.toml does not contain. Raises `PackageError` if the syllabus is
    invalid.
    """
    return [
        Finding(
            "covers", f"{each!r} is no question of challenges/{syllabus.NAME}; its ids look like '004:45' or '004:45a'"
        )
        for each in syllabus.unknown_questions(folder, covers)
    ]
