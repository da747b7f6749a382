"""An assessment as a whole: results, similar answers, and files to take away."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from api.aside import TookTooLong
from api.assessments.service import AssessmentNotFound, find
from api.bodies import JsonRoute
from api.catalogue.routes import SlugInPath
from api.errors import ApiError, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.participations import report
from api.participations.routes import Received
from api.participations.service import ParticipationNotFound
from api.participations.watching_routes import One
from api.rejudges import own_views
from api.reporting import answers, cohort, joining, reports, sheets, similarity
from api.reporting.cohort import Wanted
from api.reporting.reports import About
from api.reporting.schemas import Attempts, LastAnswers, PairInFull, Results, ResultsFile, Similarity
from api.state import State, StateOf
from api.teams.seats import Reviewing, Seat, TeamNotFound

router = APIRouter(tags=["reporting"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
DRAWN = (*READ, TooManyRequests, TookTooLong)
COMPARED, JUDGED_AGAIN = 4, 100
PAPER, PAPER_S = Path(__file__).with_name("paper.py"), 60.0
Several = Annotated[
    list[Annotated[str, Query(pattern=r"^[0-9a-f]{32}$")]],
    Query(alias="participation", min_length=1, max_length=COMPARED),
]
Version = Annotated[
    int | None, Query(ge=1, le=2**31 - 1, description="Of one version of the plan; without it, of all.")
]


async def wanted(version: Version = None, attempts: Attempts = "best") -> Wanted:
    """Which participations count."""
    return Wanted(version, attempts)


async def limited(seat: Reviewing, state: StateOf) -> Seat:
    """A seat of somebody who has not asked for much lately. Raises `TooManyRequests`."""
    if wait := state.reports.wait_s(seat.account.id):
        raise TooManyRequests("You have had many reports made just now.", retry_after_s=wait)
    state.reports.count(seat.account.id)
    return seat


def _file(kind: str, *refusals: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    return {**errors(*refusals), 200: {"content": {kind: {}}, "description": "The file."}}


Counting = Annotated[Wanted, Depends(wanted)]
Limited = Annotated[Seat, Depends(limited)]


@router.get("/results", responses=errors(*READ))
async def get_results(assessment_id: Id, seat: Reviewing, state: StateOf, moment: Received, which: Counting) -> Results:
    """Everybody who finished, item by item, with the figures of the whole."""
    async with state.db.read() as session:
        assessment = await find(session, seat, assessment_id)
        return await cohort.results(session, assessment, which, state, moment)


@router.get("/results/answers/{slug}", responses=errors(*READ))
async def list_last_answers(
    assessment_id: Id, slug: SlugInPath, seat: Reviewing, state: StateOf, participations: Several
) -> LastAnswers:
    """What up to four people who finished sent last for one challenge. Who sent nothing for it is left out."""
    async with state.db.read() as session:
        await find(session, seat, assessment_id)
        return LastAnswers(items=await answers.to_show(session, assessment_id, slug, participations))


@router.get("/similarity", responses=errors(*READ))
async def get_similarity(assessment_id: Id, seat: Reviewing, state: StateOf) -> Similarity:
    """What the newest look for shared passages found."""
    async with state.db.read() as session:
        return await similarity.kept(session, await find(session, seat, assessment_id), state)


@router.post("/similarity", responses=errors(CrossSite, *DRAWN, similarity.TooMuchToCompare))
async def look_for_similarity(assessment_id: Id, seat: Limited, state: StateOf) -> Similarity:
    """Compare the last answers of everybody who finished: with each other, with those of the team's other assessments, with the
    accepted answers and the editorial of the catalogue. Renaming, comments and layout make no difference; what everybody was
    given does not count. Nothing is compared again while nothing has changed.
    """
    await similarity.look(state, seat, assessment_id)
    async with state.db.read() as session:
        return await similarity.kept(session, await find(session, seat, assessment_id), state)


@router.get("/similarity/{pair_id}", responses=errors(*READ, similarity.PairNotFound, similarity.LookAgain))
async def get_similar_pair(assessment_id: Id, pair_id: Id, seat: Reviewing, state: StateOf) -> PairInFull:
    """Two answers with the lines that they share."""
    async with state.db.read() as session:
        return await similarity.in_full(session, await find(session, seat, assessment_id), pair_id, state)


@router.get("/results.csv", response_class=Response, responses=_file("text/csv", *READ, TooManyRequests))
async def download_results_as_csv(
    assessment_id: Id, seat: Limited, state: StateOf, moment: Received, which: Counting
) -> Response:
    """The results for a spreadsheet: a line a person, in UTF-8. Words that would be reckoned as formulas have a ' before them."""
    results, _ = await _of(state, seat, assessment_id, which, moment)
    # The mark at the beginning tells spreadsheets that it is UTF-8.
    return _attached(sheets.csv_of(results).encode("utf-8-sig"), "text/csv; charset=utf-8", assessment_id, "csv")


@router.get("/results.json", responses=errors(*READ, TooManyRequests))
async def download_results_as_json(
    assessment_id: Id, seat: Limited, state: StateOf, moment: Received, which: Counting, response: Response
) -> ResultsFile:
    """The results for a program."""
    results, about = await _of(state, seat, assessment_id, which, moment)
    response.headers["Content-Disposition"] = _disposition(assessment_id, "json")
    return ResultsFile(made_at=about.made_at, team=about.team, results=results)


@router.get("/results.pdf", response_class=Response, responses=_file("application/pdf", *DRAWN))
async def download_results_as_pdf(
    assessment_id: Id, seat: Limited, state: StateOf, moment: Received, which: Counting
) -> Response:
    """The results as a report."""
    results, about = await _of(state, seat, assessment_id, which, moment)
    async with state.db.read() as session:
        again = await own_views.applied_to(session, assessment_id, "", JUDGED_AGAIN)
    whole = reports.of_cohort(results, again, about)
    return await _drawn(state, whole, assessment_id)


@router.get(
    "/participations/{participation_id}/report.pdf",
    response_class=Response,
    responses=_file("application/pdf", *DRAWN, ParticipationNotFound),
)
async def download_report_as_pdf(one: One, state: StateOf, moment: Received, seat: Limited) -> Response:
    """The report about one person: items, signals, tests, and what was sent last."""
    async with state.db.read() as session:
        assessment = await find(session, seat, one.assessment_id)
        run = await one.find(session)
        found = await report.detail(session, run, state, moment)
        sent, said = await answers.in_full(session, run), await reports.notes_of(session, run.row.id)
        again = await own_views.of_person(session, run.row.id)
    about = About(seat.team.name, assessment.name, moment)
    return await _drawn(state, reports.of_person(found, sent, said, again, about), one.participation_id)


async def _of(state: State, seat: Seat, assessment_id: str, which: Wanted, moment: datetime) -> tuple[Results, About]:
    async with state.db.read() as session:
        assessment = await find(session, seat, assessment_id)
        results = await cohort.results(session, assessment, which, state, moment)
    return results, About(seat.team.name, assessment.name, moment)


async def _drawn(state: State, blocks: dict[str, Any], identifier: str) -> Response:
    drawn = await state.aside.run(PAPER, json.dumps(joining.everywhere(blocks)).encode(), PAPER_S)
    return _attached(drawn, "application/pdf", identifier, "pdf")


def _attached(content: bytes, kind: str, identifier: str, ending: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": _disposition(identifier, ending)})


def _disposition(identifier: str, ending: str) -> str:
    return f'attachment; filename="gradus-{identifier[:8]}.{ending}"'
