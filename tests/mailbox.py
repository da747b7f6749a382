"""Provides a real SMTP server on a free port of the loopback interface. It stores the mail that it receives."""

import contextlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from tests.live import free_port

PATIENT_S = 20.0


@dataclass
class Mailbox:
    """The received emails. `refusals` holds SMTP responses. Each is sent once, in place of accepting the next recipient."""

    port: int
    letters: list[EmailMessage] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    asked: int = 0

    @property
    def url(self) -> str:
        """The value for GRADUS_SMTP_URL."""
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        """Accept the recipient, or send the next entry of `refusals`."""
        self.asked += 1
        if self.refusals:
            return self.refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Store the email."""
        letter = message_from_bytes(envelope.content, policy=default)
        assert isinstance(letter, EmailMessage)
        letter["X-Given-To"] = ", ".join(envelope.rcpt_tos)
        self.letters.append(letter)
        return "250 taken"

    def to(self, address: str) -> list[EmailMessage]:
        """Return the emails to an address, oldest first."""
        return [letter for letter in self.letters if letter["X-Given-To"] == address]

    def wait_for(self, address: str, count: int = 1) -> EmailMessage:
        """Wait until `count` emails to an address have arrived. Return the last of them."""
        until = time.monotonic() + PATIENT_S
        while len(self.to(address)) < count:
            assert time.monotonic() < until, (
                f"no letter came to {address}: {[each['Subject'] for each in self.letters]}"
            )
            time.sleep(0.02)
        return self.to(address)[count - 1]


def text_of(letter: EmailMessage, kind: str = "plain") -> str:
    """Return the plain text of an email, or with `kind="html"` its HTML."""
    part = letter.get_body((kind,))
    assert part is not None
    text: str = part.get_content()
    return text


def link_in(letter: EmailMessage) -> tuple[str, str]:
    """Return the link in an email, split into the URL of the page and the token."""
    found = re.search(r"^(http\S+)#(\S+)\s*$", text_of(letter), re.MULTILINE)
    assert found is not None, text_of(letter)
    return found[1], found[2]


@contextlib.contextmanager
def mailbox() -> Iterator[Mailbox]:
    """Run the server during the `with` block."""
    box = Mailbox(free_port())
    controller = Controller(box, hostname="127.0.0.1", port=box.port, enable_SMTPUTF8=True)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
