"""What a letter says, as an e-mail: the same paragraphs as plain text and as plain HTML.

Nothing in a letter was chosen by a stranger: whoever registers with somebody else's address could otherwise write to it. Only
the name of who invites stands in one, as `spoken`.
"""

import unicodedata
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime, make_msgid, parseaddr
from html import escape

from api.db import now

SPOKEN = 60
STYLE = "font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1b18;max-width:34em;margin:2em auto"
BUTTON = "display:inline-block;padding:.6em 1.1em;border-radius:8px;background:#2a4ab8;color:#fff;text-decoration:none"


@dataclass(frozen=True)
class Content:
    """A subject, paragraphs, and perhaps a link that comes after the first paragraph."""

    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    button: str = ""


def spoken(name: str) -> str:
    """A name that a stranger chose, as a letter may say it: short, and without the dots and slashes that make links."""
    plain = (char if unicodedata.category(char)[0] in "LMN" or char in "-'&" else " " for char in name)
    return " ".join("".join(plain).split())[:SPOKEN].strip()


def as_text(content: Content) -> str:
    """The plain text."""
    first, *rest = content.paragraphs
    return "\n\n".join([first, *([content.link] if content.link else []), *rest]) + "\n"


def as_html(content: Content) -> str:
    """The HTML, in which every text stays text."""
    parts = [f"<p>{escape(paragraph)}</p>" for paragraph in content.paragraphs]
    if content.link:
        link = escape(content.link)
        parts.insert(1, f'<p><a href="{link}" style="{BUTTON}">{escape(content.button)}</a></p><p>{link}</p>')
    body = "".join(parts)
    return f'<!doctype html><html lang="en"><body style="{STYLE}">{body}</body></html>\n'


def as_email(content: Content, sender: str, address: str) -> EmailMessage:
    """The message. Raises `ValueError` for an address that no header can hold."""
    message = EmailMessage(policy=SMTPUTF8)
    name, own = parseaddr(sender)
    message["From"] = Address(name, addr_spec=own)
    message["To"] = Address(addr_spec=address)
    message["Subject"] = content.subject
    message["Date"] = format_datetime(now())
    message["Message-ID"] = make_msgid(domain=own.rpartition("@")[2])
    # Out-of-office replies have nobody to read them.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(as_text(content))
    message.add_alternative(as_html(content), subtype="html")
    return message
