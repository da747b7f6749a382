"""Traces by OpenTelemetry, where its own OTEL_… variables ask for them; else nothing of its SDK is even imported.

A trace goes from hand to hand as a W3C `traceparent`, in the context of a request, in rows and in offers; "" is no trace. All but
requests become spans when they are over: none is held open, so a process that dies takes none along. Moments are those of
`api.db.now`, which all processes share. What a span says comes from closed lists: names, ids, verdicts, templates of routes;
never what somebody has written or sent. FastAPI's own spans are off: they tell the whole address, and with it tokens.
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
from api.db import now
from api.settings import ConfigurationError, Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

log = structlog.get_logger()
NONE = ""
Told = Mapping[str, str | int]
SERVED = "/api/"
# How long a collector that does not answer may hold up the end of the process.
LAST_WORDS_S = 3.0
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOT_INSTALLED = (
    "OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, and what writes them is not installed. Install it (pip install "
    "'gradus[otel]'), or leave the variable out, or set OTEL_SDK_DISABLED=true."
)


@dataclass
class _Exporting:
    """Whoever writes the spans of this process, while somebody wants them."""

    tracer: Tracer | None = None


_exporting = _Exporting()
# Of the request that is being served.
_current: ContextVar[str] = ContextVar("traceparent", default=NONE)


@dataclass
class Request:
    """A request that is being served."""

    span: Span
    since: datetime


def check(settings: Settings) -> None:
    """Raises `ConfigurationError` when traces are wanted and cannot be written."""
    if settings.traced:
        try:
            import opentelemetry.exporter.otlp.proto.http
            import opentelemetry.sdk.trace  # noqa: F401
        except ImportError:
            raise ConfigurationError(NOT_INSTALLED) from None


@contextlib.asynccontextmanager
async def exporting(settings: Settings) -> AsyncIterator[None]:
    """Write spans while the block runs, if they are wanted. Of several services in one process the first one does it for all."""
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
        # Not in the pool of threads, which the end of the process waits for.
        last_words = threading.Thread(target=provider.shutdown, name="traces", daemon=True)
        last_words.start()
        last_words.join(LAST_WORDS_S)


def _provider() -> "TracerProvider":
    """The SDK reads the other variables by itself: headers, sampler, how much waits."""
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
    """The trace of the request that is being served."""
    return _current.get()


def id_of(trace: str | None) -> dict[str, str]:
    """How a line of the log names a trace."""
    return {"trace_id": trace.split("-")[1]} if trace else {}


def begin(path: str) -> Request | None:
    """A request comes in. The trace begins here, whatever the caller says of one: anybody may be the caller."""
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
    """The head of its answer was sent so many seconds after it came in; `template`: its method and route."""
    method, route = template

    told: Told = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    request.span.update_name(f"{method} {route}")
    request.span.set_attributes(told)
    if status >= 500:
        request.span.set_status(StatusCode.ERROR)
    request.span.end(_ns(request.since + timedelta(seconds=seconds)))


def tell(  # noqa: PLR0913 (what a span is)
    name: str,
    trace: str | None,
    since: datetime,
    until: datetime,
    told: Told,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    failed: bool = False,
) -> str:
    """Something in a trace is over; returns the trace as those carry it on to whom this has led."""
    tracer = _exporting.tracer
    if tracer is None or not trace or (context := _context(trace)) is None:
        return NONE
    attributes = {f"gradus.{key}": value for key, value in told.items()}
    span = tracer.start_span(name, context, kind, attributes, start_time=_ns(since))
    if failed:
        span.set_status(StatusCode.ERROR)
    span.end(_ns(max(since, until)))
    return _trace_of(span)


def _context(trace: str) -> Context | None:
    """None when it is no `traceparent`."""
    context = TraceContextTextMapPropagator().extract({"traceparent": trace}, Context())
    return context if get_current_span(context).get_span_context().is_valid else None


def _trace_of(span: Span) -> str:
    """What the sampler leaves out is no trace."""
    known = span.get_span_context()
    return f"00-{known.trace_id:032x}-{known.span_id:016x}-01" if known.trace_flags.sampled else NONE


def _ns(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000
