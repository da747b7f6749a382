"""Creates, opens and revokes links to reports."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.participations import service as participations
from api.hiring.participations.models import Participation
from api.hiring.participations.service import LoadedParticipation
from api.hiring.report_links.models import ReportLink, ReportLinkOpening
from api.hiring.report_links.schemas import Opening, ReportLinkView
from api.hiring.teams.models import Team
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.kit.text import printable

PREFIX = "report_"
MOST = 50
# Openings that are kept for each link, and shown.
OPENINGS, SHOWN = 500, 20


class ReportLinkNotFound(ApiError):
    status, code = 404, "report_link_not_found"


class ReportLinkOver(ApiError):
    """The link has expired or was revoked."""

    status, code = 410, "report_link_over"


class TooManyReportLinks(ApiError):
    """The report has reached the maximum number of links."""

    status, code = 409, "too_many_report_links"


@dataclass(frozen=True)
class OpenedReport:
    """The report to which a link leads."""

    link: ReportLink
    run: LoadedParticipation
    assessment: Assessment
    team: Team


async def create(
    session: AsyncSession, participation_id: str, account_id: str, days: int, moment: datetime
) -> tuple[ReportLink, str]:
    """Create a link and return it with its token. The caller must have locked the participation. Raises `TooManyReportLinks`."""
    there = select(func.count()).where(ReportLink.participation_id == participation_id)
    if (await session.scalar(there) or 0) >= MOST:
        raise TooManyReportLinks(f"A report has at most {MOST} links.")
    token = new_token(PREFIX)
    row = ReportLink(
        id=new_id(),
        participation_id=participation_id,
        token_hash=token_hash(token),
        created_by=account_id,
        created_at=moment,
        expires_at=moment + timedelta(days=days),
        revoked_at=None,
    )
    session.add(row)
    await session.flush()
    return row, token


async def revoke(session: AsyncSession, participation_id: str, link_id: str, moment: datetime) -> ReportLink:
    """Revoke a link. Revoking it again changes nothing. Raises `ReportLinkNotFound`."""
    row = await session.get(ReportLink, link_id)
    if row is None or row.participation_id != participation_id:
        raise ReportLinkNotFound("This report has no link with this ID.")
    row.revoked_at = row.revoked_at or moment
    return row


async def views(session: AsyncSession, participation_id: str) -> list[ReportLinkView]:
    """Return the links to a report with their openings, newest first."""
    named = select(ReportLink, Account.name).outerjoin(Account, Account.id == ReportLink.created_by)
    rows = await session.execute(
        named.where(ReportLink.participation_id == participation_id).order_by(ReportLink.id.desc())
    )
    return [await view(session, row, name) for row, name in rows.all()]


async def view(session: AsyncSession, row: ReportLink, name: str | None) -> ReportLinkView:
    mine = ReportLinkOpening.link_id == row.id
    newest = select(ReportLinkOpening).where(mine).order_by(ReportLinkOpening.id.desc()).limit(SHOWN)
    return ReportLinkView(
        id=row.id,
        created_by=name,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        opened=await session.scalar(select(func.count()).where(mine)) or 0,
        openings=[Opening.model_validate(each) for each in await session.scalars(newest)],
    )


async def find(session: AsyncSession, token: str, moment: datetime) -> OpenedReport:
    """Return the report to which the link with this token leads. Raises `ReportLinkNotFound`, `ReportLinkOver`."""
    link = await session.scalar(select(ReportLink).where(ReportLink.token_hash == token_hash(token)))
    if link is None:
        raise ReportLinkNotFound("This link is not valid. It may be mistyped, or the report was deleted.")
    if link.revoked_at is not None or moment >= link.expires_at:
        raise ReportLinkOver("This link has expired or was revoked. Ask the person who sent it for a new one.")
    row = await session.get_one(Participation, link.participation_id)
    assessment = await session.get_one(Assessment, row.assessment_id)
    run = await participations.load(session, row)
    return OpenedReport(link, run, assessment, await session.get_one(Team, assessment.team_id))


async def record_opening(session: AsyncSession, link_id: str, agent: str, moment: datetime) -> None:
    """Record that a link was opened. After `OPENINGS` of them, further ones are not recorded."""
    there = select(func.count()).where(ReportLinkOpening.link_id == link_id)
    if (await session.scalar(there) or 0) < OPENINGS:
        session.add(ReportLinkOpening(id=new_id(), link_id=link_id, at=moment, agent=printable(agent)[:200]))
