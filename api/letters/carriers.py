"""Ways in which a letter leaves: by an SMTP server, or printed on the console for whoever runs the service."""

import sys
from collections.abc import Awaitable, Callable
from email.errors import HeaderParseError
from typing import TextIO
from urllib.parse import unquote, urlsplit

import aiosmtplib

from api.letters.message import Content, as_email, as_text
from api.settings import Settings

Carrier = Callable[[Content, str], Awaitable[None]]
TIMEOUT_S = 20
HERE = ("localhost", "127.0.0.1", "::1")


class Undeliverable(Exception):
    """The letter can never be delivered."""


def carrier_of(settings: Settings) -> Carrier:
    """The carrier that the settings ask for."""
    return _by_smtp(settings) if settings.letters_leave else _by_console(sys.stdout)


def _by_console(console: TextIO) -> Carrier:
    async def carry(content: Content, address: str) -> None:
        letter = f"\n--- letter to {address}: {content.subject} ---\n\n{as_text(content)}\n--- end of letter ---\n"
        print(letter, file=console, flush=True)

    return carry


def _by_smtp(settings: Settings) -> Carrier:
    """`smtps` begins with TLS; `smtp` goes over to it, on another machine always, on this one if the server can."""
    url = urlsplit(settings.smtp_url.get_secret_value())
    at_once = url.scheme == "smtps"

    async def carry(content: Content, address: str) -> None:
        try:
            await aiosmtplib.send(
                as_email(content, settings.letters_from, address),
                hostname=url.hostname,
                port=url.port or (465 if at_once else 587),
                username=unquote(url.username) if url.username else None,
                password=unquote(url.password) if url.password else None,
                use_tls=at_once,
                start_tls=False if at_once else None if url.hostname in HERE else True,
                timeout=TIMEOUT_S,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            if all(refused.code >= 500 for refused in error.recipients):
                raise Undeliverable(f"refused with {error.recipients[0].code}") from None
            raise
        except (ValueError, HeaderParseError, aiosmtplib.SMTPNotSupported) as error:
            raise Undeliverable(type(error).__name__) from None

    return carry
