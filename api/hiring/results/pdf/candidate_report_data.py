"""Reads everything that the report about one candidate contains."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.external_service_settings import AssistantEndpoint
from api.hiring.assessments.models import Assessment
from api.hiring.assistant import service as assistant
from api.hiring.assistant.schemas import Transcript
from api.hiring.authoring.rejudges import views
from api.hiring.authoring.rejudges.schemas import RejudgedItem
from api.hiring.monitoring import report
from api.hiring.monitoring.schemas import WatchedParticipation
from api.hiring.participations.service import LoadedParticipation
from api.hiring.results import answers, similarity
from api.hiring.results.answers import JudgedAnswer
from api.hiring.results.schemas import Similarity
from api.hiring.reviews.service import NOTES, notes
from api.hiring.taking.question_items import QuizItem, WrittenAnswer, is_answered_with_text, reviewed_answer
from api.hiring.taking.views import quiz_view
from api.hiring.taking.work import ItemWithdrawn
from api.hiring.team_comparison.percentiles import compared, groups_for
from api.hiring.team_comparison.schemas import ComparedItem


@dataclass(frozen=True)
class CandidateReportData:
    """The contents of a report. By position, `answers` are the final answers, `texts` the answers to questions that reviewers
    grade, and `quizzes` the marked answers to all other questions. `notes` are the team's notes as pairs of author
    and text. `rejudged` lists the rejudged items with their earlier results. `alike` contains the candidate's pairs of the
    latest comparison. `transcript` contains the conversations with the assistant. `is_shared` is true for a report that is
    shown to people outside of the team. `compared` are the comparisons with all teams that share their results.
    """

    found: WatchedParticipation
    answers: dict[int, JudgedAnswer]
    texts: dict[int, WrittenAnswer]
    quizzes: dict[int, QuizItem]
    notes: Sequence[tuple[str, str]]
    rejudged: Sequence[RejudgedItem]
    alike: Similarity
    transcript: Transcript
    compared: Sequence[ComparedItem]
    is_shared: bool = False

    def for_outsiders(self) -> "CandidateReportData":
        """Return the report without what only the team may see: the email address, the decision, variants, which challenges are
        unproven, right answers to questions, notes, similar answers, and comparisons with other teams.
        """
        items = [item.model_copy(update={"variant": "", "unproven": False}) for item in self.found.items]
        found = self.found.model_copy(
            update={"email": "", "decision": "none", "attempts": [], "newer": None, "older": None, "items": items}
        )
        alike = self.alike.model_copy(update={"pairs": []})
        return replace(self, found=found, alike=alike, quizzes={}, notes=[], compared=[], is_shared=True)


async def read(
    session: AsyncSession,
    assessment: Assessment,
    run: LoadedParticipation,
    store: CatalogueStore,
    endpoint: AssistantEndpoint | None,
    moment: datetime,
) -> CandidateReportData:
    found = await report.detail(session, run, store, moment)
    groups = await groups_for(session, assessment.team_id, {(item.kind, item.name) for item in found.items})
    return CandidateReportData(
        found=found,
        compared=compared(groups, found.items),
        answers=await answers.judged_answers(session, run),
        texts=await _texts_of(session, run, store),
        quizzes=await _quizzes_of(session, run, store),
        notes=await _notes_of(session, run.row.id),
        rejudged=await views.of_person(session, run.row.id),
        alike=await similarity.of_participation(session, assessment, run.row.id, store),
        transcript=await assistant.transcript(session, run, endpoint, moment),
    )


async def _texts_of(session: AsyncSession, run: LoadedParticipation, store: CatalogueStore) -> dict[int, WrittenAnswer]:
    """Return the texts with which the candidate answered questions, by position, without the guides for reviewers."""
    found = {}
    for item in run.items:
        if answer := await reviewed_answer(session, run, item, store):
            found[item.position] = WrittenAnswer(**answer.model_dump(exclude={"guide"}))
    return found


async def _quizzes_of(session: AsyncSession, run: LoadedParticipation, store: CatalogueStore) -> dict[int, QuizItem]:
    """Return the quizzes and questions that the candidate opened, by position, with marks, unless they were withdrawn."""
    found = {}
    for item in run.items:
        if item.kind != "challenge" and item.opened_at and not is_answered_with_text(run, item):
            with contextlib.suppress(ItemWithdrawn):
                found[item.position] = await quiz_view(session, run, item, store, marked=True)
    return found


async def _notes_of(session: AsyncSession, participation_id: str) -> list[tuple[str, str]]:
    """Return the team's notes in the order of writing."""
    rows = await session.execute(notes(participation_id, "").limit(NOTES))
    return [(author or "A former member", note.text) for note, author in rows]
