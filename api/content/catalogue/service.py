"""The catalogue: all usable challenges, topics and tracks. It is read from folders, searched in memory, and replaced as a whole
when the folders are read again.

A folder that cannot be used is left out and reported with the reason, so that a mistake of one author never takes the site
down.
"""

import hashlib
import threading
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fastapi import Depends
from msgspec import structs

from api.content.catalogue import follow_ups
from api.content.catalogue.catalogue import Catalogue, Challenge, LeftOut
from api.content.catalogue.samples import samples_of
from api.content.catalogue.topic_folders import read_topics, read_tracks
from api.content.catalogue.variants import stored_variants
from api.kit.http.provided import provided
from grader.content.package import Package, find, load
from grader.content.package_cache import PackageCache
from grader.content.scored import declared as scored
from grader.content.topic import Topic
from grader.content.track import Track
from grader.content.variants.declared import declaration
from grader.contract.errors import PackageError
from grader.contract.job import Verdict

# Maximum number of versions of challenges that are kept in memory after they were loaded by their digest. If there are more,
# the version that was loaded first is dropped.
REMEMBERED = 200


class CatalogueStore:
    """Holds the current catalogue, and loads older versions of challenges. The catalogue is replaced by one assignment, so that
    a reader sees either the old one or the new one, and never a mixture.
    """

    def __init__(self, root: Path, kept: PackageCache, *, serve_unproven: bool = False) -> None:
        self.root, self.kept = root, kept
        self._serve_unproven = serve_unproven
        self._versions: dict[str, Challenge] = {}
        self._devices = frozenset({"cpu"})
        self._everything = self.catalogue = Catalogue()
        # `reload` runs in a thread, and `offer` in the event loop.
        self._replacing = threading.Lock()

    def reload(self) -> Catalogue:
        """Read every folder again. This blocks, so call it in a thread. Each challenge is stored on disk before it is served,
        because submissions and assessments refer to this version by its digest, even after the folder has changed.
        """
        read = read_catalogue(self.root, self.kept, serve_unproven=self._serve_unproven)
        for challenge in (*read.challenges, *read.reserved.values()):
            self.kept.keep(challenge.package)
        with self._replacing:
            self._everything = read
            self.catalogue = served = read.on(self._devices)
            return served

    def offer(self, devices: Collection[str]) -> bool:
        """Serve the challenges that can be judged on one of these devices, and no others. Returns whether the devices are other
        ones than before.
        """
        with self._replacing:
            if self._devices == frozenset(devices):
                return False
            self._devices = frozenset(devices)
            self.catalogue = self._everything.on(self._devices)
            return True

    def version(self, digest: str) -> Challenge | None:
        """Return the version of a challenge that has this digest, or None if it is not stored."""
        if digest not in self._versions:
            found = self.kept.get(digest)
            if found is None:
                return None
            while len(self._versions) >= REMEMBERED:
                del self._versions[next(iter(self._versions))]
            self._versions[digest] = challenge_of(found.package, found.team, found.variant)
        return self._versions[digest]

    def pinned(self, slug: str, digest: str) -> Challenge | None:
        """Return the version with this digest or, if it is no longer stored, the version that is served now, or None."""
        return self.version(digest) or self.catalogue.known(slug)


def read_catalogue(root: Path, kept: PackageCache | None = None, *, serve_unproven: bool = False) -> Catalogue:
    """Build a catalogue from the folders below `root`. A folder that cannot be used is left out and listed with the reason. A
    challenge is usable only if the authoring gate (the check that its tests work) has passed for exactly this version, unless
    `serve_unproven` is set. Variants are stored in `kept`; without it, they are left out.
    """
    left_out: list[LeftOut] = []
    served = _linked(root, _challenges(root, left_out, serve_unproven=serve_unproven), left_out)
    served = {slug: _with_variants(root, each, kept, left_out) for slug, each in served.items()} if kept else served
    served = {slug: _with_measurement(root, each, left_out) for slug, each in served.items()}
    usable = {slug: each for slug, each in served.items() if each.package.info.visibility == "public"}
    reserved = {slug: each for slug, each in served.items() if slug not in usable}

    def leave_out(where: str, error: Exception) -> None:
        left_out.append(_left_out(root, where, error))

    topics = read_topics(root, usable.keys(), leave_out)
    tracks = read_tracks(root, topics.keys(), leave_out)
    challenges = tuple(sorted(usable.values(), key=lambda challenge: challenge.key))
    version = _version(challenges, topics, tracks)
    return Catalogue(challenges, tuple(left_out), usable, reserved, topics, tracks, version)


def _challenges(root: Path, left_out: list[LeftOut], *, serve_unproven: bool) -> dict[str, Challenge]:
    usable: dict[str, Challenge] = {}
    for folder in find(root):
        where = folder.relative_to(root).as_posix()
        try:
            challenge = _challenge(folder)
        except (PackageError, OSError, ValueError, SyntaxError, RecursionError) as error:
            left_out.append(_left_out(root, where, error))
            continue
        slug = challenge.package.slug
        if challenge.package.proof is None and not serve_unproven:
            left_out.append(LeftOut(where, f"not proven as it is now: run `gradus challenge check {slug}`"))
        elif slug in usable:
            left_out.append(LeftOut(where, f"the slug {slug!r} is taken by another folder; rename one of them"))
        else:
            usable[slug] = challenge
    return usable


def _with_variants(root: Path, challenge: Challenge, kept: PackageCache, left_out: list[LeftOut]) -> Challenge:
    folder = root / challenge.package.info.section / challenge.package.slug
    try:
        return replace(challenge, variants=stored_variants(folder, challenge.package, kept))
    except (PackageError, OSError, ValueError, RecursionError) as error:
        left_out.append(_left_out(root, declaration(folder).relative_to(root).as_posix(), error))
        return challenge


def _with_measurement(root: Path, challenge: Challenge, left_out: list[LeftOut]) -> Challenge:
    folder = root / challenge.package.info.section / challenge.package.slug
    try:
        return replace(challenge, scored=scored.scored(folder))
    except (PackageError, OSError, ValueError, RecursionError) as error:
        left_out.append(_left_out(root, scored.declaration(folder).relative_to(root).as_posix(), error))
        return challenge


def _linked(root: Path, served: dict[str, Challenge], left_out: list[LeftOut]) -> dict[str, Challenge]:
    """Return the challenges with their follow-ups."""
    try:
        named = follow_ups.load(root)
    except (PackageError, OSError) as error:
        left_out.append(_left_out(root, follow_ups.FILE, error))
        return served
    found = dict(served)
    visibility = {slug: each.package.info.visibility for slug, each in served.items()}
    for base, slugs in named.items():
        if problem := follow_ups.problem(base, slugs, visibility):
            left_out.append(LeftOut(follow_ups.FILE, problem))
        else:
            links = [(slug, served[slug].package.info.title) for slug in (base, *slugs)]
            found[base] = replace(found[base], follow_ups=tuple(links[1:]))
            for slug in slugs:
                found[slug] = replace(found[slug], follow_up_to=links[0])
    return found


def _left_out(root: Path, where: str, error: Exception) -> LeftOut:
    return LeftOut(where, str(error).replace(f"{root}/", ""))


def _challenge(folder: Path) -> Challenge:
    try:
        return challenge_of(load(folder))
    except SyntaxError as error:
        raise PackageError(f"{folder}/tests.py: line {error.lineno}: {error.msg}") from None


def challenge_of(package: Package, team: str = "", variant: str = "") -> Challenge:
    """Prepare a package for the catalogue: add its sample tests and its searchable text. Raises `SyntaxError` if tests.py
    does not parse.
    """
    # Only the gate runs wrong answers, and there are thousands, so their sources are dropped. Editorials show their mistakes.
    answers = (each if each.verdict is Verdict.AC else structs.replace(each, source="") for each in package.answers)
    package = structs.replace(package, answers=tuple(answers))
    return Challenge(package, samples_of(package), _text(package), team, variant)


def _text(package: Package) -> str:
    info = package.info
    parts = (info.title, package.slug, info.summary, info.skill, info.why, *info.topics, *info.application)
    return "\n".join((*parts, package.statement)).casefold()


def _version(challenges: Sequence[Challenge], topics: dict[str, Topic], tracks: dict[str, Track]) -> str:
    names = [f"{each.package.slug} {each.version}" for each in challenges]
    names += [f"{read.id} {read.digest}" for read in topics.values()]
    names += [repr(read) for read in tracks.values()]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:20]


CatalogueStoreDep = Annotated[CatalogueStore, Depends(provided(CatalogueStore))]
