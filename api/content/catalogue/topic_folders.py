"""Reads topics and tracks from their folders."""

from collections.abc import Callable, Collection
from pathlib import Path

from grader.content import topic, track
from grader.content.topic import Topic
from grader.content.track import Track
from grader.contract.errors import PackageError

LEVELS = {"easy": 1, "medium": 2, "hard": 3}
UNUSABLE = (PackageError, OSError, ValueError, RecursionError)
# Called with a folder or file that cannot be used, and the reason.
LeaveOut = Callable[[str, Exception], None]


def read_topics(root: Path, slugs: Collection[str], leave_out: LeaveOut) -> dict[str, Topic]:
    """Return the topics below `root` by their id, in order. `slugs` are those of the challenges that are served."""
    topics: dict[str, Topic] = {}
    for folder in topic.find(root):
        where = folder.relative_to(root).as_posix()
        try:
            read = topic.load(folder)
            _require(read.info.challenges, slugs, "challenges")
            if read.id in topics:
                raise PackageError(f"the id {read.id!r} is taken by another folder; rename one of them")
        except UNUSABLE as error:
            leave_out(where, error)
        else:
            topics[read.id] = read
    return {read.id: read for read in sorted(topics.values(), key=_topic_key)}


def read_tracks(root: Path, topics: Collection[str], leave_out: LeaveOut) -> dict[str, Track]:
    """Return the tracks below `root` by their id. `topics` are the ids of the topics that are served."""
    tracks: dict[str, Track] = {}
    for path in track.find(root):
        try:
            read = track.load(path)
            _require(read.topics, topics, "topics")
        except UNUSABLE as error:
            leave_out(path.relative_to(root).as_posix(), error)
        else:
            tracks[read.id] = read
    return tracks


def _require(named: Collection[str], served: Collection[str], what: str) -> None:
    if strange := [name for name in named if name not in served]:
        raise PackageError(f"names {what} that are not served: {', '.join(strange)}")


def _topic_key(read: Topic) -> tuple[str, int, str]:
    return read.info.section, LEVELS[read.info.difficulty], read.info.title
