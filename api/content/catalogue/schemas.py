"""The public parts of a challenge. There is deliberately no field for hidden tests, the editorial, answers or seeds."""

from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.content.catalogue.linking import linked
from api.kit.text import CleanText
from grader.content.own_input.offer import example_calls_of
from grader.content.scored.declared import Scored

SlugInPath = Annotated[str, Path(max_length=100), CleanText]

# The challenge that newcomers are sent to, if the catalogue contains it.
START = "scaled-dot-product-attention"

Difficulty = Literal["easy", "medium", "hard"]
Status = Literal["new", "tried", "solved"]


Word = Annotated[str, StringConstraints(max_length=100), CleanText]


class Wanted(BaseModel):
    """Filters of the catalogue. A filter that is left out does not apply. `status` is the caller's own progress on a challenge.
    If nobody is signed in, every challenge is `new`. With `scored`, only challenges whose accepted answers are measured pass.
    """

    model_config = ConfigDict(extra="forbid")
    section: Word = ""
    difficulty: Literal["", "easy", "medium", "hard"] = ""
    topic: Word = ""
    q: Word = ""
    status: Literal["", "new", "tried", "solved"] = ""
    scored: bool = False
    cursor: Annotated[str, StringConstraints(max_length=600), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 50


class Link(BaseModel):
    """A link to a challenge or a track. `id` is the slug of a challenge."""

    id: str
    title: str


class ScoredView(BaseModel):
    """How accepted answers to a scored challenge are measured: the time of a call, or the memory that it needs at most. `sizes`
    ascend, and the last one decides the place on the speed board.
    """

    quantity: Literal["speed", "memory"]
    sizes: list[int]


class ChallengeCard(BaseModel):
    """A challenge in a list. `follow_ups` are the challenges that change its requirement and start from an answer to it, in
    order. `follow_up_to` is the challenge that it follows, or null. `scored` is null unless accepted answers are measured.
    """

    slug: str
    title: str
    summary: str
    section: str
    difficulty: Difficulty
    topics: list[str]
    application: list[str]
    minutes: int
    points: int
    tests_count: int
    form: Literal["write", "fix"]
    devices: list[str]
    follow_ups: list[Link]
    follow_up_to: Link | None
    scored: ScoredView | None


class ChallengePage(BaseModel):
    """One page of the catalogue. `total` counts all matches; `next_cursor` is null on the last page."""

    items: list[ChallengeCard]
    total: int
    next_cursor: str | None


class EntryView(BaseModel):
    """A function or class that the answer must define."""

    name: str
    kind: Literal["function", "class", "module", "autograd_function"]
    signature: str
    methods: list[str]
    attributes: list[str]
    returns: Literal["value", "iterator"]


class LimitsView(BaseModel):
    """The limits that apply while a submission is judged."""

    cpu_s: float
    cpu_s_per_call: float
    memory_mb: int
    processes: int
    output_kb: int


class ForbiddenView(BaseModel):
    """Names and operators that the answer must not use."""

    names: list[str]
    operators: list[str]


class SampleView(BaseModel):
    """A sample test. Its source is public. A submission of the kind `run` is judged by the sample tests only."""

    name: str
    title: str
    source: str


class ProofView(BaseModel):
    """The result of the authoring gate, the check that a challenge must pass before it is served.

    `tests` is the number of tests. `accepted` and `wrong` are the numbers of right and wrong answers that were judged as
    intended. The gate also breaks the reference answer: `saboteurs` is how many general kinds of defects the tests detected,
    and `mutants` is how many small automatic changes to the source were tried. `kill_rate` is the share of these mutants that
    the tests rejected, from 0 to 1.
    """

    tests: int
    accepted: int
    wrong: int
    saboteurs: int
    mutants: int
    kill_rate: float


class ChallengeView(ChallengeCard):
    """A challenge, with everything that users may read. `digest` identifies this version of the challenge. `own_input` says
    whether an answer can be compared with the reference on your own input.
    """

    digest: str
    statement: str
    starter: str
    entries: list[EntryView]
    limits: LimitsView
    forbidden: ForbiddenView
    scoring: Literal["per-test", "all-or-nothing"]
    why: str
    skill: str
    hints_count: int
    given: str
    probes: str
    samples: list[SampleView]
    own_input: bool
    proof: ProofView | None


class CatalogueSummary(BaseModel):
    """How much the catalogue contains. `start` is the slug of the challenge that newcomers are sent to; it is null if the
    catalogue has no challenge.
    """

    challenges: int
    topics: int
    start: str | None


class Neighbours(BaseModel):
    """The place of a challenge in the project that it is a step of, or in the whole catalogue if `project` is null. The first
    place is 1. `previous` and `next` are null at the ends.
    """

    project: Link | None
    place: int
    total: int
    previous: Link | None
    next: Link | None


class LeftOutView(BaseModel):
    """A folder or file of the content that could not be used and is therefore not served, and the reason."""

    folder: str
    reason: str


class CatalogueReport(BaseModel):
    """The result of the last scan of the challenge folders."""

    version: str
    challenges: int
    topics: int
    tracks: int
    left_out: list[LeftOutView]


def card(challenge: Challenge) -> ChallengeCard:
    package = challenge.package
    info = package.info
    return ChallengeCard(
        slug=package.slug,
        title=info.title,
        summary=info.summary,
        section=info.section,
        difficulty=info.difficulty,
        topics=list(info.topics),
        application=list(info.application),
        minutes=info.minutes,
        points=package.max_score,
        tests_count=len(package.lock.tests),
        form=info.form,
        devices=list(info.devices),
        follow_ups=[_link(each) for each in challenge.follow_ups],
        follow_up_to=_link(challenge.follow_up_to) if challenge.follow_up_to else None,
        scored=scored_view(challenge.scored),
    )


def scored_view(scored: Scored | None) -> ScoredView | None:
    if scored is None:
        return None
    return ScoredView(quantity=scored.quantity.value, sizes=[each.size for each in scored.sizes])


def _link(named: tuple[str, str]) -> Link:
    return Link(id=named[0], title=named[1])


def view(challenge: Challenge) -> ChallengeView:
    """Return the public view of a challenge."""
    package = challenge.package
    info = package.info
    return ChallengeView(
        **card(challenge).model_dump(),
        digest=package.digest,
        statement=linked(package.statement, f"challenges/{package.slug}", package.pictures),
        starter=package.starter,
        entries=[EntryView.model_validate(entry, from_attributes=True) for entry in info.entry],
        limits=LimitsView.model_validate(info.limits, from_attributes=True),
        forbidden=ForbiddenView.model_validate(info.forbidden, from_attributes=True),
        scoring=info.scoring,
        why=info.why,
        skill=info.skill,
        hints_count=len(info.hints),
        given=package.given,
        probes=package.probes,
        samples=[SampleView.model_validate(sample, from_attributes=True) for sample in challenge.samples],
        own_input=bool(example_calls_of(package)),
        proof=ProofView.model_validate(package.proof, from_attributes=True) if package.proof else None,
    )


def summary(catalogue: Catalogue) -> CatalogueSummary:
    """Count what the catalogue contains."""
    first = catalogue.challenges[0].package.slug if catalogue.challenges else None
    return CatalogueSummary(
        challenges=len(catalogue.challenges),
        topics=len(catalogue.topics),
        start=START if START in catalogue.by_slug else first,
    )


def neighbours(challenge: Challenge, catalogue: Catalogue) -> Neighbours:
    """Find the challenges before and after a challenge of the catalogue. If several projects contain it, the first one counts."""
    slug = challenge.package.slug
    projects = (track for track in catalogue.tracks.values() if track.info.project)
    project = next((track for track in projects if slug in catalogue.challenges_of(track)), None)
    slugs = catalogue.challenges_of(project) if project else [each.package.slug for each in catalogue.challenges]
    links = [Link(id=name, title=catalogue.by_slug[name].package.info.title) for name in slugs]
    place = slugs.index(slug)
    return Neighbours(
        project=Link(id=project.id, title=project.info.title) if project else None,
        place=place + 1,
        total=len(slugs),
        previous=links[place - 1] if place else None,
        next=links[place + 1] if place + 1 < len(slugs) else None,
    )


def report(catalogue: Catalogue) -> CatalogueReport:
    """Return the report on a scan of the challenge folders."""
    left_out = [LeftOutView(folder=item.folder, reason=item.reason) for item in catalogue.left_out]
    return CatalogueReport(
        version=catalogue.version,
        challenges=len(catalogue.challenges),
        topics=len(catalogue.topics),
        tracks=len(catalogue.tracks),
        left_out=left_out,
    )
