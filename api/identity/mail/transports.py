"""Transports for mail: an SMTP server, or the console of the service if no server is configured."""

import sys
from collections.abc import Awaitable, Callable
from email.errors import HeaderParseError
from typing import TextIO
from urllib.parse import unquote, urlsplit

import aiosmtplib

from api.identity.mail.message import Content, as_email, as_text
from api.settings import Settings

Transport = Callable[[Content, str], Awaitable[None]]
TIMEOUT_S = 20
HERE = ("localhost", "127.0.0.1", "::1")


class Undeliverable(Exception):
    """The mail can never be delivered, so it must not be retried."""


def transport_of(settings: Settings) -> Transport:
    """Return the transport that the settings select."""
    return _by_smtp(settings) if settings.sends_mail else _by_console(sys.stdout)


def _by_console(console: TextIO) -> Transport:
    async def send(content: Content, address: str) -> None:
        text = f"\n--- email to {address}: {content.subject} ---\n\n{as_text(content)}\n--- end of email ---\n"
        print(text, file=console, flush=True)

    return send


def _by_smtp(settings: Settings) -> Transport:
    """Return a transport that sends by SMTP. `smtps` URLs use TLS from the start. `smtp` URLs upgrade with STARTTLS, which
    is required if the server is another machine, and optional if it is this one.
    """
    url = urlsplit(settings.smtp_url.get_secret_value())
    at_once = url.scheme == "smtps"

    async def send(content: Content, address: str) -> None:
        try:
            await aiosmtplib.send(
                as_email(content, settings.mail_from, address),
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

    return send
