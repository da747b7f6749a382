"""Writes the email about a webhook that was switched off automatically."""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams.models import Team
from api.hiring.webhooks.models import Webhook
from api.hiring.webhooks.service import MAIL_KIND, PATIENCE
from api.identity.email_addresses.mail import Kind
from api.identity.mail.message import Content, safe_name
from api.identity.mail.models import OutboxMail


async def _off(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    hook = await session.get(Webhook, json.loads(mail.data)["webhook"])
    if hook is None or hook.off_at is None:
        return None
    team = await session.get_one(Team, hook.team_id)
    text = (
        f"A webhook of your team “{safe_name(team.name)}” was disabled, because messages to it could not be delivered."
    )
    why = f"For {PATIENCE.days} days no message was delivered, or the receiver answered that it is permanently gone."
    missed = "See the missed messages in its log, enable it again, and resend those that matter."
    return Content("A webhook was disabled", (text, why, missed), f"{url}/teams/{team.id}/connections", "View webhook")


KINDS: dict[str, Kind] = {MAIL_KIND: _off}
