"""Response bodies of ready-made assessments."""

from pydantic import BaseModel

from api.content.catalogue.catalogue import Catalogue
from api.hiring.plans.plan import AssistantPolicy, Choice, Verdicts
from api.hiring.ready_made_assessments.assessment_files import ReadyMade, ReadyMadeSection
from api.hiring.ready_made_assessments.solve_times import Times

# The time limit is this much longer than the time that candidates need at the median, in whole steps of some minutes.
MARGIN, STEP_MINUTES = 1.4, 5
QUESTION_MINUTES = 2


class ReadyMadeItem(BaseModel):
    """An item: its alternatives, of which each candidate gets one, and the minutes that it takes, with its follow-ups. `points`
    is null unless the role decides them. The question of a choice is about the item that has a challenge with the slug `about`.
    """

    choices: list[Choice]
    minutes: int
    points: int | None


class ReadyMadeSectionView(BaseModel):
    """A section of a ready-made assessment."""

    title: str
    minutes: int | None
    draw: int | None
    assistant: AssistantPolicy
    items: list[ReadyMadeItem]


class ReadyMadeView(BaseModel):
    """An assessment for a role. `minutes` is its time limit. If `measured` is not 0, the limit was computed from the times in
    which candidates solved `measured` of its items (a margin is included); otherwise, its author estimated it.
    """

    id: str
    name: str
    about: str
    minutes: int
    measured: int
    verdicts: Verdicts
    sections: list[ReadyMadeSectionView]


class ReadyMadeList(BaseModel):
    """The ready-made assessments, in the order in which they are shown."""

    items: list[ReadyMadeView]


def ready_made_view(item: ReadyMade, catalogue: Catalogue, times: Times) -> ReadyMadeView:
    """Return an assessment with its time limit. Its challenges and quizzes must be in the catalogue."""
    sections = [
        ReadyMadeSectionView(
            title=section.title,
            minutes=section.minutes,
            draw=section.draw,
            assistant=section.assistant,
            items=[
                ReadyMadeItem(choices=choices, minutes=round(_minutes(choices, catalogue, times)), points=None)
                for choices in section.choices(catalogue)
            ]
            + [
                ReadyMadeItem(choices=[each.choice], minutes=each.minutes, points=each.points)
                for each in section.question
            ],
        )
        for section in item.section
    ]
    measured = sum(
        any((each.kind, each.name) in times for each in choices)
        for section in item.section
        for choices in section.choices(catalogue)
    )
    expected = sum(_expected(section, catalogue, times) for section in item.section)
    limit = -(-round(MARGIN * expected) // STEP_MINUTES) * STEP_MINUTES
    return ReadyMadeView(
        id=item.id,
        name=item.name,
        about=item.about,
        minutes=limit if measured else item.minutes,
        measured=measured,
        verdicts=item.verdicts,
        sections=sections,
    )


def _expected(section: ReadyMadeSection, catalogue: Catalogue, times: Times) -> float:
    """Return the expected minutes of a section, for a candidate who gets items at random."""
    minutes = [_minutes(choices, catalogue, times) for choices in section.choices(catalogue)]
    drawn = sum(minutes) * (section.draw or len(minutes)) / len(minutes)
    return drawn + sum(question.minutes for question in section.question)


def _minutes(choices: list[Choice], catalogue: Catalogue, times: Times) -> float:
    each = [_minutes_of(choice, catalogue, times) for choice in choices]
    return sum(each) / len(each)


def _minutes_of(choice: Choice, catalogue: Catalogue, times: Times) -> float:
    """Return the median time of candidates or, if too few have solved it, the author's estimate. Follow-ups are included."""
    followed = (Choice(kind="challenge", name=name) for name in choice.follow_ups)
    return _own_minutes(choice, catalogue, times) + sum(_own_minutes(each, catalogue, times) for each in followed)


def _own_minutes(choice: Choice, catalogue: Catalogue, times: Times) -> float:
    if (seconds := times.get((choice.kind, choice.name))) is not None:
        return seconds / 60
    if choice.kind == "challenge":
        return catalogue.by_slug[choice.name].package.info.minutes
    quiz = catalogue.topics[choice.name].quiz
    return QUESTION_MINUTES * len(quiz.questions) if quiz else 0
