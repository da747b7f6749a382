"""Writes the logs of a node: one JSON object per line, or text on a terminal. Logs never contain source code, tests or tokens.

Each event of a job has a field `judging` with the job's id. The service's log uses the same field, so a search for the id finds
all events of the job, from the request to the verdict.
"""

import json
import logging
import sys
import time
from typing import Any

from grader.contract.errors import GraderError
from grader.contract.job import Judgement

FIELDS = "fields"


def configure(kind: str) -> None:
    """Log to stderr: as JSON for `json`, as text for `text`, and for `auto` as text on a terminal and as JSON elsewhere."""
    text = kind == "text" or (kind == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Text() if text else _Json())
    root = logging.getLogger()
    root.handlers, root.level = [handler], logging.INFO
    # The Docker client logs every request; only its warnings are kept.
    logging.getLogger("urllib3").setLevel(logging.WARNING)


def tell(log: logging.Logger, event: str, **fields: Any) -> None:
    """Log one event with its fields. The field `trace` is a W3C traceparent, or empty."""
    if trace := fields.pop("trace", ""):
        fields["trace_id"] = trace[3:35]
    log.info(event, extra={FIELDS: fields})


def in_words(outcome: object) -> str:
    """Return text for a log that says how a job ended: its verdict, a fault of the grader, or «stopped» if it was cancelled."""
    if isinstance(outcome, Judgement):
        return str(outcome.verdict or "done")
    return f"{type(outcome).__name__}: {outcome}"[:300] if isinstance(outcome, GraderError) else "stopped"


def _time(record: logging.LogRecord) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z"


class _Json(logging.Formatter):
    """Escapes non-ASCII characters and line breaks, so that every event stays on one line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {"event": record.getMessage(), **getattr(record, FIELDS, {}), "level": record.levelname.lower()}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps({**told, "timestamp": _time(record)}, default=str)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(
            f"{name}={json.dumps(value, default=str)}" for name, value in getattr(record, FIELDS, {}).items()
        )
        line = f"{_time(record)} [{record.levelname.lower()}] {json.dumps(record.getMessage())[1:-1]} {fields}".rstrip()
        if record.exc_info:
            lines = self.formatException(record.exc_info).splitlines()
            line = "\n".join([line, *(f"    {json.dumps(each)[1:-1]}" for each in lines)])
        return line
