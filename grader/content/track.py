"""Reads and validates tracks: `challenges/tracks/<id>.toml` -> `Track`. A track is a list of topics in the order in which to
learn them.
"""

from pathlib import Path

import msgspec

from grader.content.package import SLUG
from grader.content.quizzes.quiz import Part
from grader.contract.errors import PackageError


class Stage(Part, frozen=True):
    """A stage of a track. `topics` holds the ids of its topics, in order. A track is done without its optional stages: their
    challenges are not counted.
    """

    title: str
    topics: tuple[str, ...]
    optional: bool = False


class TrackInfo(Part, frozen=True):
    """The content of a track's file. `scope` is one line that says which subjects the track covers and which it leaves out. If
    `project` is set, the challenges of the track are the steps of one project, in order.
    """

    title: str
    summary: str
    scope: str
    stage: tuple[Stage, ...]
    prerequisites: tuple[str, ...] = ()
    project: bool = False


class Track(msgspec.Struct, frozen=True):
    """A validated track."""

    id: str
    info: TrackInfo

    @property
    def topics(self) -> tuple[str, ...]:
        """The ids of the topics of all stages, in order."""
        return tuple(topic for stage in self.info.stage for topic in stage.topics)

    @property
    def required(self) -> tuple[str, ...]:
        """The ids of the topics of the stages that are not optional, in order."""
        return tuple(topic for stage in self.info.stage if not stage.optional for topic in stage.topics)


def find(root: Path) -> list[Path]:
    """Return the files of all tracks in `root`, the folder of challenges, sorted by name."""
    return sorted(root.glob("tracks/*.toml"))


def load(path: Path) -> Track:
    """Read one track. Raises `PackageError` if it is invalid; the message names the file, the key and what to write."""
    if not SLUG.fullmatch(path.stem):
        raise PackageError(f"{path}: a track's id is lower-case words joined by '-'")
    try:
        info = msgspec.toml.decode(path.read_bytes(), type=TrackInfo)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PackageError(f"{path}: {error}") from None
    track = Track(path.stem, info)
    if not track.required:
        raise PackageError(f"{path}: at least one [[stage]] with topics that is not optional is needed")
    twice = {topic for topic in track.topics if track.topics.count(topic) > 1}
    if twice:
        raise PackageError(f"{path}: named twice: {', '.join(sorted(twice))}")
    return track
