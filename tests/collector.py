"""Provides a minimal OpenTelemetry collector for tests: an HTTP server on a free port that stores the spans that are exported
to it.
"""

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PATIENT_S = 30.0


@dataclass(frozen=True)
class Span:
    """One received span. `told` holds the attributes of the span, and `service` those of the process that sent it."""

    name: str
    trace_id: str
    span_id: str
    parent_id: str
    kind: int
    seconds: float
    began: int
    ended: int
    failed: bool
    told: dict[str, Any]
    service: dict[str, Any]


@dataclass
class Collector:
    """The received spans. `raw` contains all received bytes, and `headers` all Authorization headers."""

    url: str = ""
    spans: list[Span] = field(default_factory=list)
    raw: bytes = b""
    headers: list[str] = field(default_factory=list)

    def take(self, body: bytes, credential: str) -> None:
        """Store the spans of one export request."""
        self.raw += body
        self.headers.append(credential)
        for of_process in ExportTraceServiceRequest.FromString(body).resource_spans:
            service = _plain(of_process.resource.attributes)
            self.spans += [_span(each, service) for scope in of_process.scope_spans for each in scope.spans]

    def named(self, name: str) -> list[Span]:
        """Return all spans with this name."""
        return [span for span in self.spans if span.name == name]

    def trace(self, root: str, *names: str) -> dict[str, Span]:
        """Wait until the trace with the root span `root` contains all spans in `names`. Return its spans by name.

        Fail if there are two such traces, or two spans with the same name in the trace.
        """
        until = time.monotonic() + PATIENT_S
        while True:
            roots = self.named(root)
            found = [span for span in self.spans if roots and span.trace_id == roots[0].trace_id]
            if {span.name for span in found} >= {root, *names}:
                assert len(roots) == 1
                assert len({span.name for span in found}) == len(found), "nothing is told twice"
                return {span.name: span for span in found}
            assert time.monotonic() < until, sorted({root, *names} - {span.name for span in found})
            time.sleep(0.05)


def _plain(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


def _span(span: Any, service: dict[str, Any]) -> Span:
    began, ended = span.start_time_unix_nano, span.end_time_unix_nano
    return Span(
        name=span.name,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        kind=span.kind,
        seconds=(ended - began) / 1e9,
        began=began,
        ended=ended,
        failed=span.status.code == 2,
        told=_plain(span.attributes),
        service=service,
    )


@contextlib.contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector during the `with` block."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.take(body, self.headers.get("Authorization", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Drop the log line that the HTTP server would print for each request."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
