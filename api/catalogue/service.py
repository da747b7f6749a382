"""The catalogue: every usable challenge folder, read once, searched in memory, replaced as a whole.

A folder that cannot be used is left out with the reason, so one author's slip never takes the site down.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from api.catalogue.samples import Sample, samples_of
from api.errors import ApiError
from grader.errors import PackageError
from grader.package import Package, find, load

LEVELS = {"easy": 1, "medium": 2, "hard": 3}


class ChallengeNotFound(ApiError):
    """No usable challenge has this slug."""

    status, code = 404, "challenge_not_found"


@dataclass(frozen=True)
class Challenge:
    """A package as the catalogue keeps it: with its samples and the text that is searched."""

    package: Package
    samples: tuple[Sample, ...]
    text: str

    @property
    def key(self) -> tuple[str, int, str, str]:
        """Where it stands in the catalogue: by section, difficulty, title."""
        info = self.package.info
        return info.section, LEVELS[info.difficulty], info.title, self.package.slug


@dataclass(frozen=True)
class LeftOut:
    """A folder that is not served, and why."""

    folder: str
    reason: str


@dataclass(frozen=True)
class Filters:
    """What a reader looks for; empty fields do not filter."""

    section: str = ""
    difficulty: str = ""
    topic: str = ""
    q: str = ""


@dataclass(frozen=True)
class Catalogue:
    """One reading of all folders. `version` changes with any public change."""

    challenges: tuple[Challenge, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    by_slug: dict[str, Challenge] = field(default_factory=dict)
    version: str = "empty"

    def get(self, slug: str) -> Challenge:
        """The challenge with this slug. Raises `ChallengeNotFound`."""
        if challenge := self.by_slug.get(slug):
            return challenge
        raise ChallengeNotFound(f"There is no challenge {slug[:80]!r}. See /api/challenges for all of them.")

    def search(self, filters: Filters) -> list[Challenge]:
        """Challenges that pass every filter, in catalogue order; `q` wants all of its words."""
        words = filters.q.casefold().split()
        return [
            challenge
            for challenge in self.challenges
            if filters.section in ("", challenge.package.info.section)
            and filters.difficulty in ("", challenge.package.info.difficulty)
            and (not filters.topic or filters.topic in challenge.package.info.topics)
            and all(word in challenge.text for word in words)
        ]


class Shelf:
    """Holds the present catalogue; replacing it is one assignment, so readers see the old one or the new one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.catalogue = Catalogue()

    def reload(self) -> Catalogue:
        """Read every folder again (blocking: call it in a thread)."""
        self.catalogue = read_catalogue(self.root)
        return self.catalogue


def read_catalogue(root: Path) -> Catalogue:
    """Every usable folder below `root`; the others are named with the reason."""
    usable: dict[str, Challenge] = {}
    left_out: list[LeftOut] = []
    for folder in find(root):
        where = folder.relative_to(root).as_posix()
        try:
            challenge = _challenge(folder)
        except (PackageError, OSError, ValueError, SyntaxError, RecursionError) as error:
            left_out.append(LeftOut(where, str(error).replace(f"{root}/", "")))
            continue
        if (slug := challenge.package.slug) in usable:
            left_out.append(LeftOut(where, f"the slug {slug!r} is taken by another folder; rename one of them"))
        else:
            usable[slug] = challenge
    challenges = tuple(sorted(usable.values(), key=lambda challenge: challenge.key))
    return Catalogue(challenges, tuple(left_out), usable, _version(challenges))


def _challenge(folder: Path) -> Challenge:
    package = load(folder)
    try:
        samples = samples_of(package)
    except SyntaxError as error:
        raise PackageError(f"{folder}/tests.py: line {error.lineno}: {error.msg}") from None
    return Challenge(package, samples, _text(package))


def _text(package: Package) -> str:
    info = package.info
    parts = (info.title, package.slug, info.summary, info.skill, info.why, *info.topics, *info.application)
    return "\n".join((*parts, package.statement)).casefold()


def _version(challenges: Sequence[Challenge]) -> str:
    names = "\n".join(f"{challenge.package.slug} {challenge.package.digest}" for challenge in challenges)
    return hashlib.sha256(names.encode()).hexdigest()[:20]
