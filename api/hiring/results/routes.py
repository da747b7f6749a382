"""Routes for the results of an assessment, for similar answers, and for files to download."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.hiring.assessments.service import AssessmentNotFound, find
from api.hiring.authoring.rejudges import views
from api.hiring.candidate_mails.service import logo_of
from api.hiring.monitoring.routes import ForReviewer
from api.hiring.monitoring.service import scored_rows
from api.hiring.participations.service import ParticipationNotFound
from api.hiring.results import answers, cohort, downloads, similarity
from api.hiring.results.cohort import ResultsFilter
from api.hiring.results.downloads import attachment
from api.hiring.results.pdf import arabic, candidate_report_data
from api.hiring.results.pdf import blocks as pdf_blocks
from api.hiring.results.pdf.blocks import ReportHeader
from api.hiring.results.report_rate_limit import ReportRateLimitDep
from api.hiring.results.schemas import (
    Attempts,
    ComparedAnswers,
    PairInFull,
    Results,
    ResultsFile,
    Similarity,
)
from api.hiring.taking.candidate_request import Received
from api.hiring.team_comparison.percentiles import compared, groups_for
from api.hiring.team_comparison.schemas import ComparedItems
from api.hiring.teams.membership import AsReviewer, Membership, TeamNotFound
from api.kit.db.database import Database
from api.kit.errors import ApiError, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep, SubprocessPoolDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.kit.subprocess_pool import SubprocessPool, TookTooLong

router = APIRouter(tags=["reporting"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
DRAWN = (*READ, TooManyRequests, TookTooLong)
COMPARED, JUDGED_AGAIN = 4, 100
PAPER, PAPER_S = Path(__file__).with_name("pdf") / "program.py", 60.0
Several = Annotated[
    list[Annotated[str, Query(pattern=r"^[0-9a-f]{32}$")]],
    Query(alias="participation", min_length=1, max_length=COMPARED),
]
Version = Annotated[
    int | None, Query(ge=1, le=2**31 - 1, description="Of one version of the plan; without it, of all.")
]


async def results_filter(version: Version = None, attempts: Attempts = "best") -> ResultsFilter:
    """FastAPI dependency that returns the filter for the participations that count. The filter is built from the query
    parameters.
    """
    return ResultsFilter(version, attempts)


async def limited(membership: AsReviewer, rate_limit: ReportRateLimitDep) -> Membership:
    """FastAPI dependency that counts one report for the caller and returns the caller's membership. Raises `TooManyRequests` if
    the caller requested too many reports recently.
    """
    if wait := rate_limit.wait_s(membership.account.id):
        raise TooManyRequests("You requested many reports in a short time. Try again later.", retry_after_s=wait)
    rate_limit.count(membership.account.id)
    return membership


def _file(kind: str, *refusals: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    return {**errors(*refusals), 200: {"content": {kind: {}}, "description": "The file."}}


SelectedResults = Annotated[ResultsFilter, Depends(results_filter)]
Limited = Annotated[Membership, Depends(limited)]


@router.get("/results", responses=errors(*READ))
async def get_results(
    assessment_id: Id,
    membership: AsReviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    moment: Received,
    selected: SelectedResults,
) -> Results:
    """Return the results of all candidates who finished, item by item, with statistics."""
    async with db.read() as session:
        assessment = await find(session, membership, assessment_id)
        return await cohort.results(session, assessment, selected, store, moment)


@router.get("/results/answers/{slug}", responses=errors(*READ))
async def list_compared_answers(
    assessment_id: Id, slug: SlugInPath, membership: AsReviewer, db: DatabaseDep, participations: Several
) -> ComparedAnswers:
    """Return the answers of up to four candidates who finished, for one challenge. A candidate's answer is the one that counts
    for the score. Candidates without an answer are left out.
    """
    async with db.read() as session:
        await find(session, membership, assessment_id)
        return ComparedAnswers(items=await answers.to_show(session, assessment_id, slug, participations))


@router.get("/similarity", responses=errors(*READ))
async def get_similarity(
    assessment_id: Id, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> Similarity:
    """Return the result of the latest comparison of the assessment's answers."""
    async with db.read() as session:
        return await similarity.latest_comparison(session, await find(session, membership, assessment_id), store)


@router.post("/similarity", responses=errors(CrossSite, *DRAWN, similarity.TooMuchToCompare))
async def look_for_similarity(
    assessment_id: Id,
    membership: Limited,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    subprocess_pool: SubprocessPoolDep,
) -> Similarity:
    """Compare the answers of all candidates who finished: of each candidate and challenge, the answer that counts for the score.
    They are compared with each other, with answers in the team's other assessments, and with the accepted answers and the
    editorial of each challenge.

    Different names, comments and layout make no difference. Code that all candidates were given does not count. If nothing has
    changed since the last comparison, its result is returned.
    """
    await similarity.compare_answers(db, store, subprocess_pool, membership, assessment_id)
    async with db.read() as session:
        return await similarity.latest_comparison(session, await find(session, membership, assessment_id), store)


@router.get("/similarity/{pair_id}", responses=errors(*READ, similarity.PairNotFound, similarity.ComparisonOutdated))
async def get_similar_pair(
    assessment_id: Id, pair_id: Id, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> PairInFull:
    """Return two answers with the lines that they share."""
    async with db.read() as session:
        return await similarity.compare_pair(session, await find(session, membership, assessment_id), pair_id, store)


@router.get("/results.csv", response_class=Response, responses=_file("text/csv", *READ, TooManyRequests))
async def download_results_as_csv(
    assessment_id: Id,
    membership: Limited,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    moment: Received,
    selected: SelectedResults,
) -> Response:
    """Return the results for a spreadsheet program, with one line per candidate, in UTF-8. Text that would be evaluated as a
    formula gets a leading apostrophe.
    """
    results, about = await _of(db, store, membership, assessment_id, selected, moment)
    name = attachment(assessment_id, "csv", about.assessment, "results")
    # The byte order mark tells spreadsheet programs that the file is UTF-8.
    return _attached(downloads.csv_of(results).encode("utf-8-sig"), "text/csv; charset=utf-8", name)


@router.get("/results.json", responses=errors(*READ, TooManyRequests))
async def download_results_as_json(
    assessment_id: Id,
    membership: Limited,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    moment: Received,
    selected: SelectedResults,
    response: Response,
) -> ResultsFile:
    """Return the results as JSON, for programs."""
    results, about = await _of(db, store, membership, assessment_id, selected, moment)
    response.headers["Content-Disposition"] = attachment(assessment_id, "json", about.assessment, "results")
    return ResultsFile(made_at=about.made_at, team=about.team, results=results)


@router.get("/results.pdf", response_class=Response, responses=_file("application/pdf", *DRAWN))
async def download_results_as_pdf(
    assessment_id: Id,
    membership: Limited,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    subprocess_pool: SubprocessPoolDep,
    moment: Received,
    selected: SelectedResults,
) -> Response:
    """Return the results as a PDF report."""
    results, about = await _of(db, store, membership, assessment_id, selected, moment)
    async with db.read() as session:
        again = await views.applied_to(session, assessment_id, "", JUDGED_AGAIN)
    whole = pdf_blocks.of_cohort(results, again, about)
    return await _drawn(subprocess_pool, whole, attachment(assessment_id, "pdf", about.assessment, "results"))


@router.get("/participations/{participation_id}/similarity", responses=errors(*READ, ParticipationNotFound))
async def get_similarity_of_candidate(
    addressed: ForReviewer, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> Similarity:
    """Return the pairs of the latest comparison that contain an answer of one candidate."""
    async with db.read() as session:
        run = await addressed.find(session)
        assessment = await find(session, membership, addressed.assessment_id)
        return await similarity.of_participation(session, assessment, run.row.id, store)


@router.get("/participations/{participation_id}/comparison", responses=errors(*READ, ParticipationNotFound))
async def compare_with_other_teams(
    addressed: ForReviewer, membership: AsReviewer, db: DatabaseDep, moment: Received
) -> ComparedItems:
    """Compare a candidate's results with those of all teams that share theirs. Items that cannot be compared are left out."""
    async with db.read() as session:
        run = await addressed.find(session)
        ((_, items),) = await scored_rows(session, [run.row], moment)
        groups = await groups_for(session, membership.team.id, {(item.kind, item.name) for item in items})
    return ComparedItems(items=compared(groups, items))


@router.get(
    "/participations/{participation_id}/report.pdf",
    response_class=Response,
    responses=_file("application/pdf", *DRAWN, ParticipationNotFound),
)
async def download_report_as_pdf(
    addressed: ForReviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    subprocess_pool: SubprocessPoolDep,
    settings: SettingsDep,
    moment: Received,
    membership: Limited,
) -> Response:
    """Return the report about one candidate as PDF. It contains the items, signals, similar answers, tests, the answers that
    count, and what the candidate asked the assistant.
    """
    async with db.read() as session:
        assessment = await find(session, membership, addressed.assessment_id)
        run = await addressed.find(session)
        material = await candidate_report_data.read(session, assessment, run, store, settings.assistant, moment)
        logo = await logo_of(session, membership.team.id)
    whole = pdf_blocks.of_person(material, ReportHeader(membership.team.name, assessment.name, moment, logo))
    name = attachment(addressed.participation_id, "pdf", material.found.name, assessment.name)
    return await _drawn(subprocess_pool, whole, name)


async def _of(
    db: Database,
    store: CatalogueStore,
    membership: Membership,
    assessment_id: str,
    selected: ResultsFilter,
    moment: datetime,
) -> tuple[Results, ReportHeader]:
    async with db.read() as session:
        assessment = await find(session, membership, assessment_id)
        results = await cohort.results(session, assessment, selected, store, moment)
        logo = await logo_of(session, membership.team.id)
    return results, ReportHeader(membership.team.name, assessment.name, moment, logo)


async def _drawn(subprocess_pool: SubprocessPool, blocks: dict[str, Any], disposition: str) -> Response:
    drawn = await subprocess_pool.run(PAPER, json.dumps(arabic.everywhere(blocks)).encode(), PAPER_S)
    return _attached(drawn, "application/pdf", disposition)


def _attached(content: bytes, kind: str, disposition: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": disposition})
