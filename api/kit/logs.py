"""Configures logging: one JSON object per line, or readable text on a terminal. Logs never contain request bodies,
passwords, tokens or submitted source code.

Text from outside, such as a path, cannot start a new line of the log: control characters, and characters that change the
direction of text, are replaced. Anything that looks like a secret of this service, such as a token in a mistyped URL, is
truncated.
"""

import contextlib
import logging
import re
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, WrappedLogger

from api.kit.text import printable

TRACEBACK = "Traceback (most recent call last):\n"
SECRET = re.compile(r"\b(gradus_|gs_|setup_|take_|gradus-node\.[a-z0-9-]+\.)[A-Za-z0-9_-]{12,}")


class LineLogger(structlog.WriteLogger):
    """Writes a message and its line break in one call, so that no line of another thread comes between the two. A line that
    cannot be written, for example because the disk is full, is dropped. The standard library's `logging` does the same.
    """

    def msg(self, message: str) -> None:
        """Write one line and flush it."""
        with contextlib.suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def configure(kind: Literal["auto", "json", "text"]) -> None:
    """Write the service's own events and the log records of libraries to stderr, in the same format."""
    text = kind == "text" or (kind == "auto" and sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Use plain tracebacks: structlog's formatted ones print local variables, which may contain passwords.
    console: structlog.typing.Processor = structlog.dev.ConsoleRenderer(
        exception_formatter=structlog.dev.plain_traceback
    )
    last = console if text else structlog.processors.JSONRenderer()
    clean: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, sanitize, last]
    theirs = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *clean]
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=theirs)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers, root.level = [handler], logging.INFO
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # The service's own events do not pass through the standard library's `logging`, which would add a tenth to the CPU time
    # that the service needs for a submission.
    structlog.configure(
        processors=[*shared, *clean],
        logger_factory=lambda *_: LineLogger(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )


def sanitize(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Put each value on a single line and truncate secrets. Tracebacks keep their line breaks, but are indented so that
    none of their lines looks like a log line.
    """
    message = event.get("event")
    if isinstance(message, str) and message.startswith(TRACEBACK):  # uvicorn logs a failed startup only as a traceback
        event["event"], event["exception"] = message.rstrip().rpartition("\n")[2], message.rstrip()
    for name, value in event.items():
        if isinstance(value, str):
            if name in ("exception", "stack"):
                safe = "\n".join(f"    {printable(line)}" for line in value.split("\n"))
            else:
                safe = printable(value)
            event[name] = SECRET.sub(r"\1…", safe)
    return event
