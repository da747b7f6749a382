"""OpenTelemetry traces. They are exported if OpenTelemetry's own environment variables (OTEL_…) configure it; otherwise its
SDK is not even imported.

A trace is identified by a W3C `traceparent`. It is passed on in a context variable while a request is served, then in database
rows, and in job offers to nodes. An empty string means that there is no trace. Except for the spans of requests, a span is
recorded only after its work has ended, so a process that dies leaves no span open. Times come from
`api.kit.db.database.now`, so that the times of all processes fit together.

Attributes contain only names, ids, verdicts and route templates, never text that users wrote or sent. FastAPI's own spans are
off, because they contain the full URL, in which there can be a token.
"""

import contextlib
import os
import socket
import threading
from collections.abc import AsyncIterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from api import VERSION
from api.kit.db.database import now
from api.settings import ConfigurationError, Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

log = structlog.get_logger()
NONE = ""
Attributes = Mapping[str, str | int]
SERVED = "/api/"
# Maximum number of seconds that shutdown waits until the last spans are sent, in case the collector does not respond.
SHUTDOWN_S = 3.0
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOT_INSTALLED = (
    "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that export traces are not installed. Install them (pip install "
    "'gradus[otel]'), remove the variable, or set OTEL_SDK_DISABLED=true."
)


@dataclass
class _Exporting:
    """The tracer that exports the spans of this process; None while tracing is off."""

    tracer: Tracer | None = None


_exporting = _Exporting()
# The `traceparent` of the request that is being served.
_current: ContextVar[str] = ContextVar("traceparent", default=NONE)


@dataclass
class Request:
    """The open span of a request, and when the request arrived."""

    span: Span
    since: datetime


def check(settings: Settings) -> None:
    """Raise `ConfigurationError` if tracing is configured but the packages that it needs are not installed."""
    if settings.traced:
        try:
            import opentelemetry.exporter.otlp.proto.http
            import opentelemetry.sdk.trace  # noqa: F401
        except ImportError:
            raise ConfigurationError(NOT_INSTALLED) from None


@contextlib.asynccontextmanager
async def exporting(settings: Settings) -> AsyncIterator[None]:
    """Export spans while the block runs, if tracing is on. If several services run in one process, the first one exports
    the spans of all of them.
    """
    if not settings.traced or _exporting.tracer is not None:
        yield
        return
    provider = _provider()
    _exporting.tracer = provider.get_tracer("gradus", VERSION)
    log.info("traces_are_written")
    try:
        yield
    finally:
        _exporting.tracer = None
        # The shutdown runs in a daemon thread, so that a collector that does not respond cannot delay the exit of the process.
        last_words = threading.Thread(target=provider.shutdown, name="traces", daemon=True)
        last_words.start()
        last_words.join(SHUTDOWN_S)


def _provider() -> "TracerProvider":
    """Create the SDK's provider. The SDK itself reads all further OTEL_… variables, such as those for headers and sampling."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    ours = {
        "service.name": "gradus",
        "service.version": VERSION,
        "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
    }
    provider = TracerProvider(resource=Resource(ours).merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def current() -> str:
    """Return the `traceparent` of the request that is being served, or "" if it is not traced."""
    return _current.get()


def id_of(trace: str | None) -> dict[str, str]:
    """Return a dictionary with the log field `trace_id`. It is empty if there is no trace."""
    return {"trace_id": trace.split("-")[1]} if trace else {}


def begin(path: str) -> Request | None:
    """Begin the span of a request; return None if the request is not traced. A `traceparent` that the caller sent is
    ignored, because callers are not trusted.
    """
    _current.set(NONE)
    tracer = _exporting.tracer
    if tracer is None or not path.startswith(SERVED):
        return None
    since = now()
    span = tracer.start_span("request", context=Context(), kind=SpanKind.SERVER, start_time=_ns(since))
    _current.set(trace := _trace_of(span))
    structlog.contextvars.bind_contextvars(**id_of(trace))
    return Request(span, since)


def answered(request: Request, template: tuple[str, str], status: int, seconds: float) -> None:
    """End the span of a request. `template` is its method and route; `seconds` is the time until the head of the response
    was sent.
    """
    method, route = template

    attributes: Attributes = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    request.span.update_name(f"{method} {route}")
    request.span.set_attributes(attributes)
    if status >= 500:
        request.span.set_status(StatusCode.ERROR)
    request.span.end(_ns(request.since + timedelta(seconds=seconds)))


def record_span(  # noqa: PLR0913 (what a span is)
    name: str,
    trace: str | None,
    since: datetime,
    until: datetime,
    values: Attributes,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    failed: bool = False,
) -> str:
    """Record a span for work that has ended. Returns the `traceparent` for the spans of further work that this work caused."""
    tracer = _exporting.tracer
    if tracer is None or not trace or (context := _context(trace)) is None:
        return NONE
    attributes = {f"gradus.{key}": value for key, value in values.items()}
    span = tracer.start_span(name, context, kind, attributes, start_time=_ns(since))
    if failed:
        span.set_status(StatusCode.ERROR)
    span.end(_ns(max(since, until)))
    return _trace_of(span)


def _context(trace: str) -> Context | None:
    """Return the OpenTelemetry context of a trace, or None if `trace` is not a valid `traceparent`."""
    context = TraceContextTextMapPropagator().extract({"traceparent": trace}, Context())
    return context if get_current_span(context).get_span_context().is_valid else None


def _trace_of(span: Span) -> str:
    """Return the `traceparent` of a span, or "" if the sampler dropped the span."""
    known = span.get_span_context()
    return f"00-{known.trace_id:032x}-{known.span_id:016x}-01" if known.trace_flags.sampled else NONE


def _ns(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000
