"""Provides a small HTTP server that speaks OpenAI's protocol for chat completions, and fails in the ways that real ones do."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "small-test-model"


@dataclass
class Reply:
    """How the server answers one request. `parts` are the pieces of the text. After them, the stream ends properly, unless
    `breaks` is set: then the connection is closed in the middle. `waits` is an event for which the server waits before the
    last part.
    """

    parts: tuple[str, ...] = ("Use ", "`x.sum(-1)`", ".")
    status: int = 200
    tokens: int | None = 300
    finish: str = "stop"
    breaks: bool = False
    waits: threading.Event | None = None
    pause_s: float = 0.0
    # Sent as it is in place of everything else.
    raw: bytes = b""


@dataclass
class ModelServer:
    """The server. `requests` has the bodies that it has received, `keys` their Authorization headers. `replies` are given in
    order; after them, every reply is `usual`.
    """

    port: int = 0
    replies: list[Reply] = field(default_factory=list)
    usual: Reply = field(default_factory=Reply)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def setting(self) -> str:
        """The value for GRADUS_ASSISTANT."""
        url = f"http://127.0.0.1:{self.port}/v1"
        return json.dumps({"url": url, "key": "sk-test", "model": MODEL, "tokens": 20_000})

    @property
    def sent(self) -> str:
        """All text that the last request contained."""
        return "\n".join(each["content"] for each in self.requests[-1]["messages"])


class _Handler(BaseHTTPRequestHandler):
    """Answers one request. The class attribute `model` is the server's state."""

    model: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.model.requests.append(body)
        self.model.keys.append(self.headers["Authorization"] or "")
        reply = self.model.replies.pop(0) if self.model.replies else self.model.usual
        # A client that gives up closes the connection.
        with contextlib.suppress(ConnectionError):
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        if reply.status != 200:
            text = b'{"error": {"message": "no"}}'
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            return
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if reply.raw:
            self.wfile.write(reply.raw)
            return
        for number, part in enumerate(reply.parts, start=1):
            if reply.waits is not None and number == len(reply.parts):
                reply.waits.wait(20)
            time.sleep(reply.pause_s)
            self._event({"choices": [{"delta": {"content": part}, "finish_reason": None}]})
        if reply.breaks:
            return
        self._event({"choices": [{"delta": {}, "finish_reason": reply.finish}]})
        if reply.tokens is not None:
            self._event({"choices": [], "usage": {"total_tokens": reply.tokens}})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, data: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def model_server() -> Iterator[ModelServer]:
    """Run the server on a free port of loopback until the `with` block ends."""
    model = ModelServer()
    handler = type("Handler", (_Handler,), {"model": model})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        model.port = server.server_port
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        serving.start()
        try:
            yield model
        finally:
            server.shutdown()
            serving.join()
