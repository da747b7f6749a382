"""Routes for people who have a link to a report. They need no account. The responses ask search engines not to index them."""

import json
from typing import Annotated, cast

from fastapi import APIRouter, Header, Path, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.content.embargo import BrowserEmbargoDep, InYourAssessment, Item
from api.external_service_settings import AssistantEndpoint
from api.hiring.candidate_mails.service import logo_of
from api.hiring.monitoring.schemas import WatchedItem
from api.hiring.plans.plan import Kind
from api.hiring.report_links import service
from api.hiring.report_links.schemas import SharedItem, SharedReport
from api.hiring.report_links.service import OpenedReport
from api.hiring.results.downloads import attachment
from api.hiring.results.pdf import arabic, blocks, candidate_report_data
from api.hiring.results.pdf.blocks import ReportHeader
from api.hiring.results.pdf.candidate_report_data import CandidateReportData
from api.hiring.results.report_rate_limit import ReportRateLimitDep
from api.hiring.results.routes import PAPER, PAPER_S
from api.hiring.taking.candidate_request import Received
from api.kit.errors import TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep, SubprocessPoolDep
from api.kit.http.json_body import JsonRoute
from api.kit.subprocess_pool import TookTooLong
from api.kit.text import CleanText

router = APIRouter(tags=["reporting"], route_class=JsonRoute, prefix="/shared-reports")
Token = Annotated[str, Path(max_length=200), CleanText]
Agent = Annotated[str, Header(alias="User-Agent")]
READ = (service.ReportLinkNotFound, service.ReportLinkOver, InYourAssessment)
PRIVATE = {"X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


@router.get("/{token}", responses=errors(*READ))
async def read_shared_report(
    token: Token,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    embargo: BrowserEmbargoDep,
    moment: Received,
    response: Response,
    agent: Agent = "",
) -> SharedReport:
    """Return the report to which a link leads. The opening is recorded, and the team can see it. A candidate who is taking an
    assessment with the same items cannot read it until the end.
    """
    response.headers.update(PRIVATE)
    async with db.read() as session:
        opened = await service.find(session, token, moment)
    await embargo.refuse(_items_of(opened), "answers of others")
    async with db.write() as session:
        await service.record_opening(session, opened.link.id, agent, moment)
    async with db.read() as session:
        return _shared(opened, await _material(session, opened, store, settings.assistant, moment))


@router.get(
    "/{token}/report.pdf",
    response_class=Response,
    responses={
        **errors(*READ, TooManyRequests, TookTooLong),
        200: {"content": {"application/pdf": {}}, "description": "The file."},
    },
)
async def download_shared_report(
    token: Token,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    subprocess_pool: SubprocessPoolDep,
    rate_limit: ReportRateLimitDep,
    embargo: BrowserEmbargoDep,
    moment: Received,
) -> Response:
    """Return the report to which a link leads as PDF."""
    async with db.read() as session:
        opened = await service.find(session, token, moment)
    await embargo.refuse(_items_of(opened), "answers of others")
    async with db.read() as session:
        if wait := rate_limit.wait_s(opened.link.id):
            raise TooManyRequests(
                "This report was downloaded often in a short time. Try again later.", retry_after_s=wait
            )
        rate_limit.count(opened.link.id)
        material = await _material(session, opened, store, settings.assistant, moment)
        logo = await logo_of(session, opened.team.id)
    whole = blocks.of_person(material, ReportHeader(opened.team.name, opened.assessment.name, moment, logo))
    drawn = await subprocess_pool.run(PAPER, json.dumps(arabic.everywhere(whole)).encode(), PAPER_S)
    name = attachment(opened.run.row.id, "pdf", material.found.name, opened.assessment.name)
    return Response(drawn, media_type="application/pdf", headers={**PRIVATE, "Content-Disposition": name})


def _items_of(opened: OpenedReport) -> set[Item]:
    return {(cast("Kind", item.kind), item.name) for item in opened.run.items}


async def _material(
    session: AsyncSession,
    opened: OpenedReport,
    store: CatalogueStore,
    endpoint: AssistantEndpoint | None,
    moment: Received,
) -> CandidateReportData:
    return (
        await candidate_report_data.read(session, opened.assessment, opened.run, store, endpoint, moment)
    ).for_outsiders()


def _shared(opened: OpenedReport, material: CandidateReportData) -> SharedReport:
    found = material.found
    items = [_item(item, material) for item in found.items]
    return SharedReport(
        team=opened.team.name,
        assessment=opened.assessment.name,
        name=found.name,
        is_test=found.is_test,
        started_at=found.started_at,
        finished_at=found.finished_at,
        adjusted=found.adjusted,
        to_review=found.to_review,
        points=found.points,
        recorded=found.recorded,
        signals=found.signals,
        sections=found.sections,
        items=items,
        transcript=material.transcript,
        expires_at=opened.link.expires_at,
    )


def _item(item: WatchedItem, material: CandidateReportData) -> SharedItem:
    answer = material.answers.get(item.position)
    more = {
        "answer": answer.submission if answer else None,
        "source": answer.source if answer else "",
        "later": answer.later if answer else None,
        "text": material.texts.get(item.position),
    }
    return SharedItem.model_validate(item.model_dump() | more)
