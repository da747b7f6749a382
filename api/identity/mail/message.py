"""Renders the content of a mail as an email message, with the same paragraphs as plain text and as simple HTML.

A mail contains no text that a stranger chose. Otherwise anybody could send text to a person by registering with the person's
address. There are two exceptions: the name of somebody who sends an invitation, which `safe_name` cleans, and the message of a
team to its candidates (`Letterhead`), which contains no links and is quoted as the team's words.
"""

import re
import unicodedata
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime, make_msgid, parseaddr
from html import escape

from api.kit.db.database import now

# Longer names are cut to this many characters.
MOST_NAME = 60
PUNCTUATION = "-–—'’&,+()#!?%.:"
# Characters that mail programs read as part of a link if the next character is not a space.
LINKING = re.compile(r"[.:?](?=\S)")
STYLE = "font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1b18;max-width:34em;margin:2em auto"
QUOTE = "margin:1.2em 0;padding:.1em 0 .1em 1em;border-left:3px solid #d9d3c7"
# The name under which a mail refers to the logo that it carries.
LOGO = "logo@gradus"
BUTTON = "display:inline-block;padding:.6em 1.1em;border-radius:8px;background:#2a4ab8;color:#fff;text-decoration:none"


@dataclass(frozen=True)
class Letterhead:
    """What the sender of a mail adds to it: a logo (a PNG) with a text for people who do not see it, a message of their own after
    the sentence `intro`, and the address that gets the replies. Empty parts are left out.
    """

    logo: bytes = b""
    logo_text: str = ""
    intro: str = ""
    message: tuple[str, ...] = ()
    reply_to: str = ""


@dataclass(frozen=True)
class Content:
    """The content of a mail: a subject, paragraphs, and an optional link, which is placed after the first paragraph. The
    letterhead's message follows the link.
    """

    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    button: str = ""
    head: Letterhead = Letterhead()


def safe_name(name: str) -> str:
    """Make a name safe for a mail, because a stranger may have chosen it. The name is shortened, and only letters, digits and
    the punctuation of names are kept. Slashes and @ are removed, and so are dots, colons and question marks within words,
    because they could form a link.
    """
    plain = "".join(char if _is_safe(char) else " " for char in LINKING.sub(" ", name))
    return " ".join("".join(plain).split())[:MOST_NAME].strip()


def _is_safe(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" or char in PUNCTUATION


def as_text(content: Content) -> str:
    first, *rest = content.paragraphs
    message = content.head.message
    quoted = ["\n".join(f"> {line}" for line in "\n\n".join(message).split("\n"))] if message else []
    quoted = [content.head.intro, *quoted] if quoted else []
    return "\n\n".join([first, *([content.link] if content.link else []), *quoted, *rest]) + "\n"


def as_html(content: Content, logo: str = f"cid:{LOGO}") -> str:
    """Return the HTML body, with all texts escaped. `logo` is the URL of the letterhead's logo."""
    first, *rest = [f"<p>{escape(paragraph)}</p>" for paragraph in content.paragraphs]
    link, head = escape(content.link), content.head
    parts = [first]
    if head.logo:
        # The size is that of the file, which is twice as large as on the screen.
        style = "display:block;max-width:240px;max-height:80px;margin-bottom:1.5em"
        parts.insert(0, f'<img src="{escape(logo)}" alt="{escape(head.logo_text)}" style="{style}">')
    if content.link:
        parts.append(f'<p><a href="{link}" style="{BUTTON}">{escape(content.button)}</a></p><p>{link}</p>')
    if head.message:
        message = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in head.message).replace("\n", "<br>")
        parts.append(f'<p>{escape(head.intro)}</p><blockquote style="{QUOTE}">{message}</blockquote>')
    body = "".join([*parts, *rest])
    return f'<!doctype html><html lang="en"><body style="{STYLE}">{body}</body></html>\n'


def as_email(content: Content, sender: str, address: str) -> EmailMessage:
    """Return the email message. Raises `ValueError` for an address that cannot be written in a mail header."""
    message = EmailMessage(policy=SMTPUTF8)
    name, own = parseaddr(sender)
    message["From"] = Address(name, addr_spec=own)
    message["To"] = Address(addr_spec=address)
    message["Subject"] = content.subject
    message["Date"] = format_datetime(now())
    message["Message-ID"] = make_msgid(domain=own.rpartition("@")[2])
    # Asks auto-responders not to reply.
    message["Auto-Submitted"] = "auto-generated"
    if content.head.reply_to:
        message["Reply-To"] = Address(addr_spec=content.head.reply_to)
    message.set_content(as_text(content))
    message.add_alternative(as_html(content), subtype="html")
    if content.head.logo:
        html = message.get_body(("html",))
        assert isinstance(html, EmailMessage), "the body was added above"
        html.add_related(content.head.logo, "image", "png", cid=f"<{LOGO}>", disposition="inline", filename="logo.png")
    return message
