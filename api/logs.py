"""Logs: one JSON object a line (readable text on a terminal). Never bodies, passwords, tokens or source.

Whatever somebody sent stays on its line: control characters and marks that turn the direction of text are replaced, and
what looks like one of our secrets (a token in a mistyped address) is cut short.
"""

import contextlib
import logging
import re
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, WrappedLogger

from api.text import printable

TRACEBACK = "Traceback (most recent call last):\n"
SECRET = re.compile(r"\b(gradus_|gs_|setup_|take_|gradus-node\.[a-z0-9-]+\.)[A-Za-z0-9_-]{12,}")


class Lines(structlog.PrintLogger):
    """A line a message. One that cannot be written (the disk is full) is lost, as with logging, and keeps nobody from working."""

    def msg(self, message: str) -> None:
        """Write it, now."""
        with contextlib.suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def configure(kind: Literal["auto", "json", "text"]) -> None:
    """Send our events and the libraries' records to stderr in one format."""
    text = kind == "text" or (kind == "auto" and sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Tracebacks are plain: the pretty ones show local variables, and with them passwords.
    console: structlog.typing.Processor = structlog.dev.ConsoleRenderer(
        exception_formatter=structlog.dev.plain_traceback
    )
    last = console if text else structlog.processors.JSONRenderer()
    clean: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, tame, last]
    theirs = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *clean]
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=theirs)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers, root.level = [handler], logging.INFO
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Ours do not go by way of logging: a judging leaves two lines, and that would be a tenth of what it costs the service.
    structlog.configure(
        processors=[*shared, *clean],
        logger_factory=lambda *_: Lines(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )


def tame(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Every text on one line and without secrets; only tracebacks keep their lines, set in so that none looks like ours."""
    told = event.get("event")
    if isinstance(told, str) and told.startswith(TRACEBACK):  # uvicorn has no other way to tell why nothing has started
        event["event"], event["exception"] = told.rstrip().rpartition("\n")[2], told.rstrip()
    for name, value in event.items():
        if isinstance(value, str):
            if name in ("exception", "stack"):
                told = "\n".join(f"    {printable(line)}" for line in value.split("\n"))
            else:
                told = printable(value)
            event[name] = SECRET.sub(r"\1…", told)
    return event
