"""The letter that says that a webhook was switched off."""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.addresses.letters import Kind
from api.letters.message import Content, spoken
from api.letters.models import Letter
from api.teams.models import Team
from api.webhooks.models import Webhook
from api.webhooks.service import LETTER, PATIENCE


async def _off(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    hook = await session.get(Webhook, json.loads(letter.data)["webhook"])
    if hook is None or hook.off_at is None:
        return None
    team = await session.get_one(Team, hook.team_id)
    told = f"A webhook of your team «{spoken(team.name)}» was switched off: nobody listens at its address any more."
    why = f"For {PATIENCE.days} days no message arrived, or the receiver answered that it is gone for good."
    missed = "See what was missed in its log, switch it on again, and send what matters once more."
    return Content(
        "A webhook was switched off", (told, why, missed), f"{url}/teams/{team.id}/connections", "See the webhook"
    )


KINDS: dict[str, Kind] = {LETTER: _off}
