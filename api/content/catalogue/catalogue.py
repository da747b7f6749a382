"""The classes of the catalogue: challenges, topics and tracks, as one scan of all folders found them."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from msgspec import structs

from api.content.catalogue.samples import Sample
from api.content.catalogue.topic_folders import LEVELS
from api.content.catalogue.variants import Variant
from api.kit.errors import ApiError
from api.kit.http.caching import BodyCache
from grader.content.package import Package
from grader.content.scored.declared import Scored
from grader.content.topic import Topic
from grader.content.track import Track


class TopicNotFound(ApiError):
    """There is no topic with this id, or it cannot be used."""

    status, code = 404, "topic_not_found"


class TrackNotFound(ApiError):
    """There is no track with this id, or it cannot be used."""

    status, code = 404, "track_not_found"


class ChallengeNotFound(ApiError):
    """There is no challenge with this slug, or it cannot be used."""

    status, code = 404, "challenge_not_found"


class NeedsGpuNode(ChallengeNotFound):
    """The challenge is judged on GPUs only, and no node with a GPU has joined, so the challenge is not served."""

    code = "needs_gpu_node"

    def __init__(self, challenge: "Challenge") -> None:
        super().__init__(
            f"“{challenge.package.info.title}” needs a GPU, and this site has no GPU node. "
            "It becomes available when one joins."
        )


@dataclass(frozen=True)
class Challenge:
    """A challenge package with its sample tests and its searchable text. `team` is the id of the team that owns it, or
    empty for a challenge of the public catalogue. `variant` says what distinguishes a variant; it is empty for a plain challenge.
    `follow_ups` are the challenges that follow it, in order, and `follow_up_to` is the one that it follows: pairs of slug and
    title. `scored` says how accepted answers are measured, or is None if they are not.
    """

    package: Package
    samples: tuple[Sample, ...]
    text: str
    team: str = ""
    variant: str = ""
    variants: tuple[Variant, ...] = ()
    follow_ups: tuple[tuple[str, str], ...] = ()
    follow_up_to: tuple[str, str] | None = None
    scored: Scored | None = None

    @property
    def version(self) -> str:
        """A text that differs if anything public about the challenge has changed."""
        return f"{self.package.digest} {self.follow_ups} {self.scored and self.scored.plan}"

    @property
    def key(self) -> tuple[str, int, str, str]:
        """The sort key: section, difficulty, title, slug."""
        info = self.package.info
        return info.section, LEVELS[info.difficulty], info.title, self.package.slug


@dataclass(frozen=True)
class LeftOut:
    """A folder or file that is not served, and the reason why."""

    folder: str
    reason: str


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The result of one scan of all folders. Two instances are equal only if they are the same object. `version` is a digest of
    everything public, so it differs if something public has changed. `reserved` contains the challenges that are used only in
    assessments; no public list, page or search shows them. `unavailable` contains the challenges that no node can judge, as
    `on` says. `bodies` caches responses that show nothing but this catalogue.
    """

    challenges: tuple[Challenge, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    by_slug: dict[str, Challenge] = field(default_factory=dict)
    reserved: dict[str, Challenge] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)
    version: str = "empty"
    bodies: BodyCache = field(default_factory=BodyCache)
    unavailable: dict[str, Challenge] = field(default_factory=dict)

    def known(self, slug: str) -> Challenge | None:
        """Return the challenge with this slug, public or reserved, or None."""
        return self.by_slug.get(slug) or self.reserved.get(slug)

    def get(self, slug: str) -> Challenge:
        """Return the public challenge with this slug. Raises `ChallengeNotFound`, `NeedsGpuNode`."""
        if challenge := self.by_slug.get(slug):
            return challenge
        if challenge := self.unavailable.get(slug):
            raise NeedsGpuNode(challenge)
        raise ChallengeNotFound(f"There is no challenge {slug[:80]!r}.")

    def topic(self, name: str) -> Topic:
        """Return the topic with this id. Raises `TopicNotFound`."""
        if found := self.topics.get(name):
            return found
        raise TopicNotFound(f"There is no topic {name[:80]!r}.")

    def track(self, name: str) -> Track:
        """Return the track with this id. Raises `TrackNotFound`."""
        if found := self.tracks.get(name):
            return found
        raise TrackNotFound(f"There is no track {name[:80]!r}.")

    def challenges_of(self, track: Track) -> list[str]:
        """Return the slugs of the challenges that have to be solved for a track, in order."""
        return list(dict.fromkeys(slug for name in track.required for slug in self.topics[name].info.challenges))

    def on(self, devices: Collection[str]) -> "Catalogue":
        """Return this catalogue without the challenges that are judged on other devices only. Those are in `unavailable`, and
        topics and tracks do not ask for them.
        """
        every = {**self.by_slug, **self.reserved}
        lacking = {slug: each for slug, each in every.items() if not set(devices) & set(each.package.info.devices)}
        if not lacking:
            return self
        usable = {slug: _without(each, lacking) for slug, each in self.by_slug.items() if slug not in lacking}
        topics = {
            name: structs.replace(
                each,
                info=structs.replace(each.info, challenges=tuple(s for s in each.info.challenges if s not in lacking)),
            )
            for name, each in self.topics.items()
        }
        return replace(
            self,
            challenges=tuple(usable[each.package.slug] for each in self.challenges if each.package.slug in usable),
            by_slug=usable,
            reserved={slug: _without(each, lacking) for slug, each in self.reserved.items() if slug not in lacking},
            topics=topics,
            version=f"{self.version} {'+'.join(sorted(devices))}",
            bodies=BodyCache(),
            unavailable=lacking,
        )


def _without(challenge: Challenge, lacking: Collection[str]) -> Challenge:
    """Return the challenge without links to these challenges."""
    kept = tuple(each for each in challenge.follow_ups if each[0] not in lacking)
    base = challenge.follow_up_to
    return replace(challenge, follow_ups=kept, follow_up_to=None if base and base[0] in lacking else base)
