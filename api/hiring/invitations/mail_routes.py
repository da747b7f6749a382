"""Routes for what a team adds to the emails to its candidates."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from api.hiring.candidate_mails import service
from api.hiring.candidate_mails.logo import BadLogo, data_url_of
from api.hiring.candidate_mails.schemas import CandidateMailText, MailKind, MailPreview, SavedCandidateMail
from api.hiring.invitations import mail
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsOwner, AsReviewer, RoleTooLow, TeamNotFound
from api.identity.mail.message import as_html
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.db.database import now
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute

router = APIRouter(tags=["invitations"], route_class=JsonRoute)
WRITE = (CrossSite, NotSignedIn, SessionRequired, TeamNotFound, RoleTooLow, BadLogo)
EXAMPLE_DAYS = timedelta(days=14)


@router.get("/teams/{team_id}/candidate-mail", responses=errors(NotSignedIn, TeamNotFound))
async def get_candidate_mail(membership: AsReviewer, db: DatabaseDep) -> SavedCandidateMail:
    """Return what the team adds to its invitations and reminders."""
    async with db.read() as session:
        return await service.saved(session, membership.team.id)


@router.put("/teams/{team_id}/candidate-mail", responses=errors(*WRITE, service.NotAReplyAddress))
async def save_candidate_mail(
    body: CandidateMailText, _: Browser, membership: AsOwner, db: DatabaseDep
) -> SavedCandidateMail:
    """Change what the team adds to its invitations and reminders. It also applies to emails that are already scheduled."""
    row = await service.row_of(membership.team.id, body)
    async with db.write() as session:
        await service.save(session, row)
        activity_log.record(session, membership, "team.mail", membership.team.id, membership.team.name)
        return await service.saved(session, membership.team.id)


@router.post("/teams/{team_id}/candidate-mail/preview", responses=errors(*WRITE))
async def preview_candidate_mail(
    body: CandidateMailText,
    _: Browser,
    membership: AsOwner,
    db: DatabaseDep,
    settings: SettingsDep,
    kind: Annotated[MailKind, Query()] = "invitation",
) -> MailPreview:
    """Return an email with what is in the request, without saving it. `reply_to` is empty if the member's address is not
    verified.
    """
    row = await service.row_of(membership.team.id, body)
    async with db.read() as session:
        head = await service.letterhead(session, membership.team, row)
    write = mail.invitation if kind == "invitation" else mail.reminder
    invited = mail.Invited(membership.team, "Example assessment", now() + EXAMPLE_DAYS)
    content = write(invited, mail.link_of(settings.url, "example"), head)
    return MailPreview(
        sender=settings.mail_from,
        reply_to=head.reply_to,
        subject=content.subject,
        html=as_html(content, data_url_of(head.logo) if head.logo else ""),
    )
