"""Request and response bodies of what a team adds to the emails to its candidates."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from api.kit.ids import Id
from api.kit.text import CleanText

MailKind = Literal["invitation", "reminder"]
EXAMPLE: dict[str, Any] = {"message": "Thank you for applying. Questions? Just reply to this email.", "reply_to": None}
# Whatever a mail program would turn into a link: an address, or a dot between a letter and two more.
LINK = re.compile(r"\S*(?:://|@|[^\W_]\.[^\W\d_]{2})\S*")
# Twice the size that `logo.png_of` allows, as Base64, so that somewhat larger files get its message, which names the limit.
MOST_LOGO = 1_400_000


def _without_links(text: str) -> str:
    """Refuse links. Anybody can create a team, and must not be able to send links to strangers in the name of this site."""
    text = text.replace("\r\n", "\n").strip()
    if found := LINK.search(text):
        raise PydanticCustomError(
            "link",
            "must not contain links or email addresses: “{found}” reads like one",
            {"found": found.group()[:80]},
        )
    return text


Message = Annotated[str, AfterValidator(_without_links), StringConstraints(max_length=1000), CleanText]
Logo = Annotated[str, StringConstraints(max_length=MOST_LOGO), CleanText]


class CandidateMailText(BaseModel):
    """What a team adds to invitations and reminders: a message, the account ID of the member who gets the replies, and a logo
    as a `data:` URL (PNG or JPEG). Null and an empty message add nothing.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    message: Message = ""
    reply_to: Id | None = None
    logo: Logo | None = None


class SavedCandidateMail(BaseModel):
    """What a team adds to invitations and reminders. `logo` is a `data:` URL of a PNG."""

    message: str
    reply_to: str | None
    logo: str | None


class MailPreview(BaseModel):
    """An email as a candidate would get it, with example values. `html` is a whole page."""

    sender: str
    reply_to: str
    subject: str
    html: str
